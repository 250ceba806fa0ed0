//! Opening what the user names.

use crate::failure::Failure;
use gadfly_trail::interchange::{self, Recording};
use std::path::Path;

/// Reads a tree.
pub(crate) fn open(path: &Path) -> Result<Recording, Failure> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    if matches!(extension, "hs" | "lhs" | "curry" | "py" | "trail") && path.exists() {
        return Err(Failure::input(format!(
            "{}: this version of Gadfly reads interchange files only",
            path.display()
        ))
        .with_hint("write the run as an interchange file, see docs/interchange.md"));
    }
    interchange::open(path)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())).with_hint(error.hint))
}
