//! The program's tables as bytes, and whether they make sense.
//!
//! The indices in the [`Tables`] of a trail can be followed without a check: [`verify`] has checked them.

use super::coding::{Input, Output};
use super::model::{
    Alternative, Branches, Constructor, Evaluation, Expression, ExpressionKind, FieldTypes, File, Form,
    Function, Module, Operand, Origin, Piece, Position, Role, Rule, RunEnd, Shape, Signature, Style, Tables,
    Type, What,
};
use super::version_1;

/// The tables as bytes.
pub(super) fn encode(tables: &Tables) -> Vec<u8> {
    let mut out = Output::default();
    out.text(&tables.language);
    out.text(&tables.command);
    out.bytes.push(match tables.evaluation {
        Evaluation::Lazy => 0,
        Evaluation::Strict => 1,
    });
    out.bytes.push(match tables.style {
        Style::Juxtaposed => 0,
        Style::Called => 1,
    });
    out.list(&tables.files, |out, file| {
        out.text(&file.path);
        out.text(&file.text);
    });
    out.list(&tables.modules, |out, module| {
        out.text(&module.name);
        out.truth(module.library);
        out.maybe(module.file);
    });
    out.list(&tables.functions, write_function);
    out.list(&tables.constructors, |out, constructor| {
        out.text(&constructor.name);
        out.text(&constructor.of);
        out.index(constructor.arity);
        out.index(constructor.dictionaries);
        out.list(&constructor.fields, |out, field| out.text(field));
        write_infix(out, constructor.infix);
        write_form(out, &constructor.form);
    });
    out.list(&tables.expressions, write_expression);
    out.list(&tables.strings, |out, string| out.list(string, |out, code| out.index(*code)));
    out.list(&tables.names, |out, name| out.text(name));
    out.list(&tables.types, write_type);
    out.list(&tables.signatures, |out, signature| {
        out.index(signature.function);
        out.list(&signature.parameters, |out, of| out.index(*of));
        out.index(signature.result);
    });
    out.list(&tables.fields, |out, fields| {
        out.index(fields.constructor);
        out.list(&fields.types, |out, of| out.index(*of));
    });
    out.bytes
}

/// Appends what more tables list.
pub(super) fn append(tables: &mut Tables, more: Tables) {
    tables.files.extend(more.files);
    tables.modules.extend(more.modules);
    tables.functions.extend(more.functions);
    tables.constructors.extend(more.constructors);
    tables.expressions.extend(more.expressions);
    tables.strings.extend(more.strings);
    tables.names.extend(more.names);
    tables.types.extend(more.types);
    tables.signatures.extend(more.signatures);
    tables.fields.extend(more.fields);
}

/// The tables that bytes say; none if they are not tables. What the first version does not say depends on the language, which the
/// first tables of a file name: other tables of it are given that.
pub(super) fn decode(bytes: &[u8], version: u32, language: Option<&str>) -> Option<Tables> {
    let input = &mut Input::new(bytes);
    let (is_old, has_types) = (version == 1, version > 2);
    let mut tables = Tables {
        language: input.text()?,
        command: input.text()?,
        evaluation: if is_old { Evaluation::default() } else { read_evaluation(input)? },
        style: if is_old { Style::default() } else { read_style(input)? },
        files: input.list(|input| Some(File { path: input.text()?, text: input.text()? }))?,
        modules: input.list(|input| {
            Some(Module { name: input.text()?, library: input.truth()?, file: input.maybe()? })
        })?,
        functions: input.list(read_function)?,
        constructors: input.list(|input| {
            Some(Constructor {
                name: input.text()?,
                of: input.text()?,
                arity: input.index()?,
                dictionaries: input.index()?,
                fields: input.list(Input::text)?,
                infix: read_infix(input)?,
                form: if is_old { version_1::read_form(input)? } else { read_form(input)? },
            })
        })?,
        expressions: input.list(read_expression)?,
        strings: input.list(|input| input.list(Input::index))?,
        names: input.list(Input::text)?,
        types: if has_types { input.list(read_type)? } else { Vec::new() },
        signatures: match has_types {
            true => input.list(|input| {
                let (function, parameters) = (input.index()?, input.list(Input::index)?);
                Some(Signature { function, parameters, result: input.index()? })
            })?,
            false => Vec::new(),
        },
        fields: match has_types {
            true => input.list(|input| {
                Some(FieldTypes { constructor: input.index()?, types: input.list(Input::index)? })
            })?,
            false => Vec::new(),
        },
    };
    if is_old {
        version_1::complete(&mut tables, language);
    }
    input.at_end().then_some(tables)
}

