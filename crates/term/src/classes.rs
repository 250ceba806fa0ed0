//! Which terms of an arena are equal, in time that grows with the number of terms and not with their depth.
//!
//! The entries of a finite map hold maps, and so on. To compare the texts of all of them would write the innermost one once for
//! every level. Here each term gets the number of its class: that of its own text and the classes of its parts. Parts come
//! before what is made of them, so one pass over the arena does it.

use crate::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// The classes of equal terms of one arena.
#[derive(Debug, Default)]
pub struct Classes {
    /// By number of the term.
    of: Vec<u32>,
    known: FxHashMap<String, u32>,
}

impl Classes {
    /// Those of some terms that are equal to none before them.
    pub fn distinct(&mut self, terms: &Terms, some: &[TermId]) -> Vec<TermId> {
        if let [] | [_] = some {
            return some.to_vec();
        }
        let mut seen = FxHashSet::default();
        some.iter().copied().filter(|term| seen.insert(self.class(terms, *term))).collect()
    }

    /// The arena has forgotten all terms from this number on.
    pub fn forget(&mut self, from: usize) {
        self.of.truncate(from);
    }

    fn class(&mut self, terms: &Terms, term: TermId) -> u32 {
        let mut text = String::new();
        while self.of.len() <= term.0 as usize {
            let next = TermId(self.of.len() as u32);
            text.clear();
            terms.canonical_head(next, &mut text);
            for part in terms.children(next) {
                let _ = write!(text, " {}", self.of[part.0 as usize]);
            }
            let class = match self.known.get(text.as_str()) {
                Some(class) => *class,
                None => {
                    let class = self.known.len() as u32;
                    self.known.insert(text.clone(), class);
                    class
                }
            };
            self.of.push(class);
        }
        self.of[term.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Classes;
    use crate::Terms;

    #[test]
    fn equal_terms_share_a_class_and_others_do_not() {
        let mut terms = Terms::new();
        let one = terms.number("1");
        let again = terms.number("1");
        let text = terms.str("1", 0);
        let cut = terms.str("1", 5);
        let [list, same, other] = [[one, again], [again, one], [one, text]].map(|parts| terms.list(&parts));
        let tuple = terms.tuple(&[one, again]);
        let mut classes = Classes::default();
        assert_eq!(classes.distinct(&terms, &[one, again, text, cut]), [one, text, cut]);
        assert_eq!(classes.distinct(&terms, &[list, same, other, tuple]), [list, other, tuple]);
    }

    #[test]
    fn what_the_arena_forgot_is_looked_at_again() {
        let mut terms = Terms::new();
        let one = terms.number("1");
        let (mark, length) = (terms.mark(), terms.len());
        let two = terms.number("2");
        let mut classes = Classes::default();
        assert_eq!(classes.distinct(&terms, &[one, two]), [one, two]);
        terms.forget(mark);
        classes.forget(length);
        let again = terms.number("1");
        assert_eq!(classes.distinct(&terms, &[one, again]), [one]);
    }
}
