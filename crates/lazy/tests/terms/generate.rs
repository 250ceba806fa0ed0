//! Random programs: well-typed Haskell texts with what makes lazy evaluation hard.
//!
//! Every program terminates or raises something: recursion counts down, what is infinite is only looked at through
//! `take`, and functions call those that were defined before them.

/// What every program begins with.
const BEGINNING: &str = "\
{-# LANGUAGE BangPatterns #-}
module Terms where

import Data.List (foldl')

data Tree = Leaf | Node Tree !Int Tree deriving (Eq, Show)
data Box = Open Int | Sealed !Int deriving (Eq, Ord, Show)
newtype Wrap = Wrap Int deriving (Eq, Ord, Show)

class Weigh a where
  weigh :: a -> Int
  weigh _ = 3
  twin :: a -> (a, a)
  twin x = (x, x)

instance Weigh Int where
  weigh n = n + 1

instance Weigh Bool where
  weigh b = if b then 1 else 0

instance Weigh Box where
  twin b = (Open 1, b)

instance Weigh Tree where
  weigh Leaf = 0
  weigh (Node l n r) = weigh l + n + weigh r

instance Weigh a => Weigh [a] where
  weigh xs = case xs of
    [] -> 0
    y : ys -> weigh y + weigh ys

instance Weigh a => Weigh (Maybe a) where
  weigh (Just x) = weigh x
  weigh Nothing = 7

instance (Weigh a, Weigh b) => Weigh (a, b) where
  weigh (a, b) = weigh a - weigh b
  twin ~(a, b) = ((a, b), (fst (twin a), snd (twin b)))

flatten :: Tree -> [Int]
flatten Leaf = []
flatten (Node l n r) = flatten l ++ n : flatten r

unwrap :: Wrap -> Int
unwrap (Wrap n) = n

";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Int,
    Bool,
    List,
    Maybe,
    Pair,
    Box,
    Tree,
    Function,
}

const TYPES: [Type; 8] =
    [Type::Int, Type::Bool, Type::List, Type::Maybe, Type::Pair, Type::Box, Type::Tree, Type::Function];

impl Type {
    fn text(self) -> &'static str {
        match self {
            Type::Int => "Int",
            Type::Bool => "Bool",
            Type::List => "[Int]",
            Type::Maybe => "Maybe Int",
            Type::Pair => "(Int, Bool)",
            Type::Box => "Box",
            Type::Tree => "Tree",
            Type::Function => "(Int -> Int)",
        }
    }
}

/// A program with so many values `test0`, `test1`, … of type `IO ()`.
pub(crate) fn program(seed: u64, tests: usize) -> String {
    let mut generator = Generator { state: seed, names: 0, scope: Vec::new(), functions: Vec::new() };
    let mut text = BEGINNING.to_owned();
    for _ in 0..5 {
        text.push_str(&generator.function());
    }
    for test in 0..tests {
        let ty = generator.pick(&TYPES[..7]);
        let depth = 3 + generator.below(4);
        let value = generator.expr(ty, depth);
        text.push_str(&format!("test{test} :: IO ()\ntest{test} = print ({value} :: {})\n\n", ty.text()));
    }
    text
}

struct Generator {
    state: u64,
    names: usize,
    /// Local variables.
    scope: Vec<(String, Type)>,
    /// Functions of the program: parameters and result.
    functions: Vec<(String, Vec<Type>, Type)>,
}

impl Generator {
    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// An expression in which more variables are known.
    fn with(&mut self, variables: &[(&str, Type)], ty: Type, depth: usize) -> String {
        let from = self.scope.len();
        self.scope.extend(variables.iter().map(|(name, ty)| ((*name).to_owned(), *ty)));
        let text = self.expr(ty, depth);
        self.scope.truncate(from);
        text
    }

