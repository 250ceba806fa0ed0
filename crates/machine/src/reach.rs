//! Which constants the rest of a run may still need.
//!
//! A constant without parameters (a CAF) is evaluated once and kept, but not for ever: `main = print (sum nats)` must not
//! keep all of `nats`. A major collection finds the code that can still run: that of the frames on the stack
//! and of the live thunks and functions, and the code that these call. A constant that none of it mentions is
//! dropped; if the program needs it after all, it is evaluated again, so dropping one only costs time.
//!
//! Of functions that are not compiled yet, the kernel code is searched.

use crate::compile::{Code, Constant, Instance};
use crate::listing::{Reference, references};
use crate::word::{Seen, Word};
use gadfly_core::kernel::{Atom, Expr, FunId, Program};
use rustc_hash::FxHashMap;

/// What was found so far in one collection.
pub(crate) struct Reach<'a> {
    code: &'a Code,
    program: &'a Program,
    instances: &'a [Instance],
    /// Where pieces of code begin, in order, and from where on each was looked at. Code only jumps forwards, so what is
    /// before a place does not run after it.
    pieces: Vec<u32>,
    seen_from: Vec<u32>,
    seen_functions: Vec<bool>,
    /// The constants that a function without parameters is.
    constants_of: FxHashMap<FunId, Vec<u32>>,
    needed: Vec<bool>,
    /// Needed constants that the collector does not know yet.
    new: Vec<u32>,
    pending: Vec<Pending>,
}

enum Pending {
    /// From a place to another.
    Code(u32, u32),
    Function(FunId),
}

impl<'a> Reach<'a> {
    pub(crate) fn new(code: &'a Code, program: &'a Program, instances: &'a [Instance]) -> Reach<'a> {
        let mut pieces: Vec<u32> = code.owners.iter().map(|&(start, _)| start).collect();
        pieces.extend(code.thunks.iter().map(|thunk| thunk.entry));
        pieces.sort_unstable();
        pieces.dedup();
        let mut constants_of: FxHashMap<FunId, Vec<u32>> = FxHashMap::default();
        for (row, constant) in code.constants.iter().enumerate() {
            if let Constant::Shared(instance) = constant {
                constants_of.entry(instances[instance.index()].function).or_default().push(row as u32);
            }
        }
        Reach {
            code,
            program,
            instances,
            seen_from: (1..=pieces.len())
                .map(|next| pieces.get(next).copied().unwrap_or(code.words.len() as u32))
                .collect(),
            pieces,
            seen_functions: vec![false; program.functions().len()],
            constants_of,
            needed: vec![false; code.constants.len()],
            new: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Whether a constant is needed, as far as is known.
    pub(crate) fn is_needed(&self, constant: usize) -> bool {
        !matches!(self.code.constants.get(constant), Some(Constant::Shared(_))) || self.needed[constant]
    }

    /// Code at a place will run.
    pub(crate) fn place(&mut self, place: u32) {
        let piece = self.pieces.partition_point(|&start| start <= place).saturating_sub(1);
        if let Some(seen) = self.seen_from.get_mut(piece)
            && place < *seen
        {
            self.pending.push(Pending::Code(place, *seen));
            *seen = place;
        }
    }

    /// A thunk may be entered.
    pub(crate) fn thunk(&mut self, thunk: u32) {
        if let Some(thunk) = self.code.thunks.get(thunk as usize) {
            self.place(thunk.entry);
        }
    }

    /// A function may be called.
    pub(crate) fn function(&mut self, instance: u32) {
        match self.code.entries.get(instance as usize) {
            Some(entry) if entry.general != 0 => self.place(entry.general),
            _ => self.kernel(self.instances[instance as usize].function),
        }
    }

    fn kernel(&mut self, function: FunId) {
        if !std::mem::replace(&mut self.seen_functions[function.index()], true) {
            self.pending.push(Pending::Function(function));
        }
    }

    fn need(&mut self, constant: u32) {
        if !std::mem::replace(&mut self.needed[constant as usize], true) {
            self.new.push(constant);
        }
    }

    /// The constants that turned out to be needed since the last call.
    pub(crate) fn new_constants(&mut self) -> Vec<u32> {
        while let Some(pending) = self.pending.pop() {
            match pending {
                Pending::Code(start, end) => self.look_at_code(start as usize, end as usize),
                Pending::Function(function) => self.look_at_function(function),
            }
        }
        std::mem::take(&mut self.new)
    }

    fn look_at_code(&mut self, start: usize, end: usize) {
        let mut found = Vec::new();
        references(self.code, start, end, |reference| found.push(reference));
        for reference in found {
            match reference {
                Reference::Instance(instance) => self.function(instance),
                Reference::Thunk(thunk) => self.thunk(thunk),
                Reference::Constant(constant) => match self.code.constants[constant as usize] {
                    // If it is not evaluated yet, its thunk says what it needs.
                    Constant::Shared(_) => self.need(constant),
                    Constant::Word(word) => {
                        if let Seen::Function(instance) = Word::from_raw(word).see() {
                            self.function(instance);
                        }
                    }
                    Constant::Literal(_) => {}
                },
            }
        }
    }

    fn look_at_function(&mut self, function: FunId) {
        for constant in self.constants_of.get(&function).cloned().unwrap_or_default() {
            self.need(constant);
        }
        let program = self.program;
        let mut found = Vec::new();
        program.walk(program.function(function).body, |expr| {
            match program.expr(expr) {
                Expr::Call(function, _) | Expr::Partial(function, _) => found.push(function),
                Expr::Atom(Atom::Function(function)) | Expr::Apply(Atom::Function(function), _) => {
                    found.push(function);
                }
                _ => {}
            }
            found.extend(program.arguments(expr).iter().filter_map(|argument| match argument.atom {
                Atom::Function(function) => Some(function),
                _ => None,
            }));
        });
        for function in found {
            self.kernel(function);
        }
    }
}
