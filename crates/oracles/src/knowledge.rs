//! What earlier sessions know: answers in an embedded store, kept from one session to the next.
//!
//! An answer is found again by all it depends on: the language, the project and the file in it, the module, the function, the
//! rule's number and its source text, and the equation to the last part, with the variables before and after. So an answer
//! about one program says nothing about another, even if both have the same rule, and an edit of a rule forgets the answers
//! about that rule and no others. Where the rule's source is not known, or a part of the equation is not shown, nothing is
//! answered and nothing learned: what is hidden may differ. Nor is the whole of a run: what it was given is not shown.
//!
//! Only correct, wrong and inadmissible are learned. A later answer replaces an earlier one, except that nobody overrules
//! a person but a person.
//!
//! The file is open only while it is read or written, so several sessions can share it. Answers of a person are written
//! at once, others in bundles: whoever gave those can give them again.

mod project;
mod store;

pub use project::Project;

use gadfly_engine::{Answer, Given, Judgement, Oracle, OracleError, Query, Watch, Who};
use gadfly_tree::Node;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::{Found, Store, Trouble};

/// How many answers are written together.
const BUNDLE: usize = 256;

/// What an answer is found by.
type Key = [u8; 32];

/// What earlier sessions know.
#[derive(Debug)]
pub struct Knowledge {
    store: Store,
    language: String,
    project: Project,
    /// Learned and not written yet.
    pending: BTreeMap<Key, Known>,
    /// Whether writing has failed: then it is not tried for every answer again, which would take its time.
    stuck: bool,
}

/// An answer, and who gave it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Known {
    #[serde(flatten)]
    answer: Answer,
    by: Who,
}

impl Knowledge {
    /// The knowledge base in a file, which need not exist yet, about a program of a language.
    pub fn new(path: impl Into<PathBuf>, language: &str, project: Project) -> Knowledge {
        let language = language.trim().to_lowercase();
        let store = Store::new(path.into());
        Knowledge { store, language, project, pending: BTreeMap::new(), stuck: false }
    }

    /// Looks whether the file can be used. What a program that was killed, or a full disk, has left there is set aside, with
    /// all answers taken out of it that can be read; what the user should know of that is returned.
    pub fn prepare(&self) -> Option<String> {
        let path = self.store.path().display();
        match self.store.mend() {
            Ok(Found::Sound) => None,
            Ok(Found::Older(0)) => None,
            Ok(Found::Older(answers)) => Some(format!(
                "the knowledge base {path} has {answers} answers of an older Gadfly, which do not say what project they are \
                 about; they are not used"
            )),
            Ok(Found::Mended { moved_to, answers }) => {
                Some(format!("the knowledge base {path} was damaged; {}", mended(&moved_to, answers)))
            }
            // What it is shows when it is asked.
            Err(_) => None,
        }
    }

