//! `Functor`, `Foldable` and `Traversable`: along the last parameter of the type.

use gadfly_typing::KnownClass;
use gadfly_typing::builtin;
use gadfly_typing::interface::{ConstructorId, Derived, DictId, Shape};

use super::{Deriving, argument};
use crate::kernel::{Alternative, Argument, Atom, Expr, ExprId, VarId};
use crate::lower::Lowering;
use crate::lower::apply::{Operand, Pending};

impl<'a> Deriving<'a> {
    fn shape(&self, constructor: usize, field: usize) -> &'a Shape {
        match self.derived {
            Derived::Mapping { fields, .. } => {
                fields.get(constructor).and_then(|shapes| shapes.get(field)).unwrap_or(&Shape::Constant)
            }
            _ => &Shape::Constant,
        }
    }
}

impl Lowering<'_> {
    fn apply_variable(&mut self, function: VarId, arguments: &[Argument], this: Deriving) -> ExprId {
        let arguments = self.out.add_list(arguments);
        self.made(Expr::Apply(Atom::Variable(function), arguments), this.span)
    }

    pub(super) fn derived_fmap(&mut self, this: Deriving, change: VarId, value: VarId) -> ExprId {
        self.for_each(this, value, |lowering, number, fields| {
            let mut pending = Pending::default();
            let mut arguments = Vec::with_capacity(fields.len());
            for (field, &variable) in fields.iter().enumerate() {
                let changed = lowering.mapped(this, this.shape(number, field), change, variable);
                arguments.push(lowering.argument_of(changed, &mut pending, this.span));
            }
            let constructor = lowering.constructors_of(this.of)[number];
            lowering.rebuilt(constructor, &arguments, this, pending)
        })
    }

    fn rebuilt(
        &mut self,
        constructor: ConstructorId,
        arguments: &[Argument],
        this: Deriving,
        pending: Pending,
    ) -> ExprId {
        let expr = self.construct_atoms(constructor, arguments, this.span);
        self.close(pending, expr)
    }

    /// A value with a function applied wherever its shape has the parameter.
    fn mapped(&mut self, this: Deriving, shape: &Shape, change: VarId, value: VarId) -> ExprId {
        let span = this.span;
        match shape {
            Shape::Constant => self.variable_expr(value, span),
            Shape::Parameter => self.apply_variable(change, &[argument(value, span)], this),
            Shape::Function(from, to) => {
                let function = self.part(this, "mapped", 1);
                let given = self.parameter(function, 0);
                let body = self.inside(function, |lowering| {
                    let mut pending = Pending::default();
                    let given = lowering.mapped(this, from, change, given);
                    let given = lowering.argument_of(given, &mut pending, span);
                    let result = lowering.apply_variable(value, &[given], this);
                    let variable = lowering.fresh();
                    pending.bind(variable, result);
                    let changed = lowering.mapped(this, to, change, variable);
                    lowering.close(pending, changed)
                });
                self.set_body(function, body);
                self.made(Expr::Atom(Atom::Function(function)), span)
            }
            Shape::Tuple(shapes) => self.of_tuple(this, shapes, value, |lowering, fields| {
                let mut pending = Pending::default();
                let mut arguments = Vec::with_capacity(fields.len());
                for (shape, &field) in shapes.iter().zip(fields) {
                    let changed = lowering.mapped(this, shape, change, field);
                    arguments.push(lowering.argument_of(changed, &mut pending, span));
                }
                lowering.rebuilt(builtin::tuple_constructor(arguments.len()), &arguments, this, pending)
            }),
            Shape::Inside(dictionary, shape) => {
                let function = match **shape {
                    Shape::Parameter => Atom::Variable(change),
                    _ => {
                        let function = self.part(this, "mapped", 1);
                        let element = self.parameter(function, 0);
                        let body =
                            self.inside(function, |lowering| lowering.mapped(this, shape, change, element));
                        self.set_body(function, body);
                        Atom::Function(function)
                    }
                };
                let operands = [Argument { atom: function, span }, argument(value, span)];
                self.method(this.class, "fmap", *dictionary, &operands, span)
            }
        }
    }

    fn of_tuple(
        &mut self,
        this: Deriving,
        shapes: &[Shape],
        value: VarId,
        make: impl FnOnce(&mut Self, &[VarId]) -> ExprId,
    ) -> ExprId {
        let (pattern, fields) = self.fields_of(builtin::tuple_constructor(shapes.len()));
        let body = make(self, &fields);
        let scrutinee = self.variable_expr(value, this.span);
        self.case(scrutinee, vec![Alternative { pattern, body }], None, this.span)
    }

    pub(super) fn derived_foldr(
        &mut self,
        this: Deriving,
        step: VarId,
        start: VarId,
        value: VarId,
    ) -> ExprId {
        self.for_each(this, value, |lowering, number, fields| {
            let shapes: Vec<&Shape> = (0..fields.len()).map(|field| this.shape(number, field)).collect();
            lowering.folded_fields(this, &shapes, fields, step, start)
        })
    }

    /// Fields folded from the right.
    fn folded_fields(
        &mut self,
        this: Deriving,
        shapes: &[&Shape],
        fields: &[VarId],
        step: VarId,
        start: VarId,
    ) -> ExprId {
        let mut pending = Pending::default();
        let mut expr = self.variable_expr(start, this.span);
        for (shape, &field) in shapes.iter().zip(fields).rev() {
            if matches!(shape, Shape::Constant) {
                continue;
            }
            let variable = match self.out.expr(expr) {
                Expr::Atom(Atom::Variable(variable)) => variable,
                _ => {
                    let variable = self.fresh();
                    pending.bind(variable, expr);
                    variable
                }
            };
            expr = self.folded(this, shape, step, field, variable);
        }
        self.close(pending, expr)
    }

    fn folded(&mut self, this: Deriving, shape: &Shape, step: VarId, value: VarId, rest: VarId) -> ExprId {
        let span = this.span;
        match shape {
            Shape::Constant | Shape::Function(..) => self.variable_expr(rest, span),
            Shape::Parameter => {
                self.apply_variable(step, &[argument(value, span), argument(rest, span)], this)
            }
            Shape::Tuple(shapes) => self.of_tuple(this, shapes, value, |lowering, fields| {
                let shapes: Vec<&Shape> = shapes.iter().collect();
                lowering.folded_fields(this, &shapes, fields, step, rest)
            }),
            Shape::Inside(dictionary, shape) => {
                let function = match **shape {
                    Shape::Parameter => Atom::Variable(step),
                    _ => {
                        let function = self.part(this, "folded", 2);
                        let [element, after] = [0, 1].map(|at| self.parameter(function, at));
                        let body = self
                            .inside(function, |lowering| lowering.folded(this, shape, step, element, after));
                        self.set_body(function, body);
                        Atom::Function(function)
                    }
                };
                let operands =
                    [Argument { atom: function, span }, argument(rest, span), argument(value, span)];
                self.method(this.class, "foldr", *dictionary, &operands, span)
            }
        }
    }

    pub(super) fn derived_traverse(
        &mut self,
        this: Deriving,
        applicative: VarId,
        action: VarId,
        value: VarId,
    ) -> ExprId {
        self.for_each(this, value, |lowering, number, fields| {
            let shapes: Vec<&Shape> = (0..fields.len()).map(|field| this.shape(number, field)).collect();
            let constructor = lowering.constructors_of(this.of)[number];
            lowering.traversed_fields(this, &shapes, fields, constructor, applicative, action)
        })
    }

    /// `pure build <*> action field <*> …`, for the fields that have the parameter inside.
    fn traversed_fields(
        &mut self,
        this: Deriving,
        shapes: &[&Shape],
        fields: &[VarId],
        constructor: ConstructorId,
        applicative: VarId,
        action: VarId,
    ) -> ExprId {
        let span = this.span;
        let active: Vec<usize> =
            (0..fields.len()).filter(|&field| !matches!(shapes[field], Shape::Constant)).collect();
        let mut pending = Pending::default();
        let built = match active.is_empty() {
            true => {
                let arguments: Vec<Argument> = fields.iter().map(|&field| argument(field, span)).collect();
                self.construct_atoms(constructor, &arguments, span)
            }
            false => {
                let function = self.part(this, "built", active.len());
                let mut arguments: Vec<Argument> =
                    fields.iter().map(|&field| argument(field, span)).collect();
                for (at, &field) in active.iter().enumerate() {
                    arguments[field] = argument(self.parameter(function, at), span);
                }
                let body =
                    self.inside(function, |lowering| lowering.construct_atoms(constructor, &arguments, span));
                self.set_body(function, body);
                self.made(Expr::Atom(Atom::Function(function)), span)
            }
        };
        let built = self.argument_of(built, &mut pending, span);
        let mut expr = self.applicative(this, "pure", applicative, &[built]);
        for &field in &active {
            let before = self.argument_of(expr, &mut pending, span);
            let one = self.traversed(this, shapes[field], applicative, action, fields[field]);
            let one = self.argument_of(one, &mut pending, span);
            expr = self.applicative(this, "<*>", applicative, &[before, one]);
        }
        self.close(pending, expr)
    }

    fn traversed(
        &mut self,
        this: Deriving,
        shape: &Shape,
        applicative: VarId,
        action: VarId,
        value: VarId,
    ) -> ExprId {
        let span = this.span;
        match shape {
            Shape::Constant | Shape::Function(..) => {
                self.applicative(this, "pure", applicative, &[argument(value, span)])
            }
            Shape::Parameter => self.apply_variable(action, &[argument(value, span)], this),
            Shape::Tuple(shapes) => self.of_tuple(this, shapes, value, |lowering, fields| {
                let constructor = builtin::tuple_constructor(shapes.len());
                let shapes: Vec<&Shape> = shapes.iter().collect();
                lowering.traversed_fields(this, &shapes, fields, constructor, applicative, action)
            }),
            Shape::Inside(dictionary, shape) => {
                let function = match **shape {
                    Shape::Parameter => Atom::Variable(action),
                    _ => {
                        let function = self.part(this, "traversed", 1);
                        let element = self.parameter(function, 0);
                        let body = self.inside(function, |lowering| {
                            lowering.traversed(this, shape, applicative, action, element)
                        });
                        self.set_body(function, body);
                        Atom::Function(function)
                    }
                };
                let operands = [Argument { atom: function, span }, argument(value, span)];
                self.traverse_call(this, *dictionary, applicative, &operands)
            }
        }
    }

    fn traverse_call(
        &mut self,
        this: Deriving,
        dictionary: DictId,
        applicative: VarId,
        operands: &[Argument],
    ) -> ExprId {
        let Some(index) = self.index_of(this.class, "traverse") else {
            return self.unknown("traverse", this.span);
        };
        let mut pending = Pending::default();
        let own = vec![argument(applicative, this.span)];
        let head = self.method_head(this.class, index, dictionary, own, this.span, &mut pending);
        let operands: Vec<Operand> = operands.iter().map(|&operand| Operand::Atom(operand)).collect();
        self.apply(head, &operands, this.span, this.span, pending)
    }

    /// A method of the applicative functor that `traverse` is given.
    fn applicative(
        &mut self,
        this: Deriving,
        name: &str,
        dictionary: VarId,
        operands: &[Argument],
    ) -> ExprId {
        let (Some(class), Some(index)) = (
            self.typed.known.class(KnownClass::Applicative),
            self.method_index(KnownClass::Applicative, name),
        ) else {
            return self.unknown(name, this.span);
        };
        let head = self.method_of_atom(class, index, Atom::Variable(dictionary), Vec::new(), this.span);
        let operands: Vec<Operand> = operands.iter().map(|&operand| Operand::Atom(operand)).collect();
        self.apply(head, &operands, this.span, this.span, Pending::default())
    }
}
