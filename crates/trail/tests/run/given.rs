//! Runs to write and read: tables with everything in them, rows of any kind, and what a reader should say of them.

use gadfly_trail::check::check_trail;
use gadfly_trail::model::*;
use gadfly_trail::stream::Stream;
use gadfly_trail::write::Memory;
use gadfly_trail::{Became, LateRow, Rows, Trail};

/// Tables with something of every sort.
pub(crate) fn tables() -> Tables {
    let text = "main = print (f 'ä' [1, 2])\n\nf x ys | x > 'a' = ys\n       | otherwise = map (+ 1) ys\n";
    let piece = |from: &str, to: &str| {
        let start = text.find(from).unwrap();
        let end = start + text[start..].find(to).unwrap() + to.len();
        Piece { file: 0, start: start as u32, end: end as u32 }
    };
    let function = |name: &str, module, origin| Function {
        name: name.into(),
        module,
        parent: None,
        piece: None,
        parameters: Vec::new(),
        origin,
        rules: Vec::new(),
        recorded: false,
        infix: None,
        constants: Vec::new(),
    };
    let whole = piece("f x", "ys\n");
    let f = Function {
        piece: Some(whole),
        parameters: vec![(Some(0), Role::Ordinary), (None, Role::Dictionary), (Some(1), Role::Captured)],
        rules: vec![Rule { piece: whole, alternatives: vec![piece("| x", "= ys"), piece("| o", "1) ys")] }],
        recorded: true,
        constants: vec![0],
        ..function("f", 0, Origin::TopLevel)
    };
    let functions = vec![
        Function { recorded: true, ..function("main", 0, Origin::TopLevel) },
        f,
        Function { parent: Some(1), ..function("(+ 1)", 0, Origin::Section) },
        Function { parent: Some(2), ..function("\\x", 0, Origin::Lambda) },
        Function { infix: Some((6, 1)), ..function("+", 1, Origin::Method("Num".into(), "Int".into())) },
        function("negate", 1, Origin::Default("Num".into())),
        function("==", 1, Origin::Derived("Eq".into(), "[a]".into())),
        function("go", 1, Origin::Local),
        function("Just", 1, Origin::Constructor),
        function("left", 1, Origin::Other),
        function("module", 1, Origin::Module),
        function("", 1, Origin::Hidden),
    ];
    let constructor = |name: &str, arity| Constructor {
        name: name.into(),
        of: "Data.Test.T".into(),
        arity,
        dictionaries: 0,
        fields: Vec::new(),
        infix: None,
        form: Form::Plain,
    };
    let constructors = [
        Constructor { form: Form::Nil, ..constructor("[]", 0) },
        Constructor { infix: Some((5, 2)), form: Form::Cons, ..constructor(":", 2) },
        Constructor { fields: vec!["left".into(), "right".into()], dictionaries: 1, ..constructor("P", 3) },
        Constructor { form: Form::Hidden, of: String::new(), ..constructor("D", 0) },
    ];
    let forms = [
        Form::Tuple,
        Form::Ratio,
        Form::Array,
        Form::Tree(Branches { element: (1, 3), left: 300, right: 4 }),
        Form::EmptyTree,
        Form::Wrapper,
        Form::Carrier,
        Form::Message("divide by zero".into()),
        Form::MessageBefore("user error: ".into()),
        Form::SystemError,
        Form::Nothing,
        Form::Missing,
        Form::Omitted,
        Form::Text,
        Form::Bytes,
        Form::List,
        Form::Set,
        Form::Map,
        Form::Function,
        Form::Written,
        Form::Opaque,
        Form::Object,
        Form::Interruption,
    ];
    let forms = forms.map(|form| Constructor { form, ..constructor("F", 2) });
    let constructors = constructors.into_iter().chain(forms).collect();
    let arguments =
        vec![Operand::Variable(1), Operand::Function(2), Operand::Constructor(0), Operand::Literal];
    let kinds = [
        ExpressionKind::Variable(7),
        ExpressionKind::Constant,
        ExpressionKind::Call(1, arguments.clone()),
        ExpressionKind::Apply(Operand::Variable(300), arguments.clone()),
        ExpressionKind::Partial(2, arguments.clone()),
        ExpressionKind::Construct(1, arguments.clone()),
        ExpressionKind::Primitive("intAdd".into(), arguments),
        ExpressionKind::Let(vec![1, 2]),
        ExpressionKind::Case(
            3,
            vec![
                Alternative::Constructor(0, vec![4]),
                Alternative::Constructor(1, vec![5, 6]),
                Alternative::Literal("-12".into()),
                Alternative::Otherwise,
            ],
        ),
        ExpressionKind::Other,
    ];
    let expressions = kinds.into_iter().enumerate().map(|(index, kind)| Expression {
        position: Position(3 + 2 * index as u32),
        function: 1,
        within: (index > 0).then_some(Position(3)),
        place: vec![index as u32, 2],
        piece: (index != 3).then_some(whole),
        kind,
        rule: (1, index as u32 % 3),
        rank: index as u32,
    });
    Tables {
        language: "haskell".into(),
        command: "gadfly record ä.hs".into(),
        evaluation: Evaluation::Strict,
        style: Style::Called,
        files: vec![
            File { path: "ä.hs".into(), text: text.into() },
            File { path: "empty.hs".into(), text: String::new() },
        ],
        modules: vec![
            Module { name: "Main".into(), library: false, file: Some(0) },
            Module { name: "Prelude".into(), library: true, file: None },
        ],
        functions,
        constructors,
        expressions: expressions.collect(),
        strings: vec!["hëllo".chars().map(u32::from).collect(), vec![0xD800, 0x10_FFFF], Vec::new()],
        names: vec!["x".into(), "ys".into(), "IORef".into()],
        types: vec![
            Type::Any,
            Type::Variable(1),
            Type::Character,
            Type::Single,
            Type::Double,
            Type::List(2),
            Type::Tuple(vec![5, 3]),
            Type::Data("Main.T".into(), vec![4, 6]),
            Type::Function(1, 7),
            Type::Action(8),
        ],
        signatures: vec![
            Signature { function: 0, parameters: Vec::new(), result: 9 },
            Signature { function: 1, parameters: vec![1, 5], result: 8 },
        ],
        fields: vec![FieldTypes { constructor: 1, types: vec![1, 7] }],
    }
}

