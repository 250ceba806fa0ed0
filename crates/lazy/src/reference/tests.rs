//! Questions to small programs.

mod notation;

use super::question::Question;
use super::{Judged, Reference, ReferenceSettings};
use gadfly_term::Equation;
use gadfly_tree::Rule;
use std::time::Duration;

fn reference(program: &str, settings: ReferenceSettings) -> Reference {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Good.hs");
    std::fs::write(&path, program).unwrap();
    Reference::open(&path, settings, None).unwrap_or_else(|error| match error {
        super::ReferenceError::Errors(checked) => panic!("{:#?}", checked.diagnostics()),
        other => panic!("{other:?}"),
    })
}

fn question(equation: Equation, path: &[&str], text: Option<&str>) -> Question {
    let path = path.iter().map(|&step| step.into()).collect();
    let function = equation.function.clone();
    let rule = Rule { function, number: None, module: Some("Main".into()), path, region: None };
    Question { rule, rule_text: text.map(str::to_owned), equation, size: 1 << 40, ended: None }
}

fn word(judged: Option<Judged>) -> String {
    match judged {
        Some(Judged::Correct) => "correct".to_owned(),
        Some(Judged::Wrong { .. }) => "wrong".to_owned(),
        Some(Judged::Unknown(reason)) => format!("unknown: {reason}"),
        None => "the reference is gone".to_owned(),
    }
}

/// Asks a program about equations; each line is an equation, two blanks or more, and the answer or how its reason begins.
/// A path before `|` says which function is meant.
#[track_caller]
fn check(program: &str, questions: &str) {
    check_with(program, ReferenceSettings::default(), questions);
}

