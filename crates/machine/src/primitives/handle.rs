//! Handles. A value of the type is a `Raw` object of one word, the handle's number in the world.

use super::{Context, Primitive, Stop, action, cheap, pure};
use crate::word::{Seen, Word};
use crate::world::{Buffering, Mode, STDERR, STDIN, STDOUT, State};

impl<const TAG: usize> Context<'_, TAG> {
    fn handle(&mut self, number: usize) -> Result<Word, Stop> {
        self.raw(&[number as u64])
    }

    fn to_handle(&self, word: Word) -> usize {
        word.index().map_or(usize::MAX, |object| self.heap.raw(object, 0) as usize)
    }

    /// A character's code, or -1.
    fn code(&mut self, char: Option<char>) -> Result<Word, Stop> {
        self.int(char.map_or(-1, |char| i64::from(u32::from(char))))
    }
}

fn stdin<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    context.handle(STDIN)
}

fn stdout<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    context.handle(STDOUT)
}

fn stderr<const TAG: usize>(context: &mut Context<'_, TAG>, _: &[Word]) -> Result<Word, Stop> {
    context.handle(STDERR)
}

fn open<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let mode = match context.to_int(arguments[1]) {
        0 => Mode::Read,
        1 => Mode::Write,
        2 => Mode::Append,
        _ => Mode::ReadWrite,
    };
    let path = context.to_string(arguments[0]);
    let number = context.world.open(&path, mode)?;
    context.handle(number)
}

fn close<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.world.close(context.to_handle(arguments[0]))?;
    Ok(context.basics.unit)
}

fn flush<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.world.flush_handle(context.to_handle(arguments[0]))?;
    Ok(context.basics.unit)
}

fn put_char<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.world.put(context.to_handle(arguments[0]), context.to_char(arguments[1]))?;
    Ok(context.basics.unit)
}

/// How many characters are written at once: a list may be cyclic, and a primitive cannot be interrupted.
const PORTION: usize = 1 << 12;

fn put_ready<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let (handle, mut rest) = (context.to_handle(arguments[0]), context.heap.follow(arguments[1]));
    let mut text = String::new();
    let mut last = None;
    while let Seen::Data(cell, _) = rest.see()
        && text.len() < PORTION
        && let Some(code) = context.heap.follow(context.heap.get(cell, 0)).as_char()
    {
        rest = context.heap.follow(context.heap.get(cell, 1));
        match char::from_u32(code) {
            Some(char) => text.push(char),
            None => {
                last = Some(code);
                break;
            }
        }
    }
    context.world.put_text(handle, &text)?;
    if let Some(surrogate) = last {
        context.world.put(handle, surrogate)?;
    }
    Ok(rest)
}

fn get_char<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let char = context.world.get(context.to_handle(arguments[0]))?;
    context.code(char)
}

fn peek_char<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let char = context.world.peek(context.to_handle(arguments[0]))?;
    context.code(char)
}

fn get_line<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let line = context.world.get_line(context.to_handle(arguments[0]))?;
    context.string(&line)
}

fn state<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.int(match context.world.state(context.to_handle(arguments[0])) {
        State::Open => 0,
        State::HalfClosed => 1,
        State::Closed => 2,
    })
}

fn set_state<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    if context.to_int(arguments[1]) == 1 {
        context.world.half_close(context.to_handle(arguments[0]));
    }
    Ok(context.basics.unit)
}

fn buffering<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    context.int(match context.world.buffering(context.to_handle(arguments[0])) {
        Buffering::None => 0,
        Buffering::Line => 1,
        Buffering::Block(size) => 2 + size.unwrap_or(0) as i64,
    })
}

fn set_buffering<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let buffering = match context.to_int(arguments[1]) {
        0 => Buffering::None,
        1 => Buffering::Line,
        code => Buffering::Block(usize::try_from(code - 2).ok().filter(|&size| size > 0)),
    };
    context.world.set_buffering(context.to_handle(arguments[0]), buffering)?;
    Ok(context.basics.unit)
}

fn name<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    let name = context.world.name(context.to_handle(arguments[0])).to_owned();
    context.string(&name)
}

fn same<const TAG: usize>(context: &mut Context<'_, TAG>, arguments: &[Word]) -> Result<Word, Stop> {
    Ok(context.bool(context.to_handle(arguments[0]) == context.to_handle(arguments[1])))
}

