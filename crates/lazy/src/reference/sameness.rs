//! What is the same in a program and in its reference, with everything that it calls.
//!
//! Two functions are the same if their kernels are, up to the names of variables, and if what they call is: pairs of
//! functions are compared as they are met, each pair once, and where one pair differs, so do all that lead to it. Which
//! function of the other program is meant is asked only at the start, for the functions that people know, by module and
//! path; from there on it is the one that stands in the same place.
//!
//! What follows from it: a function that is the same gives the same for the same arguments, so that what was recorded of it
//! is right and needs no evaluation, and a rule of it is no bug. That holds as long as no functions come in from elsewhere,
//! as arguments or in dictionaries, that are not the same: [`Sameness::is_certain`] looks for them.

use super::good::Good;
use gadfly_core::kernel::{
    Argument, Atom, Case, ConId, Expr, ExprId, FunId, Hidden, List, LiteralId, Origin, Pattern, Program,
    VarId,
};
use gadfly_term::{Equation, Shape, TermId};
use gadfly_tree::Rule;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is the same in two programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sameness {
    /// The program's functions by module and path: whether they are the same.
    functions: FxHashMap<(String, Vec<Box<str>>), bool>,
    /// Those that differ by themselves, not only in what they call.
    themselves: FxHashSet<(String, Vec<Box<str>>)>,
    /// The names of functions that differ, as values are called.
    differing: FxHashSet<String>,
    /// Whether a lambda expression or a section differs.
    nameless_differ: bool,
    /// Instances by module and name: whether all their methods are the same.
    instances: FxHashMap<String, bool>,
}

impl Sameness {
    /// Compares a program with its reference.
    pub(super) fn of(original: &Good<'_>, reference: &Good<'_>) -> Sameness {
        let mut comparison = Comparison {
            original: &original.lowered.program,
            reference: &reference.lowered.program,
            users: FxHashMap::default(),
            differing: Vec::new(),
        };
        let theirs = reference.paths();
        let pairs = original.paths().into_iter().map(|(key, function)| {
            let other = theirs.get(&key).copied();
            (key, function, other)
        });
        let pairs: Vec<_> = pairs.collect();
        let instances: Vec<(String, FunId, Option<FunId>)> = {
            let theirs = instances(&reference.lowered.program);
            let ours = instances(&original.lowered.program).into_iter();
            ours.filter_map(|(name, function)| {
                let other = theirs.get(&name).copied().flatten();
                Some((name, function?, other))
            })
            .collect()
        };
        let starts = pairs.iter().filter_map(|(_, function, other)| Some((*function, (*other)?)));
        let more = instances.iter().filter_map(|(_, function, other)| Some((*function, (*other)?)));
        comparison.explore(starts.chain(more).collect());
        let different = comparison.different();
        let is_same = |function: FunId, other: Option<FunId>| {
            other.is_some_and(|other| !different.contains(&(function, other)))
        };
        let mut found = Sameness::default();
        let themselves: FxHashSet<FunId> = comparison
            .differing
            .iter()
            .map(|(function, _)| shown(&original.lowered.program, *function))
            .collect();
        for (key, function, other) in pairs {
            let same = is_same(function, other);
            let info = original.lowered.program.function(function);
            if !same {
                match info.origin {
                    Origin::Lambda | Origin::Section => found.nameless_differ = true,
                    _ => drop(found.differing.insert(original.lowered.program.text(info.name).to_owned())),
                }
            }
            if other.is_none() || themselves.contains(&function) {
                found.themselves.insert(key.clone());
            }
            found.functions.insert(key, same);
        }
        found.instances =
            instances.into_iter().map(|(name, function, other)| (name, is_same(function, other))).collect();
        found
    }

    /// Whether the function of a rule is the same, with everything that it calls; `None` if that is not known.
    pub(crate) fn of_rule(&self, rule: &Rule) -> Option<bool> {
        self.functions.get(&key(rule)).copied()
    }

