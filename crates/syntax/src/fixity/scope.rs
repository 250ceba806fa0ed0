//! Local names that are used as operators.
//!
//! A local binding hides the fixity of an imported or top-level operator of the same name; it has the default one,
//! or the one that is declared beside it. While parsing, [`Scopes`] notes which part of the text binds names for
//! which part; [`Shadows`] finds the few of them that are used as operators.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Fixity, declared};
use crate::Module;
use crate::names::{QName, Symbol};
use crate::tree::{Decl, DeclId, Expr, ExprId, Item, List, Pat, PatId, Place};

/// Which ranges of the text bind names, and for which ranges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes {
    /// Patterns, and where their variables are known.
    patterns: Vec<(Place, Place)>,
    /// Local declarations, and where they are known.
    blocks: Vec<(List<DeclId>, Place)>,
    /// Those whose end is not reached yet.
    open: Vec<Open>,
}

#[derive(Clone, Debug)]
struct Open {
    binder: Binder,
    /// Where the names begin to be known, if not at the beginning of what encloses them.
    from: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Binder {
    Pattern(Place),
    Decls(List<DeclId>),
}

/// Where a scope began in the list of open ones.
#[derive(Clone, Copy)]
pub(crate) struct ScopeMark(usize);

impl Scopes {
    pub(crate) fn begin(&self) -> ScopeMark {
        ScopeMark(self.open.len())
    }

    /// A pattern whose variables are known in all of the scope.
    pub(crate) fn parameter(&mut self, pattern: Place) {
        self.open.push(Open { binder: Binder::Pattern(pattern), from: None });
    }

    /// The pattern of a statement that began at `from`.
    pub(crate) fn statement_pattern(&mut self, pattern: Place, from: u32) {
        self.open.push(Open { binder: Binder::Pattern(pattern), from: Some(from) });
    }

    /// The `let` of a statement that began at `from`.
    pub(crate) fn statement_block(&mut self, decls: List<DeclId>, from: u32) {
        self.open.push(Open { binder: Binder::Decls(decls), from: Some(from) });
    }

    /// Declarations that are known in `extent`.
    pub(crate) fn block(&mut self, decls: List<DeclId>, extent: Place) {
        self.blocks.push((decls, extent));
    }

    /// The local declarations of the module, block by block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = List<DeclId>> {
        self.blocks.iter().map(|(decls, _)| *decls)
    }

    /// The local declarations of the module, block by block, each with the text in which they are known.
    pub(super) fn blocks_with_extents(&self) -> impl Iterator<Item = (List<DeclId>, Place)> {
        self.blocks.iter().copied()
    }

    /// Ends the scope that began with `mark` and takes up `extent`.
    pub(crate) fn end(&mut self, mark: ScopeMark, extent: Place) {
        for open in self.open.drain(mark.0..) {
            let extent = Place { start: open.from.unwrap_or(extent.start), end: extent.end };
            match open.binder {
                Binder::Pattern(pattern) => self.patterns.push((pattern, extent)),
                Binder::Decls(decls) => self.blocks.push((decls, extent)),
            }
        }
    }

    /// The same, of a scope in which all names are known from its beginning: a comprehension begins with its result.
    pub(crate) fn end_whole(&mut self, mark: ScopeMark, extent: Place) {
        for open in &mut self.open[mark.0..] {
            open.from = None;
        }
        self.end(mark, extent);
    }
}

/// The fixities of local operators.
pub(super) struct Shadows {
    by_name: FxHashMap<Symbol, Vec<Shadow>>,
}

struct Shadow {
    extent: Place,
    fixity: Fixity,
    /// The one around it, of the same name.
    around: Option<usize>,
}

