//! The lines of a journal.
//!
//! ```text
//! {"journal":"gadfly","version":2,"tree":"…","settings":{"strategy":"optimal"},"check":"0f1e2d3c4b5a6978"}
//! {"seq":1,"answer":[{"node":7,"equation":"comput2 3 = 9","answer":"correct","by":"person"}],"check":"…"}
//! {"seq":2,"revise":{"question":1,"row":0,"answer":"wrong","marks":[{"path":"@result","kind":"wrong"}],"by":"person"},"check":"…"}
//! {"seq":3,"undo":1,"check":"…"}
//! {"seq":4,"restart":{},"check":"…"}
//! {"seq":5,"switch":"top-down","check":"…"}
//! {"seq":6,"trust":"Data.*","check":"…"}
//! {"seq":7,"ask":12,"check":"…"}
//! {"seq":8,"rows":[12,13],"check":"…"}
//! {"seq":9,"enter":{"node":7,"tree":"…"},"check":"…"}
//! {"seq":10,"leave":{},"check":"…"}
//! {"seq":11,"end":"bug","check":"…"}
//! ```
//!
//! What comes after `enter` is about the inside of that call (with `"by_hand":true` if the user asked for it), until it is left: by `leave`, by an `undo` of more steps than
//! were made there, or by a `revise` or `restart` of what came before.
//!
//! `check` is the beginning of the SHA-256 of the previous line's check and of all that stands before `,"check"` in this
//! line, in hexadecimal digits. The texts of equations are for people: they are cut when they are long, and not read back.

use super::{Entry, Header, JournalProblem};
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{Action, Answer, Given, Who};
use gadfly_tree::Node;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _};

/// Version 1 had one mark an answer, `"mark": "@result"`, and a file of its own for the inside of a call; it is still read.
pub(super) const VERSION: u64 = 2;

/// How every journal begins.
pub(super) const MAGIC: &[u8] = br#"{"journal":"gadfly","#;

/// The longest first line that is looked at; its settings are few.
pub(super) const MAX_HEADER: u64 = 1 << 24;

/// The longest line that is read: longer ones are not ours, and need not fit into memory.
const MAX_LINE: u64 = 1 << 29;

/// How much of an equation is written.
const MAX_EQUATION: usize = 2000;

/// How many digits a check has.
const DIGITS: usize = 16;

/// What stands around a check.
const OPEN: &[u8] = br#","check":""#;
const CLOSE: &[u8] = b"\"}";

#[derive(Serialize, Deserialize)]
struct HeaderText<'a> {
    journal: Cow<'a, str>,
    version: u64,
    tree: Cow<'a, str>,
    settings: Cow<'a, BTreeMap<String, String>>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    seq: u64,
    #[serde(flatten)]
    event: Event,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Event {
    Answer(Vec<GivenText>),
    Revise {
        question: usize,
        row: usize,
        #[serde(flatten)]
        answer: Answer,
        by: Who,
    },
    Undo(usize),
    Restart {},
    Switch(StrategyName),
    Trust(String),
    Ask(u64),
    /// Rows of a table that are asked about one by one.
    Rows(Vec<u64>),
    Enter {
        node: u64,
        tree: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_hand: bool,
    },
    Leave {},
    End(String),
}

#[derive(Serialize, Deserialize)]
struct GivenText {
    node: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    equation: String,
    #[serde(flatten)]
    answer: Answer,
    by: Who,
}

/// The first line, without its check.
pub(super) fn header(header: &Header) -> io::Result<String> {
    Ok(serde_json::to_string(&HeaderText {
        journal: "gadfly".into(),
        version: VERSION,
        tree: (&*header.tree).into(),
        settings: Cow::Borrowed(&header.settings),
    })?)
}

