//! Unification: Curry's `=:=`, and functional patterns.
//!
//! Both sides are evaluated to weak head normal form and compared, part by part. A free variable that meets a
//! constructor becomes that constructor with free variables, which meet its parts. In a functional pattern, a free
//! variable on the left becomes whatever is on the right, evaluated or not.

use std::rc::Rc;

use super::{Cell, Control, Frame, Interpreter, Ref, State, Step, Value};

impl Interpreter<'_> {
    /// Unifies pairs; `lazy` if the left sides are patterns.
    pub(super) fn unify(&self, mut state: State, pairs: Vec<(Ref, Ref)>, lazy: bool) -> Step {
        let Some(&(left, _)) = pairs.last() else {
            state.control = Control::Return(Value::Construct(self.constructor("True"), Rc::new([])));
            return Step::Next(state);
        };
        state.stack.push(Frame::Unify(pairs, None, lazy));
        state.control = Control::Enter(left);
        Step::Next(state)
    }

    pub(super) fn unify_left(
        &self,
        mut state: State,
        mut pairs: Vec<(Ref, Ref)>,
        left: Value,
        lazy: bool,
    ) -> Step {
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

    pub(super) fn unify_values(
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
}
