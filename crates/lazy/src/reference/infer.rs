//! What the terms of an equation are: their types, and the functions of the reference that they name.
//!
//! A value is built only where every part of it is what its place in the reference wants: the machine trusts types.

use super::good::{Container, Good, Signature, Slot};
use super::types::{Fields, Numbers, Scope, Type, Types, View};
use gadfly_core::kernel::FunId;
use gadfly_term::{Shape, TermId, Terms};
use gadfly_typing::interface::ConstructorId;
use gadfly_typing::{KnownType, builtin};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Why nothing can be said of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Doubt(pub(super) String);

impl Doubt {
    pub(super) fn new(reason: impl Into<String>) -> Doubt {
        Doubt(reason.into())
    }
}

/// A function that a term names, at the types it is used at.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) function: FunId,
    pub(super) signature: Signature,
}

/// How a constructor's term is to be understood.
#[derive(Clone, Debug)]
pub(super) enum Constructed {
    /// A constructor with all its fields; `None` for one that the equation does not tell.
    Data(ConstructorId, Vec<Option<TermId>>, Fields),
    /// The constructor of a newtype: the value is that inside.
    Newtype(TermId, Type),
    /// What a library's container holds.
    Container(Container, Vec<TermId>, Type),
    /// An action, and what it gave.
    Action(TermId, Type),
    /// Nothing: the evaluation of it raised something.
    Bottom(String),
}

/// The types of an equation.
#[derive(Clone)]
pub(super) struct Typing<'g> {
    pub(super) good: &'g Good<'g>,
    pub(super) types: Types<'g>,
    pub(super) chosen: FxHashMap<TermId, Chosen>,
    /// Functions that are chosen when everything else is known.
    later: Vec<(TermId, Type)>,
    /// Containers whose type nothing else may tell.
    vague: Vec<(TermId, Type)>,
    /// What references and arrays hold, by their names.
    pub(super) held: Rc<FxHashMap<Box<str>, Vec<TermId>>>,
}

