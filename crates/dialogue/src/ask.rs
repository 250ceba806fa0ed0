//! The oracles in a row: the first that knows wins.
//!
//! A person may sit anywhere in the row and is not asked here: the dialogue asks those before the person, then the person,
//! then those after, and hands each part what is known by then. An oracle that fails leaves the row; if it was the only one
//! and there is no person, the session cannot go on.

use crate::job::{Ask, Done};
use gadfly_engine::{Given, Judgement, LeftOver, Oracle, OracleError, Query, Watch, Who};
use gadfly_term::render;
use gadfly_tree::{Node, Recording};

/// Which of the oracles are asked: those before the person in the row, or those after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those before the person; all if there is none.
    BeforePerson,
    /// Those after the person.
    AfterPerson,
}

/// The row of oracles.
#[derive(Default)]
pub struct Oracles {
    before: Vec<Box<dyn Oracle>>,
    after: Vec<Box<dyn Oracle>>,
    person: bool,
}

/// What a dialogue needs to know of the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// Whether somebody is asked before the person.
    pub before: bool,
    /// Whether a person is asked.
    pub person: bool,
    /// Whether somebody is asked after the person.
    pub after: bool,
    /// Whether anybody wants to hear the answers at the end.
    pub learns: bool,
}

impl Oracles {
    /// Nobody answers but a person.
    pub fn person() -> Oracles {
        Oracles { person: true, ..Oracles::default() }
    }

    /// Adds an oracle at the end of the row.
    pub fn push(&mut self, oracle: Box<dyn Oracle>) {
        if self.person { &mut self.after } else { &mut self.before }.push(oracle);
    }

    /// Adds the person at the end of the row.
    pub fn push_person(&mut self) {
        self.person = true;
    }

    /// What a dialogue needs to know of the row.
    pub fn seats(&self) -> Seats {
        let learns = self.before.iter().chain(&self.after).any(|oracle| oracle.learns());
        Seats { before: !self.before.is_empty(), person: self.person, after: !self.after.is_empty(), learns }
    }

    /// Whether answers would be lost if they were not written down: a script gives them again.
    pub fn are_worth_keeping(&self) -> bool {
        self.person || self.before.iter().chain(&self.after).any(|oracle| oracle.who() == Who::Command)
    }

    /// Asks about the rows that have no answer yet.
    pub(crate) fn ask(&mut self, ask: Ask, watch: &dyn Watch) -> Done {
        let Ask { mut given, part, .. } = ask.clone();
        let row = match part {
            Part::BeforePerson => &mut self.before,
            Part::AfterPerson => &mut self.after,
        };
        let (mut disabled, mut stopped) = (Vec::new(), None);
        let mut at = 0;
        while at < row.len() && !is_enough(&ask.rows, &given) && !watch.is_cancelled() {
            match ask_one(&mut *row[at], &ask, &mut given, watch) {
                Ok(()) => at += 1,
                // Without the last one there is nobody to ask.
                Err(error) if row.len() == 1 && !self.person => {
                    stopped = Some((row[at].who(), error));
                    break;
                }
                Err(error) => disabled.push((row.remove(at).who(), error)),
            }
        }
        Done::Answers { given, disabled, stopped }
    }

    /// Lets every oracle learn from the answers, and says what they have left over.
    pub(crate) fn learn(&mut self, answers: &[Ask], missing: bool) -> Done {
        let mut failed = Vec::new();
        let mut all: Vec<&mut Box<dyn Oracle>> = self.before.iter_mut().chain(&mut self.after).collect();
        if all.iter().any(|oracle| oracle.learns()) {
            for ask in answers {
                for given in &ask.given {
                    let _ = with_query(ask, given.node, false, |query| {
                        for oracle in all.iter_mut() {
                            failed.extend(oracle.learn(query, given).err());
                        }
                    });
                }
            }
        }
        let mut left_over = Vec::new();
        for oracle in all {
            failed.extend(oracle.flush().err());
            if missing {
                let who = oracle.who();
                left_over.extend(oracle.left_over().into_iter().map(|left: LeftOver| (who, left)));
            }
        }
        Done::Learned { failed, left_over }
    }
}

/// Whether a question is answered: its first wrong row is known, or all of its rows are.
pub(crate) fn is_enough(rows: &[Node], given: &[Given]) -> bool {
    let wrong = given.iter().any(|given| given.answer.judgement == Judgement::Wrong);
    wrong || rows.iter().all(|row| given.iter().any(|given| given.node == *row))
}

fn ask_one(
    oracle: &mut dyn Oracle,
    ask: &Ask,
    given: &mut Vec<Given>,
    watch: &dyn Watch,
) -> Result<(), OracleError> {
    for (done, node) in ask.rows.iter().enumerate() {
        if given.iter().any(|given| given.node == *node) {
            continue;
        }
        if done > 0 {
            watch.progress(done as u64, Some(ask.rows.len() as u64));
        }
        let whole = oracle.wants_whole();
        let answer = with_query(ask, *node, whole, |query| oracle.judge(query, watch))??;
        if let Some(answer) = answer {
            let wrong = answer.judgement == Judgement::Wrong;
            given.push(Given { node: *node, answer, by: oracle.who() });
            if wrong {
                break;
            }
        }
    }
    Ok(())
}

/// A question as an oracle sees it.
fn with_query<T>(
    ask: &Ask,
    node: Node,
    whole: bool,
    then: impl FnOnce(&Query<'_>) -> T,
) -> Result<T, OracleError> {
    let recording: &dyn Recording = &*ask.recording;
    let tree = recording.tree();
    let unreadable = |error: gadfly_tree::BehaviourError| OracleError { message: error.message, hint: None };
    let shown = recording.behaviours().behaviour(tree, node, false).map_err(unreadable)?;
    let text = render::equation_line(&shown.equation, recording.about().style, usize::MAX).text;
    // An equation that cannot be had in full is asked about as it is shown.
    let full = whole.then(|| recording.behaviours().behaviour(tree, node, true).ok()).flatten();
    let rule = tree.rules().get(tree.rule_id(node));
    let sources = recording.sources();
    let span = rule.region.and_then(|region| sources.span(region));
    let query = Query {
        number: ask.number,
        level: ask.level,
        node,
        shown_number: ask.nodes_before + node.number(),
        handle: tree.handle(node),
        rule,
        rule_text: span.and_then(|span| sources.text(span)),
        file: rule.region.map(|region| sources.file(region.file).name()),
        equation: &full.as_ref().unwrap_or(&shown).equation,
        text: &text,
        size: tree.size(node),
    };
    Ok(then(&query))
}
