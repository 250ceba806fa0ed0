//! An evaluated value beside a term: whether the outermost constructor is the same, and what is inside of both.

use super::build::{Stage, Unbuilt};
use super::good::{Container, Slot};
use super::infer::{Constructed, Doubt, field, is_whole};
use super::meet::{Met, Pair, Want};
use super::types::{Scope, Type, View};
use crate::tables::functions::group_size;
use gadfly_machine::{Found, Recorder, Word};
use gadfly_term::{Shape, TermId, Terms};
use gadfly_typing::interface::ConstructorId;
use gadfly_typing::{KnownType, builtin};

/// Something in a container: as many parts as an element of it has.
type Element = Vec<Word>;

impl<R: Recorder<0>> Stage<'_, '_, '_, R> {
    /// Compares an evaluated value with what it should be. What is inside goes to `pairs`; `Err` says that there is a
    /// difference, or that nobody can tell.
    pub(super) fn compare(&mut self, value: Word, pair: Pair, pairs: &mut Vec<Pair>) -> Result<(), Met> {
        let ty = pair.ty;
        self.compared += 1;
        match pair.want {
            Want::Anything => {
                self.kept = value;
                Ok(())
            }
            Want::Character(char) => self.compare_character(value, char),
            Want::Held(held) => self.compare_held(value, held, ty, pairs),
            Want::Rest(term, from) => self.compare_rest(value, term, from, ty, pairs),
            Want::Term(term) if self.typing.as_function(&self.terms, term).is_some() => {
                self.compare_function(value, term, pairs)
            }
            Want::Term(term) => match self.terms.shape(term) {
                Shape::Unevaluated | Shape::Omitted(_) => Ok(()),
                Shape::Opaque(name) if self.is_variable(name) => {
                    let name = name.to_owned();
                    self.compare_cell(value, &name, ty, pairs)
                }
                Shape::Opaque(_) | Shape::Function(..) => {
                    self.opaque = true;
                    Ok(())
                }
                Shape::Number(text) => {
                    let text = text.to_owned();
                    self.compare_number(value, &text, ty)
                }
                Shape::Char(text) => self.compare_character(value, text.chars().next().unwrap_or('\u{fffd}')),
                Shape::Str(..) => self.compare_start(value, term, ty, pairs),
                Shape::List(elements) => match self.machine.look(self.asking, value) {
                    Found::Array(count) => {
                        let elements = elements.to_vec();
                        self.compare_elements(value, count, &elements, ty, pairs)
                    }
                    _ => self.compare_start(value, term, ty, pairs),
                },
                Shape::Tuple(parts) => {
                    let parts = parts.to_vec();
                    if self.is_group(value, parts.len()) {
                        return self.compare_group(value, &parts, pairs);
                    }
                    let types = self.typing.tuple(ty, parts.len()).map_err(Met::Unclear)?;
                    let constructor = match parts.len() {
                        0 => builtin::UNIT_VALUE,
                        count => builtin::tuple_constructor(count),
                    };
                    let parts: Vec<_> = parts.into_iter().map(Some).collect();
                    self.compare_data(value, constructor, &parts, &types, pairs)
                }
                Shape::Con(":", parts) if parts.len() > 2 => self.compare_rest(value, term, 0, ty, pairs),
                Shape::Con(..) | Shape::Record(..) => self.compare_constructed(value, term, ty, pairs),
                Shape::FiniteMap(_) => self.compare_map(value, term, ty, pairs),
                Shape::Field(_, inside) | Shape::Entry(_, inside) => {
                    self.put(pairs, value, Want::Term(inside), ty);
                    Ok(())
                }
                Shape::Object(..) => Err(Met::Unclear(Doubt::new("an object is no value of the language"))),
            },
        }
    }

    fn compare_character(&mut self, value: Word, char: char) -> Result<(), Met> {
        match self.machine.look(self.asking, value) {
            // What is no character in Unicode is not told as it is.
            Found::Char(code) if char::from_u32(code).unwrap_or('\u{fffd}') == char => Ok(()),
            _ => Err(Met::Different),
        }
    }

    fn compare_number(&mut self, value: Word, text: &str, ty: Type) -> Result<(), Met> {
        let of = self.typing.types.strip(ty);
        let known = match self.typing.types.view(of) {
            View::Data(constructor, _) => self.good.checked.program.known.which(constructor),
            _ => match self.machine.look(self.asking, value) {
                Found::Double(_) => Some(KnownType::Double),
                _ if !is_whole(text) => Some(KnownType::Double),
                _ => None,
            },
        };
        let same = match known {
            Some(KnownType::Double) => {
                let expected: f64 = text.parse().map_err(|_| Met::Different)?;
                let found = self.machine.to_double(value);
                expected == found || expected.is_nan() && found.is_nan()
            }
            Some(KnownType::Float) => {
                let expected: f32 = text.parse().map_err(|_| Met::Different)?;
                let found = self.machine.to_double(value) as f32;
                expected == found || expected.is_nan() && found.is_nan()
            }
            _ => {
                let literal = self.literal(text, of).map_err(Met::Unclear)?;
                let expected = self.machine.literal(&literal).map_err(Unbuilt::from)?;
                self.machine.is_same(expected, value)
            }
        };
        if same { Ok(()) } else { Err(Met::Different) }
    }

    /// A list or a string; if nothing of it is told, it is anything.
    fn compare_start(
        &mut self,
        value: Word,
        term: TermId,
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        match self.tail(term, 0) {
            Some(_) => self.compare_rest(value, term, 0, ty, pairs),
            None => Ok(()),
        }
    }

    /// A list from an element on, or a string from a byte on.
    fn compare_rest(
        &mut self,
        value: Word,
        term: TermId,
        from: usize,
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        let element = self.typing.element(ty).map_err(Met::Unclear)?;
        let (head, next) = match self.terms.shape(term) {
            Shape::List(elements) => match elements.get(from) {
                Some(&one) => (Some(Want::Term(one)), from + 1),
                None => (None, from),
            },
            Shape::Str(text, _) => match text[from.min(text.len())..].chars().next() {
                Some(char) => (Some(Want::Character(char)), from + char.len_utf8()),
                None => (None, from),
            },
            Shape::Con(_, parts) if from + 1 < parts.len() => (Some(Want::Term(parts[from])), from + 1),
            _ => return Err(Met::Different),
        };
        let Found::Constructor(con) = self.machine.look(self.asking, value) else {
            return Err(Met::Unclear(Doubt::new("a list is compared with something else")));
        };
        match (head, self.good.constructor(con)) {
            (None, Some(builtin::NIL)) => Ok(()),
            (Some(want), Some(builtin::CONS)) => {
                let (first, rest) = (self.field(value, 0), self.field(value, 1));
                if let Some(tail) = self.tail(term, next) {
                    self.put(pairs, rest, tail, ty);
                }
                self.put(pairs, first, want, element);
                Ok(())
            }
            _ => Err(Met::Different),
        }
    }

    /// What a list is to be from a place on, if that is told.
    fn tail(&self, term: TermId, from: usize) -> Option<Want> {
        match self.terms.shape(term) {
            Shape::List(elements) => {
                let omitted = |one: &TermId| matches!(self.terms.shape(*one), Shape::Omitted(_));
                (!elements.get(from).is_some_and(omitted)).then_some(Want::Rest(term, from))
            }
            Shape::Str(text, more) => (from < text.len() || more == 0).then_some(Want::Rest(term, from)),
            // The last part is the rest of the list.
            Shape::Con(_, parts) if from + 1 == parts.len() => Some(Want::Term(parts[from])),
            _ => Some(Want::Rest(term, from)),
        }
    }

    fn field(&self, value: Word, field: usize) -> Word {
        self.machine.field(value, field).unwrap_or(Word::char(0))
    }

    fn compare_elements(
        &mut self,
        value: Word,
        count: usize,
        elements: &[TermId],
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        if count != elements.len() {
            return Err(Met::Different);
        }
        let element = self.typing.arguments(ty).first().copied();
        let element = element.unwrap_or_else(|| self.typing.types.open());
        for (row, &one) in elements.iter().enumerate().rev() {
            let field = self.field(value, row);
            self.put(pairs, field, Want::Term(one), element);
        }
        Ok(())
    }

    fn compare_data(
        &mut self,
        value: Word,
        constructor: ConstructorId,
        parts: &[Option<TermId>],
        types: &[Type],
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        let Found::Constructor(con) = self.machine.look(self.asking, value) else {
            return Err(Met::Unclear(Doubt::new("a constructor is compared with something else")));
        };
        if self.good.constructor(con) != Some(constructor) {
            return Err(Met::Different);
        }
        let stored = self.good.lowered.program.constructor(con).dictionaries as usize;
        for (row, (part, ty)) in parts.iter().zip(types).enumerate().rev() {
            if let Some(part) = part {
                let field = self.field(value, stored + row);
                self.put(pairs, field, Want::Term(*part), *ty);
            }
        }
        Ok(())
    }

    /// Whether a value is the group of the variables that a pattern binds.
    fn is_group(&self, value: Word, size: usize) -> bool {
        match self.machine.look(self.asking, value) {
            Found::Constructor(con) => group_size(&self.good.lowered.program, con) == Some(size),
            _ => false,
        }
    }

    fn compare_group(&mut self, value: Word, parts: &[TermId], pairs: &mut Vec<Pair>) -> Result<(), Met> {
        for (row, &part) in parts.iter().enumerate().rev() {
            let (field, ty) = (self.field(value, row), self.typing.types.open());
            self.put(pairs, field, Want::Term(part), ty);
        }
        Ok(())
    }

    fn compare_constructed(
        &mut self,
        value: Word,
        term: TermId,
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        // Where the type is not known, the value knows it.
        if self.typing.types.is_open(ty)
            && let Found::Constructor(con) = self.machine.look(self.asking, value)
            && let Some(constructor) = self.good.constructor(con)
        {
            self.typing.types.fields(constructor, ty);
        }
        if let Some(container) = self.typing.container(ty)
            && let Some(elements) = tree_elements(&self.terms, container, term)
        {
            return self.compare_tree(value, container, &elements, ty, pairs);
        }
        match self.typing.constructed(&self.terms, term, ty).map_err(Met::Unclear)? {
            Constructed::Data(constructor, parts, fields) => {
                self.compare_data(value, constructor, &parts, &fields.types, pairs)
            }
            Constructed::Newtype(inside, ty) => {
                self.put(pairs, value, Want::Term(inside), ty);
                Ok(())
            }
            Constructed::Container(Container::Array, parts, ty) => {
                self.compare_array(value, &parts, ty, pairs)
            }
            // A ratio.
            Constructed::Container(_, parts, ty) => {
                self.compare_elements(value, parts.len(), &parts, ty, pairs)
            }
            // What an action would do is not tried here.
            Constructed::Action(..) => {
                self.opaque = true;
                Ok(())
            }
            Constructed::Bottom(_) => Err(Met::Different),
        }
    }

    fn compare_array(
        &mut self,
        value: Word,
        parts: &[TermId],
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        let arguments = self.typing.arguments(ty);
        let ([low, high, told @ ..], &[index, element]) = (parts, &arguments[..]) else {
            return Err(Met::Unclear(Doubt::new("an array has no bounds")));
        };
        let elements = self.field(value, 3);
        let Found::Array(count) = self.machine.look(self.asking, elements) else {
            return Err(Met::Unclear(Doubt::new("an array has no elements")));
        };
        if count != told.len() {
            return Err(Met::Different);
        }
        for (row, &one) in told.iter().enumerate().rev() {
            let part = match self.terms.shape(one) {
                Shape::Tuple(&[_, part]) => part,
                _ => one,
            };
            let field = self.field(elements, row);
            self.put(pairs, field, Want::Term(part), element);
        }
        let (first, last) = (self.field(value, 0), self.field(value, 1));
        self.put(pairs, last, Want::Term(*high), index);
        self.put(pairs, first, Want::Term(*low), index);
        Ok(())
    }

    /// Maps, sets and sequences are the same if they hold the same, however their trees look.
    fn compare_tree(
        &mut self,
        value: Word,
        container: Container,
        elements: &[Vec<TermId>],
        ty: Type,
        pairs: &mut Vec<Pair>,
    ) -> Result<(), Met> {
        let parts = if container == Container::Map { 2 } else { 1 };
        let Some(found) = self.tree_values(value, parts) else {
            return Err(Met::Unclear(Doubt::new("a container is not evaluated")));
        };
        if found.len() != elements.len() {
            return Err(Met::Different);
        }
        let types = self.typing.arguments(ty);
        for (words, told) in found.into_iter().zip(elements).rev() {
            for ((word, &part), &ty) in words.into_iter().zip(told).zip(&types).rev() {
                self.put(pairs, word, Want::Term(part), ty);
            }
        }
        Ok(())
    }

    /// What a tree of `Bin size part… left right` holds, in order. Trees are strict, so that they are evaluated.
    fn tree_values(&self, value: Word, parts: usize) -> Option<Vec<Element>> {
        enum Step {
            Tree(Word),
            Element(Element),
        }
        let mut work = vec![Step::Tree(value)];
        let mut found = Vec::new();
        while let Some(step) = work.pop() {
            match step {
                Step::Element(element) => found.push(element),
                Step::Tree(tree) => {
                    let Found::Constructor(con) = self.machine.look(self.asking, tree) else { return None };
                    if self.good.lowered.program.constructor(con).arity == 0 {
                        continue;
                    }
                    let element = (1..=parts).map(|row| self.field(tree, row)).collect();
                    work.push(Step::Tree(self.field(tree, parts + 2)));
                    work.push(Step::Element(element));
                    work.push(Step::Tree(self.field(tree, parts + 1)));
                }
            }
        }
        Some(found)
    }

    /// Functions of the same name with the same arguments are the same; of others nobody knows.
    fn compare_function(&mut self, value: Word, term: TermId, pairs: &mut Vec<Pair>) -> Result<(), Met> {
        let Some((name, arguments)) = self.typing.as_function(&self.terms, term) else {
            return Err(Met::Different);
        };
        let (name, arguments) = (name.to_owned(), arguments.to_vec());
        let unclear = || Met::Unclear(Doubt::new("two functions cannot be compared"));
        let Found::Function(function, has) = self.machine.look(self.asking, value) else {
            return Err(unclear());
        };
        if !self.good.functions_named(&name).contains(&function) {
            return Err(unclear());
        }
        let given: Vec<TermId> = arguments
            .iter()
            .copied()
            .filter(|&one| !matches!(self.terms.shape(one), Shape::Field(..)))
            .collect();
        let signature = self.good.signature(&mut self.typing.types, function, &mut Scope::default());
        let parameters = &self.good.lowered.program.function(function).parameters;
        let mut next = given.into_iter();
        for (parameter, slot) in parameters.iter().zip(&signature.slots) {
            let has = has.iter().find(|(variable, _)| *variable == parameter.variable).map(|&(_, word)| word);
            match (slot, has) {
                (Slot::Ordinary(ty), Some(word)) => {
                    let Some(argument) = next.next() else { return Err(unclear()) };
                    self.put(pairs, word, Want::Term(argument), *ty);
                }
                (Slot::Captured(name, ty), Some(word)) => {
                    if let Some(value) = field(&self.terms, &arguments, name.as_deref()) {
                        self.put(pairs, word, Want::Term(value), *ty);
                    }
                }
                _ => {}
            }
        }
        if next.next().is_some() { Err(unclear()) } else { Ok(()) }
    }

    /// A function is at least a finite map if it gives what the map gives, for each of the map's arguments.
    fn compare_map(&mut self, value: Word, term: TermId, ty: Type, pairs: &mut Vec<Pair>) -> Result<(), Met> {
        let mut entries = Vec::new();
        for &entry in self.terms.children(term) {
            if let Shape::Entry(arguments, result) = self.terms.shape(entry)
                && !matches!(self.terms.shape(result), Shape::Unevaluated | Shape::Omitted(_))
            {
                entries.push((arguments.to_vec(), result));
            }
        }
        for (arguments, result) in entries.into_iter().rev() {
            let Some((types, ty)) = self.typing.types.function_parts(ty, arguments.len()) else {
                return Err(Met::Unclear(self.typing.mismatch("a function", ty)));
            };
            let mut words = Vec::with_capacity(arguments.len());
            for (argument, ty) in arguments.into_iter().zip(types) {
                words.push(self.build(argument, ty)?);
            }
            let application = self.machine.suspend(value, &words).map_err(Unbuilt::from)?;
            self.put(pairs, application, Want::Term(result), ty);
        }
        Ok(())
    }
}

