//! Values by their types: `""` is an empty list like any other, and a `Float` is held as the double of the same value, so how
//! a value is written depends on its type as well.
//!
//! A trail may have the types of functions and of the fields of constructors ([`gadfly_trail::model::Type`]). The types of
//! an equation's values follow from them: a variable of a signature is what a dictionary for it says. A term is gone through
//! with its type, and made anew where the type has something to say.

use super::numbers;
use super::values::Run;
use gadfly_term::{Shape, TermId, Terms};
use gadfly_trail::model::{self, Form, Ref, Role, Tables, What};
use rustc_hash::FxHashMap;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Type(u32);

impl Type {
    /// Nothing is known of it.
    pub(super) const ANY: Type = Type(0);
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Known<'t> {
    Any,
    Character,
    Single,
    Double,
    List(Type),
    Tuple(Vec<Type>),
    Data(&'t str, Vec<Type>),
    Function(Type, Type),
    Action(Type),
}

/// A file may nest its types as deep as it likes, and dictionaries in dictionaries.
const DEPTH: u32 = 40;

/// The types of one equation.
pub(super) struct Types<'t> {
    tables: &'t Tables,
    known: Vec<Known<'t>>,
    numbers: FxHashMap<Known<'t>, Type>,
}

impl<'t> Types<'t> {
    pub(super) fn new(tables: &'t Tables) -> Types<'t> {
        let mut types = Types { tables, known: Vec::new(), numbers: FxHashMap::default() };
        types.intern(Known::Any);
        types
    }

    fn intern(&mut self, known: Known<'t>) -> Type {
        if let Some(&number) = self.numbers.get(&known) {
            return number;
        }
        let number = Type(self.known.len() as u32);
        self.known.push(known.clone());
        self.numbers.insert(known, number);
        number
    }

    /// The types of the values that a function was applied to, and of what came of it.
    pub(super) fn of_redex(&mut self, run: Run<'t>, function: u32, values: &[Ref]) -> (Vec<Type>, Type) {
        let Some(signature) = self.signature(function) else {
            return (vec![Type::ANY; values.len()], Type::ANY);
        };
        let variables = self.variables(run, function, signature, values);
        let mut types: Vec<Type> =
            signature.parameters.iter().map(|of| self.make(*of, &variables, 0)).collect();
        let mut result = self.make(signature.result, &variables, 0);
        while types.len() < values.len() {
            let (parameter, rest) = self.applied(result);
            types.push(parameter);
            result = rest;
        }
        for parameter in types.split_off(values.len()).into_iter().rev() {
            result = self.intern(Known::Function(parameter, result));
        }
        (types, result)
    }

    fn signature(&self, function: u32) -> Option<&'t model::Signature> {
        let all = &self.tables.signatures;
        let at = all.binary_search_by_key(&function, |signature| signature.function).ok()?;
        Some(&all[at])
    }

    /// What the variables of a signature stand for, as far as dictionaries say it.
    fn variables(
        &mut self,
        run: Run<'t>,
        function: u32,
        signature: &model::Signature,
        values: &[Ref],
    ) -> Vec<Type> {
        let mut variables = Vec::new();
        let roles = self.tables.functions[function as usize].parameters.iter().map(|(_, role)| *role);
        for ((role, of), value) in roles.zip(&signature.parameters).zip(values) {
            if role == Role::Dictionary {
                let at = self.of_dictionary(run, *value, 0);
                self.bind(*of, at, &mut variables);
            }
        }
        variables
    }

    /// What the instance is about that a dictionary is of.
    fn of_dictionary(&mut self, run: Run<'t>, dictionary: Ref, depth: u32) -> Type {
        let (function, needs) = match dictionary {
            Ref::Function(function) => (function, Vec::new()),
            Ref::Node(node) if depth < DEPTH => match run.trail.shape(node).what {
                What::Call(function) => (function, run.references(node)),
                _ => return Type::ANY,
            },
            _ => return Type::ANY,
        };
        let Some(signature) = self.signature(function) else { return Type::ANY };
        let mut variables = Vec::new();
        for (of, need) in signature.parameters.iter().zip(needs) {
            let at = self.of_dictionary(run, need, depth + 1);
            self.bind(*of, at, &mut variables);
        }
        self.make(signature.result, &variables, 0)
    }

