//! At which instances the reference uses its overloaded functions.
//!
//! A recorded value does not tell its type: a number may be of several, and a `newtype` leaves no trace at all. But an
//! overloaded function is mostly used at one type or two, and the program says which: dictionaries are passed from the places
//! where they are known. Here they are followed through the kernel, from calls with constant dictionaries to the calls that
//! pass them on, until nothing new is found.

use super::types::Plan;
use gadfly_core::Lowered;
use gadfly_core::kernel::{Atom, Expr, ExprId, FunId, Hidden, Origin, Pattern, Program, Role, VarId};
use gadfly_typing::interface::{DictId, Dictionary, InstanceId, Notes, Program as Typed};
use rustc_hash::{FxHashMap, FxHashSet};

/// The dictionaries that a function is given, in the order of its parameters, as far as they are known.
pub(crate) type Given = Vec<Option<Plan>>;

/// By function.
pub(crate) type Uses = FxHashMap<FunId, Vec<Given>>;

/// No more different uses of a function are noted.
const MOST: usize = 12;
/// Instances inside of instances are followed no deeper: polymorphic recursion has no end.
const DEPTH: u32 = 10;

/// Finds the uses of all functions.
pub(super) fn uses(typed: &Typed, lowered: &Lowered) -> Uses {
    let instances = lowered.instances.iter().enumerate();
    let instances = instances.filter_map(|(row, function)| Some(((*function)?, InstanceId::from_index(row))));
    let mut search = Search {
        typed,
        lowered,
        program: &lowered.program,
        instances: instances.collect(),
        sites: FxHashMap::default(),
        uses: Uses::default(),
        instance_uses: FxHashSet::default(),
        pending: Vec::new(),
    };
    for (id, function) in lowered.program.functions() {
        let library = lowered.program.module(function.module).library;
        if !library && dictionaries(&lowered.program, id) == 0 {
            search.pending.push((id, Vec::new()));
        }
    }
    while let Some((function, given)) = search.pending.pop() {
        search.follow(function, &given);
    }
    search.uses
}

/// How many dictionaries a function takes.
fn dictionaries(program: &Program, function: FunId) -> usize {
    program.function(function).parameters.iter().filter(|one| one.role == Role::Dictionary).count()
}

/// A dictionary in a function's body.
#[derive(Clone, Debug)]
enum Symbolic {
    Parameter(usize),
    Known(Plan),
    Instance(InstanceId, Vec<Symbolic>),
    Superclass(Box<Symbolic>, u32),
    Unknown,
}

/// A call of an overloaded function.
#[derive(Clone, Debug)]
struct Site {
    callee: FunId,
    given: Vec<Symbolic>,
}

struct Search<'a> {
    typed: &'a Typed,
    lowered: &'a Lowered,
    program: &'a Program,
    instances: FxHashMap<FunId, InstanceId>,
    sites: FxHashMap<FunId, Vec<Site>>,
    uses: Uses,
    /// Dictionaries whose methods were noted.
    instance_uses: FxHashSet<Plan>,
    pending: Vec<(FunId, Given)>,
}

