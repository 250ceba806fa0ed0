//! JSON, byte by byte: what a line says, without making anything of it.
//!
//! Written by hand because a value may be nested a million deep, a number may have a thousand digits, and most of a
//! line is only checked, never built. The line is known to be UTF-8. Byte 0 stands for the end of the line in
//! [`Scanner::peek`]: it is legal nowhere in JSON.

use super::error::Fault;
use std::{borrow::Cow, ops::Range};

/// The outcome of scanning something.
pub(crate) type Scan<T> = Result<T, Box<Fault>>;

const CUT_OFF: &str =
    "a line contains one complete JSON object; if this is the last line, the file was cut off";
const SYNTAX: &str = "a line contains one JSON object, without line breaks";

/// A place in a line.
#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(line: &'a [u8]) -> Self {
        Scanner { line, at: 0 }
    }

    /// A scanner over part of a line; faults still count from the line's start.
    pub(crate) fn over(line: &'a [u8], part: &Range<usize>) -> Self {
        Scanner { line: &line[..part.end], at: part.start }
    }

    pub(crate) fn line(&self) -> &'a [u8] {
        self.line
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next byte after white space; 0 at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        loop {
            match self.line.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(byte) => return *byte,
                None => return 0,
            }
        }
    }

    /// Takes the byte that was peeked.
    #[inline]
    pub(crate) fn take(&mut self) {
        self.at += 1;
    }

    /// Takes bytes that were looked at in the line.
    #[inline]
    pub(crate) fn advance(&mut self, count: usize) {
        self.at += count;
    }

    /// Takes the next byte if it is this one.
    #[inline]
    pub(crate) fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Scan<()> {
        if self.accept(byte) { Ok(()) } else { Err(self.unexpected(format_args!("`{}`", char::from(byte)))) }
    }

    /// After an element: whether another follows (`,`) or `close` came.
    #[inline]
    pub(crate) fn more(&mut self, close: u8) -> Scan<bool> {
        let byte = self.peek();
        self.at += 1;
        if byte == b',' {
            Ok(true)
        } else if byte == close {
            Ok(false)
        } else {
            self.at -= 1;
            Err(self.unexpected(if close == b']' { "`,` or `]`" } else { "`,` or `}`" }))
        }
    }

    /// The line must end here.
    pub(crate) fn end(&mut self) -> Scan<()> {
        if self.peek() == 0 && self.at == self.line.len() {
            return Ok(());
        }
        Err(Fault::json(self.at, "something follows the object", SYNTAX))
    }

    /// A string: the bytes between its quotes, escapes and all.
    #[inline]
    pub(crate) fn string(&mut self) -> Scan<&'a [u8]> {
        if !self.accept(b'"') {
            return Err(self.wanted("a string"));
        }
        let start = self.at;
        loop {
            self.at = plain_end(self.line, self.at);
            match self.line.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(&self.line[start..self.at - 1]);
                }
                Some(b'\\') => self.escape()?,
                Some(_) => {
                    return Err(Fault::json(
                        self.at,
                        "a control character stands in a string",
                        "write it as an escape, such as \\n or \\u0000",
                    ));
                }
                None => return Err(Fault::json(self.at, "the line ends inside a string", CUT_OFF)),
            }
        }
    }

    /// A key and its colon.
    #[inline]
    pub(crate) fn key(&mut self) -> Scan<&'a [u8]> {
        if self.peek() != b'"' {
            return Err(self.unexpected("a key in quotes"));
        }
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// A key that may be the name of a field, and its colon. Its escapes are read, so that a field is known however it is written.
    pub(crate) fn name(&mut self) -> Scan<Cow<'a, [u8]>> {
        let key = self.key()?;
        Ok(match decode(key) {
            Cow::Owned(name) if key.contains(&b'\\') => Cow::Owned(name.into_bytes()),
            _ => Cow::Borrowed(key),
        })
    }

    #[cold]
    fn escape(&mut self) -> Scan<()> {
        let start = self.at;
        self.at += 2;
        match self.line.get(start + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(()),
            Some(b'u') => match self.line.get(start + 2..start + 6) {
                Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => {
                    self.at += 4;
                    Ok(())
                }
                _ => Err(Fault::json(start, "`\\u` needs four hexadecimal digits", SYNTAX)),
            },
            Some(_) => Err(Fault::json(
                start,
                "unknown escape",
                "JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits",
            )),
            None => Err(Fault::json(self.line.len(), "the line ends inside a string", CUT_OFF)),
        }
    }

    /// A number, as written.
    #[inline]
    pub(crate) fn number(&mut self) -> Scan<&'a [u8]> {
        self.peek();
        let start = self.at;
        self.at += usize::from(self.line.get(self.at) == Some(&b'-'));
        match self.line.get(self.at) {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => {
                self.at = start;
                return Err(self.wanted("a number"));
            }
        }
        if self.line.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.line.get(self.at) {
            self.at += 1;
            self.at += usize::from(matches!(self.line.get(self.at), Some(b'+' | b'-')));
            self.some_digits()?;
        }
        if let Some(b'0'..=b'9') = self.line.get(self.at) {
            return Err(Fault::json(start, "a number begins with 0", "JSON numbers have no leading zeros"));
        }
        Ok(&self.line[start..self.at])
    }

    /// A whole number from 0 on with at most 18 digits; `None`, and nothing taken, if the next value is not just that.
    #[inline]
    pub(crate) fn small_whole(&mut self) -> Option<i64> {
        let mut number = 0;
        let mut at = self.at;
        while let Some(digit @ b'0'..=b'9') = self.line.get(at) {
            if at - self.at == 18 {
                return None;
            }
            number = number * 10 + i64::from(digit - b'0');
            at += 1;
        }
        let leading_zero = self.line.get(self.at) == Some(&b'0') && at - self.at > 1;
        if at == self.at || leading_zero || matches!(self.line.get(at), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        self.at = at;
        Some(number)
    }

    #[inline]
    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.line.get(self.at) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Scan<()> {
        let start = self.at;
        self.digits();
        if self.at > start { Ok(()) } else { Err(self.unexpected("a digit")) }
    }

    /// `true`, `false` or `null`, whole.
    #[inline]
    pub(crate) fn word(&mut self, word: &'static str) -> Scan<()> {
        if self.line[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(());
        }
        Err(self.unexpected("a value"))
    }

    /// Takes `null` if it is next.
    pub(crate) fn null(&mut self) -> Scan<bool> {
        if self.peek() != b'n' {
            return Ok(false);
        }
        self.word("null").map(|()| true)
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&mut self) -> Scan<bool> {
        match self.peek() {
            b't' => self.word("true").map(|()| true),
            b'f' => self.word("false").map(|()| false),
            _ => Err(self.wanted("true or false")),
        }
    }

    /// Passes over any value.
    pub(crate) fn skip(&mut self) -> Scan<()> {
        let mut nesting = Nesting::default();
        loop {
            // A value is due.
            match self.peek() {
                b'"' => self.string().map(drop)?,
                b'-' | b'0'..=b'9' => self.number().map(drop)?,
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                b'[' => {
                    self.take();
                    if !self.accept(b']') {
                        nesting.push(false);
                        continue;
                    }
                }
                b'{' => {
                    self.take();
                    if !self.accept(b'}') {
                        self.key()?;
                        nesting.push(true);
                        continue;
                    }
                }
                _ => return Err(self.unexpected("a value")),
            }
            // A value has ended.
            loop {
                let Some(object) = nesting.last() else { return Ok(()) };
                if self.more(if object { b'}' } else { b']' })? {
                    if object {
                        self.key()?;
                    }
                    break;
                }
                nesting.pop();
            }
        }
    }

    /// Something stands here that JSON does not allow.
    #[cold]
    pub(crate) fn unexpected(&mut self, wanted: impl std::fmt::Display) -> Box<Fault> {
        if self.peek() == 0 && self.at >= self.line.len() {
            return Fault::json(self.at, format!("the line ends where {wanted} is expected"), CUT_OFF);
        }
        Fault::json(self.at, format!("{wanted} is expected, not {}", self.here()), SYNTAX)
    }

    /// A value of the wrong type stands here, or none at all.
    #[cold]
    pub(crate) fn wanted(&mut self, wanted: &str) -> Box<Fault> {
        match self.peek() {
            b'"' | b'-' | b'0'..=b'9' | b'[' | b'{' | b't' | b'f' | b'n' => Fault::field(
                self.at,
                format!("this must be {wanted}"),
                "docs/interchange.md lists every field",
            ),
            _ => self.unexpected(wanted),
        }
    }

    /// The character at this place, for a message.
    fn here(&self) -> String {
        let rest = &self.line[self.at..self.line.len().min(self.at + 4)];
        match String::from_utf8_lossy(rest).chars().next() {
            Some(character) if character.is_control() => character.escape_default().to_string(),
            Some(character) => format!("`{character}`"),
            None => "the end".to_owned(),
        }
    }
}

