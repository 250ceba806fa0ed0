//! Doubt about verdicts on Python programs: what the reference has too cannot be the bug; what differs from it may be.

use super::messages::{Differing, DifferingPlaces, Elsewhere, Missing, Sameness, Span};
use super::reference_code::ReferenceCode;
use super::replayer::SharedReplayer;
use gadfly_engine::{
    Answer, Basis, Blame, Case, Fault, Given, Instead, Judgement, Review, Reviewer, Stage, Verdict, Watch,
    Who,
};
use gadfly_source::{Position, Region, Sources};
use gadfly_tree::{Kind, Node, Rule};
use std::cell::OnceCell;
use std::collections::HashMap;

/// So many candidates are looked at one by one.
const FEW_CANDIDATES: usize = 12;
/// So many functions are compared with the reference.
const MOST_FUNCTIONS: usize = 100;
/// So many functions are tried with a test.
const MOST_TRIED: usize = 30;

/// Doubts verdicts.
pub(crate) struct PythonReviewer {
    /// The references that answer.
    pub(crate) references: Vec<ReferenceCode>,
    /// What runs the program again, if that can be done.
    pub(crate) replayer: Option<SharedReplayer>,
    /// The node of the test, if there is one: it is not to blame, nor is what is above it.
    pub(crate) test: Option<Node>,
    /// What is run to see whether a difference matters: the test, or the whole of a script.
    pub(crate) whole: Option<Node>,
    /// What differs outside of functions and matters to the script, once that is known: its runs take long.
    pub(crate) outside_script: OnceCell<DifferingPlaces>,
}

/// The code to blame, by node.
type Blamed = HashMap<Node, Vec<Blame>>;

impl Reviewer for PythonReviewer {
    fn review(&mut self, case: &Case, stage: Stage, _watch: &dyn Watch) -> Review {
        match (case.level, stage) {
            (0, Stage::Found) => self.doubt(case),
            (0, Stage::Final { unreachable }) => self.settle(case, unreachable),
            (_, Stage::Found) => stands(&case.verdict, Blamed::new(), None, false),
            (_, Stage::Final { .. }) => stands(&case.verdict, self.narrow(case), None, false),
        }
    }
}

fn stands(verdict: &Verdict, blame: Blamed, basis: Option<Basis>, enter: bool) -> Review {
    Review::Stands { verdict: verdict.clone(), blame: blame.into_iter().collect(), basis, enter }
}

impl PythonReviewer {
    /// Before the call that was found is entered.
    fn doubt(&self, case: &Case) -> Review {
        let suspicious = self.cannot_be(case, &case.verdict);
        if suspicious && !case.has_person && self.become_strict() {
            return Review::Strictly;
        }
        if let Some(review) = self.by_elimination(case).or_else(|| self.by_trial(case)) {
            return review;
        }
        if matches!(case.verdict, Verdict::Bug { .. })
            && let Some(review) = self.by_difference(case)
        {
            return review;
        }
        let verdict = self.settled(case).unwrap_or_else(|| case.verdict.clone());
        let node = match &verdict {
            Verdict::Bug { node, .. } => *node,
            _ => match case.focus {
                Some(focus) => return stands(&verdict, Blamed::new(), None, !self.is_test(focus)),
                None => return stands(&verdict, Blamed::new(), None, false),
            },
        };
        if self.cannot_be(case, &verdict) {
            let (outside, _) = self.outside(case, self.is_test(node));
            if !outside.is_empty() {
                let blame = Blamed::from([(node, outside)]);
                return stands(&verdict, blame, Some(Basis::ReferenceText), false);
            }
        }
        stands(&verdict, Blamed::new(), None, !self.is_test(node))
    }

    /// Before it is shown.
    fn settle(&self, case: &Case, unreachable: bool) -> Review {
        if matches!(case.verdict, Verdict::Unsure { .. })
            && let Some(review) = self.by_difference(case)
        {
            return review;
        }
        let mut blame = Blamed::new();
        if let (Verdict::Bug { node, .. }, true) = (&case.verdict, unreachable) {
            self.blame_differing(case, *node, &mut blame);
        }
        stands(&case.verdict, blame, None, false)
    }