impl<'g> Typing<'g> {
    pub(super) fn new(good: &'g Good<'g>) -> Typing<'g> {
        Typing {
            good,
            types: Types::new(&good.checked.program),
            chosen: FxHashMap::default(),
            later: Vec::new(),
            vague: Vec::new(),
            held: Rc::default(),
        }
    }

    /// Chooses the functions that terms name, now that the types of the other terms are known.
    pub(super) fn settle(&mut self, terms: &Terms) -> Result<(), Doubt> {
        loop {
            while !self.later.is_empty() {
                for (term, ty) in std::mem::take(&mut self.later) {
                    self.choose_for(terms, term, ty)?;
                }
            }
            let Some((term, ty)) = self.vague.pop() else { return Ok(()) };
            self.guess_container(terms, term, ty);
            if self.is_vague(terms, term, ty) {
                return Err(self.mismatch("a container", ty));
            }
            self.infer(terms, term, ty)?;
        }
    }

    /// Whether a term is a container of a type that is not known: `fromList` makes many.
    fn is_vague(&self, terms: &Terms, term: TermId, ty: Type) -> bool {
        matches!(terms.shape(term), Shape::Con("fromList" | "array" | "listArray", _))
            && self.types.is_open(ty)
    }

    /// Takes a container for a map if it has different keys, and for a set otherwise. Where nothing told its type, nothing
    /// looks inside it either.
    fn guess_container(&mut self, terms: &Terms, term: TermId, ty: Type) {
        if !self.is_vague(terms, term, ty) {
            return;
        }
        let Shape::Con(name, &[.., list]) = terms.shape(term) else { return };
        let mut keys = FxHashSet::default();
        let mut has_keys = |element: &TermId| match terms.shape(*element) {
            Shape::Tuple(&[key, _]) => {
                let mut text = String::new();
                terms.canonical(key, &mut text);
                keys.insert(text)
            }
            Shape::Omitted(_) => true,
            _ => false,
        };
        let is_map = matches!(terms.shape(list), Shape::List(elements) if elements.iter().all(&mut has_keys));
        let wanted = match name {
            "fromList" if is_map => [Container::Map, Container::Set, Container::Sequence],
            "fromList" => [Container::Set, Container::Sequence, Container::Map],
            _ => [Container::Array; 3],
        };
        let found = wanted.into_iter().find_map(|container| self.good.container_type(container));
        if let Some(constructor) = found {
            let mut guess = self.types.constructor(constructor);
            for _ in 0..self.good.type_arity(constructor) {
                let open = self.types.open();
                guess = self.types.apply(guess, open);
            }
            self.types.unify(ty, guess);
        }
    }

    /// Finds the types in a term that is of a type.
    pub(super) fn infer(&mut self, terms: &Terms, term: TermId, ty: Type) -> Result<(), Doubt> {
        self.walk(terms, term, ty, false)
    }

    /// Finds out whether a term is of a type, also where nothing is open.
    pub(super) fn check(&mut self, terms: &Terms, term: TermId, ty: Type) -> Result<(), Doubt> {
        self.walk(terms, term, ty, true)
    }

    fn walk(&mut self, terms: &Terms, term: TermId, ty: Type, thorough: bool) -> Result<(), Doubt> {
        let mut work = vec![(term, ty)];
        let mut seen: FxHashSet<(TermId, Type)> = FxHashSet::default();
        while let Some((term, ty)) = work.pop() {
            // Where nothing is open, building says what does not fit.
            if !thorough && self.types.opens(ty).is_empty() || !seen.insert((term, ty)) {
                continue;
            }
            if self.as_function(terms, term).is_some() {
                self.later.push((term, ty));
                continue;
            }
            if self.is_vague(terms, term, ty) {
                self.vague.push((term, ty));
                continue;
            }
            match terms.shape(term) {
                Shape::Opaque(name) => {
                    let held = Rc::clone(&self.held);
                    for held in held.get(name).into_iter().flatten() {
                        work.extend(self.cell_parts(terms, *held, ty).into_iter().flatten());
                    }
                }
                Shape::Unevaluated | Shape::Omitted(_) | Shape::Function(..) => {}
                Shape::Number(text) => {
                    let numbers = if is_whole(text) { Numbers::Whole } else { Numbers::Fractions };
                    if !self.types.add_numbers(ty, numbers) {
                        return Err(self.mismatch(&format!("`{text}`"), ty));
                    }
                }
                Shape::Char(text) => self.expect(ty, KnownType::Char, || format!("'{text}'"))?,
                Shape::Str(..) => {
                    let element = self.element(ty)?;
                    self.expect(element, KnownType::Char, || "a string".to_owned())?;
                }
                Shape::List(elements) => {
                    if self.container(ty) == Some(Container::Elements) {
                        let element = self.arguments(ty).first().copied();
                        let element = element.unwrap_or_else(|| self.types.open());
                        work.extend(elements.iter().map(|&one| (one, element)));
                        continue;
                    }
                    let element = self.element(ty)?;
                    work.extend(elements.iter().map(|&one| (one, element)));
                }
                Shape::Tuple(parts) => {
                    let types = self.tuple(ty, parts.len())?;
                    work.extend(parts.iter().copied().zip(types));
                }
                Shape::Con(":", parts) if parts.len() > 2 => {
                    let element = self.element(ty)?;
                    let last = parts.len() - 1;
                    work.extend(parts[..last].iter().map(|&one| (one, element)));
                    work.push((parts[last], ty));
                }
                Shape::Con(..) | Shape::Record(..) => match self.constructed(terms, term, ty)? {
                    Constructed::Data(_, parts, fields) => {
                        let told = parts.into_iter().zip(fields.types);
                        work.extend(told.filter_map(|(part, ty)| Some((part?, ty))));
                    }
                    Constructed::Newtype(inside, ty) => work.push((inside, ty)),
                    Constructed::Container(container, parts, ty) => {
                        self.container_parts(terms, container, &parts, ty, &mut work)?;
                    }
                    Constructed::Action(value, ty) => work.push((value, ty)),
                    Constructed::Bottom(_) => {}
                },
                Shape::FiniteMap(entries) => {
                    for &entry in entries {
                        let Shape::Entry(arguments, result) = terms.shape(entry) else { continue };
                        let Some((parameters, ty)) = self.types.function_parts(ty, arguments.len()) else {
                            return Err(self.mismatch("a function", ty));
                        };
                        work.extend(arguments.iter().copied().zip(parameters));
                        work.push((result, ty));
                    }
                }
                Shape::Object(name, _) => return Err(self.mismatch(&format!("`{name}`"), ty)),
                Shape::Field(_, value) | Shape::Entry(_, value) => work.push((value, ty)),
            }
        }
        Ok(())
    }

    fn container_parts(
        &mut self,
        terms: &Terms,
        container: Container,
        parts: &[TermId],
        ty: Type,
        work: &mut Vec<(TermId, Type)>,
    ) -> Result<(), Doubt> {
        let arguments = self.arguments(ty);
        let at =
            |row: usize| arguments.get(row).copied().ok_or_else(|| Doubt::new("a type has no arguments"));
        match container {
            Container::Map | Container::Array => {
                let (key, value) = (at(0)?, at(1)?);
                let bounds = if container == Container::Array { parts.len().min(2) } else { 0 };
                work.extend(parts[..bounds].iter().map(|&bound| (bound, key)));
                for &part in &parts[bounds..] {
                    match terms.shape(part) {
                        Shape::Tuple(&[first, second]) => work.extend([(first, key), (second, value)]),
                        _ if container == Container::Array => work.push((part, value)),
                        _ => return Err(self.mismatch("what is no pair", ty)),
                    }
                }
            }
            Container::Set | Container::Sequence => {
                let element = at(0)?;
                work.extend(parts.iter().map(|&part| (part, element)));
            }
            Container::Ratio | Container::Elements | Container::Reference | Container::MutableArray => {
                let element = at(0)?;
                work.extend(parts.iter().map(|&part| (part, element)));
            }
        }
        Ok(())
    }

    /// The elements' type of a list type.
    pub(super) fn element(&mut self, ty: Type) -> Result<Type, Doubt> {
        let of = self.types.strip(ty);
        let element = self.types.open();
        let list = self.types.list(element);
        match self.types.unify(of, list) {
            true => Ok(element),
            false => Err(self.mismatch("a list", ty)),
        }
    }

    /// The parts' types of a tuple type.
    pub(super) fn tuple(&mut self, ty: Type, count: usize) -> Result<Vec<Type>, Doubt> {
        let of = self.types.strip(ty);
        let parts: Vec<Type> = (0..count).map(|_| self.types.open()).collect();
        let tuple = self.types.tuple(&parts);
        match count != 1 && count <= builtin::TUPLE_LIMIT && self.types.unify(of, tuple) {
            true => Ok(parts),
            false => Err(self.mismatch("a tuple", ty)),
        }
    }

    fn expect(&mut self, ty: Type, known: KnownType, what: impl Fn() -> String) -> Result<(), Doubt> {
        let of = self.types.strip(ty);
        match self.types.known(known) {
            Some(known) if self.types.unify(of, known) => Ok(()),
            _ => Err(self.mismatch(&what(), ty)),
        }
    }

    /// The container that the values of a type are.
    pub(super) fn container(&mut self, ty: Type) -> Option<Container> {
        let ty = self.types.strip(ty);
        match self.types.view(ty) {
            View::Data(constructor, _) => self.good.container(constructor),
            _ => None,
        }
    }

    /// The arguments of the type constructor behind the newtypes.
    pub(super) fn arguments(&mut self, ty: Type) -> Vec<Type> {
        let ty = self.types.strip(ty);
        match self.types.view(ty) {
            View::Data(_, arguments) => arguments,
            _ => Vec::new(),
        }
    }

    /// How a constructor's term is to be understood at a type.
    pub(super) fn constructed(
        &mut self,
        terms: &Terms,
        term: TermId,
        ty: Type,
    ) -> Result<Constructed, Doubt> {
        let (name, parts) = match terms.shape(term) {
            Shape::Con(name, parts) | Shape::Record(name, parts) => (name, parts),
            _ => return Err(self.mismatch("something else", ty)),
        };
        if name.starts_with('⊥') {
            return Ok(Constructed::Bottom(bottom_text(terms, term)));
        }
        if name == "%" && self.types.is_open(ty) {
            let (element, ratio) = (self.types.open(), self.types.known(KnownType::Ratio));
            if let Some(ratio) = ratio {
                let ratio = self.types.apply(ratio, element);
                self.types.unify(ty, ratio);
            }
        }
        if self.good.is_action_name(name)
            && let Some(inside) = self.good.is_action(&mut self.types, ty)
            && let Some(&value) = parts.first()
        {
            if parts.len() > 1 {
                return Err(Doubt::new("an action in it changes something, or gives more than one result"));
            }
            return Ok(Constructed::Action(value, inside));
        }
        if let Some(container) = self.container(ty)
            && let Some(parts) = contents(terms, container, term)
        {
            return Ok(Constructed::Container(container, parts, ty));
        }
        let mut at = ty;
        // A recorded value has no newtypes; a term that somebody wrote may have.
        loop {
            for constructor in self.named(name, at) {
                if let Some(parts) = self.parts(terms, term, constructor, parts)
                    && let Some(fields) = self.types.fields(constructor, at)
                {
                    let info = &self.good.checked.program.type_constructors
                        [self.good.checked.program.constructors[constructor].of];
                    return Ok(match (info.is_newtype(), &parts[..]) {
                        (true, &[Some(inside)]) => Constructed::Newtype(inside, fields.types[0]),
                        _ => Constructed::Data(constructor, parts, fields),
                    });
                }
            }
            let inside = self.inside(at);
            match inside {
                Some(inside) => at = inside,
                None => return Err(self.mismatch(&format!("`{name}`"), ty)),
            }
        }
    }

    /// The type inside of a newtype.
    fn inside(&mut self, ty: Type) -> Option<Type> {
        let View::Data(constructor, _) = self.types.view(ty) else { return None };
        let info = &self.good.checked.program.type_constructors[constructor];
        let newtype = info.is_newtype().then(|| info.constructors()[0])?;
        self.types.fields(newtype, ty)?.types.first().copied()
    }

    /// The constructors of a name that may make values of a type.
    fn named(&self, name: &str, ty: Type) -> Vec<ConstructorId> {
        match self.types.view(ty) {
            View::Data(constructor, _) => {
                let all = self.good.checked.program.type_constructors[constructor].constructors();
                all.iter().copied().filter(|&one| self.good.constructor_name(one) == name).collect()
            }
            _ => self.good.constructors_named(name),
        }
    }

    /// The parts of a constructor's term, by its fields.
    fn parts(
        &self,
        terms: &Terms,
        term: TermId,
        constructor: ConstructorId,
        parts: &[TermId],
    ) -> Option<Vec<Option<TermId>>> {
        let info = &self.good.checked.program.constructors[constructor];
        if let Shape::Con(..) = terms.shape(term) {
            return (parts.len() == info.arity()).then(|| parts.iter().copied().map(Some).collect());
        }
        let mut told = vec![None; info.arity()];
        for &part in parts {
            let Shape::Field(name, value) = terms.shape(part) else { return None };
            let is_it = |field: &gadfly_typing::interface::Field| {
                field.name.is_some_and(|field| self.good.checked.interner.text(field) == name)
            };
            told[info.fields.iter().position(is_it)?] = Some(value);
        }
        Some(told)
    }

    /// Finds the function that a term names, and the types of its arguments.
    pub(super) fn choose_for(&mut self, terms: &Terms, term: TermId, ty: Type) -> Result<(), Doubt> {
        let Some((name, arguments)) = self.as_function(terms, term) else { return Ok(()) };
        let chosen = self.choose(terms, name, arguments, ty)?;
        let told = arguments.iter().filter(|&&one| !matches!(terms.shape(one), Shape::Field(..)));
        for (&argument, ty) in told.zip(ordinary(&chosen.signature)) {
            self.infer(terms, argument, ty)?;
        }
        for slot in &chosen.signature.slots {
            if let Slot::Captured(name, ty) = slot
                && let Some(value) = field(terms, arguments, name.as_deref())
            {
                self.infer(terms, value, *ty)?;
            }
        }
        self.chosen.insert(term, chosen);
        Ok(())
    }

    /// A function's name and its arguments, if a term is one; variables of its surroundings are fields among them.
    pub(super) fn as_function<'t>(&self, terms: &'t Terms, term: TermId) -> Option<(&'t str, &'t [TermId])> {
        match terms.shape(term) {
            Shape::Function(name, arguments) => Some((name, arguments)),
            // A local function with nothing but its variables.
            Shape::Record(name, fields) if !name.starts_with(|c: char| c.is_uppercase() || c == ':') => {
                Some((name, fields))
            }
            // A constructor that lacks some of its fields.
            Shape::Con(name, parts) if self.good.is_partial(name, parts.len()) => Some((name, parts)),
            _ => None,
        }
    }

    /// The function that a term names: the first whose type fits.
    fn choose(&mut self, terms: &Terms, name: &str, arguments: &[TermId], ty: Type) -> Result<Chosen, Doubt> {
        let good = self.good;
        for function in good.functions_named(name) {
            let saved = self.types.clone();
            let signature = good.signature(&mut self.types, function, &mut Scope::default());
            let ordinary = ordinary(&signature);
            let given =
                arguments.iter().filter(|&&one| !matches!(terms.shape(one), Shape::Field(..))).count();
            if given <= ordinary.len() {
                let rest = ordinary[given..].iter().rev();
                let rest = rest.fold(signature.result, |result, &one| self.types.function(one, result));
                let of = self.types.strip(ty);
                if self.types.unify(rest, of) {
                    return Ok(Chosen { function, signature });
                }
            }
            self.types = saved;
        }
        Err(Doubt::new(format!("the function `{name}` in it is not found in the reference program")))
    }

    pub(super) fn mismatch(&self, what: &str, ty: Type) -> Doubt {
        let ty = match self.types.view(ty) {
            View::Data(constructor, _) => {
                let name = self.good.checked.program.type_constructors[constructor].name;
                format!("a `{}`", self.good.checked.interner.text(name))
            }
            View::Function(..) => "a function".to_owned(),
            _ => "something else".to_owned(),
        };
        Doubt(format!("{what} stands where the reference program has {ty}"))
    }
}

