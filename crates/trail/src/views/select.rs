//! Who is in the tree, and under whom (S2 Def. 12).
//!
//! Every parent must come before its children here, so that the tree can be laid out in passes over columns. In the EDT
//! the order of creation is such an order. In the FDT it is not: an application may be made before the function that it
//! applies is known, and the redex that makes the function's symbol may be newer. But a redex is reduced only when the
//! symbol is there, and what it makes is newer than both; so nodes are taken in the order of creation, and one whose
//! symbol is newer is taken right after its symbol.

use super::columns::column;
use super::functions::Applied;
use super::gather::{Gathered, Ids, Kind, NONE, Outcome};
use super::rules::Rules;
use super::{Options, View, ViewError};
use crate::run::Trail;
use crate::run::model::{NodeId, Tables};

/// The nodes of the tree, each after its parent; the root is the first.
#[derive(Debug)]
pub(super) struct Selected<'t> {
    pub(super) view: View,
    pub(super) ids: Ids,
    /// By number of gathered node: its place here, or the place of the one under which its children hang.
    pub(super) place: Vec<u32>,
    /// By number of gathered node: whether it is in the tree.
    pub(super) chosen: Bits,
    /// The parent's place; of the root, 0.
    pub(super) parent: Vec<u32>,
    /// The rank among the parent's children.
    pub(super) rank: Vec<u32>,
    /// The rule, and in the highest bit whether it ended in an exception.
    pub(super) rule: Vec<u32>,
    /// Constants of the program: the function, and the place.
    pub(super) constants: Vec<(u32, u32)>,
    pub(super) rules: Rules<'t>,
}

/// The bit of [`Selected::rule`].
pub(super) const RAISED: u32 = 1 << 31;

/// Chooses the nodes.
pub(super) fn select<'t>(
    trail: &Trail,
    mut gathered: Gathered,
    rules: Rules<'t>,
    options: &Options,
) -> Result<Selected<'t>, ViewError> {
    let view = match options.view {
        View::Auto if gathered.functions => View::Fdt,
        View::Auto => View::Edt,
        view => view,
    };
    let recorded: Vec<bool> = trail.tables().functions.iter().map(|function| function.recorded).collect();
    let callees = callees(&mut gathered, trail.tables());
    let mut selection = Selection {
        root: NONE,
        orphans: NONE,
        place: column(gathered.shape.len()),
        chosen: Bits::new(gathered.shape.len()),
        parent: vec![0],
        rank: vec![0],
        rule: vec![0],
        constants: Vec::new(),
        gathered,
        recorded,
        callees,
        view,
        rules,
    };
    selection.root = match options.start {
        Some(start) => selection.at_or_above(trail, start),
        None => {
            // What nobody made hangs under the root, unless only a part of the run is wanted.
            selection.orphans = 0;
            selection.whole(trail.tables())
        }
    }
    .ok_or(ViewError::Empty)?;
    selection.run();
    let Selection { place, chosen, parent, rank, rule, constants, rules, gathered, .. } = selection;
    Ok(Selected { view, ids: gathered.ids, place, chosen, parent, rank, rule, constants, rules })
}

/// What an application applies, if it is a redex.
#[derive(Clone, Copy, Debug)]
struct Callee {
    function: u32,
    /// The node of the function's symbol; [`NONE`] if there is none.
    symbol: u32,
}

/// For every application in order, what it applies; [`NONE`] if it is no redex.
fn callees(gathered: &mut Gathered, tables: &Tables) -> Vec<Callee> {
    let applied = std::mem::take(&mut gathered.applied);
    let mut applied = applied.into_iter();
    let mut callees = Vec::with_capacity(applied.len());
    for number in 0..gathered.shape.len() as u32 {
        let form = *gathered.form(number);
        if form.kind != Kind::Apply {
            continue;
        }
        let node = applied.next().unwrap_or(NONE);
        let mut callee = Callee { function: NONE, symbol: NONE };
        if gathered.outcome[number as usize] != Outcome::NOTHING
            && let Some(Applied { function, given, symbol }) = gathered.function_of(number, node)
            && let Some(known) = tables.functions.get(function as usize)
            && known.recorded
            && u64::from(given) + u64::from(form.count) == known.parameters.len() as u64 + 1
        {
            callee = Callee { function, symbol };
        }
        callees.push(callee);
    }
    callees
}

struct Selection<'t> {
    gathered: Gathered,
    /// By function.
    recorded: Vec<bool>,
    callees: Vec<Callee>,
    view: View,
    /// The root's number.
    root: u32,
    /// The place of whoever has no parent.
    orphans: u32,
    place: Vec<u32>,
    chosen: Bits,
    parent: Vec<u32>,
    rank: Vec<u32>,
    rule: Vec<u32>,
    constants: Vec<(u32, u32)>,
    rules: Rules<'t>,
}

