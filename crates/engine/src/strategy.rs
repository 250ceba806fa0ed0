//! Strategies: which node to ask about next. One file each; each says where it comes from.
//!
//! Enter at [`StrategyName`], the closed list of what there is, and [`Strategy`], what each of them does. A strategy
//! keeps no state of its own: what it picks follows from the suspicious area, the rules' history and the last question,
//! so strategies can be switched in the middle of a session and an undo needs nothing from them.
//!
//! Two more have their names here and need the trail of a recorded run, which follows values to where they came from:
//! `subterm` (subterm dependency tracking, S0 §3.5) and `dynamic-weighting` (S0 §3.6).

mod auto;
mod biased;
mod combined;
mod descend;
mod divide;
mod divide_and_query;
mod divide_by_yes;
mod dynamic;
mod exception_zooming;
mod hat_delta;
mod heaviest_first;
mod hirunkitti;
mod less_yes_first;
mod optimal;
mod single_stepping;
mod sweep;
mod top_down;
mod top_down_zooming;

pub use biased::Bias;
pub use combined::Addends;

use crate::{Area, Counted, History, Measure, Scratch};
use gadfly_source::nearest;
use gadfly_tree::Node;
use std::{fmt, str::FromStr};
use thiserror::Error;

/// What a strategy may look at.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The suspicious area.
    pub area: Area<'a>,
    /// What the answers so far say about each rule; counted only for strategies that use it.
    pub history: &'a History,
    /// The node asked about last.
    pub last: Option<Node>,
    /// Weights by kind of node.
    pub bias: &'a Bias,
    /// How strategies combine.
    pub addends: &'a Addends,
    /// How hard a node's equation is to read.
    pub effort: &'a dyn Fn(Node) -> u32,
    /// Memory for weighing.
    pub scratch: &'a Scratch,
}

/// A node to ask about, and why this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The node.
    pub node: Node,
    /// Why.
    pub reason: Reason,
}

