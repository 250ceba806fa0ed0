//! `gadfly run`: runs a program.

use crate::check::tell;
use crate::command::RunArgs;
use crate::failure::Failure;
use crate::output;
use gadfly_lazy::{Checked, Limits, Outcome, Ran, Run, Settings, Stopper};
use gadfly_source::{Severity, Span};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// The program that is running, to stop it.
static RUNNING: Mutex<Option<Stopper>> = Mutex::new(None);

/// Stops the program that is running, if there is one, and gives it a moment to write what it has.
pub(crate) fn interrupt() {
    let running = RUNNING.lock().ok().and_then(|mut running| running.take());
    if let Some(stopper) = running {
        stopper.interrupt();
        thread::sleep(Duration::from_millis(500));
    }
}

pub(crate) fn run(args: RunArgs) -> Result<ExitCode, Failure> {
    if !gadfly_lazy::is_program(&args.file) {
        return Err(Failure::usage(format!("{}: not a program that can be run", args.file.display()))
            .with_hint("name a file that ends in .hs, .lhs or .curry"));
    }
    let read = |error: std::io::Error| {
        Failure::input(format!("{}: {error}", args.file.display())).with_hint("name a file that can be read")
    };
    let mut checked = gadfly_lazy::check(&args.file).map_err(read)?;
    complain(&checked, &args)?;
    if checked.shows_main() {
        let of = checked.types().into_iter().find(|(name, _)| name == "main");
        checked = gadfly_lazy::check_showing(&args.file).map_err(read)?;
        if checked.has_errors() {
            let of = of.map_or_else(String::new, |(_, ty)| format!(": its type is `{ty}`"));
            let message = format!("{}: `main` is no action, and cannot be shown{of}", args.file.display());
            return Err(Failure::input(message)
                .with_hint("give it a type `IO ()`, or one with an instance of `Show` that is no function"));
        }
    }
    let lowered = checked.lower()?;
    let program = args.file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let words = |bytes: u64| usize::try_from(bytes / 8).unwrap_or(usize::MAX);
    let default = Limits { heap: words(memory() / 2), ..Limits::default() };
    let limits = Limits {
        heap: args.heap.map_or(default.heap, words),
        stack: args.stack.map_or(default.stack, words),
        ..default
    };
    let steps = args.steps.or(args.count.then_some(u64::MAX));
    let world = Settings::of_process(program.clone(), args.arguments.clone());
    let time = args.time.map(Duration::from_secs_f64);
    let ran = checked.run(&lowered, Run { world, limits, steps }, move |stopper| {
        if let Some(time) = time {
            let stopper = stopper.clone();
            thread::spawn(move || {
                thread::sleep(time);
                stopper.time_is_up();
            });
        }
        if let Ok(mut running) = RUNNING.lock() {
            *running = Some(stopper);
        }
    })?;
    report(&ran, &checked, &program, &args)
}

/// How much memory the machine has; 8 GiB where it does not tell.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kilobytes = total.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(8 << 30, |kilobytes| kilobytes << 10)
}

/// Says what there is to say about the program before it runs: nothing but errors.
fn complain(checked: &Checked, args: &RunArgs) -> Result<(), Failure> {
    for problem in &checked.unreadable {
        output::error_line(&format!("warning: {problem}"));
    }
    let errors: Vec<_> =
        checked.diagnostics().iter().filter(|said| said.severity == Severity::Error).cloned().collect();
    if errors.is_empty() {
        return Ok(());
    }
    tell(&errors, &checked.sources);
    let plural = if errors.len() == 1 { "" } else { "s" };
    Err(Failure::input(format!("{}: {} error{plural}", args.file.display(), errors.len())))
}

/// Tells how the run ended.
fn report(ran: &Ran, checked: &Checked, program: &str, args: &RunArgs) -> Result<ExitCode, Failure> {
    if args.count {
        for (name, count) in &ran.counts {
            output::error_line(&format!("{count:>10}  {name}"));
        }
    }
    if let Some(text) = &ran.unwritten
        && !matches!(ran.outcome, Outcome::ClosedPipe)
    {
        output::error_line(&format!("{program}: {text}"));
    }
    let status = |status: i32| ExitCode::from(status as u8);
    match &ran.outcome {
        Outcome::Exit(_) if ran.unwritten.is_some() => Ok(status(1)),
        Outcome::Exit(code) => Ok(status(*code)),
        Outcome::Uncaught { message, status: code, calls } => {
            if !message.is_empty() {
                output::error_line(&format!("{program}: {}", message.trim_end()));
                trace(calls, checked);
                let hint = match message.as_str() {
                    "stack overflow" => {
                        "hint: is there a recursion without end? If not: --stack sets how much it may take"
                    }
                    "heap exhausted" => "hint: --heap sets how much it may take",
                    _ => "",
                };
                if !hint.is_empty() {
                    output::error_line(hint);
                }
            }
            Ok(status(*code))
        }
        Outcome::NoMain => Err(Failure::input(format!("{}: there is no `main` to run", args.file.display()))
            .with_hint("define `main`, and export it")),
        Outcome::ClosedPipe => Err(Failure::ClosedPipe),
        Outcome::Interrupted => Err(Failure::Interrupted),
        Outcome::TimeLimit => Err(Failure::input(format!(
            "{program}: stopped after {} s: the limit given by --time",
            args.time.unwrap_or_default()
        ))),
        Outcome::StepLimit => Err(Failure::input(format!(
            "{program}: stopped after {} calls: the limit given by --steps",
            args.steps.unwrap_or_default()
        ))),
    }
}

/// No more than so many calls are shown from each end.
const SHOWN: usize = 8;

/// Shows the calls that waited when something was raised.
fn trace(calls: &[(String, Span)], checked: &Checked) {
    let line = |(name, span): &(String, Span)| {
        let file = checked.sources.file(span.file);
        let start = file.position(span.start);
        format!("  in {name}, {}:{}:{}", file.name(), start.line, start.column)
    };
    let mut lines: Vec<String> = Vec::new();
    for call in calls {
        let line = line(call);
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    if lines.len() > 2 * SHOWN + 1 {
        let left_out = lines.len() - 2 * SHOWN;
        lines.splice(SHOWN..SHOWN + left_out, [format!("  … {left_out} more …")]);
    }
    for line in lines {
        output::error_line(&line);
    }
}
