//! Running a program.

use crate::start::{EXPRESSION, START};
use crate::{Checked, on_a_large_stack};
use gadfly_core::Lowered;
use gadfly_core::kernel::FunId;
use gadfly_machine::{
    CallSite, Counting, End, Limits, Machine, Plain, Recorder, Resource, Settings, Stopper, Trailing, World,
};
use gadfly_source::{Sources, Span};
use std::io;

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
        /// What the program had too little of, if that is why.
        exhausted: Option<Resource>,
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

    /// The type of what is to be run.
    pub(crate) fn type_of_main(&self) -> Option<String> {
        let scheme = self.program.values[self.main_value()?].scheme;
        Some(self.program.show_scheme(scheme, &self.interner))
    }

    fn main_value(&self) -> Option<gadfly_typing::interface::ValueId> {
        let (module, _) = self.program.modules.iter().next_back()?;
        self.program.exported_value(module, self.interner.get(self.name_of_main())?)
    }

    /// Whether there is a `main` to run.
    pub fn has_main(&self, lowered: &Lowered) -> bool {
        self.main_function(lowered).is_some()
    }

    fn main_function(&self, lowered: &Lowered) -> Option<FunId> {
        let main = self.main_value().and_then(|main| lowered.functions.get(&main)).copied();
        main.filter(|&main| lowered.program.arity(main) == 0)
    }

    /// Runs the program. `watch` is given a way to stop it.
    pub fn run(&self, lowered: &Lowered, how: Run, watch: impl FnOnce(Stopper) + Send) -> io::Result<Ran> {
        let Some(main) = self.main_function(lowered) else {
            let outcome = Outcome::NoMain;
            return Ok(Ran { outcome, counts: Vec::new(), unwritten: None });
        };
        on_a_large_stack(gadfly_core::STACK, || match how.steps {
            None => self.run_with(lowered, main, how, Plain, watch, |_, _| ()),
            Some(steps) => {
                let counting = Counting::new(steps);
                self.run_with(lowered, main, how, counting, watch, |counting, ran| {
                    ran.counts = counts(lowered, counting);
                })
            }
        })
    }

    /// Runs the program and records it; `recorded` says which functions are, by number. How it ended goes into the trail.
    pub(crate) fn trail(
        &self,
        lowered: &Lowered,
        how: Run,
        stream: gadfly_trail::stream::Stream,
        recorded: Vec<bool>,
        watch: impl FnOnce(Stopper) + Send,
    ) -> io::Result<Ran> {
        let recorder = Trailing::new(stream, recorded).limited(how.steps.unwrap_or(u64::MAX));
        let Some(main) = self.main_function(lowered) else {
            let outcome = Outcome::NoMain;
            let ran = Ran { outcome, counts: Vec::new(), unwritten: None };
            let mut recorder = recorder;
            recorder.finish(&crate::record::end_of(&ran));
            return Ok(ran);
        };
        on_a_large_stack(gadfly_core::STACK, || {
            self.run_with(lowered, main, how, recorder, watch, |recorder, ran| {
                recorder.finish(&crate::record::end_of(ran));
            })
        })
    }

    fn run_with<R: Recorder<TAG>, const TAG: usize>(
        &self,
        lowered: &Lowered,
        main: FunId,
        how: Run,
        recorder: R,
        watch: impl FnOnce(Stopper),
        finish: impl FnOnce(&mut R, &mut Ran),
    ) -> Ran {
        let world = World::new(how.world);
        let locate = |span: Span| place(&self.sources, span);
        let mut machine: Machine<'_, R, TAG> = Machine::new(lowered, world, recorder, how.limits, locate);
        watch(machine.stopper());
        let outcome = match machine.execute(main) {
            End::Exit(status) => Outcome::Exit(status),
            End::Uncaught(uncaught) => Outcome::Uncaught {
                message: uncaught.message,
                status: uncaught.status,
                calls: uncaught.calls.iter().filter_map(|site| named(lowered, *site)).collect(),
                exhausted: uncaught.exhausted,
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
        let mut ran = Ran { outcome, counts: Vec::new(), unwritten };
        finish(machine.recorder_mut(), &mut ran);
        ran
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

/// Whether a function is none of the program's: the library's, or of a module that was made to run it.
fn is_made(lowered: &Lowered, function: FunId) -> bool {
    let program = &lowered.program;
    let module = program.module(program.function(function).module);
    module.library || matches!(program.text(module.name), START | EXPRESSION)
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
pub(crate) fn place(sources: &Sources, span: Span) -> String {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let last = end.column.saturating_sub(1).max(1);
    match start.line == end.line {
        true if start.column >= last => format!("{}:{}:{}", file.name(), start.line, start.column),
        true => format!("{}:{}:{}-{last}", file.name(), start.line, start.column),
        false => format!("{}:({},{})-({},{last})", file.name(), start.line, start.column, end.line),
    }
}
