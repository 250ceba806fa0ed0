//! How fast a run is written, how many bytes it takes, how fast it opens and is read.
//!
//! `cargo bench -p gadfly-trail --bench run [-- REDEXES] [encode] [read]`; without a number 50 million redexes of each
//! kind. The files go into a temporary folder (0.3 to 1 GB each) and away again. Opening is measured with the file in the cache, the best of
//! three.
//!
//! - `nfib`: a strict function that calls itself twice; a redex is a call with a small integer, and it becomes one.
//! - `isort`: insertion sort of lists, as lazy evaluation does it: a redex is a call with an integer and a list, which becomes
//!   a cell whose tail is the next call.
//! - `mixed`: calls, applications, suspensions and data with references to things near and far, a sixth of what is
//!   evaluated is so much later.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

use gadfly_interchange::grow::Dice;
use gadfly_trail::model::*;
use gadfly_trail::stream::{Sink, Stream};
use gadfly_trail::write::{Writer, Written};
use gadfly_trail::{Became, Rows, Trail};
use std::hint::black_box;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn main() {
    let count = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(50_000_000);
    let parts: Vec<String> = std::env::args().filter(|part| part == "encode" || part == "read").collect();
    let asked = |part: &str| parts.is_empty() || parts.iter().any(|asked| asked == part);
    let folder = tempfile::tempdir().expect("a temporary folder");
    if asked("encode") {
        println!("encoding and writing, by the processor time that the recorder's thread takes:");
        for program in PROGRAMS {
            encode(program, count.min(4_000_000), &folder.path().join("encoded.trail"));
        }
    }
    if asked("read") {
        for program in PROGRAMS {
            read(program, count, &folder.path().join("read.trail"));
        }
    }
}

