//! Python programs: they are run by a Python that has the package `gadfly`, in a process of their own, and leave a trail.
//!
//! `GADFLY_PYTHON` names the interpreter; unless it is set, that is the `python3` of the environment.

use crate::command::ProgramArgs;
use crate::failure::Failure;
use crate::interrupt;
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

/// Whether a file is a Python program, by its name.
pub(crate) fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py")
}

/// Runs a program and has its trail written; the program's standard output goes to the standard error if `aside`.
pub(crate) fn record(
    file: &Path,
    args: &ProgramArgs,
    trust: &[String],
    trail: &Path,
    aside: bool,
) -> Result<ExitStatus, Failure> {
    refuse(args)?;
    if !file.is_file() {
        return Err(
            Failure::input(format!("{}: there is no such file", file.display())).with_hint("check the path")
        );
    }
    let python = interpreter();
    has_package(&python)?;
    let mut command = Command::new(&python);
    command.args(["-m", "gadfly._run", "--trail"]).arg(trail);
    for (option, names) in [("--trust", trust), ("--suspect", &args.suspect)] {
        command.args(names.iter().map(|name| format!("{option}={name}")));
    }
    command.arg(file).args(&args.arguments);
    if let Some(input) = &args.input {
        let input = File::open(input).map_err(|error| {
            Failure::input(format!("{}: {error}", input.display())).with_hint("name a file that can be read")
        })?;
        command.stdin(input);
    }
    if aside {
        command.stdout(Stdio::from(std::io::stderr()));
    }
    interrupt::begin_child();
    let status = command.status();
    interrupt::end();
    status.map_err(|error| cannot_run(&python, &error))
}

fn interpreter() -> OsString {
    std::env::var_os("GADFLY_PYTHON").filter(|name| !name.is_empty()).unwrap_or_else(|| "python3".into())
}

/// What a Python cannot be told yet.
fn refuse(args: &ProgramArgs) -> Result<(), Failure> {
    let limits = &args.limits;
    let given = [
        ("-e", args.expression.is_some()),
        ("--steps", limits.steps.is_some()),
        ("--heap", limits.heap.is_some()),
        ("--stack", limits.stack.is_some()),
        ("--time", limits.time.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::usage(format!("`{name}` is not for Python programs"))
            .with_hint("leave it out; Ctrl-C stops a program that runs for too long, and keeps what it did")),
    }
}

/// A clear word before the program is run, if the package is not there.
fn has_package(python: &OsString) -> Result<(), Failure> {
    let asked = Command::new(python)
        .args(["-c", "import gadfly._native"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| cannot_run(python, &error))?;
    if asked.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&asked.stderr);
    let said = said.lines().last().unwrap_or("it cannot be run").trim().to_owned();
    let python = python.to_string_lossy();
    Err(Failure::input(format!("{python} cannot record programs: {said}")).with_hint(format!(
        "install Gadfly for it: `{python} -m pip install PATH-TO-GADFLY`, or name another Python in GADFLY_PYTHON"
    )))
}

fn cannot_run(python: &OsString, error: &std::io::Error) -> Failure {
    Failure::input(format!("{} cannot be run: {error}", python.to_string_lossy()))
        .with_hint("install Python, or name one in GADFLY_PYTHON")
}
