//! Typed numbers, and lists as slices of shared pools.

use std::marker::PhantomData;

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $id(u32);

            impl $id {
                /// Its row, from 0.
                pub fn index(self) -> usize {
                    self.0 as usize
                }

                /// The number of a row.
                ///
                /// # Panics
                /// If `index` does not fit 32 bits.
                pub fn from_index(index: usize) -> Self {
                    $id(u32::try_from(index).expect("fewer than 2^32 rows"))
                }
            }
        )*
    };
}
pub(crate) use ids;

/// A slice of a pool of the [`super::Program`]: read it with [`super::Program::list`].
pub struct List<T> {
    start: u32,
    length: u32,
    elements: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    /// No elements.
    pub const EMPTY: List<T> = List { start: 0, length: 0, elements: PhantomData };

    /// How many elements it has.
    pub fn len(self) -> usize {
        self.length as usize
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<T> {}

impl<T> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.start + self.length)
    }
}

/// An element type of a [`List`].
pub trait Listed: Copy + Sized {
    #[doc(hidden)]
    fn pool(pools: &Pools) -> &Vec<Self>;
    #[doc(hidden)]
    fn pool_mut(pools: &mut Pools) -> &mut Vec<Self>;
}

macro_rules! pools {
    ($($field:ident: $element:ty,)*) => {
        #[doc(hidden)]
        #[derive(Clone, Debug, Default)]
        pub struct Pools { $($field: Vec<$element>,)* }
        $(impl Listed for $element {
            fn pool(pools: &Pools) -> &Vec<Self> { &pools.$field }
            fn pool_mut(pools: &mut Pools) -> &mut Vec<Self> { &mut pools.$field }
        })*
    };
}

pools! {
    arguments: super::Argument,
    bindings: super::Binding,
    alternatives: super::Alternative,
    variables: super::VarId,
    exprs: super::ExprId,
}

impl Pools {
    pub(super) fn get<T: Listed>(&self, list: List<T>) -> &[T] {
        let start = list.start as usize;
        &T::pool(self)[start..start + list.length as usize]
    }

    pub(super) fn add<T: Listed>(&mut self, elements: &[T]) -> List<T> {
        let pool = T::pool_mut(self);
        let start = u32::try_from(pool.len()).expect("fewer than 2^32 elements");
        pool.extend_from_slice(elements);
        List { start, length: elements.len() as u32, elements: PhantomData }
    }
}
