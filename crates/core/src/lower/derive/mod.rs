//! Derived instances (Haskell 2010 §11), made as kernel code.
//!
//! Only methods without a usable default are made; the others are the class's defaults. Each kind of class
//! has its file. This file has what they share: the list of methods, the walk over the constructors of a
//! type, and numbers, which are the machine's small integers in Haskell and unbounded ones in Curry.

mod compare;
mod enumerate;
mod index;
mod map;
mod read;
mod show;

use gadfly_source::Span;
use gadfly_typing::builtin;
use gadfly_typing::interface::{ClassId, ConstructorId, Derived, DictId, InstanceId, TypeConId};

use super::Lowering;
use super::apply::{Operand, Pending};
use crate::kernel::{
    Alternative, Argument, Atom, ErrorKind, Expr, ExprId, FunId, Hidden, List, Literal, Name, Origin,
    Pattern, VarId,
};

/// The methods that are derived: the class, the method, its parameters (dictionaries of its own first).
const METHODS: &[(&str, &str, usize, usize)] = &[
    ("Eq", "==", 0, 2),
    ("Ord", "compare", 0, 2),
    ("Show", "showsPrec", 0, 3),
    ("Read", "readsPrec", 0, 2),
    ("Enum", "succ", 0, 1),
    ("Enum", "pred", 0, 1),
    ("Enum", "toEnum", 0, 1),
    ("Enum", "fromEnum", 0, 1),
    ("Enum", "enumFrom", 0, 1),
    ("Enum", "enumFromThen", 0, 2),
    ("Bounded", "minBound", 0, 0),
    ("Bounded", "maxBound", 0, 0),
    ("Ix", "range", 0, 1),
    ("Ix", "index", 0, 2),
    ("Ix", "inRange", 0, 2),
    ("Functor", "fmap", 0, 2),
    ("Foldable", "foldr", 0, 3),
    ("Traversable", "traverse", 1, 2),
    ("Data", "===", 0, 2),
    ("Data", "aValue", 0, 0),
];

/// A derived method that is being made.
#[derive(Clone, Copy)]
struct Deriving<'a> {
    derived: &'a Derived,
    class: ClassId,
    of: TypeConId,
    span: Span,
}

impl<'a> Deriving<'a> {
    /// The dictionary of a field.
    fn dictionary(&self, constructor: usize, field: usize) -> Option<DictId> {
        match self.derived {
            Derived::Stock { fields, .. } => fields.get(constructor)?.get(field).copied(),
            _ => None,
        }
    }
}

impl<'a> Lowering<'a> {
    fn derivable(&self, class: ClassId, index: u32) -> Option<(&'static str, &'static str, usize, usize)> {
        let class = &self.typed.classes[class];
        let method = class.methods.get(index as usize)?;
        let (class, method) = (self.text(class.name), self.text(self.typed.values[method.value].name));
        METHODS.iter().copied().find(|known| known.0 == class && known.1 == method)
    }

    /// Whether a method of a class is made for derived instances.
    pub(super) fn is_derivable(&self, class: ClassId, index: u32) -> bool {
        self.derivable(class, index).is_some()
    }

    /// How many dictionaries and how many other parameters a derived method has; other methods have none.
    pub(super) fn derived_arity(&self, instance: InstanceId, index: u32) -> (usize, usize) {
        let info = &self.typed.instances[instance];
        match &info.derived {
            Some(Derived::Stock { .. } | Derived::Mapping { .. }) => {
                let known = self.derivable(info.class, index);
                known.map_or((0, 0), |(_, _, own, parameters)| (own, parameters))
            }
            _ => (0, 0),
        }
    }

