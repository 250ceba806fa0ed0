//! Which variables are certain to be evaluated.
//!
//! The *demand* of an expression is the set of variables that are evaluated whenever it is. A parameter in the demand of
//! its function's body may be evaluated by the caller, and a `let` variable in the demand of the `let`'s body may be
//! evaluated at once: in both cases no thunk is made for it. An expression that ends in a failed pattern
//! match demands everything (it has no value in any case); a call of `error` demands nothing, so that the
//! user's own error is reported and not another one.
//!
//! For a recursive function the analysis starts from the assumption that it is strict in all parameters, and
//! weakens that until it holds of the body (Mycroft). Functions whose analysis is still open further out
//! count as not strict: that is safe.
//!
//! Early evaluation only changes the order, and which of two errors is raised. A run that counts unfoldings
//! must show the order of the lazy semantics, also if it ends in an error: there, nothing counts as strict. A
//! run that writes a trail does not evaluate the arguments of a recorded function before its redex exists, so
//! that an error in an argument appears inside the redex that needs it: a variable that only such a call
//! demands is not evaluated at once, but by the function when it begins.

use super::calls::{Arg, Known, Resolved};
use super::trace::Class;
use super::{Compiler, InstanceId};
use crate::primitives::What;
use gadfly_core::kernel::{Atom, Binding, Expr, ExprId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The strict parameters of an instance, as bits by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    Unknown,
    /// Being looked at, with this assumption.
    Assumed(u64),
    Found(u64),
}

/// Variables, and whether each is demanded by anything but a call of a recorded function.
type Set = FxHashMap<VarId, bool>;

/// A set of variables that may be the demand of several expressions; `None` is all of them.
type Demand = Option<Rc<Set>>;

fn none() -> Demand {
    Some(Rc::default())
}

fn find(set: &Set, variable: VarId) -> Option<bool> {
    set.get(&variable).copied()
}

/// How deep calls are looked into, from a function that is compiled.
const DEPTH: u32 = 5;

/// What was found in a function.
#[derive(Debug, Default)]
pub(crate) struct Strict {
    /// The variables of `let` that are evaluated in any case, and may be at once.
    pub(crate) lets: FxHashSet<VarId>,
    /// The same, but some perhaps only by recorded functions.
    pub(crate) demanded: FxHashSet<VarId>,
}

struct Analysis<'a> {
    known: &'a Known,
    itself: InstanceId,
    assumed: u64,
    depth: u32,
    found: Strict,
}

