//! Fixities: from operator chains to applications (Haskell 2010 §10.6).
//!
//! The parser leaves `a + b * c` flat, because fixities may be declared anywhere and imported. When the imports are
//! known, [`resolve_fixities`] replaces every chain in its place. Operators of one precedence stay together in one
//! node (`a : b : c` is one `Operators`), so a chain becomes at most eleven levels deep however long it is.

mod chain;
mod scope;

use gadfly_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::Module;
use crate::names::{Interner, QName, Symbol, known};
use crate::report::Report;
use crate::tree::{
    Associativity, Decl, DeclId, Expr, ExprId, Item, NameId, Node, Pat, PatId, PatItem, Place, Tree, Type,
    TypeId, TypeItem,
};

use chain::{Chain, Part};
pub(crate) use scope::Scopes;
use scope::Shadows;

/// How an operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fixity {
    /// How operators of its precedence group.
    pub associativity: Associativity,
    /// From 0 (loosest) to 9.
    pub precedence: u8,
}

impl Fixity {
    /// Of an operator without a fixity declaration: `infixl 9`.
    pub const DEFAULT: Fixity = Fixity { associativity: Associativity::Left, precedence: 9 };
    /// Of `:`, which no module declares.
    pub const CONS: Fixity = Fixity { associativity: Associativity::Right, precedence: 5 };
    const NEGATION: Fixity = Fixity { associativity: Associativity::Left, precedence: 6 };
}

impl std::fmt::Display for Fixity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = match self.associativity {
            Associativity::Left => "infixl",
            Associativity::Right => "infixr",
            Associativity::None => "infix",
        };
        write!(f, "{word} {}", self.precedence)
    }
}

impl Module {
    /// The fixities that the module declares for what it defines at its top, methods included.
    pub fn fixities(&self) -> Vec<(Symbol, Fixity)> {
        let mut found = Vec::new();
        for &decl in self.tree.list(self.decls) {
            match self.tree.get(decl) {
                Decl::Class(class) => {
                    for &member in self.tree.list(class.decls) {
                        declared(&self.tree, member, &mut found);
                    }
                }
                _ => declared(&self.tree, decl, &mut found),
            }
        }
        found
    }

    /// The fixities that are declared in `let` and `where`, each with the text in which it holds.
    pub fn local_fixities(&self) -> Vec<(Symbol, Place, Fixity)> {
        let mut found = Vec::new();
        let mut block = Vec::new();
        for (decls, extent) in self.scopes.blocks_with_extents() {
            for &decl in self.tree.list(decls) {
                declared(&self.tree, decl, &mut block);
            }
            found.extend(block.drain(..).map(|(symbol, fixity)| (symbol, extent, fixity)));
        }
        found
    }
}

/// The fixities that a declaration declares.
fn declared(tree: &Tree, decl: DeclId, found: &mut Vec<(Symbol, Fixity)>) {
    if let Decl::Fixity { associativity, precedence, operators } = *tree.get(decl) {
        let fixity = Fixity { associativity, precedence };
        found.extend(tree.list(operators).iter().map(|operator| (operator.symbol, fixity)));
    }
}

/// Turns all operator chains of a module into applications.
///
/// `imported` gives the fixity of a name that the module does not define, as it is written there; `None` is
/// `infixl 9`. The module's own declarations, also local ones, are found in it.
pub fn resolve_fixities(
    module: &mut Module,
    interner: &Interner,
    imported: impl Fn(QName) -> Option<Fixity>,
) -> Vec<Diagnostic> {
    let own: FxHashMap<Symbol, Fixity> = module.fixities().into_iter().collect();
    let shadows = Shadows::find(module);
    let module_name = module.name.symbol;
    let fixity = |name: QName, at: Place| {
        if name == QName::plain(known::CONS) {
            return Fixity::CONS;
        }
        if name.qualifier.is_none()
            && let Some(fixity) = shadows.find_fixity(name.name, at)
        {
            return fixity;
        }
        let ours = name.qualifier.is_none_or(|qualifier| qualifier == module_name);
        let own = if ours { own.get(&name.name).copied() } else { None };
        own.or_else(|| imported(name)).unwrap_or(Fixity::DEFAULT)
    };
    let mut report = Report::new(module.tree.file());
    declared_twice(module, interner, &mut report);
    let mut resolver = Resolver { tree: &mut module.tree, interner, fixity: &fixity, report };
    resolver.exprs();
    resolver.pats();
    resolver.types();
    resolver.sections();
    resolver.report.finish()
}

