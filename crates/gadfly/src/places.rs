//! Where Gadfly keeps what must outlive a run.

use std::env;
use std::path::{Path, PathBuf};

/// The folder for sessions and knowledge: `$GADFLY_STATE`, else `$XDG_STATE_HOME/gadfly`, else
/// `~/.local/state/gadfly`; `None` where not even a home is known.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("GADFLY_STATE")
        .or_else(|| set("XDG_STATE_HOME").map(|folder| folder.join("gadfly")))
        .or_else(|| set("HOME").map(|home| home.join(".local/state/gadfly")))
}

/// The journal of the session about this tree, if the user names none: by the file's name, for human eyes, and its
/// content, so that another tree under the same name has another journal.
pub(crate) fn journal(input: &Path, fingerprint: &str) -> Option<PathBuf> {
    let name = input.file_name().map_or_else(|| "stdin".into(), |name| name.to_string_lossy());
    let name: String =
        name.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' }).take(60).collect();
    let short: String = fingerprint.chars().take(16).collect();
    Some(state_folder()?.join("sessions").join(format!("{name}-{short}.journal")))
}

/// A folder for what must not outlive this run of Gadfly.
pub(crate) fn temporary() -> std::io::Result<tempfile::TempDir> {
    tempfile::Builder::new().prefix("gadfly-").tempdir()
}

/// The knowledge base, if the user names none.
pub(crate) fn knowledge() -> Option<PathBuf> {
    Some(state_folder()?.join("knowledge.redb"))
}
