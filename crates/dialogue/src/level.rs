//! A level of the session: the program, or the inside of a call; and what is said of its nodes.
//!
//! The levels are a stack, and each has an engine's session about its own tree. The numbers of nodes and questions go on from
//! level to level, so that one number means one thing to people and scripts; the engine counts from 1 in each. This file and
//! `dialogue/looks.rs` are where the one is made of the other.

use crate::protocol::{self, Code, Given, NodeRef, OUTSIDE, Page, Place, Row, Said};
use crate::saved::takes_back;
use gadfly_engine::{Action, ActionError, Asked, Basis, Blame, Fault, Notice, Session, Verdict};
use gadfly_source::Region;
use gadfly_term::render::{self, Room};
use gadfly_tree::{Kind, Node, Recording, Rule};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// How many reasons of a verdict are listed; one more says that there are more.
const REASONS: usize = 13;

/// The width of an equation in a report.
pub(crate) const REPORT_WIDTH: usize = 2_000;

/// How a level came about.
#[derive(Clone, Debug)]
pub(crate) struct Entrance {
    /// The call that it is the inside of.
    pub(crate) of: NodeRef,
    /// Whether the bug is certainly in it.
    pub(crate) certain: bool,
    /// Whether the user wanted it; else a verdict did.
    pub(crate) by_hand: bool,
    /// The verdict of the level before.
    pub(crate) outside: Verdict,
}

/// A level of the session.
pub(crate) struct Level {
    pub(crate) number: u16,
    pub(crate) recording: Arc<dyn Recording>,
    pub(crate) session: Session,
    /// None of the program itself.
    pub(crate) entrance: Option<Entrance>,
    /// The calls that were entered from here and left again: they are not entered by themselves until something is taken back.
    pub(crate) left: BTreeSet<Node>,
    /// How many nodes the levels before have: numbers go on from there.
    pub(crate) nodes_before: u64,
    /// How many questions were asked before it was entered.
    pub(crate) questions_before: usize,
    /// The code to blame for nodes, where a reviewer knows better than the recording.
    pub(crate) blame: HashMap<Node, Vec<Blame>>,
    /// What the verdict rests on, if a reviewer knows.
    pub(crate) basis: Option<Basis>,
}

impl Level {
    /// Does something in the level's session.
    pub(crate) fn apply(&mut self, action: Action) -> Result<Vec<Notice>, ActionError> {
        let takes_back = takes_back(&action);
        let notices = self.session.apply(action)?;
        if takes_back {
            self.left.clear();
        }
        Ok(notices)
    }

    pub(crate) fn at(&self, node: Node) -> NodeRef {
        NodeRef { level: self.number, node }
    }

    /// A node's number, as people and scripts know it.
    pub(crate) fn shown_number(&self, node: Node) -> u64 {
        self.nodes_before + node.number()
    }

    pub(crate) fn rule(&self, node: Node) -> &Rule {
        let tree = self.recording.tree();
        tree.rules().get(tree.rule_id(node))
    }

    /// The equation on one line of at most `width` columns.
    pub(crate) fn line(&self, node: Node, width: usize) -> String {
        match self.recording.behaviours().behaviour(self.recording.tree(), node, false) {
            Ok(behaviour) => {
                render::equation_line(&behaviour.equation, self.recording.about().style, width).text
            }
            Err(error) => format!("({error})"),
        }
    }

    /// The equation in full, laid out to be read.
    pub(crate) fn whole(&self, node: Node, width: usize) -> Result<Vec<String>, String> {
        let behaviour = self.recording.behaviours().behaviour(self.recording.tree(), node, true);
        let equation = behaviour.map_err(|error| error.to_string())?.equation;
        let room = Room { width, lines: usize::MAX };
        let shown = render::equation(&equation, self.recording.about().style, room, None);
        Ok(shown.text.lines().map(str::to_owned).collect())
    }

    pub(crate) fn said(&self, node: Node, width: usize) -> Said {
        Said {
            at: self.at(node),
            node: self.shown_number(node),
            function: self.rule(node).qualified(),
            equation: self.line(node, width),
        }
    }

    pub(crate) fn given(&self, given: &gadfly_engine::Given, width: usize) -> Given {
        Given { said: self.said(given.node, width), answer: given.answer.clone(), by: given.by }
    }