    /// Whether a node is a test, or the whole around one.
    fn is_test(&self, node: Node) -> bool {
        self.test.is_some_and(|test| node == test || node == Node::ROOT)
    }

    /// Whether a verdict blames code that the reference has too, or a test: then some answer was too lenient.
    fn cannot_be(&self, case: &Case, verdict: &Verdict) -> bool {
        let Verdict::Bug { node, inadmissible } = verdict else { return false };
        inadmissible.is_empty() && (self.is_test(*node) || self.has_same(case, *node))
    }

    fn has_same(&self, case: &Case, node: Node) -> bool {
        let handle = case.recording.tree().handle(node);
        self.references.iter().any(|reference| reference.has_same(handle, Sameness::Text))
    }

    /// Has references compare strictly; says whether that makes a difference.
    fn become_strict(&self) -> bool {
        // All of them are to hear of it.
        self.references.iter().filter(|reference| reference.become_strict()).count() > 0
    }

    /// Where nobody could tell about some calls, and the reference has the code of all others: these are wrong.
    fn by_elimination(&self, case: &Case) -> Option<Review> {
        let Verdict::Unsure { candidates } = &case.verdict else { return None };
        if case.has_person || candidates.len() > FEW_CANDIDATES {
            return None;
        }
        let tree = case.recording.tree();
        let is_right = |node: &&Node| {
            self.is_test(**node)
                || tree.kind(**node) != Kind::Routine
                || rule(case, **node).region.is_none()
                || self.has_same(case, **node)
        };
        let left: Vec<Node> = candidates.iter().filter(|node| !is_right(node)).copied().collect();
        let first = *left.first()?;
        if left.len() == candidates.len()
            || left.iter().any(|node| tree.rule_id(*node) != tree.rule_id(first))
        {
            return None;
        }
        let unknown =
            |given: &Given| left.contains(&given.node) && given.answer.judgement == Judgement::DontKnow;
        let (number, row) = asked(case, unknown)?;
        let answer = Answer::plain(Judgement::Wrong);
        Some(Review::Revise { number, row, answer, by: Who::Elimination })
    }

    /// Where a call is wrong, and nobody could tell about some that it made, but the reference has the code of all of these:
    /// then it is the call itself.
    fn settled(&self, case: &Case) -> Option<Verdict> {
        let (Verdict::Unsure { candidates }, Some(focus)) = (&case.verdict, case.focus) else { return None };
        if case.has_person || candidates.len() > FEW_CANDIDATES {
            return None;
        }
        let is_right = |node: &Node| *node == focus || self.has_same(case, *node);
        let settled = !self.has_same(case, focus) && candidates.iter().all(is_right);
        settled.then(|| Verdict::Bug { node: focus, inadmissible: Vec::new() })
    }

    /// Where a function is found that differs from the reference but does not affect the test: it is trusted.
    fn by_trial(&self, case: &Case) -> Option<Review> {
        let (Verdict::Bug { node, .. }, Some(test)) = (&case.verdict, self.whole) else { return None };
        if case.has_person || *node == test || self.is_test(*node) {
            return None;
        }
        let is_it = |given: &Given| given.node == *node && given.answer.judgement == Judgement::Wrong;
        let (number, row) = asked(case, is_it)?;
        let test = case.recording.tree().handle(test);
        let known_by = known_by(case, *node);
        if !self.references.iter().any(|reference| reference.test_passes_without(test, known_by)) {
            return None;
        }
        let answer = Answer::plain(Judgement::TrustFunction);
        Some(Review::Revise { number, row, answer, by: Who::Trial })
    }

