//! The equation of a redex (S2 Def. 9).
//!
//! Dictionaries are never shown. Variables that a local function has from the functions around it stand after the
//! equation: `go 3 = 5  where n = 2`. What references and arrays held before and after an action stands there as well: `bump r = IO ()
//! {r: 0 → 1}`.

use super::actions::{Came, PERFORMANCES, Performance};
use super::cells::Cells;
use super::follow::End;
use super::names;
use super::values::{Builder, Limits, Run};
use gadfly_term::{Argument, Binding, Equation, Outcome, Shape as TermShape, TermId, Terms};
use gadfly_trail::Became;
use gadfly_trail::model::{NodeId, Ref, Role, RunEnd, Shape, Tables, What};
use rustc_hash::{FxHashMap, FxHashSet};

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
    let known = function.parameters.iter().skip(from).zip(values);
    let mut parameters: Vec<Parameter<'t>> = known
        .filter_map(|((name, role), value)| {
            let name = name.and_then(|name| tables.names.get(name as usize)).map_or("", String::as_str);
            let shown = match role {
                Role::Ordinary => Shown::Argument,
                Role::Captured if !name.is_empty() => Shown::Scope,
                Role::Captured | Role::Dictionary => return None,
            };
            Some(Parameter { shown, name, value: *value })
        })
        .collect();
    // What is applied to more than its parameters is shown with all of it.
    let rest = values.iter().skip(function.parameters.len().saturating_sub(from));
    parameters.extend(rest.map(|value| Parameter { shown: Shown::Argument, name: "", value: *value }));
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

    /// Whether the run went on when its trail had ended: then more may have been evaluated than the trail says.
    fn goes_on(&self) -> bool {
        self.trail.end() == Some(&RunEnd::Unrecorded)
    }

    /// What is shown where the trail has no value.
    pub(super) fn without_value(&self, terms: &mut Terms) -> TermId {
        if self.goes_on() { terms.omitted(0) } else { terms.unevaluated() }
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
            End::Unevaluated(..)
                if (self.trail.end().is_none() || self.goes_on()) && self.function(end).is_none() =>
            {
                CameTo::Unfinished
            }
            End::Node(action, Shape { what: What::Action, .. }) => CameTo::Action(action),
            _ => CameTo::Value(reference),
        }
    }
}

/// How many steps the finite maps in a redex's equation take, at most `most`; 0 if nobody is asked about it.
pub(super) fn map_steps(run: Run<'_>, node: NodeId, most: u64) -> u64 {
    let Some((function, mut values)) = run.redex(node) else { return 0 };
    if !run.tables().functions.get(function as usize).is_some_and(|known| known.recorded) {
        return 0;
    }
    values.push(Ref::Node(node));
    let mut terms = Terms::new();
    let limits = Limits { maps: most, ..Limits::QUESTION };
    let mut builder = Builder::new(run, &mut terms, limits).within(&run.applied(node), node);
    builder.all(&values);
    builder.map_steps
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
    printed: impl Fn(u64) -> Printed,
) -> Option<Equation> {
    let (function, values) = run.redex(node)?;
    // A constant that is a reference is not called by its own name where it is made.
    let (none, is_own) = (FxHashMap::default(), run.globals_of.get(&function) == Some(&node));
    let run = if is_own { run.without_globals(&none) } else { run };
    let parameters = parameters(run.tables(), function, 0, &values);
    let came_to = run.came_to(node);
    let performances = match came_to {
        CameTo::Action(action) => run.performances(action),
        _ => Vec::new(),
    };
    let moment = performances.first().map_or_else(|| run.moment_of(node), |first| first.began);
    let during = match &performances[..] {
        [only] => Some((only.began, only.ended)),
        _ => None,
    };
    let mut cells = Cells::default();
    cells.take_names(parameters.iter().filter(|one| run.place(one.value).is_none()).map(|one| one.name));
    for parameter in &parameters {
        if let Some(place) = run.place(parameter.value) {
            cells.mention(place, Some(parameter.name));
        }
    }
    for constant in &run.tables().functions[function as usize].constants {
        let of = run.globals_of.get(constant).copied().unwrap_or_default();
        if let Some(place) = run.place(Ref::Node(of)) {
            let name = run.globals.get(&place.node).map(String::as_str);
            cells.mention(place, name);
        }
    }
    let terms = Terms::new();
    let mut telling = Telling { run, node, limits, terms, cells, applied: run.applied(node), during };
    let values = |shown| {
        let of = parameters.iter().filter(move |parameter| parameter.shown == shown);
        of.map(|parameter| parameter.value).collect::<Vec<Ref>>()
    };
    let arguments = telling.all(&values(Shown::Argument), moment, true);
    let arguments: Vec<Argument> =
        arguments.into_iter().map(|value| Argument { name: None, value }).collect();
    // What a captured reference holds is among what all references hold.
    let captured = |one: &&Parameter<'_>| one.shown == Shown::Scope && run.place(one.value).is_none();
    let captured: Vec<&Parameter<'_>> = parameters.iter().filter(captured).collect();
    let scope: Vec<Ref> = captured.iter().map(|parameter| parameter.value).collect();
    let scope = telling.all(&scope, moment, true);
    let scope = captured.iter().zip(scope);
    let scope: Vec<Binding> =
        scope.map(|(parameter, value)| Binding { name: parameter.name.into(), value }).collect();
    let mut said = match came_to {
        CameTo::Value(reference) => telling.value(reference, moment),
        CameTo::Exception(exception) => Said::only(Outcome::Exception(telling.exception(exception, moment))),
        CameTo::Unfinished => Said::only(telling.nothing()),
        CameTo::Action(action) => telling.performed(Some(function), action, &performances, printed),
    };
    // Where something is said of what came afterwards, it is said that these are what they were.
    if !said.after.is_empty() && !said.before.is_empty() {
        said.after.splice(0..0, scope.iter().cloned());
    }
    said.before.splice(0..0, scope);
    let name = match arguments.len() {
        2 => names::called(run.tables(), function),
        _ => names::function(run.tables(), function),
    };
    let Said { before, outcome, after } = said;
    let terms = telling.terms;
    Some(Equation { terms, function: name.into(), inside: false, arguments, outcome, before, after })
}

