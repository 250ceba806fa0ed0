//! Most evaluated forms as terms (S2 Def. 7 and 8).
//!
//! A value is a graph: parts are shared, lists are long, and a structure may contain itself. What is built of it is a tree of
//! a bounded number of cells; where the bound is reached, or a structure would begin again, `…` stands. If a value is too
//! big, it is built a second time with every part but the last getting at most half of what is left, so that something is
//! seen of all of them. The work to be done is a stack here, not that of native calls.

use super::View;
use super::actions::{Actions, Came, Performance};
use super::cells::Cells;
use super::equation::{Shown, parameters};
use super::follow::{End, Ends};
use super::maps::Maps;
use super::{names, numbers};
use gadfly_term::{Classes, Shape as TermShape, TermId, Terms};
use gadfly_trail::Trail;
use gadfly_trail::model::{Form, NodeId, Ref, Shape, Tables, What};
use rustc_hash::FxHashMap;

/// A run, for those who read values from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'r> {
    pub(super) trail: &'r Trail,
    pub(super) ends: &'r Ends,
    pub(super) maps: &'r Maps,
    pub(super) actions: &'r Actions,
    /// References and arrays that are constants of the program, with their names.
    pub(super) globals: &'r FxHashMap<NodeId, String>,
    pub(super) view: View,
    /// The nodes of the program's constants, by function.
    pub(super) globals_of: &'r FxHashMap<u32, NodeId>,
}

impl<'r> Run<'r> {
    /// The same, where no constant is known to be a reference.
    pub(super) fn without_globals<'s>(self, none: &'s FxHashMap<NodeId, String>) -> Run<'s>
    where
        'r: 's,
    {
        Run { globals: none, ..self }
    }

    pub(super) fn tables(&self) -> &'r Tables {
        self.trail.tables()
    }

    /// What a reference has become.
    pub(super) fn end(&self, reference: Ref) -> End {
        self.ends.of(self.trail, reference)
    }

    pub(super) fn references(&self, node: NodeId) -> Vec<Ref> {
        let mut references = Vec::new();
        self.trail.references(node, &mut references);
        references
    }

    /// How the values of a constructor are written.
    pub(super) fn form(&self, constructor: u32) -> &'r Form {
        self.tables().constructors.get(constructor as usize).map_or(&Form::Hidden, |known| &known.form)
    }

    /// The fields of a constructor that are shown, if a value is one.
    pub(super) fn construct(&self, end: End) -> Option<(u32, Vec<Ref>)> {
        match end {
            End::Value(Ref::Constructor(constructor)) => Some((constructor, Vec::new())),
            End::Node(node, Shape { what: What::Construct(constructor), .. }) => {
                let mut fields = self.references(node);
                let known = self.tables().constructors.get(constructor as usize)?;
                fields.drain(..(known.dictionaries as usize).min(fields.len()));
                Some((constructor, fields))
            }
            _ => None,
        }
    }

    /// The function and the arguments of a functional value.
    pub(super) fn function(&self, end: End) -> Option<Closure> {
        const STEPS: usize = 1 << 12;
        let mut later: Vec<Vec<Ref>> = Vec::new();
        let mut at = end;
        for _ in 0..STEPS {
            let (function, given) = match at {
                End::Value(Ref::Function(function)) => (function, Vec::new()),
                End::Node(node, Shape { what: What::Partial(function), .. }) => {
                    (function, self.references(node))
                }
                End::Unevaluated(node, Shape { what: What::Apply, .. }) => {
                    let mut references = self.references(node);
                    let applied = if references.is_empty() { Ref::Unknown } else { references.remove(0) };
                    later.push(references);
                    at = self.end(applied);
                    continue;
                }
                _ => return None,
            };
            let node = match end {
                End::Node(node, _) | End::Unevaluated(node, _) => Some(node),
                _ => None,
            };
            let mut arguments = given;
            arguments.extend(later.into_iter().rev().flatten());
            let known = self.tables().functions.get(function as usize)?;
            return (arguments.len() < known.parameters.len()).then_some(Closure {
                function,
                arguments,
                node,
            });
        }
        None
    }
}

