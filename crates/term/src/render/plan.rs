//! What is shown when not everything can be.
//!
//! Every node gets a budget of columns and shares it among its children as water finds its level: a child that needs
//! less than its share leaves the rest to the others, so a small argument is shown whole beside a huge one, and a huge
//! one still has its part beside a huge result. Where the shares of a list would become too small to say anything, its
//! middle is left out: `[1, 2, 3, … 999,994 more …, 999999, 1000000]`. Where a node's budget cannot hold even its
//! brackets, it becomes `…`, which is how a deep value ends: `S (S (S …))`.
//!
//! A part that must be seen (the marked one, or the first difference in a variable that changed) takes half of every
//! budget on the way down if it needs it; when that is no longer enough, the way is skipped: `…«3»…`.

use super::form::{Branch, Form, Gap, Join, Node, Place, Scene};
use super::measure::Widths;
use super::page::{Breaks, Hang, Page};
use super::text::{columns, thousands};

/// Below this share, an element of a list says nothing.
const TELLING: usize = 12;

/// Names up to this width are shown whole or not at all.
const NAME: usize = 8;

/// Children up to this width stand side by side when their list breaks.
const SMALL: usize = 16;

/// A part that must be seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Focus<'w> {
    /// The numbers of the children that lead to it.
    pub(super) way: &'w [usize],
    /// Whether it is drawn as `«…»`.
    pub(super) marked: bool,
}

impl Focus<'_> {
    /// The columns it takes besides the part itself.
    fn extra(focus: Option<Self>) -> usize {
        focus.map_or(0, |focus| 2 * usize::from(focus.marked))
    }

    fn child(self) -> Option<usize> {
        self.way.first().copied()
    }
}

/// Writes a node on a page, in about `budget` columns.
pub(super) fn plan<'w>(
    scene: &'w Scene<'_>,
    widths: &mut Widths,
    node: Node,
    focus: Option<Focus<'w>>,
    budget: usize,
    page: &mut Page,
) {
    let mut planner = Planner { scene, widths, page, stack: Vec::new() };
    planner.stack.push(Work::Node { node, place: Place::Free, budget, focus });
    while let Some(work) = planner.stack.pop() {
        planner.step(work);
    }
}

enum Work<'a, 'w> {
    Node { node: Node, place: Place, budget: usize, focus: Option<Focus<'w>> },
    Children { node: Node, branch: Box<Branch<'a>>, shares: Shares, next: usize, focus: Option<Focus<'w>> },
    Word(&'static str),
    End,
}

/// Which children are shown, and in how many columns.
enum Shares {
    All,
    /// These, by number and in order; the others are counted, or only hinted at if `brief`.
    Some {
        shown: Vec<(usize, usize)>,
        brief: bool,
    },
}

/// Something that shares room with others, and the child it belongs to.
#[derive(Clone, Copy)]
struct Portion {
    child: usize,
    node: Node,
    place: Place,
    weight: usize,
}

struct Planner<'a, 'w, 'p> {
    scene: &'w Scene<'a>,
    widths: &'p mut Widths,
    page: &'p mut Page,
    stack: Vec<Work<'a, 'w>>,
}

impl<'a, 'w> Planner<'a, 'w, '_> {
    fn step(&mut self, work: Work<'a, 'w>) {
        match work {
            Work::Node { node, place, budget, focus } => self.node(node, place, budget, focus),
            Work::Children { node, branch, shares, next, focus } => {
                self.children(node, branch, shares, next, focus);
            }
            Work::Word(word) => self.page.word(word),
            Work::End => self.page.end(),
        }
    }

    fn node(&mut self, node: Node, place: Place, budget: usize, mut focus: Option<Focus<'w>>) {
        let mut left = budget;
        if let Some(Focus { way: [], marked }) = focus {
            focus = None;
            if marked {
                self.page.word("«");
                self.stack.push(Work::Word("»"));
                left = less(left, 2);
            }
        }
        let outside = left;
        let parentheses = self.scene.parenthesised(node, place);
        if parentheses {
            left = less(left, 2);
        }
        let branch = match self.scene.form(node) {
            Form::Leaf(text) => {
                self.parentheses(parentheses && left > 0);
                return text.write(left, self.page);
            }
            Form::Branch(branch) => branch,
        };
        let whole = left == usize::MAX
            || self.widths.of(self.scene, node, left).saturating_add(Focus::extra(focus)) <= left;
        if whole {
            self.parentheses(parentheses);
            return self.branch(node, branch, usize::MAX, Shares::All, focus);
        }
        self.page.elided = true;
        let seen = focus.and_then(|focus| focus.child()).filter(|index| *index < branch.count());
        let most = (left / 3).max(NAME);
        let name = branch.name.width(most).min(most);
        let inner = left.checked_sub(name + columns(branch.open) + columns(branch.close));
        let shares = inner.and_then(|inner| self.shares(&branch, inner, seen, focus));
        match (shares, focus.filter(|_| seen.is_some())) {
            (Some(shares), _) => {
                self.parentheses(parentheses);
                self.branch(node, branch, name, shares, focus);
            }
            (None, Some(focus)) => self.skip(node, focus, outside),
            (None, None) => self.page.word("…"),
        }
    }

