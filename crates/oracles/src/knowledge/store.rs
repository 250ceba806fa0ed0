//! The file: a redb database with one table of answers, and one that says what it is.
//!
//! | table | key | value |
//! | --- | --- | --- |
//! | `gadfly-knowledge` | `version` | the version of this layout |
//! | `project-answers` | 32 bytes, a SHA-256 | 8 bytes, the beginning of a SHA-256 of key and text; then the answer in JSON |
//!
//! A file of version 1 has a table `answers` instead, whose keys know no project; it is left alone.
//!
//! redb survives a crash at any moment but while it makes a file; so a file is made under another name and renamed. It does not check every page it reads, and breaks off where one is not as it
//! should be; that is why values carry a check of their own, and why its breaking off is caught here.

use super::{Key, Known};
use redb::{Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, TableDefinition, TableError};
use redb::{ReadableDatabase as _, ReadableTable as _, ReadableTableMetadata as _};
use sha2::{Digest as _, Sha256};
use std::cell::Cell;
use std::io::Read as _;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// Version 1 had its answers in another table, under keys without a project.
const VERSION: u64 = 2;
const ABOUT: TableDefinition<&str, u64> = TableDefinition::new("gadfly-knowledge");
const ANSWERS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("project-answers");
const OLD_ANSWERS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("answers");

/// How long another program is waited for.
const PATIENCE: Duration = Duration::from_millis(250);

/// How many bytes of a hash stand before a value.
const CHECK: usize = 8;

/// Why a store cannot be used.
#[derive(Debug)]
pub(super) enum Trouble {
    Locked,
    Foreign,
    Newer(u64),
    Damaged(String),
    Io(io::Error),
}

impl<E: Into<redb::Error>> From<E> for Trouble {
    fn from(error: E) -> Self {
        match error.into() {
            redb::Error::DatabaseAlreadyOpen => Trouble::Locked,
            redb::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => Trouble::Foreign,
            redb::Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Trouble::Damaged("it ends too early".to_owned())
            }
            redb::Error::Io(error) => Trouble::Io(error),
            redb::Error::Corrupted(why) => Trouble::Damaged(why),
            error => Trouble::Io(io::Error::other(error.to_string())),
        }
    }
}

/// What was found where the store should be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing, or a store.
    Sound,
    /// A store of version 1, with so many answers.
    Older(u64),
    /// A damaged one, which has another name now; so many answers are in a new one.
    Mended { moved_to: PathBuf, answers: usize },
}

#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
}

