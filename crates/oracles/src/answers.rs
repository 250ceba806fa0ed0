//! A script of answers: `--oracle answers:FILE`.
//!
//! One line an answer: an equation or a node, a colon, the answer, and perhaps a mark.
//!
//! ```text
//! # Blank lines and lines that begin with # or -- say nothing.
//! comput2 3 = 9: correct
//! f (x:xs) = [1:2]: wrong @result.1
//! node 7: correct @arg1.3
//! *: don't know
//! ```
//!
//! Lines about a node come before lines about an equation, and those before `*`, which stands for everything else.
//! Equations are compared without regard to white space, except inside of literals. Two lines that give different
//! answers to the same equation or node are an error, so the order of lines never matters.

use gadfly_engine::{Answer, AnswerError, Judgement, LeftOver, Mark, Oracle, OracleError, Query, Watch, Who};
use gadfly_term::PathError;
use gadfly_tree::Node;
use std::{collections::HashMap, fs, io, ops::Range, path::Path};
use thiserror::Error;

/// A script of answers.
#[derive(Clone, Debug)]
pub struct Answers {
    name: String,
    text: String,
    lines: Vec<Line>,
    /// Places in `lines`.
    nodes: HashMap<u64, usize>,
    equations: HashMap<String, usize>,
    otherwise: Option<usize>,
}

#[derive(Clone, Debug)]
struct Line {
    number: usize,
    text: Range<usize>,
    answer: Answer,
    used: bool,
}

/// A line that no question used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unused {
    /// The line, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
}

/// A script that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name}, line {line}: {problem}")]
pub struct AnswersError {
    /// The script's name.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: AnswersProblem,
}

impl AnswersError {
    /// What to do next.
    pub fn hint(&self) -> String {
        match &self.problem {
            AnswersProblem::NoColon | AnswersProblem::NoEquation => {
                "write `EQUATION: ANSWER`, for example `sum2 3 = 2: wrong`, or `*: don't know` for all others"
                    .to_owned()
            }
            AnswersProblem::Answer(_) => {
                "the answer comes after the last colon, for example `f (x:xs) = [1]: wrong @result.1`"
                    .to_owned()
            }
            AnswersProblem::NoSuchNode(_) => {
                "write the node's number as questions show it, from 1".to_owned()
            }
            AnswersProblem::Contradiction { earlier, .. } => {
                format!("remove line {earlier} or line {}", self.line)
            }
        }
    }
}

/// What is wrong with a line of a script.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswersProblem {
    /// There is no colon, hence no answer.
    #[error("the line has no colon, so it contains no answer")]
    NoColon,
    /// There is nothing before the colon.
    #[error("there is no equation before the colon")]
    NoEquation,
    /// What follows the colon is not an answer.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// A node's number that no tree can have.
    #[error("there is no node {0}")]
    NoSuchNode(String),
    /// Another line says something else about the same.
    #[error("this says `{answer}`, but line {earlier} says `{said}` about the same {about}")]
    Contradiction {
        /// What this line says.
        answer: String,
        /// The other line.
        earlier: usize,
        /// What that one says.
        said: String,
        /// What both are about: `node`, `equation`, `rest`.
        about: &'static str,
    },
}

/// A script that cannot be used.
#[derive(Debug, Error)]
pub enum OpenAnswersError {
    /// The file cannot be read.
    #[error("{name}: {error}")]
    Io {
        /// The file.
        name: String,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// The file is not text.
    #[error("{name}, line {line}: not UTF-8 text")]
    NotText {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
    },
    /// A line of it makes no sense.
    #[error(transparent)]
    Parse(#[from] AnswersError),
}

impl OpenAnswersError {
    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            OpenAnswersError::Io { .. } => "name a readable file: `--oracle answers:FILE`".to_owned(),
            OpenAnswersError::NotText { .. } => {
                "an answers script is a UTF-8 text file with one answer on each line".to_owned()
            }
            OpenAnswersError::Parse(error) => error.hint(),
        }
    }
}

impl Answers {
    /// Reads a script from a file.
    pub fn open(path: &Path) -> Result<Answers, OpenAnswersError> {
        let name = path.display().to_string();
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return Err(OpenAnswersError::Io { name, error }),
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Answers::parse(&name, text)?),
            Err(error) => {
                let before = &bytes[..error.valid_up_to()];
                let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
                Err(OpenAnswersError::NotText { name, line })
            }
        }
    }

    /// Reads a script; `name` is what errors call it.
    pub fn parse(name: &str, text: &str) -> Result<Answers, AnswersError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut answers = Answers {
            name: name.to_owned(),
            text: text.to_owned(),
            lines: Vec::new(),
            nodes: HashMap::new(),
            equations: HashMap::new(),
            otherwise: None,
        };
        let mut start = 0;
        for (index, line) in text.split('\n').enumerate() {
            let trimmed = line.trim();
            if !trimmed.is_empty() && !trimmed.starts_with('#') && !trimmed.starts_with("--") {
                let number = index + 1;
                answers
                    .take_in(trimmed, number, start..start + line.len())
                    .map_err(|problem| AnswersError { name: name.to_owned(), line: number, problem })?;
            }
            start += line.len() + 1;
        }
        Ok(answers)
    }

    /// The lines that no question used so far, in order; `*` is not among them.
    pub fn unused(&self) -> Vec<Unused> {
        let lines = self.lines.iter().enumerate();
        let unused = lines.filter(|(place, line)| !line.used && self.otherwise != Some(*place));
        unused
            .map(|(_, line)| Unused {
                line: line.number,
                text: self.text[line.text.clone()].trim().to_owned(),
            })
            .collect()
    }

    fn take_in(&mut self, line: &str, number: usize, text: Range<usize>) -> Result<(), AnswersProblem> {
        let (subject, answer) = split(line)?;
        let next = self.lines.len();
        let (place, about) = match subject {
            "" => return Err(AnswersProblem::NoEquation),
            "*" => (*self.otherwise.get_or_insert(next), "rest"),
            _ => match node(subject)? {
                Some(node) => (*self.nodes.entry(node).or_insert(next), "node"),
                None => (*self.equations.entry(normalise(subject)).or_insert(next), "equation"),
            },
        };
        match self.lines.get(place) {
            None => self.lines.push(Line { number, text, answer, used: false }),
            Some(earlier) if earlier.answer != answer => {
                return Err(AnswersProblem::Contradiction {
                    answer: answer.to_string(),
                    earlier: earlier.number,
                    said: earlier.answer.to_string(),
                    about,
                });
            }
            Some(_) => {}
        }
        Ok(())
    }
}