    fn parentheses(&mut self, needed: bool) {
        if needed {
            self.page.word("(");
            self.stack.push(Work::Word(")"));
        }
    }

    /// Leaves out the way to the part that must be seen.
    fn skip(&mut self, from: Node, focus: Focus<'w>, budget: usize) {
        let mut node = from;
        for index in focus.way {
            match self.scene.form(node) {
                Form::Branch(branch) if *index < branch.count() => node = self.scene.child(&branch, *index),
                _ => return self.page.word("…"),
            }
        }
        self.page.word("…");
        self.stack.push(Work::Word("…"));
        let here = Focus { way: &[], ..focus };
        self.stack.push(Work::Node { node, place: Place::Free, budget: less(budget, 2), focus: Some(here) });
    }

    fn branch(
        &mut self,
        node: Node,
        branch: Branch<'a>,
        name: usize,
        shares: Shares,
        focus: Option<Focus<'w>>,
    ) {
        let aligned =
            !branch.hangs() && !matches!(branch.join, Join::Space | Join::Equation(..) | Join::Infix(_));
        let grouped = branch.count() > 0 && !self.page.is_flat();
        self.stack.push(Work::Word(branch.close));
        let breaks = if grouped { self.breaks(&branch, &shares) } else { Breaks::All };
        if grouped {
            self.stack.push(Work::End);
        }
        if grouped && !aligned {
            let columns = if node == Node::Call { 4 } else { 2 };
            self.page.begin(breaks, Hang::Nested(columns));
        }
        branch.name.write(name, self.page);
        self.page.word(branch.open);
        if grouped && aligned {
            self.page.begin(breaks, Hang::Aligned);
        }
        let branch = Box::new(branch);
        self.stack.push(Work::Children { node, branch, shares, next: 0, focus });
    }

    /// Small things stand side by side, big ones below each other.
    fn breaks(&mut self, branch: &Branch<'a>, shares: &Shares) -> Breaks {
        if !(branch.alike || branch.open == "(" && branch.name.body.is_empty()) {
            return Breaks::All;
        }
        let small = |index: usize, planner: &mut Self| {
            let child = planner.scene.child(branch, index);
            planner.widths.of(planner.scene, child, SMALL) <= SMALL
        };
        let all_small = match shares {
            Shares::All => (0..branch.count().min(16)).all(|index| small(index, self)),
            Shares::Some { shown, .. } => shown.iter().take(16).all(|(index, _)| small(*index, self)),
        };
        if all_small { Breaks::Full } else { Breaks::All }
    }

    /// Writes child `next`, and comes back for the others.
    fn children(
        &mut self,
        node: Node,
        branch: Box<Branch<'a>>,
        shares: Shares,
        next: usize,
        focus: Option<Focus<'w>>,
    ) {
        let (index, budget, before) = match &shares {
            Shares::All if next < branch.count() => (next, usize::MAX, next),
            Shares::Some { shown, .. } if next < shown.len() => {
                let previous = next.checked_sub(1).map_or(0, |previous| shown[previous].0 + 1);
                (shown[next].0, shown[next].1, previous)
            }
            Shares::All => return,
            Shares::Some { shown, brief } => {
                let previous = shown.last().map_or(0, |(index, _)| index + 1);
                return self.left_out(&branch, *brief, previous, branch.count());
            }
        };
        // The call and what it came to stay on one line if they can, whatever the changes need.
        let grouped = node == Node::Equation && branch.count() > 2;
        if grouped && index == 0 {
            self.page.begin(Breaks::All, Hang::Nested(2));
        }
        let brief = matches!(shares, Shares::Some { brief: true, .. });
        self.left_out(&branch, brief, before, index);
        self.gap(branch.gap(index));
        let place = branch.place(index);
        let child = self.scene.child(&branch, index);
        let child_focus = match focus {
            Some(focus) if focus.child() == Some(index) => Some(Focus { way: &focus.way[1..], ..focus }),
            _ => self.difference(node),
        };
        self.stack.push(Work::Children { node, branch, shares, next: next + 1, focus });
        if grouped && index == 1 {
            self.stack.push(Work::End);
        }
        self.stack.push(Work::Node { node: child, place, budget, focus: child_focus });
    }