impl Search<'_> {
    /// Follows the calls of a function that is given these dictionaries.
    fn follow(&mut self, function: FunId, given: &Given) {
        if !self.sites.contains_key(&function) {
            let sites = self.sites_of(function);
            self.sites.insert(function, sites);
        }
        for site in self.sites[&function].clone() {
            let plans: Given = site.given.iter().map(|one| self.evaluate(one, given, 0)).collect();
            plans.iter().flatten().for_each(|plan| self.use_instance(plan));
            self.note(site.callee, plans);
        }
    }

    fn note(&mut self, callee: FunId, given: Given) {
        let known = self.uses.entry(callee).or_default();
        if given.iter().any(Option::is_some) && known.len() < MOST && !known.contains(&given) {
            known.push(given.clone());
            if !self.program.module(self.program.function(callee).module).library {
                self.pending.push((callee, given));
            }
        }
    }

    /// The methods of an instance that is used are given what it is given, and defaults the instance itself.
    fn use_instance(&mut self, plan: &Plan) {
        if !self.instance_uses.insert(plan.clone()) {
            return;
        }
        plan.needs.iter().for_each(|need| self.use_instance(need));
        let info = &self.typed.instances[plan.instance];
        for index in 0..self.typed.classes[info.class].methods.len() as u32 {
            let own = self.lowered.methods.get(&(plan.instance, index)).copied();
            let default = self.lowered.defaults.get(&(info.class, index)).copied();
            for (function, first) in [(own, plan.needs.clone()), (default, vec![plan.clone()])] {
                if let Some(function) = function {
                    let mut given: Given = first.into_iter().map(Some).collect();
                    given.resize(dictionaries(self.program, function), None);
                    self.note(function, given);
                }
            }
        }
    }

    /// The calls in a function's body, and what desugaring made of it, that pass dictionaries.
    fn sites_of(&self, function: FunId) -> Vec<Site> {
        let program = self.program;
        let info = program.function(function);
        let mut known: FxHashMap<VarId, Symbolic> = FxHashMap::default();
        let own = info.parameters.iter().filter(|one| one.role == Role::Dictionary);
        known.extend(own.enumerate().map(|(row, one)| (one.variable, Symbolic::Parameter(row))));
        let mut bound: FxHashMap<VarId, ExprId> = FxHashMap::default();
        let mut calls = Vec::new();
        program.walk(info.body, |expr| match program.expr(expr) {
            Expr::Let(bindings, _) => {
                bound.extend(program.list(bindings).iter().map(|one| (one.variable, one.value)));
            }
            Expr::Call(callee, arguments) | Expr::Partial(callee, arguments) => {
                calls.push((callee, program.list(arguments)));
            }
            _ => {}
        });
        let mut sites = Vec::new();
        for (callee, arguments) in calls {
            let parameters = &program.function(callee).parameters;
            let passed = parameters.iter().zip(arguments).filter(|(one, _)| one.role == Role::Dictionary);
            let given: Vec<Symbolic> =
                passed.map(|(_, argument)| self.symbolic(argument.atom, &known, &bound, 0)).collect();
            if !given.is_empty() {
                sites.push(Site { callee, given });
            }
        }
        sites
    }

    fn symbolic(
        &self,
        atom: Atom,
        known: &FxHashMap<VarId, Symbolic>,
        bound: &FxHashMap<VarId, ExprId>,
        depth: u32,
    ) -> Symbolic {
        if depth > DEPTH {
            return Symbolic::Unknown;
        }
        match atom {
            Atom::Variable(variable) => match (known.get(&variable), bound.get(&variable)) {
                (Some(known), _) => known.clone(),
                (None, Some(&expr)) => match self.program.expr(expr) {
                    Expr::Atom(other) => self.symbolic(other, known, bound, depth + 1),
                    Expr::Call(function, arguments) => {
                        let arguments = self.program.list(arguments).iter();
                        let parts: Vec<Symbolic> = arguments
                            .map(|argument| self.symbolic(argument.atom, known, bound, depth + 1))
                            .collect();
                        match (self.instances.get(&function), selected(self.program, function), &parts[..]) {
                            (Some(&instance), ..) => Symbolic::Instance(instance, parts),
                            (None, Some(place), [of]) => Symbolic::Superclass(Box::new(of.clone()), place),
                            _ => Symbolic::Unknown,
                        }
                    }
                    _ => Symbolic::Unknown,
                },
                (None, None) => Symbolic::Unknown,
            },
            Atom::Function(function) => match self.constant(function, 0) {
                Some(plan) => Symbolic::Known(plan),
                None => Symbolic::Unknown,
            },
            Atom::Literal(_) | Atom::Constructor(_) => Symbolic::Unknown,
        }
    }

    /// The dictionary that a constant is.
    fn constant(&self, function: FunId, depth: u32) -> Option<Plan> {
        if let Some(&instance) = self.instances.get(&function) {
            let alone = self.typed.instances[instance].context.is_empty();
            return alone.then_some(Plan { instance, needs: Vec::new() });
        }
        let info = self.program.function(function);
        if info.origin != Origin::Hidden(Hidden::Dictionary) || depth > DEPTH {
            return None;
        }
        let Expr::Call(of, arguments) = self.program.expr(info.body) else { return None };
        let &instance = self.instances.get(&of)?;
        let needs = self.program.list(arguments).iter().map(|argument| match argument.atom {
            Atom::Function(function) => self.constant(function, depth + 1),
            _ => None,
        });
        Some(Plan { instance, needs: needs.collect::<Option<_>>()? })
    }

    fn evaluate(&self, symbolic: &Symbolic, given: &Given, depth: u32) -> Option<Plan> {
        if depth > DEPTH {
            return None;
        }
        match symbolic {
            Symbolic::Parameter(row) => given.get(*row)?.clone(),
            Symbolic::Known(plan) => Some(plan.clone()),
            Symbolic::Instance(instance, parts) => {
                let needs = parts.iter().map(|part| self.evaluate(part, given, depth + 1));
                let plan = Plan { instance: *instance, needs: needs.collect::<Option<_>>()? };
                (plan.depth() <= DEPTH).then_some(plan)
            }
            Symbolic::Superclass(of, place) => {
                let of = self.evaluate(of, given, depth + 1)?;
                self.superclass(&of, *place)
            }
            Symbolic::Unknown => None,
        }
    }

    /// The dictionary of a superclass of an instance.
    fn superclass(&self, plan: &Plan, place: u32) -> Option<Plan> {
        let info = &self.typed.instances[plan.instance];
        let notes = &self.typed.modules[info.module].notes;
        let dictionary = *info.superclasses.get(place as usize)?;
        self.expression(notes, plan, dictionary, 0)
    }

    /// A dictionary expression of an instance, for what the instance is given.
    fn expression(&self, notes: &Notes, plan: &Plan, dictionary: DictId, depth: u32) -> Option<Plan> {
        if depth > DEPTH {
            return None;
        }
        match notes.dictionaries[dictionary] {
            Dictionary::Missing => None,
            Dictionary::Same(other) => self.expression(notes, plan, other, depth + 1),
            Dictionary::Variable(variable) => {
                let own = self.typed.instances[plan.instance].dictionaries;
                let row = own.iter().position(|one| one == variable)?;
                plan.needs.get(row).cloned()
            }
            Dictionary::Instance(instance, arguments) => {
                let needs = notes.dicts(arguments).iter();
                let needs = needs.map(|&one| self.expression(notes, plan, one, depth + 1));
                Some(Plan { instance, needs: needs.collect::<Option<_>>()? })
            }
            Dictionary::Superclass(of, place) => {
                let of = self.expression(notes, plan, of, depth + 1)?;
                self.superclass(&of, place)
            }
        }
    }
}

/// Which field of a dictionary a function selects, if that is what it does.
fn selected(program: &Program, function: FunId) -> Option<u32> {
    let info = program.function(function);
    if info.origin != Origin::Hidden(Hidden::Selector) {
        return None;
    }
    let Expr::Case(case) = program.expr(info.body) else { return None };
    let [alternative] = program.list(case.alternatives) else { return None };
    let Pattern::Constructor(_, variables) = alternative.pattern else { return None };
    let Expr::Atom(Atom::Variable(result)) = program.expr(alternative.body) else { return None };
    program.list(variables).iter().position(|&variable| variable == result).map(|place| place as u32)
}