fn write_type(out: &mut Output, of: &Type) {
    match of {
        Type::Any => out.bytes.push(0),
        Type::Variable(number) => {
            out.bytes.push(1);
            out.index(*number);
        }
        Type::Character => out.bytes.push(2),
        Type::Single => out.bytes.push(3),
        Type::Double => out.bytes.push(4),
        Type::List(element) => {
            out.bytes.push(5);
            out.index(*element);
        }
        Type::Tuple(parts) => {
            out.bytes.push(6);
            out.list(parts, |out, part| out.index(*part));
        }
        Type::Data(of, arguments) => {
            out.bytes.push(7);
            out.text(of);
            out.list(arguments, |out, argument| out.index(*argument));
        }
        Type::Function(parameter, result) => {
            out.bytes.push(8);
            out.index(*parameter);
            out.index(*result);
        }
        Type::Action(result) => {
            out.bytes.push(9);
            out.index(*result);
        }
    }
}

fn read_type(input: &mut Input<'_>) -> Option<Type> {
    Some(match input.byte()? {
        0 => Type::Any,
        1 => Type::Variable(input.index()?),
        2 => Type::Character,
        3 => Type::Single,
        4 => Type::Double,
        5 => Type::List(input.index()?),
        6 => Type::Tuple(input.list(Input::index)?),
        7 => Type::Data(input.text()?, input.list(Input::index)?),
        8 => Type::Function(input.index()?, input.index()?),
        9 => Type::Action(input.index()?),
        _ => return None,
    })
}

/// Whether types and what has them refer to what is there, types only to those before them.
fn types_are_sound(tables: &Tables) -> bool {
    let all = tables.types.len();
    let sound = |(row, of): (usize, &Type)| {
        let before = |part: &u32| (*part as usize) < row;
        match of {
            Type::Any | Type::Variable(_) | Type::Character | Type::Single | Type::Double => true,
            Type::List(part) | Type::Action(part) => before(part),
            Type::Tuple(parts) | Type::Data(_, parts) => parts.iter().all(before),
            Type::Function(parameter, result) => before(parameter) && before(result),
        }
    };
    let known = |of: &u32| (*of as usize) < all;
    let signatures = tables.signatures.iter().all(|signature| {
        (signature.function as usize) < tables.functions.len()
            && signature.parameters.iter().chain([&signature.result]).all(known)
    });
    let fields = tables.fields.iter().all(|fields| {
        (fields.constructor as usize) < tables.constructors.len() && fields.types.iter().all(known)
    });
    tables.types.iter().enumerate().all(sound)
        && signatures
        && fields
        && tables.signatures.is_sorted_by(|one, other| one.function < other.function)
        && tables.fields.is_sorted_by(|one, other| one.constructor < other.constructor)
}

fn read_evaluation(input: &mut Input<'_>) -> Option<Evaluation> {
    match input.byte()? {
        0 => Some(Evaluation::Lazy),
        1 => Some(Evaluation::Strict),
        _ => None,
    }
}

fn read_style(input: &mut Input<'_>) -> Option<Style> {
    match input.byte()? {
        0 => Some(Style::Juxtaposed),
        1 => Some(Style::Called),
        _ => None,
    }
}

fn write_function(out: &mut Output, function: &Function) {
    out.text(&function.name);
    out.index(function.module);
    out.maybe(function.parent);
    write_maybe_piece(out, function.piece);
    out.list(&function.parameters, |out, (name, role)| {
        out.maybe(*name);
        out.bytes.push(match role {
            Role::Dictionary => 0,
            Role::Captured => 1,
            Role::Ordinary => 2,
        });
    });
    let (kind, texts): (u8, [Option<&String>; 2]) = match &function.origin {
        Origin::TopLevel => (0, [None, None]),
        Origin::Local => (1, [None, None]),
        Origin::Lambda => (2, [None, None]),
        Origin::Section => (3, [None, None]),
        Origin::Method(class, of) => (4, [Some(class), Some(of)]),
        Origin::Default(class) => (5, [Some(class), None]),
        Origin::Derived(class, of) => (6, [Some(class), Some(of)]),
        Origin::Other => (7, [None, None]),
        Origin::Hidden => (8, [None, None]),
        Origin::Loop => (9, [None, None]),
        Origin::Round => (10, [None, None]),
        Origin::Statement => (11, [None, None]),
        Origin::Header => (12, [None, None]),
        Origin::Constructor => (13, [None, None]),
        Origin::Module => (14, [None, None]),
    };
    out.bytes.push(kind);
    texts.into_iter().flatten().for_each(|text| out.text(text));
    out.list(&function.rules, |out, rule| {
        write_piece(out, rule.piece);
        out.list(&rule.alternatives, |out, piece| write_piece(out, *piece));
    });
    out.truth(function.recorded);
    write_infix(out, function.infix);
    out.list(&function.constants, |out, constant| out.index(*constant));
}

