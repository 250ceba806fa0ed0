//! Which of two things stays known that share a place.

/// What it took to look at something that is known, less what it took to look at others, since, that are not known because it is in their
/// place. Where two that share a place are met in turn, the dear one stays, and one that is not met again gives way at last.
#[derive(Clone, Copy, Default)]
pub(crate) struct EvictionCost(u32);

impl EvictionCost {
    /// Whether something gives way to another that took so much.
    #[inline]
    pub(crate) fn gives_way(&mut self, cost: u32) -> bool {
        let gives_way = self.0 <= cost;
        self.0 = if gives_way { cost } else { self.0 - cost };
        gives_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dear_one_stays_while_it_is_met() {
        let mut cost = EvictionCost::default();
        assert!(cost.gives_way(100));
        assert!(!cost.gives_way(60));
        // Met again, it costs what it did.
        assert!(!EvictionCost(100).gives_way(60));
    }

    #[test]
    fn one_that_is_not_met_again_gives_way_at_last() {
        let mut cost = EvictionCost(100);
        assert!(!cost.gives_way(40));
        assert!(!cost.gives_way(40));
        assert!(cost.gives_way(40));
        assert_eq!(cost.0, 40);
    }
}
