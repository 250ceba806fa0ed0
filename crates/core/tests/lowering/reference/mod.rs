//! A slow, obviously correct interpreter of the kernel, for tests.
//!
//! It is the small-step semantics of S4 Fig. 2.6 (which is the natural semantics of Fig. 2.5 with a stack), rule by
//! rule: a heap of variables, a control, and a stack of updates and case distinctions. Rules of the figure are named
//! where they are. The kernel adds to the figure functions as values, `try`, literals, primitives and actions
//! (`primitives`, `arithmetic`), exceptions, and unification (`unify`).
//!
//! Sharing is by update of heap variables; `or` and flexible cases on free variables copy the whole state and go on
//! depth first. Nothing here is fast, and nothing recurses natively.
//!
//! It uses only the kernel, so that the tests of other rooms can include it:
//!
//!     #[path = "../../core/tests/lowering/reference/mod.rs"]
//!     mod reference;

mod arithmetic;
mod primitives;
mod show;
mod unify;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use gadfly_core::kernel::{Argument, Atom, ConId, Expr, ExprId, FunId, Literal, Pattern, Program, VarId};

/// How many steps all outcomes together may take.
const LIMIT: u64 = 20_000_000;

/// The outcomes of a function without parameters, depth first, at most `most`. An action is executed.
pub(crate) fn outcomes(program: &Program, function: FunId, most: usize) -> Vec<Outcome> {
    Interpreter { program, counts: RefCell::default() }.run(function, most, LIMIT)
}

/// The first outcome, and how often functions were unfolded up to it, within a bound on the steps.
#[allow(dead_code, reason = "for the rooms that have this file as well")]
pub(crate) fn counted(program: &Program, function: FunId, steps: u64) -> (Outcome, HashMap<FunId, u64>) {
    let interpreter = Interpreter { program, counts: RefCell::default() };
    let outcome = interpreter.run(function, 1, steps).pop().unwrap_or(Outcome::Limit);
    (outcome, interpreter.counts.into_inner())
}

/// How a computation ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The normal form of the value, and what was written.
    Value(String, String),
    Error(String),
    Loop,
    Suspended,
    Limit,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Value(value, output) if output.is_empty() => f.write_str(value),
            Outcome::Value(_, output) => f.write_str(output),
            Outcome::Error(message) => write!(f, "error: {message}"),
            Outcome::Loop => f.write_str("loop"),
            Outcome::Suspended => f.write_str("suspended"),
            Outcome::Limit => f.write_str("limit"),
        }
    }
}

/// A heap variable.
type Ref = usize;

/// Values of local variables: a list, the latest first.
#[derive(Clone, Default)]
struct Env(Option<Rc<(VarId, Ref, Env)>>);

impl Env {
    fn with(&self, variable: VarId, value: Ref) -> Env {
        Env(Some(Rc::new((variable, value, self.clone()))))
    }

    fn get(&self, variable: VarId) -> Ref {
        let mut env = self;
        while let Some(node) = &env.0 {
            if node.0 == variable {
                return node.1;
            }
            env = &node.2;
        }
        panic!("variable {} is not bound", variable.index())
    }
}

/// A value in weak head normal form.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Construct(ConId, Rc<[Ref]>),
    Int(i64),
    Word(u64),
    Integer(i128),
    Char(u32),
    Double(f64),
    String(Rc<[u32]>, usize),
    /// A function with some of its arguments.
    Function(FunId, Rc<[Ref]>),
    /// An action: a primitive with its arguments.
    Action(&'static str, Rc<[Ref]>),
    Free(Ref),
    /// A mutable reference, by its number in the state.
    Reference(usize),
}

#[derive(Clone)]
enum Cell {
    Suspended(ExprId, Env),
    Constant(FunId),
    Value(Value),
    Same(Ref),
    Free,
    /// It is being evaluated.
    Busy,
    /// Its evaluation raised this exception, and does so again.
    Raised(Ref),
}

