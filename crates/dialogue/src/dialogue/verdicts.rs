//! Verdicts: reviewed, looked into, shown.
//!
//! A verdict of the engine is reviewed when it is found. If it stands, the call it names is entered, and the session goes on
//! inside; what is found there is a verdict again. Where there is nothing more to enter, it is reviewed once more and shown.
//! A call that was only suspected, and in which nothing was found, is left, and the verdict from outside is shown.

use super::{Dialogue, JournalLine, Phase, Refused, answered_width, fingerprint};
use crate::job::Job;
use crate::journal::Entry;
use crate::level::{Entrance, Level, REPORT_WIDTH};
use crate::protocol::{self, Answered, Doubt, Ending, Event, Notice};
use gadfly_engine::{Case, Given, Instead, NoInside, Opened, Review, Session, Settings, Stage, Verdict};
use gadfly_tree::{Node, Recording};
use std::sync::Arc;

impl Dialogue {
    pub(super) fn review(&mut self, verdict: Verdict, stage: Stage) {
        if !self.reviewed {
            let stands = Review::stands(&verdict);
            return self.take_review(stage, stands);
        }
        let level = self.top();
        let area = level.session.state().area();
        let case = Case {
            level: level.number,
            recording: Arc::clone(&level.recording),
            verdict: verdict.clone(),
            asked: level.session.asked(),
            focus: area.focus_wrong.then_some(area.focus),
            has_person: self.seats.person,
        };
        let job = self.start(Job::Review { case: Box::new(case), stage });
        self.phase = Phase::Reviewing { verdict, stage, job };
    }

    pub(super) fn take_review(&mut self, stage: Stage, review: Review) {
        match review {
            Review::Strictly => match self.restart(Some(Event::Doubted { why: Doubt::SameInReference })) {
                Ok(()) => self.phase = Phase::Stepping,
                Err(Refused::Action(error)) => self.fail(error.to_string(), None),
                Err(Refused::Why(_)) => self.fail("the session cannot begin again".to_owned(), None),
            },
            Review::Revise { number, row, answer, by } => {
                let level = self.top();
                let question = level.questions_before + number;
                let node = level
                    .session
                    .asked()
                    .get(number.saturating_sub(1))
                    .and_then(|asked| asked.given.get(row).map(|given| given.node));
                let given = node.map(|node| Given { node, answer: answer.clone(), by });
                let width = answered_width(self.page);
                let rows = given.iter().map(|given| self.top().given(given, width)).collect();
                let answered = Event::Answered(Answered { question, rows });
                match self.revise(question, row, answer, by, Some(answered)) {
                    Ok(()) => self.phase = Phase::Stepping,
                    Err(Refused::Action(error)) => self.fail(error.to_string(), None),
                    Err(Refused::Why(_)) => self.fail("the answer cannot be changed".to_owned(), None),
                }
            }
            Review::Replaced { verdict, blame, why } => {
                let doubt = match why {
                    Instead::TestPasses => Some(Doubt::TestPasses),
                    Instead::RanAndDiffers => Some(Doubt::RanAndDiffers),
                    Instead::DiffersElsewhere => Some(Doubt::DiffersElsewhere),
                    Instead::NothingDiffers => None,
                };
                if let Some(why) = doubt {
                    self.event(Event::Doubted { why });
                }
                let level = self.top_mut();
                level.blame = blame.into_iter().collect();
                level.basis = Some(match why {
                    Instead::TestPasses => gadfly_engine::Basis::TestPasses,
                    _ => gadfly_engine::Basis::ReferenceText,
                });
                self.show(verdict);
            }
            Review::Stands { verdict, blame, basis, enter } => {
                let level = self.top_mut();
                level.blame.extend(blame);
                level.basis = basis.or(level.basis);
                match stage {
                    Stage::Found => self.enter_or_conclude(verdict, enter),
                    Stage::Final { .. } => self.conclude(verdict),
                }
            }
        }
    }

