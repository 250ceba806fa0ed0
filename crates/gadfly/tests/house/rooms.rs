//! Who may use whom, and who touches the world outside: the table in `ARCHITECTURE.md` is compared with the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::code::{RustFile, Token, root, rust_files};

/// Crates that belong to one room: what they do is that room's work.
const AT_HOME: &[(&str, &str)] = &[
    ("annotate-snippets", "source"),
    ("clap", "gadfly"),
    ("crossterm", "gadfly"),
    ("ctrlc", "gadfly"),
    ("pyo3", "tracer"),
    ("unicode-width", "term"),
];

/// Crates that a room without input and output has no use for.
const HEAVY: &[&str] = &["memmap2", "rayon", "redb", "rustix", "tempfile", "tokio"];

/// What is outside of a program.
const OUTSIDE: &[&str] = &["env", "fs", "io", "net", "process", "thread", "time"];

/// A row of the table.
struct Room {
    uses: BTreeSet<String>,
    /// No input or output, but for these: (a module of `std`, the file that uses it).
    pure: Option<Vec<(String, String)>>,
}

/// The table of rooms: `| room | holds | may use | input and output |`.
fn table() -> BTreeMap<String, Room> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = page.split("\n## The rooms\n").nth(1).expect("a section `The rooms`");
    let section = section.split("\n## ").next().unwrap();
    let mut rooms = BTreeMap::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, _, uses, outside] = cells.as_slice() else { panic!("a row has four cells: {row}") };
        let pure = outside.starts_with("none").then(|| {
            let names = quoted(outside);
            names.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
        });
        let room = Room { uses: quoted(uses).into_iter().collect(), pure };
        rooms.insert(quoted(name).remove(0), room);
    }
    rooms
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What each room depends on, tests left out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]).current_dir(root());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let of = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        let own = all.filter(|one| one["kind"].is_null());
        own.map(|one| room_of(one["name"].as_str().unwrap())).collect()
    };
    let rooms = packages.iter().filter(|package| {
        // What is elsewhere is a test or an example.
        Path::new(package["manifest_path"].as_str().unwrap()).starts_with(root().join("crates"))
    });
    rooms.map(|package| (room_of(package["name"].as_str().unwrap()), of(package))).collect()
}

/// The room of one of our packages; another package's name as it is.
fn room_of(package: &str) -> String {
    package.strip_prefix("gadfly-").unwrap_or(package).to_owned()
}

#[test]
fn rooms_use_what_their_row_says() {
    let table = table();
    let dependencies = dependencies();
    let mut wrong = Vec::new();
    for (room, used) in &dependencies {
        let Some(row) = table.get(room) else {
            wrong.push(format!("`{room}` has no row"));
            continue;
        };
        let used: BTreeSet<String> =
            used.iter().filter(|one| dependencies.contains_key(*one)).cloned().collect();
        for name in used.difference(&row.uses) {
            wrong.push(format!("`{room}` uses `{name}`, which its row does not have"));
        }
        for name in row.uses.difference(&used) {
            wrong.push(format!("the row of `{room}` has `{name}`, which it does not use"));
        }
    }
    let missing = table.keys().filter(|room| !dependencies.contains_key(*room));
    wrong.extend(missing.map(|room| format!("there is a row for `{room}`, but no such crate")));
    assert!(wrong.is_empty(), "the table of rooms in ARCHITECTURE.md is not true:\n{}", wrong.join("\n"));
}

#[test]
fn crates_are_used_where_they_belong() {
    let table = table();
    for (room, used) in dependencies() {
        for (name, home) in AT_HOME {
            assert!(
                room == *home || !used.contains(*name),
                "`{room}` uses `{name}`, which belongs to `{home}`"
            );
        }
        if table.get(&room).is_some_and(|row| row.pure.is_some()) {
            let heavy = HEAVY.iter().find(|name| used.contains(**name));
            assert!(heavy.is_none(), "`{room}` does no input or output, and uses {heavy:?}");
        }
    }
}

#[test]
fn pure_rooms_do_no_input_or_output() {
    let table = table();
    let mut wrong = Vec::new();
    for file in rust_files() {
        let Some(excepted) = table.get(file.room()).and_then(|row| row.pure.as_ref()) else { continue };
        for module in outside(&file) {
            let allowed = excepted.iter().any(|(name, place)| {
                *name == format!("std::{module}") && file.path.ends_with(&format!("/src/{place}"))
            });
            if !allowed {
                wrong.push(format!("{} uses std::{module}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "a room without input and output has some:\n{}", wrong.join("\n"));
}

/// The modules of `std` in a file that reach outside, written as `std::fs` or in `std::{fs, io}`.
fn outside(file: &RustFile) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let named = |token: Option<&Token>| OUTSIDE.iter().find(|name| token.is_some_and(|token| token.is(name)));
    for (index, tokens) in file.tokens.windows(4).enumerate() {
        if !(tokens[0].is("std") && tokens[1].is(":") && tokens[2].is(":")) {
            continue;
        }
        found.extend(named(Some(&tokens[3])));
        if tokens[3].is("{") {
            let mut depth = 0;
            for pair in file.tokens[index + 3..].windows(2) {
                depth += usize::from(pair[0].is("{"));
                depth -= usize::from(pair[0].is("}"));
                if depth == 0 {
                    break;
                }
                if depth == 1 && (pair[0].is("{") || pair[0].is(",")) {
                    found.extend(named(Some(&pair[1])));
                }
            }
        }
    }
    found
}
