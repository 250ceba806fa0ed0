//! The outside world of a program: handles, arguments, the environment, the clock.
//!
//! The caller supplies the three standard handles, so that a test or a recorder can be the other end; files
//! are opened as the program asks. Call [`World::flush`] when a program is done, however it ended.

mod handle;

use std::env;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::primitives::{Failure, FailureKind};
use handle::Handle;
pub(crate) use handle::{Buffering, State};

/// The numbers of the standard handles.
pub(crate) const STDIN: usize = 0;
pub(crate) const STDOUT: usize = 1;
pub(crate) const STDERR: usize = 2;

/// How to make a world.
pub struct Settings {
    /// The program's name, as messages begin with it.
    pub program: String,
    /// What the program was called with.
    pub arguments: Vec<String>,
    /// Names and values.
    pub environment: Vec<(String, String)>,
    /// Standard input.
    pub input: Box<dyn Read + Send>,
    /// Standard output.
    pub output: Box<dyn Write + Send>,
    /// Standard error.
    pub errors: Box<dyn Write + Send>,
    /// A person types the input.
    pub input_is_terminal: bool,
    /// A person watches the output: it is written line by line.
    pub output_is_terminal: bool,
    /// Files may be read only.
    pub read_only: bool,
}

impl Settings {
    /// No arguments, nothing to read, and nowhere to write to.
    pub fn empty() -> Settings {
        Settings {
            program: String::new(),
            arguments: Vec::new(),
            environment: Vec::new(),
            input: Box::new(io::empty()),
            output: Box::new(io::sink()),
            errors: Box::new(io::sink()),
            input_is_terminal: false,
            output_is_terminal: false,
            read_only: false,
        }
    }

    /// The world of this process.
    pub fn of_process(program: String, arguments: Vec<String>) -> Settings {
        Settings {
            program,
            arguments,
            environment: env::vars_os()
                .map(|(name, value)| {
                    (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
                })
                .collect(),
            input: standard_input(),
            output: standard_output(),
            errors: Box::new(io::stderr()),
            input_is_terminal: io::stdin().is_terminal(),
            output_is_terminal: io::stdout().is_terminal(),
            read_only: false,
        }
    }
}

/// What a program sees of the world.
pub struct World {
    program: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    handles: Vec<Handle>,
    /// Who types the input also sees the output.
    interactive: bool,
    broken_pipe: bool,
    /// Bytes of standard output so far.
    written: u64,
    /// What was written to standard output since it was last taken, if the caller wants it.
    echo: Option<Vec<u8>>,
    read_only: bool,
    refused: bool,
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Read,
    Write,
    Append,
    ReadWrite,
}

impl World {
    /// A world with these ends.
    pub fn new(settings: Settings) -> World {
        let line_or_block = |terminal| if terminal { Buffering::Line } else { Buffering::Block(None) };
        let input = line_or_block(settings.input_is_terminal);
        let output = line_or_block(settings.output_is_terminal);
        World {
            program: settings.program,
            arguments: settings.arguments,
            environment: settings.environment,
            handles: vec![
                Handle::reader("<stdin>", settings.input, input),
                Handle::writer("<stdout>", settings.output, output),
                Handle::writer("<stderr>", settings.errors, Buffering::None),
            ],
            interactive: settings.input_is_terminal && settings.output_is_terminal,
            broken_pipe: false,
            written: 0,
            echo: None,
            read_only: settings.read_only,
            refused: false,
        }
    }

    fn wrote(&mut self, text: &str) {
        self.written += text.len() as u64;
        if let Some(echo) = &mut self.echo {
            echo.extend_from_slice(text.as_bytes());
        }
    }

    /// Keeps what is written to standard output until it is taken.
    pub(crate) fn keep_echo(&mut self) {
        self.echo = Some(Vec::new());
    }

    /// What was written to standard output since it was last taken.
    pub(crate) fn take_echo(&mut self) -> Vec<u8> {
        self.echo.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// How many bytes were written to standard output.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    pub(crate) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    pub(crate) fn environment(&self) -> &[(String, String)] {
        &self.environment
    }

