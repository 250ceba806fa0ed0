//! Forges trails whose names, paths and texts are hostile, for `measure/hostile`: `forge FOLDER COUNT < STRINGS`, where the
//! strings end with a zero byte.

use gadfly_trail::model::{
    Evaluation, File, Function, Module, NodeId, Origin, Piece, Position, RawRef, Role, Rule, RunEnd, Shape,
    Style, Tables, What,
};
use gadfly_trail::stream::Stream;
use gadfly_trail::write::Writer;
use std::io::Read as _;
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, count] = arguments.as_slice() else { panic!("forge FOLDER COUNT < STRINGS") };
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("text");
    let strings: Vec<&str> = text.split_terminator('\0').collect();
    for number in 0..count.parse::<usize>().expect("a number") {
        forge(&Path::new(folder).join(format!("{number:04}.trail")), number, &strings);
    }
}

/// A trail in which every text is the next of the strings.
fn forge(path: &Path, number: usize, strings: &[&str]) {
    let mut turn = number;
    let mut next = || {
        turn += 1;
        strings[turn % strings.len()].to_owned()
    };
    let language = match number % 4 {
        0 => "haskell".to_owned(),
        1 => "python".to_owned(),
        2 => "curry".to_owned(),
        _ => next(),
    };
    let text = format!("main = f 1 -- {}\nf x = x\n", next().replace('\n', " "));
    let whole = Piece { file: 0, start: 0, end: text.len() as u32 };
    let function = |name: String, parameters: Vec<(Option<u32>, Role)>| Function {
        name,
        module: 0,
        parent: None,
        piece: Some(whole),
        parameters,
        origin: Origin::TopLevel,
        rules: vec![Rule { piece: whole, alternatives: Vec::new() }],
        recorded: true,
        infix: None,
        constants: Vec::new(),
    };
    let lazy = number % 4 != 1;
    let tables = Tables {
        language,
        command: next(),
        evaluation: if lazy { Evaluation::Lazy } else { Evaluation::Strict },
        style: if lazy { Style::Juxtaposed } else { Style::Called },
        files: vec![File { path: next(), text }, File { path: next(), text: String::new() }],
        modules: vec![Module { name: next(), library: false, file: Some(0) }],
        functions: vec![function(next(), Vec::new()), function(next(), vec![(Some(0), Role::Ordinary)])],
        names: vec![next()],
        ..Tables::default()
    };
    let (writer, outcome) = Writer::create(path, &tables).expect("sound tables");
    let mut stream = Stream::new(Box::new(writer));
    let shape = |what, count| Shape { what, position: Position::NONE, count, tail: false };
    let main = stream.define(shape(What::Call(0), 0));
    let call = stream.define(shape(What::Call(1), 1));
    let became = stream.define(shape(What::Became, 1));
    let root = stream.node(main, NodeId::NONE, &[]);
    for argument in 1..4 {
        let inner = stream.node(call, root, &[RawRef::int(argument)]);
        stream.tell(became, inner, &[RawRef::int(argument)]);
    }
    stream.tell(became, root, &[RawRef::int(1)]);
    stream.end(&match number % 3 {
        0 => RunEnd::Exit(0),
        1 => RunEnd::Uncaught(next(), 1),
        _ => RunEnd::Limit(next()),
    });
    assert!(outcome.written().complete, "{:?}", outcome.written());
}
