//! Recordings into files: the thread, and what can happen to it and to the file.

use crate::given::{Recorder, Run, compare, tables};
use gadfly_trail::check::check_trail;
use gadfly_trail::model::{NodeId, Position, RawRef, RunEnd, Shape, ShapeId, What};
use gadfly_trail::pending::Pending;
use gadfly_trail::stream::Stream;
use gadfly_trail::write::{CreateError, Failure, Writer};
use gadfly_trail::{Bounds, Full, ProblemKind, Trail};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Records some rounds of a program that calls and gives, the same each time.
fn record(recorder: &mut Recorder, rounds: u64) {
    if recorder.run.shapes.is_empty() {
        for (what, count) in [(What::Call(1), 2), (What::Became, 1), (What::Construct(1), 2)] {
            recorder.define(Shape { what, position: Position(3), count, tail: false });
        }
    }
    for round in 0..rounds {
        let before = recorder.run.nodes.len() as u64;
        let words = [RawRef::int(round as i64).0, RawRef::node(NodeId(before / 2 + 1)).0];
        let call = recorder.row(0, before, &words);
        let cell = recorder.row(2, call, &words);
        recorder.row(1, call, &[RawRef::node(NodeId(cell)).0]);
    }
}

fn recorder(writer: Writer) -> Recorder {
    Recorder::new(Stream::new(Box::new(writer)))
}

#[test]
fn into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trail");
    let (writer, outcome) = Writer::create(&path, &tables()).unwrap();
    let mut recorder = recorder(writer);
    record(&mut recorder, 300_000);
    recorder.stream.end(&RunEnd::Limit("time".into()));
    let written = outcome.written();
    assert!(written.complete && written.failure.is_none());
    assert_eq!((written.nodes, written.bytes), (600_000, path.metadata().unwrap().len()));
    assert_eq!(Trail::count_nodes(&path), Some(600_000));
    let trail = Trail::open(&path).unwrap();
    assert_eq!((trail.problems(), trail.end()), (&[][..], Some(&RunEnd::Limit("time".into()))));
    compare(&trail, &recorder.run);

    // A recording over it does not disturb who has it open.
    let (writer, _) = Writer::create(&path, &tables()).unwrap();
    drop(writer);
    compare(&trail, &recorder.run);
    assert_eq!(Trail::open(&path).unwrap().node_count(), 0);
}

/// Of several runs one after the other, only the one that is wanted is written, with the shapes of all of them; also a run that is
/// too large to be kept in memory.
#[test]
fn only_what_is_wanted() {
    for rounds in [10, 700_000] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.trail");
        let (pending, wanted) = Pending::new(&path, tables());
        let mut recorder = Recorder::new(Stream::new(Box::new(pending)));
        for _ in 0..2 {
            record(&mut recorder, rounds);
            recorder.stream.rewind();
            recorder.run = Run { shapes: std::mem::take(&mut recorder.run.shapes), ..Run::default() };
            assert!(!path.exists());
        }
        record(&mut recorder, rounds);
        wanted.want();
        recorder.stream.end(&RunEnd::Exit(0));
        let written = wanted.outcome().unwrap().unwrap().written();
        assert!(written.complete && written.failure.is_none());
        let trail = Trail::open(&path).unwrap();
        assert_eq!((trail.problems(), trail.end()), (&[][..], Some(&RunEnd::Exit(0))));
        compare(&trail, &recorder.run);
    }
}

#[test]
fn without_an_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trail");
    let (writer, outcome) = Writer::create(&path, &tables()).unwrap();
    let mut recorder = recorder(writer);
    record(&mut recorder, 10);
    recorder.stream.flush();
    let Recorder { stream, run } = recorder;
    drop(stream);
    assert!(!outcome.written().complete);
    assert_eq!(Trail::count_nodes(&path), None);
    let trail = Trail::open(&path).unwrap();
    assert_eq!((trail.end(), trail.problems()[0].kind), (None, ProblemKind::NoEnd));
    compare(&trail, &run);
}

