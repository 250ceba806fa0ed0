//! A reader made from `docs/trail-format.md` and nothing else. It is slow and believes the file; what it reads is
//! compared with what was recorded.

use crate::given::{Run, Step, play, tables};
use gadfly_interchange::grow::Dice;
use gadfly_trail::model::*;
use xxhash_rust::xxh3::xxh3_64;

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// A number of so many bytes.
fn short(bytes: &[u8], at: usize, length: usize) -> u64 {
    (0..length).map(|index| u64::from(bytes[at + index]) << (8 * index)).sum()
}

/// What a file says.
#[derive(Default)]
pub(crate) struct Document {
    pub(crate) tables: Tables,
    shapes: Vec<[u32; 5]>,
    /// Shape, parent, words.
    nodes: Vec<(u32, u64, Vec<u64>)>,
    /// What is told of a node: shape (none of a tail), node, words. First of all what stands beside nodes of the block.
    told: Vec<(Option<u32>, u64, Vec<u64>)>,
    end: Option<RunEnd>,
}

pub(crate) fn read(bytes: &[u8]) -> Document {
    let mut document = Document::default();
    // File header.
    assert_eq!(bytes[..8], [0x89, 0x47, 0x41, 0x44, 0x46, 0x4C, 0x59, 0x0A]);
    assert_eq!((u32_at(bytes, 8), &bytes[12..24]), (2, &[0; 12][..]));
    assert_eq!(u64_at(bytes, 24), xxh3_64(&bytes[..24]));
    let mut at = 32;
    let mut headers: Vec<u8> = Vec::new();
    for serial in 0.. {
        // Block header.
        let header = &bytes[at..at + 64];
        let length = u64_at(header, 8) as usize;
        let payload = &bytes[at + 64..at + 64 + length];
        assert_eq!((&header[..4], &header[5..8], length % 8), (&b"GBLK"[..], &[0; 3][..], 0));
        assert_eq!(u64_at(header, 40), serial);
        assert_eq!(u64_at(header, 48), xxh3_64(payload));
        assert_eq!(u64_at(header, 56), xxh3_64(&header[..56]));
        match header[4] {
            1 if serial == 0 => document.tables = Sequence { bytes: payload }.tables(),
            1 => document.more_tables(Sequence { bytes: payload }.tables()),
            2 => document.read_shapes(header, payload),
            3 => document.read_rows(header, payload),
            4 => document.read_end(payload),
            5 => {
                assert_eq!((u32_at(header, 24) as u64, payload), (serial, &headers[..]));
                let footer = &bytes[at + 64 + length..];
                assert_eq!((footer.len(), &footer[..8]), (32, &b"GADFLYIX"[..]));
                assert_eq!((u64_at(footer, 8), u64_at(footer, 16)), (at as u64, 0));
                assert_eq!(u64_at(footer, 24), xxh3_64(&footer[..24]));
                return document;
            }
            kind => panic!("a block of kind {kind}"),
        }
        headers.extend(header);
        at += 64 + length;
    }
    document
}

impl Document {
    fn more_tables(&mut self, more: Tables) {
        assert_eq!((more.language.as_str(), more.command.as_str()), ("", ""));
        assert_eq!((more.evaluation, more.style), (Evaluation::Lazy, Style::Juxtaposed));
        self.tables.files.extend(more.files);
        self.tables.modules.extend(more.modules);
        self.tables.functions.extend(more.functions);
        self.tables.constructors.extend(more.constructors);
        self.tables.expressions.extend(more.expressions);
        self.tables.strings.extend(more.strings);
        self.tables.names.extend(more.names);
        self.tables.types.extend(more.types);
        self.tables.signatures.extend(more.signatures);
        self.tables.fields.extend(more.fields);
    }

    fn read_shapes(&mut self, header: &[u8], payload: &[u8]) {
        assert_eq!(u64_at(header, 16), self.shapes.len() as u64);
        assert_eq!(payload.len(), 16 * u32_at(header, 24) as usize);
        for shape in payload.chunks(16) {
            assert_eq!(shape[2..4], [0; 2]);
            let (what, tail) = (u32::from(shape[0]), u32::from(shape[1]));
            self.shapes.push([what, tail, u32_at(shape, 4), u32_at(shape, 8), u32_at(shape, 12)]);
        }
    }

