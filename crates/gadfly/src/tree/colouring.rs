//! What a session says of each node, as a word and a colour.

use crate::command::TreeArgs;
use crate::debug::subject::Subject;
use crate::debug::{begin, replay};
use crate::failure::Failure;
use gadfly_engine::{Judgement, Session, Step, Verdict};
use gadfly_tree::Node;

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
        if let Some(journal) = &args.session {
            let mut session = replay::journal(&args.file, journal.as_deref(), subject, settings)?;
            return Colouring::by(&mut session);
        }
        if let Some(script) = &args.answers {
            let mut session = replay::script(script, subject, settings)?;
            return Colouring::by(&mut session);
        }
        Ok(Colouring { marks: Vec::new() })
    }

    fn by(session: &mut Session) -> Result<Colouring, Failure> {
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
