//! References and mutable arrays of an equation: what they hold before is built, and what they hold afterwards is compared.
//!
//! An equation shows a reference by a name, and what it held among the variables before and after. Here it becomes a reference of
//! the reference program's machine, with what it held before; the action is performed on that; and then the reference must
//! hold what the equation says of it afterwards. A reference that the action made is compared where the result mentions it.
//!
//! What changes that is not among what the call can reach (a reference at the top of a module, or one that is hidden in an action which
//! is passed) cannot be built: nothing is known of such an equation.

use super::build::{NOT_TOLD, Stage, Unbuilt};
use super::good::Container;
use super::infer::{Doubt, Typing};
use super::meet::{Met, Pair, Want};
use super::types::{Numbers, Scope, Type};
use gadfly_core::kernel::Literal;
use gadfly_machine::{Found, Recorder, Word};
use gadfly_term::{Equation, Shape, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an equation says of a variable: one that a name stands for, or one that a function has from outside.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// A term that is its name, as where a reference is mentioned.
    pub(super) name: TermId,
    pub(super) before: Option<TermId>,
    pub(super) after: Option<TermId>,
}

/// The variables of one performance, by name.
pub(super) type Variables = FxHashMap<Box<str>, Variable>;

/// The variables of each performance that an equation tells of; at least of one.
pub(super) fn variables(equation: &mut Equation) -> Vec<Variables> {
    let mut rounds = vec![Variables::default()];
    for is_before in [true, false] {
        let bindings = if is_before { &equation.before } else { &equation.after };
        for binding in bindings {
            let (name, round) = binding.round();
            if !(1..=ROUNDS).contains(&round) {
                continue;
            }
            rounds.resize_with(rounds.len().max(round), Variables::default);
            let terms = &mut equation.terms;
            let known = rounds[round - 1].entry(name.into()).or_insert_with(|| Variable {
                name: terms.opaque(name),
                before: None,
                after: None,
            });
            *(if is_before { &mut known.before } else { &mut known.after }) = Some(binding.value);
        }
    }
    rounds
}

/// No more performances are tried.
const ROUNDS: usize = 64;

/// A reference or an array in the machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Built {
    /// While values are built, nothing moves.
    Word(Word, Type),
    /// Which of the words that are held.
    Held(usize, Type),
}

/// The cells of the performance that is tried.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub(super) variables: Variables,
    built: FxHashMap<Box<str>, Built>,
    /// What is to be stored in those that were built.
    pending: Vec<(Word, usize, TermId, Type)>,
    /// Those that the action made, as far as they were met.
    met: FxHashSet<Box<str>>,
    /// The word at the bottom of those that are held; none while values are built.
    held: bool,
}

impl Cells {
    pub(super) fn new(variables: Variables) -> Cells {
        Cells { variables, ..Cells::default() }
    }
}

impl Typing<'_> {
    /// Whether values of a type are references or mutable arrays.
    pub(super) fn is_cell(&mut self, ty: Type) -> bool {
        matches!(self.container(ty), Some(Container::Reference | Container::MutableArray))
    }

    /// The terms and types of what a cell holds by a term; whether they are of such.
    pub(super) fn cell_parts(
        &mut self,
        terms: &Terms,
        held: TermId,
        ty: Type,
    ) -> Option<Vec<(TermId, Type)>> {
        let arguments = self.arguments(ty);
        match (self.container(ty)?, &arguments[..]) {
            (Container::Reference, &[inside]) => Some(vec![(held, inside)]),
            (Container::MutableArray, &[index, element]) => {
                let (bounds, elements) = array(terms, held)?;
                match bounds {
                    Some((low, high)) => {
                        let indices = elements.iter().filter_map(|(index, _)| *index);
                        let indices = indices.chain([low, high]).map(|one| (one, index));
                        let indices: Vec<_> = indices.collect();
                        Some(indices.into_iter().chain(elements.iter().map(|one| (one.1, element))).collect())
                    }
                    None => {
                        let counted = self.types.add_numbers(index, Numbers::Whole);
                        counted.then(|| elements.iter().map(|one| (one.1, element)).collect())
                    }
                }
            }
            _ => None,
        }
    }
}

/// The bounds of an array, if they do not begin at 0, and its elements, with their indices if there are bounds.
type Elements = (Option<(TermId, TermId)>, Vec<(Option<TermId>, TermId)>);

fn array(terms: &Terms, held: TermId) -> Option<Elements> {
    match terms.shape(held) {
        Shape::List(elements) => Some((None, elements.iter().map(|one| (None, *one)).collect())),
        Shape::Con("array", &[bounds, list]) => {
            let (Shape::Tuple(&[low, high]), Shape::List(list)) = (terms.shape(bounds), terms.shape(list))
            else {
                return None;
            };
            let elements = list.iter().map(|one| match terms.shape(*one) {
                Shape::Tuple(&[index, element]) => (Some(index), element),
                _ => (None, *one),
            });
            Some((Some((low, high)), elements.collect()))
        }
        _ => None,
    }
}

