//! Prints the tree as S-expressions, for tests and for inspection.
//!
//! Applications are `(f x)`, unresolved chains `(infix a + b)`, resolved ones `(opl a + b)`, `(opr …)` or `(op …)` by
//! their associativity; everything else begins with its keyword. The printer keeps a stack of its own, so the
//! depth of the tree does not matter.

mod decl;

use std::fmt::Write;

use crate::Module;
use crate::names::{Interner, QName};
use crate::tree::{
    Alternative, Associativity, Body, DeclId, Expr, ExprId, FieldValue, Guarded, Item, List, Literal, Name,
    NameId, Pat, PatId, PatItem, Rhs, Stmt, StmtKind, Tree, Type, TypeId, TypeItem, TypeVar,
};

/// A module as S-expressions, one declaration a line.
pub fn dump(module: &Module, interner: &Interner) -> String {
    let mut dumper = Dumper::new(&module.tree, interner);
    if module.has_header {
        let mut jobs = vec![Job::Open("module".into()), dumper.word(module.name.symbol)];
        if let Some(exports) = module.exports {
            jobs.push(Job::Open("export".into()));
            for export in dumper.tree.list(exports) {
                jobs.extend(dumper.export(*export));
            }
            jobs.push(Job::Close);
        }
        jobs.push(Job::Close);
        dumper.run(jobs);
        dumper.line();
    }
    for import in &module.imports {
        let jobs = dumper.import(import);
        dumper.run(jobs);
        dumper.line();
    }
    for decl in module.tree.list(module.decls) {
        dumper.run(vec![Job::Decl(*decl)]);
        dumper.line();
    }
    dumper.out
}

/// One expression as an S-expression.
pub fn dump_expression(tree: &Tree, expression: ExprId, interner: &Interner) -> String {
    let mut dumper = Dumper::new(tree, interner);
    dumper.run(vec![Job::Expr(expression)]);
    dumper.out
}

/// A piece of work for the printer.
enum Job {
    Expr(ExprId),
    Pat(PatId),
    Type(TypeId),
    Decl(DeclId),
    Word(String),
    Open(String),
    Close,
    OpenList,
    CloseList,
}

struct Dumper<'a> {
    tree: &'a Tree,
    interner: &'a Interner,
    out: String,
}

impl<'a> Dumper<'a> {
    fn new(tree: &'a Tree, interner: &'a Interner) -> Self {
        Dumper { tree, interner, out: String::new() }
    }

    fn line(&mut self) {
        self.out.push('\n');
    }

    fn run(&mut self, mut jobs: Vec<Job>) {
        jobs.reverse();
        while let Some(job) = jobs.pop() {
            let mut more = match job {
                Job::Word(word) => {
                    self.put(&word);
                    continue;
                }
                Job::Open(word) => {
                    self.put("(");
                    self.out.push_str(&word);
                    continue;
                }
                Job::OpenList => {
                    self.put("[");
                    continue;
                }
                Job::Close | Job::CloseList => {
                    self.out.push(if matches!(job, Job::Close) { ')' } else { ']' });
                    continue;
                }
                Job::Expr(id) => self.expr(id),
                Job::Pat(id) => self.pat(id),
                Job::Type(id) => self.type_(id),
                Job::Decl(id) => self.decl(id),
            };
            more.reverse();
            jobs.append(&mut more);
        }
    }

