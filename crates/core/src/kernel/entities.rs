//! The entities of a program besides expressions: modules, types, constructors, functions, variables.

use gadfly_source::Span;

use super::{ConId, ExprId, FunId, ModuleId, Name, TypeId, VarId};

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Whether it belongs to the library: trusted, and not the user's.
    pub library: bool,
}

/// A data type.
#[derive(Clone, Debug)]
pub struct DataType {
    /// Its name.
    pub name: Name,
    /// Its constructors, by their tags.
    pub constructors: Vec<ConId>,
    /// Whether desugaring made it up: the dictionaries of a class, the variables of a pattern.
    pub hidden: bool,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub of: TypeId,
    /// Which of its type's constructors it is, from 0.
    pub tag: u32,
    /// How many arguments it has, dictionaries counted.
    pub arity: u32,
    /// How many of them, the first ones, are dictionaries: they are never shown.
    pub dictionaries: u32,
    /// Which arguments are evaluated before it is applied, in order. A [`super::Expr::Construct`] does not do that:
    /// lowering has put it before.
    pub strict: Vec<u32>,
    /// The names of its fields, if it is a record.
    pub fields: Vec<Name>,
    /// How it is shown between its arguments, if it was declared so.
    pub infix: Option<Fixity>,
}

/// How an operator groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixity {
    /// From 0 to 9.
    pub precedence: u8,
    /// Which side may have the same operator without parentheses.
    pub associativity: gadfly_syntax::tree::Associativity,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// What the user calls it: `go`, `qsort`, `+`.
    pub name: Name,
    /// Its module.
    pub module: ModuleId,
    /// The function it was nested in.
    pub parent: Option<FunId>,
    /// Its whole definition.
    pub span: Span,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether, without parameters, it is a constant (CAF): evaluated once. Curry's functions are not: a function
    /// without parameters is evaluated wherever it is used, for it may have several values.
    pub shared: bool,
    /// What it comes from.
    pub origin: Origin,
    /// The equations it was made from, in order; none if the compiler made it.
    pub rules: Vec<SourceRule>,
    /// What it is.
    pub body: ExprId,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The variable.
    pub variable: VarId,
    /// What it is for.
    pub role: Role,
}

/// What a parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A dictionary: it is never shown.
    Dictionary,
    /// A variable of an enclosing function.
    Captured,
    /// What the user wrote.
    Ordinary,
}

/// What a function comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A definition at the top of a module.
    TopLevel,
    /// A definition in `let` or `where`.
    Local,
    /// A lambda expression.
    Lambda,
    /// An operator section.
    Section,
    /// A method of an instance.
    Method {
        /// The class.
        class: Name,
        /// The type, as written in a program.
        at: Name,
    },
    /// The default of a class's method.
    Default {
        /// The class.
        class: Name,
    },
    /// A method of a derived instance.
    Derived {
        /// The class.
        class: Name,
        /// The type, as written in a program.
        at: Name,
    },
    /// A constructor used as a function.
    Constructor(ConId),
    /// The constructor of a `newtype` used as a function: the identity.
    Newtype,
    /// A field used as a function.
    Field,
    /// A primitive used as a function.
    Primitive,
    /// Made by desugaring: the user must never see it.
    Hidden(Hidden),
}

/// Why desugaring made a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// The rest of a `do` block after `<-`.
    Continuation,
    /// The loop of a list comprehension.
    Comprehension,
    /// The dictionary of an instance, or the function that makes it.
    Dictionary,
    /// Selects a superclass or a method from a dictionary.
    Selector,
    /// The variables that a pattern binds at the top of a module.
    Pattern,
    /// An expression that is a function of dictionaries only.
    Overloaded,
    /// A part of a derived method.
    Part,
    /// Whether one of the rules before a default rule applies (Curry).
    Applicable,
}

impl Origin {
    /// Whether the user must never see the function.
    pub fn is_hidden(self) -> bool {
        matches!(self, Origin::Hidden(_))
    }
}

/// An equation as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRule {
    /// The whole equation.
    pub span: Span,
    /// Its guarded alternatives; none if it has no guards.
    pub alternatives: Vec<Span>,
    /// Whether it is a default rule (Curry).
    pub default: bool,
}

/// A variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name in the source; none if desugaring made it up.
    pub name: Option<Name>,
    /// Whether it is a dictionary.
    pub dictionary: bool,
}
