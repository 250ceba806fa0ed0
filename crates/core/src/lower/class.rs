//! Classes and instances: the layout of dictionaries, and the functions that make them.
//!
//! A dictionary holds those of the superclasses, then the methods. An instance without context is a constant; one
//! with a context is a function of dictionaries. Everything in a dictionary is evaluated when it is needed, so
//! instances may refer to each other and to themselves.

use gadfly_source::Span;
use gadfly_syntax::Dialect;
use gadfly_syntax::tree::{Decl, DeclId};
use gadfly_typing::interface::{ClassId, Derived, DictVars, InstanceId, MethodBody, ModuleId};
use gadfly_typing::types::Ty;

use super::apply::Pending;
use super::binding::Equations;
use super::{Job, Lowering};
use crate::kernel::{Argument, Atom, ConId, ErrorKind, Expr, FunId, Hidden, Name, Origin};

/// Where the code of an instance's method comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// The instance itself, written or derived: a function of the instance's dictionaries and more.
    Own,
    /// The class: a function of the instance's dictionary and more.
    Default,
    /// Nowhere: an error.
    Missing,
}

impl Lowering<'_> {
    /// Declares the instances and the defaults of a module, so that all of them are lowered.
    pub(super) fn module_classes(&mut self, module: ModuleId) {
        for (id, instance) in self.typed.instances.iter() {
            if instance.module == module {
                self.instance_function(id);
            }
        }
        for (id, class) in self.typed.classes.iter() {
            let defaults = class.methods.iter().zip(0..).filter(|(method, _)| method.default.is_some());
            for (_, index) in defaults.filter(|_| class.module == module) {
                self.default_function(id, index);
            }
        }
    }

    pub(super) fn dictionary_constructor(&mut self, class: ClassId) -> ConId {
        if let Some(&con) = self.dictionary_constructors.get(&class) {
            return con;
        }
        let info = &self.typed.classes[class];
        let superclasses = info.superclasses.len();
        let name = self.text(info.name);
        let arity = (superclasses + info.methods.len()) as u32;
        let con = self.hidden_constructor(name, arity, superclasses as u32);
        self.dictionary_constructors.insert(class, con);
        con
    }

    /// Whether a method takes the unit, which is never shown: so does a Curry method that is not a function. Such a method
    /// may have several values, so the dictionary must not share one.
    pub(super) fn takes_unit(&self, class: ClassId, index: u32) -> bool {
        let info = &self.typed.classes[class];
        let Some(method) = info.methods.get(index as usize) else { return false };
        let scheme = self.typed.types.scheme(self.typed.values[method.value].scheme);
        self.typed.modules[info.module].syntax.dialect == Dialect::Curry
            && scheme.context.len() <= 1
            && !matches!(self.typed.types.view(scheme.body), Ty::Fun(..))
    }

    /// The types of an instance's head, shortly.
    fn instance_type(&mut self, instance: InstanceId) -> Name {
        let info = &self.typed.instances[instance];
        let types = &self.typed.types;
        let text = |&ty: &_| match types.head(ty).0 {
            Ty::Con(constructor) => self.text(self.typed.type_constructors[constructor].name),
            Ty::Fun(..) => "->",
            Ty::Skolem(skolem) => types.skolem(skolem).name.map_or("a", |name| self.text(name)),
            Ty::App(..) | Ty::Meta(_) | Ty::Forall(_) | Ty::Error => "_",
        };
        let texts: Vec<&str> = types.list(info.arguments).iter().map(text).collect();
        self.out.name(&texts.join(" "))
    }

    /// The function that makes an instance's dictionary.
    pub(super) fn instance_function(&mut self, instance: InstanceId) -> FunId {
        if let Some(function) = self.instances[instance.index()] {
            return function;
        }
        let info = &self.typed.instances[instance];
        let at = self.instance_type(instance);
        let text = format!("{}@{}", self.text(self.typed.classes[info.class].name), self.out.text(at));
        let name = self.out.name(&text);
        let function = self.in_module(info.module, |lowering| {
            let origin = Origin::Hidden(Hidden::Dictionary);
            lowering.declare(name, origin, info.span, info.dictionaries.len(), &[])
        });
        self.instances[instance.index()] = Some(function);
        self.jobs.push_back((Job::Dictionary(instance), function));
        function
    }

    pub(super) fn dictionary_body(&mut self, instance: InstanceId, function: FunId) {
        let info = &self.typed.instances[instance];
        let span = info.span;
        self.bind_dictionaries(function, 0, info.dictionaries);
        let con = self.dictionary_constructor(info.class);
        let context = self.parameters_as_arguments(function);
        let mut pending = Pending::default();
        let itself = match context.is_empty() {
            true => None,
            false => Some(self.dictionary_variable()),
        };
        let this = itself.map_or(Atom::Function(function), Atom::Variable);
        let mut fields = self.dictionary_arguments(&info.superclasses, span, &mut pending);
        for index in 0..self.typed.classes[info.class].methods.len() as u32 {
            let method = match self.method_code(instance, index) {
                Code::Default => {
                    let default = self.default_function(info.class, index);
                    self.call_atoms(default, &[Argument { atom: this, span }], span)
                }
                Code::Own | Code::Missing => {
                    let method = self.method_function(instance, index);
                    self.call_atoms(method, &context, span)
                }
            };
            self.out.set_span(method, span, true);
            fields.push(Argument { atom: self.atom_of(method, &mut pending), span });
        }
        let fields = self.out.add_list(&fields);
        let mut expr = self.made(Expr::Construct(con, fields), span);
        if let Some(variable) = itself {
            pending.bind(variable, expr);
            expr = self.made(Expr::Atom(Atom::Variable(variable)), span);
        }
        let expr = self.close(pending, expr);
        let body = self.out.function(function).body;
        self.fill(body, expr);
    }

    /// Where the code of an instance's method comes from.
    pub(super) fn method_code(&self, instance: InstanceId, index: u32) -> Code {
        let info = &self.typed.instances[instance];
        let method = self.typed.classes[info.class].methods.get(index as usize);
        let default = match method.and_then(|method| method.default) {
            Some(_) => Code::Default,
            None => Code::Missing,
        };
        match &info.derived {
            None => match info.methods.get(index as usize) {
                Some(MethodBody::Defined(_)) => Code::Own,
                Some(MethodBody::Default) => default,
                Some(MethodBody::Missing) | None => Code::Missing,
            },
            Some(Derived::Newtype { .. }) => Code::Own,
            Some(Derived::Defaults { .. }) => default,
            Some(Derived::Stock { .. } | Derived::Mapping { .. }) => {
                match self.is_derivable(info.class, index) {
                    true => Code::Own,
                    false => default,
                }
            }
        }
    }

    /// The function of an instance's own method: its parameters are the instance's dictionaries, those of the
    /// method, and the method's own.
    pub(super) fn method_function(&mut self, instance: InstanceId, index: u32) -> FunId {
        if let Some(&function) = self.methods.get(&(instance, index)) {
            return function;
        }
        let info = &self.typed.instances[instance];
        let class = self.symbol_name(self.typed.classes[info.class].name);
        let at = self.instance_type(instance);
        let value = self.typed.classes[info.class].methods[index as usize].value;
        let name = self.symbol_name(self.typed.values[value].name);
        let context = info.dictionaries.len();
        let unit = usize::from(self.takes_unit(info.class, index));
        let function = self.in_module(info.module, |lowering| match info.methods.get(index as usize) {
            Some(&MethodBody::Defined(decl)) => {
                lowering.declare_equations(name, Origin::Method { class, at }, decl, context, unit)
            }
            _ => {
                let (own, parameters) = lowering.derived_arity(instance, index);
                let parameters = vec![None; parameters];
                let origin = match info.derived {
                    Some(_) => Origin::Derived { class, at },
                    None => Origin::Method { class, at },
                };
                lowering.declare(name, origin, info.span, context + own + unit, &parameters)
            }
        });
        self.methods.insert((instance, index), function);
        self.jobs.push_back((Job::Method(instance, index), function));
        function
    }

    pub(super) fn method_body(&mut self, instance: InstanceId, index: u32, function: FunId) {
        let info = &self.typed.instances[instance];
        self.bind_dictionaries(function, 0, info.dictionaries);
        if let Some(&MethodBody::Defined(decl)) = info.methods.get(index as usize) {
            self.bind_dictionaries(function, info.dictionaries.len(), self.binding_dictionaries(decl));
            self.equations(function, Equations { decl, default: None });
            return;
        }
        let expr = match &info.derived {
            Some(Derived::Newtype { inside, .. }) => {
                let mut pending = Pending::default();
                let head = self.method_head(info.class, index, *inside, Vec::new(), info.span, &mut pending);
                self.apply(head, &[], info.span, info.span, pending)
            }
            Some(_) if self.is_derivable(info.class, index) => self.derived_method(instance, index, function),
            _ => self.missing_method(info.class, index, info.span),
        };
        let body = self.out.function(function).body;
        self.fill(body, expr);
        self.tidy(body);
    }

    fn missing_method(&mut self, class: ClassId, index: u32, span: Span) -> crate::kernel::ExprId {
        let value = self.typed.classes[class].methods[index as usize].value;
        let name = self.symbol_name(self.typed.values[value].name);
        self.made(Expr::Error(ErrorKind::MissingMethod, name), span)
    }

    /// The function of a class's default: its parameters are the class's dictionary, those of the method, and
    /// the method's own.
    pub(super) fn default_function(&mut self, class: ClassId, index: u32) -> FunId {
        if let Some(&function) = self.defaults.get(&(class, index)) {
            return function;
        }
        let info = &self.typed.classes[class];
        let class_name = self.symbol_name(info.name);
        let method = &info.methods[index as usize];
        let name = self.symbol_name(self.typed.values[method.value].name);
        let origin = Origin::Default { class: class_name };
        let unit = usize::from(self.takes_unit(class, index));
        let function = self.in_module(info.module, |lowering| match method.default {
            Some(decl) => lowering.declare_equations(name, origin, decl, 0, unit),
            None => lowering.declare(name, origin, info.span, 1 + unit, &[]),
        });
        self.defaults.insert((class, index), function);
        self.jobs.push_back((Job::Default(class, index), function));
        function
    }

    pub(super) fn default_body(&mut self, class: ClassId, index: u32, function: FunId) {
        match self.typed.classes[class].methods[index as usize].default {
            Some(decl) => {
                self.bind_dictionaries(function, 0, self.binding_dictionaries(decl));
                self.equations(function, Equations { decl, default: None });
            }
            None => {
                let expr = self.missing_method(class, index, self.typed.classes[class].span);
                let body = self.out.function(function).body;
                self.fill(body, expr);
            }
        }
    }
}

/// Whether a declaration has equations with parameters or dictionaries: it is a function even in a local
/// block.
pub(super) fn is_function(lowering: &Lowering, decl: DeclId, dictionaries: DictVars) -> bool {
    let tree = lowering.tree();
    let Decl::Function { rules, .. } = tree.get(decl) else { return false };
    !dictionaries.is_empty() || tree.list(*rules).iter().any(|rule| !rule.patterns.is_empty())
}
