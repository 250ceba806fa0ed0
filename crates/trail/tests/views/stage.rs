//! A small lazy language whose runs are recorded as the papers define it: a program is a list of equations, and reducing a
//! redex makes the nodes of the right-hand side (S2 Def. 5 and 6). What the views make of such a run can be said from the
//! definitions, and programs can be written where a test needs them, or made by chance.
//!
//! A line is an equation: `f (Leaf n) b = b && g (h n)`. There are numbers, strings, lists, lambda expressions,
//! constructors, the operators in [`OPERATORS`] and the functions in [`BUILTINS`], which are trusted. A function whose name
//! begins with `t_` is trusted too. A line that begins with a blank goes on with the one before.

use gadfly_trail::run::model::*;
use gadfly_trail::run::stream::Stream;
use gadfly_trail::run::write::Memory;
use gadfly_trail::run::{Trail, model};
use std::collections::{HashMap, HashSet};

/// Operators: name, precedence, whether they group to the right.
const OPERATORS: &[(&str, u8, bool)] = &[
    ("&&", 3, true),
    ("==", 4, false),
    (":", 5, true),
    ("+", 6, false),
    ("-", 6, false),
    ("*", 7, false),
    ("`mod`", 7, false),
    ("`div`", 7, false),
];

/// Trusted functions and how many arguments they have. `apply` calls back, `error` raises, `wait` never ends.
const BUILTINS: &[(&str, usize)] = &[
    ("&&", 2),
    ("==", 2),
    ("+", 2),
    ("-", 2),
    ("*", 2),
    ("mod", 2),
    ("div", 2),
    ("seq", 2),
    ("map", 2),
    ("error", 1),
    ("wait", 1),
    ("print", 1),
    ("then", 2),
];

#[derive(Clone, Debug)]
enum Term {
    Variable(String),
    Function(u32),
    Constructor(u32),
    Number(i64),
    Text(u32),
    /// Something applied to something: the expression's number.
    Apply(Box<Term>, Vec<Term>, u32),
    /// A function with variables from around.
    Lambda(u32, Vec<String>, u32),
}

#[derive(Clone, Debug)]
enum Pattern {
    Variable(String),
    Constructor(u32, Vec<Pattern>),
    Number(i64),
}

#[derive(Clone, Debug)]
struct Equation {
    patterns: Vec<Pattern>,
    body: Term,
    /// The expression of the whole right-hand side.
    position: u32,
}

/// A program.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) tables: Tables,
    equations: Vec<Vec<Equation>>,
    functions: HashMap<String, u32>,
    constructors: HashMap<String, u32>,
}

