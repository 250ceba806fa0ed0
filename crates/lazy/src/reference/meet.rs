//! Evaluating in the reference, and comparing what comes of it with terms.
//!
//! A value meets a term where the term says something of it: constructors and numbers must be the same, what was never
//! evaluated is never looked at, and a function meets a finite map if it gives for every argument of the map what the map
//! gives (S2 Def. 1, abstraction). A finite map that is applied looks for the entries whose arguments meet those that it
//! is given, in the same way, and where there is none, that is not known: what it gives is all that these entries say together.
//!
//! Both are meetings with a list of pairs still to be met. While a value is evaluated, a finite map may be applied: its
//! own meeting is put on top, what waits for it stays on the machine's stack, and goes on when the meeting is over.
//! The words of a meeting are held by the machine in the order of its pairs.

use super::build::{LEFT_OUT, Stage, UNEVALUATED, Unbuilt};
use super::infer::Doubt;
use super::join::{is_whole, join};
use super::types::Type;
use gadfly_machine::{Answered, End, Recorder, Word};
use gadfly_term::{Shape, TermId};

/// When so many values were the same, what an endless value leaves out is taken to be the same as well.
const ENOUGH: usize = 256;

/// What a value is to be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Want {
    /// A term.
    Term(TermId),
    /// A list from an element on, or a string from a byte on.
    Rest(TermId, usize),
    /// A character.
    Character(char),
    /// Anything: it is kept ([`Stage::evaluate`]).
    Anything,
}

/// Something that a value is to be; the value is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) want: Want,
    pub(super) ty: Type,
}

/// How a meeting ends.
#[derive(Clone, Debug)]
pub(super) enum Met {
    /// All pairs are the same.
    Same,
    /// One is different.
    Different,
    /// One has no value: something was needed that the original never evaluated.
    Unevaluated,
    /// One is an exception where there should be a value. The word is good until something is evaluated.
    Raised(Word),
    /// Nobody can tell.
    Unclear(Doubt),
    /// The program ended itself, or a limit was reached. The machine is to be abandoned.
    Ended(End),
}

impl From<Unbuilt> for Met {
    fn from(unbuilt: Unbuilt) -> Met {
        match unbuilt {
            Unbuilt::Doubt(doubt) => Met::Unclear(doubt),
            Unbuilt::Exhausted => Met::Unclear(Doubt::new("the reference program's heap is full")),
        }
    }
}

/// The application of a finite map.
struct Call {
    map: usize,
    arguments: usize,
    /// Where its arguments are held; after them, the exception that an entry ended in, and the pairs of the entry that
    /// is tried.
    from: usize,
    entry: usize,
    fitting: Vec<TermId>,
    /// What went wrong while entries were tried.
    raised: bool,
    unclear: Option<Doubt>,
}

struct Meeting {
    pairs: Vec<Pair>,
    call: Option<Call>,
}

/// What comes next.
enum Next {
    /// Something was evaluated for the meeting on top.
    Answered(Answered),
    /// The meeting on top is over.
    Over(Met),
}

/// So many steps are made before it is asked whether it is to stop.
const STEPS: u32 = 1024;

