//! How functions are written between their arguments.

use crate::Checked;
use crate::suspects::method_value;
use gadfly_core::kernel::{FunId, Function, Origin, Program};
use gadfly_source::Span;
use gadfly_syntax::Fixity;
use gadfly_syntax::names::Symbol;
use gadfly_syntax::tree::{Associativity, Place};
use gadfly_typing::interface::ModuleId;
use std::collections::HashMap;

/// Precedence, and associativity: 0 none, 1 left, 2 right.
pub(super) type Infix = (u8, u8);

/// The fixities that a program declares.
pub(super) struct Fixities<'a> {
    checked: &'a Checked,
    program: &'a Program,
    /// By module, those at its top and those of local functions; found when a module is first asked for.
    modules: HashMap<usize, Declared>,
}

struct Declared {
    top: HashMap<Symbol, Fixity>,
    local: Vec<(Symbol, Place, Fixity)>,
}

impl<'a> Fixities<'a> {
    pub(super) fn new(checked: &'a Checked, program: &'a Program) -> Fixities<'a> {
        Fixities { checked, program, modules: HashMap::new() }
    }

    /// How a function is written between two arguments: none if it is not.
    pub(super) fn of(&mut self, id: FunId, function: &Function) -> Option<Infix> {
        let name = self.program.text(function.name);
        let declared = self.declared(id, function, name);
        let default = is_operator(name).then_some(Fixity::DEFAULT);
        declared.or(default.filter(|_| is_named(function.origin))).map(infix)
    }

    fn declared(&mut self, id: FunId, function: &Function, name: &str) -> Option<Fixity> {
        let symbol = self.checked.interner.get(name)?;
        match function.origin {
            Origin::TopLevel | Origin::Field | Origin::Primitive => {
                self.module(function.module.index()).top.get(&symbol).copied()
            }
            Origin::Method { .. } | Origin::Default { .. } | Origin::Derived { .. } => {
                let method = method_value(self.checked, self.program, id)?;
                let module = self.checked.program.values[method].module;
                self.module(module.index()).top.get(&symbol).copied()
            }
            Origin::Local => self.module(function.module.index()).nearest(symbol, function.span),
            _ => None,
        }
    }

    fn module(&mut self, index: usize) -> &Declared {
        let syntax = &self.checked.program.modules[ModuleId::from_index(index)].syntax;
        self.modules.entry(index).or_insert_with(|| Declared {
            top: syntax.fixities().into_iter().collect(),
            local: syntax.local_fixities(),
        })
    }
}

impl Declared {
    /// The fixity of a local function: that of the smallest block around it.
    fn nearest(&self, symbol: Symbol, span: Span) -> Option<Fixity> {
        let around = |place: &Place| place.start <= span.start && span.end <= place.end;
        let blocks = self.local.iter().filter(|(name, place, _)| *name == symbol && around(place));
        blocks.min_by_key(|(_, place, _)| place.end - place.start).map(|(.., fixity)| *fixity)
    }
}

/// Whether the user gave it a name.
fn is_named(origin: Origin) -> bool {
    !matches!(origin, Origin::Lambda | Origin::Section | Origin::Hidden(_))
}

pub(super) fn infix(fixity: Fixity) -> Infix {
    let side = match fixity.associativity {
        Associativity::None => 0,
        Associativity::Left => 1,
        Associativity::Right => 2,
    };
    (fixity.precedence, side)
}

/// Whether a name is made of symbols.
fn is_operator(name: &str) -> bool {
    name.chars()
        .next()
        .is_some_and(|first| !first.is_alphanumeric() && !matches!(first, '_' | '(' | '[' | '\'' | '"'))
}
