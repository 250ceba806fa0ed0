//! How fast lexing and parsing are, on generated modules of 1,000 to 100,000 lines.
//!
//! Run with `cargo bench -p gadfly-syntax`. The figure to watch is lines a second, and that it does not fall with the
//! size.

#![allow(clippy::print_stdout, reason = "a bench reports on stdout")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use gadfly_source::{SourceFile, Sources};
use gadfly_syntax::names::Interner;
use gadfly_syntax::{Dialect, parse, resolve_fixities};

fn main() {
    println!("{:>8} {:>8} {:>12} {:>12} {:>14}", "lines", "KiB", "parse", "fixities", "lines/s");
    for lines in [1_000, 10_000, 100_000] {
        let text = program(lines);
        let size = text.len() / 1024;
        let mut sources = Sources::new();
        let file = sources.add(SourceFile::new("bench.hs", Some(text)));
        let mut best = (Duration::MAX, Duration::MAX);
        for _ in 0..(200_000 / lines).max(5) {
            let mut interner = Interner::new();
            let start = Instant::now();
            let mut parsed = parse(&sources, file, Dialect::Haskell, &mut interner);
            let parsing = start.elapsed();
            assert!(parsed.diagnostics.is_empty(), "the generated program is correct");
            let start = Instant::now();
            resolve_fixities(&mut parsed.module, &interner, |_| None);
            best = (best.0.min(parsing), best.1.min(start.elapsed()));
        }
        let rate = lines as f64 / (best.0 + best.1).as_secs_f64();
        println!("{lines:>8} {size:>8} {:>12.2?} {:>12.2?} {rate:>14.0}", best.0, best.1);
    }
}

/// Generates a module of about `lines` lines in the usual style.
fn program(lines: usize) -> String {
    let mut text = String::from("module Bench where\n\nimport qualified Data.Map as M\n");
    let mut count = 3;
    let mut number = 0;
    while count < lines {
        let block = format!(
            "\n-- | Example number {number}.\n\
             data Tree{number} a = Leaf{number} | Node{number} {{ left, right :: Tree{number} a, value :: a }}\n  \
               deriving (Eq, Show)\n\n\
             insert{number} :: Ord a => a -> Tree{number} a -> Tree{number} a\n\
             insert{number} x Leaf{number} = Node{number} Leaf{number} Leaf{number} x\n\
             insert{number} x t@(Node{number} l r y)\n  \
               | x < y = t {{ left = insert{number} x l }}\n  \
               | x > y, let z = x, z /= y = t {{ right = insert{number} x r }}\n  \
               | otherwise = t\n\n\
             sum{number} :: [Int] -> Int\n\
             sum{number} xs = go 0 xs\n  \
               where\n    \
                 go acc [] = acc\n    \
                 go acc (y : ys) = go (acc + y * 2 - length \"text\") ys\n\n\
             main{number} :: IO ()\n\
             main{number} = do\n  \
               line <- getLine\n  \
               let n = read line :: Int\n      \
                   squares = [i * i | i <- [1 .. n], even i]\n  \
               case M.lookup n (M.fromList (zip [0 ..] squares)) of\n    \
                 Nothing -> putStrLn (\"none for \" ++ show n)\n    \
                 Just v -> if v > 10 then print v else mapM_ (\\w -> print (w, 'c', 1.5e-3)) squares\n"
        );
        count += block.lines().count();
        let _ = write!(text, "{block}");
        number += 1;
    }
    text
}
