//! `gadfly tree`: the execution tree as text, JSON, a Graphviz graph or a picture.

mod colouring;
mod dot;
mod json;
mod svg;
mod text;

use crate::command::{Granularity, TreeArgs, TreeFormat};
use crate::debug::begin;
use crate::debug::subject::Subject;
use crate::input::{self, Wanted};
use crate::output;
use colouring::Colouring;
use gadfly_frontend::Failure;
use gadfly_source::Notation;
use gadfly_tree::transform::repeats_its_parent;
use gadfly_tree::{Node, Tree};
use std::io::Write as _;

pub(crate) fn run(args: &TreeArgs) -> Result<(), Failure> {
    let wanted = Wanted {
        file: &args.file,
        program: &args.program,
        view: &args.view,
        opening: &args.opening,
        trust: &args.strategy.trust,
        oracles: &[],
        oracle_timeout: None,
        person: false,
        resumes: false,
    };
    let recording = input::open(&wanted)?.recording;
    let subject = Subject::new(&recording);
    let tree = recording.tree();
    let top = match args.node {
        None => Node::ROOT,
        Some(number) => Node::from_number(number).filter(|node| tree.contains(*node)).ok_or_else(|| {
            Failure::usage(format!("there is no node {number}"))
                .with_hint(format!("the tree's nodes have the numbers 1 to {}", tree.len()))
        })?,
    };
    let colouring = Colouring::of(args, &subject)?;
    let mut hidden = vec![false; tree.rules().len()];
    if args.view.granularity == Some(Granularity::TopLevel) {
        for rule in begin::local_rules(&subject) {
            hidden[rule.0 as usize] = true;
        }
    }
    let depth = args.depth.unwrap_or(u32::MAX);
    let compressed = args.view.compresses();
    let part =
        Part { subject: &subject, colouring: &colouring, tree, top, depth, hidden: &hidden, compressed };
    let notation = if args.format == TreeFormat::Json { Notation::Json } else { Notation::Text };
    let mut out = output::stdout(notation);
    match args.format {
        TreeFormat::Text => text::write(&mut out, part)?,
        TreeFormat::Json => json::write(&mut out, part)?,
        TreeFormat::Dot => dot::write(&mut out, part)?,
        TreeFormat::Svg => svg::write(&mut out, part)?,
    }
    out.flush()?;
    Ok(())
}

/// The part of the tree that is shown, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    subject: &'a Subject<'a>,
    colouring: &'a Colouring,
    tree: &'a Tree,
    top: Node,
    /// Levels below the top.
    depth: u32,
    /// Rules whose nodes are seen through, by number.
    hidden: &'a [bool],
    /// Whether calls from a call of the same rule are.
    compressed: bool,
}

impl<'a> Part<'a> {
    /// The nodes in preorder, each with its level below the top.
    fn nodes(self) -> impl Iterator<Item = (Node, u32)> + 'a {
        let mut ends: Vec<u32> = Vec::new();
        let end = self.tree.subtree(self.top).end;
        let mut at = self.top.0;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            while self.is_hidden(Node(at)) {
                at += 1;
                if at >= end {
                    return None;
                }
            }
            let node = Node(at);
            while ends.last().is_some_and(|end| *end <= at) {
                ends.pop();
            }
            let level = ends.len() as u32;
            ends.push(self.tree.subtree(node).end);
            // At the deepest level shown, what is below is passed over.
            at = if level >= self.depth { self.tree.subtree(node).end } else { at + 1 };
            Some((node, level))
        })
    }

    /// Whether a node is seen through; where the picture begins, nothing is.
    fn is_hidden(self, node: Node) -> bool {
        let hidden = self.hidden[self.tree.rule_id(node).0 as usize]
            || self.compressed && repeats_its_parent(self.tree, node);
        node != self.top && hidden
    }

    /// The nearest node above that is shown.
    fn parent(self, node: Node) -> Option<Node> {
        let mut above = self.tree.parent(node)?;
        while self.is_hidden(above) {
            above = self.tree.parent(above)?;
        }
        Some(above)
    }
}
