//! Typed numbers, and the pools of lists.

pub use gadfly_syntax::pools::List;

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

gadfly_syntax::pools! {
    arguments: super::Argument,
    bindings: super::Binding,
    alternatives: super::Alternative,
    variables: super::VarId,
    exprs: super::ExprId,
}
