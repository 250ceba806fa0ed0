//! Trees of any size, for benches and tests: the same seed writes the same file.

use std::io::{self, Write};

/// The shape of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A random recursive tree: every node hangs under a node picked among all before it; about log n deep.
    Random,
    /// Mostly one long path, with a short side branch here and there.
    Deep,
    /// A few nodes with very many children.
    Wide,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Shape; 3] = [Shape::Random, Shape::Deep, Shape::Wide];

    /// The shape's name.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Random => "random",
            Shape::Deep => "deep",
            Shape::Wide => "wide",
        }
    }
}

/// Small, quick and good enough for shapes: xorshift64* (Vigna, 2016).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that fall the same way for the same seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound` (which must not be 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        // The high bits are the good ones.
        ((u128::from(self.roll()) * u128::from(bound)) >> 64) as u64
    }
}

/// The parents of a tree of `count` nodes, in an order where parents come before children (for `Deep` it is
/// preorder); the root's own entry is 0.
pub fn parents(shape: Shape, count: u32, seed: u64) -> Vec<u32> {
    let mut dice = Dice::new(seed);
    let mut parents = Vec::with_capacity(count as usize);
    parents.extend((count > 0).then_some(0));
    let mut tip = 0;
    for node in 1..count {
        let parent = match shape {
            Shape::Random => dice.below(u64::from(node)) as u32,
            // One node in eight is a leaf beside the path.
            Shape::Deep => tip,
            // A thousandth of the nodes, or the root alone, share the others.
            Shape::Wide => match node / 1000 {
                0 => 0,
                hubs => dice.below(u64::from(hubs)) as u32 + 1,
            },
        };
        if dice.below(8) > 0 {
            tip = node;
        }
        parents.push(parent);
    }
    parents
}

/// Writes an interchange file of `count` nodes: ids count from 1, a handful of functions with a handful of rules, whole
/// numbers as arguments and results.
pub fn write(shape: Shape, count: u32, seed: u64, mut out: impl Write) -> io::Result<()> {
    const FUNCTIONS: [&str; 8] =
        ["main", "listsum", "partialsums", "insert", "lookup", "balance", "compute", "merge"];
    writeln!(
        out,
        "{{\"gadfly\": 1, \"language\": \"haskell\", \"program\": \"grown.hs\", \"sources\": [{{\"file\": \"grown.hs\"}}]}}"
    )?;
    let mut dice = Dice::new(seed ^ 0x5EED);
    for (node, parent) in (0u32..).zip(parents(shape, count, seed)) {
        let place = if node == 0 { 0 } else { 1 + dice.below(7) as usize };
        let rule = 1 + dice.below(4);
        let line = 10 * place as u64 + rule;
        write!(out, "{{\"id\": {}, ", u64::from(node) + 1)?;
        if node > 0 {
            write!(out, "\"parent\": {}, ", u64::from(parent) + 1)?;
        }
        writeln!(
            out,
            "\"kind\": \"routine\", \"function\": \"{}\", \"rule\": {rule}, \"module\": \"Main\", \
             \"span\": {{\"file\": \"grown.hs\", \"start\": [{line},1], \"end\": [{line},30]}}, \
             \"args\": [{}, {}], \"result\": {}}}",
            FUNCTIONS[place],
            dice.below(1000),
            dice.below(1_000_000),
            dice.below(100_000_000),
        )?;
    }
    out.flush()
}