/// A program, and what makes its rows.
type Program = (&'static str, fn(&mut Stream, u64));

const PROGRAMS: [Program; 3] = [("nfib", nfib), ("isort", isort), ("mixed", mixed)];

fn encode((name, run): Program, redexes: u64, path: &Path) {
    let kept = Kept::default();
    let mut stream = Stream::new(Box::new(kept.clone()));
    run(&mut stream, redexes);
    stream.end(&RunEnd::Exit(0));
    let nodes = stream.nodes();
    let kept = std::mem::take(&mut *kept.0.lock().expect("nobody panicked"));
    let words: usize = kept.chunks.iter().map(Vec::len).sum();
    let mut time = f64::MAX;
    let mut written = Written::default();
    for _ in 0..9 {
        let (mut writer, outcome) = Writer::create(path, &tables()).expect("a file in the temporary folder");
        kept.shapes.iter().for_each(|shape| writer.shape(*shape));
        let start = other_threads();
        let mut chunk = Vec::new();
        for rows in &kept.chunks {
            // As the machine does: it fills a chunk that is in the cache.
            chunk.clone_from(rows);
            chunk = writer.take(chunk);
        }
        writer.end(Vec::new(), &RunEnd::Exit(0));
        time = f64::min(time, other_threads() - start);
        written = outcome.written();
    }
    assert!(written.complete && written.nodes == nodes, "{written:?}");
    println!(
        "{name:<6} {:>5.1} million redexes/s {:>6.1} million rows/s {:>6.0} MB/s of rows {:>5.2} bytes/redex {:>5.2} bytes/row",
        redexes as f64 / 1e6 / time,
        kept.rows as f64 / 1e6 / time,
        words as f64 * 8.0 / 1e6 / time,
        written.bytes as f64 / redexes as f64,
        written.bytes as f64 / kept.rows as f64,
    );
}

fn read((name, run): Program, redexes: u64, path: &Path) {
    let start = Instant::now();
    let (writer, outcome) = Writer::create(path, &tables()).expect("a file in the temporary folder");
    let mut stream = Stream::new(Box::new(writer));
    run(&mut stream, redexes);
    stream.end(&RunEnd::Exit(0));
    let written = outcome.written();
    assert!(written.complete, "{written:?}");
    let time = start.elapsed().as_secs_f64();
    println!(
        "{name}: {:.0} million redexes, {:.0} million nodes, {:.0} MB, {:.2} bytes/redex, made and written in {time:.2} s",
        redexes as f64 / 1e6,
        written.nodes as f64 / 1e6,
        written.bytes as f64 / 1e6,
        written.bytes as f64 / redexes as f64,
    );
    let before = memory("RssAnon:");
    let cpu = all_threads();
    let (open, trail) = best(|| Trail::open(path).expect("what was written"));
    println!(
        "  open            {:>7.3} s, {:.3} s of processors, {:.1} MB held",
        open.as_secs_f64(),
        (all_threads() - cpu) / 3.0,
        (memory("RssAnon:") - before) as f64 / 1e6
    );
    let each = |time: Duration| {
        let nodes = trail.node_count() as f64;
        format!("{:>7.3} s, {:>6.1} million nodes/s", time.as_secs_f64(), nodes / 1e6 / time.as_secs_f64())
    };
    let (time, _) = best(|| {
        let mut sum = 0;
        trail.for_each_node(|node, shape, parent, references| {
            sum ^= node.0 ^ u64::from(shape.0) ^ parent.0 ^ references.len() as u64;
        });
        black_box(sum)
    });
    println!("  for_each_node   {}", each(time));
    let (time, _) = best(|| scan(&trail, false, |rows, index| rows.parents()[index].0));
    println!("  parents, shapes {}", each(time));
    let (time, _) = best(|| {
        scan(&trail, true, |rows, index| match rows.became(index, &trail) {
            Became::Value(Ref::Node(node), _) => node.0,
            other => u64::from(other != Became::Nothing),
        })
    });
    println!("  all, and became {}", each(time));
    for (what, count) in [("anywhere", u64::MAX), ("near", 1 << 12)] {
        random(&trail, what, count);
    }
}

/// A pass over all blocks.
fn scan(trail: &Trail, all: bool, see: impl Fn(&Rows, usize) -> u64) -> u64 {
    let mut rows = Rows::default();
    let mut sum = 0u64;
    for block in 0..trail.block_count() {
        if all {
            trail.read_block(block, &mut rows);
        } else {
            trail.read_block_without_references(block, &mut rows);
        }
        sum = (0..rows.len()).fold(sum, |sum, index| sum.wrapping_add(see(&rows, index)));
    }
    black_box(sum)
}

/// The cost of looking at a million nodes, among some in a row.
fn random(trail: &Trail, what: &str, among: u64) {
    const TIMES: u64 = 1_000_000;
    let mut dice = Dice::new(9);
    let among = among.min(trail.node_count());
    let nodes: Vec<NodeId> = (0..TIMES).map(|_| NodeId(trail.node_count() - dice.below(among))).collect();
    let mut references = Vec::new();
    let measure = |name: &str, mut see: Box<dyn FnMut(NodeId) -> u64 + '_>| {
        let start = Instant::now();
        black_box(nodes.iter().fold(0, |sum: u64, node| sum.wrapping_add(see(*node))));
        print!("{name} {:.0} ns  ", start.elapsed().as_secs_f64() * 1e9 / TIMES as f64);
    };
    print!("  {what:<15} ");
    measure("shape", Box::new(|node| u64::from(trail.shape(node).count)));
    measure("parent", Box::new(|node| trail.parent(node).0));
    measure(
        "references",
        Box::new(|node| {
            references.clear();
            trail.references(node, &mut references);
            references.len() as u64
        }),
    );
    measure("became", Box::new(|node| u64::from(trail.became(node) != Became::Nothing)));
    println!();
}

/// A strict function that calls itself twice.
fn nfib(stream: &mut Stream, redexes: u64) {
    let mut shape = |what, position, count| {
        stream.define(Shape { what, position: Position(position), count, tail: false })
    };
    let calls = [shape(What::Call(0), 1, 1), shape(What::Call(0), 2, 1), shape(What::Call(0), 3, 1)];
    let (one, sum) = (shape(What::Became, 4, 1), shape(What::Became, 5, 1));
    let mut left = redexes;
    // The node, its argument, how many children were made, the sum so far.
    let mut stack: Vec<(NodeId, i64, u8, i64)> = Vec::new();
    while left > 0 {
        let root = stream.node(calls[0], NodeId::NONE, &[RawRef::int(32)]);
        left -= 1;
        stack.push((root, 32, 0, 1));
        while let Some((node, argument, made, so_far)) = stack.pop() {
            if argument < 2 || made == 2 || left == 0 {
                stream.tell(if argument < 2 { one } else { sum }, node, &[RawRef::int(so_far)]);
                if let Some(caller) = stack.last_mut() {
                    caller.3 += so_far;
                }
                continue;
            }
            let next = argument - 1 - i64::from(made);
            stack.push((node, argument, made + 1, so_far));
            let child = stream.node(calls[1 + usize::from(made)], node, &[RawRef::int(next)]);
            left -= 1;
            stack.push((child, next, 0, 1));
        }
    }
}

