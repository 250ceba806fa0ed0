//! How fast an interchange file loads, beside a plain `serde_json` pass over the same lines.
//!
//! `cargo bench -p gadfly-interchange --bench load [-- NODES…]`; without numbers 10⁵, 10⁶ and 10⁷ nodes. The files are grown
//! into a temporary folder (2.1 GB for 10⁷) and go away afterwards. Times are the best of three; memory is what the process
//! gained by loading, and at most held meanwhile.

#![allow(clippy::print_stdout, reason = "a bench prints what it measured")]

use gadfly_interchange::{self as interchange, grow};
use serde::de::IgnoredAny;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter};
use std::path::Path;
use std::time::{Duration, Instant};

fn main() {
    let mut counts: Vec<u32> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if counts.is_empty() {
        counts = vec![100_000, 1_000_000, 10_000_000];
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "shape     nodes     MB   ignored     value      load     MB/s   Mnodes/s  ×ignored  ×value  bytes/node  peak"
    );
    for count in counts {
        for shape in grow::Shape::ALL {
            measure(shape, count, &folder.path().join("grown.jsonl"));
        }
    }
}

fn measure(shape: grow::Shape, count: u32, path: &Path) {
    let out = BufWriter::new(File::create(path).expect("a file in the temporary folder"));
    grow::write(shape, count, 1, out).expect("room for it");
    let bytes = path.metadata().expect("the file just written").len() as f64;
    let ignored = best(|| pass::<IgnoredAny>(path));
    let value = best(|| pass::<serde_json::Value>(path));
    let (mut held, mut peak) = (0, 0);
    let load = best(|| {
        forget_peak();
        let before = memory("VmRSS:");
        let recording = black_box(interchange::open(path).expect("a good file"));
        assert_eq!(recording.tree.len(), count);
        held = memory("VmRSS:").saturating_sub(before);
        peak = memory("VmHWM:").saturating_sub(before);
    });
    let (ignored, value, load) = (ignored.as_secs_f64(), value.as_secs_f64(), load.as_secs_f64());
    println!(
        "{:<7} {count:>8} {:>6.0} {ignored:>8.3}s {value:>8.3}s {load:>8.3}s {:>8.0} {:>10.2} {:>9.2} {:>7.2} {:>11.1} {:>5.1}",
        shape.name(),
        bytes / 1e6,
        bytes / 1e6 / load,
        f64::from(count) / 1e6 / load,
        ignored / load,
        value / load,
        held as f64 / f64::from(count),
        peak as f64 / f64::from(count),
    );
}

fn best(mut run: impl FnMut()) -> Duration {
    let times = (0..3).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// The plain pass: every line, parsed and dropped.
fn pass<T: serde::de::DeserializeOwned>(path: &Path) {
    let mut reader = BufReader::with_capacity(1 << 18, File::open(path).expect("the file just written"));
    let mut line = String::new();
    while reader.read_line(&mut line).expect("UTF-8") > 0 {
        black_box(serde_json::from_str::<T>(&line).expect("JSON"));
        line.clear();
    }
}

/// Bytes, from `/proc/self/status`; 0 where there is no such file.
fn memory(what: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    kilobytes.unwrap_or(0usize) * 1024
}

fn forget_peak() {
    // Linux only; elsewhere the peak is not measured.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
