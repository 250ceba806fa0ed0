//! Paths address a part of an equation: `@result.3`, `@arg1.2.1`, `@function`, `@after:total`.

use crate::{Shape, TermId, Terms};
use std::{fmt, str::FromStr};

/// Where a path begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// The result (or the exception).
    Result,
    /// An argument, from 1.
    Argument(u32),
    /// The function itself.
    Function,
    /// A variable before.
    Before(Box<str>),
    /// A variable after.
    After(Box<str>),
}

/// One step down: the n-th part (from 1), or a field's name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The n-th part, from 1. In a finite map it is the n-th entry's result.
    Index(u32),
    /// A field's name.
    Name(Box<str>),
}

/// A place in an equation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// Where it begins.
    pub root: Root,
    /// The steps down.
    pub parts: Vec<Part>,
}

impl Path {
    /// Follows the steps from a term.
    pub fn descend(&self, terms: &Terms, start: TermId) -> Option<TermId> {
        let mut at = start;
        for part in &self.parts {
            let children = terms.children(at);
            let child = match part {
                Part::Index(index) => *children.get((*index as usize).checked_sub(1)?)?,
                Part::Name(name) => *children.iter().find(
                    |child| matches!(terms.shape(**child), Shape::Field(field, _) if field == &**name),
                )?,
            };
            // A field or an entry is not a value itself: the path means what it holds.
            at = match terms.shape(child) {
                Shape::Field(_, value) | Shape::Entry(_, value) => value,
                _ => child,
            };
        }
        Some(at)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.root {
            Root::Result => write!(f, "@result")?,
            Root::Argument(index) => write!(f, "@arg{index}")?,
            Root::Function => write!(f, "@function")?,
            Root::Before(name) => write!(f, "@before:{name}")?,
            Root::After(name) => write!(f, "@after:{name}")?,
        }
        for part in &self.parts {
            match part {
                Part::Index(index) => write!(f, ".{index}")?,
                Part::Name(name) => write!(f, ".{name}")?,
            }
        }
        Ok(())
    }
}

/// A text that is not a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    text: String,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a mark; marks look like @result, @result.3, @arg1.2.1, @function, @after:name",
            self.text
        )
    }
}

impl std::error::Error for PathError {}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Path, PathError> {
        let error = || PathError { text: text.chars().take(80).collect() };
        let body = text.strip_prefix('@').ok_or_else(error)?;
        // A variable's name may hold dots itself (`self.balance`): steps after it are numbers.
        let (root, rest) = if let Some(rest) = body.strip_prefix("before:") {
            let (name, rest) = split_variable(rest);
            (Root::Before(name.into()), rest)
        } else if let Some(rest) = body.strip_prefix("after:") {
            let (name, rest) = split_variable(rest);
            (Root::After(name.into()), rest)
        } else {
            let (head, rest) = body.split_at(body.find('.').unwrap_or(body.len()));
            let root = match head {
                "result" => Root::Result,
                "function" => Root::Function,
                _ => {
                    let index = head.strip_prefix("arg").and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                    Root::Argument(index.ok_or_else(error)?)
                }
            };
            (root, rest)
        };
        if matches!(&root, Root::Before(name) | Root::After(name) if name.is_empty()) {
            return Err(error());
        }
        let mut parts = Vec::new();
        for part in rest.split('.').skip(1) {
            parts.push(match part.parse::<u32>() {
                Ok(0) => return Err(error()),
                Ok(index) => Part::Index(index),
                Err(_) if part.is_empty() || part.starts_with(|c: char| c.is_ascii_digit()) => {
                    return Err(error());
                }
                Err(_) => Part::Name(part.into()),
            });
        }
        Ok(Path { root, parts })
    }
}

/// Splits `self.balance.2.1` into the variable and its numbered steps.
fn split_variable(text: &str) -> (&str, &str) {
    let mut end = text.len();
    while let Some(dot) = text[..end].rfind('.') {
        let step = &text[dot + 1..end];
        if step.is_empty() || !step.bytes().all(|b| b.is_ascii_digit()) {
            break;
        }
        end = dot;
    }
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_round_trip() {
        for text in ["@result", "@result.3", "@arg1.2.1", "@function", "@after:self.total.2", "@arg2.name"] {
            assert_eq!(text.parse::<Path>().unwrap().to_string(), text);
        }
        for text in ["", "result", "@", "@arg0", "@arg", "@result.", "@result.0", "@result.1x", "@before:"] {
            assert!(text.parse::<Path>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_path_goes_through_fields_and_entries() {
        let mut terms = Terms::new();
        let one = terms.number("1");
        let two = terms.number("2");
        let entry = terms.entry(&[one], two);
        let map = terms.finite_map(&[entry]);
        let field = terms.field("table", map);
        let object = terms.object("Store", &[field]);
        let path: Path = "@result.table.1".parse().unwrap();
        assert_eq!(path.descend(&terms, object), Some(two));
        let path: Path = "@result.1.1.1".parse().unwrap();
        assert_eq!(path.descend(&terms, object), None);
    }
}
