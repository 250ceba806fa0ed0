//! What a person types: lines to inputs, and the help text, from one table.
//!
//! A [`Typist`] follows the events of a dialogue and knows what a line means where the dialogue stands. A line is understood as a
//! whole or not at all: what is misspelt answers nothing, and the word that was probably meant is named.

use crate::protocol::{Event, Input, Look, Question};
use gadfly_engine::{Answer, AnswerError, Judgement};
use gadfly_source::nearest;

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

/// Words that mean something besides those of the help text, to recognise misspelt ones.
const OTHERS: &[&str] =
    &["yes", "no", "right", "dont know", "unknown", "trust function", "leave", "help", "exit"];

/// The words, in the order of the help text.
const WORDS: &[Word] = &[
    word("y", "correct", "as it should be (in a table: all of them)"),
    word("n", "wrong", "not as it should be; `n @result.2` marks the part"),
    word("", "3", "in a table: number 3 is the first wrong one"),
    word("i", "inadmissible", "this call should never have been made; `i @arg1` marks why"),
    word("d", "don't know", "cannot tell (in a table: ask row by row)"),
    word("t", "trust [NAME]", "never ask about this function, or about NAME"),
    word("T", "trust module", "never ask about this module"),
    word("u", "undo [N]", "take back the last step, or N"),
    word("", "revise 3 wrong", "change the answer to question 3"),
    word("w", "why", "why this question"),
    word("e", "expected", "an estimate of how many more questions there are"),
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
    /// The person is to read this.
    Say(String),
}

/// Follows a dialogue and understands what is typed.
#[derive(Clone, Debug, Default)]
pub struct Typist {
    question: Option<Question>,
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

    /// The question that is open.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Understands a line; the error says what to type instead.
    pub fn typed(&mut self, line: &str) -> Result<Typed, String> {
        let line = line.trim().trim_start_matches(':').trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        // The only word that is written in capitals is T.
        let lower = word.to_lowercase();
        let word = if word == "T" { word } else { &lower };
        let look = |at| Ok(Typed::Input(Input::Look { at }));
        match word {
            "" => Err("type y, n, i, d, or ? for help".into()),
            "?" | "help" => nothing_more(word, rest).map(|()| Typed::Say(help())),
            "q" | "quit" | "exit" => nothing_more(word, rest).map(|()| Typed::Input(Input::Quit)),
            "w" | "why" => nothing_more(word, rest).and_then(|()| look(Look::Why)),
            "e" | "expected" => nothing_more(word, rest).and_then(|()| look(Look::Left)),
            "h" | "history" => nothing_more(word, rest).and_then(|()| look(Look::History)),
            "s" | "show" => optional_node(rest).and_then(|node| look(Look::Whole { node })),
            "c" | "code" => optional_node(rest).and_then(|node| look(Look::Code { node })),
            "u" | "undo" => undo(rest).map(Typed::Input),
            "revise" => revise(rest).map(Typed::Input),
            "restart" => nothing_more(word, rest).map(|()| Typed::Input(Input::Restart)),
            "strategy" if rest.is_empty() => Err("name a strategy, as in `strategy top-down`".to_owned()),
            "strategy" => {
                let strategy = rest.parse().map_err(|error| format!("{error}"))?;
                Ok(Typed::Input(Input::Switch { strategy }))
            }
            "ask" => node(rest).map(|node| Typed::Input(Input::AskAbout { node })),
            "enter" if rest.is_empty() => {
                let node = self.first_row().ok_or("there is no question now; name a node: `enter 12`")?;
                Ok(Typed::Input(Input::Enter { node }))
            }
            "enter" => node(rest).map(|node| Typed::Input(Input::Enter { node })),
            "leave" => nothing_more(word, rest).map(|()| Typed::Input(Input::Leave)),
            "reject" => {
                let because = Some(rest.to_owned()).filter(|because| !because.is_empty());
                Ok(Typed::Input(Input::Reject { because }))
            }
            "t" | "trust" if !rest.is_empty() && rest != "module" && rest != "function" => {
                Ok(Typed::Input(Input::Trust { names: rest.to_owned() }))
            }
            "T" if !rest.is_empty() => nothing_more(word, rest).map(|()| Typed::Say(String::new())),
            "T" => self.answered(Answer::plain(Judgement::TrustModule)),
            _ if word.starts_with(|c: char| c.is_ascii_digit()) => self.row_is(word, rest),
            _ => self.answered(answer(line)?),
        }
    }

