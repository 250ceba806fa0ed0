//! The expressions of recorded code: where each stands in its function (S4 §5.3.2) and in the source.
//!
//! A function's code is its body and the bodies of what desugaring made for it (the rest of a `do` block, the loop of a
//! comprehension): these belong to the rule in which they are used. The *rank* of an expression is its place in the text
//! of all of that, outermost first. The kernel binds arguments by `let` before they are used, so its own order says little;
//! but an application's span holds its arguments' spans, so the order is that of the spans' beginnings, and of those that
//! begin together the longer comes first: `listsum` before `list` in `listsum (list x x)`, `+` before both `f`s in
//! `f x + f y`.

use super::places::Places;
use super::position;
use gadfly_core::kernel::{Argument, Atom, Expr, ExprId, FunId, Literal, Pattern, Program, VarId};
use gadfly_source::Span;
use gadfly_trail::model::{Alternative, Expression, ExpressionKind, Operand, Position};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::HashSet;

/// A rule and a guarded alternative of it.
type RuleNumbers = (u32, u32);

/// The expressions of the recorded functions, ordered by position.
pub(super) fn expressions(program: &Program, recorded: &[bool], places: &mut Places<'_>) -> Vec<Expression> {
    let mut code = Code { program, places, seen: vec![false; program.expr_count()], found: Vec::new() };
    for (id, _) in program.functions().filter(|(id, _)| recorded[id.index()]) {
        code.function(id);
    }
    let mut found = code.found;
    found.sort_unstable_by_key(|expression| expression.position);
    found
}

struct Code<'a, 'p> {
    program: &'a Program,
    places: &'a mut Places<'p>,
    /// By expression: whether it was met.
    seen: Vec<bool>,
    found: Vec<Expression>,
}

/// An expression that is to be looked at.
struct Part {
    expr: ExprId,
    within: Option<Position>,
    place: Vec<u32>,
    rule: RuleNumbers,
}

impl Code<'_, '_> {
    /// A recorded function with all that was made for it.
    fn function(&mut self, id: FunId) {
        let from = self.found.len();
        // What was made for the function is met where it is used.
        let mut made: Vec<(FunId, RuleNumbers)> = vec![(id, (0, 0))];
        let mut met = HashSet::new();
        let mut next = 0;
        while let Some(&(function, rule)) = made.get(next) {
            self.body(function, rule, id, &mut made, &mut met);
            next += 1;
        }
        self.rank(from);
    }

    /// The expressions of one body. What was made for the owner and is used here is added to `made`.
    fn body(
        &mut self,
        function: FunId,
        rule: RuleNumbers,
        owner: FunId,
        made: &mut Vec<(FunId, RuleNumbers)>,
        met: &mut HashSet<FunId>,
    ) {
        let program = self.program;
        let body = program.function(function).body;
        let mut variables = Variables::new(program, function);
        let mut waiting = vec![Part { expr: body, within: None, place: Vec::new(), rule }];
        while let Some(part) = waiting.pop() {
            if std::mem::replace(&mut self.seen[part.expr.index()], true) {
                continue;
            }
            let expr = program.expr(part.expr);
            mentioned(program, part.expr, |other| {
                if !met.contains(&other) && is_made_for(program, other, owner) {
                    met.insert(other);
                    made.push((other, part.rule));
                }
            });
            let inside = match expr {
                Expr::Rule { rule, alternative, .. } => (rule, alternative),
                _ => part.rule,
            };
            let number = position(part.expr);
            let first = waiting.len();
            program.parts(part.expr, |child| {
                let place = std::iter::once(child.place).chain(child.inner).collect();
                waiting.push(Part { expr: child.expr, within: Some(number), place, rule: inside });
            });
            waiting[first..].reverse();
            self.found.push(Expression {
                position: number,
                function: function.index() as u32,
                within: part.within,
                place: part.place,
                piece: self.places.piece(program.span(part.expr)),
                kind: variables.kind(program, expr),
                rule: inside,
                rank: 0,
            });
        }
    }

    /// Numbers the expressions of a function in the order of its text.
    fn rank(&mut self, from: usize) {
        let program = self.program;
        let key = |expression: &Expression| {
            let span: Span = program.span(ExprId::from_index(expression.position.0 as usize - 1));
            (span.file, span.start, Reverse(span.end))
        };
        let mut order: Vec<usize> = (from..self.found.len()).collect();
        order.sort_by_key(|index| key(&self.found[*index]));
        for (rank, index) in order.into_iter().enumerate() {
            self.found[index].rank = rank as u32;
        }
    }
}

