//! Removes bindings that nothing uses: variables of patterns that the program does not need.

use super::tidy::turn_into;
use crate::kernel::{Atom, Binding, Expr, ExprId, FunId, Program, VarId};

/// Removes the bindings of a function that nothing uses.
pub(super) fn prune(program: &mut Program, function: FunId, uses: &mut [u32]) {
    let body = program.function(function).body;
    let mut lets = Vec::new();
    program.walk(body, |expr| {
        if let Expr::Let(bindings, _) = program.expr(expr) {
            lets.push(expr);
            for binding in program.list(bindings) {
                uses[binding.variable.index()] = 0;
            }
        }
    });
    if lets.is_empty() {
        return;
    }
    count(program, body, |variable| uses[variable.index()] = uses[variable.index()].saturating_add(1));
    // What a binding without use needs may be without use then: inner and later ones are looked at first.
    for &expr in lets.iter().rev() {
        let Expr::Let(bindings, then) = program.expr(expr) else { continue };
        let mut kept: Vec<Binding> = program.list(bindings).to_vec();
        while let Some(at) = kept.iter().rposition(|binding| uses[binding.variable.index()] == 0) {
            let unused = kept.remove(at);
            count(program, unused.value, |variable| {
                uses[variable.index()] = uses[variable.index()].saturating_sub(1);
            });
        }
        if kept.is_empty() {
            turn_into(program, expr, then);
        } else if kept.len() < bindings.len() {
            let kept = program.add_list(&kept);
            program.set(expr, Expr::Let(kept, then));
        }
    }
}

/// Calls `visit` with every use of a variable.
fn count(program: &Program, root: ExprId, mut visit: impl FnMut(VarId)) {
    program.walk(root, |expr| {
        let mut atom = |atom: Atom| {
            if let Atom::Variable(variable) = atom {
                visit(variable);
            }
        };
        program.arguments(expr).iter().for_each(|argument| atom(argument.atom));
        if let Expr::Atom(used) | Expr::Apply(used, _) = program.expr(expr) {
            atom(used);
        }
    });
}
