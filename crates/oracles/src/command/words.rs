//! A command line taken apart.

use thiserror::Error;

/// A command line that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandLineError {
    /// There is no program to start.
    #[error("the command is empty: write `command:PROG ARGS…`")]
    Empty,
    /// A quotation mark without its partner.
    #[error("the command has an unclosed {0}")]
    Unclosed(char),
}

/// Splits a command at white space; '…', "…" and \ work as in a shell, and nothing else does.
pub(super) fn split(command: &str) -> Result<Vec<String>, CommandLineError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (_, Some(open)) if c == open => quote = None,
            ('\\', Some('"')) if !matches!(chars.peek(), Some('"' | '\\' | '$' | '`')) => {
                word.get_or_insert_default().push(c);
            }
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next().or(Some(c))),
            ('\'' | '"', None) => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (_, None) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(CommandLineError::Unclosed(open)),
        None if words.is_empty() => Err(CommandLineError::Empty),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes_are_a_shells() {
        for (command, expected) in [
            ("prog", vec!["prog"]),
            ("  prog  a\tb ", vec!["prog", "a", "b"]),
            ("sh -c 'read x; echo \"$x\"'", vec!["sh", "-c", "read x; echo \"$x\""]),
            (r#"a "b c"d '' "\"\n\\""#, vec!["a", "b cd", "", r#""\n\"#]),
            (r"my\ prog a\'b \", vec!["my prog", "a'b", r"\"]),
            ("prog \"it's\" 'ü'", vec!["prog", "it's", "ü"]),
        ] {
            assert_eq!(split(command).unwrap(), expected, "{command}");
        }
        assert_eq!(split("  "), Err(CommandLineError::Empty));
        assert_eq!(split("prog 'a"), Err(CommandLineError::Unclosed('\'')));
        assert_eq!(split("prog \"a\\\""), Err(CommandLineError::Unclosed('"')));
    }
}
