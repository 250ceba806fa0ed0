//! What the checker knows about the nodes of one module.

use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{DeclId, ExprId, NameId, PatId, Place};
use rustc_hash::FxHashMap;

use super::entities::{ConstructorId, InstanceId, TypeConId, ValueId};
use crate::types::{Constraint, SchemeId, TyId};
use gadfly_source::Table;

gadfly_source::ids! {
    /// A local variable of a module.
    LocalId,
    /// A dictionary expression of a module: a row of [`Notes::dictionaries`].
    DictId,
    /// A dictionary variable of a module: a row of [`Notes::dictionary_variables`].
    DictVar,
}

/// What checking found out about a module's tree.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    pub(crate) exprs: Vec<Note>,
    pub(crate) pats: Vec<PatNote>,
    pub(crate) names: FxHashMap<NameId, NameNote>,
    pub(crate) bindings: FxHashMap<DeclId, Binding>,
    pub(crate) abstractions: FxHashMap<ExprId, DictVars>,
    pub(crate) expr_rests: FxHashMap<ExprId, Vec<(u32, Use)>>,
    pub(crate) pat_rests: FxHashMap<PatId, Vec<(u32, LocalId)>>,
    pub(crate) dict_lists: Vec<DictId>,
    /// Local variables.
    pub locals: Table<LocalId, Local>,
    /// Dictionary expressions. They share, and a dictionary of a recursive type may even contain itself (`Show` of
    /// `Fix Maybe`): treat them as a graph. Only applied instances without variables are on such a cycle.
    pub dictionaries: Table<DictId, Dictionary>,
    /// Dictionary variables.
    pub dictionary_variables: Table<DictVar, DictionaryVariable>,
}

impl Notes {
    /// What is known about an expression.
    pub fn expr(&self, expr: ExprId) -> Note {
        self.exprs.get(expr.index()).copied().unwrap_or(Note::None)
    }

    /// What is known about a pattern.
    pub fn pat(&self, pat: PatId) -> PatNote {
        self.pats.get(pat.index()).copied().unwrap_or(PatNote::None)
    }

    /// What a name in a pattern's head, a pattern's operator or a record's field means.
    pub fn name(&self, name: NameId) -> NameNote {
        self.names.get(&name).copied().unwrap_or(NameNote::Unknown)
    }

    /// What is known about a `Function` or `Pattern` declaration, at the top, local, in a class or in an instance.
    pub fn binding(&self, decl: DeclId) -> Option<&Binding> {
        self.bindings.get(&decl)
    }

    /// The dictionaries that an expression is a function of, because its context expects it to be
    /// polymorphic: an argument or field of a type with `forall`. The expression is the body of that
    /// function.
    pub fn abstraction(&self, expr: ExprId) -> DictVars {
        self.abstractions.get(&expr).copied().unwrap_or(DictVars::EMPTY)
    }

    /// The fields that the `..` of a `Construct` stands for: their numbers and the variables they are set to.
    pub fn expr_rest(&self, construct: ExprId) -> &[(u32, Use)] {
        self.expr_rests.get(&construct).map_or(&[], Vec::as_slice)
    }

    /// The fields that the `..` of a `Record` pattern stands for: their numbers and the variables that they bind.
    pub fn pat_rest(&self, record: PatId) -> &[(u32, LocalId)] {
        self.pat_rests.get(&record).map_or(&[], Vec::as_slice)
    }

    /// The dictionaries of a list.
    pub fn dicts(&self, list: Dicts) -> &[DictId] {
        &self.dict_lists[list.start as usize..(list.start + list.length) as usize]
    }
}

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// Nothing; there is a diagnostic.
    Unknown,
    /// A local variable.
    Local(LocalId),
    /// A value of this or another module.
    Value(ValueId),
    /// A constructor.
    Constructor(ConstructorId),
}

/// The use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// What it means.
    pub entity: Entity,
    /// What it is applied to first.
    pub dictionaries: Dicts,
}