impl Program {
    /// Reads a program.
    pub(crate) fn new(text: &str) -> Program {
        let file = File { path: "Main.hs".into(), text: text.into() };
        let modules = [("Main", false, Some(0)), ("Prelude", true, None)];
        let modules = modules.map(|(name, library, file)| Module { name: name.into(), library, file });
        let tables = Tables {
            language: "haskell".into(),
            command: "Main.hs".into(),
            files: vec![file],
            modules: modules.into(),
            ..Tables::default()
        };
        let (functions, constructors) = (HashMap::new(), HashMap::new());
        let mut program = Program { tables, equations: Vec::new(), functions, constructors };
        for (name, arity) in BUILTINS {
            program.define(name, *arity, Origin::TopLevel, false, 1);
        }
        let mut starts: Vec<usize> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() && !line.starts_with([' ', '-']) {
                starts.push(at);
            }
            at += line.len();
        }
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        let lines: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
        for (start, end) in &lines {
            let mut parser = Parser::new(&mut program, text, *start, *end);
            let (name, patterns) = parser.left();
            let known = program.functions.get(&name).copied();
            known.unwrap_or_else(|| {
                program.define(&name, patterns.len(), Origin::TopLevel, !name.starts_with("t_"), 0)
            });
        }
        for (start, end) in lines {
            program.equation(text, start, end);
        }
        program.tables.expressions.sort_by_key(|expression| expression.position);
        program
    }

    fn equation(&mut self, text: &str, start: usize, end: usize) {
        let end = start + text[start..end].trim_end().len();
        let piece = Piece { file: 0, start: start as u32, end: end as u32 };
        let mut parser = Parser::new(self, text, start, end);
        let (name, patterns) = parser.left();
        parser.word("=");
        let mut variables = Vec::new();
        patterns.iter().for_each(|pattern| pattern.variables(&mut variables));
        let function = self.functions[&name];
        let number = self.equations[function as usize].len() as u32 + 1;
        let at = Parser::after_equals(text, start, end);
        let mut parser = Parser::new(self, text, at, end);
        (parser.function, parser.equation, parser.scope) = (function, number, variables);
        let body = parser.expression(0);
        parser.skip();
        assert_eq!(parser.at, end, "what is this: {}", &text[parser.at..end]);
        let position = body.position().unwrap_or_else(|| {
            let (start, end) = (parser.from(at), end);
            parser.position(start, end)
        });
        let known = &mut self.tables.functions[function as usize];
        known.rules.push(Rule { piece, alternatives: Vec::new() });
        known.piece.get_or_insert(piece).end = end as u32;
        for (at, pattern) in patterns.iter().enumerate() {
            if let Pattern::Variable(name) = pattern
                && known.parameters[at].0.is_none()
            {
                self.tables.names.push(name.clone());
                known.parameters[at].0 = Some(self.tables.names.len() as u32 - 1);
            }
        }
        self.equations[function as usize].push(Equation { patterns, body, position });
    }

    fn define(&mut self, name: &str, arity: usize, origin: Origin, recorded: bool, module: u32) -> u32 {
        let number = self.tables.functions.len() as u32;
        let symbolic = !name.starts_with(|c: char| c.is_alphanumeric() || c == '\\');
        self.tables.functions.push(Function {
            name: name.into(),
            module,
            parent: None,
            piece: None,
            parameters: vec![(None, Role::Ordinary); arity],
            origin,
            rules: Vec::new(),
            recorded,
            infix: symbolic.then_some((6, 1)),
            constants: Vec::new(),
        });
        self.equations.push(Vec::new());
        self.functions.insert(name.into(), number);
        number
    }

    pub(crate) fn constructor(&mut self, name: &str, arity: usize) -> u32 {
        if let Some(number) = self.constructors.get(name) {
            let known = &mut self.tables.constructors[*number as usize];
            known.arity = known.arity.max(arity as u32);
            return *number;
        }
        let number = self.tables.constructors.len() as u32;
        self.tables.constructors.push(model::Constructor {
            name: name.into(),
            of: format!("Main.{name}"),
            arity: arity as u32,
            dictionaries: 0,
            fields: Vec::new(),
            infix: None,
            hidden: false,
        });
        self.constructors.insert(name.into(), number);
        number
    }

    /// A function, to say more of it.
    pub(crate) fn function(&mut self, name: &str) -> &mut Function {
        &mut self.tables.functions[self.functions[name] as usize]
    }

    /// Evaluates `main` with at most so many reductions, and records it.
    pub(crate) fn run(&self, fuel: usize) -> Trail {
        let (stream, memory) = Memory::stream(self.tables.clone());
        let mut machine = Machine {
            program: self,
            stream,
            shapes: HashMap::new(),
            objects: vec![Object::Done(Ref::Unknown)],
            constants: HashMap::new(),
            fuel,
            made: vec![(NodeId::NONE, 0)],
            output: 0,
            trusted: None,
            depth: 0,
        };
        let main = machine.constant(self.functions["main"], NodeId::NONE, 0);
        let end = match machine.whole(main) {
            Ok(()) => RunEnd::Exit(0),
            Err(Stop::Raised(_)) => RunEnd::Uncaught("raised".into(), 1),
            Err(Stop::Fuel) => RunEnd::Interrupted,
        };
        machine.stream.end(&end);
        drop(machine);
        memory.trail()
    }
}

impl Pattern {
    fn variables(&self, into: &mut Vec<String>) {
        match self {
            Pattern::Variable(name) => into.push(name.clone()),
            Pattern::Constructor(_, parts) => parts.iter().for_each(|part| part.variables(into)),
            Pattern::Number(_) => {}
        }
    }
}

impl Term {
    fn position(&self) -> Option<u32> {
        match self {
            Term::Apply(.., position) | Term::Lambda(.., position) => Some(*position),
            _ => None,
        }
    }
}

struct Parser<'p> {
    program: &'p mut Program,
    text: &'p str,
    at: usize,
    end: usize,
    function: u32,
    equation: u32,
    scope: Vec<String>,
}