    /// Whether the function of a rule differs by itself, and not only in what it calls.
    pub(super) fn differs_itself(&self, rule: &Rule) -> bool {
        self.themselves.contains(&key(rule))
    }

    /// Whether an equation of a rule is right for certain, because nothing that took part in it differs.
    pub(super) fn is_certain(&self, rule: &Rule, equation: &Equation) -> bool {
        if self.of_rule(rule) != Some(true) {
            return false;
        }
        let mut work: Vec<TermId> = equation.arguments.iter().map(|argument| argument.value).collect();
        work.extend(equation.before.iter().map(|binding| binding.value));
        self.are_instances_same(equation) && self.are_same(equation, work)
    }

    fn are_instances_same(&self, equation: &Equation) -> bool {
        let mut work = equation.instances.clone();
        while let Some(term) = work.pop() {
            let Shape::Con(name, needs) = equation.terms.shape(term) else { return false };
            // An instance of the library is that of the reference as well.
            if self.instances.get(name).is_some_and(|same| !same) {
                return false;
            }
            work.extend(needs);
        }
        true
    }

    /// Whether no value in some terms is a function that differs, or may be one. A finite map is what it says, whichever
    /// function it was.
    fn are_same(&self, equation: &Equation, mut work: Vec<TermId>) -> bool {
        let terms = &equation.terms;
        let mut seen = FxHashSet::default();
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.shape(term) {
                Shape::Omitted(_) | Shape::Object(..) => return false,
                Shape::Opaque(text) if !text.starts_with('⊥') => return false,
                Shape::Function(name, _) if !self.is_same_named(name) => return false,
                Shape::Record(name, _) if name.starts_with(|c: char| c.is_lowercase() || c == '_') => {
                    if !self.is_same_named(name) {
                        return false;
                    }
                    work.extend(terms.children(term));
                }
                _ => work.extend(terms.children(term)),
            }
        }
        true
    }

    fn is_same_named(&self, name: &str) -> bool {
        let bare = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(name);
        let is_name = bare.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
            || bare.chars().all(|c| !c.is_alphanumeric() && !c.is_whitespace() && c != '…');
        match is_name {
            true => !self.differing.contains(bare),
            false => !self.nameless_differ,
        }
    }
}

/// The module and the path of a rule's function.
fn key(rule: &Rule) -> (String, Vec<Box<str>>) {
    let path = match rule.path.is_empty() {
        true => vec![rule.function.clone()],
        false => rule.path.to_vec(),
    };
    (rule.module.as_deref().unwrap_or_default().to_owned(), path)
}

/// A function, or the one around it that people see it as a part of.
fn shown(program: &Program, mut function: FunId) -> FunId {
    while program.function(function).origin.is_hidden()
        && let Some(parent) = program.function(function).parent
    {
        function = parent;
    }
    function
}

/// The functions that make dictionaries, by module and name; `None` where two have the same.
fn instances(program: &Program) -> FxHashMap<String, Option<FunId>> {
    let mut found: FxHashMap<String, Option<FunId>> = FxHashMap::default();
    for (id, function) in program.functions() {
        if function.origin == Origin::Hidden(Hidden::Dictionary) {
            let name = instance_name(program, id);
            found.entry(name).and_modify(|one| *one = None).or_insert(Some(id));
        }
    }
    found
}

/// What an equation calls the function that makes a dictionary.
pub(super) fn instance_name(program: &Program, id: FunId) -> String {
    let function = program.function(id);
    format!("{}.{}", program.text(program.module(function.module).name), program.text(function.name))
}

/// Two programs, and what was found out about pairs of their functions.
struct Comparison<'p> {
    original: &'p Program,
    reference: &'p Program,
    /// For every pair that was met: the pairs that it was met in.
    users: FxHashMap<(FunId, FunId), Vec<(FunId, FunId)>>,
    /// Pairs that differ by themselves.
    differing: Vec<(FunId, FunId)>,
}

/// Two functions that are compared.
struct Pair<'m> {
    /// The variables of the one by those of the other.
    variables: FxHashMap<VarId, VarId>,
    met: &'m mut Vec<(FunId, FunId)>,
}

