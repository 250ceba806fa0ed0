//! A session that goes on inside of the call that was found: its loops, their rounds, its statements (S3 §4).
//!
//! What happens inside of calls is not recorded but for the one that matters: the program is run again up to that call, which is
//! then made in detail. If that is not the run that was recorded (the clock, chance, input), all of the program is recorded in detail
//! once more, and the call is looked for in that.

use super::subject::Subject;
use super::{Dialogue, Ending, replay, report};
use crate::command::{Granularity, ViewArgs};
use crate::failure::Failure;
use crate::output;
use crate::python::oracle::{how, is_other};
use crate::python::player::{Lost, Player, SharedPlayer};
use crate::python::{self, Recipe};
use crate::recording::Recording;
use gadfly_engine::{Action, Session, Settings, Verdict};
use gadfly_oracles::Journal;
use gadfly_source::Region;
use gadfly_trail::Trail;
use gadfly_trail::model::NodeId;
use gadfly_tree::{Kind, Node};
use gadfly_views::{self as views, Options};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// How long the program may take to be run again up to a call, unless told.
const SECONDS: u64 = 60;

/// How sessions go on inside of calls.
pub(super) struct Zoom {
    /// The node of the test, if there is one: it is not looked into, nor is what is above it.
    pub(super) test: Option<Node>,
    /// Whether new nodes stand over many rounds or statements.
    balanced: bool,
    player: Option<SharedPlayer>,
}

/// What came of it.
pub(super) struct Inside {
    /// The verdict before.
    pub(super) outside: Verdict,
    pub(super) report: serde_json::Value,
}

/// What runs a Python program again.
pub(super) fn player(
    recipe: Option<Recipe>,
    recording: &Recording,
    seconds: Option<u64>,
) -> Option<SharedPlayer> {
    let trail = Arc::clone(recording.run()?.trail());
    let player = Player::new(recipe?, trail, seconds.unwrap_or(SECONDS));
    Some(SharedPlayer::new(player))
}

impl Zoom {
    /// None if the language has nothing to look into, or nobody wants to.
    pub(super) fn new(
        recording: &Recording,
        player: Option<SharedPlayer>,
        view: &ViewArgs,
        test: Option<Node>,
    ) -> Option<Zoom> {
        let wanted = recording.run().is_some() && recording.language() == "python";
        let balanced = view.balances();
        let wanted = wanted && matches!(view.granularity, None | Some(Granularity::Line));
        wanted.then_some(Zoom { test, balanced, player })
    }

    /// Whether a node is a test, or the whole around one.
    pub(super) fn is_test(&self, node: Node) -> bool {
        self.test.is_some_and(|test| node == test || node == Node::ROOT)
    }
}

