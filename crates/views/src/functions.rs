//! Which function an application applies, and who made its symbol (S2 Def. 4 and 11).

use super::gather::{Gathered, Kind, NONE, Outcome};

/// A function that is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Applied {
    pub(super) function: u32,
    /// How many arguments it has before this application.
    pub(super) given: u32,
    /// The node of its symbol; [`NONE`] if there is none.
    pub(super) symbol: u32,
}

/// A partial application is applied again at most this often.
const STEPS: usize = 1 << 12;

impl Gathered {
    /// The node at the end of a chain of reductions; [`NONE`] if that is a value which is not kept. Chains are made
    /// shorter on the way, so that going over all of them takes no more than a few steps each.
    pub(super) fn last(&mut self, start: u32) -> u32 {
        let next = |to: &[u32], outcome: &[Outcome], at: u32| {
            outcome[at as usize].is_value().then(|| to[at as usize])
        };
        let (mut end, mut steps) = (start, 0usize);
        while let Some(further) = next(&self.to, &self.outcome, end) {
            end = further;
            steps += 1;
            if steps > self.to.len() {
                // Only a damaged trail goes in circles.
                self.to[end as usize] = NONE;
                return NONE;
            }
        }
        let mut at = start;
        while let Some(further) = next(&self.to, &self.outcome, at) {
            self.to[at as usize] = end;
            at = further;
        }
        end
    }

    /// The function that an application applies: `applied` is the node it applies.
    pub(super) fn function_of(&mut self, application: u32, applied: u32) -> Option<Applied> {
        let (mut application, mut applied, mut given) = (application, applied, 0u32);
        for _ in 0..STEPS {
            if applied == NONE {
                let function = self.method(application)?;
                return Some(Applied { function, given, symbol: NONE });
            }
            let last = self.last(applied);
            if last == NONE {
                return None;
            }
            let form = *self.form(last);
            match form.kind {
                Kind::Partial => {
                    let given = given.checked_add(form.count)?;
                    return Some(Applied { function: form.function, given, symbol: last });
                }
                Kind::Apply if self.outcome[last as usize] == Outcome::NOTHING => {
                    given = given.checked_add(form.count.checked_sub(1)?)?;
                    (application, applied) = (last, self.to[last as usize]);
                }
                _ => return None,
            }
        }
        None
    }
}
