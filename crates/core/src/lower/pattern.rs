//! Patterns, one layer at a time.
//!
//! A [`PatRef`] names a pattern or a part of one that has no node of its own: the rest of a list or of a chain of
//! operators, of a string. [`Lowering::layer`] says what its outermost layer is. So matching sees lists and
//! strings as constructors, without expanding them.

use gadfly_source::Span;
use gadfly_syntax::tree::{
    Associativity, ExprId as SyntaxId, Literal as SyntaxLiteral, NameId, Pat, PatId, PatItem,
};
use gadfly_typing::builtin;
use gadfly_typing::interface::{
    ConstructorId, DictId, DictVars, Entity, LocalId, NameNote, PatNote, Use, ValueId, ValueKind,
};

use super::Lowering;
use crate::kernel::Literal;

/// A pattern or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatRef {
    Wildcard,
    Pat(PatId),
    /// The elements of a list pattern from a number on.
    Elements(PatId, u32),
    /// The operands of a right-associative chain from a number on.
    Right(PatId, u32),
    /// Those of a left-associative chain up to a number.
    Left(PatId, u32),
    /// The characters of a string from a number on.
    Characters(PatId, u32),
    /// One of them.
    Character(PatId, u32),
    Local(LocalId),
}

/// The outermost layer of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Layer {
    Wildcard,
    Local(LocalId),
    /// A variable at the top of a module.
    Value(ValueId),
    As(Option<LocalId>, Option<ValueId>, PatRef),
    Constructor(ConstructorId, DictVars, Vec<PatRef>),
    /// A literal of a type whose literals the kernel knows.
    Literal(Literal),
    /// A literal of another type: compared with `==`.
    Overloaded {
        pattern: PatId,
        equality: Option<DictId>,
    },
    Lazy(PatRef),
    Bang(PatRef),
    View(SyntaxId, PatRef),
    /// A function in a pattern (Curry).
    Functional(FunctionalPattern),
    Missing,
}

/// A function in a pattern (Curry), with its arguments.
#[derive(Clone, Debug)]
pub(super) struct FunctionalPattern {
    pub(super) function: Use,
    pub(super) arguments: Vec<PatRef>,
}

