//! Where kernel expressions stand: the laws that every program keeps.
//!
//! With `GADFLY_PROGRAMS` naming a folder, they are tried on every program in it as well:
//!
//!     GADFLY_PROGRAMS=FOLDER cargo test -p gadfly-core -- spans::programs_of_others --nocapture

use std::path::{Path, PathBuf};

use gadfly_core::kernel::{Argument, Atom, Expr, ExprId, FunId, Hidden, Literal, Origin, Program, VarId};
use gadfly_source::{SourceFile, Sources, Span};
use gadfly_syntax::Dialect;
use rustc_hash::FxHashMap;

use crate::{Tested, library, lowered, try_lower};

/// Methods that the user calls without writing their names.
const UNNAMED: &[&str] = &[
    "enumFrom",
    "enumFromThen",
    "enumFromTo",
    "enumFromThenTo",
    "negate",
    "fromInteger",
    "fromInt",
    "fromRational",
    "fromFloat",
    ">>=",
    ">>",
];

/// The laws:
///
/// 1. An expression that the user wrote lies in an equation of its function; one that desugaring made lies in
///    the function.
/// 2. It lies in the expression that the user wrote around it. Bindings of `where` and of statements in a
///    `do` block are no exception: desugaring made their `let`s.
/// 3. The arguments of an application lie in it. The rest of a `do` block, which is an argument of `>>=`, begins
///    after the statement that the application stands for.
/// 4. The value of an unnamed variable that is an argument lies in that argument.
/// 5. A variable, function, constructor or literal equals the text at its span.
struct Laws<'a> {
    program: &'a Program,
    sources: &'a Sources,
    function: FunId,
    /// What the variables of the function without names are bound to.
    bound: FxHashMap<VarId, ExprId>,
    broken: Vec<String>,
}

fn broken(program: &Program, sources: &Sources) -> Vec<String> {
    let first = FunId::from_index(0);
    let mut laws =
        Laws { program, sources, function: first, bound: FxHashMap::default(), broken: Vec::new() };
    for (id, function) in program.functions() {
        let is_text = !matches!(
            function.origin,
            Origin::Hidden(Hidden::Dictionary | Hidden::Selector) | Origin::Constructor(_) | Origin::Newtype
        );
        if is_text && !program.module(function.module).library {
            laws.function(id);
        }
    }
    laws.broken
}

fn lies_in(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && inner.start >= outer.start && inner.end <= outer.end
}

