//! The equation of a redex (S2 Def. 9).
//!
//! Dictionaries are never shown. Variables that a local function has from the functions around it stand after the
//! equation: `go 3 = 5  where n = 2`.

use super::follow::End;
use super::names;
use super::types::{Type, Types};
use super::values::{Builder, Limits, Run};
use gadfly_term::{Argument, Binding, Equation, Outcome, TermId, Terms};
use gadfly_trail::Became;
use gadfly_trail::model::{NodeId, Ref, Role, RunEnd, Shape, Tables, What};

/// Where a parameter is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// As an argument.
    Argument,
    /// As a variable that is known from outside.
    Scope,
}

/// A parameter that is shown, with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter<'t> {
    pub(super) shown: Shown,
    /// Its place among the values.
    pub(super) row: usize,
    pub(super) name: &'t str,
    pub(super) value: Ref,
}

/// The parameters of a function from one on, with these values.
pub(super) fn parameters<'t>(
    tables: &'t Tables,
    function: u32,
    from: usize,
    values: &[Ref],
) -> Vec<Parameter<'t>> {
    let Some(function) = tables.functions.get(function as usize) else { return Vec::new() };
    let known = function.parameters.iter().skip(from).zip(values).enumerate();
    let mut parameters: Vec<Parameter<'t>> = known
        .filter_map(|(row, ((name, role), value))| {
            let name = name.and_then(|name| tables.names.get(name as usize)).map_or("", String::as_str);
            let shown = match role {
                Role::Ordinary => Shown::Argument,
                Role::Captured if !name.is_empty() => Shown::Scope,
                Role::Captured | Role::Dictionary => return None,
            };
            Some(Parameter { shown, row, name, value: *value })
        })
        .collect();
    // What is applied to more than its parameters is shown with all of it.
    let rest = values.iter().enumerate().skip(function.parameters.len().saturating_sub(from));
    let rest = rest.map(|(row, value)| Parameter { shown: Shown::Argument, row, name: "", value: *value });
    parameters.extend(rest);
    parameters
}

impl Run<'_> {
    /// The function of a redex and its arguments.
    pub(super) fn redex(&self, node: NodeId) -> Option<(u32, Vec<Ref>)> {
        match self.trail.shape(node).what {
            What::Call(function) => Some((function, self.references(node))),
            What::Constant(function) => Some((function, Vec::new())),
            What::Apply => {
                let references = self.references(node);
                let (applied, further) = references.split_first()?;
                let closure = self.function(self.end(*applied))?;
                Some((closure.function, [&closure.arguments, further].concat()))
            }
            _ => None,
        }
    }

    /// The nodes that a redex applies: a function, and what it came from by arguments.
    fn applied(&self, node: NodeId) -> Vec<NodeId> {
        const STEPS: usize = 1 << 8;
        let mut applied = Vec::new();
        let (mut at, mut shape) = (node, self.trail.shape(node));
        while shape.what == What::Apply && applied.len() < STEPS {
            match self.end(self.trail.reference(at, 0)) {
                End::Node(function, known) | End::Unevaluated(function, known) => {
                    (at, shape) = (function, known)
                }
                _ => break,
            }
            applied.push(at);
        }
        applied
    }

    /// What became of a redex.
    fn came_to(&self, node: NodeId) -> CameTo {
        let reference = match self.trail.became(node) {
            Became::Value(reference, _) => reference,
            Became::Raised(exception, _) => return CameTo::Exception(exception),
            Became::Nothing | Became::Unfinished(_) => return CameTo::Unfinished,
        };
        let end = self.end(reference);
        match end {
            End::Raised(exception) => CameTo::Exception(exception),
            End::Unfinished => CameTo::Unfinished,
            End::Unevaluated(..) if self.trail.end().is_none() && self.function(end).is_none() => {
                CameTo::Unfinished
            }
            End::Node(action, Shape { what: What::Action, .. }) => match self.trail.became(action) {
                Became::Raised(exception, _) => CameTo::Exception(exception),
                _ => CameTo::Action(action),
            },
            _ => CameTo::Value(reference),
        }
    }
}

enum CameTo {
    Value(Ref),
    Action(NodeId),
    Exception(Ref),
    Unfinished,
}

/// What was printed: as much of it as is shown, if it was kept, and how many bytes more there are.
pub(super) type Printed = (Option<Vec<u8>>, u64);

