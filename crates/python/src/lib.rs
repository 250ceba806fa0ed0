//! Python programs: they are run by a Python that has the package `gadfly`, in a process of their own, and leave a trail.
//!
//! `GADFLY_PYTHON` names the interpreter; unless it is set, that is the `python3` of the environment. How a program was run is
//! kept as a [`Recipe`], so that it can be run again to look into single calls ([`replayer`]), or to have a reference
//! answer ([`oracle`]).

mod inside;
mod job;
mod messages;
mod oracle;
mod passing_calls;
mod program;
mod recipe;
mod reference_code;
mod replayer;
mod review;
mod versions;

pub use job::DebugTest;
pub use program::{Python, of_test};

use job::{Job, Task};
use recipe::Input;
use recipe::Recipe;

use gadfly_frontend::{Afterwards, Failure, FrontEnd as _, Launch, OracleSpec, RecordRequest, World};
use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Whether a file is a Python program, by its name.
fn is_program(path: &Path) -> bool {
    Python.language().is_program(path)
}

/// How a program is to be run: what must be known before it is.
fn recipe(launch: &Launch) -> Result<Recipe, Failure> {
    let (file, args) = (&launch.file, &launch.run);
    if !file.is_file() {
        return Err(
            Failure::input(format!("{}: there is no such file", file.display())).with_hint("check the path")
        );
    }
    let mut command: Vec<OsString> =
        vec![interpreter(), "-m".into(), "gadfly.run_script".into(), file.into()];
    command.extend(args.arguments.iter().map(Into::into));
    let job = Job {
        trust: launch.trust.clone(),
        suspect: args.suspect.clone(),
        memory: args.memory,
        trail_limit: args.trail_limit,
        monitoring: args.monitoring,
        expression: args.expression.clone(),
        ..Job::new(Task::Record { trail: None, detail: false })
    };
    let input = match &args.input {
        Some(path) => Some(Input::file(path.clone())),
        None if launch.person => None,
        None => Input::standard(),
    };
    let references: Vec<&Path> = launch
        .oracles
        .iter()
        .filter_map(|spec| match spec {
            OracleSpec::Reference(name) => Some(Path::new(name)).filter(|path| is_program(path)),
            _ => None,
        })
        .collect();
    Ok(Recipe::new(command, input, args.limits.time, job).with_references(&references))
}

/// Runs a program and has its trail written.
fn record(recipe: &Recipe, request: RecordRequest<'_>, world: &dyn World) -> Result<ExitStatus, Failure> {
    let RecordRequest { trail, detail, output_to_stderr } = request;
    let task = Task::Record { trail: Some(trail.to_owned()), detail };
    let (mut command, job) = recipe.command(task)?;
    make_way(trail)?;
    if output_to_stderr {
        command.stdout(Stdio::from(std::io::stderr()));
    }
    world.begun(None, Afterwards::GoOn);
    let status = command.spawn().and_then(|child| wait(child, recipe.seconds()));
    world.ended();
    let status = status.map_err(|error| cannot_run(recipe.python(), &error))?;
    if !has_begun(trail) && status.signal().is_none() {
        job.check(recipe.python())?;
    }
    Ok(status)
}

/// Takes away a trail that is there: if the program cannot be run, nobody is to take that for the trail of this run. What
/// cannot be written is told of before the program runs.
fn make_way(trail: &Path) -> Result<(), Failure> {
    // The program's process opens it by its name, and then it is read here: a pipe or a device does not stand that.
    if std::fs::metadata(trail).is_ok_and(|data| !data.is_file()) {
        return Err(Failure::usage(format!("{}: a trail has to be a regular file", trail.display()))
            .with_hint("name a file that is on a disk"));
    }
    let unwritable = |error: std::io::Error| {
        Failure::input(format!("{}: the trail cannot be created: {error}", trail.display()))
            .with_hint("name a file that can be written, with -o or --keep-trail")
    };
    // Who has it open keeps it. A link stays, and leads to an empty file.
    let remove = || match std::fs::symlink_metadata(trail) {
        Ok(data) if data.is_file() => std::fs::remove_file(trail),
        _ => Ok(()),
    };
    remove().map_err(unwritable)?;
    std::fs::File::create(trail).map_err(unwritable)?;
    remove().map_err(unwritable)
}

/// Whether anything of a run was written.
fn has_begun(trail: &Path) -> bool {
    // A link that was there leads to an empty file.
    std::fs::metadata(trail).is_ok_and(|data| data.len() > 0)
}

/// What a program's exit status is for those who asked for the run, as a shell counts it.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// What killed a program, if something did.
fn killed(status: ExitStatus) -> Option<String> {
    status.signal()?;
    // It is `signal: 11 (SIGSEGV)` where it stands alone.
    let signal = status.to_string().replacen("signal: ", "signal ", 1);
    Some(format!("the program was killed by {signal}"))
}

/// Waits for a program; one that takes too long is interrupted, as by Ctrl-C, and killed if it does not heed that.
fn wait(mut child: Child, seconds: Option<f64>) -> std::io::Result<ExitStatus> {
    let Some(seconds) = seconds else { return child.wait() };
    let (begun, mut interrupted) = (Instant::now(), false);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        let taken = begun.elapsed().as_secs_f64();
        if taken > seconds + INTERRUPT_GRACE {
            child.kill()?;
        } else if taken > seconds && !interrupted {
            interrupted = true;
            Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// So many seconds a program that is interrupted has to come to its end.
const INTERRUPT_GRACE: f64 = 5.0;

fn interpreter() -> OsString {
    std::env::var_os("GADFLY_PYTHON").filter(|name| !name.is_empty()).unwrap_or_else(|| "python3".into())
}

/// A clear word if the package is not there.
fn has_package(python: &OsStr) -> Result<(), Failure> {
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

fn cannot_run(python: &OsStr, error: &std::io::Error) -> Failure {
    Failure::input(format!("{} cannot be run: {error}", python.to_string_lossy()))
        .with_hint("install Python, or name one in GADFLY_PYTHON")
}
