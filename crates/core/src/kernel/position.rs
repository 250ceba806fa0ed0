//! Positions: where in its function an expression stands (S4 §5.3.2).

use super::{ExprId, FunId, Program};

impl Program {
    /// The position of an expression in its function's body, as a sequence of numbers; the body itself has the empty
    /// one. `None` if the expression is not in the function.
    pub fn path(&self, function: FunId, expr: ExprId) -> Option<Vec<u32>> {
        let body = self.function(function).body;
        // A node of the search: an expression, the place of its parent on the list, and its own numbers.
        let mut found = vec![(body, 0, (0, None))];
        let mut at = 0;
        while found.get(at)?.0 != expr {
            let parent = at;
            self.parts(found[at].0, |part| found.push((part.expr, parent, (part.place, part.inner))));
            at += 1;
        }
        let mut path = Vec::new();
        while at != 0 {
            let (_, parent, (place, inner)) = found[at];
            path.extend(inner);
            path.push(place);
            at = parent;
        }
        path.reverse();
        Some(path)
    }
}
