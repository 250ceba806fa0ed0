use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use super::*;
use proptest::prelude::*;

/// A stream that a test looks at from the other side.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// Input that comes in pieces, like that of a pipe.
struct Pieces(VecDeque<Vec<u8>>);

impl Read for Pieces {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.0.pop_front() else { return Ok(0) };
        room[..piece.len()].copy_from_slice(&piece);
        Ok(piece.len())
    }
}

/// A pipe without a reader.
struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::from_raw_os_error(32))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn reading(pieces: &[&[u8]]) -> World {
    let pieces = Pieces(pieces.iter().map(|piece| piece.to_vec()).collect());
    World::new(Settings { input: Box::new(pieces), ..Settings::empty() })
}

fn writing(terminal: bool) -> (World, Shared) {
    let output = Shared::default();
    let settings = Settings {
        output: Box::new(output.clone()),
        input_is_terminal: terminal,
        output_is_terminal: terminal,
        ..Settings::empty()
    };
    (World::new(settings), output)
}

#[test]
fn reports_come_after_the_output() {
    let both = Shared::default();
    let (output, errors) = (Box::new(both.clone()), Box::new(both.clone()));
    let mut world = World::new(Settings { output, errors, ..Settings::empty() });
    put(&mut world, "output\n");
    world.report("report\n");
    put(&mut world, "more\n");
    assert_eq!(both.text(), "output\nreport\n");
}

/// What a failure says, as GHC shows it.
fn said<T: std::fmt::Debug>(result: Result<T, Failure>) -> String {
    let failure = result.unwrap_err();
    format!("{}: {}: {:?} ({})", failure.file, failure.location, failure.kind, failure.description)
}

fn put(world: &mut World, text: &str) {
    for char in text.chars() {
        world.put(STDOUT, char as u32).unwrap();
    }
}

#[test]
fn output_is_written_when_it_is_time() {
    let (mut world, output) = writing(false);
    put(&mut world, "one\ntwo");
    assert_eq!(output.text(), "");
    world.set_buffering(STDOUT, Buffering::Line).unwrap();
    assert_eq!(output.text(), "one\ntwo");
    put(&mut world, "x");
    assert_eq!(output.text(), "one\ntwo");
    put(&mut world, "\ny");
    assert_eq!(output.text(), "one\ntwox\n");
    world.set_buffering(STDOUT, Buffering::None).unwrap();
    put(&mut world, "ä");
    assert_eq!(output.text(), "one\ntwox\nyä");
    world.set_buffering(STDOUT, Buffering::Block(Some(3))).unwrap();
    put(&mut world, "1234");
    assert_eq!(output.text(), "one\ntwox\nyä123");
    world.flush().unwrap();
    assert_eq!(output.text(), "one\ntwox\nyä1234");
}

#[test]
fn who_is_asked_sees_the_question() {
    let (mut world, output) = writing(true);
    put(&mut world, "name? ");
    assert_eq!(output.text(), "");
    assert_eq!(world.get_line(STDIN), Ok(String::new()));
    assert_eq!(output.text(), "name? ");
}

#[test]
fn what_is_closed_stays_closed() {
    let (mut world, output) = writing(false);
    put(&mut world, "end");
    world.close(STDOUT).unwrap();
    assert_eq!(output.text(), "end");
    assert_eq!(said(world.put(STDOUT, 65)), "<stdout>: hPutStr: Illegal (handle is closed)");
    world.close(STDOUT).unwrap();
    world.flush().unwrap();
    world.close(STDIN).unwrap();
    assert_eq!(said(world.get(STDIN)), "<stdin>: hGetChar: Illegal (handle is closed)");
}

#[test]
fn handles_go_one_way() {
    let (mut world, _) = writing(false);
    assert_eq!(said(world.put(STDIN, 65)), "<stdin>: hPutStr: Illegal (handle is not open for writing)");
    assert_eq!(said(world.get_line(STDOUT)), "<stdout>: hGetLine: Illegal (handle is not open for reading)");
    assert_eq!(said(world.flush_handle(STDIN)), "<stdin>: hFlush: Illegal (handle is not open for writing)");
}

#[test]
fn a_broken_pipe_is_a_failure_once() {
    let mut world = World::new(Settings { output: Box::new(Broken), ..Settings::empty() });
    put(&mut world, "text");
    assert!(!world.broken_pipe());
    assert_eq!(world.flush(), Err("<stdout>: hFlush: Broken pipe".to_owned()));
    assert!(world.broken_pipe());
    world.flush().unwrap();
    let result = (0..100_000).try_for_each(|_| world.put(STDOUT, 65));
    assert_eq!(said(result), "<stdout>: commitBuffer: Vanished (Broken pipe)");
}

#[test]
fn surrogates_cannot_be_written() {
    let (mut world, _) = writing(false);
    assert_eq!(said(world.put(STDOUT, 0xd800)), "<stdout>: commitBuffer: Invalid (invalid character)");
}

