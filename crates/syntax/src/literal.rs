//! Numbers, characters and strings (Haskell 2010 §2.5, §2.6).

use crate::lexer::Lexer;
use crate::token::Kind;
use crate::tree::Literal;

/// The names of control characters in escapes. `SO` stands after `SOH`: the longest name wins.
const CONTROLS: &[(&str, u32)] = &[
    ("NUL", 0),
    ("SOH", 1),
    ("STX", 2),
    ("ETX", 3),
    ("EOT", 4),
    ("ENQ", 5),
    ("ACK", 6),
    ("BEL", 7),
    ("BS", 8),
    ("HT", 9),
    ("LF", 10),
    ("VT", 11),
    ("FF", 12),
    ("CR", 13),
    ("SO", 14),
    ("SI", 15),
    ("DLE", 16),
    ("DC1", 17),
    ("DC2", 18),
    ("DC3", 19),
    ("DC4", 20),
    ("NAK", 21),
    ("SYN", 22),
    ("ETB", 23),
    ("CAN", 24),
    ("EM", 25),
    ("SUB", 26),
    ("ESC", 27),
    ("FS", 28),
    ("GS", 29),
    ("RS", 30),
    ("US", 31),
    ("SP", 32),
    ("DEL", 127),
];

/// One unit of a string or character literal.
enum Unit {
    Char(u32),
    /// `\&` or a gap: nothing.
    Nothing,
    /// Reported already.
    Bad,
}

