//! The kernel language: normalised flat programs (S4 §2.4, Fig. 2.4).
//!
//! A [`Program`] has constructors, functions and expressions in columns, named by typed numbers. It differs from the
//! figure for speed and readability: a `let` binds a whole recursive group; a `case` examines an expression
//! in place instead of a variable bound by `let` just before; [`Expr::Try`] and [`Expr::Fall`] express "if
//! none of these match, continue there" without duplicating code; [`Expr::Rule`] marks where an equation has
//! been selected; constructors may be strict, functions may be unknown, and there are primitives.
//!
//! Meaning: that of S4 Fig. 2.5. [`Expr::Case`] evaluates its scrutinee to weak head normal form and binds it;
//! without a fitting alternative and without a default it fails. `Fall` goes to the `otherwise` of the innermost `Try`
//! whose `first` it ends (a jump: nothing is on the stack between them).

mod arena;
mod entities;
mod expr;
mod position;

use gadfly_source::Span;
use rustc_hash::FxHashMap;

pub use arena::{List, Listed, Pools};
pub use entities::{
    Constructor, DataType, Fixity, Function, Hidden, Module, Origin, Parameter, Role, SourceRule, Variable,
};
pub use expr::{Alternative, Argument, Atom, Binding, Case, ErrorKind, Expr, Literal, Part, Pattern};

gadfly_source::ids! {
    /// A function.
    FunId,
    /// A constructor.
    ConId,
    /// A data type.
    TypeId,
    /// A module.
    ModuleId,
    /// An expression. With its function it is a position in the sense of S4 §5.3.2.
    ExprId,
    /// A variable. It is bound at one place of a function; a function that was nested in that one and needs the
    /// variable has it as a parameter, under the same number.
    VarId,
    /// A literal.
    LiteralId,
    /// A name.
    Name,
    /// A primitive of the machine.
    PrimId,
}

/// A program of the kernel language.
#[derive(Clone, Debug, Default)]
pub struct Program {
    modules: Vec<Module>,
    types: Vec<DataType>,
    constructors: Vec<Constructor>,
    functions: Vec<Function>,
    variables: Vec<Variable>,
    literals: Vec<Literal>,
    literal_ids: FxHashMap<Literal, LiteralId>,
    names: Vec<Box<str>>,
    name_ids: FxHashMap<Box<str>, Name>,
    primitives: Vec<Name>,
    primitive_ids: FxHashMap<Name, PrimId>,
    exprs: Vec<Expr>,
    spans: Vec<Span>,
    made_up: Vec<bool>,
    pools: Pools,
}

macro_rules! columns {
    ($($column:ident: $id:ty => $row:ty, $get:ident, $all:ident, $add:ident;)*) => {
        impl Program {
            $(
                #[doc = concat!("One of the ", stringify!($column), ".")]
                pub fn $get(&self, id: $id) -> &$row {
                    &self.$column[id.index()]
                }

                #[doc = concat!("All ", stringify!($column), ", in order.")]
                pub fn $all(&self) -> impl DoubleEndedIterator<Item = ($id, &$row)> + ExactSizeIterator {
                    self.$column.iter().enumerate().map(|(row, value)| (<$id>::from_index(row), value))
                }

                #[doc = concat!("Adds to the ", stringify!($column), ".")]
                pub fn $add(&mut self, row: $row) -> $id {
                    self.$column.push(row);
                    <$id>::from_index(self.$column.len() - 1)
                }
            )*
        }
    };
}

columns! {
    modules: ModuleId => Module, module, modules, add_module;
    types: TypeId => DataType, data_type, types, add_type;
    constructors: ConId => Constructor, constructor, constructors, add_constructor;
    functions: FunId => Function, function, functions, add_function;
    variables: VarId => Variable, variable, variables, add_variable;
}

impl Program {
    /// An empty program.
    pub fn new() -> Program {
        Program::default()
    }

