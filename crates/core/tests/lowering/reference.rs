//! A slow, obviously correct interpreter of the kernel.
//!
//! It is the small-step semantics of S4 Fig. 2.6, rule by rule: a heap of variables, a control expression, and a stack
//! of updates and case distinctions. Sharing is by update of heap variables; `or` and flexible cases on free variables
//! copy the whole state and go on depth first. Nothing here is fast, and nothing recurses natively.

use std::collections::HashMap;
use std::rc::Rc;

use gadfly_core::kernel::{Argument, Atom, ConId, Expr, ExprId, FunId, Literal, Pattern, Program, VarId};

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
}

#[derive(Clone)]
enum Cell {
    Suspended(ExprId, Env),
    Constant(FunId),
    Value(Value),
    Same(Ref),
    Free,
    Busy,
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

/// The outcomes of a function without parameters, depth first, at most so many.
pub(crate) fn outcomes(program: &Program, function: FunId, most: usize) -> Vec<Outcome> {
    Interpreter { program }.run(function, most)
}

struct Interpreter<'a> {
    program: &'a Program,
}

/// What a step led to.
enum Step {
    Next(State),
    Choice(Vec<State>),
    Fail,
    End(Outcome),
}

const LIMIT: u64 = 20_000_000;

impl Interpreter<'_> {
    fn run(&self, function: FunId, most: usize) -> Vec<Outcome> {
        let mut start = State {
            heap: Vec::new(),
            constants: HashMap::new(),
            stack: vec![Frame::Execute],
            control: Control::Enter(0),
            output: String::new(),
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
                if steps > LIMIT {
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

    fn step(&self, mut state: State) -> Step {
        match state.control.clone() {
            Control::Enter(reference) => match state.heap[reference].clone() {
                Cell::Same(other) => state.control = Control::Enter(other),
                Cell::Value(value) => state.control = Control::Return(value),
                Cell::Free => state.control = Control::Return(Value::Free(reference)),
                Cell::Busy => return Step::End(Outcome::Loop),
                Cell::Suspended(expr, env) => {
                    state.heap[reference] = Cell::Busy;
                    state.stack.push(Frame::Update(reference));
                    state.control = Control::Eval(expr, env);
                }
                Cell::Constant(function) => {
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
                Some(_) => panic!("an action was executed inside an expression"),
                None => state.control = Control::Enter(result),
            },
        }
        Step::Next(state)
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

    fn unfold(&self, state: &mut State, function: FunId, arguments: &[Ref]) {
        let function = self.program.function(function);
        let mut env = Env::default();
        for (parameter, &argument) in function.parameters.iter().zip(arguments) {
            env = env.with(parameter.variable, argument);
        }
        state.control = Control::Eval(function.body, env);
    }

    fn eval(&self, mut state: State, expr: ExprId, env: Env) -> Step {
        let program = self.program;
        match program.expr(expr) {
            Expr::Atom(atom) => {
                let reference = self.atom(&mut state, atom, &env);
                state.control = Control::Enter(reference);
            }
            Expr::Call(function, arguments) if arguments.is_empty() && program.function(function).shared => {
                state.control = Control::Enter(state.constant(function));
            }
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
            Expr::Construct(constructor, arguments) => {
                let arguments = self.atoms(&mut state, program.list(arguments), &env);
                state.control = Control::Return(Value::Construct(constructor, arguments));
            }
            Expr::Primitive(primitive, arguments) => {
                let arguments = self.atoms(&mut state, program.list(arguments), &env);
                return self.primitive(state, program.primitive(primitive), arguments, 0);
            }
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
            Expr::Case(case) => {
                state.stack.push(Frame::Case(expr, env.clone()));
                state.control = Control::Eval(case.scrutinee, env);
            }
            Expr::Or(alternatives) => {
                let states = program.list(alternatives).iter().map(|&alternative| State {
                    control: Control::Eval(alternative, env.clone()),
                    ..state.clone()
                });
                return Step::Choice(states.collect());
            }
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

    /// How many values a function has of the unit, by a search of its own. (Here the values of a set function are
    /// always `True`: whether a rule applies.)
    fn count_values(&self, state: &State, function: Ref) -> usize {
        let mut inside = State { stack: Vec::new(), result: None, parts: Vec::new(), ..state.clone() };
        let unit = inside.new_value(Value::Construct(self.constructor("()"), Rc::new([])));
        inside.stack.push(Frame::Apply(Rc::new([unit])));
        inside.control = Control::Enter(function);
        let mut waiting = vec![inside];
        let mut count = 0;
        while let Some(mut state) = waiting.pop() {
            loop {
                match self.step(state) {
                    Step::Next(next) => state = next,
                    Step::Choice(mut states) => {
                        states.reverse();
                        waiting.extend(states);
                        break;
                    }
                    Step::Fail => break,
                    Step::End(..) => {
                        count += 1;
                        break;
                    }
                }
            }
        }
        count
    }

    /// A value meets the top of the stack.
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
            Some(Frame::Bind(_)) => panic!("a value where an action's result should be"),
            Some(Frame::Unify(rest, None, lazy)) => return self.unify_left(state, rest, value, lazy),
            Some(Frame::Unify(rest, Some(left), lazy)) => {
                return self.unify_values(state, rest, left, value, lazy);
            }
        }
        Step::Next(state)
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

    fn select(&self, mut state: State, expr: ExprId, env: Env, value: Value) -> Step {
        let Expr::Case(case) = self.program.expr(expr) else { unreachable!("pushed for cases only") };
        let alternatives = self.program.list(case.alternatives);
        if let (Value::Free(reference), false) = (&value, alternatives.is_empty()) {
            if !case.flexible {
                return Step::End(Outcome::Suspended);
            }
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

    fn constructor(&self, name: &str) -> ConId {
        let mut all = self.program.constructors();
        let found = all.find(|(_, constructor)| self.program.text(constructor.name) == name);
        found.unwrap_or_else(|| panic!("there is no constructor {name}")).0
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

    fn execute(&self, mut state: State, value: Value) -> Step {
        let Value::Action(name, arguments) = value else {
            // What is not an action is the result itself.
            state.control = Control::Return(value);
            return Step::Next(state);
        };
        match (name, &arguments[..]) {
            ("ioReturn", &[result]) => state.control = Control::Done(result),
            ("ioBind", &[action, function]) => {
                state.stack.push(Frame::Bind(function));
                state.stack.push(Frame::Execute);
                state.control = Control::Enter(action);
            }
            ("handlePutChar", _) => return self.primitive(state, "putChar!", arguments, 0),
            _ => panic!("the action {name} is not known to the reference interpreter"),
        }
        Step::Next(state)
    }

    /// A primitive of which some arguments are evaluated.
    fn primitive(&self, mut state: State, name: &str, arguments: Rc<[Ref]>, done: usize) -> Step {
        if let Some(&action) = ACTIONS.iter().find(|&&action| action == name) {
            state.control = Control::Return(Value::Action(action, arguments));
            return Step::Next(state);
        }
        match (name, &arguments[..]) {
            ("unify", &[left, right]) => return self.unify(state, vec![(left, right)], false),
            ("unifyPattern", &[left, right]) => return self.unify(state, vec![(left, right)], true),
            ("setValues", &[function]) => {
                let count = self.count_values(&state, function);
                let yes = Value::Construct(self.constructor("True"), Rc::new([]));
                let list = self.list(&mut state, vec![yes; count]);
                state.control = Control::Return(list);
                return Step::Next(state);
            }
            ("raise", &[exception]) => {
                state.stack.clear();
                state.raised = true;
                state.control = Control::Enter(exception);
                return Step::Next(state);
            }
            ("unsafeCoerce", &[value]) => {
                state.control = Control::Enter(value);
                return Step::Next(state);
            }
            _ => {}
        }
        if let Some(&next) = arguments.get(done) {
            state.stack.push(Frame::Primitive(name.into(), arguments.clone(), done));
            state.control = Control::Enter(next);
            return Step::Next(state);
        }
        let values: Vec<Value> = arguments
            .iter()
            .map(|&argument| match &state.heap[state.resolve(argument)] {
                Cell::Value(value) => value.clone(),
                _ => panic!("an argument of {name} is not evaluated"),
            })
            .collect();
        if let ("putChar!", [_, Value::Char(code)]) = (name, values.as_slice()) {
            state.output.push(char::from_u32(*code).unwrap_or('?'));
            let unit = state.new_value(Value::Construct(self.constructor("()"), Rc::new([])));
            state.control = Control::Done(unit);
            return Step::Next(state);
        }
        let value = self.compute(&mut state, name, &values);
        state.control = Control::Return(value);
        Step::Next(state)
    }

    fn compute(&self, state: &mut State, name: &str, values: &[Value]) -> Value {
        let bool = |value: bool| {
            Value::Construct(self.constructor(if value { "True" } else { "False" }), Rc::new([]))
        };
        let ordering = |order: std::cmp::Ordering| {
            let name = ["LT", "EQ", "GT"][(order as i8 + 1) as usize];
            Value::Construct(self.constructor(name), Rc::new([]))
        };
        let string = |text: String| Value::String(text.chars().map(u32::from).collect(), 0);
        match (name, values) {
            ("intAdd", [Value::Int(a), Value::Int(b)]) => Value::Int(a.wrapping_add(*b)),
            ("intSub", [Value::Int(a), Value::Int(b)]) => Value::Int(a.wrapping_sub(*b)),
            ("intMul", [Value::Int(a), Value::Int(b)]) => Value::Int(a.wrapping_mul(*b)),
            ("intNegate", [Value::Int(a)]) => Value::Int(a.wrapping_neg()),
            ("intQuot", [Value::Int(a), Value::Int(b)]) => Value::Int(a / b),
            ("intRem", [Value::Int(a), Value::Int(b)]) => Value::Int(a % b),
            ("intDiv", [Value::Int(a), Value::Int(b)]) => {
                Value::Int(floor(i128::from(*a), i128::from(*b)) as i64)
            }
            ("intMod", [Value::Int(a), Value::Int(b)]) => Value::Int(((a % b) + b) % b),
            ("intEq", [Value::Int(a), Value::Int(b)]) => bool(a == b),
            ("intNe", [Value::Int(a), Value::Int(b)]) => bool(a != b),
            ("intLt", [Value::Int(a), Value::Int(b)]) => bool(a < b),
            ("intLe", [Value::Int(a), Value::Int(b)]) => bool(a <= b),
            ("intGt", [Value::Int(a), Value::Int(b)]) => bool(a > b),
            ("intGe", [Value::Int(a), Value::Int(b)]) => bool(a >= b),
            ("intCompare", [Value::Int(a), Value::Int(b)]) => ordering(a.cmp(b)),
            ("intShow", [Value::Int(a)]) => string(a.to_string()),
            ("intToInteger", [Value::Int(a)]) => Value::Integer(i128::from(*a)),
            ("integerToInt", [Value::Integer(a)]) => Value::Int(*a as i64),
            ("integerAdd", [Value::Integer(a), Value::Integer(b)]) => Value::Integer(a + b),
            ("integerSub", [Value::Integer(a), Value::Integer(b)]) => Value::Integer(a - b),
            ("integerMul", [Value::Integer(a), Value::Integer(b)]) => Value::Integer(a * b),
            ("integerNegate", [Value::Integer(a)]) => Value::Integer(-a),
            ("integerQuot", [Value::Integer(a), Value::Integer(b)]) => Value::Integer(a / b),
            ("integerRem", [Value::Integer(a), Value::Integer(b)]) => Value::Integer(a % b),
            ("integerDiv", [Value::Integer(a), Value::Integer(b)]) => Value::Integer(floor(*a, *b)),
            ("integerMod", [Value::Integer(a), Value::Integer(b)]) => Value::Integer(((a % b) + b) % b),
            ("integerEq", [Value::Integer(a), Value::Integer(b)]) => bool(a == b),
            ("integerLt", [Value::Integer(a), Value::Integer(b)]) => bool(a < b),
            ("integerLe", [Value::Integer(a), Value::Integer(b)]) => bool(a <= b),
            ("integerCompare", [Value::Integer(a), Value::Integer(b)]) => ordering(a.cmp(b)),
            ("integerShow", [Value::Integer(a)]) => string(a.to_string()),
            ("charOrd", [Value::Char(a)]) => Value::Int(i64::from(*a)),
            ("charChr", [Value::Int(a)]) => Value::Char(*a as u32),
            ("charEq", [Value::Char(a), Value::Char(b)]) => bool(a == b),
            ("charNe", [Value::Char(a), Value::Char(b)]) => bool(a != b),
            ("charLt", [Value::Char(a), Value::Char(b)]) => bool(a < b),
            ("charLe", [Value::Char(a), Value::Char(b)]) => bool(a <= b),
            ("charCompare", [Value::Char(a), Value::Char(b)]) => ordering(a.cmp(b)),
            ("charCategory", [Value::Char(a)]) => Value::Int(category(*a)),
            ("doubleAdd", [Value::Double(a), Value::Double(b)]) => Value::Double(a + b),
            ("doubleSub", [Value::Double(a), Value::Double(b)]) => Value::Double(a - b),
            ("doubleMul", [Value::Double(a), Value::Double(b)]) => Value::Double(a * b),
            ("doubleDiv", [Value::Double(a), Value::Double(b)]) => Value::Double(a / b),
            ("doubleNegate", [Value::Double(a)]) => Value::Double(-a),
            ("doubleEq", [Value::Double(a), Value::Double(b)]) => bool(a == b),
            ("doubleLt", [Value::Double(a), Value::Double(b)]) => bool(a < b),
            ("doubleLe", [Value::Double(a), Value::Double(b)]) => bool(a <= b),
            ("integerToDouble", [Value::Integer(a)]) => Value::Double(*a as f64),
            ("intToDouble", [Value::Int(a)]) => Value::Double(*a as f64),
            ("doubleTruncate", [Value::Double(a)]) => Value::Integer(a.trunc() as i128),
            ("doubleDigits", [Value::Double(a)]) => {
                // The shortest digits 0.ddd * 10^e.
                let text = format!("{a:e}");
                let (digits, exponent) = text.split_once('e').expect("an exponent");
                let digits = digits.chars().filter_map(|digit| digit.to_digit(10));
                let digits: Vec<Value> = digits.map(|digit| Value::Int(i64::from(digit))).collect();
                let exponent = Value::Int(exponent.parse::<i64>().expect("a number") + 1);
                let digits = self.list(state, digits);
                let parts = Rc::new([state.new_value(digits), state.new_value(exponent)]);
                Value::Construct(self.constructor("(,)"), parts)
            }
            ("doubleDecode", [Value::Double(a)]) => {
                let bits = a.to_bits();
                let exponent = (bits >> 52 & 0x7ff) as i64;
                let mantissa = (bits & ((1 << 52) - 1)) | (u64::from(exponent != 0) << 52);
                let sign = if *a < 0.0 { -1 } else { 1 };
                let (mantissa, exponent) = match mantissa {
                    0 => (0, 0),
                    _ => (sign * i128::from(mantissa), exponent.max(1) - 1075),
                };
                let parts =
                    [Value::Integer(mantissa), Value::Int(exponent)].map(|part| state.new_value(part));
                Value::Construct(self.constructor("(,)"), Rc::new(parts))
            }
            ("doubleEncode", [Value::Integer(a), Value::Int(b)]) => {
                Value::Double(*a as f64 * 2f64.powi(*b as i32))
            }
            ("integerBitLength", [Value::Integer(a)]) => Value::Int(128 - i64::from(a.leading_zeros())),
            ("stdout", []) => Value::Int(1),
            _ => panic!("the primitive {name} {values:?} is not known to the reference interpreter"),
        }
    }

    fn list(&self, state: &mut State, values: Vec<Value>) -> Value {
        let mut list = Value::Construct(self.constructor("[]"), Rc::new([]));
        for value in values.into_iter().rev() {
            let parts = Rc::new([state.new_value(value), state.new_value(list)]);
            list = Value::Construct(self.constructor(":"), parts);
        }
        list
    }

    /// Unifies pairs; `lazy` if the left sides are patterns.
    fn unify(&self, mut state: State, pairs: Vec<(Ref, Ref)>, lazy: bool) -> Step {
        let Some(&(left, _)) = pairs.last() else {
            state.control = Control::Return(Value::Construct(self.constructor("True"), Rc::new([])));
            return Step::Next(state);
        };
        state.stack.push(Frame::Unify(pairs, None, lazy));
        state.control = Control::Enter(left);
        Step::Next(state)
    }

    fn unify_left(&self, mut state: State, mut pairs: Vec<(Ref, Ref)>, left: Value, lazy: bool) -> Step {
        let Some(&(_, right)) = pairs.last() else { return Step::Fail };
        if let (Value::Free(free), true) = (&left, lazy) {
            if state.resolve(right) != *free {
                state.heap[*free] = Cell::Same(right);
            }
            pairs.pop();
            return self.unify(state, pairs, lazy);
        }
        state.stack.push(Frame::Unify(pairs, Some(left), lazy));
        state.control = Control::Enter(right);
        Step::Next(state)
    }

    fn unify_values(
        &self,
        mut state: State,
        mut pairs: Vec<(Ref, Ref)>,
        left: Value,
        right: Value,
        lazy: bool,
    ) -> Step {
        pairs.pop();
        match (self.unpack(&mut state, left), self.unpack(&mut state, right)) {
            (Value::Free(a), Value::Free(b)) => {
                if a != b {
                    state.heap[a] = Cell::Same(b);
                }
            }
            (Value::Free(free), Value::Construct(constructor, parts))
            | (Value::Construct(constructor, parts), Value::Free(free)) => {
                let fresh: Rc<[Ref]> = parts.iter().map(|_| state.new_cell(Cell::Free)).collect();
                pairs.extend(fresh.iter().copied().zip(parts.iter().copied()).rev());
                state.heap[free] = Cell::Value(Value::Construct(constructor, fresh));
            }
            (Value::Free(free), value) | (value, Value::Free(free)) => state.heap[free] = Cell::Value(value),
            (Value::Construct(a, left), Value::Construct(b, right)) if a == b => {
                pairs.extend(left.iter().copied().zip(right.iter().copied()).rev());
            }
            (a, b) if a == b && !matches!(a, Value::Construct(..)) => {}
            _ => return Step::Fail,
        }
        self.unify(state, pairs, lazy)
    }

    /// A normal form as a program would write it.
    fn show(&self, state: &State, root: Ref) -> String {
        enum Item {
            Text(&'static str),
            Term(Ref, bool),
        }
        let mut text = String::new();
        let mut items = vec![Item::Term(root, false)];
        while let Some(item) = items.pop() {
            let (reference, inside) = match item {
                Item::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Item::Term(reference, inside) => (state.resolve(reference), inside),
            };
            let Cell::Value(value) = &state.heap[reference] else {
                text.push('_');
                continue;
            };
            match value {
                Value::Int(value) => text.push_str(&value.to_string()),
                Value::Word(value) => text.push_str(&value.to_string()),
                Value::Integer(value) => text.push_str(&value.to_string()),
                Value::Char(code) => text.push_str(&format!("{:?}", char::from_u32(*code).unwrap_or('?'))),
                Value::Double(value) => text.push_str(&format!("{value:?}")),
                Value::String(codes, from) => text.push_str(&format!("{:?}", code_text(&codes[*from..]))),
                Value::Function(..) => text.push_str("<function>"),
                Value::Action(name, _) => text.push_str(&format!("<{name}>")),
                Value::Free(_) => text.push('_'),
                Value::Construct(constructor, parts) => {
                    let info = self.program.constructor(*constructor);
                    let name = self.program.text(info.name);
                    let parts = &parts[info.dictionaries as usize..];
                    if name == ":" || name == "[]" {
                        match self.elements(state, reference) {
                            Ok(codes) => text.push_str(&format!("{:?}", code_text(&codes))),
                            Err(elements) => {
                                text.push('[');
                                items.push(Item::Text("]"));
                                for (at, element) in elements.into_iter().enumerate().rev() {
                                    items.push(Item::Term(element, false));
                                    if at > 0 {
                                        items.push(Item::Text(","));
                                    }
                                }
                            }
                        }
                        continue;
                    }
                    let tuple = name.starts_with("(,");
                    if parts.is_empty() {
                        text.push_str(name);
                        continue;
                    }
                    if inside || tuple {
                        text.push('(');
                        items.push(Item::Text(")"));
                    }
                    for (at, &part) in parts.iter().enumerate().rev() {
                        items.push(Item::Term(part, !tuple));
                        match (tuple, at) {
                            (true, 0) => {}
                            (true, _) => items.push(Item::Text(",")),
                            (false, _) => items.push(Item::Text(" ")),
                        }
                    }
                    if !tuple {
                        text.push_str(name);
                    }
                }
            }
        }
        text
    }

    /// The elements of a list: as characters if they all are.
    fn elements(&self, state: &State, list: Ref) -> Result<Vec<u32>, Vec<Ref>> {
        let mut elements = Vec::new();
        let mut codes = Vec::new();
        let mut all = true;
        let mut at = state.resolve(list);
        loop {
            match &state.heap[at] {
                Cell::Value(Value::Construct(_, parts)) if parts.len() == 2 => {
                    let element = state.resolve(parts[0]);
                    match &state.heap[element] {
                        Cell::Value(Value::Char(code)) => codes.push(*code),
                        _ => all = false,
                    }
                    elements.push(element);
                    at = state.resolve(parts[1]);
                }
                Cell::Value(Value::String(rest, from)) => {
                    codes.extend(&rest[*from..]);
                    break;
                }
                _ => break,
            }
        }
        if all && !codes.is_empty() { Ok(codes) } else { Err(elements) }
    }
}

const ACTIONS: &[&str] = &["ioReturn", "ioBind", "handlePutChar"];

fn code_text(codes: &[u32]) -> String {
    codes.iter().map(|&code| char::from_u32(code).unwrap_or('?')).collect()
}

/// The general category of a character, as far as tests need it.
fn category(code: u32) -> i64 {
    match char::from_u32(code) {
        Some('A'..='Z') => 0,
        Some('a'..='z') => 1,
        Some('0'..='9') => 8,
        Some(' ') => 22,
        Some(c) if c.is_control() => 25,
        Some('(' | '[' | '{') => 13,
        Some(')' | ']' | '}') => 14,
        Some('+' | '<' | '=' | '>' | '|' | '~') => 18,
        _ => 17,
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

/// Division towards minus infinity.
fn floor(a: i128, b: i128) -> i128 {
    let down = a % b != 0 && (a < 0) != (b < 0);
    a / b - i128::from(down)
}