/// The equation of a redex; `printed` gives what it wrote.
pub(super) fn equation(
    run: Run<'_>,
    node: NodeId,
    limits: Limits,
    printed: impl FnOnce(u64) -> Printed,
) -> Option<Equation> {
    let (function, redex) = run.redex(node)?;
    let parameters = parameters(run.tables(), function, 0, &redex);
    let values = |shown| {
        let of = parameters.iter().filter(move |parameter| parameter.shown == shown);
        of.map(|parameter| parameter.value).collect::<Vec<Ref>>()
    };
    let mut types = Types::new(run.tables());
    let (of, result) = types.of_redex(run, function, &redex);
    let of = |shown| {
        let all = parameters.iter().filter(move |parameter| parameter.shown == shown);
        all.map(|parameter| of.get(parameter.row).copied().unwrap_or(Type::ANY)).collect::<Vec<Type>>()
    };
    let mut terms = Terms::new();
    let applied = run.applied(node);
    let mut builder = Builder::new(run, &mut terms, limits).within(&applied, node).given().by_type();
    let arguments = builder.all(&values(Shown::Argument)).into_iter().zip(of(Shown::Argument));
    let arguments: Vec<Argument> = arguments
        .map(|(value, of)| Argument { name: None, value: types.write(&mut terms, value, of) })
        .collect();
    let mut builder = Builder::new(run, &mut terms, limits).within(&applied, node).by_type();
    let outcome = match run.came_to(node) {
        CameTo::Value(reference) => Outcome::Value(builder.one(reference)),
        CameTo::Exception(exception) => Outcome::Exception(builder.exception(exception)),
        // What came of it is not in the trail.
        CameTo::Unfinished if run.trail.end() == Some(&RunEnd::Unrecorded) => {
            Outcome::Value(terms.omitted(0))
        }
        CameTo::Unfinished => Outcome::Unfinished,
        CameTo::Action(action) => {
            let (result, until) = match run.result(action) {
                Some((result, until)) => (builder.one(result), until),
                None => (builder.terms.unevaluated(), u64::MAX),
            };
            Outcome::Value(action_term(&mut terms, result, printed(until)))
        }
    };
    let outcome = match outcome {
        Outcome::Value(value) => Outcome::Value(types.write(&mut terms, value, result)),
        Outcome::Exception(value) => Outcome::Exception(types.write(&mut terms, value, Type::ANY)),
        other => other,
    };
    let mut builder = Builder::new(run, &mut terms, limits).within(&applied, node).given().by_type();
    let scope = builder.all(&values(Shown::Scope)).into_iter().zip(of(Shown::Scope));
    let scope: Vec<TermId> = scope.map(|(value, of)| types.write(&mut terms, value, of)).collect();
    let names = parameters.iter().filter(|parameter| parameter.shown == Shown::Scope);
    let before =
        names.zip(scope).map(|(parameter, value)| Binding { name: parameter.name.into(), value }).collect();
    let instances = instances(run, function, &redex, &mut terms);
    let name = match arguments.len() {
        2 => names::called(run.tables(), function),
        _ => names::function(run.tables(), function),
    };
    Some(Equation {
        terms,
        function: name.into(),
        instances,
        inside: false,
        arguments,
        outcome,
        before,
        after: Vec::new(),
    })
}

/// The instances that a function is used at, by its dictionaries; none if nothing is known of them.
fn instances(run: Run<'_>, function: u32, values: &[Ref], terms: &mut Terms) -> Vec<TermId> {
    let Some(known) = run.tables().functions.get(function as usize) else { return Vec::new() };
    let dictionaries = known.parameters.iter().zip(values).filter(|((_, role), _)| *role == Role::Dictionary);
    let dictionaries: Vec<Ref> = dictionaries.map(|(_, value)| *value).collect();
    if dictionaries.iter().all(|dictionary| *dictionary == Ref::Unknown) {
        return Vec::new();
    }
    dictionaries.into_iter().map(|dictionary| instance(run, dictionary, terms, 0)).collect()
}

/// Instances need others only a few levels deep.
const NESTED: u32 = 20;

fn instance(run: Run<'_>, dictionary: Ref, terms: &mut Terms, depth: u32) -> TermId {
    let (function, needs) = match dictionary {
        Ref::Function(function) => (function, Vec::new()),
        Ref::Node(node) if depth < NESTED => match run.trail.shape(node).what {
            What::Call(function) => (function, run.references(node)),
            _ => return terms.omitted(0),
        },
        _ => return terms.omitted(0),
    };
    let tables = run.tables();
    let Some(known) = tables.functions.get(function as usize) else { return terms.omitted(0) };
    let needs: Vec<TermId> = needs.into_iter().map(|need| instance(run, need, terms, depth + 1)).collect();
    let module = tables.modules.get(known.module as usize).map_or("", |module| module.name.as_str());
    terms.con(&format!("{module}.{}", known.name), &needs)
}

/// `IO () printing "hi\n"`.
fn action_term(terms: &mut Terms, result: TermId, printed: Printed) -> TermId {
    let mut parts = vec![result];
    match printed {
        (Some(bytes), 0) if bytes.is_empty() => {}
        (Some(bytes), more) => {
            parts.push(terms.opaque("printing"));
            parts.push(terms.str(&String::from_utf8_lossy(&bytes), more));
        }
        (None, count) => parts.push(terms.opaque(&format!("printing-{count}-bytes"))),
    }
    terms.con("IO", &parts)
}