    pub(super) fn derived_method(&mut self, instance: InstanceId, index: u32, function: FunId) -> ExprId {
        let info = &self.typed.instances[instance];
        let span = info.span;
        let (derived, of) = match &info.derived {
            Some(derived @ (Derived::Stock { of, .. } | Derived::Mapping { of, .. })) => (derived, *of),
            _ => return self.unknown("a derived instance", span),
        };
        let this = Deriving { derived, class: info.class, of, span };
        let own: Vec<VarId> = {
            let parameters = &self.out.function(function).parameters;
            let unit = usize::from(self.takes_unit(info.class, index));
            parameters[info.dictionaries.len() + unit..].iter().map(|parameter| parameter.variable).collect()
        };
        let known = self.derivable(info.class, index).map_or(("", ""), |known| (known.0, known.1));
        match (known, own.as_slice()) {
            ((_, "==" | "==="), &[a, b]) => self.derived_equal(this, a, b),
            ((_, "compare"), &[a, b]) => self.derived_compare(this, a, b),
            ((_, "showsPrec"), &[precedence, value, rest]) => {
                self.derived_show(this, precedence, value, rest)
            }
            ((_, "readsPrec"), &[precedence, text]) => self.derived_read(this, precedence, text),
            ((_, "succ"), &[value]) => self.derived_next(this, value, true),
            ((_, "pred"), &[value]) => self.derived_next(this, value, false),
            ((_, "toEnum"), &[number]) => self.derived_to_enum(this, number),
            ((_, "fromEnum"), &[value]) => self.tag_of(this, value),
            ((_, "enumFrom"), &[from]) => self.derived_enum_from(this, from),
            ((_, "enumFromThen"), &[from, then]) => self.derived_enum_from_then(this, from, then),
            ((_, name @ ("minBound" | "maxBound")), []) => self.derived_bound(this, name),
            ((_, "aValue"), []) => self.derived_value(this),
            ((_, "range"), &[bounds]) => self.derived_range(this, bounds),
            ((_, "index"), &[bounds, value]) => self.derived_index(this, bounds, value),
            ((_, "inRange"), &[bounds, value]) => self.derived_in_range(this, bounds, value),
            ((_, "fmap"), &[change, value]) => self.derived_fmap(this, change, value),
            ((_, "foldr"), &[step, start, value]) => self.derived_foldr(this, step, start, value),
            ((_, "traverse"), &[applicative, action, value]) => {
                self.derived_traverse(this, applicative, action, value)
            }
            _ => self.unknown("a derived method", span),
        }
    }