    fn read_end(&mut self, payload: &[u8]) {
        assert_eq!(
            (u64_at(payload, 0), u64_at(payload, 16)),
            (self.nodes.len() as u64, self.shapes.len() as u64)
        );
        let mut rest = Sequence { bytes: &payload[25..] };
        let mut status = || {
            let status = u32_at(rest.bytes, 0) as i32;
            rest.bytes = &rest.bytes[4..];
            status
        };
        self.end = Some(match payload[24] {
            0 => RunEnd::Exit(status()),
            1 => {
                let status = status();
                RunEnd::Uncaught(rest.text(), status)
            }
            2 => RunEnd::Interrupted,
            3 => RunEnd::Limit(rest.text()),
            kind => panic!("an end of kind {kind}"),
        });
        assert!(rest.bytes.len() < 8 && rest.bytes.iter().all(|byte| *byte == 0));
    }

    fn read_rows(&mut self, header: &[u8], payload: &[u8]) {
        let first = u64_at(header, 16);
        let [n, t, m, u] = [24, 28, 32, 36].map(|at| u32_at(header, at) as usize);
        assert_eq!(first, self.nodes.len() as u64 + 1);
        let [d, e, parents, references, o, outcomes, tails, told_of, told] =
            [0, 4, 8, 12, 16, 20, 24, 28, 32].map(|at| u32_at(payload, at) as usize);
        let mut rest = &payload[40..];
        let mut part = |length: usize| {
            let (part, others) = rest.split_at(length);
            rest = others;
            part
        };
        let dictionary = part(8 * d);
        let telling_dictionary = part(4 * e);
        let codes = part(if d > 256 { 2 * n } else { n });
        let parents = nodes([part(n.div_ceil(4)), part(4 * n.div_ceil(64)), part(parents)], payload[36]);
        let starts = part(4 * n.div_ceil(64));
        let references = [part(m.div_ceil(2)), part(4 * m.div_ceil(64)), part(references)];
        let outcome_starts = part(4 * n.div_ceil(64));
        let outcomes = [part(o.div_ceil(2)), part(4 * o.div_ceil(64)), part(outcomes)];
        let tails: Vec<usize> = part(2 * tails).chunks(2).map(|row| short(row, 0, 2) as usize).collect();
        let telling_codes = part(if e > 256 { 2 * t } else { t });
        let told_of = nodes([part(t.div_ceil(4)), part(4 * t.div_ceil(64)), part(told_of)], payload[37]);
        let telling_starts = part(4 * t.div_ceil(64));
        let told = [part(u.div_ceil(2)), part(4 * u.div_ceil(64)), part(told)];
        assert!(rest.len() >= 8 && rest.iter().all(|byte| *byte == 0));

        let code = |codes: &[u8], index: usize, entries: usize| match entries > 256 {
            true => short(codes, 2 * index, 2) as usize,
            false => usize::from(codes[index]),
        };
        let count = |shapes: &[[u32; 5]], shape: u32| shapes[shape as usize][4] as usize;
        let (mut next, mut next_outcome) = (0, 0);
        let mut beside = Vec::new();
        for index in 0..n {
            let id = first + index as u64;
            let entry = &dictionary[8 * code(codes, index, d)..];
            let (shape, became) = (u32_at(entry, 0), u32_at(entry, 4));
            let own = count(&self.shapes, shape);
            let more = match became {
                u32::MAX => 0,
                0xFFFF_FFFE => 1,
                told => count(&self.shapes, told),
            };
            if index % 64 == 0 {
                assert_eq!(u32_at(starts, 4 * (index / 64)) as usize, next);
                assert_eq!(u32_at(outcome_starts, 4 * (index / 64)) as usize, next_outcome);
            }
            let words: Vec<u64> = (next..next + own).map(|at| reference(references, at, id)).collect();
            next += own;
            let outcome = (next_outcome..next_outcome + more).map(|at| reference(outcomes, at, id)).collect();
            next_outcome += more;
            match became {
                u32::MAX => {}
                0xFFFF_FFFE => beside.push((None, id, outcome)),
                told => beside.push((Some(told), id, outcome)),
            }
            let (from, distance) = parents[index];
            let parent = if distance == 0 { 0 } else { first + from as u64 - distance };
            if tails.contains(&index) {
                assert_eq!(self.shapes[shape as usize][1], 1);
                self.told.push((None, parent, vec![id << 3]));
            }
            self.nodes.push((shape, parent, words));
        }
        assert_eq!((next, next_outcome), (m, o));
        // What is beside a node is told before anything else that is told of it.
        self.told.splice(0..0, beside);
        let base = first + n as u64;
        let mut next = 0;
        for (index, (_, distance)) in told_of.into_iter().take(t).enumerate() {
            let shape = u32_at(telling_dictionary, 4 * code(telling_codes, index, e));
            if index % 64 == 0 {
                assert_eq!(u32_at(telling_starts, 4 * (index / 64)) as usize, next);
            }
            let own = count(&self.shapes, shape);
            let words = (next..next + own).map(|at| reference(told, at, base)).collect();
            next += own;
            self.told.push((Some(shape), if distance == 0 { 0 } else { base - distance }, words));
        }
        assert_eq!(next, u);
    }
}