/// A functional value: a function with some of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Closure {
    pub(super) function: u32,
    pub(super) arguments: Vec<Ref>,
    /// The node that is applied, if there is one.
    pub(super) node: Option<NodeId>,
}

/// An action inside of a value shows no more results, and no more of what it changed, than this.
const RESULTS: usize = 3;

/// How much may be built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) cells: u64,
    /// What one string may have.
    pub(super) characters: usize,
    /// How deep a function's map may stand in itself.
    pub(super) depth: u32,
    /// How often data that contains itself is built inside of itself.
    pub(super) rounds: u32,
    /// How many steps the finite maps of functions may take: applications that are looked at, and cells in entries.
    pub(super) maps: u64,
}

impl Limits {
    /// Whether everything is shown that can be.
    pub(super) fn is_whole(&self) -> bool {
        self.cells >= Limits::WHOLE.cells
    }

    /// For what is shown as a whole: no screen and no file is meant to hold more.
    pub(super) const WHOLE: Limits =
        Limits { cells: 1 << 20, characters: 1 << 22, depth: 8, rounds: 1 << 10, maps: 1 << 16 };
    /// For the arguments of a question, and for its result.
    pub(super) const QUESTION: Limits =
        Limits { cells: 1 << 13, characters: 1 << 13, depth: 3, rounds: 1, maps: 1 << 13 };
}

/// Builds terms.
pub(super) struct Builder<'r, 't> {
    pub(super) run: Run<'r>,
    pub(super) terms: &'t mut Terms,
    pub(super) limits: Limits,
    /// How many cells may still be built.
    pub(super) left: u64,
    /// Whether parts share what is left by halves.
    halves: bool,
    /// Whether there was not enough.
    pub(super) short: bool,
    /// What is to be done, the next last.
    tasks: Vec<Task>,
    values: Vec<TermId>,
    /// Where the parts of what is open begin among the values.
    open: Vec<usize>,
    /// Whether this is what a function was given, rather than what came of it.
    given: bool,
    /// What is kept for later parts.
    kept: Vec<u64>,
    /// Data whose parts are being built, and how many times.
    inside: FxHashMap<NodeId, u32>,
    /// The references and mutable arrays that are mentioned.
    pub(super) cells: Cells,
    /// When they are looked at.
    pub(super) moment: u64,
    /// When the action of the equation began and ended.
    pub(super) during: Option<(u64, u64)>,
    /// For functions whose maps are being built: the application that is being looked at, and how deep inside that is.
    pub(super) progress: FxHashMap<NodeId, Progress>,
    /// How many maps are open.
    pub(super) maps_open: u32,
    /// How many steps maps have taken.
    pub(super) map_steps: u64,
    classes: Classes,
}

/// An application of a function that is being looked at; how many others of the function it stands in.
pub(super) type Progress = (NodeId, u32);

/// What is to be done.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// Build what a reference has become.
    See(Ref),
    /// This is a value.
    Put(TermId),
    /// From here on the values are parts, of which something is made.
    Open,
    Close(Close),
    /// Keep half of what is left for others, and give it back.
    Keep,
    Return,
    /// The parts of data are built.
    Leave(NodeId),
    /// An application of a function is looked at, or is no longer.
    Progress(NodeId, Option<Progress>),
}

/// What is made of parts.
#[derive(Clone, Debug)]
pub(super) enum Close {
    Con(String),
    Construct(u32),
    Tuple,
    List,
    Function(String),
    /// A function with the variables that it has from the functions around it.
    Scope(String, Vec<String>),
    Entry,
    /// A finite map, and how many entries are not there.
    Map(u64),
}

