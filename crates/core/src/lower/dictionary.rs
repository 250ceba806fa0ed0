//! Dictionaries: the records of methods that overloaded functions are passed.
//!
//! A dictionary that is known when the program is lowered costs nothing at run time: an instance without context is a
//! constant, and so is an instance applied to constants; a method of a known instance is a direct call.

use gadfly_source::Span;
use gadfly_typing::builtin;
use gadfly_typing::interface::{ClassId, DictId, Dictionary, InstanceId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::apply::{Head, Pending};
use super::class::Code;
use super::{Dict, Lowering};
use crate::kernel::{Alternative, Argument, Atom, Expr, ExprId, FunId, Hidden, Origin, Pattern, VarId};

/// A dictionary, as far as the compiler knows it.
#[derive(Clone, Copy, Debug)]
enum Found {
    Variable(VarId),
    /// The arguments are those of the expression in the module that is being lowered.
    Instance(InstanceId, gadfly_typing::interface::Dicts),
    Superclass(DictId, u32),
    Missing,
}

impl Lowering<'_> {
    /// What a dictionary expression is, once aliases are followed.
    fn find_dictionary(&self, mut dictionary: DictId) -> (DictId, Found) {
        // A chain is as long as the module has dictionaries, unless it is a circle.
        for _ in 0..=self.notes().dictionaries.len() + self.notes().dictionary_variables.len() {
            match self.notes().dictionaries[dictionary] {
                Dictionary::Missing => return (dictionary, Found::Missing),
                Dictionary::Same(other) => dictionary = other,
                Dictionary::Instance(instance, arguments) => {
                    return (dictionary, Found::Instance(instance, arguments));
                }
                Dictionary::Superclass(of, index) => match self.known_superclass(of, index) {
                    Some(found) => return (dictionary, found),
                    None => return (dictionary, Found::Superclass(of, index)),
                },
                Dictionary::Variable(variable) => {
                    match self.locals[self.module.index()].dictionaries[variable.index()] {
                        Dict::Variable(variable) => return (dictionary, Found::Variable(variable)),
                        Dict::Same(other) => dictionary = other,
                        Dict::Unbound => return (dictionary, Found::Missing),
                    }
                }
            }
        }
        (dictionary, Found::Missing)
    }

    /// A superclass of an instance, if it is an instance without arguments.
    fn known_superclass(&self, of: DictId, index: u32) -> Option<Found> {
        let (_, Found::Instance(mut instance, _)) = self.find_dictionary(of) else { return None };
        let mut index = index;
        loop {
            let info = &self.typed.instances[instance];
            let notes = &self.typed.modules[info.module].notes;
            let mut dictionary = *info.superclasses.get(index as usize)?;
            loop {
                match notes.dictionaries[dictionary] {
                    Dictionary::Same(other) => dictionary = other,
                    Dictionary::Instance(found, arguments) if arguments.is_empty() => {
                        return Some(Found::Instance(found, arguments));
                    }
                    Dictionary::Superclass(outer, outer_index) => {
                        let Dictionary::Instance(outer, _) = notes.dictionaries[outer] else { return None };
                        (instance, index) = (outer, outer_index);
                        break;
                    }
                    _ => return None,
                }
            }
        }
    }

    pub(super) fn dictionary_arguments(
        &mut self,
        dictionaries: &[DictId],
        span: Span,
        pending: &mut Pending,
    ) -> Vec<Argument> {
        dictionaries
            .iter()
            .map(|&dictionary| Argument { atom: self.dictionary(dictionary, span, pending), span })
            .collect()
    }

    /// A dictionary as an atom. Expressions share dictionaries, so each is made once. A dictionary may need
    /// itself, as that of `Show (Fix Maybe)` does: then it is a variable, which is in scope in its own
    /// definition.
    pub(super) fn dictionary(&mut self, root: DictId, span: Span, pending: &mut Pending) -> Atom {
        let mut made: FxHashMap<DictId, Atom> = FxHashMap::default();
        let mut open: FxHashSet<DictId> = FxHashSet::default();
        let mut needed: FxHashMap<DictId, VarId> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&dictionary) = stack.last() {
            let (found_at, found) = self.find_dictionary(dictionary);
            if made.contains_key(&found_at) {
                stack.pop();
                continue;
            }
            let parts: Vec<DictId> = match found {
                Found::Instance(_, arguments) => self.notes().dicts(arguments).to_vec(),
                Found::Superclass(of, _) => vec![of],
                Found::Variable(_) | Found::Missing => Vec::new(),
            };
            let parts: Vec<DictId> = parts.into_iter().map(|part| self.find_dictionary(part).0).collect();
            if open.insert(found_at) {
                let is_new = |part: &&DictId| !made.contains_key(*part) && !open.contains(*part);
                let new: Vec<DictId> = parts.iter().filter(is_new).copied().collect();
                if !new.is_empty() {
                    stack.extend(new);
                    continue;
                }
            }
            let arguments: Vec<Argument> = parts
                .iter()
                .map(|part| {
                    let atom = made.get(part).copied().unwrap_or_else(|| {
                        let itself = needed.entry(*part).or_insert_with(|| self.dictionary_variable());
                        Atom::Variable(*itself)
                    });
                    Argument { atom, span }
                })
                .collect();
            let itself = needed.get(&found_at).copied();
            let atom = match found {
                Found::Variable(variable) => Atom::Variable(variable),
                Found::Instance(instance, _) => match itself {
                    None => self.instance_atom(instance, &arguments, span, pending),
                    Some(_) => {
                        let function = self.instance_function(instance);
                        let call = self.call_atoms(function, &arguments, span);
                        self.bind_dictionary(call, itself, pending)
                    }
                },
                Found::Superclass(of, index) => {
                    let class = self.class_of(of);
                    let selector = self.selector(class, index);
                    let call = self.call_atoms(selector, &arguments, span);
                    self.bind_dictionary(call, itself, pending)
                }
                Found::Missing => {
                    let unknown = self.unknown("an instance", span);
                    self.atom_of(unknown, pending)
                }
            };
            made.insert(found_at, atom);
            stack.pop();
        }
        made[&self.find_dictionary(root).0]
    }

    /// Binds a dictionary to a variable, a new one unless there is one for it.
    fn bind_dictionary(&mut self, expr: ExprId, variable: Option<VarId>, pending: &mut Pending) -> Atom {
        self.out.set_span(expr, self.out.span(expr), true);
        let variable = variable.unwrap_or_else(|| self.dictionary_variable());
        pending.bind(variable, expr);
        Atom::Variable(variable)
    }

    /// The dictionary of an instance applied to dictionaries.
    pub(super) fn instance_atom(
        &mut self,
        instance: InstanceId,
        arguments: &[Argument],
        span: Span,
        pending: &mut Pending,
    ) -> Atom {
        let function = self.instance_function(instance);
        if arguments.is_empty() {
            return Atom::Function(function);
        }
        if !arguments.iter().all(|argument| matches!(argument.atom, Atom::Function(_))) {
            let call = self.call_atoms(function, arguments, span);
            return self.bind_dictionary(call, None, pending);
        }
        let key = (instance, arguments.iter().map(|argument| argument.atom).collect::<Vec<Atom>>());
        if let Some(&closed) = self.closed.get(&key) {
            return Atom::Function(closed);
        }
        let (name, module, at) = {
            let known = self.out.function(function);
            (known.name, self.typed.instances[instance].module, known.span)
        };
        let closed = self.in_module(module, |lowering| {
            lowering.declare(name, Origin::Hidden(Hidden::Dictionary), at, 0, &[])
        });
        self.closed.insert(key, closed);
        let arguments: Vec<Argument> =
            arguments.iter().map(|argument| Argument { atom: argument.atom, span: at }).collect();
        let call = self.call_atoms(function, &arguments, at);
        let body = self.out.function(closed).body;
        self.fill(body, call);
        Atom::Function(closed)
    }

    fn class_of(&self, dictionary: DictId) -> ClassId {
        let notes = self.notes();
        let mut path = Vec::new();
        let mut at = dictionary;
        let mut class = loop {
            let (found_at, found) = self.find_dictionary(at);
            match found {
                Found::Instance(instance, _) => break self.typed.instances[instance].class,
                Found::Superclass(of, index) if path.len() <= notes.dictionaries.len() => {
                    path.push(index);
                    at = of;
                }
                _ => match notes.dictionaries[found_at] {
                    Dictionary::Variable(variable) => {
                        break notes.dictionary_variables[variable].constraint.class;
                    }
                    _ => break ClassId::from_index(0),
                },
            }
        };
        for index in path.into_iter().rev() {
            let superclasses = &self.typed.classes[class].superclasses;
            class = superclasses.get(index as usize).map_or(class, |constraint| constraint.class);
        }
        class
    }

    /// A method of a dictionary as what is applied.
    pub(super) fn method_head(
        &mut self,
        class: ClassId,
        index: u32,
        dictionary: DictId,
        mut own: Vec<Argument>,
        span: Span,
        pending: &mut Pending,
    ) -> Head {
        if self.takes_unit(class, index) {
            let unit = self.kernel_constructor(builtin::UNIT_VALUE);
            own.push(Argument { atom: Atom::Constructor(unit), span });
        }
        if let (_, Found::Instance(instance, arguments)) = self.find_dictionary(dictionary) {
            let arguments = self.notes().dicts(arguments).to_vec();
            let arguments = self.dictionary_arguments(&arguments, span, pending);
            let (function, mut leading) = self.method_of(instance, index, &arguments, span, pending);
            leading.extend(own);
            return Head::Function(function, leading);
        }
        let dictionary = self.dictionary(dictionary, span, pending);
        self.method_of_atom(class, index, dictionary, own, span)
    }

    /// A method selected from a dictionary at run time.
    pub(super) fn method_of_atom(
        &mut self,
        class: ClassId,
        index: u32,
        dictionary: Atom,
        own: Vec<Argument>,
        span: Span,
    ) -> Head {
        let superclasses = self.typed.classes[class].superclasses.len() as u32;
        let selector = self.selector(class, superclasses + index);
        let call = self.call_atoms(selector, &[Argument { atom: dictionary, span }], span);
        self.out.set_span(call, span, true);
        Head::Value(call, own)
    }

    /// The code of an instance's method, and the arguments that come before all others.
    pub(super) fn method_of(
        &mut self,
        instance: InstanceId,
        index: u32,
        arguments: &[Argument],
        span: Span,
        pending: &mut Pending,
    ) -> (FunId, Vec<Argument>) {
        match self.method_code(instance, index) {
            Code::Default => {
                let class = self.typed.instances[instance].class;
                let dictionary = self.instance_atom(instance, arguments, span, pending);
                (self.default_function(class, index), vec![Argument { atom: dictionary, span }])
            }
            Code::Own | Code::Missing => (self.method_function(instance, index), arguments.to_vec()),
        }
    }

    /// The function that selects a superclass or a method, by its place in the dictionary.
    pub(super) fn selector(&mut self, class: ClassId, place: u32) -> FunId {
        if let Some(&function) = self.selectors.get(&(class, place)) {
            return function;
        }
        let info = &self.typed.classes[class];
        let superclasses = info.superclasses.len();
        let (name, span) = match (place as usize).checked_sub(superclasses) {
            Some(method) if method < info.methods.len() => {
                let value = &self.typed.values[info.methods[method].value];
                (self.symbol_name(value.name), value.span)
            }
            _ => {
                let superclass = info.superclasses.get(place as usize).map(|constraint| constraint.class);
                let superclass = superclass.map_or("", |class| self.text(self.typed.classes[class].name));
                let text = format!("{}-{superclass}", self.text(info.name));
                (self.out.name(&text), info.span)
            }
        };
        let function = self.in_module(info.module, |lowering| {
            lowering.declare(name, Origin::Hidden(Hidden::Selector), span, 1, &[])
        });
        self.selectors.insert((class, place), function);
        let con = self.dictionary_constructor(class);
        let arity = self.out.constructor(con).arity;
        let fields: Vec<_> = (0..arity).map(|_| self.fresh()).collect();
        let selected = match fields.get(place as usize) {
            Some(&field) => self.made(Expr::Atom(Atom::Variable(field)), span),
            None => self.unknown("a method", span),
        };
        let variables = self.out.add_list(&fields);
        let dictionary = self.parameter(function, 0);
        let scrutinee = self.made(Expr::Atom(Atom::Variable(dictionary)), span);
        let alternative = Alternative { pattern: Pattern::Constructor(con, variables), body: selected };
        let case = self.case(scrutinee, vec![alternative], None, span);
        let body = self.out.function(function).body;
        self.fill(body, case);
        function
    }
}