/// What came of a redex, and what references and arrays held before and after.
struct Said {
    before: Vec<Binding>,
    outcome: Outcome,
    after: Vec<Binding>,
}

impl Said {
    fn only(outcome: Outcome) -> Said {
        Said { before: Vec::new(), outcome, after: Vec::new() }
    }
}

/// An equation in the making.
struct Telling<'r> {
    run: Run<'r>,
    node: NodeId,
    limits: Limits,
    terms: Terms,
    cells: Cells,
    applied: Vec<NodeId>,
    during: Option<(u64, u64)>,
}

/// An equation says of no more performances how they differ.
const DIFFERENT: usize = 6;

impl<'r> Telling<'r> {
    /// Builds something, at a moment.
    fn build<T>(&mut self, moment: u64, given: bool, make: impl FnOnce(&mut Builder<'r, '_>) -> T) -> T {
        let builder = Builder::new(self.run, &mut self.terms, self.limits).within(&self.applied, self.node);
        let builder = builder.at(moment).during(self.during);
        let mut builder = builder.with(std::mem::take(&mut self.cells));
        if given {
            builder = builder.given();
        }
        let made = make(&mut builder);
        self.cells = builder.cells;
        made
    }

    fn all(&mut self, values: &[Ref], moment: u64, given: bool) -> Vec<TermId> {
        self.build(moment, given, |builder| builder.all(values))
    }

    /// What came of something of which the trail does not say it: it never ended, or the end of the run is not in the trail.
    fn nothing(&mut self) -> Outcome {
        match self.run.goes_on() {
            true => Outcome::Value(self.terms.omitted(0)),
            false => Outcome::Unfinished,
        }
    }

    fn exception(&mut self, exception: Ref, moment: u64) -> TermId {
        self.build(moment, false, |builder| builder.exception(exception))
    }

    /// What a redex became that is no action; references that it made are shown with what they held then.
    fn value(&mut self, value: Ref, moment: u64) -> Said {
        let began = moment;
        let moment = match self.run.end(value) {
            End::Node(node, _) => moment.max(self.run.moment_of(node)),
            _ => moment,
        };
        let result = self.build(moment, false, |builder| builder.one(value));
        let made = self.plain_names(result);
        let is_made = |cell: &usize| {
            !self.run.was_there(self.cells.place(*cell).node, began) && made.contains(self.cells.name(*cell))
        };
        let made: Vec<usize> = self.cells.mentioned().iter().copied().filter(is_made).collect();
        self.cells.begin(&made);
        let after = self.held(moment, (moment, moment), None);
        Said { before: Vec::new(), outcome: Outcome::Value(result), after }
    }

    /// The names in a value that do not stand in a function or an action: what a function was given later is not of its making.
    fn plain_names(&self, value: TermId) -> FxHashSet<String> {
        let (mut names, mut work) = (FxHashSet::default(), vec![value]);
        while let Some(term) = work.pop() {
            match self.terms.shape(term) {
                TermShape::Opaque(name) => drop(names.insert(name.to_owned())),
                TermShape::FiniteMap(_) | TermShape::Function(..) => {}
                TermShape::Con(_, [_, more @ ..])
                    if more.iter().any(|one| matches!(self.terms.shape(*one), TermShape::Opaque(_))) => {}
                _ => work.extend(self.terms.children(term)),
            }
        }
        names
    }

    /// What the cells held that are mentioned; those that are mentioned by what these held are among them. `before` is what they held
    /// at the first of two moments.
    fn held(&mut self, moment: u64, between: (u64, u64), before: Option<&[Binding]>) -> Vec<Binding> {
        let mut bindings: Vec<Binding> = Vec::new();
        while let Some(&cell) = self.cells.mentioned().get(bindings.len()) {
            let place = self.cells.place(cell);
            let known =
                before.and_then(|before| before.iter().find(|one| *one.name == *self.cells.name(cell)));
            let known = known.map(|binding| binding.value);
            let given = before.is_none();
            let value = self.build(moment, given, |builder| builder.held(place, between, known));
            bindings.push(Binding { name: self.cells.name(cell).into(), value });
        }
        bindings
    }

