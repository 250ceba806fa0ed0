//! For tests: the context that primitives need, and short ways to call them.

use std::cmp::Ordering;

use super::{Basics, Context, Stop, What, find};
use crate::heap::Heap;
use crate::word::{Seen, Word};
use crate::world::{Settings, World};

/// A heap, made-up constructors and a world.
pub(super) struct Stage {
    pub(super) heap: Heap<0>,
    pub(super) basics: Basics,
    pub(super) world: World,
}

impl Stage {
    /// Without input, and with output discarded.
    pub(super) fn new() -> Stage {
        Stage::with(Settings::empty())
    }

    pub(super) fn with(settings: Settings) -> Stage {
        let basics = Basics {
            unit: Word::constant(0, 0),
            bools: [Word::constant(1, 0), Word::constant(2, 1)],
            orderings: [Word::constant(3, 0), Word::constant(4, 1), Word::constant(5, 2)],
            nil: Word::constant(6, 0),
            cons: 7,
            pair: 8,
            cons_tag: 1,
        };
        Stage { heap: Heap::new(1 << 22), basics, world: World::new(settings) }
    }

    pub(super) fn context(&mut self) -> Context<'_, 0> {
        Context { heap: &mut self.heap, basics: &self.basics, world: &mut self.world, tag: [] }
    }

    /// Calls a primitive by its name.
    pub(super) fn call(&mut self, name: &str, arguments: &[Word]) -> Result<Word, Stop> {
        let primitive = find::<0>(name).unwrap_or_else(|| panic!("there is no {name}"));
        assert_eq!(usize::from(primitive.arity), arguments.len(), "{name}");
        match primitive.what {
            What::Cheap(act)
            | What::Pure(act)
            | What::Look(act)
            | What::Action(act)
            | What::Store(act)
            | What::Make(act) => act(&mut self.context(), arguments),
            What::Control(_) => panic!("{name} is the machine's"),
        }
    }

    pub(super) fn int(&mut self, value: i64) -> Word {
        self.context().int(value).unwrap()
    }

    pub(super) fn double(&mut self, value: f64) -> Word {
        self.context().double(value).unwrap()
    }

    pub(super) fn string(&mut self, text: &str) -> Word {
        self.context().string(text).unwrap()
    }

    /// Of a primitive from `Int`s to an `Int`.
    pub(super) fn ints(&mut self, name: &str, arguments: &[i64]) -> i64 {
        let arguments: Vec<Word> = arguments.iter().map(|&value| self.int(value)).collect();
        self.as_int(name, &arguments)
    }

    /// Of a primitive from `Double`s to a `Double`.
    pub(super) fn doubles(&mut self, name: &str, arguments: &[f64]) -> f64 {
        let arguments: Vec<Word> = arguments.iter().map(|&value| self.double(value)).collect();
        let word = self.call(name, &arguments).unwrap();
        self.context().to_double(word)
    }

    /// The result of a primitive that returns an `Int`.
    pub(super) fn as_int(&mut self, name: &str, arguments: &[Word]) -> i64 {
        let word = self.call(name, arguments).unwrap();
        self.context().to_int(word)
    }

    pub(super) fn bool(&mut self, name: &str, arguments: &[Word]) -> bool {
        let word = self.call(name, arguments).unwrap();
        self.basics.bools[1] == word
    }

    pub(super) fn ordering(&mut self, name: &str, arguments: &[Word]) -> Ordering {
        let word = self.call(name, arguments).unwrap();
        let orderings = [Ordering::Less, Ordering::Equal, Ordering::Greater];
        let at = self.basics.orderings.iter().position(|ordering| *ordering == word).unwrap();
        orderings[at]
    }

    /// The result of a primitive that returns a string.
    pub(super) fn text(&mut self, name: &str, arguments: &[Word]) -> String {
        let word = self.call(name, arguments).unwrap();
        self.context().to_string(word)
    }

    /// The two parts of a pair.
    pub(super) fn parts(&self, pair: Word) -> (Word, Word) {
        let Seen::Data(object, 0) = pair.see() else { panic!("{pair:?} is no pair") };
        (self.heap.get(object, 0), self.heap.get(object, 1))
    }

    /// The elements of a list.
    pub(super) fn elements(&self, mut list: Word) -> Vec<Word> {
        let mut elements = Vec::new();
        while let Seen::Data(object, 1) = list.see() {
            elements.push(self.heap.get(object, 0));
            list = self.heap.get(object, 1);
        }
        assert_eq!(list, self.basics.nil);
        elements
    }
}