/// Why a node was picked, in numbers where there are any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It stands for the whole program.
    Start,
    /// The user has seen something go wrong there.
    Symptom,
    /// The user wants to be asked about it.
    Requested,
    /// It is a constant that the code of a wrong node uses, computed on behalf of another.
    Used,
    /// It comes next from the top, left to right.
    FromTheTop,
    /// It comes next from the bottom, left to right.
    FromTheBottom,
    /// It is a call of the function that is known to go wrong.
    SameFunction,
    /// It ended in an exception.
    Raised,
    /// It holds the most of what is suspicious below the wrong node: so many of so many nodes.
    Heaviest {
        /// Nodes below it, itself included.
        inside: u64,
        /// Nodes without an answer.
        of: u64,
    },
    /// It holds the most of what is likely to be wrong, by the answers so far: a share in percent.
    LikelyBranch {
        /// Percent of the suspicion below the wrong node.
        percent: u64,
    },
    /// It divides the suspicious nodes.
    Divides {
        /// Nodes below it, itself included.
        inside: u64,
        /// Nodes without an answer.
        of: u64,
    },
    /// It divides the suspicion, weighed by the answers so far or by kind: a share in percent.
    DividesWeight {
        /// Percent of the suspicion.
        percent: u64,
    },
    /// Its rule is the one most likely to be wrong, by the answers so far.
    LikelyRule {
        /// How often its rule was executed correctly.
        right: u32,
        /// How often its rule was executed wrongly.
        wrong: u32,
    },
    /// It divides the suspicious nodes nearly as well as any, and of those that do it is the least to read.
    Easy {
        /// Nodes below it, itself included.
        inside: u64,
        /// Nodes without an answer.
        of: u64,
    },
    /// Nobody could answer for it before, and nothing else is left.
    Again,
    /// It is a row of a table that is asked about row by row.
    OneByOne,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Start => write!(f, "it is the whole program, and nothing is known yet to be wrong"),
            Reason::Symptom => write!(f, "what you saw go wrong came from it"),
            Reason::Requested => write!(f, "you asked for it"),
            Reason::Used => write!(
                f,
                "what is wrong uses it, though it was computed on behalf of another: if it is right, the bug is found"
            ),
            Reason::FromTheTop => write!(f, "it is the next one from the top, left to right"),
            Reason::FromTheBottom => write!(f, "it is the next one from the bottom, left to right"),
            Reason::SameFunction => write!(f, "it is a call of the same function that is known to go wrong"),
            Reason::Raised => write!(f, "it ended in an exception"),
            Reason::Heaviest { inside, of } => {
                write!(
                    f,
                    "of the parts of the wrong result it is the largest: {inside} of {} without an answer",
                    nodes(*of)
                )
            }
            Reason::LikelyBranch { percent } => {
                write!(
                    f,
                    "by the answers so far {percent}% of the suspicion is in it, more than in its siblings"
                )
            }
            Reason::Divides { inside: 1, of: 1 } | Reason::Easy { inside: 1, of: 1 } => {
                write!(f, "it is the only node left to ask about")
            }
            Reason::Divides { inside, of } => write!(
                f,
                "it divides the {} without an answer: {inside} in it, {} outside",
                nodes(*of),
                of.saturating_sub(*inside)
            ),
            Reason::DividesWeight { percent } => {
                write!(f, "it divides the suspicion: {percent}% of it is inside")
            }
            Reason::LikelyRule { right: 0, wrong: 0 } => write!(f, "nothing is known yet of its rule"),
            Reason::LikelyRule { right, wrong } => write!(
                f,
                "its rule is the most suspect: executed correctly {right} times and wrongly {wrong} times so far"
            ),
            Reason::Easy { inside, of } if inside == of => {
                write!(f, "it holds all {} without an answer, and takes the least reading", nodes(*of))
            }
            Reason::Easy { inside, of } => write!(
                f,
                "it divides the {} without an answer nearly as well as any, {inside} in it and {} outside, and \
                 of those that do, it takes the least reading",
                nodes(*of),
                of.saturating_sub(*inside)
            ),
            Reason::Again => write!(f, "nobody could answer it before, and nothing else is left"),
            Reason::OneByOne => write!(f, "it is the next row of the table"),
        }
    }
}

/// `1 node`, `2 nodes`.
fn nodes(count: u64) -> String {
    format!("{count} node{}", if count == 1 { "" } else { "s" })
}

/// Picks the next node to ask about.
pub trait Strategy {
    /// A node of the area that may be asked; `None` only if there is none.
    fn pick(&self, context: &Context<'_>) -> Option<Pick>;

    /// Whether [`Context::history`] must be up to date.
    fn uses_history(&self) -> bool {
        false
    }

    /// Whether several siblings may be asked as one table. A strategy that must not ask about a node before its
    /// children were asked says no, and then only leaves are put together.
    fn may_ask_inner_siblings(&self) -> bool {
        true
    }
}

/// The root, if nothing was found wrong yet and it may be asked: where every strategy from the top begins.
fn unasked_root(area: Area<'_>) -> Option<Pick> {
    (!area.focus_wrong && area.is_askable(area.focus))
        .then_some(Pick { node: area.focus, reason: Reason::Start })
}

/// How many suspicious nodes the area has, and how many of them are in a node's subtree.
fn inside_and_of(area: Area<'_>, measure: &Counted<'_>, node: Node) -> (u64, u64) {
    (measure.weight(area.tree, node), measure.weight(area.tree, area.focus))
}

/// A share in percent, without rounding up to the whole.
fn percent(part: u64, whole: u64) -> u64 {
    (u128::from(part) * 100 / u128::from(whole.max(1))) as u64
}

macro_rules! strategies {
    ($($variant:ident, $name:literal, $what:literal, $strategy:expr;)*) => {
        /// The strategies there are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StrategyName {
            $(#[doc = $what] $variant,)*
        }

        impl StrategyName {
            /// All of them.
            pub const ALL: &'static [StrategyName] = &[$(StrategyName::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(StrategyName::$variant => $name,)* }
            }

            /// What it does, in a line.
            pub fn describe(self) -> &'static str {
                match self { $(StrategyName::$variant => $what,)* }
            }

            /// The strategy itself.
            pub fn strategy(self) -> &'static dyn Strategy {
                match self { $(StrategyName::$variant => &$strategy,)* }
            }
        }
    };
}

