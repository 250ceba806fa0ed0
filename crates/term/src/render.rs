//! Terms and equations as text.

use crate::{Equation, Path, TermId, Terms};

/// How a language writes applications and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `f (Just 3) [1,2]`, as Haskell and Curry write it.
    Juxtaposed,
    /// `f(Just(3), [1, 2])`, as most others do.
    Called,
}

/// The room there is to show something in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Columns.
    pub width: usize,
    /// Lines; what does not fit is elided in the middle.
    pub lines: usize,
}

/// Text made to fit, and whether anything had to be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The text, without a final line break.
    pub text: String,
    /// Whether something was left out that a bigger room would show.
    pub elided: bool,
}

/// Shows a term.
pub fn term(_terms: &Terms, _id: TermId, _style: Style, _room: Room) -> Shown {
    Shown { text: String::new(), elided: false }
}

/// Shows an equation; the marked part, if any, stands out as `«…»`.
pub fn equation(_equation: &Equation, _style: Style, _room: Room, _mark: Option<&Path>) -> Shown {
    Shown { text: String::new(), elided: false }
}

/// An equation on one line of at most `width` columns.
pub fn equation_line(_equation: &Equation, _style: Style, _width: usize) -> Shown {
    Shown { text: String::new(), elided: false }
}
