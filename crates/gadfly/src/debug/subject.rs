//! What a session is about: the tree with its sources, and texts made from them.

use crate::recording::Recording;
use gadfly_engine::Query;
use gadfly_source::Region;
use gadfly_term::Equation;
use gadfly_term::render::{self, Room, Style};
use gadfly_tree::{Behaviour, BehaviourError, Node, Rule};

/// An opened recording, and how its equations are written.
pub(crate) struct Subject<'a> {
    pub(crate) recording: &'a Recording,
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

    /// What was evaluated instead of `main`, if something was.
    pub(crate) fn expression(&self) -> Option<String> {
        let tables = self.recording.run()?.trail().tables();
        let typed = tables.files.iter().find(|file| file.path == gadfly_lazy::EXPRESSION_FILE)?;
        Some(typed.text.clone())
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

    /// The code that answers for a node: what ran, where the recorder knows it, else the whole rule.
    pub(crate) fn code(&self, node: Node) -> Vec<Region> {
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
        let (rule, size) = (self.rule(node), self.recording.tree().size(node));
        Query { number, node, rule, rule_text: self.rule_text(rule), equation, text, size }
    }
}

/// `sum2 (rule 1)`, `sum2`: a rule as a person names it.
pub(crate) fn rule_name(rule: &Rule) -> String {
    match rule.number {
        Some(number) => format!("{} (rule {number})", rule.qualified()),
        None => rule.qualified(),
    }
}
