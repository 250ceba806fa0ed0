//! `Eq`, `Ord`, and the equality of Curry's `Data`.

use gadfly_typing::KnownType;

use super::{Deriving, argument};
use crate::kernel::{Alternative, Argument, Case, Expr, ExprId, FunId, List, Pattern, VarId};
use crate::lower::Lowering;
use crate::lower::apply::Pending;

impl Lowering<'_> {
    pub(super) fn derived_equal(&mut self, this: Deriving, a: VarId, b: VarId) -> ExprId {
        let span = this.span;
        if self.is_enumeration(this.of) && self.constructors_of(this.of).len() > 1 {
            return self.on_tags(this, "Eq", a, b);
        }
        if self.constructors_of(this.of).is_empty() {
            return self.truth(true, span);
        }
        let name = match self.index_of(this.class, "===") {
            Some(_) => "===",
            None => "==",
        };
        self.for_each(this, a, |lowering, number, left| {
            let left = left.to_vec();
            let otherwise = lowering.truth(false, span);
            let same = |lowering: &mut Self, right: &[VarId]| {
                let mut conditions = Vec::with_capacity(left.len());
                for (field, (&x, &y)) in left.iter().zip(right).enumerate() {
                    let Some(dictionary) = this.dictionary(number, field) else { continue };
                    let operands = [argument(x, span), argument(y, span)];
                    conditions.push(lowering.method(this.class, name, dictionary, &operands, span));
                }
                lowering.all_of(conditions, span)
            };
            lowering.for_one(this, b, number, same, otherwise)
        })
    }

    pub(super) fn derived_compare(&mut self, this: Deriving, a: VarId, b: VarId) -> ExprId {
        let span = this.span;
        let count = self.constructors_of(this.of).len();
        if self.is_enumeration(this.of) && count > 1 {
            return self.on_tags(this, "Compare", a, b);
        }
        if count == 0 {
            return self.ordering(1, this);
        }
        self.for_each(this, a, |lowering, number, left| {
            let left = left.to_vec();
            // A later constructor is greater.
            let otherwise = match number {
                0 => lowering.ordering(0, this),
                _ if number + 1 == count => lowering.ordering(2, this),
                _ => {
                    let mut pending = Pending::default();
                    let other = lowering.tag_of(this, b);
                    let other = lowering.argument_of(other, &mut pending, span);
                    let own = lowering.number(number as i64, span);
                    let expr = lowering.arithmetic("Compare", &[own, other], span);
                    lowering.close(pending, expr)
                }
            };
            let same = |lowering: &mut Self, right: &[VarId]| {
                let mut steps = Vec::with_capacity(left.len());
                for (field, (&x, &y)) in left.iter().zip(right).enumerate() {
                    let Some(dictionary) = this.dictionary(number, field) else { continue };
                    let operands = [argument(x, span), argument(y, span)];
                    steps.push(lowering.method(this.class, "compare", dictionary, &operands, span));
                }
                lowering.first_difference(this, steps)
            };
            lowering.for_one(this, b, number, same, otherwise)
        })
    }

    /// The first comparison that is not `EQ`.
    fn first_difference(&mut self, this: Deriving, steps: Vec<ExprId>) -> ExprId {
        let mut steps = steps.into_iter().rev();
        let Some(mut expr) = steps.next() else { return self.ordering(1, this) };
        let Some(equal) = self.constructor_of(KnownType::Ordering, 1) else {
            return self.unknown("Ordering", this.span);
        };
        let equal = self.kernel_constructor(equal);
        for scrutinee in steps {
            let variable = self.fresh();
            let alternative = Alternative { pattern: Pattern::Constructor(equal, List::EMPTY), body: expr };
            let default = self.variable_expr(variable, this.span);
            let alternatives = self.out.add_list(&[alternative]);
            let case = Case { scrutinee, variable, alternatives, default: Some(default), flexible: false };
            expr = self.made(Expr::Case(case), this.span);
        }
        expr
    }

    /// `LT`, `EQ` or `GT`.
    fn ordering(&mut self, tag: usize, this: Deriving) -> ExprId {
        match self.constructor_of(KnownType::Ordering, tag) {
            Some(constructor) => {
                let con = self.kernel_constructor(constructor);
                self.made(Expr::Construct(con, List::EMPTY), this.span)
            }
            None => self.unknown("Ordering", this.span),
        }
    }

    /// A primitive on the tags of two values.
    fn on_tags(&mut self, this: Deriving, operation: &str, a: VarId, b: VarId) -> ExprId {
        let mut pending = Pending::default();
        let tags = [a, b].map(|variable| self.tag_argument(this, variable, &mut pending));
        let expr = self.arithmetic(operation, &tags, this.span);
        self.close(pending, expr)
    }

    pub(super) fn tag_argument(
        &mut self,
        this: Deriving,
        variable: VarId,
        pending: &mut Pending,
    ) -> Argument {
        let tag = self.tag_of(this, variable);
        self.argument_of(tag, pending, this.span)
    }

    /// The number of a value's constructor.
    pub(super) fn tag_of(&mut self, this: Deriving, value: VarId) -> ExprId {
        let function = self.tag_function(this);
        let expr = self.call_atoms(function, &[argument(value, this.span)], this.span);
        self.out.set_span(expr, this.span, true);
        expr
    }

    fn tag_function(&mut self, this: Deriving) -> FunId {
        if let Some(&function) = self.tags.get(&this.of) {
            return function;
        }
        let function = self.part(this, "tag", 1);
        self.out.function_mut(function).parent = None;
        self.tags.insert(this.of, function);
        let value = self.parameter(function, 0);
        let expr = self.for_each(this, value, |lowering, number, _| {
            let number = lowering.number(number as i64, this.span);
            lowering.atom_expr(number, true)
        });
        self.set_body(function, expr);
        function
    }
}
