//! The algorithm of Haskell 2010 §10.6, with a stack of its own instead of recursion, over any kind of operand.

use super::Fixity;
use crate::tree::Associativity;

/// A part of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<N, O> {
    Operand(N),
    Operator(O, Fixity),
    /// The `-` of a negation; its first byte.
    Negate(u32),
}

/// What the parts of a chain become.
pub(super) trait Chain<N, O> {
    /// Operands and operators of one fixity, alternating.
    fn join(&mut self, fixity: Fixity, parts: &[Part<N, O>]) -> N;
    /// The negation that began at `start`.
    fn negate(&mut self, start: u32, operand: N) -> N;
    /// Two operators, or a negation and an operator, that do not say how they group.
    fn complain(&mut self, left: Part<N, O>, right: Part<N, O>);
}

/// An application that waits for its right operand: `a +`, `a + b -`, or `-`.
struct Open<N, O> {
    fixity: Fixity,
    /// Operands and operators so far; ends with an operator. Of a negation: just that.
    parts: Vec<Part<N, O>>,
}

/// The application that a chain means. The chain must be well formed: operands and operators alternate, and a
/// negation stands where an operand could.
pub(super) fn resolve<N: Copy, O: Copy>(chain: &[Part<N, O>], target: &mut impl Chain<N, O>) -> N {
    // The precedences of the stack increase from bottom to top, so it holds at most eleven applications.
    let mut stack: Vec<Open<N, O>> = Vec::new();
    let mut current = None;
    for &part in chain {
        match part {
            Part::Operand(operand) => current = Some(operand),
            Part::Negate(_) => match stack.last() {
                Some(open) if open.fixity.precedence >= Fixity::NEGATION.precedence => {
                    // Reported, and then left out: the rest of the chain is still worth resolving.
                    if let Some(&last) = open.parts.last() {
                        target.complain(last, part);
                    }
                }
                _ => stack.push(Open { fixity: Fixity::NEGATION, parts: vec![part] }),
            },
            Part::Operator(_, fixity) => {
                let Some(left) = current.take() else { continue };
                reduce(&mut stack, left, part, fixity, target);
            }
        }
    }
    let mut whole = current.expect("a chain ends with an operand");
    while let Some(open) = stack.pop() {
        whole = close(open, whole, target);
    }
    whole
}

/// Takes an operator with its left operand: closes what binds tighter, then waits for the right operand.
fn reduce<N: Copy, O: Copy>(
    stack: &mut Vec<Open<N, O>>,
    mut left: N,
    operator: Part<N, O>,
    fixity: Fixity,
    target: &mut impl Chain<N, O>,
) {
    while let Some(open) = stack.last_mut() {
        if open.fixity.precedence < fixity.precedence {
            break;
        }
        let negation = matches!(open.parts[..], [Part::Negate(_)]);
        if open.fixity.precedence == fixity.precedence {
            let groups = open.fixity.associativity == fixity.associativity
                && fixity.associativity != Associativity::None;
            if !groups && let Some(&last) = open.parts.last() {
                target.complain(last, operator);
            } else if !negation {
                open.parts.extend([Part::Operand(left), operator]);
                return;
            }
        }
        let Some(open) = stack.pop() else { break };
        left = close(open, left, target);
    }
    stack.push(Open { fixity, parts: vec![Part::Operand(left), operator] });
}

fn close<N: Copy, O: Copy>(mut open: Open<N, O>, right: N, target: &mut impl Chain<N, O>) -> N {
    if let [Part::Negate(start)] = open.parts[..] {
        return target.negate(start, right);
    }
    open.parts.push(Part::Operand(right));
    target.join(open.fixity, &open.parts)
}
