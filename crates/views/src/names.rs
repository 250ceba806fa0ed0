//! What functions are called where people read it.

use gadfly_trail::model::{Function, Origin, Piece, Tables};

/// A lambda expression in an equation has at most this many characters.
const SHORT: usize = 40;

/// The name of a function: its own, or what was written in place of one. The function must be in the tables.
pub(super) fn function(tables: &Tables, number: u32) -> String {
    let function = &tables.functions[number as usize];
    match function.origin {
        Origin::Lambda | Origin::Section => {
            let text = function.piece.and_then(|piece| text(tables, piece));
            parenthesised(text.as_deref().unwrap_or(&function.name))
        }
        Origin::Hidden => "(…)".to_owned(),
        _ => function.name.clone(),
    }
}

/// The name of a function that stands before, or between, its arguments.
pub(super) fn called(tables: &Tables, number: u32) -> String {
    let name = function(tables, number);
    let known = &tables.functions[number as usize];
    let word = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if word && known.infix.is_some() { format!("`{name}`") } else { name }
}

/// Whether a function is a constructor that is used as one.
pub(super) fn is_constructor(function: &Function) -> bool {
    function.origin == Origin::Constructor
}

/// The text of a piece on one line, cut where it gets long.
fn text(tables: &Tables, piece: Piece) -> Option<String> {
    let file = tables.files.get(piece.file as usize)?;
    let text = file.text.get(piece.start as usize..piece.end as usize)?;
    let mut short = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if !short.is_empty() {
            short.push(' ');
        }
        for c in word.chars() {
            if count == SHORT {
                short.push('…');
                return Some(short);
            }
            short.push(c);
            count += 1;
        }
        count += 1;
    }
    Some(short).filter(|short| !short.is_empty())
}

/// A text in parentheses, if it does not stand in a pair already.
fn parenthesised(text: &str) -> String {
    let mut depth = 0usize;
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let paired = inside.is_some_and(|inside| {
        inside.chars().all(|c| {
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => return false,
                ')' => depth -= 1,
                _ => {}
            }
            true
        })
    });
    if paired { text.to_owned() } else { format!("({text})") }
}
