//! Oracles that make calls of a Python program again: a reference, or what the program says of itself.
//!
//! A question about a call is answered by making the call twice more from the state that the program had when it made it: as the
//! program does, and with the code of the reference in place of the program's own. What comes of the two is compared:
//! result or exception, arguments afterwards, variables of the modules, what was printed. A question about code inside of a
//! call is answered in the same way, statement by statement.

use super::messages::Span;
use super::messages::{
    Ask, CallShape, Difference, DifferingPart, Failed, Failure, Judged, Reply, Sameness, SelfCheck, Step,
    Word,
};
use super::reference_code::ReferenceCode;
use super::replayer::{ReplayError, SharedReplayer, unexpected};
use gadfly_engine::{Answer, Judgement, LeftOver, MarkKind, Oracle, OracleError, Query, Watch, Who};
use gadfly_source::Region;
use gadfly_term::render::{self, Room, Style};
use gadfly_term::{Argument, Equation, Outcome, Part, Path as Mark, Root, Shape};
use gadfly_trail::Trail;
use gadfly_trail::model::NodeId;
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::{self as views, Options};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Who is asked.
pub(crate) enum Judge {
    /// A reference.
    Reference(ReferenceCode),
    /// What the program says of its own functions, and where properties are.
    Check(SelfCheck, String),
}

/// Asks about calls by making them again.
pub(crate) struct PythonOracle {
    name: Who,
    replayer: SharedReplayer,
    judge: Judge,
    /// Why there were no answers, and how often.
    unknown: Vec<(String, usize)>,
    /// How often the reference did not fit, by function.
    unfit: HashMap<String, usize>,
    /// Whether the reference has the same function; by its place, too, since lambdas have one name.
    same: HashMap<(String, Option<Region>), bool>,
    /// Whether the answers are strict by now.
    strict: bool,
}

/// A function that the reference did not fit so often is not asked about any more.
const TRUST_AFTER: usize = 3;

impl PythonOracle {
    pub(crate) fn new(name: Who, replayer: SharedReplayer, judge: Judge) -> PythonOracle {
        PythonOracle {
            name,
            replayer,
            judge,
            unknown: Vec::new(),
            unfit: HashMap::new(),
            same: HashMap::new(),
            strict: false,
        }
    }

    fn reference(&self) -> Option<&ReferenceCode> {
        match &self.judge {
            Judge::Reference(reference) => Some(reference),
            Judge::Check(..) => None,
        }
    }

    fn answer(&self, query: &Query<'_>) -> Result<Judged, ReplayError> {
        let is_inside = query.level > 0;
        if is_inside && self.replayer.borrow().inside.as_ref().is_some_and(|inside| inside.another) {
            return self.by_text(query).ok_or(ReplayError::AnotherRun);
        }
        let mut replayer = self.replayer.borrow();
        let reference = match &self.judge {
            Judge::Reference(reference) => reference.place(),
            Judge::Check(check, place) => {
                let known = (!is_inside).then(|| replayer.number(NodeId(query.handle))).flatten();
                let call = known.ok_or(ReplayError::Because("it tells of calls only".to_owned()))?;
                let (shape, check) = (call_shape(query.equation), *check);
                let ask = Ask::Check { shape, check, place: place.clone() };
                return judged(replayer.ask(call, ask)?);
            }
        };
        if is_inside {
            let inside = replayer.inside.as_ref().ok_or(ReplayError::AnotherRun)?;
            let node = query.node;
            let (call, piece) = (inside.call, inside.pieces.get(node.0 as usize).copied());
            let (first, last) = piece.ok_or(ReplayError::AnotherRun)?;
            let (shape, strict) = (inside.how.clone(), self.strict);
            let ask = Ask::JudgeInside { shape, reference, strict, first, last };
            let judged = judged(replayer.ask(call, ask)?)?;
            if let Some(missing) = judged.missing {
                replayer.missing.insert(node, missing);
            }
            return Ok(judged);
        }
        let call = replayer.number(NodeId(query.handle)).ok_or(ReplayError::AnotherRun)?;
        let shape = call_shape(query.equation);
        let (mut seconds, mut values) = (replayer.seconds(), None);
        if query.equation.outcome == Outcome::Unfinished {
            // A call that comes to an end by itself was only interrupted; one that does not is wrong if the reference does.
            let ends = CallShape { endless: false, ..shape.clone() };
            if replayer.make(call, ends, CALL_MUST_END_IN).is_ok() {
                return Ok(Judged::plain(Word::Correct));
            }
        } else {
            let begun = Instant::now();
            let made = replayer.make(call, shape.clone(), seconds)?;
            // The reference may take longer, but not for ever.
            seconds = seconds.min(REFERENCE_MAY_TAKE_TIMES * (begun.elapsed().as_secs() + 1));
            if made.ended {
                return Ok(Judged::plain(Word::Correct));
            }
            if is_other(query.equation, Arc::new(made.trail)) {
                return Err(ReplayError::AnotherRun);
            }
            values = Some(made.values);
        }
        if is_deep(query.equation) {
            seconds = CALL_MUST_END_IN.min(replayer.seconds());
        }
        let ask = Ask::Judge { shape, reference, strict: self.strict, values };
        judged(replayer.ask_within(call, ask, seconds)?)
    }
}

