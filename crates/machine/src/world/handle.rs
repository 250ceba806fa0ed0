//! A handle: a source to read from or a sink to write to, with its buffers.
//!
//! Text is UTF-8. Input is decoded where it is taken from the buffer, so that bytes that are not text are a failure only
//! when the program gets there. Output is written when the buffer is full, when a line ends, or at once, as the program
//! chose. The messages of the failures are GHC's.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Mode, failure};
use crate::primitives::{Failure, FailureKind};

/// How much is read at once, and written if the program does not say.
const BLOCK: usize = 1 << 15;

/// When output is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Buffering {
    /// At once.
    None,
    /// When a line ends.
    Line,
    /// When the buffer holds this many bytes.
    Block(Option<usize>),
}

/// What can be done with a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    /// Half closed: `hGetContents` owns the rest of the input.
    HalfClosed,
    Closed,
}

enum Stream {
    Reader(Box<dyn Read + Send>),
    Writer(Box<dyn Write + Send>),
    File(File),
    Closed,
}

pub(super) struct Handle {
    name: String,
    stream: Stream,
    readable: bool,
    writable: bool,
    state: State,
    buffering: Buffering,
    /// What was read; all before `at` is used.
    input: Vec<u8>,
    at: usize,
    /// Bytes not yet written.
    output: Vec<u8>,
    /// The file, if it is an ordinary one.
    place: Option<PathBuf>,
    /// The reader has gone.
    broken: bool,
}

impl Handle {
    pub(super) fn reader(name: &str, reader: Box<dyn Read + Send>, buffering: Buffering) -> Handle {
        Handle::new(name, Stream::Reader(reader), (true, false), buffering, None)
    }

    pub(super) fn writer(name: &str, writer: Box<dyn Write + Send>, buffering: Buffering) -> Handle {
        Handle::new(name, Stream::Writer(writer), (false, true), buffering, None)
    }

    pub(super) fn file(
        name: &str,
        file: File,
        mode: Mode,
        buffering: Buffering,
        place: Option<PathBuf>,
    ) -> Handle {
        let can = (matches!(mode, Mode::Read | Mode::ReadWrite), mode != Mode::Read);
        Handle::new(name, Stream::File(file), can, buffering, place)
    }