    /// Where a verdict cannot be even though all answers were strict, and nothing that differs outside of functions would
    /// help: the functions that ran and differ from the reference, if they are few. Where nobody could tell, those of them
    /// that make the test pass.
    fn by_difference(&self, case: &Case) -> Option<Review> {
        if case.has_person {
            return None;
        }
        let tree = case.recording.tree();
        let (is_test, has_outside, nodes) = match &case.verdict {
            Verdict::Bug { node, .. } if self.cannot_be(case, &case.verdict) => {
                let is_test = self.is_test(*node);
                // Its code may be the same, and its defaults not.
                let differs = self.differing(Some(tree.handle(*node)));
                if !is_test && differs.is_some_and(|one| !one.statements.is_empty()) {
                    return None;
                }
                let (outside, passes) = self.outside(case, is_test);
                if passes || !is_test && !outside.is_empty() {
                    return None;
                }
                (is_test, !outside.is_empty(), (0..tree.len()).map(Node).collect())
            }
            Verdict::Unsure { candidates } if self.whole.is_some() => (false, false, candidates.clone()),
            _ => return None,
        };
        let undecided = matches!(case.verdict, Verdict::Unsure { .. });
        let mut blame = Blamed::new();
        let mut found = self.differing_among(case, &nodes, &mut blame)?;
        let passing = self.passing(case, &found);
        if !passing.is_empty() {
            found = passing;
        } else if has_outside || undecided {
            // They do not make the test pass, and it is rather what differs outside of functions.
            found.clear();
        }
        blame.retain(|node, _| found.contains(node));
        let why = if undecided { Instead::TestPasses } else { Instead::RanAndDiffers };
        let replaced = |verdict, blame: Blamed, why| {
            Some(Review::Replaced { verdict, blame: blame.into_iter().collect(), why })
        };
        match found[..] {
            // It is not the test's fault that nobody sees what is wrong.
            [] if is_test && has_outside => None,
            [] if is_test => {
                replaced(Verdict::Unsure { candidates: Vec::new() }, blame, Instead::NothingDiffers)
            }
            // What ran in other processes is not known to have run.
            [] => {
                let Verdict::Bug { node, .. } = case.verdict else { return None };
                let found = self.elsewhere(None, Elsewhere::Functions).unwrap_or_default();
                let regions = differing_lines(case, found.places);
                let blame = Blamed::from([(node, regions)]);
                (!blame[&node].is_empty())
                    .then(|| replaced(case.verdict.clone(), blame, Instead::DiffersElsewhere))
                    .flatten()
            }
            [node] => replaced(Verdict::Bug { node, inadmissible: Vec::new() }, blame, why),
            _ if found.len() <= FEW_CANDIDATES => replaced(Verdict::Unsure { candidates: found }, blame, why),
            _ => None,
        }
    }

    /// The first calls of functions among some that differ from the reference, with what is to blame. None if there are
    /// too many to look at.
    fn differing_among(&self, case: &Case, nodes: &[Node], blame: &mut Blamed) -> Option<Vec<Node>> {
        let tree = case.recording.tree();
        // What modules and classes do is outside of functions.
        let is_function =
            |node: &Node| tree.kind(*node) == Kind::Routine && !is_body(&rule(case, *node).function);
        let mut met = vec![false; tree.rules().len()];
        let mut found = Vec::new();
        for node in nodes.iter().filter(|node| !self.is_test(**node) && is_function(node)) {
            if std::mem::replace(&mut met[tree.rule_id(*node).0 as usize], true) {
                continue;
            }
            if met.iter().filter(|met| **met).count() > MOST_FUNCTIONS {
                return None;
            }
            if rule(case, *node).region.is_some() && self.blame_differing(case, *node, blame) {
                found.push(*node);
            }
        }
        Some(found)
    }

    /// Of calls, those whose functions make the test pass if they are the reference's.
    fn passing(&self, case: &Case, found: &[Node]) -> Vec<Node> {
        let (Some(test), true) = (self.whole, found.len() <= MOST_TRIED) else { return Vec::new() };
        let functions: Vec<(&str, &str)> = found.iter().map(|node| known_by(case, *node)).collect();
        let test = case.recording.tree().handle(test);
        let passing =
            self.references.iter().find_map(|reference| reference.test_passes_with(test, &functions));
        passing.unwrap_or_default().into_iter().filter_map(|at| found.get(at).copied()).collect()
    }

    fn differing(&self, handle: Option<u64>) -> Option<Differing> {
        self.references.iter().find_map(|reference| reference.differing(handle))
    }

    fn elsewhere(&self, test: Option<u64>, of: Elsewhere) -> Option<DifferingPlaces> {
        self.references.iter().find_map(|reference| reference.elsewhere(test, of))
    }