    /// What an expression is.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// Where an expression stands: the source that a person would point at.
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.index()]
    }

    /// Whether desugaring made up the expression: its span is that of the construct it was made from.
    pub fn is_made_up(&self, id: ExprId) -> bool {
        self.made_up[id.index()]
    }

    /// How many expressions there are.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// The elements of a list.
    pub fn list<T: Listed>(&self, list: List<T>) -> &[T] {
        list.of(T::pool(&self.pools))
    }

    /// A literal.
    pub fn literal(&self, id: LiteralId) -> &Literal {
        &self.literals[id.index()]
    }

    /// All literals, in the order of their numbers.
    pub fn literals(&self) -> impl ExactSizeIterator<Item = (LiteralId, &Literal)> {
        self.literals.iter().enumerate().map(|(row, literal)| (LiteralId::from_index(row), literal))
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.names[name.index()]
    }

    /// What the machine calls a primitive.
    pub fn primitive(&self, id: PrimId) -> &str {
        self.text(self.primitives[id.index()])
    }

    /// All primitives that are used, in the order of their numbers.
    pub fn primitives(&self) -> impl ExactSizeIterator<Item = (PrimId, &str)> {
        let text = |(row, &name): (usize, &Name)| (PrimId::from_index(row), self.text(name));
        self.primitives.iter().enumerate().map(text)
    }

    /// How many arguments a function takes.
    pub fn arity(&self, function: FunId) -> usize {
        self.function(function).parameters.len()
    }

    /// The functions that a function was nested in, outermost first.
    pub fn enclosing(&self, function: FunId) -> Vec<FunId> {
        let mut path = Vec::new();
        let mut at = self.function(function).parent;
        while let Some(parent) = at {
            path.push(parent);
            at = self.function(parent).parent;
        }
        path.reverse();
        path
    }

    /// The constructors of a constructor's type, itself among them.
    pub fn siblings(&self, constructor: ConId) -> &[ConId] {
        &self.data_type(self.constructor(constructor).of).constructors
    }

    /// The number of a name.
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(&name) = self.name_ids.get(text) {
            return name;
        }
        let name = Name::from_index(self.names.len());
        self.names.push(text.into());
        self.name_ids.insert(text.into(), name);
        name
    }

    /// The number of a name that is known already.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.name_ids.get(text).copied()
    }

    /// The number of a literal.
    pub fn add_literal(&mut self, literal: Literal) -> LiteralId {
        if let Some(&id) = self.literal_ids.get(&literal) {
            return id;
        }
        let id = LiteralId::from_index(self.literals.len());
        self.literals.push(literal.clone());
        self.literal_ids.insert(literal, id);
        id
    }

    /// The number of a primitive.
    pub fn add_primitive(&mut self, text: &str) -> PrimId {
        let name = self.name(text);
        let next = PrimId::from_index(self.primitives.len());
        let id = *self.primitive_ids.entry(name).or_insert(next);
        if id == next {
            self.primitives.push(name);
        }
        id
    }

    /// Adds an expression; `made_up` if desugaring made it.
    pub fn add(&mut self, expr: Expr, span: Span, made_up: bool) -> ExprId {
        self.exprs.push(expr);
        self.spans.push(span);
        self.made_up.push(made_up);
        ExprId::from_index(self.exprs.len() - 1)
    }

    /// Adds a list.
    pub fn add_list<T: Listed>(&mut self, elements: &[T]) -> List<T> {
        List::add(T::pool_mut(&mut self.pools), elements)
    }

    /// Makes an expression another one.
    pub fn set(&mut self, id: ExprId, expr: Expr) {
        self.exprs[id.index()] = expr;
    }

    /// Says whether desugaring made up an expression, and where it stands.
    pub fn set_span(&mut self, id: ExprId, span: Span, made_up: bool) {
        self.spans[id.index()] = span;
        self.made_up[id.index()] = made_up;
    }

    /// A function, to complete it.
    pub fn function_mut(&mut self, id: FunId) -> &mut Function {
        &mut self.functions[id.index()]
    }

    /// Gives a variable a name.
    pub fn name_variable(&mut self, id: VarId, name: Name) {
        self.variables[id.index()].name = Some(name);
    }

    /// A data type, to complete it.
    pub fn data_type_mut(&mut self, id: TypeId) -> &mut DataType {
        &mut self.types[id.index()]
    }
}
