//! Programs: from what was typed to something that can be run.

use crate::check::tell;
use crate::command::{LimitArgs, ProgramArgs};
use crate::failure::Failure;
use crate::{interrupt, output};
use gadfly_lazy::{Checked, Limits, Lowered, Outcome, Ran, Settings, Stopper};
use gadfly_source::{Severity, Span};
use interrupt::Afterwards;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A program without errors.
pub(crate) struct Program {
    pub(crate) checked: Checked,
    pub(crate) lowered: Lowered,
    /// Its name, as messages begin with it.
    pub(crate) name: String,
}

/// Reads and checks a program, to run its `main` or to evaluate an expression in its scope.
pub(crate) fn read(path: &Path, expression: Option<&str>) -> Result<Program, Failure> {
    if !gadfly_lazy::is_program(path) {
        return Err(Failure::usage(format!("{}: not a program that can be run", path.display())).with_hint(
            "name a file that ends in .hs, .lhs or .curry; `record` and `debug` take .py as well",
        ));
    }
    let unreadable = |error: io::Error| {
        Failure::input(format!("{}: {error}", path.display())).with_hint("name a file that can be read")
    };
    let mut checked = gadfly_lazy::check(path).map_err(unreadable)?;
    complain(&checked, &path.display().to_string())?;
    let mut what = "`main`".to_owned();
    let extensions = checked.extensions();
    if let Some(text) = expression {
        if text.trim().is_empty() {
            return Err(Failure::usage("-e: there is no expression").with_hint("as in `-e 'isort [3,1,2]'`"));
        }
        checked = gadfly_lazy::check_expression(path, text, &extensions, false).map_err(unreadable)?;
        complain(&checked, "-e")?;
        what = format!("`{}`", checked.expression.as_ref().map_or(text, |expression| &expression.text));
    }
    if checked.shows_main() {
        let of = checked.types().into_iter().find(|(name, _)| name == "main");
        checked = match expression {
            Some(text) => gadfly_lazy::check_expression(path, text, &extensions, true),
            None => gadfly_lazy::check_showing(path),
        }
        .map_err(unreadable)?;
        if checked.has_errors() {
            let of = of.map_or_else(String::new, |(_, ty)| format!(": its type is `{ty}`"));
            let message = format!("{}: {what} is no action, and cannot be shown{of}", path.display());
            return Err(Failure::input(message)
                .with_hint("give it a type `IO ()`, or one with an instance of `Show` that is no function"));
        }
    }
    let lowered = checked.lower()?;
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Ok(Program { checked, lowered, name })
}

/// Says what there is to say about the program before it runs: nothing but errors.
fn complain(checked: &Checked, what: &str) -> Result<(), Failure> {
    for problem in &checked.unreadable {
        output::error_line(&format!("warning: {problem}"));
    }
    let (mut told, sources) = checked.told();
    told.retain(|said| said.severity == Severity::Error);
    if told.is_empty() {
        return Ok(());
    }
    tell(&told, &sources);
    let plural = if told.len() == 1 { "" } else { "s" };
    Err(Failure::input(format!("{what}: {} error{plural}", told.len())))
}

/// How much a program may take.
pub(crate) fn limits(args: &LimitArgs) -> Limits {
    let words = |bytes: u64| usize::try_from(bytes / 8).unwrap_or(usize::MAX);
    let default = Limits { heap: words(memory() / 2), ..Limits::default() };
    Limits {
        heap: args.heap.map_or(default.heap, words),
        stack: args.stack.map_or(default.stack, words),
        ..default
    }
}

/// How much memory the machine has; 8 GiB where it does not tell.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kilobytes = total.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(8 << 30, |kilobytes| kilobytes << 10)
}

/// Watches over a program that begins to run: its time, and Ctrl-C.
pub(crate) fn watch(time: Option<f64>, afterwards: Afterwards) -> impl FnOnce(Stopper) + Send {
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    move |stopper| {
        if let Some(time) = time {
            let stopper = stopper.clone();
            thread::spawn(move || {
                thread::sleep(time);
                stopper.time_is_up();
            });
        }
        interrupt::begin(stopper, afterwards);
    }
}

/// What a program that is recorded sees of the world, and what it read of it.
pub(crate) struct Outside {
    pub(crate) settings: Settings,
    /// Where it was given nothing: whether it wanted something.
    unfed: Option<Arc<AtomicBool>>,
    heard: Heard,
}

/// What a program was given to read, for a reference program to read as well: none where nobody knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard(Option<Arc<Mutex<Vec<u8>>>>);

impl Heard {
    /// What `--input` names.
    pub(crate) fn of(bytes: Vec<u8>) -> Heard {
        Heard(Some(Arc::new(Mutex::new(bytes))))
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        let bytes = self.0.as_ref()?.lock().unwrap_or_else(|poison| poison.into_inner());
        Some(bytes.clone())
    }
}