    /// What differs from the reference in a call is to blame. Says whether there is anything.
    fn blame_differing(&self, case: &Case, node: Node, blame: &mut Blamed) -> bool {
        let handle = case.recording.tree().handle(node);
        let (Some(differing), Some(whole)) = (self.differing(Some(handle)), rule(case, node).region) else {
            return false;
        };
        let regions: Vec<Blame> =
            differing.statements.iter().map(|span| differs(region(whole, *span))).collect();
        let found = !regions.is_empty();
        if found {
            blame.insert(node, regions);
        }
        found
    }

    /// What differs from the reference outside of functions, and whether it makes the test pass.
    fn outside(&self, case: &Case, is_test: bool) -> (Vec<Blame>, bool) {
        // A script is always there to be run again.
        let test = self.whole.filter(|_| is_test || self.test.is_none());
        let test = test.map(|test| case.recording.tree().handle(test));
        let found = || self.elsewhere(test, Elsewhere::Statements).unwrap_or_default();
        let outside = match self.test {
            Some(_) => found(),
            None => self.outside_script.get_or_init(found).clone(),
        };
        let passes = outside.pass_test;
        (differing_lines(case, outside.places), passes)
    }
}

/// Inside a call.
impl PythonReviewer {
    /// Where each part of some code is right and yet the whole is not, what differs from the reference is at fault; and of a
    /// statement that takes many lines, what differs in it.
    fn narrow(&self, case: &Case) -> Blamed {
        let missing =
            self.replayer.as_ref().map(|replayer| replayer.borrow().missing.clone()).unwrap_or_default();
        let mut blame = Blamed::new();
        for (node, side) in &missing {
            if let Some(region) = rule(case, *node).region {
                let fault = match side {
                    Missing::Before => Fault::MissingBefore,
                    Missing::After => Fault::MissingAfter,
                };
                let region = beside(case.recording.sources(), region, *side);
                blame.insert(*node, vec![Blame { region, fault }]);
            }
        }
        match &case.verdict {
            Verdict::Unsure { candidates } => self.narrow_candidates(case, candidates, &mut blame),
            Verdict::Bug { node, .. } if !missing.contains_key(node) => {
                self.narrow_bug(case, *node, &mut blame)
            }
            Verdict::Bug { .. } | Verdict::None(_) => {}
        }
        blame
    }

    fn narrow_bug(&self, case: &Case, node: Node, blame: &mut Blamed) {
        let tree = case.recording.tree();
        let own = code(case, node, blame);
        let is_long = own.iter().any(|region| region.start.line < region.end.line);
        if tree.size(node) < 2 && !is_long {
            return;
        }
        let Some(differing) = self.differing(None) else { return };
        let is_different = |region: &Region| differing.statements.contains(&span(region));
        let is_itself = tree.size(node) < 2
            || matches!(tree.kind(node), Kind::Block | Kind::Loop) && own.iter().any(is_different);
        let blamed: Vec<Region> = match is_itself {
            // Of several pieces, as of what handles exceptions, those that are.
            true => match own.iter().copied().filter(is_different).collect::<Vec<_>>() {
                none if none.is_empty() => own,
                some => some,
            },
            false => tree
                .subtree(node)
                .map(Node)
                .filter(|node| !matches!(tree.kind(*node), Kind::Iteration | Kind::Projection))
                .flat_map(|node| code(case, node, blame))
                .filter(is_different)
                .collect(),
        };
        let ran = |region| Blame { region, fault: Fault::Ran };
        let mut blamed: Vec<Blame> =
            blamed.into_iter().flat_map(|region| parts_that_differ(region, &differing)).map(ran).collect();
        if blamed.is_empty() {
            // The body of a module or a class: what differs is in the bodies of classes in it.
            blamed = self.outside(case, false).0;
        }
        blamed.sort_unstable();
        blamed.dedup();
        if !blamed.is_empty() {
            blame.insert(node, blamed);
        }
    }

    /// Of several parts of a call that may be at fault, only what differs from the reference is.
    fn narrow_candidates(&self, case: &Case, candidates: &[Node], blame: &mut Blamed) {
        let Some(differing) = self.differing(None) else { return };
        let tree = case.recording.tree();
        let parts = candidates.iter().filter(|node| tree.kind(**node) != Kind::Routine);
        let is_different = |region: &Region| differing.statements.contains(&span(region));
        let narrowed: Vec<(Node, Vec<Blame>)> = parts
            .map(|node| {
                let own = code(case, *node, blame).into_iter().filter(is_different);
                (*node, own.map(|region| Blame { region, fault: Fault::Ran }).collect())
            })
            .collect();
        if narrowed.iter().any(|(_, regions)| !regions.is_empty()) {
            blame.extend(narrowed);
        }
    }
}