/// Shapes of every sort, nodes first; how many of them are nodes.
pub(crate) fn shapes() -> (Vec<Shape>, usize) {
    let nodes = [
        (What::Call(1), 2),
        (What::Call(0), 0),
        (What::Apply, 3),
        (What::Suspended, 0),
        (What::Construct(1), 2),
        (What::Partial(2), 1),
        (What::Constant(0), 0),
        (What::Integer, 3),
        (What::Double, 2),
        (What::Array, 5),
        (What::Action, 1),
        (What::Opaque(2), 0),
    ];
    let tellings = [
        (What::Became, 1),
        (What::Raised, 1),
        (What::Unfinished, 0),
        (What::Performed, 1),
        (What::Continued, 1),
        (What::Wrote, 2),
        (What::Omitted, 3),
        (What::Changed, 3),
    ];
    let mut shapes = Vec::new();
    for tail in [false, true] {
        let position = |index: usize| Position(3 + index as u32);
        shapes.extend(nodes.iter().enumerate().map(|(index, &(what, count))| Shape {
            what,
            position: position(index),
            count,
            tail,
        }));
    }
    let count = shapes.len();
    for position in [0, 5, 6] {
        let shape = |&(what, count)| Shape { what, position: Position(position), count, tail: false };
        shapes.extend(tellings.iter().map(shape));
    }
    (shapes, count)
}

/// A run as it should be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) nodes: Vec<(u32, u64, Vec<u64>)>,
    pub(crate) became: Vec<Became>,
    pub(crate) told: Vec<LateRow>,
    pub(crate) rows: usize,
}

/// A stream that also remembers.
pub(crate) struct Recorder {
    pub(crate) stream: Stream,
    pub(crate) run: Run,
}

impl Recorder {
    pub(crate) fn new(stream: Stream) -> Recorder {
        Recorder { stream, run: Run::default() }
    }