/// Takes so many bytes and then no more, like a disk.
struct Disk {
    bytes: Arc<Mutex<Vec<u8>>>,
    room: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.bytes.lock().unwrap();
        let room = self.room - kept.len();
        if room == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let count = room.min(bytes.len());
        kept.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn onto_a_disk_that_is_full() {
    let length = |room| {
        let bytes = Arc::<Mutex<Vec<u8>>>::default();
        let (writer, outcome) = Writer::to(Disk { bytes: bytes.clone(), room }, &tables()).unwrap();
        let mut recorder = recorder(writer);
        // More chunks than can be on their way.
        record(&mut recorder, 400_000);
        recorder.stream.end(&RunEnd::Exit(0));
        let written = outcome.written();
        let bytes = bytes.lock().unwrap().clone();
        if written.complete {
            assert_eq!(written.failure, None);
        } else {
            assert!(matches!(written.failure, Some(Failure::Writing(_))), "{written:?}");
            assert!(bytes.len() == room);
        }
        if let Ok(trail) = Trail::from_bytes(bytes.clone()) {
            assert_eq!(trail.problems().is_empty(), written.complete);
            assert!(
                trail.end().is_some() == written.complete || trail.problems()[0].kind == ProblemKind::Index
            );
            assert!(trail.node_count() >= written.nodes);
            let run = first(&recorder.run, trail.node_count());
            trail.for_each_node(|id, shape, parent, words| {
                let (expected, above, references) = &run[id.0 as usize - 1];
                assert_eq!((shape.0, parent.0, words.len()), (*expected, *above, references.len()));
            });
        } else {
            assert!(room < 5000, "the tables fit");
        }
        bytes.len()
    };
    let whole = length(usize::MAX);
    for room in [0, 1, 31, 32, 100, 2000, 10_000, 1_000_000, 3_000_000, whole - 100, whole - 33, whole - 1] {
        length(room);
    }
}

fn first(run: &Run, count: u64) -> &[(u32, u64, Vec<u64>)] {
    &run.nodes[..count as usize]
}

#[cfg(target_os = "linux")]
#[test]
fn onto_a_device_that_is_full() {
    let (writer, outcome) = Writer::create(Path::new("/dev/full"), &tables()).unwrap();
    let mut recorder = recorder(writer);
    record(&mut recorder, 200_000);
    recorder.stream.end(&RunEnd::Exit(0));
    let failure = outcome.written().failure;
    assert!(matches!(failure, Some(Failure::Writing(_))), "{failure:?}");
    assert!(Path::new("/dev/full").exists());
}

#[test]
fn what_cannot_be_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/such/folder/run.trail");
    assert!(matches!(Writer::create(&path, &tables()), Err(CreateError::File(_))));
    let mut unsound = tables();
    unsound.functions[0].module = 7;
    assert!(matches!(Writer::to(io::sink(), &unsound), Err(CreateError::Tables(_))));
    // A parent that was not made, a shape that was not defined, a row of another length.
    type Wrong = fn(&mut Recorder);
    let wrong: [Wrong; 4] = [
        |recorder| recorder.stream.tell(ShapeId(0), NodeId(1), &[RawRef::UNKNOWN; 2]),
        |recorder| recorder.stream.tell(ShapeId(9), NodeId(0), &[]),
        |recorder| recorder.stream.tell(ShapeId(1), NodeId(0), &[]),
        |recorder| recorder.stream.tell(ShapeId(1), NodeId(1), &[RawRef::UNKNOWN]),
    ];
    for wrong in wrong {
        let (writer, outcome) = Writer::to(io::sink(), &tables()).unwrap();
        let mut recorder = recorder(writer);
        record(&mut recorder, 0);
        wrong(&mut recorder);
        recorder.stream.end(&RunEnd::Exit(0));
        let failure = outcome.written().failure;
        assert!(matches!(failure, Some(Failure::Malformed(_))), "{failure:?}");
    }
}

#[test]
fn at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trail");
    let (writer, outcome) = Writer::create(&path, &tables()).unwrap();
    let urgent = writer.urgent().unwrap();
    let save = || urgent.save(Duration::from_secs(60));
    let mut recorder = recorder(writer);
    for rounds in [10, 1, 0, 100_000, 5] {
        record(&mut recorder, rounds);
        save();
        let trail = Trail::open(&path).unwrap();
        compare(&trail, &recorder.run);
    }
    // What was looked at before is not written again.
    recorder.stream.end(&RunEnd::Exit(0));
    assert!(outcome.written().complete);
    compare(&Trail::open(&path).unwrap(), &recorder.run);
    // There is nothing to wait for.
    save();
}