impl<'r, 't> Builder<'r, 't> {
    pub(super) fn new(run: Run<'r>, terms: &'t mut Terms, limits: Limits) -> Self {
        Builder {
            run,
            terms,
            limits,
            left: limits.cells,
            halves: false,
            short: false,
            tasks: Vec::new(),
            values: Vec::new(),
            open: Vec::new(),
            given: false,
            kept: Vec::new(),
            inside: FxHashMap::default(),
            cells: Cells::default(),
            moment: u64::MAX,
            during: None,
            progress: FxHashMap::default(),
            maps_open: 0,
            map_steps: 0,
            classes: Classes::default(),
        }
    }

    /// What is built is as it was at a moment.
    pub(super) fn at(mut self, moment: u64) -> Self {
        self.moment = moment;
        self
    }

    /// What is built is about something that was done between two moments.
    pub(super) fn during(mut self, during: Option<(u64, u64)>) -> Self {
        self.during = during;
        self
    }

    /// What is built mentions some cells already.
    pub(super) fn with(mut self, cells: Cells) -> Self {
        self.cells = cells;
        self
    }

    /// What is built was given to a function.
    pub(super) fn given(mut self) -> Self {
        self.given = true;
        self
    }

    /// What is built stands in an application of these functions, as in an entry of their maps.
    pub(super) fn within(mut self, applied: &[NodeId], application: NodeId) -> Self {
        self.progress.extend(applied.iter().map(|function| (*function, (application, 1))));
        self
    }

    /// Builds some values, which share the limits.
    pub(super) fn all(&mut self, references: &[Ref]) -> Vec<TermId> {
        let (start, mark, length, steps) = (self.left, self.terms.mark(), self.terms.len(), self.map_steps);
        (self.halves, self.short) = (false, false);
        let built = self.attempt(references);
        if !self.short {
            return built;
        }
        self.terms.forget(mark);
        self.classes.forget(length);
        (self.left, self.map_steps) = (start, steps);
        self.halves = true;
        self.attempt(references)
    }

    /// Builds one value.
    pub(super) fn one(&mut self, reference: Ref) -> TermId {
        self.all(&[reference]).pop().unwrap_or_else(|| self.terms.omitted(0))
    }

    fn attempt(&mut self, references: &[Ref]) -> Vec<TermId> {
        self.parts(references);
        self.work()
    }

    /// Builds a value of groups of tasks.
    pub(super) fn built(&mut self, closes: Vec<Close>, groups: Vec<Vec<Task>>) -> TermId {
        self.halves = false;
        self.compound_of(closes, groups);
        self.work().pop().unwrap_or_else(|| self.terms.omitted(0))
    }

