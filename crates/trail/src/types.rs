//! Types of values, as far as the way these are written depends on them.

/// A type; those inside of it are indices into [`super::model::Tables::types`]. Values of a `newtype` are of the type inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Nothing is known of it.
    Any,
    /// A variable of the signature, or a parameter of the constructor's type, by its number.
    Variable(u32),
    /// A character: a list of these is a text, also if it is empty.
    Character,
    /// A floating-point number of 32 bits, which trails hold as one of 64.
    Single,
    /// A floating-point number of 64 bits.
    Double,
    /// A list.
    List(u32),
    /// A tuple.
    Tuple(Vec<u32>),
    /// Data of a type, as [`super::model::Constructor::of`] names it, with what it is applied to.
    Data(String, Vec<u32>),
    /// A function: the parameter and the result.
    Function(u32, u32),
    /// An action: what it gives.
    Action(u32),
}

/// The type of a function. That of a dictionary is what its class is used at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// An index into [`super::model::Tables::functions`].
    pub function: u32,
    /// The types of its parameters.
    pub parameters: Vec<u32>,
    /// The type of its result.
    pub result: u32,
}

/// The types of a constructor's fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldTypes {
    /// An index into [`super::model::Tables::constructors`].
    pub constructor: u32,
    /// The types.
    pub types: Vec<u32>,
}