    /// Writes what is still in the buffers; `Err` with what to say if standard output did not take it.
    pub fn flush(&mut self) -> Result<(), String> {
        for handle in self.handles.iter_mut().skip(STDERR) {
            // A file that the program forgot to close: no one is left to report an error to.
            let _ = handle.flush("hFlush");
        }
        let result = self.flush_handle(STDOUT);
        result.map_err(|failure| format!("{}: {}: {}", failure.file, failure.location, failure.description))
    }

    /// Writes a text to standard error, after what the program has written so far.
    pub fn report(&mut self, text: &str) {
        let _ = self.flush_handle(STDOUT);
        let _ = self.put_text(STDERR, text);
    }

    /// Whether standard output was a pipe whose reader has gone: a reason to end quietly.
    pub fn broken_pipe(&self) -> bool {
        self.broken_pipe
    }

    /// Whether the program tried to write to a file without permission.
    pub fn refused(&self) -> bool {
        self.refused
    }

    /// Opens a file. As the Haskell report demands, a file has many readers or one writer at a time.
    pub(crate) fn open(&mut self, path: &str, mode: Mode) -> Result<usize, Failure> {
        let of_path = |failure: Failure| Failure { file: path.to_owned(), ..failure };
        if self.read_only && mode != Mode::Read {
            self.refused = true;
            return Err(of_path(Failure::new(
                FailureKind::PermissionDenied,
                "openFile",
                "permission denied",
            )));
        }
        let place = place(Path::new(path));
        let locked = |handle: &Handle| handle.place().is_some() && handle.place() == place.as_deref();
        if self.handles.iter().any(|handle| locked(handle) && (mode != Mode::Read || handle.is_writable())) {
            return Err(of_path(Failure::new(FailureKind::Busy, "openFile", "file is locked")));
        }
        let file = open_file(path, mode).map_err(of_path)?;
        // A file that is new has its place only now.
        let place = place.or_else(|| self::place(Path::new(path)));
        let buffering = if file.is_terminal() { Buffering::Line } else { Buffering::Block(None) };
        self.handles.push(Handle::file(path, file, mode, buffering, place));
        Ok(self.handles.len() - 1)
    }

    pub(crate) fn close(&mut self, handle: usize) -> Result<(), Failure> {
        let result = self.handle(handle)?.close();
        self.heed(handle, result)
    }

    pub(crate) fn flush_handle(&mut self, handle: usize) -> Result<(), Failure> {
        let result = self.handle(handle)?.flush("hFlush");
        self.heed(handle, result)
    }

    /// Writes a character.
    #[inline]
    pub(crate) fn put(&mut self, handle: usize, code: u32) -> Result<(), Failure> {
        let result = self.handle(handle)?.put(code);
        if handle == STDOUT {
            let mut bytes = [0; 4];
            self.wrote(char::from_u32(code).map_or("", |char| char.encode_utf8(&mut bytes)));
        }
        self.heed(handle, result)
    }

    /// Writes a text, at once if the handle has no buffer.
    pub(crate) fn put_text(&mut self, handle: usize, text: &str) -> Result<(), Failure> {
        let result = self.handle(handle)?.put_text(text);
        if handle == STDOUT {
            self.wrote(text);
        }
        self.heed(handle, result)
    }

    /// Reads a character; `None` at the end.
    pub(crate) fn get(&mut self, handle: usize) -> Result<Option<char>, Failure> {
        self.before_reading(handle);
        self.handle(handle)?.get()
    }

    /// The next character, which stays there; `None` at the end.
    pub(crate) fn peek(&mut self, handle: usize) -> Result<Option<char>, Failure> {
        self.before_reading(handle);
        self.handle(handle)?.peek()
    }

    /// Reads a line with its end; empty at the end of the input. If the handle is half closed, it may return
    /// part of a line as soon as that has arrived.
    pub(crate) fn get_line(&mut self, handle: usize) -> Result<String, Failure> {
        self.before_reading(handle);
        self.handle(handle)?.get_line()
    }

    pub(crate) fn name(&self, handle: usize) -> &str {
        self.handles.get(handle).map_or("", Handle::name)
    }

    pub(crate) fn state(&self, handle: usize) -> State {
        self.handles.get(handle).map_or(State::Closed, Handle::state)
    }

    /// The program will read this handle only through the text it was promised.
    pub(crate) fn half_close(&mut self, handle: usize) {
        if let Some(handle) = self.handles.get_mut(handle) {
            handle.half_close();
        }
    }