/// Whether a function, by name, is what a module or a class does when it is made.
pub(crate) fn is_body(function: &str) -> bool {
    function == "<module>" || function.starts_with("class ")
}

fn rule(case: &Case, node: Node) -> &Rule {
    let tree = case.recording.tree();
    tree.rules().get(tree.rule_id(node))
}

/// The code that ran for a node.
fn code(case: &Case, node: Node, blame: &Blamed) -> Vec<Region> {
    if let Some(blamed) = blame.get(&node) {
        return blamed.iter().map(|blame| blame.region).collect();
    }
    match case.recording.behaviours().behaviour(case.recording.tree(), node, false) {
        Ok(behaviour) if !behaviour.code.is_empty() => behaviour.code,
        _ => rule(case, node).region.into_iter().collect(),
    }
}

/// The file and the name of the function of a call.
fn known_by(case: &Case, node: Node) -> (&str, &str) {
    let rule = rule(case, node);
    let sources = case.recording.sources();
    (rule.region.map_or("", |region| sources.file(region.file).name()), &rule.function)
}

/// The question and the row of the first answer of a kind.
fn asked(case: &Case, is_it: impl Fn(&Given) -> bool) -> Option<(usize, usize)> {
    case.asked.iter().find_map(|asked| Some((asked.number, asked.given.iter().position(&is_it)?)))
}

fn differs(region: Region) -> Blame {
    Blame { region, fault: Fault::Differs }
}

/// Whole lines that differ, by file.
fn differing_lines(case: &Case, places: Vec<(String, u32, u32)>) -> Vec<Blame> {
    let sources = case.recording.sources();
    let regions = places.into_iter().filter_map(|(file, first, last)| {
        let file = sources.by_name(&file)?;
        let width = sources.file(file).line(last)?.chars().count() as u32;
        let indented = sources.file(file).line(first)?.chars().take_while(|one| one.is_whitespace()).count();
        let start = Position { line: first, column: indented as u32 + 1 };
        Some(differs(Region { file, start, end: Position { line: last, column: width + 1 } }))
    });
    regions.collect()
}

fn span(region: &Region) -> Span {
    let (start, end) = (region.start, region.end);
    [start.line, start.column, end.line, end.column].map(u64::from)
}

fn region(whole: Region, span: Span) -> Region {
    let [line, column, last, end] = span.map(|number| number as u32);
    Region { start: Position { line, column }, end: Position { line: last, column: end }, ..whole }
}

/// What differs in a statement of several lines, if that is known.
fn parts_that_differ(whole: Region, differing: &Differing) -> Vec<Region> {
    let of = span(&whole);
    let found = differing.parts.iter().filter(|(_, statement)| *statement == of);
    let found: Vec<Region> = found.map(|(part, _)| region(whole, *part)).collect();
    if found.is_empty() || whole.start.line == whole.end.line { vec![whole] } else { found }
}

/// The line that something is missing beside, and the next one.
fn beside(sources: &Sources, region: Region, side: Missing) -> Region {
    let file = sources.file(region.file);
    let is_blank = |line: u32| file.line(line).is_some_and(|text| text.trim().is_empty());
    let (mut line, mut next) = match side {
        Missing::After => (region.end.line, region.end.line + 1),
        Missing::Before => (region.start.line.max(2) - 1, region.start.line),
    };
    while line > 1 && is_blank(line) {
        line -= 1;
    }
    while is_blank(next) {
        next += 1;
    }
    // What stands further out is about something else.
    let indent = |line: u32| {
        let text = file.line(line)?;
        Some(text.chars().take_while(|one| one.is_whitespace()).count() as u32)
    };
    let width = |line: u32| file.line(line).map_or(0, |text| text.trim_end().chars().count() as u32);
    let end = match indent(next) {
        Some(indent) if indent + 1 >= region.start.column => next,
        _ => line,
    };
    let end = Position { line: end, column: width(end) + 1 };
    let start = Position { line, column: indent(line).unwrap_or(0) + 1 };
    Region { start, end, ..region }
}
