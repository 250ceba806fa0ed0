//! Who is in the tree, and under whom (S2 Def. 12).
//!
//! Every parent must come before its children here, so that the tree can be laid out in passes over columns. In the EDT
//! the order of creation is such an order. In the FDT it is not: an application may be made before the function that it
//! applies is known, and the redex that makes the function's symbol may be newer. But a redex is reduced only when the
//! symbol is there, and what it makes is newer than both; so nodes are taken in the order of creation, and one whose
//! symbol is newer is taken right after its symbol.
//!
//! What is known of the chosen nodes is written over what was gathered: no more nodes are chosen than were looked at.

use super::columns::column;
use super::functions::Applied;
use super::gather::{Form, Gathered, Ids, Kind, NONE, Outcome};
use super::rules::Rules;
use super::{Options, View, ViewError};
use gadfly_trail::Trail;
use gadfly_trail::model::{NodeId, Tables};

/// The nodes of the tree, each after its parent; the root is the first.
#[derive(Debug)]
pub(super) struct Selected<'t> {
    pub(super) ids: Ids,
    /// By number of gathered node, whether it is in the tree.
    pub(super) chosen: Bits,
    /// The root's number.
    pub(super) root: u32,
    /// The places of the others by their numbers, if they are not in the order of their numbers.
    pub(super) places: Option<Vec<u32>>,
    /// The parent's place; of the root, 0.
    pub(super) parent: Vec<u32>,
    /// The rank among the parent's children.
    pub(super) rank: Vec<u32>,
    /// The rule, and in the highest bit whether it ended in an exception.
    pub(super) rule: Vec<Outcome>,
    /// Constants of the program: the function, and the place.
    pub(super) constants: Vec<(u32, u32)>,
    pub(super) rules: Rules<'t>,
    /// A column that is no longer needed.
    pub(super) spare: Vec<u32>,
}

/// The bit of [`Selected::rule`].
pub(super) const RAISED: u32 = 1 << 31;
/// The place of what is not under the root.
const NOWHERE: u32 = u32::MAX;

/// Chooses the nodes; the view is one of the two, not [`View::Auto`].
pub(super) fn select<'t>(
    trail: &Trail,
    mut gathered: Gathered,
    rules: Rules<'t>,
    options: &Options,
) -> Result<Selected<'t>, ViewError> {
    let recorded: Vec<bool> = trail.tables().functions.iter().map(|function| function.recorded).collect();
    let (callees, late) = callees(&mut gathered, trail.tables(), options.view);
    let candidates = Candidates { callees, recorded };
    let root = match options.start {
        Some(start) => candidates.at_or_above(&gathered, trail, start),
        None => candidates.whole(&gathered, trail.tables()),
    };
    let root = root.ok_or(ViewError::Empty)?;
    let raised = raised(&mut gathered);
    let mut place: Vec<u32> = std::mem::take(&mut gathered.to);
    match place.is_empty() {
        true => place = column(gathered.shape.len()),
        false => place.fill(0),
    }
    // What has no parent hangs under the root, unless only a part of the run is wanted.
    place[NONE as usize] = if options.start.is_some() { NOWHERE } else { 0 };
    let mut selection = Selection {
        root,
        chosen: Bits::new(gathered.shape.len()),
        count: 1,
        constants: Vec::new(),
        place,
        gathered,
        raised,
        rules,
    };
    let places = !late.is_empty();
    selection.run(&candidates, late);
    let Selection { chosen, count, constants, place, gathered, rules, .. } = selection;
    let Gathered { ids, shape: mut rank, mut parent, outcome: mut rule, .. } = gathered;
    rank.truncate(count as usize);
    parent.truncate(count as usize);
    rule.truncate(count as usize);
    let (places, spare) = if places { (Some(place), Vec::new()) } else { (None, place) };
    Ok(Selected { ids, chosen, root, places, parent, rank, rule, constants, rules, spare })
}

/// What an application applies, if it is a redex, or (in the FDT) the application of a trusted function value: what that
/// calls back belongs to the redex that made the value's symbol, whose equation shows the value.
#[derive(Clone, Copy, Debug)]
struct Callee {
    /// The function of a redex, or one of the two below.
    function: u32,
    /// Who made the node that was made where the redex hangs: itself, or the function's symbol.
    parent: u32,
    /// The rank of that node there.
    rank: u32,
}

