//! Reads source files as tokens, so that a count is of code and not of comments or of parts of words.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The folder with `Cargo.toml`, `ARCHITECTURE.md` and `.git`.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A Rust file without its tests.
pub(crate) struct RustFile {
    /// From the root, as in `crates/tree/src/lib.rs`.
    pub(crate) path: String,
    pub(crate) lines: usize,
    /// Code, with everything in brackets in place: see [`Token`].
    pub(crate) tokens: Vec<Token>,
    /// The doc comments, one after another.
    pub(crate) documentation: String,
    /// The longest functions: name and lines.
    pub(crate) functions: Vec<(String, usize)>,
}

/// A token; brackets are words of their own.
#[derive(Debug, PartialEq)]
pub(crate) enum Token {
    /// An identifier, a punctuation character, a bracket, or a literal that is no string.
    Word(String),
    /// What a string literal contains, as it is written.
    Text(String),
}

impl Token {
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self, Token::Word(own) if own == word)
    }
}

impl RustFile {
    /// The room of the file: the name of its folder in `crates/`.
    pub(crate) fn room(&self) -> &str {
        self.path.split('/').nth(1).unwrap()
    }

    /// The file's string literals.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Text(text) => Some(text.as_str()),
            Token::Word(_) => None,
        })
    }

    /// How often these words follow one another.
    pub(crate) fn count(&self, words: &[&str]) -> usize {
        self.tokens
            .windows(words.len())
            .filter(|tokens| tokens.iter().zip(words).all(|(token, word)| token.is(word)))
            .count()
    }

    fn read(path: &Path) -> RustFile {
        let text = fs::read_to_string(path).unwrap();
        let stream =
            TokenStream::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut file = RustFile {
            path: path.strip_prefix(root()).unwrap().display().to_string(),
            lines: text.lines().count(),
            tokens: Vec::new(),
            documentation: String::new(),
            functions: Vec::new(),
        };
        file.walk(stream);
        file
    }

    fn walk(&mut self, stream: TokenStream) {
        let mut function: Option<(String, usize)> = None;
        let mut for_tests = false;
        let mut tokens = stream.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) => {
                    if punct.as_char() == '#'
                        && let Some(attribute) = bracketed(tokens.peek())
                    {
                        let text = attribute.stream().to_string();
                        for_tests |= text.replace(' ', "") == "cfg(test)" || text == "test";
                        if let Some(words) = documentation(attribute) {
                            self.documentation.push_str(&words);
                            self.documentation.push('\n');
                            tokens.next();
                            continue;
                        }
                    }
                    if punct.as_char() == ';' {
                        (function, for_tests) = (None, false);
                    }
                    self.tokens.push(Token::Word(punct.as_char().to_string()));
                }
                TokenTree::Ident(ident) => {
                    if ident == "fn"
                        && let Some(TokenTree::Ident(name)) = tokens.peek()
                    {
                        function = Some((name.to_string(), ident.span().start().line));
                    }
                    self.tokens.push(Token::Word(ident.to_string()));
                }
                TokenTree::Literal(literal) => {
                    let written = literal.to_string();
                    let text = written.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
                    self.tokens.push(match text {
                        Some((text, _)) if !written.starts_with('\'') => Token::Text(text.to_owned()),
                        _ => Token::Word(written),
                    });
                }
                TokenTree::Group(group) => {
                    let braces = group.delimiter() == Delimiter::Brace;
                    if braces && for_tests {
                        (function, for_tests) = (None, false);
                        continue;
                    }
                    if braces && let Some((name, start)) = function.take() {
                        self.functions.push((name, group.span_close().end().line + 1 - start));
                    }
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.tokens.push(Token::Word(open.to_owned()));
                    self.walk(group.stream());
                    self.tokens.push(Token::Word(close.to_owned()));
                }
            }
        }
    }
}

fn bracketed(token: Option<&TokenTree>) -> Option<&Group> {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => Some(group),
        _ => None,
    }
}

/// The text of `#[doc = "..."]`, which is what a doc comment is.
fn documentation(attribute: &Group) -> Option<String> {
    let mut tokens = attribute.stream().into_iter();
    match (tokens.next()?, tokens.next()?, tokens.next()?) {
        (TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(text)) if name == "doc" => {
            Some(text.to_string().trim_matches('"').to_owned())
        }
        _ => None,
    }
}

/// The sources of every room, their tests left out.
pub(crate) fn rust_files() -> Vec<RustFile> {
    let mut paths = Vec::new();
    for room in fs::read_dir(root().join("crates")).unwrap() {
        let sources = room.unwrap().path().join("src");
        if sources.is_dir() {
            collect(&sources, "rs", &mut paths);
        }
    }
    paths.retain(|path| !path.components().any(|part| part.as_os_str() == "tests"));
    paths.retain(|path| path.file_name().is_none_or(|name| name != "tests.rs"));
    paths.sort();
    paths.iter().map(|path| RustFile::read(path)).collect()
}

/// Texts with their paths from the root: all files in a folder that end like this.
pub(crate) fn texts(folder: &str, extension: &str) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    collect(&root().join(folder), extension, &mut paths);
    paths.sort();
    let named = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path.strip_prefix(root()).unwrap().display().to_string(), text)
    };
    paths.into_iter().map(named).collect()
}

fn collect(folder: &Path, extension: &str, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extension, paths);
        } else if path.extension().is_some_and(|own| own == extension) {
            paths.push(path);
        }
    }
}
