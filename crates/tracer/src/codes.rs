//! What is known of a piece of code: what its calls are made of, and what the trail says of it.
//!
//! The helper in Python describes code when it is met for the first time ([`Described`]); here that becomes functions, names and files of
//! the trail's tables, and the few words that a recorder needs at every call ([`Code`]).

use crate::hook::frames::{Layout, OpenFrame};
use crate::inside::{self, Details, Fragment, FragmentKind, Mutates, Place, Variable};
use crate::object::{Held, Look, Object};
use crate::recorder::Recorder;
use gadfly_trail::model::{
    File, Function, Module, Origin, Piece, Position, Role, Rule, Shape, ShapeId, Tables, What,
};
use pyo3::ffi;
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What the code of a module outside of its functions is called.
const MODULE: &str = "<module>";

/// Code whose calls are recorded.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) shape: ShapeId,
    /// How many of the variables are arguments, which of them are in cells, and where the variables of functions around
    /// begin; the latter two only before 3.11.
    pub(crate) arguments: usize,
    /// Their names.
    pub(crate) names: Vec<Held>,
    pub(crate) cells: Vec<Option<usize>>,
    pub(crate) first_free: usize,
    /// Names of variables of the functions around, in the order of the closure's cells.
    pub(crate) captured: Vec<Captured>,
    /// Names of variables of the module that it may change.
    pub(crate) globals: Vec<Global>,
    pub(crate) resumes: Resumes,
    /// Which argument is the dictionary of those that have names of their own (`**named`), which is the call's alone.
    pub(crate) named: Option<usize>,
    /// Arguments that it puts something else in the place of, or deletes.
    pub(crate) replaced: Vec<bool>,
    /// How many parts of values may be kept for its calls: a call adds a few, so that functions that are called often keep
    /// little of each.
    pub(crate) budget: i32,
    /// Whether there is more to its calls than arguments.
    pub(crate) has_more: bool,
    /// Whether there is not, the arguments are few, and in the frame, and calls do not go on later ([`crate::hook::fast_call`]).
    pub(crate) is_quick: bool,
    /// Its index in [`Recorder::codes`].
    pub(crate) number: u32,
    /// Whether it makes new objects what they are.
    pub(crate) is_init: bool,
    /// On the first call it is seen what the globals are.
    pub(crate) called: bool,
    /// Of code with events in it: its fragments.
    pub(crate) details: Option<Rc<Details>>,
}

impl Code {
    /// An argument of a call that is about to be evaluated, or that has this frame.
    #[inline]
    pub(crate) fn argument<'l>(
        &self,
        look: &'l Look,
        layout: &Layout,
        at: usize,
        frame: OpenFrame,
    ) -> Option<Object<'l>> {
        let object = match layout {
            Layout::Places(places) => frame.at(look, places, at),
            Layout::Objects => frame.variable(look, layout, at, Some(&self.names[at])),
        };
        if object.is_some() {
            return object;
        }
        // Before 3.11, an argument that others capture is in its cell already.
        let cell = self.cells.get(at).copied().flatten()?;
        frame.variable(look, layout, cell, None).and_then(Object::in_cell)
    }

    /// Whether an argument stays in its frame as long as that is there.
    pub(crate) fn stays(&self, at: usize) -> bool {
        self.replaced.get(at).is_some_and(|replaced| !replaced)
    }
}

impl Described {
    /// What the helper answered: nothing for trusted code.
    pub(crate) fn read(answer: &Bound<'_, PyAny>) -> Option<Described> {
        if answer.is_none() {
            return None;
        }
        type Answer = (
            String,
            String,
            String,
            Option<String>,
            u32,
            u32,
            Vec<String>,
            Vec<(String, bool)>,
            Vec<(String, bool)>,
            (u32, Vec<i64>, usize, Vec<bool>),
            Option<(Vec<(String, i64)>, usize, Range, Vec<DescribedFragment>)>,
        );
        let answer: Answer = answer.extract().ok()?;
        let (name, module, file, text, first_line, last_line, parameters, captured, globals, rest, detail) =
            answer;
        let (kind, cells, first_free, replaced) = rest;
        Some(Described {
            told: Told {
                name,
                module,
                file,
                first_line,
                last_line,
                parameters,
                captured,
                globals,
                kind,
                cells,
                first_free,
                replaced,
            },
            text,
            detail: detail.map(|(variables, plain, header, fragments)| DescribedDetail {
                variables,
                plain,
                header,
                fragments,
            }),
        })
    }
}

