//! References and mutable arrays: what they are called in an equation, and what they held at a moment.
//!
//! A reference or an array has no value of its own that could be shown in its place: it is one thing, and what it holds changes. So an
//! equation shows it by a name, and what it held among the variables before and after, as they are shown for any language with
//! state. It is called what the parameter is called that it was passed to, or the field that it stands in, or else `ref1`, `array1`.
//!
//! What it held at a moment is what it held when it was first seen, and what was stored since ([`super::actions::Stored`]). Before
//! an action it is what it held when the action began, whenever that is asked, and not when the redex was reduced that made
//! the action. An immutable array may share its elements with a mutable one that it was made of without a copy: it is shown
//! as it was when it was first seen, or at the moment of the equation, if that is later.

use super::follow::End;
use super::values::{Builder, Close, Run, Task};
use gadfly_term::{Shape as TermShape, TermId};
use gadfly_trail::model::{Form, MOMENTS, NodeId, Ref, Shape, What};
use rustc_hash::{FxHashMap, FxHashSet};

/// The references and arrays that an equation mentions.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    all: Vec<Cell>,
    of: FxHashMap<NodeId, usize>,
    /// Names that are taken.
    taken: FxHashSet<String>,
    /// Those that were mentioned since [`Cells::begin`], in order.
    mentioned: Vec<usize>,
}

/// A reference, or a mutable array.
#[derive(Clone, Debug)]
struct Cell {
    place: Place,
    name: String,
}

/// Where something can be stored: the node, and the bounds if it is an array for which they are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) node: NodeId,
    pub(super) bounds: Option<(Ref, Ref)>,
    pub(super) is_array: bool,
}

impl Cells {
    /// Names that mean something else.
    pub(super) fn take_names<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        self.taken.extend(names.map(str::to_owned));
    }

    /// Mentions a cell; `name` is what it is called if it has no name yet.
    pub(super) fn mention(&mut self, place: Place, name: Option<&str>) -> usize {
        let cell = match self.of.get(&place.node) {
            Some(cell) => *cell,
            None => {
                let name = self.unused(name, place.is_array);
                self.taken.insert(name.clone());
                self.all.push(Cell { place, name });
                self.of.insert(place.node, self.all.len() - 1);
                self.all.len() - 1
            }
        };
        if self.all[cell].place.bounds.is_none() {
            self.all[cell].place.bounds = place.bounds;
        }
        if !self.mentioned.contains(&cell) {
            self.mentioned.push(cell);
        }
        cell
    }

    fn unused(&self, wanted: Option<&str>, is_array: bool) -> String {
        let wanted = wanted.filter(|name| !name.is_empty());
        let (stem, from) = match wanted {
            Some(name) => (name, 2),
            None => (if is_array { "array" } else { "ref" }, 1),
        };
        let plain = wanted.filter(|name| !self.taken.contains(*name)).map(str::to_owned);
        let mut numbered = (from..).map(|number: usize| format!("{stem}{number}"));
        plain.or_else(|| numbered.find(|name| !self.taken.contains(name))).unwrap_or_default()
    }

    /// From here on other cells are mentioned, besides these.
    pub(super) fn begin(&mut self, mentioned: &[usize]) {
        self.mentioned = mentioned.to_vec();
    }

    pub(super) fn mentioned(&self) -> &[usize] {
        &self.mentioned
    }

    pub(super) fn name(&self, cell: usize) -> &str {
        &self.all[cell].name
    }

    pub(super) fn place(&self, cell: usize) -> Place {
        self.all[cell].place
    }
}

/// A longer array is shown in part, unless it is wanted as a whole.
const PART: usize = 1 << 11;
/// Of such an array: so many elements at its beginning, so many that were replaced, and so many at its end.
const BEGINNING: usize = 32;
const REPLACED: usize = 64;
const END: usize = 8;