impl Store {
    pub(super) fn new(path: PathBuf) -> Store {
        Store { path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Looks at the file, and sets it aside if it is damaged.
    pub(super) fn mend(&self) -> Result<Found, Trouble> {
        if !self.exists()? {
            return Ok(Found::Sound);
        }
        let looked = guarded(|| {
            self.with_reader(|transaction| {
                is_ours(transaction)?;
                match transaction.open_table(ANSWERS) {
                    Ok(_) | Err(TableError::TableDoesNotExist(_)) => {}
                    Err(error) => return Err(error.into()),
                }
                let is_old = version(transaction)? == Some(1);
                let old = if is_old { transaction.open_table(OLD_ANSWERS)?.len()? } else { 0 };
                Ok(if is_old { Found::Older(old) } else { Found::Sound })
            })
        });
        match looked {
            Err(Trouble::Damaged(_)) => {}
            Err(Trouble::Foreign) if self.is_unborn().map_err(Trouble::Io)? => {}
            looked => return looked,
        }
        self.rescue()
    }

    /// Sets a damaged file aside, and makes a new one of what can be read.
    pub(super) fn rescue(&self) -> Result<Found, Trouble> {
        let identity = identity(&self.path).map_err(Trouble::Io)?;
        let saved = self.salvage();
        let moved_to = self.set_aside(identity).map_err(Trouble::Io)?;
        let Some(moved_to) = moved_to else { return Ok(Found::Sound) };
        if !saved.is_empty() {
            self.create(saved.iter().map(|(key, known)| (key, known)))?;
        }
        Ok(Found::Mended { moved_to, answers: saved.len() })
    }

    /// Whether a redb file was begun here and is nothing yet: what it is known by is written last.
    fn is_unborn(&self) -> io::Result<bool> {
        const MAGIC: &[u8] = b"redb\x1a\n\xa9\r\n";
        let mut first = Vec::new();
        fs::File::open(&self.path)?.take(MAGIC.len() as u64).read_to_end(&mut first)?;
        let begun = first.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        Ok(begun < MAGIC.len() && MAGIC.starts_with(&first[..begun]))
    }

    /// What can be read of a damaged file.
    fn salvage(&self) -> Vec<(Key, Known)> {
        let mut saved = Vec::new();
        let _ = guarded(|| {
            self.with_reader(|transaction| {
                let table = transaction.open_table(ANSWERS)?;
                for entry in table.iter()? {
                    let (key, value) = entry?;
                    if let Ok(key) = Key::try_from(key.value())
                        && let Ok(known) = decode(&key, value.value())
                    {
                        saved.push((key, known));
                    }
                }
                Ok(())
            })
        });
        saved
    }

    /// Gives the file another name, if it still is the one that was looked at.
    fn set_aside(&self, looked_at: (u64, u64)) -> io::Result<Option<PathBuf>> {
        for number in 0_u64.. {
            let suffix = if number == 0 { ".damaged".to_owned() } else { format!(".damaged.{number}") };
            let place = with_suffix(&self.path, &suffix);
            match fs::hard_link(&self.path, &place) {
                Ok(()) if identity(&place)? == looked_at => {
                    fs::remove_file(&self.path)?;
                    return Ok(Some(place));
                }
                // Another session was faster.
                Ok(()) => return fs::remove_file(&place).map(|()| None),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(_) if !place.exists() => return fs::rename(&self.path, &place).map(|()| Some(place)),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Makes the file: under another name, so that it is whole when it is there. Another session may be faster; then nothing is
    /// written.
    fn create<'a>(&self, entries: impl Iterator<Item = (&'a Key, &'a Known)>) -> Result<bool, Trouble> {
        self.clear_up();
        let aside = with_suffix(&self.path, &format!("{NEW}{}", std::process::id()));
        let made = guarded(|| {
            let _ = fs::remove_file(&aside);
            let database = Database::create(&aside)?;
            write_all(&database, entries, |_, _| true)
        });
        let placed = made.and_then(|()| self.put_in_place(&aside).map_err(Trouble::Io));
        let _ = fs::remove_file(&aside);
        placed
    }

    fn put_in_place(&self, aside: &Path) -> io::Result<bool> {
        match fs::hard_link(aside, &self.path) {
            Ok(()) => {}
            Err(_) if fs::metadata(&self.path).is_ok_and(|data| data.len() > 0) => return Ok(false),
            // There is an empty file, or the file system knows no such links.
            Err(_) => fs::rename(aside, &self.path)?,
        }
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Not every file system can, and the data are safe without it.
        let _ = fs::File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
        Ok(true)
    }

    /// Removes what sessions that were killed while they made a file have left.
    fn clear_up(&self) {
        let folder =
            self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some(name) = self.path.file_name().and_then(|name| name.to_str()) else { return };
        let begun = format!("{name}{NEW}");
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(&begun));
            // Who is alive has it locked.
            if is_ours && fs::File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Reads in a transaction.
    fn with_reader<T>(
        &self,
        read: impl FnOnce(&ReadTransaction) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let open = || match ReadOnlyDatabase::open(&self.path) {
            Err(DatabaseError::RepairAborted) => Ok(None),
            opened => Ok(Some(opened?)),
        };
        match patiently(open)? {
            Some(database) => read(&database.begin_read()?),
            // It was not closed when its program ended, which opening it for writing sets right.
            None => read(&self.open()?.begin_read()?),
        }
    }

    pub(super) fn read(&self, key: &Key) -> Result<Option<Known>, Trouble> {
        if !self.exists()? {
            return Ok(None);
        }
        guarded(|| self.with_reader(|transaction| look_up(transaction, key)))
    }

    /// Writes those that are new, or that replace what is there.
    pub(super) fn write<'a>(
        &self,
        entries: impl Iterator<Item = (&'a Key, &'a Known)>,
        replaces: impl Fn(&Known, &Known) -> bool,
    ) -> Result<(), Trouble> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(Trouble::Io)?;
        }
        let entries: Vec<_> = entries.collect();
        if !self.exists()? && self.create(entries.iter().copied())? {
            return Ok(());
        }
        guarded(|| {
            let database = self.open()?;
            is_ours(&database.begin_read()?)?;
            write_all(&database, entries.into_iter(), replaces)
        })
    }

    pub(super) fn remove(&self, key: &Key) -> Result<(), Trouble> {
        if self.read(key)?.is_none() {
            return Ok(());
        }
        guarded(|| {
            let database = self.open()?;
            let transaction = database.begin_write()?;
            transaction.open_table(ANSWERS)?.remove(&key[..])?;
            Ok(transaction.commit()?)
        })
    }

    /// Whether there is a file with something in it. Opening what is not a file might wait for ever.
    fn exists(&self) -> Result<bool, Trouble> {
        match fs::metadata(&self.path) {
            Ok(metadata) if metadata.is_file() => Ok(metadata.len() > 0),
            Ok(_) => Err(Trouble::Io(io::Error::other("it is not a file"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Trouble::Io(error)),
        }
    }

    fn open(&self) -> Result<Database, Trouble> {
        patiently(|| Ok(Database::open(&self.path)?))
    }
}

/// What a file is called while it is made, behind its name and before the number of the process.
const NEW: &str = ".new-";

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// What stays the same of a file, whatever it is named.
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).map(|data| (data.dev(), data.ino()))
}

fn write_all<'a>(
    database: &Database,
    entries: impl Iterator<Item = (&'a Key, &'a Known)>,
    replaces: impl Fn(&Known, &Known) -> bool,
) -> Result<(), Trouble> {
    let transaction = database.begin_write()?;
    transaction.open_table(ABOUT)?.insert("version", VERSION)?;
    {
        let mut table = transaction.open_table(ANSWERS)?;
        for (key, known) in entries {
            let value = encode(key, known)?;
            let earlier = table.get(&key[..])?.map(|value| decode(key, value.value())).transpose()?;
            if earlier.is_none_or(|earlier| replaces(known, &earlier)) {
                table.insert(&key[..], &value[..])?;
            }
        }
    }
    Ok(transaction.commit()?)
}

