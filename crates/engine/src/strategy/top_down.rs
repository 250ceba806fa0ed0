//! Top-down search (Av-Ron 1984; S0 §3.2): follow the wrong results from the root, left to right.
//!
//! A child that nobody could answer for is passed over for its siblings; its own children come after them.

use super::{Context, Pick, Reason, Strategy, descend::first, unasked_root};

pub(super) struct TopDown;

impl Strategy for TopDown {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        unasked_root(context.area)
            .or_else(|| first(context.area, |_| true).map(|node| Pick { node, reason: Reason::FromTheTop }))
    }
}