    /// What an action did and gave each time that it was performed.
    fn performed(
        &mut self,
        function: Option<u32>,
        action: NodeId,
        performances: &[Performance],
        printed: impl Fn(u64) -> Printed,
    ) -> Said {
        let name = self.run.action_name(function, action).to_owned();
        let given = self.cells.mentioned().to_vec();
        let Some(first) = performances.first() else {
            let none = self.run.without_value(&mut self.terms);
            return Said::only(Outcome::Value(action_term(
                &mut self.terms,
                &name,
                &[none],
                printed(u64::MAX),
            )));
        };
        let mut different: Vec<(String, Said)> = Vec::new();
        let mut more = performances.len() >= PERFORMANCES;
        for performance in performances {
            if different.len() > DIFFERENT {
                more = true;
                break;
            }
            self.cells.begin(&given);
            let said = self.performance(performance);
            let text = self.canonical(&said);
            if different.iter().all(|(known, _)| *known != text) {
                different.push((text, said));
            }
        }
        let printed = printed(first.written);
        if different.len() == 1 {
            let Some((_, mut said)) = different.pop() else { return Said::only(Outcome::Unfinished) };
            if let Outcome::Value(result) = said.outcome {
                said.outcome = Outcome::Value(action_term(&mut self.terms, &name, &[result], printed));
            }
            return said;
        }
        self.together(&name, different, more, printed)
    }

    /// One performance.
    fn performance(&mut self, performance: &Performance) -> Said {
        let Performance { began, ended, .. } = *performance;
        for place in self.run.changed((began, ended)) {
            self.cells.mention(place, self.run.globals.get(&place.node).map(String::as_str));
        }
        let mut before = self.held(began, (began, ended), None);
        let outcome = match performance.came_to {
            Came::Value(value) => Outcome::Value(self.build(ended, false, |builder| builder.one(value))),
            Came::Exception(exception) => Outcome::Exception(self.exception(exception, ended)),
            Came::Nothing => self.nothing(),
        };
        let after = self.held(ended, (began, ended), Some(&before));
        // What the result mentions first may have been there before.
        let later = self.cells.mentioned().get(before.len()..).unwrap_or_default();
        let there =
            later.iter().copied().filter(|cell| self.run.was_there(self.cells.place(*cell).node, began));
        for cell in there.collect::<Vec<usize>>() {
            let name = self.cells.name(cell).into();
            let unchanged = after.iter().find(|binding| binding.name == name).map(|binding| binding.value);
            before.extend(unchanged.map(|value| Binding { name, value }));
        }
        Said { before, outcome, after }
    }

    /// Several performances that differ: what the variables are called after the first has the number of the performance.
    fn together(&mut self, name: &str, different: Vec<(String, Said)>, more: bool, printed: Printed) -> Said {
        let (mut before, mut after, mut results) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (_, said)) in (1..).zip(different) {
            if number > 1 {
                results.push(self.terms.opaque("then"));
            }
            results.push(match said.outcome {
                Outcome::Value(result) => result,
                Outcome::Exception(exception) => self.terms.con("⊥", &[exception]),
                Outcome::Nothing | Outcome::Unfinished => self.terms.opaque("⊥"),
            });
            for (bindings, all) in [(said.before, &mut before), (said.after, &mut after)] {
                all.extend(bindings.into_iter().map(|binding| Binding {
                    name: Binding::name_of_round(&binding.name, number).into(),
                    ..binding
                }));
            }
        }
        if more {
            results.push(self.terms.omitted(0));
        }
        Said { before, outcome: Outcome::Value(action_term(&mut self.terms, name, &results, printed)), after }
    }

    /// A text that two of them share exactly when they say the same.
    fn canonical(&self, said: &Said) -> String {
        let mut text = String::new();
        match said.outcome {
            Outcome::Value(value) | Outcome::Exception(value) => self.terms.canonical(value, &mut text),
            Outcome::Nothing | Outcome::Unfinished => text.push('-'),
        }
        text.push(if matches!(said.outcome, Outcome::Exception(_)) { '!' } else { '=' });
        for bindings in [&said.before, &said.after] {
            text.push('|');
            for binding in bindings {
                text.push_str(&binding.name);
                text.push(' ');
                self.terms.canonical(binding.value, &mut text);
            }
        }
        text
    }
}

/// `IO () printing "hi\n"`.
fn action_term(terms: &mut Terms, name: &str, results: &[TermId], printed: Printed) -> TermId {
    let mut parts = results.to_vec();
    match printed {
        (Some(bytes), 0) if bytes.is_empty() => {}
        (Some(bytes), more) => {
            parts.push(terms.opaque("printing"));
            parts.push(terms.str(&String::from_utf8_lossy(&bytes), more));
        }
        (None, count) => parts.push(terms.opaque(&format!("printing-{count}-bytes"))),
    }
    terms.con(name, &parts)
}
