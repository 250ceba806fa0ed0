//! What a call says, in a program that evaluates arguments before it calls.
//!
//! The rows of such a trail are calls and values as they were at one moment (how each is written, its [`Form`] says);
//! what a call changed, and what a generator yielded, is in rows of its own. Values are built here as they are shown:
//! there is nothing unevaluated in them, and what was left out when they were recorded says so.
//!
//! Of code inside of a call ([`super::inside`]), the arguments are the variables it uses that stay what they are, and what became of
//! it is how it was left: `return`, `break`, `continue`, an exception, or at its end, of which nothing is shown.

use super::globals::Globals;
use crate::equation::Printed;
use crate::lists::character;
use crate::numbers;
use crate::values::Limits;
use gadfly_term::{Argument, Binding, Equation, Outcome, Shape, TermId, Terms};
use gadfly_trail::model::{Form, NodeId, Origin, Position, Ref, Role, RunEnd, Tables, What};
use gadfly_trail::{Became, Trail, text};
use rustc_hash::FxHashMap;

/// How deep a value is built; nothing is recorded as deep as that.
const DEPTH: usize = 64;

/// The rows about calls other than their outcomes.
#[derive(Debug, Default)]
pub(crate) struct ChangeRows {
    /// What was changed: as in a row [`What::Changed`].
    changed: FxHashMap<NodeId, Vec<(i64, Ref, Ref)>>,
    yielded: FxHashMap<NodeId, Vec<Ref>>,
    /// What was sent into a generator or thrown, and how many values it had given by then.
    sent: FxHashMap<NodeId, Vec<(usize, bool, Ref)>>,
    /// What generators raised in the end.
    failed: FxHashMap<NodeId, Ref>,
    globals: Globals,
}

impl ChangeRows {
    pub(crate) fn new(trail: &Trail) -> ChangeRows {
        let mut told = ChangeRows::default();
        let mut changes = Vec::new();
        for row in trail.late_rows() {
            match (row.shape.what, &row.references[..]) {
                (What::Changed, &[Ref::Int(which), before, after]) => {
                    changes.push((row.node, which, before, after));
                    told.changed.entry(row.node).or_default().push((which, before, after));
                }
                (What::Performed, &[value]) => told.yielded.entry(row.node).or_default().push(value),
                (What::Performed, &[Ref::Int(FAILED), value]) => {
                    told.failed.insert(row.node, value);
                }
                (What::Performed, &[Ref::Int(sort), value]) => {
                    let given = told.yielded.get(&row.node).map_or(0, Vec::len);
                    told.sent.entry(row.node).or_default().push((given, sort == THROWN, value));
                }
                _ => {}
            }
        }
        told.globals = Globals::new(trail, changes);
        told
    }
}

/// What several pieces of code inside of a call say together, one after the other; `rounds` is the number of the first, if they are
/// rounds of a loop.
pub(crate) fn together(
    trail: &Trail,
    told: &ChangeRows,
    nodes: &[NodeId],
    rounds: Option<usize>,
    limits: Limits,
    printed: impl FnOnce() -> Printed,
) -> Option<Equation> {
    let (first, last) = (*nodes.first()?, *nodes.last()?);
    let mut changed: Vec<(i64, Ref, Ref)> = Vec::new();
    for (which, old, new) in nodes.iter().filter_map(|node| told.changed.get(node)).flatten() {
        match changed.iter_mut().find(|known| known.0 == *which) {
            Some(known) => known.2 = *new,
            None => changed.push((*which, *old, *new)),
        }
    }
    let mut equation = said(trail, told, (first, last), &changed, None, limits, printed)?;
    let name = |node: NodeId| match trail.shape(node).what {
        What::Call(function) => trail.tables().functions.get(function as usize),
        _ => None,
    };
    let (begin, end) = (name(first)?.name.as_str(), name(last)?.name.as_str());
    let text = match rounds {
        Some(round) => {
            format!("rounds {round} to {} of {}", round + nodes.len() - 1, begin.trim_end_matches(':'))
        }
        None => format!("from {} to {}", begin.trim_end_matches(':'), end.trim_end_matches(':')),
    };
    equation.function = text.into();
    Some(equation)
}

/// What a call says, or code inside of one; none if the node is neither. `round` is the number of a loop's round, `below` the last of
/// the calls that it made.
pub(crate) fn equation(
    trail: &Trail,
    told: &ChangeRows,
    node: NodeId,
    round: Option<usize>,
    below: NodeId,
    limits: Limits,
    printed: impl FnOnce() -> Printed,
) -> Option<Equation> {
    let changed = told.changed.get(&node).map_or(&[][..], Vec::as_slice);
    let mut equation = said(trail, told, (node, node), changed, Some(below), limits, printed)?;
    if let Some(round) = round {
        equation.function = format!("round {round} of {}", equation.function).into();
    }
    Some(equation)
}

