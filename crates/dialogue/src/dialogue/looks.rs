//! Looks: they read, and change nothing.

use super::{Dialogue, Phase, answered_width};
use crate::job::Job;
use crate::level::Level;
use crate::protocol::{Answered, Event, Look, Looked, NodeRef, Refusal};
use gadfly_engine::Question;
use gadfly_tree::Node;

impl Dialogue {
    pub(super) fn look(&mut self, at: &Look) {
        let found = match at {
            Look::Left => {
                let snapshot = Box::new(self.top().session.snapshot());
                let job = self.start(Job::Estimate(snapshot));
                self.looks.insert(job, self.request);
                return;
            }
            Look::History => Ok(Looked::History { answers: self.history() }),
            Look::Why => self.open().map(|question| Looked::Why {
                reason: question.reason.to_string(),
                rows: question.rows.len(),
            }),
            Look::Whole { node } => self.looked_at(*node).and_then(|nodes| {
                let whole = |node: &NodeRef| {
                    let level = &self.levels[usize::from(node.level)];
                    let lines = level.whole(node.node, self.page.width);
                    lines.map_err(|why| Refusal::NotNow { message: why })
                };
                let equations = nodes.iter().map(whole).collect::<Result<_, _>>()?;
                Ok(Looked::Whole { equations })
            }),
            Look::Code { node } => self.looked_at(*node).map(|nodes| {
                let node = nodes[0];
                let level = &self.levels[usize::from(node.level)];
                Looked::Code { place: Box::new(level.place(node.node, self.page.width)) }
            }),
            Look::IfAnswered { answer } => self.open().map(|question| {
                let mut state = self.top().session.state().clone();
                let now = state.suspicious_count();
                state.record(question.rows[0].node, *answer);
                Looked::IfAnswered { now, then: state.suspicious_count() }
            }),
        };
        match found {
            Ok(found) => self.event(Event::Looked { found }),
            Err(why) => self.refuse(why),
        }
    }

    pub(super) fn open(&self) -> Result<&Question, Refusal> {
        match &self.phase {
            Phase::Waiting { question, .. } => Ok(question),
            _ => Err(Refusal::NotNow { message: "there is no open question".to_owned() }),
        }
    }

    /// The node that is named, or those of the open question, or that of the verdict.
    pub(super) fn looked_at(&self, number: Option<u64>) -> Result<Vec<NodeRef>, Refusal> {
        match (number, &self.phase) {
            (Some(number), _) => Ok(vec![self.node(number)?]),
            (None, Phase::Decided { node: Some(node), .. }) => Ok(vec![self.top().at(*node)]),
            (None, _) => Ok(self.open()?.rows.iter().map(|row| self.top().at(row.node)).collect()),
        }
    }

    /// The node with this number, on whichever level.
    pub(super) fn node(&self, number: u64) -> Result<NodeRef, Refusal> {
        let found = self.levels.iter().find_map(|level| {
            let node = Node::from_number(number.checked_sub(level.nodes_before)?)?;
            level.recording.tree().contains(node).then(|| level.at(node))
        });
        found.ok_or_else(|| Refusal::Nonsense { message: format!("there is no node {number}") })
    }

    pub(super) fn history(&self) -> Vec<Answered> {
        let width = answered_width(self.page);
        let of_level = |level: &Level| -> Vec<Answered> {
            let asked = level.session.asked().into_iter();
            asked
                .map(|asked| Answered {
                    question: asked.number + level.questions_before,
                    rows: asked.given.iter().map(|given| level.given(given, width)).collect(),
                })
                .collect()
        };
        self.levels.iter().flat_map(of_level).collect()
    }
}
