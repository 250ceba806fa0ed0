//! Haskell and Curry as front-ends: a file in; a program that can be run, recorded and asked.

use crate::ending;
use crate::outside::{Heard, Outside};
use crate::reference::{LazyReviewer, Reference, ReferenceError, ReferenceSettings, Sameness};
use crate::start::EXPRESSION_FILE;
use crate::{Checked, Lowered, RecordError, Run, Settings, Suspects, Target, check, decode};
use gadfly_engine::{Oracle, Reviewer};
use gadfly_frontend::{
    Afterwards, CheckRequest, Ended, Failure, FrontEnd, Language, Launch, OracleSpec, Program, RecordRequest,
    Recorded, Subject, World,
};
use gadfly_machine::{Limits, Stopper};
use gadfly_source::{NamePattern, Severity};
use gadfly_trail::write::{OnFull, Written};
use gadfly_trail::{Bounds, Full};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Haskell.
pub struct Haskell;

/// Curry.
pub struct Curry;

const OPTIONS: &[&str] =
    &["-e", "--input", "--suspect", "--steps", "--heap", "--stack", "--time", "--trail-limit", "--"];

impl FrontEnd for Haskell {
    fn language(&self) -> &'static Language {
        &Language {
            name: "haskell",
            programs: "Haskell programs",
            suffixes: &[".hs", ".lhs"],
            options: OPTIONS,
            oracles: &["reference"],
        }
    }

    fn launch(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        Ok(Box::new(LazyProgram::launch(launch)?))
    }

    fn attach(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        Ok(Box::new(LazyProgram::attach(launch)?))
    }

    fn check(
        &self,
        file: &Path,
        request: CheckRequest,
        out: &mut dyn Write,
        world: &dyn World,
    ) -> Result<(), Failure> {
        check_only(file, request, out, world)
    }

    fn source_text(&self, bytes: Vec<u8>) -> Option<String> {
        Some(decode(bytes))
    }
}

impl FrontEnd for Curry {
    fn language(&self) -> &'static Language {
        &Language {
            name: "curry",
            programs: "Curry programs",
            suffixes: &[".curry", ".lcurry"],
            options: OPTIONS,
            oracles: &["reference"],
        }
    }

    fn launch(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        Haskell.launch(launch)
    }

    fn attach(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        Haskell.attach(launch)
    }

    fn check(
        &self,
        file: &Path,
        request: CheckRequest,
        out: &mut dyn Write,
        world: &dyn World,
    ) -> Result<(), Failure> {
        Haskell.check(file, request, out, world)
    }

    fn source_text(&self, bytes: Vec<u8>) -> Option<String> {
        Haskell.source_text(bytes)
    }
}

/// Checks a program, and writes its types or its kernel.
fn check_only(
    file: &Path,
    request: CheckRequest,
    out: &mut dyn Write,
    world: &dyn World,
) -> Result<(), Failure> {
    let checked = check(file).map_err(|error| {
        Failure::input(format!("{}: {error}", file.display())).with_hint("name a file that can be read")
    })?;
    for problem in checked.unreadable() {
        world.tell(&format!("warning: {problem}"));
    }
    world.diagnose(checked.diagnostics(), &checked.sources);
    let errors = checked.diagnostics().iter().filter(|said| said.severity == Severity::Error).count();
    if errors > 0 {
        let plural = if errors == 1 { "" } else { "s" };
        return Err(Failure::input(format!("{}: {errors} error{plural}", file.display())));
    }
    let lowered = checked.lower()?;
    world.diagnose(&lowered.diagnostics, &checked.sources);
    if request.core {
        let spans = request.spans.then_some(&checked.sources);
        let show = gadfly_core::Show { module: None, hidden: false, spans };
        write!(out, "{}", gadfly_core::print(&lowered.program, show))?;
    }
    if request.types {
        for (name, scheme) in checked.types() {
            writeln!(out, "{name} :: {scheme}")?;
        }
    }
    Ok(())
}

/// A program in the lazy language.
struct LazyProgram {
    launch: Launch,
    name: String,
    /// None of a program of which only a recording is there.
    ready: Option<(Checked, Lowered)>,
    /// What it read, for a reference to read as well.
    heard: Heard,
    /// What is the same in its reference, once one answers.
    sameness: Option<Arc<Sameness>>,
}