    /// A row of a question, laid out within a page; a table's rows are a line each.
    pub(crate) fn row(&self, row: &gadfly_engine::Row, page: Page, rows: usize) -> Row {
        let rule = self.rule(row.node);
        let place = rule.region.map(|region| self.place_text(region));
        let (lines, shortened) = if rows > 1 {
            let width = page.width.saturating_sub(rows.to_string().len() + 4).max(20);
            (vec![self.line(row.node, width)], false)
        } else {
            let room = Room { width: page.width.saturating_sub(2).max(18), lines: page.lines };
            let style = self.recording.about().style;
            let shown = render::equation(&row.behaviour.equation, style, room, None);
            (shown.text.lines().map(str::to_owned).collect(), shown.elided)
        };
        Row {
            at: self.at(row.node),
            node: self.shown_number(row.node),
            function: rule.qualified(),
            place,
            lines,
            shortened,
        }
    }

    /// `sqrtest.hs:24`.
    fn place_text(&self, region: Region) -> String {
        format!("{}:{}", self.file_name(region), region.start.line)
    }

    fn file_name(&self, region: Region) -> &str {
        self.recording.sources().file(region.file).name()
    }

    /// The code that answers for a node: what a reviewer blames; else what ran, where the recorder knows it; else the whole
    /// rule.
    pub(crate) fn code(&self, node: Node) -> Vec<Blame> {
        if let Some(blame) = self.blame.get(&node) {
            return blame.clone();
        }
        let ran = |region| Blame { region, fault: Fault::Ran };
        match self.recording.behaviours().behaviour(self.recording.tree(), node, false) {
            Ok(behaviour) if !behaviour.code.is_empty() => behaviour.code.into_iter().map(ran).collect(),
            _ => self.rule(node).region.into_iter().map(ran).collect(),
        }
    }

    /// A node with its rule and its code.
    pub(crate) fn place(&self, node: Node, width: usize) -> Place {
        self.place_of(node, &self.code(node), width)
    }

    fn place_of(&self, node: Node, code: &[Blame], width: usize) -> Place {
        let rule = self.rule(node);
        let first = code.first().map(|blame| blame.region);
        let elsewhere = first.is_some_and(|code| rule.region.is_some_and(|own| own.file != code.file));
        Place {
            node: self.shown_number(node),
            function: if elsewhere { OUTSIDE.to_owned() } else { rule.function.to_string() },
            module: rule.module.as_deref().map(str::to_owned),
            rule: rule.number,
            kind: self.recording.tree().kind(node).name().to_owned(),
            equation: self.line(node, width),
            file: first.map(|region| self.file_name(region).to_owned()),
            line: first.map(|region| region.start.line),
            code: code.iter().map(|blame| self.code_piece(blame, first)).collect(),
        }
    }

    fn code_piece(&self, blame: &Blame, first: Option<Region>) -> Code {
        let Blame { region, fault } = *blame;
        let named = first.is_some_and(|first| first.file == region.file);
        Code {
            start: [region.start.line, region.start.column],
            end: [region.end.line, region.end.column],
            file: (!named).then(|| self.file_name(region).to_owned()),
            fault: match fault {
                Fault::Ran => protocol::Fault::Ran,
                Fault::MissingBefore => protocol::Fault::MissingBefore,
                Fault::MissingAfter => protocol::Fault::MissingAfter,
                Fault::Differs => protocol::Fault::Differs,
            },
        }
    }

