//! What a recording says about itself.

use gadfly_term::render::Style;

/// What was recorded, and how its values are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The language of the program, to be shown: `haskell`, `python`.
    pub language: String,
    /// The program that ran, as a person would name it.
    pub program: Option<String>,
    /// How the language writes applications.
    pub style: Style,
}
