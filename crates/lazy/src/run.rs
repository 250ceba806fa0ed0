//! Running a program.

use crate::files::{self, Files};
use crate::{Checked, on_a_large_stack};
use gadfly_core::Lowered;
use gadfly_core::kernel::FunId;
use gadfly_machine::{CallSite, Counting, End, Limits, Machine, Plain, Recorder, Settings, Stopper, World};
use gadfly_source::{SourceFile, Sources, Span};
use gadfly_syntax::Dialect;
use gadfly_syntax::names::Interner;
use gadfly_typing::Loader;
use std::path::Path;
use std::{fs, io};

/// How a program is run.
pub struct Run {
    /// What it sees of the world.
    pub world: Settings,
    /// How much it may take.
    pub limits: Limits,
    /// How many functions it may unfold.
    pub steps: Option<u64>,
}

/// How a run ended.
#[derive(Debug)]
pub enum Outcome {
    /// The program ended with this status.
    Exit(i32),
    /// The program has no `main`.
    NoMain,
    /// An exception that nothing caught.
    Uncaught {
        /// What it says; empty if the program only ended with a status.
        message: String,
        /// The exit status.
        status: i32,
        /// Where it was raised and the calls that waited, innermost first: functions and places.
        calls: Vec<(String, Span)>,
    },
    /// Nobody reads what it writes any more, and it did not mind.
    ClosedPipe,
    /// It was stopped from outside.
    Interrupted,
    /// It took too much time.
    TimeLimit,
    /// It unfolded more functions than it may.
    StepLimit,
}

/// What a run did.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub outcome: Outcome,
    /// How often the functions of the program itself were unfolded, by name in the order of the text, if they were
    /// counted.
    pub counts: Vec<(String, u64)>,
    /// What standard output did not take.
    pub unwritten: Option<String>,
}

impl Checked {
    /// Whether `main` is there and no action: it is to be evaluated and shown.
    pub fn shows_main(&self) -> bool {
        self.main_value().is_some_and(|main| !self.program.is_action(main))
    }

    fn main_value(&self) -> Option<gadfly_typing::interface::ValueId> {
        let (module, _) = self.program.modules.iter().next_back()?;
        self.program.exported_value(module, self.interner.get("main")?)
    }

    /// Runs the program. `watch` is given a way to stop it.
    pub fn run(&self, lowered: &Lowered, how: Run, watch: impl FnOnce(Stopper) + Send) -> io::Result<Ran> {
        let main = self.main_value().and_then(|main| lowered.functions.get(&main)).copied();
        let Some(main) = main.filter(|&main| lowered.program.arity(main) == 0) else {
            let outcome = Outcome::NoMain;
            return Ok(Ran { outcome, counts: Vec::new(), unwritten: None });
        };
        on_a_large_stack(gadfly_core::STACK, || match how.steps {
            None => self.run_with(lowered, main, how.world, how.limits, Plain, watch).0,
            Some(steps) => {
                let counting = Counting::new(steps);
                let (mut ran, counting) =
                    self.run_with(lowered, main, how.world, how.limits, counting, watch);
                ran.counts = counts(lowered, &counting);
                ran
            }
        })
    }

    fn run_with<R: Recorder<0> + Clone>(
        &self,
        lowered: &Lowered,
        main: FunId,
        world: Settings,
        limits: Limits,
        recorder: R,
        watch: impl FnOnce(Stopper),
    ) -> (Ran, R) {
        let world = World::new(world);
        let locate = |span: Span| place(&self.sources, span);
        let mut machine: Machine<'_, R, 0> = Machine::new(lowered, world, recorder, limits, locate);
        watch(machine.stopper());
        let outcome = match machine.execute(main) {
            End::Exit(status) => Outcome::Exit(status),
            End::Uncaught(uncaught) => Outcome::Uncaught {
                message: uncaught.message,
                status: uncaught.status,
                calls: uncaught.calls.iter().filter_map(|site| named(lowered, *site)).collect(),
            },
            End::Interrupted => Outcome::Interrupted,
            End::TimeLimit => Outcome::TimeLimit,
            End::StepLimit => Outcome::StepLimit,
        };
        let unwritten = machine.world().flush().err();
        let outcome = match outcome {
            Outcome::Uncaught { .. } if machine.world().broken_pipe() => Outcome::ClosedPipe,
            Outcome::Exit(_) if unwritten.is_some() && machine.world().broken_pipe() => Outcome::ClosedPipe,
            outcome => outcome,
        };
        let ran = Ran { outcome, counts: Vec::new(), unwritten };
        (ran, machine.recorder().clone())
    }
}