fn read_function(input: &mut Input<'_>) -> Option<Function> {
    Some(Function {
        name: input.text()?,
        module: input.index()?,
        parent: input.maybe()?,
        piece: read_maybe_piece(input)?,
        parameters: input.list(|input| {
            let name = input.maybe()?;
            let role = match input.byte()? {
                0 => Role::Dictionary,
                1 => Role::Captured,
                2 => Role::Ordinary,
                _ => return None,
            };
            Some((name, role))
        })?,
        origin: match input.byte()? {
            0 => Origin::TopLevel,
            1 => Origin::Local,
            2 => Origin::Lambda,
            3 => Origin::Section,
            4 => Origin::Method(input.text()?, input.text()?),
            5 => Origin::Default(input.text()?),
            6 => Origin::Derived(input.text()?, input.text()?),
            7 => Origin::Other,
            8 => Origin::Hidden,
            9 => Origin::Loop,
            10 => Origin::Round,
            11 => Origin::Statement,
            12 => Origin::Header,
            13 => Origin::Constructor,
            14 => Origin::Module,
            _ => return None,
        },
        rules: input
            .list(|input| Some(Rule { piece: read_piece(input)?, alternatives: input.list(read_piece)? }))?,
        recorded: input.truth()?,
        infix: read_infix(input)?,
        constants: input.list(Input::index)?,
    })
}

fn write_form(out: &mut Output, form: &Form) {
    out.bytes.push(match form {
        Form::Plain => 0,
        Form::Hidden => 1,
        Form::Cons => 2,
        Form::Nil => 3,
        Form::Tuple => 4,
        Form::Ratio => 5,
        Form::Array => 6,
        Form::Tree(_) => 7,
        Form::EmptyTree => 8,
        Form::Wrapper => 9,
        Form::Carrier => 10,
        Form::Message(_) => 11,
        Form::MessageBefore(_) => 12,
        Form::SystemError => 13,
        Form::Nothing => 14,
        Form::Missing => 15,
        Form::Omitted => 16,
        Form::Text => 17,
        Form::Bytes => 18,
        Form::List => 19,
        Form::Set => 20,
        Form::Map => 21,
        Form::Function => 22,
        Form::Written => 23,
        Form::Opaque => 24,
        Form::Object => 25,
        Form::Interruption => 26,
    });
    match form {
        Form::Tree(Branches { element, left, right }) => {
            [element.0, element.1, *left, *right].into_iter().for_each(|field| out.index(field));
        }
        Form::Message(text) | Form::MessageBefore(text) => out.text(text),
        _ => {}
    }
}

fn read_form(input: &mut Input<'_>) -> Option<Form> {
    Some(match input.byte()? {
        0 => Form::Plain,
        1 => Form::Hidden,
        2 => Form::Cons,
        3 => Form::Nil,
        4 => Form::Tuple,
        5 => Form::Ratio,
        6 => Form::Array,
        7 => {
            let element = (input.index()?, input.index()?);
            Form::Tree(Branches { element, left: input.index()?, right: input.index()? })
        }
        8 => Form::EmptyTree,
        9 => Form::Wrapper,
        10 => Form::Carrier,
        11 => Form::Message(input.text()?),
        12 => Form::MessageBefore(input.text()?),
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
        _ => return None,
    })
}

fn write_infix(out: &mut Output, infix: Option<(u8, u8)>) {
    out.truth(infix.is_some());
    if let Some((precedence, side)) = infix {
        out.bytes.extend([precedence, side]);
    }
}