/// What the list sorter knows of a node.
#[derive(Clone, Copy)]
enum Cell {
    Nil,
    Cons(i64, usize),
    Insert(i64, usize),
    /// Evaluated, to that cell.
    Is(usize),
}

/// Insertion sort of lists of a thousand, one after the other.
fn isort(stream: &mut Stream, redexes: u64) {
    let mut shape = |what, position, count, tail| {
        stream.define(Shape { what, position: Position(position), count, tail })
    };
    let outer = shape(What::Call(1), 1, 2, false);
    let inner = shape(What::Call(1), 2, 2, false);
    let cons = [shape(What::Construct(1), 3, 2, true), shape(What::Construct(1), 4, 2, true)];
    let front = shape(What::Construct(1), 5, 2, true);
    let nil = RawRef::of(Ref::Constructor(0));
    let mut dice = Dice::new(3);
    let mut left = redexes;
    while left > 0 {
        let main = stream.node(outer, NodeId::NONE, &[RawRef::int(0), nil]);
        left -= 1;
        let mut cells = vec![(Cell::Nil, nil, main)];
        let reference = |cells: &[(Cell, RawRef, NodeId)], cell: usize| cells[cell].1;
        for _ in 0..1000 {
            let value = dice.below(1_000_000) as i64;
            let rest = cells.len() - 1;
            let node = stream.node(outer, main, &[RawRef::int(value), reference(&cells, rest)]);
            cells.push((Cell::Insert(value, rest), RawRef::node(node), node));
        }
        // Force the list, cell by cell; to force a cell its argument is forced first.
        let mut next = cells.len() - 1;
        'list: loop {
            let mut stack = vec![next];
            while let Some(&cell) = stack.last() {
                let (state, _, node) = cells[cell];
                let Cell::Insert(value, list) = state else {
                    stack.pop();
                    continue;
                };
                let seen = match cells[list].0 {
                    Cell::Is(is) => is,
                    Cell::Insert(..) => {
                        stack.push(list);
                        continue;
                    }
                    _ => list,
                };
                if left == 0 {
                    return;
                }
                left -= 1;
                let made = match cells[seen].0 {
                    Cell::Cons(first, rest) if first < value => {
                        let words = [RawRef::int(value), reference(&cells, rest)];
                        let call = stream.node(inner, node, &words);
                        cells.push((Cell::Insert(value, rest), RawRef::node(call), call));
                        let words = [RawRef::int(first), RawRef::node(call)];
                        (Cell::Cons(first, cells.len() - 1), stream.node(cons[0], node, &words))
                    }
                    Cell::Cons(..) => {
                        let words = [RawRef::int(value), reference(&cells, seen)];
                        (Cell::Cons(value, seen), stream.node(front, node, &words))
                    }
                    _ => (Cell::Cons(value, 0), stream.node(cons[1], node, &[RawRef::int(value), nil])),
                };
                cells.push((made.0, RawRef::node(made.1), made.1));
                cells[cell].0 = Cell::Is(cells.len() - 1);
                stack.pop();
            }
            let at = match cells[next].0 {
                Cell::Is(is) => is,
                _ => next,
            };
            match cells[at].0 {
                Cell::Cons(_, rest) => next = rest,
                _ => break 'list,
            }
        }
    }
}