/// Complains about operators with two fixities in one block. Those of methods belong to the top of the module.
fn declared_twice(module: &Module, interner: &Interner, report: &mut Report) {
    let tree = &module.tree;
    let mut top = Vec::new();
    for &decl in tree.list(module.decls) {
        match tree.get(decl) {
            Decl::Class(class) => top.extend(tree.list(class.decls)),
            _ => top.push(decl),
        }
    }
    let blocks = module.scopes.blocks().map(|decls| tree.list(decls).to_vec());
    for block in std::iter::once(top).chain(blocks) {
        let mut first: FxHashMap<Symbol, Place> = FxHashMap::default();
        for decl in block {
            let Decl::Fixity { operators, .. } = *tree.get(decl) else { continue };
            for operator in tree.list(operators) {
                let Some(&before) = first.get(&operator.symbol) else {
                    first.insert(operator.symbol, operator.place);
                    continue;
                };
                let message = format!("the operator `{}` has two fixities", interner.text(operator.symbol));
                report.add(|report| {
                    Diagnostic::error(message)
                        .at(report.span(operator.place), "here again")
                        .and(report.span(before), "here first")
                        .with_hint("Keep the declaration that is meant; an operator binds in one way only.")
                });
            }
        }
    }
}

struct Resolver<'a> {
    tree: &'a mut Tree,
    interner: &'a Interner,
    fixity: &'a dyn Fn(QName, Place) -> Fixity,
    report: Report,
}

impl Resolver<'_> {
    fn exprs(&mut self) {
        for row in 0..self.tree.count::<ExprId>() {
            let id = ExprId::from_index(row);
            let Expr::Infix(items) = *self.tree.get(id) else { continue };
            let parts: Vec<Part<ExprId, ExprId>> = self
                .tree
                .list(items)
                .iter()
                .map(|item| match *item {
                    Item::Operand(operand) => Part::Operand(operand),
                    Item::Operator(operator) => Part::Operator(operator, self.fixity_of(operator)),
                    Item::Negate(start) => Part::Negate(start),
                })
                .collect();
            let whole = chain::resolve(&parts, self);
            self.replace(id, whole);
        }
    }

    fn pats(&mut self) {
        for row in 0..self.tree.count::<PatId>() {
            let id = PatId::from_index(row);
            let Pat::Infix(items) = *self.tree.get(id) else { continue };
            let parts: Vec<_> = self
                .tree
                .list(items)
                .iter()
                .map(|item| match *item {
                    PatItem::Operand(operand) => Part::Operand(operand),
                    PatItem::Operator(operator) => {
                        let used = self.tree.name(operator);
                        Part::Operator(operator, (self.fixity)(used.name, used.place))
                    }
                })
                .collect();
            let whole: PatId = chain::resolve(&parts, self);
            self.replace(id, whole);
        }
    }

    fn types(&mut self) {
        for row in 0..self.tree.count::<TypeId>() {
            let id = TypeId::from_index(row);
            let Type::Infix(items) = *self.tree.get(id) else { continue };
            let parts: Vec<_> = self
                .tree
                .list(items)
                .iter()
                .map(|item| match *item {
                    TypeItem::Operand(operand) => Part::Operand(operand),
                    TypeItem::Operator(operator) => {
                        let used = self.tree.name(operator);
                        let fixity = match used.name.name {
                            known::TILDE => Fixity { associativity: Associativity::None, precedence: 4 },
                            _ => (self.fixity)(used.name, used.place),
                        };
                        Part::Operator(operator, fixity)
                    }
                })
                .collect();
            let whole: TypeId = chain::resolve(&parts, self);
            self.replace(id, whole);
        }
    }

    /// Puts what a chain became in the chain's row. It is the newest node, so its own row is given back.
    fn replace<N: Node<Content: Copy>>(&mut self, chain: N, whole: N) {
        let content = *self.tree.get(whole);
        self.tree.set(chain, content);
        let last = self.tree.count::<N>() - 1;
        if whole.row() == last {
            self.tree.cut::<N>(last);
        }
    }

    fn fixity_of(&self, operator: ExprId) -> Fixity {
        match *self.tree.get(operator) {
            Expr::Var(name) | Expr::Con(name) => (self.fixity)(name, self.tree.place(operator)),
            _ => Fixity::DEFAULT,
        }
    }

    /// The operand of a section must bind tighter than its operator (§3.5).
    fn sections(&mut self) {
        for row in 0..self.tree.count::<ExprId>() {
            let (operator, operand, side) = match *self.tree.get(ExprId::from_index(row)) {
                Expr::LeftSection { operand, operator } => (operator, operand, Associativity::Left),
                Expr::RightSection { operator, operand } => (operator, operand, Associativity::Right),
                _ => continue,
            };
            let (inner, inner_place) = match *self.tree.get(operand) {
                Expr::Operators(_, items) => {
                    let first = self.tree.list(items)[1];
                    (self.fixity_of(first), self.tree.place(first))
                }
                Expr::Negate(_) => {
                    let start = self.tree.place(operand).start;
                    (Fixity::NEGATION, Place { start, end: start + 1 })
                }
                _ => continue,
            };
            let outer = self.fixity_of(operator);
            let groups = outer.precedence == inner.precedence
                && outer.associativity == side
                && inner.associativity == side;
            if inner.precedence > outer.precedence || groups {
                continue;
            }
            let place = self.tree.place(operator);
            let message = format!(
                "the operand of this section needs parentheses: {} is {outer}, but {} inside is {inner}",
                self.operator_text(operator),
                self.text_at(inner_place, operand),
            );
            self.report.add(|report| {
                Diagnostic::error(message)
                    .at(report.span(place), "the operator of the section")
                    .and(report.span(inner_place), "binds no tighter")
                    .with_hint("Put the operand in parentheses.")
            });
        }
    }

    fn operator_text(&self, operator: ExprId) -> String {
        match *self.tree.get(operator) {
            Expr::Var(name) | Expr::Con(name) => format!("`{}`", name.text(self.interner)),
            _ => "`-`".to_owned(),
        }
    }

    /// The operator at a place of an operand: its first one, or the `-` of a negation.
    fn text_at(&self, place: Place, operand: ExprId) -> String {
        match *self.tree.get(operand) {
            Expr::Operators(_, items) => {
                let first = self.tree.list(items)[1];
                debug_assert_eq!(self.tree.place(first), place);
                self.operator_text(first)
            }
            _ => "`-`".to_owned(),
        }
    }

    /// Two operators next to each other that do not say how they group.
    fn conflict(&mut self, left: (String, Fixity, Place), right: (String, Fixity, Place)) {
        let message = format!(
            "{} ({}) and {} ({}) cannot be mixed without parentheses",
            left.0, left.1, right.0, right.1
        );
        self.report.add(|report| {
            Diagnostic::error(message)
                .at(report.span(right.2), "")
                .and(report.span(left.2), "")
                .with_hint("Put parentheses around the part that is meant to be one operand.")
        });
    }
}