    pub(crate) fn define(&mut self, shape: Shape) -> u32 {
        self.run.shapes.push(shape);
        self.stream.define(shape).0
    }

    /// A row; the number of its node, or of the one it tells of.
    pub(crate) fn row(&mut self, shape: u32, node: u64, references: &[u64]) -> u64 {
        let words: Vec<RawRef> = references.iter().map(|word| RawRef(*word)).collect();
        let what = self.run.shapes[shape as usize];
        self.run.rows += 1;
        let seen: Vec<Ref> = words.iter().map(|word| word.see()).collect();
        if what.what.is_node() {
            let id = self.stream.node(ShapeId(shape), NodeId(node), &words);
            self.run.nodes.push((shape, node, references.to_vec()));
            self.run.became.push(Became::Nothing);
            assert_eq!(id.0, self.run.nodes.len() as u64);
            if what.tail {
                self.became(node, Became::Value(Ref::Node(id), what.position));
            }
            return id.0;
        }
        self.stream.tell(ShapeId(shape), NodeId(node), &words);
        match what.what {
            What::Became => self.became(node, Became::Value(seen[0], what.position)),
            What::Raised => self.became(node, Became::Raised(seen[0], what.position)),
            What::Unfinished => self.became(node, Became::Unfinished(what.position)),
            _ => self.run.told.push(LateRow { shape: what, node: NodeId(node), references: seen }),
        }
        node
    }

    /// Whether this row would tell a value of a node that has one already, one of them by a tail: no run does that.
    fn is_second(&self, shape: u32, node: u64) -> bool {
        let shape = self.run.shapes[shape as usize];
        let tail = shape.what.is_node() && shape.tail;
        let tails = self
            .run
            .nodes
            .iter()
            .any(|(shape, parent, _)| *parent == node && self.run.shapes[*shape as usize].tail);
        match self.run.became.get((node as usize).wrapping_sub(1)) {
            Some(Became::Value(..)) => tail || (shape.what == What::Became && tails),
            _ => false,
        }
    }

    /// Keeps the run as it is now, if there are rows that were not kept before.
    fn keep(&self, runs: &mut Vec<Run>) {
        if runs.last().is_none_or(|last| last.rows < self.run.rows) {
            runs.push(self.run.clone());
        }
    }

    fn became(&mut self, node: u64, became: Became) {
        let Some(old) = self.run.became.get_mut((node as usize).wrapping_sub(1)) else { return };
        if matches!(became, Became::Value(..)) || !matches!(old, Became::Value(..)) {
            *old = became;
        }
    }
}

/// One step of a run that chance makes.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A row: which shape, which node, which words.
    Row(u32, u32, Vec<u64>),
    /// The chunk goes out before it is full,
    Flush,
    /// and the block too.
    Seal,
}

/// Writes a run of some steps; references are to nodes that are there, or a few ahead. Gives the run as it was when so many
/// blocks were written, from none to all.
pub(crate) fn play(steps: &[Step], end: Option<&RunEnd>) -> (Vec<Run>, Memory) {
    let (stream, memory) = Memory::stream(tables());
    let mut recorder = Recorder::new(stream);
    let (shapes, nodes) = shapes();
    let made = steps.iter().filter(|step| match step {
        Step::Row(shape, ..) => (*shape as usize % shapes.len()) < nodes / 2,
        _ => false,
    });
    let made = made.count() as u64;
    let mut numbers = vec![None; shapes.len()];
    let mut runs = vec![Run::default()];
    for step in steps {
        match step {
            Step::Row(shape, node, words) => {
                let index = *shape as usize % shapes.len();
                let shape = *numbers[index].get_or_insert_with(|| recorder.define(shapes[index]));
                let last = recorder.run.nodes.len() as u64;
                let node = if node % 16 == 0 { 0 } else { last.saturating_sub(u64::from(node / 16) % 90) };
                let count = shapes[index].count as usize;
                let words: Vec<u64> =
                    (0..count).map(|at| sound(words.get(at).copied().unwrap_or(7), made)).collect();
                if !recorder.is_second(shape, node) {
                    recorder.row(shape, node, &words);
                }
            }
            Step::Flush => recorder.stream.flush(),
            Step::Seal => {
                recorder.stream.flush();
                memory.seal();
                recorder.keep(&mut runs);
            }
        }
    }
    match end {
        Some(end) => {
            recorder.stream.end(end);
            recorder.keep(&mut runs);
        }
        None => recorder.stream.flush(),
    }
    (runs, memory)
}

