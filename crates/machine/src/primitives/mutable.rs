//! References and arrays: objects that can be written to. A reference is an array of one.

use super::{Context, Failure, FailureKind, Primitive, Stop, action, cheap, look, make, store};
use crate::heap::{Exhausted, Kind};
use crate::trace::{CELL, tag};
use crate::word::Word;

impl<const TAG: usize> Context<'_, TAG> {
    /// A new object of `length` slots, all with the same value.
    fn slots(&mut self, length: usize, value: Word) -> Result<Word, Stop> {
        if length >= u32::MAX as usize {
            return Err(Exhausted.into());
        }
        if !self.heap.has_room(length) {
            return Ok(Word::value(self.heap.allocate_large(Kind::Mutable, length, value, self.tag)?));
        }
        let object = self.heap.allocate(Kind::Mutable, length as u32, length, self.tag);
        for slot in 0..length {
            self.heap.init(object, slot, value);
        }
        Ok(Word::value(object))
    }

    /// The object that an argument is, and a slot of it.
    fn slot(&self, array: Word, index: i64) -> Result<(u32, usize), Stop> {
        let slot = array.index().zip(usize::try_from(index).ok());
        slot.filter(|&(object, slot)| slot < self.heap.length(object)).ok_or_else(|| {
            Failure::new(FailureKind::OutOfRange, "", format!("there is no element {index} in the array"))
                .into()
        })
    }
}

fn new_reference<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    // In a recorded run the object says that it is a reference, and no array of one.
    let cell = context.heap.allocate_anywhere(Kind::Mutable, 1, 1, tag(CELL))?;
    context.heap.set(cell, 0, arguments[0]);
    Ok(Word::value(cell))
}

fn read_reference<const TAG: usize>(
    context: &mut Context<'_, TAG>,
    arguments: &[Word],
) -> Result<Word, Stop> {
    let (object, slot) = context.slot(arguments[0], 0)?;
    Ok(context.heap.get(object, slot))
}

fn write_reference<const TAG: usize>(
    context: &mut Context<'_, TAG>,
    arguments: &[Word],
) -> Result<Word, Stop> {
    let (object, slot) = context.slot(arguments[0], 0)?;
    context.heap.set(object, slot, arguments[1]);
    Ok(context.basics.unit)
}

fn same<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.bool(arguments[0].index() == arguments[1].index()))
}

fn new_array<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let length = context.to_int(arguments[0]).max(0) as usize;
    context.slots(length, arguments[1])
}

/// Also `arrayIndex`: returns the slot, which may be unevaluated.
fn read_array<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let (object, slot) = context.slot(arguments[0], context.to_int(arguments[1]))?;
    Ok(context.heap.get(object, slot))
}

fn write_array<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let (object, slot) = context.slot(arguments[0], context.to_int(arguments[1]))?;
    context.heap.set(object, slot, arguments[2]);
    Ok(context.basics.unit)
}

fn length<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let length = arguments[0].index().map_or(0, |object| context.heap.length(object));
    context.int(length as i64)
}

fn copy<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let Some(from) = arguments[0].index() else { return Ok(arguments[0]) };
    let length = context.heap.length(from);
    let copy = context.slots(length, context.basics.unit)?;
    if let Some(to) = copy.index() {
        for slot in 0..length {
            context.heap.set(to, slot, context.heap.get(from, slot));
        }
    }
    Ok(copy)
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            make("refNew", 1, new_reference).lazy(0b1),
            action("refRead", 1, read_reference),
            store("refWrite", 2, write_reference).lazy(0b10),
            cheap("refSame", 2, same),
            make("arrayNew", 2, new_array).lazy(0b10),
            action("arrayRead", 2, read_array),
            store("arrayWrite", 3, write_array).lazy(0b100),
            look("arrayIndex", 2, read_array),
            cheap("arrayLength", 1, length),
            make("arrayCopy", 1, copy),
            cheap("arraySame", 2, same),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use super::*;

    #[test]
    fn a_reference_holds_what_was_written_last() {
        let mut stage = Stage::new();
        let first = stage.call("refNew", &[Word::char(1)]).unwrap();
        let second = stage.call("refNew", &[Word::char(1)]).unwrap();
        stage.call("refWrite", &[first, Word::char(2)]).unwrap();
        assert_eq!(stage.call("refRead", &[first]), Ok(Word::char(2)));
        assert_eq!(stage.call("refRead", &[second]), Ok(Word::char(1)));
        assert!(stage.bool("refSame", &[first, first]));
        assert!(!stage.bool("refSame", &[first, second]));
    }

    #[test]
    fn arrays_of_all_sizes_work() {
        let mut stage = Stage::new();
        for length in [0, 1, 1000, 600_000] {
            let size = stage.int(length);
            let array = stage.call("arrayNew", &[size, Word::char(7)]).unwrap();
            assert_eq!(stage.as_int("arrayLength", &[array]), length);
            let copy = stage.call("arrayCopy", &[array]).unwrap();
            for slot in [0, length / 2, length - 1] {
                let index = stage.int(slot);
                if slot < 0 || length == 0 {
                    continue;
                }
                stage.call("arrayWrite", &[array, index, Word::char(9)]).unwrap();
                assert_eq!(stage.call("arrayRead", &[array, index]), Ok(Word::char(9)));
                assert_eq!(stage.call("arrayIndex", &[copy, index]), Ok(Word::char(7)));
            }
            assert!(!stage.bool("arraySame", &[array, copy]));
        }
    }

    #[test]
    fn slots_that_are_not_there_are_a_failure() {
        let mut stage = Stage::new();
        let size = stage.int(3);
        let array = stage.call("arrayNew", &[size, Word::char(7)]).unwrap();
        for index in [-1, 3, i64::MAX, i64::MIN] {
            let index = stage.int(index);
            let Err(Stop::Failure(failure)) = stage.call("arrayRead", &[array, index]) else { panic!() };
            assert_eq!(failure.kind, FailureKind::OutOfRange);
        }
    }

    #[test]
    fn an_array_that_has_no_room_exhausts_the_heap() {
        let mut stage = Stage::new();
        for length in [1 << 30, 1 << 40, i64::MAX] {
            let length = stage.int(length);
            let Err(Stop::Failure(failure)) = stage.call("arrayNew", &[length, Word::char(7)]) else {
                panic!()
            };
            assert_eq!(failure.kind, FailureKind::HeapExhausted);
        }
    }
}
