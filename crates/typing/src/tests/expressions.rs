//! Every form of expression and pattern.

use super::check;

#[test]
fn literals_and_operators() {
    check(
        r#"
a x = x + 1
b x = x / 2.5
c = 'c' : "string"
d x = - x
e x = (x +) . (2 *)
f = (`div` 2)
"#,
        r#"
a :: Num a => a -> a
b :: Fractional a => a -> a
c :: String
d :: Num a => a -> a
e :: Num a => a -> a -> a
f :: Integer -> Integer
"#,
    );
}

#[test]
fn conditionals_and_cases() {
    check(
        r#"
{-# LANGUAGE LambdaCase, MultiWayIf #-}
a x y = if x then y else if y then x else y
b m = case m of { Just x | x > 0 -> x; _ -> 0 }
c = \case { Left x -> [x]; Right y -> y }
d x = if | x == 1 -> "one" | otherwise -> ""
"#,
        r#"
a :: Bool -> Bool -> Bool
b :: (Ord a, Num a) => Maybe a -> a
c :: Either a [a] -> [a]
d :: (Eq a, Num a) => a -> String
"#,
    );
}

#[test]
fn lists_and_tuples() {
    check(
        r#"
{-# LANGUAGE TupleSections #-}
a x = [x, x]
b = (, 'c', )
c x = [x ..]
d a b = [a .. b]
e xs ys = [(x, y) | x <- xs, Just y <- ys, let { z = x == y }, z]
f = ()
g x = (x, x, x, x)
"#,
        r#"
a :: a -> [a]
b :: a -> b -> (a, Char, b)
c :: Enum a => a -> [a]
d :: Enum a => a -> a -> [a]
e :: Eq a => [a] -> [Maybe a] -> [(a, a)]
f :: ()
g :: a -> (a, a, a, a)
"#,
    );
}

#[test]
fn blocks() {
    check(
        r#"
a m = do { x <- m; y <- m; return (x, y) }
b = do { putStrLn "a"; let { f x = x }; putStrLn (f "b"); return (f 'c') }
c m = do { Just x <- m; return x }
d m = do { (x, y) <- m; ~[z] <- m'; return z } where m' = return ""
e x = do { let { y = x + 1 }; y }
"#,
        r#"
a :: Monad m => m a -> m (a, a)
b :: IO Char
c :: MonadFail m => m (Maybe a) -> m a
d :: Monad m => m (a, b) -> m Char
e :: Num a => a -> a
"#,
    );
}

#[test]
fn patterns() {
    check(
        r#"
{-# LANGUAGE BangPatterns, ViewPatterns #-}
a all'@(x : y : _) = (all', x, y)
b 0 = 'z'
b 1 = 'o'
b _ = '-'
c ~(x, !y) = x y
d (fst -> True) = 1
d "text" = 2
e (-1.5) = 1
"#,
        r#"
a :: [a] -> ([a], a, a)
b :: (Eq a, Num a) => a -> Char
c :: (a -> b, a) -> b
d :: _
e :: (Eq a, Fractional a, Num b) => a -> b
9:3-9:9: error: this pattern has type `String`, but a `(Bool, a0)` is matched
  here: has type `String`
  8:1: an equation before this one
  note: `(,) Bool` and `[]` are different.
"#,
    );
}

#[test]
fn records() {
    check(
        r#"
{-# LANGUAGE RecordWildCards, NamedFieldPuns #-}
data P a = P { name :: String, item :: a, size :: Int } | Q { name :: String }
a = P { name = "x", item = True, size = 1 }
b p = p { item = 'c' }
c p = p { name = "", size = 2 }
d (P { item = Just x }) = x
e P { .. } = (item, size + 1)
f P { name, size } = name
g name = let { item = 'c'; size = 2 } in P { .. }
h = name . b
"#,
        r#"
a :: P Bool
b :: P a -> P Char
c :: P a -> P a
d :: P (Maybe a) -> a
e :: P a -> (a, Int)
f :: P a -> String
g :: String -> P Char
h :: P a -> String
"#,
    );
}

#[test]
fn annotations() {
    check(
        r#"
a = (1 :: Int)
b = [] :: [a]
c = (show :: Int -> String)
d x = (x :: Num a => a)
"#,
        r#"
a :: Int
b :: [a]
c :: Int -> String
d :: _
5:8-5:9: error: this has type `a0`, but `a` is expected
  here: has type `a0`
  5:13: the type is declared here
  5:17: `a` is known only inside this
  note: The type variable `a` would be used outside the place where it is known.
"#,
    );
}

#[test]
fn an_annotation_is_instantiated() {
    check(
        r#"
a = (\x -> x + 1) :: Num n => n -> n
b = ((\x -> x) :: a -> a) 'c'
"#,
        r#"
a :: Integer -> Integer
b :: Char
"#,
    );
}

#[test]
fn type_application() {
    check(
        r#"
{-# LANGUAGE TypeApplications #-}
a = read @Int
b = fmap @Maybe @Int not'
not' n = n == 0
c = show @[_] "c"
"#,
        r#"
a :: String -> Int
b :: Maybe Int -> Maybe Bool
not' :: (Eq a, Num a) => a -> Bool
c :: String
"#,
    );
}

#[test]
fn arguments_of_polymorphic_type() {
    check(
        r#"
{-# LANGUAGE RankNTypes #-}
both :: (forall a. [a] -> Int) -> ([b], [c]) -> Int
both f (x, y) = f x + f y
t1 = both length ("a", [True])
t2 = both (\xs -> 1) $ ("a", [True])
shown :: (forall a. Show a => a -> String) -> String
shown f = f 1 ++ f "x"
t3 = shown show
t4 = shown (\x -> show [x])
t5 = both (\(x : _) -> x) ("a", [True])
"#,
        r#"
t1 :: Int
t2 :: Int
t3 :: String
t4 :: String
t5 :: _
11:24-11:25: error: this has type `a`, but `Int` is expected
  here: has type `a`
  11:6: the first argument of `both :: (forall a. [a] -> Int) -> ([b], [c]) -> Int`
  3:17: `a` stands for any type
"#,
    );
}

#[test]
fn fields_of_polymorphic_type() {
    check(
        r#"
{-# LANGUAGE RankNTypes #-}
data Monoid' a = M { unit :: a, foldAll :: forall t. Foldable t => t a -> a }
newtype Id = Id (forall a. a -> a)
a = M 0 sum
b m = foldAll m [unit m]
c (Id f) = (f 'c', f True)
d = Id (\x -> x)
e = Id not
"#,
        r#"
a :: Monoid' Integer
b :: Monoid' a -> a
c :: Id -> (Char, Bool)
d :: Id
e :: _
9:8-9:11: error: this has type `Bool -> Bool`, but `a -> a` is expected
  here: has type `Bool -> Bool`
  9:5: the first argument of `Id :: (forall a. a -> a) -> Id`
  4:25: `a` stands for any type
  note: `a` and `Bool` are different.
"#,
    );
}

#[test]
fn runst() {
    check(
        r#"
{-# LANGUAGE RankNTypes #-}
data ST s a = ST (s -> (a, s))
data Ref s a = Ref
runST :: (forall s. ST s a) -> a
runST (ST f) = undefined
new :: a -> ST s (Ref s a)
new = undefined
get :: Ref s a -> ST s a
get = undefined
bind :: ST s a -> (a -> ST s b) -> ST s b
bind = undefined
ok = runST (new 'c' `bind` get)
ok2 = runST $ new 'c' `bind` \r -> get r
bad = runST (new 'c')
"#,
        r#"
ok :: Char
ok2 :: Char
bad :: _
15:14-15:21: error: this has type `ST a0 (Ref a0 b0)`, but `ST s c0` is expected
  here: has type `ST a0 (Ref a0 b0)`
  15:7: the first argument of `runST :: (forall s. ST s a) -> a`
  5:18: `s` is known only inside this
  note: The type variable `s` would be used outside the place where it is known.
"#,
    );
}

#[test]
fn existential_types() {
    check(
        r#"
{-# LANGUAGE ExistentialQuantification #-}
data Shape = forall a. Show a => Shape a | forall b. (Eq b, Show b) => Two b b
render (Shape s) = show s
render (Two a b) = if a == b then show a else show [a, b]
all' = map render [Shape 1, Shape "x", Two 'a' 'b']
bad (Shape s) = s
worse (Shape a) = a == a
"#,
        r#"
render :: Shape -> String
all' :: [String]
bad :: _
worse :: _
7:17-7:18: error: this has type `a`, which means nothing outside
  here: has type `a`
  7:6: `a` is known only inside this
  note: The type variable `a` would be used outside the place where it is known.
8:21-8:23: error: `Eq a` is not known here
  here: needed by the use of `==`
  8:8: the type variable comes from here
"#,
    );
}

#[test]
fn constructors_by_signature() {
    check(
        r#"
{-# LANGUAGE GADTs #-}
data T a where
  A :: T a
  B :: a -> T a -> T a
  C :: Show b => b -> T a
f A = 0
f (B _ t) = f t
f (C b) = length (show b)
"#,
        r#"
f :: T a -> Int
"#,
    );
}

#[test]
fn holes() {
    check(
        r#"
f x = not _
g = _hole 1
"#,
        r#"
f :: a -> Bool
g :: _
2:11-2:12: error: `_` is only allowed in patterns
  hint: Put an expression in its place.
3:5-3:10: error: `_hole` is a hole, and nothing is known to fill it
"#,
    );
}

#[test]
fn a_match_says_what_type_variables_stand_for() {
    check(
        r#"
{-# LANGUAGE GADTs #-}
data Expr a where
  I :: Int -> Expr Int
  B :: Bool -> Expr Bool
  If :: Expr Bool -> Expr a -> Expr a -> Expr a
  Same :: Eq a => Expr a -> Expr a -> Expr Bool
  Pair :: Expr a -> Expr b -> Expr (a, b)
  Fst :: Expr (a, b) -> Expr a
eval :: Expr a -> a
eval (I n) = n
eval (B b) = b
eval (If c t e) = case eval c of { True -> eval t; False -> eval e }
eval (Same a b) = eval a == eval b
eval (Pair a b) = (eval a, eval b)
eval (Fst p) = case eval p of { (x, _) -> x }
one (I n) = n
size :: Expr a -> Int
size e = case e of { I n -> n; Pair a b -> size a + size b; _ -> 1 }
data Ty a where { TInt :: Ty Int; TList :: Ty a -> Ty [a] }
shown :: Ty a -> a -> String
shown TInt n = show (n + 1)
shown (TList t) (x : _) = shown t x
"#,
        r#"
one :: Expr Int -> Int
"#,
    );
}

#[test]
fn what_a_match_does_not_say() {
    check(
        r#"
{-# LANGUAGE GADTs #-}
data Expr a where
  I :: Int -> Expr Int
  B :: Bool -> Expr Bool
  Pair :: Expr a -> Expr b -> Expr (a, b)
f :: Expr a -> a
f (I n) = True
f (B b) = b
g :: Expr Int -> Int
g (B b) = 1
h :: Expr a -> b
h (Pair a b) = a
"#,
        r#"
8:11-8:15: error: this has type `Bool`, but `Int` is expected
  here: has type `Bool`
  7:6: the type is declared here
  note: The match on the constructor says that `a` is `Int`.
11:4-11:7: error: this pattern has type `Expr Bool`, but a `Expr Int` is matched
  here: has type `Expr Bool`
  10:6: the type is declared here
  note: `Int` and `Bool` are different.
13:16-13:17: error: this has type `Expr a`, but `b` is expected
  here: has type `Expr a`
  12:6: the type is declared here
  12:16: `b` stands for any type
"#,
    );
}

#[test]
fn parallel_comprehensions() {
    check(
        r#"
f xs = [(x, y, z) | x <- xs, x | y <- "ab" | z <- [1, 2]]
"#,
        r#"
f :: Num a => [Bool] -> [(Bool, Char, a)]
"#,
    );
}

#[test]
fn overloaded_strings() {
    check(
        r#"
{-# LANGUAGE OverloadedStrings #-}
newtype Name = Name String deriving Eq
instance IsString Name where fromString = Name
a = "bob" == Name ""
f "bob" = Name "x"
f x = x
b = map show ["plain"]
c = "x" ++ "y"
g x = x == "any"
h :: Bool
h = "no"
"#,
        r#"
a :: Bool
f :: Name -> Name
b :: [String]
c :: String
g :: (Eq a, IsString a) => a -> Bool
12:5-12:9: error: there is no instance `IsString Bool`
  here: needed by this string
  hint: A string stands where a `Bool` is expected.
"#,
    );
}
