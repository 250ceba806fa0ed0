//! The views of a recorded run: its execution tree, and what the tree's nodes say.
//!
//! Enter at [`view`]: a [`Trail`] and [`Options`] give a [`Viewed`], which has the same face as the
//! recording that an interchange file gives: a tree, its behaviours, sources, a style, a fingerprint.
//!
//! Definitions (S2 §4): the nodes of the tree are the *redexes* of recorded functions, that is the nodes of the ART of
//! which something became; the handle of a tree node is its [`NodeId`]. In the evaluation dependency tree (EDT) a redex
//! hangs under the redex that made the application, and functional values are shown as partial applications; in the
//! function dependency tree (FDT) it hangs under the redex that made the *function symbol*, and functional values are
//! shown as finite maps. For first-order programs the two are the same.
//!
//! What this room decides beyond the papers:
//!
//! - Children stand in the order of the source ([`Order`]), several from one place in the order of their creation.
//! - What has no parent in the tree hangs under the root: a constant is computed on behalf of the redex that needs it first.
//!   [`gadfly_tree::Behaviours::uses`] gives the constants that a node's code uses, so that they can be asked about too.
//! - A redex whose evaluation was cut off is in the tree, as one that never ended.
//! - `Auto` is the FDT where the run has functional values at all, else the EDT.
//!
//! The files:
//!
//! | file | what it does |
//! | --- | --- |
//! | `gather` | one pass over the trail: what a tree may be made of, in columns |
//! | `functions` | which function an application applies, and who made its symbol |
//! | `select` | who is in the tree, and under whom |
//! | `order` | the order of children, from the positions of the code |
//! | `place` | from parents and order to preorder |
//! | `rules` | equations of functions as the rules of a tree |
//! | `follow` | what became of a node in the end |
//! | `equation`, `values`, `lists`, `maps`, `actions` | what a node says: most evaluated forms (S2 Def. 7 to 9) |
//! | `containers`, `numbers`, `raised`, `names` | how arrays and trees, numbers, exceptions and functions are written |
//! | `mentions` | which rules name which constants |
//! | `symptoms` | where a session can begin |
//! | `strict` | what a call of a strict program says, and the inside of one call as a tree of its own |

mod actions;
mod behaviours;
mod columns;
mod containers;
mod equation;
mod follow;
mod functions;
mod gather;
mod lists;
mod maps;
mod mentions;
mod names;
mod numbers;
mod order;
mod paths;
mod place;
mod raised;
mod rounds;
mod rules;
mod select;
mod strict;
mod symptoms;
mod types;
mod values;

pub use behaviours::RunBehaviours;
pub use rounds::Endless;
pub use strict::inside::zoom;

use gadfly_source::{SourceFile, Sources};
use gadfly_term::render::Style;
use gadfly_trail::Trail;
use gadfly_trail::model::{self, NodeId, Tables};
use gadfly_tree::{About, Behaviours, Node, Recording, RuleId, Tree};
use std::sync::Arc;
use std::thread;
use thiserror::Error;

/// How redexes are related, and how functional values are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// The evaluation dependency tree: functional values are partial applications.
    Edt,
    /// The function dependency tree: functional values are finite maps.
    Fdt,
    /// The FDT if the run has functional values, else the EDT.
    #[default]
    Auto,
}

/// How the children of a node are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// As the calls begin in the source: in `a (b c)`, `a` comes before `b`.
    #[default]
    Outermost,
    /// As the calls end in the source: in `a (b c)`, `b` comes before `a`.
    Innermost,
}

/// Which view of a run is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Which tree.
    pub view: View,
    /// The order of children.
    pub order: Order,
    /// The root: only this redex and what hangs under it. A node that is not a redex stands for the redex that made it.
    pub start: Option<NodeId>,
}

/// A run of which no tree can be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    /// There is no redex.
    #[error("nothing was recorded: no function that is not trusted was evaluated")]
    Empty,
    /// Nodes of a tree have numbers of 32 bits.
    #[error("the run has more than {most} recorded reductions, too many for one tree")]
    TooMany {
        /// How many there may be.
        most: u64,
    },
}

impl ViewError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            ViewError::Empty => "trust less, or run something that uses your own functions",
            ViewError::TooMany { .. } => "record with more functions trusted, or run on a smaller input",
        }
    }
}

