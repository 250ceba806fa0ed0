//! A program as text, for people: what `--dump-core` shows.
//!
//! It looks like a small functional language. Names are those of the source; functions with the same name are
//! printed with their module, variables of a function with the same name with a number. `let` and `force`
//! come before their body, which is not indented, so that long chains stay readable.
//!
//! | text | meaning |
//! | --- | --- |
//! | `f x _` | a function with some of its arguments |
//! | `intAdd# x y` | a primitive |
//! | `force e as x in` | evaluates `e` first |
//! | `rule 2.1: e` | `e`, by the first guarded alternative of the second equation |
//! | `try … otherwise …`, `fall` | the second where the first falls |

mod names;

use std::fmt::Write;

use gadfly_source::{Sources, Span};

use crate::kernel::{
    Argument, Atom, Case, ErrorKind, Expr, ExprId, FunId, Literal, ModuleId, Origin, Pattern, Program, Role,
};
use names::Names;

/// Lines are not indented further than this: what is nested so deep is a chain.
const DEEPEST: usize = 80;

/// What to show of a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Show<'a> {
    /// The functions of this module; of all modules that are not the library's if there is none.
    pub module: Option<ModuleId>,
    /// Also what desugaring made and is never shown: dictionaries and their selectors.
    pub hidden: bool,
    /// Where each expression stands, in lines and columns; `~` before expressions that desugaring made.
    pub spans: Option<&'a Sources>,
}

/// A program as text.
pub fn print(program: &Program, show: Show) -> String {
    let names = Names::new(program);
    let mut functions: Vec<FunId> = program
        .functions()
        .filter(|(_, function)| match show.module {
            Some(module) => function.module == module,
            None => !program.module(function.module).library,
        })
        .filter(|(_, function)| show.hidden || is_shown(function.origin))
        .map(|(id, _)| id)
        .collect();
    functions.sort_by_key(|&id| {
        let span = program.function(id).span;
        (program.function(id).module, span.start, std::cmp::Reverse(span.end), id)
    });
    let mut printer = Printer { program, show, names, text: String::new(), steps: Vec::new() };
    for function in functions {
        printer.function(function);
    }
    printer.text
}

fn is_shown(origin: Origin) -> bool {
    use crate::kernel::Hidden;
    !matches!(origin, Origin::Hidden(Hidden::Dictionary | Hidden::Selector) | Origin::Constructor(_))
}

/// What remains to be printed.
enum Step {
    /// An expression at this indentation; if it is not the first on its line and needs several, it begins a new one.
    Expr(ExprId, usize, bool),
    Text(String),
    Line(usize),
}

struct Printer<'a> {
    program: &'a Program,
    show: Show<'a>,
    names: Names<'a>,
    text: String,
    steps: Vec<Step>,
}

