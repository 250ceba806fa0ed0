//! A reference program as an oracle: the same program, but right.
//!
//! Enter at [`Reference`], which is [`gadfly_engine::Oracle`]. It evaluates the call of an equation in the reference
//! and compares as far as the original was evaluated. The equation is all it is given, so that it answers for any recorded
//! run, and for interchange files as well.
//!
//! The way of a question: [`question`] finds the function and reads the equation as a call of it; [`infer`] finds the types
//! of the terms ([`types`]) and with them the instances that an overloaded function wants ([`decide`]); [`build`] makes
//! values of the terms; [`meet`] evaluates and [`compare`]s. What the reference has is in [`good`], what actions see of the world in
//! [`outside`].
//!
//! What stays true:
//! - The program is checked and lowered once; one machine answers all questions, and a second one where the order of
//!   evaluation decides: the first evaluates early what is needed in any case, and an exception may come before another.
//! - Whatever the program does (raise, loop, exhaust its memory, end itself), the answer is an answer: at worst that it is
//!   not known, with the reason.
//! - It writes to no file and to no terminal.

mod build;
mod compare;
mod constructors;
mod decide;
pub(crate) mod good;
mod infer;
mod instances;
mod join;
mod meet;
mod outside;
mod question;
mod review;
mod sameness;
#[cfg(test)]
mod tests;
pub(crate) mod types;
mod uses;
mod whole;

pub(crate) use review::LazyReviewer;
pub(crate) use sameness::Sameness;

use crate::{Checked, Lowered, run};
use gadfly_core::STACK;
use gadfly_engine::{Answer, Judgement, LeftOver, Oracle, OracleError, Query, Watch, Who};
use gadfly_machine::{Asking, Counting, Limits, Machine, Plain, Stopper, World, make_askable};
use gadfly_source::{Sources, Span};
use gadfly_syntax::Dialect;
use gadfly_term::Outcome;
use gadfly_trail::model::RunEnd;
use gadfly_tree::Node;
use good::Good;
use outside::Outside;
use question::{Judged, Question, Room};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How a reference program is asked.
#[derive(Clone, Debug)]
pub struct ReferenceSettings {
    /// What `main` is called with.
    pub arguments: Vec<String>,
    /// What `main` reads from standard input, if that is known.
    pub input: Option<Vec<u8>>,
    /// What was evaluated instead of `main`.
    pub expression: Option<String>,
    /// How the recorded run ended, if that is known.
    pub ended: Option<RunEnd>,
    /// How long an answer may take.
    pub time: Duration,
    /// How much it may take.
    pub limits: Limits,
}

impl Default for ReferenceSettings {
    fn default() -> ReferenceSettings {
        ReferenceSettings {
            arguments: Vec::new(),
            input: None,
            expression: None,
            ended: None,
            time: Duration::from_secs(20),
            // 2 GiB of heap; most questions take a few kilobytes.
            limits: Limits { heap: 1 << 28, ..Limits::default() },
        }
    }
}

/// How soon the program is stopped when its answer is not wanted any more.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// Why a program cannot be a reference.
#[derive(Debug)]
pub enum ReferenceError {
    /// It cannot be read.
    Unreadable(std::io::Error),
    /// It is no Haskell program.
    Language,
    /// It has errors.
    Errors(Box<Checked>),
}

/// The oracle.
pub struct Reference {
    path: PathBuf,
    time: Duration,
    questions: Option<Sender<Question>>,
    answers: Receiver<Judged>,
    stoppers: [Stopper; 2],
    worker: Option<JoinHandle<()>>,
    /// What was not known, with the number of questions, by reason.
    unknown: BTreeMap<String, usize>,
    ended: Option<RunEnd>,
    sameness: Arc<Sameness>,
}

impl Reference {
    /// Reads and checks a program. `original` is the program that it is the reference of, if that is there.
    pub fn open(
        path: &Path,
        settings: ReferenceSettings,
        original: Option<(&Checked, &Lowered)>,
    ) -> Result<Reference, ReferenceError> {
        if Dialect::of_file(&path.to_string_lossy()) != Some(Dialect::Haskell) {
            return Err(ReferenceError::Language);
        }
        let mut checked = crate::check(path).map_err(ReferenceError::Unreadable)?;
        if let Some(expression) = &settings.expression
            && !checked.has_errors()
        {
            checked = checked.with_expression(expression).started(false);
        }
        if checked.has_errors() {
            return Err(ReferenceError::Errors(Box::new(checked)));
        }
        Reference::of(path, checked, settings, original).map_err(ReferenceError::Unreadable)
    }

    fn of(
        path: &Path,
        checked: Checked,
        settings: ReferenceSettings,
        original: Option<(&Checked, &Lowered)>,
    ) -> std::io::Result<Reference> {
        let lowered = checked.lower_also(&instances::wanted(&checked))?;
        let sameness = original.map_or_else(Sameness::default, |(of, code)| {
            Sameness::of(&Good::new(of, code), &Good::new(&checked, &lowered))
        });
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let outside = Outside::new(stem, settings.arguments, settings.input);
        let (questions, asked) = channel();
        let (answer, answers) = channel();
        let (tell, told) = channel();
        // The machine walks code on the native stack, as deep as expressions nest in the source.
        let worker =
            thread::Builder::new().name("reference".to_owned()).stack_size(STACK).spawn(move || {
                work(&checked, lowered, settings.limits, &outside, &tell, &asked, &answer);
            })?;
        let stoppers =
            told.recv().map_err(|_| std::io::Error::other("the reference program cannot be run"))?;
        Ok(Reference {
            path: path.to_owned(),
            time: settings.time,
            questions: Some(questions),
            answers,
            stoppers,
            worker: Some(worker),
            unknown: BTreeMap::new(),
            ended: settings.ended,
            sameness: Arc::new(sameness),
        })
    }

