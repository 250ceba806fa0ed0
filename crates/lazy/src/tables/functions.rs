//! Functions and constructors.

use super::Names;
use super::fixities::{Fixities, Infix};
use super::forms;
use super::places::Places;
use crate::Checked;
use gadfly_core::Lowered;
use gadfly_core::kernel::{self, Atom, Expr, FunId, Hidden, Program};
use gadfly_syntax::tree::Associativity;
use gadfly_trail::model::{Constructor, Form, Function, Origin, Role, Rule};
use gadfly_typing::interface::ConstructorId;
use std::collections::HashMap;

/// All functions, by their numbers; their constants are not filled in.
pub(super) fn functions(
    checked: &Checked,
    lowered: &Lowered,
    recorded: &[bool],
    places: &mut Places<'_>,
    names: &mut Names,
) -> Vec<Function> {
    let program = &lowered.program;
    let mut fixities = Fixities::new(checked, program);
    let all = program.functions().map(|(id, function)| {
        let parameters = function.parameters.iter().map(|parameter| {
            let name = program.variable(parameter.variable).name.map(|name| names.number(program.text(name)));
            let role = match parameter.role {
                kernel::Role::Dictionary => Role::Dictionary,
                kernel::Role::Captured => Role::Captured,
                kernel::Role::Ordinary => Role::Ordinary,
            };
            (name, role)
        });
        let parameters = parameters.collect();
        let recorded = recorded[id.index()];
        let mut rules = Vec::new();
        for rule in &function.rules {
            let Some(piece) = places.piece(rule.span) else { continue };
            let alternatives = rule.alternatives.iter().filter_map(|span| places.piece(*span)).collect();
            rules.push(Rule { piece, alternatives });
        }
        Function {
            name: name(checked, program, id),
            module: function.module.index() as u32,
            parent: function.parent.map(|parent| parent.index() as u32),
            piece: places.piece(function.span),
            parameters,
            origin: origin(program, function.origin, recorded),
            rules,
            recorded,
            infix: fixities.of(id, function),
            constants: Vec::new(),
        }
    });
    all.collect()
}

fn origin(program: &Program, origin: kernel::Origin, recorded: bool) -> Origin {
    let text = |name: kernel::Name| program.text(name).to_owned();
    match origin {
        kernel::Origin::TopLevel => Origin::TopLevel,
        kernel::Origin::Local => Origin::Local,
        kernel::Origin::Lambda => Origin::Lambda,
        kernel::Origin::Section => Origin::Section,
        kernel::Origin::Method { class, at } => Origin::Method(text(class), text(at)),
        kernel::Origin::Default { class } => Origin::Default(text(class)),
        kernel::Origin::Derived { class, at } => Origin::Derived(text(class), text(at)),
        kernel::Origin::Constructor(_) | kernel::Origin::Newtype => Origin::Constructor,
        kernel::Origin::Field | kernel::Origin::Primitive => Origin::Other,
        kernel::Origin::Hidden(Hidden::Pattern) if recorded => Origin::TopLevel,
        kernel::Origin::Hidden(_) => Origin::Hidden,
    }
}

/// What the user calls a function. An expression from the command line is called what it is, and the variables of a
/// pattern are called `(a, b)`.
pub(crate) fn name(checked: &Checked, program: &Program, id: FunId) -> String {
    let function = program.function(id);
    if let Some(expression) = &checked.expression
        && function.parent.is_none()
        && function.span.file == expression.file
    {
        return expression.text.clone();
    }
    if function.origin != kernel::Origin::Hidden(Hidden::Pattern) {
        return program.text(function.name).to_owned();
    }
    let mut variables = Vec::new();
    program.walk(function.body, |expr| {
        if let Expr::Construct(constructor, fields) = program.expr(expr)
            && group_size(program, constructor).is_some()
            && variables.is_empty()
        {
            variables.extend(program.list(fields).iter().map(|field| match field.atom {
                Atom::Variable(variable) => {
                    program.variable(variable).name.map_or("_", |name| program.text(name))
                }
                _ => "_",
            }));
        }
    });
    match variables.is_empty() {
        true => program.text(function.name).to_owned(),
        false => format!("({})", variables.join(", ")),
    }
}

/// How many variables the group of a pattern's variables has; none if it is no such group.
pub(crate) fn group_size(program: &Program, constructor: kernel::ConId) -> Option<usize> {
    let constructor = program.constructor(constructor);
    let hidden = program.data_type(constructor.of).hidden;
    let size = program.text(constructor.name).strip_prefix("Group")?.parse().ok()?;
    (hidden && size == constructor.arity as usize).then_some(size)
}

/// All constructors, by their numbers. The group of a pattern's variables is shown as a tuple.
pub(super) fn constructors(checked: &Checked, lowered: &Lowered) -> Vec<Constructor> {
    let program = &lowered.program;
    let types: HashMap<kernel::ConId, String> =
        lowered.constructors.iter().map(|(known, id)| (*id, type_name(checked, *known))).collect();
    let all = program.constructors().map(|(id, constructor)| {
        let group = group_size(program, id).filter(|size| *size > 1);
        let name = match group {
            Some(size) => format!("({})", ",".repeat(size - 1)),
            None => program.text(constructor.name).to_owned(),
        };
        let of = types.get(&id).cloned().unwrap_or_default();
        let hidden = program.data_type(constructor.of).hidden && group.is_none();
        let form = if hidden { Form::Hidden } else { forms::form(&of, &name) };
        Constructor {
            name,
            of,
            arity: constructor.arity,
            dictionaries: constructor.dictionaries,
            fields: constructor.fields.iter().map(|field| program.text(*field).to_owned()).collect(),
            infix: constructor.infix.map(infix),
            form,
        }
    });
    all.collect()
}

/// A constructor's type with its module.
pub(super) fn type_name(checked: &Checked, constructor: ConstructorId) -> String {
    let typed = &checked.program;
    let of = &typed.type_constructors[typed.constructors[constructor].of];
    let name = checked.interner.text(of.name);
    match of.module {
        Some(module) => format!("{}.{name}", checked.interner.text(typed.modules[module].name)),
        None => name.to_owned(),
    }
}

fn infix(fixity: kernel::Fixity) -> Infix {
    let side = match fixity.associativity {
        Associativity::None => 0,
        Associativity::Left => 1,
        Associativity::Right => 2,
    };
    (fixity.precedence, side)
}