impl<R: Recorder<0>> Stage<'_, '_, '_, R> {
    /// Meets the newest value that is held with a term.
    pub(super) fn meet(&mut self, term: TermId, ty: Type) -> Met {
        let mut meetings = vec![Meeting { pairs: vec![Pair { want: Want::Term(term), ty }], call: None }];
        let first = self.go_on(&mut meetings);
        self.go_through(meetings, first)
    }

    /// Evaluates the newest value that is held, or executes it. It is released; what comes of it is good until something
    /// else is evaluated.
    pub(super) fn evaluate(&mut self, execute: bool) -> Result<Word, Met> {
        let ty = self.typing.types.open();
        let meetings = vec![Meeting { pairs: vec![Pair { want: Want::Anything, ty }], call: None }];
        let value = self.machine.held_at(self.machine.held() - 1);
        let first = match execute {
            false => self.machine.begin(self.asking, value),
            true => self.machine.perform(self.asking, value),
        };
        match self.go_through(meetings, Next::Answered(first)) {
            Met::Same => Ok(self.kept),
            other => Err(other),
        }
    }

    fn go_through(&mut self, mut meetings: Vec<Meeting>, first: Next) -> Met {
        let below = self.below(&meetings);
        let mut steps: u32 = 0;
        let mut next = first;
        loop {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(STEPS) && self.machine.is_stopped() {
                return Met::Ended(End::TimeLimit);
            }
            next = match next {
                Next::Answered(Answered::Ended(end)) | Next::Over(Met::Ended(end)) => return Met::Ended(end),
                Next::Answered(Answered::Applied { function, arguments }) => {
                    self.applied(&mut meetings, function, &arguments)
                }
                Next::Answered(answered) => match self.answered(&mut meetings, answered) {
                    Ok(()) => self.go_on(&mut meetings),
                    Err(met) => Next::Over(met),
                },
                Next::Over(met) => match self.over(&mut meetings, met) {
                    Ok(next) => next,
                    Err(met) => {
                        self.machine.release(below);
                        return met;
                    }
                },
            };
        }
    }

    /// How many words are held for others than the first meeting, which is alone.
    fn below(&self, meetings: &[Meeting]) -> usize {
        self.machine.held().saturating_sub(meetings.first().map_or(0, |meeting| meeting.pairs.len()))
    }

    /// Evaluates the next value of the meeting on top that has to be.
    fn go_on(&mut self, meetings: &mut [Meeting]) -> Next {
        let Some(meeting) = meetings.last_mut() else { return Next::Over(Met::Same) };
        while let Some(pair) = meeting.pairs.last().copied() {
            let last = self.machine.held() - 1;
            if let Want::Term(term) = pair.want
                && matches!(self.terms.shape(term), Shape::Unevaluated | Shape::Omitted(_))
            {
                meeting.pairs.pop();
                self.machine.release(last);
                continue;
            }
            let value = self.machine.held_at(last);
            return Next::Answered(self.machine.begin(self.asking, value));
        }
        Next::Over(Met::Same)
    }

    /// A value has been evaluated, or has none; `Err` if that ends the meeting.
    fn answered(&mut self, meetings: &mut [Meeting], answered: Answered) -> Result<(), Met> {
        let alone = meetings.len() == 1;
        let Some(meeting) = meetings.last_mut() else { return Err(Met::Same) };
        let Some(pair) = meeting.pairs.pop() else { return Err(Met::Same) };
        self.machine.release(self.machine.held() - 1);
        let bottom = matches!(pair.want, Want::Term(term) if self.is_bottom(term));
        match answered {
            Answered::Value(_) if bottom => Err(Met::Different),
            Answered::Value(value) => self.compare(value, pair, &mut meeting.pairs),
            Answered::Raised(_) if bottom => Ok(()),
            Answered::Raised(exception) => Err(Met::Raised(exception)),
            Answered::Needed(UNEVALUATED) => Err(Met::Unevaluated),
            // Deep inside of a value that has no end, what both leave out is the same.
            Answered::Needed(LEFT_OUT) if alone && self.compared > ENOUGH => Ok(()),
            Answered::Needed(_) => {
                let doubt = self.doubt.take();
                let untold =
                    || Doubt::new("the reference program needs a value that the equation does not tell");
                Err(Met::Unclear(doubt.unwrap_or_else(untold)))
            }
            Answered::Applied { .. } | Answered::Ended(_) => Ok(()),
        }
    }

    fn is_bottom(&self, term: TermId) -> bool {
        match self.terms.shape(term) {
            Shape::Opaque(text) | Shape::Con(text, _) => text.starts_with('⊥'),
            _ => false,
        }
    }

    /// A finite map is applied to one more argument.
    fn applied(&mut self, meetings: &mut Vec<Meeting>, map: i64, arguments: &[Word]) -> Next {
        let row = usize::try_from(map).unwrap_or(usize::MAX);
        let Some(arity) = self.maps.get(row).map(super::build::MapValue::arity) else {
            return Next::Over(Met::Ended(End::Interrupted));
        };
        if arguments.len() < arity {
            return match self.machine.outside(self.asking, map, arguments) {
                Ok(more) => Next::Answered(self.machine.resume(self.asking, more)),
                Err(_) => Next::Over(Met::Ended(End::Interrupted)),
            };
        }
        let from = self.machine.held();
        arguments.iter().for_each(|&argument| self.machine.hold(argument));
        self.machine.hold(Word::char(0));
        let call = Call {
            map: row,
            arguments: arguments.len(),
            from,
            entry: 0,
            fitting: Vec::new(),
            raised: false,
            unclear: None,
        };
        meetings.push(Meeting { pairs: Vec::new(), call: Some(call) });
        self.try_entry(meetings)
    }

    /// Tries the next entry of the map on top, or ends its application.
    fn try_entry(&mut self, meetings: &mut Vec<Meeting>) -> Next {
        let Some(Meeting { pairs, call: Some(call) }) = meetings.last_mut() else {
            return Next::Over(Met::Same);
        };
        self.machine.release(call.from + call.arguments + 1);
        pairs.clear();
        let map = &self.maps[call.map];
        let Some((keys, _)) = map.entries.get(call.entry) else { return self.give(meetings) };
        let (keys, ty) = (keys[..call.arguments.min(keys.len())].to_vec(), map.ty);
        let Some((types, _)) = self.typing.types.function_parts(ty, keys.len()) else {
            return Next::Over(Met::Unclear(Doubt::new("a function has no such arguments")));
        };
        for (row, (key, ty)) in keys.into_iter().zip(types).enumerate().rev() {
            self.machine.hold(self.machine.held_at(call.from + row));
            pairs.push(Pair { want: Want::Term(key), ty });
        }
        self.go_on(meetings)
    }

    /// A meeting is over: a finite map goes on with its next entry; otherwise `Err` with what it came to.
    fn over(&mut self, meetings: &mut Vec<Meeting>, met: Met) -> Result<Next, Met> {
        let Some(Meeting { call: Some(call), .. }) = meetings.last_mut() else { return Err(met) };
        match met {
            Met::Same => {
                let said = self.said(call.map, call.entry, call.arguments);
                call.fitting.extend(said);
                // What is wholly evaluated says everything.
                if said.is_some_and(|said| is_whole(&self.terms, said)) {
                    return Ok(self.give(meetings));
                }
            }
            Met::Raised(exception) => {
                self.machine.set_held(call.from + call.arguments, exception);
                call.raised = true;
            }
            Met::Unclear(doubt) => call.unclear = Some(doubt),
            Met::Different | Met::Unevaluated | Met::Ended(_) => {}
        }
        call.entry += 1;
        Ok(self.try_entry(meetings))
    }

    /// What an entry says of so many arguments: its result, or a map of those that are left.
    fn said(&mut self, map: usize, entry: usize, arguments: usize) -> Option<TermId> {
        let (keys, result) = self.maps.get(map)?.entries.get(entry)?;
        if keys.len() <= arguments {
            return Some(*result);
        }
        let entry = self.terms.entry(&keys[arguments..], *result);
        Some(self.terms.finite_map(&[entry]))
    }

    /// Gives the result of the finite map on top to what waits for it.
    fn give(&mut self, meetings: &mut Vec<Meeting>) -> Next {
        let Some(Meeting { call: Some(call), .. }) = meetings.pop() else { return Next::Over(Met::Same) };
        let result = match call.fitting.split_first() {
            Some((&first, others)) => {
                let all = others.iter().fold(first, |all, &other| join(&mut self.terms, all, other));
                let ty = self.maps[call.map].ty;
                match self.typing.types.function_parts(ty, call.arguments) {
                    Some((_, ty)) => self.build(all, ty),
                    None => Err(Doubt::new("a function has no such arguments").into()),
                }
            }
            None => match (call.unclear, call.raised) {
                (Some(doubt), _) => Err(doubt.into()),
                (None, true) => {
                    let exception = self.machine.held_at(call.from + call.arguments);
                    self.machine.raising(exception).map_err(Unbuilt::from)
                }
                // What a finite map does not contain was never asked of the function, which may well have a value there.
                (None, false) => {
                    Err(Doubt::new("a function is applied where the equation does not tell its value").into())
                }
            },
        };
        self.machine.release(call.from);
        let result = match result {
            Ok(result) => Ok(result),
            Err(Unbuilt::Doubt(doubt)) => {
                self.doubt = Some(doubt);
                self.machine.unknown(self.asking, super::build::NOT_TOLD)
            }
            Err(Unbuilt::Exhausted) => Err(gadfly_machine::Exhausted),
        };
        match result {
            Ok(result) => Next::Answered(self.machine.resume(self.asking, result)),
            Err(_) => Next::Over(Met::Ended(End::Interrupted)),
        }
    }

    /// Has a value met later; what is put in last is met first.
    pub(super) fn put(&mut self, pairs: &mut Vec<Pair>, value: Word, want: Want, ty: Type) {
        self.machine.hold(value);
        pairs.push(Pair { want, ty });
    }
}
