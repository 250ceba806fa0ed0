//! Compares the tables with the lists of primitives in the libraries.

use super::*;

fn specification(language: &str) -> String {
    let path = format!("{}/../../lib/{language}/PRIMITIVES.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The rows of the tables with a name and a type: without their marks, the escapes undone.
fn rows(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        Some((cells.next()?.strip_suffix('`')?, cells.next()?.strip_prefix('`')?.strip_suffix('`')?))
    })
}

/// The parts of a type between the arrows that are not in parentheses.
fn parts(of: &str) -> Vec<&str> {
    let of = of.split_once("=>").map_or(of, |(_, of)| of);
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, char) in of.char_indices() {
        match char {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if depth == 0 => {
                parts.push(of[from..at - 1].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(of[from..].trim());
    parts
}

#[test]
fn every_primitive_of_the_haskell_library_is_there() {
    let text = specification("haskell");
    let mut count = 0;
    for (name, of) in rows(&text).filter(|(name, _)| !name.contains("::")) {
        let primitive = find::<0>(name).unwrap_or_else(|| panic!("there is no {name}"));
        let parts = parts(of);
        // A class before the arrow is an argument, too.
        let classes = of.split_once("=>").map_or(0, |(classes, _)| classes.matches(',').count() + 1);
        assert_eq!(usize::from(primitive.arity), parts.len() - 1 + classes, "{name} :: {of}");
        let action = parts[parts.len() - 1].starts_with("IO ");
        match primitive.what {
            What::Action(_) | What::Store(_) | What::Make(_) => assert!(action, "{name} :: {of}"),
            What::Cheap(_) | What::Pure(_) | What::Look(_) => assert!(!action, "{name} :: {of}"),
            What::Control(_) => {}
        }
        count += 1;
    }
    assert!(text.contains(&format!("the {count} operations")), "there are {count}");
}

#[test]
fn every_primitive_that_curry_shares_is_there() {
    let text = specification("curry");
    let shared = text.split("\n## ").find(|section| section.starts_with("Shared with")).unwrap();
    let names = shared.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let names: Vec<&str> =
        names.flat_map(|names| names.split(['`', ',', ' '])).filter(|name| !name.is_empty()).collect();
    assert!(names.len() > 60);
    for name in names {
        assert!(find::<0>(name).is_some(), "there is no {name}");
    }
}

#[test]
fn what_is_lazy_says_so() {
    for line in specification("haskell").lines().filter(|line| line.contains("| `")) {
        let Some(name) = line.strip_prefix("| `").and_then(|line| line.split('`').next()) else { continue };
        if let Some(primitive) = find::<0>(name)
            && !matches!(primitive.what, What::Control(_))
        {
            assert_eq!(primitive.lazy != 0, line.contains("**Lazy**"), "{name}");
            // What is lazy is the value, which comes last.
            assert!(primitive.lazy == 0 || primitive.lazy == 1 << (primitive.arity - 1), "{name}");
        }
    }
}