    /// A function of the program: clauses with patterns, guards and a `where`.
    fn function(&mut self) -> String {
        let name = format!("f{}", self.functions.len());
        let parameters: Vec<Type> = (0..1 + self.below(3)).map(|_| self.pick(&TYPES)).collect();
        let result = self.pick(&TYPES[..7]);
        let mut text = format!("{name} :: ");
        for parameter in &parameters {
            text.push_str(&format!("{} -> ", parameter.text()));
        }
        text.push_str(&format!("{}\n", result.text()));
        for _ in 0..1 + self.below(3) {
            let from = self.scope.len();
            text.push_str(&name);
            for &parameter in &parameters {
                let pattern = self.pattern(parameter, true);
                text.push_str(&format!(" {pattern}"));
            }
            match self.below(3) {
                0 => {
                    let body = self.expr(result, 3);
                    text.push_str(&format!(" = {body}\n"));
                }
                1 => {
                    let guard = self.expr(Type::Bool, 2);
                    let (one, other) = (self.expr(result, 3), self.expr(result, 2));
                    text.push_str(&format!("\n  | {guard} = {one}\n  | otherwise = {other}\n"));
                }
                _ => {
                    let (local, ty) = (self.fresh("w"), self.pick(&TYPES));
                    let value = self.expr(ty, 3);
                    let (a, b) = (self.fresh("a"), self.fresh("b"));
                    let pair = self.expr(Type::Pair, 2);
                    self.scope.extend([(local.clone(), ty), (a.clone(), Type::Int), (b.clone(), Type::Bool)]);
                    let guard = self.expr(Type::Bool, 2);
                    let (one, other) = (self.expr(result, 2), self.expr(result, 2));
                    text.push_str(&format!("\n  | {guard} = {one}\n  | otherwise = {other}\n  where\n"));
                    text.push_str(&format!("    {local} = {value}\n    ({a}, {b}) = {pair}\n"));
                }
            }
            self.scope.truncate(from);
        }
        text.push('\n');
        self.functions.push((name, parameters, result));
        text
    }

    /// A pattern; its variables come into scope.
    fn pattern(&mut self, ty: Type, refutable: bool) -> String {
        let name = self.fresh("p");
        if !refutable || self.below(2) == 0 {
            let mark = self.pick(&["", "", "", "!"]);
            self.scope.push((name.clone(), ty));
            return format!("{mark}{name}");
        }
        let bind = |generator: &mut Self, letter: &str, ty: Type| {
            let name = generator.fresh(letter);
            generator.scope.push((name.clone(), ty));
            name
        };
        match ty {
            Type::Int => format!("{}", self.below(3)),
            Type::Bool => self.pick(&["True", "False"]).to_owned(),
            Type::List if self.below(3) == 0 => "[]".to_owned(),
            Type::List => {
                let (x, xs) = (bind(self, "x", Type::Int), bind(self, "xs", Type::List));
                format!("({x} : {xs})")
            }
            Type::Maybe if self.below(3) == 0 => "Nothing".to_owned(),
            Type::Maybe => format!("(Just {})", bind(self, "j", Type::Int)),
            Type::Pair => {
                let (a, b) = (bind(self, "a", Type::Int), bind(self, "b", Type::Bool));
                format!("{}({a}, {b})", self.pick(&["", "~", "!"]))
            }
            Type::Box => {
                let constructor = self.pick(&["Open", "Sealed"]);
                format!("({constructor} {})", bind(self, "o", Type::Int))
            }
            Type::Tree if self.below(3) == 0 => "Leaf".to_owned(),
            Type::Tree => {
                let (l, n) = (bind(self, "l", Type::Tree), bind(self, "n", Type::Int));
                format!("(Node {l} {n} _)")
            }
            Type::Function => "_".to_owned(),
        }
    }

    fn expr(&mut self, ty: Type, depth: usize) -> String {
        if depth == 0 || self.below(12) == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match self.below(10) {
            0..=3 => self.any(ty, depth),
            _ => self.of(ty, depth),
        }
    }

    fn leaf(&mut self, ty: Type) -> String {
        let known: Vec<String> =
            self.scope.iter().filter(|(_, other)| *other == ty).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && self.below(5) > 0 {
            return known[self.below(known.len())].clone();
        }
        if self.below(40) == 0 {
            return format!("({} :: {})", self.pick(&["error \"boom\"", "undefined"]), ty.text());
        }
        match ty {
            Type::Int => format!("({})", self.below(12) as i64 - 3),
            Type::Bool => self.pick(&["True", "False"]).to_owned(),
            Type::List => self.pick(&["[]", "[1, 2, 3]", "[0 .. 4]", "[5, 3 .. 0]"]).to_owned(),
            Type::Maybe => self.pick(&["Nothing", "(Just 2)"]).to_owned(),
            Type::Pair => "(4, False)".to_owned(),
            Type::Box => self.pick(&["(Open 1)", "(Sealed 2)"]).to_owned(),
            Type::Tree => self.pick(&["Leaf", "(Node Leaf 3 Leaf)"]).to_owned(),
            Type::Function => self.pick(&["negate", "(+ 1)", "(const 5)", "id"]).to_owned(),
        }
    }