/// An entry's line, without its check.
pub(super) fn entry(seq: u64, entry: &Entry, equations: &[&str]) -> io::Result<String> {
    let event = match entry {
        Entry::Action(action) => event(action, equations),
        Entry::Enter { node, tree, by_hand } => {
            Event::Enter { node: node.number(), tree: tree.clone(), by_hand: *by_hand }
        }
        Entry::Leave => Event::Leave {},
    };
    Ok(serde_json::to_string(&Line { seq, event })?)
}

fn event(action: &Action, equations: &[&str]) -> Event {
    match action {
        Action::Answer(given) => {
            let texts = equations.iter().copied().chain(std::iter::repeat(""));
            Event::Answer(given.iter().zip(texts).map(|(one, text)| given_text(one, text)).collect())
        }
        Action::Revise { number, row, answer, by } => {
            Event::Revise { question: *number, row: *row, answer: answer.clone(), by: *by }
        }
        Action::Undo(steps) => Event::Undo(*steps),
        Action::Restart => Event::Restart {},
        Action::Switch(strategy) => Event::Switch(*strategy),
        Action::Trust(name) => Event::Trust(name.clone()),
        Action::AskAbout(node) => Event::Ask(node.number()),
        Action::OneByOne(nodes) => Event::Rows(nodes.iter().map(|node| node.number()).collect()),
    }
}

/// The line of a verdict, without its check.
pub(super) fn end(seq: u64, status: &str) -> io::Result<String> {
    Ok(serde_json::to_string(&Line { seq, event: Event::End(status.to_owned()) })?)
}

fn given_text(given: &Given, equation: &str) -> GivenText {
    let mut text = equation.to_owned();
    if let Some((cut, _)) = text.char_indices().nth(MAX_EQUATION) {
        text.truncate(cut);
        text.push('…');
    }
    GivenText { node: given.node.number(), equation: text, answer: given.answer.clone(), by: given.by }
}

/// The end of what was written or read so far: the number of the next line, and the check it builds upon.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    next: u64,
    check: String,
}

impl Chain {
    /// Before the first line.
    pub(super) fn new() -> Chain {
        Chain { next: 0, check: String::new() }
    }

    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Closes a line; with the chain that it leads to.
    pub(super) fn seal(&self, mut body: String) -> (String, Chain) {
        body.pop();
        let check = self.check(body.as_bytes());
        let line = format!("{body},\"check\":\"{check}\"}}\n");
        (line, Chain { next: self.next + 1, check })
    }

    /// The chain that a line leads to; `None` if it is not the next line, or not as it was written.
    pub(super) fn accept(&self, line: &[u8]) -> Option<Chain> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let (body, written) = split_check(line)?;
        let check = self.check(body);
        (check.as_bytes() == written).then_some(Chain { next: self.next + 1, check })
    }

    fn check(&self, body: &[u8]) -> String {
        let hash = Sha256::new().chain_update(&self.check).chain_update(body).finalize();
        hash.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Splits a line into what stands before the check, and the check.
fn split_check(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(CLOSE)?;
    let (rest, check) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
    Some((rest.strip_suffix(OPEN)?, check))
}

/// What a journal holds, as far as it is good.
#[derive(Debug)]
pub(super) struct Scan {
    /// What it says of its session; none if that is damaged.
    pub(super) header: Option<Header>,
    /// Whether the first line is not as it was written.
    pub(super) header_damaged: bool,
    /// The equations that were answered, as far as they are about the program itself.
    pub(super) equations: Vec<(Node, String)>,
    inside: bool,
    pub(super) entries: Vec<Entry>,
    pub(super) ended: Option<String>,
    pub(super) chain: Chain,
    /// How many bytes are good.
    pub(super) length: u64,
    /// Whether the last good line has no line break.
    pub(super) unfinished: bool,
    pub(super) tail: Tail,
}

/// What comes after that.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tail {
    Whole,
    Cut { line: usize },
    Damaged { line: usize, why: String },
}

