//! The primitives: the machine's services for the library (`lib/haskell/PRIMITIVES.md`,
//! `lib/curry/PRIMITIVES.md`).
//!
//! A primitive is a row of a table: its name, how many arguments it takes, which of them are lazy, and what it does. The
//! machine evaluates the others first, so that a primitive never evaluates anything; primitives that control
//! evaluation are [`Control`], and the machine itself performs them. A primitive may allocate, and no
//! collection happens meanwhile: an object that does not fit the nursery goes to the old part.

mod character;
mod control;
mod double;
mod handle;
mod int;
mod integer;
mod mutable;
mod outside;
#[cfg(test)]
mod stage;
mod word64;

use crate::heap::{Exhausted, Heap, Kind};
use crate::word::{Seen, Word};
use crate::world::World;

pub(crate) use control::Control;

/// What a primitive works with.
pub(crate) struct Context<'a, const TAG: usize> {
    pub(crate) heap: &'a mut Heap<TAG>,
    pub(crate) basics: &'a Basics,
    pub(crate) world: &'a mut World,
    /// What the recorder writes on new objects.
    pub(crate) tag: [u64; TAG],
}

/// The constructors that primitives return.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basics {
    pub(crate) unit: Word,
    /// `False` and `True`.
    pub(crate) bools: [Word; 2],
    /// `LT`, `EQ` and `GT`.
    pub(crate) orderings: [Word; 3],
    pub(crate) nil: Word,
    /// The numbers of `(:)` and `(,)`.
    pub(crate) cons: u32,
    pub(crate) pair: u32,
    /// The tag of `(:)` among its siblings.
    pub(crate) cons_tag: u32,
}

/// Why a primitive returned no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A failure that the program may catch.
    Failure(Failure),
    /// The program ends with this status.
    Exit(i32),
}

/// What went wrong, as `machineFailure` of the library takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// See PRIMITIVES.md.
    pub(crate) kind: FailureKind,
    /// The operation: `openFile`.
    pub(crate) location: String,
    /// Why: `No such file or directory`.
    pub(crate) description: String,
    /// The path, or empty.
    pub(crate) file: String,
}

