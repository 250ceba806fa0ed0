//! Files that are cut, changed or forged: there is an error that says something, or what can be read is what was written.

use crate::given::{Run, Step, compare, play, survive, tables};
use gadfly_interchange::grow::Dice;
use gadfly_trail::model::RunEnd;
use gadfly_trail::{OpenErrorKind, ProblemKind, Trail};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes before the first block, and of a block's header.
const FILE_HEADER: usize = 32;
const BLOCK_HEADER: usize = 64;

/// A file of a few blocks, with everything in it, and the run after so many blocks.
fn small() -> (Vec<Run>, Vec<u8>) {
    let mut dice = Dice::new(5);
    let mut steps = Vec::new();
    for round in 0..150 {
        let words = (0..5).map(|_| dice.roll() >> dice.below(64)).collect();
        steps.push(Step::Row(dice.roll() as u32, dice.roll() as u32, words));
        if round % 50 == 49 {
            steps.push(Step::Seal);
        }
    }
    let (runs, memory) = play(&steps, Some(&RunEnd::Uncaught("ä".into(), 1)));
    (runs, memory.bytes())
}

/// Opens bytes that were changed. What opens has a problem and is the run up to some block.
fn open(bytes: Vec<u8>, runs: &[Run]) -> Option<Trail> {
    match Trail::from_bytes(bytes) {
        Err(error) => {
            assert!(!error.message.is_empty() && !error.hint.is_empty());
            None
        }
        Ok(trail) => {
            assert!(!trail.problems().is_empty());
            assert!(trail.problems().iter().all(|problem| !problem.message.is_empty()));
            assert_eq!(trail.tables(), &tables());
            compare(&trail, &runs[trail.block_count()]);
            if trail.end().is_some() {
                assert_eq!(trail.problems()[0].kind, ProblemKind::Index);
                assert_eq!(trail.block_count(), runs.len() - 1);
            }
            Some(trail)
        }
    }
}

#[test]
fn cut_at_every_byte() {
    let (runs, bytes) = small();
    let mut blocks = [0; 10];
    for end in 0..bytes.len() {
        if let Some(trail) = open(bytes[..end].to_vec(), &runs) {
            blocks[trail.block_count()] += 1;
        }
    }
    assert!(blocks[..runs.len()].iter().all(|times| *times > 0), "{blocks:?}");
}

#[test]
fn every_byte_changed() {
    let (runs, bytes) = small();
    let mut dice = Dice::new(6);
    for at in 0..bytes.len() {
        for change in [1 << dice.below(8), 0xFF, bytes[at].max(1)] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            open(bytes, &runs);
        }
    }
}

#[test]
fn something_behind_the_end() {
    let (runs, bytes) = small();
    for more in [1, 31, 32, 33, 64, 1000] {
        let trail = open([bytes.clone(), vec![0; more]].concat(), &runs).unwrap();
        assert!(trail.end().is_some());
    }
    // The whole file again.
    assert!(open([bytes.clone(), bytes].concat(), &runs).unwrap().end().is_some());
}

/// Where the blocks begin, and where the last one ends.
fn blocks(bytes: &[u8]) -> Vec<usize> {
    let mut at = FILE_HEADER;
    let mut starts = vec![at];
    while bytes.len() >= at + BLOCK_HEADER && bytes[at..at + 4] == *b"GBLK" {
        let length = u64::from_le_bytes(bytes[at + 8..at + 16].try_into().unwrap());
        let Some(next) = (at + BLOCK_HEADER).checked_add(length as usize) else { break };
        if next > bytes.len() {
            break;
        }
        at = next;
        starts.push(at);
    }
    starts
}

#[test]
fn blocks_that_are_missing_doubled_or_exchanged() {
    let (runs, bytes) = small();
    let starts = blocks(&bytes);
    let block = |index: usize| &bytes[starts[index]..starts[index + 1]];
    let count = starts.len() - 1;
    for one in 0..count {
        for other in 0..=count {
            let mut order: Vec<usize> = (0..count).collect();
            if other == count {
                order.remove(one);
            } else if one == other {
                order.insert(one, one);
            } else {
                order.swap(one, other);
            }
            let parts: Vec<u8> = order.into_iter().flat_map(block).copied().collect();
            open([&bytes[..FILE_HEADER], &parts, &bytes[starts[count]..]].concat(), &runs);
        }
    }
}

/// Makes all checksums right again.
fn forge(bytes: &mut [u8]) {
    let sum = |bytes: &[u8]| xxh3_64(bytes).to_le_bytes();
    if bytes.len() >= FILE_HEADER {
        let found = sum(&bytes[..24]);
        bytes[24..32].copy_from_slice(&found);
    }
    let starts = blocks(bytes);
    for range in starts.windows(2) {
        let block = &mut bytes[range[0]..range[1]];
        let found = sum(&block[BLOCK_HEADER..]);
        block[48..56].copy_from_slice(&found);
        let found = sum(&block[..56]);
        block[56..64].copy_from_slice(&found);
    }
    // The index repeats the headers.
    let Some(&[index, end]) = starts.windows(2).last().and_then(|range| range.first_chunk()) else { return };
    if bytes[index + 4] == 5 {
        let mut at = index + BLOCK_HEADER;
        for start in &starts[..starts.len() - 2] {
            if at + BLOCK_HEADER > end {
                break;
            }
            bytes.copy_within(*start..*start + BLOCK_HEADER, at);
            at += BLOCK_HEADER;
        }
        let found = sum(&bytes[index + BLOCK_HEADER..end]);
        bytes[index + 48..index + 56].copy_from_slice(&found);
        let found = sum(&bytes[index..index + 56]);
        bytes[index + 56..index + 64].copy_from_slice(&found);
    }
    if bytes.len() >= end + 32 {
        let found = sum(&bytes[end..end + 24]);
        bytes[end + 24..end + 32].copy_from_slice(&found);
    }
}