    /// Writes what was learned and is not written yet. Done at the end by itself, but then nobody hears of errors.
    ///
    /// After an error, here or in [`learn`](Oracle::learn), what was learned is kept and can be written again.
    pub fn flush(&mut self) -> Result<(), OracleError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let written = self.store.write(self.pending.iter(), replaces);
        self.stuck = written.is_err();
        written.map_err(|trouble| self.describe(trouble))?;
        self.pending.clear();
        Ok(())
    }

    /// Forgets what is known of an equation: for an answer that was taken back.
    pub fn forget(&mut self, query: &Query<'_>) -> Result<(), OracleError> {
        let Some(key) = self.key(query) else { return Ok(()) };
        self.pending.remove(&key);
        self.store.remove(&key).map_err(|trouble| self.describe(trouble))
    }

    /// What an answer to this question is found by; `None` if it cannot be told from others.
    fn key(&self, query: &Query<'_>) -> Option<Key> {
        let rule_text = query.rule_text?;
        let is_whole = query.level == 0 && query.node == Node::ROOT;
        if is_whole || !query.equation.terms.is_complete() {
            return None;
        }
        let rule = query.rule;
        let file = query.file.map(|file| self.project.file(file));
        let number = rule.number.map(|number| number.to_string());
        let equation = query.equation.canonical();
        let mut hash = Sha256::new();
        for part in [
            Some(&*self.language),
            Some(self.project.name()),
            file.as_deref(),
            rule.module.as_deref(),
            Some(&rule.function),
            number.as_deref(),
            Some(rule_text),
            Some(&equation),
        ] {
            // With its length, no part can be taken for the beginning of the next.
            hash.update([u8::from(part.is_some())]);
            let part = part.unwrap_or("");
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Some(hash.finalize().into())
    }

    fn describe(&self, trouble: Trouble) -> OracleError {
        let path = self.store.path().display();
        let (message, hint) = match trouble {
            Trouble::Locked => (
                format!("the knowledge base {path} is in use by another program"),
                "try again when that program has ended, or use another file",
            ),
            Trouble::Foreign => (
                format!("{path} is not a knowledge base; Gadfly left the file unchanged"),
                "name another file; Gadfly creates it if it does not exist",
            ),
            Trouble::Newer(version) => (
                format!("the knowledge base {path} has version {version}, written by a newer Gadfly"),
                "use that newer Gadfly, or another file",
            ),
            Trouble::Damaged(why) => match self.store.rescue() {
                Ok(Found::Mended { moved_to, answers }) => (
                    format!("the knowledge base {path} is damaged: {why}; {}", mended(&moved_to, answers)),
                    "continue with `--resume` to use the new one",
                ),
                _ => (
                    format!("the knowledge base {path} is damaged: {why}"),
                    "move the file away; Gadfly creates a new one and asks the questions again",
                ),
            },
            Trouble::Io(error) => (
                format!("the knowledge base {path} cannot be used: {error}"),
                "check that the file and its folder can be read and written, or use another file",
            ),
        };
        OracleError { message, hint: Some(hint.to_owned()) }
    }
}

/// What became of a damaged file.
fn mended(moved_to: &Path, answers: usize) -> String {
    let what = match answers {
        0 => "no answer could be read from it".to_owned(),
        1 => "1 answer was taken over into a new one".to_owned(),
        answers => format!("{answers} answers were taken over into a new one"),
    };
    format!("it is kept as {}, and {what}", moved_to.display())
}

/// Whether a new answer takes the place of an earlier one.
fn replaces(new: &Known, earlier: &Known) -> bool {
    new.by == Who::Person || earlier.by != Who::Person
}

impl Oracle for Knowledge {
    fn who(&self) -> Who {
        Who::Knowledge
    }

    fn judge(&mut self, query: &Query<'_>, _watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        let Some(key) = self.key(query) else { return Ok(None) };
        let written = self.store.read(&key).map_err(|trouble| self.describe(trouble))?;
        let known = match (self.pending.get(&key), written) {
            (Some(new), Some(earlier)) if !replaces(new, &earlier) => Some(earlier),
            (Some(new), _) => Some(new.clone()),
            (None, written) => written,
        };
        Ok(known.map(|known| known.answer))
    }

    fn learns(&self) -> bool {
        true
    }

    fn flush(&mut self) -> Result<(), OracleError> {
        Knowledge::flush(self)
    }

    fn learn(&mut self, query: &Query<'_>, given: &Given) -> Result<(), OracleError> {
        let Given { answer, by, .. } = given;
        let lasting =
            matches!(answer.judgement, Judgement::Correct | Judgement::Wrong | Judgement::Inadmissible);
        if !lasting || *by == Who::Knowledge {
            return Ok(());
        }
        let Some(key) = self.key(query) else { return Ok(()) };
        let known = Known { answer: answer.clone(), by: *by };
        if self.pending.get(&key).is_none_or(|earlier| replaces(&known, earlier)) {
            self.pending.insert(key, known);
        }
        let due = *by == Who::Person || self.pending.len() >= BUNDLE;
        if due && !self.stuck { self.flush() } else { Ok(()) }
    }
}

impl Drop for Knowledge {
    fn drop(&mut self) {
        if !self.stuck {
            // Who wants to hear of errors calls `flush` before.
            let _ = self.flush();
        }
    }
}

#[cfg(test)]
mod tests;
