//! Deciding what an equation leaves open: which instance is meant.
//!
//! A recorded number does not say whether it is an `Int`, an `Integer` or of a newtype of these, and an empty list says
//! nothing of its elements. Each way to decide is one that the program has the instances for; an equation is wrong only if
//! it is wrong in every way.

use super::good::Good;
use super::infer::Typing;
use super::types::{Numbers, Type, View, Wanted};
use gadfly_typing::interface::{TypeConId, TypeKind};
use gadfly_typing::{KnownType, builtin};

/// No more ways are tried.
const MOST: usize = 6;

impl<'g> Typing<'g> {
    /// The ways to decide the open types for which dictionaries are wanted; these types as they are if there is none.
    pub(super) fn decided(&self, wanted: &[Wanted]) -> Vec<Typing<'g>> {
        let mut found = vec![self.clone()];
        loop {
            // The first type that is still open, in the first way of deciding the others.
            let first = &found[0].types;
            let open = wanted.iter().flat_map(|wanted| &wanted.at).flat_map(|&ty| first.opens(ty)).next();
            let Some(open) = open else { return found };
            let next: Vec<_> = found.iter().flat_map(|typing| typing.ways(wanted, open)).take(MOST).collect();
            if next.is_empty() {
                return found;
            }
            found = next;
        }
    }

    /// Whether nothing is known of a type for which a dictionary is wanted: no value of it, and no number.
    pub(super) fn has_open(&self, wanted: &[Wanted]) -> bool {
        let mut open = wanted.iter().flat_map(|wanted| &wanted.at).flat_map(|&ty| self.types.opens(ty));
        open.any(|ty| self.types.view(ty) == View::Open(Numbers::None))
    }

    /// The ways to decide one open type.
    fn ways(&self, wanted: &[Wanted], open: Type) -> Vec<Typing<'g>> {
        let View::Open(numbers) = self.types.view(open) else { return vec![self.clone()] };
        let mut ways = Vec::new();
        for constructor in candidates(self.good, numbers) {
            let mut way = self.clone();
            let ty = way.types.constructor(constructor);
            if way.types.unify(open, ty) && way.has_instances(wanted) {
                ways.push(way);
                // What there is nothing of need not be tried twice.
                if numbers == Numbers::None {
                    break;
                }
            }
        }
        ways
    }

    /// Whether the program has all instances that are wanted.
    pub(super) fn has_all_instances(&mut self, wanted: &[Wanted]) -> bool {
        let instances = &self.good.lowered.instances;
        wanted.iter().all(|wanted| self.types.plan(wanted, instances).is_some())
    }

    /// Whether the program has the instances that are wanted, of those where nothing is open any more.
    fn has_instances(&mut self, wanted: &[Wanted]) -> bool {
        wanted.iter().all(|wanted| {
            wanted.at.iter().any(|&ty| !self.types.opens(ty).is_empty())
                || self.types.plan(wanted, &self.good.lowered.instances).is_some()
        })
    }
}

/// The types that something may be of: the likeliest first.
fn candidates(good: &Good<'_>, numbers: Numbers) -> Vec<TypeConId> {
    let typed = &good.checked.program;
    let known = |names: &[KnownType]| -> Vec<TypeConId> {
        names.iter().filter_map(|&name| typed.known.type_constructor(name)).collect()
    };
    let mut found = match numbers {
        Numbers::Whole => known(&[KnownType::Integer, KnownType::Int, KnownType::Word]),
        Numbers::Fractions => known(&[KnownType::Double, KnownType::Float]),
        Numbers::None => {
            let mut some = vec![builtin::UNIT];
            some.extend(known(&[KnownType::Integer, KnownType::Int, KnownType::Bool, KnownType::Char]));
            return some;
        }
    };
    let newtypes = typed.type_constructors.iter();
    let newtypes = newtypes
        .filter(|(_, info)| matches!(info.meaning, TypeKind::Newtype(_)) && info.parameters.is_empty());
    found.extend(newtypes.map(|(id, _)| id));
    found
}
