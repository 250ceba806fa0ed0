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

use gadfly_frontend::{Afterwards, Failure, FrontEnd as _, Launch, OracleSpec, RecordRequest, Stop, World};
use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
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
        module: args.module.clone(),
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
    let status = command.spawn().and_then(|child| {
        let process = child.id();
        world.begun(stops().then(|| Box::new(move || stop(process)) as Stop), Afterwards::GoOn);
        wait(child, recipe.seconds())
    });
    world.ended();
    let status = status.map_err(|error| cannot_run(recipe.python(), &error))?;
    if !has_begun(trail) && status.signal().is_none() {
        job.check(recipe.python())?;
    }
    Ok(status)
}

/// Whether a program has to be stopped by us: from a terminal, Ctrl-C reaches it as it reaches Gadfly.
fn stops() -> bool {
    ignores(INTERRUPT) || !has_terminal()
}

/// Stops a program, so that its trail is kept.
fn stop(process: u32) {
    // Where nobody hears of interrupts, a program does not, either (`nohup`, jobs in the background of a script).
    let signal = if ignores(INTERRUPT) { "-TERM" } else { "-INT" };
    // If there is no such command, Ctrl-C again ends Gadfly, and the program with it.
    let _ = Command::new("kill").args([signal, &process.to_string()]).status();
}

/// `SIGINT`.
const INTERRUPT: i32 = 2;

/// Whether this process ignored a signal when it began, and so the programs that it runs do, unless they change that.
pub fn ignores(signal: i32) -> bool {
    static IGNORED: LazyLock<u64> = LazyLock::new(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        ignored.and_then(|ignored| u64::from_str_radix(ignored.trim(), 16).ok()).unwrap_or(0)
    });
    *IGNORED >> (signal - 1) & 1 == 1
}

/// Whether this process has a terminal, from which Ctrl-C would come.
fn has_terminal() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
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
            stop(child.id());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// So many seconds a program that is interrupted has to come to its end.
const INTERRUPT_GRACE: f64 = 5.0;

/// The file of a module, as the interpreter finds it from here; none if it does not.
fn module_file(name: &str) -> Result<Option<PathBuf>, Failure> {
    let python = interpreter();
    let mut command = Command::new(&python);
    command.args(["-m", "gadfly.reference.find_module", name]).stdin(Stdio::null()).stderr(Stdio::null());
    let asked = command.output().map_err(|error| cannot_run(&python, &error))?;
    if !asked.status.success() {
        has_package(&python)?;
    }
    let said = String::from_utf8_lossy(&asked.stdout);
    Ok(said.lines().next().filter(|file| !file.is_empty()).map(PathBuf::from))
}

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
