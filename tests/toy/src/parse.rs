//! From text to [`Code`]: words, then statements; and the check that every name is known.
//!
//! The first mistake ends it: it is described with its place and with what to do. What nests deeper than [`DEEPEST`] is
//! a mistake as well, so that nothing that walks over the code, here or later, can run out of stack.

use crate::syntax::{Action, Code, Expression, Function, Piece, PieceKind, Statement};
use gadfly_source::{Diagnostic, FileId, SourceFile, Sources, Span};
use std::collections::HashMap;

/// How deep blocks and expressions may nest; a chain of operators nests once for each.
const DEEPEST: usize = 200;
/// The largest number; a trail has no room for more in one word.
pub(crate) const LARGEST: i64 = (1 << 60) - 1;
/// From the loosest to the tightest.
const OPERATORS: [&[&str]; 3] = [&["==", "!=", "<", "<=", ">", ">="], &["+", "-"], &["*", "/", "%"]];
const KEYWORDS: [&str; 6] = ["fn", "if", "else", "while", "return", "print"];

/// Reads and checks a program.
pub(crate) fn parse(name: &str, text: &str) -> Result<Code, Box<(Diagnostic, Sources)>> {
    let mut sources = Sources::new();
    let file = sources.add(SourceFile::new(name, Some(text.to_owned())));
    let words = words(text);
    let headers = headers(&words);
    let mut parser =
        Parser { file, words, headers, at: 0, nested: 0, variables: Vec::new(), pieces: Vec::new() };
    match parser.program() {
        Ok((functions, main)) => Ok(Code { sources, functions, main }),
        Err(mistake) => Err(Box::new((*mistake, sources))),
    }
}

/// A word of the text and where it begins.
type Word<'t> = (&'t str, usize);

/// The words of a text; comments begin with `#`. The last word is empty: the end.
fn words(text: &str) -> Vec<Word<'_>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            c if is_name(c) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            '=' | '!' | '<' | '>' if rest[1..].starts_with('=') => 2,
            c => c.len_utf8(),
        };
        if first != '#' && !first.is_whitespace() {
            words.push((&rest[..length], at));
        }
        at += length;
    }
    words.push(("", text.len()));
    words
}

/// The functions with their numbers and how many parameters they have: a function may be called before it is defined.
fn headers<'t>(words: &[Word<'t>]) -> HashMap<&'t str, (usize, usize)> {
    let places = words.iter().enumerate().filter(|(_, word)| word.0 == "fn");
    let header = |(number, (at, _)): (usize, (usize, &Word<'t>))| {
        let parameters = words[at..].iter().skip(2).take_while(|word| !matches!(word.0, ")" | "{" | ""));
        (words[(at + 1).min(words.len() - 1)].0, (number, parameters.filter(|word| is_name(word.0)).count()))
    };
    places.enumerate().map(header).collect()
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !KEYWORDS.contains(&word)
}

