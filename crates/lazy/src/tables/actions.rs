//! What the actions are called that functions make: `IO`, `ST`, or the user's `newtype` of one of these.
//!
//! A newtype leaves no trace in a run, so the types say it: that of the function itself; where it has none that does, that of what is
//! around it; and where that gives something else, as `build n = runSTArray (do …)` does, the type of the actions that are
//! passed to the functions it calls.

use super::Names;
use crate::Checked;
use gadfly_core::kernel::{Expr, FunId, Role};
use gadfly_core::{Local, Lowered};
use gadfly_typing::KnownType;
use gadfly_typing::interface::{ModuleId, Program, TypeConId, TypeKind};
use gadfly_typing::types::{SchemeId, Ty, TyId};
use rustc_hash::FxHashMap;

/// By function, in order; only where it is known.
pub(super) fn actions(checked: &Checked, lowered: &Lowered, names: &mut Names) -> Vec<(u32, u32)> {
    let search = Search { checked, lowered, schemes: schemes(checked, lowered) };
    let own: FxHashMap<FunId, TypeConId> =
        lowered.program.functions().filter_map(|(id, _)| Some((id, search.given(id)?))).collect();
    let mut found = Vec::new();
    for (id, _) in lowered.program.functions() {
        if let Some(of) = search.made(id, &own) {
            let name = checked.interner.text(checked.program.type_constructors[of].name);
            found.push((id.index() as u32, names.number(name)));
        }
    }
    found
}

/// The types of functions, as far as the source has them.
fn schemes(checked: &Checked, lowered: &Lowered) -> FxHashMap<FunId, SchemeId> {
    let typed = &checked.program;
    let values = lowered.functions.iter().map(|(value, function)| (*function, typed.values[*value].scheme));
    let mut schemes: FxHashMap<FunId, SchemeId> = values.collect();
    for (row, locals) in lowered.locals.iter().enumerate() {
        let notes = &typed.modules[ModuleId::from_index(row)].notes;
        for (meaning, local) in locals.variables.iter().zip(notes.locals.iter()) {
            if let Local::Function(function) = meaning {
                schemes.insert(*function, local.1.scheme);
            }
        }
    }
    schemes
}

struct Search<'a> {
    checked: &'a Checked,
    lowered: &'a Lowered,
    schemes: FxHashMap<FunId, SchemeId>,
}

/// So many functions around a function are looked at.
const AROUND: usize = 32;

impl Search<'_> {
    /// What the actions are of that a function makes.
    fn made(&self, function: FunId, own: &FxHashMap<FunId, TypeConId>) -> Option<TypeConId> {
        let mut at = Some(function);
        for _ in 0..AROUND {
            let function = at?;
            if let Some(known) = own.get(&function) {
                return Some(*known);
            }
            if let Some(passed) = self.passed(function) {
                return Some(passed);
            }
            at = self.lowered.program.function(function).parent;
        }
        None
    }

    /// What a function gives with all its arguments, if that is an action.
    fn given(&self, function: FunId) -> Option<TypeConId> {
        let types = &self.checked.program.types;
        let mut ty = types.scheme(*self.schemes.get(&function)?).body;
        let parameters = &self.lowered.program.function(function).parameters;
        for _ in parameters.iter().filter(|parameter| parameter.role == Role::Ordinary) {
            let Ty::Fun(_, result) = types.get(types.resolve(ty)) else { return None };
            ty = result;
        }
        self.action(ty)
    }

    /// What is passed as an action to the functions that a function calls, if they do not give one.
    fn passed(&self, function: FunId) -> Option<TypeConId> {
        let program = &self.lowered.program;
        let mut found = None;
        program.walk(program.function(function).body, |expr| {
            if let Expr::Call(callee, _) | Expr::Partial(callee, _) = program.expr(expr)
                && found.is_none()
            {
                found = self.taken(callee);
            }
        });
        found
    }

    fn taken(&self, function: FunId) -> Option<TypeConId> {
        let types = &self.checked.program.types;
        let mut ty = types.scheme(*self.schemes.get(&function)?).body;
        let mut taken = None;
        while let Ty::Fun(parameter, result) = types.get(types.resolve(ty)) {
            taken = taken.or_else(|| self.action(parameter));
            ty = result;
        }
        if self.action(ty).is_some() { None } else { taken }
    }

    /// The type constructor of actions that a type is of: that of `IO`, or a newtype of it.
    fn action(&self, ty: TyId) -> Option<TypeConId> {
        let typed = &self.checked.program;
        head(typed, ty).filter(|head| is_action(typed, *head))
    }
}

/// Whether the values of a type constructor are actions: it is `IO`, or a newtype of it.
pub(crate) fn is_action(typed: &Program, of: TypeConId) -> bool {
    let Some(io) = typed.known.type_constructor(KnownType::Io) else { return false };
    if of == io {
        return true;
    }
    let TypeKind::Newtype(constructor) = typed.type_constructors[of].meaning else { return false };
    let body = typed.types.scheme(typed.constructors[constructor].scheme).body;
    match typed.types.get(typed.types.resolve(body)) {
        Ty::Fun(inside, _) => head(typed, inside) == Some(io),
        _ => false,
    }
}

fn head(typed: &Program, ty: TyId) -> Option<TypeConId> {
    let mut at = typed.types.resolve(ty);
    loop {
        match typed.types.get(at) {
            Ty::Con(constructor) => return Some(constructor),
            Ty::App(function, _) => at = typed.types.resolve(function),
            _ => return None,
        }
    }
}
