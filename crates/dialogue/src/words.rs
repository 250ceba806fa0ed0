//! What a person types: lines to inputs, and the help text, from one table.
//!
//! A [`Typist`] follows the events of a dialogue and knows what a line means where the dialogue stands. A table that the person
//! would rather see row by row is kept here until all of its rows are answered.

use crate::protocol::{Event, Input, Look, Question};
use gadfly_engine::{Answer, Judgement};

/// A word that can be typed.
struct Word {
    /// The key, if there is one.
    key: &'static str,
    /// The word, with what may follow it.
    word: &'static str,
    /// What it does.
    does: &'static str,
}

const fn word(key: &'static str, word: &'static str, does: &'static str) -> Word {
    Word { key, word, does }
}

/// The words, in the order of the help text.
const WORDS: &[Word] = &[
    word("y", "correct", "as it should be (in a table: all of them)"),
    word("n", "wrong", "not as it should be; `n @result.2` marks the part"),
    word("", "3", "in a table: number 3 is the first wrong one"),
    word("i", "inadmissible", "this call should never have been made; `i @arg1` marks why"),
    word("d", "don't know", "cannot tell (in a table: ask one by one)"),
    word("t", "trust [NAME]", "never ask about this function, or about NAME"),
    word("T", "trust module", "never ask about this module"),
    word("u", "undo [N]", "take back the last step, or N"),
    word("", "revise 3 wrong", "change the answer to question 3"),
    word("w", "why", "why this question"),
    word("e", "expected", "how many more questions there may be"),
    word("s", "show", "the whole equation"),
    word("c", "code", "the source it stands for"),
    word("h", "history", "the answers so far"),
    word("", "ask 12", "ask about node 12 next"),
    word("", "enter [12]", "look inside this call, or node 12; `leave` goes back"),
    word("", "strategy NAME", "continue with another strategy"),
    word("", "restart", "forget all answers"),
    word("", "reject [WHY]", "after a verdict: this code is right"),
    word("q", "quit", "leave; `--resume` continues"),
];

/// The keys that act alone on a terminal.
pub fn keys() -> String {
    WORDS.iter().map(|word| word.key).chain(["?"]).collect()
}

/// The help text.
pub fn help() -> String {
    let mut text = String::from("\n");
    for Word { key, word, does } in WORDS {
        text.push_str(&format!("  {key:1}  {word:14}  {does}\n"));
    }
    text
}

/// What a line comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The dialogue is to hear this.
    Input(Input),
    /// The next row of a table is to be asked about: a question with one row.
    AskRow(Question),
    /// The person is to read this.
    Say(String),
}

/// Follows a dialogue and understands what is typed.
#[derive(Clone, Debug, Default)]
pub struct Typist {
    question: Option<Question>,
    /// Rows of a table that were answered one by one.
    rows: Option<Vec<Answer>>,
    decided: bool,
}

