//! Files with their line index, spans in bytes, regions in lines and columns.

use std::fmt;

/// A file of [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// Bytes `start..end` of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The first byte after it.
    pub end: u32,
}

impl Span {
    /// Bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// The smallest span that holds both; both must be in one file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file);
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A line and a column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in Unicode scalar values.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Part of a file in lines and columns; `end` is the first position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// The file.
    pub file: FileId,
    /// Where it begins.
    pub start: Position,
    /// The first position after it.
    pub end: Position,
}

/// One file: its name as the user knows it and, where it is to be had, its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: Box<str>,
    text: Option<Box<str>>,
    /// Byte offset of the start of every line.
    lines: Vec<u32>,
    /// How many characters stand before every block of the text: a column of a long line is not counted from its start.
    blocks: Vec<u32>,
}

/// The bytes of a block.
const BLOCK: usize = 256;

impl SourceFile {
    /// A file; `text` is `None` when only the name is known. Text beyond 4 GiB counts as not known.
    pub fn new(name: impl Into<Box<str>>, text: Option<String>) -> Self {
        let text = text.filter(|text| u32::try_from(text.len()).is_ok());
        let mut lines = vec![0];
        if let Some(text) = &text {
            lines.extend(
                text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1),
            );
        }
        let mut blocks = vec![0];
        let mut before = 0;
        for block in text.as_deref().unwrap_or("").as_bytes().chunks(BLOCK) {
            before += characters(block);
            blocks.push(before);
        }
        SourceFile { name: name.into(), text: text.map(String::into_boxed_str), lines, blocks }
    }

    /// The name as the user knows it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, where it is to be had.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Line `line` (from 1) without its line break.
    pub fn line(&self, line: u32) -> Option<&str> {
        let text = self.text()?;
        let index = (line as usize).checked_sub(1)?;
        let start = *self.lines.get(index)? as usize;
        let end = self.lines.get(index + 1).map_or(text.len(), |next| *next as usize);
        Some(text[start..end].trim_end_matches(['\n', '\r']))
    }

    /// How many lines the text has (1 when it is not known).
    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The position of a byte offset; offsets inside a character or past the end are moved back.
    pub fn position(&self, offset: u32) -> Position {
        let index = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.lines[index] as usize;
        let column = self.text().map_or(0, |text| {
            let mut end = (offset as usize).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            self.characters_before(text, end) - self.characters_before(text, start.min(end))
        });
        Position { line: index as u32 + 1, column: column + 1 }
    }

    fn characters_before(&self, text: &str, end: usize) -> u32 {
        let block = end / BLOCK;
        self.blocks[block] + characters(&text.as_bytes()[block * BLOCK..end])
    }

    /// The byte offset of a position; a column past the end of its line is the end of the line.
    pub fn offset(&self, position: Position) -> Option<u32> {
        let line = self.line(position.line)?;
        let start = self.lines[position.line as usize - 1];
        let column = (position.column as usize).saturating_sub(1);
        let inside = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
        Some(start + inside as u32)
    }
}

/// How many characters begin in these bytes.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count() as u32
}

/// The files of a program.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// No files.
    pub fn new() -> Self {
        Sources::default()
    }

    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// The file with this id.
    ///
    /// # Panics
    /// If the id is another `Sources`'.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The file with this name.
    pub fn by_name(&self, name: &str) -> Option<FileId> {
        self.files.iter().position(|file| file.name() == name).map(|index| FileId(index as u32))
    }

    /// All files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// A span in lines and columns.
    pub fn region(&self, span: Span) -> Region {
        let file = self.file(span.file);
        Region { file: span.file, start: file.position(span.start), end: file.position(span.end) }
    }

    /// A region in bytes, where the file's text is known and has these lines.
    pub fn span(&self, region: Region) -> Option<Span> {
        let file = self.file(region.file);
        let start = file.offset(region.start)?;
        let end = file.offset(region.end)?.max(start);
        Some(Span { file: region.file, start, end })
    }

    /// The text of a span, where it is known.
    pub fn text(&self, span: Span) -> Option<&str> {
        self.file(span.file).text()?.get(span.start as usize..span.end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_round_trip() {
        let file = SourceFile::new("a", Some("añb\ncd\n".into()));
        assert_eq!(file.position(3), Position { line: 1, column: 3 });
        assert_eq!(file.position(2), Position { line: 1, column: 2 }, "inside ñ");
        assert_eq!(file.position(5), Position { line: 2, column: 1 });
        assert_eq!(file.offset(Position { line: 1, column: 3 }), Some(3));
        assert_eq!(file.offset(Position { line: 2, column: 99 }), Some(7));
        assert_eq!(file.offset(Position { line: 9, column: 1 }), None);
        assert_eq!(file.line(1), Some("añb"));
    }

    #[test]
    fn columns_of_long_lines_count_characters() {
        let file = SourceFile::new("a", Some(format!("x\n{}", "ñ€b".repeat(1_000))));
        for at in [0, 1, 127, 128, 129, 500, 999] {
            let position = Position { line: 2, column: 3 * at + 1 };
            assert_eq!(file.position(2 + 6 * at), position);
            assert_eq!(file.offset(position), Some(2 + 6 * at));
        }
        assert_eq!(file.position(1_000_000), Position { line: 2, column: 3_001 });
    }

    #[test]
    fn a_file_without_text_has_only_a_name() {
        let file = SourceFile::new("a", None);
        assert_eq!(file.line(1), None);
        assert_eq!(file.position(7), Position { line: 1, column: 1 });
    }
}
