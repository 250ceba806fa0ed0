//! Diagnostics as text.

use crate::{Diagnostic, Sources};

/// Whether the text is coloured for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// With ANSI colours.
    Always,
    /// Plain text.
    Never,
}

/// Shows a diagnostic with the source it is about.
pub fn render(_diagnostic: &Diagnostic, _sources: &Sources, _colour: Colour) -> String {
    String::new()
}
