//! Tables that grow while the program runs.

use crate::document::read;
use gadfly_trail::Trail;
use gadfly_trail::model::*;
use gadfly_trail::write::Memory;

fn function(name: &str) -> Function {
    Function {
        name: name.into(),
        module: 0,
        parent: None,
        piece: None,
        parameters: vec![(None, Role::Ordinary)],
        origin: Origin::TopLevel,
        rules: Vec::new(),
        recorded: true,
        infix: None,
        constants: Vec::new(),
    }
}

fn grown() -> Vec<u8> {
    let tables = Tables {
        language: "python".into(),
        command: "x.py".into(),
        modules: vec![Module { name: "x".into(), library: false, file: None }],
        ..Tables::default()
    };
    let (mut stream, memory) = Memory::stream(tables);
    let became = stream.define(Shape { what: What::Became, position: Position::NONE, count: 1, tail: false });
    let mut parent = NodeId::NONE;
    for number in 0..4u32 {
        stream.more(Tables {
            functions: vec![function(&format!("f{number}"))],
            names: vec![format!("n{number}")],
            ..Tables::default()
        });
        let shape = Shape { what: What::Call(number), position: Position::NONE, count: 1, tail: false };
        let shape = stream.define(shape);
        parent = stream.node(shape, parent, &[RawRef::int(i64::from(number))]);
        stream.tell(became, parent, &[RawRef::int(7)]);
        stream.flush();
        memory.seal();
    }
    stream.end(&RunEnd::Exit(0));
    memory.bytes()
}

#[test]
fn what_is_added_comes_behind() {
    let bytes = grown();
    let trail = Trail::from_bytes(bytes.clone()).unwrap();
    assert!(trail.problems().is_empty());
    let names: Vec<&str> = trail.tables().functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["f0", "f1", "f2", "f3"]);
    assert_eq!(trail.tables().names, ["n0", "n1", "n2", "n3"]);
    assert_eq!(trail.tables().language, "python");
    assert_eq!(trail.node_count(), 4);
    assert_eq!(trail.shape(NodeId(3)).what, What::Call(2));
    assert_eq!(read(&bytes).tables, *trail.tables());
}

#[test]
fn what_is_cut_off_has_the_tables_for_its_rows() {
    let bytes = grown();
    for length in 0..bytes.len() {
        let Ok(trail) = Trail::from_bytes(bytes[..length].to_vec()) else { continue };
        for node in (1..=trail.node_count()).map(NodeId) {
            let What::Call(function) = trail.shape(node).what else { panic!("another node") };
            assert_eq!(trail.tables().functions[function as usize].name, format!("f{function}"));
        }
    }
}
