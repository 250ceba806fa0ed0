//! What happened to the variables: which of them changed, and where in a big value the first difference is, so that
//! elision does not hide the very thing the question is about.

use super::Style;
use crate::{Equation, Part, Path, Root, Shape, TermId, Terms};
use std::collections::{HashMap, HashSet};

/// What the list of variables says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tale {
    /// These changed, but for those that are listed with what they still are; all others did not.
    Changed,
    /// None changed.
    Unchanged,
    /// Nothing is known of them afterwards.
    Before,
    /// Nothing is known of them before.
    After,
}

/// Before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}

/// One variable; `None` on a side where it had no value.
#[derive(Clone, Debug)]
pub(super) struct Change<'a> {
    pub(super) name: &'a str,
    pub(super) before: Option<TermId>,
    pub(super) after: Option<TermId>,
    /// The way to the first difference.
    pub(super) way: Vec<usize>,
    /// It is the same before and after, and shown once.
    pub(super) same: bool,
}

/// The variables worth showing.
#[derive(Clone, Debug)]
pub(super) struct Changes<'a> {
    pub(super) tale: Tale,
    pub(super) list: Vec<Change<'a>>,
}

impl<'a> Changes<'a> {
    pub(super) fn none() -> Self {
        Changes { tale: Tale::Unchanged, list: Vec::new() }
    }

    /// The variables of an equation; a marked one is among them even if it did not change. Where calls stand beside their arguments
    /// all are among them: their arguments do not say what a reference holds.
    pub(super) fn of(equation: &'a Equation, style: Style, mark: Option<&Path>) -> Self {
        let marked = match mark.map(|path| &path.root) {
            Some(Root::Before(name) | Root::After(name)) => Some(&**name),
            _ => None,
        };
        let mut list: Vec<Change<'a>> = Vec::new();
        let mut index = HashMap::new();
        for binding in &equation.before {
            index.entry(&*binding.name).or_insert(list.len());
            list.push(Change {
                name: &binding.name,
                before: Some(binding.value),
                after: None,
                way: Vec::new(),
                same: false,
            });
        }
        for binding in &equation.after {
            match index.get(&*binding.name) {
                Some(at) if list[*at].after.is_none() => list[*at].after = Some(binding.value),
                _ => list.push(Change {
                    name: &binding.name,
                    before: None,
                    after: Some(binding.value),
                    way: Vec::new(),
                    same: false,
                }),
            }
        }
        let tale = match (equation.before.is_empty(), equation.after.is_empty()) {
            (true, true) => Tale::Unchanged,
            (false, true) => Tale::Before,
            (true, false) => Tale::After,
            (false, false) => Tale::Changed,
        };
        if tale != Tale::Changed {
            return Changes { tale, list };
        }
        let mut changed = vec![true; list.len()];
        for (change, changed) in list.iter_mut().zip(&mut changed) {
            if let (Some(before), Some(after)) = (change.before, change.after) {
                match difference(&equation.terms, before, after) {
                    Some(way) => change.way = way,
                    None => {
                        *changed = false;
                        change.same = style == Style::Juxtaposed;
                    }
                }
            }
        }
        if !changed.contains(&true) {
            return Changes { tale: Tale::Unchanged, list };
        }
        let mut changed = changed.into_iter();
        list.retain(|change| changed.next().unwrap_or(true) || change.same || Some(change.name) == marked);
        list.sort_by_key(|change| change.same);
        Changes { tale, list }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where a variable's value is shown: the variable's number, the child's, and the value.
    pub(super) fn find(&self, name: &str, side: Side) -> Option<(usize, usize, TermId)> {
        self.list.iter().enumerate().filter(|(_, change)| change.name == name).find_map(|(index, change)| {
            let (child, value) = match side {
                Side::Before => (0, change.before),
                Side::After => (usize::from(self.tale == Tale::Changed && !change.same), change.after),
            };
            value.map(|value| (index, child, value))
        })
    }
}

/// Appends the steps of a path, as numbers of children; `None` if it leads nowhere.
pub(super) fn extend_way(terms: &Terms, start: TermId, parts: &[Part], way: &mut Vec<usize>) -> Option<()> {
    let mut at = start;
    for part in parts {
        let children = terms.children(at);
        let index = match part {
            Part::Index(number) => (*number as usize).checked_sub(1)?,
            Part::Name(name) => children.iter().position(
                |child| matches!(terms.shape(*child), Shape::Field(field, _) if field == &**name),
            )?,
        };
        let child = *children.get(index)?;
        way.push(index);
        at = match terms.shape(child) {
            // One without a name is shown as what it holds.
            Shape::Field("", value) => value,
            Shape::Field(_, value) => {
                way.push(0);
                value
            }
            Shape::Entry(arguments, value) => {
                way.push(arguments.len());
                value
            }
            _ => child,
        };
    }
    Some(())
}

/// The way to the first difference between two terms; `None` if they are equal.
fn difference(terms: &Terms, left: TermId, right: TermId) -> Option<Vec<usize>> {
    let mut equal: HashSet<(TermId, TermId)> = HashSet::new();
    let mut stack = Vec::new();
    let mut visit = Some((left, right));
    loop {
        if let Some((a, b)) = visit.take().filter(|(a, b)| a != b && !equal.contains(&(*a, *b))) {
            // What was never evaluated may be anything.
            let unknown = terms.shape(a) == Shape::Unevaluated;
            if unknown || shell(terms, a) != shell(terms, b) {
                return Some(steps(terms, &stack));
            }
            stack.push((a, b, 0));
        }
        let (a, b, next) = stack.last_mut()?;
        let (lefts, rights) = (terms.children(*a), terms.children(*b));
        let index = *next;
        *next += 1;
        match (lefts.get(index), rights.get(index)) {
            (Some(left), Some(right)) => visit = Some((*left, *right)),
            (None, None) => {
                if !lefts.is_empty() {
                    equal.insert((*a, *b));
                }
                stack.pop();
            }
            _ => return Some(steps(terms, &stack)),
        }
    }
}

/// The way to where a comparison is, as it is shown: fields without a name are shown as what they hold.
fn steps(terms: &Terms, stack: &[(TermId, TermId, usize)]) -> Vec<usize> {
    let shown = stack.iter().filter(|(at, ..)| !matches!(terms.shape(*at), Shape::Field("", _)));
    shown.map(|(_, _, next)| next - 1).collect()
}

/// A term without its children.
fn shell(terms: &Terms, id: TermId) -> (u8, &str, u64) {
    match terms.shape(id) {
        Shape::Con(text, _) => (0, text, 0),
        Shape::Tuple(_) => (1, "", 0),
        Shape::List(_) => (2, "", 0),
        Shape::Str(text, more) => (3, text, more),
        Shape::Char(text) => (4, text, 0),
        Shape::Number(text) => (5, text, 0),
        Shape::Record(text, _) => (6, text, 0),
        Shape::Function(text, _) => (7, text, 0),
        Shape::FiniteMap(_) => (8, "", 0),
        Shape::Object(text, _) => (9, text, 0),
        Shape::Opaque(text) => (10, text, 0),
        Shape::Field(text, _) => (11, text, 0),
        Shape::Entry(..) => (12, "", 0),
        Shape::Unevaluated => (13, "", 0),
        Shape::Omitted(more) => (14, "", more),
    }
}