impl<'p> Parser<'p> {
    fn new(program: &'p mut Program, text: &'p str, at: usize, end: usize) -> Parser<'p> {
        Parser { program, text, at, end, function: 0, equation: 0, scope: Vec::new() }
    }

    fn after_equals(text: &str, start: usize, end: usize) -> usize {
        start + text[start..end].find(" = ").expect("an equation has ` = `") + 3
    }

    fn skip(&mut self) {
        self.at = self.from(self.at);
    }

    fn from(&self, at: usize) -> usize {
        at + self.text[at..self.end].len() - self.text[at..self.end].trim_start().len()
    }

    fn word(&mut self, word: &str) -> bool {
        self.skip();
        let found = self.text[self.at..self.end].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn name(&mut self) -> Option<&'p str> {
        self.skip();
        let rest = &self.text[self.at..self.end];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'').unwrap_or(rest.len());
        if length == 0 || rest.starts_with(|c: char| c.is_numeric()) {
            return None;
        }
        self.at += length;
        Some(&rest[..length])
    }

    fn number(&mut self) -> Option<i64> {
        self.skip();
        let rest = &self.text[self.at..self.end];
        let length = rest.find(|c: char| !c.is_numeric()).unwrap_or(rest.len());
        let number = rest[..length].parse().ok()?;
        self.at += length;
        Some(number)
    }

    /// The name and the patterns before `=`.
    fn left(&mut self) -> (String, Vec<Pattern>) {
        let end = self.end;
        self.end = Parser::after_equals(self.text, self.at, end) - 3;
        let name = self.name().expect("a name").to_owned();
        let mut patterns = Vec::new();
        while let Some(pattern) = self.pattern(false) {
            patterns.push(pattern);
        }
        self.end = end;
        (name, patterns)
    }

    fn pattern(&mut self, open: bool) -> Option<Pattern> {
        if self.word("(") {
            let pattern = self.pattern(true)?;
            let pattern = match self.word(":") {
                true => {
                    let rest = self.pattern(true)?;
                    Pattern::Constructor(self.program.constructor(":", 2), vec![pattern, rest])
                }
                false => pattern,
            };
            assert!(self.word(")"));
            return Some(pattern);
        }
        if self.word("[]") {
            return Some(Pattern::Constructor(self.program.constructor("[]", 0), Vec::new()));
        }
        if let Some(number) = self.number() {
            return Some(Pattern::Number(number));
        }
        let name = self.name()?.to_owned();
        if !name.starts_with(char::is_uppercase) {
            return Some(Pattern::Variable(name));
        }
        let mut parts = Vec::new();
        while let Some(part) = open.then(|| self.pattern(false)).flatten() {
            parts.push(part);
        }
        Some(Pattern::Constructor(self.program.constructor(&name, parts.len()), parts))
    }

    /// An expression whose operators bind more tightly than a precedence.
    fn expression(&mut self, least: u8) -> Term {
        self.skip();
        let start = self.at;
        let mut left = self.application();
        loop {
            self.skip();
            let rest = &self.text[self.at..self.end];
            let found = OPERATORS.iter().find(|(name, ..)| rest.starts_with(name));
            let Some((name, precedence, right)) = found.filter(|(_, precedence, _)| *precedence >= least)
            else {
                return left;
            };
            self.at += name.len();
            let other = self.expression(precedence + u8::from(!right));
            let position = self.position(start, self.at);
            let head = match *name {
                ":" => Term::Constructor(self.program.constructor(":", 2)),
                name => Term::Function(self.program.functions[name.trim_matches('`')]),
            };
            left = Term::Apply(Box::new(head), vec![left, other], position);
        }
    }

    fn application(&mut self) -> Term {
        self.skip();
        let start = self.at;
        let Some(head) = self.atom() else { panic!("no expression: {}", &self.text[self.at..self.end]) };
        let mut arguments = Vec::new();
        let mut end = self.at;
        while let Some(argument) = self.atom() {
            arguments.push(argument);
            end = self.at;
        }
        if arguments.is_empty() {
            return head;
        }
        let position = self.position(start, end);
        if let Term::Constructor(constructor) = head {
            let name = self.program.tables.constructors[constructor as usize].name.clone();
            self.program.constructor(&name, arguments.len());
        }
        Term::Apply(Box::new(head), arguments, position)
    }

    fn atom(&mut self) -> Option<Term> {
        self.skip();
        let start = self.at;
        if self.word("\\") {
            return Some(self.lambda(start));
        }
        let operator =
            OPERATORS.iter().find(|(name, ..)| self.text[start..self.end].starts_with(&format!("({name})")));
        if let Some((name, ..)) = operator {
            self.at += name.len() + 2;
            return Some(Term::Function(self.program.functions[*name]));
        }
        if self.word("(") {
            let inside = self.expression(0);
            assert!(self.word(")"), "no `)` here: {}", &self.text[self.at..self.end]);
            return Some(inside);
        }
        if self.word("[]") {
            return Some(Term::Constructor(self.program.constructor("[]", 0)));
        }
        if self.word("[") {
            return Some(self.list(start));
        }
        if self.word("\"") {
            let length = self.text[self.at..self.end].find('"').expect("a quote");
            let text = self.text[self.at..self.at + length].chars().map(u32::from).collect();
            self.at += length + 1;
            self.program.tables.strings.push(text);
            return Some(Term::Text(self.program.tables.strings.len() as u32 - 1));
        }
        if let Some(number) = self.number() {
            return Some(Term::Number(number));
        }
        let name = self.name()?.to_owned();
        Some(if name.starts_with(char::is_uppercase) {
            Term::Constructor(self.program.constructor(&name, 0))
        } else if self.scope.contains(&name) {
            Term::Variable(name)
        } else {
            Term::Function(*self.program.functions.get(&name).unwrap_or_else(|| panic!("unknown: {name}")))
        })
    }

    fn list(&mut self, start: usize) -> Term {
        let mut elements = vec![self.expression(0)];
        while self.word(",") {
            elements.push(self.expression(0));
        }
        assert!(self.word("]"));
        let (cons, nil) = (self.program.constructor(":", 2), self.program.constructor("[]", 0));
        let end = self.at;
        elements.into_iter().rev().fold(Term::Constructor(nil), |rest, element| {
            let position = self.position(start, end);
            Term::Apply(Box::new(Term::Constructor(cons)), vec![element, rest], position)
        })
    }

    fn lambda(&mut self, start: usize) -> Term {
        let mut names = Vec::new();
        while !self.word("->") {
            names.push(self.name().expect("a variable").to_owned());
        }
        let outer = (self.function, self.equation, self.scope.clone());
        let captured: Vec<String> = outer.2.iter().filter(|name| !names.contains(name)).cloned().collect();
        let all: Vec<String> = captured.iter().chain(&names).cloned().collect();
        let lambda = self.program.define(&format!("\\{start}"), all.len(), Origin::Lambda, true, 0);
        (self.function, self.equation, self.scope) = (lambda, 1, all.clone());
        let body = self.expression(0);
        let position = body.position().unwrap_or_else(|| self.position(start, self.at));
        let piece = Piece { file: 0, start: start as u32, end: self.at as u32 };
        for (at, name) in all.iter().enumerate() {
            self.program.tables.names.push(name.clone());
            let name = Some(self.program.tables.names.len() as u32 - 1);
            let role = if at < captured.len() { Role::Captured } else { Role::Ordinary };
            self.program.tables.functions[lambda as usize].parameters[at] = (name, role);
        }
        let function = &mut self.program.tables.functions[lambda as usize];
        function.piece = Some(piece);
        function.rules.push(Rule { piece, alternatives: Vec::new() });
        function.parent = Some(outer.0);
        let patterns = all.into_iter().map(Pattern::Variable).collect();
        self.program.equations[lambda as usize].push(Equation { patterns, body, position });
        (self.function, self.equation, self.scope) = outer;
        let position = self.position(start, self.at);
        Term::Lambda(lambda, captured, position)
    }

    /// A new expression. Ranks are by beginning, the longer one first.
    fn position(&mut self, start: usize, end: usize) -> u32 {
        let all = &mut self.program.tables.expressions;
        let position = all.len() as u32 + 1;
        all.push(Expression {
            position: Position(position),
            function: self.function,
            within: None,
            place: Vec::new(),
            piece: Some(Piece { file: 0, start: start as u32, end: end as u32 }),
            kind: ExpressionKind::Other,
            rule: (self.equation, 0),
            rank: (start * 1000 + 999 - (end - start).min(999)) as u32,
        });
        position
    }
}

