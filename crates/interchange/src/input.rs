//! Bytes of a file, a pipe or gzip, as blocks of whole lines.
//!
//! What cannot be read again later, because it comes through a pipe or is compressed, is copied into a temporary
//! file on the way: behaviours are read from there. The bytes are hashed on the way too.

use super::error::{OpenError, Problem};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// The longest line that is read.
pub(crate) const LINE_LIMIT: usize = 1 << 31;
/// How much is read at once: enough to make calls rare, little enough to stay in the processor's cache.
const BLOCK: usize = 1 << 18;
/// How much the buffer grows at once for a line that is longer.
const STEP: usize = 1 << 20;

/// Where bytes come from.
pub(crate) struct Input {
    bytes: Box<dyn Read>,
    gzip: bool,
    /// The file that the bytes are in, or are copied into.
    file: File,
    copied: bool,
    hash: Box<Xxh3>,
    buffer: Vec<u8>,
    /// `buffer[..used]` was handed out, `buffer[used..filled]` is the beginning of a line.
    used: usize,
    filled: usize,
    /// Where `buffer[0]` is in the file.
    offset: u64,
    ended: bool,
    /// Why it ended, if that was not the end of the bytes.
    failure: Option<OpenError>,
    limit: usize,
    /// How many bytes may be copied.
    copy_limit: u64,
}

/// Some whole lines; the last one of a file may lack its line break.
pub(crate) struct Block<'a> {
    pub bytes: &'a [u8],
    /// Where it begins in the file.
    pub offset: u64,
}

impl Input {
    /// Opens a file, a pipe, or `-` for the standard input.
    pub(crate) fn open(path: &Path, copied: u64) -> Result<Input, OpenError> {
        if path == Path::new("-") {
            return Input::stream(Box::new(io::stdin()), copied);
        }
        let file = File::open(path).map_err(|error| OpenError::opening(&error))?;
        let about = file.metadata().map_err(|error| OpenError::opening(&error))?;
        if about.is_dir() {
            let message = format!("{} is a folder", path.display());
            return Err(OpenError::at_line(Problem::Io, 0, message, "name an interchange file"));
        }
        if !about.is_file() {
            return Input::stream(Box::new(file), copied);
        }
        let mut start = file.try_clone().map_err(|error| OpenError::opening(&error))?;
        let magic = beginning(&mut start).map_err(reading)?;
        let rest = Cursor::new(magic.clone()).chain(start);
        if is_gzip(&magic) {
            return Input::gzip(Box::new(rest), copied);
        }
        Ok(Input::new(Box::new(rest), false, file, None))
    }

    /// Takes the bytes of anything that can be read once.
    pub(crate) fn stream(mut bytes: Box<dyn Read>, copied: u64) -> Result<Input, OpenError> {
        let magic = beginning(&mut bytes).map_err(reading)?;
        let gzip = is_gzip(&magic);
        let rest = Box::new(Cursor::new(magic).chain(bytes));
        if gzip { Input::gzip(rest, copied) } else { Ok(Input::new(rest, false, copy()?, Some(copied))) }
    }

    fn gzip(bytes: Box<dyn Read>, copied: u64) -> Result<Input, OpenError> {
        let decoder = MultiGzDecoder::new(BufReader::with_capacity(BLOCK, bytes));
        Ok(Input::new(Box::new(decoder), true, copy()?, Some(copied)))
    }

    fn new(bytes: Box<dyn Read>, gzip: bool, file: File, copied: Option<u64>) -> Input {
        Input {
            bytes,
            gzip,
            file,
            copied: copied.is_some(),
            hash: Box::new(Xxh3::new()),
            buffer: vec![0; BLOCK],
            used: 0,
            filled: 0,
            offset: 0,
            ended: false,
            failure: None,
            limit: LINE_LIMIT,
            copy_limit: copied.unwrap_or(u64::MAX),
        }
    }