    fn new(
        name: &str,
        stream: Stream,
        (readable, writable): (bool, bool),
        buffering: Buffering,
        place: Option<PathBuf>,
    ) -> Handle {
        Handle {
            name: name.to_owned(),
            stream,
            readable,
            writable,
            state: State::Open,
            buffering,
            input: Vec::new(),
            at: 0,
            output: Vec::new(),
            place,
            broken: false,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    pub(super) fn half_close(&mut self) {
        if self.state == State::Open {
            self.state = State::HalfClosed;
        }
    }

    pub(super) fn buffering(&self) -> Buffering {
        self.buffering
    }

    pub(super) fn set_buffering(&mut self, buffering: Buffering) -> Result<(), Failure> {
        self.buffering = buffering;
        self.write_out("hSetBuffering")
    }

    pub(super) fn place(&self) -> Option<&Path> {
        self.place.as_deref()
    }

    pub(super) fn is_writable(&self) -> bool {
        self.writable
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Writes the buffer and closes the handle; does nothing if it is closed.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        let result = self.write_out("hClose");
        self.state = State::Closed;
        self.stream = Stream::Closed;
        self.place = None;
        self.input = Vec::new();
        self.at = 0;
        self.output = Vec::new();
        result
    }

    /// Writes the buffer. Does nothing if the handle is closed: a program may close its output and then end.
    pub(super) fn flush(&mut self, location: &str) -> Result<(), Failure> {
        if !self.writable {
            return Err(self.illegal(location, "handle is not open for writing"));
        }
        self.write_out(location)
    }

    #[inline]
    pub(super) fn put(&mut self, code: u32) -> Result<(), Failure> {
        self.before_writing()?;
        match char::from_u32(code) {
            Some(char) if char.is_ascii() => self.output.push(code as u8),
            Some(char) => self.output.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            None => {
                let kind = FailureKind::Invalid;
                return Err(self.failure(kind, "commitBuffer", "invalid character"));
            }
        }
        self.written(code == u32::from(b'\n'))
    }

    pub(super) fn put_text(&mut self, text: &str) -> Result<(), Failure> {
        self.before_writing()?;
        self.output.extend_from_slice(text.as_bytes());
        self.written(text.contains('\n'))
    }

    /// After a change of the buffer: writes it if it is time.
    fn written(&mut self, line_ended: bool) -> Result<(), Failure> {
        let full = match self.buffering {
            Buffering::None => true,
            Buffering::Line => line_ended || self.output.len() >= BLOCK,
            Buffering::Block(size) => self.output.len() >= size.unwrap_or(BLOCK),
        };
        if full { self.write_out("commitBuffer") } else { Ok(()) }
    }

    #[inline]
    fn before_writing(&mut self) -> Result<(), Failure> {
        if !self.writable {
            return Err(self.illegal("hPutStr", "handle is not open for writing"));
        }
        match self.state {
            State::Open if self.input.is_empty() => Ok(()),
            State::Open => self.forget_input(),
            State::HalfClosed => Err(self.illegal("hPutStr", "handle is semi-closed")),
            State::Closed => Err(self.illegal("hPutStr", "handle is closed")),
        }
    }

    /// A file that is read and written is written where the program has read to, not where the buffer ends.
    fn forget_input(&mut self) -> Result<(), Failure> {
        let ahead = (self.input.len() - self.at) as i64;
        self.input.clear();
        self.at = 0;
        match &mut self.stream {
            Stream::File(file) => match file.seek(SeekFrom::Current(-ahead)) {
                Ok(_) => Ok(()),
                Err(error) => Err(failure(&error, "hPutStr", &self.name)),
            },
            _ => Ok(()),
        }
    }

    /// Writes the buffer. What cannot be written is lost, so that the program does not fail again at its end.
    fn write_out(&mut self, location: &str) -> Result<(), Failure> {
        if self.output.is_empty() {
            return Ok(());
        }
        let result = match &mut self.stream {
            Stream::Writer(writer) => writer.write_all(&self.output).and_then(|()| writer.flush()),
            Stream::File(file) => file.write_all(&self.output),
            Stream::Reader(_) | Stream::Closed => Ok(()),
        };
        self.output.clear();
        result.map_err(|error| {
            self.broken |= error.kind() == io::ErrorKind::BrokenPipe;
            failure(&error, location, &self.name)
        })
    }

    pub(super) fn get(&mut self) -> Result<Option<char>, Failure> {
        let char = self.next("hGetChar")?;
        self.at += char.map_or(0, char::len_utf8);
        Ok(char)
    }

    pub(super) fn peek(&mut self) -> Result<Option<char>, Failure> {
        self.next("hLookAhead")
    }

    pub(super) fn get_line(&mut self) -> Result<String, Failure> {
        match self.state {
            State::HalfClosed => self.some_of_a_line("hGetContents"),
            _ => self.whole_line("hGetLine"),
        }
    }

    /// The next character, decoded but not taken.
    fn next(&mut self, location: &str) -> Result<Option<char>, Failure> {
        self.before_reading(location)?;
        loop {
            let bytes = &self.input[self.at..];
            let Some(first) = bytes.first() else {
                match self.fill(location)? {
                    0 => return Ok(None),
                    _ => continue,
                }
            };
            if first.is_ascii() {
                return Ok(Some((*first).into()));
            }
            // A character has at most four bytes.
            if let Some(char) = valid(&bytes[..bytes.len().min(4)]).chars().next() {
                return Ok(Some(char));
            }
            self.complete(location)?;
        }
    }

    fn whole_line(&mut self, location: &str) -> Result<String, Failure> {
        self.before_reading(location)?;
        let mut searched = 0;
        let length = loop {
            let bytes = &self.input[self.at..];
            if let Some(end) = bytes[searched..].iter().position(|&byte| byte == b'\n') {
                break searched + end + 1;
            }
            searched = bytes.len();
            if self.fill(location)? == 0 {
                break searched;
            }
        };
        let text = valid(&self.input[self.at..self.at + length]).to_owned();
        self.at += text.len();
        if text.len() == length { Ok(text) } else { Err(self.not_text(location)) }
    }

    /// To the end of the line, or of the input that has arrived.
    fn some_of_a_line(&mut self, location: &str) -> Result<String, Failure> {
        self.before_reading(location)?;
        loop {
            let bytes = &self.input[self.at..];
            if bytes.is_empty() {
                if self.fill(location)? == 0 {
                    return Ok(String::new());
                }
                continue;
            }
            let length = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1);
            let text = valid(&bytes[..length]);
            if !text.is_empty() {
                let text = text.to_owned();
                self.at += text.len();
                return Ok(text);
            }
            self.complete(location)?;
        }
    }

    /// The bytes at hand do not begin with a character: reads more if they may begin one.
    fn complete(&mut self, location: &str) -> Result<(), Failure> {
        let may_begin =
            std::str::from_utf8(&self.input[self.at..]).is_err_and(|error| error.error_len().is_none());
        if may_begin && self.fill(location)? > 0 { Ok(()) } else { Err(self.not_text(location)) }
    }

    fn before_reading(&mut self, location: &str) -> Result<(), Failure> {
        if self.state == State::Closed {
            return Err(self.illegal(location, "handle is closed"));
        }
        if !self.readable {
            return Err(self.illegal(location, "handle is not open for reading"));
        }
        if self.output.is_empty() { Ok(()) } else { self.write_out(location) }
    }

    /// Reads more; says how much.
    fn fill(&mut self, location: &str) -> Result<usize, Failure> {
        self.input.drain(..self.at);
        self.at = 0;
        let length = self.input.len();
        self.input.resize(length + BLOCK, 0);
        let room = &mut self.input[length..];
        let result = loop {
            let result = match &mut self.stream {
                Stream::Reader(reader) => reader.read(room),
                Stream::File(file) => file.read(room),
                Stream::Writer(_) | Stream::Closed => Ok(0),
            };
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        self.input.truncate(length + result.as_ref().copied().unwrap_or(0));
        result.map_err(|error| failure(&error, location, &self.name))
    }

    fn illegal(&self, location: &str, why: &str) -> Failure {
        self.failure(FailureKind::Illegal, location, why)
    }

    fn not_text(&self, location: &str) -> Failure {
        self.failure(FailureKind::Invalid, location, "invalid byte sequence")
    }

    fn failure(&self, kind: FailureKind, location: &str, why: &str) -> Failure {
        Failure { file: self.name.clone(), ..Failure::new(kind, location, why) }
    }
}

/// The text that bytes begin with.
fn valid(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}