/// What is known about an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Nothing beyond the notes of its parts.
    None,
    /// Of `Var`, `Con`, and the `Con` of a `Construct`: what it means.
    Use(Use),
    /// Of a number: `fromInteger` or `fromRational`. Of `Negate`: `negate`. Of `Sequence`: `enumFrom` and so on.
    Overloaded(Overloading),
    /// Of `Do`.
    Do {
        /// The dictionary of `Monad`, for `>>=` and `>>`. None if the block is an expression after `let`s only.
        monad: Option<DictId>,
        /// That of `MonadFail`, if a pattern of the block can fail (or of `Monad`, if that has `fail`).
        fail: Option<DictId>,
    },
    /// Of `Typed`: the expression is a function of `parameters`, which is applied to `arguments`.
    Typed {
        /// What the expression is a function of.
        parameters: DictVars,
        /// What that function is applied to.
        arguments: Dicts,
    },
    /// Of Curry's `Wildcard`: the dictionary of `Data`, if the library has that class.
    Free(Option<DictId>),
}

/// The implicit use of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overloading {
    /// The dictionary of `Num`, `Fractional` or `Enum`.
    pub dictionary: DictId,
    /// The type at which it is used.
    pub at: TyId,
    /// Its type constructor if it is a built-in one without parameters, such as `Int`: compare it with
    /// [`crate::Known`].
    pub constructor: Option<TypeConId>,
}

/// What is known about a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatNote {
    /// Nothing beyond the notes of its parts and of its head's name.
    None,
    /// Of `Var` and `As`: the local variable. In Curry, one that stands twice is compared with `=:=`.
    Local(LocalId),
    /// Of `Var` and `As` at the top of a module: the value.
    Value(ValueId),
    /// Of `Var` in Curry, where case is a habit: a constructor without arguments.
    Constructor(ConstructorId),
    /// Of a number.
    Literal {
        /// The dictionary of `Eq`; none in Curry, where literals are constructors.
        equality: Option<DictId>,
        /// The dictionary of `Num` or `Fractional`, and the type.
        number: Overloading,
    },
}

/// What a name outside expressions means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameNote {
    /// Nothing; there is a diagnostic.
    Unknown,
    /// A constructor in a pattern; the variables are bound to the dictionaries it stores.
    Constructor(ConstructorId, DictVars),
    /// A function in one of Curry's functional patterns.
    Function(Use),
    /// A field, by its selector.
    Field {
        /// The selector.
        selector: ValueId,
        /// If the field stands alone: in a pattern the local variable that it binds, else the variable it is set to.
        pun: Option<Use>,
    },
    /// A variable bound by `As`: the pattern's note has it.
    Variable,
}

/// A declaration that binds variables.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// What a `Function` declaration binds; `Unknown` of a pattern binding, whose variables have [`PatNote`]s.
    pub entity: Entity,
    /// What the binding is a function of. A pattern binding with dictionaries (without the monomorphism restriction)
    /// is a function to the tuple of its variables; each variable takes the same dictionaries.
    pub dictionaries: DictVars,
    /// Bindings with the same number in one block are mutually recursive; numbers grow along dependencies.
    pub group: u32,
}

/// A local variable.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Its name.
    pub name: Symbol,
    /// Where it is bound.
    pub place: Place,
    /// Its type.
    pub scheme: SchemeId,
    /// Of a variable declared `free` in Curry: the dictionary of `Data`, if the library has that class.
    pub free: Option<DictId>,
}

/// A dictionary expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dictionary {
    /// None could be found; there is a diagnostic.
    Missing,
    /// The value of a variable.
    Variable(DictVar),
    /// An instance, applied to dictionaries.
    Instance(InstanceId, Dicts),
    /// A superclass of a dictionary's class, by its number.
    Superclass(DictId, u32),
    /// The same as another one.
    Same(DictId),
}

/// A dictionary variable.
#[derive(Clone, Copy, Debug)]
pub struct DictionaryVariable {
    /// What it is a dictionary of.
    pub constraint: Constraint,
}

/// A list of [`DictId`]s: read it with [`Notes::dicts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dicts {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

impl Dicts {
    /// None.
    pub const EMPTY: Dicts = Dicts { start: 0, length: 0 };

    /// How many there are.
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// Dictionary variables with consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DictVars {
    pub(crate) start: u32,
    pub(crate) length: u32,
}

impl DictVars {
    /// None.
    pub const EMPTY: DictVars = DictVars { start: 0, length: 0 };

    /// How many there are.
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// The variables, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = DictVar> {
        (self.start..self.start + self.length).map(|row| DictVar::from_index(row as usize))
    }
}