    /// Goes on inside the call that was found, if there is anything to be seen.
    pub(super) fn enter_or_conclude(&mut self, verdict: Verdict, enter: bool) {
        let level = self.top();
        let area = level.session.state().area();
        let found = match &verdict {
            Verdict::Bug { node, .. } => Some((*node, true)),
            // A call that is wrong may be to blame although nobody knows about some that it made.
            Verdict::Unsure { .. } if area.focus_wrong => Some((area.focus, false)),
            _ => None,
        };
        let worth = |(node, _): &(Node, bool)| enter && self.enters && !level.left.contains(node);
        let Some((node, certain)) = found.filter(worth) else {
            return self.review(verdict, Stage::Final { unreachable: false });
        };
        let entrance = Entrance { of: level.at(node), certain, by_hand: false, outside: verdict.clone() };
        self.open_inside(verdict, entrance, None);
    }

    pub(super) fn open_inside(&mut self, verdict: Verdict, entrance: Entrance, back: Option<Box<Phase>>) {
        let (recording, node) = (Arc::clone(&self.top().recording), entrance.of.node);
        let level = self.levels.len() as u16;
        let job = self.start(Job::Inside { recording, node, level });
        self.phase = Phase::Entering { verdict, entrance, job, back };
    }

    pub(super) fn entered(
        &mut self,
        verdict: Verdict,
        entrance: Entrance,
        back: Option<Box<Phase>>,
        opened: Result<Opened, NoInside>,
    ) {
        let Opened { recording, rerecorded } = match opened {
            Ok(opened) => opened,
            Err(reason) => {
                let unreachable = matches!(reason, NoInside::Unreachable(_));
                if let NoInside::Unreachable(reason) = reason {
                    self.notice(Notice::NoInside { reason });
                } else if back.is_some() {
                    self.not_now("there is no inside to enter");
                }
                match back {
                    Some(phase) => {
                        if matches!(*phase, Phase::Stepping) {
                            // The earlier session was in there: it goes on outside.
                            let depth = self.levels.len();
                            self.saved.retain(|level, _| *level < depth);
                        }
                        self.phase = *phase;
                    }
                    None => self.review(verdict, Stage::Final { unreachable }),
                }
                return;
            }
        };
        if rerecorded {
            self.notice(Notice::Rerecorded);
        }
        let outer = self.top();
        let call = outer.said(entrance.of.node, self.page.width);
        let (number, certain) = (self.levels.len() as u16, entrance.certain);
        let session = self.inner_session(&*recording, certain);
        let level = Level {
            number,
            nodes_before: outer.nodes_before + u64::from(outer.recording.tree().len()),
            questions_before: outer.questions_before + outer.session.asked().len(),
            recording,
            session,
            entrance: Some(entrance),
            left: Default::default(),
            blame: Default::default(),
            basis: None,
        };
        self.push_level(level, Event::Entered { level: number, call, certain });
        self.phase = Phase::Stepping;
    }

    /// A session about the inside of a call, which is known to be wrong.
    pub(super) fn inner_session(&self, recording: &dyn Recording, certain: bool) -> Session {
        let settings = Settings {
            strategy: self.top().session.strategy(),
            whole_is_wrong: true,
            // A person would be asked about a call that consists of one statement twice. An oracle that makes the statement again may see
            // that it is what stands before it, such as a default, that is wrong.
            single_part_is_whole: certain && self.seats.person && !self.seats.before,
            ask_again: self.seats.person,
            ..Settings::default()
        };
        Session::new(Arc::clone(recording.tree()), recording.behaviours(), settings)
    }

