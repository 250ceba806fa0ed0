//! How a session begins: what the command line says about choosing questions, and where something was seen to go wrong.

use super::subject::Subject;
use crate::command::{Granularity, StrategyArgs, ViewArgs};
use crate::input::Kind;
use crate::output;
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{Rounds, Settings};
use gadfly_frontend::Failure;
use gadfly_trail::model::RunEnd;
use gadfly_tree::{Node, RuleId};
use gadfly_views::{Endless, Viewed};
use std::path::Path;

/// What the command line says about choosing questions.
pub(crate) fn settings(args: &StrategyArgs, view: &ViewArgs, file: &Path, subject: &Subject<'_>) -> Settings {
    Settings {
        strategy: args.strategy.unwrap_or(StrategyName::Auto),
        memo: !args.no_memo,
        rows: args.batch,
        bias: args.bias,
        addends: args.addends,
        // What was trusted when the program was recorded is not in the tree.
        trusted: if matches!(Kind::of(file), Kind::Program(_)) { Vec::new() } else { args.trust.clone() },
        aside: match view.granularity {
            Some(Granularity::TopLevel) => local_rules(subject),
            Some(Granularity::Rule | Granularity::Line) | None => Vec::new(),
        },
        compress: view.compresses(),
        symptoms: Vec::new(),
        rounds: None,
        whole_is_wrong: false,
        ask_again: false,
    }
}

/// Begins where a run without end goes round, or at the node that raised what ended the program, and says so.
pub(crate) fn at_end(settings: &mut Settings, subject: &Subject<'_>) {
    let Some(viewed) = subject.recording.run() else { return };
    let note = at_endless(settings, subject, viewed).or_else(|| at_exception(settings, subject, viewed));
    if let Some(note) = note {
        output::error_line(&format!("note: {note}"));
    }
}

fn at_endless(settings: &mut Settings, subject: &Subject<'_>, viewed: &Viewed) -> Option<String> {
    let Endless { mut round, again, first, is_circle } = viewed.endless()?;
    let rounds = Rounds::new(subject.recording.tree(), &round, again);
    if settings.symptoms.is_empty() {
        settings.symptoms = Some(first).filter(|first| *first != round[0]).into_iter().collect();
        settings.symptoms.extend(&rounds.asked);
    }
    settings.rounds = Some(rounds);
    round.push(again);
    let what = if is_circle { "the run goes in a circle" } else { "the run does not end" };
    Some(format!("{what}: {}", subject.calls(&round)))
}

fn at_exception(settings: &mut Settings, subject: &Subject<'_>, viewed: &Viewed) -> Option<String> {
    if !matches!(viewed.trail().end(), Some(RunEnd::Uncaught(..))) {
        return None;
    }
    let node = viewed.raiser()?;
    let begins = matches!(settings.strategy, StrategyName::Auto | StrategyName::ExceptionZooming);
    if begins && settings.symptoms.is_empty() {
        settings.symptoms = vec![node];
    }
    let hint = if begins { "" } else { "; `--strategy exception-zooming` starts there" };
    let line = subject.line_within(node, 120);
    Some(format!("the exception was raised in node {}: {line}{hint}", node.number()))
}

/// The rules of functions that are not at the top of a module.
pub(crate) fn local_rules(subject: &Subject<'_>) -> Vec<RuleId> {
    subject.recording.run().map_or_else(Vec::new, |viewed| viewed.local_rules().to_vec())
}

/// The node that printed what `--at-output` names, and what is to be said of it.
pub(crate) fn symptom(text: &str, file: &Path, subject: &Subject<'_>) -> Result<(Node, String), Failure> {
    let Some(viewed) = subject.recording.run() else {
        return Err(Failure::usage(format!(
            "`--at-output` needs a recorded run, but {} is an interchange file",
            file.display()
        ))
        .with_hint("remove `--at-output`"));
    };
    let written = Written::of(viewed);
    let offset = written.find(text)?;
    let node = viewed.writer(offset).ok_or_else(|| {
        let hint = match written.end() {
            end if offset < end => "trust fewer functions, or remove `--at-output`".to_owned(),
            0 => "the program printed nothing".to_owned(),
            end => format!("the bytes of the output are @0 to @{}", end - 1),
        };
        Failure::input(format!("no recorded function printed byte {offset} of the output")).with_hint(hint)
    })?;
    let place = written.place(offset);
    Ok((node, format!("{place} was printed by node {}: {}", node.number(), subject.line_within(node, 120))))
}

/// What a program wrote to its standard output, as far as a trail has it.
struct Written {
    /// Pieces of it with where they begin, in order.
    pieces: Vec<(u64, Vec<u8>)>,
}