impl Laws<'_> {
    fn text(&self, span: Span) -> &str {
        self.sources.text(span).unwrap_or("")
    }

    fn complain(&mut self, law: u32, expr: ExprId, span: Span, what: &str) {
        let name = self.program.text(self.program.function(self.function).name).to_owned();
        let region = self.sources.region(span);
        let file = self.sources.file(span.file).name();
        let kernel = format!("{:?}", self.program.expr(expr));
        let kernel = kernel.split(['(', ' ']).next().unwrap_or("");
        let text: String = self.text(span).chars().take(60).collect();
        self.broken.push(format!(
            "{file}:{}-{}: law {law}, in {name}, {kernel}: {what}: {text:?}",
            region.start, region.end
        ));
    }

    fn function(&mut self, id: FunId) {
        self.function = id;
        self.bound.clear();
        let program = self.program;
        let function = program.function(id);
        let mut stack = vec![(function.body, None)];
        while let Some((expr, around)) = stack.pop() {
            self.place(expr, around);
            self.reading(expr);
            let around = if program.is_made_up(expr) { around } else { Some(program.span(expr)) };
            if let Expr::Let(bindings, _) = program.expr(expr) {
                let bindings = program.list(bindings);
                let unnamed = bindings.iter().filter(|one| program.variable(one.variable).name.is_none());
                self.bound.extend(unnamed.map(|one| (one.variable, one.value)));
            }
            let from = stack.len();
            program.parts(expr, |part| stack.push((part.expr, around)));
            stack[from..].reverse();
        }
    }

    /// Laws 1 to 4.
    fn place(&mut self, expr: ExprId, around: Option<Span>) {
        let program = self.program;
        let function = program.function(self.function);
        let span = program.span(expr);
        let rules = &function.rules;
        let in_rules = match program.is_made_up(expr) || rules.is_empty() {
            true => lies_in(span, function.span) || rules.iter().any(|rule| lies_in(span, rule.span)),
            false => rules.iter().any(|rule| lies_in(span, rule.span)),
        };
        if !in_rules {
            self.complain(1, expr, span, "outside its function");
        }
        if let Some(around) = around
            && !lies_in(span, around)
        {
            self.complain(2, expr, span, "outside what is around it");
        }
        for argument in program.arguments(expr) {
            let rest = argument.span.start >= span.end;
            if !lies_in(argument.span, span) && !rest && !program.is_made_up(expr) {
                self.complain(3, expr, argument.span, "an argument outside its application");
            }
            if let Atom::Variable(variable) = argument.atom
                && let Some(&value) = self.bound.get(&variable)
                && !lies_in(program.span(value), argument.span)
                && !program.is_made_up(expr)
            {
                self.complain(4, expr, program.span(value), "bound outside its argument");
            }
        }
    }

    /// Law 5.
    fn reading(&mut self, expr: ExprId) {
        let program = self.program;
        if program.is_made_up(expr) {
            return;
        }
        let span = program.span(expr);
        match program.expr(expr) {
            Expr::Atom(atom) => self.atom(expr, atom, span),
            Expr::Call(function, _) | Expr::Partial(function, _) => self.named(expr, function, span),
            Expr::Apply(Atom::Variable(variable), _) => {
                if let Some(name) = program.variable(variable).name {
                    let name = program.text(name);
                    if !self.has_token(span, name) && !self.is_captured(variable) {
                        self.complain(5, expr, span, &format!("applies {name}"));
                    }
                }
            }
            Expr::Construct(constructor, _) => {
                let name = program.text(program.constructor(constructor).name);
                let special = name.starts_with(['(', '[', ':']) || self.text(span).contains('{');
                if !special && !self.has_token(span, name) {
                    self.complain(5, expr, span, &format!("constructs {name}"));
                }
            }
            _ => {}
        }
        let arguments: Vec<Argument> = program.arguments(expr).to_vec();
        for argument in arguments {
            // Captured variables and arguments that desugaring adds have the span of the whole application.
            if argument.span != span && argument.span.start < span.end {
                self.atom(expr, argument.atom, argument.span);
            }
        }
    }

    fn atom(&mut self, expr: ExprId, atom: Atom, span: Span) {
        let program = self.program;
        let text = bare(self.text(span));
        let text = bare(text.split_once("::").map_or(text, |(text, _)| text));
        // The kernel has no constructor of a newtype: its argument stands for both.
        let newtype = text.split_once(' ').filter(|(first, _)| first.starts_with(char::is_uppercase));
        let text = bare(newtype.map_or(text, |(_, rest)| rest));
        match atom {
            Atom::Variable(variable) => {
                let Some(name) = program.variable(variable).name else { return };
                let name = program.text(name);
                if program.variable(variable).dictionary || name == text || unqualified(text) == name {
                    return;
                }
                // Another equation may have another name for the same parameter, and `..` has them all.
                if !is_variable(text) && text != ".." && !self.text(span).contains("..") {
                    self.complain(5, expr, span, &format!("reads unlike {name}"));
                }
            }
            Atom::Literal(literal) => {
                let fits = match program.literal(literal) {
                    Literal::Char(_) => text.starts_with('\''),
                    Literal::String(_) => text.starts_with('"'),
                    _ => text.starts_with(|first: char| first.is_ascii_digit() || first == '-'),
                };
                if !fits {
                    self.complain(5, expr, span, &format!("reads unlike {:?}", program.literal(literal)));
                }
            }
            Atom::Function(function) => self.named(expr, function, span),
            Atom::Constructor(constructor) => {
                let name = program.text(program.constructor(constructor).name);
                let special = name.starts_with(['(', '[']);
                if !special && unqualified(text) != name && !self.has_token(span, name) {
                    self.complain(5, expr, span, &format!("reads unlike {name}"));
                }
            }
        }
    }

    /// Whether the text at a span names a function.
    fn named(&mut self, expr: ExprId, function: FunId, span: Span) {
        let program = self.program;
        let known = program.function(function);
        let name = program.text(known.name);
        let fits = match known.origin {
            Origin::Lambda => self.text(span).contains('\\'),
            Origin::Section => self.text(span).contains('('),
            Origin::Hidden(Hidden::Selector) | Origin::Method { .. } | Origin::Default { .. } => {
                self.has_token(span, name) || UNNAMED.contains(&name)
            }
            Origin::Hidden(_) => true,
            _ if self.text(span).contains("..}") => true,
            _ => self.has_token(span, name) || UNNAMED.contains(&name),
        };
        if !fits {
            self.complain(5, expr, span, &format!("calls {name}"));
        }
    }

    /// Whether a variable has its name from another equation or another function.
    fn is_captured(&self, variable: VarId) -> bool {
        let function = self.program.function(self.function);
        function.rules.len() > 1 && function.parameters.iter().any(|one| one.variable == variable)
    }

    fn has_token(&self, span: Span, name: &str) -> bool {
        let text = self.text(span);
        let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '\'';
        let word = name.starts_with(is_word);
        text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !word || (!before.is_some_and(is_word) && !after.is_some_and(is_word))
        })
    }
}

