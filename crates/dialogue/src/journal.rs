//! The session's journal: every action is on disk before the next question is shown.
//!
//! A journal is a text file that only grows, one line of JSON for the session and one for every action (`lines` says what
//! they look like). Each line carries a check over itself and the line before, so whatever happens to the file is noticed,
//! and what stands before the damage is still good:
//!
//! - A last line that was not written to its end (the program was killed, the power went) is dropped. Nobody was told that
//!   it had been written.
//! - Where a line was edited or is missing, it and all after it is moved to `PATH.damaged`, and the session goes on from
//!   the line before.
//! - A new session in the place of an old one keeps the old one's answers as `PATH.1`, the one before as `PATH.2`, and so
//!   on up to `PATH.9`.
//!
//! While a session has its journal open, no other can have it.

mod lines;

use gadfly_engine::Action;
use gadfly_tree::Node;
use lines::{Chain, Scan, Tail};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How many older journals are kept.
const KEPT: usize = 9;

/// A line of a journal: something that happened in the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// What the user did, or an oracle in the user's place, where the session stood.
    Action(Action),
    /// The session went on inside a call.
    Enter {
        /// The call, a node of where the session stood.
        node: Node,
        /// The fingerprint of the inside.
        tree: String,
        /// Whether the user wanted it; else a verdict did.
        by_hand: bool,
    },
    /// The session went on outside again.
    Leave,
}

/// What a journal says of its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The fingerprint of the tree.
    pub tree: String,
    /// The settings that decide which questions are asked, by name.
    pub settings: BTreeMap<String, String>,
}

/// The record of a session on disk.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    chain: Chain,
    /// How long the file is without what could not be written to its end.
    length: u64,
    /// Whether something after `length` may have to be cut off.
    torn: bool,
}

/// A new journal.
#[derive(Debug)]
pub struct Created {
    /// The journal, open and locked.
    pub journal: Journal,
    /// The journal that stood in its place, if that one held answers.
    pub kept: Option<Kept>,
}

/// An older journal that was given another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Where it is now.
    pub path: PathBuf,
    /// Whether its session had come to an end.
    pub ended: bool,
}

/// What a journal says of its session, as far as its first line is as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// All of it.
    Session(Header),
    /// Its first line is damaged. The equations that were answered show which tree it is about.
    Answered(Vec<(Node, String)>),
}

/// A journal that was only read.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What it says of its session.
    pub about: About,
    /// What was done so far, as far as the journal is whole.
    pub entries: Vec<Entry>,
}

/// A journal that is continued.
#[derive(Debug)]
pub struct Resumed {
    /// The journal, open and locked.
    pub journal: Journal,
    /// What it says of its session.
    pub about: About,
    /// What was done so far.
    pub entries: Vec<Entry>,
    /// The verdict's status, if the session had come to an end.
    pub ended: Option<String>,
    /// What the user should know.
    pub notices: Vec<JournalNotice>,
}

/// Something the user should know about a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalNotice {
    /// The first line is damaged; what was answered is kept. The settings may be lost with it.
    Header {
        /// Whether the settings are lost.
        lost: bool,
    },
    /// The last line was not written to its end and is dropped.
    Cut {
        /// The line, from 1.
        line: usize,
    },
    /// A line is not as it was written: it and all after it is moved to another file.
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it, as the end of a sentence about it.
        why: String,
        /// Where the rest of the journal is now.
        moved_to: PathBuf,
    },
}

impl fmt::Display for JournalNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalNotice::Header { lost: true } => f.write_str(
                "line 1 of the journal is damaged: the settings of the session are lost, its answers are kept",
            ),
            JournalNotice::Header { lost: false } => {
                f.write_str("line 1 of the journal is damaged; nothing of the session is lost")
            }
            JournalNotice::Cut { line } => {
                write!(f, "line {line} of the journal was not written to its end, and is dropped")
            }
            JournalNotice::Damaged { line, why, moved_to } => write!(
                f,
                "line {line} of the journal {why}; what comes before it is kept, the rest was moved to {}",
                moved_to.display()
            ),
        }
    }
}

/// A journal that cannot be used.
#[derive(Debug, Error)]
#[error("{}: {problem}", path.display())]
pub struct JournalError {
    /// The journal.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub problem: JournalProblem,
}