/// What a map, set or sequence holds by its term: `fromList […]`, or the library's own tree. Elements by their parts.
fn tree_elements(terms: &Terms, container: Container, term: TermId) -> Option<Vec<Vec<TermId>>> {
    let parts = match container {
        Container::Map => 2,
        Container::Set | Container::Sequence => 1,
        Container::Array
        | Container::Elements
        | Container::Ratio
        | Container::Reference
        | Container::MutableArray => return None,
    };
    if let Shape::Con("fromList", &[list]) = terms.shape(term) {
        let Shape::List(elements) = terms.shape(list) else { return None };
        let element = |&one: &TermId| match (parts, terms.shape(one)) {
            (1, Shape::Omitted(_)) => None,
            (1, _) => Some(vec![one]),
            (_, Shape::Tuple(pair)) if pair.len() == 2 => Some(pair.to_vec()),
            _ => None,
        };
        return elements.iter().map(element).collect();
    }
    enum Step {
        Tree(TermId),
        Element(Vec<TermId>),
    }
    let mut work = vec![Step::Tree(term)];
    let mut found = Vec::new();
    while let Some(step) = work.pop() {
        match step {
            Step::Element(element) => found.push(element),
            Step::Tree(tree) => match terms.shape(tree) {
                Shape::Con("Tip" | "Nil", []) => {}
                Shape::Con("Bin", fields) if fields.len() == parts + 3 => {
                    work.push(Step::Tree(fields[parts + 2]));
                    work.push(Step::Element(fields[1..=parts].to_vec()));
                    work.push(Step::Tree(fields[parts + 1]));
                }
                _ => return None,
            },
        }
    }
    Some(found)
}