impl Printer<'_> {
    fn function(&mut self, id: FunId) {
        let program = self.program;
        let function = program.function(id);
        self.names.enter(id);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let _ = write!(self.text, "{}", self.names.function(id));
        for parameter in &function.parameters {
            let name = self.names.variable(parameter.variable);
            let _ = match parameter.role {
                Role::Captured => write!(self.text, " {{{name}}}"),
                Role::Dictionary | Role::Ordinary => write!(self.text, " {name}"),
            };
        }
        self.text.push_str(" =");
        self.steps.push(Step::Expr(function.body, 2, true));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Text(text) => self.text.push_str(&text),
                Step::Line(indent) => self.line(indent),
                Step::Expr(expr, indent, inside) => self.expr(expr, indent, inside),
            }
        }
        self.text.push('\n');
    }

    fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent.min(DEEPEST)));
    }

    /// Whether an expression is printed on one line.
    fn is_short(&self, expr: ExprId) -> bool {
        match self.program.expr(expr) {
            Expr::Let(..) | Expr::Case(_) | Expr::Or(_) | Expr::Free(..) | Expr::Try { .. } => false,
            Expr::Rule { body, .. } => {
                !matches!(self.program.expr(body), Expr::Rule { .. }) && self.is_short(body)
            }
            _ => true,
        }
    }

    /// Prints an expression after something else on the line: there if it is short, else on lines of its own.
    fn expr(&mut self, expr: ExprId, indent: usize, inside: bool) {
        if inside {
            match self.is_short(expr) {
                true => self.text.push(' '),
                false => self.line(indent),
            }
        }
        self.span(expr);
        let program = self.program;
        match program.expr(expr) {
            Expr::Atom(atom) => self.atom(atom),
            Expr::Call(function, arguments) => {
                let name = self.names.function(function);
                self.application(&name, program.list(arguments), 0);
            }
            Expr::Partial(function, arguments) => {
                let name = self.names.function(function);
                self.application(&name, program.list(arguments), program.arity(function) - arguments.len());
            }
            Expr::Apply(function, arguments) => {
                let name = self.atom_text(function);
                self.application(&name, program.list(arguments), 0);
            }
            Expr::Construct(constructor, arguments) => {
                let name = program.text(program.constructor(constructor).name).to_owned();
                self.construction(&name, program.list(arguments));
            }
            Expr::Primitive(primitive, arguments) => {
                let name = format!("{}#", program.primitive(primitive));
                self.application(&name, program.list(arguments), 0);
            }
            Expr::Let(bindings, body) => {
                let bindings = program.list(bindings);
                self.steps.push(Step::Expr(body, indent, false));
                self.steps.push(Step::Line(indent));
                for (row, binding) in bindings.iter().enumerate().rev() {
                    let end = if row + 1 == bindings.len() { " in" } else { "" };
                    self.steps.push(Step::Text(end.to_owned()));
                    self.steps.push(Step::Expr(binding.value, indent + 4, true));
                    let word = if row == 0 { "let" } else { "and" };
                    let name = self.names.variable(binding.variable);
                    self.steps.push(Step::Text(format!("{word} {name} =")));
                    if row > 0 {
                        self.steps.push(Step::Line(indent));
                    }
                }
            }
            Expr::Case(case) => self.case(case, indent),
            Expr::Or(alternatives) => {
                for (row, &alternative) in program.list(alternatives).iter().enumerate().rev() {
                    self.steps.push(Step::Expr(alternative, indent + 2, true));
                    self.steps.push(Step::Text("or".to_owned()));
                    if row > 0 {
                        self.steps.push(Step::Line(indent));
                    }
                }
            }
            Expr::Free(variables, body) => {
                let names: Vec<String> =
                    program.list(variables).iter().map(|&variable| self.names.variable(variable)).collect();
                let _ = write!(self.text, "free {} in", names.join(", "));
                self.steps.push(Step::Expr(body, indent, false));
                self.steps.push(Step::Line(indent));
            }
            Expr::Try { first, otherwise } => {
                self.text.push_str("try");
                self.steps.push(Step::Expr(otherwise, indent, false));
                self.steps.push(Step::Line(indent));
                self.steps.push(Step::Text("otherwise".to_owned()));
                self.steps.push(Step::Line(indent));
                self.steps.push(Step::Expr(first, indent + 2, true));
            }
            Expr::Fall => self.text.push_str("fall"),
            Expr::Failure => self.text.push_str("failed"),
            Expr::Error(kind, what) => {
                let _ = match program.text(what) {
                    "" => write!(self.text, "error {}", kind_text(kind)),
                    what => write!(self.text, "error {} {what}", kind_text(kind)),
                };
            }
            Expr::Rule { rule, alternative, body } => {
                let _ = match alternative {
                    0 => write!(self.text, "rule {rule}:"),
                    _ => write!(self.text, "rule {rule}.{alternative}:"),
                };
                self.steps.push(Step::Expr(body, indent, true));
            }
        }
    }

    fn case(&mut self, case: Case, indent: usize) {
        let program = self.program;
        let name = match self.names.is_used(case.variable) {
            true => format!(" as {}", self.names.variable(case.variable)),
            false => String::new(),
        };
        let alternatives = program.list(case.alternatives);
        if let (Some(default), true) = (case.default, alternatives.is_empty()) {
            self.steps.push(Step::Expr(default, indent, false));
            self.steps.push(Step::Line(indent));
            self.steps.push(Step::Text(format!("{name} in")));
            self.steps.push(Step::Expr(case.scrutinee, indent + 4, true));
            self.text.push_str("force");
            return;
        }
        if let Some(default) = case.default {
            self.steps.push(Step::Expr(default, indent + 4, true));
            self.steps.push(Step::Text("_ ->".to_owned()));
            self.steps.push(Step::Line(indent + 2));
        }
        for alternative in alternatives.iter().rev() {
            let pattern = match alternative.pattern {
                Pattern::Literal(literal) => literal_text(program.literal(literal)),
                Pattern::Constructor(constructor, variables) => {
                    let constructor = program.text(program.constructor(constructor).name);
                    let variables: Vec<String> = program
                        .list(variables)
                        .iter()
                        .map(|&variable| match self.names.is_used(variable) {
                            true => self.names.variable(variable),
                            false => "_".to_owned(),
                        })
                        .collect();
                    construction_text(constructor, &variables)
                }
            };
            self.steps.push(Step::Expr(alternative.body, indent + 4, true));
            self.steps.push(Step::Text(format!("{pattern} ->")));
            self.steps.push(Step::Line(indent + 2));
        }
        self.steps.push(Step::Text(format!("{name} of")));
        self.steps.push(Step::Expr(case.scrutinee, indent + 4, true));
        self.text.push_str(if case.flexible { "fcase" } else { "case" });
    }

    fn span(&mut self, expr: ExprId) {
        let Some(sources) = self.show.spans else { return };
        let made_up = if self.program.is_made_up(expr) { "~" } else { "" };
        let _ = write!(self.text, "{{{made_up}{}}} ", span_text(sources, self.program.span(expr)));
    }

    fn application(&mut self, name: &str, arguments: &[Argument], missing: usize) {
        let mut texts: Vec<String> = arguments.iter().map(|argument| self.atom_text(argument.atom)).collect();
        texts.extend(std::iter::repeat_n("_".to_owned(), missing));
        match texts.as_slice() {
            [left, right] if names::is_operator(name) => {
                let operator = names::without_parentheses(name);
                let _ = write!(self.text, "{left} {operator} {right}");
            }
            _ => {
                self.text.push_str(name);
                for text in texts {
                    let _ = write!(self.text, " {text}");
                }
            }
        }
    }

    fn construction(&mut self, name: &str, arguments: &[Argument]) {
        let texts: Vec<String> = arguments.iter().map(|argument| self.atom_text(argument.atom)).collect();
        self.text.push_str(&construction_text(name, &texts));
    }

    fn atom(&mut self, atom: Atom) {
        let text = self.atom_text(atom);
        self.text.push_str(&text);
    }

    fn atom_text(&self, atom: Atom) -> String {
        match atom {
            Atom::Variable(variable) => self.names.variable(variable),
            Atom::Literal(literal) => literal_text(self.program.literal(literal)),
            Atom::Function(function) => self.names.function(function),
            Atom::Constructor(constructor) => {
                construction_text(self.program.text(self.program.constructor(constructor).name), &[])
            }
        }
    }
}