impl<const TAG: usize> Compiler<'_, TAG> {
    /// The strict parameters of an instance.
    pub(crate) fn strictness(&mut self, instance: InstanceId) -> u64 {
        self.strictness_within(instance, 0)
    }

    fn strictness_within(&mut self, instance: InstanceId, depth: u32) -> u64 {
        match self.instances[instance.index()].strictness {
            _ if self.lazy_order => return 0,
            Strictness::Found(mask) => return mask,
            Strictness::Assumed(_) => return 0,
            Strictness::Unknown if depth > DEPTH => return 0,
            Strictness::Unknown => {}
        }
        self.analyse(instance, depth);
        match self.instances[instance.index()].strictness {
            Strictness::Found(mask) => mask,
            _ => 0,
        }
    }

    /// Analyses an instance until the result is stable.
    pub(crate) fn analyse(&mut self, instance: InstanceId, depth: u32) -> Strict {
        if self.lazy_order {
            return Strict::default();
        }
        let known = self.known(instance);
        let body = self.program.function(self.instances[instance.index()].function).body;
        let parameters = self.instances[instance.index()].parameters.clone();
        let fixed = match self.instances[instance.index()].strictness {
            Strictness::Found(mask) => Some(mask),
            _ => None,
        };
        let mut assumed = fixed.unwrap_or(u64::MAX >> (64 - parameters.len().clamp(1, 64)));
        loop {
            if fixed.is_none() {
                self.instances[instance.index()].strictness = Strictness::Assumed(assumed);
            }
            let mut analysis =
                Analysis { known: &known, itself: instance, assumed, depth, found: Strict::default() };
            let demand = self.demand(body, &none(), &mut analysis);
            let strict = |variable: &VarId| demand.as_ref().is_none_or(|set| find(set, *variable).is_some());
            let rows = parameters.iter().enumerate().take(64);
            let mask =
                rows.filter(|(_, variable)| strict(variable)).fold(0, |mask, (row, _)| mask | 1 << row);
            if fixed.is_some() || mask & assumed == assumed {
                if fixed.is_none() {
                    self.instances[instance.index()].strictness = Strictness::Found(assumed);
                }
                return analysis.found;
            }
            assumed &= mask;
        }
    }

    fn demand(&mut self, expr: ExprId, fall: &Demand, analysis: &mut Analysis<'_>) -> Demand {
        let program = self.program;
        match program.expr(expr) {
            Expr::Let(bindings, body) => {
                // What comes after a chain of bindings is looked at first, without recursion along the chain.
                let mut chain = vec![bindings];
                let mut end = body;
                while let Expr::Let(bindings, body) = program.expr(end) {
                    chain.push(bindings);
                    end = body;
                }
                let mut demand = self.demand(end, fall, analysis);
                for bindings in chain.into_iter().rev() {
                    demand = self.demand_around(demand, program.list(bindings), analysis);
                }
                demand
            }
            Expr::Case(case) => {
                if let Some(resolved) = self.resolve(expr, analysis.known) {
                    return Some(Rc::new(self.demand_of_call(&resolved, analysis)));
                }
                let first = self.demand(case.scrutinee, fall, analysis);
                let bodies = program.list(case.alternatives).iter().map(|alternative| alternative.body);
                let mut rest: Demand = None;
                for body in bodies.chain(case.default) {
                    let one = self.demand(body, fall, analysis);
                    rest = intersection(rest, one);
                }
                union(first, rest, true)
            }
            Expr::Try { first, otherwise } => {
                let otherwise = self.demand(otherwise, fall, analysis);
                self.demand(first, &otherwise, analysis)
            }
            Expr::Fall => fall.clone(),
            Expr::Error(..) => None,
            Expr::Rule { body, .. } => self.demand(body, fall, analysis),
            Expr::Free(_, body) => {
                self.demand(body, fall, analysis);
                none()
            }
            Expr::Or(alternatives) => {
                for &one in program.list(alternatives) {
                    self.demand(one, fall, analysis);
                }
                none()
            }
            Expr::Failure => none(),
            _ => {
                let resolved = self.resolve(expr, analysis.known);
                Some(Rc::new(
                    resolved.map_or(Set::default(), |resolved| self.demand_of_call(&resolved, analysis)),
                ))
            }
        }
    }

    /// The demand of a group of bindings, from that of what it is bound for. Outside of that nobody asks for its variables.
    fn demand_around(
        &mut self,
        mut demand: Demand,
        bindings: &[Binding],
        analysis: &mut Analysis<'_>,
    ) -> Demand {
        for binding in bindings.iter().rev() {
            let inner = self.demand(binding.value, &none(), analysis);
            let Some(at_once) = demand.as_ref().and_then(|set| find(set, binding.variable)) else {
                continue;
            };
            analysis.found.demanded.insert(binding.variable);
            if at_once {
                analysis.found.lets.insert(binding.variable);
            }
            demand = union(demand, inner, at_once);
        }
        if let Some(set) = &mut demand
            && bindings.iter().any(|binding| set.contains_key(&binding.variable))
        {
            let set = Rc::make_mut(set);
            bindings.iter().for_each(|binding| {
                set.remove(&binding.variable);
            });
        }
        demand
    }

    fn demand_of_call(&mut self, resolved: &Resolved, analysis: &Analysis<'_>) -> Set {
        let mut set = Set::default();
        let recorded = match resolved {
            Resolved::Call(instance, ..) => self.class(*instance) == Class::Recorded,
            _ => false,
        };
        let mut add = |argument: &Arg| {
            if let Arg::Atom(Atom::Variable(variable)) = argument {
                set.insert(*variable, !recorded);
            }
        };
        match resolved {
            Resolved::Call(instance, arguments, _) => {
                let mask = match *instance == analysis.itself {
                    true => analysis.assumed,
                    false => self.strictness_within(*instance, analysis.depth + 1),
                };
                let rows = arguments.iter().enumerate().take(64);
                rows.filter(|(row, _)| mask >> row & 1 == 1).for_each(|(_, argument)| add(argument));
            }
            Resolved::Primitive(id, arguments, _) => {
                if let Some(primitive) = self.primitives[id.index()]
                    && let What::Cheap(_) | What::Pure(_) | What::Look(_) = primitive.what
                {
                    let rows = arguments.iter().enumerate();
                    rows.filter(|(row, _)| primitive.lazy >> row & 1 == 0)
                        .for_each(|(_, argument)| add(argument));
                }
            }
            Resolved::Apply(head, _) => add(head),
            Resolved::Partial(..) | Resolved::Construct(..) => {}
        }
        set
    }
}

/// Both demands; the variables of the second count as demanded at once only if `at_once`. The smaller set goes into the larger.
fn union(a: Demand, b: Demand, at_once: bool) -> Demand {
    let (a, b) = (a?, b?);
    if b.is_empty() {
        return Some(a);
    }
    let (mut large, small, small_at_once, large_at_once) = match a.len() >= b.len() {
        true => (a, b, at_once, true),
        false => (b, a, true, at_once),
    };
    let set = Rc::make_mut(&mut large);
    if !large_at_once {
        set.values_mut().for_each(|known| *known = false);
    }
    for (variable, known) in small.iter() {
        *set.entry(*variable).or_insert(false) |= *known && small_at_once;
    }
    Some(large)
}

/// What both demand. The smaller set is gone through.
fn intersection(a: Demand, b: Demand) -> Demand {
    let (a, b) = match (a, b) {
        (None, other) | (other, None) => return other,
        (Some(a), Some(b)) => (a, b),
    };
    if Rc::ptr_eq(&a, &b) {
        return Some(a);
    }
    let (mut small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    Rc::make_mut(&mut small).retain(|variable, at_once| match find(&large, *variable) {
        Some(other) => {
            *at_once &= other;
            true
        }
        None => false,
    });
    Some(small)
}
