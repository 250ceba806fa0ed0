//! The stack: continuations, each of which waits for a value.
//!
//! A frame is some words and, above them, a control word that says what they are. The frame of the running
//! code has no control word yet: it begins at the base, and the word below the base is the control word of
//! the next frame. So the stack is read from the top down.
//!
//! A control word has a bit that says "the collector has seen this frame": its words are old then and cannot
//! change before it is popped, so a minor collection stops at the first such frame. A recursion a million
//! deep is scanned once.

use crate::word::Word;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Frame {
    /// Slots of code that waits for a value.
    Case = 0,
    /// A thunk that becomes the value.
    Update = 1,
    /// Arguments that the value is applied to.
    Apply = 2,
    /// The value is an action to execute.
    Execute = 3,
    /// The function that is given the result of an action.
    Bind = 4,
    /// The handler of exceptions raised above.
    Catch = 5,
    /// An action whose arguments are being evaluated.
    Arguments = 6,
    /// The result of an action is evaluated.
    Result = 7,
    /// A field of the value is evaluated; the place is the field.
    Select = 8,
    /// The bottom of the stack.
    Bottom = 9,
    /// The value is what a redex became; the place is the shape of the row that says so. Only in recorded runs.
    Reduct = 10,
    /// Reports the result of an action. Only in recorded runs.
    Performed = 11,
}

impl Frame {
    const ALL: [Frame; 16] = [
        Frame::Case,
        Frame::Update,
        Frame::Apply,
        Frame::Execute,
        Frame::Bind,
        Frame::Catch,
        Frame::Arguments,
        Frame::Result,
        Frame::Select,
        Frame::Bottom,
        Frame::Reduct,
        Frame::Performed,
        Frame::Bottom,
        Frame::Bottom,
        Frame::Bottom,
        Frame::Bottom,
    ];
}

/// The word on top of a frame: what it is, how many words it has, and a place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control(pub(crate) u64);

const SEEN: u64 = 1 << 4;

impl Control {
    #[inline]
    pub(crate) fn new(frame: Frame, size: usize, place: u32) -> Control {
        debug_assert!(size < 1 << 27, "a frame has more words than its control word can say");
        Control(frame as u64 | (size as u64) << 5 | u64::from(place) << 32)
    }

    #[inline]
    pub(crate) fn is(self, frame: Frame) -> bool {
        self.0 & 15 == frame as u64
    }

    pub(crate) fn frame(self) -> Frame {
        Frame::ALL[(self.0 & 15) as usize]
    }

    /// How many words are below.
    #[inline]
    pub(crate) fn size(self) -> usize {
        (self.0 as u32 >> 5) as usize
    }

    #[inline]
    pub(crate) fn place(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// Shows all words of the frames below `base`, down to those that were seen before if only `young` ones count. `slots`
/// gives the slots that are alive in a frame of code, by its place.
pub(crate) fn each<'m>(
    stack: &mut [u64],
    base: usize,
    young: bool,
    mut slots: impl FnMut(u32) -> &'m [u32],
    see: &mut dyn FnMut(&mut Word),
) {
    let mut at = base;
    let mut show = |word: &mut u64| {
        let mut value = Word::from_raw(*word);
        see(&mut value);
        *word = value.raw();
    };
    while at > 0 {
        let control = Control(stack[at - 1]);
        if young && control.0 & SEEN != 0 {
            return;
        }
        stack[at - 1] |= SEEN;
        let start = at - 1 - control.size();
        match control.is(Frame::Case) {
            true => slots(control.place()).iter().for_each(|&slot| show(&mut stack[start + slot as usize])),
            false => stack[start..at - 1].iter_mut().for_each(&mut show),
        }
        at = start;
    }
}