/// The first byte from `at` on that ends the plain part of a string: a quote, a backslash, a control character, or the
/// end of the line.
#[inline]
fn plain_end(line: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // Eight bytes at once: a zero byte in `word ^ pattern` is a match, and borrows out of `word - 0x20…` are the
    // control characters. Borrows can only be wrong above the first true match, and only the first one is used.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    while let Some(Ok(eight)) = line.get(at..at + 8).map(<[u8; 8]>::try_from) {
        let word = u64::from_le_bytes(eight);
        let quote = zero(word ^ (ONES * u64::from(b'"')));
        let backslash = zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quote | backslash | control) & HIGH;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < line.len() && !matches!(line[at], b'"' | b'\\' | 0..0x20) {
        at += 1;
    }
    at
}

/// The open arrays and objects around a value, one bit each.
#[derive(Default)]
struct Nesting {
    /// The innermost levels, up to 64.
    bits: u64,
    depth: usize,
    /// Full words of the levels outside.
    outer: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, object: bool) {
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth += 1;
    }

    fn last(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.bits & 1 == 1)
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.bits >>= 1;
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.bits = self.outer.pop().unwrap_or(0);
        }
    }
}

/// The text of a scanned string. Half of a surrogate pair without its other half, which some languages' strings hold,
/// becomes U+FFFD.
pub(crate) fn decode(raw: &[u8]) -> Cow<'_, str> {
    if memchr::memchr(b'\\', raw).is_none() {
        return String::from_utf8_lossy(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut pieces = Pieces { raw };
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Plain(plain) => text.push_str(&String::from_utf8_lossy(plain)),
            Piece::Escaped(character) => text.push(character),
        }
    }
    Cow::Owned(text)
}

