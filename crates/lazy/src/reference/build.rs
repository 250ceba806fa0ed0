//! From terms to values of the reference.
//!
//! What was never evaluated becomes a value that nobody may need; a finite map becomes a function that is not in the
//! program, which the machine stops for; a partial application is one of the reference's function. Everything is made
//! with a list of work: terms are as deep as the user's data.

use super::good::{Container, Good, Slot};
use super::infer::{Chosen, Constructed, Doubt, Typing, bottom_text, field, is_whole};
use super::types::{Fields, Plan, Type, View};
use gadfly_core::kernel::{ConId, Literal};
use gadfly_machine::{Asking, Exhausted, Machine, Recorder, Word};
use gadfly_term::{Shape, TermId, Terms};
use gadfly_typing::interface::ConstructorId;
use gadfly_typing::{KnownType, builtin};
use rustc_hash::FxHashMap;

/// A value that the original never evaluated.
pub(super) const UNEVALUATED: i64 = 0;
/// A value that the equation does not tell.
pub(super) const NOT_TOLD: i64 = 1;
/// A part of a value that is left out because the whole is too long, or without end.
pub(super) const LEFT_OUT: i64 = 2;

/// A finite map that is a function in the machine.
#[derive(Clone, Debug)]
pub(super) struct MapValue {
    /// Arguments and results.
    pub(super) entries: Vec<(Vec<TermId>, TermId)>,
    pub(super) ty: Type,
}

impl MapValue {
    /// How many arguments it takes before it has to say something.
    pub(super) fn arity(&self) -> usize {
        self.entries.iter().map(|(arguments, _)| arguments.len()).min().unwrap_or(1).max(1)
    }
}

/// A machine with the reference, and the equation that it is asked about.
pub(super) struct Stage<'s, 'g, 'p, R> {
    pub(super) good: &'g Good<'g>,
    pub(super) machine: &'s mut Machine<'p, R, 0>,
    pub(super) asking: &'s mut Asking,
    pub(super) typing: Typing<'g>,
    pub(super) terms: Terms,
    pub(super) maps: Vec<MapValue>,
    /// Why a value is not told that may be needed.
    pub(super) doubt: Option<Doubt>,
    /// Whether an exception was made of which nothing is told: a handler might have given something else for it.
    pub(super) vague: bool,
    /// Whether something could not be compared.
    pub(super) opaque: bool,
    /// How many values were compared.
    pub(super) compared: usize,
    /// What was evaluated last for its own sake.
    pub(super) kept: Word,
}

/// Why a value is not built.
#[derive(Clone, Debug)]
pub(super) enum Unbuilt {
    Doubt(Doubt),
    /// The heap is full.
    Exhausted,
}

impl From<Doubt> for Unbuilt {
    fn from(doubt: Doubt) -> Unbuilt {
        Unbuilt::Doubt(doubt)
    }
}

impl From<Exhausted> for Unbuilt {
    fn from(_: Exhausted) -> Unbuilt {
        Unbuilt::Exhausted
    }
}

enum Task {
    Visit(TermId, Type),
    /// What was made last is this term's.
    Keep(TermId, Type),
    /// A word that is there.
    Word(Word),
    /// Takes so many words.
    Make(Make, usize),
}

enum Make {
    Construct(ConId, Vec<Word>),
    /// A list, and what comes after its elements.
    List(Word),
    /// A list, its rest among the words.
    Beginning,
    Container(Container, Type),
    Call(Word),
    /// An action that gives something.
    Action,
}