impl LazyProgram {
    /// Reads and checks a program, to run its `main` or to evaluate an expression in its scope.
    fn launch(launch: Launch) -> Result<LazyProgram, Failure> {
        let name = stem(&launch.file);
        let checked = checked(&launch)?;
        let lowered = checked.lower()?;
        Ok(LazyProgram {
            launch,
            name,
            ready: Some((checked, lowered)),
            heard: Heard::default(),
            sameness: None,
        })
    }

    fn attach(launch: Launch) -> Result<LazyProgram, Failure> {
        let heard = match &launch.run.input {
            Some(path) => Heard::of(crate::outside::input(path)?),
            None => Heard::default(),
        };
        let name = stem(&launch.file);
        Ok(LazyProgram { launch, name, ready: None, heard, sameness: None })
    }

    /// What is needed to run it; the hint is for a program without a `main`.
    fn ready(&self, hint: &str) -> Result<(&Checked, &Lowered), Failure> {
        let (checked, lowered) = self.ready.as_ref().ok_or_else(|| {
            Failure::usage(format!("{}: only the program itself can be run", self.launch.file.display()))
                .with_hint("name the program instead of its trail")
        })?;
        if !checked.has_main(lowered) {
            return Err(Failure::input(format!("{}: there is no `main` to run", self.launch.file.display()))
                .with_hint(hint));
        }
        Ok((checked, lowered))
    }

    fn run_settings(&self, world: Settings, steps: Option<u64>) -> Run {
        let words = |bytes: u64| usize::try_from(bytes / 8).unwrap_or(usize::MAX);
        let given = self.launch.run.limits;
        let default = Limits { heap: words(memory() / 2), ..Limits::default() };
        let limits = Limits {
            heap: given.heap.map_or(default.heap, words),
            stack: given.stack.map_or(default.stack, words),
            ..default
        };
        Run { world, limits, steps: given.steps.or(steps) }
    }

    /// Watches over the program when it begins to run: its time, and Ctrl-C.
    fn watch(&self, afterwards: Afterwards) -> impl FnOnce(Stopper) + Send + use<> {
        let time = self.launch.run.limits.time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let world = self.launch.world.clone();
        move |stopper| {
            if let Some(time) = time {
                let stopper = stopper.clone();
                thread::spawn(move || {
                    thread::sleep(time);
                    stopper.time_is_up();
                });
            }
            world.begun(Some(Box::new(move || stopper.interrupt())), afterwards);
        }
    }

    /// What was run, for people.
    fn command(&self) -> String {
        let mut text = self.launch.file.display().to_string();
        if let Some(expression) = &self.launch.run.expression {
            text = format!("{text} -e {}", quoted(expression));
        }
        for argument in &self.launch.run.arguments {
            text.push(' ');
            text.push_str(&quoted(argument));
        }
        text
    }

    /// What happens when the trail has become too large. A program that runs only to be asked about is stopped; any other goes on.
    fn on_full(&self, brake: &Arc<Brake>, stops: bool) -> OnFull {
        let (brake, world, name) = (Arc::clone(brake), self.launch.world.clone(), self.name.clone());
        Box::new(move |full| match stops {
            true => brake.pull(full),
            false => {
                world.tell(&format!(
                    "warning: {name}: {full}; what the program does from here on is not recorded"
                ));
                world.tell("hint: `--trail-limit SIZE` allows more; or trust more functions with --trust");
            }
        })
    }

    fn tell_incomplete(&self, written: &Written, trail: &Path) {
        let Some(failure) = &written.failure else { return };
        let world = &self.launch.world;
        world.tell(&format!(
            "warning: {}: {failure}; the trail is incomplete: it holds the first {} nodes",
            trail.display(),
            written.nodes,
        ));
        world.tell("hint: make room, record elsewhere with -o, or trust more functions with --trust");
    }
}

/// Stops a program whose trail has become too large.
#[derive(Default)]
struct Brake(Mutex<(Option<Stopper>, Option<Full>)>);

