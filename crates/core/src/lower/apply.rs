//! Applications: heads, operands, and the normal form in which arguments are atoms.

use gadfly_source::Span;
use gadfly_syntax::tree::ExprId as SyntaxId;
use gadfly_typing::interface::{ConstructorId, Entity, Note, Use, ValueId, ValueKind};

use super::known::{KnownValue, primitive};
use super::{Local, Lowering};
use crate::kernel::{Argument, Atom, Binding, ErrorKind, Expr, ExprId, FunId, VarId};

/// An argument before it is an atom.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Syntax(SyntaxId),
    Atom(Argument),
}

/// The head of an application; its arguments come before all others, such as dictionaries.
pub(super) enum Head {
    Function(FunId, Vec<Argument>),
    Constructor(ConstructorId, Vec<Argument>),
    Primitive(ValueId, Vec<Argument>),
    Unknown(Atom, Vec<Argument>),
    /// What an expression evaluates to.
    Value(ExprId, Vec<Argument>),
}

/// Variables to be bound just outside an expression.
#[derive(Default)]
pub(super) struct Pending {
    bindings: Vec<Binding>,
}

impl Pending {
    pub(super) fn bind(&mut self, variable: VarId, value: ExprId) {
        self.bindings.push(Binding { variable, value });
    }
}

