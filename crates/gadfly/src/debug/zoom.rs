//! A session that goes on inside of the call that was found: its loops, their rounds, its statements (S3 §4).
//!
//! What happens inside of calls is not recorded but for the one that matters: the program is run again up to that call, which is
//! then made in detail. If that is not the run that was recorded (the clock, chance, input), all of the program is recorded in detail
//! once more, and the call is looked for in that.

use super::subject::Subject;
use super::{Dialogue, Ending, report};
use crate::command::Granularity;
use crate::failure::Failure;
use crate::output;
use crate::python::oracle::{Differing, Span, how, is_other};
use crate::python::player::{Lost, Player};
use crate::python::{self, Recipe};
use crate::recording::Recording;
use gadfly_engine::{Action, Answer, Given, Judgement, Session, Settings, Verdict};
use gadfly_source::{Position, Region};
use gadfly_trail::run::Trail;
use gadfly_trail::run::model::NodeId;
use gadfly_trail::views::{self, Options};
use gadfly_tree::{Kind, Node};
use std::cell::RefCell;
use std::io::Write as _;
use std::rc::Rc;
use std::sync::Arc;

/// How long the program may take to be run again up to a call, unless told.
const SECONDS: u64 = 60;

/// How sessions go on inside of calls.
pub(super) struct Zoom {
    /// Whether the whole is a test, which is not looked into.
    test: bool,
    player: Option<Rc<RefCell<Player>>>,
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
) -> Option<Rc<RefCell<Player>>> {
    let trail = Arc::clone(recording.run()?.trail());
    let player = Player::new(recipe?, trail, seconds.unwrap_or(SECONDS));
    Some(Rc::new(RefCell::new(player)))
}

