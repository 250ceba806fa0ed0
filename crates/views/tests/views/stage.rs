//! A small lazy language whose runs are recorded as the papers define it: a program is a list of equations, and reducing a
//! redex makes the nodes of the right-hand side (S2 Def. 5 and 6). What the views make of such a run can be said from the
//! definitions, and programs can be written where a test needs them, or made by chance.
//!
//! A line is an equation: `f (Leaf n) b = b && g (h n)`. There are numbers, strings, lists, lambda expressions,
//! constructors, the operators in [`OPERATORS`] and the functions in [`BUILTINS`], which are trusted. A function whose name
//! begins with `t_` is trusted too. A line that begins with a blank goes on with the one before.

mod machine;

use gadfly_trail::model::{self, *};
use std::collections::HashMap;

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
            form: match name {
                ":" => Form::Cons,
                "[]" => Form::Nil,
                _ if name.starts_with("(,") => Form::Tuple,
                _ => Form::Plain,
            },
        });
        self.constructors.insert(name.into(), number);
        number
    }

    /// A function, to say more of it.
    pub(crate) fn function(&mut self, name: &str) -> &mut Function {
        &mut self.tables.functions[self.functions[name] as usize]
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