/// Reads what a file given by `--input` holds.
pub(crate) fn input(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| {
        Failure::input(format!("--input {}: {error}", path.display()))
            .with_hint("name a file that can be read")
    })
}

impl Outside {
    /// The world of a program that is recorded. Where a person's answers come through a pipe, the program cannot read
    /// that too: it has only what `--input` names. With `aside`, what it prints goes to stderr, for stdout is the
    /// session's or the tree's, and what it reads is remembered.
    pub(crate) fn new(name: &str, args: &ProgramArgs, person: bool, aside: bool) -> Result<Outside, Failure> {
        let of_python = [("--memory", args.memory.is_some()), ("--monitoring", args.monitoring)];
        if let Some((option, _)) = of_python.iter().find(|(_, given)| *given) {
            return Err(Failure::usage(format!("`{option}` is for Python programs"))
                .with_hint("leave it out; `--heap` and `--stack` bound what this program may take"));
        }
        let mut settings = Settings::of_process(name.to_owned(), args.arguments.clone());
        let mut unfed = None;
        let mut heard = Heard::default();
        if let Some(path) = &args.input {
            let bytes = input(path)?;
            settings.input = Box::new(io::Cursor::new(bytes.clone()));
            settings.input_is_terminal = false;
            heard = Heard::of(bytes);
        } else if person && !io::stdin().is_terminal() {
            let asked = Arc::new(AtomicBool::new(false));
            settings.input = Box::new(Nothing { asked: Arc::clone(&asked) });
            settings.input_is_terminal = false;
            unfed = Some(asked);
            heard = Heard::of(Vec::new());
        } else if aside {
            heard = Heard::of(Vec::new());
            settings.input = Box::new(Listened { input: settings.input, heard: heard.clone() });
        }
        if aside {
            settings.output = Box::new(io::stderr());
            settings.output_is_terminal = io::stderr().is_terminal();
        }
        Ok(Outside { settings, unfed, heard })
    }

    /// What the program has read, once it has run.
    pub(crate) fn heard(&self) -> Heard {
        self.heard.clone()
    }

    /// What the program is given, and how to tell afterwards what it missed.
    pub(crate) fn split(self) -> (Settings, impl FnOnce()) {
        let unfed = self.unfed;
        let tell = move || {
            if unfed.is_some_and(|asked| asked.load(Ordering::Relaxed)) {
                output::error_line(
                    "note: the program wanted to read its standard input and was given nothing: stdin is for the answers",
                );
                output::error_line("hint: `--input FILE` says what the program reads");
            }
        };
        (self.settings, tell)
    }
}

/// An input that is empty, and remembers that somebody wanted it.
struct Nothing {
    asked: Arc<AtomicBool>,
}

impl Read for Nothing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.asked.store(true, Ordering::Relaxed);
        Ok(0)
    }
}

/// An input of which what was read is remembered.
struct Listened {
    input: Box<dyn Read + Send>,
    heard: Heard,
}

impl Read for Listened {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        if let Some(heard) = &self.heard.0 {
            heard.lock().unwrap_or_else(|poison| poison.into_inner()).extend_from_slice(&into[..count]);
        }
        Ok(count)
    }
}

/// Tells how a run ended, and gives the program's own status; a limit or an interrupt is a failure.
pub(crate) fn report(ran: &Ran, program: &Program, path: &Path, limits: &LimitArgs) -> Result<u8, Failure> {
    let name = &program.name;
    if let Some(text) = &ran.unwritten
        && !matches!(ran.outcome, Outcome::ClosedPipe)
    {
        output::error_line(&format!("{name}: {text}"));
    }
    let status = |status: i32| status as u8;
    match &ran.outcome {
        Outcome::Exit(_) if ran.unwritten.is_some() => Ok(status(1)),
        Outcome::Exit(code) => Ok(status(*code)),
        Outcome::Uncaught { message, status: code, calls } => {
            if !message.is_empty() {
                output::error_line(&format!("{name}: {}", message.trim_end()));
                trace(calls, &program.checked);
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
        Outcome::NoMain => Err(no_main(path)),
        Outcome::ClosedPipe => Err(Failure::ClosedPipe),
        Outcome::Interrupted => Err(Failure::Interrupted),
        Outcome::TimeLimit => Err(Failure::input(format!(
            "{name}: stopped after {} s: the limit given by --time",
            limits.time.unwrap_or_default()
        ))),
        Outcome::StepLimit => Err(Failure::input(format!(
            "{name}: stopped after {} calls: the limit given by --steps",
            limits.steps.unwrap_or_default()
        ))),
    }
}

/// There is nothing to run.
pub(crate) fn no_main(path: &Path) -> Failure {
    Failure::input(format!("{}: there is no `main` to run", path.display()))
        .with_hint("define `main`, and export it")
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
