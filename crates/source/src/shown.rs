//! Text from anywhere, as people may see it.
//!
//! A terminal obeys control characters, and marks of writing direction or characters without a width make a text read as
//! another one. File names, messages, values and source text may hold any of them, so everything that Gadfly writes to people
//! goes through [`Escaper`], whatever it is and wherever it comes from. What Gadfly adds itself (colours) comes afterwards.

use std::borrow::Cow;

/// How a hidden character is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// For people: `\x1b`, `\u202e`. Line breaks stay, and a tab becomes spaces.
    Text,
    /// Inside of JSON, where `\u001b` means the same character.
    Json,
}

/// Writes text so that it only shows what it says. It remembers the column, for tabs.
#[derive(Clone, Debug)]
pub struct Escaper {
    notation: Notation,
    column: usize,
}

/// The distance of tab stops.
const TAB: usize = 8;

/// Characters that a screen does not show, or that change how it shows others: controls, marks of writing direction,
/// separators, joiners and everything else Unicode calls ignorable.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// A text for people: what is hidden in it is escaped, but for line breaks.
pub fn shown(text: &str) -> Cow<'_, str> {
    match text.chars().any(|c| c != '\n' && is_hidden(c)) {
        false => Cow::Borrowed(text),
        true => {
            let mut out = String::with_capacity(text.len() + 16);
            Escaper::new(Notation::Text).push(text, &mut out);
            Cow::Owned(out)
        }
    }
}

/// The same on one line: line breaks are escaped too.
pub fn shown_line(text: &str) -> Cow<'_, str> {
    match shown(text) {
        text if text.contains('\n') => Cow::Owned(text.replace('\n', "\\n")),
        text => text,
    }
}

impl Escaper {
    /// At the beginning of a line.
    pub fn new(notation: Notation) -> Escaper {
        Escaper { notation, column: 0 }
    }

    /// Appends a text to what is written.
    pub fn push(&mut self, text: &str, out: &mut String) {
        for c in text.chars() {
            let before = out.len();
            match (c, self.notation) {
                ('\n', _) => {
                    out.push(c);
                    self.column = 0;
                    continue;
                }
                ('\t', Notation::Text) => {
                    out.extend(std::iter::repeat_n(' ', TAB - self.column % TAB));
                }
                (c, Notation::Text) if is_hidden(c) => push_escape(c, out),
                (c, Notation::Json) if is_hidden(c) => {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        out.push_str(&format!("\\u{unit:04x}"));
                    }
                }
                (c, _) => {
                    out.push(c);
                    self.column += 1;
                    continue;
                }
            }
            self.column += out.len() - before;
        }
    }

    /// Appends bytes of which some may be no text.
    pub fn push_bytes(&mut self, bytes: &[u8], out: &mut String) {
        for chunk in bytes.utf8_chunks() {
            self.push(chunk.valid(), out);
            for byte in chunk.invalid() {
                let escape = format!("\\x{byte:02x}");
                self.column += escape.len();
                out.push_str(&escape);
            }
        }
    }
}

fn push_escape(c: char, out: &mut String) {
    let code = c as u32;
    out.push_str(&match c {
        '\r' => "\\r".to_owned(),
        _ if code <= 0xFF => format!("\\x{code:02x}"),
        _ if code <= 0xFFFF => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(shown("plain, ñ, 漢\nnext"), "plain, ñ, 漢\nnext");
        assert_eq!(shown("\x1b]0;title\x07\u{9b}31m\x7f\r"), "\\x1b]0;title\\x07\\x9b31m\\x7f\\r");
        assert_eq!(shown("a\u{202e}b\u{200b}\u{e0001}"), "a\\u202eb\\u200b\\U000e0001");
        assert_eq!(shown("a\tb\n\tc"), "a       b\n        c");
        assert_eq!(shown_line("a\nb"), "a\\nb");
    }

    #[test]
    fn bytes_that_are_no_text_are_escaped() {
        let mut out = String::new();
        Escaper::new(Notation::Text).push_bytes(b"a\xff\xc3\xb1\x1b", &mut out);
        assert_eq!(out, "a\\xffñ\\x1b");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in "(\\PC|[\u{0}-\u{20}\u{7f}-\u{a0}\u{200b}-\u{206f}\u{feff}\u{e0000}-\u{e0020}]){0,40}") {
            let text = shown(&text);
            prop_assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text:?}");
        }

        #[test]
        fn json_means_the_same(text in "(\\PC|[\u{7f}-\u{a0}\u{200b}-\u{206f}\u{feff}\u{e0000}-\u{e0020}]){0,40}") {
            let quoted = format!("{text:?}").replace("\\u{", "\\\\u{");
            let mut out = String::new();
            Escaper::new(Notation::Json).push(&quoted, &mut out);
            prop_assert!(!out.chars().any(is_hidden), "{out:?}");
        }
    }
}
