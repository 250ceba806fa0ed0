//! The text of names, numbers and literals: escaped, so that nothing a program holds can move the cursor, turn the
//! writing around or hide; and cut in the middle when there is no room for all of it.

use super::page::Page;
use unicode_width::UnicodeWidthChar;

/// How the characters of a text are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// As they are, but for those that must not reach a screen.
    Bare,
    /// As in a Haskell literal with this quote.
    Haskell(char),
    /// As in a Python literal with this quote.
    Python(char),
}

/// What a text is counted in when part of it is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Digits,
    Characters,
    /// The text stands for elements that are not there at all.
    Elements,
}

/// A text to show: what stands around it, and how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    pub(super) body: &'a str,
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) escape: Escape,
    pub(super) unit: Unit,
    /// How many characters or elements after the body were never recorded.
    pub(super) more: u64,
}

/// Beyond this many bytes, the length of what is left out is given in bytes: counting characters would cost more than showing.
const COUNTED: usize = 1 << 20;

/// Texts wider than this may continue on the next line.
const WHOLE: usize = 32;

impl<'a> Text<'a> {
    pub(super) fn plain(body: &'a str) -> Self {
        Text { body, open: "", close: "", escape: Escape::Bare, unit: Unit::None, more: 0 }
    }

    pub(super) fn number(body: &'a str) -> Self {
        Text { unit: Unit::Digits, ..Text::plain(body) }
    }

    pub(super) fn omitted(more: u64) -> Self {
        Text { unit: Unit::Elements, more, ..Text::plain("") }
    }

    pub(super) fn quoted(body: &'a str, escape: Escape, more: u64) -> Self {
        let quote = match escape {
            Escape::Haskell('\'') | Escape::Python('\'') => "'",
            _ => "\"",
        };
        Text { body, open: quote, close: quote, escape, unit: Unit::Characters, more }
    }

    /// The columns the whole text takes; any number above `cap` if it takes more.
    pub(super) fn width(&self, cap: usize) -> usize {
        let mut width = columns(self.open) + columns(self.close) + columns(&self.suffix(self.more));
        let mut unit = String::new();
        let mut bytes = most_bytes(cap);
        for (c, next) in pairs(self.body) {
            if width > cap {
                break;
            }
            let Some(rest) = bytes.checked_sub(c.len_utf8()) else { return cap.saturating_add(1) };
            bytes = rest;
            unit.clear();
            escape(self.escape, c, next, &mut unit);
            width += columns(&unit);
        }
        width
    }

    /// Writes as much of the text as `budget` columns hold.
    pub(super) fn write(&self, budget: usize, page: &mut Page) {
        if budget == usize::MAX || self.width(budget) <= budget {
            self.write_whole(page);
            return;
        }
        page.elided = true;
        let short = match self.unit {
            _ if !self.open.is_empty() => 4,
            _ => 2,
        };
        if budget < short || self.unit == Unit::Elements {
            page.word("…");
        } else if !self.write_ends(budget, page) {
            let head = self.head(self.body, budget + 1 - short);
            page.word(&format!("{}{}{}…", self.open, self.escaped(head), self.close));
        }
    }

    /// Beginning and end with the count of what is between; `false` if there is no room for that.
    fn write_ends(&self, budget: usize, page: &mut Page) -> bool {
        let (open, close) = (self.open, self.close);
        if self.more > 0 {
            // The recorded end is not the end of the value, so only the beginning says something.
            let most = self.suffix(self.more.saturating_add(self.body.len() as u64));
            let Some(room) = budget.checked_sub(columns(&most) + 2).filter(|room| *room >= 4) else {
                return false;
            };
            let head = self.head(self.body, room);
            let suffix = self.suffix(self.more.saturating_add(count(&self.body[head.len()..]).0));
            page.begin_text();
            self.write_pieces(head, page);
            page.word(&suffix);
            page.end();
            return true;
        }
        let between = |left: &str| match self.unit {
            Unit::Characters => {
                let (number, unit) = count(left);
                format!("…({} {unit})…", thousands(number))
            }
            Unit::Digits => format!("…({} digits)…", thousands(left.len() as u64)),
            Unit::None | Unit::Elements => "…".to_string(),
        };
        let least = if self.unit == Unit::None { 2 } else { 6 };
        // The left-out part is at most the whole, so its count is at most that wide.
        let overhead = 2 * (columns(open) + columns(close)) + columns(&between(self.body));
        let Some(room) = budget.checked_sub(overhead).filter(|room| *room >= least) else { return false };
        let head = self.head(self.body, room - room / 2);
        let tail = self.tail(&self.body[head.len()..], room / 2);
        let left = &self.body[head.len()..self.body.len() - tail.len()];
        page.begin_text();
        self.write_pieces(head, page);
        page.gap(0);
        page.word(&between(left));
        page.gap(0);
        self.write_pieces(tail, page);
        page.end();
        true
    }

    fn write_whole(&self, page: &mut Page) {
        page.begin_text();
        self.write_pieces(self.body, page);
        page.word(&self.suffix(self.more));
        page.end();
    }