strategies! {
    SingleStepping, "single-stepping", "bottom up, left to right (Shapiro 1982)", single_stepping::SingleStepping;
    TopDown, "top-down", "from the top, left to right (Av-Ron 1984)", top_down::TopDown;
    TopDownZooming, "top-down-zooming", "from the top, recursive calls first (Maeji and Kanamori 1987)",
        top_down_zooming::TopDownZooming;
    ExceptionZooming, "exception-zooming", "from the top, what raised an exception first (MacLarty 2005)",
        exception_zooming::ExceptionZooming;
    HeaviestFirst, "heaviest-first", "from the top, the largest subtree first (Binks 1995)",
        heaviest_first::HeaviestFirst;
    LessYesFirst, "less-yes-first", "from the top, the likeliest subtree by earlier answers first (Silva 2006)",
        less_yes_first::LessYesFirst;
    DivideAndQuery, "divide-and-query", "halves the suspicious area, from below (Shapiro 1982)",
        divide_and_query::DivideAndQuery;
    Hirunkitti, "hirunkitti", "halves the suspicious area, from either side (Hirunkitti and Hogger 1993)",
        hirunkitti::Hirunkitti;
    Biased, "biased", "halves the suspicious area with weights by kind of node (MacLarty 2005)", biased::Biased;
    DivideByYes, "divide-by-yes", "halves the suspicion weighed by earlier answers (Silva 2006)",
        divide_by_yes::DivideByYes;
    HatDeltaYes, "hat-delta-yes", "the rule executed correctly least often (Davie and Chitil 2005)",
        hat_delta::HatDelta::Right;
    HatDeltaNo, "hat-delta-no", "the rule executed wrongly most often (Davie and Chitil 2005)",
        hat_delta::HatDelta::Wrong;
    HatDeltaRatio, "hat-delta-ratio", "the rule with the largest share of wrong executions (Davie and Chitil 2005)",
        hat_delta::HatDelta::Ratio;
    Optimal, "optimal", "least difference between what remains on either answer (Insa and Silva 2011)",
        optimal::Optimal;
    Combined, "combined", "a weighted combination of strategies (Silva 2006)", combined::Combined;
    Dynamic, "dynamic", "heaviest first in shallow areas, else Hirunkitti's (Silva 2006)", dynamic::Dynamic;
    Auto, "auto", "optimal, but prefers questions that are easy to answer (the default)", auto::Auto;
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not a strategy's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnknownStrategy {
    /// It needs the trail of a recorded run.
    #[error(
        "the strategy `{0}` follows values to where they came from and needs a recorded trail, not a tree alone"
    )]
    NeedsTrail(String),
    /// There is none of that name.
    #[error("there is no strategy `{0}`; {meant}", meant = meant(.0))]
    None(String),
}

/// The name that was probably meant, or all of them.
fn meant(name: &str) -> String {
    let names = || StrategyName::ALL.iter().map(|name| name.name());
    match nearest(name, names()) {
        Some(near) => format!("perhaps `{near}` is meant"),
        None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
    }
}

impl FromStr for StrategyName {
    type Err = UnknownStrategy;

    fn from_str(text: &str) -> Result<Self, UnknownStrategy> {
        if let Some(name) = StrategyName::ALL.iter().find(|name| name.name() == text) {
            return Ok(*name);
        }
        let text = text.chars().take(60).collect();
        Err(match text {
            text if text == "subterm" || text == "dynamic-weighting" => UnknownStrategy::NeedsTrail(text),
            text => UnknownStrategy::None(text),
        })
    }
}
