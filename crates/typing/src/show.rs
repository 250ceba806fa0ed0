//! Types as a person writes them.
//!
//! A [`Printer`] keeps the names it has given to type variables, so that several types in one message agree.
//! Very deep or very long types are cut short with `…`.

use gadfly_syntax::names::{Interner, Symbol};
use rustc_hash::FxHashSet;

use crate::builtin::{self, ARROW, LIST};
use crate::checker::Checker;
use crate::interface::{InstanceId, Program, TypeConId};
use crate::known::KnownType;
use crate::types::{Constraint, MetaId, SchemeId, SkolemId, Ty, TyId};

/// How deep a type is shown.
const DEPTH: u32 = 40;
/// About how long the text of a type may become.
const LENGTH: usize = 2_000;

impl Program {
    /// A type with its context, such as `(Show a, Num b) => a -> b -> String`.
    pub fn show_scheme(&self, scheme: SchemeId, interner: &Interner) -> String {
        Printer::new(self, interner).scheme(scheme)
    }

    /// A type.
    pub fn show_type(&self, ty: TyId, interner: &Interner) -> String {
        Printer::new(self, interner).ty(ty)
    }

    /// A kind of a type constructor, such as `* -> *`.
    pub fn show_kind(&self, constructor: TypeConId, interner: &Interner) -> String {
        Printer::new(self, interner).ty(self.type_constructors[constructor].kind)
    }
}

impl Checker<'_> {
    pub(crate) fn printer(&self) -> Printer<'_> {
        Printer::new(&self.world.program, self.interner)
    }

    pub(crate) fn show_type(&self, ty: TyId) -> String {
        self.printer().ty(ty)
    }

    pub(crate) fn show_scheme(&self, scheme: SchemeId) -> String {
        self.printer().scheme(scheme)
    }

    /// The head of an instance.
    pub(crate) fn show_instance(&self, instance: InstanceId) -> String {
        let info = &self.world.program.instances[instance];
        self.printer().constraint(Constraint { class: info.class, arguments: info.arguments })
    }
}

/// Where a type stands, for parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Position {
    Whole,
    /// Left of an arrow, or an operand of a type operator.
    Parameter,
    /// An argument of a type constructor.
    Argument,
}

