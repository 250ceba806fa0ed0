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

impl About {
    /// What there is to say about a program in this language, with the language's own style.
    pub fn new(language: impl Into<String>, program: Option<String>) -> About {
        let language = language.into();
        let style = Style::for_language(&language);
        About { language, program, style }
    }
}