pub(super) fn table<const TAG: usize>() -> &'static [Primitive<TAG>] {
    const {
        &[
            pure("stdin", 0, stdin),
            pure("stdout", 0, stdout),
            pure("stderr", 0, stderr),
            action("handleOpen", 2, open),
            action("handleClose", 1, close),
            action("handleFlush", 1, flush),
            action("handlePutChar", 2, put_char),
            action("handlePutReady", 2, put_ready).lazy(0b10),
            action("handleGetChar", 1, get_char),
            action("handlePeekChar", 1, peek_char),
            action("handleGetLine", 1, get_line),
            action("handleState", 1, state),
            action("handleSetState", 2, set_state),
            action("handleGetBuffering", 1, buffering),
            action("handleSetBuffering", 2, set_buffering),
            pure("handleName", 1, name),
            cheap("handleSame", 2, same),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::stage::Stage;
    use super::*;
    use crate::heap::Kind;
    use crate::primitives::FailureKind;

    #[test]
    fn a_file_is_written_and_read_back() {
        let mut stage = Stage::new();
        let folder = tempfile::tempdir().unwrap();
        let path = stage.string(folder.path().join("text").to_str().unwrap());
        let (reading, writing) = (stage.int(0), stage.int(1));
        let handle = stage.call("handleOpen", &[path, writing]).unwrap();
        for char in "añ\n€".chars() {
            stage.call("handlePutChar", &[handle, Word::char(char as u32)]).unwrap();
        }
        stage.call("handleClose", &[handle]).unwrap();
        assert_eq!(stage.as_int("handleState", &[handle]), 2);
        let handle = stage.call("handleOpen", &[path, reading]).unwrap();
        assert_eq!(stage.as_int("handlePeekChar", &[handle]), i64::from(b'a'));
        assert_eq!(stage.as_int("handleGetChar", &[handle]), i64::from(b'a'));
        assert_eq!(stage.text("handleGetLine", &[handle]), "ñ\n");
        assert_eq!(stage.as_int("handleGetChar", &[handle]), 0x20ac);
        assert_eq!(stage.as_int("handleGetChar", &[handle]), -1);
        assert_eq!(stage.text("handleGetLine", &[handle]), "");
        let name = stage.text("handleName", &[handle]);
        assert_eq!(name, stage.context().to_string(path));
    }

    /// Writes to a file and returns its content.
    fn written(write: impl FnOnce(&mut Stage, Word)) -> String {
        let mut stage = Stage::new();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let arguments = [stage.string(path.to_str().unwrap()), stage.int(1)];
        let handle = stage.call("handleOpen", &arguments).unwrap();
        write(&mut stage, handle);
        stage.call("handleClose", &[handle]).unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn what_is_evaluated_is_written_at_once() {
        let text = written(|stage, handle| {
            let list = stage.string("whole");
            assert_eq!(stage.call("handlePutReady", &[handle, list]), Ok(stage.basics.nil));
            // A list whose rest is not evaluated, and one with such a character.
            let thunk = Word::object(stage.heap.allocate(Kind::Thunk, 0, 0, []));
            let list = stage.context().cons(Word::char(33), thunk).unwrap();
            assert_eq!(stage.call("handlePutReady", &[handle, list]), Ok(thunk));
            assert_eq!(stage.call("handlePutReady", &[handle, thunk]), Ok(thunk));
            let tail = stage.string("never");
            let cell = stage.context().cons(thunk, tail).unwrap();
            let list = stage.context().cons(Word::char(63), cell).unwrap();
            assert_eq!(stage.call("handlePutReady", &[handle, list]), Ok(cell));
            // Behind an indirection.
            let tail = stage.string("...");
            stage.heap.update(thunk.index().unwrap(), tail);
            assert_eq!(stage.call("handlePutReady", &[handle, thunk]), Ok(stage.basics.nil));
        });
        assert_eq!(text, "whole!?...");
    }

    #[test]
    fn a_circle_is_written_in_portions() {
        let text = written(|stage, handle| {
            let circle = stage.context().cons(Word::char(65), Word::char(0)).unwrap();
            stage.heap.set(circle.index().unwrap(), 1, circle);
            assert_eq!(stage.call("handlePutReady", &[handle, circle]), Ok(circle));
        });
        assert_eq!(text, "A".repeat(PORTION));
    }

    #[test]
    fn a_surrogate_fails_after_what_precedes_it() {
        let text = written(|stage, handle| {
            let nil = stage.basics.nil;
            let list = stage.context().cons(Word::char(0xd800), nil).unwrap();
            let list = stage.context().cons(Word::char(65), list).unwrap();
            let Err(Stop::Failure(failure)) = stage.call("handlePutReady", &[handle, list]) else { panic!() };
            assert_eq!(failure.kind, FailureKind::Invalid);
        });
        assert_eq!(text, "A");
    }

    #[test]
    fn a_file_that_is_not_there_is_a_failure() {
        let mut stage = Stage::new();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nothing").to_str().unwrap().to_owned();
        let arguments = [stage.string(&path), stage.int(0)];
        let Err(Stop::Failure(failure)) = stage.call("handleOpen", &arguments) else { panic!() };
        assert_eq!(failure.kind, FailureKind::DoesNotExist);
        assert_eq!((failure.location.as_str(), failure.file), ("openFile", path));
        assert_eq!(failure.description, "No such file or directory");
    }

    #[test]
    fn standard_handles_know_themselves() {
        let mut stage = Stage::new();
        let handles = ["stdin", "stdout", "stderr"].map(|name| (name, stage.call(name, &[]).unwrap()));
        for (name, handle) in handles {
            assert_eq!(stage.text("handleName", &[handle]), format!("<{name}>"));
            for (other, another) in handles {
                assert_eq!(stage.bool("handleSame", &[handle, another]), name == other);
            }
        }
        let stdout = handles[1].1;
        for code in [0, 1, 2, 102] {
            let word = stage.int(code);
            stage.call("handleSetBuffering", &[stdout, word]).unwrap();
            assert_eq!(stage.as_int("handleGetBuffering", &[stdout]), code);
        }
        let one = stage.int(1);
        stage.call("handleSetState", &[handles[0].1, one]).unwrap();
        assert_eq!(stage.as_int("handleState", &[handles[0].1]), 1);
    }
}
