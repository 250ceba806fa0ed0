//! Constructors as functions: the reference has those that it uses so itself, but an equation may have others.

use gadfly_core::Lowered;
use gadfly_core::kernel::{
    Argument, Atom, Case, ConId, Expr, FunId, Function, List, ModuleId, Origin, Parameter, Program, Role,
    VarId, Variable,
};
use gadfly_source::Span;
use rustc_hash::FxHashSet;

/// Adds the functions of all constructors that have fields and no function yet.
pub(super) fn add_functions(lowered: &mut Lowered) {
    let program = &mut lowered.program;
    let known = program.functions().filter_map(|(_, function)| match function.origin {
        Origin::Constructor(con) => Some(con),
        _ => None,
    });
    let known: FxHashSet<ConId> = known.collect();
    let Some(span) = program.functions().next().map(|(_, function)| function.span) else { return };
    let all = program
        .constructors()
        .filter(|(con, info)| info.arity > 0 && !known.contains(con) && !program.data_type(info.of).hidden);
    for con in all.map(|(con, _)| con).collect::<Vec<_>>() {
        add(program, con, span);
    }
}

fn add(program: &mut Program, con: ConId, span: Span) -> FunId {
    let info = program.constructor(con).clone();
    let dictionary = |row: u32| row < info.dictionaries;
    let variables: Vec<VarId> = (0..info.arity)
        .map(|row| program.add_variable(Variable { name: None, dictionary: dictionary(row) }))
        .collect();
    let argument = |&variable: &VarId| Argument { atom: Atom::Variable(variable), span };
    let fields: Vec<Argument> = variables.iter().map(argument).collect();
    let fields = program.add_list(&fields);
    let mut body = program.add(Expr::Construct(con, fields), span, true);
    for &row in info.strict.iter().rev() {
        let Some(&field) = variables.get(row as usize) else { continue };
        let scrutinee = program.add(Expr::Atom(Atom::Variable(field)), span, true);
        let variable = program.add_variable(Variable { name: None, dictionary: false });
        let (alternatives, default) = (List::EMPTY, Some(body));
        let case = Case { scrutinee, variable, alternatives, default, flexible: false };
        body = program.add(Expr::Case(case), span, true);
    }
    let parameter = |(row, &variable): (u32, &VarId)| Parameter {
        variable,
        role: if dictionary(row) { Role::Dictionary } else { Role::Ordinary },
    };
    let parameters = (0..).zip(&variables).map(parameter).collect();
    program.add_function(Function {
        name: info.name,
        module: ModuleId::from_index(0),
        parent: None,
        span,
        parameters,
        shared: true,
        origin: Origin::Constructor(con),
        rules: Vec::new(),
        body,
    })
}
