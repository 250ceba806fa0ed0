//! Typed numbers and the tables they index.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that names a row of a [`Table`].
pub trait Id: Copy {
    /// The row, from 0.
    fn index(self) -> usize;
    /// The number of a row.
    fn from_index(index: usize) -> Self;
}

/// Types of numbers, one for each kind of rows.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident,)*) => {
        $(
            $(#[$doc])*
            #[allow(unreachable_pub, reason = "some are of their crate only")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $id(pub(crate) u32);

            #[allow(dead_code, unreachable_pub, reason = "some are only used as the numbers of a table")]
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

            impl $crate::Id for $id {
                fn index(self) -> usize {
                    $id::index(self)
                }
                fn from_index(index: usize) -> Self {
                    $id::from_index(index)
                }
            }
        )*
    };
}

/// Rows named by typed numbers.
#[derive(Clone, Debug)]
pub struct Table<I, T> {
    rows: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id, T> Table<I, T> {
    /// No rows.
    pub fn new() -> Self {
        Table { rows: Vec::new(), ids: PhantomData }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows with their numbers, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.rows.iter().enumerate().map(|(index, row)| (I::from_index(index), row))
    }

    /// The numbers of all rows.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.rows.len()).map(I::from_index)
    }

    /// The row, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.index())
    }

    /// Adds a row; gives its number.
    pub fn push(&mut self, row: T) -> I {
        self.rows.push(row);
        I::from_index(self.rows.len() - 1)
    }

    /// The number of the row that is added next.
    pub fn next(&self) -> I {
        I::from_index(self.rows.len())
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Table::new()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.rows[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.index()]
    }
}