/// A recorded run as a tree.
#[derive(Debug)]
pub struct Viewed {
    /// The execution tree; its handles are numbers of nodes of the trail.
    pub tree: Arc<Tree>,
    /// The language and what was run.
    pub about: About,
    /// The source files, with the texts they had when the program was run.
    pub sources: Sources,
    /// What the nodes say.
    pub behaviours: Arc<RunBehaviours>,
    /// A hash of the trail and of how it is viewed: sessions with the same one are about the same nodes.
    pub fingerprint: u128,
    /// Which tree it is; never [`View::Auto`].
    pub view: View,
    /// Rules of functions that are not at the top of a module.
    local: Vec<RuleId>,
}

/// Makes the tree of a run.
pub fn view(trail: Arc<Trail>, options: &Options) -> Result<Viewed, ViewError> {
    let tables = trail.tables();
    let mut sources = Sources::new();
    for file in &tables.files {
        sources.add(SourceFile::new(file.path.as_str(), Some(file.text.clone())));
    }
    let ranks = order::Ranks::new(tables, options.order);
    let gathered = gather::gather(&trail, &ranks)?;
    let reduced = gathered.reduced;
    let (selected, buffers) = thread::scope(|scope| {
        let buffers = scope.spawn(|| place::Buffers::new(reduced + 1));
        let selected = select::select(&trail, gathered, rules::Rules::new(tables, &sources), options);
        (selected, buffers.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let selected = selected?;
    let (view, local) = (selected.view, selected.rules.local());
    let (tree, constants) = place::place(selected, buffers, ranks.count());
    let about = about(tables);
    let fingerprint = fingerprint(&trail, options, view);
    let behaviours = Arc::new(RunBehaviours::new(trail, view, sources.clone(), constants));
    let tree = Arc::new(tree);
    Ok(Viewed { tree, about, sources, behaviours, fingerprint, view, local })
}

/// What a trail says about itself.
fn about(tables: &Tables) -> About {
    About {
        language: tables.language.clone(),
        program: Some(tables.command.clone()).filter(|command| !command.is_empty()),
        style: match tables.style {
            model::Style::Juxtaposed => Style::Juxtaposed,
            model::Style::Called => Style::Called,
        },
    }
}

/// A hash of what a trail says: its tables, its size, and some of its nodes.
fn fingerprint(trail: &Trail, options: &Options, view: View) -> u128 {
    const SAMPLES: u64 = 1 << 10;
    let tables = trail.tables();
    let mut text =
        format!("{:?} {view:?} {} {:?}", (options.order, options.start), trail.node_count(), trail.end());
    for part in [&tables.language, &tables.command] {
        text.push_str(part);
    }
    for file in &tables.files {
        text.push_str(&file.path);
        text.push_str(&file.text);
    }
    let mut references = Vec::new();
    for sample in 0..SAMPLES.min(trail.node_count()) {
        let node =
            NodeId(1 + (u128::from(sample) * u128::from(trail.node_count()) / u128::from(SAMPLES)) as u64);
        references.clear();
        trail.references(node, &mut references);
        text.push_str(&format!("{:?}{:?}{references:?}", trail.shape_id(node), trail.parent(node)));
    }
    xxhash_rust::xxh3::xxh3_128(text.as_bytes())
}

impl Recording for Viewed {
    fn about(&self) -> &About {
        &self.about
    }

    fn view(&self) -> &'static str {
        if self.view == View::Fdt { "fdt" } else { "edt" }
    }

    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    fn behaviours(&self) -> Arc<dyn Behaviours> {
        Arc::clone(&self.behaviours) as Arc<dyn Behaviours>
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }
}

impl Viewed {
    /// The recorded run.
    pub fn trail(&self) -> &Arc<Trail> {
        self.behaviours.trail()
    }

    /// The rules of local functions, lambdas and sections: to ask about top-level functions only, these are seen through
    /// (in the FDT that is sound; S2 §9), and to go on into a top-level function that was found, they no longer are.
    pub fn local_rules(&self) -> &[RuleId] {
        &self.local
    }

    /// The tree's node for a node of the trail: itself, or the first redex above it that is in the tree.
    pub fn node_of(&self, id: NodeId) -> Option<Node> {
        symptoms::node_of(&self.tree, self.trail(), id)
    }

    /// The redex that raised the exception with which the run, or the root's evaluation, ended: the deepest one.
    pub fn raiser(&self) -> Option<Node> {
        symptoms::raiser(&self.tree, self.trail())
    }

    /// The redex on whose behalf a byte of the standard output was written.
    pub fn writer(&self, offset: u64) -> Option<Node> {
        let id = self.behaviours.writer(offset)?;
        self.node_of(id)
    }

    /// What the program wrote to its standard output, as far as the trail has it: pieces with their offsets, in order.
    pub fn output(&self) -> Vec<(u64, Vec<u8>)> {
        self.behaviours.output()
    }
}
