//! The house rules on who may use whom.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms that each room may use; ARCHITECTURE.md says why.
const MAY_USE: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("term", &[]),
    ("tree", &["term", "source"]),
    ("trail", &["source"]),
    ("interchange", &["tree", "term", "source"]),
    ("views", &["trail", "tree", "term", "source"]),
    ("engine", &["tree", "term", "source"]),
    ("oracles", &["engine", "tree", "term"]),
    ("syntax", &["source"]),
    ("typing", &["syntax", "source"]),
    ("core", &["typing", "syntax", "source"]),
    ("machine", &["core", "trail", "source"]),
    ("lazy", &["syntax", "typing", "core", "machine", "trail", "engine", "tree", "term", "source"]),
    ("tracer", &["trail", "gadfly"]),
    (
        "gadfly",
        &[
            "source",
            "term",
            "tree",
            "trail",
            "interchange",
            "views",
            "engine",
            "oracles",
            "syntax",
            "typing",
            "core",
            "lazy",
        ],
    ),
];

/// Rooms that know no file, no process, no clock, no thread and no terminal.
const PURE: &[&str] = &["source", "term", "tree", "engine", "syntax", "typing", "core"];
/// What a room may use nevertheless: typing walks deep trees on a larger stack, which only a thread has.
const EXCEPT: &[(&str, &str)] = &[("typing", "std::thread")];
const IMPURE: &[&str] =
    &["std::fs", "std::net", "std::process", "std::thread", "std::time", "std::env", "std::io"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The dependencies of a room: (rooms, other crates), those for tests left out.
fn dependencies(room: &str) -> Vec<String> {
    let manifest = fs::read_to_string(crates().join(room).join("Cargo.toml")).unwrap();
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        } else if inside && !line.trim().is_empty() && !line.starts_with('#') {
            names.push(line.split(['.', ' ', '=']).next().unwrap().to_owned());
        }
    }
    names
}

#[test]
fn rooms_use_only_what_they_may() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    for entry in fs::read_dir(crates()).unwrap() {
        let room = entry.unwrap().file_name().into_string().unwrap();
        let allowed = allowed.get(room.as_str()).unwrap_or_else(|| panic!("the room `{room}` has no rule"));
        for name in dependencies(&room) {
            if let Some(used) = name.strip_prefix("gadfly-") {
                assert!(allowed.contains(&used), "`{room}` must not use `{used}`");
            }
        }
    }
}

#[test]
fn the_inner_rooms_do_no_input_or_output() {
    for room in PURE.iter().filter(|room| crates().join(room).exists()) {
        let mut folders = vec![crates().join(room).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                // Tests may read what they like.
                if path.file_stem().is_some_and(|name| name == "tests") {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                for word in IMPURE.iter().filter(|word| !EXCEPT.contains(&(room, word))) {
                    assert!(!code.contains(word), "{} uses {word}", path.display());
                }
            }
        }
        for name in dependencies(room) {
            let heavy = ["tokio", "axum", "crossterm", "ratatui", "serde_json", "memmap2", "rayon"];
            assert!(!heavy.contains(&name.as_str()), "`{room}` must not use `{name}`");
        }
    }
}