/// Whether calls of code go on later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resumes {
    No,
    /// A generator: what it yields is its result.
    Yields,
    /// A coroutine: what it returns in the end is.
    Awaits,
}

/// A variable of a function around.
#[derive(Debug)]
pub(crate) struct Captured {
    pub(crate) object: Held,
    pub(crate) name: i64,
    pub(crate) stored: bool,
}

/// A variable of the module.
#[derive(Debug)]
pub(crate) struct Global {
    pub(crate) object: Held,
    pub(crate) name: i64,
    pub(crate) stored: bool,
}

impl Global {
    /// What the variable is now, if it is one.
    #[inline]
    pub(crate) fn find<'l>(&self, globals: Object<'l>) -> Option<Object<'l>> {
        globals.dict().filter(|_| globals.is_a(&raw mut ffi::PyDict_Type))?.get(&self.object)
    }
}

/// What the trail's tables have of the program, by name.
#[derive(Debug, Default)]
pub(crate) struct NameTables {
    files: FxHashMap<String, (u32, Vec<u32>)>,
    modules: FxHashMap<String, u32>,
    names: FxHashMap<String, u32>,
    functions: u32,
    /// Code by what was told of it: a program may compile the same text again and again.
    codes: FxHashMap<Rc<Told>, u32>,
    /// How many bytes may still be used for all of this.
    left: usize,
    /// How much code was not recorded because there were none.
    pub(crate) unrecorded: usize,
}

impl NameTables {
    /// Nothing yet, and room for so many bytes.
    pub(crate) fn new(bytes: usize) -> NameTables {
        NameTables { left: bytes, ..NameTables::default() }
    }
}

/// What the helper in Python tells of code.
#[derive(Debug, Default)]
pub(crate) struct Described {
    pub(crate) told: Told,
    /// The text of its file, if that was not told before.
    pub(crate) text: Option<String>,
    pub(crate) detail: Option<DescribedDetail>,
}

/// What is known of code by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Told {
    pub(crate) name: String,
    pub(crate) module: String,
    pub(crate) file: String,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    pub(crate) parameters: Vec<String>,
    pub(crate) captured: Vec<(String, bool)>,
    pub(crate) globals: Vec<(String, bool)>,
    pub(crate) kind: u32,
    pub(crate) cells: Vec<i64>,
    pub(crate) first_free: usize,
    pub(crate) replaced: Vec<bool>,
}

/// What the helper tells of code with events in it.
#[derive(Debug, Default)]
pub(crate) struct DescribedDetail {
    /// Names and places; those that are not in the frame have none.
    pub(crate) variables: Vec<(String, i64)>,
    /// So many of them are the first ones in the frame, and in no cells.
    pub(crate) plain: usize,
    /// What stands before the first statement.
    pub(crate) header: Range,
    pub(crate) fragments: Vec<DescribedFragment>,
}

/// First line and column, last line and column; columns count bytes from 0.
pub(crate) type Range = (u32, u32, u32, u32);

/// Kind, parent, whole, what of it is no statement inside, name, uses, what it may change in place, what is set before it.
pub(crate) type DescribedFragment = (u32, i64, Range, Vec<Range>, String, Vec<u32>, u32, Vec<u32>);