impl Oracle for Answers {
    fn who(&self) -> Who {
        Who::Script
    }

    fn judge(&mut self, query: &Query<'_>, _watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        let place = self.nodes.get(&query.shown_number).copied();
        let place = place.or_else(|| self.equations.get(&normalise(query.text)).copied()).or(self.otherwise);
        let Some(line) = place.and_then(|place| self.lines.get_mut(place)) else { return Ok(None) };
        line.used = true;
        match line.answer.marks.iter().find(|mark| !query.equation.has(&mark.path)) {
            Some(Mark { path, .. }) => Err(OracleError {
                message: format!(
                    "{}, line {}: the equation has no part `{path}`: {}",
                    self.name,
                    line.number,
                    crate::quoted::beginning(query.text)
                ),
                hint: Some("correct the mark, or remove it".to_owned()),
            }),
            None => Ok(Some(line.answer.clone())),
        }
    }

    fn left_over(&self) -> Vec<LeftOver> {
        self.unused().into_iter().map(|Unused { line, text }| LeftOver::Unused { line, text }).collect()
    }
}

/// Splits a line into what it is about and the answer.
///
/// Equations hold colons and so do marks (`@after:total`), but a mark holds no white space and marks stand last, and a
/// judgement holds neither colon nor `@`.
fn split(line: &str) -> Result<(&str, Answer), AnswersProblem> {
    let (said, marks) = split_marks(line)?;
    let Some((subject, word)) = said.rsplit_once(':') else { return Err(AnswersProblem::NoColon) };
    let judgement = match Judgement::from_word(word) {
        Some(judgement) => judgement,
        None => return Err(AnswerError::Word(word.trim().chars().take(60).collect()).into()),
    };
    Ok((subject.trim(), Answer::with_marks(judgement, marks)))
}

/// Takes the marks from the end of a line.
fn split_marks(line: &str) -> Result<(&str, Vec<Mark>), AnswersProblem> {
    let (mut rest, mut marks) = (line, Vec::new());
    loop {
        let (before, mark) = split_mark(rest)?;
        match mark {
            Some(mark) => marks.insert(0, mark),
            None => return Ok((rest, marks)),
        }
        rest = before.trim_end();
    }
}

fn split_mark(line: &str) -> Result<(&str, Option<Mark>), AnswersProblem> {
    let last = line.rfind(char::is_whitespace).map_or(line, |gap| line[gap..].trim_start());
    let start = line.len() - last.len();
    let mut error: Option<PathError> = None;
    for (at, _) in last.rmatch_indices('@') {
        match last[at..].parse() {
            Ok(mark) => return Ok((&line[..start + at], Some(mark))),
            Err(wrong) => error = Some(wrong),
        }
    }
    match error {
        Some(error) if last.starts_with('@') => Err(AnswerError::Mark(error).into()),
        _ => Ok((line, None)),
    }
}

/// The node that a line is about; `None` if it is about an equation.
fn node(subject: &str) -> Result<Option<u64>, AnswersProblem> {
    let Some(number) = subject.strip_prefix("node").filter(|rest| rest.starts_with(char::is_whitespace))
    else {
        return Ok(None);
    };
    let number = number.trim_start();
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    match number.parse().ok().and_then(Node::from_number) {
        Some(node) => Ok(Some(node.number())),
        None => Err(AnswersProblem::NoSuchNode(number.chars().take(60).collect())),
    }
}

/// The text that two equations share if they differ only in white space outside of literals.
///
/// A space stays where leaving it out would make one word of two.
fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim();
    let mut before = None;
    let mut gap = false;
    let mut quotes_close = true;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if c.is_whitespace() {
            gap = true;
        } else {
            let joins = before.is_some_and(is_word) && is_word(c);
            // A prime after a letter belongs to a name: `foldl'`.
            if c == '"' || (c == '\'' && quotes_close && (gap || !joins)) {
                match literal(rest, c) {
                    Some(whole) => length = whole,
                    None if c == '"' => length = rest.len(),
                    // Looked for once, not once for every quote: texts are long.
                    None => quotes_close = false,
                }
            }
            if gap && joins {
                out.push(' ');
            }
            gap = false;
            out.push_str(&rest[..length]);
            before = rest[..length].chars().next_back();
        }
        rest = &rest[length..];
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '\''
}

/// How long the literal is that begins here, with its quotes.
fn literal(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
