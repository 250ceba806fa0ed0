//! How fast a recorded run becomes a tree, and how much memory that takes.
//!
//! `cargo bench -p gadfly-views --bench views [-- REDEXES… KINDS…]`; without numbers 10⁶ and 2·10⁷ redexes. The trails are
//! grown into a temporary folder and go away afterwards; `keep PATH` grows one (`-- 100000000 calls keep PATH`) and measures nothing. Times are the best of three. `open` is until the file is mapped
//! and checked, `view` from there to the tree, `first` from there to the root's equation; memory is what the process held
//! at most beyond what it had when the trail was open, by tree node; `cpu` is the time of all threads, which says more than
//! the other times where the machine is busy.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

use gadfly_trail::Trail;
use gadfly_trail::model::*;
use gadfly_trail::stream::Stream;
use gadfly_trail::write::Writer;
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::{Options, Order, View, view};
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let mut counts: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if counts.is_empty() {
        counts = vec![1_000_000, 20_000_000];
    }
    let mut rest = std::env::args().skip_while(|argument| argument != "keep").skip(1);
    if let Some(path) = rest.next() {
        let named = |kind: &Kind| std::env::args().any(|argument| argument == kind.name());
        let kind = Kind::ALL.into_iter().find(named).expect("the kind of a run");
        return grow(kind, counts[0], Path::new(&path));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "run       view  redexes     nodes     MB  open ms  view ms   cpu ms  Mredexes/s  bytes/node  first ms  again µs"
    );
    for count in counts {
        let all = Kind::ALL;
        let named = |kind: &Kind| std::env::args().any(|argument| argument == kind.name());
        let any = all.iter().any(named);
        for kind in all.into_iter().filter(|kind| !any || named(kind)) {
            let path = folder.path().join("grown.trail");
            grow(kind, count, &path);
            for shown in [View::Edt, View::Fdt] {
                measure(kind, shown, &path);
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A function that calls itself twice: children end before their parents.
    Recursion,
    /// A function that calls itself last.
    Loop,
    /// A list is made of calls that are evaluated by another function, long after they were made.
    Lazy,
    /// A closure is made and applied for every call.
    Higher,
    /// Calls of a strict program that call each other; each changes an argument, and every fourth a variable of the module.
    Calls,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Recursion, Kind::Loop, Kind::Lazy, Kind::Higher, Kind::Calls];

    fn name(&self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

fn tables() -> Tables {
    let text = "main = f 1 2\nf x y = c (f x (g y)) (f y x)\ng x = x\n";
    let piece = |start, end| Piece { file: 0, start, end };
    let function = |name: &str, from, to, count| Function {
        name: name.into(),
        module: 0,
        parent: None,
        piece: Some(piece(from, to)),
        parameters: vec![(None, Role::Ordinary); count],
        origin: Origin::TopLevel,
        rules: vec![Rule { piece: piece(from, to), alternatives: Vec::new() }],
        recorded: true,
        infix: None,
        constants: Vec::new(),
    };
    let expression = |number: u32, function, start, end| Expression {
        position: Position(number),
        function,
        within: None,
        place: Vec::new(),
        piece: Some(piece(start, end)),
        kind: ExpressionKind::Other,
        rule: (1, 0),
        rank: number,
    };
    Tables {
        language: "haskell".into(),
        files: vec![File { path: "Main.hs".into(), text: text.into() }],
        modules: vec![Module { name: "Main".into(), library: false, file: Some(0) }],
        functions: vec![function("main", 0, 12, 0), function("f", 13, 43, 2), function("g", 44, 51, 1)],
        constructors: vec![Constructor {
            name: "C".into(),
            of: "Main.C".into(),
            arity: 2,
            dictionaries: 0,
            fields: Vec::new(),
            infix: None,
            form: Form::Plain,
        }],
        expressions: vec![
            expression(1, 0, 7, 12),
            expression(2, 1, 21, 43),
            expression(3, 1, 23, 34),
            expression(4, 1, 28, 33),
            expression(5, 1, 36, 42),
            expression(6, 2, 50, 51),
        ],
        ..Tables::default()
    }
}

struct Shapes {
    main: ShapeId,
    /// A call of `f` from each of its places, and from the last one as what it is reduced to.
    calls: [ShapeId; 3],
    tail: ShapeId,
    g: ShapeId,
    construct: ShapeId,
    became: ShapeId,
    partial: ShapeId,
    apply: ShapeId,
    changed: ShapeId,
}

fn grow(kind: Kind, count: u64, path: &Path) {
    let mut tables = tables();
    if matches!(kind, Kind::Calls) {
        tables.language = "python".into();
        tables.evaluation = Evaluation::Strict;
        tables.style = Style::Called;
        tables.names.push("total".into());
    }
    let (writer, _) = Writer::create(path, &tables).expect("room for it");
    let mut stream = Stream::new(Box::new(writer));
    let mut shape = |what, position, count, tail| {
        stream.define(Shape { what, position: Position(position), count, tail })
    };
    let shapes = Shapes {
        main: shape(What::Constant(0), 0, 0, false),
        calls: [2, 3, 5].map(|at| shape(What::Call(1), at, 2, false)),
        tail: shape(What::Call(1), 5, 2, true),
        g: shape(What::Call(2), 4, 1, false),
        construct: shape(What::Construct(0), 2, 2, false),
        became: shape(What::Became, 2, 1, false),
        partial: shape(What::Partial(1), 3, 1, false),
        apply: shape(What::Apply, 5, 2, false),
        changed: shape(What::Changed, 0, 3, false),
    };
    let main = stream.node(shapes.main, NodeId::NONE, &[]);
    match kind {
        Kind::Recursion => recursion(&mut stream, &shapes, main, count),
        Kind::Loop => {
            let mut at = main;
            for number in 0..count as i64 {
                at = stream.node(shapes.tail, at, &[RawRef::int(number), RawRef::int(number + 1)]);
            }
            stream.tell(shapes.became, at, &[RawRef::int(7)]);
        }
        Kind::Lazy => {
            let mut list = RawRef::int(0);
            let half = count / 2;
            let calls: Vec<NodeId> =
                (0..half).map(|number| stream.node(shapes.g, main, &[RawRef::int(number as i64)])).collect();
            for call in calls {
                let by = stream.node(shapes.calls[1], main, &[RawRef::node(call), list]);
                stream.tell(shapes.became, call, &[RawRef::int(3)]);
                list = RawRef::node(stream.node(shapes.construct, by, &[RawRef::node(call), list]));
                stream.tell(shapes.became, by, &[list]);
            }
        }
        Kind::Higher => {
            let mut at = main;
            for number in 0..count as i64 {
                let closure = stream.node(shapes.partial, at, &[RawRef::int(number)]);
                let next = stream.node(shapes.apply, at, &[RawRef::node(closure), RawRef::int(number)]);
                if number % 16 == 15 {
                    at = next;
                }
                stream.tell(shapes.became, next, &[RawRef::int(number)]);
            }
        }
        Kind::Calls => {}
    }
    if matches!(kind, Kind::Calls) {
        calls(&mut stream, &shapes, main, count);
    }
    stream.tell(shapes.became, main, &[RawRef::int(1)]);
    stream.end(&RunEnd::Exit(0));
}

/// Calls that call: each makes two calls and a value, evaluates the calls, and becomes the value.
fn recursion(stream: &mut Stream, shapes: &Shapes, main: NodeId, count: u64) {
    // (node, the calls it still has to evaluate, its value)
    let mut open: Vec<(NodeId, Vec<NodeId>, NodeId)> = Vec::new();
    let mut made = 0;
    let mut enter = |stream: &mut Stream, node: NodeId, depth: usize, open: &mut Vec<_>| {
        let mut calls = Vec::new();
        if made + 2 <= count && depth < 40 {
            made += 2;
            let number = RawRef::int(made as i64);
            calls.push(stream.node(shapes.calls[1], node, &[number, number]));
            calls.push(stream.node(shapes.calls[2], node, &[number, RawRef::node(node)]));
        }
        let parts = [RawRef::int(1), calls.first().map_or(RawRef::int(2), |call| RawRef::node(*call))];
        let value = stream.node(shapes.construct, node, &parts);
        open.push((node, calls, value));
        made < count
    };
    while enter(stream, main, 0, &mut open) {
        while let Some((node, calls, value)) = open.last_mut() {
            match calls.pop() {
                Some(call) => {
                    let depth = open.len();
                    enter(stream, call, depth, &mut open);
                }
                None => {
                    stream.tell(shapes.became, *node, &[RawRef::node(*value)]);
                    open.pop();
                }
            }
        }
    }
    while let Some((node, _, value)) = open.pop() {
        stream.tell(shapes.became, node, &[RawRef::node(value)]);
    }
}

/// Calls that call twice, as a recursive function of a strict program does, twelve deep; the first one calls again and again.
fn calls(stream: &mut Stream, shapes: &Shapes, main: NodeId, count: u64) {
    const DEPTH: usize = 12;
    let mut open: Vec<(NodeId, u32)> = Vec::new();
    let mut made = 0;
    while made < count || !open.is_empty() {
        let above = open.last().map_or(main, |(node, _)| *node);
        let goes_on = open.last().is_none_or(|(_, called)| *called < 2 && open.len() < DEPTH);
        if goes_on && made < count {
            if let Some((_, called)) = open.last_mut() {
                *called += 1;
            }
            let number = RawRef::int(made as i64 & 0xFFFF);
            let shape = shapes.calls[1 + (made & 1) as usize];
            open.push((stream.node(shape, above, &[number, RawRef::int(7)]), 0));
            made += 1;
        } else if let Some((node, _)) = open.pop() {
            let which = if node.0 % 4 == 0 { -1 } else { 0 };
            let values = [RawRef::int(which), RawRef::int(made as i64), RawRef::int(made as i64 + 1)];
            stream.tell(shapes.changed, node, &values);
            stream.tell(shapes.became, node, &[RawRef::int(made as i64)]);
        }
    }
}

/// One measurement.
struct Measured {
    opened: Duration,
    made: Duration,
    busy: u64,
    first: Duration,
    again: Duration,
    nodes: u64,
    peak: u64,
    count: u32,
}

fn measure(kind: Kind, shown: View, path: &Path) {
    let megabytes = path.metadata().expect("the file just written").len() as f64 / 1e6;
    let mut best: Option<Measured> = None;
    for _ in 0..3 {
        let start = Instant::now();
        let trail = Arc::new(Trail::open(path).expect("a good trail"));
        let opened = start.elapsed();
        let (nodes, before) = (trail.node_count(), memory("RssAnon:"));
        forget_peak();
        let busy = cpu();
        let start = Instant::now();
        let options = Options { view: shown, order: Order::Outermost, start: None };
        let viewed = black_box(view(trail, &options).expect("a tree"));
        let (made, busy) = (start.elapsed(), cpu() - busy);
        // Pages of the file are no memory of ours.
        let peak = memory("VmHWM:").saturating_sub(before + memory("RssFile:"));
        let start = Instant::now();
        black_box(viewed.behaviours.behaviour(&viewed.tree, Node::ROOT, false).expect("an equation"));
        let first = start.elapsed();
        let start = Instant::now();
        let count = viewed.tree.len();
        for node in (0..1000).map(|sample| Node((u64::from(count) * sample / 1000) as u32)) {
            black_box(viewed.behaviours.behaviour(&viewed.tree, node, false).expect("an equation"));
        }
        let again = start.elapsed() / 1000;
        if best.as_ref().is_none_or(|best| busy < best.busy) {
            best = Some(Measured { opened, made, busy, first, again, nodes, peak, count });
        }
    }
    let Some(Measured { opened, made, busy, first, again, nodes, peak, count }) = best else { return };
    println!(
        "{:9} {:4} {:>9} {:>9} {megabytes:>6.0} {:>8.0} {:>8.0} {:>8} {:>11.1} {:>11.1} {:>9.1} {:>9.1}",
        kind.name(),
        format!("{shown:?}").to_lowercase(),
        count,
        nodes,
        opened.as_secs_f64() * 1e3,
        made.as_secs_f64() * 1e3,
        busy,
        f64::from(count) / made.as_secs_f64() / 1e6,
        peak as f64 / f64::from(count),
        first.as_secs_f64() * 1e3,
        again.as_secs_f64() * 1e6,
    );
}

/// Milliseconds of all threads so far, in user code and in the system.
fn cpu() -> u64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = status.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    (ticks(11) + ticks(12)) * 10
}

/// Bytes, as the system counts them.
fn memory(line: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found = status.lines().find_map(|text| text.strip_prefix(line));
    found.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) * 1024
}

fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