impl Lowering<'_> {
    pub(super) fn layer(&self, pattern: PatRef) -> Layer {
        let tree = self.tree();
        match pattern {
            PatRef::Wildcard => Layer::Wildcard,
            PatRef::Local(local) => Layer::Local(local),
            PatRef::Pat(pattern) => self.pat_layer(pattern),
            PatRef::Elements(pattern, from) => match tree.get(pattern) {
                Pat::List(elements) => match tree.list(*elements).get(from as usize) {
                    Some(&element) => Layer::Constructor(
                        builtin::CONS,
                        DictVars::EMPTY,
                        vec![PatRef::Pat(element), PatRef::Elements(pattern, from + 1)],
                    ),
                    None => Layer::Constructor(builtin::NIL, DictVars::EMPTY, Vec::new()),
                },
                _ => Layer::Missing,
            },
            PatRef::Characters(pattern, from) => match self.code(pattern, from) {
                Some(_) => Layer::Constructor(
                    builtin::CONS,
                    DictVars::EMPTY,
                    vec![PatRef::Character(pattern, from), PatRef::Characters(pattern, from + 1)],
                ),
                None => Layer::Constructor(builtin::NIL, DictVars::EMPTY, Vec::new()),
            },
            PatRef::Character(pattern, at) => match self.code(pattern, at) {
                Some(code) => Layer::Literal(Literal::Char(code)),
                None => Layer::Missing,
            },
            PatRef::Right(pattern, from) => {
                let items = self.chain(pattern);
                match items.get(from as usize..) {
                    Some([PatItem::Operand(last)]) => self.pat_layer(*last),
                    Some([PatItem::Operand(left), PatItem::Operator(operator), ..]) => {
                        self.named(*operator, vec![PatRef::Pat(*left), PatRef::Right(pattern, from + 2)])
                    }
                    _ => Layer::Missing,
                }
            }
            PatRef::Left(pattern, until) => {
                let items = self.chain(pattern);
                match items.get(..=until as usize) {
                    Some([PatItem::Operand(first)]) => self.pat_layer(*first),
                    Some([.., PatItem::Operator(operator), PatItem::Operand(right)]) => {
                        self.named(*operator, vec![PatRef::Left(pattern, until - 2), PatRef::Pat(*right)])
                    }
                    _ => Layer::Missing,
                }
            }
        }
    }

    /// A character of a string pattern.
    fn code(&self, pattern: PatId, at: u32) -> Option<u32> {
        match *self.tree().get(pattern) {
            Pat::Literal { literal: SyntaxLiteral::String(codes), .. } => {
                self.tree().list(codes).get(at as usize).copied()
            }
            _ => None,
        }
    }

    fn chain(&self, pattern: PatId) -> &[PatItem] {
        match self.tree().get(pattern) {
            Pat::Operators(_, items) => self.tree().list(*items),
            _ => &[],
        }
    }

    fn pat_layer(&self, pattern: PatId) -> Layer {
        let tree = self.tree();
        match *tree.get(pattern) {
            Pat::Missing | Pat::Infix(_) => Layer::Missing,
            Pat::Wildcard => Layer::Wildcard,
            Pat::Var(_) => match self.notes().pat(pattern) {
                PatNote::Local(local) => Layer::Local(local),
                PatNote::Value(value) => Layer::Value(value),
                PatNote::Constructor(constructor) => {
                    Layer::Constructor(constructor, DictVars::EMPTY, Vec::new())
                }
                PatNote::None | PatNote::Literal { .. } => Layer::Missing,
            },
            Pat::Literal { literal, negative } => self.literal_layer(pattern, literal, negative),
            Pat::Apply { head, arguments } => {
                let arguments = tree.list(arguments).iter().map(|&argument| PatRef::Pat(argument)).collect();
                self.named(head, arguments)
            }
            Pat::Record { head, fields, .. } => {
                let NameNote::Constructor(constructor, dictionaries) = self.notes().name(head) else {
                    return Layer::Missing;
                };
                let mut parts = vec![PatRef::Wildcard; self.typed.constructors[constructor].arity()];
                for field in tree.list(fields) {
                    let NameNote::Field { selector, pun } = self.notes().name(field.field) else { continue };
                    let inner = match (field.pattern, pun) {
                        (Some(inner), _) => PatRef::Pat(inner),
                        (None, Some(Use { entity: Entity::Local(local), .. })) => PatRef::Local(local),
                        (None, _) => continue,
                    };
                    if let Some(part) = self
                        .field_position(selector, constructor)
                        .and_then(|position| parts.get_mut(position))
                    {
                        *part = inner;
                    }
                }
                for &(position, local) in self.notes().pat_rest(pattern) {
                    if let Some(part) = parts.get_mut(position as usize) {
                        *part = PatRef::Local(local);
                    }
                }
                Layer::Constructor(constructor, dictionaries, parts)
            }
            Pat::Operators(Associativity::Left, items) => {
                self.layer(PatRef::Left(pattern, items.len().saturating_sub(1) as u32))
            }
            Pat::Operators(_, _) => self.layer(PatRef::Right(pattern, 0)),
            Pat::Tuple(parts) => {
                let parts: Vec<PatRef> = tree.list(parts).iter().map(|&part| PatRef::Pat(part)).collect();
                match (2..=builtin::TUPLE_LIMIT).contains(&parts.len()) {
                    true => {
                        Layer::Constructor(builtin::tuple_constructor(parts.len()), DictVars::EMPTY, parts)
                    }
                    false => Layer::Missing,
                }
            }
            Pat::List(_) => self.layer(PatRef::Elements(pattern, 0)),
            Pat::Paren(inner) | Pat::Typed(inner, _) => self.pat_layer(inner),
            Pat::As(_, inner) => match self.notes().pat(pattern) {
                PatNote::Local(local) => Layer::As(Some(local), None, PatRef::Pat(inner)),
                PatNote::Value(value) => Layer::As(None, Some(value), PatRef::Pat(inner)),
                _ => Layer::As(None, None, PatRef::Pat(inner)),
            },
            Pat::Lazy(inner) => Layer::Lazy(PatRef::Pat(inner)),
            Pat::Bang(inner) => Layer::Bang(PatRef::Pat(inner)),
            Pat::View(function, inner) => Layer::View(function, PatRef::Pat(inner)),
        }
    }

    fn named(&self, head: NameId, arguments: Vec<PatRef>) -> Layer {
        match self.notes().name(head) {
            NameNote::Constructor(constructor, dictionaries) => {
                let mut arguments = arguments;
                arguments.resize(self.typed.constructors[constructor].arity(), PatRef::Wildcard);
                Layer::Constructor(constructor, dictionaries, arguments)
            }
            NameNote::Function(function) => Layer::Functional(FunctionalPattern { function, arguments }),
            NameNote::Unknown | NameNote::Field { .. } | NameNote::Variable => Layer::Missing,
        }
    }

    fn literal_layer(&self, pattern: PatId, literal: SyntaxLiteral, negative: bool) -> Layer {
        match literal {
            SyntaxLiteral::Char(code) => Layer::Literal(Literal::Char(code)),
            SyntaxLiteral::String(_) => match self.notes().pat(pattern) {
                PatNote::Literal { equality, .. } => Layer::Overloaded { pattern, equality },
                _ => self.layer(PatRef::Characters(pattern, 0)),
            },
            SyntaxLiteral::Integer(_) | SyntaxLiteral::LargeInteger(_) | SyntaxLiteral::Fractional(_) => {
                let (equality, at) = match self.notes().pat(pattern) {
                    PatNote::Literal { equality, number } => (equality, number.constructor),
                    _ => (None, None),
                };
                match self.known_number(literal, negative, at) {
                    Some(literal) => Layer::Literal(literal),
                    None => Layer::Overloaded { pattern, equality },
                }
            }
        }
    }

    /// Where a pattern stands.
    pub(super) fn pattern_span(&self, pattern: PatRef) -> Option<Span> {
        let tree = self.tree();
        let place = |item: &PatItem| match *item {
            PatItem::Operand(operand) => tree.place(operand),
            PatItem::Operator(operator) => tree.name(operator).place,
        };
        let chain = |items: &[PatItem]| {
            let (first, last) = (items.first()?, items.last()?);
            Some(tree.span_of(place(first).to(place(last))))
        };
        match pattern {
            PatRef::Pat(pattern)
            | PatRef::Elements(pattern, _)
            | PatRef::Characters(pattern, _)
            | PatRef::Character(pattern, _) => Some(tree.span(pattern)),
            PatRef::Right(pattern, from) => chain(self.chain(pattern).get(from as usize..)?),
            PatRef::Left(pattern, until) => chain(self.chain(pattern).get(..=until as usize)?),
            PatRef::Local(local) => Some(tree.span_of(self.notes().locals[local].place)),
            PatRef::Wildcard => None,
        }
    }

    /// Which of a constructor's fields a selector selects.
    pub(super) fn field_position(&self, selector: ValueId, constructor: ConstructorId) -> Option<usize> {
        match &self.typed.values[selector].kind {
            ValueKind::Field { positions, .. } => {
                let found = positions.iter().find(|(other, _)| *other == constructor)?;
                Some(found.1 as usize)
            }
            _ => None,
        }
    }

    /// Whether a pattern fits every value without looking at it.
    pub(super) fn is_irrefutable(&self, mut pattern: PatRef) -> bool {
        loop {
            match self.layer(pattern) {
                Layer::Wildcard | Layer::Local(_) | Layer::Value(_) | Layer::Lazy(_) => return true,
                Layer::As(_, _, inner) => pattern = inner,
                Layer::Constructor(constructor, _, arguments) if self.is_newtype(constructor) => {
                    match arguments.first() {
                        Some(&inner) => pattern = inner,
                        None => return true,
                    }
                }
                _ => return false,
            }
        }
    }

    /// Whether a pattern fits every value that is not undefined: what needs no `fail` in a `do` block.
    pub(super) fn is_failure_free(&self, root: PatRef) -> bool {
        let mut stack = vec![root];
        while let Some(pattern) = stack.pop() {
            match self.layer(pattern) {
                Layer::Wildcard | Layer::Local(_) | Layer::Value(_) | Layer::Lazy(_) => {}
                Layer::As(_, _, inner) | Layer::Bang(inner) => stack.push(inner),
                Layer::Constructor(constructor, _, arguments) => {
                    let of = self.typed.constructors[constructor].of;
                    if self.typed.type_constructors[of].constructors().len() != 1 {
                        return false;
                    }
                    stack.extend(arguments);
                }
                _ => return false,
            }
        }
        true
    }

    /// The variables that a pattern binds, in order.
    pub(super) fn bound_variables(&self, root: PatRef) -> Vec<Bound> {
        let mut found = Vec::new();
        let mut stack = vec![root];
        while let Some(pattern) = stack.pop() {
            match self.layer(pattern) {
                Layer::Local(local) => found.push(Bound::Local(local)),
                Layer::Value(value) => found.push(Bound::Value(value)),
                Layer::As(local, value, inner) => {
                    found.extend(local.map(Bound::Local));
                    found.extend(value.map(Bound::Value));
                    stack.push(inner);
                }
                Layer::Lazy(inner) | Layer::Bang(inner) | Layer::View(_, inner) => stack.push(inner),
                Layer::Constructor(_, _, arguments) => stack.extend(arguments.into_iter().rev()),
                Layer::Functional(functional) => stack.extend(functional.arguments.into_iter().rev()),
                Layer::Wildcard | Layer::Literal(_) | Layer::Overloaded { .. } | Layer::Missing => {}
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|&bound| seen.insert(bound));
        found
    }
}

/// A variable that a pattern binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    Local(LocalId),
    Value(ValueId),
}