impl Dialogue<'_> {
    /// Goes on inside of the call that was found; none if there is nothing to be seen there.
    pub(super) fn look_inside(&mut self, verdict: &Verdict) -> Result<Option<Ending>, Failure> {
        let Some(zoom) = &self.zoom else { return Ok(None) };
        let (node, sure) = match verdict {
            Verdict::Bug { node, .. } => (*node, true),
            // A call that is wrong may be to blame although nobody knows about some that it made.
            Verdict::Unsure { .. } if self.session.state().area().focus_wrong => {
                (self.session.state().area().focus, false)
            }
            _ => return Ok(None),
        };
        let node = &node;
        let player = zoom.player.clone();
        let is_test = zoom.is_test(*node);
        let blamed = sure && self.cannot_be(verdict) && self.blame_constants(*node, is_test);
        if blamed || is_test {
            return Ok(None);
        }
        let how =
            self.subject.behaviour(*node, true).map(|behaviour| how(&behaviour.equation)).unwrap_or_default();
        let (recording, call) = match inside(self.subject, *node, player.as_ref(), zoom.balanced) {
            Ok(found) => found,
            Err(None) => return Ok(None),
            Err(Some(lost)) => {
                output::error_line(&format!("note: the inside of the call cannot be looked at: {lost}"));
                if sure {
                    self.blame_differing(*node);
                }
                return Ok(None);
            }
        };
        let before = self.subject.recording.tree().len();
        let subject = Subject { player: player.clone(), before, ..Subject::new(&recording) };
        writeln!(
            self.out,
            "\nThe bug {} in {}; now inside of {}",
            if sure { "is" } else { "may be" },
            self.subject.rule(*node).qualified(),
            self.subject.line_within(*node, self.voice.width)
        )?;
        let settings = Settings {
            strategy: self.session.strategy(),
            whole_is_wrong: true,
            ask_again: self.chain.has_person(),
            ..Settings::default()
        };
        if let Some(player) = &player {
            player.borrow().inside = Some(python::player::Inside::new(call, how, recording.tree()));
        }
        let answers = self.history();
        let (mut journal, actions) = self.journal_inside(&subject, &settings);
        let mut session = Session::new(Arc::clone(recording.tree()), recording.behaviours(), settings);
        if replay::play(&mut session, actions).is_err() {
            output::error_line(
                "note: what was answered inside of the call is not about this run; it is asked again",
            );
            session.apply(Action::Restart).map_err(Failure::input)?;
            journal = journal
                .and_then(|mut journal| journal.append(&Action::Restart, &[]).is_ok().then_some(journal));
        }
        let mut inner = Dialogue {
            subject: &subject,
            session,
            chain: std::mem::take(&mut self.chain),
            journal,
            voice: super::Voice { earlier: self.session.asked().len(), ..self.voice },
            prompt: std::mem::replace(&mut self.prompt, super::Prompt::new()),
            out: std::mem::replace(&mut self.out, Box::new(std::io::sink())),
            zoom: None,
            inside: Some(answers),
            resumes: false,
            tentative: !sure,
        };
        let ending = inner.go_on();
        let found = match &ending {
            Ok(Ending::Verdict(Verdict::Bug { node, .. })) => *node != Node::ROOT,
            _ => false,
        };
        let report = ending.as_ref().map(|ending| match ending {
            Ending::Verdict(verdict) => Some(report::report(&subject, &inner.session, verdict)),
            _ => None,
        });
        let report = report.unwrap_or(None);
        let Dialogue { chain, prompt, out, .. } = inner;
        (self.chain, self.prompt, self.out) = (chain, prompt, out);
        if let Some(player) = &player {
            player.borrow().inside = None;
        }
        let ending = ending?;
        // Where nothing more is found, a call that should never have been made says the most.
        let made = matches!(verdict, Verdict::Bug { inadmissible, .. } if !inadmissible.is_empty());
        if made && !found && report.is_some() {
            return Ok(None);
        }
        if !sure && !found && report.is_some() {
            writeln!(self.out, "\nThat is not enough to tell.")?;
            return Ok(None);
        }
        Ok(Some(match (ending, report) {
            (_, Some(report)) => Ending::Inside(Box::new(Inside { outside: verdict.clone(), report })),
            (ending, None) => ending,
        }))
    }
}

impl Dialogue<'_> {
    /// Where the answers about the inside of a call are kept: beside those of the session, with what is there already if that is
    /// gone on with, once.
    fn journal_inside(
        &mut self,
        subject: &Subject<'_>,
        settings: &Settings,
    ) -> (Option<Journal>, Vec<Action>) {
        let Some(journal) = &self.journal else { return (None, Vec::new()) };
        let mut path = journal.path().as_os_str().to_owned();
        path.push(".inside");
        let path = PathBuf::from(path);
        if std::mem::take(&mut self.resumes)
            && path.is_file()
            && let Ok(resumed) = replay::resume(&path, subject)
        {
            return (Some(resumed.journal), resumed.actions);
        }
        // What was answered about another call, or before something was taken back, is of no use; if there is none, that is as well.
        let _ = std::fs::remove_file(&path);
        match Journal::create(&path, &replay::header(subject, settings)) {
            Ok(created) => (Some(created.journal), Vec::new()),
            Err(error) => {
                output::error_line(&format!("warning: {error}; the answers are not kept"));
                (None, Vec::new())
            }
        }
    }
}