    /// Both values of a changed variable show where they differ.
    fn difference(&self, node: Node) -> Option<Focus<'w>> {
        let Node::Change(index) = node else { return None };
        let way = &self.scene.changes.list.get(index)?.way;
        (!way.is_empty()).then_some(Focus { way, marked: false })
    }

    /// Says how many children stand between two that are shown.
    fn left_out(&mut self, branch: &Branch<'a>, brief: bool, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let last = to == branch.count();
        // An arrow stands before what it leads to, never before what is left out.
        let gap = branch.gap(from).filter(|_| !(last && matches!(branch.join, Join::Maplet)));
        self.gap(gap);
        self.page.word(&left_out(branch, brief, to - from));
    }

    fn gap(&mut self, gap: Option<Gap<'a>>) {
        let Some(gap) = gap else { return };
        self.page.word(gap.before);
        self.page.gap(gap.space);
        if let Some(name) = gap.name {
            name.write(usize::MAX, self.page);
        }
        self.page.word(gap.after);
    }

    /// Shares `room` columns among the children and the gaps between them; `None` if that shows nothing of them.
    fn shares(
        &mut self,
        branch: &Branch<'a>,
        room: usize,
        seen: Option<usize>,
        focus: Option<Focus<'w>>,
    ) -> Option<Shares> {
        let count = branch.count();
        let own = columns(branch.open) + columns(branch.close) + branch.name.width(room);
        let gaps = branch.frame(count, room).saturating_sub(own);
        let mut inner = room.checked_sub(gaps);
        let level = if branch.alike && count > 3 { TELLING } else { 1 };
        if !branch.alike && count > 12 && inner.is_some_and(|inner| inner / count < 3) {
            inner = None;
        }
        // A list of many: each child costs at least a column, so there is no need to look at all of them.
        if let Some(inner) = inner.filter(|inner| count <= *inner)
            && let Some(shown) = self.level(branch, inner, level, seen, focus)
        {
            return Some(Shares::Some { shown, brief: false });
        }
        if count <= 3 && !branch.alike {
            return None;
        }
        self.ends(branch, room, seen, focus)
    }

    /// All children, by the level at which their shares fill the room; `None` if that is below `least`.
    fn level(
        &mut self,
        branch: &Branch<'a>,
        room: usize,
        least: usize,
        seen: Option<usize>,
        focus: Option<Focus<'w>>,
    ) -> Option<Vec<(usize, usize)>> {
        let mut shares = vec![0; branch.count()];
        let mut left = room;
        if let Some(seen) = seen {
            let half = if shares.len() == 1 { room } else { room / 2 };
            let needs = self.child_width(branch, seen, half).saturating_add(Focus::extra(focus));
            shares[seen] = needs.min(half);
            // Too little to show the way: better to show where it leads.
            if shares[seen] < needs.min(8) {
                return None;
            }
            left -= shares[seen];
        }
        let mut parts = Vec::new();
        for index in (0..shares.len()).filter(|index| Some(*index) != seen) {
            let fixed = self.parts(branch, index, &mut parts);
            shares[index] += fixed;
            left = left.checked_sub(fixed)?;
        }
        let (columns, unit, rest) = self.fill(&parts, left);
        if unit < least {
            return None;
        }
        for (part, columns) in parts.iter().zip(columns) {
            shares[part.child] += columns;
        }
        // What is left over goes to children that did not get all they need.
        let takes = seen.or_else(|| parts.first().map(|part| part.child));
        if let Some(index) = takes {
            shares[index] += rest;
        }
        Some(shares.into_iter().enumerate().collect())
    }

    /// What shares room in the place of child `index`: the child itself or, as every argument counts as much as the
    /// result, the arguments of a call. Returns the columns that are theirs in any case.
    fn parts(&mut self, branch: &Branch<'a>, index: usize, parts: &mut Vec<Portion>) -> usize {
        let node = self.scene.child(branch, index);
        let mut portion = |node, place, weight| parts.push(Portion { child: index, node, place, weight });
        if let (Node::Call | Node::Changes, Form::Branch(inner)) = (node, self.scene.form(node))
            && (1..=64).contains(&inner.count())
        {
            let weight = if node == Node::Call { 1 } else { 2 };
            for child in 0..inner.count() {
                portion(self.scene.child(&inner, child), inner.place(child), weight);
            }
            return inner.frame(inner.count(), usize::MAX);
        }
        portion(node, branch.place(index), 1);
        0
    }

    /// Fills the room to one level: the columns of each, the level, and what no child needs.
    fn fill(&mut self, parts: &[Portion], room: usize) -> (Vec<usize>, usize, usize) {
        let mut columns = vec![0; parts.len()];
        let mut open: Vec<usize> = (0..parts.len()).collect();
        let mut left = room;
        // Each round gives those what they need who need less than their share; it looks no further than the share.
        for _ in 0..16 {
            let weight: usize = open.iter().map(|index| parts[*index].weight).sum();
            let Some(unit) = left.checked_div(weight) else { break };
            let before = open.len();
            open.retain(|index| {
                let part = parts[*index];
                let needs = self.width(part.node, part.place, unit * part.weight);
                let satisfied = needs <= unit * part.weight;
                if satisfied {
                    columns[*index] = needs;
                    left -= needs;
                }
                !satisfied
            });
            if open.len() == before {
                break;
            }
        }
        let weight: usize = open.iter().map(|index| parts[*index].weight).sum();
        let Some(unit) = left.checked_div(weight) else { return (columns, usize::MAX, left) };
        for index in open {
            columns[index] = unit * parts[index].weight;
        }
        (columns, unit, left - unit * weight)
    }

    /// The first and the last children, one after the other from both ends, and the one that must be seen.
    fn ends(
        &mut self,
        branch: &Branch<'a>,
        room: usize,
        seen: Option<usize>,
        focus: Option<Focus<'w>>,
    ) -> Option<Shares> {
        let count = branch.count();
        let each = branch.gap(1).map_or(1, |gap| gap.width(room));
        let first = branch.gap(0).map_or(0, |gap| gap.width(room));
        let out = |brief| {
            let out = columns(&left_out(branch, brief, count));
            first + if seen.is_some() { 2 * out + each } else { out }
        };
        let brief = room < out(false) + 2 * each + if seen.is_some() { TELLING } else { 2 };
        let mut left = room.checked_sub(out(brief))?;
        let mut shown = Vec::new();
        if let Some(seen) = seen {
            let half = left / 2;
            let needs = self.child_width(branch, seen, half).saturating_add(Focus::extra(focus));
            if half < needs.min(8) {
                return None;
            }
            shown.push((seen, needs.min(half)));
            left -= needs.min(half);
        }
        let (mut front, mut back) = (0, count);
        while front < back {
            let from_front = front <= count - back;
            let index = if from_front { front } else { back - 1 };
            if Some(index) != seen {
                let most = (left / 2).max(TELLING).min(left.saturating_sub(each));
                let needs = self.child_width(branch, index, most);
                // Part of an element is better than nothing, but a small part of one more is not.
                let least = if shown.is_empty() { TELLING } else { 2 * TELLING };
                if most == 0 || needs > most && most < least {
                    break;
                }
                shown.push((index, needs.min(most)));
                left -= needs.min(most) + each.min(left - needs.min(most));
            }
            if from_front {
                front += 1;
            } else {
                back -= 1;
            }
        }
        shown.sort_unstable();
        (!shown.is_empty() || !brief).then_some(Shares::Some { shown, brief })
    }

    /// What a child needs on one line, parentheses included; any number above `cap` if it is more.
    fn child_width(&mut self, branch: &Branch<'a>, index: usize, cap: usize) -> usize {
        self.width(self.scene.child(branch, index), branch.place(index), cap)
    }

    fn width(&mut self, node: Node, place: Place, cap: usize) -> usize {
        let parentheses = 2 * usize::from(self.scene.parenthesised(node, place));
        self.widths.of(self.scene, node, cap).saturating_add(parentheses)
    }
}

/// `… 5 more …`, in parentheses where blanks separate the children.
fn left_out(branch: &Branch<'_>, brief: bool, count: usize) -> String {
    if brief {
        return "…".to_string();
    }
    let count = thousands(count as u64);
    match branch.join {
        Join::Space | Join::Maplet | Join::Infix(_) => format!("(… {count} more …)"),
        _ => format!("… {count} more …"),
    }
}

fn less(budget: usize, by: usize) -> usize {
    if budget == usize::MAX { budget } else { budget.saturating_sub(by) }
}