#[derive(Clone)]
enum Frame {
    Update(Ref),
    Case(ExprId, Env),
    Apply(Rc<[Ref]>),
    /// Where a `Fall` goes on.
    Try(ExprId, Env),
    /// A primitive, and how many of its arguments are evaluated.
    Primitive(Rc<str>, Rc<[Ref]>, usize),
    /// The value is an action, to be executed.
    Execute,
    /// The result of an action is given to this function.
    Bind(Ref),
    /// An exception is passed to this handler, and the resulting action is executed.
    Catch(Ref),
    /// Pairs that are left to be unified.
    Unify(Vec<(Ref, Ref)>, Option<Value>, bool),
}

#[derive(Clone)]
enum Control {
    Eval(ExprId, Env),
    Enter(Ref),
    Return(Value),
    /// An action is done, with this result.
    Done(Ref),
}

#[derive(Clone)]
struct State {
    heap: Vec<Cell>,
    constants: HashMap<FunId, Ref>,
    stack: Vec<Frame>,
    control: Control,
    output: String,
    /// What references hold.
    references: Vec<Ref>,
    /// The result, once it is in weak head normal form, and what of it is not evaluated yet.
    result: Option<Ref>,
    parts: Vec<Ref>,
    raised: bool,
}

impl State {
    fn new_cell(&mut self, cell: Cell) -> Ref {
        self.heap.push(cell);
        self.heap.len() - 1
    }

    fn new_value(&mut self, value: Value) -> Ref {
        match value {
            Value::Free(reference) => reference,
            value => self.new_cell(Cell::Value(value)),
        }
    }

    fn constant(&mut self, function: FunId) -> Ref {
        if let Some(&reference) = self.constants.get(&function) {
            return reference;
        }
        let reference = self.new_cell(Cell::Constant(function));
        self.constants.insert(function, reference);
        reference
    }

    fn resolve(&self, mut reference: Ref) -> Ref {
        while let Cell::Same(other) = self.heap[reference] {
            reference = other;
        }
        reference
    }
}

struct Interpreter<'a> {
    program: &'a Program,
    /// How often functions were unfolded.
    counts: RefCell<HashMap<FunId, u64>>,
}

/// What a step led to.
enum Step {
    Next(State),
    Choice(Vec<State>),
    Fail,
    End(Outcome),
}

