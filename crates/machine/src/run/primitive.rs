//! Primitives in expressions, and comparison, the most frequent kind.

use super::Flow;
use crate::code::Comparison;
use crate::machine::{End, Machine};
use crate::primitives::{Control as Steering, What};
use crate::recorder::Recorder;
use crate::word::{Seen, Word};

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    /// Compares small numbers, characters and doubles; `None` for other values.
    #[inline(always)]
    pub(super) fn compare(&self, comparison: Comparison, a: Word, b: Word) -> Option<bool> {
        if a.are_small(b) {
            return Some(comparison.holds(a.raw() as i64, b.raw() as i64));
        }
        match (a.as_double(), b.as_double()) {
            (Some(x), Some(y)) => Some(comparison.holds(x, y)),
            _ => None,
        }
    }

    /// Compares with the primitive of the instruction.
    #[cold]
    pub(super) fn slow_compare(&mut self, a: Word, b: Word) -> bool {
        let primitive = self.compiler.code.words[self.pc + 1] as usize;
        let act = match self.compiler.primitives[primitive].map(|primitive| primitive.what) {
            Some(What::Cheap(act) | What::Pure(act)) => act,
            _ => return false,
        };
        let yes = self.basics.bools[1];
        let mut context = self.context();
        act(&mut context, &[a, b]) == Ok(yes)
    }

    /// Applies the primitive of the instruction to evaluated arguments; what happens if it has no value.
    pub(super) fn primitive(&mut self, arguments: &[Word]) -> Result<Option<Flow>, Box<End>> {
        let at = self.pc;
        let primitive = self.compiler.code.words[at + 1] as usize;
        let result = match self.compiler.primitives[primitive].map(|primitive| primitive.what) {
            Some(What::Cheap(act) | What::Pure(act) | What::Look(act)) => act(&mut self.context(), arguments),
            Some(What::Control(Steering::SameInstance)) => {
                Ok(self.basics.bools[usize::from(self.is_same_instance(arguments[0], arguments[1], 0))])
            }
            _ => return self.defect("a primitive that is no function was applied").map(Some),
        };
        match result {
            Ok(value) => {
                let slot = self.compiler.code.words[at + 2] as usize;
                self.stack[self.base + slot] = value.raw();
                Ok(None)
            }
            Err(stop) => {
                self.raising = R::TRAILS;
                self.stop(stop).map(Some)
            }
        }
    }

    /// Whether a number that is not a small integer equals a literal.
    #[cold]
    pub(super) fn is_same_number(&self, a: Word, b: Word) -> bool {
        match (a.see(), b.see()) {
            (Seen::Double(x), Seen::Double(y)) => f64::from_bits(x) == f64::from_bits(y),
            (Seen::Value(x), Seen::Value(y)) => {
                let length = self.heap.length(x);
                length == self.heap.length(y)
                    && (0..length).all(|field| self.heap.raw(x, field) == self.heap.raw(y, field))
            }
            _ => false,
        }
    }

    /// Whether two dictionaries come from the same instance, at the same types.
    pub(super) fn is_same_instance(&self, a: Word, b: Word, depth: u32) -> bool {
        let (a, b) = (self.heap.follow(a), self.heap.follow(b));
        if a == b {
            return true;
        }
        match (a.see(), b.see()) {
            (Seen::Data(x, _), Seen::Data(y, _)) | (Seen::Value(x), Seen::Value(y)) => {
                depth < 8
                    && self.heap.kind(x) == self.heap.kind(y)
                    && self.heap.info(x) == self.heap.info(y)
                    && self.heap.length(x) == self.heap.length(y)
                    && (0..self.heap.length(x)).all(|field| {
                        self.is_same_instance(self.heap.get(x, field), self.heap.get(y, field), depth + 1)
                    })
            }
            _ => false,
        }
    }
}