impl Typist {
    /// Follows an event.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Question(question) => {
                *self = Typist { question: Some(question.clone()), ..Typist::default() };
            }
            Event::Verdict(_) => *self = Typist { decided: true, ..Typist::default() },
            Event::Answered(_) | Event::Ended { .. } => *self = Typist::default(),
            _ => {}
        }
    }

    /// The question that is open, as it is asked now.
    pub fn question(&self) -> Option<Question> {
        let question = self.question.as_ref()?;
        Some(match &self.rows {
            Some(given) => Question {
                rows: question.rows[given.len()..].iter().take(1).cloned().collect(),
                ..question.clone()
            },
            None => question.clone(),
        })
    }

    /// Understands a line; the error says what to type instead.
    pub fn typed(&mut self, line: &str) -> Result<Typed, String> {
        let line = line.trim().trim_start_matches(':').trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let look = |at| Ok(Typed::Input(Input::Look { at }));
        match word {
            "" => Err("type y, n, i, d, or ? for help".into()),
            "?" | "help" => nothing_more(word, rest).map(|()| Typed::Say(help())),
            "q" | "quit" | "exit" => nothing_more(word, rest).map(|()| Typed::Input(Input::Quit)),
            "w" | "why" => nothing_more(word, rest).and_then(|()| look(Look::Why)),
            "e" | "expected" => nothing_more(word, rest).and_then(|()| look(Look::Left)),
            "h" | "history" => nothing_more(word, rest).and_then(|()| look(Look::History)),
            "s" | "show" => look(Look::Whole { node: self.row() }),
            "c" | "code" => look(Look::Code { node: self.row() }),
            "u" | "undo" => undo(rest).map(Typed::Input),
            "revise" => revise(rest).map(Typed::Input),
            "restart" => Ok(Typed::Input(Input::Restart)),
            "strategy" => {
                let strategy = rest.parse().map_err(|error| format!("{error}"))?;
                Ok(Typed::Input(Input::Switch { strategy }))
            }
            "ask" => node(rest).map(|node| Typed::Input(Input::AskAbout { node })),
            "enter" if rest.is_empty() => {
                let node = self.row_or_first().ok_or("there is no question now; name a node: `enter 12`")?;
                Ok(Typed::Input(Input::Enter { node }))
            }
            "enter" => node(rest).map(|node| Typed::Input(Input::Enter { node })),
            "leave" => nothing_more(word, rest).map(|()| Typed::Input(Input::Leave)),
            "reject" => {
                let because = Some(rest.to_owned()).filter(|because| !because.is_empty());
                Ok(Typed::Input(Input::Reject { because }))
            }
            "trust" if !rest.is_empty() && rest != "module" && rest != "function" => {
                Ok(Typed::Input(Input::Trust { names: rest.to_owned() }))
            }
            "T" => self.answered(Answer::plain(Judgement::TrustModule)),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.row_is(word, rest),
            _ => self.answered(answer(line)?),
        }
    }

    /// The row of a table that is asked about alone.
    fn row(&self) -> Option<u64> {
        self.rows.as_ref()?;
        self.row_or_first()
    }

    fn row_or_first(&self) -> Option<u64> {
        self.question()?.rows.first().map(|row| row.node)
    }

    fn answered(&mut self, answer: Answer) -> Result<Typed, String> {
        let Some(question) = &self.question else { return Err(self.no_question()) };
        let input = |rows| Ok(Typed::Input(Input::Answer { question: question.number, rows }));
        if let Some(mut given) = self.rows.take() {
            let wrong = answer.judgement == Judgement::Wrong;
            given.push(answer);
            if wrong || given.len() == question.rows.len() {
                return input(given);
            }
            self.rows = Some(given);
            return Ok(self.question().map_or(Typed::Say(String::new()), Typed::AskRow));
        }
        match (question.rows.len(), answer.judgement) {
            (1, _) | (_, Judgement::TrustFunction | Judgement::TrustModule) => input(vec![answer]),
            (rows, Judgement::Correct) => input(vec![answer; rows]),
            (_, Judgement::DontKnow) => {
                self.rows = Some(Vec::new());
                Ok(self.question().map_or(Typed::Say(String::new()), Typed::AskRow))
            }
            (_, judgement @ (Judgement::Wrong | Judgement::Inadmissible)) => {
                Err(format!("Which one? Type its number, as in `3` or `3 {judgement}`."))
            }
        }
    }

    /// `3`, `3 @result.1`, `3 inadmissible`: a row of a table.
    fn row_is(&mut self, word: &str, rest: &str) -> Result<Typed, String> {
        let Some(question) = &self.question else { return Err(self.no_question()) };
        let rows = if self.rows.is_some() { 1 } else { question.rows.len() };
        let number = word.parse::<usize>().ok().filter(|number| rows > 1 && (1..=rows).contains(number));
        let Some(number) = number else {
            return Err(match rows {
                0 | 1 => format!("`{word}` is not an answer to one equation; type y, n, i, d, or ? for help"),
                _ => format!(
                    "`{word}` is not a row; type the number of the first wrong one, from 1 to {rows}, or y if all are right"
                ),
            });
        };
        let this = match rest {
            "" => Answer::plain(Judgement::Wrong),
            mark if mark.starts_with('@') => answer(&format!("wrong {mark}"))?,
            text => answer(text)?,
        };
        let mut given = vec![Answer::plain(Judgement::Correct); number - 1];
        given.push(this);
        Ok(Typed::Input(Input::Answer { question: question.number, rows: given }))
    }

    fn no_question(&self) -> String {
        match self.decided {
            true => "No open question. `u` undoes the last answer, `q` quits.".to_owned(),
            false => "There is no question now.".to_owned(),
        }
    }
}

fn nothing_more(word: &str, rest: &str) -> Result<(), String> {
    match rest {
        "" => Ok(()),
        _ => Err(format!("`{word}` takes nothing more; type ? for help")),
    }
}

fn node(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a node's number"))
}

fn answer(text: &str) -> Result<Answer, String> {
    text.parse().map_err(|error| format!("{error}; type ? for help"))
}