impl Recorder {
    /// Adds a function to the tables, or what is inside of one.
    pub(crate) fn function(
        &mut self,
        name: &str,
        module: &str,
        piece: Option<Piece>,
        parameters: Vec<(Option<u32>, Role)>,
        inside: Option<(u32, Origin, Vec<Piece>)>,
    ) -> u32 {
        let mut more = Tables::default();
        let next = self.tables.modules.len() as u32;
        let module = *self.tables.modules.entry(module.to_owned()).or_insert_with(|| {
            more.modules.push(Module {
                name: module.to_owned(),
                library: false,
                file: piece.map(|piece| piece.file),
            });
            next
        });
        let recorded = inside.is_none();
        let (parent, origin, own) = match inside {
            Some((parent, origin, own)) => (Some(parent), origin, own),
            None if name == MODULE => (None, Origin::Module, Vec::new()),
            None => (None, Origin::TopLevel, Vec::new()),
        };
        more.functions.push(Function {
            name: name.to_owned(),
            module,
            parent,
            piece,
            parameters,
            origin,
            rules: own.into_iter().map(|piece| Rule { piece, alternatives: Vec::new() }).collect(),
            recorded,
            infix: None,
            constants: Vec::new(),
        });
        self.values.stream.more(more);
        self.tables.functions += 1;
        self.tables.functions - 1
    }

    pub(crate) fn name(&mut self, name: &str) -> u32 {
        if let Some(known) = self.tables.names.get(name) {
            return *known;
        }
        let number = self.tables.names.len() as u32;
        self.values.stream.more(Tables { names: vec![name.to_owned()], ..Tables::default() });
        self.tables.names.insert(name.to_owned(), number);
        number
    }

    /// The piece of a file between two lines.
    fn piece(&mut self, file: &str, text: Option<String>, first: u32, last: u32) -> Option<Piece> {
        if !self.tables.files.contains_key(file) {
            self.add_file(file, text?);
        }
        let (file, starts) = &self.tables.files[file];
        let start = *starts.get(first.max(1) as usize - 1)?;
        let end = starts.get(last as usize).or(starts.last())?.saturating_sub(1);
        (start <= end).then_some(Piece { file: *file, start, end })
    }

