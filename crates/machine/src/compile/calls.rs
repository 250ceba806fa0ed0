//! Resolves applications to the functions that are really called.
//!
//! A call of an overloaded function with known dictionaries becomes a call of its instance for these; a call of a method
//! of a known dictionary becomes a call of the method; and a library function that only calls another (`x <
//! y` at `Int` is a primitive) is skipped. Functions of the user are never skipped: the session asks about
//! them.

use super::statics::{StaticId, selector};
use super::trace::Class;
use super::{Compiler, Instance, InstanceId};
use crate::primitives::{Control, What};
use gadfly_core::kernel::{Argument, Atom, ConId, Expr, ExprId, FunId, PrimId, Role, VarId};
use rustc_hash::FxHashMap;

/// An argument: an atom of the function that is being compiled, or a known value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arg {
    Atom(Atom),
    Static(StaticId),
}

/// What an application comes down to.
#[derive(Clone, Debug)]
pub(crate) enum Resolved {
    /// A call with all arguments, and more arguments for its result.
    Call(InstanceId, Vec<Arg>, Vec<Arg>),
    /// A function with some of its arguments, perhaps none.
    Partial(InstanceId, Vec<Arg>),
    Construct(ConId, Vec<Arg>),
    /// A primitive with all arguments, and more arguments for its result.
    Primitive(PrimId, Vec<Arg>, Vec<Arg>),
    /// An unknown function; without arguments, it is only evaluated.
    Apply(Arg, Vec<Arg>),
}

/// What is known of the variables of a function.
pub(crate) type Known = FxHashMap<VarId, StaticId>;

/// The most instances of a function; further calls pass dictionaries.
const INSTANCES: u32 = 48;
/// The most functions that one call skips.
const STEPS: u32 = 12;