/// A column of nodes: of each row the row that has its distance, and the distance.
fn nodes([controls, directory, data]: [&[u8]; 3], long: u8) -> Vec<(usize, u64)> {
    let mut at = 0;
    let mut rows: Vec<(usize, u64)> = Vec::new();
    for index in 0..4 * controls.len() {
        if index % 64 == 0 {
            assert_eq!(u32_at(directory, index / 64 * 4) as usize, at);
        }
        let control = controls[index / 4] >> (2 * (index % 4)) & 3;
        let length = [0, 1, 2, usize::from(long)][usize::from(control)];
        rows.push(match control {
            // Behind the last row as well.
            0 => rows[index - 1],
            _ => (index, short(data, at, length)),
        });
        at += length;
    }
    assert_eq!(at, data.len());
    rows
}

/// A reference of a column, as a word.
fn reference([controls, directory, data]: [&[u8]; 3], index: usize, base: u64) -> u64 {
    const LENGTHS: [usize; 16] = [0, 1, 2, 3, 4, 1, 2, 4, 1, 2, 3, 4, 1, 2, 6, 8];
    let control = |index: usize| usize::from(controls[index / 2] >> (4 * (index % 2)) & 15);
    let group = index / 64;
    let before: usize = (group * 64..index).map(|index| LENGTHS[control(index)]).sum();
    let control = control(index);
    let length = LENGTHS[control];
    let value = short(data, u32_at(directory, 4 * group) as usize + before, length);
    match control {
        0 => 7,
        1..=4 => (base - value) << 3,
        5..=7 => (base + value) << 3,
        8..=11 => {
            let unused = 64 - 8 * length;
            (((value << unused) as i64 >> unused) << 3) as u64 | 1
        }
        12 => value << 3 | 2,
        _ => value,
    }
}

/// The sequences of the tables.
struct Sequence<'a> {
    bytes: &'a [u8],
}