/// How often the user's functions were unfolded.
fn counts(lowered: &Lowered, counting: &Counting) -> Vec<(String, u64)> {
    let program = &lowered.program;
    let own = program.functions().filter(|(id, function)| {
        !is_made(lowered, *id) && !function.origin.is_hidden() && counting.of(*id) > 0
    });
    let mut rows: Vec<(Span, String, u64)> = own
        .map(|(id, function)| (function.span, program.text(function.name).to_owned(), counting.of(id)))
        .collect();
    rows.sort_by_key(|(span, ..)| (span.file, span.start));
    rows.into_iter().map(|(_, name, count)| (name, count)).collect()
}

/// Whether a function is none of the user's: the library's, or the one that shows `main`.
fn is_made(lowered: &Lowered, function: FunId) -> bool {
    let program = &lowered.program;
    let module = program.module(program.function(function).module);
    module.library || program.text(module.name) == START
}

/// A place in a function that the user wrote.
fn named(lowered: &Lowered, site: CallSite) -> Option<(String, Span)> {
    let program = &lowered.program;
    let mut function = site.function;
    if is_made(lowered, function) {
        return None;
    }
    // What desugaring made belongs to the function it was made for.
    while program.function(function).origin.is_hidden() {
        function = program.function(function).parent?;
    }
    Some((program.text(program.function(function).name).to_owned(), program.span(site.expr)))
}

/// Where a span is, as GHC writes it: `File.hs:3:1-20`, or `File.hs:(3,1)-(5,10)`.
fn place(sources: &Sources, span: Span) -> String {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let last = end.column.saturating_sub(1).max(1);
    match start.line == end.line {
        true if start.column >= last => format!("{}:{}:{}", file.name(), start.line, start.column),
        true => format!("{}:{}:{}-{last}", file.name(), start.line, start.column),
        false => format!("{}:({},{})-({},{last})", file.name(), start.line, start.column, end.line),
    }
}

/// The module that prints a `main` which is no action.
const START: &str = "Gadfly.Start";

/// Checks a program that shows its `main`: another module prints it.
pub fn check_showing(path: &Path) -> io::Result<Checked> {
    let file = files::source(path, fs::read(path)?);
    let module = files::module_name(file.text().unwrap_or(""));
    let dialect = Dialect::of_file(&path.to_string_lossy()).unwrap_or(Dialect::Haskell);
    let extension = match dialect {
        Dialect::Haskell => "hs",
        Dialect::Curry => "curry",
    };
    let text =
        format!("module {START} (main) where\nimport qualified {module} as Shown\nmain = print Shown.main\n");
    let mut sources = Sources::new();
    let main = sources.add(SourceFile::new(format!("start.{extension}"), Some(text)));
    let mut interner = Interner::new();
    let mut loader = Given { module: module.clone(), file: Some(file), others: Files::beside(path, &module) };
    let program = gadfly_typing::check(&mut sources, main, &mut interner, &mut loader);
    Ok(Checked { sources, main, interner, program, unreadable: loader.others.problems })
}

/// Finds one module in a given file, and others where they are.
struct Given {
    module: String,
    file: Option<SourceFile>,
    others: Files,
}

impl Loader for Given {
    fn load(&mut self, module: &str, dialect: Dialect) -> Option<SourceFile> {
        match module == self.module {
            true => self.file.take(),
            false => self.others.load(module, dialect),
        }
    }
}
