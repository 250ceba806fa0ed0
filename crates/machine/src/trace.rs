//! Writes a trail while the program runs.
//!
//! # For whom code runs
//!
//! The first slot of every frame is its *context*, a small integer: the redex for which the code runs, and a position. Code
//! of a recorded function runs for its own redex. Trusted code runs for the recorded redex that called it, at the position
//! of that call; so when it calls recorded code back, the new redex hangs under the right parent, and the trusted
//! redexes in between need not be written down (S2 §6). A thunk keeps the context of the code that made it.
//!
//! # What is a node
//!
//! Every object has a *tag*: the reference by which rows name it, or 0 if none did yet. Recorded code writes a row for
//! each object when it makes it. Objects that trusted code makes have no tag; the first row that mentions one
//! *adopts* it: its evaluated parts are written down, and each unevaluated part gets a node, whose outcome a
//! later row reports. So the internal objects of the library cost nothing.
//!
//! # What became of a redex
//!
//! A redex ends in a constructor or a call, whose row says "tail"; or in a value or variable, with a row of its own; or in
//! trusted code, and then a frame waits for its result ([`Frame::Reduct`]). Two such frames are never on top
//! of each other: the lower redex became the upper one. So tail calls take no room, as in a plain run.
//!
//! Recording never evaluates anything.

use crate::compile::statics::{Static, StaticId};
use crate::compile::trace::{Class, NO_SHAPE, position};
use crate::compile::{InstanceId, RAISE, UNPACK};
use crate::heap::{Kind, WAITS};
use crate::machine::Machine;
use crate::recorder::Recorder;
use crate::stack::{Control, Frame};
use crate::word::{Seen, Word};
use gadfly_core::kernel::{FunId, Role};
use gadfly_trail::model::{NodeId, Position, RawRef, Ref, Shape, ShapeId, What};
use gadfly_trail::text;
use std::collections::VecDeque;

/// As an operand: a reference that is not recorded. No character has this code.
pub(crate) const UNKNOWN: Word = Word::char(0x20_0000);

/// As an operand: a dictionary that is known at compile time. No character has such a code either.
pub(crate) fn dictionary(id: StaticId) -> Word {
    Word::char(FIRST_DICTIONARY + id.index())
}

/// The code of the first of them.
const FIRST_DICTIONARY: u32 = 0x20_0001;

/// The dictionary that a word stands for.
fn dictionary_of(word: Word) -> Option<StaticId> {
    match word.see() {
        Seen::Char(code) => code.checked_sub(FIRST_DICTIONARY).map(StaticId::from_index),
        _ => None,
    }
}

/// On an object of raw words: it is a floating-point number.
pub(crate) const ODD_DOUBLE: u64 = 15;

const POSITION_BITS: u32 = 24;

/// A redex and a position, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Context(pub(crate) u64);

impl Context {
    /// On behalf of no redex.
    pub(crate) const NOBODY: Context = Context(1);

    #[inline]
    pub(crate) fn of(node: NodeId) -> Context {
        Context(node.0 << (POSITION_BITS + 3) | 1)
    }

    /// The same redex, at a position.
    #[inline]
    pub(crate) fn at(self, position: u32) -> Context {
        let mask = ((1u64 << POSITION_BITS) - 1) << 3;
        Context(self.0 & !mask | u64::from(position) << 3 & mask)
    }

    #[inline]
    pub(crate) fn node(self) -> NodeId {
        NodeId(self.0 >> (POSITION_BITS + 3))
    }

    #[inline]
    pub(crate) fn position(self) -> Position {
        Position((self.0 >> 3) as u32 & ((1 << POSITION_BITS) - 1))
    }

    #[inline]
    pub(crate) fn word(self) -> Word {
        Word::from_raw(self.0)
    }
}

/// Tags of the machine's own making.
#[inline]
pub(crate) fn tag<const TAG: usize>(raw: u64) -> [u64; TAG] {
    [raw; TAG]
}