#[test]
fn looked_at_while_it_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trail");
    let (writer, outcome) = Writer::create(&path, &tables()).unwrap();
    let urgent = writer.urgent().unwrap();
    let mut recorder = recorder(writer);
    std::thread::scope(|scope| {
        // Until the recording has ended.
        scope.spawn(|| {
            while !outcome.written().complete {
                urgent.save(Duration::from_secs(60));
            }
        });
        for _ in 0..100 {
            record(&mut recorder, 3000);
        }
        recorder.stream.end(&RunEnd::Exit(0));
    });
    assert_eq!(outcome.written().failure, None);
    compare(&Trail::open(&path).unwrap(), &recorder.run);
}

/// What the process that is killed looks for in its environment: where to write.
const TARGET: &str = "GADFLY_TEST_KILLED";

/// Not a test: what [`killed`] runs. It records a little, says that it is on its way, and waits.
#[test]
fn to_be_killed() {
    let Ok(path) = std::env::var(TARGET) else { return };
    let (writer, _outcome) = Writer::create(Path::new(&path), &tables()).unwrap();
    let mut recorder = recorder(writer);
    record(&mut recorder, 1000);
    loop {
        std::thread::park();
    }
}

#[test]
fn killed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trail");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "recording::to_be_killed"])
        .env(TARGET, &path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // What was recorded is in the file soon, although no chunk is full and nothing was handed over.
    while !Trail::open(&path).is_ok_and(|trail| trail.node_count() == 2000) {
        assert!(child.try_wait().unwrap().is_none(), "it should wait to be killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (stream, _) = gadfly_trail::write::Memory::stream(tables());
    let mut recorder = Recorder::new(stream);
    record(&mut recorder, 1000);
    let trail = Trail::open(&path).unwrap();
    assert_eq!((trail.end(), trail.problems()[0].kind), (None, ProblemKind::NoEnd));
    compare(&trail, &recorder.run);
}

/// What came of a recording of so many nodes within a limit.
fn limited(path: &Path, limit: u64, rounds: u64) -> (gadfly_trail::write::Written, Vec<Full>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    let on_full = Box::new(move |full| hears.lock().unwrap().push(full));
    let bounds = Bounds::of(path, Some(limit));
    let (writer, outcome) = Writer::create_within(path, &tables(), bounds, on_full).unwrap();
    let mut recorder = recorder(writer);
    record(&mut recorder, rounds);
    recorder.stream.end(&RunEnd::Exit(0));
    let heard = heard.lock().unwrap().clone();
    (outcome.written(), heard)
}

#[test]
fn a_trail_that_reaches_its_limit_ends_in_an_orderly_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.trail");
    let (whole, full) = limited(&path, 1 << 30, 300_000);
    assert_eq!((whole.complete, whole.full, full), (true, None, Vec::new()));
    assert!(whole.bytes > 300_000, "{whole:?}");
    for limit in [whole.bytes / 2, whole.bytes / 4, 20_000, 1] {
        let (written, heard) = limited(&path, limit, 300_000);
        assert_eq!(written.full, Some(Full::Limit(limit)));
        assert_eq!(heard, [Full::Limit(limit)], "heard once");
        assert!(written.complete && written.failure.is_none(), "{written:?}");
        let size = std::fs::metadata(&path).unwrap().len();
        assert_eq!(size, written.bytes);
        // The program's tables and the end are there in any case.
        assert!(size <= limit.max(20_000), "{size} of {limit}");
        let trail = Trail::open(&path).unwrap();
        assert_eq!(trail.problems(), []);
        assert_eq!(trail.end(), Some(&RunEnd::Unrecorded));
        assert_eq!(trail.node_count(), written.nodes);
        assert!(written.nodes < whole.nodes);
        assert!(limit < 20_000 || size > limit / 2 && written.nodes > 0, "{written:?}");
        assert_eq!(check_trail(&trail).problems, []);
    }
}
