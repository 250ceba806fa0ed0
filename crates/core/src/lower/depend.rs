//! Dependencies between the declarations of a block: their order, and which are bound together.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::{Atom, Expr, ExprId, FunId, Program, VarId};

/// A declaration of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Declaration {
    /// The variables that it binds.
    pub(super) variables: Vec<VarId>,
    /// The function that it is.
    pub(super) function: Option<FunId>,
    /// What its variables are bound to, or its body.
    pub(super) exprs: Vec<ExprId>,
}

/// The declarations in mutually recursive groups, each group after those that it needs. Functions from
/// `first` on were made inside the block: a declaration that uses one needs whatever the function needs.
pub(super) fn groups(program: &Program, declarations: &[Declaration], first: FunId) -> Vec<Vec<usize>> {
    if declarations.len() == 1 {
        return vec![vec![0]];
    }
    let mut variables: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut functions: FxHashMap<FunId, usize> = FxHashMap::default();
    for (row, declaration) in declarations.iter().enumerate() {
        variables.extend(declaration.variables.iter().map(|&variable| (variable, row)));
        functions.extend(declaration.function.map(|function| (function, row)));
    }
    let needs: Vec<Vec<usize>> = declarations
        .iter()
        .map(|declaration| {
            let mut needs = Vec::new();
            let mut seen: FxHashSet<FunId> = FxHashSet::default();
            let mut work = declaration.exprs.clone();
            while let Some(expr) = work.pop() {
                let mut atom = |atom: Atom| match atom {
                    Atom::Variable(variable) => needs.extend(variables.get(&variable)),
                    Atom::Function(function) => match functions.get(&function) {
                        Some(&row) => needs.push(row),
                        None if function >= first && seen.insert(function) => {
                            work.push(program.function(function).body);
                        }
                        None => {}
                    },
                    Atom::Literal(_) | Atom::Constructor(_) => {}
                };
                program.walk(expr, |expr| {
                    program.arguments(expr).iter().for_each(|argument| atom(argument.atom));
                    match program.expr(expr) {
                        Expr::Atom(used) | Expr::Apply(used, _) => atom(used),
                        Expr::Call(function, _) | Expr::Partial(function, _) => {
                            atom(Atom::Function(function))
                        }
                        _ => {}
                    }
                });
            }
            needs.sort_unstable();
            needs.dedup();
            needs
        })
        .collect();
    components(&needs)
}

/// The strongly connected components of a graph, each after those that it leads to (Tarjan 1972).
fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut number = vec![NEW; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut is_open = vec![false; edges.len()];
    let mut found = Vec::new();
    let mut next = 0;
    for root in 0..edges.len() {
        if number[root] != NEW {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                number[node] = next;
                low[node] = next;
                next += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(&to) = edges[node].get(edge) {
                path.push((node, edge + 1));
                if number[to] == NEW {
                    path.push((to, 0));
                } else if is_open[to] {
                    low[node] = low[node].min(number[to]);
                }
                continue;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                let at = open.iter().rposition(|&other| other == node).unwrap_or(0);
                let mut component = open.split_off(at);
                component.iter().for_each(|&member| is_open[member] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_come_after_what_they_lead_to() {
        let edges = [vec![1], vec![2, 3], vec![1], vec![], vec![0, 4]];
        assert_eq!(components(&edges), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
