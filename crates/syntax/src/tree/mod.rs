//! The syntax tree: what the parser makes and later rooms read.
//!
//! Nodes live in columns of a [`Tree`] and are named by typed numbers ([`ExprId`], [`PatId`], [`TypeId`],
//! [`DeclId`]), so nothing is dropped recursively and a later room attaches what it learns by number. Children that
//! come in any number are a [`List`]: a slice of a shared pool. Every node has a [`Place`]; [`Tree::span`] adds the
//! file.
//!
//! Whatever is long in real programs is flat here: operator chains, applications, `else if`, function types,
//! statements. What nests is bounded by the parser ([`crate::NESTING_LIMIT`]).

mod decl;
mod expr;
mod pattern;
mod types;

use std::num::NonZeroU32;

use gadfly_source::{FileId, Span};

use crate::names::{QName, Symbol};

pub use decl::{
    Body, Class, Constructor, Data, Decl, Dependency, Deriving, Export, Fields, Guarded, Import, ImportItem,
    Instance, Members, Overlap, Rhs, Rule, Strategy,
};
pub use expr::{Alternative, Branch, Expr, FieldValue, Item, Literal, Stmt, StmtKind};
pub use pattern::{FieldPattern, Pat, PatItem};
pub use types::{Type, TypeItem, TypeVar};

pub use crate::pools::List;

/// Bytes `start..end` of the tree's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The first byte.
    pub start: u32,
    /// The first byte after it.
    pub end: u32,
}

impl Place {
    /// The smallest place that holds both.
    pub fn to(self, other: Place) -> Place {
        Place { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether `other` lies inside.
    pub fn holds(self, other: Place) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A name where it is bound or listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub symbol: Symbol,
    /// Where it stands.
    pub place: Place,
}

/// A name where it is used, outside expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// The name, perhaps qualified.
    pub name: QName,
    /// Where it stands.
    pub place: Place,
}

/// How operators of one precedence group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// `infixl`: `a - b - c` is `(a - b) - c`.
    Left,
    /// `infixr`: `a : b : c` is `a : (b : c)`.
    Right,
    /// `infix`: `a == b == c` is an error.
    None,
}

crate::pools! {
    characters: u32,
    exprs: ExprId,
    optional_exprs: Option<ExprId>,
    items: Item,
    branches: Branch,
    alternatives: Alternative,
    statements: Stmt,
    field_values: FieldValue,
    pats: PatId,
    pat_items: PatItem,
    field_patterns: FieldPattern,
    types: TypeId,
    type_items: TypeItem,
    type_vars: TypeVar,
    decls: DeclId,
    rules: Rule,
    guarded: Guarded,
    names: Name,
    constructors: Constructor,
    fields: Fields,
    derivings: Deriving,
    dependencies: Dependency,
    exports: Export,
    import_items: ImportItem,
}