impl JournalError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self.problem {
            JournalProblem::Io(_) => "check that the file and its folder exist and can be written",
            JournalProblem::Locked => "end the other session first, or use another journal",
            JournalProblem::Empty | JournalProblem::HeaderCut => {
                "there is nothing to resume: begin a new session"
            }
            JournalProblem::NotAJournal => "name another file; nothing was changed in this one",
            JournalProblem::Newer { .. } | JournalProblem::NotUnderstood { .. } => {
                "continue with the newer Gadfly that wrote it, or begin a new session; nothing was changed in the file"
            }
            JournalProblem::HeaderChanged => "bring back the file as it was, or begin a new session",
            JournalProblem::NoPlace => "move those files away, or use another journal",
        }
    }
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
pub enum JournalProblem {
    /// The file system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another session has it open.
    #[error("another session is writing this journal")]
    Locked,
    /// There is nothing in it.
    #[error("the journal is empty")]
    Empty,
    /// It is something else.
    #[error("line 1: this is not a journal")]
    NotAJournal,
    /// It is from the future.
    #[error(
        "line 1: the journal is of version {version}; this Gadfly knows versions up to {}",
        lines::VERSION
    )]
    Newer {
        /// Its version.
        version: u64,
    },
    /// It was cut off before anything was answered.
    #[error("line 1: the journal was cut off before the first answer")]
    HeaderCut,
    /// The line that all others build upon is not as it was written.
    #[error(
        "line 1: the line was changed after it was written, and no answer follows that shows what it was"
    )]
    HeaderChanged,
    /// A line that is whole, but makes no sense here.
    #[error("line {line}: the line is whole, but this Gadfly does not understand it: {why}")]
    NotUnderstood {
        /// The line, from 1.
        line: usize,
        /// Why not.
        why: String,
    },
    /// The older journal cannot be kept.
    #[error(
        "the answers in it cannot be kept: all names from .1 to .{KEPT} belong to files that are not journals"
    )]
    NoPlace,
}

impl Journal {
    /// Begins a journal, and makes the folders it stands in. An older one in its place is kept under another name if it
    /// holds answers.
    pub fn create(path: &Path, header: &Header) -> Result<Created, JournalError> {
        Journal::begin(path, header).map_err(|problem| JournalError { path: path.to_owned(), problem })
    }

    /// Continues a journal.
    pub fn resume(path: &Path) -> Result<Resumed, JournalError> {
        Journal::go_on(path).map_err(|problem| JournalError { path: path.to_owned(), problem })
    }

    /// Writes an entry; it is on disk when this returns. `equations` are the texts of the answered equations, for people
    /// who read the journal.
    ///
    /// After an error the journal is as it was before, and the entry can be written again.
    pub fn append(&mut self, entry: &Entry, equations: &[&str]) -> io::Result<()> {
        let body = lines::entry(self.chain.next(), entry, equations)?;
        self.write(body)
    }

    /// Writes that a verdict was reached. A session may go on after it: answers can be taken back.
    pub fn end(&mut self, status: &str) -> io::Result<()> {
        let body = lines::end(self.chain.next(), status)?;
        self.write(body)
    }

    /// Where it stands.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a journal and leaves it alone, even while a session writes it.
    pub fn read(path: &Path) -> Result<Recorded, JournalError> {
        let read = || -> Result<Recorded, JournalProblem> {
            let scan = lines::scan(BufReader::new(&File::open(path)?))?;
            Ok(Recorded { about: about(scan.header, scan.equations), entries: scan.entries })
        };
        read().map_err(|problem| JournalError { path: path.to_owned(), problem })
    }

    fn begin(path: &Path, header: &Header) -> Result<Created, JournalProblem> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let mut file = open(OpenOptions::new().create(true), path)?;
        let mut kept = None;
        match contents(&file)? {
            Contents::Nothing => file.set_len(0)?,
            Contents::Foreign => return Err(JournalProblem::NotAJournal),
            Contents::Answers => {
                file.rewind()?;
                let ended = lines::scan(BufReader::new(&file)).is_ok_and(|scan| scan.ended.is_some());
                kept = Some(Kept { path: keep(path)?, ended });
                file = match open(OpenOptions::new().create_new(true), path) {
                    Err(JournalProblem::Io(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
                        return Err(JournalProblem::Locked);
                    }
                    opened => opened?,
                };
            }
        }
        let mut journal =
            Journal { path: path.to_owned(), file, chain: Chain::new(), length: 0, torn: false };
        journal.write(lines::header(header)?)?;
        sync_folder(path);
        Ok(Created { journal, kept })
    }