    pub(crate) fn buffering(&self, handle: usize) -> Buffering {
        self.handles.get(handle).map_or(Buffering::None, Handle::buffering)
    }

    pub(crate) fn set_buffering(&mut self, handle: usize, buffering: Buffering) -> Result<(), Failure> {
        let result = self.handle(handle)?.set_buffering(buffering);
        self.heed(handle, result)
    }

    fn handle(&mut self, handle: usize) -> Result<&mut Handle, Failure> {
        self.handles
            .get_mut(handle)
            .ok_or_else(|| Failure::new(FailureKind::Illegal, "", "there is no such handle"))
    }

    /// A person who is asked for input should see the question first.
    fn before_reading(&mut self, handle: usize) {
        if handle == STDIN && self.interactive {
            let _ = self.handles[STDOUT].flush("hFlush");
        }
    }

    #[inline]
    fn heed(&mut self, handle: usize, result: Result<(), Failure>) -> Result<(), Failure> {
        if result.is_err() && handle == STDOUT {
            self.broken_pipe |= self.handles[STDOUT].is_broken();
        }
        result
    }
}

/// Processor time that the process has used, in picoseconds.
#[cfg(unix)]
pub(crate) fn processor_time() -> i128 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    i128::from(time.tv_sec) * 1_000_000_000_000 + i128::from(time.tv_nsec) * 1000
}

/// Where there is no such clock: the time.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> i128 {
    wall_time() * 1000
}

/// Time since 1970, in nanoseconds.
pub(crate) fn wall_time() -> i128 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_nanos() as i128,
        Err(before) => -(before.duration().as_nanos() as i128),
    }
}

/// The identity of an existing ordinary file.
fn place(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().filter(|place| place.is_file())
}

fn open_file(path: &str, mode: Mode) -> Result<File, Failure> {
    let mut options = File::options();
    let options = match mode {
        Mode::Read => options.read(true),
        Mode::Write => options.write(true).create(true).truncate(true),
        Mode::Append => options.append(true).create(true),
        Mode::ReadWrite => options.read(true).write(true).create(true),
    };
    let file = options.open(path).map_err(|error| failure(&error, "openFile", ""))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Failure::new(FailureKind::Other, "openFile", "is a directory"));
    }
    Ok(file)
}

/// What an error of the system is to the program.
fn failure(error: &io::Error, location: &str, file: &str) -> Failure {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => FailureKind::DoesNotExist,
        io::ErrorKind::AlreadyExists => FailureKind::AlreadyExists,
        io::ErrorKind::PermissionDenied => FailureKind::PermissionDenied,
        io::ErrorKind::ResourceBusy | io::ErrorKind::ExecutableFileBusy => FailureKind::Busy,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::OutOfMemory => {
            FailureKind::Full
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => FailureKind::Invalid,
        io::ErrorKind::BrokenPipe => FailureKind::Vanished,
        _ => FailureKind::Other,
    };
    let text = error.to_string();
    // The system's own words, without the number that Rust adds.
    let description = text.rfind(" (os error").map_or(text.as_str(), |end| &text[..end]);
    Failure {
        kind,
        location: location.to_owned(),
        description: description.to_owned(),
        file: file.to_owned(),
    }
}

/// Without the buffers that Rust puts before them: a handle has its own.
#[cfg(unix)]
fn standard_input() -> Box<dyn Read + Send> {
    use std::os::fd::AsFd;
    match io::stdin().as_fd().try_clone_to_owned() {
        Ok(descriptor) => Box::new(File::from(descriptor)),
        Err(_) => Box::new(io::stdin()),
    }
}

#[cfg(unix)]
fn standard_output() -> Box<dyn Write + Send> {
    use std::os::fd::AsFd;
    match io::stdout().as_fd().try_clone_to_owned() {
        Ok(descriptor) => Box::new(File::from(descriptor)),
        Err(_) => Box::new(io::stdout()),
    }
}

#[cfg(not(unix))]
fn standard_input() -> Box<dyn Read + Send> {
    Box::new(io::stdin())
}

#[cfg(not(unix))]
fn standard_output() -> Box<dyn Write + Send> {
    Box::new(io::stdout())
}

#[cfg(test)]
mod tests;
