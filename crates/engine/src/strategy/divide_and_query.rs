//! Divide & query (Shapiro 1982; S0 §3.3): the heaviest node that weighs at most half of the suspicious area.

use super::{Context, Pick, Reason, Strategy, divide::split};
use crate::Counted;

pub(super) struct DivideAndQuery;

impl Strategy for DivideAndQuery {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let split = split(context.area, &Counted::new(context.area))?;
        let (node, inside) = split.below.or(split.above)?;
        Some(Pick { node, reason: Reason::Divides { inside, of: split.whole } })
    }
}
