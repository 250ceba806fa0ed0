//! What a person may say at the prompt.

use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{Answer, Judgement};

/// Something said at the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// An answer to the question; in a table, "all right".
    Answer(Answer),
    /// In a table: the rows before this one (from 0) are right, and this one is as said.
    Row(usize, Answer),
    /// Take back so many steps.
    Undo(usize),
    /// Change the answer to an earlier question, and to which row of it (from 0).
    Revise(usize, usize, Answer),
    /// Begin again.
    Restart,
    /// Another strategy.
    Switch(StrategyName),
    /// Why this question?
    Why,
    /// How many more?
    Expected,
    /// What was answered so far?
    History,
    /// The whole equation.
    Whole,
    /// The source it stands for.
    Code,
    /// What can I say?
    Help,
    /// Leave; the answers are kept.
    Quit,
}

/// The help text.
pub(crate) const HELP: &str = "
  y  correct           the result is what it should be (in a table: all of them are)
  n  wrong             the result is not what it should be; `n @result.2` marks the part
  3                    in a table: number 3 is the first wrong one
  i  inadmissible      the call should never have been made with these arguments; `i @arg1` marks one
  d  don't know        cannot tell; asked again only if nothing else is left (in a table: one by one)
  t  trust             never ask about this function      T  trust module
  u  undo [N]          take back the last step, or N      revise 3 wrong   change the answer to question 3
  w  why               why this question                  e  expected      how many more there may be
  s  show              the whole equation                 c  code          the source it stands for
  h  history           the answers so far                 strategy NAME    go on with another strategy
  restart              forget all answers                 q  quit          leave; `--resume` goes on
";

/// The keys that answer at once on a terminal.
pub(crate) const KEYS: &str = "ynidtTuweschq?";

/// Understands a line; `rows` is how many rows the question has.
pub(crate) fn parse(line: &str, rows: usize) -> Result<Reply, String> {
    let line = line.trim().trim_start_matches(':').trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let reply = match word {
        "" => return Err("say y, n, i, d or ? for help".into()),
        "?" | "help" => Reply::Help,
        "q" | "quit" | "exit" => Reply::Quit,
        "w" | "why" => Reply::Why,
        "e" | "expected" => Reply::Expected,
        "h" | "history" => Reply::History,
        "s" | "show" => Reply::Whole,
        "c" | "code" => Reply::Code,
        "restart" => Reply::Restart,
        "u" | "undo" => Reply::Undo(undo_steps(rest)?),
        "strategy" => Reply::Switch(rest.parse().map_err(|error| format!("{error}"))?),
        "revise" => revise(rest)?,
        "T" => Reply::Answer(Answer::plain(Judgement::TrustModule)),
        _ if word.starts_with(|c: char| c.is_ascii_digit()) => return row(word, rest, rows),
        _ => Reply::Answer(answer(line)?),
    };
    if matches!(reply, Reply::Help | Reply::Quit | Reply::Why | Reply::Expected | Reply::History)
        && !rest.is_empty()
    {
        return Err(format!("`{word}` takes nothing more; say ? for help"));
    }
    Ok(reply)
}

fn answer(text: &str) -> Result<Answer, String> {
    text.parse().map_err(|error| format!("{error}; say ? for help"))
}

fn undo_steps(text: &str) -> Result<usize, String> {
    match text {
        "" => Ok(1),
        _ => match text.parse() {
            Ok(0) | Err(_) => Err(format!("`{text}` is not a number of steps; say `undo` or `undo 3`")),
            Ok(steps) => Ok(steps),
        },
    }
}

/// `3 wrong` or `3.2 wrong`: the question, perhaps a row of its table, and the new answer.
fn revise(text: &str) -> Result<Reply, String> {
    let error = || {
        "say the question's number and the new answer, as in `revise 3 wrong` or `revise 3.2 correct`"
            .to_owned()
    };
    let (place, new) = text.split_once(char::is_whitespace).ok_or_else(error)?;
    let (number, row) = match place.split_once('.') {
        Some((number, row)) => {
            (number, row.parse::<usize>().ok().and_then(|row| row.checked_sub(1)).ok_or_else(error)?)
        }
        None => (place, 0),
    };
    Ok(Reply::Revise(number.parse().map_err(|_| error())?, row, answer(new)?))
}

/// `3`, `3 @result.1`, `3 inadmissible`: a row of a table.
fn row(word: &str, rest: &str, rows: usize) -> Result<Reply, String> {
    let number = word.parse::<usize>().ok().filter(|number| (1..=rows).contains(number));
    let Some(number) = number else {
        return Err(match rows {
            0 | 1 => format!("`{word}` is not an answer to one equation; say y, n, i, d or ? for help"),
            _ => format!(
                "`{word}` is not a row; say the number of the first wrong one, from 1 to {rows}, or y if all are right"
            ),
        });
    };
    let answer = match rest {
        "" => Answer::plain(Judgement::Wrong),
        mark if mark.starts_with('@') => answer(&format!("wrong {mark}"))?,
        text => answer(text)?,
    };
    Ok(Reply::Row(number - 1, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, rows: usize, expect: Reply) {
        assert_eq!(parse(line, rows), Ok(expect), "{line}");
    }

    #[test]
    fn replies() {
        check("y", 1, Reply::Answer(Answer::plain(Judgement::Correct)));
        check(" n @result.2 ", 1, Reply::Answer("wrong @result.2".parse().unwrap()));
        check("don't know", 1, Reply::Answer(Answer::plain(Judgement::DontKnow)));
        check("trust module", 1, Reply::Answer(Answer::plain(Judgement::TrustModule)));
        check("T", 1, Reply::Answer(Answer::plain(Judgement::TrustModule)));
        check("u", 1, Reply::Undo(1));
        check("undo 3", 1, Reply::Undo(3));
        check("revise 3.2 correct", 1, Reply::Revise(3, 1, Answer::plain(Judgement::Correct)));
        check("4", 9, Reply::Row(3, Answer::plain(Judgement::Wrong)));
        check("4 @arg1", 9, Reply::Row(3, "wrong @arg1".parse().unwrap()));
        check("4 i", 9, Reply::Row(3, Answer::plain(Judgement::Inadmissible)));
        check("strategy top-down", 1, Reply::Switch(StrategyName::TopDown));
        check(":restart", 1, Reply::Restart);
    }

    #[test]
    fn what_is_no_reply_is_told() {
        for line in [
            "",
            "maybe",
            "4",
            "undo x",
            "undo 0",
            "revise",
            "revise 3",
            "revise x wrong",
            "revise 3.0 wrong",
            "strategy fast",
            "n @x",
            "why not",
        ] {
            assert!(parse(line, 1).is_err(), "{line}");
        }
        assert!(parse("10", 9).is_err());
    }
}