/// The functions that an expression itself mentions.
fn mentioned(program: &Program, expr: ExprId, mut visit: impl FnMut(FunId)) {
    match program.expr(expr) {
        Expr::Call(function, _) | Expr::Partial(function, _) => visit(function),
        Expr::Atom(Atom::Function(function)) | Expr::Apply(Atom::Function(function), _) => visit(function),
        _ => {}
    }
    for argument in program.arguments(expr) {
        if let Atom::Function(function) = argument.atom {
            visit(function);
        }
    }
}

/// Whether desugaring made a function for another: it is hidden, and so are those around it up to the other.
fn is_made_for(program: &Program, function: FunId, owner: FunId) -> bool {
    let mut at = Some(function);
    while let Some(id) = at {
        if id == owner {
            return function != owner;
        }
        let function = program.function(id);
        if !function.origin.is_hidden() {
            return false;
        }
        at = function.parent;
    }
    false
}

/// The variables of a function: parameters first, then the others as they are met.
struct Variables(FxHashMap<VarId, u32>);

impl Variables {
    fn new(program: &Program, function: FunId) -> Self {
        let parameters = program.function(function).parameters.iter();
        Variables(parameters.enumerate().map(|(row, one)| (one.variable, row as u32)).collect())
    }

    fn number(&mut self, variable: VarId) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(variable).or_insert(next)
    }

    fn kind(&mut self, program: &Program, expr: Expr) -> ExpressionKind {
        match expr {
            Expr::Atom(Atom::Variable(variable)) => ExpressionKind::Variable(self.number(variable)),
            // A constant of the program is a function with all its arguments.
            Expr::Atom(Atom::Function(function)) if program.arity(function) == 0 => {
                ExpressionKind::Call(function.index() as u32, Vec::new())
            }
            Expr::Atom(_) => ExpressionKind::Constant,
            Expr::Call(function, arguments) => {
                ExpressionKind::Call(function.index() as u32, self.operands(program.list(arguments)))
            }
            Expr::Apply(function, arguments) => {
                ExpressionKind::Apply(self.operand(function), self.operands(program.list(arguments)))
            }
            Expr::Partial(function, arguments) => {
                ExpressionKind::Partial(function.index() as u32, self.operands(program.list(arguments)))
            }
            Expr::Construct(constructor, arguments) => {
                ExpressionKind::Construct(constructor.index() as u32, self.operands(program.list(arguments)))
            }
            Expr::Primitive(primitive, arguments) => {
                let name = program.primitive(primitive).to_owned();
                ExpressionKind::Primitive(name, self.operands(program.list(arguments)))
            }
            Expr::Let(bindings, _) => {
                let bindings = program.list(bindings).iter();
                ExpressionKind::Let(bindings.map(|binding| self.number(binding.variable)).collect())
            }
            Expr::Case(case) => {
                let name = self.number(case.variable);
                let alternatives = program.list(case.alternatives).iter();
                let mut alternatives: Vec<Alternative> =
                    alternatives.map(|one| self.alternative(program, one.pattern)).collect();
                alternatives.extend(case.default.map(|_| Alternative::Otherwise));
                ExpressionKind::Case(name, alternatives)
            }
            Expr::Or(_)
            | Expr::Free(..)
            | Expr::Try { .. }
            | Expr::Fall
            | Expr::Failure
            | Expr::Error(..)
            | Expr::Rule { .. } => ExpressionKind::Other,
        }
    }

    fn alternative(&mut self, program: &Program, pattern: Pattern) -> Alternative {
        match pattern {
            Pattern::Constructor(constructor, variables) => {
                let variables = program.list(variables).iter();
                let variables = variables.map(|variable| self.number(*variable)).collect();
                Alternative::Constructor(constructor.index() as u32, variables)
            }
            Pattern::Literal(literal) => Alternative::Literal(match program.literal(literal) {
                Literal::Int(value) => value.to_string(),
                Literal::Word(value) => value.to_string(),
                Literal::Integer(digits) => digits.to_string(),
                Literal::Char(code) => code.to_string(),
                Literal::Double(bits) => f64::from_bits(*bits).to_string(),
                Literal::Float(bits) => f32::from_bits(*bits).to_string(),
                Literal::String(_) => String::new(),
            }),
        }
    }

    fn operands(&mut self, arguments: &[Argument]) -> Vec<Operand> {
        arguments.iter().map(|argument| self.operand(argument.atom)).collect()
    }

    fn operand(&mut self, atom: Atom) -> Operand {
        match atom {
            Atom::Variable(variable) => Operand::Variable(self.number(variable)),
            Atom::Literal(_) => Operand::Literal,
            Atom::Function(function) => Operand::Function(function.index() as u32),
            Atom::Constructor(constructor) => Operand::Constructor(constructor.index() as u32),
        }
    }
}
