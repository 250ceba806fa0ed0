//! How wide things are on one line, as far as anybody wants to know.
//!
//! A measurement stops at a cap, so that a list of ten million elements is known to be "wider than 80" after 80
//! columns. What it learnt on the way is kept, exact widths and lower bounds alike: a chain a thousand deep, measured
//! again at every level, costs what one measurement costs.

use super::form::{Branch, Form, Node, Scene};
use std::collections::HashMap;

/// The widths learnt so far.
#[derive(Debug, Default)]
pub(super) struct Widths {
    known: HashMap<Node, Width>,
}

#[derive(Clone, Copy, Debug)]
struct Width {
    columns: usize,
    /// Whether that is all, or only what had been seen when the measurement stopped.
    exact: bool,
}

struct Frame<'a> {
    node: Node,
    branch: Branch<'a>,
    next: usize,
    columns: usize,
}

impl Widths {
    /// The columns a node takes on one line; any number above `cap` if it takes more.
    pub(super) fn of(&mut self, scene: &Scene<'_>, node: Node, cap: usize) -> usize {
        let mut stack: Vec<Frame<'_>> = Vec::new();
        let mut total = 0usize;
        let mut visit = Some(node);
        loop {
            if let Some(node) = visit.take() {
                let columns = self.known(node, cap - total).unwrap_or_else(|| match scene.form(node) {
                    Form::Leaf(text) => text.width(cap - total),
                    Form::Branch(branch) => {
                        stack.push(Frame { node, branch, next: 0, columns: 0 });
                        branch.frame(branch.count(), cap)
                    }
                });
                total = total.saturating_add(columns);
                if let Some(frame) = stack.last_mut() {
                    frame.columns = frame.columns.saturating_add(columns);
                }
            }
            if total > cap {
                self.give_up(&stack);
                return total;
            }
            let Some(frame) = stack.last_mut() else { return total };
            if frame.next < frame.branch.count() {
                let child = scene.child(&frame.branch, frame.next);
                let place = frame.branch.place(frame.next);
                frame.next += 1;
                if scene.parenthesised(child, place) {
                    frame.columns += 2;
                    total += 2;
                }
                visit = (total <= cap).then_some(child);
            } else if let Some(done) = stack.pop() {
                self.known.insert(done.node, Width { columns: done.columns, exact: true });
                if let Some(parent) = stack.last_mut() {
                    parent.columns = parent.columns.saturating_add(done.columns);
                }
            }
        }
    }

    /// What an earlier measurement found, if that says enough.
    fn known(&self, node: Node, cap: usize) -> Option<usize> {
        self.known.get(&node).filter(|width| width.exact || width.columns > cap).map(|width| width.columns)
    }

    /// Keeps what was seen of the nodes that are wider than the cap.
    fn give_up(&mut self, stack: &[Frame<'_>]) {
        let mut columns = 0usize;
        for frame in stack.iter().rev() {
            columns = columns.saturating_add(frame.columns);
            let known = self.known.entry(frame.node).or_insert(Width { columns: 0, exact: false });
            if !known.exact {
                known.columns = known.columns.max(columns);
            }
        }
    }
}