/// The inside of a call as a tree, the call's number in the run, and whether the inside is of another run; the error is none where nobody
/// can know.
fn inside(
    subject: &Subject<'_>,
    node: Node,
    player: Option<&SharedPlayer>,
    balanced: bool,
) -> Result<(Recording, (u64, bool)), Option<Lost>> {
    let Some(viewed) = subject.recording.run() else { return Err(None) };
    let id = NodeId(viewed.tree.handle(node));
    let because = |error: &dyn std::fmt::Display| Some(Lost::Because(error.to_string()));
    if let Ok(known) = views::zoom(Arc::clone(viewed.trail()), Some(id), balanced) {
        return Ok((Recording::Run(Box::new(known)), (0, true)));
    }
    let Some(player) = player else { return Err(None) };
    let mut player = player.borrow();
    let equation = subject.behaviour(node, true).map_err(|error| because(&error))?.equation;
    let call = player.number(id).ok_or(Some(Lost::AnotherRun))?;
    let mut detail = || {
        let trail = Arc::new(player.detail(call, how(&equation))?);
        match is_other(&equation, Arc::clone(&trail)) {
            true => Err(Lost::AnotherRun),
            false => Ok(trail),
        }
    };
    match detail() {
        Ok(trail) => {
            let zoomed = views::zoom(trail, None, balanced).map_err(|_| None)?;
            Ok((Recording::Run(Box::new(zoomed)), (call, false)))
        }
        Err(Lost::AnotherRun) => {
            output::error_line(
                "note: the program did something else when it was run again; it is recorded in detail once more",
            );
            let trail = again(player.recipe()).map_err(|error| because(&error))?;
            let found = find(&equation.canonical(), &trail).ok_or(Some(Lost::AnotherRun))?;
            let zoomed = views::zoom(trail, Some(found), balanced).map_err(|_| None)?;
            Ok((Recording::Run(Box::new(zoomed)), (call, true)))
        }
        Err(lost) => Err(Some(lost)),
    }
}

/// Records all of a program in detail.
fn again(recipe: &Recipe) -> Result<Arc<Trail>, String> {
    let folder = tempfile::Builder::new().prefix("gadfly-").tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("detail.trail");
    python::record(recipe, &path, true, true).map_err(|_| "the program could not be run again".to_owned())?;
    Trail::open(&path).map(Arc::new).map_err(|error| error.to_string())
}

/// A call that says the same in another run.
fn find(canonical: &str, trail: &Arc<Trail>) -> Option<NodeId> {
    let viewed = views::view(Arc::clone(trail), &Options::default()).ok()?;
    let recording = Recording::Run(Box::new(viewed));
    let subject = Subject::new(&recording);
    let tree = recording.tree();
    let same = |node: &Node| {
        subject.behaviour(*node, true).is_ok_and(|behaviour| behaviour.equation.canonical() == canonical)
    };
    (0..tree.len()).map(Node).find(same).map(|node| NodeId(tree.handle(node)))
}

/// Those of some nodes that are parts of the call; the call itself if there are none.
pub(super) fn parts(subject: &Subject<'_>, candidates: &[Node]) -> Vec<Node> {
    let tree = subject.recording.tree();
    let mut parts: Vec<Node> =
        candidates.iter().copied().filter(|node| tree.kind(*node) != Kind::Routine).collect();
    // Those that nothing is blamed of are out of it.
    if parts.iter().any(|node| !subject.code(*node).is_empty()) {
        parts.retain(|node| !subject.code(*node).is_empty());
    }
    if parts.is_empty() { vec![Node::ROOT] } else { parts }
}

/// The code of some nodes.
pub(super) fn code(subject: &Subject<'_>, nodes: &[Node]) -> Vec<Region> {
    let mut code: Vec<Region> = nodes.iter().flat_map(|node| subject.code(*node)).collect();
    code.sort_unstable();
    code.dedup();
    code
}