impl Shadows {
    pub(super) fn find(module: &Module) -> Shadows {
        let used = operators_used(module);
        let mut found: FxHashMap<Symbol, Vec<(Place, Fixity)>> = FxHashMap::default();
        let tree = &module.tree;
        let mut patterns = module.scopes.patterns.clone();
        for &(decls, extent) in &module.scopes.blocks {
            let mut fixities = Vec::new();
            for &decl in tree.list(decls) {
                declared(tree, decl, &mut fixities);
            }
            for &decl in tree.list(decls) {
                match tree.get(decl) {
                    Decl::Function { name, .. } if used.contains(&name.symbol) => {
                        let fixity = fixities.iter().find(|(symbol, _)| *symbol == name.symbol);
                        let fixity = fixity.map_or(Fixity::DEFAULT, |(_, fixity)| *fixity);
                        found.entry(name.symbol).or_default().push((extent, fixity));
                    }
                    Decl::Pattern { pattern, .. } => patterns.push((tree.place(*pattern), extent)),
                    _ => {}
                }
            }
        }
        patterns.sort_by_key(|(pattern, _)| (pattern.start, std::cmp::Reverse(pattern.end)));
        for row in 0..tree.count::<PatId>() {
            let id = PatId::from_index(row);
            let symbol = match *tree.get(id) {
                Pat::Var(symbol) => symbol,
                Pat::As(name, _) => tree.name(name).name.name,
                _ => continue,
            };
            if used.contains(&symbol)
                && let Some(extent) = extent_of(&patterns, tree.place(id))
            {
                found.entry(symbol).or_default().push((extent, Fixity::DEFAULT));
            }
        }
        let by_name = found.into_iter().map(|(symbol, extents)| (symbol, nest(extents))).collect();
        Shadows { by_name }
    }

    /// The fixity of the local operator that a name at a place means, if it means one.
    pub(super) fn find_fixity(&self, name: Symbol, at: Place) -> Option<Fixity> {
        let shadows = self.by_name.get(&name)?;
        let before = shadows.partition_point(|shadow| shadow.extent.start <= at.start);
        let mut candidate = before.checked_sub(1);
        while let Some(index) = candidate {
            if shadows[index].extent.holds(at) {
                return Some(shadows[index].fixity);
            }
            candidate = shadows[index].around;
        }
        None
    }
}

/// The unqualified names that stand as operators in the module's expressions.
fn operators_used(module: &Module) -> FxHashSet<Symbol> {
    let tree = &module.tree;
    let mut used = FxHashSet::default();
    let mut add = |operator: ExprId| {
        if let Expr::Var(QName { qualifier: None, name }) = *tree.get(operator) {
            used.insert(name);
        }
    };
    for row in 0..tree.count::<ExprId>() {
        match *tree.get(ExprId::from_index(row)) {
            Expr::Infix(items) => {
                for item in tree.list(items) {
                    if let Item::Operator(operator) = *item {
                        add(operator);
                    }
                }
            }
            Expr::LeftSection { operator, .. } | Expr::RightSection { operator, .. } => add(operator),
            _ => {}
        }
    }
    used
}

/// Where the variables of the innermost pattern around a place are known.
fn extent_of(patterns: &[(Place, Place)], place: Place) -> Option<Place> {
    let before = patterns.partition_point(|(pattern, _)| pattern.start <= place.start);
    // Patterns contain each other only around the functions of view patterns.
    let around = patterns[..before].iter().rev().take(crate::NESTING_LIMIT as usize);
    around.copied().find(|(pattern, _)| pattern.holds(place)).map(|(_, extent)| extent)
}

/// Sorts extents, which lie inside each other or apart, and finds the one around each.
fn nest(mut extents: Vec<(Place, Fixity)>) -> Vec<Shadow> {
    extents.sort_by_key(|(extent, _)| (extent.start, std::cmp::Reverse(extent.end)));
    let mut shadows: Vec<Shadow> = Vec::with_capacity(extents.len());
    let mut around: Vec<usize> = Vec::new();
    for (extent, fixity) in extents {
        while around.last().is_some_and(|&outer| shadows[outer].extent.end < extent.end) {
            around.pop();
        }
        shadows.push(Shadow { extent, fixity, around: around.last().copied() });
        around.push(shadows.len() - 1);
    }
    shadows
}