    /// The next lines; `None` after the last.
    pub(crate) fn block(&mut self) -> Result<Option<Block<'_>>, OpenError> {
        self.buffer.copy_within(self.used..self.filled, 0);
        self.offset += self.used as u64;
        self.filled -= self.used;
        self.used = 0;
        while !self.ended {
            if self.filled == self.buffer.len() {
                self.grow()?;
            }
            let before = self.filled;
            self.fill()?;
            if let Some(last) = memchr::memrchr(b'\n', &self.buffer[before..self.filled]) {
                self.used = before + last + 1;
                return Ok(Some(Block { bytes: &self.buffer[..self.used], offset: self.offset }));
            }
        }
        // Whole lines before a failure were handed out; of the line it is in nothing can be said.
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.used = self.filled;
        let bytes = &self.buffer[..self.used];
        Ok((!bytes.is_empty()).then_some(Block { bytes, offset: self.offset }))
    }

    /// A line is longer than the buffer.
    fn grow(&mut self) -> Result<(), OpenError> {
        if self.buffer.len() >= self.limit {
            // The caller counts lines: it puts the number in.
            let message = "the line is longer than 2 GiB";
            let hint = "shorten the value with {\"omitted\": n}, or with \"more\" for strings";
            return Err(OpenError::at_line(Problem::LineTooLong, 0, message, hint));
        }
        self.buffer.resize((self.buffer.len() + STEP).min(self.limit), 0);
        Ok(())
    }

    /// Reads until the buffer is full or the bytes end.
    fn fill(&mut self) -> Result<(), OpenError> {
        let before = self.filled;
        // After a long line the buffer is long, but need not be filled each time.
        let until = self.buffer.len().min(before + STEP);
        while self.filled < until && !self.ended {
            match self.bytes.read(&mut self.buffer[self.filled..until]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(self.failed(&error));
                    self.ended = true;
                }
            }
        }
        let new = &self.buffer[before..self.filled];
        self.hash.update(new);
        if self.offset + self.filled as u64 > self.copy_limit {
            self.ended = true;
            return Err(self.too_large());
        }
        if self.copied {
            self.file.write_all(new).map_err(|error| {
                let hint = "free space in the folder for temporary files, or set TMPDIR to another folder";
                let message = format!("cannot write a temporary copy of the input: {error}");
                OpenError::at_line(Problem::Io, 0, message, hint)
            })?;
        }
        Ok(())
    }

    #[cold]
    fn too_large(&self) -> OpenError {
        let what = if self.gzip { "unpacked, the data is" } else { "what comes through the pipe is" };
        let message = format!("{what} larger than the limit of {} bytes", self.copy_limit);
        let hint =
            "allow more with --unpack-limit, as in `--unpack-limit 20G`, or save or unpack the file first";
        OpenError::at_line(Problem::TooLarge, 0, message, hint)
    }

    /// Whether compressed data, read on from here, turns out to be damaged. Looks at a limited part of it.
    pub(crate) fn damage(&mut self) -> Option<OpenError> {
        const ENOUGH: usize = 1 << 28;
        let mut seen = 0;
        while self.gzip && seen < ENOUGH && !self.ended {
            match self.bytes.read(&mut self.buffer) {
                Ok(0) => break,
                Ok(count) => seen += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Some(self.failed(&error)),
            }
        }
        self.failure.take()
    }

    fn failed(&self, error: &io::Error) -> OpenError {
        if !self.gzip {
            return reading(io::Error::new(error.kind(), error.to_string()));
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                let message = "the gzip data ends early";
                let hint = "the file was cut off: copy it again, or let the recorder close it";
                OpenError::at_line(Problem::TruncatedGzip, 0, message, hint)
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
                let message = format!("the gzip data is damaged: {error}");
                OpenError::at_line(Problem::CorruptGzip, 0, message, "copy or make the file again")
            }
            _ => reading(io::Error::new(error.kind(), error.to_string())),
        }
    }

    /// When all was read: the file that holds it, and the hash of it.
    pub(crate) fn finish(self) -> (File, u128) {
        (self.file, self.hash.digest128())
    }

    /// The file that holds what was read so far.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    #[cfg(test)]
    pub(crate) fn with_limit(mut self, limit: usize) -> Input {
        self.buffer.truncate(limit / 2);
        self.limit = limit;
        self
    }
}

/// Reads the two bytes by which gzip is known.
fn beginning(bytes: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut magic = Vec::with_capacity(2);
    bytes.take(2).read_to_end(&mut magic)?;
    Ok(magic)
}

fn is_gzip(magic: &[u8]) -> bool {
    magic == [0x1F, 0x8B]
}

fn reading(error: io::Error) -> OpenError {
    OpenError::at_line(Problem::Io, 0, format!("reading failed: {error}"), "check the disk or the pipe")
}

/// A temporary file without a name: it goes away with the program, however that ends.
fn copy() -> Result<File, OpenError> {
    tempfile::tempfile().map_err(|error| {
        let hint = "free space in the folder for temporary files, or set TMPDIR to another folder";
        OpenError::at_line(Problem::Io, 0, format!("cannot create a temporary file: {error}"), hint)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(mut input: Input) -> Result<Vec<String>, OpenError> {
        let mut blocks = Vec::new();
        while let Some(block) = input.block()? {
            blocks.push(String::from_utf8_lossy(block.bytes).into_owned());
        }
        Ok(blocks)
    }

    fn stream(text: &'static str) -> Input {
        Input::stream(Box::new(text.as_bytes()), u64::MAX).unwrap()
    }

    #[test]
    fn blocks_are_whole_lines() {
        assert_eq!(blocks(stream("ab\ncd\nef")).unwrap(), ["ab\ncd\n", "ef"]);
        assert_eq!(blocks(stream("ab\n\ncd\nefg").with_limit(8)).unwrap(), ["ab\n\n", "cd\n", "efg"]);
        assert_eq!(blocks(stream("a")).unwrap(), ["a"]);
        assert!(blocks(stream("")).unwrap().is_empty());
    }

    #[test]
    fn gzip_that_unpacks_to_too_much_is_refused() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&b"{}\n".repeat(1 << 20)).unwrap();
        let packed = packed.finish().unwrap();
        assert!(packed.len() < 1 << 14);
        let open = |limit| blocks(Input::stream(Box::new(Cursor::new(packed.clone())), limit).unwrap());
        assert_eq!(open(3 << 20).unwrap().concat().len(), 3 << 20);
        let error = open((3 << 20) - 1).unwrap_err();
        assert_eq!(error.problem, Problem::TooLarge);
        assert!(error.message.starts_with("unpacked, the data is larger than the limit"), "{error}");
    }

    #[test]
    fn a_line_may_be_longer_than_a_block_but_not_than_the_limit() {
        assert_eq!(blocks(stream("abcdefg\nh").with_limit(8)).unwrap(), ["abcdefg\n", "h"]);
        let error = blocks(stream("a\nabcdefghi\n").with_limit(8)).unwrap_err();
        assert_eq!(error.problem, Problem::LineTooLong);
    }
}
