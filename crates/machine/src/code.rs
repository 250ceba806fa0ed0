//! The machine's code.
//!
//! Code is a column of 32-bit words. An instruction is a word whose lowest byte is the [`Op`] and whose other bits are
//! a count, followed by its operands. It is a register machine: a function's parameters and local variables are *slots*
//! of its frame, which is the top of the stack; an *operand* is a slot or a constant. The kernel names every
//! intermediate result already, so its variables become slots directly, without pushing and popping between
//! instructions.
//!
//! An instruction that must evaluate a value first leaves its frame on the stack under a control word and
//! continues at the instruction after it once the value is known; the two words before that instruction say
//! which slots of the frame are alive then, and which one the value goes to.

#![allow(unsafe_code, reason = "an instruction is decoded at every step")]

/// An operand: a slot of the frame or a constant of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operand(pub(crate) u32);

impl Operand {
    pub(crate) fn slot(slot: u32) -> Operand {
        Operand(slot << 1)
    }

    pub(crate) fn constant(constant: u32) -> Operand {
        Operand(constant << 1 | 1)
    }
}

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What an instruction does. In the descriptions, `n` is the count in its first word, brackets are operands.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(crate) enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            const ALL: &[Op] = &[$(Op::$name,)*];
        }
    };
}

ops! {
    /// The slot's value is evaluated. `height, map, slot`
    Eval,
    /// Evaluates like `Eval` and branches on the constructor's tag. `height, map, slot`, then a `Switch`
    Case,
    /// Branches on the tag of an evaluated constructor. `slot`, n labels
    Switch,
    /// Continues at the next instruction if the slot holds the literal, else at the label. `slot, literal,
    /// label`
    IfLiteral,
    /// Branches on a small integer or a character. `slot, otherwise`, n times `low, high, label`, ordered by
    /// the words
    Literals,
    /// Calls a function with all its arguments. `function, height`, n [arguments], `map, slot`
    Call,
    /// Calls a function whose strict arguments are evaluated. The same
    CallFast,
    /// Calls an unknown function. `height, [function]`, n [arguments], `map, slot`
    Apply,
    /// Calls a function in tail position. `function`, n [arguments]
    Tail,
    /// The same for a function whose strict arguments are evaluated.
    TailFast,
    /// Calls an unknown function, and that is the rest. `[function]`, n [arguments]
    TailApply,
    /// Returns an evaluated value. `[value]`
    Return,
    /// Evaluates a value and returns it. `[value]`
    Enter,
    /// Jumps. `label`
    Jump,
    /// `slot, [value]`
    Move,
    /// Loads fields of a constructor. `slot`, n times `field, slot`
    Fields,
    /// Makes a constructor. `slot, constructor, tag`, n [fields]
    Construct,
    /// Makes a constructor and returns it. `constructor, tag`, n [fields]
    ReturnConstruct,
    /// Makes a thunk. `slot, thunk`, n [variables]
    Thunk,
    /// Makes a partial application. `slot, function`, n [arguments]
    Partial,
    /// Makes a selector of a field. `slot, field, [of]`
    Select,
    /// Makes an action. `slot, primitive`, n [arguments]
    Action,
    /// Makes a string that is not unpacked yet. `slot, string`
    String,
    /// Completes an object of a recursive group. `slot, field, [value]`
    Patch,
    /// Applies a primitive to evaluated arguments. `primitive, slot`, n [arguments]
    Primitive,
    /// Arithmetic on `Int`, with the primitive for what is not small. `primitive, slot, [a], [b]`
    Add,
    Subtract,
    Multiply,
    /// Division, also on `Integer`; the divisor is not 0. `primitive, slot, [a], [b]`
    Quotient,
    Remainder,
    Divide,
    Modulo,
    /// Arithmetic on `Integer`. `primitive, slot, [a], [b]`
    AddInteger,
    SubtractInteger,
    MultiplyInteger,
    /// Arithmetic on `Double`. `primitive, slot, [a], [b]`
    AddDouble,
    SubtractDouble,
    MultiplyDouble,
    DivideDouble,
    /// Compares; n says how. `primitive, slot, [a], [b]`
    Compare,
    /// Compares; continues at the next instruction if the comparison holds, else at the label. `primitive,
    /// label, [a], [b]`
    IfEqual,
    IfNotEqual,
    IfLess,
    IfLessEqual,
    IfGreater,
    IfGreaterEqual,
    /// The code of a character, or the reverse. `slot, [a]`
    Ord,
    Chr,
    /// The slots 0 and 1 are a string's number and how much of it is unpacked already: the rest is unpacked.
    Unpack,
    /// Raises an exception. `[exception]`
    Raise,
    /// Executes an action and evaluates its result, in tail position. `[action]`
    Perform,
    /// Ends with an error of the program, under a frame. `error, map, slot`
    Error,
    /// What the machine cannot do yet.
    Logic,
    /// An application of slot 0 to the other slots, n in all.
    ApplySlots,
    /// Tells the recorder that a function is unfolded. `function`
    Unfold,
    /// Does nothing. One word
    Skip,
    // What follows is in the code of recorded runs only: see `crate::trace`.
    /// Writes a row; the slot is the context of its node. `slot, shape`, n [references]
    Row,
    /// Writes a row for a call of recorded code by trusted code. `slot, function`, n [arguments]
    CallRow,
    /// The context for trusted code that is called from a place. `slot, position`
    At,
    /// Remembers who uses a constant first. `constant, position`
    Use,
    /// Makes a node for a constant whose thunk is being entered. `constant, shape`
    ConstantNode,
    /// Makes a constructor and its row. `slot, constructor, tag, shape`, n [fields]
    ConstructRow,
    /// Makes a constructor and its row and returns it. `constructor, tag, shape`, n [fields]
    ReturnConstructRow,
    /// Makes a thunk with the node of a context. `slot, thunk, [context]`, n [variables]
    ThunkOf,
    /// Makes a partial application with the node of a context. `slot, function, [context]`, n [arguments]
    PartialOf,
    /// Makes an action and its row. `slot, primitive, shape`, n [arguments]
    ActionRow,
    /// The redex became an evaluated value, which is given back. `shape, [value]`
    Became,
    /// The redex became a value, which is evaluated next. `shape, [value]`
    BecameEntered,
    /// Calls trusted code; its result is what the redex became. `function, shape`, n [arguments]
    TailTrusted,
    /// Applies an unknown function, with the context of the row that was written for it. `height, position, [context],
    /// [function]`, n [arguments], `map, slot`
    ApplyRow,
    /// The same, and that is the rest. `position, [context], [function]`, n [arguments]
    TailApplyRow,
}

impl Op {
    /// The operation of an instruction's first word.
    #[inline]
    pub(crate) fn of(word: u32) -> Op {
        debug_assert!(((word & 0xff) as usize) < Op::ALL.len());
        // SAFETY: the operation is `repr(u8)`, and every first word of an instruction was written from one.
        unsafe { std::mem::transmute::<u8, Op>(word as u8) }
    }
}

/// How values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    pub(crate) const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ];

    /// The instruction that branches by it.
    pub(crate) fn branch(self) -> Op {
        match self {
            Comparison::Equal => Op::IfEqual,
            Comparison::NotEqual => Op::IfNotEqual,
            Comparison::Less => Op::IfLess,
            Comparison::LessEqual => Op::IfLessEqual,
            Comparison::Greater => Op::IfGreater,
            Comparison::GreaterEqual => Op::IfGreaterEqual,
        }
    }

    /// Whether it holds.
    #[inline]
    pub(crate) fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
        }
    }
}