    /// What an expression of any type can be.
    fn any(&mut self, ty: Type, depth: usize) -> String {
        match self.below(16) {
            0 => {
                let (condition, one, other) =
                    (self.expr(Type::Bool, depth), self.expr(ty, depth), self.expr(ty, depth));
                format!("(if {condition} then {one} else {other})")
            }
            1 | 2 => {
                let (name, local) = (self.fresh("v"), self.pick(&TYPES));
                let value = self.expr(local, depth);
                let body = self.with(&[(&name, local)], ty, depth);
                let mark = self.pick(&["", "", "!"]);
                format!("(let {{ {mark}{name} = {value} }} in {body})")
            }
            3 => {
                let (a, b) = (self.fresh("a"), self.fresh("b"));
                let pair = self.expr(Type::Pair, depth);
                let body = self.with(&[(&a, Type::Int), (&b, Type::Bool)], ty, depth);
                format!("(let {{ ({a}, {b}) = {pair} }} in {body})")
            }
            4 => {
                let (first, second) = (self.pick(&TYPES), self.expr(ty, depth));
                let first = self.expr(first, depth);
                format!("(seq {first} {second})")
            }
            5 => {
                let other = self.pick(&TYPES);
                let (value, unused) = (self.expr(ty, depth), self.expr(other, depth));
                let unused = self.pick(&[unused.as_str(), "undefined", "(error \"unused\")"]).to_owned();
                format!("(const {value} {unused})")
            }
            6 | 7 => self.case(ty, depth),
            8 => {
                let local = self.pick(&TYPES);
                let argument = self.expr(local, depth);
                let from = self.scope.len();
                let irrefutable = self.below(2) == 0;
                let pattern = match local {
                    Type::Pair if irrefutable => {
                        let (a, b) = (self.fresh("a"), self.fresh("b"));
                        self.scope.extend([(a.clone(), Type::Int), (b.clone(), Type::Bool)]);
                        format!("~({a}, {b})")
                    }
                    _ => self.pattern(local, irrefutable),
                };
                let body = self.expr(ty, depth);
                self.scope.truncate(from);
                format!("((\\ {pattern} -> {body}) {argument})")
            }
            9 => self.loop_(ty, depth),
            10 => {
                // A pair that is used in its own definition.
                let name = self.fresh("k");
                let first = self.with(&[(&name, Type::Pair)], Type::Int, depth);
                let second = self.with(&[(&name, Type::Pair)], Type::Bool, depth.min(1));
                let body = self.with(&[(&name, Type::Pair)], ty, depth);
                format!("(let {{ {name} = ({first}, {second}) }} in {body})")
            }
            11 | 12 => self.call(ty, depth),
            13 => {
                let other = self.pick(&TYPES[..7]);
                let (value, unused) = (self.expr(ty, depth), self.expr(other, depth));
                match self.below(2) {
                    0 => format!("(fst ({value}, {unused}))"),
                    _ => format!("(snd ({unused}, {value}))"),
                }
            }
            14 => {
                // A local function, used twice and shared.
                let (name, parameter) = (self.fresh("g"), self.fresh("n"));
                let body = self.with(&[(&parameter, Type::Int)], Type::Int, depth);
                let rest = self.with(&[(&name, Type::Function)], ty, depth);
                format!("(let {{ {name} {parameter} = {body} }} in {rest})")
            }
            _ => match ty {
                Type::Function => self.leaf(ty),
                _ => {
                    let value = self.expr(ty, depth);
                    format!("({} (twin ({value} :: {})))", self.pick(&["fst", "snd"]), ty.text())
                }
            },
        }
    }

    fn case(&mut self, ty: Type, depth: usize) -> String {
        let of = self.pick(&TYPES[..7]);
        let scrutinee = self.expr(of, depth);
        let mut alternatives = Vec::new();
        for _ in 0..1 + self.below(2) {
            let from = self.scope.len();
            let pattern = self.pattern(of, true);
            let body = self.expr(ty, depth);
            self.scope.truncate(from);
            alternatives.push(format!("{pattern} -> {body}"));
        }
        if self.below(8) > 0 {
            let body = self.expr(ty, depth);
            alternatives.push(format!("_ -> {body}"));
        }
        format!("(case {scrutinee} of {{ {} }})", alternatives.join("; "))
    }

