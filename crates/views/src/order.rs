//! The order of a node's children: where in the code of their parent they were made.
//!
//! Every expression of a function gets a number in the order of the source, and the children of a redex are ordered by
//! the number of the expression that made them. What desugaring made of a part of a function (the rest of a `do` block,
//! the loop of a comprehension) belongs to that function.
//!
//! Outermost is the order in which expressions begin, and a longer one begins before a shorter one; innermost is the
//! order in which they end, and a longer one ends after a shorter one. A function symbol that stands in a call as an
//! argument has no expression of its own: it comes after that call in the first order, and before it in the second.

use super::Order;
use gadfly_trail::model::{Expression, Origin, Piece, Position, Tables};

/// The numbers of all expressions.
#[derive(Debug)]
pub(super) struct Ranks {
    order: Order,
    index: Index,
    numbers: Vec<u32>,
    equations: Vec<u32>,
    most: u32,
}

impl Ranks {
    pub(super) fn new(tables: &Tables, order: Order) -> Ranks {
        let all = &tables.expressions;
        let index = Index::new(all);
        let owners = owners(tables);
        let owner = |expression: &Expression| owners.get(expression.function as usize).copied();
        let pieces: Vec<Option<Piece>> =
            all.iter().map(|expression| piece(all, &index, expression)).collect();
        let mut sorted: Vec<usize> = (0..all.len()).collect();
        sorted.sort_by_key(|at| owner(&all[*at]));
        let mut numbers = vec![0; all.len()];
        let mut most = 0;
        for group in sorted.chunk_by_mut(|one, other| owner(&all[*one]) == owner(&all[*other])) {
            let plain = group.iter().all(|at| Some(all[*at].function) == owner(&all[*at]));
            let key = |at: usize| key(order, plain, pieces[at], all[at].rank);
            group.sort_by_key(|at| key(*at));
            let mut number = 0;
            for (place, at) in group.iter().enumerate() {
                number += u32::from(place > 0 && key(group[place - 1]) != key(*at));
                numbers[*at] = number;
            }
            most = most.max(number);
        }
        let equations = all
            .iter()
            .zip(&pieces)
            .map(|(expression, piece)| equation(tables, owner(expression), expression, *piece))
            .collect();
        Ranks { order, index, numbers, equations, most }
    }

    /// How many different ranks there may be.
    pub(super) fn count(&self) -> usize {
        2 * self.most as usize + 3
    }

    /// The rank of what is made at a position: a call, or a function symbol. What was made nowhere comes last.
    pub(super) fn of(&self, position: Position, symbol: bool) -> u32 {
        let second = u32::from(symbol == (self.order == Order::Outermost));
        let last = 2 * self.most + 2;
        self.index.find(position).map_or(last, |at| 2 * self.numbers[at] + second)
    }

    /// The equation that an expression belongs to, from 1; 0 if that is not known.
    pub(super) fn equation(&self, position: Position) -> u32 {
        self.index.find(position).map_or(0, |at| self.equations[at])
    }
}

/// What expressions of a function are sorted by. Where a function has nothing that desugaring split off, outermost is
/// what the ranks say.
fn key(order: Order, plain: bool, piece: Option<Piece>, rank: u32) -> [u32; 3] {
    let (start, end) = piece.map_or((u32::MAX, u32::MAX), |piece| (piece.start, piece.end));
    match order {
        Order::Outermost if plain => [rank, 0, 0],
        Order::Outermost => [start, !end, rank],
        Order::Innermost => [end, !start, !rank],
    }
}

/// Where an expression stands; if that is not known, where the one stands that it is a part of.
fn piece(all: &[Expression], index: &Index, expression: &Expression) -> Option<Piece> {
    const STEPS: usize = 64;
    let mut at = expression;
    for _ in 0..STEPS {
        if at.piece.is_some() {
            return at.piece;
        }
        at = &all[index.find(at.within?)?];
    }
    None
}

/// The equation of the function that an expression belongs to.
fn equation(tables: &Tables, owner: Option<u32>, expression: &Expression, piece: Option<Piece>) -> u32 {
    let Some(function) = owner.and_then(|owner| tables.functions.get(owner as usize)) else { return 0 };
    let known = expression.rule.0;
    if owner == Some(expression.function) && known > 0 && known as usize <= function.rules.len() {
        return known;
    }
    let Some(piece) = piece else { return 0 };
    let holds = |rule: &Piece| rule.file == piece.file && rule.start <= piece.start && piece.end <= rule.end;
    function.rules.iter().position(|rule| holds(&rule.piece)).map_or(0, |at| at as u32 + 1)
}

/// For every function the one that people see it as a part of: itself, unless desugaring made it.
pub(super) fn owners(tables: &Tables) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let functions = &tables.functions;
    let mut owners = vec![UNKNOWN; functions.len()];
    let mut way = Vec::new();
    for function in 0..functions.len() {
        let mut at = function;
        while owners[at] == UNKNOWN {
            // A function that is on the way already counts as an owner meanwhile: a cycle ends there.
            owners[at] = at as u32;
            way.push(at);
            match (&functions[at].origin, functions[at].parent) {
                (Origin::Hidden, Some(parent)) if (parent as usize) < functions.len() => at = parent as usize,
                _ => break,
            }
        }
        let owner = owners[at];
        for at in way.drain(..) {
            owners[at] = owner;
        }
    }
    owners
}

/// Finds expressions by position.
#[derive(Debug)]
enum Index {
    /// By position, the place and one more; 0 where there is none.
    Direct(Vec<u32>),
    Sorted(Vec<(Position, u32)>),
}

impl Index {
    fn new(all: &[Expression]) -> Index {
        let most = all.iter().map(|expression| expression.position.0 as usize).max().unwrap_or(0);
        // A file may say any number: a table is made only where it is not much bigger than what is in it.
        if most <= 64 * all.len() + (1 << 16) {
            let mut places = vec![0; most + 1];
            for (at, expression) in (1..).zip(all) {
                places[expression.position.0 as usize] = at;
            }
            return Index::Direct(places);
        }
        let mut places: Vec<_> = all.iter().map(|expression| expression.position).zip(0..).collect();
        places.sort_unstable();
        Index::Sorted(places)
    }

    #[inline]
    fn find(&self, position: Position) -> Option<usize> {
        if position == Position::NONE {
            return None;
        }
        match self {
            Index::Direct(places) => (*places.get(position.0 as usize)? as usize).checked_sub(1),
            Index::Sorted(places) => {
                let at = places.binary_search_by_key(&position, |(position, _)| *position).ok()?;
                Some(places[at].1 as usize)
            }
        }
    }
}
