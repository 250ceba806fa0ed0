//! Children in any number, without a vector each: lists are slices of pools that a whole tree or program shares.
//!
//! [`crate::pools!`] declares the pools of one owner, one for each type of element.

use std::marker::PhantomData;

/// A slice of one of its owner's pools.
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

    #[doc(hidden)]
    pub fn of(self, pool: &[T]) -> &[T] {
        let start = self.start as usize;
        &pool[start..start + self.length as usize]
    }

    #[doc(hidden)]
    pub fn add(pool: &mut Vec<T>, elements: &[T]) -> List<T>
    where
        T: Copy,
    {
        let start = u32::try_from(pool.len()).expect("fewer than 2^32 elements");
        pool.extend_from_slice(elements);
        List { start, length: elements.len() as u32, elements: PhantomData }
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

/// Declares `Pools`, with a pool for each type of element, and the trait `Listed` of these types.
#[macro_export]
macro_rules! pools {
    ($($field:ident: $element:ty,)*) => {
        /// An element type of a [`List`].
        pub trait Listed: Copy + Sized {
            #[doc(hidden)]
            fn pool(pools: &Pools) -> &Vec<Self>;
            #[doc(hidden)]
            fn pool_mut(pools: &mut Pools) -> &mut Vec<Self>;
        }

        #[doc(hidden)]
        #[derive(Clone, Debug, Default)]
        pub struct Pools { $($field: Vec<$element>,)* }

        $(impl Listed for $element {
            fn pool(pools: &Pools) -> &Vec<Self> { &pools.$field }
            fn pool_mut(pools: &mut Pools) -> &mut Vec<Self> { &mut pools.$field }
        })*
    };
}