#[track_caller]
fn check_with(program: &str, settings: ReferenceSettings, questions: &str) {
    let reference = reference(program, settings);
    let mut wrong = Vec::new();
    for line in questions.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (text, expected) = line.rsplit_once("  ").unwrap();
        let (path, text) = match text.split_once('|') {
            Some((path, text)) => (path.split('/').map(str::trim).collect(), text),
            None => (Vec::new(), text),
        };
        let asked = question(notation::equation(text.trim()), &path, None);
        let found = word(reference.ask(asked, &gadfly_engine::Unwatched));
        if !found.starts_with(expected.trim()) {
            wrong.push(format!("{text} is {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn numbers_and_lists() {
    check(
        include_str!("../../../../examples/fixed/sqrtest.hs"),
        "main = False             wrong
         main = True              correct
         sqrtest [1,2] = False    wrong
         test (9,9,8) = False     correct
         test (9,_,8) = False     wrong
         test (9,8,_) = False     correct
         computs 3 = (9,9,8)      wrong
         computs 3 = (9,_,_)      correct
         comput2 3 = 9            correct
         list 3 2 = [3,3]         correct
         list 3 2 = 3:_           correct
         list 3 3 = `:` 3 3 _     correct
         list 3 3 = `:` 3 4 _     wrong
         listsum (`:` 1 2 []) = 3    correct
         listsum (`:` 1 2 _) = 3     wrong
         list _ 1 = [_]           correct
         partialsums 3 = [6,2]    wrong
         partialsums 3 = [6,3]    correct
         sum1 3 = 6               correct
         sum2 3 = 2               wrong
         sum2 100000000000000000000 = 4999999999999999999950000000000000000000  correct
         decr 3 = 2               correct
         nothing 3 = 2            unknown: the reference program has no `nothing`",
    );
}

#[test]
fn a_machine_lives_through_everything() {
    check_with(
        "import qualified Data.Map as M
main = print 1
loop :: Int -> Int
loop n = loop (n + 1)
grow :: Int -> [Int] -> Int
grow n xs = grow (n + 1) (n : xs) + length xs
deep :: Int -> Int
deep n = 1 + deep (n + 1)
table :: [Int]
table = map f [0 ..]
f :: Int -> Int
f 3 = error \"three\"
f n = n * n
look :: Int -> Int
look n = table !! n
circle :: Int
circle = circle + 1
",
        ReferenceSettings {
            time: Duration::from_secs(2),
            limits: gadfly_machine::Limits { heap: 1 << 23, stack: 1 << 20, ..Default::default() },
            ..ReferenceSettings::default()
        },
        "look 2 = 4                correct
         loop 1 = 2                unknown: the reference program takes too long
         look 3 = ⊥ \"three\"      correct
         look 3 = ⊥ \"three\"      correct
         look 3 = ⊥ \"four\"       wrong
         look 3 = 9                wrong
         look 4 = 16               correct
         deep 0 = 1                unknown: the reference program ended
         look 2 = 4                correct
         circle = unfinished       correct
         circle = 3                wrong
         look 2 = unfinished       wrong
         look ⊥ = unfinished       correct",
    );
}

#[test]
fn the_tree_traversal_of_the_paper() {
    let program = include_str!("../../../../examples/fixed/allodd.hs");
    check(
        program,
        "main = False                                                         wrong
         allOdd (Branch (Leaf 7) (Leaf 5)) = False                            wrong
         allOddC id (Branch (Leaf 7) (Leaf 5)) True = False                   wrong
         allOddC (allOddC id (Leaf 5)) (Leaf 7) True = False                  wrong
         allOddC (allOddC id (Leaf 4)) (Leaf 7) True = False                  correct
         odd 7 = True                                                         correct
         allOddC id (Leaf 5) True = False                                     wrong
         odd 5 = False                                                        wrong
         id False = False                                                     correct
         allOddC {False ↦ False} (Branch (Leaf 7) (Leaf 5)) True = False      wrong
         allOddC {False ↦ False} (Leaf 5) True = False                        wrong
         allOddC {True ↦ False} (Leaf 5) True = False                         correct
         allOddC {True ↦ False} (Leaf 7) = {True ↦ False}                     correct
         allOddC {True ↦ False} (Leaf 7) = {True ↦ True}                      wrong
         allOddC {} (Leaf 7) = {False ↦ False}                                correct
         allOddC {} (Leaf 7) = {}                                             correct
         allOddC {} (Leaf 7) = {True ↦ False}                                 wrong
         allOddC _ (Leaf 7) = {False ↦ False}                                 correct
         allOddC id (Leaf 5) = allOddC id (Leaf 5)                            correct",
    );
}

#[test]
fn finite_maps_are_functions() {
    check(
        "main = print 1
apply :: (a -> b) -> a -> b
apply f x = f x
twice f x = f (f x)
mapp f [] = []
mapp f (x:xs) = f x : mapp f xs
fold f z [] = z
fold f z (x:xs) = f x (fold f z xs)
compose f g x = f (g x)
both f = (f 1, f 2)
pick f = f (1, error \"never\")
higher :: ((Int -> Int) -> Int) -> Int
higher h = h (+ 1)
strict f x = f `seq` f x
curried f = let g = f 1 in (g 2, g 3)
unary :: Int -> Int -> Int
unary = \\x y -> x - y
add :: Int -> Int
add = (+ 10)
",
        "apply {1 ↦ 2} 1 = 2                                      correct
         apply {1 ↦ 2} 3 = 2                                      wrong
         apply {[1,2] ↦ 'a', [] ↦ 'b'} [] = 'b'                   correct
         apply {(_,2) ↦ 'a'} (_,2) = 'a'                          correct
         apply {(_,2) ↦ 'a'} (_,3) = 'a'                          wrong
         apply {(1,_) ↦ 'a'} (_,3) = 'a'                          wrong
         apply {_ ↦ 5} _ = 5                                      correct
         twice {1 ↦ 2, 2 ↦ 3} 1 = 3                               correct
         twice {1 ↦ 2} 1 = 3                                      wrong
         mapp {1 ↦ 2, 2 ↦ _} [1,2] = [2,_]                        correct
         mapp {1 ↦ 2} [1,2] = [2,_]                               correct
         mapp {1 ↦ 2} [1,2] = [2,4]                               wrong
         mapp _ [] = []                                           correct
         mapp {1.5 ↦ \"x\"} [1.5] = [\"x\"]                   correct
         fold {1 3 ↦ 4, 2 1 ↦ 3} 1 [1,2] = 4                      correct
         fold {1 3 ↦ 4} 1 [1,2] = 4                               wrong
         compose {2 ↦ 4} {1 ↦ 2} 1 = 4                            correct
         compose {_ ↦ 4} {} 1 = 4                                 correct
         both {1 ↦ 'a', 2 ↦ 'b'} = ('a','b')                      correct
         both {1 ↦ 'a'} = ('a',_)                                 correct
         both {1 ↦ {1 ↦ 2}} = ({1 ↦ 2},_)                         correct
         pick {(1,_) ↦ True} = True                               correct
         pick {(_,2) ↦ True} = True                               wrong
         higher {{2 ↦ 3} ↦ 7} = 7                                 correct
         higher {{2 ↦ 4} ↦ 7} = 7                                 wrong
         higher {{2 ↦ 4} ↦ 7, {5 ↦ 6} ↦ 8} = 8                    correct
         strict {1 ↦ 2} 1 = 2                                     correct
         curried {1 2 ↦ 5, 1 3 ↦ 6} = (5,6)                       correct
         curried {1 ↦ {2 ↦ 5}, 1 ↦ {3 ↦ 6}} = (5,6)               correct
         unary = {5 3 ↦ 2}                                        correct
         unary = {5 3 ↦ 3}                                        wrong
         unary = {5 ↦ {3 ↦ 2}}                                    correct
         add = {1 ↦ 11}                                           correct",
    );
}

#[test]
fn overloaded_functions_have_their_instances_found() {
    check(
        "import Data.List (sort)
main = print (total [Pair 1 2, Pair 3 4]) >> print (biggest [1 :: Int, 2], biggest \"ab\", biggest [Just 1.5])
  >> print (areas [S (Square 2), S (Circle 1)]) >> print (describe (Square 3)) >> print (member 1 [1 :: Int])
  >> print (shown (Age 3)) >> print (shown [1 :: Int]) >> print (pair (Just 1) (Just 'c')) >> print (pair [1] \"c\")
data Pair = Pair Int Int deriving (Eq, Ord, Show)
class Container f where
  empty :: f a
  insert :: a -> f a -> f a
  toL :: f a -> [a]
class Shape a where
  area :: a -> Double
  name :: a -> String
  describe :: a -> String
  describe x = name x ++ \" of \" ++ show (area x)
data Square = Square Double
data Circle = Circle Double
instance Shape Square where
  area (Square s) = s * s
  name _ = \"square\"
instance Shape Circle where
  area (Circle r) = 3 * r * r
  name _ = \"circle\"
data Any = forall s. Shape s => S s
areas :: [Any] -> [Double]
areas xs = [area s | S s <- xs]
instance Num Pair where
  Pair a b + Pair c d = Pair (a + c) (b + d)
  Pair a b * Pair c d = Pair (a * c) (b * d)
  abs = id
  signum = id
  fromInteger n = Pair (fromInteger n) 0
  negate (Pair a b) = Pair (negate a) (negate b)
total :: Num a => [a] -> a
total [] = 0
total (x:xs) = x + total xs
biggest :: Ord a => [a] -> a
biggest [x] = x
biggest (x:xs) = let m = biggest xs in if x > m then x else m
member :: Eq a => a -> [a] -> Bool
member x = any (== x)
newtype Age = Age Int
instance Show Age where show (Age n) = show n ++ \" years\"
shown :: Show a => a -> String
shown x = \"<\" ++ show x ++ \">\"
pair :: Monad m => m a -> m b -> m (a, b)
pair p q = do { x <- p; y <- q; return (x, y) }
",
        "total [Pair 1 2,Pair 3 4] = Pair 4 6                        correct
         total [Pair 1 2,Pair 3 4] = Pair 4 7                        wrong
         total [] = Pair 0 0                                         correct
         total [1,2] = 3                                             correct
         total [] = 0                                                correct
         biggest [1,2] = 2                                           correct
         biggest [1,2] = 1                                           wrong
         biggest \"ab\" = 'b'                                      correct
         biggest [Just 1.5] = Just 1.5                               correct
         biggest [] = ⊥ \"x.hs:(3,1)-(4,5): Non-exhaustive patterns in function biggest\"  correct
         member 1 [2,1] = True                                       correct
         member _ [] = False                                         correct
         areas [S (Square 2.0),S (Circle 1.0)] = [4.0,3.0]           correct
         areas [S (Square 2.0)] = [5.0]                              wrong
         area (Square 2.0) = 4.0                                     correct
         area (Circle 2.0) = 4.0                                     wrong
         name (Circle _) = \"circle\"                              correct
         name _ = \"circle\"                                       unknown: the reference program has more than one `name`
         instance Shape Circle / name | name _ = \"circle\"        correct
         instance Shape Square / name | name _ = \"circle\"        wrong
         class Shape / describe | describe (Square 3.0) = \"square of 9.0\"  correct
         describe (Square 3.0) = \"square of 6.0\"                 wrong
         `+` (Pair 1 2) (Pair 3 4) = Pair 4 6                        correct
         `*` (Pair 1 2) (Pair 3 4) = Pair 4 6                        wrong
         shown 3 = \"<3 years>\"                                   correct
         shown [1] = \"<[1]>\"                                     correct
         shown [1] = \"<[2]>\"                                     wrong
         pair (Just 1) (Just 'c') = Just (1,'c')                     correct
         pair [1,2] \"c\" = [(1,'c'),(2,'c')]                      correct
         pair [1,2] \"c\" = [(1,'c')]                              wrong",
    );
}

#[test]
fn local_functions_and_lambdas() {
    check(
        "main = print (power 2 10, scale 3 [1, 2], nested 1, select 3 [1, 5])
power :: Int -> Int -> Int
power b = go 1
  where go acc 0 = acc
        go acc n = go (acc * b) (n - 1)
scale :: Int -> [Int] -> [Int]
scale k xs = map (\\x -> x * k) xs
nested :: Int -> Int
nested x = outer x + go x
  where
    outer y = inner y
      where inner z = z + x + y
    go n = n + 1
select :: Ord a => a -> [a] -> [a]
select limit = filter keep
  where keep x = x > limit
swap :: [(a, b)] -> [(b, a)]
swap = map (\\(a, b) -> (b, a))
",
        "power 2 10 = 1024                                      correct
         power / go | go 4 3 = 32 where b = 2                   correct
         power / go | go 4 3 = 31 where b = 2                   wrong
         power / go | go 4 0 = 4                                correct
         power / go | go 4 1 = 4                                wrong
         go 4 3 = 32 where b = 2                                correct
         nested / go | go 4 = 5                                 correct
         nested / outer / inner | inner 3 = 6 where x = 1, y = 2     correct
         nested / outer / inner | inner 3 = 5 where x = 1, y = 2     wrong
         inner 3 = 6 where x = 1, y = 2                         correct
         scale / \\1 | lambda 3 = 6 where k = 2               correct
         scale / \\1 | lambda 3 = 7 where k = 2               wrong
         `\\x -> x * k` 3 = 6 where k = 2                     correct
         swap / \\1 | lambda (1,'c') = ('c',1)                correct
         swap / \\1 | lambda (_,'c') = ('c',_)                correct
         swap / \\1 | lambda (_,'c') = ('d',_)                wrong
         select / keep | keep 4 = True where limit = 3          correct
         select / keep | keep 'a' = True where limit = 'b'      wrong
         select 3 [1,5] = [5]                                   correct",
    );
}

#[test]
fn types_that_nothing_tells() {
    check(
        "import qualified Data.Set as S
import qualified Data.Map as M
data Found a b = Found a b
second (_, Found a b) = (a, b)
turn :: [[a]] -> [[a]]
turn = foldr (zipWith (:)) (repeat [])
main = print (second ((), Found 1 (S.fromList [(1,2)])), M.toList (M.fromList [(1,2)]), turn [[1]])
",
        "second (_,Found 1 (fromList [(0,1)])) = (1,fromList [(0,1)])         correct
         second (_,Found 1 (fromList [(0,1),(0,2)])) = (1,fromList [(0,1)])  wrong
         second (_,Found 1 (fromList [])) = (1,fromList [])                  correct
         turn = {[[1],[2]] ↦ [[1,2]], [\"ab\",\"c\"] ↦ [\"ac\"]}            correct
         turn = {[[1],[2]] ↦ [[1,2]], [\"ab\",\"c\"] ↦ [\"ad\"]}            wrong",
    );
}

#[test]
fn instances_of_newtypes_are_found() {
    check(
        "{-# LANGUAGE FlexibleInstances #-}
import Data.List (sortBy)
newtype State s a = State { runState :: s -> (a, s) }
instance Functor (State s) where fmap f (State g) = State (\\s -> let (a, t) = g s in (f a, t))
instance Applicative (State s) where
  pure a = State (\\s -> (a, s))
  State f <*> State g = State (\\s -> let { (h, t) = f s; (a, u) = g t } in (h a, u))
instance Monad (State s) where State g >>= f = State (\\s -> let (a, t) = g s in runState (f a) t)
class Monad m => Counter m where tick :: m Int
instance Counter (State Int) where tick = State (\\s -> (s, s + 1))
label :: Counter m => [a] -> m [(Int, a)]
label [] = return []
label (x:xs) = do { n <- tick; rest <- label xs; return ((n, x) : rest) }
sortOn' :: (a -> a -> Bool) -> [a] -> [a]
sortOn' le = sortBy (\\x y -> if le x y then LT else GT)
data T = N T T | L Int
build :: (T -> T -> T) -> Int -> T
build f 0 = L 0
build f n = f (build f (n - 1)) (L n)
con :: Int -> T -> T
con 0 = N (L 0)
con _ = N (L 1)
main = print (fst (runState (label \"ab\") (0 :: Int))) >> print (sortOn' (<=) [3 :: Int, 1]) >> print (sortOn' (<=) [(1 :: Int, 'c')])
",
        "label \"ab\" = {5 ↦ ([(5,'a'),(6,'b')],7)}                 correct
         label \"ab\" = {5 ↦ ([(5,'a'),(5,'b')],7)}                 wrong
         label [] = {5 ↦ ([],_)}                                     correct
         sortOn' `<=` [(2,'a'),(1,'b')] = [(1,'b'),(2,'a')]          correct
         sortOn' `<=` [2,1] = [2,1]                                  wrong
         build N 1 = N (L 0) (L 1)                                   correct
         build {(L 0) (L 1) ↦ L 5} 1 = L 5                           correct
         con 0 = N (L 0)                                             correct
         con 0 = N (L 1)                                             wrong",
    );
}

#[test]
fn data_of_all_kinds() {
    check(
        "import qualified Data.Map as M
import qualified Data.IntMap as IM
import qualified Data.Set as S
import qualified Data.Sequence as Q
import Data.Array
import Data.Ratio
import Data.Word
import Data.Int
main = print (M.toList (count \"abca\")) >> print (IM.toList (im 3)) >> print (S.toList (s [1])) >> print (ar [1,2]) >> print (q 1)
data Point = Point { px :: Int, py :: Int } | Origin deriving (Eq, Show)
move :: Int -> Point -> Point
move d p@Point { px = x } = p { px = x + d }
move d Origin = Point d 0
count :: String -> M.Map Char Int
count = foldr (\\c -> M.insertWith (+) c 1) M.empty
look :: Char -> M.Map Char Int -> Int
look c m = M.findWithDefault 0 c m
im :: Int -> IM.IntMap Bool
im n = IM.fromList [(i, even i) | i <- [1 .. n]]
s :: [Int] -> S.Set Int
s = S.fromList
has :: Int -> S.Set Int -> Bool
has = S.member
ar :: [Int] -> Array Int Int
ar xs = listArray (0, length xs - 1) xs
at :: Array Int Int -> Int -> Int
at a i = a ! i
q :: Int -> Q.Seq Int
q n = Q.fromList [n, n + 1]
front :: Q.Seq Int -> Int
front xs = Q.index xs 0
half :: Rational -> Rational
half r = r / 2
wrap :: Word8 -> Word8
wrap n = n + 250
big :: Word -> Word
big n = n - 1
small :: Int8 -> Int8
small n = n + 100
real :: Float -> Float
real x = x * 1.5
newtype Wrapper a = Wrapper { unwrap :: a }
inc :: Wrapper Int -> Wrapper Int
inc (Wrapper n) = Wrapper (n + 1)
text :: String -> Char -> String
text s c = c : s
op :: Either Int Bool -> (Int, Bool) -> Ordering
op (Left a) (b, _) = compare a b
op (Right x) (_, y) = compare x y
infixr 5 :+:
data E = Int :+: E | N
lenE :: E -> Int
lenE N = 0
lenE (_ :+: e) = 1 + lenE e
",
        "move 1 (Point {px = 1, py = _}) = Point {px = 2, py = _}    correct
         move 1 (Point 1 2) = Point 2 2                              correct
         move 1 (Point 1 2) = Point 2 3                              wrong
         move 1 Origin = Point {px = 1, py = 0}                      correct
         move 1 Origin = Origin                                      wrong
         count \"aba\" = fromList [('a',2),('b',1)]                correct
         count \"aba\" = fromList [('a',2)]                        wrong
         count \"aba\" = fromList [('a',_),('b',1)]                correct
         count \"aba\" = Bin 2 'b' 1 (Bin 1 'a' 2 Tip Tip) Tip     correct
         look 'b' (fromList [('a',2),('b',1)]) = 1                   correct
         look 'b' (Bin 1 'b' 7 Tip Tip) = 7                          correct
         look 'c' (fromList []) = 0                                  correct
         im 2 = fromList [(1,False),(2,True)]                        correct
         im 2 = fromList [(1,False),(2,False)]                       wrong
         s [3,1] = fromList [1,3]                                    correct
         has 3 (fromList [1,2,3,4,5]) = True                         correct
         has 6 (fromList [1,2,3,4,5]) = True                         wrong
         ar [1,2] = array (0,1) [(0,1),(1,2)]                        correct
         ar [1,2] = array (0,1) [(0,1),(1,3)]                        wrong
         ar [1,2] = Array 0 1 2 [1,_]                                correct
         at (array (0,1) [(0,5),(1,_)]) 0 = 5                        correct
         at (array (0,1) [(0,5),(1,_)]) 1 = 5                        wrong
         at (Array 0 1 2 [5,6]) 1 = 6                                correct
         at (array (0,1) [(0,5),(1,6)]) 2 = ⊥                        correct
         q 1 = fromList [1,2]                                        correct
         front (fromList [4,5,6]) = 4                                correct
         half (3 % 4) = 3 % 8                                        correct
         half (3 % 4) = 3 % 7                                        wrong
         wrap 10 = 4                                                 correct
         wrap 10 = 260                                               wrong
         big 0 = 18446744073709551615                                correct
         big 0 = -1                                                  correct
         small 100 = -56                                             correct
         real 1.5 = 2.25                                             correct
         real 0.1 = 0.15                                             correct
         inc 3 = 4                                                   correct
         inc (Wrapper 3) = Wrapper 4                                 correct
         inc (Wrapper {unwrap = 3}) = Wrapper {unwrap = 5}           wrong
         text \"bc\" 'a' = \"abc\"                               correct
         text \"bc\" 'a' = 'a':_                                   correct
         text \"bc\" 'a' = \"ab\"                                wrong
         text \"bc\" 'a' = \"ab\"…                               correct
         text \"bc\"… 'a' = 'a':'b':_                              correct
         text \"bc\"… 'a' = \"abcd\"                             unknown: the reference program needs
         text [_,'c'] 'a' = ['a',_,'c']                              correct
         op (Left 3) (4,_) = LT                                      correct
         op (Right True) (_,False) = LT                              wrong
         lenE (`:+:` 1 N) = 1                                        correct
         move 1 True = Origin                                        unknown: `True` stands where
         move 'c' Origin = Origin                                    unknown: a character stands where
         move 1.5 Origin = Origin                                    unknown: `1.5` stands where
         move 1 <IORef> = Origin                                     unknown: the reference program needs
         look 'b' (fromList [('a',2),…]) = 1                         unknown",
    );
}

#[test]
fn exceptions_and_laziness() {
    check(
        "import Control.Exception
main = print 1
hd :: [a] -> a
hd (x:_) = x
lazy :: Int -> Int -> Int
lazy x y = if x > 0 then x else y
first :: [a] -> Int -> Int
first (y:ys) x = x + 1
boom :: Int -> Int
boom n = error (\"boom \" ++ show n)
safe :: Int -> Int -> Int
safe a b = a `div` b
caught :: Int -> IO Int
caught n = evaluate (boom n) `catch` \\e -> case e of ErrorCall m -> return (length m)
inside :: Int -> (Int, Int)
inside n = (n, error \"in\")
data Mine = Mine Int deriving Show
instance Exception Mine
mine :: Int -> Int
mine n = throw (Mine n)
",
        "hd [] = ⊥ \"Bad.hs:4:1-12: Non-exhaustive patterns in function hd\"   correct
         hd [] = ⊥                                                       correct
         hd [] = ⊥ \"Prelude.head: empty list\"                        wrong
         hd [1] = ⊥ \"Bad.hs:4:1-12: Non-exhaustive patterns\"         wrong
         hd [] = 1                                                       wrong
         hd (1:_) = 1                                                    correct
         hd _ = 1                                                        wrong
         first [] _ = ⊥ \"a.hs:1:2: Non-exhaustive patterns in function first\"  correct
         first [1] _ = 2                                                 wrong
         lazy 1 _ = 1                                                    correct
         lazy 0 _ = 0                                                    wrong
         lazy 0 ⊥ = ⊥                                                    correct
         lazy 1 ⊥ = 1                                                    correct
         boom 1 = ⊥ \"boom 1\"                                         correct
         boom 1 = ⊥ \"boom 2\"                                         wrong
         boom 1 = ⊥ _                                                    correct
         boom 1 = unfinished                                             wrong
         safe 1 0 = ⊥ \"divide by zero\"                               correct
         caught 3 = IO 6                                                 correct
         inside 1 = (1,_)                                                correct
         inside 1 = (1,⊥)                                                correct
         inside 1 = (⊥,_)                                                wrong
         inside 1 = (1,2)                                                wrong
         mine 3 = ⊥ (Mine 3)                                             correct
         mine 3 = ⊥ \"Mine 3\"                                         correct",
    );
}

#[test]
fn actions_are_executed() {
    check_with(
        "import System.Environment
import System.IO
main = do
  args <- getArgs
  name <- getLine
  mapM_ greet (name : args)
greet :: String -> IO ()
greet name = putStrLn (\"hi \" ++ name)
sumTo :: Int -> IO Int
sumTo n = do
  print n
  return (n * (n + 1) `div` 2)
ask :: String -> IO String
ask q = putStr q >> getLine
save :: String -> IO ()
save t = writeFile \"/tmp/gadfly-never-written\" t
forM' :: Monad m => [a] -> (a -> m b) -> m [b]
forM' [] _ = return []
forM' (x:xs) f = do { y <- f x; ys <- forM' xs f; return (y : ys) }
failing :: Int -> IO ()
failing n = if n > 0 then ioError (userError \"no\") else return ()
",
        ReferenceSettings {
            arguments: vec!["Eve".to_owned()],
            input: Some(b"Bob\n".to_vec()),
            ..ReferenceSettings::default()
        },
        "main = IO () <printing> \"hi Bob\\nhi Eve\\n\"                correct
         main = IO () <printing> \"hi Bob\\nhi Ann\\n\"                wrong
         main = IO () <printing> \"hi Bob\"…                           wrong
         main = IO () <printing> \"hi Bob\\nhi Eve\"…                  correct
         greet \"Bob\" = IO () <printing> \"hi Bob\\n\"              correct
         greet \"Bob\" = IO ()                              wrong
         greet _ = IO _                                       correct
         greet \"Bob\" = IO () <printing-7-bytes>             unknown: a part of it
         greet \"Bob\" = IO () <printing-8-bytes>             wrong
         sumTo 4 = IO 10 <printing> \"4\\n\"                           correct
         sumTo 4 = IO 11 <printing> \"4\\n\"                           wrong
         sumTo 4 = IO _ <printing> \"4\\n\"                            correct
         ask \"?\" = IO \"x\" <printing> \"?\"                     unknown: it reads from standard input
         save \"x\" = IO ()                                 unknown: it writes to a file
         forM' [1,2] {1 ↦ Just 2, 2 ↦ Nothing} = Nothing      correct
         failing 0 = IO ()                                    correct
         failing 1 = IO ()                                    wrong
         failing 1 = ⊥ \"user error (no)\"                  correct
         failing 0 = ⊥ \"user error (no)\"                  wrong",
    );
}