impl<'g, R: Recorder<0>> Stage<'_, 'g, '_, R> {
    /// The value of a term at a type.
    pub(super) fn build(&mut self, term: TermId, ty: Type) -> Result<Word, Unbuilt> {
        let mut tasks = vec![Task::Visit(term, ty)];
        let mut words: Vec<Word> = Vec::new();
        let mut built: FxHashMap<(TermId, Type), Word> = FxHashMap::default();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Word(word) => words.push(word),
                Task::Visit(term, ty) => match built.get(&(term, ty)) {
                    Some(&word) => words.push(word),
                    None => {
                        tasks.push(Task::Keep(term, ty));
                        words.extend(self.visit(term, ty, &mut tasks)?);
                    }
                },
                Task::Keep(term, ty) => {
                    if let Some(&word) = words.last() {
                        built.insert((term, ty), word);
                    }
                }
                Task::Make(make, count) => {
                    let parts = words.split_off(words.len().saturating_sub(count));
                    let word = self.make(make, &parts)?;
                    words.push(word);
                }
            }
        }
        words.pop().ok_or(Unbuilt::Exhausted)
    }

    /// The word of a term without parts; for others, what is to be done.
    fn visit(&mut self, term: TermId, ty: Type, tasks: &mut Vec<Task>) -> Result<Option<Word>, Unbuilt> {
        if self.typing.as_function(&self.terms, term).is_some() {
            self.visit_function(term, ty, tasks)?;
            return Ok(None);
        }
        let word = match self.terms.shape(term) {
            Shape::Unevaluated => self.machine.unknown(self.asking, UNEVALUATED)?,
            Shape::Opaque(text) if text.starts_with('⊥') => {
                let text = bottom_text(&self.terms, term);
                self.vague |= text.is_empty();
                self.machine.failing(&text)?
            }
            Shape::Omitted(_) => self.machine.unknown(self.asking, LEFT_OUT)?,
            Shape::Opaque(_) | Shape::Function(..) => self.machine.unknown(self.asking, NOT_TOLD)?,
            Shape::Number(text) => {
                let text = text.to_owned();
                let literal = self.literal(&text, ty)?;
                self.machine.literal(&literal)?
            }
            Shape::Char(text) => {
                let code = text.chars().next().map_or(0xfffd, u32::from);
                self.check_known(ty, KnownType::Char, "a character")?;
                Word::char(code)
            }
            Shape::Str(text, more) => {
                let text = text.to_owned();
                let element = self.typing.element(ty)?;
                self.check_known(element, KnownType::Char, "a string")?;
                self.string(&text, more)?
            }
            Shape::List(elements) => {
                let elements = elements.to_vec();
                self.visit_list(&elements, ty, tasks)?;
                return Ok(None);
            }
            Shape::Tuple(parts) => {
                let parts = parts.to_vec();
                let types = self.typing.tuple(ty, parts.len())?;
                let constructor = match parts.len() {
                    0 => builtin::UNIT_VALUE,
                    count => builtin::tuple_constructor(count),
                };
                let fields = Fields { types, stored: Vec::new() };
                let parts = parts.into_iter().map(Some).collect();
                self.visit_data(constructor, parts, fields, tasks)?;
                return Ok(None);
            }
            // A list of which only the beginning is evaluated: its elements, and the rest.
            Shape::Con(":", parts) if parts.len() > 2 => {
                let parts = parts.to_vec();
                let element = self.typing.element(ty)?;
                tasks.push(Task::Make(Make::Beginning, parts.len()));
                let (last, elements) = parts.split_last().unwrap_or((&term, &[]));
                tasks.push(Task::Visit(*last, ty));
                tasks.extend(elements.iter().rev().map(|&one| Task::Visit(one, element)));
                return Ok(None);
            }
            Shape::Con(..) | Shape::Record(..) => {
                match self.typing.constructed(&self.terms, term, ty)? {
                    Constructed::Data(constructor, parts, fields) => {
                        self.visit_data(constructor, parts, fields, tasks)?;
                    }
                    Constructed::Newtype(inside, ty) => tasks.push(Task::Visit(inside, ty)),
                    Constructed::Container(container, parts, ty) => {
                        self.visit_container(container, &parts, ty, tasks)?;
                    }
                    // What it did beside giving a value is not told, nor what it did if it gave none.
                    Constructed::Action(value, _)
                        if matches!(self.terms.shape(value), Shape::Unevaluated | Shape::Omitted(_)) =>
                    {
                        return Ok(Some(self.machine.unknown(self.asking, NOT_TOLD)?));
                    }
                    // What it does is done on behalf of whoever made it: to whom it is given, it only gives a value.
                    Constructed::Action(value, ty) => {
                        tasks.push(Task::Make(Make::Action, 1));
                        tasks.push(Task::Visit(value, ty));
                    }
                    Constructed::Bottom(text) => return Ok(Some(self.machine.failing(&text)?)),
                }
                return Ok(None);
            }
            Shape::FiniteMap(_) => self.map(term, ty)?,
            Shape::Object(name, _) => {
                let name = format!("`{name}`");
                return Err(self.typing.mismatch(&name, ty).into());
            }
            Shape::Field(_, value) | Shape::Entry(_, value) => {
                tasks.push(Task::Visit(value, ty));
                return Ok(None);
            }
        };
        Ok(Some(word))
    }

    fn check_known(&mut self, ty: Type, known: KnownType, what: &str) -> Result<(), Doubt> {
        let of = self.typing.types.strip(ty);
        match self.typing.types.known(known) {
            Some(known) if self.typing.types.unify(of, known) => Ok(()),
            _ => Err(self.typing.mismatch(what, ty)),
        }
    }

    /// The literal of a number at a type.
    pub(super) fn literal(&mut self, text: &str, ty: Type) -> Result<Literal, Doubt> {
        let of = self.typing.types.strip(ty);
        let known = match self.typing.types.view(of) {
            View::Data(constructor, _) => self.good.checked.program.known.which(constructor),
            View::Open(_) if is_whole(text) => Some(KnownType::Integer),
            View::Open(_) => Some(KnownType::Double),
            _ => None,
        };
        let literal = match known {
            Some(KnownType::Int) => text.parse().ok().map(Literal::Int),
            Some(KnownType::Integer) if is_whole(text) => Some(Literal::Integer(text.into())),
            Some(KnownType::Word) => text.parse::<i128>().ok().map(|value| Literal::Word(value as u64)),
            Some(KnownType::Double) => text.parse::<f64>().ok().map(|value| Literal::Double(value.to_bits())),
            Some(KnownType::Float) => text.parse::<f32>().ok().map(|value| Literal::Float(value.to_bits())),
            _ => None,
        };
        literal.ok_or_else(|| self.typing.mismatch(&format!("`{text}`"), ty))
    }

    fn string(&mut self, text: &str, more: u64) -> Result<Word, Unbuilt> {
        let characters: Vec<Word> = text.chars().map(|char| Word::char(u32::from(char))).collect();
        let end = match more {
            0 => self.nil()?,
            _ => self.machine.unknown(self.asking, LEFT_OUT)?,
        };
        self.list(&characters, end)
    }

    fn con(&self, constructor: ConstructorId) -> Option<ConId> {
        self.good.lowered.constructors.get(&constructor).copied()
    }

    fn nil(&mut self) -> Result<Word, Unbuilt> {
        match self.con(builtin::NIL) {
            Some(nil) => Ok(self.machine.construct(nil, &[])?),
            None => Err(Doubt::new("the reference program has no lists").into()),
        }
    }

    fn list(&mut self, elements: &[Word], end: Word) -> Result<Word, Unbuilt> {
        let Some(cons) = self.con(builtin::CONS) else {
            return Err(Doubt::new("the reference program has no lists").into());
        };
        let mut list = end;
        for &element in elements.iter().rev() {
            list = self.machine.construct(cons, &[element, list])?;
        }
        Ok(list)
    }

    /// A list ends where something is not told.
    fn visit_list(&mut self, elements: &[TermId], ty: Type, tasks: &mut Vec<Task>) -> Result<(), Unbuilt> {
        if self.typing.container(ty) == Some(Container::Elements) {
            tasks.push(Task::Make(Make::Container(Container::Elements, ty), elements.len()));
            let element = self.typing.arguments(ty).first().copied();
            let element = element.unwrap_or_else(|| self.typing.types.open());
            tasks.extend(elements.iter().rev().map(|&one| Task::Visit(one, element)));
            return Ok(());
        }
        let element = self.typing.element(ty)?;
        let omitted = |one: &TermId| matches!(self.terms.shape(*one), Shape::Omitted(_));
        let told = elements.iter().position(omitted);
        let end = match told {
            None => self.nil()?,
            Some(_) => self.machine.unknown(self.asking, LEFT_OUT)?,
        };
        let elements = &elements[..told.unwrap_or(elements.len())];
        tasks.push(Task::Make(Make::List(end), elements.len()));
        tasks.extend(elements.iter().rev().map(|&one| Task::Visit(one, element)));
        Ok(())
    }

    fn visit_data(
        &mut self,
        constructor: ConstructorId,
        parts: Vec<Option<TermId>>,
        fields: Fields,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unbuilt> {
        // A constructor that no code of the program has is one that none looks at.
        let Some(con) = self.con(constructor) else {
            tasks.push(Task::Word(self.machine.unknown(self.asking, NOT_TOLD)?));
            return Ok(());
        };
        let stored = self.stored(constructor, &parts, &fields)?;
        tasks.push(Task::Make(Make::Construct(con, stored), parts.len()));
        for (part, ty) in parts.into_iter().zip(fields.types).rev() {
            tasks.push(match part {
                Some(part) => Task::Visit(part, ty),
                None => Task::Word(self.machine.unknown(self.asking, UNEVALUATED)?),
            });
        }
        Ok(())
    }

    /// The dictionaries that a constructor stores: those of the types of what is inside.
    fn stored(
        &mut self,
        constructor: ConstructorId,
        parts: &[Option<TermId>],
        fields: &Fields,
    ) -> Result<Vec<Word>, Unbuilt> {
        let mut stored = Vec::with_capacity(fields.stored.len());
        if fields.stored.is_empty() {
            return Ok(stored);
        }
        for (part, &ty) in parts.iter().zip(&fields.types) {
            if let Some(part) = part {
                self.typing.infer(&self.terms, *part, ty)?;
            }
        }
        if let Some(decided) = self.typing.decided(&fields.stored).into_iter().next() {
            self.typing = decided;
        }
        for wanted in &fields.stored {
            let Some(plan) = self.typing.types.plan(wanted, &self.good.lowered.instances) else {
                let name = self.good.constructor_name(constructor);
                return Err(Doubt::new(format!("the types inside of `{name}` are not known")).into());
            };
            stored.push(self.dictionary(&plan)?);
        }
        Ok(stored)
    }

    fn visit_container(
        &mut self,
        container: Container,
        parts: &[TermId],
        ty: Type,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unbuilt> {
        let arguments = self.typing.arguments(ty);
        let argument =
            |row: usize| arguments.get(row).copied().ok_or_else(|| Doubt::new("a type has no arguments"));
        let mut visits: Vec<Task> = Vec::with_capacity(parts.len() * 2);
        let bounds = if container == Container::Array { 2.min(parts.len()) } else { 0 };
        for &bound in &parts[..bounds] {
            visits.push(Task::Visit(bound, argument(0)?));
        }
        for &part in &parts[bounds..] {
            match (container, self.terms.shape(part)) {
                (Container::Map | Container::Array, Shape::Tuple(&[key, value])) => {
                    visits.push(Task::Visit(key, argument(0)?));
                    visits.push(Task::Visit(value, argument(1)?));
                }
                (_, Shape::Omitted(_)) | (Container::Map, _) => {
                    return Err(Doubt::new("not everything that a container holds is told").into());
                }
                // Of an array whose indices are not told: only places count.
                (Container::Array, _) => {
                    visits.push(Task::Word(Word::char(0)));
                    visits.push(Task::Visit(part, argument(1)?));
                }
                _ => visits.push(Task::Visit(part, argument(0)?)),
            }
        }
        tasks.push(Task::Make(Make::Container(container, ty), visits.len()));
        visits.reverse();
        tasks.append(&mut visits);
        Ok(())
    }

    fn visit_function(&mut self, term: TermId, ty: Type, tasks: &mut Vec<Task>) -> Result<(), Unbuilt> {
        if !self.typing.chosen.contains_key(&term) {
            self.typing.choose_for(&self.terms, term, ty)?;
            self.typing.settle(&self.terms)?;
        }
        let Some(Chosen { function, signature }) = self.typing.chosen.get(&term).cloned() else {
            return Err(Doubt::new("a function in it is not found in the reference program").into());
        };
        let arguments: Vec<TermId> = self.terms.children(term).to_vec();
        let told = |one: &&TermId| !matches!(self.terms.shape(**one), Shape::Field(..));
        let given: Vec<TermId> = arguments.iter().filter(told).copied().collect();
        let mut given = given.into_iter();
        let mut visits = Vec::new();
        for slot in &signature.slots {
            match slot {
                Slot::Dictionary(wanted) => {
                    let plan = wanted
                        .as_ref()
                        .and_then(|wanted| self.typing.types.plan(wanted, &self.good.lowered.instances));
                    let Some(plan) = plan else {
                        return Err(Doubt::new("the types of a function in it are not known").into());
                    };
                    visits.push(Task::Word(self.dictionary(&plan)?));
                }
                Slot::Captured(name, ty) => {
                    visits.push(match field(&self.terms, &arguments, name.as_deref()) {
                        Some(value) => Task::Visit(value, *ty),
                        None => Task::Word(self.machine.unknown(self.asking, NOT_TOLD)?),
                    })
                }
                Slot::Ordinary(ty) => match given.next() {
                    Some(argument) => visits.push(Task::Visit(argument, *ty)),
                    None => break,
                },
            }
        }
        let function = self.machine.function(function);
        tasks.push(Task::Make(Make::Call(function), visits.len()));
        visits.reverse();
        tasks.append(&mut visits);
        Ok(())
    }

    /// A finite map as a function.
    fn map(&mut self, term: TermId, ty: Type) -> Result<Word, Unbuilt> {
        let mut entries = Vec::new();
        for &entry in self.terms.children(term) {
            if let Shape::Entry(arguments, result) = self.terms.shape(entry) {
                entries.push((arguments.to_vec(), result));
            }
        }
        let of = self.typing.types.strip(ty);
        match self.typing.types.view(of) {
            View::Function(..) | View::Open(_) => {}
            // An empty map is also what was never evaluated (S2 §4).
            _ if entries.is_empty() => return Ok(self.machine.unknown(self.asking, UNEVALUATED)?),
            _ => return Err(self.typing.mismatch("a function", ty).into()),
        }
        self.maps.push(MapValue { entries, ty: of });
        Ok(self.machine.outside(self.asking, self.maps.len() as i64 - 1, &[])?)
    }

    fn make(&mut self, make: Make, parts: &[Word]) -> Result<Word, Unbuilt> {
        Ok(match make {
            Make::Construct(con, mut stored) => {
                stored.extend(parts);
                self.machine.construct(con, &stored)?
            }
            Make::List(end) => self.list(parts, end)?,
            Make::Beginning => match parts.split_last() {
                Some((rest, elements)) => self.list(elements, *rest)?,
                None => return Err(Unbuilt::Exhausted),
            },
            Make::Call(function) => self.machine.suspend(function, parts)?,
            Make::Action => match self.machine.returning(parts.first().copied().unwrap_or(Word::char(0)))? {
                Some(action) => action,
                None => self.machine.unknown(self.asking, NOT_TOLD)?,
            },
            Make::Container(container, ty) => self.contain(container, ty, parts)?,
        })
    }

    /// The constructor of a type's container by its name.
    fn container_con(&mut self, ty: Type, name: &str) -> Result<ConId, Doubt> {
        let ty = self.typing.types.strip(ty);
        let found = match self.typing.types.view(ty) {
            View::Data(constructor, _) => {
                let all = self.good.checked.program.type_constructors[constructor].constructors();
                all.iter().copied().find(|&one| self.good.constructor_name(one) == name)
            }
            _ => None,
        };
        let con = found.and_then(|constructor| self.con(constructor));
        con.ok_or_else(|| Doubt::new(format!("the reference program does not use `{name}`")))
    }

    fn contain(&mut self, container: Container, ty: Type, parts: &[Word]) -> Result<Word, Unbuilt> {
        match container {
            Container::Map => {
                let pairs: Vec<&[Word]> = parts.chunks(2).collect();
                self.tree(ty, &pairs, "Tip")
            }
            Container::Set | Container::Sequence => {
                let single: Vec<&[Word]> = parts.chunks(1).collect();
                let empty = if container == Container::Set { "Tip" } else { "Nil" };
                self.tree(ty, &single, empty)
            }
            Container::Array => {
                let con = self.container_con(ty, "Array")?;
                let [low, high, pairs @ ..] = parts else {
                    return Err(Doubt::new("an array has no bounds").into());
                };
                let elements: Vec<Word> = pairs.iter().skip(1).step_by(2).copied().collect();
                let size = self.machine.literal(&Literal::Int(elements.len() as i64))?;
                let elements = self.machine.array(&elements)?;
                Ok(self.machine.construct(con, &[*low, *high, size, elements])?)
            }
            Container::Elements => Ok(self.machine.array(parts)?),
            Container::Ratio => {
                let con = self.container_con(ty, ":%")?;
                Ok(self.machine.construct(con, parts)?)
            }
        }
    }

    /// A balanced tree of ordered elements: of `Bin size element… left right`.
    fn tree(&mut self, ty: Type, elements: &[&[Word]], empty: &str) -> Result<Word, Unbuilt> {
        let tip = self.container_con(ty, empty)?;
        let tip = self.machine.construct(tip, &[])?;
        if elements.is_empty() {
            return Ok(tip);
        }
        let bin = self.container_con(ty, "Bin")?;
        // A part of the elements, and whether its halves are made; it is as deep as their number has bits.
        let mut work = vec![(0, elements.len(), false)];
        let mut made: Vec<Word> = Vec::new();
        while let Some((from, to, halved)) = work.pop() {
            let middle = (from + to) / 2;
            match (from == to, halved) {
                (true, _) => made.push(tip),
                (false, false) => {
                    work.extend([(from, to, true), (middle + 1, to, false), (from, middle, false)]);
                }
                (false, true) => {
                    let (right, left) = (made.pop().unwrap_or(tip), made.pop().unwrap_or(tip));
                    let mut fields = vec![self.machine.literal(&Literal::Int((to - from) as i64))?];
                    fields.extend(elements[middle]);
                    fields.extend([left, right]);
                    made.push(self.machine.construct(bin, &fields)?);
                }
            }
        }
        Ok(made.pop().unwrap_or(tip))
    }

    /// A dictionary. Instances nest only a little.
    pub(super) fn dictionary(&mut self, plan: &Plan) -> Result<Word, Unbuilt> {
        let function = self.good.lowered.instances.get(gadfly_source::Id::index(plan.instance));
        let Some(function) = function.copied().flatten() else {
            return Err(Doubt::new("an instance is not used in the reference program").into());
        };
        let mut needs = Vec::with_capacity(plan.needs.len());
        for need in &plan.needs {
            needs.push(self.dictionary(need)?);
        }
        let function = self.machine.function(function);
        Ok(self.machine.suspend(function, &needs)?)
    }
}