impl Sequence<'_> {
    fn byte(&mut self) -> u8 {
        let (byte, rest) = self.bytes.split_first().unwrap();
        self.bytes = rest;
        *byte
    }

    fn number(&mut self) -> u64 {
        let byte = self.byte();
        if byte < 0x80 { u64::from(byte) } else { u64::from(byte & 0x7F) | self.number() << 7 }
    }

    fn index(&mut self) -> u32 {
        self.number().try_into().unwrap()
    }

    fn text(&mut self) -> String {
        let length = self.number() as usize;
        let (text, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        String::from_utf8(text.to_vec()).unwrap()
    }

    fn list<T>(&mut self, mut thing: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.number()).map(|_| thing(self)).collect()
    }

    fn maybe(&mut self) -> Option<u32> {
        self.number().checked_sub(1).map(|index| index as u32)
    }

    fn truth(&mut self) -> bool {
        [false, true][usize::from(self.byte())]
    }

    fn tables(&mut self) -> Tables {
        let tables = Tables {
            language: self.text(),
            command: self.text(),
            evaluation: [Evaluation::Lazy, Evaluation::Strict][usize::from(self.byte())],
            style: [Style::Juxtaposed, Style::Called][usize::from(self.byte())],
            files: self.list(|it| File { path: it.text(), text: it.text() }),
            modules: self.list(|it| Module { name: it.text(), library: it.truth(), file: it.maybe() }),
            functions: self.list(Self::function),
            constructors: self.list(|it| Constructor {
                name: it.text(),
                of: it.text(),
                arity: it.index(),
                dictionaries: it.index(),
                fields: it.list(Self::text),
                infix: it.infix(),
                form: it.form(),
            }),
            expressions: self.list(Self::expression),
            strings: self.list(|it| it.list(Self::index)),
            names: self.list(Self::text),
            types: self.list(Self::ty),
            signatures: self.list(|it| Signature {
                function: it.index(),
                parameters: it.list(Self::index),
                result: it.index(),
            }),
            fields: self.list(|it| FieldTypes { constructor: it.index(), types: it.list(Self::index) }),
        };
        assert!(self.bytes.len() < 8 && self.bytes.iter().all(|byte| *byte == 0));
        tables
    }

    fn ty(&mut self) -> Type {
        match self.byte() {
            0 => Type::Any,
            1 => Type::Variable(self.index()),
            2 => Type::Character,
            3 => Type::Single,
            4 => Type::Double,
            5 => Type::List(self.index()),
            6 => Type::Tuple(self.list(Self::index)),
            7 => Type::Data(self.text(), self.list(Self::index)),
            8 => Type::Function(self.index(), self.index()),
            9 => Type::Action(self.index()),
            other => panic!("{other}"),
        }
    }

    fn form(&mut self) -> Form {
        match self.byte() {
            0 => Form::Plain,
            1 => Form::Hidden,
            2 => Form::Cons,
            3 => Form::Nil,
            4 => Form::Tuple,
            5 => Form::Ratio,
            6 => Form::Array,
            7 => Form::Tree(Branches {
                element: (self.index(), self.index()),
                left: self.index(),
                right: self.index(),
            }),
            8 => Form::EmptyTree,
            9 => Form::Wrapper,
            10 => Form::Carrier,
            11 => Form::Message(self.text()),
            12 => Form::MessageBefore(self.text()),
            13 => Form::SystemError,
            14 => Form::Nothing,
            15 => Form::Missing,
            16 => Form::Omitted,
            17 => Form::Text,
            18 => Form::Bytes,
            19 => Form::List,
            20 => Form::Set,
            21 => Form::Map,
            22 => Form::Function,
            23 => Form::Written,
            24 => Form::Opaque,
            25 => Form::Object,
            26 => Form::Interruption,
            other => panic!("form {other}"),
        }
    }

    fn infix(&mut self) -> Option<(u8, u8)> {
        self.truth().then(|| (self.byte(), self.byte()))
    }

    fn piece(&mut self) -> Piece {
        Piece { file: self.index(), start: self.index(), end: self.index() }
    }

    fn function(&mut self) -> Function {
        Function {
            name: self.text(),
            module: self.index(),
            parent: self.maybe(),
            piece: self.truth().then(|| self.piece()),
            parameters: self.list(|it| {
                let roles = [Role::Dictionary, Role::Captured, Role::Ordinary];
                (it.maybe(), roles[usize::from(it.byte())])
            }),
            origin: match self.byte() {
                0 => Origin::TopLevel,
                1 => Origin::Local,
                2 => Origin::Lambda,
                3 => Origin::Section,
                4 => Origin::Method(self.text(), self.text()),
                5 => Origin::Default(self.text()),
                6 => Origin::Derived(self.text(), self.text()),
                7 => Origin::Other,
                8 => Origin::Hidden,
                13 => Origin::Constructor,
                14 => Origin::Module,
                other => panic!("origin {other}"),
            },
            rules: self.list(|it| Rule { piece: it.piece(), alternatives: it.list(Self::piece) }),
            recorded: self.truth(),
            infix: self.infix(),
            constants: self.list(Self::index),
        }
    }

    fn expression(&mut self) -> Expression {
        let position = Position(self.index());
        let function = self.index();
        let within = self.maybe().map(Position);
        let place = self.list(Self::index);
        let piece = self.truth().then(|| self.piece());
        let rule = (self.index(), self.index());
        let rank = self.index();
        let kind = match self.byte() {
            0 => ExpressionKind::Variable(self.index()),
            1 => ExpressionKind::Constant,
            2 => ExpressionKind::Call(self.index(), self.list(Self::operand)),
            3 => ExpressionKind::Apply(self.operand(), self.list(Self::operand)),
            4 => ExpressionKind::Partial(self.index(), self.list(Self::operand)),
            5 => ExpressionKind::Construct(self.index(), self.list(Self::operand)),
            6 => ExpressionKind::Primitive(self.text(), self.list(Self::operand)),
            7 => ExpressionKind::Let(self.list(Self::index)),
            8 => ExpressionKind::Case(self.index(), self.list(Self::alternative)),
            9 => ExpressionKind::Other,
            other => panic!("expression {other}"),
        };
        Expression { position, function, within, place, piece, kind, rule, rank }
    }

    fn alternative(&mut self) -> Alternative {
        match self.byte() {
            0 => Alternative::Constructor(self.index(), self.list(Self::index)),
            1 => Alternative::Literal(self.text()),
            2 => Alternative::Otherwise,
            other => panic!("alternative {other}"),
        }
    }

    fn operand(&mut self) -> Operand {
        match self.byte() {
            0 => Operand::Variable(self.index()),
            1 => Operand::Function(self.index()),
            2 => Operand::Constructor(self.index()),
            3 => Operand::Literal,
            other => panic!("operand {other}"),
        }
    }
}

