//! What a session says of each node, as a word and a colour.

use crate::command::TreeArgs;
use crate::debug::oracles;
use crate::debug::subject::Subject;
use crate::debug::{begin, is_about_this_tree, journal_path, no_sense, settings_of};
use gadfly_dialogue::journal::Journal;
use gadfly_dialogue::protocol::{Ending, Event, Input, Message, PROTOCOL, Page};
use gadfly_dialogue::{Dialogue, Output, Setup, Stimulus, drive, resume};
use gadfly_engine::{Judgement, Session, Settings, Step, Verdict};
use gadfly_frontend::Failure;
use gadfly_frontend::OracleSpec;
use gadfly_tree::Node;
use std::path::Path;
use std::sync::Arc;

/// What is known of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It can still be buggy.
    Suspicious,
    /// It, or something it is part of, is correct.
    Correct,
    /// It is wrong.
    Wrong,
    /// The bug is here.
    Buggy,
    /// It should never have been called so.
    Inadmissible,
    /// Nobody could answer.
    Unknown,
    /// It is trusted.
    Trusted,
    /// It is outside of what is suspicious, and nothing is known of it.
    Outside,
}

impl Mark {
    pub(crate) const ALL: [Mark; 8] = [
        Mark::Suspicious,
        Mark::Correct,
        Mark::Wrong,
        Mark::Buggy,
        Mark::Inadmissible,
        Mark::Unknown,
        Mark::Trusted,
        Mark::Outside,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Mark::Suspicious => "suspicious",
            Mark::Correct => "correct",
            Mark::Wrong => "wrong",
            Mark::Buggy => "buggy",
            Mark::Inadmissible => "inadmissible",
            Mark::Unknown => "don't know",
            Mark::Trusted => "trusted",
            Mark::Outside => "outside",
        }
    }

    /// Fill and stroke, chosen to be told apart by people who do not see red and green apart: wrong is dark, correct
    /// is light, suspicious is in between.
    pub(crate) fn colours(self) -> (&'static str, &'static str) {
        match self {
            Mark::Suspicious => ("#ffe8b0", "#b8860b"),
            Mark::Correct => ("#d6efd8", "#3a8f4d"),
            Mark::Wrong => ("#f2b8b0", "#b3261e"),
            Mark::Buggy => ("#b3261e", "#6e0f0a"),
            Mark::Inadmissible => ("#d9cdf2", "#6a4fb3"),
            Mark::Unknown => ("#e3e3e3", "#7a7a7a"),
            Mark::Trusted => ("#d5e6f7", "#4a7fb5"),
            Mark::Outside => ("#f6f6f4", "#c2c0b8"),
        }
    }

    /// Whether text on the fill must be light.
    pub(crate) fn is_dark(self) -> bool {
        self == Mark::Buggy
    }
}

/// What a session says of every node.
pub(crate) struct Colouring {
    /// Empty if there is no session to colour by.
    marks: Vec<Mark>,
}

impl Colouring {
    /// The colouring that the user asked for: by a session's journal, by a script, or none.
    pub(crate) fn of(args: &TreeArgs, subject: &Subject<'_>) -> Result<Colouring, Failure> {
        let settings = begin::settings(&args.strategy, &args.view, &args.file, subject);
        let recording = subject.recording;
        if let Some(journal) = &args.session {
            let path = journal_path(&args.file, journal.as_deref(), recording).ok_or_else(|| {
                Failure::usage("there is no folder for sessions").with_hint("name a file: `--session=FILE`")
            })?;
            let recorded =
                Journal::read(&path).map_err(|error| Failure::input(&error).with_hint(error.hint()))?;
            is_about_this_tree(&path, &recorded.about, recording)?;
            let settings = settings_of(&recorded.about, &settings, recording);
            let saved = gadfly_dialogue::levels(&recorded.entries);
            let session = resume::play(&**recording.any(), settings, saved).map_err(no_sense)?;
            return Colouring::by(session);
        }
        if let Some(script) = &args.answers {
            return Colouring::by(script_session(script, subject, settings)?);
        }
        Ok(Colouring { marks: Vec::new() })
    }

    fn by(mut session: Session) -> Result<Colouring, Failure> {
        let buggy = match session.step().map_err(Failure::input)? {
            Step::Done(Verdict::Bug { node, .. }) => Some(*node),
            _ => None,
        };
        let (tree, state) = (session.tree(), session.state());
        let mut marks = Vec::with_capacity(tree.len() as usize);
        // What is below a correct node needs no answer of its own: the subtrees that are open, with what they pass on.
        let mut open: Vec<(u32, Option<Mark>)> = Vec::new();
        for node in (0..tree.len()).map(Node) {
            while open.last().is_some_and(|(end, _)| *end <= node.0) {
                open.pop();
            }
            let inherited = open.last().and_then(|(_, mark)| *mark);
            let mark = match state.judgement(node) {
                _ if buggy == Some(node) => Mark::Buggy,
                Some(Judgement::Correct) => Mark::Correct,
                Some(Judgement::Wrong) => Mark::Wrong,
                Some(Judgement::Inadmissible) => Mark::Inadmissible,
                _ if state.is_trusted(node) => Mark::Trusted,
                _ if inherited.is_some() => inherited.unwrap_or(Mark::Outside),
                Some(Judgement::DontKnow) => Mark::Unknown,
                _ if state.is_gone(node) || buggy.is_some() => Mark::Outside,
                _ => Mark::Suspicious,
            };
            marks.push(mark);
            let passes_on = matches!(mark, Mark::Correct | Mark::Inadmissible).then_some(mark).or(inherited);
            let passes_on = passes_on.filter(|_| !matches!(mark, Mark::Wrong | Mark::Buggy));
            open.push((tree.subtree(node).end, passes_on));
        }
        Ok(Colouring { marks })
    }

    /// Whether there is a session to colour by.
    pub(crate) fn is_plain(&self) -> bool {
        self.marks.is_empty()
    }

    /// What is known of a node.
    pub(crate) fn mark(&self, node: Node) -> Mark {
        self.marks.get(node.index()).copied().unwrap_or(Mark::Suspicious)
    }
}

/// A session with the answers of a script; what the script does not know is "don't know".
fn script_session(script: &Path, subject: &Subject<'_>, settings: Settings) -> Result<Session, Failure> {
    let specs = [OracleSpec::Answers(script.to_owned())];
    let mut worker = oracles::worker(&specs, subject.recording, None)?;
    let setup = Setup {
        recording: Arc::clone(subject.recording.any()),
        settings: Settings { ask_again: false, ..settings },
        seats: worker.oracles.seats(),
        reviewed: false,
        enters: false,
        saved: Vec::new(),
        journal: 0,
        keeps: false,
        notices: Vec::new(),
        switch_to: None,
    };
    let mut dialogue = Dialogue::new(setup).map_err(no_sense)?;
    let body = Input::Hello { protocol: PROTOCOL, page: Page::default() };
    let hello = Stimulus::Input(Message { request: None, seen: 0, body });
    for output in drive::inline(&mut dialogue, &mut worker, hello) {
        if let Output::Event(Message {
            body: Event::Ended { how: Ending::Failed { message, hint } }, ..
        }) = output
        {
            return Err(Failure::Input { message, hint });
        }
    }
    Ok(dialogue.into_session())
}