    fn work(&mut self) -> Vec<TermId> {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::See(reference) => self.see(reference),
                Task::Put(term) => self.values.push(term),
                Task::Open => self.open.push(self.values.len()),
                Task::Close(close) => self.close(close),
                Task::Keep => {
                    let half = self.left / 2;
                    self.left -= half;
                    self.kept.push(half);
                }
                Task::Return => self.left += self.kept.pop().unwrap_or(0),
                Task::Leave(node) => self.leave(node),
                Task::Progress(function, Some(progress)) => {
                    self.progress.insert(function, progress);
                }
                Task::Progress(function, None) => {
                    self.progress.remove(&function);
                }
            }
        }
        std::mem::take(&mut self.values)
    }

    /// To do next: these parts, in order.
    fn parts(&mut self, references: &[Ref]) {
        let last = references.len().saturating_sub(1);
        for (index, reference) in references.iter().enumerate().rev() {
            if self.halves && index < last {
                self.tasks.extend([Task::Return, Task::See(*reference), Task::Keep]);
            } else {
                self.tasks.push(Task::See(*reference));
            }
        }
    }

    /// To do next: these parts, and to make something of them.
    pub(super) fn compound(&mut self, close: Close, references: &[Ref]) {
        self.tasks.push(Task::Close(close));
        self.parts(references);
        self.tasks.push(Task::Open);
    }

    /// To do next: groups of tasks, each for a part, and to make something of the parts.
    pub(super) fn compound_of(&mut self, closes: Vec<Close>, groups: Vec<Vec<Task>>) {
        let opens = closes.len();
        self.tasks.extend(closes.into_iter().map(Task::Close));
        let last = groups.len().saturating_sub(1);
        for (index, group) in groups.into_iter().enumerate().rev() {
            let shares = self.halves && index < last;
            self.tasks.extend(shares.then_some(Task::Return));
            self.tasks.extend(group.into_iter().rev());
            self.tasks.extend(shares.then_some(Task::Keep));
        }
        self.tasks.extend(std::iter::repeat_n(Task::Open, opens));
    }

    /// A value is there.
    pub(super) fn put(&mut self, term: TermId) {
        self.values.push(term);
    }

    fn see(&mut self, reference: Ref) {
        if self.left == 0 || self.maps_open > 0 && self.map_steps >= self.limits.maps {
            self.short = true;
            let term = self.terms.omitted(0);
            return self.put(term);
        }
        self.left -= 1;
        self.map_steps += u64::from(self.maps_open > 0);
        let end = self.run.end(reference);
        match end {
            End::Value(value) => self.atom(value),
            End::Node(node, shape) => self.node(node, shape),
            End::Raised(_) => {
                let term = self.terms.opaque("⊥");
                self.put(term);
            }
            // What was cut off while it was needed has no value, as far as the trail shows.
            End::Unfinished if self.given => {
                let term = self.terms.opaque("⊥");
                self.put(term);
            }
            End::Unfinished | End::Unevaluated(..) => match self.run.function(end) {
                Some(closure) => self.function(&closure),
                None => {
                    let term = self.run.without_value(self.terms);
                    self.put(term);
                }
            },
        }
    }

    /// A value without a node.
    fn atom(&mut self, value: Ref) {
        let term = match value {
            Ref::Int(value) => self.terms.number(&value.to_string()),
            Ref::Char(code) => self.terms.char(super::lists::character(code).encode_utf8(&mut [0; 4])),
            Ref::Double(value) => self.terms.number(&numbers::double(value)),
            Ref::Constructor(constructor) => return self.construct(constructor, &[], NodeId::NONE),
            Ref::Text { string, from } => return self.literal(string, from),
            Ref::Function(_) => match self.run.function(End::Value(value)) {
                Some(closure) => return self.function(&closure),
                None => self.terms.omitted(0),
            },
            Ref::Node(_) | Ref::Unknown => self.terms.omitted(0),
        };
        self.put(term);
    }

    /// Data's parts are about to be built; `false` if it stands in itself too often for that.
    fn enter(&mut self, node: NodeId) -> bool {
        let rounds = self.inside.entry(node).or_insert(0);
        let goes_on = *rounds < self.limits.rounds;
        *rounds += u32::from(goes_on);
        goes_on
    }

    fn leave(&mut self, node: NodeId) {
        if let Some(rounds) = self.inside.get_mut(&node) {
            *rounds -= 1;
            if *rounds == 0 {
                self.inside.remove(&node);
            }
        }
    }

    /// A value's node.
    fn node(&mut self, node: NodeId, shape: Shape) {
        let term = match shape.what {
            What::Construct(_) if !self.enter(node) => self.terms.omitted(0),
            What::Construct(_) => match self.run.construct(End::Node(node, shape)) {
                Some((constructor, fields)) if *self.run.form(constructor) == Form::Cons => {
                    self.tasks.push(Task::Leave(node));
                    return self.list(node, &fields);
                }
                Some((constructor, fields)) => {
                    self.tasks.push(Task::Leave(node));
                    if *self.run.form(constructor) == Form::MutableArray
                        && let Some(place) = self.run.place(Ref::Node(node))
                    {
                        return self.cell(place);
                    }
                    return self.construct(constructor, &fields, node);
                }
                None => self.terms.omitted(0),
            },
            What::Partial(_) => match self.run.function(End::Node(node, shape)) {
                Some(closure) => return self.function(&closure),
                None => self.terms.omitted(0),
            },
            What::Integer => match numbers::integer(&self.run.references(node)) {
                Some(Ok(text)) => self.terms.number(&text),
                Some(Err(text)) => self.terms.opaque(&text),
                None => self.terms.omitted(0),
            },
            What::Double => match self.run.references(node)[..] {
                [Ref::Int(low), Ref::Int(high)] => {
                    let value = f64::from_bits((high as u64) << 32 | low as u64 & 0xFFFF_FFFF);
                    self.terms.number(&numbers::double(value))
                }
                _ => self.terms.omitted(0),
            },
            What::Array => {
                let mut elements = self.run.held(node, self.moment);
                let room = self.room();
                if elements.len() > room {
                    elements.truncate(room);
                    elements.push(Ref::Unknown);
                }
                return self.compound(Close::List, &elements);
            }
            What::Action => return self.action(node),
            What::Cell => match self.run.place(Ref::Node(node)) {
                Some(place) => return self.cell(place),
                None => self.terms.omitted(0),
            },
            What::Opaque(kind) => {
                let kind = self.run.tables().names.get(kind as usize);
                self.terms.opaque(&format!("<{}>", kind.map_or("…", String::as_str)))
            }
            // The others are not values: following reductions does not end there.
            _ => self.terms.omitted(0),
        };
        self.put(term);
    }

    /// How many elements of something long there is room for. To ask for more than that is to be short.
    pub(super) fn room(&self) -> usize {
        usize::try_from(self.left).unwrap_or(usize::MAX)
    }

    /// An action: what it gave each time that it was performed, as far as that differs, and what it changed.
    fn action(&mut self, node: NodeId) {
        let mut performances = self.run.performances(node);
        // What it did while the action of the equation was performed, if it was performed then.
        if let Some((after, until)) = self.during {
            let within = |one: &Performance| one.began >= after && one.ended <= until;
            if performances.iter().any(within) {
                performances.retain(within);
            }
        }
        let mut given: Vec<Ref> = Vec::new();
        let mut raised = false;
        for performance in &performances {
            match performance.came_to {
                Came::Value(value) if !given.contains(&value) => given.push(value),
                Came::Exception(_) => raised = true,
                _ => {}
            }
        }
        let mut groups: Vec<Vec<Task>> = Vec::new();
        for value in given.into_iter().take(RESULTS) {
            if !groups.is_empty() {
                groups.push(vec![Task::Put(self.terms.opaque("then"))]);
            }
            groups.push(vec![Task::See(value)]);
        }
        if groups.is_empty() {
            let term = if raised { self.terms.opaque("⊥") } else { self.run.without_value(self.terms) };
            groups.push(vec![Task::Put(term)]);
        }
        let mut changed = Vec::new();
        for performance in &performances {
            let between = (performance.began, performance.ended);
            for place in self.run.changed(between).into_iter().take(RESULTS) {
                let name = self.run.globals.get(&place.node).map(String::as_str);
                let cell = self.cells.mention(place, name);
                if !changed.contains(&cell) {
                    changed.push(cell);
                }
            }
        }
        if !changed.is_empty() {
            groups.push(vec![Task::Put(self.terms.opaque("changing"))]);
            let names = changed.into_iter().map(|cell| self.terms.opaque(self.cells.name(cell)));
            groups.extend(names.map(|name| vec![Task::Put(name)]));
        }
        let name = self.run.action_name(None, node).to_owned();
        self.compound_of(vec![Close::Con(name)], groups);
    }

    /// A constructor with its fields, at a node if it has one.
    fn construct(&mut self, constructor: u32, fields: &[Ref], node: NodeId) {
        match self.run.form(constructor) {
            Form::Hidden => {
                let term = self.terms.omitted(0);
                self.put(term);
            }
            Form::Tuple => self.compound(Close::Tuple, fields),
            Form::Ratio => self.compound(Close::Con("%".into()), fields),
            Form::Wrapper if !fields.is_empty() => self.tasks.push(Task::See(fields[fields.len() - 1])),
            Form::Array if fields.len() == 4 => {
                let moment = self.moment.max(self.run.moment_of(node));
                self.array(fields, moment);
            }
            Form::Tree(tree) => self.tree(*tree, fields),
            Form::EmptyTree => self.compound_of(vec![Close::Con("fromList".into()), Close::List], Vec::new()),
            _ => {
                let known = self.run.tables().constructors.get(constructor as usize);
                if let Some(known) = known.filter(|known| known.fields.len() == fields.len()) {
                    self.name_fields(&known.fields, fields);
                }
                self.compound(Close::Construct(constructor), fields);
            }
        }
    }

    /// A functional value, by the view.
    fn function(&mut self, closure: &Closure) {
        let known = &self.run.tables().functions[closure.function as usize];
        match closure.node {
            Some(node) if self.run.view == View::Fdt && !names::is_constructor(known) => {
                self.map(node, closure)
            }
            _ => self.partial(closure),
        }
    }

    /// A function's name with its arguments.
    fn partial(&mut self, closure: &Closure) {
        let tables = self.run.tables();
        let parameters = parameters(tables, closure.function, 0, &closure.arguments);
        let of = |shown| parameters.iter().filter(move |parameter| parameter.shown == shown);
        let arguments: Vec<Ref> = of(Shown::Argument).map(|parameter| parameter.value).collect();
        let name = names::function(tables, closure.function);
        if arguments.is_empty() && of(Shown::Scope).next().is_some() {
            let variables = of(Shown::Scope).map(|parameter| parameter.name.to_owned()).collect();
            let values: Vec<Ref> = of(Shown::Scope).map(|parameter| parameter.value).collect();
            return self.compound(Close::Scope(name, variables), &values);
        }
        self.compound(Close::Function(name), &arguments);
    }

    /// Makes something of parts.
    fn close(&mut self, close: Close) {
        let start = self.open.pop().unwrap_or(0);
        let parts = &self.values[start..];
        let terms = &mut *self.terms;
        let term = match close {
            Close::Con(name) => terms.con(&name, parts),
            Close::Tuple => terms.tuple(parts),
            Close::List => terms.list(parts),
            Close::Function(name) => terms.function(&name, parts),
            Close::Construct(constructor) => {
                let known = &self.run.trail.tables().constructors[constructor as usize];
                match known.fields.len() == parts.len() && !parts.is_empty() {
                    true => record(terms, &known.name, &known.fields, parts),
                    false => terms.con(&known.name, parts),
                }
            }
            Close::Scope(name, variables) => record(terms, &name, &variables, parts),
            Close::Entry => match parts.split_last() {
                Some((result, arguments)) if !is_nothing(terms, *result) => terms.entry(arguments, *result),
                _ => return self.values.truncate(start),
            },
            Close::Map(more) => {
                self.maps_open = self.maps_open.saturating_sub(1);
                let mut entries = self.classes.distinct(terms, parts);
                if more > 0 {
                    let (rest, result) = (terms.omitted(more), terms.omitted(0));
                    entries.push(terms.entry(&[rest], result));
                }
                terms.finite_map(&entries)
            }
        };
        self.values.truncate(start);
        self.values.push(term);
    }
}

fn record(terms: &mut Terms, name: &str, names: &[String], values: &[TermId]) -> TermId {
    let fields: Vec<TermId> =
        names.iter().zip(values).map(|(name, value)| terms.field(name, *value)).collect();
    terms.record(name, &fields)
}

/// Whether a result says nothing: it was not evaluated, or is a function that was never applied.
fn is_nothing(terms: &Terms, result: TermId) -> bool {
    matches!(terms.shape(result), TermShape::Unevaluated | TermShape::FiniteMap([]))
}
