//! Primitives that control evaluation; the machine itself performs them.

use super::{Primitive, What};

/// A primitive that the machine does itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// The second argument, after the first is evaluated.
    Seq,
    /// Raises an exception.
    Raise,
    /// An action: another one, and a handler for what is raised while it is done.
    Catch,
    /// Whether two dictionaries come from the same instance.
    SameInstance,
    /// The argument.
    Same,
    /// Executes an action and evaluates its result.
    Perform,
    /// An action that returns the argument.
    Return,
    /// An action: another one, then the action that a function makes of its result.
    Bind,
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            Primitive { name: "seq", arity: 2, lazy: 0b10, what: What::Control(Control::Seq) },
            Primitive { name: "raise", arity: 1, lazy: 0b1, what: What::Control(Control::Raise) },
            Primitive { name: "catch", arity: 2, lazy: 0b11, what: What::Control(Control::Catch) },
            Primitive {
                name: "sameInstance",
                arity: 4,
                lazy: 0b1100,
                what: What::Control(Control::SameInstance),
            },
            Primitive { name: "unsafeCoerce", arity: 1, lazy: 0b1, what: What::Control(Control::Same) },
            Primitive { name: "unsafePerformIO", arity: 1, lazy: 0b1, what: What::Control(Control::Perform) },
            Primitive { name: "ioReturn", arity: 1, lazy: 0b1, what: What::Control(Control::Return) },
            Primitive { name: "ioBind", arity: 2, lazy: 0b11, what: What::Control(Control::Bind) },
        ]
    }
}
