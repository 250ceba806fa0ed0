//! Patterns: expressions that turned out to be patterns (Haskell 2010 §3.17; Curry report §2.3).

use super::{Parse, Parser, Reported};
use crate::Dialect;
use crate::names::{QName, known};
use crate::tree::{Expr, ExprId, FieldPattern, Item, List, Literal, NameId, Pat, PatId, PatItem, Place};

/// Where the nodes of an expression begin that may be a pattern.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Parser<'_> {
    /// Callers take this mark before they read an expression that may be a pattern.
    pub(super) fn pattern_mark(&self) -> Mark {
        Mark(self.tree.count::<ExprId>())
    }

    /// An argument that is a pattern.
    pub(super) fn pattern_argument(&mut self) -> Parse<PatId> {
        let mark = self.pattern_mark();
        let expr = self.argument()?;
        let pattern = self.turn_into_pattern(expr, mark)?;
        self.scopes.parameter(self.tree.place(pattern));
        Ok(pattern)
    }

    /// Turns an expression into a pattern and forgets the expression.
    pub(super) fn turn_into_pattern(&mut self, expr: ExprId, mark: Mark) -> Parse<PatId> {
        let pattern = self.convert(expr);
        self.forget(mark);
        pattern
    }

    /// Forgets the expressions since `mark`: they are patterns now. Those of view patterns stay.
    pub(super) fn forget(&mut self, mark: Mark) {
        let mut views = false;
        while let Some(expr) = self.pattern_only.pop_if(|expr| expr.index() >= mark.0) {
            views |= matches!(self.tree.get(expr), Expr::View(..));
        }
        if !views {
            self.tree.cut::<ExprId>(mark.0);
        }
    }

    /// Turns an expression into a pattern. As deep as the expression is nested, which is bounded.
    pub(super) fn convert(&mut self, expr: ExprId) -> Parse<PatId> {
        let place = self.tree.place(expr);
        let pattern = match *self.tree.get(expr) {
            Expr::Missing => Pat::Missing,
            Expr::Wildcard => Pat::Wildcard,
            Expr::Var(QName { qualifier: None, name }) => Pat::Var(name),
            Expr::Con(name) => {
                let head = self.tree.add_name(name, place);
                Pat::Apply { head, arguments: List::EMPTY }
            }
            Expr::Literal(literal) => Pat::Literal { literal, negative: false },
            Expr::Apply { function, arguments } => {
                let arguments = self.tree.list(arguments).to_vec();
                let head = self.pattern_head(function)?;
                let arguments = self.convert_all(&arguments)?;
                let arguments = self.list(&arguments);
                Pat::Apply { head, arguments }
            }
            Expr::Infix(items) => {
                let items = self.tree.list(items).to_vec();
                self.tree.set(expr, Expr::Missing);
                return self.convert_items(&items);
            }
            Expr::Tuple(parts) => {
                let parts = self.tree.list(parts).to_vec();
                let parts = self.convert_all(&parts)?;
                Pat::Tuple(self.list(&parts))
            }
            Expr::List(parts) => {
                let parts = self.tree.list(parts).to_vec();
                let parts = self.convert_all(&parts)?;
                Pat::List(self.list(&parts))
            }
            Expr::Paren(inner) => Pat::Paren(self.convert(inner)?),
            Expr::Construct { constructor, fields, rest } => {
                let fields = self.tree.list(fields).to_vec();
                let head = self.pattern_head(constructor)?;
                let mut patterns = Vec::with_capacity(fields.len());
                for field in fields {
                    let pattern = field.value.map(|value| self.convert(value)).transpose()?;
                    patterns.push(FieldPattern { field: field.field, pattern });
                }
                let fields = self.list(&patterns);
                Pat::Record { head, fields, rest }
            }
            Expr::As(name, inner) => Pat::As(name, self.convert(inner)?),
            Expr::Lazy(inner) => Pat::Lazy(self.convert(inner)?),
            Expr::Bang(inner) => Pat::Bang(self.convert(inner)?),
            Expr::Typed(inner, annotation) => Pat::Typed(self.convert(inner)?, annotation),
            Expr::View(function, inner) => Pat::View(function, self.convert(inner)?),
            // `(!p)` was read as a section.
            Expr::RightSection { operator, operand } if self.is_bang(operator) => {
                let inner = self.convert(operand)?;
                let strict = self.tree.place(operator).to(self.tree.place(inner));
                Pat::Paren(self.tree.add(Pat::Bang(inner), strict))
            }
            Expr::ApplyType { function, argument } => {
                let Expr::Var(name) = *self.tree.get(function) else { return Err(self.no_pattern(place)) };
                let name = self.tree.add_name(name, self.tree.place(function));
                Pat::As(name, self.reread(self.tree.place(argument).start)?)
            }
            Expr::Var(name) if self.dialect == Dialect::Curry => {
                let head = self.tree.add_name(name, place);
                Pat::Apply { head, arguments: List::EMPTY }
            }
            Expr::Var(_) => {
                return Err(self.reject(
                    place,
                    "a pattern binds names without qualifier",
                    "Remove the qualifier.",
                ));
            }
            _ => return Err(self.no_pattern(place)),
        };
        Ok(self.tree.add(pattern, place))
    }

    /// Reads the argument that begins at `start` again, as a pattern: `(x @p)` was taken for a type argument.
    fn reread(&mut self, start: u32) -> Parse<PatId> {
        let (at, settled, now) = (self.at, self.settled, self.now);
        self.at = self.tokens.partition_point(|token| token.start < start);
        self.settled = true;
        self.settle();
        let pattern = self.argument().and_then(|argument| self.convert(argument));
        (self.at, self.settled, self.now) = (at, settled, now);
        pattern
    }

    #[cold]
    fn no_pattern(&mut self, place: Place) -> Reported {
        self.reject(
            place,
            "this is not a pattern",
            "Patterns are made of variables, literals and constructors; tests go into guards.",
        )
    }

    pub(super) fn convert_all(&mut self, exprs: &[ExprId]) -> Parse<Vec<PatId>> {
        exprs.iter().map(|&expr| self.convert(expr)).collect()
    }

    /// What is applied in a pattern: a constructor or, in Curry, a function.
    fn pattern_head(&mut self, function: ExprId) -> Parse<NameId> {
        let place = self.tree.place(function);
        match *self.tree.get(function) {
            Expr::Con(name) => Ok(self.tree.add_name(name, place)),
            Expr::Var(name) if self.dialect == Dialect::Curry => Ok(self.tree.add_name(name, place)),
            Expr::Var(name) => {
                let message = format!("`{}` is not a constructor", name.text(self.interner));
                Err(self.reject(
                    place,
                    message,
                    "Only constructors, which begin with a capital letter or `:`, are applied in patterns.",
                ))
            }
            Expr::Missing => Err(Reported),
            _ => Err(self.no_pattern(place)),
        }
    }

    fn is_bang(&self, operator: ExprId) -> bool {
        self.dialect == Dialect::Haskell
            && matches!(self.tree.get(operator), Expr::Var(QName { qualifier: None, name: known::BANG }))
    }

    /// Whether items `index..` are the `!` and the operand of a strict pattern: `f !x`, not `a ! b`.
    pub(super) fn is_strict_argument(&self, items: &[Item], index: usize) -> bool {
        let (Some(&Item::Operator(bang)), Some(&Item::Operand(next))) =
            (items.get(index), items.get(index + 1))
        else {
            return false;
        };
        let Some(&Item::Operand(before)) = index.checked_sub(1).and_then(|before| items.get(before)) else {
            return false;
        };
        let place = self.tree.place(bang);
        self.is_bang(bang)
            && self.tree.place(before).end < place.start
            && place.end == self.tree.place(next).start
    }

    /// The operand at `index` with the strict arguments after it: the head, the arguments, and how many items.
    pub(super) fn spine(&mut self, items: &[Item], index: usize) -> Parse<(ExprId, Vec<PatId>, usize)> {
        let Item::Operand(first) = items[index] else { return Err(Reported) };
        let (head, first_arguments) = self.unapply(first);
        let mut arguments = self.convert_all(&first_arguments)?;
        let mut next = index + 1;
        while self.is_strict_argument(items, next) {
            let (Item::Operator(bang), Item::Operand(operand)) = (items[next], items[next + 1]) else {
                break;
            };
            let (strict, more) = self.unapply(operand);
            let inner = self.convert(strict)?;
            let place = self.tree.place(bang).to(self.tree.place(inner));
            arguments.push(self.tree.add(Pat::Bang(inner), place));
            arguments.extend(self.convert_all(&more)?);
            next += 2;
        }
        Ok((head, arguments, next))
    }

    fn unapply(&self, expr: ExprId) -> (ExprId, Vec<ExprId>) {
        match *self.tree.get(expr) {
            Expr::Apply { function, arguments } => (function, self.tree.list(arguments).to_vec()),
            _ => (expr, Vec::new()),
        }
    }

    /// Turns a part of an operator chain into a pattern.
    pub(super) fn convert_items(&mut self, items: &[Item]) -> Parse<PatId> {
        let mut patterns: Vec<PatItem> = Vec::new();
        let mut place: Option<Place> = None;
        let mut index = 0;
        while index < items.len() {
            let (pattern, next) = match items[index] {
                Item::Negate(start) => (self.negative(items, index, start)?, index + 2),
                Item::Operand(operand) if self.is_strict_argument(items, index + 1) => {
                    let start = self.tree.place(operand).start;
                    let (head, arguments, next) = self.spine(items, index)?;
                    let head = self.pattern_head(head)?;
                    let end = arguments.last().map_or(start, |last| self.tree.place(*last).end);
                    let arguments = self.list(&arguments);
                    (self.tree.add(Pat::Apply { head, arguments }, Place { start, end }), next)
                }
                Item::Operand(operand) => (self.convert(operand)?, index + 1),
                Item::Operator(operator) => return Err(self.no_pattern(self.tree.place(operator))),
            };
            let here = self.tree.place(pattern);
            place = Some(place.map_or(here, |place| place.to(here)));
            patterns.push(PatItem::Operand(pattern));
            if let Some(&Item::Operator(operator)) = items.get(next) {
                patterns.push(PatItem::Operator(self.pattern_operator(operator)?));
            }
            index = next + 1;
        }
        match (&patterns[..], place) {
            ([PatItem::Operand(only)], _) => Ok(*only),
            (_, Some(place)) => {
                let items = self.list(&patterns);
                Ok(self.tree.add(Pat::Infix(items), place))
            }
            (_, None) => Err(Reported),
        }
    }

    /// `-` before a number.
    fn negative(&mut self, items: &[Item], index: usize, start: u32) -> Parse<PatId> {
        let operand = match items.get(index + 1) {
            Some(&Item::Operand(operand)) => operand,
            _ => return Err(self.no_pattern(Place { start, end: start + 1 })),
        };
        let place = Place { start, end: self.tree.place(operand).end };
        match *self.tree.get(operand) {
            Expr::Literal(
                literal @ (Literal::Integer(_) | Literal::LargeInteger(_) | Literal::Fractional(_)),
            ) => Ok(self.tree.add(Pat::Literal { literal, negative: true }, place)),
            _ => Err(self.reject(place, "only a number may be negative in a pattern", "Test it in a guard.")),
        }
    }

    fn pattern_operator(&mut self, operator: ExprId) -> Parse<NameId> {
        let place = self.tree.place(operator);
        match *self.tree.get(operator) {
            Expr::Con(name) => Ok(self.tree.add_name(name, place)),
            Expr::Var(name) if self.dialect == Dialect::Curry => Ok(self.tree.add_name(name, place)),
            Expr::Var(name) => {
                let text = name.text(self.interner);
                let hint = match text.as_str() {
                    "+" => "Haskell 2010 has no patterns such as `n + 1`: match `n` and use `n - 1`.",
                    _ => "Only constructors are: operators that begin with `:`. Tests go into guards.",
                };
                Err(self.reject(place, format!("the operator `{text}` is not allowed in a pattern"), hint))
            }
            _ => Err(Reported),
        }
    }
}
