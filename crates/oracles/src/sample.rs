//! Questions to try oracles with.

use gadfly_engine::{Answer, Given, Query, Who};
use gadfly_term::{Argument, Binding, Equation, Outcome, Terms, render};
use gadfly_tree::{Node, Rule};

pub(crate) struct Sample {
    pub(crate) number: usize,
    pub(crate) node: Node,
    pub(crate) rule: Rule,
    pub(crate) rule_text: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) equation: Equation,
    pub(crate) text: String,
}

/// A question about `function arguments = result`, where all values are numbers.
pub(crate) fn sample(function: &str, arguments: &[&str], result: &str) -> Sample {
    let mut terms = Terms::new();
    let values = arguments.iter().map(|text| Argument { name: None, value: terms.number(text) }).collect();
    let outcome = Outcome::Value(terms.number(result));
    let rule =
        Rule { function: function.into(), number: Some(1), module: None, path: Box::default(), region: None };
    let rule_text = Some(format!("{function} x = …"));
    let equation = Equation {
        terms,
        function: function.into(),
        instances: Vec::new(),
        inside: false,
        arguments: values,
        outcome,
        before: Vec::new(),
        after: Vec::new(),
    };
    let text = String::new();
    Sample { number: 1, node: Node(6), rule, rule_text, file: None, equation, text }.rendered()
}

impl Sample {
    pub(crate) fn at(mut self, node: u64) -> Sample {
        self.node = Node::from_number(node).unwrap();
        self
    }

    pub(crate) fn numbered(mut self, number: usize) -> Sample {
        self.number = number;
        self
    }

    /// The same with a variable that a call changed.
    pub(crate) fn changing(mut self, name: &str, from: &str, to: &str) -> Sample {
        let (from, to) = (self.equation.terms.number(from), self.equation.terms.number(to));
        self.equation.before.push(Binding { name: name.into(), value: from });
        self.equation.after.push(Binding { name: name.into(), value: to });
        self.rendered()
    }

    /// The same with one more argument, a string.
    pub(crate) fn with_string(mut self, text: &str, more: u64) -> Sample {
        let value = self.equation.terms.str(text, more);
        self.equation.arguments.push(Argument { name: None, value });
        self.rendered()
    }

    pub(crate) fn query(&self) -> Query<'_> {
        Query {
            handle: 0,
            number: self.number,
            level: 0,
            node: self.node,
            shown_number: self.node.number(),
            rule: &self.rule,
            rule_text: self.rule_text.as_deref(),
            file: self.file.as_deref(),
            equation: &self.equation,
            text: &self.text,
            size: 1,
        }
    }

    fn rendered(mut self) -> Sample {
        let style = render::Style::Juxtaposed;
        self.text = render::equation_line(&self.equation, style, usize::MAX).text;
        self
    }
}

/// The answer that a text means.
pub(crate) fn answer(text: &str) -> Answer {
    text.parse().unwrap()
}

/// An answer to a sample's question, and who gave it.
pub(crate) fn given(text: &str, by: &str) -> Given {
    Given { node: Node(6), answer: answer(text), by: Who::from_word(by).unwrap() }
}