impl<R: Recorder<TAG>, const TAG: usize> Machine<'_, R, TAG> {
    /// The reference of a value.
    #[inline]
    pub(crate) fn reference(&mut self, word: Word, parent: NodeId) -> RawRef {
        match word.raw() & 7 {
            // Integers and floating-point numbers have the same words in trails.
            1 | 5 => RawRef(word.raw()),
            0 | 6 | 7 => {
                let tag = self.heap.first_tag(word.place() as u32);
                match tag & 7 != 7 && tag != 0 {
                    true => RawRef(tag & !WAITS),
                    false => self.adopt(word, parent),
                }
            }
            _ => match dictionary_of(word) {
                Some(id) => self.dictionary_reference(id),
                None => self.other_reference(word),
            },
        }
    }

    /// The reference of a known dictionary: its instance, or a call of it with the dictionaries that it needs. The call is
    /// written down once. Known dictionaries nest only a little.
    fn dictionary_reference(&mut self, id: StaticId) -> RawRef {
        let row = id.index() as usize;
        if self.dictionaries.len() <= row {
            self.dictionaries.resize(row + 1, RawRef::UNKNOWN);
        }
        if self.dictionaries[row] == RawRef::UNKNOWN {
            let Static { function, arguments } = self.compiler.statics.get(id).clone();
            let function = function.index() as u32;
            let needs: Vec<RawRef> = arguments.iter().map(|&need| self.dictionary_reference(need)).collect();
            self.dictionaries[row] = match needs.is_empty() {
                true => RawRef::of(Ref::Function(function)),
                false => {
                    let shape = self.shape(What::Call(function), Position::NONE, needs.len(), false);
                    RawRef::node(self.node_as(shape, NodeId::NONE, &needs))
                }
            };
        }
        self.dictionaries[row]
    }

    fn other_reference(&self, word: Word) -> RawRef {
        match word.see() {
            Seen::Char(code) if code > 0x10_ffff => {
                // What is written down already, while other rows are being made.
                let known = dictionary_of(word).and_then(|id| self.dictionaries.get(id.index() as usize));
                known.copied().unwrap_or(RawRef::UNKNOWN)
            }
            Seen::Char(code) => RawRef::of(Ref::Char(code)),
            Seen::Constant(constructor, _) => RawRef::of(Ref::Constructor(constructor)),
            Seen::Function(instance) => {
                let function = self.compiler.instances[instance as usize].function;
                RawRef::of(Ref::Function(function.index() as u32))
            }
            _ => RawRef::UNKNOWN,
        }
    }

    /// Writes down an object that trusted code made, as far as it is evaluated. Rows are written in the order
    /// in which their nodes were numbered: first the object, then the objects it points to, and so on.
    #[cold]
    fn adopt(&mut self, word: Word, parent: NodeId) -> RawRef {
        let mut next = self.recorder.next();
        let mut queue = std::mem::take(&mut self.adopting);
        let first = self.named(word, &mut next, &mut queue);
        let mut references = std::mem::take(&mut self.adopted);
        while let Some(object) = queue.pop_front() {
            references.clear();
            let (what, raised) = self.describe(object, &mut references, &mut next, &mut queue);
            let (position, maker) = self.maker(object);
            let shape = self.shape(what, position, references.len(), false);
            let node = self.recorder.node(shape, maker.unwrap_or(parent), &references);
            if let Some(exception) = raised {
                // Its own row comes after those whose numbers are assigned already.
                self.raised_adopted.push((node, exception));
            }
        }
        self.adopted = references;
        self.adopting = queue;
        if self.raised_adopted.is_empty() {
            return first;
        }
        for (node, exception) in std::mem::take(&mut self.raised_adopted) {
            let reference = self.reference(exception, parent);
            self.tell(What::Raised, Position::NONE, node, &[reference]);
        }
        first
    }

    /// The reference of an object that is about to be written down.
    fn named(&mut self, word: Word, next: &mut u64, queue: &mut VecDeque<u32>) -> RawRef {
        let word = self.heap.follow(word);
        let Some(object) = word.index() else {
            return match word.raw() & 7 {
                1 | 5 => RawRef(word.raw()),
                _ => self.other_reference(word),
            };
        };
        let tag = self.heap.first_tag(object);
        if tag & 7 != 7 && tag != 0 {
            return RawRef(tag & !WAITS);
        }
        let kind = self.heap.kind(object);
        let info = self.heap.info(object);
        if kind == Kind::Constructor && self.is_hidden_constructor(info) {
            return RawRef::UNKNOWN;
        }
        if kind == Kind::Thunk && info == UNPACK {
            let part = |field| self.heap.get(object, field).as_int().unwrap_or(0) as u32;
            let reference = RawRef::of(Ref::Text { string: self.string_number(part(0)), from: part(1) });
            self.heap.set_first_tag(object, reference.0);
            return reference;
        }
        let waits = match kind {
            Kind::Thunk | Kind::Selector | Kind::BlackHole | Kind::Entered => WAITS,
            _ => 0,
        };
        let reference = RawRef::node(NodeId(*next));
        *next += 1;
        if tag == ODD_DOUBLE {
            self.odd_doubles.push(object);
        }
        self.heap.set_first_tag(object, reference.0 | waits);
        queue.push_back(object);
        reference
    }

    /// What an object is, with its references; and the exception that it raises, if it does.
    fn describe(
        &mut self,
        object: u32,
        references: &mut Vec<RawRef>,
        next: &mut u64,
        queue: &mut VecDeque<u32>,
    ) -> (What, Option<Word>) {
        let info = self.heap.info(object);
        let length = self.heap.length(object);
        match self.heap.kind(object) {
            Kind::Constructor => {
                for field in 0..length {
                    let reference = self.named(self.heap.get(object, field), next, queue);
                    references.push(reference);
                }
                (What::Construct(info), None)
            }
            Kind::Partial => {
                let function = self.compiler.instances[info as usize].function;
                let skip = usize::from(self.compiler.class(InstanceId(info)) == Class::Inside);
                let passed: Vec<Word> = (skip..length).map(|field| self.heap.get(object, field)).collect();
                for word in self.all_parameters(InstanceId(info), &passed) {
                    let reference = match word {
                        Some(word) => self.named(word, next, queue),
                        None => RawRef::UNKNOWN,
                    };
                    references.push(reference);
                }
                (What::Partial(function.index() as u32), None)
            }
            Kind::Raw => {
                let words: Vec<u64> = (0..length).map(|field| self.heap.raw(object, field)).collect();
                let is_double = self.odd_doubles.iter().position(|&one| one == object);
                if let Some(row) = is_double {
                    self.odd_doubles.swap_remove(row);
                    let bits = words.first().copied().unwrap_or(0);
                    references.push(RawRef::int((bits & 0xffff_ffff) as i64));
                    references.push(RawRef::int((bits >> 32) as i64));
                    return (What::Double, None);
                }
                integer(&words, references);
                (What::Integer, None)
            }
            Kind::Mutable => {
                // An array that the library has frozen is not written to any more; a reference holds one word.
                if length == 1 {
                    return (What::Opaque(0), None);
                }
                for field in 0..length {
                    let reference = self.named(self.heap.get(object, field), next, queue);
                    references.push(reference);
                }
                (What::Array, None)
            }
            Kind::Action => (What::Action, None),
            Kind::Thunk if info == RAISE => (What::Suspended, Some(self.heap.get(object, 0))),
            _ => (What::Suspended, None),
        }
    }

    /// Where an object was made, and for whom, if it says so itself: a thunk does.
    fn maker(&self, object: u32) -> (Position, Option<NodeId>) {
        if !matches!(self.heap.kind(object), Kind::Thunk | Kind::BlackHole | Kind::Entered) {
            return (Position::NONE, None);
        }
        let info = self.heap.info(object);
        match self.compiler.code.thunks[info as usize].expr {
            Some(expr) => (position(expr), Some(Context(self.heap.get(object, 0).raw()).node())),
            None => (Position::NONE, None),
        }
    }

    /// What is passed to an instance in the order of all its parameters; `None` for dictionaries that are not known at
    /// compile time.
    pub(crate) fn all_parameters(&self, instance: InstanceId, passed: &[Word]) -> Vec<Option<Word>> {
        let info = &self.compiler.instances[instance.index()];
        let function = self.compiler.program.function(info.function);
        let mut all = Vec::new();
        let mut passed = passed.iter();
        for (row, parameter) in function.parameters.iter().enumerate() {
            if !info.parameters.contains(&parameter.variable) {
                all.push(info.statics.get(row).copied().flatten().map(dictionary));
                continue;
            }
            match passed.next() {
                Some(_) if parameter.role == Role::Dictionary => all.push(None),
                Some(&word) => all.push(Some(word)),
                None => break,
            }
        }
        all
    }

    fn is_hidden_constructor(&self, constructor: u32) -> bool {
        use gadfly_core::kernel::ConId;
        let program = self.compiler.program;
        let of = program.constructor(ConId::from_index(constructor as usize)).of;
        program.data_type(of).hidden
    }

    /// The number of a string literal in the program's tables.
    pub(crate) fn string_number(&self, string: u32) -> u32 {
        self.compiler.code.strings.get(string as usize).map_or(0, |literal| literal.index() as u32)
    }

    /// The number of a shape, also one that the compiler did not foresee.
    pub(crate) fn shape(&mut self, what: What, position: Position, count: usize, tail: bool) -> ShapeId {
        let Some(trace) = &mut self.compiler.trace else { return ShapeId(0) };
        let id = trace.shape(Shape { what, position, count: count as u32, tail });
        self.define_shapes();
        ShapeId(id)
    }

    /// Defines new shapes in the recorder.
    pub(crate) fn define_shapes(&mut self) {
        let Some(trace) = &self.compiler.trace else { return };
        while self.shapes_told < trace.shapes.len() {
            self.recorder.define(trace.shapes[self.shapes_told]);
            self.shapes_told += 1;
        }
    }

    /// A row that is not a node.
    pub(crate) fn tell(&mut self, what: What, position: Position, node: NodeId, references: &[RawRef]) {
        let shape = self.shape(what, position, references.len(), false);
        self.tell_as(shape, node, references);
    }

    #[inline]
    pub(crate) fn tell_as(&mut self, shape: ShapeId, node: NodeId, references: &[RawRef]) {
        self.recorder.tell(shape, node, references);
    }

    /// A row that is a node.
    #[inline]
    pub(crate) fn node_as(&mut self, shape: ShapeId, parent: NodeId, references: &[RawRef]) -> NodeId {
        self.recorder.node(shape, parent, references)
    }

    /// A thunk becomes a value.
    #[inline]
    pub(crate) fn tell_update(&mut self, thunk: u32, value: Word) {
        let tag = self.heap.first_tag(thunk);
        if tag & WAITS != 0 {
            self.told_update(tag, value);
        }
    }

    fn told_update(&mut self, tag: u64, value: Word) {
        let node = NodeId((tag & !WAITS) >> 3);
        let reference = self.reference(value, node);
        let shape = ShapeId(self.update_shape);
        self.tell_as(shape, node, &[reference]);
    }

    /// Reports the selectors that the collector replaced.
    pub(crate) fn tell_selected(&mut self) {
        for (tag, field) in self.heap.take_selected() {
            if tag & WAITS != 0 {
                self.told_update(tag, field);
            }
        }
    }

    /// The node of a constant whose thunk is entered; its context.
    pub(crate) fn constant_node(&mut self, constant: usize, shape: u32, thunk: u32) -> Context {
        let user = self.constant_users.get(constant).copied().unwrap_or(Context::NOBODY);
        if shape == NO_SHAPE {
            return user;
        }
        let node = self.node_as(ShapeId(shape), user.node(), &[]);
        // A row says what it became, for nodes that mentioned it before; from now on it is this node.
        let before = self.heap.first_tag(thunk);
        if before & WAITS != 0 {
            let old = NodeId((before & !WAITS) >> 3);
            let shape = ShapeId(self.update_shape);
            self.tell_as(shape, old, &[RawRef::node(node)]);
        }
        self.heap.set_first_tag(thunk, RawRef::node(node).0);
        Context::of(node)
    }

    /// Remembers who uses a constant first.
    pub(crate) fn use_constant(&mut self, constant: usize, user: Context) {
        if self.constant_users.len() <= constant {
            self.constant_users.resize(constant + 1, Context::NOBODY);
        }
        if self.constant_users[constant] == Context::NOBODY {
            self.constant_users[constant] = user;
        }
    }

    /// A row for a call of a recorded function that trusted code makes, with all its parameters.
    pub(crate) fn call_from_trusted(
        &mut self,
        function: FunId,
        context: Context,
        references: &[RawRef],
    ) -> Context {
        let what = What::Call(function.index() as u32);
        let shape = self.shape(what, context.position(), references.len(), false);
        Context::of(self.node_as(shape, context.node(), references))
    }

    /// Whether the code at a place is the body of a recorded function, and where in it the place is.
    fn redex_at(&self, place: u32) -> Option<Position> {
        let code = &self.compiler.code;
        let owner = code.owners.partition_point(|&(start, _)| start <= place).checked_sub(1)?;
        let (start, instance) = code.owners[owner];
        let thunk = code.thunk_starts.partition_point(|&start| start <= place).checked_sub(1);
        let is_thunk = thunk.is_some_and(|row| code.thunk_starts[row] > start);
        if is_thunk || self.compiler.class(instance) != Class::Recorded {
            return None;
        }
        let row = code.positions.partition_point(|&(start, _)| start <= place).checked_sub(1)?;
        Some(position(code.positions[row].1))
    }

    /// Reports that the redexes in the frames from the top down to `bottom` ended without a value: with an
    /// exception, or not at all.
    pub(crate) fn tell_ended(&mut self, bottom: usize, exception: Option<Word>) {
        let mut at = self.base;
        // What runs just now, or is being called.
        if std::mem::take(&mut self.raising)
            && let Some(position) = self.redex_at(self.pc as u32)
        {
            self.tell_end(Context(self.stack[at]).node(), position, exception);
        }
        if let Some(instance) = self.calling.take()
            && self.compiler.class(instance) == Class::Recorded
        {
            self.tell_end(Context(self.stack[at]).node(), Position::NONE, exception);
        }
        while at > bottom {
            let control = Control(self.stack[at - 1]);
            let start = at - 1 - control.size();
            match control.frame() {
                Frame::Case if control.size() > 0 => {
                    if let Some(position) = self.redex_at(control.place() - 1) {
                        self.tell_end(Context(self.stack[start]).node(), position, exception);
                    }
                }
                Frame::Update => {
                    let thunk = Word::from_raw(self.stack[start]).place() as u32;
                    let tag = self.heap.first_tag(thunk);
                    if tag & WAITS != 0 {
                        self.tell_end(NodeId((tag & !WAITS) >> 3), Position::NONE, exception);
                    }
                }
                Frame::Reduct => {
                    let node = Context(self.stack[start]).node();
                    let position = self.compiler.trace.as_ref().map_or(Position::NONE, |trace| {
                        trace
                            .shapes
                            .get(control.place() as usize)
                            .map_or(Position::NONE, |shape| shape.position)
                    });
                    self.tell_end(node, position, exception);
                }
                Frame::Performed => {
                    self.tell_end(Context(self.stack[start]).node(), Position::NONE, exception);
                }
                _ => {}
            }
            at = start;
        }
    }

    /// Reports the output that was written last.
    pub(crate) fn tell_wrote(&mut self) {
        if let Some((made_for, from, text)) = self.wrote.take() {
            let mut references = vec![RawRef::int(from as i64), RawRef::int(text.len() as i64)];
            references.extend(text::pack(&text));
            self.tell(What::Wrote, made_for.position(), made_for.node(), &references);
        }
    }

    fn tell_end(&mut self, node: NodeId, position: Position, exception: Option<Word>) {
        match exception {
            Some(exception) => {
                let reference = self.reference(exception, node);
                self.tell(What::Raised, position, node, &[reference]);
            }
            None => self.tell(What::Unfinished, position, node, &[]),
        }
    }
}