/// The types of the parameters that the user wrote.
pub(super) fn ordinary(signature: &Signature) -> Vec<Type> {
    let ordinary = signature.slots.iter().filter_map(|slot| match slot {
        Slot::Ordinary(ty) => Some(*ty),
        _ => None,
    });
    ordinary.collect()
}

/// The value of a field.
pub(super) fn field(terms: &Terms, parts: &[TermId], name: Option<&str>) -> Option<TermId> {
    parts.iter().find_map(|&part| match terms.shape(part) {
        Shape::Field(field, value) if Some(field) == name => Some(value),
        _ => None,
    })
}

/// Whether a number's text is that of a whole number.
pub(super) fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a term that stands for an exception says.
pub(super) fn bottom_text(terms: &Terms, term: TermId) -> String {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        match terms.shape(term) {
            Shape::Str(text, _) => return text.to_owned(),
            Shape::Opaque(text) => {
                let text = text.trim_start_matches('⊥').trim();
                return text
                    .strip_prefix('(')
                    .and_then(|rest| rest.strip_suffix(')'))
                    .unwrap_or(text)
                    .to_owned();
            }
            Shape::Con(_, parts) => work.extend(parts.iter().rev()),
            _ => {}
        }
    }
    String::new()
}

/// What a container holds, if the term is one: `fromList […]`, `3 % 4`, or the bounds and the elements of `array (…) […]`.
fn contents(terms: &Terms, container: Container, term: TermId) -> Option<Vec<TermId>> {
    let (name, parts) = match terms.shape(term) {
        Shape::Con(name, parts) => (name, parts),
        _ => return None,
    };
    let listed = |list: TermId| match terms.shape(list) {
        Shape::List(elements) => Some(elements.to_vec()),
        _ => None,
    };
    match (container, name, parts) {
        (Container::Map | Container::Set | Container::Sequence, "fromList", &[list]) => listed(list),
        (Container::Array, "array", &[bounds, list]) => match terms.shape(bounds) {
            Shape::Tuple(&[low, high]) => Some([low, high].into_iter().chain(listed(list)?).collect()),
            _ => None,
        },
        (Container::Array, "listArray", &[bounds, list]) => match terms.shape(bounds) {
            Shape::Tuple(&[low, high]) => Some([low, high].into_iter().chain(listed(list)?).collect()),
            _ => None,
        },
        (Container::Ratio, "%" | ":%", &[a, b]) => Some(vec![a, b]),
        _ => None,
    }
}