fn is_omitted(terms: &Terms, term: TermId) -> bool {
    matches!(terms.shape(term), Shape::Omitted(_))
}

impl<R: Recorder<0>> Stage<'_, '_, '_, R> {
    /// Whether a term is the name of a variable.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.cells.variables.contains_key(name)
    }

    /// The reference or the array of a name.
    pub(super) fn cell(&mut self, name: &str, ty: Type) -> Result<Word, Unbuilt> {
        match self.cells.built.get(name) {
            Some(Built::Word(word, _)) => return Ok(*word),
            Some(Built::Held(row, _)) => return Ok(self.machine.held_at(*row)),
            None => {}
        }
        let before = self.cells.variables.get(name).and_then(|variable| variable.before);
        let (Some(held), false) = (before, self.cells.held) else {
            return Ok(self.machine.unknown(self.asking, NOT_TOLD)?);
        };
        let word = match self.typing.container(ty) {
            Some(Container::Reference) => {
                let inside = self.typing.arguments(ty).first().copied();
                let inside = inside.unwrap_or_else(|| self.typing.types.open());
                let word = self.machine.array(&[Word::char(0)])?;
                self.cells.pending.push((word, 0, held, inside));
                word
            }
            Some(Container::MutableArray) => self.mutable_array(held, ty)?,
            _ => return Err(Doubt::new(format!("what `{name}` is cannot be told")).into()),
        };
        self.cells.built.insert(name.into(), Built::Word(word, ty));
        Ok(word)
    }

    fn mutable_array(&mut self, held: TermId, ty: Type) -> Result<Word, Unbuilt> {
        let untold = || Unbuilt::from(Doubt::new("the question does not say everything that an array holds"));
        let (bounds, elements) = array(&self.terms, held).ok_or_else(untold)?;
        if elements.iter().any(|(_, element)| is_omitted(&self.terms, *element)) {
            return Err(untold());
        }
        let &[index, element] = &self.typing.arguments(ty)[..] else { return Err(untold()) };
        let (low, high) = match bounds {
            Some((low, high)) => (self.build(low, index)?, self.build(high, index)?),
            None => {
                let low = self.literal("0", index)?;
                let high = self.literal(&(elements.len() as i64 - 1).to_string(), index)?;
                (self.machine.literal(&low)?, self.machine.literal(&high)?)
            }
        };
        let con = self.container_con(ty, "MutableArray")?;
        let size = self.machine.literal(&Literal::Int(elements.len() as i64))?;
        let slots = self.machine.array(&vec![Word::char(0); elements.len()])?;
        for (slot, (_, one)) in elements.into_iter().enumerate() {
            self.cells.pending.push((slots, slot, one, element));
        }
        Ok(self.machine.construct(con, &[low, high, size, slots])?)
    }

    /// Evaluates the constants of the program that are called like variables of the equation, and holds them; what they hold is
    /// stored with what the others hold.
    pub(super) fn find_globals(&mut self) -> Result<(), Met> {
        let named = self.cells.variables.iter().filter(|(_, variable)| variable.before.is_some());
        let named = named.filter_map(|(name, _)| Some((name.clone(), *self.good.global_cells.get(&**name)?)));
        let mut named: Vec<_> = named.collect();
        named.sort_unstable();
        for (name, function) in named {
            let constant = self.machine.function(function);
            self.machine.hold(constant);
            let cell = self.evaluate(false)?;
            let signature = self.good.signature(&mut self.typing.types, function, &mut Scope::default());
            self.cells.built.insert(name, Built::Held(self.machine.held(), signature.result));
            self.machine.hold(cell);
        }
        Ok(())
    }

    /// Whether a constant was used that is a reference, of which the equation does not tell what it holds.
    pub(super) fn used_untold_global(&mut self) -> bool {
        let untold = self.good.global_cells.iter().filter(|(name, _)| !self.is_variable(name));
        let untold: Vec<_> = untold.map(|(_, constant)| *constant).collect();
        untold.into_iter().any(|constant| self.machine.is_evaluated(constant))
    }

    /// What the constants are to hold is among what is to be stored.
    fn refill_globals(&mut self) -> Result<(), Unbuilt> {
        let globals: Vec<(Box<str>, Built)> =
            self.cells.built.iter().map(|(name, built)| (name.clone(), *built)).collect();
        for (name, built) in globals {
            let (Built::Held(row, ty), Some(held)) = (built, self.cells.variables[&name].before) else {
                continue;
            };
            let untold =
                || Unbuilt::from(Doubt::new("the question does not say everything that a constant holds"));
            let slots = self.slots(self.machine.held_at(row)).ok_or_else(untold)?;
            let Found::Array(count) = self.machine.look(self.asking, slots) else { return Err(untold()) };
            let arguments = self.typing.arguments(ty);
            let (elements, of) = match (self.typing.container(ty), &arguments[..]) {
                (Some(Container::Reference), &[inside]) => (vec![held], inside),
                (Some(Container::MutableArray), &[_, element]) => {
                    let (_, elements) = array(&self.terms, held).ok_or_else(untold)?;
                    (elements.into_iter().map(|(_, element)| element).collect(), element)
                }
                _ => return Err(untold()),
            };
            if elements.len() != count || elements.iter().any(|one| is_omitted(&self.terms, *one)) {
                return Err(untold());
            }
            for (slot, one) in elements.into_iter().enumerate() {
                self.cells.pending.push((slots, slot, one, of));
            }
        }
        Ok(())
    }

    /// Stores in the cells that were built what they hold, which may be others, and holds all of them.
    pub(super) fn fill_cells(&mut self) -> Result<(), Unbuilt> {
        self.refill_globals()?;
        while let Some((word, slot, term, ty)) = self.cells.pending.pop() {
            let value = self.build(term, ty)?;
            self.machine.store(word, slot, value);
        }
        self.cells.held = true;
        for built in self.cells.built.values_mut() {
            if let Built::Word(word, ty) = *built {
                *built = Built::Held(self.machine.held(), ty);
                self.machine.hold(word);
            }
        }
        Ok(())
    }

    /// A reference or an array is to be one of a name.
    pub(super) fn compare_cell(
        &mut self,
        value: Word,
        name: &str,
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        if let Some(Built::Held(row, _)) = self.cells.built.get(name) {
            let known = self.machine.held_at(*row);
            let is_it = self.slots(known) == self.slots(value);
            return if is_it { Ok(()) } else { Err(Met::Different) };
        }
        if !self.cells.met.insert(name.into()) {
            return Ok(());
        }
        match self.cells.variables.get(name).and_then(|variable| variable.after) {
            Some(held) => self.put(pairs, value, Want::Held(held), ty),
            None => self.opaque = true,
        }
        Ok(())
    }

    /// The object that holds what is in a reference or an array.
    fn slots(&self, cell: Word) -> Option<Word> {
        match self.machine.look(self.asking, cell) {
            Found::Array(_) => Some(self.machine.followed(cell)),
            Found::Constructor(_) => self.machine.field(cell, 3).map(|slots| self.machine.followed(slots)),
            _ => None,
        }
    }

    /// Compares what a reference or an array holds.
    pub(super) fn compare_held(
        &mut self,
        value: Word,
        held: TermId,
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        let unclear = || Met::Unclear(Doubt::new("what a reference holds cannot be compared"));
        let slots = self.slots(value).ok_or_else(unclear)?;
        let Found::Array(count) = self.machine.look(self.asking, slots) else { return Err(unclear()) };
        let arguments = self.typing.arguments(ty);
        let (elements, element) = match (self.typing.container(ty), &arguments[..]) {
            (Some(Container::Reference), &[inside]) => (vec![held], inside),
            (Some(Container::MutableArray), &[_, element]) => {
                let (bounds, elements) = array(&self.terms, held).ok_or_else(unclear)?;
                if elements.iter().any(|(_, element)| is_omitted(&self.terms, *element)) {
                    return Err(unclear());
                }
                if let Some((low, high)) = bounds {
                    for (row, bound) in [(1, high), (0, low)] {
                        let word = self.machine.field(value, row).unwrap_or(Word::char(0));
                        self.put(pairs, word, Want::Term(bound), arguments[0]);
                    }
                }
                (elements.into_iter().map(|(_, element)| element).collect(), element)
            }
            _ => return Err(unclear()),
        };
        if count != elements.len() {
            return Err(Met::Different);
        }
        for (row, one) in elements.into_iter().enumerate().rev() {
            let word = self.machine.field(slots, row).unwrap_or(Word::char(0));
            self.put(pairs, word, Want::Term(one), element);
        }
        Ok(())
    }

    /// After an action: whether the cells that were built hold what they should, and everything that changed is among them. `captured`
    /// says of a name that it is a variable from outside which is no reference.
    pub(super) fn meet_cells(&mut self, captured: impl Fn(&str) -> bool) -> Met {
        let mut names: Vec<Box<str>> = self.cells.variables.keys().cloned().collect();
        names.sort_unstable();
        for name in names {
            let variable = self.cells.variables[&name].clone();
            match (self.cells.built.get(&name).copied(), variable.after) {
                (Some(Built::Held(row, ty)), Some(held)) => {
                    self.machine.hold(self.machine.held_at(row));
                    let met = self.meet_with(Want::Held(held), ty);
                    if !matches!(met, Met::Same) {
                        return met;
                    }
                }
                (Some(_), _) => {}
                // A variable from outside that is no reference, as one is that only stands before.
                (None, None) => {}
                (None, after) if after == variable.before || captured(&name) => {}
                (None, _) if self.cells.met.contains(&name) => {}
                (None, _) => {
                    return Met::Unclear(Doubt::new(format!("what `{name}` is cannot be told")));
                }
            }
        }
        Met::Same
    }
}