    fn constructors_of(&self, of: TypeConId) -> &'a [ConstructorId] {
        self.typed.type_constructors[of].constructors()
    }

    /// Whether a type has several constructors and none has a field.
    fn is_enumeration(&self, of: TypeConId) -> bool {
        let constructors = self.constructors_of(of);
        let plain = |&constructor: &ConstructorId| self.typed.constructors[constructor].arity() == 0;
        !constructors.is_empty() && constructors.iter().all(plain)
    }

    /// A case on a variable with an alternative for each constructor; `make` gets its number and its fields.
    fn for_each(
        &mut self,
        this: Deriving,
        value: VarId,
        mut make: impl FnMut(&mut Self, usize, &[VarId]) -> ExprId,
    ) -> ExprId {
        let constructors = self.constructors_of(this.of);
        if let [constructor] = constructors
            && self.is_newtype(*constructor)
        {
            return make(self, 0, &[value]);
        }
        let scrutinee = self.variable_expr(value, this.span);
        let mut alternatives = Vec::with_capacity(constructors.len());
        for (number, &constructor) in constructors.iter().enumerate() {
            let (pattern, fields) = self.fields_of(constructor);
            let body = make(self, number, &fields);
            alternatives.push(Alternative { pattern, body });
        }
        match alternatives.is_empty() {
            true => {
                let nothing = self.out.name("");
                let error = self.made(Expr::Error(ErrorKind::NoAlternative, nothing), this.span);
                self.force(scrutinee, None, error, this.span)
            }
            false => self.case(scrutinee, alternatives, None, this.span),
        }
    }

    /// A case on a variable that continues only for one constructor.
    fn for_one(
        &mut self,
        this: Deriving,
        value: VarId,
        number: usize,
        make: impl FnOnce(&mut Self, &[VarId]) -> ExprId,
        otherwise: ExprId,
    ) -> ExprId {
        let constructors = self.constructors_of(this.of);
        let constructor = constructors[number];
        if self.is_newtype(constructor) {
            return make(self, &[value]);
        }
        let (pattern, fields) = self.fields_of(constructor);
        let body = make(self, &fields);
        let default = (constructors.len() > 1).then_some(otherwise);
        let scrutinee = self.variable_expr(value, this.span);
        self.case(scrutinee, vec![Alternative { pattern, body }], default, this.span)
    }

    /// The pattern of a constructor, and the variables of its fields.
    fn fields_of(&mut self, constructor: ConstructorId) -> (Pattern, Vec<VarId>) {
        let variables = self.field_variables(constructor);
        let con = self.kernel_constructor(constructor);
        let stored = self.typed.constructors[constructor].dictionaries as usize;
        let fields = variables[stored..].to_vec();
        let variables = self.out.add_list(&variables);
        (Pattern::Constructor(con, variables), fields)
    }

    fn variable_expr(&mut self, variable: VarId, span: Span) -> ExprId {
        self.made(Expr::Atom(Atom::Variable(variable)), span)
    }

    /// A number as the machine has it in this dialect.
    fn number(&mut self, value: i64, span: Span) -> Argument {
        let literal = match self.is_curry() {
            true => Literal::Integer(value.to_string().into()),
            false => Literal::Int(value),
        };
        Argument { atom: Atom::Literal(self.out.add_literal(literal)), span }
    }

    /// A primitive on numbers: `Add`, `Le` and so on.
    fn arithmetic(&mut self, operation: &str, arguments: &[Argument], span: Span) -> ExprId {
        let kind = if self.is_curry() { "integer" } else { "int" };
        let expr = self.primitive_call(&format!("{kind}{operation}"), arguments, span);
        self.out.set_span(expr, span, true);
        expr
    }

    /// A method of the class that is being derived, or of another.
    fn method(
        &mut self,
        class: ClassId,
        name: &str,
        dictionary: DictId,
        operands: &[Argument],
        span: Span,
    ) -> ExprId {
        let Some(index) = self.index_of(class, name) else { return self.unknown(name, span) };
        let mut pending = Pending::default();
        let head = self.method_head(class, index, dictionary, Vec::new(), span, &mut pending);
        let operands: Vec<Operand> = operands.iter().map(|&operand| Operand::Atom(operand)).collect();
        let expr = self.apply(head, &operands, span, span, pending);
        self.out.set_span(expr, span, true);
        expr
    }

    fn index_of(&self, class: ClassId, name: &str) -> Option<u32> {
        let symbol = self.interner.get(name)?;
        let methods = self.typed.classes[class].methods.iter();
        methods
            .zip(0..)
            .find(|(method, _)| self.typed.values[method.value].name == symbol)
            .map(|(_, index)| index)
    }

    /// `if condition then yes else no`.
    fn choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId, span: Span) -> ExprId {
        let (Some(holds), Some(fails)) = (self.bool_constructor(true), self.bool_constructor(false)) else {
            return self.unknown("Bool", span);
        };
        let alternatives = vec![
            Alternative { pattern: Pattern::Constructor(holds, List::EMPTY), body: yes },
            Alternative { pattern: Pattern::Constructor(fails, List::EMPTY), body: no },
        ];
        self.case(condition, alternatives, None, span)
    }

    fn truth(&mut self, value: bool, span: Span) -> ExprId {
        match self.bool_constructor(value) {
            Some(con) => self.made(Expr::Construct(con, List::EMPTY), span),
            None => self.unknown("Bool", span),
        }
    }

    /// All conditions, from the first on; true if there are none.
    fn all_of(&mut self, conditions: Vec<ExprId>, span: Span) -> ExprId {
        let mut conditions = conditions.into_iter().rev();
        let Some(mut expr) = conditions.next() else { return self.truth(true, span) };
        for condition in conditions {
            let no = self.truth(false, span);
            expr = self.choose(condition, expr, no, span);
        }
        expr
    }

    /// A part of a derived method: a function that the user never sees.
    fn part(&mut self, this: Deriving, name: &str, parameters: usize) -> FunId {
        let name: Name = self.out.name(name);
        let none = vec![None; parameters];
        self.declare_local(name, Origin::Hidden(Hidden::Part), this.span, 0, &none)
    }

    fn set_body(&mut self, function: FunId, expr: ExprId) {
        let body = self.out.function(function).body;
        self.fill(body, expr);
        self.tidy(body);
    }

    /// A string as an argument.
    fn text_argument(&mut self, text: &str, span: Span) -> Argument {
        if text.is_empty() {
            let nil = self.kernel_constructor(builtin::NIL);
            return Argument { atom: Atom::Constructor(nil), span };
        }
        let codes: Box<[u32]> = text.chars().map(u32::from).collect();
        Argument { atom: Atom::Literal(self.out.add_literal(Literal::String(codes))), span }
    }

    fn character(&mut self, character: char, span: Span) -> Argument {
        let literal = self.out.add_literal(Literal::Char(character.into()));
        Argument { atom: Atom::Literal(literal), span }
    }

    fn cons(&mut self, head: Argument, tail: Argument, span: Span) -> ExprId {
        let cons = self.kernel_constructor(builtin::CONS);
        let arguments = self.out.add_list(&[head, tail]);
        self.made(Expr::Construct(cons, arguments), span)
    }

    /// An expression as an argument.
    fn argument_of(&mut self, expr: ExprId, pending: &mut Pending, span: Span) -> Argument {
        Argument { atom: self.atom_of(expr, pending), span }
    }

    fn derived_error(&mut self, message: &str, span: Span) -> ExprId {
        let message = self.out.name(message);
        self.made(Expr::Error(ErrorKind::Derived, message), span)
    }
}

/// A variable as an argument.
fn argument(variable: VarId, span: Span) -> Argument {
    Argument { atom: Atom::Variable(variable), span }
}
