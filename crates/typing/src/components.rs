//! Strongly connected components, in the order of dependencies (Tarjan's algorithm without recursion).

/// The groups of rows that depend on each other, each after those that it depends on. Rows of a group, and groups
/// that do not depend on each other, stand in the order of their numbers as far as dependencies allow.
pub(crate) fn sort(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: u32 = u32::MAX;
    let mut numbers = vec![NEW; edges.len()];
    let mut low = vec![0u32; edges.len()];
    let mut on_stack = vec![false; edges.len()];
    let mut stack: Vec<usize> = Vec::new();
    let mut groups = Vec::new();
    let mut next = 0u32;
    for root in 0..edges.len() {
        if numbers[root] != NEW {
            continue;
        }
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some(&mut (at, ref mut edge)) = path.last_mut() {
            if *edge == 0 {
                numbers[at] = next;
                low[at] = next;
                next += 1;
                stack.push(at);
                on_stack[at] = true;
            }
            if let Some(&to) = edges[at].get(*edge) {
                *edge += 1;
                if numbers[to] == NEW {
                    path.push((to, 0));
                } else if on_stack[to] {
                    low[at] = low[at].min(numbers[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[at]);
            }
            if low[at] == numbers[at] {
                let start = stack.iter().rposition(|&row| row == at).unwrap_or(0);
                let mut group: Vec<usize> = stack.drain(start..).collect();
                for &row in &group {
                    on_stack[row] = false;
                }
                group.sort_unstable();
                groups.push(group);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::sort;

    #[test]
    fn groups_come_after_what_they_need() {
        // 0 → 2 → 1 → 2, and 3 alone.
        assert_eq!(sort(&[vec![2], vec![2], vec![1], vec![]]), [vec![1, 2], vec![0], vec![3]]);
        assert_eq!(sort(&[]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<Vec<usize>> = (0..100_000).map(|row| vec![(row + 1) % 100_000]).collect();
        assert_eq!(sort(&edges).len(), 1);
    }
}
