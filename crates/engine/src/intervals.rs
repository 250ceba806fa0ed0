//! Sets of node indices as sorted, disjoint ranges: a few answers cover millions of nodes.

/// A set of indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    /// Sorted, disjoint, never touching each other.
    ranges: Vec<(u32, u32)>,
}

impl Intervals {
    pub(crate) fn clear(&mut self) {
        self.ranges.clear();
    }

    pub(crate) fn as_slice(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Adds `start..end`; what touches or overlaps becomes one range.
    pub(crate) fn insert(&mut self, start: u32, end: u32) {
        let first = self.ranges.partition_point(|range| range.1 < start);
        let last = self.ranges.partition_point(|range| range.0 <= end);
        let merged = self.ranges[first..last]
            .iter()
            .fold((start, end), |all, range| (all.0.min(range.0), all.1.max(range.1)));
        if last == first + 1 {
            self.ranges[first] = merged;
        } else {
            self.ranges.splice(first..last, [merged]);
        }
    }

    pub(crate) fn contains(&self, index: u32) -> bool {
        let after = self.ranges.partition_point(|range| range.0 <= index);
        after > 0 && index < self.ranges[after - 1].1
    }

    /// Keeps only what lies in `start..end`.
    pub(crate) fn clip(&mut self, start: u32, end: u32) {
        self.ranges.retain_mut(|range| {
            *range = (range.0.max(start), range.1.min(end));
            range.0 < range.1
        });
    }

    /// The parts of `start..end` that are not in the set, in order.
    pub(crate) fn gaps(&self, start: u32, end: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let first = self.ranges.partition_point(|range| range.1 <= start);
        let mut at = start;
        let mut ranges = self.ranges[first..].iter();
        let mut done = false;
        std::iter::from_fn(move || {
            while !done {
                let (from, to) = match ranges.next() {
                    Some(range) if range.0 < end => *range,
                    _ => {
                        done = true;
                        (end, end)
                    }
                };
                let gap = (at, from);
                at = to;
                if gap.0 < gap.1 {
                    return Some(gap);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ranges: &[(u32, u32)]) -> Intervals {
        let mut set = Intervals::default();
        for range in ranges {
            set.insert(range.0, range.1);
        }
        set
    }

    #[test]
    fn touching_ranges_become_one() {
        assert_eq!(of(&[(5, 7), (1, 2), (2, 5)]).as_slice(), [(1, 7)]);
        assert_eq!(of(&[(1, 2), (8, 9), (4, 5)]).as_slice(), [(1, 2), (4, 5), (8, 9)]);
        assert_eq!(of(&[(1, 2), (8, 9), (4, 5), (0, 20)]).as_slice(), [(0, 20)]);
        assert_eq!(of(&[(0, 20), (3, 4)]).as_slice(), [(0, 20)]);
    }

    #[test]
    fn gaps_are_what_is_left() {
        let set = of(&[(2, 4), (6, 8)]);
        assert_eq!(set.gaps(0, 10).collect::<Vec<_>>(), [(0, 2), (4, 6), (8, 10)]);
        assert_eq!(set.gaps(3, 7).collect::<Vec<_>>(), [(4, 6)]);
        assert_eq!(set.gaps(2, 4).count(), 0);
        assert!(set.contains(3) && !set.contains(4));
    }

    #[test]
    fn clipping_cuts_at_both_ends() {
        let mut set = of(&[(2, 4), (6, 8)]);
        set.clip(3, 7);
        assert_eq!(set.as_slice(), [(3, 4), (6, 7)]);
    }
}
