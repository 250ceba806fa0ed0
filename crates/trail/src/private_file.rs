//! The file of a trail, in a process that is shared with the program that is recorded.
//!
//! Such a program may close whatever is open (`os.closerange(3, 256)`), and open files of its own, which then have the numbers
//! that were closed. So the trail gets a number that is not given out by chance, and before each write it is checked that the number
//! still belongs to the trail. If it does not, it is neither written to nor closed.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Numbers from here on are rarely in use.
const HIGH: i32 = 500;

/// A file that is written to as long as it is the one that was created.
#[derive(Debug)]
pub(super) struct PrivateFile {
    /// Nothing, if the number is not the file's any more.
    file: Option<File>,
    /// Where it is, wherever the program goes.
    path: PathBuf,
    identity: Identity,
}

/// What stays the same of a file, whatever it is named: its device, and its number there.
type Identity = (u64, u64);

impl PrivateFile {
    /// Creates a file, or empties one.
    pub(super) fn create(path: &Path) -> io::Result<PrivateFile> {
        let path = std::path::absolute(path)?;
        let file = File::create(&path)?;
        let identity = identity(&file.metadata()?);
        Ok(PrivateFile { file: Some(high(file)), path, identity })
    }

    /// The file, if it still is there: by its number, or else by its name.
    fn file(&mut self) -> io::Result<&mut File> {
        self.let_go_if_lost();
        let file = match self.file.take() {
            Some(file) => file,
            None => self.reopen()?,
        };
        Ok(self.file.insert(file))
    }

    fn let_go_if_lost(&mut self) {
        let is_ours = |file: &File| file.metadata().is_ok_and(|data| identity(&data) == self.identity);
        if let Some(file) = self.file.take_if(|file| !is_ours(file)) {
            // The number belongs to another file, or to none: it is not ours to close.
            std::mem::forget(file);
        }
    }

    fn reopen(&self) -> io::Result<File> {
        let closed = || io::Error::other("the program has closed the file, and it is not where it was");
        // What has another name now must not be waited for, as a pipe would be.
        let there = fs::metadata(&self.path).map_err(|_| closed())?;
        if identity(&there) != self.identity {
            return Err(closed());
        }
        let file = OpenOptions::new().append(true).open(&self.path)?;
        match identity(&file.metadata()?) == self.identity {
            true => Ok(high(file)),
            false => Err(closed()),
        }
    }
}

impl Write for PrivateFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Drop for PrivateFile {
    fn drop(&mut self) {
        self.let_go_if_lost();
    }
}

fn identity(data: &Metadata) -> Identity {
    (data.dev(), data.ino())
}

/// The same file by a high number, if there may be such numbers.
fn high(file: File) -> File {
    rustix::io::fcntl_dupfd_cloexec(&file, HIGH).map_or(file, File::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd as _;

    #[test]
    fn its_number_is_high() {
        let folder = tempfile::tempdir().unwrap();
        let own = PrivateFile::create(&folder.path().join("a.trail")).unwrap();
        assert!(own.file.as_ref().unwrap().as_raw_fd() >= HIGH);
    }

    #[test]
    fn a_number_that_became_another_files_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.trail"), folder.path().join("other"));
        let mut own = PrivateFile::create(&path).unwrap();
        own.write_all(b"one ").unwrap();
        drop(own.file.replace(File::create(&other).unwrap()));
        let theirs = own.file.as_ref().unwrap().as_raw_fd();
        own.write_all(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one two");
        assert_eq!(fs::read(&other).unwrap(), b"");
        assert!(Path::new(&format!("/proc/self/fd/{theirs}")).exists() || !Path::new("/proc/self").exists());
    }

    #[test]
    fn a_file_that_took_its_place_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.trail"), folder.path().join("other"));
        let mut own = PrivateFile::create(&path).unwrap();
        own.write_all(b"one").unwrap();
        fs::rename(&path, folder.path().join("b.trail")).unwrap();
        fs::write(&path, b"theirs").unwrap();
        drop(own.file.replace(File::create(&other).unwrap()));
        let error = own.write_all(b"two").unwrap_err();
        assert_eq!(error.to_string(), "the program has closed the file, and it is not where it was");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(fs::read(&other).unwrap(), b"");
    }
}