impl Selection<'_> {
    /// The function of a node, if that is a redex; `application` is its number among the applications.
    fn redex(&self, number: u32, application: usize) -> Option<Callee> {
        if self.gathered.outcome[number as usize] == Outcome::NOTHING {
            return None;
        }
        let form = self.gathered.form(number);
        match form.kind {
            Kind::Call | Kind::Constant if self.recorded[form.function as usize] => {
                Some(Callee { function: form.function, symbol: NONE })
            }
            Kind::Apply => self.callees.get(application).copied().filter(|callee| callee.function != NONE),
            _ => None,
        }
    }

    /// The redexes in the order of creation, with their numbers among the applications.
    fn redexes(&self) -> impl Iterator<Item = (u32, Callee)> + '_ {
        let mut application = 0;
        (0..self.gathered.shape.len() as u32).filter_map(move |number| {
            let redex = self.redex(number, application);
            application += usize::from(self.gathered.form(number).kind == Kind::Apply);
            redex.map(|callee| (number, callee))
        })
    }

    /// The root of the whole run: `main`, if that was run; else whatever was asked for first.
    fn whole(&self, tables: &Tables) -> Option<u32> {
        let named = |callee: &Callee| tables.functions[callee.function as usize].name == "main";
        let of_nobody = || self.redexes().filter(|(number, _)| self.gathered.parent[*number as usize] == NONE);
        let main = of_nobody().find(|(_, callee)| named(callee));
        main.or_else(|| of_nobody().next()).or_else(|| self.redexes().next()).map(|(number, _)| number)
    }

    /// The redex that a node of the trail is, or is on behalf of.
    fn at_or_above(&self, trail: &Trail, start: NodeId) -> Option<u32> {
        let mut redexes = Bits::new(self.gathered.shape.len());
        self.redexes().for_each(|(number, _)| redexes.set(number));
        let mut id = start;
        while id != NodeId::NONE {
            let number = self.gathered.ids.number(id);
            if number != NONE && redexes.has(number) {
                return Some(number);
            }
            // Parents are older, so that this ends; damage does not make it go on.
            id = Some(trail.parent(id)).filter(|parent| *parent < id)?;
        }
        None
    }

    fn run(&mut self) {
        let mut late = self.late();
        late.sort_unstable_by(|one, other| other.cmp(one));
        let mut is_late = Bits::new(self.gathered.shape.len());
        late.iter().for_each(|(_, number, _)| is_late.set(*number));
        let mut application = 0;
        for number in 0..self.gathered.shape.len() as u32 {
            if late.is_empty() || !is_late.has(number) {
                self.take(number, application);
            }
            application += usize::from(self.gathered.form(number).kind == Kind::Apply);
            while let Some((_, number, application)) = late.pop_if(|(after, ..)| *after == number) {
                self.take(number, application);
            }
        }
    }

    /// Applications that must be taken later than they were made: after whom, which, its number among applications.
    fn late(&self) -> Vec<(u32, u32, usize)> {
        if self.view == View::Edt {
            return Vec::new();
        }
        let applications = (0..self.gathered.shape.len() as u32)
            .filter(|number| self.gathered.form(*number).kind == Kind::Apply)
            .zip(0..);
        applications
            .filter_map(|(number, application)| {
                let symbol = self.callees[application].symbol;
                (symbol != NONE && symbol > number).then_some((symbol, number, application))
            })
            .collect()
    }

    /// Finds the place of a node.
    fn take(&mut self, number: u32, application: usize) {
        let at = number as usize;
        let redex = self.redex(number, application);
        if number == self.root {
            self.place[at] = 0;
            self.chosen.set(number);
            let function = redex.map_or(0, |redex| redex.function);
            self.rule[0] = self.rule_of(number, function);
            return;
        }
        let (made, rank) = match redex {
            Some(Callee { symbol, .. }) if symbol != NONE && self.view == View::Fdt => {
                (symbol, self.gathered.form(symbol).symbol_rank)
            }
            _ => (number, self.gathered.form(number).rank),
        };
        let above = match self.gathered.parent[made as usize] {
            NONE => self.orphans,
            parent => self.place[parent as usize],
        };
        self.place[at] = above;
        if let Some(Callee { function, .. }) = redex
            && above != NONE
        {
            self.place[at] = self.parent.len() as u32;
            self.chosen.set(number);
            self.parent.push(above);
            self.rank.push(rank);
            let rule = self.rule_of(number, function);
            self.rule.push(rule);
            if self.gathered.form(number).kind == Kind::Constant {
                self.constants.push((function, self.place[at]));
            }
        }
    }

    fn rule_of(&mut self, number: u32, function: u32) -> u32 {
        let outcome = self.gathered.outcome[number as usize];
        let mut raised = outcome.is_raised();
        if self.gathered.raised && outcome.is_value() {
            let last = self.gathered.last(number);
            raised = last != NONE && self.gathered.outcome[last as usize].is_raised();
        }
        self.rules.find(function, outcome.equation()) | if raised { RAISED } else { 0 }
    }
}

/// A bit for every number.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    #[inline]
    fn set(&mut self, number: u32) {
        self.0[(number >> 6) as usize] |= 1 << (number & 63);
    }

    #[inline]
    pub(super) fn has(&self, number: u32) -> bool {
        self.0[(number >> 6) as usize] >> (number & 63) & 1 == 1
    }
}
