//! What must not outlive Gadfly: temporary files, of all rooms, are in one folder, which goes away however Gadfly ends.
//!
//! On Ctrl-C and on a signal that asks Gadfly to end, the folder is removed before the process ends. After `SIGKILL` nobody can do that, so
//! the next Gadfly removes the folders of processes that are no more: the folder's name says which process it belongs to, and in which
//! container that counts.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folder of this process.
static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The folder, as long as somebody has this.
pub(crate) struct Temporary;

impl Drop for Temporary {
    fn drop(&mut self) {
        remove();
    }
}

/// Has temporary files made in a folder of this process. Where that cannot be done, they are made where they usually are.
pub(crate) fn begin() -> Temporary {
    let parent = std::env::temp_dir();
    if let Some(prefix) = prefix() {
        remove_abandoned(&parent, &prefix);
        let folder = parent.join(format!("{prefix}{}", std::process::id()));
        let made = fs::DirBuilder::new().mode(0o700).create(&folder);
        if made.is_ok() && tempfile::env::override_temp_dir(&folder).is_ok() {
            *FOLDER.lock().unwrap_or_else(|poison| poison.into_inner()) = Some(folder);
        }
    }
    Temporary
}

/// Removes the folder.
pub(crate) fn remove() {
    let folder = FOLDER.lock().unwrap_or_else(|poison| poison.into_inner());
    if let Some(folder) = &*folder {
        // If it cannot be removed now, the next Gadfly tries again. It stays the folder for whoever runs on.
        let _ = fs::remove_dir_all(folder);
    }
}

/// How the names of folders begin whose processes are numbered as this one is.
fn prefix() -> Option<String> {
    let space = fs::read_link("/proc/self/ns/pid").ok()?;
    let digits: String = space.to_str()?.chars().filter(char::is_ascii_digit).collect();
    Some(format!("gadfly-{digits}-"))
}

/// Removes what processes have left that are no more.
fn remove_abandoned(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(prefix)).unwrap_or_default();
        let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_number && is_folder && !Path::new("/proc").join(process).exists() {
            // It may be another user's.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_dead_processes_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let of = |process: &str| place.path().join(format!("gadfly-7-{process}"));
        // No process has so high a number.
        let (dead, mine) = (of("999999999"), of(&std::process::id().to_string()));
        let others = [mine, of("x"), of(""), place.path().join("gadfly-8-999999999")];
        for folder in others.iter().chain([&dead]) {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("x.trail"), "x").unwrap();
        }
        remove_abandoned(place.path(), "gadfly-7-");
        assert!(!dead.exists() && others.iter().all(|folder| folder.join("x.trail").exists()));
    }
}