/// No function: not known, or not all arguments are there.
const NO_REDEX: u32 = u32::MAX;
/// No function of the tree: a trusted one.
const TRUSTED: u32 = u32::MAX - 1;

impl Callee {
    const NOTHING: Callee = Callee { function: NO_REDEX, parent: NONE, rank: 0 };

    fn is_redex(&self) -> bool {
        self.function < TRUSTED
    }
}

/// For every application in order, what it applies; and the applications that must be taken later than they were made, the
/// first one last.
fn callees(gathered: &mut Gathered, tables: &Tables, view: View) -> (Vec<Callee>, Vec<Late>) {
    let applied = std::mem::take(&mut gathered.applied);
    let (mut callees, mut late) = (Vec::with_capacity(applied.len()), Vec::new());
    let mut applied = applied.into_iter();
    if applied.len() == 0 {
        return (callees, late);
    }
    for number in 1..gathered.shape.len() as u32 {
        let form = *gathered.form(number);
        if form.kind != Kind::Apply {
            continue;
        }
        let node = applied.next().unwrap_or(NONE);
        let mut callee = Callee::NOTHING;
        if gathered.outcome[number as usize].is_something()
            && let Some(Applied { function, given, symbol }) = gathered.function_of(number, node)
            && let Some(known) = tables.functions.get(function as usize)
        {
            let is_whole = u64::from(given) + u64::from(form.count) == known.parameters.len() as u64 + 1;
            let by_symbol = view == View::Fdt && symbol != NONE;
            let (made, rank) = match by_symbol {
                true => (symbol, gathered.form(symbol).symbol_rank),
                false => (number, form.rank),
            };
            let recorded = known.recorded && is_whole;
            if recorded || by_symbol && !known.recorded {
                let parent = gathered.parent[made as usize];
                callee = Callee { function: if recorded { function } else { TRUSTED }, parent, rank };
            }
            if made > number && callee.function != NO_REDEX {
                let outcome = gathered.outcome[number as usize];
                late.push(Late { after: made, number, outcome, callee });
            }
        }
        callees.push(callee);
    }
    late.sort_unstable_by_key(|late| std::cmp::Reverse((late.after, late.number)));
    (callees, late)
}

/// The nodes whose reductions end in an exception that another node raised.
fn raised(gathered: &mut Gathered) -> Option<Bits> {
    if !gathered.raised {
        return None;
    }
    let mut raised = Bits::new(gathered.shape.len());
    for number in 1..gathered.shape.len() as u32 {
        let last = gathered.last(number);
        if gathered.outcome[last as usize].is_raised() {
            raised.set(number);
        }
    }
    Some(raised)
}

/// Who may be in the tree.
struct Candidates {
    callees: Vec<Callee>,
    /// By function.
    recorded: Vec<bool>,
}

impl Candidates {
    /// What a node is a redex of, if it is one; `application` is its number among the applications.
    #[inline]
    fn redex(&self, form: &Form, outcome: Outcome, parent: u32, application: usize) -> Option<Callee> {
        if !outcome.is_something() {
            return None;
        }
        match form.kind {
            Kind::Call | Kind::Constant if self.recorded[form.function as usize] => {
                Some(Callee { function: form.function, parent, rank: form.rank })
            }
            Kind::Apply => Some(self.applied(application)).filter(Callee::is_redex),
            _ => None,
        }
    }

    /// What an application applies, by its number among the applications.
    #[inline]
    fn applied(&self, application: usize) -> Callee {
        self.callees.get(application).copied().unwrap_or(Callee::NOTHING)
    }

    /// The redexes in the order of creation.
    fn redexes<'g>(&'g self, gathered: &'g Gathered) -> impl Iterator<Item = (u32, Callee)> + 'g {
        let mut application = 0;
        (1..gathered.shape.len() as u32).filter_map(move |number| {
            let (form, at) = (gathered.form(number), number as usize);
            let redex = self.redex(form, gathered.outcome[at], gathered.parent[at], application);
            application += usize::from(form.kind == Kind::Apply);
            redex.map(|callee| (number, callee))
        })
    }