/// Shows types with consistent names for their variables.
pub(crate) struct Printer<'a> {
    program: &'a Program,
    interner: &'a Interner,
    skolems: Vec<(SkolemId, String)>,
    metas: Vec<(MetaId, String)>,
    taken: FxHashSet<String>,
    /// Whether type constructors are shown with their modules.
    pub(crate) qualified: bool,
    next: u32,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(program: &'a Program, interner: &'a Interner) -> Printer<'a> {
        Printer {
            program,
            interner,
            skolems: Vec::new(),
            metas: Vec::new(),
            taken: FxHashSet::default(),
            qualified: false,
            next: 0,
        }
    }

    /// Gives variables that the programmer named their names, before other variables can take these.
    pub(crate) fn reserve(&mut self, ty: TyId) {
        let mut stack = vec![ty];
        let mut budget = 10_000;
        while let Some(ty) = stack.pop() {
            budget -= 1;
            if budget == 0 {
                return;
            }
            match self.program.types.view(ty) {
                Ty::App(a, b) | Ty::Fun(a, b) => stack.extend([b, a]),
                Ty::Forall(scheme) => stack.push(self.program.types.scheme(scheme).body),
                Ty::Skolem(skolem) if self.program.types.skolem(skolem).name.is_some() => {
                    self.skolem(skolem);
                }
                _ => {}
            }
        }
    }

    pub(crate) fn scheme(&mut self, scheme: SchemeId) -> String {
        let scheme = self.program.types.scheme(scheme);
        self.reserve(scheme.body);
        self.name_constructors(&scheme.context);
        let body = self.at(scheme.body, Position::Whole, 0);
        let context = self.context(&scheme.context);
        format!("{context}{body}")
    }

    /// Names variables that stand for type constructors as people do, by their classes.
    fn name_constructors(&mut self, context: &[Constraint]) {
        for constraint in context {
            let class = &self.program.classes[constraint.class];
            let arguments = self.program.types.list(constraint.arguments);
            for (&argument, &kind) in arguments.iter().zip(&class.kinds) {
                let Ty::Skolem(skolem) = self.program.types.view(argument) else { continue };
                let constructor = matches!(self.program.types.view(kind), Ty::Fun(..));
                let named = self.program.types.skolem(skolem).name.is_some()
                    || self.skolems.iter().any(|(other, _)| *other == skolem);
                if !constructor || named {
                    continue;
                }
                let letter = match self.interner.text(class.name) {
                    "Foldable" | "Traversable" => "t",
                    name if name.contains("Monad") => "m",
                    _ => "f",
                };
                let name = self.unique(letter);
                self.skolems.push((skolem, name));
            }
        }
    }

    pub(crate) fn ty(&mut self, ty: TyId) -> String {
        self.reserve(ty);
        self.at(ty, Position::Whole, 0)
    }

    /// `(Eq a, Show a) => `, or nothing.
    fn context(&mut self, context: &[Constraint]) -> String {
        match context {
            [] => String::new(),
            [only] => format!("{} => ", self.constraint(*only)),
            several => {
                let mut shown: Vec<String> = Vec::new();
                for &constraint in several.iter().take(20) {
                    shown.push(self.constraint(constraint));
                }
                if several.len() > 20 {
                    shown.push("…".to_owned());
                }
                format!("({}) => ", shown.join(", "))
            }
        }
    }

    pub(crate) fn constraint(&mut self, constraint: Constraint) -> String {
        let mut text = self.interner.text(self.program.classes[constraint.class].name).to_owned();
        if let &[left, right] = self.program.types.list(constraint.arguments)
            && text.starts_with(|first: char| !first.is_alphanumeric() && first != '_')
        {
            let left = self.at(left, Position::Argument, 0);
            return format!("{left} {text} {}", self.at(right, Position::Argument, 0));
        }
        for &argument in self.program.types.list(constraint.arguments) {
            text.push(' ');
            text.push_str(&self.at(argument, Position::Argument, 0));
        }
        text
    }

    fn at(&mut self, ty: TyId, position: Position, depth: u32) -> String {
        if depth > DEPTH {
            return "…".to_owned();
        }
        let types = &self.program.types;
        match types.view(ty) {
            Ty::Error => "_".to_owned(),
            Ty::Con(constructor) => self.constructor(constructor),
            Ty::Meta(meta) => self.meta(meta),
            Ty::Skolem(skolem) => self.skolem(skolem),
            Ty::Fun(..) => self.function(ty, position, depth),
            Ty::App(..) => self.application(ty, position, depth),
            Ty::Forall(scheme) => self.forall(scheme, position, depth),
        }
    }

    fn function(&mut self, ty: TyId, position: Position, depth: u32) -> String {
        let mut text = String::new();
        let mut rest = ty;
        while let Ty::Fun(parameter, result) = self.program.types.view(rest) {
            if text.len() > LENGTH {
                text.push('…');
                return parenthesised(text, position > Position::Whole);
            }
            text.push_str(&self.at(parameter, Position::Parameter, depth + 1));
            text.push_str(" -> ");
            rest = result;
        }
        text.push_str(&self.at(rest, Position::Whole, depth + 1));
        parenthesised(text, position > Position::Whole)
    }

    fn application(&mut self, ty: TyId, position: Position, depth: u32) -> String {
        let (head, arguments) = self.program.types.unapply(ty);
        if let Ty::Con(constructor) = self.program.types.get(head) {
            if constructor == LIST && arguments.len() == 1 {
                return self.list(arguments[0], depth);
            }
            if builtin::tuple_arity(constructor) == Some(arguments.len()) {
                let mut parts = Vec::new();
                let mut length = 0;
                for &part in &arguments {
                    if length > LENGTH {
                        parts.push("…".to_owned());
                        break;
                    }
                    let part = self.at(part, Position::Whole, depth + 1);
                    length += part.len();
                    parts.push(part);
                }
                return format!("({})", parts.join(", "));
            }
            if constructor == ARROW && arguments.len() == 2 {
                let from = self.at(arguments[0], Position::Parameter, depth + 1);
                let to = self.at(arguments[1], Position::Whole, depth + 1);
                return parenthesised(format!("{from} -> {to}"), position > Position::Whole);
            }
            let name = self.program.type_constructors[constructor].name;
            if is_operator(self.interner.text(name)) && arguments.len() == 2 && constructor != ARROW {
                let left = self.at(arguments[0], Position::Parameter, depth + 1);
                let right = self.at(arguments[1], Position::Parameter, depth + 1);
                let text = format!("{left} {} {right}", self.interner.text(name));
                return parenthesised(text, position > Position::Whole);
            }
        }
        let mut text = self.at(head, Position::Argument, depth + 1);
        for argument in arguments {
            if text.len() > LENGTH {
                text.push_str(" …");
                break;
            }
            text.push(' ');
            text.push_str(&self.at(argument, Position::Argument, depth + 1));
        }
        parenthesised(text, position == Position::Argument)
    }

    fn list(&mut self, element: TyId, depth: u32) -> String {
        let char = self.program.known.type_constructor(KnownType::Char);
        if let Ty::Con(constructor) = self.program.types.view(element)
            && Some(constructor) == char
        {
            return "String".to_owned();
        }
        format!("[{}]", self.at(element, Position::Whole, depth + 1))
    }

    fn forall(&mut self, scheme: SchemeId, position: Position, depth: u32) -> String {
        let scheme = self.program.types.scheme(scheme);
        let variables: Vec<String> = scheme.variables.iter().map(|&variable| self.skolem(variable)).collect();
        let body = self.at(scheme.body, Position::Whole, depth + 1);
        let context = self.context(&scheme.context);
        let text = match variables.is_empty() {
            true => format!("{context}{body}"),
            false => format!("forall {}. {context}{body}", variables.join(" ")),
        };
        parenthesised(text, position > Position::Whole)
    }

    fn constructor(&mut self, constructor: TypeConId) -> String {
        let info = &self.program.type_constructors[constructor];
        let name = self.interner.text(info.name);
        let module =
            info.module.filter(|_| self.qualified).and_then(|module| self.program.modules.get(module));
        let text = match module {
            Some(module) => format!("{}.{name}", self.interner.text(module.name)),
            None => name.to_owned(),
        };
        match is_operator(name) && name != "*" {
            true => format!("({text})"),
            false => text,
        }
    }

    fn skolem(&mut self, skolem: SkolemId) -> String {
        if let Some((_, name)) = self.skolems.iter().find(|(other, _)| *other == skolem) {
            return name.clone();
        }
        let name = match self.program.types.skolem(skolem).name {
            Some(symbol) => self.free_name(symbol),
            None => self.fresh_name(""),
        };
        self.skolems.push((skolem, name.clone()));
        name
    }

    fn meta(&mut self, meta: MetaId) -> String {
        if let Some((_, name)) = self.metas.iter().find(|(other, _)| *other == meta) {
            return name.clone();
        }
        let name = self.fresh_name("0");
        self.metas.push((meta, name.clone()));
        name
    }

    /// A programmer's name, with a number if another variable has it.
    fn free_name(&mut self, symbol: Symbol) -> String {
        let interner: &'a Interner = self.interner;
        self.unique(interner.text(symbol))
    }

    fn unique(&mut self, name: &str) -> String {
        let mut text = name.to_owned();
        let mut number = 0;
        while !self.taken.insert(text.clone()) {
            number += 1;
            text = format!("{name}{number}");
        }
        text
    }

    /// `a` to `z`, then `a1` and so on.
    fn fresh_name(&mut self, suffix: &str) -> String {
        loop {
            let letter = char::from(b'a' + (self.next % 26) as u8);
            let round = self.next / 26;
            self.next += 1;
            let name = match round {
                0 => format!("{letter}{suffix}"),
                _ => format!("{letter}{round}{suffix}"),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

fn parenthesised(text: String, yes: bool) -> String {
    if yes { format!("({text})") } else { text }
}

fn is_operator(name: &str) -> bool {
    name.starts_with(|first: char| !first.is_alphanumeric() && !matches!(first, '_' | '(' | '[' | '\''))
}
