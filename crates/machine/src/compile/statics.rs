//! Dictionaries that are known at compile time.
//!
//! A [`Static`] is a function with arguments that are statics again: an instance (`Show [Int]`), or a method of one. A
//! method of a known instance is called directly, and an overloaded function that is called with known instances is
//! compiled for these: its code has no dictionaries in it. The terms are kept once, so that equal ones have equal numbers.

use gadfly_core::kernel::{Atom, ConId, Expr, ExprId, FunId, Hidden, Origin, Pattern, Program, VarId};
use rustc_hash::FxHashMap;

/// The number of a [`Static`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StaticId(u32);

impl StaticId {
    pub(crate) fn from_index(index: u32) -> StaticId {
        StaticId(index)
    }

    pub(crate) fn index(self) -> u32 {
        self.0
    }
}

/// A function with some of its arguments, or all of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Static {
    pub(crate) function: FunId,
    pub(crate) arguments: Box<[StaticId]>,
}

/// An instance inside an instance deeper than this is made when the program runs: polymorphic recursion has no end.
const DEPTH: u32 = 6;

/// All statics.
#[derive(Debug, Default)]
pub(crate) struct Statics {
    rows: Vec<(Static, u32)>,
    ids: FxHashMap<Static, StaticId>,
    /// What a method or superclass of an instance is.
    selected: FxHashMap<(StaticId, u32), Option<StaticId>>,
}

impl Statics {
    pub(crate) fn get(&self, id: StaticId) -> &Static {
        &self.rows[id.0 as usize].0
    }

    /// A function with arguments; `None` if that goes too deep.
    pub(crate) fn add(
        &mut self,
        program: &Program,
        function: FunId,
        arguments: &[StaticId],
    ) -> Option<StaticId> {
        // A constant that stands for an instance with arguments is that.
        if arguments.is_empty()
            && program.function(function).origin == Origin::Hidden(Hidden::Dictionary)
            && let Expr::Call(of, inner) = program.expr(program.function(function).body)
        {
            let inner = program.list(inner).iter().map(|argument| match argument.atom {
                Atom::Function(inner) => self.add(program, inner, &[]),
                _ => None,
            });
            if let Some(inner) = inner.collect::<Option<Vec<_>>>() {
                return self.add(program, of, &inner);
            }
        }
        let depth = arguments.iter().map(|id| self.rows[id.0 as usize].1 + 1).max().unwrap_or(0);
        if depth > DEPTH {
            return None;
        }
        let row = Static { function, arguments: arguments.into() };
        if let Some(&id) = self.ids.get(&row) {
            return Some(id);
        }
        let id = StaticId(self.rows.len() as u32);
        self.rows.push((row.clone(), depth));
        self.ids.insert(row, id);
        Some(id)
    }

    /// A field of a known dictionary.
    pub(crate) fn select(&mut self, program: &Program, dictionary: StaticId, field: u32) -> Option<StaticId> {
        if let Some(&known) = self.selected.get(&(dictionary, field)) {
            return known;
        }
        // Instances that lead to themselves end here.
        self.selected.insert((dictionary, field), None);
        let found = self.find_field(program, dictionary, field);
        self.selected.insert((dictionary, field), found);
        found
    }

    fn find_field(&mut self, program: &Program, dictionary: StaticId, field: u32) -> Option<StaticId> {
        let Static { function, arguments } = self.get(dictionary).clone();
        let info = program.function(function);
        if info.parameters.len() != arguments.len() {
            return None;
        }
        let mut known: FxHashMap<VarId, StaticId> = info
            .parameters
            .iter()
            .map(|parameter| parameter.variable)
            .zip(arguments.iter().copied())
            .collect();
        let mut bound: FxHashMap<VarId, ExprId> = FxHashMap::default();
        let mut at = info.body;
        let fields = loop {
            match program.expr(at) {
                Expr::Let(bindings, body) => {
                    bound.extend(program.list(bindings).iter().map(|one| (one.variable, one.value)));
                    at = body;
                }
                Expr::Rule { body, .. } => at = body,
                Expr::Atom(Atom::Variable(variable)) => {
                    // The dictionary itself has a name.
                    known.insert(variable, dictionary);
                    at = *bound.get(&variable)?;
                }
                Expr::Construct(_, fields) => break fields,
                _ => return None,
            }
        };
        let atom = program.list(fields).get(field as usize)?.atom;
        self.atom(program, atom, &known, &bound, 0)
    }

    /// What an atom of a dictionary is.
    fn atom(
        &mut self,
        program: &Program,
        atom: Atom,
        known: &FxHashMap<VarId, StaticId>,
        bound: &FxHashMap<VarId, ExprId>,
        depth: u32,
    ) -> Option<StaticId> {
        if depth > 2 * DEPTH {
            return None;
        }
        match atom {
            Atom::Function(function) => self.add(program, function, &[]),
            Atom::Variable(variable) => {
                if let Some(&id) = known.get(&variable) {
                    return Some(id);
                }
                match program.expr(*bound.get(&variable)?) {
                    Expr::Atom(other) => self.atom(program, other, known, bound, depth + 1),
                    Expr::Call(function, arguments) | Expr::Partial(function, arguments) => {
                        let arguments: Option<Vec<StaticId>> = program
                            .list(arguments)
                            .iter()
                            .map(|argument| self.atom(program, argument.atom, known, bound, depth + 1))
                            .collect();
                        let arguments = arguments?;
                        match selector(program, function) {
                            Some(field) if arguments.len() == 1 => self.select(program, arguments[0], field),
                            _ => self.add(program, function, &arguments),
                        }
                    }
                    _ => None,
                }
            }
            Atom::Literal(_) | Atom::Constructor(_) => None,
        }
    }
}

/// Which field of a dictionary a function selects, if that is what it does.
pub(crate) fn selector(program: &Program, function: FunId) -> Option<u32> {
    let info = program.function(function);
    if info.origin != Origin::Hidden(Hidden::Selector) || info.parameters.len() != 1 {
        return None;
    }
    selected_field(program, info.body, info.parameters[0].variable).map(|(_, field)| field)
}

/// Which field of a variable an expression selects, and of which constructor, if that is all it does.
pub(crate) fn selected_field(program: &Program, expr: ExprId, of: VarId) -> Option<(ConId, u32)> {
    let Expr::Case(case) = program.expr(expr) else { return None };
    let Expr::Atom(Atom::Variable(scrutinee)) = program.expr(case.scrutinee) else { return None };
    let [alternative] = program.list(case.alternatives) else { return None };
    let Pattern::Constructor(constructor, variables) = alternative.pattern else { return None };
    let mut body = alternative.body;
    while let Expr::Rule { body: inner, .. } = program.expr(body) {
        body = inner;
    }
    let Expr::Atom(Atom::Variable(result)) = program.expr(body) else { return None };
    if scrutinee != of || program.siblings(constructor).len() != 1 {
        return None;
    }
    let field = program.list(variables).iter().position(|&variable| variable == result)?;
    Some((constructor, field as u32))
}