impl Run<'_> {
    /// The reference or mutable array that a value is.
    pub(super) fn place(&self, value: Ref) -> Option<Place> {
        match self.end(value) {
            End::Node(node, Shape { what: What::Cell, .. }) => {
                Some(Place { node, bounds: None, is_array: false })
            }
            end @ End::Node(_, Shape { what: What::Construct(_), .. }) => {
                let (constructor, fields) = self.construct(end)?;
                match (self.form(constructor), &fields[..]) {
                    (Form::MutableArray, [low, high, _, elements]) => match self.end(*elements) {
                        End::Node(node, Shape { what: What::Array, .. }) => {
                            Some(Place { node, bounds: Some((*low, *high)), is_array: true })
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What a cell's node held at a moment.
    pub(super) fn held(&self, node: NodeId, moment: u64) -> Vec<Ref> {
        let mut held = self.references(node);
        let stored = &self.actions.rows(self.trail).stored;
        for store in stored.of.get(&node).into_iter().flatten().take_while(|store| store.moment <= moment) {
            if let Some(slot) = held.get_mut(store.slot) {
                *slot = store.value;
            }
        }
        held
    }

    /// The moment when a node was made.
    pub(super) fn moment_of(&self, node: NodeId) -> u64 {
        node.0.saturating_mul(1 << MOMENTS)
    }

    /// The moment when a reference or an array was made; without a row that says it, the last one before a row mentioned it.
    fn made(&self, node: NodeId) -> u64 {
        let stored = &self.actions.rows(self.trail).stored;
        let seen = || self.moment_of(NodeId(node.0.saturating_add(1))).saturating_sub(1);
        stored.made.get(&node).copied().unwrap_or_else(seen)
    }

    /// Whether a reference or an array was there at a moment: it was made before, or is a constant of the program.
    pub(super) fn was_there(&self, node: NodeId, moment: u64) -> bool {
        self.made(node) <= moment || self.globals.contains_key(&node)
    }

    /// The slots of a cell in which something was stored after one moment and until another.
    fn replaced(&self, node: NodeId, (after, until): (u64, u64)) -> Vec<usize> {
        let stored = &self.actions.rows(self.trail).stored;
        let stores = stored.of.get(&node).map_or(&[][..], Vec::as_slice);
        let from = stores.partition_point(|store| store.moment <= after);
        stores[from..].iter().take_while(|store| store.moment <= until).map(|store| store.slot).collect()
    }

    /// Where something was stored after one moment and until another that was there before, in the order of the first store in each.
    pub(super) fn changed(&self, (after, until): (u64, u64)) -> Vec<Place> {
        let stored = &self.actions.rows(self.trail).stored;
        let from = stored.order.partition_point(|(moment, _)| *moment <= after);
        let to = stored.order.partition_point(|(moment, _)| *moment <= until);
        let mut first: Vec<(u64, NodeId)> = Vec::new();
        if to.saturating_sub(from) <= stored.of.len() {
            let mut seen = FxHashSet::default();
            let some = stored.order.get(from..to).unwrap_or_default().iter();
            first.extend(some.filter(|(_, node)| seen.insert(*node)));
        } else {
            // Few places, in which much is stored.
            for (node, stores) in &stored.of {
                let next = stores.partition_point(|store| store.moment <= after);
                first.extend(
                    stores.get(next).filter(|store| store.moment <= until).map(|one| (one.moment, *node)),
                );
            }
            first.sort_unstable();
        }
        first.retain(|(_, node)| self.was_there(*node, after));
        first.into_iter().map(|(_, node)| self.place_of(node)).collect()
    }

    /// A reference or an array whose bounds are not known.
    pub(super) fn place_of(&self, node: NodeId) -> Place {
        Place { node, bounds: None, is_array: self.trail.shape(node).what == What::Array }
    }
}

impl Builder<'_, '_> {
    /// What a cell held at the builder's moment. Of a long array that is not wanted as a whole, the slots are among what is shown that
    /// were changed between two moments. If `before` is what it held at the first of them, what was not replaced is that.
    pub(super) fn held(&mut self, place: Place, between: (u64, u64), before: Option<TermId>) -> TermId {
        let replaced = self.run.replaced(place.node, between);
        if let Some(before) = before.filter(|_| replaced.is_empty()) {
            return before;
        }
        let held = self.run.held(place.node, self.moment);
        if !place.is_array {
            return self.one(held.first().copied().unwrap_or(Ref::Unknown));
        }
        let mut slots: Vec<usize> = (0..held.len()).collect();
        if held.len() > PART && !self.limits.is_whole() {
            let last = held.len() - END;
            let some = replaced.iter().copied().take(REPLACED);
            slots = (0..BEGINNING).chain(some).chain(last..held.len()).collect();
            slots.retain(|slot| *slot < held.len());
            slots.sort_unstable();
            slots.dedup();
        }
        let replaced: FxHashSet<usize> = replaced.into_iter().collect();
        let before = before.map_or_else(Vec::new, |before| self.elements(before));
        let indices = place.bounds.and_then(|(low, high)| self.run.indices(low, high));
        let indices = indices.filter(|indices| indices.count() == Some(held.len()));
        let plain = indices.as_ref().is_none_or(|indices| indices.counts_from_zero());
        let mut groups = Vec::new();
        let mut next = 0;
        for slot in slots {
            self.left_out(slot - next, &mut groups);
            next = slot + 1;
            let same = before.get(groups.len()).filter(|_| !replaced.contains(&slot));
            groups.push(match (&indices, same) {
                (_, Some(same)) => vec![Task::Put(*same)],
                (Some(indices), None) if !plain => {
                    let index = self.index(indices, slot);
                    vec![Task::Open, Task::Put(index), Task::See(held[slot]), Task::Close(Close::Tuple)]
                }
                _ => vec![Task::See(held[slot])],
            });
        }
        self.left_out(held.len() - next, &mut groups);
        if plain {
            return self.built(vec![Close::List], groups);
        }
        let mut list = vec![Task::Open];
        list.extend(groups.into_iter().flatten());
        list.push(Task::Close(Close::List));
        let (low, high) = place.bounds.unwrap_or((Ref::Unknown, Ref::Unknown));
        let bounds = vec![Task::Open, Task::See(low), Task::See(high), Task::Close(Close::Tuple)];
        self.built(vec![Close::Con("array".into())], vec![bounds, list])
    }

    /// The elements of an array by what is shown of it, with their indices if these are.
    fn elements(&self, shown: TermId) -> Vec<TermId> {
        match self.terms.shape(shown) {
            TermShape::List(elements) => elements.to_vec(),
            TermShape::Con(_, &[_, list]) => self.terms.children(list).to_vec(),
            _ => Vec::new(),
        }
    }

    fn left_out(&mut self, count: usize, groups: &mut Vec<Vec<Task>>) {
        if count > 0 {
            groups.push(vec![Task::Put(self.terms.omitted(count as u64))]);
        }
    }

    /// A cell by its name.
    pub(super) fn cell(&mut self, place: Place) {
        let cell = self.cells.mention(place, self.run.globals.get(&place.node).map(String::as_str));
        let term = self.terms.opaque(self.cells.name(cell));
        self.put(term);
    }

    /// Cells that are fields of a record are called what the fields are.
    pub(super) fn name_fields(&mut self, names: &[String], fields: &[Ref]) {
        for (name, field) in names.iter().zip(fields) {
            if let Some(place) = self.run.place(*field) {
                self.cells.mention(place, Some(name));
            }
        }
    }
}