fn undo(text: &str) -> Result<Input, String> {
    match text {
        "" => Ok(Input::Undo { steps: 1 }),
        _ => match text.parse() {
            Ok(0) | Err(_) => Err(format!("`{text}` is not a number of steps; type `undo` or `undo 3`")),
            Ok(steps) => Ok(Input::Undo { steps }),
        },
    }
}

/// `3 wrong` or `3.2 wrong`: the question, perhaps a row of its table, and the new answer.
fn revise(text: &str) -> Result<Input, String> {
    let error = || {
        "type the question's number and the new answer, as in `revise 3 wrong` or `revise 3.2 correct`"
            .to_owned()
    };
    let (place, new) = text.split_once(char::is_whitespace).ok_or_else(error)?;
    let (number, row) = match place.split_once('.') {
        Some((number, row)) => (number, row.parse::<usize>().ok().filter(|row| *row > 0).ok_or_else(error)?),
        None => (place, 1),
    };
    Ok(Input::Revise { question: number.parse().map_err(|_| error())?, row, answer: answer(new)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{NodeRef, Row};
    use gadfly_engine::strategy::StrategyName;
    use gadfly_tree::Node;

    fn question(rows: usize) -> Question {
        let row = |index: u32| Row {
            at: NodeRef { level: 0, node: Node(index) },
            node: u64::from(index) + 1,
            function: "f".to_owned(),
            place: None,
            lines: vec![format!("f {index} = 0")],
            shortened: false,
        };
        let rows = (0..rows as u32).map(row).collect();
        Question { number: 7, rows, reason: String::new(), known: Vec::new() }
    }

    fn typist(rows: usize) -> Typist {
        let mut typist = Typist::default();
        typist.hear(&Event::Question(question(rows)));
        typist
    }

    fn check(line: &str, rows: usize, expected: Input) {
        assert_eq!(typist(rows).typed(line), Ok(Typed::Input(expected)), "{line}");
    }

    fn answers(rows: &[&str]) -> Input {
        Input::Answer { question: 7, rows: rows.iter().map(|text| text.parse().unwrap()).collect() }
    }

    #[test]
    fn lines_are_inputs() {
        check("y", 1, answers(&["correct"]));
        check(" n @result.2 ", 1, answers(&["wrong @result.2"]));
        check("don't know", 1, answers(&["don't know"]));
        check("trust module", 1, answers(&["trust module"]));
        check("trust Data.*", 1, Input::Trust { names: "Data.*".to_owned() });
        check("T", 1, answers(&["trust module"]));
        check("u", 1, Input::Undo { steps: 1 });
        check("undo 3", 1, Input::Undo { steps: 3 });
        let answer = Answer::plain(Judgement::Correct);
        check("revise 3.2 correct", 1, Input::Revise { question: 3, row: 2, answer });
        check("y", 3, answers(&["correct", "correct", "correct"]));
        check("3", 3, answers(&["correct", "correct", "wrong"]));
        check("2 @arg1", 9, answers(&["correct", "wrong @arg1"]));
        check("1 i", 9, answers(&["inadmissible"]));
        check("strategy top-down", 1, Input::Switch { strategy: StrategyName::TopDown });
        check(":restart", 1, Input::Restart);
        check("ask 12", 1, Input::AskAbout { node: 12 });
        check("enter", 1, Input::Enter { node: 1 });
        check("why", 1, Input::Look { at: Look::Why });
    }

    #[test]
    fn a_table_can_be_answered_row_by_row() {
        let mut typist = typist(3);
        assert!(matches!(typist.typed("d"), Ok(Typed::AskRow(row)) if row.rows[0].node == 1));
        assert!(matches!(typist.typed("y"), Ok(Typed::AskRow(row)) if row.rows[0].node == 2));
        assert_eq!(typist.typed("n"), Ok(Typed::Input(answers(&["correct", "wrong"]))));
    }

    #[test]
    fn what_makes_no_sense_is_explained() {
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
            "ask me",
        ] {
            assert!(typist(1).typed(line).is_err(), "{line}");
        }
        assert!(typist(9).typed("10").is_err());
        assert!(typist(9).typed("n").unwrap_err().contains("Which one"));
        assert!(Typist::default().typed("y").is_err());
    }

    #[test]
    fn the_help_text_fits_a_small_screen() {
        assert!(help().lines().count() < 23 && help().lines().all(|line| line.chars().count() < 80));
    }

    #[test]
    fn every_key_of_the_help_text_means_something() {
        for key in keys().chars() {
            assert!(typist(1).typed(&key.to_string()).is_ok(), "{key}");
            assert!(help().contains(&format!("  {key}  ")) || key == '?');
        }
    }
}