    /// Adds text, with a space where one is needed.
    fn put(&mut self, text: &str) {
        if !self.out.is_empty() && !self.out.ends_with(['(', '[', '\n']) {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    fn word(&self, symbol: crate::names::Symbol) -> Job {
        Job::Word(self.interner.text(symbol).to_owned())
    }

    fn qname(&self, name: QName) -> Job {
        Job::Word(name.text(self.interner))
    }

    fn name(&self, name: NameId) -> Job {
        self.qname(self.tree.name(name).name)
    }

    fn names(&self, names: List<Name>) -> Vec<Job> {
        let mut jobs = vec![Job::OpenList];
        jobs.extend(self.tree.list(names).iter().map(|name| self.word(name.symbol)));
        jobs.push(Job::CloseList);
        jobs
    }

    fn literal(&self, literal: Literal) -> Job {
        Job::Word(match literal {
            Literal::Integer(value) => value.to_string(),
            Literal::LargeInteger(text) | Literal::Fractional(text) => self.interner.text(text).to_owned(),
            Literal::Char(code) => format!("'{}'", show(code)),
            Literal::String(codes) => {
                format!("\"{}\"", self.tree.list(codes).iter().map(|&code| show(code)).collect::<String>())
            }
        })
    }

    fn exprs(&self, word: &str, exprs: &[ExprId]) -> Vec<Job> {
        group(word, exprs.iter().map(|&expr| Job::Expr(expr)))
    }

    fn expr(&self, id: ExprId) -> Vec<Job> {
        let tree = self.tree;
        match *tree.get(id) {
            Expr::Missing => vec![Job::Word("?".into())],
            Expr::Var(name) | Expr::Con(name) => vec![self.qname(name)],
            Expr::Literal(literal) => vec![self.literal(literal)],
            Expr::Apply { function, arguments } => {
                let mut all = vec![function];
                all.extend_from_slice(tree.list(arguments));
                self.exprs("", &all)
            }
            Expr::ApplyType { function, argument } => group("@", [Job::Expr(function), Job::Type(argument)]),
            Expr::Infix(items) => group(
                "infix",
                tree.list(items).iter().map(|item| match *item {
                    Item::Operand(expr) | Item::Operator(expr) => Job::Expr(expr),
                    Item::Negate(_) => Job::Word("neg".into()),
                }),
            ),
            Expr::Operators(associativity, items) => self.exprs(operators(associativity), tree.list(items)),
            Expr::Negate(inner) => self.exprs("neg", &[inner]),
            Expr::Lambda { parameters, body } => {
                let mut jobs = vec![Job::Open("\\".into())];
                jobs.extend(self.patterns(parameters));
                jobs.extend([Job::Expr(body), Job::Close]);
                jobs
            }
            Expr::Let { decls, body } => {
                let mut jobs = self.decls("let", decls);
                jobs.pop();
                jobs.extend([Job::Expr(body), Job::Close]);
                jobs
            }
            Expr::If { branches, otherwise } => {
                let parts = tree.list(branches).iter().flat_map(|branch| [branch.condition, branch.then]);
                let parts: Vec<ExprId> = parts.chain([otherwise]).collect();
                self.exprs("if", &parts)
            }
            Expr::MultiIf(guarded) => {
                let mut jobs = vec![Job::Open("if".into())];
                jobs.extend(self.guarded(guarded));
                jobs.push(Job::Close);
                jobs
            }
            Expr::Case { scrutinee, alternatives, flexible } => {
                let mut jobs =
                    vec![Job::Open(if flexible { "fcase" } else { "case" }.into()), Job::Expr(scrutinee)];
                jobs.extend(self.alternatives(alternatives));
                jobs.push(Job::Close);
                jobs
            }
            Expr::LambdaCase(alternatives) => {
                let mut jobs = vec![Job::Open("\\case".into())];
                jobs.extend(self.alternatives(alternatives));
                jobs.push(Job::Close);
                jobs
            }
            Expr::Do(statements) => self.statements("do", tree.list(statements), None),
            Expr::Tuple(parts) => self.exprs(",", tree.list(parts)),
            Expr::TupleSection(parts) => {
                group(",", tree.list(parts).iter().map(|part| part.map_or(Job::Word("·".into()), Job::Expr)))
            }
            Expr::Paren(inner) => self.exprs("paren", &[inner]),
            Expr::List(parts) => self.exprs("list", tree.list(parts)),
            Expr::Sequence { from, then, to } => {
                let mut jobs = vec![Job::Open("..".into()), Job::Expr(from)];
                jobs.push(then.map_or(Job::Word("·".into()), Job::Expr));
                jobs.push(to.map_or(Job::Word("·".into()), Job::Expr));
                jobs.push(Job::Close);
                jobs
            }
            Expr::Comprehension { body, qualifiers } => {
                self.statements("for", tree.list(qualifiers), Some(body))
            }
            Expr::LeftSection { operand, operator } => self.exprs("left", &[operand, operator]),
            Expr::RightSection { operator, operand } => self.exprs("right", &[operator, operand]),
            Expr::Construct { constructor: subject, fields, rest } => {
                self.record("record", subject, fields, rest)
            }
            Expr::Update { subject, fields } => self.record("update", subject, fields, false),
            Expr::Typed(inner, annotation) => group("::", [Job::Expr(inner), Job::Type(annotation)]),
            Expr::Wildcard => vec![Job::Word("_".into())],
            Expr::As(name, inner) => group("@", [self.name(name), Job::Expr(inner)]),
            Expr::Lazy(inner) => self.exprs("~", &[inner]),
            Expr::Bang(inner) => self.exprs("!", &[inner]),
            Expr::View(function, inner) => self.exprs("view", &[function, inner]),
        }
    }

    fn record(&self, word: &str, subject: ExprId, fields: List<FieldValue>, rest: bool) -> Vec<Job> {
        let mut jobs = vec![Job::Open(word.into()), Job::Expr(subject)];
        for field in self.tree.list(fields) {
            jobs.push(self.name(field.field));
            jobs.push(field.value.map_or(Job::Word("·".into()), Job::Expr));
        }
        jobs.extend(rest.then(|| Job::Word("..".into())));
        jobs.push(Job::Close);
        jobs
    }

    fn statements(&self, word: &str, statements: &[Stmt], result: Option<ExprId>) -> Vec<Job> {
        let mut jobs = vec![Job::Open(word.into())];
        jobs.extend(result.map(Job::Expr));
        for statement in statements {
            match statement.kind {
                StmtKind::Expr(expr) => jobs.push(Job::Expr(expr)),
                StmtKind::Bind(pattern, expr) => {
                    jobs.extend(group("<-", [Job::Pat(pattern), Job::Expr(expr)]))
                }
                StmtKind::Let(decls) => jobs.extend(self.decls("let", decls)),
            }
        }
        jobs.push(Job::Close);
        jobs
    }

    fn alternatives(&self, alternatives: List<Alternative>) -> Vec<Job> {
        let mut jobs = Vec::new();
        for alternative in self.tree.list(alternatives) {
            jobs.extend([Job::Open("->".into()), Job::Pat(alternative.pattern)]);
            jobs.extend(self.rhs(alternative.rhs));
            jobs.push(Job::Close);
        }
        jobs
    }

    fn rhs(&self, rhs: Rhs) -> Vec<Job> {
        let mut jobs = match rhs.body {
            Body::Plain(expr) => vec![Job::Expr(expr)],
            Body::Guarded(guarded) => self.guarded(guarded),
        };
        if !rhs.wheres.is_empty() {
            jobs.extend(self.decls("where", rhs.wheres));
        }
        jobs
    }

    fn guarded(&self, guarded: List<Guarded>) -> Vec<Job> {
        let mut jobs = Vec::new();
        for one in self.tree.list(guarded) {
            jobs.extend(self.statements("|", self.tree.list(one.guards), None));
            jobs.pop();
            jobs.extend([Job::Word("=".into()), Job::Expr(one.body), Job::Close]);
        }
        jobs
    }

    fn patterns(&self, patterns: List<PatId>) -> Vec<Job> {
        let mut jobs = vec![Job::OpenList];
        jobs.extend(self.tree.list(patterns).iter().map(|&pattern| Job::Pat(pattern)));
        jobs.push(Job::CloseList);
        jobs
    }

    fn pat(&self, id: PatId) -> Vec<Job> {
        let tree = self.tree;
        let items = |word: &str, items: List<PatItem>| {
            group(
                word,
                tree.list(items).iter().map(|item| match *item {
                    PatItem::Operand(pattern) => Job::Pat(pattern),
                    PatItem::Operator(name) => self.name(name),
                }),
            )
        };
        let all = |list: List<PatId>| tree.list(list).iter().map(|&pattern| Job::Pat(pattern));
        match *tree.get(id) {
            Pat::Missing => vec![Job::Word("?".into())],
            Pat::Wildcard => vec![Job::Word("_".into())],
            Pat::Var(symbol) => vec![self.word(symbol)],
            Pat::Literal { literal, negative: false } => vec![self.literal(literal)],
            Pat::Literal { literal, negative: true } => group("neg", [self.literal(literal)]),
            Pat::Apply { head, arguments } if arguments.is_empty() => vec![self.name(head)],
            Pat::Apply { head, arguments } => group("", [self.name(head)].into_iter().chain(all(arguments))),
            Pat::Record { head, fields, rest } => {
                let mut jobs = vec![Job::Open("record".into()), self.name(head)];
                for field in tree.list(fields) {
                    jobs.push(self.name(field.field));
                    jobs.push(field.pattern.map_or(Job::Word("·".into()), Job::Pat));
                }
                jobs.extend(rest.then(|| Job::Word("..".into())));
                jobs.push(Job::Close);
                jobs
            }
            Pat::Infix(list) => items("infix", list),
            Pat::Operators(associativity, list) => items(operators(associativity), list),
            Pat::Tuple(parts) => group(",", all(parts)),
            Pat::List(parts) => group("list", all(parts)),
            Pat::Paren(inner) => group("paren", [Job::Pat(inner)]),
            Pat::As(name, inner) => group("@", [self.name(name), Job::Pat(inner)]),
            Pat::Lazy(inner) => group("~", [Job::Pat(inner)]),
            Pat::Bang(inner) => group("!", [Job::Pat(inner)]),
            Pat::Typed(inner, annotation) => group("::", [Job::Pat(inner), Job::Type(annotation)]),
            Pat::View(function, inner) => group("view", [Job::Expr(function), Job::Pat(inner)]),
        }
    }

    fn type_(&self, id: TypeId) -> Vec<Job> {
        let tree = self.tree;
        let all = |list: List<TypeId>| tree.list(list).iter().map(|&part| Job::Type(part));
        let items = |word: &str, items: List<TypeItem>| {
            group(
                word,
                tree.list(items).iter().map(|item| match *item {
                    TypeItem::Operand(part) => Job::Type(part),
                    TypeItem::Operator(name) => self.name(name),
                }),
            )
        };
        match *tree.get(id) {
            Type::Missing => vec![Job::Word("?".into())],
            Type::Var(symbol) => vec![self.word(symbol)],
            Type::Con(name) => vec![self.qname(name)],
            Type::Wildcard => vec![Job::Word("_".into())],
            Type::Apply { function, arguments } => {
                group("", [Job::Type(function)].into_iter().chain(all(arguments)))
            }
            Type::Function(parts) => group("->", all(parts)),
            Type::Tuple(parts) => group(",", all(parts)),
            Type::List(element) => group("list", [Job::Type(element)]),
            Type::Paren(inner) => group("paren", [Job::Type(inner)]),
            Type::Strict(inner) => group("!", [Job::Type(inner)]),
            Type::Lazy(inner) => group("~", [Job::Type(inner)]),
            Type::Forall(binders, body) => {
                let mut jobs = vec![Job::Open("forall".into())];
                jobs.extend(self.type_vars(binders));
                jobs.extend([Job::Type(body), Job::Close]);
                jobs
            }
            Type::Qualified { context, body } => {
                let mut jobs = vec![Job::Open("=>".into())];
                jobs.extend(self.types(context));
                jobs.extend([Job::Type(body), Job::Close]);
                jobs
            }
            Type::Kinded(inner, kind) => group("::", [Job::Type(inner), Job::Type(kind)]),
            Type::Infix(list) => items("infix", list),
            Type::Operators(associativity, list) => items(operators(associativity), list),
        }
    }

    fn types(&self, types: List<TypeId>) -> Vec<Job> {
        let mut jobs = vec![Job::OpenList];
        jobs.extend(self.tree.list(types).iter().map(|&part| Job::Type(part)));
        jobs.push(Job::CloseList);
        jobs
    }

    fn type_vars(&self, vars: List<TypeVar>) -> Vec<Job> {
        let mut jobs = vec![Job::OpenList];
        for var in self.tree.list(vars) {
            match var.kind {
                None => jobs.push(self.word(var.symbol)),
                Some(kind) => jobs.extend(group("::", [self.word(var.symbol), Job::Type(kind)])),
            }
        }
        jobs.push(Job::CloseList);
        jobs
    }
}

fn group(word: &str, inside: impl IntoIterator<Item = Job>) -> Vec<Job> {
    let mut jobs = vec![Job::Open(word.to_owned())];
    jobs.extend(inside);
    jobs.push(Job::Close);
    jobs
}

fn operators(associativity: Associativity) -> &'static str {
    match associativity {
        Associativity::Left => "opl",
        Associativity::Right => "opr",
        Associativity::None => "op",
    }
}

fn show(code: u32) -> String {
    match char::from_u32(code) {
        Some(c) if !c.is_control() && c != '"' && c != '\\' => c.to_string(),
        _ => {
            let mut text = String::new();
            let _ = write!(text, "\\{code}");
            text
        }
    }
}
