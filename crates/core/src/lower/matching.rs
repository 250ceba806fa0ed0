//! Pattern matching as case distinctions, first match first.
//!
//! Rows of patterns are processed from the left and from the top, in the order of evaluation that the report
//! demands (Haskell 2010 §3.17.2). The leftmost test of the first row decides what is examined next; as many
//! rows after it as possible go into the same `case`: all that test the same value, and those that do not but
//! would go into one branch only. So no row is ever copied, and the code is as long as the patterns. Where
//! the rows do not fit one `case`, the next ones are the `otherwise` of a `try`.
//!
//! A row without tests left is complete: its variables are the examined variables themselves.

use gadfly_source::Span;
use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{Body, ExprId as SyntaxId, Pat, PatId, Rhs, StmtKind};
use gadfly_typing::KnownClass;
use gadfly_typing::interface::{ConstructorId, DictId, DictVars, LocalId, PatNote, ValueId};
use rustc_hash::FxHashMap;

use super::apply::{Head, Operand, Pending};
use super::pattern::{Bound, FunctionalPattern, Layer, PatRef};
use super::{Dict, Local, Lowering};
use crate::kernel::{
    Alternative, Argument, Atom, Binding, Case, ConId, ErrorKind, Expr, ExprId, LiteralId, Name, Pattern,
    VarId, Variable,
};

/// What happens when no row fits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fallback {
    /// The next rows are tried.
    Fall,
    /// The program ends with an error about the code at the span.
    Error(ErrorKind, Name, Span),
    /// Curry: this computation has no value.
    Failure,
}

/// What is done when a row fits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    /// The right-hand side of an equation or alternative.
    Rhs {
        rhs: Rhs,
        rule: Option<u32>,
    },
    Expr {
        expr: SyntaxId,
        rule: Option<u32>,
    },
    /// The caller fills in the code later.
    Later,
    /// The variables of the pattern binding that is being matched, or its only variable.
    Variables,
    /// Curry: whether the guards of this right-hand side hold.
    Applicable(Rhs),
}

/// What a value is tested for.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Constructor(ConstructorId, DictVars, Vec<PatRef>),
    Literal(LiteralId),
    Overloaded(PatId, Option<DictId>),
    Bang,
    View(SyntaxId, PatRef),
}

/// What must hold besides the tests (Curry).
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// Where the second of them stands.
    Equal(VarId, VarId, Option<Span>),
    /// The variables that the functional pattern binds, and where it stands.
    Function(VarId, FunctionalPattern, Vec<LocalId>, Option<Span>),
    /// A number of a type that the kernel does not know.
    Literal(VarId, PatId),
}

/// An equation or alternative that is being matched.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) tests: Vec<(VarId, Test)>,
    /// The spans of the patterns that make the tests.
    spans: Vec<(VarId, Span)>,
    /// Patterns that are matched when their variables are needed.
    pub(super) lazy: Vec<(VarId, PatRef)>,
    pub(super) conditions: Vec<Condition>,
    pub(super) leaf: Leaf,
    /// Variables of this row, in Curry, where one may occur twice.
    locals: Vec<(LocalId, VarId)>,
}

/// Rows to be matched, and where the result goes.
struct Task {
    hole: ExprId,
    rows: Vec<Row>,
    fallback: Fallback,
}

/// The result of matching: the holes of the rows with [`Leaf::Later`].
#[derive(Default)]
pub(super) struct Matched {
    pub(super) later: Option<ExprId>,
}

/// The rows that go into one `case`.
struct Group {
    /// The constructors or literals, each with the numbers of its rows.
    branches: Vec<(Key, Vec<usize>, bool)>,
    /// The rows for everything else.
    others: Vec<usize>,
    /// How many rows there are altogether.
    rows: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Constructor(ConstructorId),
    Literal(LiteralId),
}

impl Row {
    /// The span of the pattern that tests a variable.
    pub(super) fn tested(&self, variable: VarId) -> Option<Span> {
        // The latest comes first: tests are made when they are next.
        self.spans.iter().rev().find(|(other, _)| *other == variable).map(|(_, span)| *span)
    }
}