impl Chain<ExprId, ExprId> for Resolver<'_> {
    fn join(&mut self, fixity: Fixity, parts: &[Part<ExprId, ExprId>]) -> ExprId {
        let ids: Vec<ExprId> = parts
            .iter()
            .filter_map(|part| match *part {
                Part::Operand(id) | Part::Operator(id, _) => Some(id),
                Part::Negate(_) => None,
            })
            .collect();
        let place = self.tree.place(ids[0]).to(self.tree.place(ids[ids.len() - 1]));
        let items = self.tree.add_list(&ids);
        self.tree.add(Expr::Operators(fixity.associativity, items), place)
    }

    fn negate(&mut self, start: u32, operand: ExprId) -> ExprId {
        let place = Place { start, end: self.tree.place(operand).end };
        self.tree.add(Expr::Negate(operand), place)
    }

    fn complain(&mut self, left: Part<ExprId, ExprId>, right: Part<ExprId, ExprId>) {
        let tell = |this: &Self, part: Part<ExprId, ExprId>| match part {
            Part::Operator(operator, fixity) => {
                (this.operator_text(operator), fixity, this.tree.place(operator))
            }
            Part::Operand(operand) => (String::new(), Fixity::DEFAULT, this.tree.place(operand)),
            Part::Negate(start) => {
                ("the negation `-`".to_owned(), Fixity::NEGATION, Place { start, end: start + 1 })
            }
        };
        let (left, right) = (tell(self, left), tell(self, right));
        self.conflict(left, right);
    }
}

macro_rules! chain_of_names {
    ($id:ty, $item:ident, $operators:expr) => {
        impl Chain<$id, NameId> for Resolver<'_> {
            fn join(&mut self, fixity: Fixity, parts: &[Part<$id, NameId>]) -> $id {
                let mut place: Option<Place> = None;
                let mut items = Vec::with_capacity(parts.len());
                for part in parts {
                    match *part {
                        Part::Operand(operand) => {
                            let here = self.tree.place(operand);
                            place = Some(place.map_or(here, |place| place.to(here)));
                            items.push($item::Operand(operand));
                        }
                        Part::Operator(operator, _) => items.push($item::Operator(operator)),
                        Part::Negate(_) => {}
                    }
                }
                let items = self.tree.add_list(&items);
                let place = place.unwrap_or(Place { start: 0, end: 0 });
                self.tree.add($operators(fixity.associativity, items), place)
            }

            fn negate(&mut self, _: u32, operand: $id) -> $id {
                operand
            }

            fn complain(&mut self, left: Part<$id, NameId>, right: Part<$id, NameId>) {
                let (Part::Operator(left, left_fixity), Part::Operator(right, right_fixity)) = (left, right)
                else {
                    return;
                };
                let (left, right) = (self.tree.name(left), self.tree.name(right));
                let text = |name: QName| format!("`{}`", name.text(self.interner));
                let left = (text(left.name), left_fixity, left.place);
                let right = (text(right.name), right_fixity, right.place);
                self.conflict(left, right);
            }
        }
    };
}

chain_of_names!(PatId, PatItem, Pat::Operators);
chain_of_names!(TypeId, TypeItem, Type::Operators);

#[cfg(test)]
mod tests;