impl PythonOracle {
    /// Of code in another run, which cannot be tried: what is written as in the reference is right, and the only statement that is not is wrong.
    fn by_text(&self, query: &Query<'_>) -> Option<Judged> {
        let region = query.rule.region?;
        let own = [region.start.line, region.start.column, region.end.line, region.end.column].map(u64::from);
        let differing = self.reference()?.differing(None)?.statements;
        let apart = |[line, column, last, end]: &Span| {
            (*last, *end) <= (own[0], own[1]) || (own[2], own[3]) <= (*line, *column)
        };
        match &differing[..] {
            all if all.iter().all(apart) => Some(Judged::plain(Word::Correct)),
            [one] if *one == own => Some(Judged::plain(Word::Wrong)),
            _ => None,
        }
    }

    /// Whether a call that makes no other is one of a function that the reference has, too: there may be very many.
    fn is_same(&mut self, query: &Query<'_>, function: &str) -> bool {
        let ended = matches!(query.equation.outcome, Outcome::Value(_) | Outcome::Exception(_));
        if query.size > 1 || !ended || is_deep(query.equation) {
            return false;
        }
        let function = (function.to_owned(), query.rule.region);
        if let Some(same) = self.same.get(&function) {
            return *same;
        }
        let Some(reference) = self.reference() else { return false };
        let same = reference.has_same(query.handle, Sameness::Meaning);
        self.same.insert(function, same);
        same
    }
}

fn judged(reply: Reply) -> Result<Judged, ReplayError> {
    match reply {
        Reply::Judged(judged) => Ok(judged),
        other => Err(unexpected(&other)),
    }
}

/// An answer with its reason: where the first difference is becomes a mark, unless that is all that the code did.
fn reasoned(judged: &Judged, equation: &Equation) -> Answer {
    let judgement = match judged.judgement {
        Word::Correct => Judgement::Correct,
        Word::Wrong => Judgement::Wrong,
        Word::Inadmissible => Judgement::Inadmissible,
    };
    let mark = judged.first_difference.as_ref().and_then(|difference| mark(difference, equation));
    // What is wrong about an argument is what became of it.
    let mark = mark.filter(|mark| judgement != Judgement::Wrong || !matches!(mark.root, Root::Argument(_)));
    let kind = if judgement == Judgement::Inadmissible { MarkKind::Inadmissible } else { MarkKind::Wrong };
    let answer = Answer { because: judged.because.clone(), ..Answer::plain(judgement) };
    match mark {
        Some(path) => answer.marking(path, kind),
        None => answer,
    }
}

/// The part of an equation that a difference is in: as far down as the equation shows it.
fn mark(difference: &Difference, equation: &Equation) -> Option<Mark> {
    let name = difference.name.as_deref();
    let root = match (difference.part, name) {
        (DifferingPart::Value | DifferingPart::Yielded, _) => Root::Result,
        (DifferingPart::Arguments | DifferingPart::Variables | DifferingPart::Globals, Some(name)) => {
            let argument = || {
                let named = |argument: &Argument| argument.name.as_deref() == Some(name);
                let at = equation.arguments.iter().position(named)?;
                Some(Root::Argument(u32::try_from(at).ok()? + 1))
            };
            let changed = equation.after.iter().any(|binding| *binding.name == *name);
            if changed { Root::After(name.into()) } else { argument()? }
        }
        _ => return None,
    };
    let part = |step: &Step| match step {
        Step::Index(index) => Some(Part::Index(index + 1)),
        Step::Attribute(name) => Some(Part::Name(name.as_str().into())),
        Step::Key(_) => None,
    };
    let mut mark = Mark { root, parts: difference.steps.iter().map_while(part).collect() };
    while !equation.has(&mark) {
        mark.parts.pop()?;
    }
    let has_result = matches!(equation.outcome, Outcome::Value(_) | Outcome::Exception(_));
    let is_all = mark.parts.is_empty() && usize::from(has_result) + equation.after.len() == 1;
    (!is_all || matches!(mark.root, Root::Argument(_))).then_some(mark)
}

/// The reference may take so many times as long as the program, and for each second that it took one more.
const REFERENCE_MAY_TAKE_TIMES: u64 = 10;

/// So many seconds a call that had not ended has to come to its end.
const CALL_MUST_END_IN: u64 = 2;

/// So many values a generator yields if it is not known how many it yielded.
const YIELDS_IF_UNKNOWN: usize = 1000;

/// How a call is to be made again.
pub(crate) fn call_shape(equation: &Equation) -> CallShape {
    let endless = equation.outcome == Outcome::Unfinished;
    CallShape { items: items(equation), endless, too_deep: is_deep(equation), sent: sent(equation) }
}