impl<const TAG: usize> Compiler<'_, TAG> {
    /// The instance of a function for known dictionaries; `statics` are by parameter.
    pub(crate) fn instance(&mut self, function: FunId, statics: &[Option<StaticId>]) -> InstanceId {
        let key = (function, statics.into());
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let parameters = self.program.function(function).parameters.iter().enumerate();
        let parameters = parameters.filter(|(row, _)| statics.get(*row).copied().flatten().is_none());
        let parameters: Vec<VarId> = parameters.map(|(_, parameter)| parameter.variable).collect();
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance::new(function, key.1.clone(), parameters));
        *self.counts.entry(function).or_insert(0) += 1;
        self.ids.insert(key, id);
        id
    }

    /// Splits the arguments of a function into its instance and the arguments that are passed.
    fn instance_for(&mut self, function: FunId, arguments: Vec<Arg>) -> (InstanceId, Vec<Arg>) {
        let parameters = &self.program.function(function).parameters;
        let mut statics: Vec<Option<StaticId>> = vec![None; parameters.len()];
        if self.counts.get(&function).copied().unwrap_or(0) < INSTANCES {
            for (row, argument) in arguments.iter().enumerate() {
                if parameters[row].role == Role::Dictionary
                    && let Arg::Static(id) = argument
                {
                    statics[row] = Some(*id);
                }
            }
        }
        let mut row = 0;
        let passed = arguments.into_iter().filter(|_| {
            row += 1;
            statics[row - 1].is_none()
        });
        let passed = passed.collect();
        (self.instance(function, &statics), passed)
    }

    /// The instance of a static, with the arguments that must still be passed.
    pub(crate) fn static_instance(&mut self, id: StaticId) -> (InstanceId, Vec<Arg>) {
        let found = self.statics.get(id).clone();
        let arguments = found.arguments.iter().map(|&id| Arg::Static(id)).collect();
        self.instance_for(found.function, arguments)
    }

    /// An atom as an argument.
    pub(crate) fn arg(&mut self, atom: Atom, known: &Known) -> Arg {
        match atom {
            Atom::Variable(variable) => match known.get(&variable) {
                Some(&id) => Arg::Static(id),
                None => Arg::Atom(atom),
            },
            Atom::Function(function) if self.is_dictionary(function) => {
                match self.statics.add(self.program, function, &[]) {
                    Some(id) => Arg::Static(id),
                    None => Arg::Atom(atom),
                }
            }
            _ => Arg::Atom(atom),
        }
    }

    fn is_dictionary(&self, function: FunId) -> bool {
        use gadfly_core::kernel::{Hidden, Origin};
        self.program.function(function).origin == Origin::Hidden(Hidden::Dictionary)
    }

    pub(crate) fn args(&mut self, arguments: &[Argument], known: &Known) -> Vec<Arg> {
        arguments.iter().map(|argument| self.arg(argument.atom, known)).collect()
    }

    /// What an application comes down to; `None` for expressions that are none.
    pub(crate) fn resolve(&mut self, expr: ExprId, known: &Known) -> Option<Resolved> {
        let program = self.program;
        Some(match program.expr(expr) {
            Expr::Atom(atom) => {
                let head = self.arg(atom, known);
                self.apply(head, Vec::new(), STEPS)
            }
            Expr::Call(function, arguments) | Expr::Partial(function, arguments) => {
                let arguments = self.args(program.list(arguments), known);
                self.call(function, arguments, STEPS)
            }
            Expr::Apply(head, arguments) => {
                let head = self.arg(head, known);
                let arguments = self.args(program.list(arguments), known);
                self.apply(head, arguments, STEPS)
            }
            Expr::Construct(constructor, arguments) => {
                Resolved::Construct(constructor, self.args(program.list(arguments), known))
            }
            Expr::Primitive(primitive, arguments) => {
                let arguments = self.args(program.list(arguments), known);
                self.primitive(primitive, arguments, Vec::new(), STEPS)
            }
            // More arguments than the function has parameters.
            Expr::Case(case) if case.alternatives.is_empty() => {
                let Expr::Apply(Atom::Variable(head), more) = program.expr(case.default?) else {
                    return None;
                };
                let more = program.list(more);
                let again = more.iter().any(|argument| argument.atom == Atom::Variable(case.variable));
                if head != case.variable || again || known.contains_key(&head) {
                    return None;
                }
                let more = self.args(more, known);
                match program.expr(case.scrutinee) {
                    Expr::Call(function, arguments) | Expr::Partial(function, arguments) => {
                        let mut all = self.args(program.list(arguments), known);
                        all.extend(more);
                        self.call(function, all, STEPS)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// The static that an expression is, if it is known.
    pub(crate) fn resolve_static(&mut self, expr: ExprId, known: &Known) -> Option<StaticId> {
        let program = self.program;
        let (Expr::Call(function, arguments) | Expr::Partial(function, arguments)) = program.expr(expr)
        else {
            return None;
        };
        let field = selector(program, function);
        if field.is_none() && !self.is_dictionary(function) {
            return None;
        }
        let arguments: Option<Vec<StaticId>> = self
            .args(program.list(arguments), known)
            .into_iter()
            .map(|argument| match argument {
                Arg::Static(id) => Some(id),
                Arg::Atom(_) => None,
            })
            .collect();
        let arguments = arguments?;
        match field {
            Some(field) => self.statics.select(program, *arguments.first()?, field),
            None => self.statics.add(program, function, &arguments),
        }
    }

    fn apply(&mut self, head: Arg, mut arguments: Vec<Arg>, steps: u32) -> Resolved {
        match head {
            Arg::Static(id) => {
                let found = self.statics.get(id).clone();
                let mut all: Vec<Arg> = found.arguments.iter().map(|&id| Arg::Static(id)).collect();
                all.append(&mut arguments);
                self.call(found.function, all, steps)
            }
            Arg::Atom(Atom::Function(function)) if self.program.arity(function) > 0 => {
                self.call(function, arguments, steps)
            }
            Arg::Atom(_) => Resolved::Apply(head, arguments),
        }
    }

    fn call(&mut self, function: FunId, mut arguments: Vec<Arg>, steps: u32) -> Resolved {
        let program = self.program;
        let arity = program.arity(function);
        if arguments.len() < arity {
            let (instance, passed) = self.instance_for(function, arguments);
            return Resolved::Partial(instance, passed);
        }
        let rest = arguments.split_off(arity);
        if steps > 0 {
            if let (Some(field), Some(Arg::Static(id))) = (selector(program, function), arguments.first())
                && let Some(found) = self.statics.select(program, *id, field)
            {
                return self.apply(Arg::Static(found), rest, steps - 1);
            }
            if let Some(resolved) = self.pass_through(function, &arguments, &rest, steps - 1) {
                return resolved;
            }
        }
        let (instance, passed) = self.instance_for(function, arguments);
        if arity == 0 && (rest.is_empty() || program.function(function).shared) {
            return Resolved::Apply(Arg::Atom(Atom::Function(function)), rest);
        }
        Resolved::Call(instance, passed, rest)
    }

    /// Resolves a call of a library function that only calls another function.
    fn pass_through(
        &mut self,
        function: FunId,
        arguments: &[Arg],
        rest: &[Arg],
        steps: u32,
    ) -> Option<Resolved> {
        let program = self.program;
        let info = program.function(function);
        if !program.module(info.module).library
            || info.parameters.is_empty()
            || self.function_class(function) != Class::Trusted
        {
            return None;
        }
        let mut body = info.body;
        while let Expr::Rule { body: inner, .. } = program.expr(body) {
            body = inner;
        }
        let substitute = |compiler: &mut Self, atom: Atom| match atom {
            Atom::Variable(variable) => {
                let row = info.parameters.iter().position(|parameter| parameter.variable == variable);
                row.map(|row| arguments[row])
            }
            _ => Some(compiler.arg(atom, &Known::default())),
        };
        let all = |compiler: &mut Self, list: &[Argument]| -> Option<Vec<Arg>> {
            list.iter().map(|argument| substitute(compiler, argument.atom)).collect()
        };
        match program.expr(body) {
            Expr::Atom(atom) => {
                let head = all(self, &[Argument { atom, span: program.span(body) }])?[0];
                Some(self.apply(head, rest.to_vec(), steps))
            }
            Expr::Call(inner, list) | Expr::Partial(inner, list) if inner != function => {
                let mut inner_arguments = all(self, program.list(list))?;
                inner_arguments.extend_from_slice(rest);
                Some(self.call(inner, inner_arguments, steps))
            }
            Expr::Apply(head, list) => {
                let head = all(self, &[Argument { atom: head, span: program.span(body) }])?[0];
                let mut inner_arguments = all(self, program.list(list))?;
                inner_arguments.extend_from_slice(rest);
                Some(self.apply(head, inner_arguments, steps))
            }
            Expr::Construct(constructor, list) if rest.is_empty() => {
                Some(Resolved::Construct(constructor, all(self, program.list(list))?))
            }
            Expr::Primitive(primitive, list) => {
                let inner_arguments = all(self, program.list(list))?;
                Some(self.primitive(primitive, inner_arguments, rest.to_vec(), steps))
            }
            // A method of a dictionary that is known by now.
            Expr::Case(case) if case.alternatives.is_empty() => {
                let Expr::Call(method, list) = program.expr(case.scrutinee) else { return None };
                let field = selector(program, method)?;
                let Some(Arg::Static(dictionary)) = all(self, program.list(list))?.first().copied() else {
                    return None;
                };
                let Expr::Apply(Atom::Variable(head), list) = program.expr(case.default?) else {
                    return None;
                };
                if head != case.variable {
                    return None;
                }
                let mut inner_arguments = all(self, program.list(list))?;
                inner_arguments.extend_from_slice(rest);
                let found = self.statics.select(program, dictionary, field)?;
                Some(self.apply(Arg::Static(found), inner_arguments, steps))
            }
            _ => None,
        }
    }

    fn primitive(&mut self, id: PrimId, arguments: Vec<Arg>, rest: Vec<Arg>, steps: u32) -> Resolved {
        match self.primitives[id.index()].map(|primitive| primitive.what) {
            Some(What::Control(Control::Same)) if arguments.len() == 1 => {
                self.apply(arguments[0], rest, steps)
            }
            _ => Resolved::Primitive(id, arguments, rest),
        }
    }
}
