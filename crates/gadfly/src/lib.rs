//! The command line and the terminal interface, behind one door: [`main`]. The binary `gadfly` and the Python package both go
//! through it.
//!
//! Enter at [`command`] (what was typed), then the file of each subcommand: [`run`], [`record`], [`debug`], [`tree`],
//! [`check`]. Results go to stdout, everything else to stderr. Exit status: 0 the command did its job; 1 the user's program or trail has an
//! error; 2 the command line is wrong; 101 a defect of Gadfly's own; 130 interrupted.

mod check;
mod command;
mod debug;
mod front_ends;
mod input;
mod interrupt;
mod output;
mod places;
mod record;
mod recording;
mod run;
mod temporary;
mod tree;

pub use front_ends::{FRONT_ENDS, FrontEnds};
pub use gadfly_source::shown;
pub use output::report_panics;
pub use record::{tell_incomplete, tell_missing, tell_processes, when_full};

use gadfly_engine::strategy::StrategyName;
use gadfly_frontend::{Failure, OracleSpec, OracleSpecError};

use clap::Parser as _;
use command::{Command, Line};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use std::ffi::OsString;

/// Does what a command line says, with front-ends of one's own: for tests and for other builds of Gadfly.
pub fn main_with(front_ends: FrontEnds, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    front_ends::choose(front_ends);
    main(arguments)
}

/// Does what a command line says, the program's name first, and gives the exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let mut line = match Line::try_parse_from(arguments) {
        Ok(line) => line,
        Err(error) => {
            // Help and version are no errors: clap gives them status 0, and 2 to everything else, where it repeats what was
            // typed.
            match error.use_stderr() {
                true => output::error_line(error.render().to_string().trim_end()),
                false => drop(error.print()),
            }
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let _temporary = temporary::begin();
    // Before interrupts are listened to: then they are no longer ignored.
    listen_for_the_end();
    listen_for_interrupts();
    let done = match &mut line.command {
        Command::Debug(args) => debug::run(args).map(drop),
        Command::Tree(args) => tree::run(args),
        Command::Check(args) => check::run(args),
        Command::Run(args) => match run::run(args) {
            Ok(status) => return status,
            Err(failure) => Err(failure),
        },
        Command::Record(args) => match record::run(args) {
            Ok(status) => return status,
            Err(failure) => Err(failure),
        },
    };
    match done {
        Ok(()) => 0,
        Err(failure) => tell(failure),
    }
}

/// Tells the user what went wrong, and gives the exit status.
fn tell(failure: Failure) -> u8 {
    let (message, hint, status) = match failure {
        Failure::Input { message, hint } => (message, hint, 1),
        Failure::Usage { message, hint } => (message, hint, 2),
        Failure::ClosedPipe => return 0,
        Failure::Interrupted => return 130,
    };
    output::error_line(&format!("error: {message}"));
    if let Some(hint) = hint {
        output::error_line(&format!("hint: {hint}"));
    }
    status
}

/// Debugs a test that the pytest plugin has recorded: gives the exit status, and the report as JSON if there is one.
pub fn debug_test(job: &std::path::Path) -> (u8, Option<String>) {
    listen_for_interrupts();
    match debug::run_test(job) {
        Ok(report) => (0, report.map(|report| report.to_string())),
        Err(failure) => (tell(failure), None),
    }
}

/// What is wrong with the oracles and the strategy that the pytest plugin was given, if anything is.
pub fn refused(oracles: &[String], strategy: Option<&str>) -> Option<String> {
    let strategy = strategy.and_then(|name| name.parse::<StrategyName>().err());
    if let Some(error) = strategy {
        return Some(format!("--gadfly-strategy: {error}"));
    }
    let wrong = oracles.iter().find_map(|oracle| oracle.parse::<OracleSpec>().err());
    wrong.map(|error| format!("--gadfly-oracle: {error}\n{}", OracleSpecError::HINT))
}

fn listen_for_interrupts() {
    // A handler that cannot be set leaves the default, which ends the process as well.
    let _ = ctrlc::set_handler(|| {
        if interrupt::interrupt() {
            gadfly_oracles::end_commands();
            let _ = crossterm::terminal::disable_raw_mode();
            temporary::remove();
            interrupt::say_farewell();
            std::process::exit(130);
        }
    });
}

/// Who asks Gadfly to end, and does not listen to what it says: then nothing of it must stay. What ignores such a signal goes on to do so.
fn listen_for_the_end() {
    let asks = [SIGTERM, SIGHUP].into_iter().filter(|signal| !gadfly_python::ignores(*signal));
    let Ok(mut signals) = Signals::new(asks) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            let _ = crossterm::terminal::disable_raw_mode();
            temporary::remove();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    // Without the thread, the system does what it does to any process.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
}
