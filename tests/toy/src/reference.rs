//! A reference answers: it makes the same call, or runs the same piece of code from the same variables, and what comes
//! of it is compared.
//!
//! A question comes as an equation of terms, which is all that is used here, so that it does not matter where the
//! recording comes from.

use crate::inside::Entered;
use crate::interpret::{Fault, Flow, Interpreter, Limits, Observer, Variables};
use crate::record::FAULTS;
use crate::syntax::{Code, Function};
use gadfly_engine::{Answer, Judgement, Oracle, OracleError, Query, Watch, Who};
use gadfly_source::Region;
use gadfly_term::{Equation, Outcome, Shape, TermId};
use gadfly_tree::{Kind, Node, Tree};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) struct ToyReference {
    pub(crate) reference: Code,
    /// The program itself, as it was recorded; none if its source is not there.
    pub(crate) recorded: Option<Code>,
    /// How long an answer may take.
    pub(crate) time: Duration,
    pub(crate) entered: Entered,
}

impl Oracle for ToyReference {
    fn who(&self) -> Who {
        Who::Reference
    }

    fn wants_whole(&self) -> bool {
        true
    }

    /// None where the reference cannot tell: another oracle may, or a person.
    fn judge(&mut self, query: &Query<'_>, watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        Ok(if query.level == 0 { self.call(query, watch) } else { self.pieces(query, watch) })
    }
}

/// Keeps what is printed.
#[derive(Default)]
struct Printed(String);

impl Observer for Printed {
    fn print(&mut self, line: &str) -> io::Result<()> {
        self.0.push_str(line);
        Ok(())
    }
}

impl ToyReference {
    fn limits<'l>(&self, stop: &'l dyn Fn() -> bool) -> Limits<'l> {
        Limits { until: Instant::now().checked_add(self.time), stop }
    }

    /// Makes the call that the question is about.
    fn call(&self, query: &Query<'_>, watch: &dyn Watch) -> Option<Answer> {
        let equation = query.equation;
        let function = self.reference.function(&equation.function)?;
        let arguments = equation.arguments.iter().map(|argument| number(equation, argument.value));
        let arguments: Vec<i64> = arguments.collect::<Option<_>>()?;
        if arguments.len() != self.reference.functions[function].arity {
            return None;
        }
        let (mut printed, stop) = (Printed::default(), || watch.is_cancelled());
        let mut interpreter = Interpreter::new(&self.reference, &mut printed, self.limits(&stop));
        let expected = said(interpreter.call(function, &arguments))?;
        Some(compare(equation, expected, printed.0 == printed_by(equation)))
    }

    /// Runs the pieces of code that the question is about.
    fn pieces(&self, query: &Query<'_>, watch: &dyn Watch) -> Option<Answer> {
        let equation = query.equation;
        let recorded = self.recorded.as_ref()?;
        let entered = self.entered.lock().unwrap_or_else(|poison| poison.into_inner());
        let tree: &Arc<Tree> = entered.as_ref()?;
        let [own, other] = [recorded, &self.reference].map(|code| code.function(&query.rule.function));
        let (own, other) = own.zip(other)?;
        let names = &recorded.functions[own].variables;
        if !alike(&recorded.functions[own], &self.reference.functions[other]) {
            return None;
        }
        let mut known: HashMap<&str, i64> = HashMap::new();
        let arguments = equation.arguments.iter().map(|one| (one.name.as_deref().unwrap_or(""), one.value));
        let before = equation.before.iter().map(|binding| (&*binding.name, binding.value));
        known.extend(arguments.chain(before).filter_map(|(name, id)| Some((name, number(equation, id)?))));
        let mut variables: Variables = names.iter().map(|name| known.get(name.as_str()).copied()).collect();
        let (mut printed, stop) = (Printed::default(), || watch.is_cancelled());
        let mut interpreter = Interpreter::new(&self.reference, &mut printed, self.limits(&stop));
        let mut flow = Ok(Flow::On);
        for node in members(tree, query.node) {
            let region = tree.rules().get(tree.rule_id(node)).region;
            let piece = piece(recorded, own, region)?;
            flow = interpreter.piece(other, piece, &mut variables);
            if flow != Ok(Flow::On) {
                break;
            }
        }
        let expected = match flow {
            Ok(Flow::On) => String::new(),
            Ok(Flow::Return(value)) => format!("return {value}"),
            Err(fault) => said(Err(fault))?,
        };
        known
            .extend(equation.after.iter().filter_map(|one| Some((&*one.name, number(equation, one.value)?))));
        let same =
            names.iter().zip(&variables).all(|(name, value)| known.get(name.as_str()) == value.as_ref());
        Some(compare(equation, expected, same && printed.0 == printed_by(equation)))
    }
}

/// Whether two functions have the same pieces in the same order, and the same variables.
fn alike(one: &Function, other: &Function) -> bool {
    let kinds = |function: &Function| function.pieces.iter().map(|piece| piece.kind).collect::<Vec<_>>();
    one.variables == other.variables && kinds(one) == kinds(other)
}

/// The pieces of code that a node stands over: itself, unless it is there to ask about many together.
fn members(tree: &Tree, node: Node) -> Vec<Node> {
    let (mut found, mut waiting) = (Vec::new(), vec![node]);
    while let Some(node) = waiting.pop() {
        match tree.kind(node) {
            Kind::Projection => waiting.extend(tree.children(node).collect::<Vec<_>>().into_iter().rev()),
            _ => found.push(node),
        }
    }
    found
}

/// The piece of a function that stands somewhere.
fn piece(code: &Code, function: usize, region: Option<Region>) -> Option<usize> {
    let region = region?;
    code.functions[function].pieces.iter().position(|piece| code.sources.region(piece.span) == region)
}

/// What a run of the reference came to; no answer if it did not end.
fn said(result: Result<i64, Fault>) -> Option<String> {
    match result {
        Ok(value) => Some(value.to_string()),
        Err(fault) => {
            let known = FAULTS.iter().find(|(known, _)| *known == fault);
            known.map(|(_, name)| (*name).to_owned())
        }
    }
}

/// The answer: the outcome must be the one that was expected, and the rest be the same.
fn compare(equation: &Equation, expected: String, rest_is_same: bool) -> Answer {
    let outcome = match equation.outcome {
        Outcome::Value(id) | Outcome::Exception(id) => match equation.terms.shape(id) {
            Shape::Number(digits) => Some(digits.to_owned()),
            Shape::Con("return", [value]) => number(equation, *value).map(|value| format!("return {value}")),
            Shape::Con(name, []) => Some(name.to_owned()),
            _ => None,
        },
        Outcome::Nothing => Some(String::new()),
        // The reference has ended.
        Outcome::Unfinished => None,
    };
    match outcome.as_ref() == Some(&expected) {
        true if rest_is_same => Answer::plain(Judgement::Correct),
        true => Answer::plain(Judgement::Wrong),
        false => {
            let expected = Some(expected).filter(|text| !text.is_empty());
            Answer { expected, ..Answer::plain(Judgement::Wrong) }
        }
    }
}

fn number(equation: &Equation, id: TermId) -> Option<i64> {
    match equation.terms.shape(id) {
        Shape::Number(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// What was printed: it is shown as a variable that was empty before.
fn printed_by(equation: &Equation) -> &str {
    let printed = equation.after.iter().find(|binding| &*binding.name == "printed");
    match printed.map(|binding| equation.terms.shape(binding.value)) {
        Some(Shape::Str(text, _)) => text,
        _ => "",
    }
}
