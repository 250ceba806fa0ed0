//! How large a trail may become: a program that never ends must not fill the disk.
//!
//! A recording ends in an orderly way when its file reaches the limit that the user gives, or when little of the disk is left. What was
//! recorded until then is a complete trail, whose end says that the program did more.

use std::path::{Path, PathBuf};

/// No more than a tenth of the disk is kept free, and no more than so many bytes.
const KEPT_FREE: u64 = 4 << 30;

/// After so many bytes the disk is looked at again: others write to it too.
const LOOK: u64 = 4 << 20;

/// How large a trail may become.
#[derive(Clone, Debug)]
pub struct Bounds {
    bytes: u64,
    disk: Option<Disk>,
    /// When the disk is looked at next.
    next: u64,
}

#[derive(Clone, Debug)]
struct Disk {
    folder: PathBuf,
    /// So much of it stays free.
    kept: u64,
}

/// Which bound a trail has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The limit that was given, in bytes.
    Limit(u64),
    /// So many bytes of the disk are free.
    Disk(u64),
}

impl std::fmt::Display for Full {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Full::Limit(bytes @ ..10_000_000) => {
                write!(f, "the trail has reached its limit of {bytes} bytes")
            }
            Full::Limit(bytes) => write!(f, "the trail has reached its limit of {} MB", bytes / 1_000_000),
            Full::Disk(free) => write!(f, "the disk is nearly full ({} MB are free)", free / 1_000_000),
        }
    }
}

impl Bounds {
    /// None.
    pub fn none() -> Bounds {
        Bounds { bytes: u64::MAX, disk: None, next: 0 }
    }

    /// Those of a file: a limit, if one is given, and what has to stay free of its disk.
    pub fn of(file: &Path, limit: Option<u64>) -> Bounds {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
        let disk = space(&folder).map(|(free, all)| Disk {
            folder,
            // Of a disk that is nearly full already, half of what is left may be used.
            kept: KEPT_FREE.min(all / 10).min(free / 2),
        });
        Bounds { bytes: limit.unwrap_or(u64::MAX), disk, next: 0 }
    }

    /// How many bytes the limit leaves.
    pub(super) fn left(&self, length: u64) -> u64 {
        self.bytes.saturating_sub(length)
    }

    /// Whether a file of so many bytes must not become larger than that.
    pub(super) fn reached(&mut self, length: u64, becomes: u64) -> Option<Full> {
        if becomes > self.bytes {
            return Some(Full::Limit(self.bytes));
        }
        if length < self.next {
            return None;
        }
        self.next = length + LOOK;
        let disk = self.disk.as_ref()?;
        let (free, _) = space(&disk.folder)?;
        (free < disk.kept.saturating_add(becomes - length)).then_some(Full::Disk(free))
    }
}

/// How many bytes of a disk are free, and how many it has.
fn space(folder: &Path) -> Option<(u64, u64)> {
    let space = rustix::fs::statvfs(folder).ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(space.f_frsize);
    Some((bytes(space.f_bavail), bytes(space.f_blocks))).filter(|(_, all)| *all > 0)
}
