//! The messages between this binary and a program that is run again, one JSON object a line.
//!
//! A process of the program connects and says [`Reply::Hello`] first. It gets a [`Request`] at a time and sends one [`Reply`]. The
//! other end is `python/gadfly/messages.py`; `python/messages.jsonl` has an example of every message, which both ends are tested
//! with. Whoever changes one of the three changes [`VERSION`].

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// What both ends have to agree on.
pub(crate) const VERSION: u32 = 1;

/// What a process that is paused at a call is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) limit_seconds: u64,
    #[serde(flatten)]
    pub(crate) ask: Ask,
}

/// See [`Request`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Ask {
    /// Have a copy of the process run on to a call, by its number, and pause there.
    GoTo { call: u64 },
    /// Make the call as the program does: write its trail, and a snapshot of what came of it.
    Record { shape: CallShape, trail: PathBuf, values: PathBuf },
    /// Make the call as the program does, and write a trail with what happens inside of it.
    RecordInside { shape: CallShape, trail: PathBuf },
    /// Make the call with the reference's code, and compare what comes of it with the snapshot; without one, the call is to end.
    Judge { shape: CallShape, reference: ReferencePlace, strict: bool, values: Option<PathBuf> },
    /// Make the call up to a piece of code inside of it, by number, and compare it, up to a last one, with the reference's.
    JudgeInside { shape: CallShape, reference: ReferencePlace, strict: bool, first: u64, last: u64 },
    /// Ask what the program says of itself.
    Check { shape: CallShape, check: SelfCheck, place: String },
    /// Read what a reference has that the program has not.
    Prepare { reference: ReferencePlace },
    /// Whether the reference has the same code for the call.
    SameCode { reference: ReferencePlace, how: Sameness },
    /// Which code of the call differs from the reference's.
    DifferingCode { reference: ReferencePlace },
    /// What differs from the reference in modules; if `test_passes`, what makes the call, which is a test, pass.
    DifferencesElsewhere { reference: ReferencePlace, of: Elsewhere, test_passes: bool },
    /// Which of some functions, by file and name, make the call, which is a test, pass if they are the reference's.
    TestPassesWith { reference: ReferencePlace, functions: Vec<(String, String)> },
    /// Whether the call, which is a test, passes with all of the reference's functions but one, and fails with that alone.
    TestPassesWithout { reference: ReferencePlace, function: (String, String) },
}

impl Ask {
    /// Whether the program is given the reference's code for it.
    pub(crate) fn swaps_code(&self) -> bool {
        matches!(
            self,
            Ask::Judge { .. }
                | Ask::JudgeInside { .. }
                | Ask::DifferencesElsewhere { .. }
                | Ask::TestPassesWith { .. }
                | Ask::TestPassesWithout { .. }
        )
    }
}

/// How a call went, as far as that is needed to make it again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallShape {
    /// How many values a generator yields.
    pub(crate) items: usize,
    /// Whether it never ended.
    pub(crate) endless: bool,
    /// Whether it ended because it was too deep.
    pub(crate) too_deep: bool,
    /// What a generator was sent, as Python writes it.
    pub(crate) sent: Option<String>,
}

/// Where a reference is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReferencePlace {
    pub(crate) kind: ReferenceKind,
    /// A path, or a module's name.
    pub(crate) place: String,
    /// The folder that the reference's folder stands for: the project's if there is none.
    pub(crate) root: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ReferenceKind {
    File,
    Folder,
    Module,
}

/// What a program says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SelfCheck {
    Types,
    Contracts,
    Properties,
}

/// How code is the same as the reference's: in what is written, or in what its names mean as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Sameness {
    Text,
    Meaning,
}

/// Which differences outside of a call are wanted: of the statements of modules and classes, or of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Elsewhere {
    Statements,
    Functions,
}

/// What a process says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Reply {
    /// The first message of a process.
    Hello {
        version: u32,
    },
    /// The process has come to the call; `alone` if it has no other threads, which copies of it would lack.
    Paused {
        alone: bool,
    },
    /// The reference was read.
    Prepared,
    /// The run is over, and did not come to the call.
    RunEnded,
    /// The call was made; `ended` if it was only too deep inside of others, and came to an end by itself.
    Recorded {
        ended: bool,
    },
    Judged(Judged),
    Same {
        same: bool,
    },
    Differing(Differing),
    DifferingPlaces(DifferingPlaces),
    /// Functions that make the test pass, by their place in the request.
    Passing {
        functions: Vec<usize>,
    },
    PassesWithout {
        passes: bool,
    },
    Failed(Failed),
}

/// A judgement and its reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) judgement: Word,
    /// Half a sentence.
    pub(crate) because: Option<String>,
    pub(crate) first_difference: Option<Difference>,
    /// On which side of the code the reference has more.
    pub(crate) missing: Option<Missing>,
}

