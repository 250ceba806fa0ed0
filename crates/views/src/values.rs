//! Most evaluated forms as terms (S2 Def. 7 and 8).
//!
//! A value is a graph: parts are shared, lists are long, and a structure may contain itself. What is built of it is a tree of
//! a bounded number of cells; where the bound is reached, or a structure would begin again, `…` stands. If a value is too
//! big, it is built a second time with every part but the last getting at most half of what is left, so that something is
//! seen of all of them. The work to be done is a stack here, not that of native calls.

use super::View;
use super::actions::Actions;
use super::equation::{Shown, parameters};
use super::follow::{End, Ends};
use super::maps::Maps;
use super::{names, numbers};
use gadfly_term::{Shape as TermShape, TermId, Terms};
use gadfly_trail::Trail;
use gadfly_trail::model::{Form, NodeId, Ref, Shape, Tables, What};
use rustc_hash::{FxHashMap, FxHashSet};

/// A run, for those who read values from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'r> {
    pub(super) trail: &'r Trail,
    pub(super) ends: &'r Ends,
    pub(super) maps: &'r Maps,
    pub(super) actions: &'r Actions,
    pub(super) view: View,
}

impl<'r> Run<'r> {
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
}

impl Limits {
    /// For what is shown as a whole: no screen and no file is meant to hold more.
    pub(super) const WHOLE: Limits =
        Limits { cells: 1 << 20, characters: 1 << 22, depth: 8, rounds: 1 << 10 };
    /// For the arguments of a question, and for its result.
    pub(super) const QUESTION: Limits = Limits { cells: 1 << 13, characters: 1 << 13, depth: 3, rounds: 1 };
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
    /// Whether what is built will be written by its types.
    by_type: bool,
    /// What is kept for later parts.
    kept: Vec<u64>,
    /// Data whose parts are being built, and how many times.
    inside: FxHashMap<NodeId, u32>,
    /// For functions whose maps are being built: the application that is being looked at, and how deep inside that is.
    pub(super) progress: FxHashMap<NodeId, Progress>,
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
            by_type: false,
            kept: Vec::new(),
            inside: FxHashMap::default(),
            progress: FxHashMap::default(),
        }
    }

    /// What is built was given to a function.
    pub(super) fn given(mut self) -> Self {
        self.given = true;
        self
    }

    /// What is built will be written by its types.
    pub(super) fn by_type(mut self) -> Self {
        self.by_type = true;
        self
    }

    /// What is built stands in an application of these functions, as in an entry of their maps.
    pub(super) fn within(mut self, applied: &[NodeId], application: NodeId) -> Self {
        self.progress.extend(applied.iter().map(|function| (*function, (application, 1))));
        self
    }

    /// Builds some values, which share the limits.
    pub(super) fn all(&mut self, references: &[Ref]) -> Vec<TermId> {
        let (start, mark) = (self.left, self.terms.mark());
        (self.halves, self.short) = (false, false);
        let built = self.attempt(references);
        if !self.short {
            return built;
        }
        self.terms.forget(mark);
        self.left = start;
        self.halves = true;
        self.attempt(references)
    }

    /// Builds one value.
    pub(super) fn one(&mut self, reference: Ref) -> TermId {
        self.all(&[reference]).pop().unwrap_or_else(|| self.terms.omitted(0))
    }

    fn attempt(&mut self, references: &[Ref]) -> Vec<TermId> {
        self.parts(references);
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
        if self.left == 0 {
            self.short = true;
            let term = self.terms.omitted(0);
            return self.put(term);
        }
        self.left -= 1;
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
                    let term = self.terms.unevaluated();
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
            Ref::Double(value) => self.double(value),
            Ref::Constructor(constructor) => return self.construct(constructor, &[]),
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
                    return self.construct(constructor, &fields);
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
                    self.double(value)
                }
                _ => self.terms.omitted(0),
            },
            What::Array => {
                let mut elements = self.run.references(node);
                let room = self.room();
                if elements.len() > room {
                    elements.truncate(room);
                    elements.push(Ref::Unknown);
                }
                return self.compound(Close::List, &elements);
            }
            What::Action => {
                let result = match self.run.result(node) {
                    Some((result, _)) => Task::See(result),
                    None => Task::Put(self.terms.unevaluated()),
                };
                return self.compound_of(vec![Close::Con("IO".into())], vec![vec![result]]);
            }
            What::Opaque(kind) => {
                let kind = self.run.tables().names.get(kind as usize);
                self.terms.opaque(&format!("<{}>", kind.map_or("…", String::as_str)))
            }
            // The others are not values: following reductions does not end there.
            _ => self.terms.omitted(0),
        };
        self.put(term);
    }

    /// A floating-point number. Where types are known, they say how it is written.
    fn double(&mut self, value: f64) -> TermId {
        let text = if self.by_type { numbers::double(value) } else { numbers::guessed(value) };
        self.terms.number(&text)
    }

    /// How many elements of something long there is room for. To ask for more than that is to be short.
    pub(super) fn room(&self) -> usize {
        usize::try_from(self.left).unwrap_or(usize::MAX)
    }

    /// A constructor with its fields.
    fn construct(&mut self, constructor: u32, fields: &[Ref]) {
        match self.run.form(constructor) {
            Form::Hidden => {
                let term = self.terms.omitted(0);
                self.put(term);
            }
            Form::Tuple => self.compound(Close::Tuple, fields),
            Form::Ratio => self.compound(Close::Con("%".into()), fields),
            Form::Wrapper if !fields.is_empty() => self.tasks.push(Task::See(fields[fields.len() - 1])),
            Form::Array if fields.len() == 4 => self.array(fields),
            Form::Tree(tree) => self.tree(*tree, fields),
            Form::EmptyTree => self.compound_of(vec![Close::Con("fromList".into()), Close::List], Vec::new()),
            _ => self.compound(Close::Construct(constructor), fields),
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
                let mut entries = distinct(terms, parts);
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

/// The entries that say something different.
fn distinct(terms: &Terms, entries: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut text = String::new();
    let mut is_new = |entry: &TermId| {
        text.clear();
        terms.canonical(*entry, &mut text);
        seen.insert(text.clone())
    };
    entries.iter().copied().filter(|entry| is_new(entry)).collect()
}
