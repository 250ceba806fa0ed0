//! The Python package, built for the `python3` that is there: for the tests that run Python programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Builds the package beside a binary that cargo has built, and gives the folder that `PYTHONPATH` must have.
pub(crate) fn build(root: &Path, binary: &str) -> PathBuf {
    let built = Path::new(binary).parent().unwrap();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "-p", "gadfly-tracer", "--target-dir"]).arg(built.parent().unwrap());
    let done = command.current_dir(root).stdin(Stdio::null()).status().unwrap();
    assert!(done.success(), "the Python extension cannot be built");
    let package = built.join("python-package");
    let inside = package.join("gadfly");
    let _ = fs::remove_dir_all(&package);
    copy(&root.join("python/gadfly"), &inside);
    fs::copy(built.join("lib_native.so"), inside.join("_native.so")).unwrap();
    package
}

/// Copies a folder's Python files, and those of the folders in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &place);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            fs::copy(&path, place).unwrap();
        }
    }
}