    fn first_row(&self) -> Option<u64> {
        self.question()?.rows.first().map(|row| row.node)
    }

    fn answered(&mut self, answer: Answer) -> Result<Typed, String> {
        let Some(question) = &self.question else { return Err(self.no_question()) };
        let input = |rows| Ok(Typed::Input(Input::Answer { question: question.number, rows }));
        match (question.rows.len(), answer.judgement) {
            (1, _) | (_, Judgement::TrustFunction | Judgement::TrustModule) => input(vec![answer]),
            (rows, Judgement::Correct) => input(vec![answer; rows]),
            (_, Judgement::DontKnow) => Ok(Typed::Input(Input::OneByOne { question: question.number })),
            (_, judgement @ (Judgement::Wrong | Judgement::Inadmissible)) => {
                Err(format!("Which one? Type its number, as in `3` or `3 {judgement}`."))
            }
        }
    }

    /// `3`, `3 @result.1`, `3 inadmissible`: a row of a table.
    fn row_is(&mut self, word: &str, rest: &str) -> Result<Typed, String> {
        let Some(question) = &self.question else { return Err(self.no_question()) };
        let rows = question.rows.len();
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

/// The node that a look is at, if it is not the one of the question.
fn optional_node(text: &str) -> Result<Option<u64>, String> {
    if text.is_empty() { Ok(None) } else { node(text).map(Some) }
}

fn answer(text: &str) -> Result<Answer, String> {
    text.parse().map_err(|error| match error {
        AnswerError::Word(word) => unknown(&word),
        AnswerError::Mark(error) => format!("{error}; nothing was answered"),
    })
}

/// What is said of a line that means nothing.
fn unknown(line: &str) -> String {
    let known = WORDS.iter().map(|word| word.word.split([' ', '[']).next().unwrap_or(word.word));
    let known: Vec<&str> =
        known.chain(OTHERS.iter().copied()).chain(["don't know", "trust module"]).collect();
    let known = known.into_iter().filter(|word| word.chars().all(|c| !c.is_ascii_digit()));
    let known: Vec<&str> = known.collect();
    let first = line.split_whitespace().next().unwrap_or(line);
    let near = nearest(line, known.iter().copied()).or_else(|| nearest(first, known.iter().copied()));
    let shown: String = line.chars().take(60).collect();
    match near {
        Some(near) => format!("Unknown command `{shown}`; perhaps `{near}` is meant. Nothing was answered."),
        None => format!("Unknown command `{shown}`; nothing was answered. Type y, n, i, d, or ? for help."),
    }
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
        Some((number, row)) => {
            let row = row.parse::<usize>().ok().filter(|row| *row > 0);
            (number, Some(row.ok_or_else(error)?))
        }
        None => (place, None),
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
        check("revise 3.2 correct", 1, Input::Revise { question: 3, row: Some(2), answer });
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
        check("d", 3, Input::OneByOne { question: 7 });
        check("don't know", 3, Input::OneByOne { question: 7 });
    }

    /// Nothing but a whole word is an answer or a command.
    #[test]
    fn no_letter_of_a_word_is_an_answer() {
        for (typed, meant) in [
            ("hsitory", "history"),
            ("hist", "history"),
            ("ye", "yes"),
            ("dont knw", "dont know"),
            ("incorrect", "correct"),
            ("strateg top-down", "strategy"),
            ("qiut", "quit"),
        ] {
            let said = typist(1).typed(typed).unwrap_err();
            assert!(said.contains(&format!("`{meant}`")) && said.contains("Nothing was answered"), "{said}");
        }
        for typed in ["yn", "tt", "maybe", "nope no", "yes please", "d d"] {
            let said = typist(1).typed(typed).unwrap_err();
            assert!(said.to_lowercase().contains("nothing was answered"), "{said}");
        }
        let said = typist(1).typed("strategy topdown").unwrap_err();
        assert!(said.contains("`top-down`"), "{said}");
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
            "T x",
            "restart now",
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
        for Word { key, .. } in WORDS.iter().filter(|word| !word.key.is_empty()) {
            assert!(typist(1).typed(key).is_ok(), "{key}");
            assert!(help().contains(&format!("  {key}  ")));
        }
    }
}