fn read_infix(input: &mut Input<'_>) -> Option<Option<(u8, u8)>> {
    Some(if input.truth()? { Some((input.byte()?, input.byte()?)) } else { None })
}

fn write_piece(out: &mut Output, piece: Piece) {
    out.index(piece.file);
    out.index(piece.start);
    out.index(piece.end);
}

fn read_piece(input: &mut Input<'_>) -> Option<Piece> {
    Some(Piece { file: input.index()?, start: input.index()?, end: input.index()? })
}

fn write_maybe_piece(out: &mut Output, piece: Option<Piece>) {
    out.truth(piece.is_some());
    if let Some(piece) = piece {
        write_piece(out, piece);
    }
}

fn read_maybe_piece(input: &mut Input<'_>) -> Option<Option<Piece>> {
    Some(if input.truth()? { Some(read_piece(input)?) } else { None })
}

fn write_expression(out: &mut Output, expression: &Expression) {
    out.index(expression.position.0);
    out.index(expression.function);
    out.maybe(expression.within.map(|within| within.0));
    out.list(&expression.place, |out, number| out.index(*number));
    write_maybe_piece(out, expression.piece);
    out.index(expression.rule.0);
    out.index(expression.rule.1);
    out.index(expression.rank);
    let operands = |out: &mut Output, list: &[Operand]| out.list(list, write_operand);
    match &expression.kind {
        ExpressionKind::Variable(variable) => {
            out.bytes.push(0);
            out.index(*variable);
        }
        ExpressionKind::Constant => out.bytes.push(1),
        ExpressionKind::Call(function, list) => {
            out.bytes.push(2);
            out.index(*function);
            operands(out, list);
        }
        ExpressionKind::Apply(function, list) => {
            out.bytes.push(3);
            write_operand(out, function);
            operands(out, list);
        }
        ExpressionKind::Partial(function, list) => {
            out.bytes.push(4);
            out.index(*function);
            operands(out, list);
        }
        ExpressionKind::Construct(constructor, list) => {
            out.bytes.push(5);
            out.index(*constructor);
            operands(out, list);
        }
        ExpressionKind::Primitive(name, list) => {
            out.bytes.push(6);
            out.text(name);
            operands(out, list);
        }
        ExpressionKind::Let(variables) => {
            out.bytes.push(7);
            out.list(variables, |out, variable| out.index(*variable));
        }
        ExpressionKind::Case(name, alternatives) => {
            out.bytes.push(8);
            out.index(*name);
            out.list(alternatives, write_alternative);
        }
        ExpressionKind::Other => out.bytes.push(9),
    }
}

fn read_expression(input: &mut Input<'_>) -> Option<Expression> {
    let position = Position(input.index()?);
    let function = input.index()?;
    let within = input.maybe()?.map(Position);
    let place = input.list(Input::index)?;
    let piece = read_maybe_piece(input)?;
    let rule = (input.index()?, input.index()?);
    let rank = input.index()?;
    let operands = |input: &mut Input<'_>| input.list(read_operand);
    let kind = match input.byte()? {
        0 => ExpressionKind::Variable(input.index()?),
        1 => ExpressionKind::Constant,
        2 => ExpressionKind::Call(input.index()?, operands(input)?),
        3 => ExpressionKind::Apply(read_operand(input)?, operands(input)?),
        4 => ExpressionKind::Partial(input.index()?, operands(input)?),
        5 => ExpressionKind::Construct(input.index()?, operands(input)?),
        6 => ExpressionKind::Primitive(input.text()?, operands(input)?),
        7 => ExpressionKind::Let(input.list(Input::index)?),
        8 => ExpressionKind::Case(input.index()?, input.list(read_alternative)?),
        9 => ExpressionKind::Other,
        _ => return None,
    };
    Some(Expression { position, function, within, place, piece, kind, rule, rank })
}

fn write_alternative(out: &mut Output, alternative: &Alternative) {
    match alternative {
        Alternative::Constructor(constructor, variables) => {
            out.bytes.push(0);
            out.index(*constructor);
            out.list(variables, |out, variable| out.index(*variable));
        }
        Alternative::Literal(text) => {
            out.bytes.push(1);
            out.text(text);
        }
        Alternative::Otherwise => out.bytes.push(2),
    }
}