/// What code says that begins with one node and ends with another, and has changed these variables in between.
fn said(
    trail: &Trail,
    told: &ChangeRows,
    (node, last): (NodeId, NodeId),
    changed: &[(i64, Ref, Ref)],
    below: Option<NodeId>,
    limits: Limits,
    printed: impl FnOnce() -> Printed,
) -> Option<Equation> {
    let What::Call(function) = trail.shape(node).what else { return None };
    let tables = trail.tables();
    let function = tables.functions.get(function as usize)?;
    let mut references = Vec::new();
    trail.references(node, &mut references);
    let mut terms = Terms::new();
    let mut builder = Builder { trail, terms: &mut terms, left: limits.cells };
    let (mut arguments, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
    let inside = function.origin.is_inside();
    for ((name, role), reference) in function.parameters.iter().zip(&references) {
        // A variable of a function around is an argument like others, unless it is changed.
        let which = name.map_or(0, |name| -1 - i64::from(name));
        if (inside || *role == Role::Captured) && changed.iter().any(|one| one.0 == which) {
            continue;
        }
        if inside && builder.is_missing(*reference) {
            continue;
        }
        let value = builder.build(*reference, 0);
        let name = name.and_then(|name| tables.names.get(name as usize)).map_or("", String::as_str);
        arguments.push(Argument { name: Some(name.into()), value });
    }
    if let Some(sent) = told.sent.get(&node) {
        let value = builder.sent(sent);
        arguments.push(Argument { name: Some(SENT.into()), value });
    }
    for (which, old, new) in changed {
        let name = match usize::try_from(*which) {
            Ok(argument) => parameter(tables, function.parameters.get(argument)),
            Err(_) => usize::try_from(-1 - which).ok().and_then(|at| tables.names.get(at)).cloned(),
        };
        let name = name.unwrap_or_default();
        for (value, bindings) in [(old, &mut before), (new, &mut after)] {
            if !(inside && builder.is_missing(*value)) {
                let value = builder.build(*value, 0);
                bindings.push(Binding { name: name.as_str().into(), value });
            }
        }
    }
    let through = below.filter(|_| !inside).into_iter();
    let through = through.flat_map(|below| told.globals.within(NodeId(node.0 + 1), below)).take(MOST);
    for (module, which, old, new) in through {
        let is_own = module == function.module
            && (function.origin == Origin::Module || changed.iter().any(|one| one.0 == which));
        let name = usize::try_from(-1 - which).ok().and_then(|at| tables.names.get(at));
        let (false, Some(name)) = (is_own, name) else { continue };
        let name = match tables.modules.get(module as usize) {
            Some(home) if module != function.module => format!("{}.{name}", home.name),
            _ => name.clone(),
        };
        let [old, new] = [old, new].map(|value| builder.build(value, 0));
        if builder.said(old) != builder.said(new) {
            before.push(Binding { name: name.as_str().into(), value: old });
            after.push(Binding { name: name.as_str().into(), value: new });
        }
    }
    if let (Some(bytes), more) = printed()
        && !bytes.is_empty()
    {
        let value = builder.terms.str("", 0);
        before.push(Binding { name: "printed".into(), value });
        let value = builder.terms.str(&String::from_utf8_lossy(&bytes), more);
        after.push(Binding { name: "printed".into(), value });
    }
    let interrupted = trail.end() == Some(&RunEnd::Interrupted);
    let yielded = told.yielded.get(&node);
    if let (Some(_), Some(yielded)) = (told.failed.get(&node), yielded) {
        let parts: Vec<TermId> = yielded.iter().map(|value| builder.build(*value, 0)).collect();
        after.push(Binding { name: "yielded".into(), value: builder.terms.list(&parts) });
    }
    let became = match told.failed.get(&node) {
        Some(raised) => Became::Raised(*raised, Position::NONE),
        None => trail.became(last),
    };
    let outcome = match (yielded, became) {
        // A person who has waited for too long interrupts the run: the call had not ended.
        (_, Became::Raised(exception, _)) if interrupted && builder.is_interruption(exception) => {
            Outcome::Unfinished
        }
        (_, Became::Raised(exception, _)) => Outcome::Exception(builder.build(exception, 0)),
        (Some(yielded), _) => {
            let parts: Vec<TermId> = yielded.iter().map(|value| builder.build(*value, 0)).collect();
            let list = builder.terms.list(&parts);
            Outcome::Value(builder.terms.con("yields", &[list]))
        }
        // A piece of code that comes to its end has no value.
        (None, Became::Value(Ref::Unknown, _)) if inside => Outcome::Nothing,
        (None, Became::Value(value, _)) => Outcome::Value(builder.build(value, 0)),
        // What came of it is not in the trail.
        (None, Became::Nothing | Became::Unfinished(_)) if trail.end() == Some(&RunEnd::Unrecorded) => {
            Outcome::Value(builder.terms.omitted(0))
        }
        (None, Became::Nothing | Became::Unfinished(_)) => Outcome::Unfinished,
    };
    let name = if inside { function.name.trim_end_matches(':') } else { &function.name };
    Some(Equation {
        terms,
        function: name.into(),
        instances: Vec::new(),
        inside,
        arguments,
        outcome,
        before,
        after,
    })
}

fn parameter(tables: &Tables, parameter: Option<&(Option<u32>, Role)>) -> Option<String> {
    tables.names.get(parameter?.0? as usize).cloned()
}

/// The first number of a row about a generator, if the row does not say what was sent into it: what was thrown into it, what it raised.
const THROWN: i64 = 1;
const FAILED: i64 = 2;

/// What a generator was sent is shown like an argument of this name: a list with what came after the first value it gave, after the
/// second, and so on.
const SENT: &str = "sent";

/// At most this many values that were not sent are shown.
const MOST_SENT: usize = 1 << 12;

/// At most this many variables of modules that a call changed through others are looked at.
const MOST: usize = 32;

struct Builder<'r, 't> {
    trail: &'r Trail,
    terms: &'t mut Terms,
    left: u64,
}

impl Builder<'_, '_> {
    /// What was sent into a generator, or thrown.
    fn sent(&mut self, sent: &[(usize, bool, Ref)]) -> TermId {
        let mut parts = Vec::new();
        let constructors = &self.trail.tables().constructors;
        let nothing = constructors.iter().find(|known| known.form == Form::Nothing);
        for (given, thrown, value) in sent {
            while parts.len() + 1 < *given && parts.len() < MOST_SENT {
                parts.push(match nothing {
                    Some(nothing) => self.terms.con(&nothing.name, &[]),
                    None => self.terms.omitted(0),
                });
            }
            let value = self.build(*value, 0);
            parts.push(if *thrown { self.terms.con("throw", &[value]) } else { value });
        }
        self.terms.list(&parts)
    }

    /// A text that two values share exactly when they are equal.
    fn said(&self, id: TermId) -> String {
        let mut out = String::new();
        self.terms.canonical(id, &mut out);
        out
    }

    /// How a value is written, if it has a constructor.
    fn form(&self, reference: Ref) -> Option<&Form> {
        let constructor = match reference {
            Ref::Constructor(constructor) => constructor,
            Ref::Node(node) => match self.trail.shape(node).what {
                What::Construct(constructor) => constructor,
                _ => return None,
            },
            _ => return None,
        };
        self.trail.tables().constructors.get(constructor as usize).map(|known| &known.form)
    }

    /// Whether a value is an exception with which a person interrupts a run.
    fn is_interruption(&self, reference: Ref) -> bool {
        self.form(reference) == Some(&Form::Interruption)
    }

    /// Whether it stands for a variable that has no value.
    fn is_missing(&self, reference: Ref) -> bool {
        self.form(reference) == Some(&Form::Missing)
    }

    fn build(&mut self, reference: Ref, depth: usize) -> TermId {
        if self.left == 0 || depth > DEPTH {
            return self.terms.omitted(0);
        }
        self.left -= 1;
        match reference {
            Ref::Int(value) => self.terms.number(&value.to_string()),
            Ref::Double(value) => self.double(value),
            Ref::Char(code) => self.terms.char(character(code).encode_utf8(&mut [0; 4])),
            Ref::Constructor(constructor) => self.constructed(constructor, &[], depth),
            Ref::Node(node) => self.node(node, depth),
            Ref::Function(_) | Ref::Text { .. } | Ref::Unknown => self.terms.omitted(0),
        }
    }

    /// A floating-point number as Python writes it.
    fn double(&mut self, value: f64) -> TermId {
        let text = match value {
            value if value.is_nan() => "nan".to_owned(),
            value if value.is_infinite() => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
            value => {
                let text = format!("{value:?}");
                match text.split_once('e') {
                    Some((digits, power)) => {
                        let digits = digits.strip_suffix(".0").unwrap_or(digits);
                        let (sign, power) = match power.strip_prefix('-') {
                            Some(power) => ("-", power),
                            None => ("+", power),
                        };
                        format!("{digits}e{sign}{power:0>2}")
                    }
                    None => text,
                }
            }
        };
        self.terms.number(&text)
    }

    fn node(&mut self, node: NodeId, depth: usize) -> TermId {
        let mut references = Vec::new();
        self.trail.references(node, &mut references);
        match self.trail.shape(node).what {
            What::Construct(constructor) => self.constructed(constructor, &references, depth),
            What::Integer => match numbers::integer(&references) {
                Some(Ok(digits)) => self.terms.number(&digits),
                Some(Err(text)) => self.terms.opaque(&text),
                None => self.terms.omitted(0),
            },
            What::Double => match references[..] {
                [Ref::Int(low), Ref::Int(high)] => {
                    self.double(f64::from_bits(low as u64 & 0xffff_ffff | (high as u64) << 32))
                }
                _ => self.terms.omitted(0),
            },
            _ => self.terms.omitted(0),
        }
    }

    fn constructed(&mut self, number: u32, references: &[Ref], depth: usize) -> TermId {
        let Some(constructor) = self.trail.tables().constructors.get(number as usize) else {
            return self.terms.omitted(0);
        };
        let name = constructor.name.as_str();
        match constructor.form {
            Form::Missing => self.terms.con(name, &[]),
            Form::Omitted => match references {
                [Ref::Int(count)] => self.terms.omitted(u64::try_from(*count).unwrap_or(0)),
                _ => self.terms.omitted(0),
            },
            Form::Text => {
                let (bytes, length) = packed(references);
                let text = String::from_utf8_lossy(&bytes);
                let more = length.saturating_sub(text.chars().count() as u64);
                self.terms.str(&text, more)
            }
            Form::Bytes => {
                let (bytes, length) = packed(references);
                let mut text = "b'".to_owned();
                text.extend(bytes.iter().flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from));
                text.push_str(if length > bytes.len() as u64 { "…'" } else { "'" });
                self.terms.opaque(&text)
            }
            Form::List => {
                let parts = self.parts(references, depth);
                self.terms.list(&parts)
            }
            Form::Tuple => {
                let parts = self.parts(references, depth);
                self.terms.tuple(&parts)
            }
            Form::Set => {
                // Equal sets share a row, in whatever order the first of them was.
                let mut parts = self.parts(references, depth);
                parts.sort_by_cached_key(|part| self.rank(*part));
                let list = self.terms.list(&parts);
                self.terms.con(name, &[list])
            }
            Form::Map => {
                let parts = self.parts(references, depth);
                let entries: Vec<TermId> = parts
                    .chunks(2)
                    .map(|entry| match *entry {
                        [key, value] => self.terms.entry(&[key], value),
                        [rest, ..] => rest,
                        [] => self.terms.omitted(0),
                    })
                    .collect();
                self.terms.finite_map(&entries)
            }
            Form::Function => {
                let text = self.text(references.first()).replace("<locals>.", "");
                self.terms.function(&text, &[])
            }
            Form::Written => {
                let text = self.text(references.first());
                self.terms.opaque(&text)
            }
            Form::Opaque => {
                let text = self.text(references.first());
                self.terms.opaque(&format!("<{text}>"))
            }
            Form::Object | Form::Interruption if !constructor.fields.is_empty() => {
                let mut fields = Vec::new();
                for (field, reference) in constructor.fields.iter().zip(references) {
                    let value = self.build(*reference, depth + 1);
                    fields.push(self.terms.field(field, value));
                }
                self.terms.object(name, &fields)
            }
            _ => {
                let parts = self.parts(references, depth);
                self.terms.con(name, &parts)
            }
        }
    }

    /// Where an element stands among others: numbers by their size, other things by what is written of them.
    fn rank(&self, part: TermId) -> (bool, u64, String) {
        let mut text = String::new();
        self.terms.canonical(part, &mut text);
        let number = match self.terms.shape(part) {
            Shape::Number(digits) => digits.parse::<f64>().ok(),
            _ => None,
        };
        // The bits of numbers are in the order of the numbers, but for the sign.
        let size = number.map(f64::to_bits).map(|bits| if bits >> 63 == 0 { bits | 1 << 63 } else { !bits });
        (size.is_none(), size.unwrap_or(0), text)
    }

    fn parts(&mut self, references: &[Ref], depth: usize) -> Vec<TermId> {
        references.iter().map(|reference| self.build(*reference, depth + 1)).collect()
    }

    /// The text of a string.
    fn text(&self, reference: Option<&Ref>) -> String {
        let Some(Ref::Node(node)) = reference else { return "?".to_owned() };
        let mut references = Vec::new();
        self.trail.references(*node, &mut references);
        String::from_utf8_lossy(&packed(&references).0).into_owned()
    }
}

/// The bytes of a string or a part of them, and its whole length, which the first reference is; the second is how many bytes
/// there are.
fn packed(references: &[Ref]) -> (Vec<u8>, u64) {
    let [Ref::Int(length), Ref::Int(kept), words @ ..] = references else { return (Vec::new(), 0) };
    let bytes = usize::try_from(*kept).ok().and_then(|kept| text::unpack(words, kept));
    (bytes.unwrap_or_default(), u64::try_from(*length).unwrap_or(0))
}