/// The word, if it can be in a run of so many nodes; else another.
fn sound(word: u64, nodes: u64) -> u64 {
    match RawRef(word).see() {
        Ref::Node(_) if nodes == 0 => 7,
        Ref::Node(node) => (node.0 % nodes + 1) << 3,
        Ref::Char(code) => RawRef::of(Ref::Char(code % 0x11_0000)).0,
        Ref::Constructor(index) => RawRef::of(Ref::Constructor(index % 4)).0,
        Ref::Function(index) => RawRef::of(Ref::Function(index % 10)).0,
        Ref::Text { string, from } => RawRef::of(Ref::Text { string: string % 2, from: from % 3 }).0,
        Ref::Double(_) | Ref::Int(_) => word,
        Ref::Unknown => 7,
    }
}

/// Compares a trail with the run; references to nodes that are missing are unknown. Everything about it is asked for in
/// every way there is.
pub(crate) fn compare(trail: &Trail, run: &Run) {
    let count = trail.node_count();
    assert_eq!(count, run.nodes.len() as u64);
    assert_eq!(trail.shapes()[..run.shapes.len()], run.shapes[..]);
    let there = |seen: Ref| match seen {
        Ref::Node(node) if node.0 > count || node.0 == 0 => Ref::Unknown,
        seen => seen,
    };
    let known = |word: &u64| there(RawRef(*word).see());
    let mut references = Vec::new();
    for (index, (shape, parent, words)) in run.nodes.iter().take(count as usize).enumerate() {
        let id = NodeId(index as u64 + 1);
        assert_eq!(trail.shape_id(id), Some(ShapeId(*shape)));
        assert_eq!(trail.shape(id), run.shapes[*shape as usize]);
        assert_eq!(trail.parent(id), NodeId(*parent));
        references.clear();
        trail.references(id, &mut references);
        let expected: Vec<Ref> = words.iter().map(known).collect();
        assert!(same(&references, &expected), "{id:?}: {references:?}, not {expected:?}");
        for (at, expected) in expected.iter().enumerate() {
            assert!(same(&[trail.reference(id, at)], &[*expected]));
        }
        assert_eq!(trail.reference(id, words.len()), Ref::Unknown);
        let became = trail.became(id);
        assert_eq!(trail.has_become(id), became != Became::Nothing);
        let expected = match run.became[index] {
            Became::Value(seen, position) => Became::Value(there(seen), position),
            Became::Raised(seen, position) => Became::Raised(there(seen), position),
            other => other,
        };
        assert!(same_outcome(&became, &expected), "{id:?}: {became:?}, not {expected:?}");
    }
    let mut seen = 0;
    trail.for_each_node(|id, shape, parent, words| {
        seen += 1;
        assert_eq!(id.0, seen);
        let (expected, of, references) = &run.nodes[seen as usize - 1];
        assert_eq!((shape.0, parent.0), (*expected, *of));
        let found: Vec<Ref> = words.iter().map(|word| trail.see(*word)).collect();
        let expected: Vec<Ref> = references.iter().map(known).collect();
        assert!(same(&found, &expected));
    });
    assert_eq!(seen, count);
    let mut rows = Rows::default();
    let mut seen = 0;
    for block in 0..=trail.block_count() {
        trail.read_block_without_references(block, &mut rows);
        for (index, (shape, parent)) in rows.shapes().iter().zip(rows.parents()).enumerate() {
            seen += 1;
            assert_eq!(rows.first().0 + index as u64, seen);
            assert_eq!((Some(*shape), *parent), (trail.shape_id(NodeId(seen)), trail.parent(NodeId(seen))));
            assert_eq!(rows.has_become(index), trail.has_become(NodeId(seen)));
            assert!(rows.references(index).is_empty());
            assert!(same_outcome(&rows.became(index, trail), &trail.became(NodeId(seen))));
        }
        trail.read_block(block, &mut rows);
        for index in 0..rows.len() {
            let id = NodeId(rows.first().0 + index as u64);
            assert_eq!(rows.has_become(index), trail.has_become(id));
            assert!(same_outcome(&rows.became(index, trail), &trail.became(id)));
        }
    }
    assert_eq!(seen, count);
    for none in [0, count + 1, u64::MAX] {
        assert_eq!((trail.shape_id(NodeId(none)), trail.became(NodeId(none))), (None, Became::Nothing));
        assert_eq!((trail.parent(NodeId(none)), trail.has_become(NodeId(none))), (NodeId::NONE, false));
    }
    let told: Vec<LateRow> = trail.late_rows().collect();
    assert_eq!(told.len(), run.told.len());
    for (found, expected) in told.iter().zip(&run.told) {
        let words: Vec<u64> = expected.references.iter().map(|seen| RawRef::of(*seen).0).collect();
        assert_eq!((found.shape, found.node), (expected.shape, expected.node));
        assert!(same(&found.references, &words.iter().map(known).collect::<Vec<_>>()));
    }
}