    fn go_on(path: &Path) -> Result<Resumed, JournalProblem> {
        let file = open(&mut OpenOptions::new(), path)?;
        let Scan {
            header, header_damaged, equations, entries, ended, chain, length, unfinished, tail, ..
        } = lines::scan(BufReader::new(&file))?;
        let mut notices = Vec::new();
        if header_damaged {
            notices.push(JournalNotice::Header { lost: header.is_none() });
        }
        match tail {
            Tail::Whole => {}
            Tail::Cut { line } => notices.push(JournalNotice::Cut { line }),
            Tail::Damaged { line, why } => {
                let moved_to = move_aside(path, &file, length)?;
                notices.push(JournalNotice::Damaged { line, why, moved_to });
            }
        }
        let mut journal = Journal { path: path.to_owned(), file, chain, length, torn: true };
        journal.mend(unfinished)?;
        Ok(Resumed { journal, about: about(header, equations), entries, ended, notices })
    }

    /// Cuts off what is not part of a whole line; `unfinished` if the last one has no line break.
    fn mend(&mut self, unfinished: bool) -> io::Result<()> {
        self.file.set_len(self.length)?;
        if unfinished {
            self.file.seek(SeekFrom::Start(self.length))?;
            self.file.write_all(b"\n")?;
            self.length += 1;
        }
        self.file.sync_all()?;
        self.torn = false;
        Ok(())
    }

    fn write(&mut self, body: String) -> io::Result<()> {
        let (line, chain) = self.chain.seal(body);
        if self.torn {
            self.mend(false)?;
        }
        self.torn = true;
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()?;
        self.torn = false;
        self.length += line.len() as u64;
        self.chain = chain;
        Ok(())
    }
}

fn about(header: Option<Header>, equations: Vec<(Node, String)>) -> About {
    header.map_or(About::Answered(equations), About::Session)
}

/// Opens a file for reading and writing, for this session alone.
fn open(options: &mut OpenOptions, path: &Path) -> Result<File, JournalProblem> {
    let file = options.read(true).write(true).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file").into());
    }
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalProblem::Locked),
        // Not every file system has locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// What stands in the place of a new journal.
enum Contents {
    Nothing,
    Answers,
    Foreign,
}

fn contents(file: &File) -> io::Result<Contents> {
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut beginning = reader.by_ref().take(lines::MAX_HEADER);
    beginning.read_until(b'\n', &mut line)?;
    let more = !reader.fill_buf()?.is_empty();
    let cut_off = lines::MAGIC.starts_with(&line);
    Ok(match line.ends_with(b"\n") {
        _ if !cut_off && !line.starts_with(lines::MAGIC) => Contents::Foreign,
        _ if more => Contents::Answers,
        // A header without a line break was not written to its end.
        false => Contents::Nothing,
        true if Chain::new().accept(&line).is_some() => Contents::Nothing,
        true => Contents::Answers,
    })
}

/// Gives an older journal another name. The newest is .1; the oldest goes when there is no more room. Files of these names
/// that are not journals are left alone.
fn keep(path: &Path) -> Result<PathBuf, JournalProblem> {
    let mut places = Vec::new();
    let mut free = false;
    for number in 1..=KEPT {
        let place = with_suffix(path, &format!(".{number}"));
        match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => free = true,
            Err(error) => return Err(error.into()),
            Ok(metadata) if metadata.is_file() && is_journal(&place)? => {}
            Ok(_) => continue,
        }
        places.push(place);
        if free {
            break;
        }
    }
    let Some(newest) = places.first().cloned() else { return Err(JournalProblem::NoPlace) };
    for pair in places.windows(2).rev() {
        fs::rename(&pair[0], &pair[1])?;
    }
    fs::rename(path, &newest)?;
    Ok(newest)
}

fn is_journal(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    File::open(path)?.take(lines::MAGIC.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning == lines::MAGIC)
}

/// Copies what stands from there on to a new file.
fn move_aside(path: &Path, mut file: &File, from: u64) -> io::Result<PathBuf> {
    let (place, mut aside) = new_beside(path)?;
    file.seek(SeekFrom::Start(from))?;
    if let Err(error) = io::copy(&mut file, &mut aside).and_then(|_| aside.sync_all()) {
        // Half a copy is of no use, and the journal still has it all.
        let _ = fs::remove_file(&place);
        return Err(error);
    }
    sync_folder(path);
    Ok(place)
}

fn new_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0_u64;
    loop {
        let suffix = if number == 0 { ".damaged".to_owned() } else { format!(".damaged.{number}") };
        let place = with_suffix(path, &suffix);
        match OpenOptions::new().write(true).create_new(true).open(&place) {
            Ok(file) => return Ok((place, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// Has a new name on disk too. Not every file system can, and the data are safe without it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
mod tests;
