//! Work that goes on, and what comes of it.
//!
//! The dialogue waits for one job at a time, the one of its phase; estimates go on beside it. What comes of a job that nobody
//! waits for any more is not heard.

use super::{Dialogue, Phase, answers_of};
use crate::ask::{Part, is_enough};
use crate::job::{Done, Job};
use crate::protocol::{self, Ending, Estimate, Event, JobId, Looked, Notice, Refusal};
use gadfly_engine::{Given, LeftOver, NoInside, OracleError, Question, Review};
use gadfly_tree::Node;

impl Dialogue {
    pub(super) fn progress(&mut self, job: JobId, done: u64, of: Option<u64>) {
        let doing = match &self.phase {
            Phase::Asking { job: here, .. } if *here == job => protocol::Doing::Asking,
            Phase::Reviewing { job: here, .. } if *here == job => protocol::Doing::Reviewing,
            Phase::Entering { job: here, .. } if *here == job => protocol::Doing::Entering,
            Phase::Learning { job: here, .. } if *here == job => protocol::Doing::Learning,
            _ if self.looks.contains_key(&job) => protocol::Doing::Estimating,
            _ => return,
        };
        self.event(Event::Working { job, doing, done, of });
    }

    /// The work that the session waits for.
    pub(super) fn running(&self) -> Option<JobId> {
        match &self.phase {
            Phase::Asking { job, .. }
            | Phase::Reviewing { job, .. }
            | Phase::Entering { job, .. }
            | Phase::Learning { job, .. } => Some(*job),
            _ => None,
        }
    }

    pub(super) fn done(&mut self, job: JobId, result: Done) {
        let cancelled = matches!(result, Done::Cancelled);
        if let Some(request) = self.looks.remove(&job) {
            self.request = request;
            let estimate = match result {
                Done::Estimate(estimate) => estimate.map(|one| Estimate {
                    mean_tenths: one.mean_tenths,
                    most: one.most,
                    exact: one.exact,
                    suspicious: one.suspicious,
                    inside: self.enters,
                }),
                _ => None,
            };
            match cancelled {
                true => self.event(Event::Worked { job, cancelled }),
                false => self.event(Event::Looked { found: Looked::Left { estimate } }),
            }
            return;
        }
        if self.running() != Some(job) {
            return;
        }
        if cancelled {
            self.event(Event::Worked { job, cancelled });
        }
        match (std::mem::replace(&mut self.phase, Phase::Stepping), result) {
            (Phase::Asking { question, part, known, said, .. }, result) => {
                self.asked(question, part, known, said, result);
            }
            (Phase::Reviewing { stage, .. }, Done::Review(review)) => self.take_review(stage, review),
            (Phase::Reviewing { verdict, stage, .. }, _) => {
                let stands = Review::stands(&verdict);
                self.take_review(stage, stands);
            }
            (Phase::Entering { verdict, entrance, back, .. }, Done::Inside(opened)) => {
                self.entered(verdict, entrance, back, opened);
            }
            (Phase::Entering { verdict, entrance, back, .. }, _) => {
                self.entered(verdict, entrance, back, Err(NoInside::Cancelled));
            }
            (Phase::Learning { ending, request, .. }, result) => {
                self.request = request;
                self.learned(ending, result);
            }
            (phase, _) => self.phase = phase,
        }
    }

    /// The oracles have spoken.
    pub(super) fn asked(
        &mut self,
        question: Question,
        part: Part,
        known: Vec<Given>,
        said: Vec<Given>,
        result: Done,
    ) {
        let mut given = match result {
            Done::Answers { given, disabled, stopped } => {
                for (who, OracleError { message, hint }) in disabled {
                    self.notice(Notice::OracleDisabled { who, message, hint });
                }
                if let Some((who, OracleError { message, hint })) = stopped {
                    let kept =
                        self.keeps.then_some("the answers so far are kept: `--resume` continues with them");
                    let hint = [hint.as_deref(), kept].into_iter().flatten().collect::<Vec<_>>().join("; ");
                    let message = format!("the oracle `{who}` cannot go on: {message}");
                    return self.fail(message, Some(hint).filter(|hint| !hint.is_empty()));
                }
                given
            }
            // What was asked in vain is for the person, or not known.
            _ => known.clone(),
        };
        let nodes: Vec<Node> = question.rows.iter().map(|row| row.node).collect();
        if part == Part::BeforePerson && self.seats.person && !is_enough(&nodes, &given) {
            return self.wait(question, given);
        }
        if part == Part::AfterPerson {
            let is_new = |one: &&Given| !given.iter().any(|given| given.node == one.node);
            let rest: Vec<Given> = said.iter().filter(is_new).cloned().collect();
            given.extend(rest);
        }
        if let Err(error) = self.take_in(&question, given) {
            if part == Part::AfterPerson {
                self.refuse(Refusal::Nonsense { message: error.to_string() });
                return self.wait(question, known);
            }
            let number = self.top().questions_before + question.number;
            self.fail(format!("question {number}: {error}"), None);
        }
    }

    pub(super) fn fail(&mut self, message: String, hint: Option<String>) {
        self.end(Ending::Failed { message, hint });
    }

    /// Lets the oracles learn, and ends.
    pub(super) fn end(&mut self, ending: Ending) {
        let missing = matches!(&self.shown, Some(protocol::Verdict::Unsure { .. }))
            || matches!(&self.shown, Some(protocol::Verdict::Bug(bug)) if bug.call.is_some());
        let answers = match self.seats.learns {
            true => self.levels.iter().flat_map(answers_of).collect(),
            false => Vec::new(),
        };
        let job = self.start(Job::Learn { answers, missing: missing && ending == Ending::Verdict });
        self.phase = Phase::Learning { ending, job, request: self.request };
    }

    pub(super) fn learned(&mut self, ending: Ending, result: Done) {
        if let Done::Learned { failed, left_over } = result {
            for error in failed {
                self.notice(Notice::NotLearned { message: error.message });
            }
            for (who, left) in left_over {
                self.notice(match left {
                    LeftOver::Unanswered { reason, count } => Notice::Unanswered { who, reason, count },
                    LeftOver::Unused { line, text } => Notice::UnusedAnswer { line, text },
                });
            }
        }
        self.phase = Phase::Ended;
        self.event(Event::Ended { how: ending });
    }
}