/// Equal, where a number that is none is equal to itself.
fn same(one: &[Ref], other: &[Ref]) -> bool {
    let words = |list: &[Ref]| list.iter().map(|seen| RawRef::of(*seen).0).collect::<Vec<_>>();
    words(one) == words(other)
}

fn same_outcome(one: &Became, other: &Became) -> bool {
    match (one, other) {
        (Became::Value(one, at), Became::Value(other, place))
        | (Became::Raised(one, at), Became::Raised(other, place)) => same(&[*one], &[*other]) && at == place,
        _ => one == other,
    }
}

/// Opens bytes that may be anything, and asks for everything: whatever comes, it must not be a panic, and everything that is
/// said must be sound. Whether they opened.
pub(crate) fn survive(bytes: Vec<u8>) -> bool {
    let trail = match Trail::from_bytes(bytes) {
        Ok(trail) => trail,
        Err(error) => {
            assert!(!error.message.is_empty() && !error.hint.is_empty());
            return false;
        }
    };
    let count = trail.node_count();
    let sound = |seen: &Ref| match *seen {
        Ref::Node(node) => (1..=count).contains(&node.0),
        Ref::Constructor(index) => (index as usize) < trail.tables().constructors.len(),
        Ref::Function(index) => (index as usize) < trail.tables().functions.len(),
        Ref::Text { string, from } => from as usize <= trail.tables().strings[string as usize].len(),
        _ => true,
    };
    let mut references = Vec::new();
    for id in (1..=count).map(NodeId) {
        let shape = trail.shape(id);
        assert!(shape.what.is_node() && trail.parent(id) < id);
        references.clear();
        trail.references(id, &mut references);
        assert!(references.len() == shape.count as usize && references.iter().all(sound));
        let became = trail.became(id);
        assert_eq!(trail.has_become(id), became != Became::Nothing);
        if let Became::Value(seen, _) | Became::Raised(seen, _) = became {
            assert!(sound(&seen));
        }
    }
    let mut rows = Rows::default();
    for block in 0..trail.block_count() {
        trail.read_block(block, &mut rows);
        for index in 0..rows.len() {
            let id = NodeId(rows.first().0 + index as u64);
            assert_eq!(
                (Some(rows.shapes()[index]), rows.parents()[index]),
                (trail.shape_id(id), trail.parent(id))
            );
            let seen: Vec<Ref> = rows.references(index).iter().map(|word| trail.see(*word)).collect();
            references.clear();
            trail.references(id, &mut references);
            assert!(same(&seen, &references));
            assert!(same_outcome(&rows.became(index, &trail), &trail.became(id)));
        }
    }
    for told in trail.late_rows() {
        assert!(told.node.0 <= count && told.references.iter().all(sound));
    }
    check_trail(&trail);
    true
}
