//! Checks that a program keeps the rules of the kernel language.
//!
//! For tests: lowering never makes a program that breaks them. The rules are scoping (every variable is bound
//! once in its function, and used only in its scope), saturation, the normal form, that every expression has
//! one parent, that `Fall` ends the `first` of a `Try`, and that alternatives are distinct and of one type.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::{
    Alternative, Argument, Atom, Case, Expr, ExprId, FunId, Literal, Pattern, Program, VarId,
};

/// The rules that a program breaks; empty if it breaks none.
pub fn verify(program: &Program) -> Vec<String> {
    let mut verifier = Verifier {
        program,
        function: None,
        seen: vec![false; program.expr_count()],
        bound: FxHashSet::default(),
        known: FxHashSet::default(),
        problems: Vec::new(),
    };
    for (id, _) in program.functions() {
        verifier.function(id);
    }
    for (id, constructor) in program.constructors() {
        if program.data_type(constructor.of).constructors.get(constructor.tag as usize) != Some(&id) {
            verifier.problem(format!("the constructor {} is not at its tag", program.text(constructor.name)));
        }
    }
    verifier.problems
}

/// A step of the walk.
enum Step {
    /// Enters an expression; the flag says whether a `Fall` is allowed there.
    Enter(ExprId, bool),
    Bind(Vec<VarId>),
    Forget(Vec<VarId>),
}

struct Verifier<'a> {
    program: &'a Program,
    function: Option<FunId>,
    seen: Vec<bool>,
    /// The variables bound anywhere in the function.
    bound: FxHashSet<VarId>,
    /// The variables in scope at this point.
    known: FxHashSet<VarId>,
    problems: Vec<String>,
}

