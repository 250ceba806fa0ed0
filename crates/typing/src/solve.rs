//! Finds dictionaries: from the givens, from instances, by functional dependencies.
//!
//! A wanted constraint whose types are not known enough stays wanted. It keeps the givens that surround it, so it does
//! not matter when it is solved.

use crate::builtin::ARROW;
use crate::checker::Checker;
use crate::infer::{GivenId, Wanted};
use crate::interface::{ClassId, DictId, Dictionary, Dicts, InstanceId};
use crate::known::{KnownClass, KnownType};
use crate::types::{Constraint, MetaId, Ty, TyId, Types};
use rustc_hash::FxHashSet;

/// How many instances may lead to one another: more are taken for a loop.
const DEPTH_LIMIT: u32 = 200;

/// The outcome of the search for a dictionary.
enum Outcome {
    /// It is found, perhaps with new ones wanted.
    Found,
    /// More must be known about its types.
    Waits,
    /// There is none.
    None,
    /// There are several equally good instances.
    Several(Vec<InstanceId>),
    /// Instances lead to instances without end.
    Endless,
}

impl Checker<'_> {
    /// Finds the dictionaries that are wanted from row `start` on; what must wait stays there.
    pub(crate) fn solve(&mut self, start: usize) {
        loop {
            let mut waiting = Vec::new();
            let mut next = start;
            while next < self.wanted.len() {
                let wanted = self.wanted[next];
                next += 1;
                match self.find(&wanted) {
                    Outcome::Found => {}
                    Outcome::Waits => waiting.push(wanted),
                    Outcome::None => self.no_instance(&wanted),
                    Outcome::Several(instances) => self.overlapping(&wanted, &instances),
                    Outcome::Endless => self.endless_instances(&wanted),
                }
            }
            self.wanted.truncate(start);
            let improved = self.improve(&waiting);
            self.wanted.extend(waiting);
            if !improved {
                return;
            }
        }
    }

    /// Finds one dictionary, if that is possible now; what it needs is wanted next.
    pub(crate) fn find_quietly(&mut self, wanted: &Wanted) -> bool {
        matches!(self.find(wanted), Outcome::Found)
    }

    fn find(&mut self, wanted: &Wanted) -> Outcome {
        let arguments = self.world.program.types.list(wanted.constraint.arguments);
        let heads: Vec<Ty> = arguments.iter().map(|&ty| self.world.program.types.head(ty).0).collect();
        if heads.contains(&Ty::Error) {
            return Outcome::Found;
        }
        if let Some(known) = self.find_given(wanted) {
            self.notes.dictionaries[wanted.dictionary] = Dictionary::Same(known);
            return Outcome::Found;
        }
        if wanted.depth > DEPTH_LIMIT {
            return Outcome::Endless;
        }
        let single = heads.len() == 1;
        // A list that is made from a string is one of characters.
        if self.world.program.known.class(KnownClass::StringElement) == Some(wanted.constraint.class)
            && let [Ty::Meta(_)] = heads[..]
        {
            let element = self.world.program.types.list(wanted.constraint.arguments)[0];
            let char = self.known_type(KnownType::Char, wanted.origin.span);
            if self.types().unify(element, char).is_ok() {
                return self.find(wanted);
            }
        }
        if single && matches!(heads[0], Ty::Meta(_)) {
            return Outcome::Waits;
        }
        self.find_instance(wanted, heads.first().copied().filter(|_| single))
    }

    /// A dictionary that is given for exactly this constraint.
    fn find_given(&self, wanted: &Wanted) -> Option<DictId> {
        let types = &self.world.program.types;
        let arguments = types.list(wanted.constraint.arguments);
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            let givens = &self.givens[at];
            for (constraint, dictionary) in &givens.known {
                if constraint.class == wanted.constraint.class
                    && types.list(constraint.arguments).iter().zip(arguments).all(|(&a, &b)| types.same(a, b))
                {
                    return Some(*dictionary);
                }
            }
            scope = givens.parent;
        }
        None
    }

    /// The instances that a constraint may have.
    fn candidates(&self, class: ClassId, head: Option<Ty>) -> Vec<InstanceId> {
        let constructor = match head {
            Some(Ty::Con(constructor)) => Some(constructor),
            Some(Ty::Fun(..)) => Some(ARROW),
            _ => None,
        };
        let mut found = Vec::new();
        if let Some(constructor) = constructor {
            found.extend(self.world.facts.by_head.get(&(class, constructor)).into_iter().flatten());
        }
        found.extend(self.world.facts.other_instances.get(&class).into_iter().flatten());
        found
    }

    fn find_instance(&mut self, wanted: &Wanted, head: Option<Ty>) -> Outcome {
        let arguments = self.world.program.types.list(wanted.constraint.arguments).to_vec();
        let mut matching: Vec<(InstanceId, Vec<Option<TyId>>)> = Vec::new();
        let mut possible: Vec<InstanceId> = Vec::new();
        let open = !self.world.program.types.metas_of(&arguments).is_empty();
        for instance in self.candidates(wanted.constraint.class, head) {
            let info = &self.world.program.instances[instance];
            let variables = info.variables.clone();
            let patterns = self.world.program.types.list(info.arguments).to_vec();
            let mut found = vec![None; variables.len()];
            let types = &mut self.world.program.types;
            let pairs = || patterns.iter().copied().zip(arguments.iter().copied());
            if pairs().all(|(pattern, ty)| types.matches(pattern, ty, &variables, &mut found)) {
                matching.push((instance, found));
            } else if open && pairs().all(|(pattern, ty)| types.could_match(pattern, ty, &variables)) {
                possible.push(instance);
            }
        }
        if matching.is_empty() {
            let may_wait = !possible.is_empty() || (open && self.some_given_could_match(wanted));
            return if may_wait { Outcome::Waits } else { Outcome::None };
        }
        let best = self.most_special(&matching);
        let Some(best) = best else {
            return Outcome::Several(matching.into_iter().map(|(instance, _)| instance).collect());
        };
        // A more special instance may apply once more is known.
        let (instance, found) = matching.swap_remove(best);
        let waits = possible.iter().any(|&other| {
            !self.world.program.instances[other].overlap.incoherent && self.is_more_special(other, instance)
        });
        if waits {
            return Outcome::Waits;
        }
        self.use_instance(wanted, instance, &found);
        Outcome::Found
    }

    fn some_given_could_match(&self, wanted: &Wanted) -> bool {
        let types = &self.world.program.types;
        let arguments = types.list(wanted.constraint.arguments);
        let mut scope = Some(wanted.given);
        while let Some(at) = scope {
            let givens = &self.givens[at];
            if givens.known.iter().any(|(constraint, _)| {
                constraint.class == wanted.constraint.class
                    && types
                        .list(constraint.arguments)
                        .iter()
                        .zip(arguments)
                        .all(|(&given, &ty)| types.could_match(given, ty, &[]))
            }) {
                return true;
            }
            scope = givens.parent;
        }
        // An inferred binding around it may still be generalised over it.
        arguments.iter().any(|&ty| matches!(types.head(ty).0, Ty::Meta(_)))
    }

    /// The instance to take of those that match: one gives way to a more special one if either of them says so.
    fn most_special(&mut self, matching: &[(InstanceId, Vec<Option<TyId>>)]) -> Option<usize> {
        if matching.len() == 1 {
            return Some(0);
        }
        let mut left: Vec<usize> = (0..matching.len()).collect();
        left.retain(|&at| {
            !(0..matching.len()).any(|other| other != at && self.gives_way(matching[at].0, matching[other].0))
        });
        let certain = left
            .iter()
            .copied()
            .filter(|&at| !self.world.program.instances[matching[at].0].overlap.incoherent)
            .collect::<Vec<_>>();
        match (&certain[..], &left[..]) {
            (&[only], _) => Some(only),
            (&[], &[any, ..]) => Some(any),
            _ => None,
        }
    }

    fn gives_way(&mut self, general: InstanceId, special: InstanceId) -> bool {
        let instances = &self.world.program.instances;
        let allowed = instances[general].overlap.overlappable || instances[special].overlap.overlapping;
        allowed && self.is_more_special(special, general) && !self.is_more_special(general, special)
    }

    /// Whether one instance's head is an instance of the other's.
    pub(crate) fn is_more_special(&mut self, special: InstanceId, general: InstanceId) -> bool {
        let types = &mut self.world.program.types;
        let (special, general) =
            (&self.world.program.instances[special], &self.world.program.instances[general]);
        let mut found = vec![None; general.variables.len()];
        let patterns = types.list(general.arguments).to_vec();
        let subjects = types.list(special.arguments).to_vec();
        patterns
            .into_iter()
            .zip(subjects)
            .all(|(pattern, ty)| types.matches(pattern, ty, &general.variables, &mut found))
    }

    /// Fills in an instance; what its context needs is wanted next.
    fn use_instance(&mut self, wanted: &Wanted, instance: InstanceId, found: &[Option<TyId>]) {
        let info = &self.world.program.instances[instance];
        if info.context.is_empty() {
            let dictionary = Dictionary::Instance(instance, Dicts::EMPTY);
            self.notes.dictionaries[wanted.dictionary] = match self.plain_dictionaries.get(&instance) {
                Some(&same) => Dictionary::Same(same),
                None => {
                    self.plain_dictionaries.insert(instance, wanted.dictionary);
                    dictionary
                }
            };
            return;
        }
        let (variables, context) = (info.variables.clone(), info.context.clone());
        if let Some(same) = self.closed_dictionary(wanted) {
            self.notes.dictionaries[wanted.dictionary] = Dictionary::Same(same);
            return;
        }
        let level = self.level;
        let arguments = self.world.program.types.list(wanted.constraint.arguments).to_vec();
        let broken = arguments.iter().any(|&ty| self.types().has_error(ty));
        let mut open = || if broken { Types::ERROR } else { self.types().meta(level) };
        let with: Vec<TyId> = found.iter().map(|found| found.unwrap_or_else(&mut open)).collect();
        let mut parts = Vec::with_capacity(context.len());
        for constraint in context {
            let types = &mut self.world.program.types;
            types.replacing(variables.iter().copied().zip(with.iter().copied()));
            let constraint = types.replace_constraint(constraint);
            let dictionary = self.notes.dictionaries.push(Dictionary::Missing);
            self.wanted.push(Wanted { constraint, dictionary, depth: wanted.depth + 1, ..*wanted });
            parts.push(dictionary);
        }
        let parts = self.dicts(&parts);
        self.notes.dictionaries[wanted.dictionary] = Dictionary::Instance(instance, parts);
    }

    /// The dictionary that was found, or is being found, for the same constraint without variables.
    ///
    /// That it may be one that is being found makes dictionaries of recursive types such as `Fix Maybe` possible.
    fn closed_dictionary(&mut self, wanted: &Wanted) -> Option<DictId> {
        let types = &mut self.world.program.types;
        let constraint = types.zonk_constraint(wanted.constraint);
        let arguments = types.list(constraint.arguments).to_vec();
        if !arguments.iter().all(|&ty| types.is_ground(ty)) {
            return None;
        }
        let hashes: Vec<u32> = arguments.iter().map(|&ty| types.hash(ty)).collect();
        let known = self.closed_dictionaries.entry((constraint.class, hashes)).or_default();
        let types = &self.world.program.types;
        let found = known.iter().find(|(other, _)| {
            types.list(other.arguments).iter().zip(&arguments).all(|(&a, &b)| types.same(a, b))
        });
        if let Some(&(_, dictionary)) = found {
            return Some(dictionary);
        }
        known.push((constraint, wanted.dictionary));
        None
    }

    /// Learns types from functional dependencies; returns whether it learnt any.
    fn improve(&mut self, waiting: &[Wanted]) -> bool {
        let mut learnt = false;
        for (at, wanted) in waiting.iter().enumerate() {
            let class = &self.world.program.classes[wanted.constraint.class];
            if class.dependencies.is_empty() {
                continue;
            }
            for (from, to) in class.dependencies.clone() {
                learnt |= self.improve_by_instances(wanted, &from, &to);
                learnt |= self.improve_by_givens(wanted, &from, &to);
                for other in &waiting[..at] {
                    if other.constraint.class == wanted.constraint.class {
                        learnt |= self.improve_by(wanted, other.constraint, &from, &to);
                    }
                }
            }
        }
        learnt
    }

    fn improve_by_givens(&mut self, wanted: &Wanted, from: &[u32], to: &[u32]) -> bool {
        let mut learnt = false;
        let mut scope: Option<GivenId> = Some(wanted.given);
        while let Some(at) = scope {
            let known: Vec<Constraint> = self.givens[at]
                .known
                .iter()
                .map(|(constraint, _)| *constraint)
                .filter(|constraint| constraint.class == wanted.constraint.class)
                .collect();
            for constraint in known {
                learnt |= self.improve_by(wanted, constraint, from, to);
            }
            scope = self.givens[at].parent;
        }
        learnt
    }

    /// If two constraints agree in what determines, they agree in what is determined.
    fn improve_by(&mut self, wanted: &Wanted, other: Constraint, from: &[u32], to: &[u32]) -> bool {
        let types = &mut self.world.program.types;
        let ours = types.list(wanted.constraint.arguments).to_vec();
        let theirs = types.list(other.arguments).to_vec();
        if !from.iter().all(|&at| types.same(ours[at as usize], theirs[at as usize])) {
            return false;
        }
        let mut learnt = false;
        for &at in to {
            let (a, b) = (ours[at as usize], theirs[at as usize]);
            // A type with an error fits every type, so it teaches nothing.
            learnt |= !types.same(a, b) && types.unify(a, b).is_ok() && types.same(a, b);
        }
        learnt
    }

    fn improve_by_instances(&mut self, wanted: &Wanted, from: &[u32], to: &[u32]) -> bool {
        let arguments = self.world.program.types.list(wanted.constraint.arguments).to_vec();
        let level = self.level + 1;
        for instance in self.candidates(wanted.constraint.class, None) {
            let info = &self.world.program.instances[instance];
            let variables = info.variables.clone();
            let patterns = self.world.program.types.list(info.arguments).to_vec();
            let mut found = vec![None; variables.len()];
            let types = &mut self.world.program.types;
            let fits = from.iter().all(|&at| {
                types.matches(patterns[at as usize], arguments[at as usize], &variables, &mut found)
            });
            if !fits {
                continue;
            }
            let with: Vec<TyId> =
                found.iter().map(|found| found.unwrap_or_else(|| types.meta(level))).collect();
            let mut learnt = false;
            for &at in to {
                let target = types.substitute(patterns[at as usize], &variables, &with);
                let (mut seen, argument) = (found.clone(), arguments[at as usize]);
                // A type that fits already teaches nothing.
                if types.matches(patterns[at as usize], argument, &variables, &mut seen) {
                    continue;
                }
                learnt |= types.unify(argument, target).is_ok() && types.same(argument, target);
            }
            return learnt;
        }
        false
    }

    /// Reports the constraints that are still unsolved at the end of the module.
    pub(crate) fn report_unsolved(&mut self) {
        let rest = std::mem::take(&mut self.wanted);
        let mut told: FxHashSet<MetaId> = FxHashSet::default();
        for (at, wanted) in rest.iter().copied().enumerate() {
            let arguments = self.world.program.types.list(wanted.constraint.arguments).to_vec();
            let metas = self.types().metas_of(&arguments);
            if metas.is_empty() {
                self.no_instance(&wanted);
                continue;
            }
            // One message for each type that is not known.
            if metas.iter().all(|meta| !told.contains(meta)) {
                let mut others = rest[at + 1..].to_vec();
                others.retain(|other| {
                    let arguments = self.types().list(other.constraint.arguments).to_vec();
                    self.types().metas_of(&arguments).iter().any(|meta| metas.contains(meta))
                });
                self.ambiguous_type(&wanted, &others);
            }
            told.extend(metas);
        }
    }
}
