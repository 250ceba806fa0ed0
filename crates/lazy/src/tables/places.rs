//! Files that go into a trail, and pieces of them.

use crate::Checked;
use crate::start::{Expression, START};
use gadfly_core::kernel::Program;
use gadfly_source::{FileId, Sources, Span};
use gadfly_trail::model::{File, Piece};

/// The files that are embedded: those of the user's modules, and of the library those with recorded code.
pub(super) struct Places<'a> {
    sources: &'a Sources,
    expression: Option<&'a Expression>,
    /// By file, whether it is wanted.
    wanted: Vec<bool>,
    /// By file, its number in the trail, if a piece of it was needed.
    numbers: Vec<Option<u32>>,
    files: Vec<File>,
}

impl<'a> Places<'a> {
    pub(super) fn new(checked: &'a Checked, program: &Program, recorded: &[bool]) -> Places<'a> {
        let (sources, expression) = (&checked.sources, checked.expression.as_ref());
        let count = sources.iter().count();
        let mut wanted = vec![false; count];
        for (id, function) in program.functions() {
            let module = program.module(function.module);
            let own = !module.library && program.text(module.name) != START;
            wanted[function.span.file.0 as usize] |= recorded[id.index()] || own;
        }
        let mut places =
            Places { sources, expression, wanted, numbers: vec![None; count], files: Vec::new() };
        for (file, _) in sources.iter() {
            places.file(file);
        }
        places
    }

    /// The number of a file in the trail; none if it is not embedded.
    pub(super) fn file(&mut self, file: FileId) -> Option<u32> {
        let index = file.0 as usize;
        if !self.wanted.get(index).copied().unwrap_or(false) {
            return None;
        }
        if self.numbers[index].is_none() {
            let source = self.sources.file(file);
            self.numbers[index] = Some(self.files.len() as u32);
            let text = source.text().unwrap_or("");
            let typed = self.expression.filter(|expression| expression.file == file);
            let text = typed.map_or(text, |expression| expression.own(text)).to_owned();
            self.files.push(File { path: source.name().to_owned(), text });
        }
        self.numbers[index]
    }

    /// A span in the trail's words.
    pub(super) fn piece(&mut self, span: Span) -> Option<Piece> {
        let file = self.file(span.file)?;
        let span = self.expression.map_or(span, |expression| expression.shift(span));
        Some(Piece { file, start: span.start, end: span.end.max(span.start) })
    }

    pub(super) fn into_files(self) -> Vec<File> {
        self.files
    }
}
