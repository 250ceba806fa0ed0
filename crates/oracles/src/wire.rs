//! Answers as they stand in files: a word and perhaps a mark.

use gadfly_engine::{Answer, Judgement};
use gadfly_term::{Part, Path, Root};
use serde::{Deserialize, Serialize};

/// An answer in JSON: `"answer": "wrong", "mark": "@result.3"`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AnswerText {
    answer: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<MarkText>,
}

/// A mark as people write it; where that would be read as another one (a field's name with a dot in it), its parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum MarkText {
    Written(String),
    Parts { root: RootText, parts: Vec<PartText> },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RootText {
    Result,
    Argument(u32),
    Function,
    Before(String),
    After(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum PartText {
    Index(u32),
    Name(String),
}

impl From<&Answer> for AnswerText {
    fn from(answer: &Answer) -> Self {
        AnswerText {
            answer: answer.judgement.word().to_owned(),
            mark: answer.mark.as_ref().map(MarkText::from),
        }
    }
}

impl AnswerText {
    /// The answer it stands for, or why it stands for none.
    pub(crate) fn answer(self) -> Result<Answer, String> {
        let Some(judgement) = Judgement::from_word(&self.answer) else {
            return Err(format!("{} is not an answer", beginning(&self.answer)));
        };
        let mark = self.mark.map(MarkText::path).transpose()?;
        Ok(Answer { judgement, mark })
    }
}

impl From<&Path> for MarkText {
    fn from(path: &Path) -> Self {
        let written = path.to_string();
        if written.parse().as_ref() == Ok(path) {
            return MarkText::Written(written);
        }
        let root = match &path.root {
            Root::Result => RootText::Result,
            Root::Argument(index) => RootText::Argument(*index),
            Root::Function => RootText::Function,
            Root::Before(name) => RootText::Before(name.to_string()),
            Root::After(name) => RootText::After(name.to_string()),
        };
        let parts = path.parts.iter().map(|part| match part {
            Part::Index(index) => PartText::Index(*index),
            Part::Name(name) => PartText::Name(name.to_string()),
        });
        MarkText::Parts { root, parts: parts.collect() }
    }
}

impl MarkText {
    fn path(self) -> Result<Path, String> {
        let (root, parts) = match self {
            MarkText::Written(text) => return text.parse().map_err(|error| format!("{error}")),
            MarkText::Parts { root, parts } => (root, parts),
        };
        let root = match root {
            RootText::Result => Root::Result,
            RootText::Argument(index) => Root::Argument(index),
            RootText::Function => Root::Function,
            RootText::Before(name) => Root::Before(name.into()),
            RootText::After(name) => Root::After(name.into()),
        };
        let parts = parts.into_iter().map(|part| match part {
            PartText::Index(index) => Part::Index(index),
            PartText::Name(name) => Part::Name(name.into()),
        });
        Ok(Path { root, parts: parts.collect() })
    }
}

/// The first 80 characters of a text that somebody else wrote, fit for a message.
pub(crate) fn beginning(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown = String::new();
    for c in chars.by_ref().take(80) {
        match c {
            '"' | '\'' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    if chars.next().is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
