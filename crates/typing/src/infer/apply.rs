//! Applications: functions, operators, sections.

use gadfly_syntax::tree::{Associativity, Expr, ExprId, List};

use super::{Expect, Why};
use crate::checker::Checker;
use crate::interface::{Entity, Note, Use};
use crate::types::{Ty, TyId};

impl Checker<'_> {
    /// `f x y`. What is expected of the result is used before the arguments are looked at.
    #[inline(never)]
    pub(crate) fn apply(&mut self, expr: ExprId, function: ExprId, arguments: List<ExprId>, expect: Expect) {
        let arguments = self.tree.list(arguments);
        let whole = self.infer(function);
        let mut types = Vec::with_capacity(arguments.len());
        let mut rest = whole;
        for number in 0..arguments.len() {
            rest = self.open(rest);
            match self.split_function(rest) {
                Some((parameter, result)) => {
                    types.push(parameter);
                    rest = result;
                }
                None => {
                    self.too_many_arguments(function, whole, number, arguments.len());
                    // What the arguments are is still worth checking.
                    for &argument in &arguments[number..] {
                        self.infer(argument);
                    }
                    break;
                }
            }
        }
        if types.len() == arguments.len() {
            let rest = self.open(rest);
            self.meet(expr, rest, expect);
        }
        for (number, (&argument, ty)) in arguments.iter().zip(types).enumerate() {
            self.expr(argument, Expect::new(ty, Why::Argument(function, number as u32 + 1)));
        }
    }

    /// Instantiates a polymorphic type without a context with fresh metas; other types stay unchanged.
    pub(crate) fn open(&mut self, ty: TyId) -> TyId {
        match self.types().view(ty) {
            Ty::Forall(scheme) if self.types().scheme(scheme).context.is_empty() => {
                let variables = self.types().scheme(scheme).variables.clone();
                let metas: Vec<TyId> = variables.iter().map(|_| self.fresh()).collect();
                let body = self.types().scheme(scheme).body;
                self.types().substitute(body, &variables, &metas)
            }
            _ => ty,
        }
    }

    #[inline(never)]
    pub(crate) fn operators(
        &mut self,
        expr: ExprId,
        associativity: Associativity,
        items: List<ExprId>,
        expect: Expect,
    ) {
        let items = self.tree.list(items);
        match associativity {
            Associativity::Right => self.operators_right(expr, items, expect),
            Associativity::Left | Associativity::None => self.operators_left(expr, items, expect),
        }
    }

    /// `a op (b op c)`: what is expected goes from the left operator to the right.
    fn operators_right(&mut self, expr: ExprId, items: &[ExprId], expect: Expect) {
        let mut expect = expect;
        let mut at = 0;
        while at + 2 < items.len() {
            let (operand, operator) = (items[at], items[at + 1]);
            // `f $ x` is checked as `f x`, so that `x` may be polymorphic.
            if self.is_dollar(operator) {
                self.head(operator);
                let function = self.infer(operand);
                match self.split_function(function) {
                    Some((parameter, result)) => {
                        let result = self.open(result);
                        self.meet(expr, result, expect);
                        expect = Expect::new(parameter, Why::Argument(operand, 1));
                    }
                    None => {
                        self.too_many_arguments(operand, function, 0, 1);
                        let ty = self.fresh();
                        expect = Expect::new(ty, Why::Open);
                    }
                }
            } else {
                let (left, right, result) = self.operator(operator);
                self.meet(expr, result, expect);
                self.expr(operand, Expect::new(left, Why::Operand(operator)));
                expect = Expect::new(right, Why::Operand(operator));
            }
            at += 2;
        }
        if let Some(&last) = items.get(at) {
            self.expr(last, expect);
        }
    }

    /// `(a op b) op c`.
    fn operators_left(&mut self, expr: ExprId, items: &[ExprId], expect: Expect) {
        let operators: Vec<ExprId> = items.iter().copied().skip(1).step_by(2).collect();
        let types: Vec<(TyId, TyId, TyId)> =
            operators.iter().map(|&operator| self.operator(operator)).collect();
        // From the outside in: the result of each operator is the left operand of the next.
        let mut expected = expect;
        for (&(left, _, result), &operator) in types.iter().zip(&operators).rev() {
            self.meet(expr, result, expected);
            expected = Expect::new(left, Why::Operand(operator));
        }
        if let Some(&first) = items.first() {
            self.expr(first, expected);
        }
        let operands = items.iter().skip(2).step_by(2);
        for ((&operand, &operator), (_, right, _)) in operands.zip(&operators).zip(types) {
            self.expr(operand, Expect::new(right, Why::Operand(operator)));
        }
    }

    /// The types of an operator's operands and its result.
    fn operator(&mut self, operator: ExprId) -> (TyId, TyId, TyId) {
        let whole = self.head(operator);
        if let Some((left, rest)) = self.split_function(whole)
            && let Some((right, result)) = self.split_function(rest)
        {
            return (left, right, result);
        }
        self.not_an_operator(operator, whole);
        (self.fresh(), self.fresh(), self.fresh())
    }

    fn is_dollar(&self, operator: ExprId) -> bool {
        let Expr::Var(name) = *self.tree.get(operator) else { return false };
        let Note::Use(Use { entity: Entity::Value(value), .. }) = self.notes.expr(operator) else {
            return false;
        };
        self.text(name.name) == "$" && self.own_index(value).is_none()
    }

    /// `(e op)` and `(op e)`.
    #[inline(never)]
    pub(crate) fn section(
        &mut self,
        expr: ExprId,
        operator: ExprId,
        operand: ExprId,
        left: bool,
        expect: Expect,
    ) {
        if left {
            let whole = self.head(operator);
            let Some((parameter, rest)) = self.split_function(whole) else {
                self.not_an_operator(operator, whole);
                self.infer(operand);
                return;
            };
            self.meet(expr, rest, expect);
            self.expr(operand, Expect::new(parameter, Why::Operand(operator)));
            return;
        }
        let (left, right, result) = self.operator(operator);
        let function = self.types().fun(left, result);
        self.meet(expr, function, expect);
        self.expr(operand, Expect::new(right, Why::Operand(operator)));
    }
}