impl Judged {
    /// A judgement that needs no reason.
    pub(crate) fn plain(judgement: Word) -> Judged {
        Judged { judgement, because: None, first_difference: None, missing: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    Correct,
    Wrong,
    Inadmissible,
}

/// On which side of some code the reference has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Missing {
    Before,
    After,
}

/// The first difference: in which part, in which variable of that, and the way down from there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Difference {
    pub(crate) part: DifferingPart,
    pub(crate) name: Option<String>,
    pub(crate) steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DifferingPart {
    /// How it ends: with a result, with an exception, by leaving a loop.
    Ending,
    Value,
    Arguments,
    Variables,
    Captured,
    Printed,
    Reached,
    Shared,
    Files,
    Yielded,
    Warned,
    Globals,
    Gives,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Step {
    Index(u32),
    Attribute(String),
    Key(String),
}

/// What differs from the reference in a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Differing {
    /// Statements.
    pub(crate) statements: Vec<Span>,
    /// Parts of statements, with those that they are in.
    pub(crate) parts: Vec<(Span, Span)>,
}

/// First line and column, last line and column.
pub(crate) type Span = [u64; 4];

/// What differs from the reference elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DifferingPlaces {
    /// Files, with first and last lines.
    pub(crate) places: Vec<(String, u32, u32)>,
    /// Whether each of them makes the test pass if it is as in the reference.
    pub(crate) pass_test: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    /// The particulars, as half a sentence.
    pub(crate) detail: String,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Failure {
    TimedOut,
    /// The reference's code needs names or attributes that the program does not have.
    DoesNotFit,
    /// A part of the program cannot be given the reference's code.
    CannotSwap,
    /// The reference takes other arguments.
    OtherParameters,
    /// It waits for a thread or a task that the copied process does not have.
    WaitsForOthers,
    /// The program took another path when it was run again.
    OtherRun,
    /// The reference has no such function, file or statement.
    NoCounterpart,
    /// There is no such reference, or it is not valid Python.
    BadReference,
    /// The call cannot be made again from what is known of it.
    NotRepeatable,
    /// What was asked does not say anything about this call.
    SaysNothing,
    /// The process that was to answer has ended, or raised an exception of its own.
    Crashed,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const GOLDEN: &str = include_str!("../../../python/messages.jsonl");

    /// Every line is read, and written again as it was.
    #[test]
    fn every_message_of_the_golden_file() {
        for line in GOLDEN.lines() {
            let golden: Value = serde_json::from_str(line).unwrap();
            let written = match serde_json::from_str::<Request>(line) {
                Ok(request) => serde_json::to_value(request),
                Err(_) if golden["type"] == "job" => {
                    serde_json::to_value(serde_json::from_str::<super::super::job::Job>(line).unwrap())
                }
                Err(_) => serde_json::to_value(
                    serde_json::from_str::<Reply>(line).unwrap_or_else(|error| panic!("{line}: {error}")),
                ),
            };
            assert_eq!(written.unwrap(), golden);
        }
    }

    #[test]
    fn the_version_comes_first() {
        let first = GOLDEN.lines().next().unwrap();
        assert_eq!(serde_json::from_str::<Reply>(first).unwrap(), Reply::Hello { version: VERSION });
    }

    /// A variant more does not compile here: it belongs into the golden file, too.
    #[test]
    fn the_golden_file_has_every_message() {
        let replies: Vec<Reply> = GOLDEN.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let requests: Vec<Request> =
            GOLDEN.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let mut seen: Vec<&str> =
            replies.iter().map(reply_type).chain(requests.iter().map(request_type)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), REPLIES + REQUESTS);
        let failures: std::collections::HashSet<Failure> = replies
            .iter()
            .filter_map(|reply| match reply {
                Reply::Failed(failed) => Some(failed.failure),
                _ => None,
            })
            .collect();
        assert_eq!(failures.len(), Failure::Crashed as usize + 1);
    }

    const REPLIES: usize = 12;
    const REQUESTS: usize = 12;

    fn reply_type(reply: &Reply) -> &'static str {
        match reply {
            Reply::Hello { .. } => "hello",
            Reply::Paused { .. } => "paused",
            Reply::RunEnded => "run-ended",
            Reply::Recorded { .. } => "recorded",
            Reply::Judged(_) => "judged",
            Reply::Same { .. } => "same",
            Reply::Differing(_) => "differing",
            Reply::DifferingPlaces(_) => "differing-places",
            Reply::Passing { .. } => "passing",
            Reply::PassesWithout { .. } => "passes-without",
            Reply::Prepared => "prepared",
            Reply::Failed(_) => "failed",
        }
    }

    fn request_type(request: &Request) -> &'static str {
        match request.ask {
            Ask::GoTo { .. } => "go-to",
            Ask::Record { .. } => "record",
            Ask::RecordInside { .. } => "record-inside",
            Ask::Judge { .. } => "judge",
            Ask::JudgeInside { .. } => "judge-inside",
            Ask::Check { .. } => "check",
            Ask::SameCode { .. } => "same-code",
            Ask::DifferingCode { .. } => "differing-code",
            Ask::DifferencesElsewhere { .. } => "differences-elsewhere",
            Ask::TestPassesWith { .. } => "test-passes-with",
            Ask::TestPassesWithout { .. } => "test-passes-without",
            Ask::Prepare { .. } => "prepare",
        }
    }
}
