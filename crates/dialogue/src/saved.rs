//! What a journal says, level by level: the actions that are still in force.
//!
//! It does to lists of actions what `dialogue/commands.rs` does to levels: undoing more than was done inside a call leaves the
//! call, and so does revising what came before it. The two must agree, or a resumed session stands elsewhere.

use crate::journal::Entry;
use gadfly_engine::Action;
use gadfly_tree::Node;
use std::collections::BTreeSet;

/// The actions of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedLevel {
    /// The call that it is the inside of, and the fingerprint of the inside; none of the program.
    pub entered: Option<(Node, String)>,
    /// Whether the user wanted to enter it; else a verdict did.
    pub by_hand: bool,
    /// The calls that were entered from here and left again since something was last taken back.
    pub left: BTreeSet<Node>,
    /// Whether a verdict was shown here, and nothing was done since.
    pub decided: bool,
    /// What was done there. Questions are numbered from 1 in each level.
    pub actions: Vec<Action>,
    /// Whether it is from another file, as journals of version 1 had it, and not in this journal yet.
    pub elsewhere: bool,
}

impl SavedLevel {
    /// How many questions are in force.
    fn questions(&self) -> usize {
        let begun = self.actions.iter().rposition(|action| matches!(action, Action::Restart));
        let actions = &self.actions[begun.map_or(0, |at| at + 1)..];
        actions.iter().filter(|action| matches!(action, Action::Answer(_))).count()
    }
}

/// Plays a journal: undone actions are gone, and levels that were left.
pub fn levels(entries: &[Entry]) -> Vec<SavedLevel> {
    let mut levels = vec![SavedLevel::default()];
    for entry in entries {
        match entry {
            Entry::Enter { node, tree, by_hand } => {
                let entered = Some((*node, tree.clone()));
                levels.push(SavedLevel { entered, by_hand: *by_hand, ..SavedLevel::default() });
            }
            Entry::Leave => {
                let left = levels.pop_if(|level| level.entered.is_some());
                if let (Some(level), Some(top)) = (left, levels.last_mut()) {
                    top.left.extend(level.entered.map(|(node, _)| node));
                }
            }
            Entry::Action(action) => play(&mut levels, action),
        }
    }
    levels
}

fn play(levels: &mut Vec<SavedLevel>, action: &Action) {
    match action {
        Action::Undo(steps) => {
            let mut steps = *steps;
            while let Some(top) = levels.last_mut() {
                let here = top.actions.len();
                if steps <= here || top.entered.is_none() {
                    top.actions.truncate(here.saturating_sub(steps));
                    break;
                }
                steps -= here;
                levels.pop();
            }
        }
        Action::Restart => {
            levels.truncate(1);
            if let Some(program) = levels.first_mut() {
                program.actions.push(Action::Restart);
            }
        }
        Action::Revise { number, row, answer, by } => {
            let (mut level, mut before) = (0, 0);
            while level + 1 < levels.len() && before + levels[level].questions() < *number {
                before += levels[level].questions();
                level += 1;
            }
            levels.truncate(level + 1);
            let number = number.saturating_sub(before);
            if let Some(top) = levels.last_mut() {
                top.actions.push(Action::Revise { number, row: *row, answer: answer.clone(), by: *by });
            }
        }
        _ => {
            if let Some(top) = levels.last_mut() {
                top.actions.push(action.clone());
            }
        }
    }
    if let Some(top) = levels.last_mut()
        && takes_back(action)
    {
        top.left.clear();
    }
}

/// Whether an action takes something back, so that calls that were left may be entered again.
pub(crate) fn takes_back(action: &Action) -> bool {
    matches!(action, Action::Undo(_) | Action::Revise { .. } | Action::Restart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gadfly_engine::{Answer, Given, Judgement, Who};

    fn answer(node: u32) -> Entry {
        let answer = Answer::plain(Judgement::Correct);
        Entry::Action(Action::Answer(vec![Given { node: Node(node), answer, by: Who::Person }]))
    }

    fn enter() -> Entry {
        Entry::Enter { node: Node(1), tree: "inside".to_owned(), by_hand: false }
    }

    fn counts(entries: &[Entry]) -> Vec<usize> {
        levels(entries).iter().map(|level| level.actions.len()).collect()
    }

    #[test]
    fn undone_actions_and_levels_are_gone() {
        let undo = |steps| Entry::Action(Action::Undo(steps));
        assert_eq!(counts(&[]), [0]);
        assert_eq!(counts(&[answer(0), answer(1), undo(1), enter(), answer(0)]), [1, 1]);
        assert_eq!(counts(&[answer(0), enter(), answer(0), undo(1)]), [1, 0]);
        assert_eq!(counts(&[answer(0), answer(1), enter(), answer(0), undo(2)]), [1]);
        assert_eq!(counts(&[answer(0), enter(), answer(0), Entry::Leave, answer(2)]), [2]);
        assert_eq!(counts(&[answer(0), enter(), answer(0), Entry::Action(Action::Restart)]), [2]);
    }

    #[test]
    fn a_call_that_was_left_is_known_until_something_is_taken_back() {
        let left = |entries: &[Entry]| levels(entries)[0].left.contains(&Node(1));
        assert!(left(&[answer(0), enter(), answer(0), Entry::Leave]));
        assert!(left(&[answer(0), enter(), answer(0), Entry::Leave, answer(1)]));
        let undo = Entry::Action(Action::Undo(1));
        assert!(!left(&[answer(0), enter(), answer(0), Entry::Leave, undo]));
        assert!(!left(&[answer(0), enter(), answer(0)]));
    }

    #[test]
    fn an_answer_of_an_earlier_level_is_revised_there() {
        let revise = |number| {
            let answer = Answer::plain(Judgement::Wrong);
            Entry::Action(Action::Revise { number, row: 0, answer, by: Who::Person })
        };
        let inside = levels(&[answer(0), enter(), answer(0), revise(2)]);
        assert!(matches!(inside[1].actions[1], Action::Revise { number: 1, .. }));
        let outside = levels(&[answer(0), enter(), answer(0), revise(1)]);
        assert_eq!(outside.len(), 1);
        assert!(matches!(outside[0].actions[1], Action::Revise { number: 1, .. }));
    }
}