    fn bind(&mut self, of: u32, at: Type, variables: &mut Vec<Type>) {
        if let Some(model::Type::Variable(number)) = self.tables.types.get(of as usize)
            && (*number as usize) < self.tables.types.len()
        {
            let row = *number as usize;
            if variables.len() <= row {
                variables.resize(row + 1, Type::ANY);
            }
            if variables[row] == Type::ANY {
                variables[row] = at;
            }
        }
    }

    /// A type of the trail, its variables those that are given.
    fn make(&mut self, of: u32, variables: &[Type], depth: u32) -> Type {
        let tables = self.tables;
        let Some(known) = tables.types.get(of as usize).filter(|_| depth < DEPTH) else { return Type::ANY };
        let mut part = |of: &u32| self.make(*of, variables, depth + 1);
        let made = match known {
            model::Type::Any => return Type::ANY,
            model::Type::Variable(number) => {
                return variables.get(*number as usize).copied().unwrap_or(Type::ANY);
            }
            model::Type::Character => Known::Character,
            model::Type::Single => Known::Single,
            model::Type::Double => Known::Double,
            model::Type::List(element) => Known::List(part(element)),
            model::Type::Tuple(parts) => Known::Tuple(parts.iter().map(part).collect()),
            model::Type::Data(of, arguments) => Known::Data(of, arguments.iter().map(part).collect()),
            model::Type::Function(parameter, result) => {
                let parameter = part(parameter);
                Known::Function(parameter, part(result))
            }
            model::Type::Action(result) => Known::Action(part(result)),
        };
        self.intern(made)
    }

    /// The parameter and the result of a function's type.
    fn applied(&self, of: Type) -> (Type, Type) {
        match self.known[of.0 as usize] {
            Known::Function(parameter, result) => (parameter, result),
            _ => (Type::ANY, Type::ANY),
        }
    }