/// What a generator was sent, as Python writes it; none if it was sent nothing.
fn sent(equation: &Equation) -> Option<String> {
    let last = equation.arguments.last().filter(|last| is_sent(last))?;
    let Shape::List(_) = equation.terms.shape(last.value) else { return None };
    let room = Room { width: usize::MAX, lines: usize::MAX };
    Some(render::term(&equation.terms, last.value, Style::Called, room).text)
}

/// Whether an argument is none of the call's: what was sent into it later.
fn is_sent(argument: &Argument) -> bool {
    argument.name.as_deref() == Some("sent")
}

/// Whether a call ended because it was too deep.
fn is_deep(equation: &Equation) -> bool {
    let Outcome::Exception(raised) = equation.outcome else { return false };
    matches!(
        equation.terms.shape(raised),
        Shape::Con("RecursionError", _) | Shape::Object("RecursionError", _)
    )
}

/// How many values a generator gave.
fn items(equation: &Equation) -> usize {
    let Outcome::Value(value) = equation.outcome else { return YIELDS_IF_UNKNOWN };
    match equation.terms.shape(value) {
        Shape::Con("yields", [list]) => equation.terms.children(*list).len(),
        _ => YIELDS_IF_UNKNOWN,
    }
}

/// Whether what was recorded now is certainly not what was recorded before.
pub(crate) fn is_other(before: &Equation, now: Arc<Trail>) -> bool {
    let Ok(viewed) = views::view(now, &Options::default()) else { return true };
    let Ok(behaviour) = viewed.behaviours.behaviour(&viewed.tree, Node::ROOT, true) else { return true };
    let now = behaviour.equation;
    let is_generator = |equation: &Equation| match equation.outcome {
        Outcome::Value(value) => {
            matches!(equation.terms.shape(value), Shape::Con("yields", _) | Shape::Opaque(_))
        }
        _ => false,
    };
    let count = |equation: &Equation| equation.arguments.iter().filter(|one| !is_sent(one)).count();
    if before.function != now.function || count(before) != count(&now) {
        return true;
    }
    if !before.terms.is_complete() || !now.terms.is_complete() || is_generator(before) || is_generator(&now) {
        return false;
    }
    // How deep is too deep depends on what is around the call.
    if is_deep(before) && is_deep(&now) {
        return false;
    }
    let (before, now) = (before.canonical(), now.canonical());
    // Objects without a text of their own show where they are (`<C object at 0x7f…>`), which is another place in every run.
    let shows_addresses = before.contains(" at 0x");
    !shows_addresses && without_places(&before) != without_places(&now)
}

/// A text without its long numbers: they may be made of where things are in memory (`id`, or `hash` of what has no other), which is
/// another place in every run.
fn without_places(text: &str) -> String {
    /// As many digits as a place has.
    const LONG: usize = 10;
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|one: char| one.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let is_long = digits >= LONG;
        kept.push_str(if is_long { before.strip_suffix('-').unwrap_or(before) } else { before });
        kept.push_str(if is_long { "#" } else { &number[..digits] });
        rest = &number[digits..];
    }
    kept + rest
}

impl Oracle for PythonOracle {
    fn who(&self) -> Who {
        self.name
    }

    fn wants_whole(&self) -> bool {
        true
    }

    fn judge(&mut self, query: &Query<'_>, _watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        let function = query.rule.qualified();
        let inside = query.level > 0;
        let strict = self.reference().is_some_and(ReferenceCode::is_strict);
        if strict && !std::mem::replace(&mut self.strict, true) {
            self.unfit.clear();
        }
        if !inside && self.unfit.get(&function).is_some_and(|times| *times >= TRUST_AFTER) {
            return Ok(Some(Answer::plain(Judgement::TrustFunction)));
        }
        if !inside && self.is_same(query, &function) {
            return Ok(Some(Answer::plain(Judgement::Correct)));
        }
        let error = match self.answer(query) {
            Ok(judged) => return Ok(Some(reasoned(&judged, query.equation))),
            Err(error) => error,
        };
        match &error {
            // Without end in the reference, too: it should not have been called like that.
            ReplayError::Failed(Failed { failure: Failure::TimedOut, .. })
                if !inside && is_deep(query.equation) =>
            {
                return Ok(Some(Answer::plain(Judgement::Inadmissible)));
            }
            ReplayError::Failed(Failed { failure: Failure::DoesNotFit, .. }) if !inside => {
                *self.unfit.entry(function).or_default() += 1;
            }
            _ => {}
        }
        let why = error.to_string();
        match self.unknown.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.unknown.push((why, 1)),
        }
        Ok(None)
    }

    fn left_over(&self) -> Vec<LeftOver> {
        let unknown = self.unknown.iter();
        unknown
            .map(|(reason, count)| LeftOver::Unanswered { reason: reason.clone(), count: *count })
            .collect()
    }
}