impl Zoom {
    /// None if the language has nothing to look into, or nobody wants to.
    pub(super) fn new(
        recording: &Recording,
        player: Option<Rc<RefCell<Player>>>,
        granularity: Option<Granularity>,
        test: bool,
    ) -> Option<Zoom> {
        let wanted = recording.run().is_some() && recording.language() == "python";
        (wanted && matches!(granularity, None | Some(Granularity::Line))).then_some(Zoom { test, player })
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
        let is_test = zoom.test && *node == Node::ROOT;
        let blamed = sure && self.cannot_be(verdict) && self.blame_constants(*node, is_test);
        if blamed || is_test {
            return Ok(None);
        }
        let how =
            self.subject.behaviour(*node, true).map(|behaviour| how(&behaviour.equation)).unwrap_or_default();
        let (recording, call) = match inside(self.subject, *node, player.as_deref()) {
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
            player.borrow_mut().inside =
                Some(python::player::Inside::new(call, how, before, recording.tree()));
        }
        let mut inner = Dialogue {
            subject: &subject,
            session: Session::new(recording.tree(), recording.behaviours(), settings),
            chain: std::mem::take(&mut self.chain),
            journal: None,
            voice: super::Voice { earlier: self.session.asked().len(), ..self.voice },
            prompt: std::mem::replace(&mut self.prompt, super::Prompt::new()),
            out: std::mem::replace(&mut self.out, Box::new(std::io::sink())),
            zoom: None,
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
            player.borrow_mut().inside = None;
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
    /// Whether a verdict says of code that it is wrong which a correct version has just as it is, or of a test: then some answer was
    /// too lenient.
    pub(super) fn cannot_be(&self, verdict: &Verdict) -> bool {
        let (Some(zoom), Verdict::Bug { node, inadmissible, .. }) = (&self.zoom, verdict) else {
            return false;
        };
        let is_test = zoom.test && *node == Node::ROOT;
        inadmissible.is_empty() && (is_test || self.chain.has_same(self.subject, *node))
    }

    /// Where nobody could tell about some calls, and a correct version has the code of all others just as it is: these are wrong. Gives
    /// what is to be said of the first of them, and the answer.
    pub(super) fn by_elimination(&self, verdict: &Verdict) -> Option<(String, Action)> {
        const FEW: usize = 12;
        let (Some(zoom), Verdict::Unsure { candidates }) = (&self.zoom, verdict) else { return None };
        if self.chain.has_person() || candidates.len() > FEW {
            return None;
        }
        let tree = self.session.tree();
        let is_right = |node: &&Node| {
            zoom.test && **node == Node::ROOT
                || tree.kind(**node) != Kind::Routine
                || self.subject.rule(**node).region.is_none()
                || self.chain.has_same(self.subject, **node)
        };
        let left: Vec<Node> = candidates.iter().filter(|node| !is_right(node)).copied().collect();
        let first = *left.first()?;
        if left.len() == candidates.len()
            || left.iter().any(|node| tree.rule_id(*node) != tree.rule_id(first))
        {
            return None;
        }
        let asked = self.session.asked();
        let (number, row, node) = asked.iter().find_map(|asked| {
            let unknown =
                |given: &Given| left.contains(&given.node) && given.answer.judgement == Judgement::DontKnow;
            let row = asked.given.iter().position(unknown)?;
            Some((asked.number, row, asked.given[row].node))
        })?;
        let by = "elimination".to_owned();
        let answer = Answer::plain(Judgement::Wrong);
        let told = self.voice.answered(self.subject, node, &answer.to_string(), &by);
        Some((told, Action::Revise { number, row, answer, by }))
    }

    /// A call that nobody can look into: what a correct version has otherwise in it is to blame.
    fn blame_differing(&self, node: Node) {
        let handle = self.session.tree().handle(node);
        let whole = self.subject.rule(node).region;
        let (Some(differing), Some(whole)) = (self.chain.differing(Some(handle)), whole) else { return };
        let regions = differing.statements.iter().map(|span| {
            let [line, column, last, end] = span.map(|number| number as u32);
            let (start, end) = (Position { line, column }, Position { line: last, column: end });
            Region { start, end, ..whole }
        });
        let regions: Vec<Region> = regions.collect();
        if !regions.is_empty() {
            self.subject.blamed.borrow_mut().insert(node, regions);
        }
    }

    /// A call that is wrong although everything it calls is right, and its own code too: what was done before, outside of functions,
    /// is to blame, if a correct version does something else there.
    fn blame_constants(&self, node: Node, is_test: bool) -> bool {
        let regions = self.outside(is_test);
        let found = !regions.is_empty();
        if found {
            self.subject.blamed.borrow_mut().insert(node, regions);
        }
        found
    }

    /// What a correct version has otherwise outside of functions.
    fn outside(&self, is_test: bool) -> Vec<Region> {
        let sources = self.subject.recording.sources();
        let places = self.chain.constants(is_test).unwrap_or_default();
        let regions = places.into_iter().filter_map(|(file, first, last)| {
            let file = sources.by_name(&file)?;
            let width = sources.file(file).line(last)?.chars().count() as u32;
            let indented =
                sources.file(file).line(first)?.chars().take_while(|one| one.is_whitespace()).count();
            let start = Position { line: first, column: indented as u32 + 1 };
            Some(Region { file, start, end: Position { line: last, column: width + 1 } })
        });
        regions.collect()
    }

    /// Where each part of some code is right and yet the whole is not, what a correct version has otherwise is at fault; and of a
    /// statement that takes many lines, what it has otherwise in that.
    pub(super) fn narrow(&self, verdict: &Verdict) {
        if let Verdict::Unsure { candidates } = verdict {
            return self.narrow_candidates(candidates);
        }
        let Verdict::Bug { node, .. } = verdict else { return };
        if self.subject.player.is_none() || self.subject.missing(*node).is_some() {
            return;
        }
        let tree = self.session.tree();
        let own = self.subject.code(*node);
        let is_long = own.iter().any(|region| region.start.line < region.end.line);
        if tree.size(*node) < 2 && !is_long {
            return;
        }
        let Some(differing) = self.chain.differing(None) else { return };
        let differs = |region: &Region| differing.statements.contains(&span(region));
        let is_itself = tree.size(*node) < 2
            || matches!(tree.kind(*node), Kind::Block | Kind::Loop) && own.iter().any(differs);
        let mut blamed: Vec<Region> = match is_itself {
            true => own,
            false => tree
                .subtree(*node)
                .map(Node)
                .filter(|node| !matches!(tree.kind(*node), Kind::Iteration | Kind::Projection))
                .flat_map(|node| self.subject.code(node))
                .filter(differs)
                .collect(),
        };
        blamed = blamed.into_iter().flat_map(|region| unlike(region, &differing)).collect();
        if blamed.is_empty() {
            // The body of a module or a class: what differs is in the bodies of classes in it.
            blamed = self.outside(false);
        }
        blamed.sort_unstable();
        blamed.dedup();
        if !blamed.is_empty() {
            self.subject.blamed.borrow_mut().insert(*node, blamed);
        }
    }
}

impl Dialogue<'_> {
    /// Of several parts of a call that may be at fault, only what a correct version has otherwise is.
    fn narrow_candidates(&self, candidates: &[Node]) {
        if self.subject.player.is_none() {
            return;
        }
        let Some(differing) = self.chain.differing(None) else { return };
        let narrowed: Vec<(Node, Vec<Region>)> = parts(self.subject, candidates)
            .into_iter()
            .map(|node| {
                let own = self.subject.code(node).into_iter();
                (node, own.filter(|region| differing.statements.contains(&span(region))).collect())
            })
            .collect();
        if narrowed.iter().any(|(_, regions)| !regions.is_empty()) {
            self.subject.blamed.borrow_mut().extend(narrowed);
        }
    }
}

fn span(region: &Region) -> Span {
    let (start, end) = (region.start, region.end);
    [start.line, start.column, end.line, end.column].map(u64::from)
}

/// What is otherwise in a statement of several lines, if that is known.
fn unlike(region: Region, differing: &Differing) -> Vec<Region> {
    let whole = span(&region);
    let found = differing.parts.iter().filter(|(_, of)| *of == whole).map(|(part, _)| *part);
    let found: Vec<Region> = found
        .map(|part| {
            let [line, column, last, end] = part.map(|number| number as u32);
            let mut region = region;
            (region.start.line, region.start.column) = (line, column);
            (region.end.line, region.end.column) = (last, end);
            region
        })
        .collect();
    if found.is_empty() || region.start.line == region.end.line { vec![region] } else { found }
}

/// The inside of a call as a tree, and the call's number in the run; the error is none where nobody can know.
fn inside(
    subject: &Subject<'_>,
    node: Node,
    player: Option<&RefCell<Player>>,
) -> Result<(Recording, u64), Option<Lost>> {
    let Some(viewed) = subject.recording.run() else { return Err(None) };
    let id = NodeId(viewed.tree.handle(node));
    let because = |error: &dyn std::fmt::Display| Some(Lost::Because(error.to_string()));
    if let Ok(known) = views::zoom(Arc::clone(viewed.trail()), Some(id)) {
        return Ok((Recording::Run(Box::new(known)), 0));
    }
    let Some(player) = player else { return Err(None) };
    let mut player = player.borrow_mut();
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
            let zoomed = views::zoom(trail, None).map_err(|_| None)?;
            Ok((Recording::Run(Box::new(zoomed)), call))
        }
        Err(Lost::AnotherRun) => {
            output::error_line(
                "note: the program did something else when it was run again; it is recorded in detail once more",
            );
            let trail = again(player.recipe()).map_err(|error| because(&error))?;
            let found = find(&equation.canonical(), &trail).ok_or(Some(Lost::AnotherRun))?;
            let zoomed = views::zoom(trail, Some(found)).map_err(|_| None)?;
            Ok((Recording::Run(Box::new(zoomed)), 0))
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