/// Reads a journal as far as it is good.
pub(super) fn scan(mut reader: impl BufRead) -> Result<Scan, JournalProblem> {
    let mut line = Vec::new();
    reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    let (header, chain, mut second, damaged) = match read_header(&line) {
        Ok((header, chain)) => (Some(header), chain, None, false),
        // What is as it was written is not damaged, but from a newer Gadfly.
        Err(problem) if Chain::new().accept(&line).is_some() => return Err(problem),
        Err(problem) => {
            let found = behind_damage(&mut line, &mut reader)?.ok_or(problem)?;
            (found.header, found.chain, Some(found.second), true)
        }
    };
    let mut scan = Scan {
        header,
        header_damaged: damaged,
        equations: Vec::new(),
        inside: false,
        entries: Vec::new(),
        ended: None,
        chain,
        length: line.len() as u64,
        unfinished: second.is_none() && !line.ends_with(b"\n"),
        tail: Tail::Whole,
    };
    for number in 2.. {
        line.clear();
        match second.take() {
            Some(second) => line = second,
            None if reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 => break,
            None => {}
        }
        let Some(chain) = scan.chain.accept(&line) else {
            scan.tail = tail(&line, number, &scan.chain);
            break;
        };
        let not_understood = |why| JournalProblem::NotUnderstood { line: number, why };
        let event = serde_json::from_slice(&line).map_err(|error| not_understood(error.to_string()))?;
        scan.take_in(event).map_err(not_understood)?;
        scan.chain = chain;
        scan.length += line.len() as u64;
        scan.unfinished = !line.ends_with(b"\n");
    }
    Ok(scan)
}

/// What follows a damaged first line.
struct BehindDamage {
    /// The header, if it is its check that is damaged.
    header: Option<Header>,
    chain: Chain,
    second: Vec<u8>,
}

/// Looks for the second line of a journal whose first line is damaged, and leaves the first one in `line`. The second builds
/// upon the check of the first, which is either as it was written, or, if not, follows from the rest of the line. So one of the
/// two tells that this is a journal, and that what comes next is its second line.
fn behind_damage(line: &mut Vec<u8>, reader: &mut impl BufRead) -> io::Result<Option<BehindDamage>> {
    const SECOND: &[u8] = br#"{"seq":1,"#;
    /// A byte that has become a line break, or a line break that has become another byte, are damage too.
    const LINES: usize = 3;
    for _ in 0..LINES {
        let starts = (1..line.len()).filter(|at| line[*at..].starts_with(SECOND));
        for at in starts.collect::<Vec<_>>() {
            if let Some((header, chain)) = chain_behind(&line[..at - 1], &line[at..]) {
                let second = line.split_off(at);
                return Ok(Some(BehindDamage { header, chain, second }));
            }
        }
        if line.len() as u64 >= MAX_HEADER {
            break;
        }
        reader.by_ref().take(MAX_LINE).read_until(b'\n', line)?;
    }
    Ok(None)
}

/// The chain between a damaged first line (without its line break) and the second line, if that builds upon it.
fn chain_behind(first: &[u8], second: &[u8]) -> Option<(Option<Header>, Chain)> {
    let (body, rest) = first.split_at_checked(first.len().checked_sub(OPEN.len() + DIGITS + CLOSE.len())?)?;
    let computed = Chain { next: 1, check: Chain::new().check(body) };
    if computed.accept(second).is_some() {
        let text: HeaderText<'_> = serde_json::from_slice(&[body, b"}"].concat()).ok()?;
        return Some((Some(text.header()), computed));
    }
    let written = std::str::from_utf8(&rest[OPEN.len()..OPEN.len() + DIGITS]).ok()?;
    let written = Chain { next: 1, check: written.to_owned() };
    written.accept(second).map(|_| (None, written))
}

impl HeaderText<'_> {
    fn header(self) -> Header {
        Header { tree: self.tree.into_owned(), settings: self.settings.into_owned() }
    }
}

