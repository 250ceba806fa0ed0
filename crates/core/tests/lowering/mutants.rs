//! Programs with random changes: those that still type-check are lowered soundly; the others have errors.
//!
//! A few on every run. For many, with the programs of a folder (see `spans`) and a seed of one's own:
//!
//!     GADFLY_MUTANTS=10000 GADFLY_SEED=7 GADFLY_PROGRAMS=FOLDER cargo test -p gadfly-core -- mutants

use crate::spans::{programs, root};
use crate::{Checked, library};

/// A generator of numbers (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// The tokens of a text, roughly: words, runs of blanks, runs of symbols, single brackets, lines.
fn tokens(text: &str) -> Vec<&str> {
    let kind = |char: char| match char {
        '\n' => 0,
        char if char.is_whitespace() => 1,
        char if char.is_alphanumeric() || char == '_' || char == '\'' => 2,
        '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | '`' | '"' => 3,
        _ => 4,
    };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, char) in text.char_indices() {
        let kind = kind(char);
        if before.is_some_and(|before| before != kind || kind == 0 || kind == 3) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(kind);
    }
    tokens.push(&text[start..]);
    tokens
}

/// A text with one or two changes: a line or token deleted, doubled or swapped with another, or a token replaced by
/// another of the text or by a word of the language.
fn mutant(text: &str, random: &mut Random) -> String {
    const WORDS: &[&str] = &[
        "where", "let", "in", "case", "of", "do", "if", "then", "else", "|", "->", "<-", "=", "::", "@", "~",
        "!", "\\", "..", "_", "()", "[]", "0", "\"\"", "'x'", "free", "fcase", "deriving", "instance",
        "class", "data", "newtype", "type", "import", "infixl", "(", ")", "{", "}", ",", ";", "`", "=>",
        "forall", "\n ", "\n",
    ];
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if random.below(3) == 0 && lines.len() > 1 {
        let at = random.below(lines.len() - 1);
        match random.below(3) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at]),
            _ => lines.swap(at, at + 1),
        }
    }
    let text = lines.concat();
    let mut tokens = tokens(&text);
    for _ in 0..=random.below(2) {
        let solid: Vec<usize> = (0..tokens.len()).filter(|&at| !tokens[at].trim().is_empty()).collect();
        if solid.is_empty() {
            break;
        }
        let at = solid[random.below(solid.len())];
        let other = solid[random.below(solid.len())];
        // Nearby tokens make sense more often.
        let near =
            solid.iter().position(|&one| one == at).and_then(|row| solid.get(row + 1 + random.below(3)));
        match random.below(8) {
            6 if near.is_some() => tokens.swap(at, near.copied().unwrap_or(at)),
            7 if near.is_some() => tokens[at] = tokens[near.copied().unwrap_or(at)],
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => tokens.swap(at, other),
            3 => tokens[at] = tokens[other],
            4 => tokens[at] = WORDS[random.below(WORDS.len())],
            _ => tokens.insert(at, WORDS[random.below(WORDS.len())]),
        }
    }
    tokens.concat()
}

/// Lowers a program, whether it has errors or not; says whether it has none. One with errors need not be sound.
fn is_lowered(file: &str, text: &str, loader: &mut (impl gadfly_typing::Loader + Send)) -> bool {
    crate::with_stack(|| {
        let checked = Checked::new(file, text, loader);
        let lowered = checked.lower();
        let problems = gadfly_core::verify(&lowered.program);
        let good = checked.errors().is_empty();
        assert!(!good || problems.is_empty(), "{}", problems.join("\n"));
        good
    })
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
#[allow(clippy::print_stdout, reason = "how many were of use")]
fn what_type_checks_is_lowered_soundly() {
    let own = [
        ("test.hs", include_str!("programs/matching.hs")),
        ("test.hs", include_str!("programs/classes.hs")),
        ("test.hs", include_str!("programs/kernel.hs")),
        ("test.curry", include_str!("programs/kernel.curry")),
        ("test.curry", include_str!("programs/search.curry")),
    ];
    let mut texts: Vec<(String, String)> =
        own.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    for path in programs() {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("the file is there")).into_owned();
        texts.push((path.display().to_string(), text));
    }
    let count = number("GADFLY_MUTANTS").unwrap_or(60);
    let seed = number("GADFLY_SEED").unwrap_or(1);
    let mut lowered = 0;
    let mut failures = Vec::new();
    for number in 0..count {
        // Each mutant has its own seed, so that it can be reproduced.
        let mut random = Random((seed << 32 | (number + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (file, text) = &texts[random.below(texts.len())];
        let changed = mutant(text, &mut random);
        let root = root(file.as_ref(), text);
        let outcome = std::panic::catch_unwind(|| {
            let mut loader = |module: &str, dialect| {
                crate::spans::beside(&root, module, dialect).or_else(|| library(module, dialect))
            };
            is_lowered(file, &changed, &mut loader)
        });
        match outcome {
            Ok(good) => lowered += u64::from(good),
            Err(_) => failures.push(format!("mutant {number} of seed {seed}, of {file}:\n{changed}")),
        }
    }
    println!("{lowered} of {count} mutants have no errors");
    assert!(failures.is_empty(), "{}\n{} mutants failed", failures.join("\n\n"), failures.len());
}