/// What a node of the trail is while the program runs.
#[derive(Clone, Debug)]
enum Object {
    /// A value, or what it became.
    Done(Ref),
    /// A function with some of its arguments.
    Closure(u32, Vec<Ref>),
    Data(u32, Vec<Ref>),
    /// A call of a function, on behalf of a redex (itself, if the function is recorded), from a place of its code.
    Call(u32, Vec<Ref>),
    Trusted(u32, Vec<Ref>, NodeId, u32),
    Apply(Ref, Vec<Ref>),
    Raised(Ref),
}

#[derive(Clone, Debug)]
enum Stop {
    Raised(Ref),
    Fuel,
}

struct Machine<'p> {
    program: &'p Program,
    stream: Stream,
    shapes: HashMap<Shape, ShapeId>,
    objects: Vec<Object>,
    constants: HashMap<u32, Ref>,
    fuel: usize,
    /// By whom and where every node was made.
    made: Vec<(NodeId, u32)>,
    output: i64,
    /// Where the trusted code was called whose nodes are being made.
    trusted: Option<u32>,
    /// How deep evaluation is.
    depth: usize,
}

impl Machine<'_> {
    fn shape(&mut self, what: What, position: u32, count: usize, tail: bool) -> ShapeId {
        let shape = Shape { what, position: Position(position), count: count as u32, tail };
        match self.shapes.get(&shape) {
            Some(id) => *id,
            None => {
                let id = self.stream.define(shape);
                self.shapes.insert(shape, id);
                id
            }
        }
    }

    fn make(
        &mut self,
        what: What,
        object: Object,
        parent: NodeId,
        at: u32,
        tail: bool,
        parts: &[Ref],
    ) -> Ref {
        let at = self.trusted.unwrap_or(at);
        let shape = self.shape(what, at, parts.len(), tail);
        let words: Vec<RawRef> = parts.iter().map(|part| RawRef::of(*part)).collect();
        let node = self.stream.node(shape, parent, &words);
        assert_eq!(node.0 as usize, self.objects.len());
        self.objects.push(object);
        self.made.push((parent, at));
        Ref::Node(node)
    }

    fn tell(&mut self, what: What, node: NodeId, at: u32, parts: &[Ref]) {
        let shape = self.shape(what, at, parts.len(), false);
        let words: Vec<RawRef> = parts.iter().map(|part| RawRef::of(*part)).collect();
        self.stream.tell(shape, node, &words);
    }

    fn constant(&mut self, function: u32, parent: NodeId, at: u32) -> Ref {
        if let Some(known) = self.constants.get(&function) {
            return *known;
        }
        let object = Object::Call(function, Vec::new());
        let made = self.make(What::Constant(function), object, parent, at, false, &[]);
        self.constants.insert(function, made);
        made
    }

    /// Evaluates everything.
    fn whole(&mut self, start: Ref) -> Result<(), Stop> {
        let mut left = vec![start];
        let mut seen = HashSet::new();
        while let Some(at) = left.pop() {
            let value = self.evaluate(at)?;
            if let Ref::Node(node) = value
                && let Object::Data(_, parts) = &self.objects[node.0 as usize]
                && seen.insert(node)
            {
                left.extend(parts.iter().rev());
            }
        }
        Ok(())
    }

    /// Evaluates to a value: something without a node, data, or a function.
    fn evaluate(&mut self, start: Ref) -> Result<Ref, Stop> {
        let Ref::Node(node) = start else { return Ok(start) };
        // What needs itself never ends.
        if self.depth > 1000 {
            return Err(Stop::Fuel);
        }
        self.depth += 1;
        let value = self.evaluate_node(node);
        self.depth -= 1;
        value
    }

    fn evaluate_node(&mut self, node: NodeId) -> Result<Ref, Stop> {
        let start = Ref::Node(node);
        let object = self.objects[node.0 as usize].clone();
        match object {
            Object::Done(Ref::Unknown) => panic!("it needs itself"),
            Object::Done(value) => self.evaluate(value),
            Object::Closure(..) | Object::Data(..) => Ok(start),
            Object::Raised(exception) => Err(Stop::Raised(exception)),
            Object::Call(function, arguments) => self.reduce(node, function, &arguments),
            Object::Trusted(function, arguments, redex, at) => {
                let result = self.builtin(function, &arguments, redex, at);
                self.end(node, at, result)
            }
            Object::Apply(applied, arguments) => self.apply(node, applied, &arguments),
        }
    }

    fn apply(&mut self, node: NodeId, applied: Ref, arguments: &[Ref]) -> Result<Ref, Stop> {
        let value = match self.evaluate(applied) {
            Ok(value) => value,
            Err(stop) => return self.end(node, 0, Err(stop)),
        };
        let (function, mut all) = match value {
            Ref::Node(value) => match &self.objects[value.0 as usize] {
                Object::Closure(function, given) => (*function, given.clone()),
                _ => return self.stuck(node),
            },
            Ref::Function(function) => (function, Vec::new()),
            _ => return self.stuck(node),
        };
        let needed = self.program.tables.functions[function as usize].parameters.len() - all.len();
        if arguments.len() < needed {
            all.extend(arguments);
            self.objects[node.0 as usize] = Object::Closure(function, all);
            return Ok(Ref::Node(node));
        }
        if arguments.len() > needed {
            let (now, later) = arguments.split_at(needed);
            let parts: Vec<Ref> = [&[applied], now].concat();
            let object = Object::Apply(applied, now.to_vec());
            let (parent, at) = self.made[node.0 as usize];
            let first = self.make(What::Apply, object, parent, at, false, &parts);
            let parts: Vec<Ref> = [&[first], later].concat();
            let object = Object::Apply(first, later.to_vec());
            let second = self.make(What::Apply, object, parent, at, false, &parts);
            let value = self.evaluate(second);
            return self.end(node, 0, value.map(|_| second));
        }
        all.extend(arguments);
        self.reduce(node, function, &all)
    }

    /// A redex ends: what it became is told, if the function is recorded or it is more than a value.
    fn end(&mut self, node: NodeId, at: u32, result: Result<Ref, Stop>) -> Result<Ref, Stop> {
        match result {
            Ok(value) => {
                self.tell(What::Became, node, at, &[value]);
                self.objects[node.0 as usize] = Object::Done(value);
                self.evaluate(value)
            }
            Err(Stop::Raised(exception)) => {
                self.tell(What::Raised, node, at, &[exception]);
                self.objects[node.0 as usize] = Object::Raised(exception);
                Err(Stop::Raised(exception))
            }
            Err(Stop::Fuel) => {
                self.tell(What::Unfinished, node, at, &[]);
                Err(Stop::Fuel)
            }
        }
    }

    fn stuck(&mut self, node: NodeId) -> Result<Ref, Stop> {
        self.end(node, 0, Err(Stop::Raised(Ref::Int(-1))))
    }

    /// Reduces a redex to a value.
    fn reduce(&mut self, node: NodeId, function: u32, arguments: &[Ref]) -> Result<Ref, Stop> {
        let known = &self.program.tables.functions[function as usize];
        if known.recorded && known.module == 1 {
            let result = self.builtin(function, arguments, node, 0);
            return self.end(node, 0, result);
        }
        if !known.recorded {
            let (redex, at) = self.made[node.0 as usize];
            let result = self.builtin(function, arguments, redex, at);
            return self.end(node, at, result);
        }
        if self.fuel == 0 {
            return self.end(node, 0, Err(Stop::Fuel));
        }
        self.fuel -= 1;
        let program = self.program;
        for equation in &program.equations[function as usize] {
            let mut bound = HashMap::new();
            let mut fits = true;
            for (pattern, argument) in equation.patterns.iter().zip(arguments) {
                match self.fits(pattern, *argument, &mut bound) {
                    Ok(yes) => fits = yes,
                    Err(stop) => return self.end(node, equation.position, Err(stop)),
                }
                if !fits {
                    break;
                }
            }
            if fits {
                return self.right(node, equation, &bound);
            }
        }
        self.stuck(node)
    }

    fn fits(
        &mut self,
        pattern: &Pattern,
        value: Ref,
        bound: &mut HashMap<String, Ref>,
    ) -> Result<bool, Stop> {
        match pattern {
            Pattern::Variable(name) => {
                bound.insert(name.clone(), value);
                Ok(true)
            }
            Pattern::Number(number) => Ok(self.evaluate(value)? == Ref::Int(*number)),
            Pattern::Constructor(constructor, patterns) => {
                let value = self.evaluate(value)?;
                if value == Ref::Constructor(*constructor) {
                    return Ok(patterns.is_empty());
                }
                let Ref::Node(node) = value else { return Ok(false) };
                let Object::Data(found, parts) = self.objects[node.0 as usize].clone() else {
                    return Ok(false);
                };
                if found != *constructor || parts.len() != patterns.len() {
                    return Ok(false);
                }
                for (pattern, part) in patterns.iter().zip(parts) {
                    if !self.fits(pattern, part, bound)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// The right-hand side: what the redex is reduced to.
    fn right(
        &mut self,
        node: NodeId,
        equation: &Equation,
        bound: &HashMap<String, Ref>,
    ) -> Result<Ref, Stop> {
        let at = equation.position;
        if let Term::Apply(head, arguments, at) = &equation.body
            && let Term::Function(function) = **head
            && !self.program.tables.functions[function as usize].recorded
            && self.program.tables.functions[function as usize].parameters.len() == arguments.len()
        {
            let arguments: Vec<Ref> =
                arguments.iter().map(|part| self.build(part, bound, node, false)).collect();
            let result = self.builtin(function, &arguments, node, *at);
            return self.end(node, *at, result);
        }
        match &equation.body {
            Term::Apply(..) | Term::Lambda(..) => {
                let made = self.build(&equation.body, bound, node, true);
                // Small values have no node that could tell.
                self.objects[node.0 as usize] = Object::Done(made);
                self.evaluate(made)
            }
            other => {
                let made = self.build(other, bound, node, false);
                let value = self.evaluate(made);
                self.end(node, at, value.map(|_| made))
            }
        }
    }

    /// Makes the nodes of a term.
    fn build(&mut self, term: &Term, bound: &HashMap<String, Ref>, parent: NodeId, tail: bool) -> Ref {
        let (head, arguments, at) = match term {
            Term::Variable(name) => return bound[name],
            Term::Number(number) => return Ref::Int(*number),
            Term::Text(string) => return Ref::Text { string: *string, from: 0 },
            Term::Lambda(function, captured, at) => {
                let parts: Vec<Ref> = captured.iter().map(|name| bound[name]).collect();
                let object = Object::Closure(*function, parts.clone());
                return self.make(What::Partial(*function), object, parent, *at, tail, &parts);
            }
            Term::Function(_) | Term::Constructor(_) => (term, &[][..], 0),
            Term::Apply(head, arguments, at) => (&**head, &arguments[..], *at),
        };
        let parts: Vec<Ref> =
            arguments.iter().map(|part| self.build_within(part, bound, parent, at)).collect();
        match head {
            Term::Constructor(constructor) if parts.is_empty() => Ref::Constructor(*constructor),
            Term::Constructor(constructor) => {
                let object = Object::Data(*constructor, parts.clone());
                self.make(What::Construct(*constructor), object, parent, at, tail, &parts)
            }
            Term::Function(function) => {
                let known = &self.program.tables.functions[*function as usize];
                let needed = known.parameters.len();
                if needed == 0 && parts.is_empty() {
                    return self.constant(*function, parent, at);
                }
                if parts.len() < needed {
                    let object = Object::Closure(*function, parts.clone());
                    return self.make(What::Partial(*function), object, parent, at, tail, &parts);
                }
                if known.recorded && parts.len() == needed {
                    let object = Object::Call(*function, parts.clone());
                    return self.make(What::Call(*function), object, parent, at, tail, &parts);
                }
                if parts.len() == needed {
                    let object = Object::Trusted(*function, parts, parent, at);
                    return self.make(What::Suspended, object, parent, at, tail, &[]);
                }
                let applied = match needed {
                    0 => self.constant(*function, parent, at),
                    _ => {
                        let object = Object::Closure(*function, Vec::new());
                        self.make(What::Partial(*function), object, parent, at, false, &[])
                    }
                };
                let all: Vec<Ref> = [&[applied], &parts[..]].concat();
                self.make(What::Apply, Object::Apply(applied, parts), parent, at, tail, &all)
            }
            other => {
                let applied = self.build(other, bound, parent, false);
                let all: Vec<Ref> = [&[applied], &parts[..]].concat();
                self.make(What::Apply, Object::Apply(applied, parts), parent, at, tail, &all)
            }
        }
    }

    /// As [`Machine::build`], for a part: a function that stands alone has the position of what it is a part of.
    fn build_within(&mut self, term: &Term, bound: &HashMap<String, Ref>, parent: NodeId, at: u32) -> Ref {
        match term {
            Term::Function(function)
                if !self.program.tables.functions[*function as usize].parameters.is_empty() =>
            {
                let object = Object::Closure(*function, Vec::new());
                self.make(What::Partial(*function), object, parent, at, false, &[])
            }
            _ => self.build(term, bound, parent, false),
        }
    }

    fn int(&mut self, value: Ref) -> Result<i64, Stop> {
        match self.evaluate(value)? {
            Ref::Int(value) => Ok(value),
            _ => Err(Stop::Raised(Ref::Int(-2))),
        }
    }

    fn boolean(&self, value: bool) -> Ref {
        let name = if value { "True" } else { "False" };
        self.program.constructors.get(name).map_or(Ref::Int(value.into()), |number| Ref::Constructor(*number))
    }

    /// A trusted function, on behalf of a redex, from a place of its code.
    fn builtin(&mut self, function: u32, arguments: &[Ref], redex: NodeId, at: u32) -> Result<Ref, Stop> {
        let program = self.program;
        let name = program.tables.functions[function as usize].name.as_str();
        if program.tables.functions[function as usize].module == 0 {
            // A trusted function of the program: its equations, on behalf of the redex.
            if self.fuel == 0 {
                return Err(Stop::Fuel);
            }
            self.fuel -= 1;
            let equation = &program.equations[function as usize][0];
            let mut bound = HashMap::new();
            for (pattern, argument) in equation.patterns.iter().zip(arguments) {
                if !self.fits(pattern, *argument, &mut bound)? {
                    return Err(Stop::Raised(Ref::Int(-3)));
                }
            }
            self.trusted = Some(at);
            let made = self.build(&equation.body, &bound, redex, false);
            self.trusted = None;
            return self.evaluate(made);
        }
        let numbers = |machine: &mut Self| Ok((machine.int(arguments[0])?, machine.int(arguments[1])?));
        Ok(match name {
            "+" => {
                let (a, b) = numbers(self)?;
                Ref::Int(a.wrapping_add(b) << 8 >> 8)
            }
            "-" => {
                let (a, b) = numbers(self)?;
                Ref::Int(a.wrapping_sub(b) << 8 >> 8)
            }
            "*" => {
                let (a, b) = numbers(self)?;
                Ref::Int(a.wrapping_mul(b) << 8 >> 8)
            }
            "mod" | "div" => {
                let (a, b) = numbers(self)?;
                let result = if name == "mod" { a.checked_rem_euclid(b) } else { a.checked_div_euclid(b) };
                Ref::Int(result.ok_or(Stop::Raised(Ref::Int(-4)))?)
            }
            "==" => {
                let (a, b) = (self.evaluate(arguments[0])?, self.evaluate(arguments[1])?);
                self.boolean(a == b)
            }
            "&&" => {
                let first = self.evaluate(arguments[0])?;
                if first == self.boolean(true) {
                    self.evaluate(arguments[1])?;
                    arguments[1]
                } else {
                    first
                }
            }
            "seq" => {
                self.evaluate(arguments[0])?;
                arguments[1]
            }
            "map" => self.map(arguments[0], arguments[1], redex, at)?,
            "error" => return Err(Stop::Raised(arguments[0])),
            "wait" => return Err(Stop::Fuel),
            "print" => {
                let number = self.int(arguments[0])?;
                let text = format!("{number}\n");
                let action = self.make(What::Action, Object::Done(Ref::Int(0)), redex, 0, false, &[]);
                let Ref::Node(node) = action else { unreachable!() };
                self.objects[node.0 as usize] = Object::Closure(function, Vec::new());
                let mut parts = vec![Ref::Int(self.output), Ref::Int(text.len() as i64)];
                parts.extend(text.as_bytes().chunks(7).map(|chunk| {
                    let mut bytes = [0; 8];
                    bytes[..chunk.len()].copy_from_slice(chunk);
                    Ref::Int(i64::from_le_bytes(bytes))
                }));
                self.output += text.len() as i64;
                self.tell(What::Wrote, redex, at, &parts);
                self.tell(What::Performed, node, at, &[Ref::Int(number)]);
                action
            }
            "then" => {
                self.evaluate(arguments[0])?;
                let second = self.evaluate(arguments[1])?;
                let action =
                    self.make(What::Action, Object::Closure(function, Vec::new()), redex, 0, false, &[]);
                let Ref::Node(node) = action else { unreachable!() };
                self.tell(What::Continued, node, at, &[second]);
                action
            }
            other => panic!("what is {other}"),
        })
    }

    /// Calls back for every element, when the list is asked for.
    fn map(&mut self, function: Ref, list: Ref, redex: NodeId, at: u32) -> Result<Ref, Stop> {
        let (cons, nil) = (self.program.constructors[":"], Ref::Constructor(self.program.constructors["[]"]));
        let mut elements = Vec::new();
        let mut rest = self.evaluate(list)?;
        while let Ref::Node(node) = rest
            && let Object::Data(found, parts) = self.objects[node.0 as usize].clone()
            && found == cons
        {
            elements.push(parts[0]);
            rest = self.evaluate(parts[1])?;
        }
        let mut made = nil;
        let applied: Vec<Ref> = elements
            .iter()
            .map(|element| {
                let object = Object::Apply(function, vec![*element]);
                self.make(What::Apply, object, redex, at, false, &[function, *element])
            })
            .collect();
        for element in applied.into_iter().rev() {
            let parts = [element, made];
            made =
                self.make(What::Construct(cons), Object::Data(cons, parts.to_vec()), redex, 0, false, &parts);
        }
        Ok(made)
    }
}
