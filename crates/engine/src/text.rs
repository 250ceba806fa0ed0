//! Answers in JSON: `{"answer": "wrong", "marks": [{"path": "@result.3", "kind": "wrong"}], "because": "…"}`.
//!
//! Journals, knowledge bases, external commands and the protocol all write them so.

use crate::strategy::StrategyName;
use crate::{Answer, Judgement, Mark, MarkKind, Who};
use gadfly_term::Path;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an answer is an object such as {\"answer\": \"correct\"}")]
struct AnswerText {
    answer: Judgement,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<Mark>,
    /// The one mark that answers had before they could have several.
    #[serde(default, skip_serializing)]
    mark: Option<Path>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<u8>,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { judgement, marks, expected, because, confidence } = self.clone();
        AnswerText { answer: judgement, marks, mark: None, expected, because, confidence }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
        let AnswerText { answer, mut marks, mark, expected, because, confidence } =
            AnswerText::deserialize(deserializer)?;
        marks.extend(mark.map(|path| {
            let inadmissible = answer == Judgement::Inadmissible;
            Mark { path, kind: if inadmissible { MarkKind::Inadmissible } else { MarkKind::Wrong } }
        }));
        Ok(Answer { judgement: answer, marks, expected, because, confidence })
    }
}

#[derive(Serialize, Deserialize)]
struct MarkText {
    path: Path,
    kind: MarkKind,
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MarkText { path: self.path.clone(), kind: self.kind }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mark, D::Error> {
        let MarkText { path, kind } = MarkText::deserialize(deserializer)?;
        Ok(Mark { path, kind })
    }
}

/// A type that is a word in JSON.
macro_rules! word {
    ($type:ty, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($write(*self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let word = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                $read(&word).map_err(D::Error::custom)
            }
        }
    };
}

word!(Judgement, Judgement::word, |word: &str| Judgement::from_word(word)
    .ok_or_else(|| format!("`{}` is not an answer", word.chars().take(60).collect::<String>())));
word!(MarkKind, MarkKind::word, |word: &str| MarkKind::from_word(word)
    .ok_or_else(|| format!("`{}` is not a kind of mark", word.chars().take(60).collect::<String>())));
word!(Who, Who::word, Who::from_word);
word!(StrategyName, StrategyName::name, |word: &str| word.parse::<StrategyName>());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_round_trip() {
        for text in [
            r#"{"answer":"correct"}"#,
            r#"{"answer":"wrong","marks":[{"path":"@result.3","kind":"wrong"},{"path":"@arg1","kind":"inadmissible"}],"expected":"4","because":"it is odd","confidence":80}"#,
            r#"{"answer":"don't know"}"#,
        ] {
            let answer: Answer = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&answer).unwrap(), text);
        }
    }

    #[test]
    fn answers_with_one_mark_are_still_read() {
        let answer: Answer = serde_json::from_str(r#"{"answer":"inadmissible","mark":"@arg1"}"#).unwrap();
        assert_eq!(answer.to_string(), "inadmissible @arg1");
        assert!(serde_json::from_str::<Answer>(r#"{"answer":"maybe"}"#).is_err());
        assert!(serde_json::from_str::<Answer>(r#"{"answer":"wrong","mark":"result"}"#).is_err());
    }
}
