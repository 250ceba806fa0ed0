//! Two terms that say something of the same value, as one.

use gadfly_term::{Shape, TermId, Terms};

/// What two terms say together. Where they contradict each other, the first is right.
pub(super) fn join(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let mut tasks = vec![Task::Join(a, b)];
    let mut made: Vec<TermId> = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Join(a, b) => match joinable(terms, a, b) {
                Joinable::Is(one) => made.push(one),
                Joinable::Parts => {
                    let parts: Vec<_> =
                        terms.children(a).iter().copied().zip(terms.children(b).iter().copied()).collect();
                    tasks.push(Task::Make(a, parts.len()));
                    tasks.extend(parts.into_iter().rev().map(|(a, b)| Task::Join(a, b)));
                }
                Joinable::Entries => {
                    let entries: Vec<TermId> =
                        terms.children(a).iter().chain(terms.children(b)).copied().collect();
                    made.push(terms.finite_map(&entries));
                }
            },
            Task::Make(like, count) => {
                let parts = made.split_off(made.len().saturating_sub(count));
                made.push(remake(terms, like, &parts));
            }
        }
    }
    made.pop().unwrap_or(a)
}

enum Task {
    Join(TermId, TermId),
    /// The same as a term, with other parts.
    Make(TermId, usize),
}

enum Joinable {
    Is(TermId),
    Parts,
    Entries,
}

fn joinable(terms: &Terms, a: TermId, b: TermId) -> Joinable {
    if a == b {
        return Joinable::Is(a);
    }
    match (terms.shape(a), terms.shape(b)) {
        (Shape::Unevaluated | Shape::Omitted(_), _) => Joinable::Is(b),
        (Shape::Con(x, p), Shape::Con(y, q)) if x == y && p.len() == q.len() && !p.is_empty() => {
            Joinable::Parts
        }
        (Shape::Tuple(p), Shape::Tuple(q)) | (Shape::List(p), Shape::List(q))
            if p.len() == q.len() && !p.is_empty() =>
        {
            Joinable::Parts
        }
        (Shape::Record(x, p), Shape::Record(y, q)) if x == y && p.len() == q.len() && !p.is_empty() => {
            Joinable::Parts
        }
        (Shape::Field(x, _), Shape::Field(y, _)) if x == y => Joinable::Parts,
        (Shape::FiniteMap(_), Shape::FiniteMap(_)) => Joinable::Entries,
        _ => Joinable::Is(a),
    }
}

fn remake(terms: &mut Terms, like: TermId, parts: &[TermId]) -> TermId {
    match terms.shape(like) {
        Shape::Con(name, _) => {
            let name = name.to_owned();
            terms.con(&name, parts)
        }
        Shape::Tuple(_) => terms.tuple(parts),
        Shape::List(_) => terms.list(parts),
        Shape::Record(name, _) => {
            let name = name.to_owned();
            terms.record(&name, parts)
        }
        Shape::Field(name, value) => {
            let name = name.to_owned();
            terms.field(&name, parts.first().copied().unwrap_or(value))
        }
        _ => like,
    }
}

/// Whether a term says everything of its value.
pub(super) fn is_whole(terms: &Terms, term: TermId) -> bool {
    let mut work = vec![term];
    while let Some(term) = work.pop() {
        match terms.shape(term) {
            Shape::Unevaluated | Shape::Omitted(_) | Shape::FiniteMap(_) => return false,
            Shape::Str(_, more) if more > 0 => return false,
            _ => work.extend(terms.children(term)),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use gadfly_term::render::{self, Room, Style};

    #[test]
    fn what_one_does_not_say_the_other_may() {
        let mut terms = Terms::new();
        let (one, two, hole) = (terms.number("1"), terms.number("2"), terms.unevaluated());
        let left = terms.tuple(&[one, hole]);
        let right = terms.tuple(&[hole, two]);
        let (first, second) = (terms.entry(&[one], left), terms.entry(&[two], right));
        let (a, b) = (terms.finite_map(&[first]), terms.finite_map(&[second]));
        let maps = join(&mut terms, a, b);
        let pairs = join(&mut terms, left, right);
        let all = terms.list(&[maps, pairs]);
        let text = render::term(&terms, all, Style::Juxtaposed, Room { width: 80, lines: 1 }).text;
        assert_eq!(text, "[{1 ↦ (1,_), 2 ↦ (_,2)},(1,2)]");
        assert!(is_whole(&terms, pairs) && !is_whole(&terms, left) && !is_whole(&terms, maps));
    }

    #[test]
    fn a_million_deep_is_no_trouble() {
        let mut terms = Terms::new();
        let (mut a, mut b) = (terms.unevaluated(), terms.con("Z", &[]));
        for _ in 0..1_000_000 {
            a = terms.con("S", &[a]);
            b = terms.con("S", &[b]);
        }
        let joined = join(&mut terms, a, b);
        assert!(is_whole(&terms, joined));
    }
}
