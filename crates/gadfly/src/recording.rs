//! What a session or a picture is about, wherever it comes from: an interchange file, or a recorded run.

use gadfly_source::Sources;
use gadfly_term::render::Style;
use gadfly_tree::{Behaviours, Recording as Any, Tree};
use gadfly_views::Viewed;
use std::sync::Arc;

/// A tree with what its nodes say.
#[derive(Clone)]
pub(crate) struct Recording {
    any: Arc<dyn Any>,
    run: Option<Arc<Viewed>>,
}

impl Recording {
    /// A tree that another tool wrote.
    pub(crate) fn interchange(recording: gadfly_interchange::Recording) -> Recording {
        Recording { any: Arc::new(recording), run: None }
    }

    /// A view of a recorded run.
    pub(crate) fn of_run(viewed: Viewed) -> Recording {
        let viewed = Arc::new(viewed);
        Recording { any: Arc::clone(&viewed) as Arc<dyn Any>, run: Some(viewed) }
    }

    /// What every recording has.
    pub(crate) fn any(&self) -> &Arc<dyn Any> {
        &self.any
    }

    /// What a session about it is about.
    pub(crate) fn subject(&self) -> gadfly_frontend::Subject {
        gadfly_frontend::Subject { recording: Arc::clone(&self.any), viewed: self.run.clone() }
    }

    /// The recorded run, if it is one.
    pub(crate) fn run(&self) -> Option<&Viewed> {
        self.run.as_deref()
    }

    /// The execution tree.
    pub(crate) fn tree(&self) -> &Arc<Tree> {
        self.any.tree()
    }

    /// What the nodes say.
    pub(crate) fn behaviours(&self) -> Arc<dyn Behaviours> {
        self.any.behaviours()
    }

    /// The source files.
    pub(crate) fn sources(&self) -> &Sources {
        self.any.sources()
    }

    /// The language of the program, to be shown.
    pub(crate) fn language(&self) -> &str {
        &self.any.about().language
    }

    /// What was run, as a person would name it.
    pub(crate) fn program(&self) -> Option<&str> {
        self.any.about().program.as_deref()
    }

    /// How equations are written.
    pub(crate) fn style(&self) -> Style {
        self.any.about().style
    }

    /// Which tree it is.
    pub(crate) fn view(&self) -> &'static str {
        self.any.view()
    }
}