/// Node numbers, and the columns that they are rows of. They begin at 1, so that a number that may be missing takes no more room.
macro_rules! columns {
    ($($(#[$doc:meta])* $id:ident: $node:ty, $column:ident, $places:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $id(NonZeroU32);

            impl $id {
                /// The node's row in the columns, from 0.
                pub fn index(self) -> usize {
                    self.0.get() as usize - 1
                }

                /// The node in a row.
                ///
                /// # Panics
                /// If `index` does not fit 32 bits.
                pub fn from_index(index: usize) -> Self {
                    let number = u32::try_from(index + 1).expect("fewer than 2^32 nodes");
                    $id(NonZeroU32::new(number).expect("numbers from 1"))
                }
            }

            impl Node for $id {
                type Content = $node;
                fn content(self, tree: &Tree) -> &$node {
                    &tree.$column[self.index()]
                }
                fn place(self, tree: &Tree) -> Place {
                    tree.$places[self.index()]
                }
                fn row(self) -> usize {
                    self.index()
                }
                fn add(tree: &mut Tree, content: $node, place: Place) -> Self {
                    tree.$column.push(content);
                    tree.$places.push(place);
                    $id::from_index(tree.$column.len() - 1)
                }
                fn count(tree: &Tree) -> usize {
                    tree.$column.len()
                }
                fn set(self, tree: &mut Tree, content: $node) {
                    tree.$column[self.index()] = content;
                }
                fn cut(tree: &mut Tree, count: usize) {
                    tree.$column.truncate(count);
                    tree.$places.truncate(count);
                }
            }
        )*

        /// The nodes of a file.
        #[derive(Clone, Debug)]
        pub struct Tree {
            file: FileId,
            $($column: Vec<$node>, $places: Vec<Place>,)*
            name_uses: Vec<NameUse>,
            pools: Pools,
        }

        impl Tree {
            pub(crate) fn new(file: FileId) -> Tree {
                Tree {
                    file,
                    $($column: Vec::new(), $places: Vec::new(),)*
                    name_uses: Vec::new(),
                    pools: Pools::default(),
                }
            }
        }
    };
}

/// A kind of node: its number names a row of the [`Tree`]'s columns.
pub trait Node: Copy {
    /// What the node is.
    type Content;
    #[doc(hidden)]
    fn content(self, tree: &Tree) -> &Self::Content;
    #[doc(hidden)]
    fn place(self, tree: &Tree) -> Place;
    #[doc(hidden)]
    fn row(self) -> usize;
    #[doc(hidden)]
    fn add(tree: &mut Tree, content: Self::Content, place: Place) -> Self;
    #[doc(hidden)]
    fn count(tree: &Tree) -> usize;
    #[doc(hidden)]
    fn set(self, tree: &mut Tree, content: Self::Content);
    #[doc(hidden)]
    fn cut(tree: &mut Tree, count: usize);
}

columns! {
    /// An expression.
    ExprId: Expr, exprs, expr_places;
    /// A pattern.
    PatId: Pat, pats, pat_places;
    /// A type, a kind or a class constraint.
    TypeId: Type, types, type_places;
    /// A declaration.
    DeclId: Decl, decls, decl_places;
}

/// The use of a name outside expressions: read it with [`Tree::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(NonZeroU32);

impl Tree {
    /// The file the tree was made from.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// What a node is.
    pub fn get<N: Node>(&self, node: N) -> &N::Content {
        node.content(self)
    }

    /// Where a node stands.
    pub fn place<N: Node>(&self, node: N) -> Place {
        node.place(self)
    }

    /// Where a node stands, with the file.
    pub fn span<N: Node>(&self, node: N) -> Span {
        self.span_of(node.place(self))
    }

    /// A place with its file.
    pub fn span_of(&self, place: Place) -> Span {
        Span::new(self.file, place.start, place.end)
    }

    /// How many nodes of a kind there are; their numbers are the rows `0..count`.
    pub fn count<N: Node>(&self) -> usize {
        N::count(self)
    }

    /// The elements of a list.
    pub fn list<T: Listed>(&self, list: List<T>) -> &[T] {
        list.of(T::pool(&self.pools))
    }

    /// A name where it is used.
    pub fn name(&self, name: NameId) -> NameUse {
        self.name_uses[name.0.get() as usize - 1]
    }

    pub(crate) fn add<N: Node>(&mut self, content: N::Content, place: Place) -> N {
        N::add(self, content, place)
    }

    pub(crate) fn set<N: Node>(&mut self, node: N, content: N::Content) {
        node.set(self, content);
    }

    pub(crate) fn add_name(&mut self, name: QName, place: Place) -> NameId {
        self.name_uses.push(NameUse { name, place });
        let number = u32::try_from(self.name_uses.len()).expect("fewer than 2^32 names");
        NameId(NonZeroU32::new(number).expect("numbers from 1"))
    }

    pub(crate) fn add_list<T: Listed>(&mut self, elements: &[T]) -> List<T> {
        List::add(T::pool_mut(&mut self.pools), elements)
    }

    /// Forgets the nodes from row `count` on.
    pub(crate) fn cut<N: Node>(&mut self, count: usize) {
        N::cut(self, count);
    }
}