fn read_alternative(input: &mut Input<'_>) -> Option<Alternative> {
    Some(match input.byte()? {
        0 => Alternative::Constructor(input.index()?, input.list(Input::index)?),
        1 => Alternative::Literal(input.text()?),
        2 => Alternative::Otherwise,
        _ => return None,
    })
}

fn write_operand(out: &mut Output, operand: &Operand) {
    let (kind, number) = match operand {
        Operand::Variable(variable) => (0, Some(*variable)),
        Operand::Function(function) => (1, Some(*function)),
        Operand::Constructor(constructor) => (2, Some(*constructor)),
        Operand::Literal => (3, None),
    };
    out.bytes.push(kind);
    if let Some(number) = number {
        out.index(number);
    }
}

fn read_operand(input: &mut Input<'_>) -> Option<Operand> {
    Some(match input.byte()? {
        0 => Operand::Variable(input.index()?),
        1 => Operand::Function(input.index()?),
        2 => Operand::Constructor(input.index()?),
        3 => Operand::Literal,
        _ => return None,
    })
}

/// The limit that ends a recording and not the run. Older readers take it for another limit of the run.
const TRAIL: &str = "trail";

/// How the run ended, as bytes.
pub(super) fn encode_end(end: &RunEnd, out: &mut Output) {
    match end {
        RunEnd::Exit(status) => {
            out.bytes.push(0);
            out.bytes.extend(status.to_le_bytes());
        }
        RunEnd::Uncaught(said, status) => {
            out.bytes.push(1);
            out.bytes.extend(status.to_le_bytes());
            out.text(said);
        }
        RunEnd::Interrupted => out.bytes.push(2),
        RunEnd::Limit(which) => {
            out.bytes.push(3);
            out.text(which);
        }
        RunEnd::Unrecorded => {
            out.bytes.push(3);
            out.text(TRAIL);
        }
    }
}

/// How the run ended.
pub(super) fn decode_end(input: &mut Input<'_>) -> Option<RunEnd> {
    let status = |input: &mut Input<'_>| {
        Some(i32::from_le_bytes([input.byte()?, input.byte()?, input.byte()?, input.byte()?]))
    };
    Some(match input.byte()? {
        0 => RunEnd::Exit(status(input)?),
        1 => {
            let status = status(input)?;
            RunEnd::Uncaught(input.text()?, status)
        }
        2 => RunEnd::Interrupted,
        3 => match input.text()? {
            which if which == TRAIL => RunEnd::Unrecorded,
            which => RunEnd::Limit(which),
        },
        _ => return None,
    })
}

/// Whether all indices are inside, pieces lie in their files between characters, expressions are ordered by position,
/// and nothing is inside itself; or else which of these is violated.
pub(super) fn verify(tables: &Tables) -> Result<(), &'static str> {
    let inside = |index: u32, length: usize| (index as usize) < length;
    let piece = |piece: &Piece| {
        let text = tables.files.get(piece.file as usize).map_or("", |file| &file.text);
        let (start, end) = (piece.start as usize, piece.end as usize);
        inside(piece.file, tables.files.len()) && text.get(start..end).is_some()
    };
    let functions = tables.functions.len();
    let constructors = tables.constructors.len();
    let operand = |operand: &Operand| match *operand {
        Operand::Function(function) => inside(function, functions),
        Operand::Constructor(constructor) => inside(constructor, constructors),
        Operand::Variable(_) | Operand::Literal => true,
    };
    for module in &tables.modules {
        if module.file.is_some_and(|file| !inside(file, tables.files.len())) {
            return Err("a module's file is missing");
        }
    }
    for function in &tables.functions {
        let sound = inside(function.module, tables.modules.len())
            && function.parent.is_none_or(|parent| inside(parent, functions))
            && function
                .parameters
                .iter()
                .all(|(name, _)| name.is_none_or(|name| inside(name, tables.names.len())))
            && function.constants.iter().all(|constant| inside(*constant, functions));
        if !sound {
            return Err("a function refers to something that is not there");
        }
        let mut rules = function.rules.iter().flat_map(|rule| rule.alternatives.iter().chain([&rule.piece]));
        if !function.piece.iter().all(piece) || !rules.all(piece) {
            return Err("a function stands outside its file");
        }
    }
    for constructor in &tables.constructors {
        if constructor.dictionaries > constructor.arity {
            return Err("a constructor has more dictionaries than fields");
        }
    }
    if !types_are_sound(tables) {
        return Err("a type refers to something that is not there");
    }
    if !tables.expressions.is_sorted_by(|one, other| one.position < other.position) {
        return Err("the expressions are not ordered by position");
    }
    for expression in &tables.expressions {
        if !inside(expression.function, functions) || expression.position == Position::NONE {
            return Err("an expression is of no function");
        }
        if !expression.piece.iter().all(piece) {
            return Err("an expression stands outside its file");
        }
        let sound = match &expression.kind {
            ExpressionKind::Call(function, list) | ExpressionKind::Partial(function, list) => {
                inside(*function, functions) && list.iter().all(operand)
            }
            ExpressionKind::Construct(constructor, list) => {
                inside(*constructor, constructors) && list.iter().all(operand)
            }
            ExpressionKind::Apply(function, list) => operand(function) && list.iter().all(operand),
            ExpressionKind::Primitive(_, list) => list.iter().all(operand),
            ExpressionKind::Case(_, alternatives) => {
                alternatives.iter().all(|alternative| match alternative {
                    Alternative::Constructor(constructor, _) => {
                        (*constructor as usize) < tables.constructors.len()
                    }
                    Alternative::Literal(_) | Alternative::Otherwise => true,
                })
            }
            _ => true,
        };
        if !sound {
            return Err("an expression refers to something that is not there");
        }
    }
    let parent = |index: usize| tables.functions[index].parent.map(|parent| parent as usize);
    let within = |index: usize| {
        let within = tables.expressions[index].within?;
        tables.expressions.binary_search_by_key(&within, |expression| expression.position).ok()
    };
    if has_cycle(functions, parent) || has_cycle(tables.expressions.len(), within) {
        return Err("something is inside itself");
    }
    Ok(())
}