    /// A verdict of the engine with all that is to be said of it.
    pub(crate) fn verdict(&self, verdict: &Verdict, width: usize) -> protocol::Verdict {
        match verdict {
            Verdict::Bug { node, inadmissible } => {
                let code = self.code(*node);
                let basis = self.basis_of(*node);
                let side = code.iter().find_map(|blame| match blame.fault {
                    Fault::MissingBefore => Some(protocol::Side::Before),
                    Fault::MissingAfter => Some(protocol::Side::After),
                    Fault::Ran | Fault::Differs => None,
                });
                let right = match basis {
                    protocol::Basis::ReferenceText | protocol::Basis::TestPasses => Vec::new(),
                    _ if !inadmissible.is_empty() => Vec::new(),
                    _ => self.right(*node, width),
                };
                protocol::Verdict::Bug(Box::new(protocol::Bug {
                    place: self.place_of(*node, &code, width),
                    inadmissible: inadmissible.iter().map(|call| self.said(*call, width)).collect(),
                    right,
                    basis,
                    candidates: Vec::new(),
                    missing: side,
                    call: None,
                }))
            }
            Verdict::None(reason) => protocol::Verdict::None {
                reason: match reason {
                    gadfly_engine::NoBug::Correct => protocol::NoBug::Correct,
                    gadfly_engine::NoBug::Inadmissible => protocol::NoBug::Inadmissible,
                    gadfly_engine::NoBug::Trusted => protocol::NoBug::Trusted,
                    gadfly_engine::NoBug::ReferenceAgrees => protocol::NoBug::ReferenceAgrees,
                },
            },
            // A call that was entered is wrong for certain, whichever part of it is.
            Verdict::Unsure { candidates } if self.number > 0 => self.undecided_inside(candidates, width),
            Verdict::Unsure { candidates } => protocol::Verdict::Unsure {
                candidates: candidates.iter().map(|node| self.place(*node, width)).collect(),
                of: None,
            },
        }
    }

    fn undecided_inside(&self, candidates: &[Node], width: usize) -> protocol::Verdict {
        let parts = self.parts(candidates);
        let mut code: Vec<Blame> = parts.iter().flat_map(|node| self.code(*node)).collect();
        code.sort_unstable();
        code.dedup();
        protocol::Verdict::Bug(Box::new(protocol::Bug {
            place: self.place_of(parts[0], &code, width),
            inadmissible: Vec::new(),
            right: Vec::new(),
            basis: protocol::Basis::Answers,
            candidates: parts.iter().map(|node| self.place(*node, width)).collect(),
            missing: None,
            call: None,
        }))
    }

    /// Those of some nodes that are parts of the call; the call itself if there are none.
    fn parts(&self, candidates: &[Node]) -> Vec<Node> {
        let tree = self.recording.tree();
        let is_part = |node: &Node| tree.kind(*node) != Kind::Routine;
        let mut parts: Vec<Node> = candidates.iter().copied().filter(is_part).collect();
        // Those of which nothing is blamed are out of it.
        if parts.iter().any(|node| !self.code(*node).is_empty()) {
            parts.retain(|node| !self.code(*node).is_empty());
        }
        if parts.is_empty() { vec![Node::ROOT] } else { parts }
    }

    fn basis_of(&self, node: Node) -> protocol::Basis {
        match self.basis {
            Some(Basis::ReferenceText) => return protocol::Basis::ReferenceText,
            Some(Basis::TestPasses) => return protocol::Basis::TestPasses,
            Some(Basis::Elimination) => return protocol::Basis::Elimination,
            Some(Basis::OneRuleLeft) => return protocol::Basis::OneRuleLeft,
            Some(Basis::Answers) | None => {}
        }
        let eliminated = |asked: &Asked| {
            asked.given.iter().any(|given| given.node == node && given.by == gadfly_engine::Who::Elimination)
        };
        if self.session.asked().iter().any(eliminated) {
            return protocol::Basis::Elimination;
        }
        match self.session.state().suspects().len() {
            0 | 1 => protocol::Basis::Answers,
            _ => protocol::Basis::OneRuleLeft,
        }
    }

    /// What a wrong node was computed from.
    fn right(&self, node: Node, width: usize) -> Vec<Said> {
        let tree = self.recording.tree();
        let used = self.recording.behaviours().uses(tree, node);
        // A constant that is still being computed is no reason.
        let used =
            used.into_iter().filter(|used| tree.parent(*used) != Some(node) && !tree.is_within(node, *used));
        let state = self.session.state();
        let children = tree.children(node).filter(|child| !state.goes_round(*child));
        children.take(REASONS).chain(used).take(REASONS).map(|one| self.said(one, width)).collect()
    }

    /// The nodes that can still be buggy.
    pub(crate) fn suspicious(&self) -> impl Iterator<Item = Node> + '_ {
        let area = self.session.state().area();
        let focus = move |node: &Node| area.focus_wrong && *node == area.focus;
        (0..self.recording.tree().len()).map(Node).filter(move |node| area.is_askable(*node) || focus(node))
    }
}