/// The kinds of failures, by the numbers that the library knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum FailureKind {
    DoesNotExist = 0,
    AlreadyExists = 1,
    PermissionDenied = 2,
    Busy = 3,
    Full = 4,
    Illegal = 6,
    Invalid = 7,
    Other = 8,
    Vanished = 9,
    Loop = 10,
    StackExhausted = 11,
    HeapExhausted = 12,
    DivideByZero = 14,
    OutOfRange = 16,
    Error = 17,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, location: &str, description: impl Into<String>) -> Failure {
        Failure { kind, location: location.to_owned(), description: description.into(), file: String::new() }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<Exhausted> for Stop {
    fn from(_: Exhausted) -> Stop {
        Stop::Failure(Failure::new(FailureKind::HeapExhausted, "", "heap exhausted"))
    }
}

/// What a primitive does with its arguments.
pub(crate) type Act<const TAG: usize> = fn(&mut Context<'_, TAG>, &[Word]) -> Result<Word, Stop>;

/// What a primitive is.
#[derive(Clone, Copy)]
pub(crate) enum What<const TAG: usize> {
    /// A function of its arguments that cannot fail and costs little: it may be computed before it is needed.
    Cheap(Act<TAG>),
    /// A function of its arguments.
    Pure(Act<TAG>),
    /// A function that returns a part of its argument, which may be unevaluated.
    Look(Act<TAG>),
    /// An action: done when it is executed.
    Action(Act<TAG>),
    /// An action that stores its last argument in its first, an object; the slot is the argument between them, if there is one.
    Store(Act<TAG>),
    /// An action that makes an object in which can be stored.
    Make(Act<TAG>),
    /// Done by the machine itself.
    Control(Control),
}

/// A primitive.
#[derive(Clone, Copy)]
pub(crate) struct Primitive<const TAG: usize> {
    pub(crate) name: &'static str,
    pub(crate) arity: u8,
    /// Bit `n`: argument `n`, from 0, is not evaluated.
    pub(crate) lazy: u8,
    pub(crate) what: What<TAG>,
}

/// The primitive of a name.
pub(crate) fn find<const TAG: usize>(name: &str) -> Option<Primitive<TAG>> {
    let tables = [
        control::table(),
        int::table(),
        word64::table(),
        integer::table(),
        double::table(),
        character::table(),
        mutable::table(),
        handle::table(),
        outside::table(),
        crate::ask::table(),
    ];
    tables.into_iter().flatten().find(|primitive| primitive.name == name).copied()
}

const fn cheap<const TAG: usize>(name: &'static str, arity: u8, act: Act<TAG>) -> Primitive<TAG> {
    Primitive { name, arity, lazy: 0, what: What::Cheap(act) }
}

const fn pure<const TAG: usize>(name: &'static str, arity: u8, act: Act<TAG>) -> Primitive<TAG> {
    Primitive { name, arity, lazy: 0, what: What::Pure(act) }
}

const fn look<const TAG: usize>(name: &'static str, arity: u8, act: Act<TAG>) -> Primitive<TAG> {
    Primitive { name, arity, lazy: 0, what: What::Look(act) }
}

const fn action<const TAG: usize>(name: &'static str, arity: u8, act: Act<TAG>) -> Primitive<TAG> {
    Primitive { name, arity, lazy: 0, what: What::Action(act) }
}

const fn store<const TAG: usize>(name: &'static str, arity: u8, act: Act<TAG>) -> Primitive<TAG> {
    Primitive { name, arity, lazy: 0, what: What::Store(act) }
}

const fn make<const TAG: usize>(name: &'static str, arity: u8, act: Act<TAG>) -> Primitive<TAG> {
    Primitive { name, arity, lazy: 0, what: What::Make(act) }
}

impl<const TAG: usize> Primitive<TAG> {
    /// The same, not strict in some arguments.
    const fn lazy(self, mask: u8) -> Self {
        Primitive { lazy: mask, ..self }
    }
}

impl<const TAG: usize> Context<'_, TAG> {
    pub(crate) fn bool(&self, value: bool) -> Word {
        self.basics.bools[usize::from(value)]
    }

    pub(crate) fn ordering(&self, value: std::cmp::Ordering) -> Word {
        self.basics.orderings[(value as i8 + 1) as usize]
    }

    /// An `Int`, or the bits of a `Word`.
    pub(crate) fn int(&mut self, value: i64) -> Result<Word, Stop> {
        match Word::int(value) {
            Some(word) => Ok(word),
            None => self.raw(&[value as u64]),
        }
    }

    /// The `Int` that an argument is.
    pub(crate) fn to_int(&self, word: Word) -> i64 {
        match word.as_int() {
            Some(value) => value,
            None => word.index().map_or(0, |object| self.heap.raw(object, 0) as i64),
        }
    }

    pub(crate) fn double(&mut self, value: f64) -> Result<Word, Stop> {
        match Word::double(value) {
            Some(word) => Ok(word),
            None => {
                // In a recorded run its object says that it is not an integer.
                let mut inner = Context {
                    tag: crate::trace::tag(crate::trace::ODD_DOUBLE),
                    heap: self.heap,
                    basics: self.basics,
                    world: self.world,
                };
                inner.raw(&[value.to_bits()])
            }
        }
    }

    /// The `Double` (or `Float`) that an argument is.
    pub(crate) fn to_double(&self, word: Word) -> f64 {
        match word.as_double() {
            Some(value) => value,
            None => f64::from_bits(word.index().map_or(0, |object| self.heap.raw(object, 0))),
        }
    }

    pub(crate) fn to_char(&self, word: Word) -> u32 {
        word.as_char().unwrap_or(0)
    }

    /// An object of words that are not values.
    pub(crate) fn raw(&mut self, words: &[u64]) -> Result<Word, Stop> {
        let object = self.heap.allocate_anywhere(Kind::Raw, words.len() as u32, words.len(), self.tag)?;
        for (field, &word) in words.iter().enumerate() {
            self.heap.set_raw(object, field, word);
        }
        Ok(Word::value(object))
    }

    pub(crate) fn construct(&mut self, constructor: u32, tag: u32, fields: &[Word]) -> Result<Word, Stop> {
        let object = self.heap.allocate_anywhere(Kind::Constructor, constructor, fields.len(), self.tag)?;
        for (field, &value) in fields.iter().enumerate() {
            self.heap.set(object, field, value);
        }
        Ok(Word::data(object, tag))
    }

    pub(crate) fn pair(&mut self, first: Word, second: Word) -> Result<Word, Stop> {
        self.construct(self.basics.pair, 0, &[first, second])
    }

    pub(crate) fn cons(&mut self, head: Word, tail: Word) -> Result<Word, Stop> {
        self.construct(self.basics.cons, self.basics.cons_tag, &[head, tail])
    }

    /// A list of evaluated elements.
    pub(crate) fn list(&mut self, elements: &[Word]) -> Result<Word, Stop> {
        let mut list = self.basics.nil;
        for &element in elements.iter().rev() {
            list = self.cons(element, list)?;
        }
        Ok(list)
    }

    /// A list of characters.
    pub(crate) fn string(&mut self, text: &str) -> Result<Word, Stop> {
        let mut list = self.basics.nil;
        for char in text.chars().rev() {
            list = self.cons(Word::char(char as u32), list)?;
        }
        Ok(list)
    }

    /// The decimal digits of a number, with its sign.
    pub(crate) fn decimal(&mut self, negative: bool, mut magnitude: u64) -> Result<Word, Stop> {
        let mut list = self.basics.nil;
        loop {
            list = self.cons(Word::char(u32::from(b'0') + (magnitude % 10) as u32), list)?;
            magnitude /= 10;
            if magnitude == 0 {
                break;
            }
        }
        if negative { self.cons(Word::char(u32::from(b'-')), list) } else { Ok(list) }
    }

    /// The characters of a list that is completely evaluated; ends where it is not. Surrogates become U+FFFD.
    pub(crate) fn to_string(&self, mut list: Word) -> String {
        let mut text = String::new();
        while let Seen::Data(object, _) = self.heap.follow(list).see() {
            let code = self.heap.follow(self.heap.get(object, 0)).as_char().unwrap_or(0xfffd);
            text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            list = self.heap.get(object, 1);
        }
        text
    }
}

#[cfg(test)]
mod tests;