/// Whether following `next` from some index comes back to it. An index is walked from once.
fn has_cycle(count: usize, next: impl Fn(usize) -> Option<usize>) -> bool {
    let mut walk = vec![usize::MAX; count];
    for start in 0..count {
        let mut at = Some(start);
        while let Some(index) = at {
            if walk[index] == start {
                return true;
            }
            if walk[index] != usize::MAX {
                break;
            }
            walk[index] = start;
            at = next(index);
        }
    }
    false
}

/// Bytes of a shape.
pub(super) const SHAPE: usize = 16;

/// A shape as bytes: what it is, whether it is a tail, two zeros, its index, position and count.
pub(super) fn encode_shape(shape: &Shape) -> [u8; SHAPE] {
    let (what, index) = match shape.what {
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
    let mut bytes = [0; SHAPE];
    bytes[0] = what;
    bytes[1] = u8::from(shape.tail);
    bytes[4..8].copy_from_slice(&index.to_le_bytes());
    bytes[8..12].copy_from_slice(&shape.position.0.to_le_bytes());
    bytes[12..16].copy_from_slice(&shape.count.to_le_bytes());
    bytes
}

/// A shape; none if the bytes are none, or it is of something that is not in the tables.
pub(super) fn decode_shape(bytes: &[u8; SHAPE], tables: &Tables) -> Option<Shape> {
    let number = |at: usize| super::layout::u32_at(bytes, at);
    let index = number(4);
    let what = match bytes[0] {
        0 => What::Call(index),
        1 => What::Apply,
        2 => What::Suspended,
        3 => What::Construct(index),
        4 => What::Partial(index),
        5 => What::Constant(index),
        6 => What::Integer,
        7 => What::Double,
        8 => What::Array,
        9 => What::Action,
        10 => What::Opaque(index),
        16 => What::Became,
        17 => What::Raised,
        18 => What::Unfinished,
        19 => What::Performed,
        20 => What::Continued,
        21 => What::Wrote,
        22 => What::Omitted,
        23 => What::Changed,
        _ => return None,
    };
    let length = match what {
        What::Call(_) | What::Partial(_) | What::Constant(_) => tables.functions.len(),
        What::Construct(_) => tables.constructors.len(),
        What::Opaque(_) => tables.names.len(),
        _ => 1,
    };
    let sound = (index as usize) < length && bytes[1] <= 1 && bytes[2..4] == [0; 2];
    let shape = Shape { what, position: Position(number(8)), count: number(12), tail: bytes[1] == 1 };
    sound.then_some(shape)
}