    /// Enters a level, with what an earlier session did there. `event` is what is heard of it.
    pub(super) fn push_level(&mut self, mut level: Level, event: Event) {
        let entrance = level.entrance.as_ref();
        let (node, by_hand) = entrance.map_or((Node::ROOT, false), |one| (one.of.node, one.by_hand));
        let tree = fingerprint(&*level.recording);
        let at = self.levels.len();
        let saved = self.saved.remove(&at);
        let had_answers = saved.is_some();
        let known = match saved {
            Some(saved) if saved.entered == Some((node, tree.clone())) || saved.elsewhere => {
                let same = saved.entered.as_ref().is_some_and(|(_, known)| *known == tree);
                let mut played = same.then_some(saved);
                if let Some(saved) = &played
                    && saved.actions.iter().any(|action| level.session.apply(action.clone()).is_err())
                {
                    let certain = level.entrance.as_ref().is_none_or(|one| one.certain);
                    level.session = self.inner_session(&*level.recording, certain);
                    played = None;
                }
                played
            }
            _ => None,
        };
        let changed = had_answers && known.is_none();
        level.left = known.as_ref().map(|saved| saved.left.clone()).unwrap_or_default();
        let in_journal = known.as_ref().is_some_and(|saved| !saved.elsewhere);
        if !in_journal {
            // What the journal has of this level is about something else.
            self.leave_in_journal();
        }
        self.levels.push(level);
        if !in_journal {
            self.journal_depth += 1;
            self.write_line(JournalLine::Entry(Entry::Enter { node, tree, by_hand }, Vec::new()));
            for action in known.into_iter().flat_map(|saved| saved.actions) {
                self.write(Entry::Action(action));
            }
        }
        self.event(event);
        if changed {
            self.notice(Notice::InsideChanged);
        }
    }

    /// Shows a verdict, unless it is about a call that was entered in vain.
    pub(super) fn conclude(&mut self, verdict: Verdict) {
        let found = matches!(&verdict, Verdict::Bug { node, .. } if *node != Node::ROOT);
        let entrance = self.top().entrance.clone().filter(|entrance| !entrance.by_hand);
        let Some(entrance) = entrance.filter(|_| !found) else { return self.show(verdict) };
        // Where nothing more is found, a call that should never have been made says the most.
        let made = matches!(&entrance.outside, Verdict::Bug { inadmissible, .. } if !inadmissible.is_empty());
        if entrance.certain && !made {
            return self.show(verdict);
        }
        self.leave(!entrance.certain);
        self.review(entrance.outside, Stage::Final { unreachable: false });
    }

    pub(super) fn show(&mut self, verdict: Verdict) {
        let verdict = match verdict {
            Verdict::Unsure { candidates } if candidates.is_empty() && self.top().basis.is_some() => {
                Verdict::None(gadfly_engine::NoBug::ReferenceAgrees)
            }
            verdict => verdict,
        };
        let node = match &verdict {
            Verdict::Bug { node, .. } => Some(*node),
            _ => None,
        };
        let shown = self.whole_verdict(&verdict, self.page.width);
        self.shown = Some(self.whole_verdict(&verdict, REPORT_WIDTH));
        // A session that was resumed where it had ended has nothing new to say.
        if !self.decided {
            self.write_line(JournalLine::End(shown.status()));
        }
        self.event(Event::Verdict(shown.clone()));
        match self.seats.person {
            true => self.phase = Phase::Decided { verdict: Box::new(shown), node },
            false => self.end(Ending::Verdict),
        }
    }

    /// A verdict with the calls that were entered to find it.
    pub(super) fn whole_verdict(&self, verdict: &Verdict, width: usize) -> protocol::Verdict {
        let mut whole = self.top().verdict(verdict, width);
        if let (protocol::Verdict::Bug(bug), Some(entrance)) = (&mut whole, &self.top().entrance)
            && !entrance.by_hand
        {
            let outer = &self.levels[usize::from(entrance.of.level)];
            bug.call = Some(Box::new(outer.verdict(&entrance.outside, width)));
        }
        whole
    }

    /// The verdict on a session that was left: any of so many nodes.
    pub(super) fn undecided(&self) -> protocol::Verdict {
        const LISTED: usize = 1_000;
        let program = &self.levels[0];
        let candidates = program
            .session
            .state()
            .suspicious()
            .take(LISTED)
            .map(|node| program.place(node, REPORT_WIDTH))
            .collect();
        protocol::Verdict::Unsure { candidates, of: None }
    }
}
