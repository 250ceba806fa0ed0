//! The entities that modules define: values, constructors, types, classes, instances.

use gadfly_source::Span;
use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{DeclId, Overlap, PatId};

use super::ModuleId;
use super::notes::{DictId, DictVars};
use crate::types::{Constraint, SchemeId, SkolemId, TyId, TyList};

gadfly_source::ids! {
    /// A value that a module defines.
    ValueId,
    /// A constructor.
    ConstructorId,
    /// A type constructor or a type synonym.
    TypeConId,
    /// A class.
    ClassId,
    /// An instance.
    InstanceId,
}

/// A value that a module defines.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its name.
    pub name: Symbol,
    /// Its module.
    pub module: ModuleId,
    /// Where its name stands in its definition.
    pub span: Span,
    /// What it is.
    pub kind: ValueKind,
    /// Its type.
    pub scheme: SchemeId,
    /// Whether its type was declared.
    pub declared: bool,
}

impl Value {
    /// Whether it has a type: the field of an existential type cannot be used as a function.
    pub fn has_type(&self) -> bool {
        self.declared || !matches!(self.kind, ValueKind::Field { .. })
    }
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum ValueKind {
    /// Equations: a `Function` declaration. In Curry, with the declaration of its default rule, if it has one.
    Function {
        /// The equations.
        decl: DeclId,
        /// Those of `f'default`.
        default: Option<DeclId>,
    },
    /// A variable of a pattern binding.
    Pattern {
        /// The binding.
        decl: DeclId,
        /// The `Var` or `As` that binds it.
        variable: PatId,
    },
    /// A method; its first dictionary is its class's.
    Method {
        /// The class.
        class: ClassId,
        /// Which of the class's methods.
        index: u32,
    },
    /// A field selector. If the field's own type is overloaded ([`Field::dictionaries`]), it takes those dictionaries
    /// before the record and applies the field to them.
    Field {
        /// The type with this field.
        of: TypeConId,
        /// The constructors that have it, and where.
        positions: Vec<(ConstructorId, u32)>,
    },
    /// `foreign import prim "entity"`: a function of the machine.
    Primitive(Box<str>),
    /// Curry's `external`: likewise, called as here.
    External,
}

/// A constructor.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: Symbol,
    /// Its module; none if it is built in.
    pub module: Option<ModuleId>,
    /// Where it is declared.
    pub span: Option<Span>,
    /// Its type constructor.
    pub of: TypeConId,
    /// Which of the type's constructors it is, from 0.
    pub tag: u32,
    /// Its fields, in order.
    pub fields: Vec<Field>,
    /// Its type as a function: all variables, the stored context, the fields, the result.
    pub scheme: SchemeId,
    /// How many dictionaries it stores, before its fields: one for each constraint of its context. A use as a
    /// function is applied to them; a pattern binds them.
    pub dictionaries: u32,
    /// The variables that do not occur in the result: existential ones.
    pub(crate) exists: Vec<SkolemId>,
    /// Whether its result is not its type applied to variables, so that a match says what they stand for.
    pub refines: bool,
    /// What the context of the `data` declaration requires of code that builds or matches it; no dictionary is stored.
    pub(crate) demands: Vec<Constraint>,
}

impl Constructor {
    /// How many fields it has, dictionaries not counted.
    pub fn arity(&self) -> usize {
        self.fields.len()
    }

    /// Whether the types of its fields have variables that do not occur in its result.
    pub fn has_existentials(&self) -> bool {
        !self.exists.is_empty()
    }
}

/// A field of a constructor.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its selector, if it has a name.
    pub selector: Option<ValueId>,
    /// Its name.
    pub name: Option<Symbol>,
    /// Its type, with the variables of the constructor's scheme.
    pub declared: TyId,
    /// Whether it is evaluated when the constructor is applied.
    pub strict: bool,
    /// How many dictionaries its value takes, if the field itself is polymorphic.
    pub dictionaries: u32,
}

/// A type constructor or a synonym.
#[derive(Clone, Debug)]
pub struct TypeConstructor {
    /// Its name.
    pub name: Symbol,
    /// Its module; none if it is built in.
    pub module: Option<ModuleId>,
    /// Where it is declared.
    pub span: Option<Span>,
    /// Its parameters.
    pub parameters: Vec<SkolemId>,
    /// Its kind.
    pub(crate) kind: TyId,
    /// What it is.
    pub meaning: TypeKind,
}

/// What a type constructor is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// Without constructors that a program could name: functions, and types of the machine.
    Abstract,
    /// `data`.
    Data(Vec<ConstructorId>),
    /// `newtype`.
    Newtype(ConstructorId),
    /// `type`; types are stored with their synonyms expanded.
    Synonym(TyId),
}

