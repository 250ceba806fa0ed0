//! Declarations of values: equations, pattern bindings, signatures, fixities, and Curry's `free` and
//! `external` (Haskell 2010 §4.4; Curry report §2.3, §2.4).

use super::layout::Items;
use super::pattern::Mark;
use super::{Kind, Parse, Parser, Reported};
use crate::Dialect;
use crate::names::{QName, Symbol};
use crate::tree::{
    Associativity, Decl, DeclId, Expr, ExprId, Item, List, Literal, Name, Pat, PatId, Place, Rule, TypeId,
};

/// A declaration as it is read; the equations of a function are brought together afterwards.
pub(super) enum Raw {
    /// Nothing to keep, such as an import.
    Nothing,
    Decl(DeclId),
    Rule(Name, Rule),
}

/// What the left side of `=` defines.
enum Lhs {
    Function(Name, Vec<PatId>),
    Pattern(PatId),
}

impl Parser<'_> {
    /// The block after `where` or `let`.
    pub(super) fn decls(&mut self) -> Parse<List<DeclId>> {
        let raw = self.block(Items::Declarations, Self::decl)?;
        Ok(self.group(raw))
    }

    /// Brings adjacent equations of one function together.
    pub(super) fn group(&mut self, raw: Vec<Raw>) -> List<DeclId> {
        let mut decls = Vec::with_capacity(raw.len());
        let mut rules: Vec<Rule> = Vec::new();
        let mut function: Option<Name> = None;
        for raw in raw {
            match raw {
                Raw::Rule(name, rule) => {
                    if function.is_some_and(|function| function.symbol != name.symbol) {
                        self.end_function(&mut function, &mut rules, &mut decls);
                    }
                    function = function.or(Some(name));
                    rules.push(rule);
                }
                Raw::Decl(decl) => {
                    self.end_function(&mut function, &mut rules, &mut decls);
                    decls.push(decl);
                }
                Raw::Nothing => {}
            }
        }
        self.end_function(&mut function, &mut rules, &mut decls);
        self.list(&decls)
    }

    fn end_function(&mut self, function: &mut Option<Name>, rules: &mut Vec<Rule>, decls: &mut Vec<DeclId>) {
        let (Some(name), Some(first), Some(last)) = (function.take(), rules.first(), rules.last()) else {
            return;
        };
        let place = first.place.to(last.place);
        let default_for = self.default_for(name.symbol);
        let list = self.list(rules);
        rules.clear();
        decls.push(self.tree.add(Decl::Function { name, rules: list, default_for }, place));
    }

    /// `f` of Curry's `f'default`.
    fn default_for(&mut self, name: Symbol) -> Option<Symbol> {
        if self.dialect != Dialect::Curry {
            return None;
        }
        let function = self.interner.text(name).strip_suffix("'default")?.to_owned();
        Some(self.interner.intern(&function))
    }

    /// A declaration that may stand anywhere.
    pub(super) fn decl(&mut self) -> Parse<Raw> {
        match self.now {
            Kind::Infix | Kind::Infixl | Kind::Infixr => Ok(Raw::Decl(self.fixity()?)),
            Kind::Data | Kind::Newtype | Kind::Type | Kind::Class | Kind::Instance | Kind::Import => {
                let message = format!("{} is only allowed at the top of a module", self.found());
                Err(self.complain(message, |_, diagnostic| {
                    diagnostic.with_hint("Begin it in the column of the module's other declarations.")
                }))
            }
            Kind::Let => {
                Err(self.complain("a declaration does not begin with `let`".to_owned(), |_, diagnostic| {
                    diagnostic
                        .with_hint("Remove the `let`; it belongs into expressions, `do` blocks and GHCi.")
                }))
            }
            _ => self.binding(),
        }
    }

    /// `infixl 6 +, -`.
    fn fixity(&mut self) -> Parse<DeclId> {
        let start = self.start();
        let associativity = match self.now {
            Kind::Infixl => Associativity::Left,
            Kind::Infixr => Associativity::Right,
            _ => Associativity::None,
        };
        self.bump();
        let mut precedence = 9;
        if self.now == Kind::Integer {
            let place = self.here();
            match self.literals[self.token().value as usize] {
                Literal::Integer(level @ 0..=9) => precedence = level as u8,
                _ => {
                    self.report.error(place, "a precedence is a number from 0 to 9", "", "The default is 9.");
                }
            }
            self.bump();
        }
        let mut operators = vec![self.fixity_operator()?];
        while self.eat(Kind::Comma) {
            operators.push(self.fixity_operator()?);
        }
        let operators = self.list(&operators);
        Ok(self.add(Decl::Fixity { associativity, precedence, operators }, start))
    }

    fn fixity_operator(&mut self) -> Parse<Name> {
        let start = self.start();
        match self.now {
            Kind::Backquote => {
                let name = self.backquoted()?;
                Ok(Name { symbol: name.name, place: self.since(start) })
            }
            Kind::VarSym | Kind::ConSym | Kind::Minus | Kind::Bang | Kind::Dot | Kind::Star | Kind::Colon => {
                let symbol = self.name_of_token().name;
                self.bump();
                Ok(Name { symbol, place: self.since(start) })
            }
            _ => Err(self.expected("an operator")),
        }
    }

    /// An equation, a pattern binding, a signature, or names that are free or external.
    fn binding(&mut self) -> Parse<Raw> {
        let start = self.start();
        let scope = self.scopes.begin();
        let mark = self.pattern_mark();
        let left = self.infix()?;
        match self.now {
            Kind::DoubleColon | Kind::Comma | Kind::Free | Kind::External => {
                let Some(first) = self.only_name(left) else {
                    return self.typed_pattern(left, mark);
                };
                self.forget(mark);
                return self.names_decl(first, start);
            }
            Kind::Equals | Kind::Bar => {}
            _ => return Err(self.no_rhs(left)),
        }
        let left_place = self.tree.place(left);
        let lhs = self.lhs(left);
        self.forget(mark);
        let lhs = lhs?;
        if let Lhs::Function(..) = lhs {
            self.scopes.parameter(left_place);
        }
        let rhs = self.rhs(Kind::Equals, start)?;
        let place = self.since(start);
        self.scopes.end(scope, place);
        Ok(match lhs {
            Lhs::Function(name, patterns) => {
                let patterns = self.list(&patterns);
                Raw::Rule(name, Rule { place, name: name.place, patterns, rhs })
            }
            Lhs::Pattern(pattern) => Raw::Decl(self.tree.add(Decl::Pattern { pattern, rhs }, place)),
        })
    }

    /// The variable that an expression is.
    fn only_name(&self, expr: ExprId) -> Option<Name> {
        match *self.tree.get(expr) {
            Expr::Var(QName { qualifier: None, name }) => {
                Some(Name { symbol: name, place: self.tree.place(expr) })
            }
            Expr::Con(QName { qualifier: None, name }) if self.dialect == Dialect::Curry => {
                Some(Name { symbol: name, place: self.tree.place(expr) })
            }
            _ => None,
        }
    }

    /// The function that a left side is about. At the top of a Curry module there are no pattern bindings, and
    /// functions may begin with a capital letter or a colon.
    fn defined(&self, head: ExprId) -> Option<Name> {
        let place = self.tree.place(head);
        match *self.tree.get(head) {
            Expr::Var(QName { qualifier: None, name }) => Some(Name { symbol: name, place }),
            Expr::Con(QName { qualifier: None, name })
                if self.dialect == Dialect::Curry && self.layout.len() == 1 =>
            {
                Some(Name { symbol: name, place })
            }
            _ => None,
        }
    }

    /// The rest of a declaration that begins with names: a signature, `free` or `external`.
    fn names_decl(&mut self, first: Name, start: u32) -> Parse<Raw> {
        let mut names = vec![first];
        while self.eat(Kind::Comma) {
            names.push(self.var("a name")?);
        }
        let decl = match self.now {
            Kind::DoubleColon => {
                self.bump();
                let declared = self.type_()?;
                if self.now == Kind::Equals && names.len() == 1 {
                    let pattern = self.tree.add(Pat::Var(first.symbol), first.place);
                    return self.typed_binding(pattern, declared, start);
                }
                let names = self.list(&names);
                Decl::Signature { names, declared }
            }
            Kind::Free => {
                self.bump();
                Decl::Free(self.list(&names))
            }
            Kind::External => {
                self.bump();
                Decl::External(self.list(&names))
            }
            _ if self.dialect == Dialect::Curry => return Err(self.expected("`::`, `free` or `external`")),
            _ => return Err(self.expected("`::`")),
        };
        Ok(Raw::Decl(self.add(decl, start)))
    }

    /// `(x, y) :: t = e`, after the pattern.
    fn typed_pattern(&mut self, left: ExprId, mark: Mark) -> Parse<Raw> {
        let place = self.tree.place(left);
        if self.now != Kind::DoubleColon || !matches!(self.tree.get(left), Expr::Tuple(_) | Expr::Paren(_)) {
            return Err(self.not_a_name(place));
        }
        let pattern = self.turn_into_pattern(left, mark)?;
        self.bump();
        let declared = self.type_()?;
        if self.now != Kind::Equals {
            return Err(self.not_a_name(place));
        }
        self.typed_binding(pattern, declared, place.start)
    }

    /// The rest of `x :: t = e`.
    fn typed_binding(&mut self, pattern: PatId, declared: TypeId, start: u32) -> Parse<Raw> {
        let pattern = self.add(Pat::Typed(pattern, declared), start);
        let rhs = self.rhs(Kind::Equals, start)?;
        Ok(Raw::Decl(self.add(Decl::Pattern { pattern, rhs }, start)))
    }

    #[cold]
    fn not_a_name(&mut self, place: Place) -> Reported {
        let message = match self.now {
            Kind::DoubleColon => "only the type of a name can be declared",
            _ => "expected a name",
        };
        self.reject(place, message, "A declaration begins with a name, or several with `,` between them.")
    }

    /// Complains about a left side without a right one.
    #[cold]
    fn no_rhs(&mut self, left: ExprId) -> Reported {
        let place = self.tree.place(left);
        if matches!(self.now, Kind::VirtualSemicolon | Kind::VirtualClose | Kind::End | Kind::Semicolon) {
            return self.reject(
                place,
                "this is neither a definition nor a type signature",
                "A definition has `=`, a type signature `::`; a line that goes on with the one before is indented further.",
            );
        }
        self.expected("`=`, `|` or `::`")
    }

    /// What a left side defines.
    fn lhs(&mut self, left: ExprId) -> Parse<Lhs> {
        if let Some(name) = self.defined(left) {
            return Ok(Lhs::Function(name, Vec::new()));
        }
        match *self.tree.get(left) {
            Expr::Apply { function, arguments } => {
                let arguments = self.tree.list(arguments).to_vec();
                self.function_lhs(left, function, &arguments)
            }
            Expr::Infix(items) => {
                let items = self.tree.list(items).to_vec();
                self.tree.set(left, Expr::Missing);
                self.infix_lhs(&items)
            }
            _ => Ok(Lhs::Pattern(self.convert(left)?)),
        }
    }

    /// `f p q`, `(x + y) z`, or `C p q`.
    fn function_lhs(&mut self, left: ExprId, function: ExprId, arguments: &[ExprId]) -> Parse<Lhs> {
        if let Some(name) = self.defined(function) {
            return Ok(Lhs::Function(name, self.convert_all(arguments)?));
        }
        match *self.tree.get(function) {
            Expr::Var(_) => {
                let place = self.tree.place(function);
                Err(self.reject(
                    place,
                    "a definition names its function without qualifier",
                    "Remove the qualifier.",
                ))
            }
            Expr::Paren(inner) => match self.lhs(inner)? {
                Lhs::Function(name, mut patterns) if !patterns.is_empty() => {
                    patterns.extend(self.convert_all(arguments)?);
                    Ok(Lhs::Function(name, patterns))
                }
                _ => {
                    let place = self.tree.place(left);
                    Err(self.reject(
                        place,
                        "this is not the left side of a definition",
                        "Name the function first, then its parameters.",
                    ))
                }
            },
            _ => Ok(Lhs::Pattern(self.convert(left)?)),
        }
    }

    /// `x + y`, `f !x`, or a pattern such as `x : xs`.
    fn infix_lhs(&mut self, items: &[Item]) -> Parse<Lhs> {
        let mut operators = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if let Item::Operator(operator) = *item
                && (matches!(self.tree.get(operator), Expr::Var(_)) || self.defined(operator).is_some())
                && !self.is_strict_argument(items, index)
            {
                operators.push((index, operator));
            }
        }
        match operators[..] {
            [] if matches!(items.first(), Some(Item::Operand(_))) && self.is_strict_argument(items, 1) => {
                let (head, patterns, next) = self.spine(items, 0)?;
                match self.defined(head) {
                    Some(name) if next == items.len() => Ok(Lhs::Function(name, patterns)),
                    _ => Ok(Lhs::Pattern(self.convert_items(items)?)),
                }
            }
            [] => Ok(Lhs::Pattern(self.convert_items(items)?)),
            [(index, operator)] => {
                let place = self.tree.place(operator);
                let Some(name) = self.defined(operator) else {
                    return Err(self.reject(
                        place,
                        "a definition names its operator without qualifier",
                        "Remove the qualifier.",
                    ));
                };
                let left = self.convert_items(&items[..index])?;
                let right = self.convert_items(&items[index + 1..])?;
                Ok(Lhs::Function(name, vec![left, right]))
            }
            [(_, first), (_, second), ..] => Err(self.two_operators(first, second)),
        }
    }

    #[cold]
    fn two_operators(&mut self, first: ExprId, second: ExprId) -> Reported {
        let first: Place = self.tree.place(first);
        let second = self.tree.place(second);
        self.complained_at = self.at;
        self.report.add(|report| {
            gadfly_source::Diagnostic::error("a definition has only one operator of its own")
                .at(report.span(second), "a second one")
                .and(report.span(first), "the first one")
                .with_hint("Put the operands that are patterns in parentheses.")
        });
        Reported
    }
}
