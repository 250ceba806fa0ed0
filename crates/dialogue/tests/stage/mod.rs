//! A stage for dialogues: small trees, an inside, oracles that know the truth.

use gadfly_dialogue::ask::Oracles;
use gadfly_dialogue::protocol::{Event, Input, Message, PROTOCOL, Page};
use gadfly_dialogue::{Dialogue, Output, SavedLevel, Setup, Stimulus, Worker};
use gadfly_engine::{
    Answer, Inside, Judgement, NoInside, Opened, Oracle, OracleError, Query, Review, Reviewer, Settings,
    Stage, Watch, Who,
};
use gadfly_source::Sources;
use gadfly_term::render::Style;
use gadfly_term::{Argument, Equation, Outcome, Terms};
use gadfly_tree::{
    About, Behaviours, Entry, Equations, Kind, NO_PARENT, Node, Recording, Rule, Tree, TreeBuilder,
};
use std::sync::Arc;

/// A recording in memory.
pub(crate) struct Staged {
    about: About,
    tree: Arc<Tree>,
    behaviours: Arc<Equations>,
    sources: Sources,
    name: u128,
}

impl Recording for Staged {
    fn about(&self) -> &About {
        &self.about
    }

    fn view(&self) -> &'static str {
        "tree"
    }

    fn fingerprint(&self) -> u128 {
        self.name
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

/// A tree of calls `f0 0 = 0`, `f1 1 = 1`, …, each with the parent named; the first has none.
pub(crate) fn recording(name: u128, parents: &[u32], kind: Kind) -> Arc<dyn Recording> {
    recording_of(name, parents, kind, u32::MAX)
}

/// The same with at most so many different equations.
pub(crate) fn recording_of(
    name: u128,
    parents: &[u32],
    kind: Kind,
    equations_most: u32,
) -> Arc<dyn Recording> {
    let mut builder = TreeBuilder::new();
    let mut equations = Vec::new();
    for handle in 0..=parents.len() {
        let called = handle % equations_most as usize;
        let rule =
            builder.rules().intern(Rule { module: Some("M".into()), ..Rule::named(&format!("f{called}")) });
        let kind = if handle == 0 { Kind::Routine } else { kind };
        builder.push(Entry { rule, kind, raised: false, handle: handle as u64 });
        let mut terms = Terms::new();
        let value = terms.number(&called.to_string());
        equations.push(Equation {
            function: format!("f{called}").into(),
            instances: Vec::new(),
            inside: false,
            arguments: vec![Argument { name: None, value }],
            outcome: Outcome::Value(value),
            before: Vec::new(),
            after: Vec::new(),
            terms,
        });
    }
    let all: Vec<u32> = std::iter::once(NO_PARENT).chain(parents.iter().copied()).collect();
    let tree = builder.finish(all).expect("a tree");
    Arc::new(Staged {
        about: About { language: "toy".to_owned(), program: Some("toy".to_owned()), style: Style::Called },
        tree: Arc::new(tree),
        behaviours: Arc::new(Equations { equations, uses: Vec::new() }),
        sources: Sources::new(),
        name,
    })
}

/// Knows in which node of each level the bug is.
pub(crate) struct Truth {
    pub(crate) bugs: Vec<Node>,
    pub(crate) trees: Vec<Arc<Tree>>,
    /// Nodes of level 0 that it says nothing about.
    pub(crate) silent: Vec<Node>,
}

impl Oracle for Truth {
    fn who(&self) -> Who {
        Who::Reference
    }

    fn judge(&mut self, query: &Query<'_>, _watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        if query.level == 0 && self.silent.contains(&query.node) {
            return Ok(None);
        }
        let level = usize::from(query.level);
        let wrong = self.trees[level].is_within(self.bugs[level], query.node);
        Ok(Some(Answer::plain(if wrong { Judgement::Wrong } else { Judgement::Correct })))
    }
}

/// Opens the same inside for every call of level 0.
pub(crate) struct OneInside(pub(crate) Arc<dyn Recording>);

impl Inside for OneInside {
    fn open(
        &mut self,
        _recording: &Arc<dyn Recording>,
        _node: Node,
        level: u16,
        _watch: &dyn Watch,
    ) -> Result<Opened, NoInside> {
        match level {
            1 => Ok(Opened { recording: Arc::clone(&self.0), rerecorded: false }),
            _ => Err(NoInside::Nothing),
        }
    }
}

/// Doubts the first verdict, once.
pub(crate) struct Doubting(pub(crate) bool);

impl Reviewer for Doubting {
    fn review(&mut self, case: &gadfly_engine::Case, _stage: Stage, _watch: &dyn Watch) -> Review {
        match std::mem::replace(&mut self.0, false) {
            true => Review::Strictly,
            false => Review::stands(&case.verdict),
        }
    }
}

pub(crate) fn worker(oracle: Option<Truth>, person: bool, inside: Option<Arc<dyn Recording>>) -> Worker {
    let mut oracles = Oracles::default();
    if let Some(oracle) = oracle {
        oracles.push(Box::new(oracle));
    }
    if person {
        oracles.push_person();
    }
    let inside = inside.map(|inside| Box::new(OneInside(inside)) as Box<dyn Inside>);
    Worker { oracles, reviewer: None, inside }
}

pub(crate) fn dialogue(
    recording: &Arc<dyn Recording>,
    worker: &Worker,
    saved: Vec<SavedLevel>,
    journal: u64,
) -> Dialogue {
    let seats = worker.oracles.seats();
    let setup = Setup {
        recording: Arc::clone(recording),
        settings: Settings { rows: 0, ask_again: seats.person, ..Settings::default() },
        seats,
        reviewed: worker.reviewer.is_some(),
        enters: worker.inside.is_some(),
        saved,
        journal,
        keeps: true,
        notices: Vec::new(),
        switch_to: None,
    };
    Dialogue::new(setup).unwrap_or_else(|(index, error)| panic!("action {index}: {error}"))
}

pub(crate) fn hello() -> Stimulus {
    said(0, Input::Hello { protocol: PROTOCOL, page: Page::default() })
}

pub(crate) fn said(seen: u64, body: Input) -> Stimulus {
    Stimulus::Input(Message { request: None, seen, body })
}

/// The events among outputs.
pub(crate) fn events(outputs: &[Output]) -> Vec<&Event> {
    outputs
        .iter()
        .filter_map(|output| match output {
            Output::Event(message) => Some(&message.body),
            _ => None,
        })
        .collect()
}
