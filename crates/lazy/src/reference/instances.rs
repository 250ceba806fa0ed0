//! Instances that a question may want, though the reference does not use them itself.
//!
//! A program is lowered as far as its own code needs it. A question may call an overloaded function at another type than
//! the program does (an expression on the command line, or a number that may be of several types), so the instances of
//! the classes that its functions are overloaded with are lowered for the types that everybody uses.

use crate::Checked;
use gadfly_typing::KnownType;
use gadfly_typing::builtin;
use gadfly_typing::interface::{ClassId, InstanceId, TypeConId};
use gadfly_typing::types::{SchemeId, Ty};

/// Types of the library that are no part of the language, by where they are.
const COMMON: &[(&str, &str)] = &[("Gadfly.Ground", "Maybe"), ("Gadfly.Ground", "Either")];

/// The instances of the classes in the types of the user's functions, at common types.
pub(super) fn wanted(checked: &Checked) -> Vec<InstanceId> {
    let typed = &checked.program;
    let mut classes = vec![false; typed.classes.len()];
    let mut note = |class: ClassId| classes[class.index()] = true;
    let mut scheme = |scheme: SchemeId| {
        typed.types.scheme(scheme).context.iter().for_each(|constraint| note(constraint.class));
    };
    for (id, module) in typed.modules.iter() {
        if checked.is_library(id) {
            continue;
        }
        module.values.iter().for_each(|&value| scheme(typed.values[value].scheme));
        module.notes.locals.iter().for_each(|(_, local)| scheme(local.scheme));
    }
    for instance in typed.instances.iter().map(|(_, instance)| instance) {
        if !checked.is_library(instance.module) {
            instance.context.iter().for_each(|constraint| note(constraint.class));
        }
    }
    let common: Vec<bool> = typed.type_constructors.ids().map(|id| is_common(checked, id)).collect();
    let is_common = |head: Ty| match head {
        Ty::Con(constructor) => common[constructor.index()],
        _ => false,
    };
    let instances = typed.instances.iter().filter(|(_, instance)| {
        let heads = typed.types.list(instance.arguments);
        classes[instance.class.index()] && heads.iter().all(|&ty| is_common(typed.types.head(ty).0))
    });
    instances.map(|(id, _)| id).collect()
}

fn is_common(checked: &Checked, constructor: TypeConId) -> bool {
    const TUPLE: usize = 3;
    let typed = &checked.program;
    let info = &typed.type_constructors[constructor];
    let Some(module) = info.module else {
        return matches!(constructor, builtin::LIST | builtin::UNIT)
            || builtin::tuple_arity(constructor).is_some_and(|arity| arity <= TUPLE);
    };
    let (module, name) =
        (checked.interner.text(typed.modules[module].name), checked.interner.text(info.name));
    typed.known.which(constructor).is_some_and(|known| known != KnownType::Ratio)
        || COMMON.contains(&(module, name))
}
