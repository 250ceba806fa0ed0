//! Answers, and how people write them.

use gadfly_term::{Path, PathError};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// What an oracle may say of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// The result is what was intended.
    Correct,
    /// The result is not what was intended.
    Wrong,
    /// The call should never have been made with these arguments (S0 §3.5).
    Inadmissible,
    /// Don't know.
    DontKnow,
    /// The function is right; never ask about it (S2 §6).
    TrustFunction,
    /// The whole module is right.
    TrustModule,
}

impl Judgement {
    /// The word for it, in scripts, journals and on screen.
    pub fn word(self) -> &'static str {
        match self {
            Judgement::Correct => "correct",
            Judgement::Wrong => "wrong",
            Judgement::Inadmissible => "inadmissible",
            Judgement::DontKnow => "don't know",
            Judgement::TrustFunction => "trust function",
            Judgement::TrustModule => "trust module",
        }
    }

    /// The judgement that a word means; the short forms of the prompt are words too.
    pub fn from_word(word: &str) -> Option<Judgement> {
        Some(match word.trim().to_lowercase().replace('’', "'").as_str() {
            "correct" | "right" | "yes" | "y" => Judgement::Correct,
            "wrong" | "no" | "n" => Judgement::Wrong,
            "inadmissible" | "i" => Judgement::Inadmissible,
            "don't know" | "dont know" | "don't-know" | "dont-know" | "unknown" | "d" => Judgement::DontKnow,
            "trust" | "trust function" | "trust-function" | "t" => Judgement::TrustFunction,
            "trust module" | "trust-module" => Judgement::TrustModule,
            _ => return None,
        })
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a mark says of the part it points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkKind {
    /// The part is not what it should be.
    Wrong,
    /// The part should never have been there.
    Inadmissible,
}

impl MarkKind {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            MarkKind::Wrong => "wrong",
            MarkKind::Inadmissible => "inadmissible",
        }
    }

    /// The kind that a word means.
    pub fn from_word(word: &str) -> Option<MarkKind> {
        [MarkKind::Wrong, MarkKind::Inadmissible].into_iter().find(|kind| kind.word() == word)
    }
}

/// A part of an equation that an answer points at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    /// Which part.
    pub path: Path,
    /// What is said of it.
    pub kind: MarkKind,
}

impl fmt::Display for Mark {
    /// `@result.3`; an inadmissible part is `@arg1!`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bang = if self.kind == MarkKind::Inadmissible { "!" } else { "" };
        write!(f, "{}{bang}", self.path)
    }
}

impl FromStr for Mark {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Mark, PathError> {
        let (path, kind) = match text.strip_suffix('!') {
            Some(path) => (path, MarkKind::Inadmissible),
            None => (text, MarkKind::Wrong),
        };
        Ok(Mark { path: path.parse()?, kind })
    }
}

/// A judgement, and what else was said with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was said.
    pub judgement: Judgement,
    /// The parts that it is about.
    pub marks: Vec<Mark>,
    /// The result that was expected, as the program's language writes it.
    pub expected: Option<String>,
    /// The reason, as half a sentence.
    pub because: Option<String>,
    /// How sure the one who answered is, in percent.
    pub confidence: Option<u8>,
}

impl Answer {
    /// A judgement and nothing else.
    pub fn plain(judgement: Judgement) -> Answer {
        Answer { judgement, marks: Vec::new(), expected: None, because: None, confidence: None }
    }

    /// A judgement with marks; what is marked in an inadmissible call is inadmissible.
    pub fn with_marks(judgement: Judgement, mut marks: Vec<Mark>) -> Answer {
        if judgement == Judgement::Inadmissible {
            marks.iter_mut().for_each(|mark| mark.kind = MarkKind::Inadmissible);
        }
        Answer { marks, ..Answer::plain(judgement) }
    }

    /// The same answer with a reason.
    pub fn because(self, reason: impl Into<String>) -> Answer {
        Answer { because: Some(reason.into()), ..self }
    }

    /// The same answer with a mark.
    pub fn marking(mut self, path: Path, kind: MarkKind) -> Answer {
        self.marks.push(Mark { path, kind });
        self
    }
}

impl fmt::Display for Answer {
    /// The judgement with its marks; reasons and expected values are shown elsewhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.judgement)?;
        for mark in &self.marks {
            match self.judgement {
                Judgement::Inadmissible => write!(f, " {}", mark.path)?,
                _ => write!(f, " {mark}")?,
            }
        }
        Ok(())
    }
}

/// A text that is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// No such word.
    #[error(
        "`{0}` is not an answer; answers are: correct, wrong, inadmissible, don't know, trust function, trust module"
    )]
    Word(String),
    /// A mark that is not one.
    #[error(transparent)]
    Mark(#[from] PathError),
}

impl FromStr for Answer {
    type Err = AnswerError;

    /// `wrong @result.3 @arg1!`: a judgement and perhaps marks. Marks with `correct` are kept too: S0 §3.5 marks an
    /// inadmissible argument in an equation that is correct.
    fn from_str(text: &str) -> Result<Answer, AnswerError> {
        let (word, marks) = text.split_at(text.find('@').unwrap_or(text.len()));
        let Some(judgement) = Judgement::from_word(word) else {
            return Err(AnswerError::Word(word.trim().chars().take(60).collect()));
        };
        let marks = marks.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        Ok(Answer::with_marks(judgement, marks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_round_trip() {
        for text in ["correct", "wrong @result.3 @arg1!", "inadmissible @arg2", "don't know", "trust module"]
        {
            assert_eq!(text.parse::<Answer>().unwrap().to_string(), text);
        }
        assert_eq!("Y".parse::<Answer>().unwrap().judgement, Judgement::Correct);
        assert_eq!("dont know".parse::<Answer>().unwrap().judgement, Judgement::DontKnow);
        assert!(matches!("maybe".parse::<Answer>(), Err(AnswerError::Word(_))));
        assert!(matches!("wrong @foo".parse::<Answer>(), Err(AnswerError::Mark(_))));
    }
}