impl Lexer<'_> {
    pub(super) fn number(&mut self) {
        let start = self.at;
        let radix = match (self.bytes[start], self.peek_at(1)) {
            (b'0', Some(b'x' | b'X')) => 16,
            (b'0', Some(b'o' | b'O')) => 8,
            (b'0', Some(b'b' | b'B')) => 2,
            _ => 10,
        };
        let digit = |byte: Option<u8>| byte.is_some_and(|byte| (byte as char).is_digit(radix));
        if radix != 10 {
            let prefix = if self.peek_at(2) == Some(b'_') { 3 } else { 2 };
            if digit(self.peek_at(prefix)) {
                self.at += prefix;
                self.digits(radix);
                return self.integer(start, radix);
            }
        }
        self.digits(10);
        let mut fractional = false;
        if self.peek() == Some(b'.') && self.peek_at(1).is_some_and(|byte| byte.is_ascii_digit()) {
            fractional = true;
            self.at += 1;
            self.digits(10);
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.peek_at(1), Some(b'+' | b'-')));
            if self.peek_at(1 + sign).is_some_and(|byte| byte.is_ascii_digit()) {
                fractional = true;
                self.at += 1 + sign;
                self.digits(10);
            }
        }
        if fractional {
            let symbol = self.intern_number(start);
            self.literal(Kind::Fractional, start, Literal::Fractional(symbol));
        } else {
            self.integer(start, 10);
        }
    }

    /// Digits, with `_` between them.
    fn digits(&mut self, radix: u32) {
        while let Some(byte) = self.peek() {
            let underscores = self.bytes[self.at..].iter().take_while(|&&byte| byte == b'_').count();
            if (byte as char).is_digit(radix) {
                self.at += 1;
            } else if underscores > 0
                && self.peek_at(underscores).is_some_and(|byte| (byte as char).is_digit(radix))
            {
                self.at += underscores;
            } else {
                break;
            }
        }
    }

    fn integer(&mut self, start: usize, radix: u32) {
        let prefix = if radix == 10 { 0 } else { 2 };
        let mut value = Some(0_u32);
        for byte in &self.bytes[start + prefix..self.at] {
            if let Some(digit) = (*byte as char).to_digit(radix) {
                value = value.and_then(|value| value.checked_mul(radix)?.checked_add(digit));
            }
        }
        let literal = match value {
            Some(value) => Literal::Integer(value),
            None => Literal::LargeInteger(self.intern_number(start)),
        };
        self.literal(Kind::Integer, start, literal);
    }

    fn intern_number(&mut self, start: usize) -> crate::names::Symbol {
        let text = &self.text[start..self.at];
        if text.contains(|c: char| c == '_' || c.is_ascii_uppercase()) {
            let text: String = text.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
            self.interner.intern(&text)
        } else {
            self.interner.intern(text)
        }
    }

    fn literal(&mut self, kind: Kind, start: usize, literal: Literal) {
        self.out.literals.push(literal);
        self.emit(kind, start, self.out.literals.len() as u32 - 1);
    }

    pub(super) fn character(&mut self) {
        let start = self.at;
        self.at += 1;
        let unit = match self.peek() {
            None | Some(b'\n' | b'\'') => Unit::Nothing,
            // A gap belongs into a string.
            Some(b'\\') if self.peek_at(1).is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0x0b) => {
                self.at += 1;
                Unit::Nothing
            }
            Some(b'\\') => self.escape(),
            Some(_) => self.plain(),
        };
        if self.peek() == Some(b'\'') {
            self.at += 1;
            match unit {
                Unit::Char(code) => return self.literal(Kind::Char, start, Literal::Char(code)),
                Unit::Nothing => self.bad_character(start),
                Unit::Bad => {}
            }
        } else if !matches!(unit, Unit::Bad) {
            // Text before a closing quote nearby was meant to be one literal.
            let nearby = self.bytes[self.at..].iter().take(40).take_while(|&&byte| byte != b'\n');
            if let Some(close) = nearby.enumerate().find_map(|(at, byte)| (*byte == b'\'').then_some(at)) {
                self.at += close + 1;
            }
            self.bad_character(start);
        }
        self.emit(Kind::Bad, start, 0);
    }

    fn bad_character(&mut self, start: usize) {
        self.report.error(
            self.place_from(start),
            "a character literal holds exactly one character",
            "",
            "Strings stand in double quotes: \"like this\".",
        );
    }

    pub(super) fn string(&mut self) {
        let start = self.at;
        let mut codes = Vec::new();
        // The token's column is that of its first byte, whatever lines a gap crosses.
        self.emit(Kind::String, start, 0);
        let token = self.out.tokens.len() - 1;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                None | Some(b'\n') => {
                    self.report.error(
                        self.place_from(start),
                        "this string is never closed",
                        "",
                        "Close it with `\"` on the same line, or end the line and begin the next one with `\\`.",
                    );
                    break;
                }
                Some(b'\\') => {
                    if let Unit::Char(code) = self.escape() {
                        codes.push(code);
                    }
                }
                Some(byte) if byte < 128 => {
                    codes.push(u32::from(byte));
                    self.at += 1;
                }
                Some(_) => {
                    if let Unit::Char(code) = self.plain() {
                        codes.push(code);
                    }
                }
            }
        }
        let codes = self.tree.add_list(&codes);
        self.out.literals.push(Literal::String(codes));
        self.out.tokens[token].end = self.at as u32;
        self.out.tokens[token].value = self.out.literals.len() as u32 - 1;
    }

    fn plain(&mut self) -> Unit {
        match self.char_at(self.at) {
            Some(c) => {
                self.at += c.len_utf8();
                Unit::Char(c as u32)
            }
            None => Unit::Nothing,
        }
    }

    /// At a backslash.
    fn escape(&mut self) -> Unit {
        let start = self.at;
        self.at += 1;
        let Some(byte) = self.peek() else { return self.bad_escape(start) };
        let simple = match byte {
            b'a' => Some(7),
            b'b' => Some(8),
            b'f' => Some(12),
            b'n' => Some(10),
            b'r' => Some(13),
            b't' => Some(9),
            b'v' => Some(11),
            b'\\' | b'"' | b'\'' => Some(u32::from(byte)),
            _ => None,
        };
        if let Some(code) = simple {
            self.at += 1;
            return Unit::Char(code);
        }
        match byte {
            b'&' => {
                self.at += 1;
                Unit::Nothing
            }
            b'^' => match self.peek_at(1) {
                Some(control @ b'@'..=b'_') => {
                    self.at += 2;
                    Unit::Char(u32::from(control - b'@'))
                }
                _ => self.bad_escape(start),
            },
            b'0'..=b'9' => self.numeric_escape(start, 10),
            b'x' | b'X' => {
                self.at += 1;
                self.numeric_escape(start, 16)
            }
            b'o' | b'O' => {
                self.at += 1;
                self.numeric_escape(start, 8)
            }
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.gap(start),
            _ => {
                let rest = &self.text[self.at..];
                let named = CONTROLS.iter().filter(|(name, _)| rest.starts_with(name));
                match named.max_by_key(|(name, _)| name.len()) {
                    Some((name, code)) => {
                        self.at += name.len();
                        Unit::Char(*code)
                    }
                    None => self.bad_escape(start),
                }
            }
        }
    }

    fn numeric_escape(&mut self, start: usize, radix: u32) -> Unit {
        let mut code = 0_u32;
        let from = self.at;
        while let Some(digit) = self.peek().and_then(|byte| (byte as char).to_digit(radix)) {
            code = code.saturating_mul(radix).saturating_add(digit);
            self.at += 1;
        }
        if self.at == from {
            return self.bad_escape(start);
        }
        if code > 0x10_ffff {
            self.report.error(
                self.place_from(start),
                "this escape is beyond the last character",
                "",
                "The last character is `\\1114111`, `\\x10FFFF`.",
            );
            return Unit::Bad;
        }
        Unit::Char(code)
    }

    /// White space between two backslashes.
    fn gap(&mut self, start: usize) -> Unit {
        let place = self.place_from(start);
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.new_line(self.at);
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' => {
                    self.at += 1;
                    return Unit::Nothing;
                }
                _ => break,
            }
        }
        self.report.error(
            place,
            "this gap in a string is never closed",
            "begins here",
            "A string that goes on in the next line has `\\` at the end of this line and before its rest.",
        );
        Unit::Bad
    }

    fn bad_escape(&mut self, start: usize) -> Unit {
        if let Some(c) = self.char_at(self.at).filter(|c| *c != '\n') {
            self.at += c.len_utf8();
        }
        let message = format!("`{}` is not an escape", &self.text[start..self.at]);
        self.report.error(self.place_from(start), message, "", "A backslash itself is written `\\\\`.");
        Unit::Bad
    }
}
