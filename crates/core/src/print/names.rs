//! Distinct names for functions and variables.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::{Atom, Expr, FunId, Name, Origin, Pattern, Program, VarId};

pub(super) struct Names<'a> {
    program: &'a Program,
    functions: Vec<String>,
    /// Of the function that is being printed.
    variables: FxHashMap<VarId, String>,
    used: FxHashSet<VarId>,
}

impl<'a> Names<'a> {
    pub(super) fn new(program: &'a Program) -> Names<'a> {
        let mut functions: Vec<String> = program.functions().map(|(id, _)| path_text(program, id)).collect();
        let mut count: FxHashMap<&str, u32> = FxHashMap::default();
        for name in &functions {
            *count.entry(name).or_default() += 1;
        }
        let twice: FxHashSet<String> =
            count.into_iter().filter(|&(_, count)| count > 1).map(|(name, _)| name.to_owned()).collect();
        let mut taken: FxHashMap<String, u32> = FxHashMap::default();
        for (id, function) in program.functions() {
            let name = &mut functions[id.index()];
            let module = program.module(function.module);
            if twice.contains(name) && module.library {
                *name = format!("{}.{name}", program.text(module.name));
            }
            let times = taken.entry(name.clone()).or_default();
            *times += 1;
            if *times > 1 {
                *name = format!("{name}'{times}");
            }
            if is_symbolic(last_part(name)) {
                *name = format!("({name})");
            }
        }
        Names { program, functions, variables: FxHashMap::default(), used: FxHashSet::default() }
    }

    pub(super) fn function(&self, id: FunId) -> String {
        self.functions[id.index()].clone()
    }

    pub(super) fn variable(&self, id: VarId) -> String {
        self.variables.get(&id).cloned().unwrap_or_else(|| format!("?{}", id.index()))
    }

    pub(super) fn is_used(&self, id: VarId) -> bool {
        self.used.contains(&id)
    }

    /// Names the variables of a function, in the order in which they are bound.
    pub(super) fn enter(&mut self, function: FunId) {
        self.variables.clear();
        self.used.clear();
        let program = self.program;
        let mut bound: Vec<VarId> =
            program.function(function).parameters.iter().map(|parameter| parameter.variable).collect();
        let used = &mut self.used;
        program.walk(program.function(function).body, |id| {
            let mut atom = |atom: Atom| {
                if let Atom::Variable(variable) = atom {
                    used.insert(variable);
                }
            };
            program.arguments(id).iter().for_each(|argument| atom(argument.atom));
            match program.expr(id) {
                Expr::Atom(used) | Expr::Apply(used, _) => atom(used),
                Expr::Let(bindings, _) => {
                    bound.extend(program.list(bindings).iter().map(|binding| binding.variable));
                }
                Expr::Free(variables, _) => bound.extend(program.list(variables)),
                Expr::Case(case) => {
                    bound.push(case.variable);
                    for alternative in program.list(case.alternatives) {
                        if let Pattern::Constructor(_, variables) = alternative.pattern {
                            bound.extend(program.list(variables));
                        }
                    }
                }
                _ => {}
            }
        });
        let parameters = program.function(function).parameters.len();
        let mut taken: FxHashMap<Option<Name>, u32> = FxHashMap::default();
        for (row, variable) in bound.into_iter().enumerate() {
            if row >= parameters
                && !self.used.contains(&variable)
                && program.variable(variable).name.is_none()
            {
                continue;
            }
            let info = program.variable(variable);
            let times = taken.entry(info.name).or_default();
            *times += 1;
            let text = match info.name {
                Some(name) if *times == 1 => program.text(name).to_owned(),
                Some(name) => format!("{}'{times}", program.text(name)),
                None => format!("_{times}"),
            };
            self.variables.insert(variable, text);
        }
    }
}

/// A function's name after those of the functions it was nested in: `qsort.go`.
fn path_text(program: &Program, id: FunId) -> String {
    let mut text = String::new();
    for enclosing in program.enclosing(id) {
        if !program.function(enclosing).origin.is_hidden() {
            text.push_str(&own_text(program, enclosing));
            text.push('.');
        }
    }
    text + &own_text(program, id)
}

fn own_text(program: &Program, id: FunId) -> String {
    let function = program.function(id);
    let name = program.text(function.name);
    match function.origin {
        Origin::Method { at, .. } | Origin::Derived { at, .. } => format!("{name}@{}", program.text(at)),
        Origin::Default { class } => format!("{name}@{}", program.text(class)),
        _ => name.to_owned(),
    }
}

fn last_part(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

/// Whether a printed name stands between its arguments.
pub(super) fn is_operator(name: &str) -> bool {
    name.starts_with('(') && !name.starts_with("(,") && name.len() > 2
}

/// The name that [`is_operator`] said yes to, without its parentheses.
pub(super) fn without_parentheses(name: &str) -> &str {
    name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name)
}

/// Whether a name is made of symbols.
pub(super) fn is_symbolic(name: &str) -> bool {
    name.chars().next().is_some_and(|first| {
        !first.is_alphanumeric() && !matches!(first, '_' | '(' | '[' | '\'' | '"' | '\\' | '{')
    })
}
