//! From text to tokens (Haskell 2010, chapter 2; Curry report, appendix C).
//!
//! One pass over the bytes; only names, operators and strings outside ASCII look at characters. Text that the
//! lexer cannot read becomes a diagnostic and at most a [`Kind::Bad`] token; the lexer never stops before the
//! end.

use gadfly_source::{FileId, Span};

use crate::Dialect;
use crate::names::{Interner, QName, Symbol, known};
use crate::report::Report;
use crate::token::{FIRST_ON_LINE, Kind, SPACE_AFTER, SPACE_BEFORE, Token, Tokens};
use crate::tree::{Overlap, Place, Tree};

/// The tokens of `text`; strings go to `tree`, complaints to `report`.
pub(crate) fn lex(
    text: &str,
    dialect: Dialect,
    interner: &mut Interner,
    tree: &mut Tree,
    report: &mut Report,
) -> Tokens {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        dialect,
        interner,
        file: tree.file(),
        tree,
        report,
        at: 0,
        mark: 0,
        mark_column: 1,
        first: true,
        preprocessor: false,
        unicode_syntax: false,
        magic_hash: false,
        data_kinds: false,
        out: Tokens { tokens: Vec::with_capacity(text.len() / 5 + 1), ..Tokens::default() },
    };
    lexer.run();
    lexer.out
}

pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    dialect: Dialect,
    pub(super) interner: &'a mut Interner,
    pub(super) tree: &'a mut Tree,
    pub(super) report: &'a mut Report,
    file: FileId,
    /// The next byte.
    pub(super) at: usize,
    /// A byte of the current line whose column is known.
    mark: usize,
    mark_column: u32,
    /// No token of this line was seen yet.
    first: bool,
    /// A preprocessor line was already reported.
    preprocessor: bool,
    unicode_syntax: bool,
    magic_hash: bool,
    data_kinds: bool,
    pub(super) out: Tokens,
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
            self.mark = 3;
        }
        if self.bytes[self.at..].starts_with(b"#!") {
            self.skip_line();
        }
        loop {
            self.skip_blank();
            let Some(byte) = self.peek() else { break };
            match CLASS[byte as usize] {
                Class::Small => self.variable(),
                Class::Large => self.constructor(),
                Class::Digit => self.number(),
                Class::Symbol => self.operator(self.at),
                Class::Special => self.special(byte),
                Class::Quote if byte == b'"' => self.string(),
                Class::Quote if self.data_kinds && self.is_promoted() => self.promoted(),
                Class::Quote => self.character(),
                Class::Blank => unreachable!("blanks were skipped"),
                Class::Other => self.other(),
            }
        }
        let end = self.bytes.len();
        self.first = true;
        self.emit(Kind::End, end, 0);
        if let Some(last) = self.out.tokens.last_mut() {
            last.column = 0;
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<u8> {
        self.bytes.get(self.at + offset).copied()
    }

    /// The character at a byte that is the start of one.
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..).and_then(|rest| rest.chars().next())
    }

    /// Adds the token from `start` to here.
    pub(super) fn emit(&mut self, kind: Kind, start: usize, value: u32) {
        let column = self.column(start);
        let flags = if self.first { FIRST_ON_LINE } else { 0 };
        self.first = false;
        self.out.tokens.push(Token { kind, flags, start: start as u32, end: self.at as u32, column, value });
    }

    /// The column of a byte of the current line; calls must not go backwards.
    fn column(&mut self, at: usize) -> u32 {
        let mut column = self.mark_column;
        for &byte in &self.bytes[self.mark..at] {
            if byte == b'\t' {
                column = (column - 1) / 8 * 8 + 9;
            } else if byte & 0xc0 != 0x80 {
                column += 1;
            }
        }
        self.mark = at;
        self.mark_column = column;
        column
    }

    /// Takes note that a line begins at `at`.
    pub(super) fn new_line(&mut self, at: usize) {
        self.mark = at;
        self.mark_column = 1;
    }

    pub(super) fn place_from(&self, start: usize) -> Place {
        Place { start: start as u32, end: self.at as u32 }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// White space, comments, pragmas and preprocessor lines.
    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.new_line(self.at);
                    self.first = true;
                    if self.peek() == Some(b'#') {
                        self.preprocessor_line();
                    }
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'-' if self.is_line_comment() => self.skip_line(),
                b'{' if self.peek_at(1) == Some(b'-') => self.block_comment(),
                b'#' if self.at == 0 => {
                    self.preprocessor_line();
                    if self.at == 0 {
                        return;
                    }
                }
                128.. => match self.char_at(self.at) {
                    Some(c) if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// At `-`: dashes that are not part of an operator. In Curry any two dashes begin a comment.
    fn is_line_comment(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let dashes = rest.iter().take_while(|&&byte| byte == b'-').count();
        let after = self.char_at(self.at + dashes);
        dashes >= 2 && (self.dialect == Dialect::Curry || !after.is_some_and(is_symbol))
    }

    /// At `{-`: a comment, which may hold others, or a pragma.
    fn block_comment(&mut self) {
        let start = self.at;
        let pragma = self.peek_at(2) == Some(b'#');
        self.at += 2;
        let mut depth = 1;
        while depth > 0 {
            match self.peek() {
                None => {
                    self.report.error(
                        Place { start: start as u32, end: start as u32 + 2 },
                        "this comment is never closed",
                        "begins here",
                        "Close it with `-}`; comments may stand inside comments, so count them.",
                    );
                    self.out.cut_short = true;
                    return;
                }
                Some(b'{') if self.peek_at(1) == Some(b'-') => {
                    self.at += 2;
                    depth += 1;
                }
                Some(b'-') if self.peek_at(1) == Some(b'}') => {
                    self.at += 2;
                    depth -= 1;
                }
                Some(b'\n') => {
                    self.at += 1;
                    self.new_line(self.at);
                    self.first = true;
                }
                Some(_) => self.at += 1,
            }
        }
        if pragma {
            self.pragma(start);
        }
    }

    /// Takes the extensions out of the pragma that began at `start` and ends here.
    fn pragma(&mut self, start: usize) {
        let inside = self.text.get(start + 3..self.at.saturating_sub(3)).unwrap_or("");
        let word = inside.trim_start().split(|c: char| c.is_whitespace()).next().unwrap_or("");
        if let Some(overlap) = overlap(word) {
            self.out.overlaps.push((self.out.tokens.len(), overlap));
            return;
        }
        let options = word.to_ascii_uppercase().starts_with("OPTIONS");
        if !options && !word.eq_ignore_ascii_case("LANGUAGE") {
            return;
        }
        let base = inside.as_ptr() as usize - self.text.as_ptr() as usize;
        for name in
            inside.split([',', ' ', '\t', '\n', '\r']).filter(|name| !name.is_empty() && *name != word)
        {
            let extension = match name.strip_prefix("-X") {
                Some(extension) if options => extension,
                None if !options => name,
                _ => continue,
            };
            let from = (base + (extension.as_ptr() as usize - inside.as_ptr() as usize)) as u32;
            let span = Span::new(self.file, from, from + extension.len() as u32);
            self.unicode_syntax |= extension == "UnicodeSyntax";
            self.magic_hash |= extension == "MagicHash";
            self.data_kinds |= extension == "DataKinds";
            // That a file needs the preprocessor is said where it does.
            if extension != "CPP" {
                let extension = self.interner.intern(extension);
                self.out.extensions.push((extension, span));
            }
        }
    }

    /// At a `#` that begins a line: skips a line for the C preprocessor.
    fn preprocessor_line(&mut self) {
        const DIRECTIVES: &[&str] = &[
            "if", "ifdef", "ifndef", "elif", "else", "endif", "define", "undef", "include", "error", "line",
        ];
        let start = self.at;
        let rest = self.text[start + 1..].trim_start_matches([' ', '\t']);
        let word = &rest[..rest.bytes().take_while(u8::is_ascii_alphanumeric).count()];
        if !DIRECTIVES.contains(&word) {
            return;
        }
        self.skip_line();
        while self.bytes[start..self.at].ends_with(b"\\") && self.peek() == Some(b'\n') {
            self.at += 1;
            self.skip_line();
        }
        if !self.preprocessor {
            self.preprocessor = true;
            self.report.error(
                self.place_from(start),
                "this file needs the C preprocessor, which is not supported",
                "a line for the preprocessor",
                "Run the preprocessor first (`ghc -E`, `cpp -traditional`) and give its output.",
            );
        }
    }

    fn special(&mut self, byte: u8) {
        let start = self.at;
        self.at += 1;
        let kind = match byte {
            b'(' => Kind::OpenParen,
            b')' => Kind::CloseParen,
            b'[' => Kind::OpenBracket,
            b']' => Kind::CloseBracket,
            b'{' => Kind::OpenBrace,
            b'}' => Kind::CloseBrace,
            b',' => Kind::Comma,
            b';' => Kind::Semicolon,
            _ => Kind::Backquote,
        };
        self.emit(kind, start, 0);
    }

    /// Skips the rest of a name.
    fn name_end(&mut self) {
        while let Some(byte) = self.peek() {
            match CLASS[byte as usize] {
                Class::Small | Class::Large | Class::Digit => self.at += 1,
                Class::Quote if byte == b'\'' => self.at += 1,
                Class::Other if byte >= 128 => match self.char_at(self.at) {
                    Some(c) if c.is_alphanumeric() || is_mark(c) => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        while self.magic_hash && self.peek() == Some(b'#') {
            self.at += 1;
        }
    }

    fn variable(&mut self) {
        let start = self.at;
        self.name_end();
        let symbol = self.interner.intern(&self.text[start..self.at]);
        let kind = self.keyword(symbol).unwrap_or(Kind::VarId);
        self.emit(kind, start, symbol.index() as u32);
    }

    fn keyword(&self, symbol: Symbol) -> Option<Kind> {
        if symbol > known::FREE {
            return None;
        }
        Some(match symbol {
            known::CASE => Kind::Case,
            known::CLASS => Kind::Class,
            known::DATA => Kind::Data,
            known::DEFAULT => Kind::Default,
            known::DERIVING => Kind::Deriving,
            known::DO => Kind::Do,
            known::ELSE => Kind::Else,
            known::IF => Kind::If,
            known::IMPORT => Kind::Import,
            known::IN => Kind::In,
            known::INFIX => Kind::Infix,
            known::INFIXL => Kind::Infixl,
            known::INFIXR => Kind::Infixr,
            known::INSTANCE => Kind::Instance,
            known::LET => Kind::Let,
            known::MODULE => Kind::Module,
            known::NEWTYPE => Kind::Newtype,
            known::OF => Kind::Of,
            known::THEN => Kind::Then,
            known::TYPE => Kind::Type,
            known::WHERE => Kind::Where,
            known::UNDERSCORE => Kind::Underscore,
            known::FOREIGN if self.dialect == Dialect::Haskell => Kind::Foreign,
            known::EXTERNAL if self.dialect == Dialect::Curry => Kind::External,
            known::FCASE if self.dialect == Dialect::Curry => Kind::Fcase,
            known::FREE if self.dialect == Dialect::Curry => Kind::Free,
            _ => return None,
        })
    }

    /// A constructor, or a qualified name: as long as it can be.
    fn constructor(&mut self) {
        let start = self.at;
        let mut last = start;
        self.name_end();
        while self.peek() == Some(b'.') {
            let dot = self.at;
            let Some(next) = self.char_at(dot + 1) else { break };
            self.at = dot + 1;
            if is_large(next) {
                last = self.at;
                self.name_end();
                continue;
            }
            if is_small(next) {
                self.name_end();
                let name = self.interner.intern(&self.text[dot + 1..self.at]);
                if self.keyword(name).is_none() {
                    return self.qualified(Kind::QVarId, start, dot, name);
                }
            } else if is_symbol(next) {
                self.symbol_end();
                let text = &self.text[dot + 1..self.at];
                if reserved_operator(text).is_none() {
                    let kind = if text.starts_with(':') { Kind::QConSym } else { Kind::QVarSym };
                    let name = self.interner.intern(text);
                    return self.qualified(kind, start, dot, name);
                }
            }
            self.at = dot;
            break;
        }
        let name = self.interner.intern(&self.text[last..self.at]);
        if last == start {
            self.emit(Kind::ConId, start, name.index() as u32);
        } else {
            self.qualified(Kind::QConId, start, last - 1, name);
        }
    }

    /// At `'`: a constructor that stands in a type, such as `'Zero` or `'[]`, not a character.
    fn is_promoted(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        let mut chars = rest.chars();
        let first = chars.next();
        rest.starts_with("[]") || (first.is_some_and(is_large) && chars.next() != Some('\''))
    }

    fn promoted(&mut self) {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'[') => self.at += 2,
            _ => self.name_end(),
        }
        let name = self.interner.intern(&self.text[start..self.at]);
        self.emit(Kind::ConId, start, name.index() as u32);
    }

    fn qualified(&mut self, kind: Kind, start: usize, dot: usize, name: Symbol) {
        let qualifier = self.interner.intern(&self.text[start..dot]);
        self.out.qualified.push(QName { qualifier: Some(qualifier), name });
        self.emit(kind, start, self.out.qualified.len() as u32 - 1);
        self.mark_prefix(start);
    }

    fn symbol_end(&mut self) {
        while let Some(byte) = self.peek() {
            match CLASS[byte as usize] {
                Class::Symbol => self.at += 1,
                Class::Other if byte >= 128 => match self.char_at(self.at) {
                    Some(c) if is_symbol(c) => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
    }

    fn operator(&mut self, start: usize) {
        self.symbol_end();
        let text = &self.text[start..self.at];
        let kind = match reserved_operator(text) {
            Some(kind) => kind,
            None => match text {
                "-" => Kind::Minus,
                "!" => Kind::Bang,
                "." => Kind::Dot,
                "*" => Kind::Star,
                "∷" if self.unicode_syntax => Kind::DoubleColon,
                "⇒" if self.unicode_syntax => Kind::DoubleArrow,
                "→" if self.unicode_syntax => Kind::RightArrow,
                "←" if self.unicode_syntax => Kind::LeftArrow,
                "★" if self.unicode_syntax => Kind::Star,
                "∀" if self.unicode_syntax => Kind::VarId,
                _ if text.starts_with(':') => Kind::ConSym,
                _ => Kind::VarSym,
            },
        };
        let symbol = match kind {
            Kind::VarId => known::FORALL,
            Kind::Star => known::STAR,
            _ => self.interner.intern(text),
        };
        self.emit(kind, start, symbol.index() as u32);
        self.mark_prefix(start);
    }

    /// Notes how the operator just made stands: `a ! b`, `a!b` or `a !b`.
    fn mark_prefix(&mut self, start: usize) {
        let closes = self.text[..start]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '"' | ')' | ']' | '}'));
        let opens = self
            .char_at(self.at)
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '"' | '(' | '['));
        if let Some(token) = self.out.tokens.last_mut() {
            token.flags |= if closes { 0 } else { SPACE_BEFORE } | if opens { 0 } else { SPACE_AFTER };
        }
    }

    /// A character outside ASCII, or a control character.
    fn other(&mut self) {
        let start = self.at;
        let Some(c) = self.char_at(start) else {
            self.at += 1;
            return;
        };
        if is_large(c) {
            return self.constructor();
        }
        if is_small(c) {
            return self.variable();
        }
        if is_symbol(c) && !matches!(c, '‘' | '’' | '“' | '”') {
            return self.operator(start);
        }
        while let Some(c) = self.char_at(self.at) {
            let known =
                c.is_alphanumeric() || c.is_whitespace() || is_symbol(c) || (c.is_ascii() && !c.is_control());
            if known && self.at > start {
                break;
            }
            self.at += c.len_utf8();
        }
        let hint = match c {
            '‘' | '’' | '“' | '”' => "Use the plain quotes `'` and `\"`.",
            _ => "Remove it; it may be invisible in your editor.",
        };
        let message = format!("the character {} has no meaning here", c.escape_debug());
        self.report.error(self.place_from(start), message, "", hint);
        self.emit(Kind::Bad, start, 0);
    }
}

/// What a pragma says about how an instance overlaps with others.
fn overlap(word: &str) -> Option<Overlap> {
    let none = Overlap::default();
    Some(match word.to_ascii_uppercase().as_str() {
        "OVERLAPPING" => Overlap { overlapping: true, ..none },
        "OVERLAPPABLE" => Overlap { overlappable: true, ..none },
        "OVERLAPS" => Overlap { overlapping: true, overlappable: true, ..none },
        "INCOHERENT" => Overlap { overlapping: true, overlappable: true, incoherent: true },
        _ => return None,
    })
}

fn reserved_operator(text: &str) -> Option<Kind> {
    Some(match text {
        ".." => Kind::DotDot,
        ":" => Kind::Colon,
        "::" => Kind::DoubleColon,
        "=" => Kind::Equals,
        "\\" => Kind::Backslash,
        "|" => Kind::Bar,
        "<-" => Kind::LeftArrow,
        "->" => Kind::RightArrow,
        "@" => Kind::At,
        "~" => Kind::Tilde,
        "=>" => Kind::DoubleArrow,
        _ => return None,
    })
}

/// Begins a variable. Letters without case count as small, as in GHC.
fn is_small(c: char) -> bool {
    c == '_' || (c.is_alphabetic() && !is_large(c))
}

fn is_large(c: char) -> bool {
    c.is_uppercase() || is_title_case(c)
}

fn is_title_case(c: char) -> bool {
    matches!(c, 'ǅ' | 'ǈ' | 'ǋ' | 'ǲ' | 'ᾈ'..='ᾏ' | 'ᾘ'..='ᾟ' | 'ᾨ'..='ᾯ' | 'ᾼ' | 'ῌ' | 'ῼ')
}

/// Combining marks: part of a name, though not letters.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// A character of operators: the ASCII ones of the report, and every other symbol or punctuation character.
fn is_symbol(c: char) -> bool {
    if c.is_ascii() {
        return CLASS[c as usize] == Class::Symbol;
    }
    let format = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff0}'..='\u{ffff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..);
    !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control() && !is_mark(c) && !format
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Small,
    Large,
    Digit,
    Symbol,
    Special,
    Quote,
    Other,
}

const CLASS: [Class; 256] = {
    let mut class = [Class::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        class[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Blank,
            b'a'..=b'z' | b'_' => Class::Small,
            b'A'..=b'Z' => Class::Large,
            b'0'..=b'9' => Class::Digit,
            b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'.' | b'/' | b'<' | b'=' | b'>' | b'?'
            | b'@' | b'\\' | b'^' | b'|' | b'-' | b'~' | b':' => Class::Symbol,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b';' | b'`' => Class::Special,
            b'"' | b'\'' => Class::Quote,
            _ => Class::Other,
        };
        byte += 1;
    }
    class
};

#[cfg(test)]
mod tests;
