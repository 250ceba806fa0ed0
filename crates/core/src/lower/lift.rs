//! Lambda lifting (Johnsson 1985): local functions get the variables they capture as parameters.
//!
//! While bodies are lowered, a local function is called with the arguments that the user wrote, and its body uses the
//! variables around it. This file finds the captured ones: those that its body uses but does not bind, and
//! those that the local functions it uses need, until nothing changes. Then parameters and arguments are
//! added. A captured variable keeps its number, so nothing in a body is renamed.

use rustc_hash::FxHashMap;

use crate::kernel::{
    Argument, Atom, Binding, Expr, ExprId, FunId, Parameter, Pattern, Program, Role, VarId, Variable,
};

/// What a body has.
#[derive(Clone, Debug, Default)]
struct Body {
    /// Its expressions.
    exprs: Vec<ExprId>,
    used: Vec<VarId>,
    /// The local functions it uses.
    functions: Vec<FunId>,
}

/// Makes all functions of a program closed.
pub(super) fn lift(program: &mut Program) {
    let mut owner: Vec<Option<FunId>> = vec![None; program.variables().len()];
    let local: Vec<bool> = program.functions().map(|(_, function)| function.parent.is_some()).collect();
    let mut bodies = Vec::with_capacity(local.len());
    for (id, _) in program.functions() {
        bodies.push(read(program, id, &local, &mut owner));
    }
    let captured = captured(&bodies, &owner, &local);
    for (id, body) in bodies.iter().enumerate() {
        for &expr in &body.exprs {
            rewrite(program, expr, &captured);
        }
        add_parameters(program, FunId::from_index(id), &captured[id]);
    }
}

/// Looks at a body once, and notes who binds which variable.
fn read(program: &Program, id: FunId, local: &[bool], owner: &mut [Option<FunId>]) -> Body {
    let function = program.function(id);
    let mut body = Body::default();
    for parameter in &function.parameters {
        owner[parameter.variable.index()] = Some(id);
    }
    program.walk(function.body, |expr| {
        body.exprs.push(expr);
        let mut own = |variable: VarId| owner[variable.index()] = Some(id);
        match program.expr(expr) {
            Expr::Let(bindings, _) => program.list(bindings).iter().for_each(|binding| own(binding.variable)),
            Expr::Free(variables, _) => program.list(variables).iter().for_each(|&variable| own(variable)),
            Expr::Case(case) => {
                own(case.variable);
                for alternative in program.list(case.alternatives) {
                    if let Pattern::Constructor(_, variables) = alternative.pattern {
                        program.list(variables).iter().for_each(|&variable| own(variable));
                    }
                }
            }
            Expr::Atom(atom) | Expr::Apply(atom, _) => note(atom, local, &mut body),
            Expr::Call(function, _) | Expr::Partial(function, _) => {
                note(Atom::Function(function), local, &mut body);
            }
            _ => {}
        }
        for argument in program.arguments(expr) {
            note(argument.atom, local, &mut body);
        }
    });
    body.used.sort_unstable();
    body.used.dedup();
    body.functions.sort_unstable();
    body.functions.dedup();
    body
}

fn note(atom: Atom, local: &[bool], body: &mut Body) {
    match atom {
        Atom::Variable(variable) => body.used.push(variable),
        Atom::Function(function) if local[function.index()] => body.functions.push(function),
        _ => {}
    }
}

/// The variables that each function needs from outside, in the order of their numbers.
fn captured(bodies: &[Body], owner: &[Option<FunId>], local: &[bool]) -> Vec<Vec<VarId>> {
    let foreign = |id: usize, variable: VarId| owner[variable.index()] != Some(FunId::from_index(id));
    let mut captured: Vec<Vec<VarId>> = vec![Vec::new(); bodies.len()];
    for (id, body) in bodies.iter().enumerate() {
        if local[id] {
            captured[id] = body.used.iter().copied().filter(|&variable| foreign(id, variable)).collect();
        }
    }
    // Needs go from inner functions out and from outer functions in: one way, then the other, until nothing changes.
    let mut add_needs = |id: usize| {
        let mut changed = false;
        for function in bodies[id].functions.iter().filter(|function| local[id] && function.index() != id) {
            let own = &captured[id];
            let new = captured[function.index()].iter().copied();
            let new: Vec<VarId> = new
                .filter(|&variable| foreign(id, variable) && own.binary_search(&variable).is_err())
                .collect();
            if !new.is_empty() {
                captured[id].extend(new);
                captured[id].sort_unstable();
                changed = true;
            }
        }
        changed
    };
    loop {
        let mut changed = false;
        for id in (0..bodies.len()).rev().chain(0..bodies.len()) {
            changed |= add_needs(id);
        }
        if !changed {
            return captured;
        }
    }
}

