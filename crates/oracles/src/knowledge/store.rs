//! The file: a redb database with one table of answers, and one that says what it is.
//!
//! | table | key | value |
//! | --- | --- | --- |
//! | `gadfly-knowledge` | `version` | the version of this layout |
//! | `answers` | 32 bytes, a SHA-256 | 8 bytes, the beginning of a SHA-256 of key and text; then the answer in JSON |
//!
//! redb survives a crash at any moment. It does not check every page it reads, and breaks off where one is not as it
//! should be; that is why values carry a check of their own, and why its breaking off is caught here.

use super::{Key, Known};
use redb::{Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, TableDefinition, TableError};
use redb::{ReadableDatabase as _, ReadableTable as _};
use sha2::{Digest as _, Sha256};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

const VERSION: u64 = 1;
const ABOUT: TableDefinition<&str, u64> = TableDefinition::new("gadfly-knowledge");
const ANSWERS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("answers");

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
            error => Trouble::Damaged(error.to_string()),
        }
    }
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

    pub(super) fn read(&self, key: &Key) -> Result<Option<Known>, Trouble> {
        if !self.exists()? {
            return Ok(None);
        }
        let open = || match ReadOnlyDatabase::open(&self.path) {
            Err(DatabaseError::RepairAborted) => Ok(None),
            opened => Ok(Some(opened?)),
        };
        guarded(|| match patiently(open)? {
            Some(database) => look_up(&database.begin_read()?, key),
            // It was not closed when its program ended, which opening it for writing sets right.
            None => look_up(&self.open()?.begin_read()?, key),
        })
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
        self.exists()?;
        guarded(|| {
            let database = self.open()?;
            is_ours(&database.begin_read()?)?;
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
        patiently(|| Ok(Database::create(&self.path)?))
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
