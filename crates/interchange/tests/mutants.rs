//! Good files made bad in every way one can think of: they load, or there is an error that says something; nothing else.

use flate2::{Compression, write::GzEncoder};
use gadfly_interchange::{self as interchange, OpenError, Problem, grow::Dice};
use gadfly_tree::{Behaviours, Node};
use std::io::{Cursor, Write};

/// A small file with every field and every form in it.
const ALL: &str = include_str!("everything.jsonl");

/// Loads bytes, and reads everything that loaded; whatever comes, it must not be a panic.
fn survive(bytes: Vec<u8>) -> bool {
    match interchange::read(Cursor::new(bytes), None) {
        Ok(recording) => {
            for node in (0..recording.tree.len()).map(Node) {
                // What passed the load must be readable.
                recording.behaviours.behaviour(&recording.tree, node, false).unwrap();
                recording.behaviours.behaviour(&recording.tree, node, true).unwrap();
                recording.behaviours.effort(&recording.tree, node);
            }
            true
        }
        Err(OpenError { message, hint, .. }) => {
            assert!(!message.is_empty() && !hint.is_empty());
            false
        }
    }
}

#[test]
fn the_whole_file_is_good() {
    assert!(survive(ALL.into()));
}

#[test]
fn cut_at_every_byte() {
    for end in 0..ALL.len() {
        survive(ALL.as_bytes()[..end].to_vec());
    }
}

#[test]
fn every_byte_changed() {
    let mut dice = Dice::new(1);
    for at in 0..ALL.len() {
        for byte in [ALL.as_bytes()[at] ^ 1 << dice.below(8), b"\"\\{}[],:0n\n \xFF"[dice.below(13) as usize]]
        {
            let mut bytes = ALL.as_bytes().to_vec();
            bytes[at] = byte;
            survive(bytes);
        }
    }
}

#[test]
fn pieces_moved_doubled_and_dropped() {
    let mut dice = Dice::new(2);
    for _ in 0..20_000 {
        let mut bytes = ALL.as_bytes().to_vec();
        for _ in 0..=dice.below(3) {
            let length = bytes.len() as u64;
            let (from, to) = (dice.below(length) as usize, dice.below(length) as usize);
            let piece: Vec<u8> =
                bytes[from..(from + 1 + dice.below(60) as usize).min(length as usize)].to_vec();
            match dice.below(3) {
                0 => drop(bytes.splice(to..to, piece)),
                1 => drop(bytes.splice(to..(to + piece.len()).min(length as usize), piece)),
                _ => drop(bytes.drain(from..from + piece.len().min(length as usize - from))),
            }
            if bytes.is_empty() {
                break;
            }
        }
        survive(bytes);
    }
}

#[rustfmt::skip]
const TOKENS: [&str; 32] = [
    "{", "}", "[", "]", ",", ":", "\"id\"", "\"function\"", "\"f\"", "1", "-0.5e3", "\"args\"", "\"result\"",
    "\"con\"", "\"tuple\"", "\"map\"", "\"record\"", "\"fields\"", "\"str\"", "\"more\"", "\"fun\"", "\"object\"",
    "null", "true", "\"omitted\"", "\"parent\"", "\"span\"", "\"\\ud83d\"", "\"code\"", "\"before\"", "0", " ",
];

/// What is JSON and what not is not a matter of opinion.
#[test]
fn json_is_what_serde_json_says_it_is() {
    let mut dice = Dice::new(6);
    let mut good = 0;
    for _ in 0..50_000 {
        let mut text = String::from("{\"gadfly\":1,\"language\":\"c\",\"x\":");
        for _ in 0..1 + dice.below(7) {
            text += TOKENS[dice.below(32) as usize];
        }
        text += "}";
        let expected = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let problem = interchange::read(Cursor::new(text.clone()), None).unwrap_err().problem;
        // A good header without nodes is a file without a root.
        let found = problem != Problem::BadJson;
        assert_eq!(found, expected, "{text}: {problem:?}");
        good += u32::from(found);
    }
    assert!(good > 1000);
}

#[test]
fn tokens_in_any_order() {
    let mut dice = Dice::new(3);
    for _ in 0..30_000 {
        let mut text = "{\"gadfly\":1,\"language\":\"c\"}\n{\"id\":1,\"function\":\"f\",".to_owned();
        text += ["\"args\":", "\"result\":", "\"after\":", "\"span\":", ""][dice.below(5) as usize];
        for _ in 0..dice.below(30) {
            text += TOKENS[dice.below(32) as usize];
        }
        text += "}";
        survive(text.into_bytes());
    }
}

#[test]
fn noise() {
    let mut dice = Dice::new(4);
    for _ in 0..10_000 {
        let mut bytes: Vec<u8> = (0..dice.below(200)).map(|_| dice.roll() as u8).collect();
        match dice.below(4) {
            0 => drop(bytes.splice(0..0, *b"\x1F\x8B\x08\x00")),
            1 => drop(bytes.splice(0..0, ALL.as_bytes().iter().copied())),
            _ => {}
        }
        survive(bytes);
    }
}

#[test]
fn compressed_and_changed() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(ALL.as_bytes()).unwrap();
    let good = encoder.finish().unwrap();
    assert!(survive(good.clone()));
    let mut dice = Dice::new(5);
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] = dice.roll() as u8;
        survive(bytes);
        survive(good[..at].to_vec());
    }
}