    /// A file that the program has, with its text.
    pub(crate) fn add_file(&mut self, file: &str, text: String) {
        if !self.tables.files.contains_key(file) {
            let starts: Vec<u32> = std::iter::once(0)
                .chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1))
                .chain([text.len() as u32 + 1])
                .collect();
            let number = self.tables.files.len() as u32;
            let new = File { path: file.to_owned(), text };
            self.values.stream.more(Tables { files: vec![new], ..Tables::default() });
            self.tables.files.insert(file.to_owned(), (number, starts));
        }
    }

    /// Code that is called for the first time: its number.
    pub(crate) fn register(&mut self, described: Described) -> Option<u32> {
        let Described { told, text, detail } = described;
        if detail.is_none()
            && let Some(known) = self.tables.codes.get(&told)
        {
            return Some(*known);
        }
        // What the tables take for it, about.
        let names = [&told.captured, &told.globals].into_iter().flatten().map(|(name, _)| name.len());
        let names = told.parameters.iter().map(String::len).chain(names).map(|length| 3 * length + 200);
        let of_text = text.as_ref().map_or(0, |text| text.len() / 8);
        let of_names = 3 * (told.name.len() + told.module.len() + told.file.len()) + names.sum::<usize>();
        let bytes = 1000 + of_names + of_text;
        let Some(left) = self.tables.left.checked_sub(bytes) else {
            self.tables.unrecorded += 1;
            return None;
        };
        self.tables.left = left;
        let piece = self.piece(&told.file, text, told.first_line, told.last_line);
        let mut parameters: Vec<(Option<u32>, Role)> = Vec::new();
        for parameter in &told.parameters {
            parameters.push((Some(self.name(parameter)), Role::Ordinary));
        }
        let (mut captured, mut globals) = (Vec::new(), Vec::new());
        for (name, stored) in &told.captured {
            let number = self.name(name);
            parameters.push((Some(number), Role::Captured));
            let object = Held::name(name)?;
            captured.push(Captured { object, name: -1 - i64::from(number), stored: *stored });
        }
        let count = parameters.len() as u32;
        let function = self.function(&told.name, &told.module, piece, parameters, None);
        let shape = Shape { what: What::Call(function), position: Position::NONE, count, tail: false };
        let shape = self.values.stream.define(shape);
        for (name, stored) in &told.globals {
            let number = self.name(name);
            let object = Held::name(name)?;
            globals.push(Global { object, name: -1 - i64::from(number), stored: *stored });
        }
        let is_detailed = detail.is_some();
        let details = match &detail {
            Some(detail) => Some(self.details(detail, &told.file, &told.module, &told.name, function)?),
            None => None,
        };
        let number = self.codes.len() as u32;
        let names = told.parameters.iter().map(|name| Held::name(name.trim_start_matches('*')));
        self.codes.push(Box::new(Code {
            shape,
            arguments: told.parameters.len(),
            names: names.collect::<Option<_>>()?,
            cells: told.cells.iter().map(|cell| usize::try_from(*cell).ok()).collect(),
            first_free: told.first_free,
            named: told.parameters.iter().position(|name| name.starts_with("**")),
            replaced: told.replaced.clone(),
            has_more: true,
            is_quick: false,
            number,
            is_init: told.name.ends_with("__init__"),
            captured,
            globals,
            resumes: match told.kind {
                1 => Resumes::Yields,
                2 => Resumes::Awaits,
                _ => Resumes::No,
            },
            budget: self.budgets.whole,
            called: false,
            details,
        }));
        if !is_detailed {
            self.tables.codes.insert(Rc::new(told), number);
        }
        Some(number)
    }

    /// The fragments of code with events in it.
    fn details(
        &mut self,
        told: &DescribedDetail,
        file: &str,
        module: &str,
        name: &str,
        function: u32,
    ) -> Option<Rc<Details>> {
        let header = self.range(file, told.header);
        self.function(name, module, header, Vec::new(), Some((function, Origin::Header, Vec::new())));
        let mut variables = Vec::new();
        for (name, place) in &told.variables {
            let number = self.name(name);
            let place = match usize::try_from(*place) {
                Ok(slot) => Place::Slot(slot, Held::name(name)?),
                Err(_) => Place::Named(Held::name(name)?),
            };
            variables.push(Variable { name: -1 - i64::from(number), place });
        }
        let mut fragments = Vec::new();
        for (kind, parent, whole, own, name, uses, mutates, set) in &told.fragments {
            let joined = *kind == inside::JOINED;
            let kind = FragmentKind::of(*kind);
            let origin = match kind {
                FragmentKind::Loop => Some(Origin::Loop),
                FragmentKind::Round => Some(Origin::Round),
                FragmentKind::Statement | FragmentKind::Break | FragmentKind::Continue => {
                    Some(Origin::Statement)
                }
                FragmentKind::Ends | FragmentKind::Handles => None,
            };
            let uses: Vec<u32> = uses.iter().copied().filter(|at| (*at as usize) < variables.len()).collect();
            let shape = origin.map(|origin| {
                let named = uses.iter().map(|at| {
                    let name = u32::try_from(-1 - variables[*at as usize].name).ok();
                    (name, Role::Ordinary)
                });
                let parameters = named.collect();
                let own = own.iter().filter_map(|range| self.range(file, *range)).collect();
                let piece = self.range(file, *whole);
                let number = self.function(name, module, piece, parameters, Some((function, origin, own)));
                let count = uses.len() as u32;
                self.values.stream.define(Shape {
                    what: What::Call(number),
                    position: Position::NONE,
                    count,
                    tail: false,
                })
            });
            let parent = usize::try_from(*parent).ok();
            let set = set.iter().map(|at| *at as usize).filter(|at| *at < variables.len()).collect();
            fragments.push(Fragment {
                kind,
                joined,
                set,
                shape,
                parent,
                uses,
                mutates: Mutates::of(*mutates),
            });
        }
        let plain = told.plain.min(variables.len());
        Some(Rc::new(Details { variables, plain, fragments, budget: inside::VALUE_BUDGET.into() }))
    }

    /// A piece of a file between two places.
    fn range(&self, file: &str, (line, column, last, end): Range) -> Option<Piece> {
        let (file, starts) = self.tables.files.get(file)?;
        let start = *starts.get(line.checked_sub(1)? as usize)? + column;
        let end = *starts.get(last.checked_sub(1)? as usize)? + end;
        let most = starts.last()?.saturating_sub(1);
        (start <= end && end <= most).then_some(Piece { file: *file, start, end })
    }
}