impl Written {
    fn of(viewed: &Viewed) -> Written {
        Written { pieces: viewed.output() }
    }

    fn end(&self) -> u64 {
        self.pieces.last().map_or(0, |(from, bytes)| from + bytes.len() as u64)
    }

    /// The byte that is meant: `@120`, `3:7`, or the first byte of a text.
    fn find(&self, text: &str) -> Result<u64, Failure> {
        if let Some(byte) = text.strip_prefix('@').and_then(|number| number.parse::<u64>().ok()) {
            return Ok(byte);
        }
        if self.end() == 0 {
            return Err(Failure::input("the program printed nothing")
                .with_hint("start with the whole program: remove `--at-output`"));
        }
        if let Some((line, column)) = place(text) {
            return self.at(line, column).ok_or_else(|| {
                Failure::usage(format!("the output has no column {column} on line {line}"))
                    .with_hint("lines and columns are counted from 1, as in `3:7`")
            });
        }
        self.search(text.as_bytes()).ok_or_else(|| {
            Failure::usage(format!("the output does not contain `{text}`"))
                .with_hint("give the text as it was printed, its byte `@120`, or its line and column `3:7`")
        })
    }

    /// Where a text stands in the output; told if it does so several times.
    fn search(&self, text: &[u8]) -> Option<u64> {
        let (whole, starts) = self.joined();
        let mut places = (0..whole.len()).filter(|at| whole[*at..].starts_with(text));
        let first = places.next().filter(|_| !text.is_empty())?;
        let others = places.count();
        if others > 0 {
            let times = others + 1;
            output::error_line(&format!(
                "note: this text was printed {times} times; starting at the first (`--at-output @BYTE` chooses another)"
            ));
        }
        Some(starts(first))
    }

    /// The byte at a line and a column, both from 1; columns count characters.
    fn at(&self, line: usize, column: usize) -> Option<u64> {
        let (whole, starts) = self.joined();
        let mut from = 0;
        for _ in 1..line {
            from += whole[from..].iter().position(|byte| *byte == b'\n')? + 1;
        }
        let rest = &whole[from..];
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let begins = (0..end).filter(|at| rest[*at] & 0xc0 != 0x80);
        begins.clone().nth(column.checked_sub(1)?).map(|at| starts(from + at))
    }

    /// All that is known of the output, and from where in it to where in the whole.
    fn joined(&self) -> (Vec<u8>, impl Fn(usize) -> u64 + '_) {
        let whole = self.pieces.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect();
        let starts = move |mut at: usize| {
            for (from, bytes) in &self.pieces {
                if at < bytes.len() {
                    return from + at as u64;
                }
                at -= bytes.len();
            }
            self.end()
        };
        (whole, starts)
    }

    /// `Byte 120 of the output, in "Total: 7"`.
    fn place(&self, offset: u64) -> String {
        const SHOWN: usize = 40;
        let piece =
            self.pieces.iter().find(|(from, bytes)| (*from..from + bytes.len() as u64).contains(&offset));
        let Some((from, bytes)) = piece else { return format!("Byte {offset} of the output") };
        let at = (offset - from) as usize;
        let text = String::from_utf8_lossy(&bytes[at..]).into_owned();
        let line: String = text.lines().next().unwrap_or("").chars().take(SHOWN).collect();
        format!("Byte {offset} of the output ({line:?})")
    }
}

/// A line and a column.
fn place(text: &str) -> Option<(usize, usize)> {
    let (line, column) = text.split_once(':')?;
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    Some((number(line)?, number(column)?)).filter(|(line, column)| *line > 0 && *column > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Result<u64, String> {
        // Something in between was not recorded.
        let pieces = vec![
            (0, b"one 1\n".to_vec()),
            (6, "zw\u{f6}lf\n".as_bytes().to_vec()),
            (100, b"7:7 one\n".to_vec()),
        ];
        Written { pieces }.find(text).map_err(|failure| match failure {
            Failure::Input { message, .. } | Failure::Usage { message, .. } => message,
            Failure::ClosedPipe | Failure::Interrupted => String::new(),
        })
    }

    #[test]
    fn places_in_the_output() {
        assert_eq!(find("1"), Ok(4));
        assert_eq!(find("lf"), Ok(10));
        assert_eq!(find("7 one"), Ok(102));
        assert_eq!(find("one"), Ok(0));
        assert_eq!(find("@101"), Ok(101));
        assert_eq!(find("2:4"), Ok(10));
        assert_eq!(find("3:1"), Ok(100));
        for wrong in ["9:1", "1:9", "0:1", "two", ""] {
            assert!(find(wrong).is_err(), "{wrong}");
        }
    }
}
