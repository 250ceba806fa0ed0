//! Where text goes, and whether it may be coloured.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Stdout, buffered.
pub(crate) fn stdout() -> BufWriter<Stdout> {
    BufWriter::new(io::stdout())
}

/// A line on stderr; if nobody reads that either, there is nobody to tell.
pub(crate) fn error_line(text: &str) {
    let _ = writeln!(io::stderr(), "{}", with_options_of_pytest(text));
}

/// Whether the options are pytest's.
static IS_PLUGIN: AtomicBool = AtomicBool::new(false);

/// From now on, messages name the options of the pytest plugin.
pub(crate) fn name_options_of_pytest() {
    IS_PLUGIN.store(true, Ordering::Relaxed);
}

/// A message of ours, in which options stand in backquotes: under pytest, they have the names that they have there.
pub(crate) fn with_options_of_pytest(text: &str) -> Cow<'_, str> {
    const OPTIONS: [&str; 5] = ["oracle", "strategy", "trust", "suspect", "resume"];
    if !IS_PLUGIN.load(Ordering::Relaxed) || !text.contains("`--") {
        return Cow::Borrowed(text);
    }
    let renamed =
        |text: String, name: &&str| text.replace(&format!("`--{name}"), &format!("`--gadfly-{name}"));
    Cow::Owned(OPTIONS.iter().fold(text.to_owned(), renamed))
}

/// The words of the terminal's colour language that Gadfly uses; all empty where colours are not wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Numbers, places, what is not the point.
    pub(crate) dim: &'static str,
    /// The equation.
    pub(crate) strong: &'static str,
    /// What is right.
    pub(crate) right: &'static str,
    /// What is wrong.
    pub(crate) wrong: &'static str,
    /// What deserves attention.
    pub(crate) notice: &'static str,
    /// Back to normal.
    pub(crate) off: &'static str,
}

impl Palette {
    const PLAIN: Palette = Palette { dim: "", strong: "", right: "", wrong: "", notice: "", off: "" };
    const COLOURED: Palette = Palette {
        dim: "\x1b[2m",
        strong: "\x1b[1m",
        right: "\x1b[32m",
        wrong: "\x1b[31m",
        notice: "\x1b[33m",
        off: "\x1b[0m",
    };

    /// Colours if the stream is a terminal and the user did not decline them (no-color.org).
    pub(crate) fn for_terminal(is_terminal: bool) -> Palette {
        let declined = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if is_terminal && !declined { Palette::COLOURED } else { Palette::PLAIN }
    }

    /// Whether there are colours.
    pub(crate) fn is_coloured(&self) -> bool {
        !self.off.is_empty()
    }
}

/// How wide the text may be.
pub(crate) fn width() -> usize {
    match io::stdout().is_terminal() {
        true => crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns)).clamp(20, 160),
        false => 100,
    }
}
