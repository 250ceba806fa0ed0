//! What is longer than the screen is shown in a pager: `$PAGER`, or `less -R`.

use crate::interrupt;
use crate::output::Screen;
use gadfly_source::Notation;
use std::io;
use std::process::{Command, Stdio};

/// What is used where the user names none. Colours are kept.
const USUAL: &str = "less -R";

/// What a shell says when there is no such program, or it cannot be run.
const NOT_RUN: [i32; 2] = [126, 127];

/// Shows what is written in a pager; says whether that worked.
pub(super) fn show(write: impl FnOnce(&mut Screen) -> io::Result<()>) -> bool {
    let command = std::env::var("PAGER").ok().filter(|command| !command.trim().is_empty());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command.as_deref().unwrap_or(USUAL)).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Colours; and what was read stays on the screen.
        shell.env("LESS", "RX");
    }
    let _quiet = interrupt::Paging::begin();
    let Ok(mut child) = shell.spawn() else { return false };
    if let Some(input) = child.stdin.take() {
        // Who leaves the pager early does not read all of it.
        let _ = write(&mut Screen::new(Box::new(input), Notation::Text));
    }
    let status = child.wait();
    status.is_ok_and(|status| !status.code().is_some_and(|code| NOT_RUN.contains(&code)))
}
