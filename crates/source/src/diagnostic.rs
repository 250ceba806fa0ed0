//! What is said about source text, as plain data.

use crate::{Sources, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing stops.
    Note,
    /// Probably not what was meant; nothing stops.
    Warning,
    /// The command cannot do its job.
    Error,
}

/// A place with a word about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be said there; may be empty.
    pub text: String,
}

/// Something said about source text: what, where, why, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence: what is wrong.
    pub message: String,
    /// The place it is about, if any.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// What to do next.
    pub hint: Option<String>,
}

impl Diagnostic {
    fn new(severity: Severity, message: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            hint: None,
        }
    }

    /// An error.
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, message)
    }

    /// A warning.
    pub fn warning(message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Warning, message)
    }

    /// A note.
    pub fn note(message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Note, message)
    }

    /// Says where.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label { span, text: text.into() });
        self
    }

    /// Adds another place.
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a sentence.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to do next.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Diagnostic {
    /// The whole of it in a few plain lines without the source text, as tests compare it.
    pub fn plain_lines(&self, sources: &Sources) -> String {
        let mut text = String::new();
        if let Some(primary) = &self.primary {
            let region = sources.region(primary.span);
            text.push_str(&format!("{}-{}: ", region.start, region.end));
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        text.push_str(&format!("{severity}: {}", self.message));
        if let Some(primary) = self.primary.as_ref().filter(|primary| !primary.text.is_empty()) {
            text.push_str(&format!("\n  here: {}", primary.text));
        }
        for label in &self.secondary {
            text.push_str(&format!("\n  {}: {}", sources.region(label.span).start, label.text));
        }
        for note in &self.notes {
            text.push_str(&format!("\n  note: {}", note.replace('\n', "\n        ")));
        }
        if let Some(hint) = &self.hint {
            text.push_str(&format!("\n  hint: {hint}"));
        }
        text
    }
}