    /// The root of the whole run: `main`, if that was run; else whatever was asked for first.
    fn whole(&self, gathered: &Gathered, tables: &Tables) -> Option<u32> {
        let named = |callee: &Callee| tables.functions[callee.function as usize].name == "main";
        let parentless =
            || self.redexes(gathered).filter(|(number, _)| gathered.parent[*number as usize] == NONE);
        let main = parentless().find(|(_, callee)| named(callee));
        main.or_else(|| parentless().next())
            .or_else(|| self.redexes(gathered).next())
            .map(|(number, _)| number)
    }

    /// The redex that a node of the trail is, or is on behalf of.
    fn at_or_above(&self, gathered: &Gathered, trail: &Trail, start: NodeId) -> Option<u32> {
        let mut redexes = Bits::new(gathered.shape.len());
        self.redexes(gathered).for_each(|(number, _)| redexes.set(number));
        let mut id = start;
        while id != NodeId::NONE {
            let number = gathered.ids.number(id);
            if redexes.has(number) {
                return Some(number);
            }
            // Parents are older, so that this ends; damage does not make it go on.
            id = Some(trail.parent(id)).filter(|parent| *parent < id)?;
        }
        None
    }
}

/// An application that is taken after a newer node, with what is known of it.
struct Late {
    after: u32,
    number: u32,
    outcome: Outcome,
    callee: Callee,
}

struct Selection<'t> {
    gathered: Gathered,
    /// Whose reductions end in an exception.
    raised: Option<Bits>,
    /// The root's number.
    root: u32,
    place: Vec<u32>,
    chosen: Bits,
    /// How many places are taken.
    count: u32,
    constants: Vec<(u32, u32)>,
    rules: Rules<'t>,
}

impl Selection<'_> {
    fn run(&mut self, candidates: &Candidates, mut late: Vec<Late>) {
        let mut waits = Bits::new(if late.is_empty() { 0 } else { self.gathered.shape.len() });
        late.iter().for_each(|late| waits.set(late.number));
        let mut application = 0;
        for number in 1..self.gathered.shape.len() as u32 {
            let at = number as usize;
            let (form, outcome) = (*self.gathered.form(number), self.gathered.outcome[at]);
            if late.is_empty() || !waits.has(number) {
                let parent = self.gathered.parent[at];
                match candidates.redex(&form, outcome, parent, application) {
                    Some(callee) => self.take(number, outcome, &callee, form.kind),
                    // Whatever it made hangs under the node that made it.
                    None => {
                        let above = match form.kind {
                            Kind::Apply => match candidates.applied(application) {
                                Callee { function: TRUSTED, parent, .. } => parent,
                                _ => parent,
                            },
                            _ => parent,
                        };
                        self.place[at] = self.place[above as usize];
                    }
                }
            }
            application += usize::from(form.kind == Kind::Apply);
            while let Some(late) = late.pop_if(|late| late.after == number) {
                match late.callee.is_redex() {
                    true => self.take(late.number, late.outcome, &late.callee, Kind::Apply),
                    false => self.place[late.number as usize] = self.place[late.callee.parent as usize],
                }
            }
        }
    }

    /// Gives a redex its place.
    #[inline]
    fn take(&mut self, number: u32, outcome: Outcome, callee: &Callee, kind: Kind) {
        let above = self.place[callee.parent as usize];
        let place = match number == self.root {
            true => 0,
            false if above == NOWHERE => {
                self.place[number as usize] = NOWHERE;
                return;
            }
            false => {
                self.count += 1;
                self.count - 1
            }
        };
        self.place[number as usize] = place;
        self.chosen.set(number);
        let raised = match &self.raised {
            Some(raised) => raised.has(number),
            None => false,
        };
        let rule = self.rules.find(callee.function, outcome.equation());
        let at = place as usize;
        self.gathered.parent[at] = if place == 0 { 0 } else { above };
        self.gathered.shape[at] = callee.rank;
        self.gathered.outcome[at] = Outcome(rule | if raised { RAISED } else { 0 });
        if kind == Kind::Constant {
            self.constants.push((callee.function, place));
        }
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
