//! Heaviest first (Binks 1995; S0 §3.2): as top-down, but the child with the largest subtree comes first, because
//! small subtrees are less likely to hold the bug.

use super::{Context, Pick, Reason, Strategy, descend::heaviest, inside_and_of, unasked_root};
use crate::Counted;

pub(super) struct HeaviestFirst;

impl Strategy for HeaviestFirst {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        unasked_root(area).or_else(|| {
            let measure = Counted::new(area);
            let (node, _) = heaviest(area, &measure)?;
            let (inside, of) = inside_and_of(area, &measure, node);
            Some(Pick { node, reason: Reason::Heaviest { inside, of } })
        })
    }
}
