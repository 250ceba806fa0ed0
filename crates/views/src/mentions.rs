//! Which constants a rule's text mentions.
//!
//! The tables say which constants a function uses. Where its text names one, it is known in which of its rules: the base
//! case of a function that fills a table does not use the table. A constant that is used without being named (by way of a
//! dictionary, or of a trusted function) may be used by every rule.

use gadfly_trail::model::{ExpressionKind, Operand, Origin, Tables};
use rustc_hash::FxHashMap;

/// By function and constant, the rules that name the constant; 0 is what comes before a rule is chosen.
#[derive(Debug, Default)]
pub(super) struct Mentions(FxHashMap<(u32, u32), Vec<u32>>);

impl Mentions {
    pub(super) fn new(tables: &Tables) -> Mentions {
        let mut found = FxHashMap::default();
        for expression in &tables.expressions {
            let Some(function) = owner(tables, expression.function) else { continue };
            let constants = &tables.functions[function as usize].constants;
            named(&expression.kind, |named| {
                if constants.contains(&named) {
                    let rules: &mut Vec<u32> = found.entry((function, named)).or_default();
                    rules.push(expression.rule.0);
                }
            });
        }
        Mentions(found)
    }

    /// Whether a rule of a function may use one of the function's constants.
    pub(super) fn may_use(&self, function: u32, rule: Option<u32>, constant: u32) -> bool {
        match (self.0.get(&(function, constant)), rule) {
            (Some(rules), Some(rule)) => rules.contains(&0) || rules.contains(&rule),
            _ => true,
        }
    }
}

/// The function whose text a piece of code comes from: what desugaring made belongs to the function it was made for.
fn owner(tables: &Tables, function: u32) -> Option<u32> {
    let mut at = function;
    while tables.functions[at as usize].origin == Origin::Hidden {
        at = tables.functions[at as usize].parent?;
    }
    Some(at)
}

/// The functions that an expression names.
fn named(kind: &ExpressionKind, mut visit: impl FnMut(u32)) {
    let operands = match kind {
        ExpressionKind::Call(function, operands) | ExpressionKind::Partial(function, operands) => {
            visit(*function);
            operands
        }
        ExpressionKind::Apply(function, operands) => {
            if let Operand::Function(function) = function {
                visit(*function);
            }
            operands
        }
        ExpressionKind::Construct(_, operands) | ExpressionKind::Primitive(_, operands) => operands,
        _ => return,
    };
    for operand in operands {
        if let Operand::Function(function) = operand {
            visit(*function);
        }
    }
}