fn construction_text(name: &str, arguments: &[String]) -> String {
    let symbolic = names::is_symbolic(name);
    match arguments {
        [] if symbolic => format!("({name})"),
        [] => name.to_owned(),
        [left, right] if symbolic => format!("{left} {name} {right}"),
        _ if name.starts_with("(,") && arguments.len() + 1 == name.len() => {
            format!("({})", arguments.join(", "))
        }
        _ if symbolic => format!("({name}) {}", arguments.join(" ")),
        _ => format!("{name} {}", arguments.join(" ")),
    }
}

fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Int(value) if *value < 0 => format!("({value})"),
        Literal::Int(value) => value.to_string(),
        Literal::Word(value) => format!("{value}w"),
        Literal::Integer(digits) if digits.starts_with('-') => format!("({digits}n)"),
        Literal::Integer(digits) => format!("{digits}n"),
        Literal::Char(code) => match char::from_u32(*code) {
            Some(char) => format!("{char:?}"),
            None => format!("'\\{code}'"),
        },
        Literal::Double(bits) => format!("{:?}", f64::from_bits(*bits)),
        Literal::Float(bits) => format!("{:?}f", f32::from_bits(*bits)),
        Literal::String(codes) => {
            let text: String = codes
                .iter()
                .map(|&code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect();
            format!("{text:?}")
        }
    }
}

fn kind_text(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NoEquation => "no equation fits:",
        ErrorKind::NoAlternative => "no alternative fits",
        ErrorKind::NoGuard => "no guard holds",
        ErrorKind::NoLambda => "the pattern of the lambda does not fit",
        ErrorKind::Irrefutable => "irrefutable pattern",
        ErrorKind::MissingMethod => "missing method:",
        ErrorKind::MissingField => "missing field:",
        ErrorKind::NoField => "no such field:",
        ErrorKind::NoUpdate => "no constructor has these fields",
        ErrorKind::Derived => "derived:",
        ErrorKind::Unknown => "unknown:",
    }
}

fn span_text(sources: &Sources, span: Span) -> String {
    let region = sources.region(span);
    match region.start.line == region.end.line {
        true => format!("{}-{}", region.start, region.end.column),
        false => format!("{}-{}", region.start, region.end),
    }
}