impl Lowering<'_> {
    /// An expression with the `let` that it needs.
    pub(super) fn close(&mut self, pending: Pending, expr: ExprId) -> ExprId {
        if pending.bindings.is_empty() {
            return expr;
        }
        let bindings = self.out.add_list(&pending.bindings);
        let span = self.out.span(expr);
        self.made(Expr::Let(bindings, expr), span)
    }

    /// The atom that an expression is; one that is none is bound to a variable.
    pub(super) fn atom_of(&mut self, expr: ExprId, pending: &mut Pending) -> Atom {
        match self.out.expr(expr) {
            Expr::Atom(atom) => atom,
            Expr::Construct(con, arguments) if arguments.is_empty() => Atom::Constructor(con),
            Expr::Call(function, arguments) if arguments.is_empty() && self.out.function(function).shared => {
                Atom::Function(function)
            }
            _ => {
                let variable = self.fresh();
                pending.bind(variable, expr);
                Atom::Variable(variable)
            }
        }
    }

    /// An argument as an atom.
    pub(super) fn argument(&mut self, operand: Operand, pending: &mut Pending) -> Argument {
        match operand {
            Operand::Atom(argument) => argument,
            Operand::Syntax(expr) => {
                let span = self.tree().span(expr);
                let expr = self.expr(expr);
                Argument { atom: self.atom_of(expr, pending), span }
            }
        }
    }

    pub(super) fn argument_list(&mut self, operands: &[Operand], pending: &mut Pending) -> Vec<Argument> {
        operands.iter().map(|&operand| self.argument(operand, pending)).collect()
    }

    /// An atom as an expression.
    pub(super) fn atom_expr(&mut self, argument: Argument, made_up: bool) -> ExprId {
        let expr = match argument.atom {
            Atom::Function(function) if self.out.arity(function) == 0 => {
                Expr::Call(function, crate::kernel::List::EMPTY)
            }
            Atom::Constructor(con) => Expr::Construct(con, crate::kernel::List::EMPTY),
            atom => Expr::Atom(atom),
        };
        self.out.add(expr, argument.span, made_up || self.unwritten)
    }

    /// An operand as an expression.
    pub(super) fn operand_expr(&mut self, operand: Operand) -> ExprId {
        match operand {
            Operand::Atom(argument) => self.atom_expr(argument, false),
            Operand::Syntax(expr) => self.expr(expr),
        }
    }

    /// What the use of a name applies.
    pub(super) fn head(&mut self, named: Use, span: Span, pending: &mut Pending) -> Head {
        let dictionaries = self.notes().dicts(named.dictionaries);
        if let Entity::Value(value) = named.entity
            && let ValueKind::Method { class, index } = self.typed.values[value].kind
            && let [dictionary, own @ ..] = dictionaries
        {
            let own = self.dictionary_arguments(own, span, pending);
            return self.method_head(class, index, *dictionary, own, span, pending);
        }
        let leading = self.dictionary_arguments(dictionaries, span, pending);
        match named.entity {
            Entity::Local(local) => match self.local(local) {
                Local::Variable(variable) => Head::Unknown(Atom::Variable(variable), leading),
                Local::Function(function) => Head::Function(function, leading),
                Local::Unbound => {
                    let name = self.text(self.notes().locals[local].name);
                    Head::Value(self.unknown(name, span), leading)
                }
            },
            Entity::Value(value) => match self.typed.values[value].kind {
                ValueKind::Primitive(_) | ValueKind::External => Head::Primitive(value, leading),
                _ => Head::Function(self.value_function(value), leading),
            },
            Entity::Constructor(constructor) => Head::Constructor(constructor, leading),
            Entity::Unknown => Head::Value(self.unknown("a name", span), leading),
        }
    }

    /// An expression without a meaning: only in a program with errors.
    pub(super) fn unknown(&mut self, what: &str, span: Span) -> ExprId {
        let what = self.out.name(what);
        self.made(Expr::Error(ErrorKind::Unknown, what), span)
    }

    /// An application, or the head alone if there are no operands. It stands at `span`, its head at `at`.
    pub(super) fn apply(
        &mut self,
        head: Head,
        operands: &[Operand],
        span: Span,
        at: Span,
        mut pending: Pending,
    ) -> ExprId {
        let expr = match head {
            Head::Function(function, leading) => {
                self.call(function, leading, operands, span, at, &mut pending)
            }
            Head::Constructor(constructor, leading) => {
                let info = &self.typed.constructors[constructor];
                let arity = info.arity() + info.dictionaries as usize;
                match leading.len() + operands.len() == arity {
                    true => return self.construct(constructor, leading, operands, span, pending),
                    false => {
                        let function = self.constructor_function(constructor);
                        self.call(function, leading, operands, span, at, &mut pending)
                    }
                }
            }
            Head::Primitive(value, leading) => match self.primitive_of(value) {
                Some((entity, arity)) if arity > 0 && leading.len() + operands.len() >= arity => {
                    return self.primitive_application(entity, arity, leading, operands, span, at, pending);
                }
                _ => {
                    let function = self.value_function(value);
                    self.call(function, leading, operands, span, at, &mut pending)
                }
            },
            Head::Unknown(atom, mut leading) => {
                leading.extend(self.argument_list(operands, &mut pending));
                self.apply_atom(atom, &leading, span)
            }
            Head::Value(expr, mut leading) => {
                leading.extend(self.argument_list(operands, &mut pending));
                self.apply_value(expr, &leading, span)
            }
        };
        self.close(pending, expr)
    }

    fn apply_atom(&mut self, atom: Atom, arguments: &[Argument], span: Span) -> ExprId {
        match (atom, arguments) {
            (atom, []) => self.atom_expr(Argument { atom, span }, false),
            (Atom::Variable(_), _) => {
                let arguments = self.out.add_list(arguments);
                self.written(Expr::Apply(atom, arguments), span)
            }
            _ => {
                let head = self.atom_expr(Argument { atom, span }, true);
                self.apply_value(head, arguments, span)
            }
        }
    }

    /// Applies what an expression evaluates to.
    pub(super) fn apply_value(&mut self, head: ExprId, arguments: &[Argument], span: Span) -> ExprId {
        if arguments.is_empty() {
            return head;
        }
        let at = self.out.span(head);
        match self.out.expr(head) {
            Expr::Atom(atom @ Atom::Variable(_)) => return self.apply_atom(atom, arguments, span),
            Expr::Atom(Atom::Function(function)) => {
                return self.call_atoms_at(function, arguments, span, at);
            }
            Expr::Partial(function, given) => {
                let all = [self.out.list(given), arguments].concat();
                return self.call_atoms_at(function, &all, span, at);
            }
            _ => {}
        }
        let function = self.fresh();
        let arguments = self.out.add_list(arguments);
        let then = self.written(Expr::Apply(Atom::Variable(function), arguments), span);
        self.force(head, Some(function), then, span)
    }

    fn call(
        &mut self,
        function: FunId,
        leading: Vec<Argument>,
        operands: &[Operand],
        span: Span,
        at: Span,
        pending: &mut Pending,
    ) -> ExprId {
        let mut arguments = leading;
        arguments.extend(self.argument_list(operands, pending));
        self.call_atoms_at(function, &arguments, span, at)
    }

    /// A known function applied to any number of atoms.
    pub(super) fn call_atoms(&mut self, function: FunId, arguments: &[Argument], span: Span) -> ExprId {
        self.call_atoms_at(function, arguments, span, span)
    }

    /// Likewise; the function's name stands at `at`. If the function takes fewer arguments than there are, the call
    /// stands where the name and these stand.
    fn call_atoms_at(&mut self, function: FunId, arguments: &[Argument], span: Span, at: Span) -> ExprId {
        let arity = self.out.arity(function);
        if arguments.len() < arity {
            if arguments.is_empty() {
                return self.written(Expr::Atom(Atom::Function(function)), span);
            }
            let arguments = self.out.add_list(arguments);
            return self.written(Expr::Partial(function, arguments), span);
        }
        let (now, later) = arguments.split_at(arity);
        let here = if later.is_empty() { span } else { around(at, now) };
        let now = self.out.add_list(now);
        let call = self.written(Expr::Call(function, now), here);
        self.apply_value(call, later, span)
    }

    #[allow(clippy::too_many_arguments, reason = "each is another part of the application")]
    fn primitive_application(
        &mut self,
        entity: &str,
        arity: usize,
        leading: Vec<Argument>,
        operands: &[Operand],
        span: Span,
        at: Span,
        mut pending: Pending,
    ) -> ExprId {
        let now = arity.saturating_sub(leading.len());
        if let (primitive::SEQ, 0, [first, second]) = (entity, leading.len(), operands) {
            let scrutinee = self.operand_expr(*first);
            let then = self.operand_expr(*second);
            let expr = self.force(scrutinee, None, then, span);
            return self.close(pending, expr);
        }
        let (operands, rest) = operands.split_at(now.min(operands.len()));
        let mut arguments = leading;
        arguments.extend(self.argument_list(operands, &mut pending));
        let here = if rest.is_empty() { span } else { around(at, &arguments) };
        let call = self.primitive_call(entity, &arguments, here);
        let rest = self.argument_list(rest, &mut pending);
        let expr = self.apply_value(call, &rest, span);
        self.close(pending, expr)
    }

    /// A constructor with all its arguments: strict ones are evaluated before, in order.
    pub(super) fn construct(
        &mut self,
        constructor: ConstructorId,
        leading: Vec<Argument>,
        operands: &[Operand],
        span: Span,
        mut pending: Pending,
    ) -> ExprId {
        if let (true, [operand]) = (self.is_newtype(constructor), operands) {
            let expr = self.operand_expr(*operand);
            return self.close(pending, expr);
        }
        let con = self.kernel_constructor(constructor);
        let fields = &self.typed.constructors[constructor].fields;
        let mut forced = Vec::new();
        let mut arguments = leading;
        for (&operand, field) in operands.iter().zip(fields) {
            if !field.strict {
                let argument = self.argument(operand, &mut pending);
                arguments.push(argument);
                continue;
            }
            let expr = self.operand_expr(operand);
            let at = self.out.span(expr);
            let atom = match self.out.expr(expr) {
                Expr::Atom(atom @ (Atom::Literal(_) | Atom::Function(_))) => atom,
                Expr::Construct(con, arguments) if arguments.is_empty() => Atom::Constructor(con),
                _ => {
                    let variable = self.fresh();
                    forced.push((variable, expr));
                    Atom::Variable(variable)
                }
            };
            arguments.push(Argument { atom, span: at });
        }
        let arguments = self.out.add_list(&arguments);
        let mut expr = self.written(Expr::Construct(con, arguments), span);
        for (variable, scrutinee) in forced.into_iter().rev() {
            expr = self.force(scrutinee, Some(variable), expr, span);
        }
        self.close(pending, expr)
    }

    /// A constructor with all its arguments as atoms.
    pub(super) fn construct_atoms(
        &mut self,
        constructor: ConstructorId,
        arguments: &[Argument],
        span: Span,
    ) -> ExprId {
        let dictionaries = self.typed.constructors[constructor].dictionaries as usize;
        let (leading, fields) = arguments.split_at(dictionaries.min(arguments.len()));
        let operands: Vec<Operand> = fields.iter().map(|&field| Operand::Atom(field)).collect();
        self.construct(constructor, leading.to_vec(), &operands, span, Pending::default())
    }

    /// The application of an expression of the source to operands.
    pub(super) fn application(&mut self, function: SyntaxId, operands: &[Operand], span: Span) -> ExprId {
        use gadfly_syntax::tree::Expr as Syntax;
        let tree = self.tree();
        let mut head = function;
        loop {
            if !self.notes().abstraction(head).is_empty() {
                break;
            }
            match *tree.get(head) {
                Syntax::Paren(inner) | Syntax::ApplyType { function: inner, .. } => head = inner,
                _ => break,
            }
        }
        match *tree.get(head) {
            Syntax::Var(_) | Syntax::Con(_) if self.notes().abstraction(head).is_empty() => {
                if let Note::Use(named) = self.notes().expr(head) {
                    return self.use_applied(named, operands, span, tree.span(head));
                }
                self.unknown("a name", span)
            }
            Syntax::Apply { function, arguments } if self.notes().abstraction(head).is_empty() => {
                let mut all: Vec<Operand> =
                    tree.list(arguments).iter().map(|&one| Operand::Syntax(one)).collect();
                all.extend_from_slice(operands);
                self.application(function, &all, span)
            }
            _ => {
                let mut pending = Pending::default();
                let arguments = self.argument_list(operands, &mut pending);
                let head = self.expr(head);
                let expr = self.apply_value(head, &arguments, span);
                self.close(pending, expr)
            }
        }
    }

    /// A name applied to operands; it stands at `at`, the application at `span`.
    pub(super) fn use_applied(&mut self, named: Use, operands: &[Operand], span: Span, at: Span) -> ExprId {
        if let (Entity::Value(value), [function, rest @ ..]) = (named.entity, operands)
            && self.known.is(value, KnownValue::Dollar)
            && !rest.is_empty()
        {
            return match *function {
                Operand::Syntax(function) => self.application(function, rest, span),
                Operand::Atom(argument) => {
                    let mut pending = Pending::default();
                    let rest = self.argument_list(rest, &mut pending);
                    let expr = self.apply_atom(argument.atom, &rest, span);
                    self.close(pending, expr)
                }
            };
        }
        let mut pending = Pending::default();
        let head = self.head(named, at, &mut pending);
        self.apply(head, operands, span, at, pending)
    }
}

/// Where a function's name at `at` and its arguments stand.
fn around(at: Span, arguments: &[Argument]) -> Span {
    arguments.iter().fold(at, |span, argument| span.to(argument.span))
}
