//! Functional values as finite maps (S2 Def. 8, §4.1 to §4.3).
//!
//! The map of a function's node has an entry for every application of that node, in the order of their creation, as far
//! as a result is known. Applications to too few arguments are not entries themselves but begin those of what they give:
//! `{1 2 ↦ 3}` and not `{1 ↦ {2 ↦ 3}}`.
//!
//! A function may be applied to itself, and its map would contain itself. The paper's way out is to distinguish the occurrences
//! of a variable; a trail does not. But what is done with a function that was passed to itself is done after it was
//! passed: inside the entry of an application, the function's own map has only the applications that are newer. For
//! `g h = (h h) 4` and `id` that gives what S2 §4.3 has, `{{4 ↦ 4} ↦ {4 ↦ 4}, 4 ↦ 4}`, and it always ends. Some levels deep a question only says `…`.
//!
//! What an application applies is found by following reductions, so an index of all applications is needed; it is made when the
//! first map is asked for, and takes 8 bytes for an application.

use super::Order;
use super::equation::{Shown, parameters};
use super::follow::End;
use super::gather::{self, Ids, Kind, NONE};
use super::order::Ranks;
use super::values::{Builder, Close, Closure, Run, Task};
use gadfly_trail::Trail;
use gadfly_trail::model::{NodeId, Ref};
use std::sync::OnceLock;

/// All applications, by what they apply.
#[derive(Debug, Default)]
pub(super) struct Maps {
    index: OnceLock<Index>,
}

#[derive(Debug, Default)]
struct Index {
    ids: Ids,
    /// What is applied and the application, sorted, by their numbers among the ids.
    pairs: Vec<(u32, u32)>,
}

impl Maps {
    /// The applications of a node that are newer than another node, in the order of creation: at most so many, and how many
    /// there are in all.
    fn of(&self, trail: &Trail, node: NodeId, newer_than: NodeId, most: usize) -> (Vec<NodeId>, usize) {
        let index = self.index.get_or_init(|| Index::new(trail));
        let number = index.ids.number(node);
        if number == NONE {
            return (Vec::new(), 0);
        }
        let start = index.pairs.partition_point(|(applied, application)| {
            *applied < number || *applied == number && index.ids.id(*application) <= newer_than
        });
        let end = start + index.pairs[start..].partition_point(|(applied, _)| *applied == number);
        let found = &index.pairs[start..end];
        (found.iter().take(most).map(|(_, application)| index.ids.id(*application)).collect(), found.len())
    }
}

impl Index {
    fn new(trail: &Trail) -> Index {
        let Ok(mut gathered) = gather::gather(trail, &Ranks::new(trail.tables(), Order::default())) else {
            return Index::default();
        };
        let applied = std::mem::take(&mut gathered.applied);
        let mut pairs = Vec::with_capacity(applied.len());
        let mut applied = applied.into_iter();
        for number in 1..gathered.shape.len() as u32 {
            if gathered.form(number).kind == Kind::Apply
                && let Some(node) = applied.next().filter(|node| *node != NONE)
            {
                let last = gathered.last(node);
                pairs.extend((last != NONE).then_some((last, number)));
            }
        }
        pairs.sort_unstable();
        Index { ids: gathered.ids, pairs }
    }
}

/// An entry: the arguments that are shown, and the application.
struct Entry {
    arguments: Vec<Ref>,
    application: NodeId,
}

impl Builder<'_, '_> {
    /// The finite map of a function's node.
    pub(super) fn map(&mut self, node: NodeId, closure: &Closure) {
        let before = self.progress.get(&node).copied();
        let (newer_than, depth) = before.unwrap_or_default();
        let most = self.room().min(self.map_room());
        let (entries, more, steps) = self.run.entries(node, closure, newer_than, most);
        self.map_steps += steps as u64;
        if depth >= self.limits.depth && !entries.is_empty() {
            let term = self.terms.omitted(0);
            return self.put(term);
        }
        self.short |= more > 0;
        let groups = entries.into_iter().map(|entry| {
            let mut group = vec![Task::Progress(node, Some((entry.application, depth + 1))), Task::Open];
            group.extend(entry.arguments.into_iter().map(Task::See));
            group.push(Task::See(Ref::Node(entry.application)));
            group.extend([Task::Close(Close::Entry), Task::Progress(node, before)]);
            group
        });
        let groups = groups.collect();
        self.maps_open += 1;
        self.compound_of(vec![Close::Map(more as u64)], groups);
    }

    /// How many more steps maps may take.
    fn map_room(&self) -> usize {
        usize::try_from(self.limits.maps.saturating_sub(self.map_steps)).unwrap_or(usize::MAX)
    }
}

impl Run<'_> {
    /// The entries of a function's map that are newer than a node, from at most `most` applications; how many applications
    /// are left out, and how many were looked at.
    fn entries(
        &self,
        node: NodeId,
        closure: &Closure,
        newer_than: NodeId,
        most: usize,
    ) -> (Vec<Entry>, usize, usize) {
        let mut entries = Vec::new();
        let (mut more, mut steps) = (0, 0);
        // Functions with fewer arguments than they need: the node, how many arguments it has, those that are shown.
        let mut functions = vec![(node, closure.arguments.len(), Vec::new())];
        let needed = self.tables().functions[closure.function as usize].parameters.len();
        while let Some((node, given, before)) = functions.pop() {
            let (applications, all) = self.maps.of(self.trail, node, newer_than, most.saturating_sub(steps));
            more += all - applications.len();
            steps += applications.len();
            for application in applications {
                let references = self.references(application);
                let further = references.get(1..).unwrap_or_default();
                let mut arguments = before.clone();
                let shown = parameters(self.tables(), closure.function, given, further);
                let shown = shown.into_iter().filter(|parameter| parameter.shown == Shown::Argument);
                arguments.extend(shown.map(|parameter| parameter.value));
                let given = given + further.len();
                let end = self.end(Ref::Node(application));
                let applied = End::Unevaluated(application, self.trail.shape(application));
                if given < needed && end == applied {
                    functions.push((application, given, arguments));
                } else {
                    entries.push(Entry { arguments, application });
                }
            }
        }
        entries.sort_by_key(|entry| entry.application);
        (entries, more, steps)
    }
}