impl TypeConstructor {
    /// Its constructors.
    pub fn constructors(&self) -> &[ConstructorId] {
        match &self.meaning {
            TypeKind::Data(constructors) => constructors,
            TypeKind::Newtype(constructor) => std::slice::from_ref(constructor),
            TypeKind::Abstract | TypeKind::Synonym(_) => &[],
        }
    }

    /// Whether it is a `newtype`.
    pub fn is_newtype(&self) -> bool {
        matches!(self.meaning, TypeKind::Newtype(_))
    }
}

/// A class: the layout of its dictionaries is its superclasses, then its methods.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: Symbol,
    /// Its module.
    pub module: ModuleId,
    /// Where it is declared.
    pub span: Span,
    /// Its declaration.
    pub decl: DeclId,
    /// Its parameters.
    pub parameters: Vec<SkolemId>,
    /// The kinds of its parameters.
    pub(crate) kinds: Vec<TyId>,
    /// Its superclasses, over its parameters.
    pub superclasses: Vec<Constraint>,
    /// Its functional dependencies: what determines, what is determined, as numbers of parameters.
    pub dependencies: Vec<(Vec<u32>, Vec<u32>)>,
    /// Its methods.
    pub methods: Vec<Method>,
}

/// A method of a class.
#[derive(Clone, Debug)]
pub struct Method {
    /// The method as a value.
    pub value: ValueId,
    /// Its default: a `Function` declaration of the class. Its [`super::Binding::dictionaries`] are the class's own
    /// dictionary, then those of the method's context.
    pub default: Option<DeclId>,
    /// The method's own variables, without the class's.
    pub(crate) variables: Vec<SkolemId>,
    /// Its own context, without the class.
    pub(crate) context: Vec<Constraint>,
    /// Its type.
    pub(crate) body: TyId,
}

/// An instance: a function from dictionaries to a dictionary.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The class.
    pub class: ClassId,
    /// Its module.
    pub module: ModuleId,
    /// Where its head stands; of a derived one, where the class is named.
    pub span: Span,
    /// The declaration; of a derived one, the data type or the standalone deriving.
    pub decl: DeclId,
    /// How it may stand beside other instances that match.
    pub(crate) overlap: Overlap,
    /// Its type variables.
    pub variables: Vec<SkolemId>,
    /// What it needs, over its variables.
    pub context: Vec<Constraint>,
    /// The types of its head.
    pub arguments: TyList,
    /// Its parameters, one for each constraint of its context; numbers of its module's notes.
    pub dictionaries: DictVars,
    /// The dictionaries of the superclasses, in the class's order; numbers of its module's notes.
    pub superclasses: Vec<DictId>,
    /// Its methods, in the class's order; empty if it is derived.
    pub methods: Vec<MethodBody>,
    /// How it is derived, if it is.
    pub derived: Option<Derived>,
}

/// Where the code of an instance's method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodBody {
    /// A `Function` declaration of the instance; its [`super::Binding::dictionaries`] are those of the method's own
    /// context, and the instance's dictionaries are known inside.
    Defined(DeclId),
    /// The class's default, applied to this instance's dictionary.
    Default,
    /// Nowhere: an error when it is called.
    Missing,
}

/// How an instance is derived.
#[derive(Clone, Debug)]
pub enum Derived {
    /// `Eq`, `Ord`, `Show`, `Read`, `Bounded`, `Ix`, `Enum`, Curry's `Data`: from the structure of the type.
    Stock {
        /// The type.
        of: TypeConId,
        /// The class's dictionary for each field of each constructor; those of `Enum` are empty.
        fields: Vec<Vec<DictId>>,
    },
    /// `Functor`, `Foldable`, `Traversable`: from the structure of the type, along its last parameter.
    Mapping {
        /// The type.
        of: TypeConId,
        /// How each field of each constructor has the last parameter inside.
        fields: Vec<Vec<Shape>>,
    },
    /// The methods of the type inside a `newtype`.
    Newtype {
        /// The type.
        of: TypeConId,
        /// The dictionary of the type inside; only its methods are taken.
        inside: DictId,
    },
    /// All methods are the defaults (`deriving anyclass`).
    Defaults {
        /// The type.
        of: TypeConId,
    },
}

/// How a field contains the last parameter of its type.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Not at all.
    Constant,
    /// It is of that type.
    Parameter,
    /// A function whose argument and result are so.
    Function(Box<Shape>, Box<Shape>),
    /// A tuple whose components are so.
    Tuple(Vec<Shape>),
    /// `f t`, with the class's dictionary for `f`, where `t` is so.
    Inside(DictId, Box<Shape>),
}