/// How many characters a scanned string has, and the length in bytes of its first `limit` characters as they stand.
pub(crate) fn measure(raw: &[u8], limit: u64) -> (u64, usize) {
    let mut pieces = Pieces { raw };
    let (mut count, mut cut) = (0, raw.len());
    loop {
        let before = raw.len() - pieces.raw.len();
        let piece = match pieces.next() {
            Some(Piece::Plain(plain)) => plain,
            Some(Piece::Escaped(_)) => {
                if count == limit {
                    cut = before;
                }
                count += 1;
                continue;
            }
            None => return (count, cut),
        };
        let characters = piece.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        if (count..count + characters).contains(&limit) {
            let mut starts = (0..piece.len()).filter(|at| piece[*at] & 0xC0 != 0x80);
            cut = before + starts.nth((limit - count) as usize).unwrap_or(0);
        }
        count += characters;
    }
}

enum Piece<'a> {
    Plain(&'a [u8]),
    Escaped(char),
}

struct Pieces<'a> {
    raw: &'a [u8],
}

impl<'a> Pieces<'a> {
    fn next(&mut self) -> Option<Piece<'a>> {
        match memchr::memchr(b'\\', self.raw) {
            _ if self.raw.is_empty() => None,
            Some(0) => Some(Piece::Escaped(self.escaped())),
            end => {
                let (plain, rest) = self.raw.split_at(end.unwrap_or(self.raw.len()));
                self.raw = rest;
                Some(Piece::Plain(plain))
            }
        }
    }

    fn escaped(&mut self) -> char {
        let letter = self.raw.get(1).copied().unwrap_or(b'\\');
        if letter == b'u' {
            let first = hexadecimal(self.raw);
            self.raw = self.raw.get(6..).unwrap_or_default();
            if (0xD800..0xDC00).contains(&first) && self.raw.starts_with(b"\\u") {
                let second = hexadecimal(self.raw);
                if (0xDC00..0xE000).contains(&second) {
                    self.raw = self.raw.get(6..).unwrap_or_default();
                    let scalar = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                    return char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
                }
            }
            return char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        self.raw = self.raw.get(2..).unwrap_or_default();
        match letter {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            other => char::from(other),
        }
    }
}

