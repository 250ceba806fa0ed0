//! Any bytes open as a trail, or there is an error; what opened can be read, and is sound.
//!
//! Checksums keep nearly every change out, so if the first byte says so they are made right again: then what is behind
//! them is tried.

#![no_main]

use gadfly_trail::check::check_trail;
use gadfly_trail::model::{NodeId, Ref};
use gadfly_trail::{Became, Rows, Trail};
use gadfly_views::{Options, Order, View, view};
use gadfly_tree::{Behaviours, Node};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let mut bytes = bytes.to_vec();
    if first % 4 > 0 {
        forge(&mut bytes);
    }
    let Ok(trail) = Trail::from_bytes(bytes) else { return };
    read(&trail);
    check_trail(&trail);
    look(Arc::new(trail));
});

/// Every view, and what its first nodes say.
fn look(trail: Arc<Trail>) {
    for shown in [View::Edt, View::Fdt, View::Auto] {
        for order in [Order::Outermost, Order::Innermost] {
            let options = Options { view: shown, order, start: None };
            let Ok(viewed) = view(trail.clone(), &options) else { continue };
            for node in (0..viewed.tree.len().min(40)).map(Node) {
                for whole in [false, true] {
                    let _ = viewed.behaviours.behaviour(&viewed.tree, node, whole);
                }
                viewed.behaviours.effort(&viewed.tree, node);
                viewed.behaviours.uses(&viewed.tree, node);
            }
        }
    }
}

fn read(trail: &Trail) {
    let count = trail.node_count();
    let sound = |seen: Ref| match seen {
        Ref::Node(node) => assert!(node.0 > 0 && node.0 <= count),
        Ref::Constructor(index) => assert!((index as usize) < trail.tables().constructors.len()),
        Ref::Function(index) => assert!((index as usize) < trail.tables().functions.len()),
        Ref::Text { string, from } => assert!(from as usize <= trail.tables().strings[string as usize].len()),
        _ => {}
    };
    let mut references = Vec::new();
    let mut rows = Rows::default();
    for block in 0..trail.block_count() {
        trail.read_block(block, &mut rows);
        for index in 0..rows.len() {
            let id = NodeId(rows.first().0 + index as u64);
            assert_eq!(Some(rows.shapes()[index]), trail.shape_id(id));
            assert_eq!(rows.parents()[index], trail.parent(id));
            assert!(trail.parent(id) < id && trail.shape(id).what.is_node());
            references.clear();
            trail.references(id, &mut references);
            assert_eq!(references.len(), trail.shape(id).count as usize);
            references.iter().for_each(|seen| sound(*seen));
            let became = trail.became(id);
            assert_eq!(trail.has_become(id), became != Became::Nothing);
            assert_eq!(rows.has_become(index), became != Became::Nothing);
            if let Became::Value(seen, _) | Became::Raised(seen, _) = became {
                sound(seen);
            }
        }
    }
    for told in trail.late_rows() {
        assert!(told.node.0 <= count);
        told.references.iter().for_each(|seen| sound(*seen));
    }
    for expression in &trail.tables().expressions {
        assert_eq!(trail.expression(expression.position), Some(expression));
    }
}

/// Makes all checksums right: of the file's header, of the blocks as they follow each other, of the footer.
fn forge(bytes: &mut [u8]) {
    if bytes.len() < 32 {
        return;
    }
    let mut at = 0;
    put(bytes, 0..24, 24);
    at += 32;
    while let Some(header) = bytes.get(at..at + 64) {
        let length = u64::from_le_bytes(header[8..16].try_into().expect("eight bytes"));
        let Some(end) = (at as u64 + 64).checked_add(length).filter(|end| *end <= bytes.len() as u64) else {
            break;
        };
        put(bytes, at + 64..end as usize, at + 48);
        put(bytes, at..at + 56, at + 56);
        at = end as usize;
    }
    if bytes.len() - at >= 32 {
        put(bytes, at..at + 24, at + 24);
    }
}

fn put(bytes: &mut [u8], of: std::ops::Range<usize>, at: usize) {
    let sum = xxh3_64(&bytes[of]).to_le_bytes();
    bytes[at..at + 8].copy_from_slice(&sum);
}
