//! The one place that opens source files which a recording names.
//!
//! A recording may come from anybody, and what it names is shown on the screen, kept in journals and given to oracles. So a
//! file is opened only if it is a regular file of bounded size inside of a folder that the user chose: that of the recording,
//! the current one, or one named on the command line. Where a file really is decides, after `..` and links are resolved. Files
//! and folders whose names begin with a dot (`.ssh`, `.env`) are not opened either: they hold settings and secrets.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file larger than this is no source file.
const FILE_LIMIT: u64 = 1 << 25;

/// So much is read of all the files of a recording.
const TOTAL_LIMIT: u64 = 1 << 28;

/// Opens the source files that a recording names.
#[derive(Debug)]
pub struct Shelf {
    /// Where names are looked for, in this order.
    folders: Vec<PathBuf>,
    /// The same, resolved.
    roots: Vec<PathBuf>,
    left: AtomicU64,
}

/// Why there is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoText {
    /// There is no such file, or it cannot be read.
    Missing,
    /// It is not to be opened.
    Refused(Refusal),
}

/// Why a file is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is outside of the folders.
    Outside,
    /// Its name, or that of a folder below the ones that were chosen, begins with a dot.
    Hidden,
    /// It is a device, a pipe or a folder.
    NotAFile,
    /// It is too large, by itself or together with those before it.
    TooLarge,
}

impl Refusal {
    /// The reason, as a person reads it after the file's name.
    pub fn reason(self) -> &'static str {
        match self {
            Refusal::Outside => "is outside of the recording's folder and the current one",
            Refusal::Hidden => "has a name that begins with a dot, or is in such a folder",
            Refusal::NotAFile => "is not a regular file",
            Refusal::TooLarge => "is too large for a source file",
        }
    }
}

impl Shelf {
    /// Files in these folders, which are looked through in this order.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Shelf {
        let folders: Vec<PathBuf> = folders.into_iter().map(not_empty).collect();
        let resolved = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok());
        // Everything is below the root of the file system: to start there chooses nothing.
        let roots = resolved.filter(|folder| folder.parent().is_some()).collect();
        Shelf { folders, roots, left: AtomicU64::new(TOTAL_LIMIT) }
    }

    /// The content of a file, by its name in a recording.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, NoText> {
        let mut why = NoText::Missing;
        let mut tried: Option<PathBuf> = None;
        for folder in &self.folders {
            let path = folder.join(name);
            if tried.as_ref() == Some(&path) {
                continue;
            }
            match self.open(&path) {
                Err(NoText::Missing) => {}
                Err(refused) => why = refused,
                bytes => return bytes,
            }
            tried = Some(path);
        }
        Err(why)
    }

    fn open(&self, path: &Path) -> Result<Vec<u8>, NoText> {
        let place = fs::canonicalize(path).map_err(|_| NoText::Missing)?;
        let below = self.roots.iter().find_map(|root| place.strip_prefix(root).ok());
        let below = below.ok_or(NoText::Refused(Refusal::Outside))?;
        let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        if below.components().any(is_hidden) {
            return Err(NoText::Refused(Refusal::Hidden));
        }
        let data = fs::metadata(&place).map_err(|_| NoText::Missing)?;
        if !data.is_file() {
            return Err(NoText::Refused(Refusal::NotAFile));
        }
        let length = data.len();
        let take = |left: u64| left.checked_sub(length);
        if length > FILE_LIMIT || self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err()
        {
            return Err(NoText::Refused(Refusal::TooLarge));
        }
        let mut bytes = Vec::new();
        // Never more than it says it has: files that the system makes up say nothing, and hold what is not meant to be read.
        let file = File::open(&place).map_err(|_| NoText::Missing)?;
        file.take(length).read_to_end(&mut bytes).map_err(|_| NoText::Missing)?;
        Ok(bytes)
    }
}

/// The current folder by a name.
fn not_empty(folder: PathBuf) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage() -> (tempfile::TempDir, Shelf) {
        let stage = tempfile::tempdir().unwrap();
        let inside = stage.path().join("inside");
        fs::create_dir_all(inside.join("deep")).unwrap();
        fs::create_dir_all(inside.join(".ssh")).unwrap();
        fs::write(inside.join("a.hs"), "a").unwrap();
        fs::write(inside.join("deep/b.hs"), "b").unwrap();
        fs::write(inside.join(".ssh/key"), "secret").unwrap();
        fs::write(stage.path().join("outside"), "secret").unwrap();
        let shelf = Shelf::new([inside]);
        (stage, shelf)
    }

    fn refused(shelf: &Shelf, name: &str, why: Refusal) {
        assert_eq!(shelf.read(name), Err(NoText::Refused(why)), "{name}");
    }

    #[test]
    fn files_inside_are_read() {
        let (stage, shelf) = stage();
        let absolute = stage.path().join("inside/a.hs").display().to_string();
        for name in ["a.hs", "./a.hs", "deep/../a.hs", &absolute] {
            assert_eq!(shelf.read(name), Ok(b"a".to_vec()), "{name}");
        }
        assert_eq!(shelf.read("deep/b.hs"), Ok(b"b".to_vec()));
        for name in ["b.hs", "", "a\0b", &"x".repeat(10_000)] {
            assert!(!matches!(shelf.read(name), Ok(_) | Err(NoText::Refused(Refusal::Outside))));
        }
    }

    #[test]
    fn a_source_path_outside_of_the_folders_is_not_opened() {
        let (stage, shelf) = stage();
        let absolute = stage.path().join("outside").display().to_string();
        for name in ["../outside", &absolute, "deep/../../outside", "/etc/passwd", "/proc/self/environ"] {
            refused(&shelf, name, Refusal::Outside);
        }
        refused(&shelf, ".ssh/key", Refusal::Hidden);
        refused(&shelf, "deep", Refusal::NotAFile);
    }

    #[cfg(unix)]
    #[test]
    fn a_source_path_that_is_a_link_a_pipe_or_a_device_is_not_read() {
        use std::os::unix::fs::symlink;
        let (stage, shelf) = stage();
        let inside = stage.path().join("inside");
        symlink("../outside", inside.join("link")).unwrap();
        symlink("/dev/zero", inside.join("zero")).unwrap();
        symlink("a.hs", inside.join("own")).unwrap();
        refused(&shelf, "link", Refusal::Outside);
        refused(&shelf, "zero", Refusal::Outside);
        assert_eq!(shelf.read("own"), Ok(b"a".to_vec()));
        let made = std::process::Command::new("mkfifo").arg(inside.join("pipe")).status();
        if made.is_ok_and(|status| status.success()) {
            refused(&shelf, "pipe", Refusal::NotAFile);
        }
        let everything = Shelf::new([PathBuf::from("/")]);
        refused(&everything, "/etc/passwd", Refusal::Outside);
    }

    #[test]
    fn large_files_are_not_read() {
        let (stage, shelf) = stage();
        let inside = stage.path().join("inside");
        File::create(inside.join("large")).unwrap().set_len(FILE_LIMIT + 1).unwrap();
        refused(&shelf, "large", Refusal::TooLarge);
        File::create(inside.join("half")).unwrap().set_len(FILE_LIMIT).unwrap();
        let read = (0..).find(|_| shelf.read("half").is_err());
        assert_eq!(read, Some(TOTAL_LIMIT / FILE_LIMIT));
    }
}
