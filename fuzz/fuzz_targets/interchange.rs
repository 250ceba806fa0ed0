//! Any bytes load, or there is an error; what loaded can be read.

#![no_main]

use gadfly_interchange as interchange;
use gadfly_tree::{Behaviours, Node};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    let Ok(recording) = interchange::read(Cursor::new(bytes.to_vec()), None) else { return };
    for node in (0..recording.tree.len()).map(Node) {
        for whole in [false, true] {
            let read = recording.behaviours.behaviour(&recording.tree, node, whole);
            read.expect("what passed the load is readable");
        }
        recording.behaviours.effort(&recording.tree, node);
    }
});