    /// A term as values of its type are written.
    pub(super) fn write(&mut self, terms: &mut Terms, term: TermId, of: Type) -> TermId {
        enum Task {
            Visit(TermId, Type),
            Make(TermId, Type, usize),
        }
        let mut tasks = vec![Task::Visit(term, of)];
        let mut made: Vec<TermId> = Vec::new();
        let mut known: FxHashMap<(TermId, Type), TermId> = FxHashMap::default();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(term, of) => {
                    if let Some(same) = known.get(&(term, of)) {
                        made.push(*same);
                        continue;
                    }
                    let children = terms.children(term).to_vec();
                    if children.is_empty() {
                        let written = self.leaf(terms, term, of);
                        known.insert((term, of), written);
                        made.push(written);
                        continue;
                    }
                    let types = self.parts(terms, term, of, children.len());
                    tasks.push(Task::Make(term, of, children.len()));
                    let visits = children.into_iter().zip(types).map(|(part, of)| Task::Visit(part, of));
                    tasks.extend(visits.rev().collect::<Vec<_>>());
                }
                Task::Make(term, of, count) => {
                    let parts = made.split_off(made.len().saturating_sub(count));
                    let written = match terms.children(term) == parts {
                        true => term,
                        false => remake(terms, term, &parts),
                    };
                    known.insert((term, of), written);
                    made.push(written);
                }
            }
        }
        made.pop().unwrap_or(term)
    }

    fn leaf(&self, terms: &mut Terms, term: TermId, of: Type) -> TermId {
        let known = &self.known[of.0 as usize];
        match (terms.shape(term), known) {
            (Shape::List([]), Known::List(element)) if self.known[element.0 as usize] == Known::Character => {
                terms.str("", 0)
            }
            (Shape::Number(text), Known::Single | Known::Any) if text.parse::<i128>().is_err() => {
                let Ok(value) = text.parse::<f64>() else { return term };
                let written = match known {
                    Known::Single => numbers::single(value),
                    _ => numbers::guessed(value),
                };
                terms.number(&written)
            }
            _ => term,
        }
    }

    /// The types of a term's children.
    fn parts(&mut self, terms: &Terms, term: TermId, of: Type, count: usize) -> Vec<Type> {
        let known = self.known[of.0 as usize].clone();
        let any = || vec![Type::ANY; count];
        match (terms.shape(term), known) {
            (Shape::List(_), Known::List(element)) => vec![element; count],
            // A list of which only the beginning is evaluated: its elements, and the rest.
            (Shape::Con(":", _), Known::List(element)) => {
                let mut types = vec![element; count];
                types[count - 1] = of;
                types
            }
            (Shape::Con("++", _), Known::List(_)) => vec![of; count],
            (Shape::Tuple(_), Known::Tuple(parts)) if parts.len() == count => parts,
            (Shape::Field(..) | Shape::FiniteMap(_), _) => vec![of; count],
            (Shape::Entry(arguments, _), _) => {
                let (mut types, mut result) = (Vec::with_capacity(count), of);
                for _ in arguments {
                    let (parameter, rest) = self.applied(result);
                    types.push(parameter);
                    result = rest;
                }
                types.push(result);
                types
            }
            (Shape::Con(..), Known::Action(result)) => {
                let mut types = any();
                types[0] = result;
                types
            }
            (Shape::Con(name, _), Known::Data(data, arguments)) => {
                self.fields(name, data, &arguments, count).unwrap_or_else(any)
            }
            (Shape::Record(name, fields), Known::Data(data, arguments)) => {
                let named: Vec<&str> = fields.iter().map(|field| field_name(terms, *field)).collect();
                self.record(name, &named, data, &arguments).unwrap_or_else(any)
            }
            _ => any(),
        }
    }

    /// The constructors of a data type.
    fn constructors(&self, data: &str) -> impl Iterator<Item = (u32, &'t model::Constructor)> {
        (0..).zip(&self.tables.constructors).filter(move |(_, known)| known.of == data)
    }

    fn field_types(&mut self, constructor: u32, arguments: &[Type]) -> Option<Vec<Type>> {
        let all = &self.tables.fields;
        let at = all.binary_search_by_key(&constructor, |fields| fields.constructor).ok()?;
        Some(all[at].types.iter().map(|of| self.make(*of, arguments, 0)).collect())
    }

    /// The types of what a constructor holds, or of what stands in its place for a container.
    fn fields(&mut self, name: &str, data: &str, arguments: &[Type], count: usize) -> Option<Vec<Type>> {
        let constructors: Vec<_> = self.constructors(data).collect();
        for (number, known) in constructors {
            let types = match &known.form {
                Form::Tree(branches) if name == "fromList" => {
                    let all = self.field_types(number, arguments)?;
                    let (from, to) = branches.element;
                    let element = match all.get(from as usize..to as usize)? {
                        &[element] => element,
                        parts => {
                            let parts = parts.to_vec();
                            self.intern(Known::Tuple(parts))
                        }
                    };
                    vec![self.intern(Known::List(element))]
                }
                Form::Array if name == "array" || name == "listArray" => {
                    let &[index, element] = arguments else { return None };
                    let pair = self.intern(Known::Tuple(vec![index, element]));
                    let bounds = self.intern(Known::Tuple(vec![index, index]));
                    let inside = if name == "array" { pair } else { element };
                    vec![bounds, self.intern(Known::List(inside))]
                }
                _ if known.name == name => self.field_types(number, arguments)?,
                _ => continue,
            };
            return (types.len() == count).then_some(types);
        }
        None
    }

    fn record(&mut self, name: &str, fields: &[&str], data: &str, arguments: &[Type]) -> Option<Vec<Type>> {
        let (number, known) = self.constructors(data).find(|(_, known)| known.name == name)?;
        let types = self.field_types(number, arguments)?;
        let of = |name: &&str| {
            let row = known.fields.iter().position(|field| field == name);
            row.and_then(|row| types.get(row)).copied().unwrap_or(Type::ANY)
        };
        Some(fields.iter().map(of).collect())
    }
}

fn field_name(terms: &Terms, field: TermId) -> &str {
    match terms.shape(field) {
        Shape::Field(name, _) => name,
        _ => "",
    }
}

/// The same as a term, with other parts.
fn remake(terms: &mut Terms, like: TermId, parts: &[TermId]) -> TermId {
    let last = parts.last().copied().unwrap_or(like);
    match terms.shape(like) {
        Shape::Con(name, _) => {
            let name = name.to_owned();
            terms.con(&name, parts)
        }
        Shape::Record(name, _) => {
            let name = name.to_owned();
            terms.record(&name, parts)
        }
        Shape::Function(name, _) => {
            let name = name.to_owned();
            terms.function(&name, parts)
        }
        Shape::Field(name, _) => {
            let name = name.to_owned();
            terms.field(&name, last)
        }
        Shape::Tuple(_) => terms.tuple(parts),
        Shape::List(_) => terms.list(parts),
        Shape::FiniteMap(_) => terms.finite_map(parts),
        Shape::Entry(..) => terms.entry(&parts[..parts.len().saturating_sub(1)], last),
        _ => like,
    }
}
