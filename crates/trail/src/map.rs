//! The bytes of a file: mapped, so that only what is looked at comes into memory.

use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// The bytes of a trail.
#[derive(Debug)]
pub(super) enum Bytes {
    Mapped(Mmap),
    Held(Vec<u8>),
}

impl Bytes {
    /// The bytes of a file. What is no regular file (a pipe) is read.
    pub(super) fn open(path: &Path) -> io::Result<Bytes> {
        let mut file = File::open(path)?;
        let data = file.metadata()?;
        if !data.is_file() || data.len() == 0 {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            return Ok(Bytes::Held(bytes));
        }
        // SAFETY: The map is only read, and every value is copied out before it is used, with its bounds checked, so
        // bytes that change meanwhile can make answers wrong but nothing unsound. If the file is made shorter meanwhile,
        // the system ends the process when it reads there. Gadfly itself does neither: it writes to new files only
        // (`Writer::create`) and appends to them.
        #[allow(unsafe_code, reason = "a file is mapped, which others might change")]
        let map = unsafe { Mmap::map(&file)? };
        Ok(Bytes::Mapped(map))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Held(bytes) => bytes,
        }
    }
}
