//! Puts the library's sources into the binary, so that it needs no files beside it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../lib");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut code = String::new();
    for (constant, folder, extension) in [("HASKELL", "haskell", "hs"), ("CURRY", "curry", "curry")] {
        let folder = root.join(folder);
        let mut files = Vec::new();
        collect(&folder, extension, &mut files);
        let mut modules: Vec<(String, PathBuf)> = files
            .into_iter()
            .map(|file| {
                let name = file.strip_prefix(&folder).expect("it was found there").with_extension("");
                let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                (parts.join("."), file)
            })
            .collect();
        modules.sort();
        let _ = writeln!(code, "/// Modules of the library with their texts, sorted by name.");
        let _ = writeln!(code, "pub(crate) static {constant}: &[(&str, &str)] = &[");
        for (name, file) in modules {
            let file = file.canonicalize().expect("it is there");
            let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", file.display().to_string());
        }
        let _ = writeln!(code, "];");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("library.rs"), code).expect("the output folder can be written");
}

fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, extension, files);
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
}