impl Interpreter<'_> {
    fn run(&self, function: FunId, most: usize, limit: u64) -> Vec<Outcome> {
        let mut start = State {
            heap: Vec::new(),
            constants: HashMap::new(),
            stack: vec![Frame::Execute],
            control: Control::Enter(0),
            output: String::new(),
            references: Vec::new(),
            result: None,
            parts: Vec::new(),
            raised: false,
        };
        start.control = Control::Enter(start.constant(function));
        let mut waiting = vec![start];
        let mut found = Vec::new();
        let mut steps = 0;
        while let Some(mut state) = waiting.pop() {
            loop {
                steps += 1;
                if steps > limit {
                    found.push(Outcome::Limit);
                    return found;
                }
                match self.step(state) {
                    Step::Next(next) => state = next,
                    Step::Choice(mut states) => {
                        states.reverse();
                        waiting.extend(states);
                        break;
                    }
                    Step::Fail => break,
                    Step::End(outcome) => {
                        found.push(outcome);
                        if found.len() == most {
                            return found;
                        }
                        break;
                    }
                }
            }
        }
        found
    }

    /// One step.
    fn step(&self, mut state: State) -> Step {
        match state.control.clone() {
            Control::Enter(reference) => match state.heap[reference].clone() {
                Cell::Same(other) => state.control = Control::Enter(other),
                // VarCons.
                Cell::Value(value) => state.control = Control::Return(value),
                Cell::Free => state.control = Control::Return(Value::Free(reference)),
                Cell::Busy => return Step::End(Outcome::Loop),
                Cell::Raised(exception) => self.raise(&mut state, exception),
                // VarExp. What needs itself is a loop.
                Cell::Suspended(expr, env) => {
                    state.heap[reference] = Cell::Busy;
                    state.stack.push(Frame::Update(reference));
                    state.control = Control::Eval(expr, env);
                }
                Cell::Constant(function) => {
                    self.count(function);
                    state.heap[reference] = Cell::Busy;
                    state.stack.push(Frame::Update(reference));
                    state.control = Control::Eval(self.program.function(function).body, Env::default());
                }
            },
            Control::Eval(expr, env) => return self.eval(state, expr, env),
            Control::Return(value) => return self.value(state, value),
            Control::Done(result) => match state.stack.pop() {
                Some(Frame::Bind(function)) => {
                    state.stack.push(Frame::Execute);
                    state.stack.push(Frame::Apply(Rc::new([result])));
                    state.control = Control::Enter(function);
                }
                // Nothing was raised.
                Some(Frame::Catch(_)) => {}
                Some(_) => panic!("an action was executed inside an expression"),
                None => state.control = Control::Enter(result),
            },
        }
        Step::Next(state)
    }

    fn eval(&self, mut state: State, expr: ExprId, env: Env) -> Step {
        let program = self.program;
        match program.expr(expr) {
            // VarCons and VarExp, and a value that is none of a variable.
            Expr::Atom(atom) => {
                let reference = self.atom(&mut state, atom, &env);
                state.control = Control::Enter(reference);
            }
            // A constant is a variable of the heap.
            Expr::Call(function, arguments) if arguments.is_empty() && program.function(function).shared => {
                state.control = Control::Enter(state.constant(function));
            }
            // Fun.
            Expr::Call(function, arguments) => {
                let arguments = self.atoms(&mut state, program.list(arguments), &env);
                self.unfold(&mut state, function, &arguments);
            }
            Expr::Apply(function, arguments) => {
                let arguments = self.atoms(&mut state, program.list(arguments), &env);
                state.stack.push(Frame::Apply(arguments));
                let function = self.atom(&mut state, function, &env);
                state.control = Control::Enter(function);
            }
            Expr::Partial(function, arguments) => {
                let arguments = self.atoms(&mut state, program.list(arguments), &env);
                state.control = Control::Return(Value::Function(function, arguments));
            }
            // Val.
            Expr::Construct(constructor, arguments) => {
                let arguments = self.atoms(&mut state, program.list(arguments), &env);
                state.control = Control::Return(Value::Construct(constructor, arguments));
            }
            Expr::Primitive(primitive, arguments) => {
                let arguments = self.atoms(&mut state, program.list(arguments), &env);
                return self.primitive(state, program.primitive(primitive), arguments, 0);
            }
            // Let, with bindings that see each other.
            Expr::Let(bindings, body) => {
                let mut inner = env;
                let bindings = program.list(bindings);
                let first = state.heap.len();
                for (offset, binding) in bindings.iter().enumerate() {
                    state.heap.push(Cell::Busy);
                    inner = inner.with(binding.variable, first + offset);
                }
                for (offset, binding) in bindings.iter().enumerate() {
                    state.heap[first + offset] = Cell::Suspended(binding.value, inner.clone());
                }
                state.control = Control::Eval(body, inner);
            }
            // Case.
            Expr::Case(case) => {
                state.stack.push(Frame::Case(expr, env.clone()));
                state.control = Control::Eval(case.scrutinee, env);
            }
            // Or.
            Expr::Or(alternatives) => {
                let states = program.list(alternatives).iter().map(|&alternative| State {
                    control: Control::Eval(alternative, env.clone()),
                    ..state.clone()
                });
                return Step::Choice(states.collect());
            }
            // A variable that is bound to itself.
            Expr::Free(variables, body) => {
                let mut inner = env;
                for &variable in program.list(variables) {
                    inner = inner.with(variable, state.new_cell(Cell::Free));
                }
                state.control = Control::Eval(body, inner);
            }
            Expr::Try { first, otherwise } => {
                state.stack.push(Frame::Try(otherwise, env.clone()));
                state.control = Control::Eval(first, env);
            }
            Expr::Fall => match state.stack.pop() {
                Some(Frame::Try(otherwise, env)) => state.control = Control::Eval(otherwise, env),
                _ => panic!("a fall that ends no try"),
            },
            Expr::Failure => return Step::Fail,
            Expr::Error(kind, what) => {
                let message = format!("{kind:?} {}", program.text(what)).trim().to_owned();
                return Step::End(Outcome::Error(message));
            }
            Expr::Rule { body, .. } => state.control = Control::Eval(body, env),
        }
        Step::Next(state)
    }

    /// A value meets the top of the stack: Val, where that is an update.
    fn value(&self, mut state: State, value: Value) -> Step {
        match state.stack.pop() {
            None => return self.result(state, value),
            Some(Frame::Update(reference)) => {
                state.heap[reference] = match value {
                    Value::Free(other) => Cell::Same(other),
                    _ => Cell::Value(value.clone()),
                };
                state.control = Control::Return(value);
            }
            Some(Frame::Try(..)) => state.control = Control::Return(value),
            Some(Frame::Case(expr, env)) => return self.select(state, expr, env, value),
            Some(Frame::Apply(arguments)) => self.apply(&mut state, value, &arguments),
            Some(Frame::Primitive(name, arguments, done)) => {
                if let Value::Free(_) = value {
                    return Step::End(Outcome::Suspended);
                }
                return self.primitive(state, &name, arguments, done + 1);
            }
            Some(Frame::Execute) => return self.execute(state, value),
            Some(Frame::Bind(_) | Frame::Catch(_)) => panic!("a value where an action's result should be"),
            Some(Frame::Unify(rest, None, lazy)) => return self.unify_left(state, rest, value, lazy),
            Some(Frame::Unify(rest, Some(left), lazy)) => {
                return self.unify_values(state, rest, left, value, lazy);
            }
        }
        Step::Next(state)
    }

    /// Select and Guess: a value meets the alternatives of a case.
    fn select(&self, mut state: State, expr: ExprId, env: Env, value: Value) -> Step {
        let Expr::Case(case) = self.program.expr(expr) else { unreachable!("pushed for cases only") };
        let alternatives = self.program.list(case.alternatives);
        if let (Value::Free(reference), false) = (&value, alternatives.is_empty()) {
            if !case.flexible {
                return Step::End(Outcome::Suspended);
            }
            // Guess: the variable becomes each of the patterns in turn.
            let mut states = Vec::new();
            for alternative in alternatives {
                let mut state = state.clone();
                let bound = match alternative.pattern {
                    Pattern::Literal(literal) => literal_value(self.program.literal(literal)),
                    Pattern::Constructor(constructor, variables) => {
                        let parts = (0..variables.len()).map(|_| state.new_cell(Cell::Free)).collect();
                        Value::Construct(constructor, parts)
                    }
                };
                state.heap[*reference] = Cell::Value(bound.clone());
                state.stack.push(Frame::Case(expr, env.clone()));
                state.control = Control::Return(bound);
                states.push(state);
            }
            return Step::Choice(states);
        }
        let by_constructor =
            alternatives.iter().any(|alternative| matches!(alternative.pattern, Pattern::Constructor(..)));
        let value = match by_constructor {
            true => self.unpack(&mut state, value),
            false => value,
        };
        let whole = state.new_value(value.clone());
        let mut inner = env.with(case.variable, whole);
        for alternative in alternatives {
            match (alternative.pattern, &value) {
                (Pattern::Literal(literal), value)
                    if literal_value(self.program.literal(literal)) == *value => {}
                (Pattern::Constructor(wanted, variables), Value::Construct(found, parts))
                    if wanted == *found =>
                {
                    for (&variable, &part) in self.program.list(variables).iter().zip(parts.iter()) {
                        inner = inner.with(variable, part);
                    }
                }
                _ => continue,
            }
            state.control = Control::Eval(alternative.body, inner);
            return Step::Next(state);
        }
        match case.default {
            Some(default) => {
                state.control = Control::Eval(default, inner);
                Step::Next(state)
            }
            None => Step::Fail,
        }
    }

    fn count(&self, function: FunId) {
        *self.counts.borrow_mut().entry(function).or_insert(0) += 1;
    }

    fn unfold(&self, state: &mut State, function: FunId, arguments: &[Ref]) {
        self.count(function);
        let function = self.program.function(function);
        let mut env = Env::default();
        for (parameter, &argument) in function.parameters.iter().zip(arguments) {
            env = env.with(parameter.variable, argument);
        }
        state.control = Control::Eval(function.body, env);
    }

    fn apply(&self, state: &mut State, value: Value, arguments: &[Ref]) {
        let Value::Function(function, given) = value else { panic!("{value:?} is applied") };
        let all: Vec<Ref> = given.iter().chain(arguments).copied().collect();
        let arity = self.program.arity(function);
        if all.len() < arity {
            state.control = Control::Return(Value::Function(function, all.into()));
            return;
        }
        let (now, later) = all.split_at(arity);
        if !later.is_empty() {
            state.stack.push(Frame::Apply(later.into()));
        }
        self.unfold(state, function, now);
    }

    /// The result or a part of it has a value: its parts are next.
    fn result(&self, mut state: State, value: Value) -> Step {
        let reference = state.new_value(value.clone());
        state.result.get_or_insert(reference);
        if let Value::Construct(_, parts) = value {
            state.parts.extend(parts.iter().rev());
        }
        while let Some(part) = state.parts.pop() {
            let part = state.resolve(part);
            match &state.heap[part] {
                Cell::Value(Value::Construct(_, parts)) => {
                    let parts = parts.clone();
                    state.parts.extend(parts.iter().rev());
                }
                Cell::Value(_) | Cell::Free => {}
                _ => {
                    state.control = Control::Enter(part);
                    return Step::Next(state);
                }
            }
        }
        let text = self.show(&state, state.result.unwrap_or(reference));
        let outcome = match state.raised {
            true => Outcome::Error(text),
            false => Outcome::Value(text, state.output),
        };
        Step::End(outcome)
    }

    fn atom(&self, state: &mut State, atom: Atom, env: &Env) -> Ref {
        match atom {
            Atom::Variable(variable) => env.get(variable),
            Atom::Literal(literal) => state.new_value(literal_value(self.program.literal(literal))),
            Atom::Function(function) if self.program.arity(function) == 0 => state.constant(function),
            Atom::Function(function) => state.new_value(Value::Function(function, Rc::new([]))),
            Atom::Constructor(constructor) => state.new_value(Value::Construct(constructor, Rc::new([]))),
        }
    }

    fn atoms(&self, state: &mut State, arguments: &[Argument], env: &Env) -> Rc<[Ref]> {
        arguments.iter().map(|argument| self.atom(state, argument.atom, env)).collect()
    }

    /// A string as the list that it is.
    fn unpack(&self, state: &mut State, value: Value) -> Value {
        let Value::String(codes, from) = value else { return value };
        let Some(&code) = codes.get(from) else {
            return Value::Construct(self.constructor("[]"), Rc::new([]));
        };
        let head = state.new_value(Value::Char(code));
        let tail = state.new_value(Value::String(codes, from + 1));
        Value::Construct(self.constructor(":"), Rc::new([head, tail]))
    }

    fn list(&self, state: &mut State, values: Vec<Value>) -> Value {
        let mut list = Value::Construct(self.constructor("[]"), Rc::new([]));
        for value in values.into_iter().rev() {
            let parts = Rc::new([state.new_value(value), state.new_value(list)]);
            list = Value::Construct(self.constructor(":"), parts);
        }
        list
    }

    fn constructor(&self, name: &str) -> ConId {
        let mut all = self.program.constructors();
        let found = all.find(|(_, constructor)| self.program.text(constructor.name) == name);
        found.unwrap_or_else(|| panic!("there is no constructor {name}")).0
    }
}

fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Int(value) => Value::Int(*value),
        Literal::Word(value) => Value::Word(*value),
        Literal::Integer(digits) => Value::Integer(digits.parse().expect("a number of at most 128 bits")),
        Literal::Char(code) => Value::Char(*code),
        Literal::Double(bits) => Value::Double(f64::from_bits(*bits)),
        Literal::Float(bits) => Value::Double(f64::from(f32::from_bits(*bits))),
        Literal::String(codes) => Value::String(codes.iter().copied().collect(), 0),
    }
}
