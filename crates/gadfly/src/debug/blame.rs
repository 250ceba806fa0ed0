//! What a correct version has just as it is, and what it has otherwise, outside of asking it about calls: which verdicts cannot be, what is
//! left where nobody could tell, and which code to point at.

use super::Dialogue;
use super::zoom::parts;
use crate::python::oracle::{Differing, Span};
use gadfly_engine::{Action, Answer, Given, Judgement, Verdict, Who};
use gadfly_source::{Position, Region};
use gadfly_tree::{Kind, Node};

impl Dialogue<'_> {
    /// Whether a verdict says of code that it is wrong which a correct version has just as it is, or of a test: then some answer was
    /// too lenient.
    pub(super) fn cannot_be(&self, verdict: &Verdict) -> bool {
        let (Some(zoom), Verdict::Bug { node, inadmissible, .. }) = (&self.zoom, verdict) else {
            return false;
        };
        let is_test = zoom.is_test(*node);
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
            zoom.is_test(**node)
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
        let by = Who::Elimination;
        let answer = Answer::plain(Judgement::Wrong);
        let told = self.voice.answered(self.subject, node, &answer.to_string(), by);
        Some((told, Action::Revise { number, row, answer, by }))
    }

    /// Where a call is wrong, and nobody could tell about some that it made, but a correct version has the code of all of these just as it
    /// is: then it is the call itself.
    pub(super) fn settled(&self, verdict: &Verdict) -> Option<Verdict> {
        const FEW: usize = 12;
        let (Some(_), Verdict::Unsure { candidates }) = (&self.zoom, verdict) else { return None };
        let area = self.session.state().area();
        if self.chain.has_person() || !area.focus_wrong || candidates.len() > FEW {
            return None;
        }
        let is_right = |node: &Node| *node == area.focus || self.chain.has_same(self.subject, *node);
        let settled = !self.chain.has_same(self.subject, area.focus) && candidates.iter().all(is_right);
        settled.then(|| Verdict::Bug { node: area.focus, inadmissible: Vec::new() })
    }

    /// Where a function is found that a correct version has otherwise, and it is no matter for the test: it is trusted. Gives what is to
    /// be said of the call, and the answer.
    pub(super) fn by_trial(&self, verdict: &Verdict) -> Option<(String, Action)> {
        let zoom = self.zoom.as_ref().filter(|_| !self.chain.has_person())?;
        let (test, Verdict::Bug { node, .. }) = (zoom.test?, verdict) else { return None };
        if zoom.is_test(*node) {
            return None;
        }
        let is_it = |given: &Given| given.node == *node && given.answer.judgement == Judgement::Wrong;
        let (number, row) = self
            .session
            .asked()
            .iter()
            .find_map(|asked| Some((asked.number, asked.given.iter().position(is_it)?)))?;
        if !self.chain.is_harmless(self.session.tree().handle(test), self.known_by(*node)) {
            return None;
        }
        let by = Who::Trial;
        let answer = Answer::plain(Judgement::TrustFunction);
        let told = self.voice.answered(self.subject, *node, &answer.to_string(), by);
        Some((told, Action::Revise { number, row, answer, by }))
    }

    /// Where a verdict cannot be even though all answers were strict, and nothing is otherwise outside of functions that would help: the
    /// functions that ran and that a correct version has otherwise, if they are few. Where nobody could tell, those of them without
    /// which a test fails. What they are to blame for is set.
    pub(super) fn by_difference(&self, verdict: &Verdict) -> Option<Verdict> {
        const FEW: usize = 12;
        let zoom = self.zoom.as_ref().filter(|_| !self.chain.has_person())?;
        let tree = self.session.tree();
        let (is_test, has_outside, nodes) = match verdict {
            Verdict::Bug { node, .. } if self.cannot_be(verdict) => {
                let is_test = zoom.is_test(*node);
                // Its code may be the same, and its defaults not.
                let differs = self.chain.differing(Some(tree.handle(*node)));
                if !is_test && differs.is_some_and(|one| !one.statements.is_empty()) {
                    return None;
                }
                let (outside, helping) = self.outside(is_test);
                if helping || !is_test && !outside.is_empty() {
                    return None;
                }
                (is_test, !outside.is_empty(), (0..tree.len()).map(Node).collect())
            }
            Verdict::Unsure { candidates } if zoom.test.is_some() => (false, false, candidates.clone()),
            _ => return None,
        };
        let mut found = self.differing_among(&nodes)?;
        let helping = self.helping(&found);
        if !helping.is_empty() {
            found = helping;
        } else if has_outside || matches!(verdict, Verdict::Unsure { .. }) {
            // They do not make the test pass, and it is rather what is otherwise outside of functions.
            found.clear();
        }
        self.subject.blamed.borrow_mut().retain(|node, _| found.contains(node));
        self.subject.by_text.set(!found.is_empty());
        match found[..] {
            // It is no test's fault that nobody sees what is wrong.
            [] if is_test => (!has_outside).then_some(Verdict::Unsure { candidates: found }),
            // What ran in other processes is not known to have run.
            [] => {
                let Verdict::Bug { node, .. } = verdict else { return None };
                let elsewhere = self.chain.constants(None, true).unwrap_or_default();
                self.blame_elsewhere(*node, self.regions(elsewhere.places)).then(|| verdict.clone())
            }
            [node] => Some(Verdict::Bug { node, inadmissible: Vec::new() }),
            _ => (found.len() <= FEW).then_some(Verdict::Unsure { candidates: found }),
        }
    }

    /// The first calls of functions among some that a correct version has otherwise; what they are to blame for is set. None if there are
    /// too many to look at.
    fn differing_among(&self, nodes: &[Node]) -> Option<Vec<Node>> {
        const FUNCTIONS: usize = 100;
        let zoom = self.zoom.as_ref()?;
        let tree = self.session.tree();
        // What modules and classes do is outside of functions.
        let is_function = |node: &Node| {
            let name = &*self.subject.rule(*node).function;
            tree.kind(*node) == Kind::Routine && name != "<module>" && !name.starts_with("class ")
        };
        let mut met = vec![false; tree.rules().len()];
        let mut found = Vec::new();
        for node in nodes.iter().filter(|node| !zoom.is_test(**node) && is_function(node)) {
            if std::mem::replace(&mut met[tree.rule_id(*node).0 as usize], true) {
                continue;
            }
            if met.iter().filter(|met| **met).count() > FUNCTIONS {
                return None;
            }
            if self.subject.rule(*node).region.is_some() && self.blame_differing(*node) {
                found.push(*node);
            }
        }
        Some(found)
    }

    /// The file and the name of the function of a call.
    fn known_by(&self, node: Node) -> (&str, &str) {
        let rule = self.subject.rule(node);
        let sources = self.subject.recording.sources();
        (rule.region.map_or("", |region| sources.file(region.file).name()), &rule.function)
    }

    /// Of calls, those whose functions make the test pass if they are as in a correct version.
    fn helping(&self, found: &[Node]) -> Vec<Node> {
        const MANY: usize = 30;
        let test = self.zoom.as_ref().and_then(|zoom| zoom.test);
        let (Some(test), true) = (test, found.len() <= MANY) else { return Vec::new() };
        let functions: Vec<(&str, &str)> = found.iter().map(|node| self.known_by(*node)).collect();
        let helping = self.chain.helping(self.session.tree().handle(test), &functions).unwrap_or_default();
        helping.into_iter().filter_map(|at| found.get(at).copied()).collect()
    }

    /// A call that nobody can look into: what a correct version has otherwise in it is to blame.
    /// Says whether there is anything.
    pub(super) fn blame_differing(&self, node: Node) -> bool {
        let handle = self.session.tree().handle(node);
        let whole = self.subject.rule(node).region;
        let (Some(differing), Some(whole)) = (self.chain.differing(Some(handle)), whole) else {
            return false;
        };
        let regions = differing.statements.iter().map(|span| {
            let [line, column, last, end] = span.map(|number| number as u32);
            let (start, end) = (Position { line, column }, Position { line: last, column: end });
            Region { start, end, ..whole }
        });
        let regions: Vec<Region> = regions.collect();
        let found = !regions.is_empty();
        if found {
            self.subject.blamed.borrow_mut().insert(node, regions);
        }
        found
    }

    /// A call that is wrong although everything it calls is right, and its own code too: what was done before, outside of functions,
    /// is to blame, if a correct version does something else there.
    pub(super) fn blame_constants(&self, node: Node, is_test: bool) -> bool {
        let (regions, _) = self.outside(is_test);
        self.blame_elsewhere(node, regions)
    }

    fn blame_elsewhere(&self, node: Node, regions: Vec<Region>) -> bool {
        let found = !regions.is_empty();
        if found {
            self.subject.blamed.borrow_mut().insert(node, regions);
            self.subject.by_text.set(true);
        }
        found
    }

    /// What a correct version has otherwise outside of functions, and whether it makes the test pass.
    fn outside(&self, is_test: bool) -> (Vec<Region>, bool) {
        let test = self.zoom.as_ref().and_then(|zoom| zoom.test).filter(|_| is_test);
        let test = test.map(|test| self.session.tree().handle(test));
        let outside = self.chain.constants(test, false).unwrap_or_default();
        (self.regions(outside.places), outside.helping)
    }

    fn regions(&self, places: Vec<(String, u32, u32)>) -> Vec<Region> {
        let sources = self.subject.recording.sources();
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
            // Of several pieces, as of what handles exceptions, those that are.
            true => match own.iter().copied().filter(differs).collect::<Vec<_>>() {
                none if none.is_empty() => own,
                some => some,
            },
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
            blamed = self.outside(false).0;
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