impl Lowering<'_> {
    /// A row that matches variables against patterns.
    pub(super) fn row(&mut self, patterns: impl IntoIterator<Item = (VarId, PatRef)>, leaf: Leaf) -> Row {
        let mut row = Row {
            tests: Vec::new(),
            spans: Vec::new(),
            lazy: Vec::new(),
            conditions: Vec::new(),
            leaf,
            locals: Vec::new(),
        };
        for (variable, pattern) in patterns {
            let mut tests = Vec::new();
            self.strip(variable, pattern, &mut row, &mut tests);
            row.tests.extend(tests);
        }
        row
    }

    /// Binds what a pattern binds without looking at the value, and adds the tests that it makes first.
    fn strip(&mut self, variable: VarId, pattern: PatRef, row: &mut Row, tests: &mut Vec<(VarId, Test)>) {
        let from = tests.len();
        self.strip_into(variable, pattern, row, tests);
        if tests.len() > from
            && let Some(span) = self.pattern_span(pattern)
        {
            row.spans.push((variable, span));
        }
    }

    fn strip_into(
        &mut self,
        variable: VarId,
        pattern: PatRef,
        row: &mut Row,
        tests: &mut Vec<(VarId, Test)>,
    ) {
        let mut pattern = pattern;
        loop {
            match self.layer(pattern) {
                Layer::Wildcard | Layer::Missing => return,
                Layer::Local(local) => {
                    return self.bind_local(local, variable, self.pattern_span(pattern), row);
                }
                Layer::Value(value) => return self.bind_value(value, variable),
                Layer::As(local, value, inner) => {
                    if let Some(local) = local {
                        self.bind_local(local, variable, self.pattern_span(pattern), row);
                    }
                    if let Some(value) = value {
                        self.bind_value(value, variable);
                    }
                    pattern = inner;
                }
                Layer::Constructor(constructor, dictionaries, arguments) => {
                    if let (true, Some(&inner)) = (self.is_newtype(constructor), arguments.first()) {
                        pattern = inner;
                        continue;
                    }
                    return tests.push((variable, Test::Constructor(constructor, dictionaries, arguments)));
                }
                Layer::Literal(literal) => {
                    let literal = self.out.add_literal(literal);
                    return tests.push((variable, Test::Literal(literal)));
                }
                Layer::Overloaded { pattern, .. } if self.is_curry() => {
                    return row.conditions.push(Condition::Literal(variable, pattern));
                }
                Layer::Overloaded { pattern, equality } => {
                    return tests.push((variable, Test::Overloaded(pattern, equality)));
                }
                Layer::Lazy(inner) => {
                    if !self.is_irrefutable(inner) {
                        return row.lazy.push((variable, inner));
                    }
                    pattern = inner;
                }
                Layer::Bang(inner) => {
                    let from = tests.len();
                    self.strip(variable, inner, row, tests);
                    let forces = match tests.get(from) {
                        Some((_, Test::Constructor(..) | Test::Literal(_) | Test::Bang)) => true,
                        Some((_, Test::Overloaded(..) | Test::View(..))) | None => false,
                    };
                    if !forces {
                        tests.insert(from, (variable, Test::Bang));
                    }
                    return;
                }
                Layer::View(function, inner) => {
                    return tests.push((variable, Test::View(function, inner)));
                }
                Layer::Functional(functional) => {
                    let mut new = Vec::new();
                    for &argument in &functional.arguments {
                        for bound in self.bound_variables(argument) {
                            if let Bound::Local(local) = bound
                                && !row.locals.iter().any(|(other, _)| *other == local)
                            {
                                let free = self.local_variable(local);
                                self.set_local(local, Local::Variable(free));
                                row.locals.push((local, free));
                                new.push(local);
                            }
                        }
                    }
                    let span = self.pattern_span(pattern);
                    return row.conditions.push(Condition::Function(variable, functional, new, span));
                }
            }
        }
    }

    fn bind_local(&mut self, local: LocalId, variable: VarId, span: Option<Span>, row: &mut Row) {
        if self.is_curry() {
            if let Some(&(_, first)) = row.locals.iter().find(|(other, _)| *other == local) {
                row.conditions.push(Condition::Equal(first, variable, span));
                return;
            }
            row.locals.push((local, variable));
        }
        self.set_local(local, Local::Variable(variable));
        // Under the constructor of a newtype, the variable is what was examined.
        if self.out.variable(variable).name.is_none() {
            let name = self.symbol_name(self.notes().locals[local].name);
            self.out.name_variable(variable, name);
        }
    }

    fn bind_value(&mut self, value: ValueId, variable: VarId) {
        self.pattern_values.insert(value, variable);
    }

    /// Matches rows, the first that fits first.
    pub(super) fn match_rows(
        &mut self,
        hole: ExprId,
        rows: Vec<Row>,
        fallback: Fallback,
        span: Span,
    ) -> Matched {
        let mut matched = Matched::default();
        let mut tasks = vec![Task { hole, rows, fallback }];
        while let Some(task) = tasks.pop() {
            self.match_task(task, span, &mut tasks, &mut matched);
        }
        matched
    }

    fn match_task(&mut self, task: Task, span: Span, tasks: &mut Vec<Task>, matched: &mut Matched) {
        let Task { mut hole, mut rows, fallback } = task;
        let Some(first) = rows.first_mut() else {
            let leaf = self.fallback(fallback, span);
            return self.fill(hole, leaf);
        };
        if first.tests.is_empty() {
            let falls = self.can_fall(first);
            let row = rows.remove(0);
            if falls && !rows.is_empty() {
                let otherwise;
                (hole, otherwise) = self.split(hole, span);
                tasks.push(Task { hole: otherwise, rows, fallback });
                return self.leaf(row, hole, Fallback::Fall, span, matched);
            }
            return self.leaf(row, hole, fallback, span, matched);
        }
        let variable = first.tests[0].0;
        match &first.tests[0].1 {
            Test::Bang => {
                first.tests.remove(0);
                let span = first.tested(variable).unwrap_or(span);
                let then = self.hole(span);
                let scrutinee = self.made(Expr::Atom(Atom::Variable(variable)), span);
                let force = self.force(scrutinee, None, then, span);
                self.fill(hole, force);
                tasks.push(Task { hole: then, rows, fallback });
            }
            Test::View(function, inner) => {
                let (function, inner) = (*function, *inner);
                let (mut hole, mut row, fallback) = self.only_first(hole, rows, fallback, span, tasks);
                let here = row.tested(variable).unwrap_or(span);
                row.tests.remove(0);
                for (variable, pattern) in std::mem::take(&mut row.lazy) {
                    hole = self.lazy_pattern(variable, pattern, hole, span);
                }
                let name = self.ref_name(inner).map(|name| self.symbol_name(name));
                let viewed = self.out.add_variable(Variable { name, dictionary: false });
                let at = self.tree().span(function);
                let operand = Operand::Atom(Argument { atom: Atom::Variable(variable), span: at });
                let value = self.application(function, &[operand], at);
                let then = self.hole(span);
                let bindings = self.out.add_list(&[Binding { variable: viewed, value }]);
                self.out.set(hole, Expr::Let(bindings, then));
                self.out.set_span(hole, here, true);
                let mut tests = Vec::new();
                self.strip(viewed, inner, &mut row, &mut tests);
                row.tests.splice(0..0, tests);
                tasks.push(Task { hole: then, rows: vec![row], fallback });
            }
            Test::Overloaded(pattern, equality) => {
                let (pattern, equality) = (*pattern, *equality);
                let (hole, mut row, fallback) = self.only_first(hole, rows, fallback, span, tasks);
                row.tests.remove(0);
                let condition = self.equals_literal(variable, pattern, equality);
                let then = self.condition(hole, condition, fallback, span);
                tasks.push(Task { hole: then, rows: vec![row], fallback });
            }
            Test::Constructor(..) | Test::Literal(_) => {
                let group = self.group(variable, &rows);
                let mut fallback_here = fallback;
                if group.rows < rows.len() {
                    let rest = rows.split_off(group.rows);
                    let otherwise;
                    (hole, otherwise) = self.split(hole, span);
                    tasks.push(Task { hole: otherwise, rows: rest, fallback });
                    fallback_here = Fallback::Fall;
                }
                self.branches(hole, variable, group, rows, fallback_here, span, tasks);
            }
        }
    }

    /// Makes a hole a `try`; returns its two parts.
    fn split(&mut self, hole: ExprId, span: Span) -> (ExprId, ExprId) {
        let first = self.hole(span);
        let otherwise = self.hole(span);
        self.out.set(hole, Expr::Try { first, otherwise });
        (first, otherwise)
    }

    /// Tries the first row alone, then the others.
    fn only_first(
        &mut self,
        hole: ExprId,
        mut rows: Vec<Row>,
        fallback: Fallback,
        span: Span,
        tasks: &mut Vec<Task>,
    ) -> (ExprId, Row, Fallback) {
        let row = rows.remove(0);
        if rows.is_empty() {
            return (hole, row, fallback);
        }
        let (first, otherwise) = self.split(hole, span);
        tasks.push(Task { hole: otherwise, rows, fallback });
        (first, row, Fallback::Fall)
    }

    /// Which rows, from the first on, go into one `case` on a variable without one of them being copied.
    fn group(&self, variable: VarId, rows: &[Row]) -> Group {
        let mut group = Group { branches: Vec::new(), others: Vec::new(), rows: 0 };
        let mut places: FxHashMap<Key, usize> = FxHashMap::default();
        let mut siblings = None;
        for (number, row) in rows.iter().enumerate() {
            let test = row.tests.iter().find(|(other, _)| *other == variable).map(|(_, test)| test);
            let key = match test {
                Some(Test::Constructor(constructor, ..)) => Some(Key::Constructor(*constructor)),
                Some(Test::Literal(literal)) => Some(Key::Literal(*literal)),
                _ => None,
            };
            if let Some(Key::Constructor(constructor)) = key
                && siblings.is_none()
            {
                let of = self.typed.constructors[constructor].of;
                siblings = Some(self.typed.type_constructors[of].constructors().len());
            }
            let closes = self.closes(variable, row);
            match key {
                Some(key) => match places.get(&key) {
                    Some(&place) => {
                        let (_, rows, closed) = &mut group.branches[place];
                        rows.push(number);
                        *closed |= closes;
                    }
                    None => {
                        let mut rows = Vec::new();
                        if !group.others.is_empty() {
                            // Those rows were for all other values: this must be the whole list.
                            match siblings {
                                Some(siblings) if group.branches.len() + 1 == siblings => {
                                    rows = std::mem::take(&mut group.others);
                                }
                                _ => break,
                            }
                        }
                        rows.push(number);
                        places.insert(key, group.branches.len());
                        group.branches.push((key, rows, closes));
                    }
                },
                None => {
                    let open: Vec<usize> = group
                        .branches
                        .iter()
                        .enumerate()
                        .filter(|(_, (_, _, closed))| !closed)
                        .map(|(row, _)| row)
                        .collect();
                    let all = siblings.is_some_and(|siblings| group.branches.len() >= siblings);
                    match (open.as_slice(), all) {
                        ([], false) => group.others.push(number),
                        // No value is left for this row: it is never reached.
                        ([], true) => {}
                        ([only], true) => {
                            let (_, rows, closed) = &mut group.branches[*only];
                            rows.push(number);
                            *closed |= closes;
                        }
                        _ => break,
                    }
                }
            }
            group.rows = number + 1;
        }
        group
    }

    /// Whether no row after this one is ever tried in the branch that this one goes to.
    fn closes(&self, variable: VarId, row: &Row) -> bool {
        let fits = row.tests.iter().all(|(other, test)| {
            *other == variable
                && match test {
                    Test::Constructor(_, _, arguments) => {
                        arguments.iter().all(|&argument| self.is_irrefutable(argument))
                    }
                    Test::Literal(_) | Test::Bang => true,
                    Test::Overloaded(..) | Test::View(..) => false,
                }
        });
        fits && !self.can_fall(row)
    }

    #[allow(clippy::too_many_arguments, reason = "each is another part of the match")]
    fn branches(
        &mut self,
        hole: ExprId,
        variable: VarId,
        group: Group,
        rows: Vec<Row>,
        fallback: Fallback,
        span: Span,
        tasks: &mut Vec<Task>,
    ) {
        let at = rows.first().and_then(|row| row.tested(variable)).unwrap_or(span);
        let mut rows: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
        let mut alternatives = Vec::new();
        let mut covered = 0;
        let mut siblings = usize::MAX;
        let mut new = Vec::new();
        for (key, numbers, _) in &group.branches {
            let body = self.hole(span);
            let mut taken: Vec<Row> = numbers.iter().filter_map(|&number| rows[number].take()).collect();
            let pattern = match *key {
                Key::Constructor(constructor) => {
                    let of = self.typed.constructors[constructor].of;
                    siblings = self.typed.type_constructors[of].constructors().len();
                    self.open_constructor(variable, constructor, &mut taken)
                }
                Key::Literal(literal) => {
                    for row in &mut taken {
                        row.tests
                            .retain(|(other, test)| *other != variable || !matches!(test, Test::Literal(_)));
                    }
                    Pattern::Literal(literal)
                }
            };
            covered += 1;
            alternatives.push(Alternative { pattern, body });
            new.push(Task { hole: body, rows: taken, fallback });
        }
        let others: Vec<Row> = group.others.iter().filter_map(|&number| rows[number].take()).collect();
        let default = (covered < siblings).then(|| {
            let default = self.hole(span);
            new.push(Task { hole: default, rows: others, fallback });
            default
        });
        tasks.extend(new.into_iter().rev());
        let scrutinee = self.made(Expr::Atom(Atom::Variable(variable)), at);
        let case = self.case(scrutinee, alternatives, default, at);
        self.fill(hole, case);
    }

    /// The pattern of a constructor; the rows continue with tests of its fields.
    pub(super) fn open_constructor(
        &mut self,
        variable: VarId,
        constructor: ConstructorId,
        rows: &mut [Row],
    ) -> Pattern {
        let con: ConId = self.kernel_constructor(constructor);
        let stored = self.typed.constructors[constructor].dictionaries as usize;
        let mut fields: Vec<VarId> = (0..stored).map(|_| self.dictionary_variable()).collect();
        for position in 0..self.typed.constructors[constructor].arity() {
            let name = rows.iter().find_map(|row| {
                row.tests.iter().find_map(|(other, test)| match test {
                    Test::Constructor(_, _, arguments) if *other == variable => {
                        self.ref_name(*arguments.get(position)?)
                    }
                    _ => None,
                })
            });
            let name = name.map(|name| self.symbol_name(name));
            fields.push(self.out.add_variable(Variable { name, dictionary: false }));
        }
        for row in rows {
            let Some(at) = row.tests.iter().position(|(other, test)| {
                *other == variable && matches!(test, Test::Constructor(..) | Test::Bang)
            }) else {
                continue;
            };
            let (_, Test::Constructor(_, dictionaries, arguments)) = row.tests.remove(at) else { continue };
            for (dictionary, &field) in dictionaries.iter().zip(&fields) {
                self.set_dictionary(dictionary, Dict::Variable(field));
            }
            let mut tests = Vec::new();
            for (&field, argument) in fields[stored..].iter().zip(arguments) {
                self.strip(field, argument, row, &mut tests);
            }
            row.tests.splice(at..at, tests);
        }
        let variables = self.out.add_list(&fields);
        Pattern::Constructor(con, variables)
    }

    fn ref_name(&self, pattern: PatRef) -> Option<Symbol> {
        match pattern {
            PatRef::Pat(pattern) => self.pattern_name(pattern),
            PatRef::Local(local) => Some(self.notes().locals[local].name),
            PatRef::Right(..) | PatRef::Left(..) => match self.layer(pattern) {
                Layer::Local(local) => Some(self.notes().locals[local].name),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn fallback(&mut self, fallback: Fallback, span: Span) -> ExprId {
        match fallback {
            Fallback::Fall => self.made(Expr::Fall, span),
            Fallback::Error(kind, what, span) => self.made(Expr::Error(kind, what), span),
            Fallback::Failure => self.made(Expr::Failure, span),
        }
    }

    /// Fills a hole with a test of a condition; returns the hole for the code if it is true.
    pub(super) fn condition(
        &mut self,
        hole: ExprId,
        condition: ExprId,
        fallback: Fallback,
        span: Span,
    ) -> ExprId {
        self.test(hole, condition, fallback, false, span)
    }

    /// Likewise; if it is flexible, a free variable is made true.
    pub(super) fn test(
        &mut self,
        hole: ExprId,
        condition: ExprId,
        fallback: Fallback,
        flexible: bool,
        span: Span,
    ) -> ExprId {
        let then = self.hole(span);
        let (Some(yes), Some(no)) = (self.bool_constructor(true), self.bool_constructor(false)) else {
            let unknown = self.unknown("Bool", span);
            self.fill(hole, unknown);
            return then;
        };
        let otherwise = self.fallback(fallback, span);
        let none = crate::kernel::List::EMPTY;
        let alternatives = vec![
            Alternative { pattern: Pattern::Constructor(yes, none), body: then },
            Alternative { pattern: Pattern::Constructor(no, none), body: otherwise },
        ];
        let case = self.case(condition, alternatives, None, span);
        if let (true, Expr::Case(case_of)) = (flexible, self.out.expr(case)) {
            self.out.set(case, Expr::Case(Case { flexible, ..case_of }));
        }
        self.fill(hole, case);
        then
    }

    /// The number that a pattern is.
    pub(super) fn pattern_number(&mut self, pattern: PatId, span: Span, pending: &mut Pending) -> Atom {
        let number = match (*self.tree().get(pattern), self.notes().pat(pattern)) {
            (Pat::Literal { literal, negative }, PatNote::Literal { number, .. }) => {
                self.overloaded_number(literal, negative, number, span)
            }
            _ => self.unknown("a number", span),
        };
        self.atom_of(number, pending)
    }

    /// `variable == literal`.
    fn equals_literal(&mut self, variable: VarId, pattern: PatId, equality: Option<DictId>) -> ExprId {
        let span = self.tree().span(pattern);
        let mut pending = Pending::default();
        let literal = self.pattern_number(pattern, span, &mut pending);
        let operands = [Atom::Variable(variable), literal].map(|atom| Operand::Atom(Argument { atom, span }));
        let head = match (equality, self.typed.known.class(KnownClass::Eq)) {
            (Some(dictionary), Some(class)) => match self.method_index(KnownClass::Eq, "==") {
                Some(index) => self.method_head(class, index, dictionary, Vec::new(), span, &mut pending),
                None => Head::Value(self.unknown("==", span), Vec::new()),
            },
            _ => Head::Value(self.unknown("==", span), Vec::new()),
        };
        let expr = self.apply(head, &operands, span, span, pending);
        self.out.set_span(expr, span, true);
        expr
    }

    /// Whether a row whose tests hold may still not fit.
    pub(super) fn can_fall(&self, row: &Row) -> bool {
        if !row.conditions.is_empty() {
            return true;
        }
        match row.leaf {
            Leaf::Rhs { rhs, .. } | Leaf::Applicable(rhs) => !self.is_total(rhs),
            Leaf::Expr { .. } | Leaf::Later | Leaf::Variables => false,
        }
    }

    /// Whether one of the guards always holds.
    pub(super) fn is_total(&self, rhs: Rhs) -> bool {
        let Body::Guarded(list) = rhs.body else { return true };
        let tree = self.tree();
        tree.list(list).iter().any(|guarded| {
            tree.list(guarded.guards).iter().all(|guard| match guard.kind {
                StmtKind::Expr(condition) => self.is_always(condition),
                StmtKind::Let(_) => true,
                StmtKind::Bind(pattern, _) => self.is_irrefutable(PatRef::Pat(pattern)),
            })
        })
    }

    /// What is done when a row fits.
    pub(super) fn leaf(
        &mut self,
        row: Row,
        hole: ExprId,
        fallback: Fallback,
        span: Span,
        matched: &mut Matched,
    ) {
        let mut hole = hole;
        for (variable, pattern) in row.lazy {
            hole = self.lazy_pattern(variable, pattern, hole, span);
        }
        for condition in row.conditions {
            hole = self.curry_condition(condition, hole, fallback, span);
        }
        match row.leaf {
            Leaf::Rhs { rhs, rule } => self.rhs(rhs, rule, hole, fallback),
            Leaf::Expr { expr, rule } => {
                let hole = self.mark(hole, rule, 0);
                let expr = self.expr(expr);
                self.fill(hole, expr);
            }
            Leaf::Later => matched.later = Some(hole),
            Leaf::Variables => self.bound_group(hole, span),
            Leaf::Applicable(rhs) => self.applicable(rhs, hole, fallback, span),
        }
    }

    /// Binds the variables of a pattern that is matched when one of them is needed; returns the hole for the
    /// code after it.
    pub(super) fn lazy_pattern(
        &mut self,
        variable: VarId,
        pattern: PatRef,
        hole: ExprId,
        span: Span,
    ) -> ExprId {
        let span = self.pattern_span(pattern).unwrap_or(span);
        let bound = self.bound_variables(pattern);
        let mut targets = Vec::new();
        for bound in bound {
            if let Bound::Local(local) = bound {
                let target = self.local_variable(local);
                self.set_local(local, Local::Variable(target));
                targets.push((bound, target));
            }
        }
        let bindings = self.pattern_bindings(variable, pattern, &targets, span, span);
        if bindings.is_empty() {
            return hole;
        }
        let then = self.hole(span);
        let bindings = self.out.add_list(&bindings);
        self.out.set(hole, Expr::Let(bindings, then));
        self.out.set_span(hole, span, true);
        then
    }
}
