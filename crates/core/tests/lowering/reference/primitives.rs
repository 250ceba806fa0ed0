//! Primitives that are more than arithmetic, and actions, as far as tests need them.

use std::rc::Rc;

use super::{Cell, Control, Frame, Interpreter, Ref, State, Step, Value};

/// Primitives that are actions: values until they are executed.
const ACTIONS: &[&str] =
    &["ioReturn", "ioBind", "catch", "refNew", "refRead", "refWrite", "handlePutChar", "handleGetBuffering"];

impl Interpreter<'_> {
    /// A value where an action is executed.
    pub(super) fn execute(&self, mut state: State, value: Value) -> Step {
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
            ("catch", &[action, handler]) => {
                state.stack.push(Frame::Catch(handler));
                state.stack.push(Frame::Execute);
                state.control = Control::Enter(action);
            }
            ("refNew", &[value]) => {
                state.references.push(value);
                let reference = Value::Reference(state.references.len() - 1);
                state.control = Control::Done(state.new_value(reference));
            }
            ("refRead" | "refWrite", _) => return self.primitive(state, &format!("{name}!"), arguments, 0),
            ("handlePutChar", _) => return self.primitive(state, "putChar!", arguments, 0),
            // Nothing is buffered, so that the library writes character by character.
            ("handleGetBuffering", _) => state.control = Control::Done(state.new_value(Value::Int(0))),
            _ => panic!("the action {name} is not known to the reference interpreter"),
        }
        Step::Next(state)
    }

    /// A primitive of which some arguments are evaluated.
    pub(super) fn primitive(&self, mut state: State, name: &str, arguments: Rc<[Ref]>, done: usize) -> Step {
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
                self.raise(&mut state, exception);
                return Step::Next(state);
            }
            ("unsafeCoerce", &[value]) => {
                state.control = Control::Enter(value);
                return Step::Next(state);
            }
            _ => {}
        }
        // What is written to a reference is not evaluated.
        let wanted = if name == "refWrite!" { 1 } else { arguments.len() };
        if let Some(&next) = arguments[..wanted].get(done) {
            state.stack.push(Frame::Primitive(name.into(), arguments.clone(), done));
            state.control = Control::Enter(next);
            return Step::Next(state);
        }
        let values: Vec<Value> = arguments[..wanted]
            .iter()
            .map(|&argument| match &state.heap[state.resolve(argument)] {
                Cell::Value(value) => value.clone(),
                _ => panic!("an argument of {name} is not evaluated"),
            })
            .collect();
        if let ("refRead!", [Value::Reference(at)]) = (name, values.as_slice()) {
            state.control = Control::Done(state.references[*at]);
            return Step::Next(state);
        }
        if let ("refWrite!", [Value::Reference(at)]) = (name, values.as_slice()) {
            state.references[*at] = arguments[1];
            let unit = state.new_value(Value::Construct(self.constructor("()"), Rc::new([])));
            state.control = Control::Done(unit);
            return Step::Next(state);
        }
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

    /// Goes on with the innermost handler; without one, the exception is the outcome.
    pub(super) fn raise(&self, state: &mut State, exception: Ref) {
        while let Some(frame) = state.stack.pop() {
            match frame {
                Frame::Update(reference) => state.heap[reference] = Cell::Raised(exception),
                Frame::Catch(handler) => {
                    state.stack.push(Frame::Execute);
                    state.stack.push(Frame::Apply(Rc::new([exception])));
                    state.control = Control::Enter(handler);
                    return;
                }
                _ => {}
            }
        }
        state.raised = true;
        state.control = Control::Enter(exception);
    }

    /// How many values a function applied to the unit has, by a separate search. (Here the values of a set
    /// function are always `True`: whether a rule applies.)
    pub(super) fn count_values(&self, state: &State, function: Ref) -> usize {
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
}
