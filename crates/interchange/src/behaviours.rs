//! One line again, when its node is asked about.
//!
//! The file is read where the line is, not mapped: a file that is cut short under a session is then an error
//! and not the end of the program.

use super::grammar::term;
use super::node::{NodeFields, OutcomeText, node};
use super::places::{Files, from_one, places};
use super::scan::{Scan, Scanner, decode};
use super::values::{Builder, Limits, Words};
use gadfly_term::{Argument, Binding, Equation, Outcome, TermId, Terms};
use gadfly_tree::{Behaviour, BehaviourError, Behaviours, Node, Rule, Tree};
use std::fs::File;
use std::io;
use std::ops::Range;

/// Reads what the nodes of a [`super::Recording`] say; a node's handle is where its line begins.
#[derive(Debug)]
pub struct FileBehaviours {
    file: File,
    words: Words,
    files: Files,
}

impl Behaviours for FileBehaviours {
    fn behaviour(&self, tree: &Tree, node: Node, whole: bool) -> Result<Behaviour, BehaviourError> {
        let line = self.line(tree.handle(node)).map_err(|error| BehaviourError {
            message: format!("cannot read node {} from its file: {error}", node.number()),
        })?;
        let rule = tree.rules().get(tree.rule_id(node));
        self.build(&line, rule, whole).ok_or_else(|| BehaviourError {
            message: format!("the file changed since it was opened: node {} is gone", node.number()),
        })
    }

    fn effort(&self, tree: &Tree, node: Node) -> u32 {
        self.measure(tree.handle(node)).unwrap_or(EFFORT_LIMIT as u32)
    }
}

/// No equation counts as harder to read than this.
const EFFORT_LIMIT: usize = 1 << 12;
/// The terms of a question: this many cells for the arguments and for the outcome, and for the state as for one.
const GROUP: u64 = 1 << 15;

impl FileBehaviours {
    pub(crate) fn new(file: File, words: Words, files: Files) -> Self {
        FileBehaviours { file, words, files }
    }

    /// The line that begins at `offset`, without its line break.
    fn line(&self, offset: u64) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut step = 1 << 12;
        loop {
            let start = line.len();
            line.resize(start + step, 0);
            let count = read_at(&self.file, &mut line[start..], offset + start as u64)?;
            line.truncate(start + count);
            if let Some(end) = memchr::memchr(b'\n', &line[start..]) {
                line.truncate(start + end);
                return Ok(line);
            }
            if count == 0 || line.len() > super::input::LINE_LIMIT {
                return Ok(line);
            }
            step = (step * 2).min(1 << 22);
        }
    }

    /// The behaviour, if the line is what it was when the file was opened.
    fn build(&self, line: &[u8], rule: &Rule, whole: bool) -> Option<Behaviour> {
        std::str::from_utf8(line).ok()?;
        let fields = node(line, &mut Vec::new(), None).ok()?;
        if !self.says(line, &fields, rule) {
            return None;
        }
        let mut equation = Equation {
            terms: Terms::new(),
            function: rule.function.clone(),
            instances: Vec::new(),
            inside: false,
            arguments: Vec::new(),
            outcome: Outcome::Nothing,
            before: Vec::new(),
            after: Vec::new(),
        };
        let limits = if whole { Limits::WHOLE } else { Limits::group(GROUP) };
        let state = if whole { Limits::WHOLE } else { Limits::group(GROUP / 2) };
        let words = self.words;
        let terms = &mut equation.terms;
        let arguments = group(line, &fields.args, Builder::new(terms, words, limits)).ok()?;
        equation.arguments = arguments.into_iter().map(|(name, value)| Argument { name, value }).collect();
        equation.outcome = match &fields.outcome {
            OutcomeText::Value(part) => {
                Outcome::Value(single(line, part, Builder::new(terms, words, limits)).ok()?)
            }
            OutcomeText::Exception(part) => {
                Outcome::Exception(single(line, part, Builder::new(terms, words, limits)).ok()?)
            }
            OutcomeText::Nothing => Outcome::Nothing,
            OutcomeText::Unfinished => Outcome::Unfinished,
        };
        let bindings = |group: Vec<(Option<Box<str>>, TermId)>| {
            group.into_iter().map(|(name, value)| Binding { name: name.unwrap_or_default(), value }).collect()
        };
        equation.before = bindings(group(line, &fields.before, Builder::new(terms, words, state)).ok()?);
        equation.after = bindings(group(line, &fields.after, Builder::new(terms, words, state)).ok()?);
        let mut code = Vec::new();
        if !fields.code.is_empty() {
            places(&mut Scanner::over(line, &fields.code), |place| {
                code.extend(self.files.find(&place));
                Ok(())
            })
            .ok()?;
        }
        Some(Behaviour { equation, code })
    }

    /// Whether a line is about this rule.
    fn says(&self, line: &[u8], fields: &NodeFields, rule: &Rule) -> bool {
        let number = match fields.rule.is_empty() {
            true => None,
            false => from_one(&mut Scanner::over(line, &fields.rule)).ok(),
        };
        let module = Some(decode(&line[fields.module.clone()])).filter(|module| !module.is_empty());
        decode(&line[fields.function.clone()]) == *rule.function
            && number == rule.number
            && module.as_deref() == rule.module.as_deref()
    }

    /// The length of what an equation says, by looking at a few kilobytes at most.
    fn measure(&self, offset: u64) -> Option<u32> {
        let mut bytes = [0; EFFORT_LIMIT];
        let count = read_at(&self.file, &mut bytes, offset).ok()?;
        let end = memchr::memchr(b'\n', &bytes[..count]);
        let line = &bytes[..end.or((count < EFFORT_LIMIT).then_some(count))?];
        let fields = node(line, &mut Vec::new(), None).ok()?;
        let outcome = match &fields.outcome {
            OutcomeText::Value(part) | OutcomeText::Exception(part) => part.len(),
            OutcomeText::Nothing | OutcomeText::Unfinished => 0,
        };
        let all = fields.args.len() + outcome + fields.before.len() + fields.after.len();
        Some(all as u32)
    }
}

/// The terms of an array or an object, with their names; parts without room become one `…`.
fn group<'a>(
    line: &'a [u8],
    part: &Range<usize>,
    mut builder: Builder<'a, '_>,
) -> Scan<Vec<(Option<Box<str>>, TermId)>> {
    let mut values = Vec::new();
    if part.is_empty() {
        return Ok(values);
    }
    let mut scanner = Scanner::over(line, part);
    let named = scanner.peek() == b'{';
    let close = if named { b'}' } else { b']' };
    scanner.take();
    let mut open = Vec::new();
    let mut omitted = 0;
    let mut more = !scanner.accept(close);
    while more {
        let name = if named { Some(scanner.key()?) } else { None };
        if builder.has_room() {
            term(&mut scanner, &mut open, &mut builder)?;
            values.push((name.map(|name| decode(name).into()), builder.finish()));
        } else {
            scanner.skip()?;
            omitted += 1;
        }
        more = scanner.more(close)?;
    }
    if omitted > 0 {
        values.push((named.then(|| "…".into()), builder.omit(omitted)));
    }
    Ok(values)
}

/// One term.
fn single<'a>(line: &'a [u8], part: &Range<usize>, mut builder: Builder<'a, '_>) -> Scan<TermId> {
    term(&mut Scanner::over(line, part), &mut Vec::new(), &mut builder)?;
    Ok(builder.finish())
}

/// Reads at a place of a file until the buffer is full or the file ends.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_once(file, &mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_once(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