/// The digits of an integer that is an object: a sign and 64-bit words, or one word that is an `Int`.
fn integer(words: &[u64], references: &mut Vec<RawRef>) {
    let (sign, magnitude): (i64, Vec<u64>) = match words {
        [value] => {
            let value = *value as i64;
            (if value < 0 { -1 } else { 1 }, vec![value.unsigned_abs()])
        }
        [sign, magnitude @ ..] => (if *sign == 1 { -1 } else { 1 }, magnitude.to_vec()),
        [] => (1, Vec::new()),
    };
    references.push(RawRef::int(sign));
    // To the base 2^60.
    let bits = magnitude.len() * 64;
    let mut at = 0;
    while at < bits {
        let (row, shift) = (at / 64, at % 64);
        let mut digit = magnitude[row] >> shift;
        if shift > 4
            && let Some(&high) = magnitude.get(row + 1)
        {
            digit |= high << (64 - shift);
        }
        references.push(RawRef::int((digit & ((1 << 60) - 1)) as i64));
        at += 60;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_a_redex_and_a_position() {
        let context = Context::of(NodeId((1 << 36) - 1)).at(0xff_ffff);
        assert_eq!(context.node(), NodeId((1 << 36) - 1));
        assert_eq!(context.position(), Position(0xff_ffff));
        assert_eq!(context.at(3).position(), Position(3));
        assert_eq!(context.at(3).node(), context.node());
        assert_eq!(Context::NOBODY, Context::of(NodeId::NONE));
        assert!(context.word().is_evaluated());
    }

    #[test]
    fn digits_have_sixty_bits() {
        let digits = |words: &[u64]| {
            let mut references = Vec::new();
            integer(words, &mut references);
            let digits: Vec<Ref> = references.iter().map(|reference| reference.see()).collect();
            let mut value = 0u128;
            for (row, digit) in digits[1..].iter().enumerate() {
                let Ref::Int(digit) = digit else { panic!("{digit:?}") };
                value |= (*digit as u128) << (60 * row as u32);
            }
            (digits[0], value)
        };
        assert_eq!(digits(&[1, 5, 7]), (Ref::Int(-1), 7 << 64 | 5));
        assert_eq!(
            digits(&[0, u64::MAX, u64::MAX >> 1]),
            (Ref::Int(1), (u64::MAX as u128 >> 1) << 64 | u64::MAX as u128)
        );
        assert_eq!(digits(&[i64::MIN as u64]), (Ref::Int(-1), 1 << 63));
    }
}
