//! `Ix`: of enumerations by their tags, of single constructors field by field.

use gadfly_typing::builtin;

use super::{Deriving, argument};
use crate::kernel::{Alternative, Argument, ExprId, VarId};
use crate::lower::Lowering;
use crate::lower::apply::Pending;
use crate::lower::statement::Tail;

impl Lowering<'_> {
    /// Takes a pair apart.
    fn of_pair(
        &mut self,
        this: Deriving,
        pair: VarId,
        make: impl FnOnce(&mut Self, VarId, VarId) -> ExprId,
    ) -> ExprId {
        let (pattern, fields) = self.fields_of(builtin::tuple_constructor(2));
        let body = make(self, fields[0], fields[1]);
        let scrutinee = self.variable_expr(pair, this.span);
        self.case(scrutinee, vec![Alternative { pattern, body }], None, this.span)
    }

    /// Takes the only constructor of a type apart.
    fn of_single(
        &mut self,
        this: Deriving,
        value: VarId,
        make: impl FnOnce(&mut Self, &[VarId]) -> ExprId,
    ) -> ExprId {
        let otherwise = self.unknown("a constructor", this.span);
        self.for_one(this, value, 0, make, otherwise)
    }

    fn pair(&mut self, low: VarId, high: VarId, this: Deriving, pending: &mut Pending) -> Argument {
        let arguments = [argument(low, this.span), argument(high, this.span)];
        let pair = self.construct_atoms(builtin::tuple_constructor(2), &arguments, this.span);
        self.argument_of(pair, pending, this.span)
    }

    pub(super) fn derived_range(&mut self, this: Deriving, bounds: VarId) -> ExprId {
        let span = this.span;
        let enumeration = self.is_enumeration(this.of);
        self.of_pair(this, bounds, |lowering, low, high| {
            if enumeration {
                let mut pending = Pending::default();
                let low = lowering.tag_argument(this, low, &mut pending);
                let high = lowering.tag_argument(this, high, &mut pending);
                let step = lowering.number(1, span);
                let expr = lowering.values_of_tags(this, low, step, high);
                return lowering.close(pending, expr);
            }
            lowering.of_single(this, low, |lowering, lows| {
                let lows = lows.to_vec();
                lowering.of_single(this, high, |lowering, highs| lowering.product_range(this, &lows, highs))
            })
        })
    }

    /// All combinations of the fields' ranges, the last field fastest.
    fn product_range(&mut self, this: Deriving, lows: &[VarId], highs: &[VarId]) -> ExprId {
        let span = this.span;
        let outside = self.function;
        let whole = self.hole(span);
        let mut hole = whole;
        let mut tail = Tail::Nothing;
        let mut elements = Vec::new();
        let mut loops = Vec::new();
        for (field, (&low, &high)) in lows.iter().zip(highs).enumerate() {
            let Some(dictionary) = this.dictionary(0, field) else { continue };
            let mut pending = Pending::default();
            let bounds = self.pair(low, high, this, &mut pending);
            let range = self.method(this.class, "range", dictionary, &[bounds], span);
            let range = self.argument_of(range, &mut pending, span);
            let function = self.part(this, "each", 1);
            let call = self.call_atoms(function, &[range], span);
            let call = self.close(pending, call);
            self.fill(hole, call);
            loops.push(function);
            self.function = function;
            let (element, (found, rest)) = self.each(function, tail, span);
            elements.push(argument(element, span));
            tail = Tail::Loop(function, rest, span);
            hole = found;
        }
        let mut pending = Pending::default();
        let constructor = self.constructors_of(this.of)[0];
        let head = self.construct_atoms(constructor, &elements, span);
        let head = self.argument_of(head, &mut pending, span);
        let rest = self.tail(tail, span);
        let rest = self.argument_of(rest, &mut pending, span);
        let cell = self.cons(head, rest, span);
        let cell = self.close(pending, cell);
        self.fill(hole, cell);
        self.function = outside;
        for function in loops {
            self.tidy(self.out.function(function).body);
        }
        whole
    }

    pub(super) fn derived_in_range(&mut self, this: Deriving, bounds: VarId, value: VarId) -> ExprId {
        let span = this.span;
        let enumeration = self.is_enumeration(this.of);
        self.of_pair(this, bounds, |lowering, low, high| {
            if enumeration {
                return lowering.tag_in_range(this, low, high, value);
            }
            lowering.of_single(this, low, |lowering, lows| {
                let lows = lows.to_vec();
                lowering.of_single(this, high, |lowering, highs| {
                    let highs = highs.to_vec();
                    lowering.of_single(this, value, |lowering, values| {
                        let mut conditions = Vec::new();
                        for (field, &value) in values.iter().enumerate() {
                            let Some(dictionary) = this.dictionary(0, field) else { continue };
                            let mut pending = Pending::default();
                            let bounds = lowering.pair(lows[field], highs[field], this, &mut pending);
                            let operands = [bounds, argument(value, span)];
                            let expr = lowering.method(this.class, "inRange", dictionary, &operands, span);
                            conditions.push(lowering.close(pending, expr));
                        }
                        lowering.all_of(conditions, span)
                    })
                })
            })
        })
    }

    fn tag_in_range(&mut self, this: Deriving, low: VarId, high: VarId, value: VarId) -> ExprId {
        let mut pending = Pending::default();
        let [low, high, value] =
            [low, high, value].map(|variable| self.tag_argument(this, variable, &mut pending));
        let above = self.arithmetic("Le", &[low, value], this.span);
        let below = self.arithmetic("Le", &[value, high], this.span);
        let expr = self.all_of(vec![above, below], this.span);
        self.close(pending, expr)
    }

    pub(super) fn derived_index(&mut self, this: Deriving, bounds: VarId, value: VarId) -> ExprId {
        let span = this.span;
        let enumeration = self.is_enumeration(this.of);
        self.of_pair(this, bounds, |lowering, low, high| {
            if enumeration {
                let inside = lowering.tag_in_range(this, low, high, value);
                let mut pending = Pending::default();
                let low = lowering.tag_argument(this, low, &mut pending);
                let value = lowering.tag_argument(this, value, &mut pending);
                let index = lowering.arithmetic("Sub", &[value, low], span);
                let index = lowering.close(pending, index);
                let error = lowering.derived_error("Error in array index", span);
                return lowering.choose(inside, index, error, span);
            }
            lowering.of_single(this, low, |lowering, lows| {
                let lows = lows.to_vec();
                lowering.of_single(this, high, |lowering, highs| {
                    let highs = highs.to_vec();
                    lowering.of_single(this, value, |lowering, values| {
                        lowering.product_index(this, &lows, &highs, values)
                    })
                })
            })
        })
    }

    fn product_index(&mut self, this: Deriving, lows: &[VarId], highs: &[VarId], values: &[VarId]) -> ExprId {
        let span = this.span;
        let mut pending = Pending::default();
        let mut sum: Option<Argument> = None;
        for (field, &value) in values.iter().enumerate() {
            let Some(dictionary) = this.dictionary(0, field) else { continue };
            let bounds = self.pair(lows[field], highs[field], this, &mut pending);
            let index = self.method(this.class, "index", dictionary, &[bounds, argument(value, span)], span);
            let index = self.argument_of(index, &mut pending, span);
            sum = Some(match sum {
                None => index,
                Some(before) => {
                    let size = self.method(this.class, "rangeSize", dictionary, &[bounds], span);
                    let size = self.argument_of(size, &mut pending, span);
                    let product = self.arithmetic("Mul", &[before, size], span);
                    let product = self.argument_of(product, &mut pending, span);
                    let total = self.arithmetic("Add", &[product, index], span);
                    self.argument_of(total, &mut pending, span)
                }
            });
        }
        let zero = self.number(0, span);
        let expr = self.atom_expr(sum.unwrap_or(zero), true);
        self.close(pending, expr)
    }
}