    /// A recursive function that counts down, with something that is handed on.
    fn loop_(&mut self, ty: Type, depth: usize) -> String {
        let (name, count, handed) = (self.fresh("go"), self.fresh("c"), self.fresh("h"));
        let accumulated = self.pick(&TYPES);
        let scope = [(count.as_str(), Type::Int), (handed.as_str(), accumulated)];
        let base = self.with(&scope, ty, depth.min(2));
        let next = self.with(&scope, accumulated, depth.min(2));
        let start = self.expr(accumulated, depth);
        let again = format!("{name} ({count} - 1) {next}");
        let step = match (ty, self.below(3)) {
            (_, 0) => again,
            (Type::Int, _) => format!("{count} + {again}"),
            (Type::List, _) => format!("{count} : {again}"),
            (Type::Maybe, _) => format!("fmap (+ {count}) ({again})"),
            (Type::Bool, _) => format!("{again} || {count} > 2"),
            (Type::Tree, _) => format!("Node ({again}) {count} Leaf"),
            _ => format!("seq {count} ({again})"),
        };
        let most = 1 + self.below(4);
        format!(
            "(let {{ {name} {count} {handed} = if {count} <= 0 then {base} else {step} }} in {name} {most} {start})"
        )
    }

    fn call(&mut self, ty: Type, depth: usize) -> String {
        let fitting: Vec<usize> =
            (0..self.functions.len()).filter(|&row| self.functions[row].2 == ty).collect();
        if fitting.is_empty() {
            return self.of(ty, depth);
        }
        let row = self.pick(&fitting);
        let (name, parameters, _) = self.functions[row].clone();
        let mut text = format!("({name}");
        for parameter in parameters {
            let argument = self.expr(parameter, depth);
            text.push_str(&format!(" {argument}"));
        }
        text + ")"
    }

    /// What an expression of this type can be.
    fn of(&mut self, ty: Type, depth: usize) -> String {
        match ty {
            Type::Int => self.int(depth),
            Type::Bool => self.bool(depth),
            Type::List => self.list(depth),
            Type::Maybe => match self.below(4) {
                0 => {
                    let (function, value) = (self.expr(Type::Function, depth), self.expr(Type::Maybe, depth));
                    format!("(fmap {function} {value})")
                }
                1 => {
                    let (function, value) = (self.expr(Type::Function, depth), self.expr(Type::Maybe, depth));
                    format!("({value} >>= Just . {function})")
                }
                _ => format!("(Just {})", self.expr(Type::Int, depth)),
            },
            Type::Pair => {
                let (a, b) = (self.expr(Type::Int, depth), self.expr(Type::Bool, depth));
                format!("({a}, {b})")
            }
            Type::Box => {
                let constructor = self.pick(&["Open", "Sealed", "Sealed $!"]);
                format!("({constructor} {})", self.expr(Type::Int, depth))
            }
            Type::Tree => {
                let (l, n, r) = (
                    self.expr(Type::Tree, depth.min(2)),
                    self.expr(Type::Int, depth),
                    self.expr(Type::Tree, depth.min(2)),
                );
                format!("(Node {l} {n} {r})")
            }
            Type::Function => match self.below(4) {
                0 => {
                    let (f, g) = (self.expr(Type::Function, depth), self.expr(Type::Function, depth));
                    format!("({f} . {g})")
                }
                1 => {
                    let operator = self.pick(&["+", "-", "*"]);
                    format!("({} {operator})", self.expr(Type::Int, depth))
                }
                _ => {
                    let name = self.fresh("y");
                    let body = self.with(&[(&name, Type::Int)], Type::Int, depth);
                    format!("(\\ {}{name} -> {body})", self.pick(&["", "!"]))
                }
            },
        }
    }

