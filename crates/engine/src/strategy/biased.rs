//! Biased weighting divide & query (MacLarty 2005; S0 §3.3): as Hirunkitti's, but each kind of node has a weight of
//! its own. Mercury's debugger has thirteen kinds; ours are the kinds of [`Kind`].
//!
//! A kind that weighs nothing does not count in dividing, yet its nodes may hold the bug: when only such nodes are
//! left, every node counts the same.

use super::{
    Context, Pick, Reason, Strategy, divide::split_weighed, hirunkitti::Hirunkitti,
    hirunkitti::nearest_to_half, percent,
};
use crate::Weighed;
use gadfly_tree::Kind;
use std::{fmt, str::FromStr};
use thiserror::Error;

pub(super) struct Biased;

impl Strategy for Biased {
    fn pick(&self, context: &Context<'_>) -> Option<Pick> {
        let area = context.area;
        let weights = &context.bias.weights;
        let measure = Weighed::by_kind(area, context.scratch, weights);
        let unit = weights.iter().copied().max().map_or(1, u64::from);
        let Some(split) = split_weighed(area, &measure, unit, |_, _| {}) else {
            return Hirunkitti.pick(context);
        };
        let (node, weight) = nearest_to_half(&split)?;
        Some(Pick { node, reason: Reason::DividesWeight { percent: percent(weight, split.whole) } })
    }
}

/// Weights by kind of node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bias {
    weights: [u16; Kind::ALL.len()],
}

impl Default for Bias {
    /// A routine holds more code of its own than a round of a loop or a few statements, and a node that only gathers
    /// others holds none.
    fn default() -> Self {
        let mut weights = [0; Kind::ALL.len()];
        for kind in Kind::ALL {
            weights[kind as usize] = match kind {
                Kind::Routine => 4,
                Kind::Loop => 2,
                Kind::Iteration | Kind::Block => 1,
                Kind::Projection | Kind::Collapse => 0,
            };
        }
        Bias { weights }
    }
}

impl fmt::Display for Bias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{}={}", kind.name(), self.weights[kind as usize])?;
        }
        Ok(())
    }
}

/// A text that gives no weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a list of weights; write kinds with whole numbers up to 65535, as in \
     `routine=4,loop=2,iteration=1,block=1,projection=0,collapse=0`"
)]
pub struct BiasError(String);

impl FromStr for Bias {
    type Err = BiasError;

    /// `loop=2,block=0`; kinds left out keep their usual weight.
    fn from_str(text: &str) -> Result<Bias, BiasError> {
        let error = || BiasError(text.chars().take(80).collect());
        let mut bias = Bias::default();
        for part in text.split(',') {
            let (kind, weight) = part.split_once('=').ok_or_else(error)?;
            let kind = Kind::from_name(kind.trim()).ok_or_else(error)?;
            bias.weights[kind as usize] = weight.trim().parse().map_err(|_| error())?;
        }
        Ok(bias)
    }
}
