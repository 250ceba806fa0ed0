//! Which rule a line belongs to, mostly without reading what it says about it.
//!
//! A program has a few thousand rules and a run has millions of nodes, so the bytes that say the rule (function, number,
//! module, span) are looked up as they stand; only bytes never seen before are read. Most recorders write these fields
//! one after the other, beginning with the function. Such a run of fields is remembered whole, and a line that has the
//! same bytes there is passed over in one comparison.

use super::error::Fault;
use super::node::NodeFields;
use super::places::{Files, from_one, place};
use super::scan::{Scan, Scanner, decode};
use gadfly_source::{Shelf, Sources};
use gadfly_tree::{Rule, RuleId, RuleTable};
use rustc_hash::FxHasher;
use std::collections::HashMap;
use std::hash::Hasher;
use std::ops::Range;

/// The rules seen so far, by the bytes that say them.
pub(crate) struct Rules {
    /// Under a hash that a hostile file cannot foresee.
    known: HashMap<Box<[u8]>, RuleId>,
    key: Vec<u8>,
    pub(crate) runs: Runs,
}

impl Rules {
    pub(crate) fn new() -> Rules {
        Rules { known: HashMap::new(), key: Vec::new(), runs: Runs::new() }
    }

    /// The rule of a line.
    #[inline]
    pub(crate) fn find(
        &mut self,
        line: &[u8],
        node: &NodeFields,
        table: &mut RuleTable,
        make: impl FnOnce() -> Scan<Rule>,
    ) -> Scan<RuleId> {
        match node.known {
            Some(rule) => Ok(rule),
            None => self.look_up(line, node, table, make),
        }
    }

    fn look_up(
        &mut self,
        line: &[u8],
        node: &NodeFields,
        table: &mut RuleTable,
        make: impl FnOnce() -> Scan<Rule>,
    ) -> Scan<RuleId> {
        self.key.clear();
        for part in [&node.function, &node.rule, &node.module, &node.span] {
            self.key.extend_from_slice(&line[part.clone()]);
            // 0xFF is in no UTF-8 text, so the parts cannot run into each other.
            self.key.push(0xFF);
        }
        let rule = match self.known.get(self.key.as_slice()) {
            Some(rule) => *rule,
            None => {
                let rule = table.intern(make()?);
                self.known.insert(self.key.as_slice().into(), rule);
                rule
            }
        };
        self.runs.keep(line, node, rule);
        Ok(rule)
    }
}

/// Runs of fields that say a rule, each from the function's name to the end of its last field.
pub(crate) struct Runs {
    places: Vec<Option<Run>>,
}

/// A run of fields.
pub(crate) struct Run {
    bytes: Box<[u8]>,
    pub(crate) rule: RuleId,
    /// Which fields are in it.
    pub(crate) fields: u16,
}

const PLACES: usize = 1 << 12;
/// How many places a run may be in, from the one that its hash says.
const TRIES: usize = 4;
/// How many bytes after the function's name are hashed with it: enough to reach the rule's number.
const AHEAD: usize = 16;

impl Runs {
    fn new() -> Runs {
        Runs { places: std::iter::repeat_with(|| None).take(PLACES).collect() }
    }

    fn place(line: &[u8], function: &Range<usize>) -> Option<usize> {
        let mut hasher = FxHasher::default();
        hasher.write(line.get(function.start..function.end + AHEAD)?);
        Some(hasher.finish() as usize % (PLACES - TRIES))
    }

    /// The run that stands in this line from its function's name on, and where it ends.
    #[inline]
    pub(crate) fn find(&self, line: &[u8], function: &Range<usize>) -> Option<(&Run, usize)> {
        let place = Runs::place(line, function)?;
        let rest = &line[function.start..];
        let mut runs = self.places[place..place + TRIES].iter().flatten();
        let found = runs.find(|run| rest.starts_with(&run.bytes))?;
        // A number goes on if a digit follows: the run counts only if its last field ends with it.
        let follows = rest.get(found.bytes.len());
        matches!(follows, Some(b',' | b'}')).then_some((found, function.start + found.bytes.len()))
    }

    /// Remembers the run of a line, if there is a free place: nothing is ever moved out, so that a file cannot make
    /// every line cost a change.
    fn keep(&mut self, line: &[u8], node: &NodeFields, rule: RuleId) {
        if node.run_fields != 0
            && node.run_fields == node.rule_fields()
            && let Some(place) = Runs::place(line, &node.function)
            && let Some(free) = self.places[place..place + TRIES].iter_mut().find(|place| place.is_none())
        {
            let bytes = line[node.function.start..node.run_end].into();
            *free = Some(Run { bytes, rule, fields: node.run_fields });
        }
    }
}

/// Reads what a line says about its rule.
pub(crate) fn rule(
    line: &[u8],
    node: &NodeFields,
    files: &mut Files,
    shelf: &Shelf,
    sources: &mut Sources,
) -> Scan<Rule> {
    let function: Box<str> = decode(&line[node.function.clone()]).into();
    if function.is_empty() {
        let hint = "give the code a name, even if the language has none";
        return Err(Fault::field(node.function.start, "the name is empty", hint).within("function"));
    }
    let number = match node.rule.is_empty() {
        true => None,
        false => Some(from_one(&mut Scanner::over(line, &node.rule)).map_err(|fault| fault.within("rule"))?),
    };
    let module = match node.module.is_empty() {
        true => None,
        false => Some(decode(&line[node.module.clone()]).into()),
    };
    let region = match node.span.is_empty() {
        true => None,
        false => {
            let region = place(&mut Scanner::over(line, &node.span))
                .and_then(|place| files.settle(&place, shelf, sources));
            Some(region.map_err(|fault| fault.within("span"))?)
        }
    };
    Ok(Rule { function, number, module, path: Box::default(), region })
}
