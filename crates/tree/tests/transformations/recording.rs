//! Executions for the tests: a recorder that is given what runs, and random runs.

use gadfly_tree::transform::{
    Balance, Execution, Expression, LoopRun, LoopShape, Loops, Move, Rewritten, Round, Span, expand_loops,
    simplify,
};
use gadfly_tree::{Entry, Kind, NO_PARENT, Node, Rule, RuleId, RuleTable, TreeBuilder};
use proptest::prelude::*;

/// Takes down a run as it happens; the first call has begun.
pub(crate) struct Recorder {
    builder: TreeBuilder,
    parents: Vec<u32>,
    steps: Vec<Expression>,
    spans: Vec<Span>,
    runs: Vec<(LoopRun, Vec<Round>)>,
    open: Vec<Open>,
}

enum Open {
    Call(u32),
    /// The loop's number, and where its current round began.
    Loop(usize, u32),
}

fn rule(rules: &mut RuleTable, number: u32) -> RuleId {
    rules.intern(Rule::named(&format!("m{number}")))
}

impl Recorder {
    pub(crate) fn new(rule: u32) -> Recorder {
        let mut recorder = Recorder {
            builder: TreeBuilder::new(),
            parents: Vec::new(),
            steps: Vec::new(),
            spans: Vec::new(),
            runs: Vec::new(),
            open: Vec::new(),
        };
        recorder.enter(rule, Kind::Routine);
        recorder
    }

    fn now(&self) -> u32 {
        self.steps.len() as u32
    }

    /// The innermost call that is running.
    fn caller(&self) -> Option<u32> {
        self.open.iter().rev().find_map(|open| match open {
            Open::Call(node) => Some(*node),
            Open::Loop(..) => None,
        })
    }

    pub(crate) fn enter(&mut self, number: u32, kind: Kind) {
        let (node, begin) = (self.parents.len() as u32, self.now());
        self.parents.push(self.caller().unwrap_or(NO_PARENT));
        let rule = rule(self.builder.rules(), number);
        self.builder.push(Entry { rule, kind, raised: false, handle: u64::from(node) });
        self.spans.push(Span { begin, end: begin });
        self.open.push(Open::Call(node));
    }

    pub(crate) fn call(&mut self, number: u32) {
        self.enter(number, Kind::Routine);
    }

    pub(crate) fn step(&mut self, expression: u32) {
        self.steps.push(Expression(expression));
    }

    /// Ends what is innermost: a call, or a loop and its last round.
    pub(crate) fn end(&mut self) {
        let now = self.now();
        match self.open.pop() {
            Some(Open::Call(node)) => self.spans[node as usize].end = now,
            Some(Open::Loop(number, begin)) => {
                self.end_round(number, begin);
                self.runs[number].0.span.end = now;
            }
            None => {}
        }
    }

    /// Begins a loop, with its first round.
    pub(crate) fn begin_loop(&mut self, number: u32) {
        let (begin, handle) = (self.now(), 1000 + self.runs.len() as u64);
        let rule = rule(self.builder.rules(), number);
        let owner = Node(self.caller().unwrap_or(0));
        let span = Span { begin, end: begin };
        self.open.push(Open::Loop(self.runs.len(), begin));
        self.runs.push((LoopRun { owner, rule, span, handle }, Vec::new()));
    }

    /// Begins the next round of the innermost loop.
    pub(crate) fn next_round(&mut self) {
        let now = self.now();
        if let Some(Open::Loop(number, begin)) = self.open.last_mut() {
            let (number, begin) = (*number, std::mem::replace(begin, now));
            self.end_round(number, begin);
        }
    }

    /// A round in which nothing ran is none.
    fn end_round(&mut self, number: usize, begin: u32) {
        let end = self.now();
        if begin < end {
            let handle = 2000 + u64::from(begin);
            self.runs[number].1.push(Round { span: Span { begin, end }, handle });
        }
    }

    fn in_loop(&self) -> bool {
        matches!(self.open.last(), Some(Open::Loop(..)))
    }

    pub(crate) fn finish(mut self) -> (Execution, Loops) {
        while !self.open.is_empty() {
            self.end();
        }
        let tree = self.builder.finish(self.parents).unwrap();
        let mut loops = Loops::default();
        for (run, rounds) in self.runs {
            loops.push(run, rounds);
        }
        (Execution::new(tree, self.steps, self.spans).unwrap(), loops)
    }
}

/// A run, with what the transformations that need more than the tree have to be told, and answers.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) execution: Execution,
    pub(crate) loops: Loops,
    pub(crate) moves: Vec<Move>,
    /// Whether a node is wrong, by its number; first for the old tree's nodes, then for the new tree's.
    pub(crate) wrong: Vec<bool>,
}

pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let parts = (
        prop::collection::vec(any::<u8>(), 0..60),
        prop::collection::vec(any::<(u8, u8)>(), 0..4),
        prop::collection::vec(any::<bool>(), 120),
    );
    parts.prop_map(|(bytes, moves, wrong)| {
        let (execution, loops) = decode(&bytes);
        let count = execution.tree().len();
        let moves = moves.into_iter().filter(|_| count > 1).map(|(node, creator)| {
            let node = 1 + u32::from(node) % (count - 1);
            Move { node: Node(node), creator: Node(u32::from(creator) % node) }
        });
        Case { moves: moves.collect(), execution, loops, wrong }
    })
}

/// Any bytes are a run. Calls of the same rule run code out of the same few expressions; a loop has its own.
fn decode(bytes: &[u8]) -> (Execution, Loops) {
    let mut recorder = Recorder::new(0);
    recorder.step(0);
    let mut rules = vec![0];
    for byte in bytes {
        let detail = u32::from(byte / 10);
        let rule = rules.last().copied().unwrap_or(0);
        let room = recorder.open.len() < 7 && recorder.parents.len() < 20;
        match byte % 10 {
            4..=6 if room => {
                rules.push(detail % 3);
                recorder.call(detail % 3);
                recorder.step(10 * (detail % 3));
            }
            7 if recorder.open.len() > 1 => {
                if !recorder.in_loop() {
                    rules.pop();
                }
                recorder.end();
            }
            8 if recorder.in_loop() => recorder.next_round(),
            8 | 9 if room => recorder.begin_loop(20 + rule),
            _ => {
                let inside = if recorder.in_loop() { 5 } else { 0 };
                recorder.step(10 * rule + inside + detail % 3);
            }
        }
    }
    recorder.finish()
}

/// S3's four transformations, in the order of its Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transformation {
    LoopExpansion,
    NodeSimplification,
    TreeBalancing,
    TreeCompression,
}

impl Transformation {
    pub(crate) const ALL: [Transformation; 4] = [
        Transformation::LoopExpansion,
        Transformation::NodeSimplification,
        Transformation::TreeBalancing,
        Transformation::TreeCompression,
    ];

    pub(crate) fn apply(self, case: &Case) -> Rewritten {
        let Case { execution, loops, moves, wrong } = case;
        match self {
            Transformation::LoopExpansion => {
                let shape = if wrong[0] { LoopShape::Chain } else { LoopShape::Star };
                expand_loops(execution, loops, shape).unwrap()
            }
            Transformation::NodeSimplification => simplify(execution, moves).unwrap(),
            Transformation::TreeBalancing => {
                execution.balance(Balance { least: 2 + u32::from(wrong[1]), collapse: wrong[2] })
            }
            Transformation::TreeCompression => execution.compress(|_| true),
        }
    }
}

pub(crate) fn nodes(execution: &Execution) -> impl Iterator<Item = Node> + use<> {
    (0..execution.tree().len()).map(Node)
}
