//! Views of recorded runs: the papers' examples, everything that can stand in an equation, and laws.

mod equations;
mod kept;
mod naive;
mod papers;
mod stage;

use gadfly_term::render::{Style, equation_line};
use gadfly_trail::Trail;
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::{Options, Order, View, Viewed, view};
use std::sync::Arc;

fn look(trail: Trail, shown: View, order: Order) -> Viewed {
    view(Arc::new(trail), &Options { view: shown, order, start: None }).expect("there is a tree")
}

/// The equation of a node.
fn line(viewed: &Viewed, node: Node) -> String {
    let behaviour = viewed.behaviours.behaviour(&viewed.tree, node, false).expect("it is in the trail");
    equation_line(&behaviour.equation, Style::Juxtaposed, 400).text
}

/// The tree, a line for every node.
fn picture(viewed: &Viewed) -> String {
    let tree = &viewed.tree;
    let mut depth = vec![0; tree.len() as usize];
    let mut lines = Vec::new();
    for node in (0..tree.len()).map(Node) {
        depth[node.index()] = tree.parent(node).map_or(0, |parent| depth[parent.index()] + 1);
        lines.push(format!("{}{}", "  ".repeat(depth[node.index()]), line(viewed, node)));
    }
    lines.join("\n")
}

/// Compares pictures, without the blanks at the left.
fn check(viewed: &Viewed, expected: &str) {
    let lines = expected.lines().filter(|line| !line.trim().is_empty());
    let indent = lines.clone().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let expected: Vec<&str> = lines.map(|line| &line[indent..]).collect();
    let found = picture(viewed);
    assert_eq!(found, expected.join("\n"), "\n{found}\n");
}
