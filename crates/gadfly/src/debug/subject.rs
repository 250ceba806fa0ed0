//! What a session is about: the tree with its sources, and texts made from them.

use crate::python::player::{Missing, SharedPlayer};
use crate::recording::Recording;
use gadfly_engine::Query;
use gadfly_source::{Position, Region};
use gadfly_term::Equation;
use gadfly_term::render::{self, Room, Style};
use gadfly_tree::{Behaviour, BehaviourError, Kind, Node, Rule};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// An opened recording, and how its equations are written.
pub(crate) struct Subject<'a> {
    pub(crate) recording: &'a Recording,
    /// Who knows more about code, if it is the inside of a call.
    pub(crate) player: Option<SharedPlayer>,
    /// How many nodes were numbered before these.
    pub(crate) before: u32,
    /// Of some nodes, the code that is to blame, where somebody knows better than the trail.
    pub(crate) blamed: RefCell<HashMap<Node, Vec<Region>>>,
    /// Whether code is blamed because a correct version has it otherwise, and not because of what was answered.
    pub(crate) by_text: Cell<bool>,
}

impl<'a> Subject<'a> {
    pub(crate) fn new(recording: &'a Recording) -> Subject<'a> {
        Subject { recording, player: None, before: 0, blamed: RefCell::default(), by_text: Cell::new(false) }
    }
}

/// An equation in a report or a list is cut to this many columns; a question shows more, and `show` shows all.
const LINE: usize = 2_000;

impl<'a> Subject<'a> {
    pub(crate) fn style(&self) -> Style {
        self.recording.style()
    }

    pub(crate) fn rule(&self, node: Node) -> &'a Rule {
        let tree = self.recording.tree();
        tree.rules().get(tree.rule_id(node))
    }

    /// A node's number, as people and scripts know it.
    pub(crate) fn number(&self, node: Node) -> u64 {
        u64::from(self.before) + node.number()
    }

    /// What was evaluated instead of `main`, if something was.
    pub(crate) fn expression(&self) -> Option<String> {
        let tables = self.recording.run()?.trail().tables();
        let typed = tables.files.iter().find(|file| file.path == gadfly_lazy::EXPRESSION_FILE)?;
        Some(typed.text.clone())
    }

    /// Whether it is the inside of one call.
    pub(crate) fn is_inside(&self) -> bool {
        let tree = self.recording.tree();
        tree.children(Node::ROOT).next().is_some_and(|first| tree.kind(first) != Kind::Routine)
            && self.recording.run().is_some()
    }

    /// What a node says.
    pub(crate) fn behaviour(&self, node: Node, whole: bool) -> Result<Behaviour, BehaviourError> {
        self.recording.behaviours().behaviour(self.recording.tree(), node, whole)
    }

    /// The equation in full, on one line: what scripts and commands are given.
    pub(crate) fn full_text(&self, equation: &Equation) -> String {
        render::equation_line(equation, self.style(), usize::MAX).text
    }

    /// The equation on one line of bounded length.
    pub(crate) fn line(&self, node: Node) -> String {
        self.line_within(node, LINE)
    }

    /// The equation on one line of at most `width` columns.
    pub(crate) fn line_within(&self, node: Node, width: usize) -> String {
        match self.behaviour(node, false) {
            Ok(behaviour) => render::equation_line(&behaviour.equation, self.style(), width).text,
            Err(error) => format!("({error})"),
        }
    }

    /// The equation laid out to be read.
    pub(crate) fn laid_out(&self, equation: &Equation, room: Room) -> render::Shown {
        render::equation(equation, self.style(), room, None)
    }

    /// `sqrtest.hs:24`.
    pub(crate) fn place(&self, region: Region) -> String {
        format!("{}:{}", self.recording.sources().file(region.file).name(), region.start.line)
    }

    /// The source text of a rule, where it is known.
    pub(crate) fn rule_text(&self, rule: &Rule) -> Option<&'a str> {
        let sources = self.recording.sources();
        sources.text(sources.span(rule.region?)?)
    }

    /// Where something is missing, if the correct version has more there.
    pub(crate) fn missing(&self, node: Node) -> Option<Missing> {
        self.player.as_ref()?.borrow().missing.get(&node).copied()
    }

    /// The code that answers for a node: what ran, where the recorder knows it, else the whole rule.
    pub(crate) fn code(&self, node: Node) -> Vec<Region> {
        if let Some(blamed) = self.blamed.borrow().get(&node) {
            return blamed.clone();
        }
        if let (Some(missing), Some(region)) = (self.missing(node), self.rule(node).region) {
            // The line that it is missing beside, and the next one.
            let is_blank = |line: u32| {
                let text = self.recording.sources().file(region.file).line(line);
                text.is_some_and(|text| text.trim().is_empty())
            };
            let (mut line, mut next) = match missing {
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
                let text = self.recording.sources().file(region.file).line(line)?;
                Some(text.chars().take_while(|one| one.is_whitespace()).count() as u32)
            };
            let width = |line: u32| {
                let text = self.recording.sources().file(region.file).line(line);
                text.map_or(0, |text| text.trim_end().chars().count() as u32)
            };
            let end = match indent(next) {
                Some(indent) if indent + 1 >= region.start.column => next,
                _ => line,
            };
            let end = Position { line: end, column: width(end) + 1 };
            let start = Position { line, column: indent(line).unwrap_or(0) + 1 };
            return vec![Region { start, end, ..region }];
        }
        match self.behaviour(node, false).map(|known| known.code) {
            Ok(code) if !code.is_empty() => code,
            _ => self.rule(node).region.into_iter().collect(),
        }
    }

    /// A question as an oracle sees it.
    pub(crate) fn query<'q>(
        &self,
        number: usize,
        node: Node,
        equation: &'q Equation,
        text: &'q str,
    ) -> Query<'q>
    where
        'a: 'q,
    {
        let tree = self.recording.tree();
        let (rule, size, handle) = (self.rule(node), tree.size(node), tree.handle(node));
        let (level, shown_number) = (u16::from(self.before > 0), self.number(node));
        Query {
            number,
            level,
            node,
            shown_number,
            handle,
            rule,
            rule_text: self.rule_text(rule),
            equation,
            text,
            size,
        }
    }
}

impl Subject<'_> {
    /// What is blamed for a node, as a person names it: its rule, unless that is code of another file.
    pub(crate) fn culprit(&self, node: Node) -> String {
        let rule = self.rule(node);
        let elsewhere =
            self.code(node).first().is_some_and(|code| rule.region.is_some_and(|own| own.file != code.file));
        if elsewhere { "<module>".to_owned() } else { rule_name(rule) }
    }
}

/// `sum2 (rule 1)`, `sum2`: a rule as a person names it.
pub(crate) fn rule_name(rule: &Rule) -> String {
    match rule.number {
        Some(number) => format!("{} (rule {number})", rule.qualified()),
        None => rule.qualified(),
    }
}
