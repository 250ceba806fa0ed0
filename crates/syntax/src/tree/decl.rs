//! Declarations, imports and exports.

use super::{Associativity, DeclId, ExprId, List, Name, NameId, PatId, Place, Stmt, TypeId, TypeVar};
use crate::names::Symbol;

/// A declaration.
#[derive(Clone, Debug)]
pub enum Decl {
    /// Stands where the text could not be read; there is a diagnostic.
    Missing,
    /// `f, g :: t`.
    Signature {
        /// What is declared.
        names: List<Name>,
        /// Its type.
        declared: TypeId,
    },
    /// `infixl 6 +, -`.
    Fixity {
        /// How the operators group.
        associativity: Associativity,
        /// From 0 to 9.
        precedence: u8,
        /// The operators.
        operators: List<Name>,
    },
    /// The adjacent equations of one function; a variable's binding is an equation without parameters.
    Function {
        /// Taken from the first equation.
        name: Name,
        /// At least one.
        rules: List<Rule>,
        /// In Curry, of `f'default`: `f`.
        default_for: Option<Symbol>,
    },
    /// `(x, y) = e`.
    Pattern {
        /// What is bound.
        pattern: PatId,
        /// To what.
        rhs: Rhs,
    },
    /// Curry's `x, y free`.
    Free(List<Name>),
    /// Curry's `f, g external`.
    External(List<Name>),
    /// `foreign import prim "entity" f :: t`: a function of the machine, in the library.
    Primitive {
        /// What the machine calls it: the code points of the string.
        entity: List<u32>,
        /// `f`.
        name: Name,
        /// `t`.
        declared: TypeId,
    },
    /// `type T a = t`.
    Synonym {
        /// `T`.
        name: Name,
        /// `a`.
        parameters: List<TypeVar>,
        /// `t`.
        meaning: TypeId,
    },
    /// `data` and `newtype`.
    Data(Box<Data>),
    /// `class`.
    Class(Box<Class>),
    /// `instance`.
    Instance(Box<Instance>),
    /// `deriving instance`: an instance without a body.
    StandaloneDeriving(Strategy, Box<Instance>),
    /// `default (Int, Double)`.
    Default(List<TypeId>),
}

/// One equation of a function: `f p q | guard = e where decls`.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The whole equation.
    pub place: Place,
    /// The function's name in this equation.
    pub name: Place,
    /// Its parameters.
    pub patterns: List<PatId>,
    /// What stands right of `=`.
    pub rhs: Rhs,
}

/// What stands right of `=` or `->`, with its `where`.
#[derive(Clone, Copy, Debug)]
pub struct Rhs {
    /// One expression, or guarded ones.
    pub body: Body,
    /// The declarations of `where`.
    pub wheres: List<DeclId>,
}

/// One expression, or guarded ones.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// `= e`.
    Plain(ExprId),
    /// `| guard = e | guard = e`.
    Guarded(List<Guarded>),
}

/// `| guards = e`.
#[derive(Clone, Copy, Debug)]
pub struct Guarded {
    /// Where it stands.
    pub place: Place,
    /// Conditions, pattern guards and `let`s; at least one.
    pub guards: List<Stmt>,
    /// The result.
    pub body: ExprId,
}

/// `data` or `newtype`.
#[derive(Clone, Debug)]
pub struct Data {
    /// Whether it is a `newtype`.
    pub newtype: bool,
    /// Curry's `external data`.
    pub external: bool,
    /// The context before the type's name.
    pub context: List<TypeId>,
    /// The type's name.
    pub name: Name,
    /// Its parameters.
    pub parameters: List<TypeVar>,
    /// Its kind, if it was said.
    pub kind: Option<TypeId>,
    /// Its constructors.
    pub constructors: List<Constructor>,
    /// The classes it is made an instance of.
    pub derivings: List<Deriving>,
}

/// A constructor of a `data` or `newtype`.
#[derive(Clone, Copy, Debug)]
pub struct Constructor {
    /// Where it stands.
    pub place: Place,
    /// Its name.
    pub name: Name,
    /// Type variables that only this constructor has.
    pub exists: List<TypeVar>,
    /// Constraints on them.
    pub context: List<TypeId>,
    /// The types of its fields, in order; a record's field with several names counts as often.
    pub fields: List<TypeId>,
    /// The names of its fields, for a record.
    pub labels: List<Fields>,
    /// Of a constructor declared by its type (`C :: a -> T a`): the type; `fields` is then empty.
    pub signature: Option<TypeId>,
}

/// `x, y :: t` of a record.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// The names.
    pub names: List<Name>,
    /// Their type.
    pub declared: TypeId,
}

/// A class in a `deriving`.
#[derive(Clone, Copy, Debug)]
pub struct Deriving {
    /// How.
    pub strategy: Strategy,
    /// The class, perhaps with arguments.
    pub class: TypeId,
}

/// How an instance is to be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Not said.
    Default,
    /// `stock`.
    Stock,
    /// `newtype`.
    Newtype,
    /// `anyclass`.
    AnyClass,
    /// `via t`: as another type with the same representation has it.
    Via(TypeId),
}

/// `class context => C a | a -> b where decls`.
#[derive(Clone, Debug)]
pub struct Class {
    /// The superclasses.
    pub context: List<TypeId>,
    /// The class's name.
    pub name: Name,
    /// Its parameters.
    pub parameters: List<TypeVar>,
    /// Its functional dependencies.
    pub dependencies: List<Dependency>,
    /// Signatures, defaults and fixities.
    pub decls: List<DeclId>,
}

/// `a b -> c`.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// What determines.
    pub from: List<Name>,
    /// What is determined.
    pub to: List<Name>,
}

/// How an instance may stand beside others that match the same types: a pragma says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// It is taken before more general ones: `OVERLAPPING`.
    pub overlapping: bool,
    /// More special ones are taken before it: `OVERLAPPABLE`.
    pub overlappable: bool,
    /// It does not matter which is taken: `INCOHERENT`.
    pub incoherent: bool,
}

/// `instance context => C t where decls`.
#[derive(Clone, Debug)]
pub struct Instance {
    /// What a pragma after `instance` says.
    pub overlap: Overlap,
    /// What it needs.
    pub context: List<TypeId>,
    /// The class.
    pub class: NameId,
    /// The types.
    pub types: List<TypeId>,
    /// The methods.
    pub decls: List<DeclId>,
}

/// An entry of an export list.
#[derive(Clone, Copy, Debug)]
pub enum Export {
    /// `f`, `(+)`.
    Value(NameId),
    /// `T`, `T(..)`, `C(m)`.
    Type(NameId, Members),
    /// `module M`.
    Module(Name),
}

/// The constructors, fields or methods named with a type or class.
#[derive(Clone, Copy, Debug)]
pub enum Members {
    /// None.
    None,
    /// `(..)`.
    All,
    /// `(A, B)`.
    Some(List<Name>),
}

/// `import qualified M as N hiding (f)`.
#[derive(Clone, Debug)]
pub struct Import {
    /// Where it stands.
    pub place: Place,
    /// The module.
    pub module: Name,
    /// Whether only qualified names are imported.
    pub qualified: bool,
    /// The other name.
    pub alias: Option<Name>,
    /// Whether `items` are hidden.
    pub hiding: bool,
    /// What is imported or hidden; everything is imported if there is no list.
    pub items: Option<List<ImportItem>>,
}

/// An entry of an import list.
#[derive(Clone, Copy, Debug)]
pub enum ImportItem {
    /// `f`, `(+)`.
    Value(Name),
    /// `T`, `T(..)`, `C(m)`.
    Type(Name, Members),
}