fn arguments_of(captured: &[VarId], span: gadfly_source::Span) -> Vec<Argument> {
    captured.iter().map(|&variable| Argument { atom: Atom::Variable(variable), span }).collect()
}

/// Adds what local functions captured to their uses.
fn rewrite(program: &mut Program, expr: ExprId, captured: &[Vec<VarId>]) {
    let span = program.span(expr);
    let needs = |function: FunId| !captured[function.index()].is_empty();
    match program.expr(expr) {
        Expr::Call(function, arguments) if needs(function) => {
            let mut all = arguments_of(&captured[function.index()], span);
            all.extend_from_slice(program.list(arguments));
            let all = program.add_list(&all);
            program.set(expr, Expr::Call(function, all));
        }
        Expr::Partial(function, arguments) if needs(function) => {
            let mut all = arguments_of(&captured[function.index()], span);
            all.extend_from_slice(program.list(arguments));
            let all = program.add_list(&all);
            program.set(expr, Expr::Partial(function, all));
        }
        Expr::Atom(Atom::Function(function)) if needs(function) => {
            let all = program.add_list(&arguments_of(&captured[function.index()], span));
            program.set(expr, Expr::Partial(function, all));
        }
        _ => {}
    }
    rewrite_arguments(program, expr, captured);
}

/// A local function among the arguments is no longer an atom: it is bound to a variable just outside.
fn rewrite_arguments(program: &mut Program, expr: ExprId, captured: &[Vec<VarId>]) {
    let is_closure = |atom: Atom| matches!(atom, Atom::Function(id) if !captured[id.index()].is_empty());
    if !program.arguments(expr).iter().any(|argument| is_closure(argument.atom)) {
        return;
    }
    let mut arguments = program.arguments(expr).to_vec();
    let mut bindings = Vec::new();
    let mut made: FxHashMap<FunId, VarId> = FxHashMap::default();
    for argument in &mut arguments {
        let Atom::Function(function) = argument.atom else { continue };
        if !is_closure(argument.atom) {
            continue;
        }
        let variable = *made.entry(function).or_insert_with(|| {
            let all = program.add_list(&arguments_of(&captured[function.index()], argument.span));
            let hidden = program.function(function).origin.is_hidden();
            let value = program.add(Expr::Partial(function, all), argument.span, hidden);
            let variable = program.add_variable(Variable { name: None, dictionary: false });
            bindings.push(Binding { variable, value });
            variable
        });
        argument.atom = Atom::Variable(variable);
    }
    let arguments = program.add_list(&arguments);
    let inner = match program.expr(expr) {
        Expr::Call(function, _) => Expr::Call(function, arguments),
        Expr::Apply(function, _) => Expr::Apply(function, arguments),
        Expr::Partial(function, _) => Expr::Partial(function, arguments),
        Expr::Construct(constructor, _) => Expr::Construct(constructor, arguments),
        Expr::Primitive(primitive, _) => Expr::Primitive(primitive, arguments),
        other => other,
    };
    let inner = program.add(inner, program.span(expr), program.is_made_up(expr));
    let bindings = program.add_list(&bindings);
    program.set(expr, Expr::Let(bindings, inner));
    program.set_span(expr, program.span(expr), true);
}

fn add_parameters(program: &mut Program, id: FunId, captured: &[VarId]) {
    if captured.is_empty() {
        return;
    }
    let parameter = |&variable: &VarId| Parameter {
        variable,
        role: match program.variable(variable).dictionary {
            true => Role::Dictionary,
            false => Role::Captured,
        },
    };
    let mut parameters: Vec<Parameter> = captured.iter().map(parameter).collect();
    parameters.append(&mut program.function_mut(id).parameters);
    program.function_mut(id).parameters = parameters;
}