#[test]
fn a_character_may_come_in_pieces() {
    let mut world = reading(&[b"\xe2", b"\x82", b"\xac\nx"]);
    assert_eq!(world.peek(STDIN), Ok(Some('€')));
    assert_eq!(world.get_line(STDIN), Ok("€\n".to_owned()));
    assert_eq!(world.get_line(STDIN), Ok("x".to_owned()));
    assert_eq!(world.get(STDIN), Ok(None));
}

#[test]
fn bytes_that_are_no_text_are_a_failure_where_they_are() {
    let not_text = |location| format!("<stdin>: {location}: Invalid (invalid byte sequence)");
    let mut world = reading(&[b"ab\nc\xffd\n"]);
    assert_eq!(world.get_line(STDIN), Ok("ab\n".to_owned()));
    assert_eq!(said(world.get_line(STDIN)), not_text("hGetLine"));
    assert_eq!(said(world.get(STDIN)), not_text("hGetChar"));
    let mut world = reading(&[b"ab\nc\xffd\n"]);
    world.half_close(STDIN);
    assert_eq!(world.get_line(STDIN), Ok("ab\n".to_owned()));
    assert_eq!(world.get_line(STDIN), Ok("c".to_owned()));
    assert_eq!(said(world.get_line(STDIN)), not_text("hGetContents"));
    // A character that does not end, and one that is a surrogate.
    for bytes in [&b"\xe2\x82"[..], b"\xed\xa0\x80"] {
        assert_eq!(said(reading(&[bytes]).get(STDIN)), not_text("hGetChar"));
        assert_eq!(said(reading(&[bytes]).get_line(STDIN)), not_text("hGetLine"));
    }
}

#[test]
fn lazy_input_comes_as_soon_as_it_is_there() {
    let mut world = reading(&[b"ab", b"c\nd"]);
    world.half_close(STDIN);
    for expected in ["ab", "c\n", "d", "", ""] {
        assert_eq!(world.get_line(STDIN), Ok(expected.to_owned()));
    }
}

#[test]
fn a_file_has_many_readers_or_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file").to_str().unwrap().to_owned();
    let mut world = World::new(Settings::empty());
    let busy = format!("{path}: openFile: Busy (file is locked)");
    let writer = world.open(&path, Mode::Write).unwrap();
    assert_eq!(said(world.open(&path, Mode::Read)), busy);
    assert_eq!(said(world.open(&path, Mode::Append)), busy);
    world.put_text(writer, "text").unwrap();
    world.close(writer).unwrap();
    let first = world.open(&path, Mode::Read).unwrap();
    let second = world.open(&path, Mode::Read).unwrap();
    assert_eq!(said(world.open(&path, Mode::Write)), busy);
    assert_eq!(world.get_line(first), Ok("text".to_owned()));
    world.close(first).unwrap();
    world.close(second).unwrap();
    let writer = world.open(&path, Mode::Append).unwrap();
    world.put_text(writer, "more").unwrap();
    // Forgotten, but not lost.
    world.flush().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "textmore");
}

#[test]
fn a_file_is_written_where_it_was_read_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file").to_str().unwrap().to_owned();
    fs::write(&path, "hello world\n").unwrap();
    let mut world = World::new(Settings::empty());
    let file = world.open(&path, Mode::ReadWrite).unwrap();
    assert_eq!(world.get(file), Ok(Some('h')));
    world.put_text(file, "EY").unwrap();
    assert_eq!(world.get_line(file), Ok("lo world\n".to_owned()));
    world.close(file).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "hEYlo world\n");
}

#[test]
fn folders_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let mut world = World::new(Settings::empty());
    for mode in [Mode::Read, Mode::Write] {
        let failure = world.open(path, mode).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Other);
        assert_eq!(failure.description.to_lowercase(), "is a directory");
    }
}

proptest! {
    #[test]
    fn text_comes_back_in_pieces_of_any_size(text in "(\\PC|\n){0,60}", cuts in prop::collection::vec(1..7usize, 1..9)) {
        let (mut world, output) = writing(false);
        put(&mut world, &text);
        world.flush().unwrap();
        let bytes = output.0.lock().unwrap().clone();
        prop_assert_eq!(&bytes, text.as_bytes());
        let mut pieces = Vec::new();
        let mut rest = &bytes[..];
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, after) = rest.split_at((*cut).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        let mut world = reading(&pieces);
        let mut chars = String::new();
        while let Some(char) = world.get(STDIN).unwrap() {
            chars.push(char);
        }
        prop_assert_eq!(&chars, &text);
        for half in [false, true] {
            let mut world = reading(&pieces);
            if half {
                world.half_close(STDIN);
            }
            let mut lines = String::new();
            loop {
                let line = world.get_line(STDIN).unwrap();
                prop_assert!(!line.trim_end_matches('\n').contains('\n'));
                if line.is_empty() {
                    break;
                }
                lines.push_str(&line);
            }
            prop_assert_eq!(&lines, &text);
        }
    }
}
