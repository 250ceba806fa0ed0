//! Counts of what should become rarer: `house.toml` holds the last ones, and a count may only fall.
//!
//!     GADFLY_UPDATE=1 cargo test -p gadfly --test house    # writes counts that have fallen into house.toml
//!
//! A count that has risen is never written: change the code, or, with a reason in the commit, the number.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::code::{RustFile, Token, root, rust_files, texts};

/// What is counted: its name in `house.toml`, and what that means.
const COUNTS: &[(&str, &str)] = &[
    ("language-names", "string literals that name a language, outside of the rooms of languages"),
    ("json", "`json!` and `[\"...\"]`: JSON without a type"),
    ("variables", "environment variables that begin with GADFLY_"),
    ("cells", "`RefCell` and `Cell` in the rooms `dialogue` and `python`, and in what will move there"),
    ("printing", "`error_line`, `stderr()` and `println!` outside of output.rs"),
    ("long-functions", "functions of more than 80 lines"),
    ("long-files", "Rust files of more than 600 lines"),
    ("unsafe-files", "files of the tracer with `unsafe`"),
    ("unannotated", "Python functions without the type of their result"),
    ("gadfly-lines", "lines of crates/gadfly/src"),
];

/// Phrases not to be used in documents, help and messages; "is told" and "unless told" say neither who nor what.
const PHRASES: &[&str] =
    &["correct version", "good program", "unless told", "is told", "no matter", "otherwise in"];

const LANGUAGES: &[&str] = &[
    "haskell",
    "curry",
    "python",
    "javascript",
    "typescript",
    "java",
    "prolog",
    "erlang",
    "ocaml",
    "scheme",
];

/// Where a language may be named.
const OF_LANGUAGES: &[&str] = &[
    "crates/lazy/",
    "crates/python/",
    "crates/tracer/",
    "crates/gadfly/src/python/",
    "crates/views/src/lazy/old_forms.rs",
];

/// Where sessions and the Python front-end are, and where they were before they had a room.
const OF_CELLS: &[&str] =
    &["crates/dialogue/", "crates/python/", "crates/gadfly/src/debug", "crates/gadfly/src/python/"];

/// How often something is where.
type Places = BTreeMap<String, usize>;

fn found() -> BTreeMap<String, Places> {
    let mut all: BTreeMap<String, Places> = BTreeMap::new();
    let mut add = |count: &str, place: &str, number: usize| {
        let places = all.entry(count.to_owned()).or_default();
        if number > 0 {
            *places.entry(place.to_owned()).or_default() += number;
        }
    };
    let files = rust_files();
    for file in &files {
        let within = |folders: &[&str]| folders.iter().any(|folder| file.path.starts_with(folder));
        let number = if within(OF_LANGUAGES) { 0 } else { language_names(file) };
        add("language-names", &file.path, number);
        add("json", &file.path, file.count(&["json", "!"]) + json_indexes(file));
        let cells = file.count(&["RefCell"]) + file.count(&["Cell"]);
        add("cells", &file.path, if within(OF_CELLS) { cells } else { 0 });
        let number = if file.path.ends_with("/output.rs") { 0 } else { printing(file) };
        add("printing", &file.path, number);
        for (name, lines) in file.functions.iter().filter(|(_, lines)| *lines > 80) {
            add("long-functions", &format!("{}: {name}, {lines} lines", file.path), 1);
        }
        add("long-files", &file.path, usize::from(file.lines > 600));
        let with_unsafe = file.room() == "tracer" && file.count(&["unsafe"]) > 0;
        add("unsafe-files", &file.path, usize::from(with_unsafe));
        let of_binary = file.path.starts_with("crates/gadfly/src/");
        add("gadfly-lines", &file.path, if of_binary { file.lines } else { 0 });
    }
    let package = texts("python/gadfly", "py");
    for name in variables(&files, &package) {
        add("variables", &name, 1);
    }
    for (path, text) in &package {
        add("unannotated", path, unannotated(text));
    }
    for (place, text) in prose(&files, package) {
        for phrase in PHRASES {
            add(phrase, &place, phrase_count(&text, phrase));
        }
    }
    all
}

fn language_names(file: &RustFile) -> usize {
    file.texts().filter(|text| LANGUAGES.contains(&text.to_lowercase().as_str())).count()
}

/// An index that is a string, as in `value["key"]`: one after something that has a value.
fn json_indexes(file: &RustFile) -> usize {
    let indexed = |token: &Token| match token {
        Token::Word(word) => {
            word == ")"
                || word == "]"
                || word.starts_with(|first: char| first.is_alphabetic() || first == '_')
        }
        Token::Text(_) => false,
    };
    let is_one = |tokens: &&[Token]| {
        indexed(&tokens[0]) && tokens[1].is("[") && matches!(tokens[2], Token::Text(_)) && tokens[3].is("]")
    };
    file.tokens.windows(4).filter(is_one).filter(|tokens| !tokens[0].is("in")).count()
}

