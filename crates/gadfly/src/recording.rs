//! What a session or a picture is about, wherever it comes from: an interchange file, or a recorded run.

use gadfly_interchange as interchange;
use gadfly_source::Sources;
use gadfly_term::render::Style;
use gadfly_tree::{About, Behaviours, Tree};
use gadfly_views::{View, Viewed};
use std::sync::Arc;

/// A tree with what its nodes say.
#[derive(Debug)]
pub(crate) enum Recording {
    /// Somebody else's tree.
    Interchange(Box<interchange::Recording>),
    /// A view of a recorded run.
    Run(Box<Viewed>),
}

impl Recording {
    /// The recorded run, if it is one.
    pub(crate) fn run(&self) -> Option<&Viewed> {
        match self {
            Recording::Interchange(_) => None,
            Recording::Run(viewed) => Some(viewed),
        }
    }

    /// The execution tree.
    pub(crate) fn tree(&self) -> &Arc<Tree> {
        match self {
            Recording::Interchange(recording) => &recording.tree,
            Recording::Run(viewed) => &viewed.tree,
        }
    }

    /// What the nodes say.
    pub(crate) fn behaviours(&self) -> Arc<dyn Behaviours> {
        match self {
            Recording::Interchange(recording) => Arc::clone(&recording.behaviours) as Arc<dyn Behaviours>,
            Recording::Run(viewed) => Arc::clone(&viewed.behaviours) as Arc<dyn Behaviours>,
        }
    }

    /// The source files.
    pub(crate) fn sources(&self) -> &Sources {
        match self {
            Recording::Interchange(recording) => &recording.sources,
            Recording::Run(viewed) => &viewed.sources,
        }
    }

    fn about(&self) -> &About {
        match self {
            Recording::Interchange(recording) => &recording.about,
            Recording::Run(viewed) => &viewed.about,
        }
    }

    /// The language of the program.
    pub(crate) fn language(&self) -> &str {
        &self.about().language
    }

    /// What was run, as a person would name it.
    pub(crate) fn program(&self) -> Option<&str> {
        self.about().program.as_deref()
    }

    /// How equations are written.
    pub(crate) fn style(&self) -> Style {
        self.about().style
    }

    /// The same for the same nodes.
    pub(crate) fn fingerprint(&self) -> u128 {
        match self {
            Recording::Interchange(recording) => recording.fingerprint,
            Recording::Run(viewed) => viewed.fingerprint,
        }
    }

    /// Which tree it is: `edt` and `fdt` of a recorded run, `tree` where there is only one.
    pub(crate) fn view(&self) -> &'static str {
        match self {
            Recording::Interchange(_) => "tree",
            Recording::Run(viewed) if viewed.view == View::Fdt => "fdt",
            Recording::Run(_) => "edt",
        }
    }
}