/// A shape as the document numbers it.
fn numbers(shape: &Shape) -> [u32; 5] {
    let (what, of) = match shape.what {
        What::Call(function) => (0, function),
        What::Apply => (1, 0),
        What::Suspended => (2, 0),
        What::Construct(constructor) => (3, constructor),
        What::Partial(function) => (4, function),
        What::Constant(function) => (5, function),
        What::Integer => (6, 0),
        What::Double => (7, 0),
        What::Array => (8, 0),
        What::Action => (9, 0),
        What::Opaque(name) => (10, name),
        What::Became => (16, 0),
        What::Raised => (17, 0),
        What::Unfinished => (18, 0),
        What::Performed => (19, 0),
        What::Continued => (20, 0),
        What::Wrote => (21, 0),
        What::Omitted => (22, 0),
        What::Changed => (23, 0),
    };
    [what, u32::from(shape.tail), of, shape.position.0, shape.count]
}

fn compare(document: &Document, run: &Run, end: &RunEnd) {
    assert_eq!(document.tables, tables());
    assert_eq!(document.shapes, run.shapes.iter().map(numbers).collect::<Vec<_>>());
    assert_eq!(document.nodes, run.nodes);
    assert_eq!(document.end.as_ref(), Some(end));
    // What became of the nodes: the last value, or if there is none, the last of the others.
    let mut became: Vec<(u32, u64)> = vec![(0, 7); run.nodes.len()];
    let mut others = run.told.iter();
    for (shape, node, words) in &document.told {
        let what = shape.map_or(16, |shape| document.shapes[shape as usize][0]);
        if what > 18 {
            let other = others.next().unwrap();
            assert_eq!((numbers(&other.shape)[0], other.node.0), (what, *node));
            assert_eq!(other.references.iter().map(|seen| RawRef::of(*seen).0).collect::<Vec<_>>(), *words);
        } else if *node > 0 {
            let old = &mut became[*node as usize - 1];
            if what == 16 || old.0 != 16 {
                *old = (what, words.first().copied().unwrap_or(7));
            }
        }
    }
    assert!(others.next().is_none());
    for (found, expected) in became.iter().zip(&run.became) {
        use gadfly_trail::Became;
        let expected = match expected {
            Became::Nothing => (0, 7),
            Became::Value(seen, _) => (16, RawRef::of(*seen).0),
            Became::Raised(seen, _) => (17, RawRef::of(*seen).0),
            Became::Unfinished(_) => (18, 7),
        };
        assert_eq!(*found, expected);
    }
}

#[test]
fn a_file_is_as_documented() {
    let mut dice = Dice::new(21);
    for end in
        [RunEnd::Exit(-1), RunEnd::Uncaught("ä".into(), 1), RunEnd::Interrupted, RunEnd::Limit("heap".into())]
    {
        let mut steps = Vec::new();
        for _ in 0..3000 {
            let words = (0..5).map(|_| dice.roll() >> dice.below(64)).collect();
            steps.push(match dice.below(400) {
                0 => Step::Seal,
                _ => Step::Row(dice.roll() as u32, dice.roll() as u32, words),
            });
        }
        let (runs, memory) = play(&steps, Some(&end));
        compare(&read(&memory.bytes()), runs.last().unwrap(), &end);
    }
}