impl Verifier<'_> {
    fn problem(&mut self, what: String) {
        let place = self.function.map_or_else(String::new, |function| {
            let function = self.program.function(function);
            format!("{} ({}): ", self.program.text(function.name), function.module.index())
        });
        self.problems.push(format!("{place}{what}"));
    }

    fn function(&mut self, id: FunId) {
        self.function = Some(id);
        self.bound.clear();
        self.known.clear();
        let function = self.program.function(id);
        let parameters: Vec<VarId> = function.parameters.iter().map(|parameter| parameter.variable).collect();
        self.bind(&parameters);
        let mut steps = vec![Step::Enter(function.body, false)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Bind(variables) => self.bind(&variables),
                Step::Forget(variables) => {
                    for variable in variables {
                        self.known.remove(&variable);
                    }
                }
                Step::Enter(expr, fall) => self.enter(expr, fall, &mut steps),
            }
        }
        self.function = None;
    }

    fn bind(&mut self, variables: &[VarId]) {
        for &variable in variables {
            if !self.bound.insert(variable) {
                self.problem(format!("variable {} is bound twice", variable.index()));
            }
            self.known.insert(variable);
        }
    }

    fn enter(&mut self, id: ExprId, fall: bool, steps: &mut Vec<Step>) {
        if std::mem::replace(&mut self.seen[id.index()], true) {
            self.problem(format!("expression {} stands at two places", id.index()));
            return;
        }
        let program = self.program;
        match program.expr(id) {
            Expr::Atom(atom) => {
                self.atom(atom);
                match atom {
                    Atom::Function(function) if program.arity(function) == 0 => {
                        self.problem("a constant as a value: it is a call".to_owned());
                    }
                    Atom::Constructor(_) => {
                        self.problem("a constructor as an atom: it is applied".to_owned())
                    }
                    _ => {}
                }
            }
            Expr::Call(function, arguments) => {
                let wanted = program.arity(function);
                self.arguments("call", program.list(arguments), |found| found == wanted);
            }
            Expr::Partial(function, arguments) => {
                let arity = program.arity(function);
                self.arguments("partial application", program.list(arguments), |n| n > 0 && n < arity);
            }
            Expr::Apply(function, arguments) => {
                self.atom(function);
                if !matches!(function, Atom::Variable(_)) {
                    self.problem("what is applied is not a variable".to_owned());
                }
                self.arguments("application", program.list(arguments), |found| found > 0);
            }
            Expr::Construct(constructor, arguments) => {
                let wanted = program.constructor(constructor).arity as usize;
                self.arguments("construction", program.list(arguments), |found| found == wanted);
            }
            Expr::Primitive(_, arguments) => self.arguments("primitive", program.list(arguments), |_| true),
            Expr::Let(bindings, body) => {
                let bindings = program.list(bindings);
                if bindings.is_empty() {
                    self.problem("a let without bindings".to_owned());
                }
                let variables: Vec<VarId> = bindings.iter().map(|binding| binding.variable).collect();
                self.bind(&variables);
                steps.push(Step::Forget(variables));
                steps.push(Step::Enter(body, fall));
                steps.extend(bindings.iter().map(|binding| Step::Enter(binding.value, false)));
            }
            Expr::Case(case) => self.case(case, fall, steps),
            Expr::Or(alternatives) => {
                if alternatives.len() < 2 {
                    self.problem("a choice without a choice".to_owned());
                }
                steps.extend(program.list(alternatives).iter().map(|&expr| Step::Enter(expr, fall)));
            }
            Expr::Free(variables, body) => {
                let variables = program.list(variables).to_vec();
                self.bind(&variables);
                steps.push(Step::Forget(variables));
                steps.push(Step::Enter(body, fall));
            }
            Expr::Try { first, otherwise } => {
                steps.push(Step::Enter(otherwise, fall));
                steps.push(Step::Enter(first, true));
            }
            Expr::Fall => {
                if !fall {
                    self.problem("a fall that ends no try".to_owned());
                }
            }
            Expr::Rule { rule, alternative, body } => {
                let rules = self.function.map_or(&[][..], |function| &program.function(function).rules);
                match rules.get((rule as usize).wrapping_sub(1)) {
                    Some(known) if alternative as usize <= known.alternatives.len() => {}
                    _ => self.problem(format!("there is no rule {rule}.{alternative}")),
                }
                steps.push(Step::Enter(body, fall));
            }
            Expr::Failure | Expr::Error(..) => {}
        }
    }

    fn case(&mut self, case: Case, fall: bool, steps: &mut Vec<Step>) {
        let program = self.program;
        let alternatives = program.list(case.alternatives);
        if alternatives.is_empty() && case.default.is_none() {
            self.problem("a case without alternatives".to_owned());
        }
        self.distinct(alternatives);
        // What is pushed last is looked at first: the scrutinee, which does not know what the case binds.
        steps.push(Step::Forget(vec![case.variable]));
        steps.extend(case.default.map(|default| Step::Enter(default, fall)));
        for alternative in alternatives {
            let variables = match alternative.pattern {
                Pattern::Constructor(constructor, variables) => {
                    if variables.len() != program.constructor(constructor).arity as usize {
                        self.problem("a pattern with too few or too many variables".to_owned());
                    }
                    program.list(variables).to_vec()
                }
                Pattern::Literal(_) => Vec::new(),
            };
            steps.push(Step::Forget(variables.clone()));
            steps.push(Step::Enter(alternative.body, fall));
            steps.push(Step::Bind(variables));
        }
        steps.push(Step::Bind(vec![case.variable]));
        steps.push(Step::Enter(case.scrutinee, false));
    }

    fn distinct(&mut self, alternatives: &[Alternative]) {
        let mut constructors = FxHashMap::default();
        let mut literals = FxHashSet::default();
        for alternative in alternatives {
            match alternative.pattern {
                Pattern::Constructor(constructor, _) => {
                    let of = self.program.constructor(constructor).of;
                    if constructors.insert(constructor, of).is_some() {
                        self.problem("a constructor has two alternatives".to_owned());
                    }
                }
                Pattern::Literal(literal) => {
                    if matches!(self.program.literal(literal), Literal::String(_)) {
                        self.problem("a string as a pattern".to_owned());
                    }
                    if !literals.insert(literal) {
                        self.problem("a literal has two alternatives".to_owned());
                    }
                }
            }
        }
        let types: FxHashSet<_> = constructors.values().collect();
        if types.len() > 1 || (!constructors.is_empty() && !literals.is_empty()) {
            self.problem("a case of several types".to_owned());
        }
    }

    fn arguments(&mut self, what: &str, arguments: &[Argument], fits: impl Fn(usize) -> bool) {
        if !fits(arguments.len()) {
            self.problem(format!("a {what} with {} arguments", arguments.len()));
        }
        for argument in arguments {
            self.atom(argument.atom);
        }
    }

    fn atom(&mut self, atom: Atom) {
        match atom {
            Atom::Variable(variable) if !self.known.contains(&variable) => {
                let name = self.program.variable(variable).name.map_or("", |name| self.program.text(name));
                self.problem(format!("variable {} {name:?} is not known here", variable.index()));
            }
            Atom::Function(function)
                if self.program.arity(function) == 0 && !self.program.function(function).shared =>
            {
                self.problem("a function that is not shared as an atom".to_owned());
            }
            Atom::Constructor(constructor) if self.program.constructor(constructor).arity != 0 => {
                self.problem("a constructor without its arguments".to_owned());
            }
            _ => {}
        }
    }
}
