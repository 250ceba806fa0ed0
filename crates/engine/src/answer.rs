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
    /// Cannot tell.
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

/// A judgement, and the part of the equation it is about, if one was marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was said.
    pub judgement: Judgement,
    /// The part that is wrong or inadmissible.
    pub mark: Option<Path>,
}

impl Answer {
    /// An answer without a mark.
    pub fn plain(judgement: Judgement) -> Answer {
        Answer { judgement, mark: None }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.judgement)?;
        if let Some(mark) = &self.mark {
            write!(f, " {mark}")?;
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

    /// `wrong @result.3`: a judgement and perhaps a mark. A mark with `correct` is kept too: S0 §3.5 marks an
    /// inadmissible argument in an equation that is correct.
    fn from_str(text: &str) -> Result<Answer, AnswerError> {
        let (word, mark) = match text.find('@') {
            Some(at) => (&text[..at], Some(text[at..].trim().parse()?)),
            None => (text, None),
        };
        match Judgement::from_word(word) {
            Some(judgement) => Ok(Answer { judgement, mark }),
            None => Err(AnswerError::Word(word.trim().chars().take(60).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_round_trip() {
        for text in ["correct", "wrong @result.3", "inadmissible @arg2", "don't know", "trust module"] {
            assert_eq!(text.parse::<Answer>().unwrap().to_string(), text);
        }
        assert_eq!("Y".parse::<Answer>().unwrap().judgement, Judgement::Correct);
        assert_eq!("dont know".parse::<Answer>().unwrap().judgement, Judgement::DontKnow);
        assert!(matches!("maybe".parse::<Answer>(), Err(AnswerError::Word(_))));
        assert!(matches!("wrong @foo".parse::<Answer>(), Err(AnswerError::Mark(_))));
    }
}