/// A text without the parentheses and backquotes around it, and the comments before it.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        if let Some((_, rest)) = text.strip_prefix("{-").and_then(|comment| comment.split_once("-}")) {
            text = rest.trim();
        }
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let inner = inner.or_else(|| text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')));
        match inner {
            Some(inner) => text = inner.trim(),
            None => return text,
        }
    }
}

/// A name without its module.
fn unqualified(text: &str) -> &str {
    let mut text = text;
    while let Some((module, rest)) = text.split_once('.') {
        if !module.starts_with(char::is_uppercase) || rest.is_empty() {
            break;
        }
        text = rest;
    }
    text
}

fn is_variable(text: &str) -> bool {
    let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '\'';
    let word =
        text.starts_with(|first: char| first.is_lowercase() || first == '_') && text.chars().all(is_word);
    word || (!text.is_empty() && text.chars().all(|char| char.is_ascii_punctuation() && char != '"'))
}

#[track_caller]
fn check(file: &str, text: &str) {
    let tested = lowered(file, text);
    let broken = broken(&tested.lowered.program, &tested.sources);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn laws() {
    check("test.hs", include_str!("programs/matching.hs"));
    check("test.hs", include_str!("programs/classes.hs"));
    check("test.hs", include_str!("programs/kernel.hs"));
    check("test.curry", include_str!("programs/kernel.curry"));
    check("test.curry", include_str!("programs/search.curry"));
    check("test.curry", include_str!("programs/features.curry"));
    check("test.hs", include_str!("programs/features.hs"));
}

/// The programs of the literate suite on spans.
#[test]
fn laws_in_the_suite() {
    let folder = format!("{}/../../tests/suite/language/spans", env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the suite is there") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("it is text");
        for part in text.split("```text file=").skip(1) {
            let (file, rest) = part.split_once('\n').expect("a file has lines");
            let (program, _) = rest.split_once("\n```").expect("a block ends");
            check(file, program);
            count += 1;
        }
    }
    assert!(count >= 10);
}

/// The programs in the folder that `GADFLY_PROGRAMS` names.
pub(crate) fn programs() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> =
        std::env::var("GADFLY_PROGRAMS").ok().map(PathBuf::from).into_iter().collect();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder is there");
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            match path.is_dir() {
                true => folders.push(path),
                false if Dialect::of_file(name).is_some() => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    files
}

/// A module of a program whose modules are in a folder.
pub(crate) fn beside(root: &Path, module: &str, dialect: Dialect) -> Option<SourceFile> {
    let extension = if dialect == Dialect::Haskell { "hs" } else { "curry" };
    let path = root.join(module.replace('.', "/")).with_extension(extension);
    let text = std::fs::read_to_string(&path).ok()?;
    Some(SourceFile::new(path.display().to_string(), Some(text)))
}

#[test]
#[allow(clippy::print_stdout, reason = "how many were of use")]
fn programs_of_others() {
    let files = programs();
    let (mut good, mut bad) = (0, Vec::new());
    for path in &files {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("the file is there")).into_owned();
        let root = root(path, &text);
        let mut loader =
            |module: &str, dialect| beside(&root, module, dialect).or_else(|| library(module, dialect));
        let name = path.display().to_string();
        if let Ok(Tested { lowered, sources, .. }) = try_lower(&name, &text, &mut loader) {
            good += 1;
            bad.extend(broken(&lowered.program, &sources));
        }
    }
    bad.sort();
    bad.dedup();
    println!("{good} of {} programs were lowered", files.len());
    assert!(bad.is_empty(), "{}\n{} in {good} programs", bad.join("\n"), bad.len());
}

/// The folder from which the modules of a file are found.
pub(crate) fn root(path: &Path, text: &str) -> PathBuf {
    let mut root = path.parent().unwrap_or(Path::new("")).to_owned();
    let header =
        text.lines().find_map(|line| line.trim_start_matches('>').trim_start().strip_prefix("module "));
    let module = header.and_then(|rest| rest.trim_start().split([' ', '(']).next()).unwrap_or("Main");
    for part in module.split('.').rev().skip(1) {
        if root.file_name().and_then(|name| name.to_str()) != Some(part) {
            break;
        }
        root.pop();
    }
    root
}