impl Comparison<'_> {
    /// Compares pairs of functions, and all pairs that they lead to.
    fn explore(&mut self, starts: Vec<(FunId, FunId)>) {
        for start in &starts {
            self.users.entry(*start).or_default();
        }
        let mut work: Vec<(FunId, FunId)> = self.users.keys().copied().collect();
        let mut met = Vec::new();
        while let Some(pair) = work.pop() {
            met.clear();
            if !self.is_alike(pair.0, pair.1, &mut met) {
                self.differing.push(pair);
            }
            for &called in &met {
                self.users
                    .entry(called)
                    .or_insert_with(|| {
                        work.push(called);
                        Vec::new()
                    })
                    .push(pair);
            }
        }
    }

    /// The pairs that differ, or lead to one that does.
    fn different(&self) -> FxHashSet<(FunId, FunId)> {
        let mut found: FxHashSet<(FunId, FunId)> = self.differing.iter().copied().collect();
        let mut work = self.differing.clone();
        while let Some(pair) = work.pop() {
            for &user in self.users.get(&pair).into_iter().flatten() {
                if found.insert(user) {
                    work.push(user);
                }
            }
        }
        found
    }

    /// Whether two functions have the same kernel; what they call is noted, and not looked at.
    fn is_alike(&self, a: FunId, b: FunId, met: &mut Vec<(FunId, FunId)>) -> bool {
        let (one, other) = (self.original.function(a), self.reference.function(b));
        let mut pair = Pair { variables: FxHashMap::default(), met };
        let parameters = one.parameters.iter().zip(&other.parameters);
        if one.parameters.len() != other.parameters.len()
            || one.shared != other.shared
            || !parameters.clone().all(|(x, y)| x.role == y.role)
        {
            return false;
        }
        pair.variables.extend(parameters.map(|(x, y)| (x.variable, y.variable)));
        let mut work = vec![(one.body, other.body)];
        while let Some((x, y)) = work.pop() {
            if !self.is_alike_outside(x, y, &mut pair, &mut work) {
                return false;
            }
        }
        true
    }

    /// Whether two expressions are the same but for their parts, which are put to the work.
    fn is_alike_outside(
        &self,
        x: ExprId,
        y: ExprId,
        pair: &mut Pair<'_>,
        work: &mut Vec<(ExprId, ExprId)>,
    ) -> bool {
        let (x, y) = (without_rules(self.original, x), without_rules(self.reference, y));
        match (self.original.expr(x), self.reference.expr(y)) {
            (Expr::Atom(x), Expr::Atom(y)) => self.is_alike_atom(x, y, pair),
            (Expr::Call(f, x), Expr::Call(g, y)) | (Expr::Partial(f, x), Expr::Partial(g, y)) => {
                pair.met.push((f, g));
                self.are_alike(x, y, pair)
            }
            (Expr::Apply(f, x), Expr::Apply(g, y)) => {
                self.is_alike_atom(f, g, pair) && self.are_alike(x, y, pair)
            }
            (Expr::Construct(f, x), Expr::Construct(g, y)) => {
                self.is_alike_constructor(f, g) && self.are_alike(x, y, pair)
            }
            (Expr::Primitive(f, x), Expr::Primitive(g, y)) => {
                self.original.primitive(f) == self.reference.primitive(g) && self.are_alike(x, y, pair)
            }
            (Expr::Let(x, body), Expr::Let(y, other)) => {
                let (x, y) = (self.original.list(x), self.reference.list(y));
                pair.variables.extend(x.iter().zip(y).map(|(x, y)| (x.variable, y.variable)));
                work.extend(x.iter().zip(y).map(|(x, y)| (x.value, y.value)));
                work.push((body, other));
                x.len() == y.len()
            }
            (Expr::Case(x), Expr::Case(y)) => self.is_alike_case(x, y, pair, work),
            (Expr::Or(x), Expr::Or(y)) => {
                let (x, y) = (self.original.list(x), self.reference.list(y));
                work.extend(x.iter().copied().zip(y.iter().copied()));
                x.len() == y.len()
            }
            (Expr::Free(x, body), Expr::Free(y, other)) => {
                let (x, y) = (self.original.list(x), self.reference.list(y));
                pair.variables.extend(x.iter().copied().zip(y.iter().copied()));
                work.push((body, other));
                x.len() == y.len()
            }
            (Expr::Try { first, otherwise }, Expr::Try { first: one, otherwise: other }) => {
                work.extend([(first, one), (otherwise, other)]);
                true
            }
            (Expr::Fall, Expr::Fall) | (Expr::Failure, Expr::Failure) => true,
            (Expr::Error(x, text), Expr::Error(y, other)) => {
                x == y && self.original.text(text) == self.reference.text(other)
            }
            _ => false,
        }
    }

    fn is_alike_case(&self, x: Case, y: Case, pair: &mut Pair<'_>, work: &mut Vec<(ExprId, ExprId)>) -> bool {
        pair.variables.insert(x.variable, y.variable);
        work.push((x.scrutinee, y.scrutinee));
        work.extend(x.default.into_iter().zip(y.default));
        let (ours, theirs) = (self.original.list(x.alternatives), self.reference.list(y.alternatives));
        let alike = ours.iter().zip(theirs).all(|(one, other)| {
            work.push((one.body, other.body));
            match (one.pattern, other.pattern) {
                (Pattern::Constructor(x, fields), Pattern::Constructor(y, others)) => {
                    let (fields, others) = (self.original.list(fields), self.reference.list(others));
                    pair.variables.extend(fields.iter().copied().zip(others.iter().copied()));
                    fields.len() == others.len() && self.is_alike_constructor(x, y)
                }
                (Pattern::Literal(x), Pattern::Literal(y)) => self.is_alike_literal(x, y),
                _ => false,
            }
        });
        alike
            && ours.len() == theirs.len()
            && x.default.is_some() == y.default.is_some()
            && x.flexible == y.flexible
    }

    fn are_alike(&self, x: List<Argument>, y: List<Argument>, pair: &mut Pair<'_>) -> bool {
        let (x, y) = (self.original.list(x), self.reference.list(y));
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.is_alike_atom(x.atom, y.atom, pair))
    }

    fn is_alike_atom(&self, x: Atom, y: Atom, pair: &mut Pair<'_>) -> bool {
        match (x, y) {
            (Atom::Variable(x), Atom::Variable(y)) => pair.variables.get(&x) == Some(&y),
            (Atom::Literal(x), Atom::Literal(y)) => self.is_alike_literal(x, y),
            (Atom::Constructor(x), Atom::Constructor(y)) => self.is_alike_constructor(x, y),
            (Atom::Function(f), Atom::Function(g)) => {
                pair.met.push((f, g));
                true
            }
            _ => false,
        }
    }

    fn is_alike_literal(&self, x: LiteralId, y: LiteralId) -> bool {
        self.original.literal(x) == self.reference.literal(y)
    }

    /// Whether two constructors are the same one of types of the same name with the same constructors.
    fn is_alike_constructor(&self, x: ConId, y: ConId) -> bool {
        let (ours, theirs) = (self.original.siblings(x), self.reference.siblings(y));
        let of = |program: &Program, con: ConId| {
            let info = program.constructor(con);
            let of = program.text(program.data_type(info.of).name).to_owned();
            (program.text(info.name).to_owned(), of, info.tag, info.arity, info.strict.clone())
        };
        ours.len() == theirs.len()
            && of(self.original, x) == of(self.reference, y)
            && ours.iter().zip(theirs).all(|(&x, &y)| of(self.original, x) == of(self.reference, y))
    }
}

/// An expression without the marks that an equation was selected: where the text stands does not matter.
fn without_rules(program: &Program, mut expr: ExprId) -> ExprId {
    while let Expr::Rule { body, .. } = program.expr(expr) {
        expr = body;
    }
    expr
}