fn version(transaction: &ReadTransaction) -> Result<Option<u64>, Trouble> {
    match transaction.open_table(ABOUT) {
        Ok(about) => Ok(about.get("version")?.map(|version| version.value())),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn look_up(transaction: &ReadTransaction, key: &Key) -> Result<Option<Known>, Trouble> {
    if !is_ours(transaction)? {
        return Ok(None);
    }
    match transaction.open_table(ANSWERS) {
        Ok(table) => table.get(&key[..])?.map(|value| decode(key, value.value())).transpose(),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether it is a knowledge base; an empty database is none yet, and another one is an error.
fn is_ours(transaction: &ReadTransaction) -> Result<bool, Trouble> {
    match transaction.open_table(ABOUT) {
        Ok(about) => match about.get("version")?.map(|version| version.value()) {
            Some(version) if version > VERSION => Err(Trouble::Newer(version)),
            Some(_) => Ok(true),
            None => Err(Trouble::Foreign),
        },
        Err(TableError::TableDoesNotExist(_)) if transaction.list_tables()?.next().is_none() => Ok(false),
        Err(TableError::Storage(error)) => Err(error.into()),
        Err(_) => Err(Trouble::Foreign),
    }
}

fn encode(key: &Key, known: &Known) -> Result<Vec<u8>, Trouble> {
    let text = serde_json::to_vec(known).map_err(|error| Trouble::Io(error.into()))?;
    let mut value = check(key, &text).to_vec();
    value.extend(text);
    Ok(value)
}

fn decode(key: &Key, value: &[u8]) -> Result<Known, Trouble> {
    let damaged = || Trouble::Damaged("an answer in it is not as it was written".to_owned());
    let (written, text) = value.split_at_checked(CHECK).ok_or_else(damaged)?;
    if written != check(key, text) {
        return Err(damaged());
    }
    serde_json::from_slice(text).map_err(|_| damaged())
}

fn check(key: &Key, text: &[u8]) -> [u8; CHECK] {
    let hash: [u8; 32] = Sha256::new().chain_update(key).chain_update(text).finalize().into();
    std::array::from_fn(|index| hash[index])
}

/// Tries again while another program has the file, but not for long.
fn patiently<T>(mut open: impl FnMut() -> Result<T, Trouble>) -> Result<T, Trouble> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match open() {
            Err(Trouble::Locked) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
            done => return done,
        }
    }
}

thread_local! {
    /// Whether a panic of this thread is caught below and told as an error, so that nobody else need tell it.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// redb takes what it wrote for granted, and panics where a damaged file says otherwise.
fn guarded<T>(work: impl FnOnce() -> Result<T, Trouble>) -> Result<T, Trouble> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                tell(info);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    done.unwrap_or_else(|_| Err(Trouble::Damaged("its contents make no sense".to_owned())))
}