/// A run of any sort.
fn mixed(stream: &mut Stream, redexes: u64) {
    let mut dice = Dice::new(7);
    let whats = [
        (What::Call(0), 1),
        (What::Call(1), 2),
        (What::Call(2), 3),
        (What::Apply, 2),
        (What::Suspended, 0),
        (What::Construct(1), 2),
        (What::Partial(2), 1),
    ];
    let mut shapes = Vec::new();
    for position in 1..16 {
        shapes.extend(whats.iter().enumerate().map(|(index, &(what, count))| {
            let tail = position % 4 == 0 && index != 4;
            (stream.define(Shape { what, position: Position(position), count, tail }), count, index, tail)
        }));
    }
    let became: Vec<ShapeId> = (20..32)
        .map(|position| {
            stream.define(Shape { what: What::Became, position: Position(position), count: 1, tail: false })
        })
        .collect();
    // What is being evaluated, innermost last, and what waits to be.
    let mut stack: Vec<NodeId> = Vec::new();
    let mut waiting: Vec<NodeId> = Vec::new();
    let mut left = redexes;
    while left > 0 {
        let roll = dice.roll();
        if stack.len() > 200 || (roll & 3 == 0 && !stack.is_empty()) {
            let node = stack.pop().expect("it is not empty");
            let reference = value(&mut dice, stream.nodes());
            stream.tell(became[(roll >> 8) as usize % became.len()], node, &[reference]);
            continue;
        }
        let (shape, count, index, tail) = shapes[(roll >> 8) as usize % shapes.len()];
        let mut words = [RawRef::UNKNOWN; 3];
        words[..count as usize].fill_with(|| value(&mut dice, stream.nodes()));
        let tail_of = tail.then(|| stack.pop()).flatten();
        let parent = tail_of.or(stack.last().copied()).unwrap_or_default();
        let node = stream.node(shape, parent, &words[..count as usize]);
        if index < 5 {
            left -= u64::from(index != 4);
            match roll >> 40 & 15 {
                0..10 => stack.push(node),
                10..13 => waiting.push(node),
                _ => {}
            }
        }
        if waiting.len() > 300_000 {
            let place = dice.below(waiting.len() as u64) as usize;
            stack.push(waiting.swap_remove(place));
        }
    }
}

/// A value, mostly a node near by.
fn value(dice: &mut Dice, nodes: u64) -> RawRef {
    let roll = dice.roll();
    match roll & 15 {
        0 => RawRef::int((roll >> 40 & 0xFFFF) as i64),
        1..3 => RawRef::int((roll >> 40 & 63) as i64),
        3 => RawRef::of(Ref::Char(97 + (roll >> 40 & 15) as u32)),
        4 => RawRef::of(Ref::Constructor(0)),
        _ => {
            let far = roll >> 16 >> (28 + (roll >> 4 & 15));
            RawRef::node(NodeId(nodes.saturating_sub(far).max(1).min(nodes)))
        }
    }
}

/// Keeps chunks, so that making them is not measured.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Chunks>>);

#[derive(Default)]
struct Chunks {
    shapes: Vec<Shape>,
    chunks: Vec<Vec<u64>>,
    rows: u64,
}

impl Sink for Kept {
    fn more(&mut self, _tables: Tables) {}

    fn shape(&mut self, shape: Shape) {
        self.0.lock().expect("nobody panicked").shapes.push(shape);
    }

    fn take(&mut self, chunk: Vec<u64>) -> Vec<u64> {
        let mut kept = self.0.lock().expect("nobody panicked");
        let mut at = 0;
        while at < chunk.len() {
            at += 2 + (chunk[at] >> 32) as usize;
            kept.rows += 1;
        }
        kept.chunks.push(chunk);
        Vec::new()
    }

    fn end(&mut self, last: Vec<u64>, _: &RunEnd) {
        self.take(last);
    }
}

fn tables() -> Tables {
    let function = |name: &str| Function {
        name: name.into(),
        module: 0,
        parent: None,
        piece: None,
        parameters: Vec::new(),
        origin: Origin::TopLevel,
        rules: Vec::new(),
        recorded: true,
        infix: None,
        constants: Vec::new(),
    };
    let constructor = |name: &str, arity| Constructor {
        name: name.into(),
        of: String::new(),
        arity,
        dictionaries: 0,
        fields: Vec::new(),
        infix: None,
        form: Form::Plain,
    };
    Tables {
        modules: vec![Module { name: "Main".into(), library: false, file: None }],
        functions: ["nfib", "insert", "f"].map(function).into(),
        constructors: vec![constructor("[]", 0), constructor(":", 2)],
        ..Tables::default()
    }
}

fn best<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut time = Duration::MAX;
    for _ in 0..2 {
        let start = Instant::now();
        let found = run();
        time = time.min(start.elapsed());
        drop(found);
    }
    let start = Instant::now();
    let found = run();
    (time.min(start.elapsed()), found)
}

/// Seconds of a processor that all threads but this one have had, so that what else the machine does is not measured.
fn other_threads() -> f64 {
    let own = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let own: Option<f64> = own.split(' ').next().and_then(|time| time.parse().ok());
    all_threads() - own.unwrap_or(0.0) / 1e9
}

/// Seconds of a processor that all threads have had.
fn all_threads() -> f64 {
    let all = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = all.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Bytes, from `/proc/self/status`; 0 where there is no such file.
fn memory(what: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    kilobytes.unwrap_or(0usize) * 1024
}
