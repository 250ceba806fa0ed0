//! Writes what happens as a trail: the tables of the program first, then a row for every call and what became of it.
//!
//! With its inside, a call has a row for every piece of it that ran, with all variables before, and a row for every
//! variable that it changed.

use crate::interpret::{Fault, Flow, Observer, Variables};
use crate::syntax::{Code, PieceKind};
use gadfly_source::{NamePattern, Span};
use gadfly_trail::model::{
    Constructor, Evaluation, File, Form, Function, Module, NodeId, Origin, Piece, Position, RawRef, Ref,
    Role, Rule, RunEnd, Shape, ShapeId, Style, Tables, What,
};
use gadfly_trail::stream::Stream;
use gadfly_trail::text;
use std::collections::HashMap;
use std::io::{self, Write};

/// What the program may do wrong: exceptions, and values of the trail as constructors without fields.
pub(crate) const FAULTS: [(Fault, &str); 4] = [
    (Fault::DivisionByZero, "DivisionByZero"),
    (Fault::Overflow, "Overflow"),
    (Fault::TooDeep, "TooDeep"),
    (Fault::NoValue, "NoValue"),
];
/// The constructors behind these: in place of a variable's value, and what a function is left with.
const MISSING: u32 = FAULTS.len() as u32;
const RETURN: u32 = MISSING + 1;

/// What the trail says of the program; calls of trusted functions are not shown as nodes of the tree.
pub(crate) fn tables(code: &Code, language: &str, command: &str, trusted: &[NamePattern]) -> Tables {
    let mut tables = Tables {
        language: language.to_owned(),
        command: command.to_owned(),
        // Arguments are evaluated before the call, and calls are written `f(1, 2)`.
        evaluation: Evaluation::Strict,
        style: Style::Called,
        ..Tables::default()
    };
    for (_, file) in code.sources.iter() {
        let (path, text) = (file.name().to_owned(), file.text().unwrap_or_default().to_owned());
        tables.files.push(File { path, text });
    }
    tables.modules.push(Module { name: String::new(), library: false, file: Some(0) });
    let constructor = |name: &str, arity, form| Constructor {
        name: name.to_owned(),
        of: String::new(),
        arity,
        dictionaries: 0,
        fields: Vec::new(),
        infix: None,
        form,
    };
    tables.constructors.extend(FAULTS.map(|(_, name)| constructor(name, 0, Form::Plain)));
    tables.constructors.push(constructor("missing", 0, Form::Missing));
    tables.constructors.push(constructor("return", 1, Form::Plain));
    for function in &code.functions {
        let piece = Some(piece(function.span));
        let parameters = parameters(&mut tables.names, &function.variables[..function.arity]);
        let rules = piece.map(|piece| Rule { piece, alternatives: Vec::new() });
        tables.functions.push(Function {
            name: function.name.clone(),
            module: 0,
            parent: None,
            piece,
            parameters,
            origin: Origin::TopLevel,
            rules: rules.into_iter().collect(),
            recorded: !trusted.iter().any(|pattern| pattern.matches(None, &function.name)),
            infix: None,
            constants: Vec::new(),
        });
    }
    // Behind the functions come the pieces of the first, then those of the second, and so on.
    for (number, function) in (0..).zip(&code.functions) {
        for inner in &function.pieces {
            let parameters = parameters(&mut tables.names, &function.variables);
            tables.functions.push(Function {
                name: code.text(inner.own).lines().next().unwrap_or_default().to_owned(),
                module: 0,
                parent: Some(number),
                piece: Some(piece(inner.span)),
                parameters,
                origin: match inner.kind {
                    PieceKind::Statement => Origin::Statement,
                    PieceKind::Loop => Origin::Loop,
                    PieceKind::Round => Origin::Round,
                },
                rules: vec![Rule { piece: piece(inner.own), alternatives: Vec::new() }],
                recorded: false,
                infix: None,
                constants: Vec::new(),
            });
        }
    }
    tables
}

fn piece(span: Span) -> Piece {
    Piece { file: span.file.0, start: span.start, end: span.end }
}

/// Names as parameters; those that are new are added to the table.
fn parameters(names: &mut Vec<String>, wanted: &[String]) -> Vec<(Option<u32>, Role)> {
    let mut number = |name: &String| {
        let known = names.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            names.push(name.clone());
            names.len() - 1
        });
        (Some(number as u32), Role::Ordinary)
    };
    wanted.iter().map(&mut number).collect()
}

/// Hears what happens, and writes rows.
pub(crate) struct Recorder<'c> {
    code: &'c Code,
    tables: &'c Tables,
    stream: Stream,
    /// Of calls within so many others, the inside is recorded.
    detail: usize,
    /// Where the program's output goes.
    out: Box<dyn Write>,
    written: u64,
    shapes: HashMap<(What, u32), ShapeId>,
    /// The calls that have not ended.
    calls: Vec<(usize, NodeId)>,
    /// The pieces that have not ended, and the variables when they began.
    open: Vec<(NodeId, Variables)>,
}

