//! The diagnostics of one file, up to a limit.

use gadfly_source::{Diagnostic, FileId, Severity, Span};

use crate::tree::Place;

/// How many errors of one file are reported.
const ERROR_LIMIT: usize = 50;

/// Collects the diagnostics about a file.
#[derive(Debug)]
pub(crate) struct Report {
    file: FileId,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl Report {
    pub(crate) fn new(file: FileId) -> Report {
        Report { file, diagnostics: Vec::new(), errors: 0 }
    }

    pub(crate) fn span(&self, place: Place) -> Span {
        Span::new(self.file, place.start, place.end)
    }

    /// Adds a diagnostic; `make` is not called when there are too many already.
    pub(crate) fn add(&mut self, make: impl FnOnce(&Report) -> Diagnostic) {
        if self.errors >= ERROR_LIMIT {
            self.errors += 1;
            return;
        }
        let diagnostic = make(self);
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        self.diagnostics.push(diagnostic);
    }

    /// An error with its place, a word about the place (may be empty) and what to do next (may be empty).
    pub(crate) fn error(&mut self, place: Place, message: impl Into<String>, label: &str, hint: &str) {
        self.add(|report| {
            let diagnostic = Diagnostic::error(message).at(report.span(place), label);
            if hint.is_empty() { diagnostic } else { diagnostic.with_hint(hint) }
        });
    }

    /// What was collected, in the order of the text.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.primary.as_ref().map_or(0, |label| label.span.start));
        if self.errors > ERROR_LIMIT {
            let more = self.errors - ERROR_LIMIT;
            self.diagnostics.push(
                Diagnostic::note(format!("{more} more errors in this file are not shown"))
                    .with_hint("Mend the first ones; the others often follow from them."),
            );
        }
        self.diagnostics
    }
}