fn printing(file: &RustFile) -> usize {
    let macros = ["print", "println", "eprint", "eprintln"];
    let printed: usize = macros.iter().map(|name| file.count(&[name, "!"])).sum();
    printed + file.count(&["error_line", "("]) + file.count(&["stderr", "(", ")"])
}

fn variables(files: &[RustFile], package: &[(String, String)]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let texts = files.iter().flat_map(RustFile::texts).chain(package.iter().map(|(_, text)| text.as_str()));
    for text in texts {
        for (start, _) in text.match_indices("GADFLY_") {
            let end = text[start..].find(|one: char| !(one.is_ascii_uppercase() || one == '_'));
            names.insert(text[start..end.map_or(text.len(), |length| start + length)].to_owned());
        }
    }
    names
}

/// Functions whose head has no `->`; a head ends with a colon outside of brackets.
fn unannotated(text: &str) -> usize {
    let heads = text.lines().enumerate().filter(|(_, line)| {
        let line = line.trim_start();
        line.starts_with("def ") || line.starts_with("async def ")
    });
    let lines: Vec<&str> = text.lines().collect();
    let without = |(number, _): &(usize, &str)| {
        let mut depth = 0i32;
        let rest = lines[*number..].join("\n");
        let end = rest.find(|one| {
            depth += i32::from(matches!(one, '(' | '[' | '{')) - i32::from(matches!(one, ')' | ']' | '}'));
            one == ':' && depth == 0
        });
        !rest[..end.unwrap_or(rest.len())].contains("->")
    };
    heads.filter(without).count()
}

/// What people read, each with its place: documents, string literals and doc comments, and the Python package.
fn prose(files: &[RustFile], package: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut all = texts("docs", "md");
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        if let Ok(text) = fs::read_to_string(root().join(name)) {
            all.push((name.to_owned(), text));
        }
    }
    all.extend(package);
    for file in files {
        let texts: Vec<&str> = file.texts().collect();
        all.push((file.path.clone(), format!("{}\n{}", texts.join("\n"), file.documentation)));
    }
    for (_, text) in &mut all {
        *text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    }
    all
}

/// How often a phrase is there, in whole words.
fn phrase_count(text: &str, phrase: &str) -> usize {
    let inside_word = |one: Option<char>| one.is_some_and(char::is_alphanumeric);
    let whole = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + phrase.len()..]);
        !inside_word(before.chars().next_back()) && !inside_word(after.chars().next())
    };
    text.match_indices(phrase).map(|(at, _)| at).filter(whole).count()
}

fn ratchet_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/house.toml")
}

/// The lines `name = number` and `"a phrase" = number`.
fn kept() -> BTreeMap<String, usize> {
    let text = fs::read_to_string(ratchet_file()).unwrap_or_default();
    let entries = text.lines().filter_map(|line| line.split_once(" = "));
    entries.map(|(name, number)| (name.trim_matches('"').to_owned(), number.parse().unwrap())).collect()
}

/// What `house.toml` says: each count with what it means.
fn written(numbers: &BTreeMap<String, usize>) -> String {
    let mut text = String::from(
        "# Counts that may only fall; tests/house/ratchet.rs counts, and fails if one has risen.\n\
         # GADFLY_UPDATE=1 cargo test -p gadfly --test house writes those that have fallen.\n\n[counts]\n",
    );
    for (name, meaning) in COUNTS {
        let _ = writeln!(text, "# {meaning}\n{name} = {}", numbers[*name]);
    }
    text.push_str("\n# Phrases not to be used in documents, help and messages.\n[phrases]\n");
    for phrase in PHRASES {
        let _ = writeln!(text, "\"{phrase}\" = {}", numbers[*phrase]);
    }
    text
}

#[test]
fn counts_only_fall() {
    let (found, kept) = (found(), kept());
    let update = std::env::var_os("GADFLY_UPDATE").is_some();
    let mut told = String::new();
    let mut numbers = BTreeMap::new();
    let names = COUNTS.iter().map(|(name, _)| *name).chain(PHRASES.iter().copied());
    for name in names {
        let places = &found[name];
        let now: usize = places.values().sum();
        let before = kept.get(name).copied();
        numbers.insert(name.to_owned(), before.map_or(now, |before| before.min(now)));
        match before {
            Some(before) if now > before => {
                let _ = writeln!(told, "`{name}` rose from {before} to {now}; it is counted in:");
                let mut most: Vec<_> = places.iter().collect();
                most.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
                for (place, number) in most {
                    let _ = writeln!(told, "    {number:6} {place}");
                }
            }
            Some(before) if now == before => {}
            _ if update => {}
            before => {
                let before = before.map_or("nothing".to_owned(), |before| before.to_string());
                let _ = writeln!(told, "`{name}` is {now}, and house.toml says {before}: lower the number");
            }
        }
    }
    if update {
        fs::write(ratchet_file(), written(&numbers)).unwrap();
    }
    assert!(
        told.is_empty(),
        "\n{told}GADFLY_UPDATE=1 cargo test -p gadfly --test house writes counts that have fallen."
    );
    let text = fs::read_to_string(ratchet_file()).unwrap();
    assert_eq!(text, written(&numbers), "house.toml is not as this test writes it");
}