    fn int(&mut self, depth: usize) -> String {
        match self.below(14) {
            0..=2 => {
                let operator = self.pick(&["+", "-", "*", "`div`", "`mod`", "`min`", "`max`"]);
                let (a, b) = (self.expr(Type::Int, depth), self.expr(Type::Int, depth));
                format!("(({a} :: Int) {operator} {b})")
            }
            3 => format!(
                "({} ({} :: [Int]))",
                self.pick(&["length", "sum", "head", "maximum"]),
                self.expr(Type::List, depth)
            ),
            4 => {
                let (x, acc) = (self.fresh("x"), self.fresh("acc"));
                let body = self.with(&[(&x, Type::Int), (&acc, Type::Int)], Type::Int, depth);
                let (start, list) = (self.expr(Type::Int, depth), self.expr(Type::List, depth));
                match self.below(3) {
                    0 => format!("(foldr (\\ {x} {acc} -> {body}) {start} {list})"),
                    1 => format!("(foldl (\\ {acc} {x} -> {body}) {start} {list})"),
                    _ => format!("(foldl' (\\ {acc} {x} -> {body}) {start} {list})"),
                }
            }
            5 => format!("(fst {})", self.expr(Type::Pair, depth)),
            6 => {
                let (value, function) = (self.expr(Type::Int, depth), self.expr(Type::Function, depth));
                format!("(maybe {value} {function} {})", self.expr(Type::Maybe, depth))
            }
            7 | 8 => {
                let operator = self.pick(&["", "$", "$!"]);
                let (function, value) = (self.expr(Type::Function, depth), self.expr(Type::Int, depth));
                format!("({function} {operator} {value})")
            }
            9 | 10 => {
                let of = self.pick(&TYPES[..7]);
                let value = self.expr(of, depth);
                format!("(weigh ({value} :: {}))", of.text())
            }
            11 => format!("(unwrap (Wrap {}))", self.expr(Type::Int, depth)),
            12 => format!("({} !! {})", self.expr(Type::List, depth), self.below(3)),
            _ => format!("(sum (flatten {}))", self.expr(Type::Tree, depth)),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => {
                let operator = self.pick(&["&&", "||"]);
                let (a, b) = (self.expr(Type::Bool, depth), self.expr(Type::Bool, depth));
                format!("({a} {operator} {b})")
            }
            1 => {
                let of = self.pick(&TYPES[..7]);
                let (a, b) = (self.expr(of, depth), self.expr(of, depth));
                format!("(({a} :: {}) {} {b})", of.text(), self.pick(&["==", "/="]))
            }
            2 => format!("(snd {})", self.expr(Type::Pair, depth)),
            3 => format!("(null {})", self.expr(Type::List, depth)),
            _ => {
                let operator = self.pick(&["<", "<=", ">", "=="]);
                let (a, b) = (self.expr(Type::Int, depth), self.expr(Type::Int, depth));
                format!("(({a} :: Int) {operator} {b})")
            }
        }
    }

    fn list(&mut self, depth: usize) -> String {
        match self.below(10) {
            0 | 1 => {
                let (x, xs) = (self.expr(Type::Int, depth), self.expr(Type::List, depth));
                format!("({x} : {xs})")
            }
            2 => {
                let (f, xs) = (self.expr(Type::Function, depth), self.expr(Type::List, depth));
                format!("(map {f} {xs})")
            }
            3 => {
                let x = self.fresh("x");
                let condition = self.with(&[(&x, Type::Int)], Type::Bool, depth);
                let xs = self.expr(Type::List, depth);
                match self.below(3) {
                    0 => format!("(filter (\\ {x} -> {condition}) {xs})"),
                    1 => format!("(takeWhile (\\ {x} -> {condition}) {xs})"),
                    _ => format!("[{x} | {x} <- {xs}, {condition}]"),
                }
            }
            4 => {
                let (a, b) = (self.expr(Type::List, depth), self.expr(Type::List, depth));
                format!("({a} ++ {b})")
            }
            5 => {
                let (f, x) = (self.expr(Type::Function, depth), self.expr(Type::Int, depth));
                format!("(take {} (iterate {f} {x}))", self.below(6))
            }
            6 => {
                // A list that is used in its own definition.
                let (name, x) = (self.fresh("ys"), self.fresh("x"));
                let first = self.expr(Type::Int, depth);
                let body = self.with(&[(&x, Type::Int)], Type::Int, depth.min(2));
                let most = self.below(6);
                format!("(let {{ {name} = {first} : map (\\ {x} -> {body}) {name} }} in take {most} {name})")
            }
            7 => format!("(flatten {})", self.expr(Type::Tree, depth)),
            8 => {
                let (a, b) = (self.expr(Type::List, depth), self.expr(Type::List, depth));
                format!("(zipWith {} {a} {b})", self.pick(&["(+)", "(*)", "const", "(\\ _ y -> y)"]))
            }
            _ => format!("({} {})", self.pick(&["reverse", "drop 1", "tail"]), self.expr(Type::List, depth)),
        }
    }
}