    /// Writes a part with what stands around it; a long one may go on in the next line.
    fn write_pieces(&self, part: &str, page: &mut Page) {
        let (open, close) = (self.open, self.close);
        let alone = Text { body: part, more: 0, ..*self };
        if page.is_flat() || alone.width(WHOLE) <= WHOLE {
            page.word(open);
            page.word(&self.escaped(part));
            page.word(close);
            return;
        }
        let cut = match self.escape {
            Escape::Haskell(_) => ("\\", "\\"),
            Escape::Python(_) => (close, open),
            Escape::Bare => ("\\", ""),
        };
        let mut piece = String::from(open);
        let mut width = columns(&piece);
        for (c, next) in pairs(part) {
            let before = piece.len();
            escape(self.escape, c, next, &mut piece);
            width += columns(&piece[before..]);
            if (c == ' ' && width * 3 > page.piece || width >= page.piece) && next.is_some() {
                page.word(&piece);
                page.cut(cut);
                piece.clear();
                width = 0;
            }
        }
        piece.push_str(close);
        page.word(&piece);
    }

    /// What follows the closing quote: how much of the value was never recorded.
    fn suffix(&self, more: u64) -> String {
        match self.unit {
            Unit::Elements if more == 0 => "…".to_string(),
            Unit::Elements => format!("… {} more …", thousands(more)),
            _ if more == 0 => String::new(),
            _ => format!("…(+{} character{})", thousands(more), if more == 1 { "" } else { "s" }),
        }
    }

    fn escaped(&self, part: &str) -> String {
        let mut out = String::with_capacity(part.len());
        for (c, next) in pairs(part) {
            escape(self.escape, c, next, &mut out);
        }
        out
    }

    /// The longest beginning of `part` that takes at most `room` columns.
    fn head<'t>(&self, part: &'t str, room: usize) -> &'t str {
        let mut left = room;
        let mut unit = String::new();
        for ((at, c), next) in part.char_indices().zip(part.chars().skip(1).map(Some).chain([None])) {
            unit.clear();
            escape(self.escape, c, next, &mut unit);
            match left.checked_sub(columns(&unit)) {
                Some(rest) => left = rest,
                None => return &part[..at],
            }
            if at >= most_bytes(room) {
                return &part[..at];
            }
        }
        part
    }

    /// The longest end of `part` that takes at most `room` columns.
    fn tail<'t>(&self, part: &'t str, room: usize) -> &'t str {
        let mut left = room;
        let mut next = None;
        let mut unit = String::new();
        for (at, c) in part.char_indices().rev() {
            unit.clear();
            escape(self.escape, c, next, &mut unit);
            next = Some(c);
            match left.checked_sub(columns(&unit)) {
                Some(rest) if part.len() - at < most_bytes(room) => left = rest,
                _ => return &part[at + c.len_utf8()..],
            }
        }
        part
    }
}

/// How many bytes are worth looking at to fill so many columns: accents could go on for ever in none at all.
fn most_bytes(columns: usize) -> usize {
    columns.saturating_add(1).saturating_mul(16)
}

/// A number with its thousands set apart: `999,994`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The columns of a text that is safe to show.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Whether an operator's name is made of symbols: `+`, `:|`, `Data.Map.!`.
pub(super) fn is_symbolic(name: &str) -> bool {
    if name.len() > 256 {
        return false;
    }
    let mut rest = name;
    while rest.starts_with(char::is_uppercase) {
        match rest.split_once('.') {
            Some((module, inner)) if module.chars().all(|c| c.is_alphanumeric() || "_'".contains(c)) => {
                rest = inner;
            }
            _ => return false,
        }
    }
    !rest.is_empty()
        && rest.chars().all(|c| {
            !c.is_alphanumeric() && !c.is_whitespace() && !is_hidden(c) && !"_'\"()[]{},;`…⊥".contains(c)
        })
}

fn count(left: &str) -> (u64, &'static str) {
    if left.len() > COUNTED {
        return (left.len() as u64, "bytes");
    }
    let number = left.chars().count() as u64;
    (number, if number == 1 { "character" } else { "characters" })
}

/// Every character with the one after it.
fn pairs(text: &str) -> impl Iterator<Item = (char, Option<char>)> {
    text.chars().zip(text.chars().skip(1).map(Some).chain([None]))
}

/// Characters that a screen does not show, or that change how it shows others: controls, marks of writing direction,
/// separators, joiners and everything else Unicode calls ignorable.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}')
}

fn escape(how: Escape, c: char, next: Option<char>, out: &mut String) {
    match how {
        Escape::Bare if is_hidden(c) => escape_python(c, out),
        Escape::Bare => out.push(c),
        Escape::Haskell(quote) | Escape::Python(quote) if c == quote || c == '\\' => out.extend(['\\', c]),
        Escape::Haskell(_) if is_hidden(c) => escape_haskell(c, next, out),
        Escape::Python(_) if is_hidden(c) => escape_python(c, out),
        Escape::Haskell(_) | Escape::Python(_) => out.push(c),
    }
}

fn escape_python(c: char, out: &mut String) {
    let code = c as u32;
    out.push_str(&match c {
        '\n' => "\\n".to_string(),
        '\r' => "\\r".to_string(),
        '\t' => "\\t".to_string(),
        _ if code <= 0xFF => format!("\\x{code:02x}"),
        _ if code <= 0xFFFF => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    });
}

fn escape_haskell(c: char, next: Option<char>, out: &mut String) {
    const NAMES: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO", "SI",
        "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS",
        "US",
    ];
    out.push('\\');
    match (NAMES.get(c as usize), c) {
        (Some(name), _) => out.push_str(name),
        (None, '\u{7F}') => out.push_str("DEL"),
        (None, _) => out.push_str(&(c as u32).to_string()),
    }
    // `\&` is nothing; it keeps the next character from being read as part of the escape.
    let runs_on = match c {
        '\u{E}' => next == Some('H'),
        _ => c > '\u{7F}' && next.is_some_and(|n| n.is_ascii_digit()),
    };
    if runs_on {
        out.push_str("\\&");
    }
}
