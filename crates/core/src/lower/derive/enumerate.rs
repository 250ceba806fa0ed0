//! `Enum`, `Bounded`, and the generator of Curry's `Data`.

use gadfly_typing::builtin;

use super::{Deriving, argument};
use crate::kernel::{Alternative, Argument, Atom, Expr, ExprId, FunId, List, Pattern, VarId};
use crate::lower::Lowering;
use crate::lower::apply::Pending;

impl Lowering<'_> {
    fn enum_error(&mut self, this: Deriving, method: &str) -> ExprId {
        let of = self.text(self.typed.type_constructors[this.of].name);
        let message = format!("Prelude.Enum.{of}.{method}: bad argument");
        self.derived_error(&message, this.span)
    }

    /// `succ` or `pred`.
    pub(super) fn derived_next(&mut self, this: Deriving, value: VarId, up: bool) -> ExprId {
        let constructors = self.constructors_of(this.of);
        self.for_each(this, value, |lowering, number, _| {
            let next = if up { number.checked_add(1) } else { number.checked_sub(1) };
            match next.and_then(|next| constructors.get(next)) {
                Some(&next) => lowering.construct_atoms(next, &[], this.span),
                None => lowering.enum_error(this, if up { "succ" } else { "pred" }),
            }
        })
    }

    pub(super) fn derived_to_enum(&mut self, this: Deriving, number: VarId) -> ExprId {
        let mut alternatives = Vec::new();
        for (tag, &constructor) in self.constructors_of(this.of).iter().enumerate() {
            let Atom::Literal(literal) = self.number(tag as i64, this.span).atom else { continue };
            let body = self.construct_atoms(constructor, &[], this.span);
            alternatives.push(Alternative { pattern: Pattern::Literal(literal), body });
        }
        let otherwise = self.enum_error(this, "toEnum");
        let scrutinee = self.variable_expr(number, this.span);
        self.case(scrutinee, alternatives, Some(otherwise), this.span)
    }

    /// `toEnum`, as a part of other methods.
    pub(super) fn tag_value(&mut self, this: Deriving) -> FunId {
        let function = self.part(this, "value", 1);
        let number = self.parameter(function, 0);
        let expr = self.derived_to_enum(this, number);
        self.set_body(function, expr);
        function
    }

    pub(super) fn derived_enum_from(&mut self, this: Deriving, from: VarId) -> ExprId {
        let mut pending = Pending::default();
        let from = self.tag_argument(this, from, &mut pending);
        let last = self.constructors_of(this.of).len() as i64 - 1;
        let (step, last) = (self.number(1, this.span), self.number(last, this.span));
        let expr = self.values_of_tags(this, from, step, last);
        self.close(pending, expr)
    }

    pub(super) fn derived_enum_from_then(&mut self, this: Deriving, from: VarId, then: VarId) -> ExprId {
        let span = this.span;
        let mut pending = Pending::default();
        let from = self.tag_argument(this, from, &mut pending);
        let then = self.tag_argument(this, then, &mut pending);
        let step = self.arithmetic("Sub", &[then, from], span);
        let step = self.argument_of(step, &mut pending, span);
        let up = self.arithmetic("Le", &[from, then], span);
        let highest = self.number(self.constructors_of(this.of).len() as i64 - 1, span);
        let lowest = self.number(0, span);
        let (highest, lowest) = (self.atom_expr(highest, true), self.atom_expr(lowest, true));
        let last = self.choose(up, highest, lowest, span);
        let last = self.argument_of(last, &mut pending, span);
        let expr = self.values_of_tags(this, from, step, last);
        self.close(pending, expr)
    }

    /// The values of the tags from one on, with a step, to a last one.
    pub(super) fn values_of_tags(
        &mut self,
        this: Deriving,
        from: Argument,
        step: Argument,
        last: Argument,
    ) -> ExprId {
        let span = this.span;
        let value = self.tag_value(this);
        let function = self.part(this, "tags", 3);
        let [now, by, end] = [0, 1, 2].map(|at| argument(self.parameter(function, at), span));
        let zero = self.number(0, span);
        let upwards = self.arithmetic("Le", &[zero, by], span);
        let below = self.arithmetic("Le", &[now, end], span);
        let above = self.arithmetic("Le", &[end, now], span);
        let inside = self.choose(upwards, below, above, span);
        let mut pending = Pending::default();
        let head = self.call_atoms(value, &[now], span);
        let head = self.argument_of(head, &mut pending, span);
        let next = self.arithmetic("Add", &[now, by], span);
        let next = self.argument_of(next, &mut pending, span);
        let tail = self.call_atoms(function, &[next, by, end], span);
        let tail = self.argument_of(tail, &mut pending, span);
        let more = self.cons(head, tail, span);
        let more = self.close(pending, more);
        let nil = self.kernel_constructor(builtin::NIL);
        let done = self.made(Expr::Construct(nil, List::EMPTY), span);
        let expr = self.choose(inside, more, done, span);
        self.set_body(function, expr);
        self.call_atoms(function, &[from, step, last], span)
    }

    /// `minBound` or `maxBound`.
    pub(super) fn derived_bound(&mut self, this: Deriving, name: &str) -> ExprId {
        let constructors = self.constructors_of(this.of);
        let number = if name == "minBound" { 0 } else { constructors.len().saturating_sub(1) };
        match constructors.get(number) {
            Some(_) => self.made_of(this, number, name),
            None => self.derived_error(name, this.span),
        }
    }

    /// A constructor whose fields are all the value of a method without arguments.
    fn made_of(&mut self, this: Deriving, number: usize, method: &str) -> ExprId {
        let constructor = self.constructors_of(this.of)[number];
        let mut pending = Pending::default();
        let mut arguments = Vec::new();
        for field in 0..self.typed.constructors[constructor].arity() {
            let value = match this.dictionary(number, field) {
                Some(dictionary) => self.method(this.class, method, dictionary, &[], this.span),
                None => self.unknown(method, this.span),
            };
            arguments.push(self.argument_of(value, &mut pending, this.span));
        }
        let expr = self.construct_atoms(constructor, &arguments, this.span);
        self.close(pending, expr)
    }

    /// Curry's `aValue`: any of the type's values.
    pub(super) fn derived_value(&mut self, this: Deriving) -> ExprId {
        let count = self.constructors_of(this.of).len();
        let values: Vec<ExprId> = (0..count).map(|number| self.made_of(this, number, "aValue")).collect();
        match values.as_slice() {
            [] => self.made(Expr::Failure, this.span),
            [one] => *one,
            all => {
                let all = self.out.add_list(all);
                self.made(Expr::Or(all), this.span)
            }
        }
    }
}