impl<'c> Recorder<'c> {
    pub(crate) fn new(
        code: &'c Code,
        tables: &'c Tables,
        stream: Stream,
        detail: usize,
        out: Box<dyn Write>,
    ) -> Recorder<'c> {
        let (shapes, calls, open) = (HashMap::new(), Vec::new(), Vec::new());
        Recorder { code, tables, stream, detail, out, written: 0, shapes, calls, open }
    }

    /// The run is over.
    pub(crate) fn finish(mut self, end: &RunEnd) {
        self.stream.end(end);
    }

    fn shape(&mut self, what: What, count: usize) -> ShapeId {
        let count = count as u32;
        let new = || self.stream.define(Shape { what, position: Position::NONE, count, tail: false });
        *self.shapes.entry((what, count)).or_insert_with(new)
    }

    /// A row that is a node.
    fn node(&mut self, what: What, parent: NodeId, references: &[RawRef]) -> NodeId {
        let shape = self.shape(what, references.len());
        self.stream.node(shape, parent, references)
    }

    /// A row that tells something of a node.
    fn tell(&mut self, what: What, node: NodeId, references: &[RawRef]) {
        let shape = self.shape(what, references.len());
        self.stream.tell(shape, node, references);
    }

    /// What a node ended with instead of a value.
    fn fault(&mut self, node: NodeId, fault: Fault) {
        match (0..).zip(FAULTS).find(|(_, (known, _))| *known == fault) {
            Some((number, _)) => self.tell(What::Raised, node, &[RawRef::of(Ref::Constructor(number))]),
            None => self.tell(What::Unfinished, node, &[]),
        }
    }

    /// The call that is running.
    fn caller(&self) -> NodeId {
        self.calls.last().map_or(NodeId::NONE, |(_, node)| *node)
    }
}

fn value(value: Option<i64>) -> RawRef {
    value.map_or(RawRef::of(Ref::Constructor(MISSING)), RawRef::int)
}

impl Observer for Recorder<'_> {
    fn call(&mut self, function: usize, arguments: &[i64]) {
        let arguments: Vec<RawRef> = arguments.iter().map(|argument| RawRef::int(*argument)).collect();
        let node = self.node(What::Call(function as u32), self.caller(), &arguments);
        self.calls.push((function, node));
    }

    fn called(&mut self, result: Result<i64, Fault>) {
        let Some((_, node)) = self.calls.pop() else { return };
        match result {
            Ok(result) => self.tell(What::Became, node, &[RawRef::int(result)]),
            Err(fault) => self.fault(node, fault),
        }
    }

    fn begin(&mut self, piece: usize, variables: &Variables) {
        let Some((function, call)) = self.calls.last().copied() else { return };
        if self.calls.len() > self.detail {
            return;
        }
        let functions = &self.code.functions;
        let before: usize = functions[..function].iter().map(|function| function.pieces.len()).sum();
        let what = What::Call((functions.len() + before + piece) as u32);
        // A piece stands in the piece that began last, unless that one belongs to a call further up.
        let above = self.open.last().map_or(call, |(node, _)| (*node).max(call));
        let references: Vec<RawRef> = variables.iter().map(|variable| value(*variable)).collect();
        let node = self.node(what, above, &references);
        self.open.push((node, variables.clone()));
    }

    fn end(&mut self, variables: &Variables, how: Result<Flow, Fault>) {
        if self.calls.len() > self.detail {
            return;
        }
        let (Some((node, before)), Some((function, _))) = (self.open.pop(), self.calls.last().copied())
        else {
            return;
        };
        let names = &self.tables.names;
        for (at, (old, new)) in before.into_iter().zip(variables).enumerate() {
            let name = &self.code.functions[function].variables[at];
            if let (true, Some(name)) = (old != *new, names.iter().position(|known| known == name)) {
                let which = RawRef::int(-1 - name as i64);
                self.tell(What::Changed, node, &[which, value(old), value(*new)]);
            }
        }
        match how {
            Ok(Flow::On) => self.tell(What::Became, node, &[RawRef::UNKNOWN]),
            Ok(Flow::Return(result)) => {
                let result = self.node(What::Construct(RETURN), node, &[RawRef::int(result)]);
                self.tell(What::Became, node, &[RawRef::node(result)]);
            }
            Err(fault) => self.fault(node, fault),
        }
    }

    fn print(&mut self, line: &str) -> io::Result<()> {
        let node = self.open.last().map_or(self.caller(), |(node, _)| (*node).max(self.caller()));
        let length = line.len() as u64;
        let mut references = vec![RawRef::int(self.written as i64), RawRef::int(length as i64)];
        references.extend(text::pack(line.as_bytes()));
        self.tell(What::Wrote, node, &references);
        self.written += length;
        self.out.write_all(line.as_bytes())?;
        self.out.flush()
    }
}