impl Brake {
    /// The program runs, and this stops it.
    fn holds(&self, stopper: Stopper) {
        self.state(|(holds, full)| {
            if full.is_some() {
                stopper.interrupt();
            }
            *holds = Some(stopper);
        });
    }

    fn pull(&self, why: Full) {
        self.state(|(holds, full)| {
            *full = Some(why);
            holds.iter().for_each(Stopper::interrupt);
        });
    }

    fn pulled(&self) -> Option<Full> {
        self.state(|(_, full)| *full)
    }

    fn state<T>(&self, does: impl FnOnce(&mut (Option<Stopper>, Option<Full>)) -> T) -> T {
        does(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Program for LazyProgram {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, count: bool) -> Result<u8, Failure> {
        let (checked, lowered) = self.ready("define `main`, and export it")?;
        let world = Settings::of_process(self.name.clone(), self.launch.run.arguments.clone());
        let how = self.run_settings(world, count.then_some(u64::MAX));
        let ran = checked.run(lowered, how, self.watch(Afterwards::End));
        self.launch.world.ended();
        let ran = ran?;
        for (name, count) in ran.counts.iter().filter(|_| count) {
            self.launch.world.tell(&format!("{count:>10}  {name}"));
        }
        ending::report(&ran, checked, &self.name, &self.launch)?.status()
    }

    fn record(&mut self, request: RecordRequest<'_>) -> Result<Recorded, Failure> {
        let hint = "define `main`, and export it; or evaluate something else: `-e EXPRESSION`";
        let (checked, lowered) = self.ready(hint)?;
        let outside = Outside::new(&self.name, &self.launch, request.output_to_stderr)?;
        let heard = outside.heard();
        let patterns = |names: &[String]| names.iter().map(|name| NamePattern::new(name)).collect();
        let suspects =
            Suspects { trusted: patterns(&self.launch.trust), suspected: patterns(&self.launch.run.suspect) };
        let described = checked.describe(lowered, &suspects, &self.command());
        for name in &described.unused {
            self.launch.world.tell(&format!("warning: nothing in this program is named `{name}`"));
        }
        let (world, unfed) = outside.split();
        let run = self.run_settings(world, None);
        let brake = Arc::new(Brake::default());
        let bounds = Bounds::of(request.trail, self.launch.run.trail_limit);
        let on_full = self.on_full(&brake, request.output_to_stderr);
        let target = Target { path: request.trail, bounds, on_full };
        let watch = self.watch(Afterwards::GoOn);
        let stops = Arc::clone(&brake);
        let recorded = checked.record(lowered, described, run, target, move |stopper| {
            stops.holds(stopper.clone());
            watch(stopper);
        });
        self.launch.world.ended();
        if unfed.wanted_input() {
            self.launch.world.tell(
                "note: the program read from stdin and got end-of-file: stdin is used for your answers",
            );
            self.launch.world.tell("hint: `--input FILE` says what the program reads");
        }
        let recorded = recorded.map_err(|error| match error {
            RecordError::Create(error) => Failure::input(format!("{}: {error}", request.trail.display()))
                .with_hint("name a file that can be written, with -o or --keep-trail"),
            RecordError::Run(error) => Failure::from(error),
        })?;
        let ended = match (ending::report(&recorded.ran, checked, &self.name, &self.launch)?, brake.pulled())
        {
            (Ended::Interrupted, Some(full)) => {
                Ended::Limit(format!("{}: stopped, because {full}", self.name))
            }
            (ended, _) => ended,
        };
        self.tell_incomplete(&recorded.written, request.trail);
        self.heard = heard;
        Ok(Recorded { ended, nodes: Some(recorded.written.nodes), is_reported: true })
    }

    fn oracle(&mut self, spec: &OracleSpec, subject: &Subject) -> Result<Box<dyn Oracle>, Failure> {
        let OracleSpec::Reference(path) = spec else {
            return Err(Failure::usage(format!("`{}` is not an oracle of this language", spec.kind())));
        };
        let reference = self.reference(Path::new(path), subject)?;
        self.sameness = Some(reference.sameness());
        Ok(Box::new(reference))
    }

    fn reviewer(&mut self, _subject: &Subject) -> Option<Box<dyn Reviewer>> {
        let sameness = self.sameness.as_ref()?;
        Some(Box::new(LazyReviewer::new(Arc::clone(sameness))))
    }
}

impl LazyProgram {
    fn reference(&self, path: &Path, subject: &Subject) -> Result<Reference, Failure> {
        let settings = ReferenceSettings {
            expression: expression(subject),
            ended: subject.viewed.as_ref().and_then(|viewed| viewed.trail().end().cloned()),
            arguments: self.launch.run.arguments.clone(),
            input: self.heard.bytes(),
            time: self.launch.oracle_timeout.unwrap_or(REFERENCE_TIMEOUT),
            ..ReferenceSettings::default()
        };
        let name = path.display();
        let original = self.ready.as_ref().map(|(checked, lowered)| (checked, lowered));
        Reference::open(path, settings, original).map_err(|error| match error {
            ReferenceError::Unreadable(error) => Failure::input(format!("{name}: {error}"))
                .with_hint("name the reference: `--oracle reference:GOOD.hs`"),
            ReferenceError::Language => Failure::usage(format!("{name}: not a program that can be asked"))
                .with_hint("a reference program is in Haskell; its name ends in .hs or .lhs"),
            ReferenceError::Errors(checked) => {
                let (mut errors, sources) = checked.told();
                errors.retain(|said| said.severity == Severity::Error);
                self.launch.world.diagnose(&errors, &sources);
                let plural = if errors.len() == 1 { "" } else { "s" };
                Failure::input(format!("{name}: {} error{plural}", errors.len()))
            }
        })
    }
}

/// How long a reference program may take, by default; most answers take it a millisecond.
const REFERENCE_TIMEOUT: Duration = Duration::from_secs(10);

/// What was evaluated instead of `main`, if something was: a recording has it as a file.
fn expression(subject: &Subject) -> Option<String> {
    let sources = subject.recording.sources();
    let typed = sources.by_name(EXPRESSION_FILE)?;
    sources.file(typed).text().map(str::to_owned)
}

/// Checks a program: its `main`, or an expression in its scope; with what shows it, if it is no action.
fn checked(launch: &Launch) -> Result<Checked, Failure> {
    let path = &launch.file;
    let unreadable = |error: io::Error| {
        Failure::input(format!("{}: {error}", path.display())).with_hint("name a file that can be read")
    };
    let mut checked = check(path).map_err(unreadable)?;
    complain(&checked, &path.display().to_string(), launch)?;
    let mut what = "`main`".to_owned();
    if let Some(text) = launch.run.expression.as_deref() {
        if text.trim().is_empty() {
            return Err(Failure::usage("-e: there is no expression").with_hint("as in `-e 'isort [3,1,2]'`"));
        }
        checked = checked.with_expression(text);
        complain(&checked, "-e", launch)?;
        what = format!("`{}`", checked.expression.as_ref().map_or(text, |expression| &expression.text));
    }
    if checked.shows_main() {
        let of = checked.type_of_main().map_or_else(String::new, |ty| format!(": its type is `{ty}`"));
        checked = checked.started(true);
        if checked.has_errors() {
            let message = format!(
                "{}: {what} is not an IO action and its type has no Show instance{of}",
                path.display()
            );
            return Err(Failure::input(message)
                .with_hint("give it a type `IO ()`, or one with an instance of `Show` that is no function"));
        }
    } else if checked.expression.is_some() {
        checked = checked.started(false);
    }
    Ok(checked)
}

/// Says what there is to say about the program before it runs: nothing but errors.
fn complain(checked: &Checked, what: &str, launch: &Launch) -> Result<(), Failure> {
    for problem in checked.unreadable() {
        launch.world.tell(&format!("warning: {problem}"));
    }
    let (mut told, sources) = checked.told();
    told.retain(|said| said.severity == Severity::Error);
    if told.is_empty() {
        return Ok(());
    }
    launch.world.diagnose(&told, &sources);
    let plural = if told.len() == 1 { "" } else { "s" };
    Err(Failure::input(format!("{what}: {} error{plural}", told.len())))
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// An argument as a shell would read it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// How much memory the machine has; 8 GiB where it does not say.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kilobytes = total.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(8 << 30, |kilobytes| kilobytes << 10)
}