struct Parser<'t> {
    file: FileId,
    words: Vec<Word<'t>>,
    headers: HashMap<&'t str, (usize, usize)>,
    at: usize,
    nested: usize,
    /// Of the function that is being read.
    variables: Vec<String>,
    pieces: Vec<Piece>,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl<'t> Parser<'t> {
    fn program(&mut self) -> Parsed<(Vec<Function>, usize)> {
        let mut functions: Vec<Function> = Vec::new();
        while !self.peek().is_empty() {
            let start = self.at;
            let function = self.function()?;
            if functions.iter().any(|known| known.name == function.name) {
                self.at = start + 1;
                return Err(self.mistake("this function is defined twice", "give one of them another name"));
            }
            functions.push(function);
        }
        match functions.iter().position(|function| function.name == "main" && function.arity == 0) {
            Some(main) => Ok((functions, main)),
            None => Err(self.mistake("there is no `main` to run", "define a function `fn main() { … }`")),
        }
    }

    fn function(&mut self) -> Parsed<Function> {
        let start = self.at;
        self.expect("fn")?;
        let name = self.name()?.to_owned();
        self.expect("(")?;
        while self.peek() != ")" {
            let parameter = self.name()?;
            if self.variables.iter().any(|known| known == parameter) {
                self.at -= 1;
                return Err(self.mistake("two parameters have this name", "give one of them another name"));
            }
            self.variables.push(parameter.to_owned());
            if self.peek() != ")" {
                self.expect(",")?;
            }
        }
        self.expect(")")?;
        let arity = self.variables.len();
        let body = self.block()?;
        let (variables, pieces) = (std::mem::take(&mut self.variables), std::mem::take(&mut self.pieces));
        Ok(Function { name, span: self.span(start, self.at), variables, arity, pieces, body })
    }

    fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{")?;
        self.deeper()?;
        let mut statements = Vec::new();
        while self.peek() != "}" {
            statements.push(self.statement()?);
        }
        self.nested -= 1;
        self.expect("}")?;
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.at;
        let piece = self.pieces.len();
        let here = self.span(start, start + 1);
        self.pieces.push(Piece { kind: PieceKind::Statement, span: here, own: here });
        let word = self.next();
        // Where the own code of the statement ends, if there are statements inside.
        let mut own = None;
        let action = match word {
            "if" => {
                let condition = self.expression(0)?;
                own = Some(self.at);
                let yes = self.block()?;
                let no = match self.peek() {
                    "else" => {
                        self.at += 1;
                        self.block()?
                    }
                    _ => Vec::new(),
                };
                Action::If(condition, yes, no)
            }
            "while" => {
                let condition = self.expression(0)?;
                let (round, begin) = (self.pieces.len(), self.at);
                own = Some(begin);
                self.pieces.push(Piece { kind: PieceKind::Round, span: here, own: here });
                let body = self.block()?;
                let (span, own) = (self.span(begin, self.at), self.span(start, begin));
                self.pieces[round] = Piece { kind: PieceKind::Round, span, own };
                Action::While(condition, round, body)
            }
            "return" => Action::Return(self.expression(0)?),
            "print" => Action::Print(self.expression(0)?),
            name if is_name(name) && self.peek() == "=" => {
                self.at += 1;
                let value = self.expression(0)?;
                let known = self.variables.iter().position(|known| known == name);
                let variable = known.unwrap_or_else(|| {
                    self.variables.push(name.to_owned());
                    self.variables.len() - 1
                });
                Action::Assign(variable, value)
            }
            name if is_name(name) && self.peek() == "(" => {
                self.at -= 1;
                Action::Do(self.primary()?)
            }
            _ => {
                self.at = start;
                return Err(self.mistake(
                    "here should be a statement",
                    "statements are: x = 1, f(x), print x, return x, if x { … } else { … }, while x { … }",
                ));
            }
        };
        let kind = if word == "while" { PieceKind::Loop } else { PieceKind::Statement };
        let (span, own) = (self.span(start, self.at), self.span(start, own.unwrap_or(self.at)));
        self.pieces[piece] = Piece { kind, span, own };
        Ok(Statement { piece, action })
    }

    /// An expression of operators that bind as tightly as this, or tighter.
    fn expression(&mut self, level: usize) -> Parsed<Expression> {
        let Some(operators) = OPERATORS.get(level) else { return self.primary() };
        let nested = self.nested;
        let mut left = self.expression(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| **operator == self.peek()) {
            self.at += 1;
            self.deeper()?;
            left = Expression::Binary(operator, Box::new((left, self.expression(level + 1)?)));
        }
        self.nested = nested;
        Ok(left)
    }

    fn primary(&mut self) -> Parsed<Expression> {
        self.deeper()?;
        let word = self.next();
        let found = match word {
            "(" => {
                let inside = self.expression(0)?;
                self.expect(")")?;
                inside
            }
            "-" => Expression::Binary("-", Box::new((Expression::Number(0), self.primary()?))),
            name if is_name(name) && self.peek() == "(" => self.call(name)?,
            name if is_name(name) => match self.variables.iter().position(|known| known == name) {
                Some(variable) => Expression::Variable(variable),
                None => {
                    self.at -= 1;
                    let message = format!("there is no variable `{name}` here");
                    return Err(self.mistake(&message, "give it a value in a line above"));
                }
            },
            number => match number.parse().ok().filter(|value| (0..=LARGEST).contains(value)) {
                Some(value) => Expression::Number(value),
                None => {
                    self.at -= 1;
                    let hint = format!("expressions are: x, f(x), x + 1, and numbers up to {LARGEST}");
                    return Err(self.mistake("here should be an expression", &hint));
                }
            },
        };
        self.nested -= 1;
        Ok(found)
    }

    fn call(&mut self, name: &str) -> Parsed<Expression> {
        let start = self.at - 1;
        let Some((function, arity)) = self.headers.get(name).copied() else {
            self.at = start;
            return Err(self.mistake(&format!("there is no function `{name}`"), "define it"));
        };
        self.expect("(")?;
        let mut arguments = Vec::new();
        while self.peek() != ")" {
            arguments.push(self.expression(0)?);
            if self.peek() != ")" {
                self.expect(",")?;
            }
        }
        self.expect(")")?;
        if arguments.len() == arity {
            return Ok(Expression::Call(function, arguments));
        }
        self.at = start;
        let message = format!("`{name}` has {arity} parameters, but {} arguments are given", arguments.len());
        Err(self.mistake(&message, "give it as many arguments as it has parameters"))
    }

    fn deeper(&mut self) -> Parsed<()> {
        self.nested += 1;
        match self.nested > DEEPEST {
            true => Err(self.mistake("this nests too deeply", "use variables for parts of it")),
            false => Ok(()),
        }
    }

    fn name(&mut self) -> Parsed<&'t str> {
        match self.next() {
            name if is_name(name) => Ok(name),
            _ => {
                self.at -= 1;
                Err(self.mistake("here should be a name", "names are letters, digits and `_`"))
            }
        }
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        match self.peek() == word {
            true => self.at += 1,
            false => return Err(self.mistake(&format!("here should be `{word}`"), "write it before this")),
        }
        Ok(())
    }

    fn peek(&self) -> &'t str {
        self.words[self.at.min(self.words.len() - 1)].0
    }

    fn next(&mut self) -> &'t str {
        self.at += 1;
        self.words[(self.at - 1).min(self.words.len() - 1)].0
    }

    /// From the beginning of one word to the end of the one before another.
    fn span(&self, from: usize, to: usize) -> Span {
        let last = self.words.len() - 1;
        let (start, end) = (self.words[from.min(last)].1, self.words[to.saturating_sub(1).min(last)]);
        Span::new(self.file, start as u32, (end.1 + end.0.len()).max(start) as u32)
    }

    /// Something is wrong with the next word.
    fn mistake(&self, message: &str, hint: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(message).at(self.span(self.at, self.at + 1), "").with_hint(hint))
    }
}