#[test]
fn every_byte_forged() {
    let (_, bytes) = small();
    let mut same = bytes.clone();
    forge(&mut same);
    assert!(same == bytes);
    let mut dice = Dice::new(7);
    let mut opened = 0;
    for at in 8..bytes.len() {
        for change in [1 << dice.below(8), dice.roll() as u8, 0xFF] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            forge(&mut bytes);
            opened += u32::from(survive(bytes));
        }
    }
    assert!(opened > 1000);
}

/// Many changes at once. `GADFLY_MUTANTS` makes it more, `GADFLY_SEED` others.
#[test]
fn forged_in_any_way() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let mut dice = Dice::new(number("GADFLY_SEED").unwrap_or(8));
    let (_, bytes) = small();
    let starts = blocks(&bytes);
    for _ in 0..number("GADFLY_MUTANTS").unwrap_or(3000) {
        let mut bytes = bytes.clone();
        for _ in 0..=dice.below(6) {
            let at = 8 + dice.below(bytes.len() as u64 - 8) as usize;
            // Headers and the sizes behind them are more interesting than what else there is.
            let at = match dice.below(3) {
                0 => (starts[dice.below(starts.len() as u64) as usize] + dice.below(120) as usize)
                    .min(bytes.len() - 1),
                _ => at,
            };
            match dice.below(4) {
                0 => bytes[at] = dice.roll() as u8,
                1 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][dice.below(5) as usize],
                2 => bytes[at] = bytes[at].wrapping_add(1),
                _ => {
                    let from = dice.below(bytes.len() as u64) as usize;
                    let length = (1 + dice.below(16) as usize).min(bytes.len() - from).min(bytes.len() - at);
                    bytes.copy_within(from..from + length, at);
                }
            }
        }
        if dice.below(20) == 0 {
            bytes.truncate(dice.below(bytes.len() as u64) as usize);
        }
        forge(&mut bytes);
        survive(bytes);
    }
}

/// Numbers in headers and tables that claim more than memory could hold.
#[test]
fn what_a_file_says_of_its_size_allocates_nothing() {
    let (_, bytes) = small();
    for start in blocks(&bytes) {
        for (from, to) in [(8, 16), (16, 24), (24, 28), (28, 32), (32, 36), (36, 40), (40, 48)] {
            for value in [0xFF, 0x7F] {
                let mut bytes = bytes.clone();
                if start + BLOCK_HEADER > bytes.len() {
                    continue;
                }
                bytes[start + from..start + to].fill(value);
                // Only the header: the length may be the field that is changed.
                let found = xxh3_64(&bytes[start..start + 56]).to_le_bytes();
                bytes[start + 56..start + 64].copy_from_slice(&found);
                survive(bytes);
            }
        }
        // The sizes of a block's parts, and the first numbers of the tables.
        for at in start + BLOCK_HEADER..(start + BLOCK_HEADER + 24).min(bytes.len() - 4) {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0x7F]);
            forge(&mut bytes);
            survive(bytes);
        }
    }
}

#[test]
fn what_is_no_trail_is_told() {
    let kind = |bytes: &[u8]| Trail::from_bytes(bytes.to_vec()).unwrap_err();
    assert_eq!(kind(b"").kind, OpenErrorKind::Empty);
    for (bytes, what) in [
        (&b"main = print 1\n"[..], "text"),
        (b"{\"gadfly\": 1}", "JSON"),
        (b"\x1F\x8B\x08\0\0", "gzip"),
        (&[0; 100], "zeros"),
        (b"\x7FELF\x02\x01\x01\0\0\0", "another kind"),
        ("ä".repeat(1000).as_bytes(), "text"),
    ] {
        let error = kind(bytes);
        assert_eq!(error.kind, OpenErrorKind::NotATrail);
        assert!(error.message.contains(what), "{error}");
    }
    let (_, bytes) = small();
    for end in 1..FILE_HEADER {
        assert_eq!(kind(&bytes[..end]).kind, OpenErrorKind::Damaged);
    }
    let mut newer = bytes.clone();
    newer[8] = 4;
    forge(&mut newer);
    let error = kind(&newer);
    assert_eq!(error.kind, OpenErrorKind::NewerVersion);
    assert!(error.message.contains("version 4"), "{error}");
    let missing = Trail::open(std::path::Path::new("/no/such/file")).unwrap_err();
    assert_eq!(missing.kind, OpenErrorKind::Io);
}