/// The number in `\uXXXX`.
fn hexadecimal(escape: &[u8]) -> u32 {
    let digits = escape.get(2..6).and_then(|digits| std::str::from_utf8(digits).ok());
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0xFFFD)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> String {
        decode(Scanner::new(text.as_bytes()).string().unwrap()).into_owned()
    }

    #[test]
    fn strings_are_decoded() {
        assert_eq!(string(r#""a\"\\\/\b\f\n\r\té""#), "a\"\\/\u{8}\u{c}\n\r\té");
        assert_eq!(string(r#""\u00e9\ud83d\ude00 \ud83d \ude00""#), "é😀 \u{FFFD} \u{FFFD}");
        assert_eq!(string(r#""\ud83d\ud83d\ude00x""#), "\u{FFFD}😀x");
    }

    #[test]
    fn a_plain_part_ends_where_it_should() {
        // Every place in a word, after and before bytes that could be taken for the end.
        for ending in [b'"', b'\\', 0x00, 0x1F] {
            for before in [b' ', b'!', b'#', b'[', b']', 0x7F, 0xA2, 0xDC, 0x80, 0xFF] {
                for at in 0..20 {
                    let mut line = vec![before; 24];
                    line[at] = ending;
                    assert_eq!(plain_end(&line, 0), at, "{ending} after {before}");
                }
                assert_eq!(plain_end(&[before; 24], 0), 24);
            }
        }
    }

    #[test]
    fn numbers_are_what_json_says() {
        let length = |text: &str| Scanner::new(text.as_bytes()).number().map(<[u8]>::len).ok();
        for text in ["0", "-0", "10", "-1.50", "1e9", "1E+09", "0.0e-0", "123456789012345678901234567890"] {
            assert_eq!(length(text), Some(text.len()), "{text}");
        }
        for text in ["", "-", "+1", "01", "00", ".5", "1.", "1.e1", "1e", "1e+", "-a"] {
            assert_eq!(length(text), None, "{text}");
        }
        let small = |text: &str| Scanner::new(text.as_bytes()).small_whole();
        assert_eq!(small("999999999999999999,"), Some(999_999_999_999_999_999));
        assert_eq!(small("0}"), Some(0));
        for text in ["9999999999999999999", "1.0", "1e1", "01", "-1", "x", ""] {
            assert_eq!(small(text), None, "{text}");
        }
    }

    #[test]
    fn nesting_remembers_every_level() {
        let mut nesting = Nesting::default();
        let object = |level: usize| level.is_multiple_of(3) || level.is_multiple_of(7);
        for level in 0..1000 {
            nesting.push(object(level));
        }
        for level in (0..1000).rev() {
            assert_eq!(nesting.last(), Some(object(level)));
            nesting.pop();
        }
        assert_eq!(nesting.last(), None);
    }

    #[test]
    fn characters_are_counted_and_cut() {
        let raw = r"aé\n\ud83d\ude00z".as_bytes();
        let cut = |limit| {
            let (count, end) = measure(raw, limit);
            (count, decode(&raw[..end]).into_owned())
        };
        assert_eq!(cut(0), (5, "".into()));
        assert_eq!(cut(2), (5, "aé".into()));
        assert_eq!(cut(3), (5, "aé\n".into()));
        assert_eq!(cut(4), (5, "aé\n😀".into()));
        assert_eq!(cut(9), (5, "aé\n😀z".into()));
    }
}