fn read_header(line: &[u8]) -> Result<(Header, Chain), JournalProblem> {
    if line.is_empty() {
        return Err(JournalProblem::Empty);
    }
    if !line.starts_with(MAGIC) {
        return Err(if MAGIC.starts_with(line) {
            JournalProblem::HeaderCut
        } else {
            JournalProblem::NotAJournal
        });
    }
    // Another version may have other fields, and another check.
    #[derive(Deserialize)]
    struct Version {
        version: u64,
    }
    match serde_json::from_slice(line) {
        Ok(Version { version }) if version > VERSION => return Err(JournalProblem::Newer { version }),
        _ => {}
    }
    let Some(chain) = Chain::new().accept(line) else {
        return Err(match line.ends_with(b"\n") || split_check(line).is_some() {
            true => JournalProblem::HeaderChanged,
            false => JournalProblem::HeaderCut,
        });
    };
    let text: HeaderText<'_> = serde_json::from_slice(line)
        .map_err(|error| JournalProblem::NotUnderstood { line: 1, why: error.to_string() })?;
    Ok((text.header(), chain))
}

/// What is the matter with a line that does not follow from the one before.
fn tail(line: &[u8], number: usize, chain: &Chain) -> Tail {
    if !line.ends_with(b"\n") && (line.len() as u64) < MAX_LINE && split_check(line).is_none() {
        return Tail::Cut { line: number };
    }
    #[derive(Deserialize)]
    struct Sequence {
        seq: u64,
    }
    let why = match serde_json::from_slice(line) {
        Ok(Sequence { seq }) if seq != chain.next => {
            format!("has the number {seq}, where {} was expected", chain.next)
        }
        _ => "was changed after it was written".to_owned(),
    };
    Tail::Damaged { line: number, why }
}

impl Scan {
    fn take_in(&mut self, line: Line) -> Result<(), String> {
        if line.seq != self.chain.next {
            return Err(format!("it has the number {}, where {} was expected", line.seq, self.chain.next));
        }
        self.ended = None;
        let action = match line.event {
            Event::Answer(given) => {
                if !self.inside {
                    let texts = given.iter().filter(|one| !one.equation.is_empty());
                    let texts =
                        texts.filter_map(|one| Some((Node::from_number(one.node)?, one.equation.clone())));
                    self.equations.extend(texts);
                }
                Action::Answer(given.into_iter().map(GivenText::given).collect::<Result<_, _>>()?)
            }
            Event::Revise { question, row, answer, by } => {
                Action::Revise { number: question, row, answer, by }
            }
            Event::Undo(steps) => Action::Undo(steps),
            Event::Restart {} => Action::Restart,
            Event::Switch(strategy) => Action::Switch(strategy),
            Event::Trust(name) => Action::Trust(name),
            Event::Ask(number) => Action::AskAbout(read_node(number)?),
            Event::Rows(numbers) => {
                let nodes: Result<Vec<Node>, _> = numbers.into_iter().map(read_node).collect();
                Action::OneByOne(nodes?)
            }
            Event::Enter { node, tree, by_hand } => {
                self.inside = true;
                self.entries.push(Entry::Enter { node: read_node(node)?, tree, by_hand });
                return Ok(());
            }
            Event::Leave {} => {
                self.entries.push(Entry::Leave);
                return Ok(());
            }
            Event::End(status) => {
                self.ended = Some(status);
                return Ok(());
            }
        };
        self.entries.push(Entry::Action(action));
        Ok(())
    }
}

fn read_node(number: u64) -> Result<Node, String> {
    Node::from_number(number).ok_or_else(|| format!("there is no node {number}"))
}

impl GivenText {
    fn given(self) -> Result<Given, String> {
        Ok(Given { node: read_node(self.node)?, answer: self.answer, by: self.by })
    }
}

#[cfg(test)]
pub(super) mod tests;
