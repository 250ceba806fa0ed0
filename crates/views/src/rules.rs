//! Equations of functions as the rules of a tree.

use super::names;
use super::order::owners;
use super::paths::Paths;
use gadfly_source::{FileId, Region, Sources, Span};
use gadfly_trail::model::{Origin, Piece, Tables};
use gadfly_tree::{Rule, RuleId, RuleTable};

/// No rule yet.
const NEW: u32 = u32::MAX;

/// The rules that were met so far.
#[derive(Debug)]
pub(super) struct Rules<'t> {
    tables: &'t Tables,
    sources: &'t Sources,
    /// For every function, where its rules begin in `known`, the one without a number first, and how many have one.
    starts: Vec<(u32, u32)>,
    known: Vec<u32>,
    owners: Vec<u32>,
    paths: Paths,
    local: Vec<RuleId>,
    table: RuleTable,
}

impl<'t> Rules<'t> {
    pub(super) fn new(tables: &'t Tables, sources: &'t Sources) -> Rules<'t> {
        let mut starts = Vec::with_capacity(tables.functions.len());
        let mut count = 0;
        for function in &tables.functions {
            starts.push((count, function.rules.len() as u32));
            count += 1 + function.rules.len() as u32;
        }
        let known = vec![NEW; count as usize];
        let owners = owners(tables);
        let (paths, local, table) = (Paths::new(tables, &owners), Vec::new(), RuleTable::default());
        Rules { tables, sources, starts, known, owners, paths, local, table }
    }

    /// The rule of a function's equation, from 1; 0 if that is not known. The function must be in the tables.
    #[inline]
    pub(super) fn find(&mut self, function: u32, equation: u32) -> u32 {
        let (start, many) = self.starts[function as usize];
        // Where there is only one equation, it was that one.
        let equation = if many == 1 { 1 } else { equation.min(many) };
        let slot = (start + equation) as usize;
        if self.known[slot] == NEW {
            self.known[slot] = self.add(function, equation);
        }
        self.known[slot]
    }

    #[cold]
    fn add(&mut self, number: u32, equation: u32) -> u32 {
        let function = &self.tables.functions[number as usize];
        let rule = (equation as usize).checked_sub(1).and_then(|at| function.rules.get(at));
        let piece = rule.map(|rule| rule.piece).or(function.piece);
        let module = self.tables.modules.get(function.module as usize);
        let named = !matches!(function.origin, Origin::Lambda | Origin::Section);
        let id = self.table.intern(Rule {
            function: names::function(self.tables, number).into(),
            number: (named && equation > 0).then_some(equation),
            module: module.map(|module| module.name.as_str()).filter(|name| !name.is_empty()).map(Into::into),
            path: self.paths.of(self.tables, &self.owners, number),
            region: piece.and_then(|piece| region(self.sources, piece)),
        });
        if self.is_local(number) {
            self.local.push(id);
        }
        id.0
    }

    /// Whether a function is defined inside of another one.
    fn is_local(&self, number: u32) -> bool {
        let function = &self.tables.functions[number as usize];
        match function.origin {
            Origin::Local | Origin::Lambda | Origin::Section => true,
            Origin::Hidden => self.owners[number as usize] != number,
            _ => false,
        }
    }

    /// The rules of local functions.
    pub(super) fn local(&self) -> Vec<RuleId> {
        self.local.clone()
    }

    pub(super) fn into_table(self) -> RuleTable {
        self.table
    }
}

/// A piece in lines and columns, if its file is there.
pub(super) fn region(sources: &Sources, piece: Piece) -> Option<Region> {
    let file = FileId(piece.file);
    sources.iter().nth(piece.file as usize)?;
    Some(sources.region(Span::new(file, piece.start, piece.end.max(piece.start))))
}
