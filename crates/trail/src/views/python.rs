//! What a call of a Python program says.
//!
//! The rows of such a trail are calls and values as they were at one moment (the front-end's `words.rs` has the constructors);
//! what a call changed, and what a generator yielded, is told in rows of their own. Values are built here as they are shown:
//! there is nothing unevaluated in them, and what was left out when they were recorded says so.

use super::equation::Printed;
use super::lists::character;
use super::numbers;
use super::values::Limits;
use crate::run::model::{NodeId, Ref, Role, Tables, What};
use crate::run::{Became, Trail, text};
use gadfly_term::{Argument, Binding, Equation, Outcome, TermId, Terms};
use rustc_hash::FxHashMap;

/// How deep a value is built; nothing is recorded as deep as that.
const DEPTH: usize = 64;

/// What was told of calls besides what became of them.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// What was changed: as in a row [`What::Changed`].
    changed: FxHashMap<NodeId, Vec<(i64, Ref, Ref)>>,
    yielded: FxHashMap<NodeId, Vec<Ref>>,
}

impl Told {
    pub(super) fn new(trail: &Trail) -> Told {
        let mut told = Told::default();
        for row in trail.told() {
            match (row.shape.what, &row.references[..]) {
                (What::Changed, &[Ref::Int(which), before, after]) => {
                    told.changed.entry(row.node).or_default().push((which, before, after));
                }
                (What::Performed, &[value]) => told.yielded.entry(row.node).or_default().push(value),
                _ => {}
            }
        }
        told
    }
}

/// What a call says; none if the node is no call.
pub(super) fn equation(
    trail: &Trail,
    told: &Told,
    node: NodeId,
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
    let changed = told.changed.get(&node).map_or(&[][..], Vec::as_slice);
    let (mut arguments, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for ((name, role), reference) in function.parameters.iter().zip(&references) {
        // A variable of a function around is an argument like others, unless it is changed.
        let which = name.map_or(0, |name| -1 - i64::from(name));
        if *role == Role::Captured && changed.iter().any(|one| one.0 == which) {
            continue;
        }
        let value = builder.build(*reference, 0);
        let name = name.and_then(|name| tables.names.get(name as usize)).map_or("", String::as_str);
        arguments.push(Argument { name: Some(name.into()), value });
    }
    for (which, old, new) in changed {
        let name = match usize::try_from(*which) {
            Ok(argument) => parameter(tables, function.parameters.get(argument)),
            Err(_) => usize::try_from(-1 - which).ok().and_then(|at| tables.names.get(at)).cloned(),
        };
        let name = name.unwrap_or_default();
        let value = builder.build(*old, 0);
        before.push(Binding { name: name.as_str().into(), value });
        let value = builder.build(*new, 0);
        after.push(Binding { name: name.into(), value });
    }
    if let (Some(bytes), more) = printed()
        && !bytes.is_empty()
    {
        let value = builder.terms.str("", 0);
        before.push(Binding { name: "printed".into(), value });
        let value = builder.terms.str(&String::from_utf8_lossy(&bytes), more);
        after.push(Binding { name: "printed".into(), value });
    }
    let outcome = match (told.yielded.get(&node), trail.became(node)) {
        (_, Became::Raised(exception, _)) => Outcome::Exception(builder.build(exception, 0)),
        (Some(yielded), _) => {
            let parts: Vec<TermId> = yielded.iter().map(|value| builder.build(*value, 0)).collect();
            let list = builder.terms.list(&parts);
            Outcome::Value(builder.terms.con("yields", &[list]))
        }
        (None, Became::Value(value, _)) => Outcome::Value(builder.build(value, 0)),
        (None, Became::Nothing | Became::Unfinished(_)) => Outcome::Unfinished,
    };
    Some(Equation { terms, function: function.name.as_str().into(), arguments, outcome, before, after })
}

fn parameter(tables: &Tables, parameter: Option<&(Option<u32>, Role)>) -> Option<String> {
    tables.names.get(parameter?.0? as usize).cloned()
}

struct Builder<'r, 't> {
    trail: &'r Trail,
    terms: &'t mut Terms,
    left: u64,
}

impl Builder<'_, '_> {
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
        match constructor.of.as_str() {
            "python.constant" | "python.missing" => self.terms.con(name, &[]),
            "python.omitted" => match references {
                [Ref::Int(count)] => self.terms.omitted(u64::try_from(*count).unwrap_or(0)),
                _ => self.terms.omitted(0),
            },
            "python.str" => {
                let (bytes, length) = packed(references);
                let text = String::from_utf8_lossy(&bytes);
                let more = length.saturating_sub(text.chars().count() as u64);
                self.terms.str(&text, more)
            }
            "python.bytes" => {
                let (bytes, length) = packed(references);
                let mut text = "b'".to_owned();
                text.extend(bytes.iter().flat_map(|byte| std::ascii::escape_default(*byte)).map(char::from));
                text.push_str(if length > bytes.len() as u64 { "…'" } else { "'" });
                self.terms.opaque(&text)
            }
            "python.list" => {
                let parts = self.parts(references, depth);
                self.terms.list(&parts)
            }
            "python.tuple" => {
                let parts = self.parts(references, depth);
                self.terms.tuple(&parts)
            }
            "python.set" => {
                let parts = self.parts(references, depth);
                let list = self.terms.list(&parts);
                self.terms.con(name, &[list])
            }
            "python.dict" => {
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
            "python.function" => {
                let text = self.text(references.first()).replace("<locals>.", "");
                self.terms.function(&text, &[])
            }
            "python.opaque" => {
                let text = self.text(references.first());
                self.terms.opaque(&format!("<{text}>"))
            }
            "python.object" => {
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