    /// What is the same in the program that it is the reference of.
    pub(crate) fn sameness(&self) -> Arc<Sameness> {
        Arc::clone(&self.sameness)
    }

    /// What the program says of a question; waits no longer than it may take.
    fn ask(&self, question: Question, watch: &dyn Watch) -> Option<Judged> {
        self.questions.as_ref()?.send(question).ok()?;
        let mut left = self.time;
        loop {
            let now = left.min(CANCEL_CHECK);
            match self.answers.recv_timeout(now) {
                Ok(judged) => return Some(judged),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => left -= now,
            }
            if left.is_zero() || watch.is_cancelled() {
                self.stoppers.iter().for_each(Stopper::time_is_up);
                return self.answers.recv().ok();
            }
        }
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        self.questions = None;
        self.stoppers.iter().for_each(Stopper::interrupt);
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

impl std::fmt::Debug for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reference").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Oracle for Reference {
    fn who(&self) -> Who {
        Who::Reference
    }

    fn wants_whole(&self) -> bool {
        true
    }

    fn judge(&mut self, query: &Query<'_>, watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        let whole = query.level == 0 && query.node == Node::ROOT;
        let ended = self.ended.clone().filter(|_| whole);
        if self.sameness.is_certain(query.rule, query.equation) {
            return Ok(Some(Answer::plain(Judgement::Correct)));
        }
        let question = Question {
            rule: query.rule.clone(),
            rule_text: query.rule_text.map(str::to_owned),
            equation: query.equation.clone(),
            size: u64::from(query.size),
            ended,
        };
        match self.ask(question, watch) {
            Some(Judged::Correct) => Ok(Some(Answer::plain(Judgement::Correct))),
            Some(Judged::Wrong { .. }) => Ok(Some(Answer::plain(Judgement::Wrong))),
            Some(Judged::Unknown(reason)) => {
                *self.unknown.entry(reason).or_insert(0) += 1;
                Ok(None)
            }
            None => Err(OracleError {
                message: format!("the reference program {} ended unexpectedly", self.path.display()),
                hint: Some("this is a defect of Gadfly: please report it with the program".to_owned()),
            }),
        }
    }

    fn left_over(&self) -> Vec<LeftOver> {
        let unknown = self.unknown.iter();
        unknown
            .map(|(reason, count)| LeftOver::Unanswered { reason: reason.clone(), count: *count })
            .collect()
    }
}

/// A machine that answers.
struct Answering<'p, R> {
    machine: Machine<'p, R, 0>,
    asking: Asking,
}

/// Answers questions until nobody asks any more.
fn work(
    checked: &Checked,
    mut lowered: Lowered,
    limits: Limits,
    outside: &Outside,
    tell: &Sender<[Stopper; 2]>,
    asked: &Receiver<Question>,
    answer: &Sender<Judged>,
) {
    constructors::add_functions(&mut lowered);
    let asking = make_askable(&mut lowered);
    let good = Good::new(checked, &lowered).with_uses();
    let sources = &checked.sources;
    let mut exact = Answering {
        machine: machine(&lowered, sources, Counting::new(u64::MAX), limits, outside),
        asking: asking.clone(),
    };
    let mut quick = Answering { machine: machine(&lowered, sources, Plain, limits, outside), asking };
    if tell.send([quick.machine.stopper(), exact.machine.stopper()]).is_err() {
        return;
    }
    while let Ok(question) = asked.recv() {
        // A stop that came too late for the question before is none of this one.
        quick.machine.heed_no_stop();
        exact.machine.heed_no_stop();
        let mut room = Room { machine: &mut quick.machine, asking: &mut quick.asking, outside };
        let mut judged = question::judge(&good, &mut room, &question);
        if question.equation.outcome == Outcome::Unfinished && matches!(judged, Judged::Wrong { .. }) {
            // What was cut off is wrong if it should have come to its end by then.
            let before = own_calls(&exact.machine, &lowered);
            let mut room = Room { machine: &mut exact.machine, asking: &mut exact.asking, outside };
            let _ = question::judge(&good, &mut room, &question);
            let needed = own_calls(&exact.machine, &lowered) - before;
            if question.size < 2 * needed + question::FEW {
                judged = Judged::Correct;
            }
        } else if judged == (Judged::Wrong { early: true }) {
            let mut room = Room { machine: &mut exact.machine, asking: &mut exact.asking, outside };
            if question::judge(&good, &mut room, &question) == Judged::Correct {
                judged = Judged::Correct;
            }
        }
        if answer.send(judged).is_err() {
            return;
        }
    }
}

/// How many calls of the program's own functions there were.
fn own_calls(machine: &Machine<'_, Counting, 0>, lowered: &Lowered) -> u64 {
    let program = &lowered.program;
    let own = program.functions().filter(|(_, function)| !program.module(function.module).library);
    own.map(|(id, _)| machine.recorder().of(id)).sum()
}

fn machine<'p, R: gadfly_machine::Recorder<0>>(
    lowered: &'p Lowered,
    sources: &'p Sources,
    recorder: R,
    limits: Limits,
    outside: &Outside,
) -> Machine<'p, R, 0> {
    let world: World = outside.world(false);
    Machine::new(lowered, world, recorder, limits, move |span: Span| run::place(sources, span))
}
