//! Types and constructors with special syntax, at fixed numbers: no module defines them.

use gadfly_syntax::names::{Interner, QName, Symbol, known};

use crate::interface::{
    Constructor, ConstructorId, Entity, Field, Program, TypeConId, TypeConstructor, TypeKind,
};
use crate::types::{OUTERMOST, Scheme, SkolemId, TyId};

/// `->`.
pub const ARROW: TypeConId = TypeConId(0);
/// `[]`.
pub const LIST: TypeConId = TypeConId(1);
/// `()`.
pub const UNIT: TypeConId = TypeConId(2);
/// `*`, the kind of types; it is among the type constructors because kinds are types.
pub const STAR: TypeConId = TypeConId(3);
const PAIR: u32 = 4;

/// `[]`.
pub const NIL: ConstructorId = ConstructorId(0);
/// `:`.
pub const CONS: ConstructorId = ConstructorId(1);
/// `()`.
pub const UNIT_VALUE: ConstructorId = ConstructorId(2);
const PAIR_VALUE: u32 = 3;

/// The largest tuple.
pub const TUPLE_LIMIT: usize = 62;

/// The type constructor of tuples with `arity` components, from 2 to [`TUPLE_LIMIT`].
pub fn tuple_type(arity: usize) -> TypeConId {
    debug_assert!((2..=TUPLE_LIMIT).contains(&arity));
    TypeConId(PAIR + arity as u32 - 2)
}

/// The constructor of tuples with `arity` components, from 2 to [`TUPLE_LIMIT`].
pub fn tuple_constructor(arity: usize) -> ConstructorId {
    debug_assert!((2..=TUPLE_LIMIT).contains(&arity));
    ConstructorId(PAIR_VALUE + arity as u32 - 2)
}

/// How many components the tuples of a type constructor have.
pub fn tuple_arity(constructor: TypeConId) -> Option<usize> {
    let arity = constructor.0.checked_sub(PAIR)? as usize + 2;
    (arity <= TUPLE_LIMIT).then_some(arity)
}

/// How many commas a tuple's name has, plus one.
fn arity_of_name(name: Symbol, interner: &Interner) -> Option<usize> {
    let inside = interner.text(name).strip_prefix('(')?.strip_suffix(')')?;
    let commas = inside.len();
    (commas > 0 && commas < TUPLE_LIMIT && inside.bytes().all(|byte| byte == b',')).then_some(commas + 1)
}

/// The type constructor that a name with special syntax means.
pub(crate) fn type_named(name: QName, interner: &Interner) -> Option<TypeConId> {
    if name.qualifier.is_some() {
        return None;
    }
    match name.name {
        known::ARROW => Some(ARROW),
        known::LIST => Some(LIST),
        known::UNIT => Some(UNIT),
        known::STAR => Some(STAR),
        name => arity_of_name(name, interner).map(tuple_type),
    }
}

/// The constructor that a name with special syntax means.
pub(crate) fn constructor_named(name: QName, interner: &Interner) -> Option<Entity> {
    if name.qualifier.is_some() {
        return None;
    }
    let constructor = match name.name {
        known::LIST => NIL,
        known::CONS => CONS,
        known::UNIT => UNIT_VALUE,
        name => tuple_constructor(arity_of_name(name, interner)?),
    };
    Some(Entity::Constructor(constructor))
}

/// Puts the built-in types and constructors at their numbers.
pub(crate) fn define(program: &mut Program, interner: &mut Interner) {
    let star = program.types.con(STAR);
    let list_name = known::LIST;
    let unary = program.types.fun(star, star);
    let binary = program.types.fun(star, unary);
    add_type(program, known::ARROW, 2, binary);
    add_type(program, list_name, 1, unary);
    add_type(program, known::UNIT, 0, star);
    add_type(program, known::STAR, 0, star);
    let element = variables(program, LIST)[0];
    let list = program.types.con(LIST);
    let list = program.types.app(list, element);
    add_constructor(program, known::LIST, LIST, &[], list);
    add_constructor(program, known::CONS, LIST, &[element, list], list);
    let unit = program.types.con(UNIT);
    add_constructor(program, known::UNIT, UNIT, &[], unit);
    for arity in 2..=TUPLE_LIMIT {
        let name = interner.tuple(arity);
        let kind = program.types.funs(&vec![star; arity], star);
        let constructor = add_type(program, name, arity, kind);
        debug_assert_eq!(constructor, tuple_type(arity));
        let fields = variables(program, constructor);
        let tuple = program.types.con(constructor);
        let tuple = program.types.apply(tuple, &fields);
        add_constructor(program, name, constructor, &fields, tuple);
    }
}

fn variables(program: &Program, constructor: TypeConId) -> Vec<TyId> {
    let parameters = &program.type_constructors[constructor].parameters;
    parameters.iter().map(|&parameter| program.types.skolem_type(parameter)).collect()
}

fn add_type(program: &mut Program, name: Symbol, arity: usize, kind: TyId) -> TypeConId {
    let parameters: Vec<SkolemId> =
        (0..arity).map(|_| program.types.new_skolem(None, None, OUTERMOST)).collect();
    program.type_constructors.push(TypeConstructor {
        name,
        module: None,
        span: None,
        parameters,
        kind,
        meaning: TypeKind::Abstract,
    })
}

fn add_constructor(program: &mut Program, name: Symbol, of: TypeConId, fields: &[TyId], result: TyId) {
    let body = program.types.funs(fields, result);
    let variables = program.type_constructors[of].parameters.clone().into();
    let scheme = program.types.add_scheme(Scheme { variables, context: Box::default(), body });
    let field =
        |&declared: &TyId| Field { selector: None, name: None, declared, strict: false, dictionaries: 0 };
    let tag = program.type_constructors[of].constructors().len() as u32;
    let constructor = program.constructors.push(Constructor {
        name,
        module: None,
        span: None,
        of,
        tag,
        fields: fields.iter().map(field).collect(),
        scheme,
        dictionaries: 0,
        exists: Vec::new(),
        refines: false,
        demands: Vec::new(),
    });
    match &mut program.type_constructors[of].meaning {
        TypeKind::Data(constructors) => constructors.push(constructor),
        meaning => *meaning = TypeKind::Data(vec![constructor]),
    }
}
