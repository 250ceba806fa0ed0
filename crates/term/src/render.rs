//! Terms and equations as text.
//!
//! Enter at [`term`], [`equation`] and [`equation_line`]. The two [`Style`]s write
//!
//! | what | juxtaposed | called |
//! | --- | --- | --- |
//! | a call | `f (Just 3) (-1) = 2`, `3 + 2 = 5` | `f(Just(3), x=-1) = 2` |
//! | an exception | `head [] = ⊥ (empty list)` | `f(3) raises ZeroDivisionError('division by zero')` |
//! | no end | `loop 3 = ⊥ (never ended)` | `loop(3) never ended` |
//! | what changed | `f 3 = ()  {n: 1 → 2}` | `withdraw(50) = None  {balance: 100 → 50}` |
//! | a loop or block | `loop: b: 9 → 3` | `while loop: b: 9 → 3, i: 0 → 1` |
//! | a field | `P {x = 1}` | `P(x=1)` |
//! | a function as a map | `{2 ↦ False, 7 ↦ True}`, `{1 2 ↦ 3}` | `{2: False, 7: True}`, `{1 2 ↦ 3}` |
//! | the beginning of a list | `1 : 2 : _` | |
//! | variables known only before | `go 3 = 5  where n = 2` | `go(3) = 5  {before: n = 2}` |
//!
//! Variables that did not change are not shown, unless none did: `{unchanged: b = 9}`. A variable without a value on
//! one side is `unset` there; where one side of the state is not known at all, the other is shown alone, as
//! `{before: b = 9}` or `{after: b = 3}`.
//!
//! `_` was never evaluated. Three dots always mean that something is not shown, and stand outside of quotes:
//! `[1,2,… 96 more …,99,100]`, `"abc"…(1,000 characters)…"xyz"`, and `"abc"…(+7 characters)` for a string that was
//! recorded only up to there. A marked part stands in `«…»`. Characters that a screen would not show, or that would
//! change what it shows, are escaped everywhere.
//!
//! What does not fit on one line is laid out over several (`page`), and what does not fit there is left out by shares
//! (`plan`), at a cost that grows with what is shown and not with what there is. The one exception is state: to say
//! what changed, values that do not share their terms are compared up to the first difference.

mod change;
mod form;
mod measure;
mod page;
mod plan;
mod text;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use crate::{Equation, Path, Root, TermId, Terms};
use change::Changes;
use form::{Node, Scene};
use measure::Widths;
use page::Page;
use plan::Focus;

/// How a language writes applications and lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `f (Just 3) [1,2]`, as Haskell and Curry write it.
    Juxtaposed,
    /// `f(Just(3), [1, 2])`, as most others do.
    Called,
}

/// The room there is to show something in.
///
/// Less than [`Room::LEAST_WIDTH`] columns or one line is taken as that: there is nothing to be said in less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Columns.
    pub width: usize,
    /// Lines; what does not fit is elided in the middle.
    pub lines: usize,
}

impl Room {
    /// The columns that are used even where fewer are given.
    pub const LEAST_WIDTH: usize = 8;

    /// Room for everything.
    pub const UNBOUNDED: Room = Room { width: usize::MAX, lines: usize::MAX };
}

/// Text made to fit, and whether anything had to be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The text, without a final line break.
    pub text: String,
    /// Whether something was left out that a bigger room would show.
    pub elided: bool,
}

/// Shows a term.
pub fn term(terms: &Terms, id: TermId, style: Style, room: Room) -> Shown {
    let scene = Scene { terms, style, equation: None, changes: Changes::none(), function_marked: false };
    fit(&scene, Node::Term(id), None, room)
}

/// Shows an equation; the marked part, if any, stands out as `«…»`.
pub fn equation(equation: &Equation, style: Style, room: Room, mark: Option<&Path>) -> Shown {
    let scene = Scene {
        terms: &equation.terms,
        style,
        equation: Some(equation),
        changes: Changes::of(equation, style, mark),
        function_marked: mark.is_some_and(|path| path.root == Root::Function && path.parts.is_empty()),
    };
    let way = mark.and_then(|path| scene.way(path));
    let focus = way.as_deref().map(|way| Focus { way, marked: true });
    fit(&scene, Node::Equation, focus, room)
}

/// An equation on one line of at most `width` columns.
pub fn equation_line(of: &Equation, style: Style, width: usize) -> Shown {
    equation(of, style, Room { width, lines: 1 }, None)
}

/// Shows everything on one line, or as much as can be on as many lines as there are.
fn fit(scene: &Scene<'_>, node: Node, focus: Option<Focus<'_>>, room: Room) -> Shown {
    let width = room.width.max(Room::LEAST_WIDTH);
    let mut widths = Widths::default();
    if width == usize::MAX {
        return line(scene, &mut widths, node, focus, width);
    }
    let extra = focus.map_or(0, |_| 2);
    if room.lines <= 1 || widths.of(scene, node, width).saturating_add(extra) <= width {
        return line(scene, &mut widths, node, focus, width);
    }
    let mut budget = width.saturating_mul(room.lines);
    if budget < usize::MAX {
        budget = budget.min(widths.of(scene, node, budget).saturating_add(extra));
    }
    while budget >= width {
        let mut page = Page::broken(width);
        plan::plan(scene, &mut widths, node, focus, budget, &mut page);
        if let Some((text, elided)) = page.into_lines(width, room.lines) {
            return Shown { text, elided };
        }
        // Indentation and ragged lines cost room that only the layout knows.
        budget -= (budget / 6).max(1);
    }
    line(scene, &mut widths, node, focus, width)
}

/// Shows as much as can be on one line.
fn line(scene: &Scene<'_>, widths: &mut Widths, node: Node, focus: Option<Focus<'_>>, width: usize) -> Shown {
    let mut budget = width;
    loop {
        let mut page = Page::flat();
        plan::plan(scene, widths, node, focus, budget, &mut page);
        let (text, elided) = page.into_line();
        if width == usize::MAX || text::columns(&text) <= width {
            return Shown { text, elided };
        }
        if budget == 0 {
            let mut clipped = String::new();
            page::push_clipped(&text, width, &mut clipped);
            return Shown { text: clipped, elided: true };
        }
        budget -= (budget / 8).max(1);
    }
}
