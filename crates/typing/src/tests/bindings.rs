//! Groups, generalisation, signatures, the monomorphism restriction, defaulting.

use super::check;

#[test]
fn functions_are_generalised() {
    check(
        r#"
compose f g x = f (g x)
twice f = f . f
swap (a, b) = (b, a)
"#,
        r#"
compose :: (a -> b) -> (c -> a) -> c -> b
twice :: (a -> a) -> a -> a
swap :: (a, b) -> (b, a)
"#,
    );
}

#[test]
fn constraints_are_collected_without_superclasses() {
    check(
        r#"
member x [] = False
member x (y : ys) = if x == y then True else member x ys
biggest a b = if a > b && a == a then a else b
sumOf f xs = sum (map f xs) + 1
"#,
        r#"
member :: Eq a => a -> [a] -> Bool
biggest :: Ord a => a -> a -> a
sumOf :: Num b => (a -> b) -> [a] -> b
"#,
    );
}

#[test]
fn mutual_recursion_shares_a_context() {
    check(
        r#"
even' n = if n == 0 then True else odd' (n - 1)
odd' n = if n == 0 then False else even' (n - 1)
"#,
        r#"
even' :: (Eq a, Num a) => a -> Bool
odd' :: (Eq a, Num a) => a -> Bool
"#,
    );
}

#[test]
fn signatures_break_groups_and_allow_polymorphic_recursion() {
    check(
        r#"
data Nest a = Nil | Cons a (Nest (a, a))
size :: Nest a -> Int
size Nil = 0
size (Cons _ rest) = 1 + size rest + other 'c'
other x = size (Cons x Nil)
"#,
        r#"
other :: a -> Int
"#,
    );
}

#[test]
fn without_a_signature_recursion_is_monomorphic() {
    check(
        r#"
data Nest a = Nil | Cons a (Nest (a, a))
size Nil = 0
size (Cons _ rest) = size rest
"#,
        r#"
size :: _
4:27-4:31: error: the type of this would contain itself
  here: has type `Nest (a0, a0)`
  4:22: the first argument of `size`
  note: found:    Nest (a0, a0)
        expected: Nest a0
  note: `a0` would have to be the same as `(a0, a0)`.
"#,
    );
}

#[test]
fn local_bindings_are_generalised() {
    check(
        r#"
f x = let pair y = (y, x) in (pair 'c', pair True)
g x = (h 1, h 'c') where h y = [y]
"#,
        r#"
f :: a -> ((Char, a), (Bool, a))
g :: Num b => a -> ([b], String)
"#,
    );
}

#[test]
fn a_local_binding_does_not_generalise_what_is_outside() {
    check(
        r#"
f x = let y = x in (y True, y 'c')
"#,
        r#"
f :: _
2:31-2:34: error: this literal has type `Char`, but `Bool` is expected
  here: has type `Char`
  2:29: the first argument of `y`
"#,
    );
}

#[test]
fn the_monomorphism_restriction_is_resolved_by_the_module() {
    check(
        r#"
plus = (+)
n = 3
use :: Int -> Int
use x = plus x n
eq = (==)
half = 1 / 2
"#,
        r#"
plus :: Int -> Int -> Int
n :: Int
eq :: a0 -> a0 -> Bool
half :: Double
6:6-6:10: error: it is not known which type is meant in `Eq a0`
  here: needed by the use of `==`
  hint: Say which type is meant, with a type signature or where it is used: `(... :: T)`.
"#,
    );
}

#[test]
fn no_monomorphism_restriction() {
    check(
        r#"
{-# LANGUAGE NoMonomorphismRestriction #-}
plus = (+)
(zero, one) = (0, 1)
"#,
        r#"
plus :: Num a => a -> a -> a
zero :: (Num a, Num b) => a
one :: (Num b, Num a) => a
"#,
    );
}

#[test]
fn unconstrained_restricted_bindings_are_polymorphic() {
    check(
        r#"
nothing = []
ident = \x -> x
"#,
        r#"
nothing :: [a]
ident :: a -> a
"#,
    );
}

#[test]
fn defaulting_to_integer_and_double() {
    check(
        r#"
a = show 1
b = show (1 / 2)
c = length (show (2 * 3))
main = print (sum [1, 2])
"#,
        r#"
a :: String
b :: String
c :: Int
main :: IO ()
"#,
    );
}

#[test]
fn a_default_declaration() {
    check(
        r#"
default (Int)
x = 1
"#,
        r#"
x :: Int
"#,
    );
}

#[test]
fn pattern_bindings() {
    check(
        r#"
(a, b) = ("x", 'c')
[p, q] = map not [True]
Just (m : _) = Nothing
first :: Int
(first, second) = (1, 2)
"#,
        r#"
a :: String
b :: Char
p :: Bool
q :: Bool
m :: a
second :: Integer
"#,
    );
}

#[test]
fn polymorphic_pattern_variables_with_signatures() {
    check(
        r#"
i :: a -> a
(i, j) = (\x -> x, \y -> y)
k = (i 'c', i True)
"#,
        r#"
j :: a -> a
k :: (Char, Bool)
"#,
    );
}

#[test]
fn scoped_type_variables() {
    check(
        r#"
{-# LANGUAGE ScopedTypeVariables #-}
f :: forall a. Show a => [a] -> String
f xs = show (g xs) where
  g :: [a] -> a
  g (y : _) = y
h :: [b] -> [b]
h (x :: [c]) = (x :: [c])
"#,
        r#"

"#,
    );
}

#[test]
fn without_forall_type_variables_are_not_scoped() {
    check(
        r#"
f :: [a] -> a
f xs = g xs where
  g :: [a] -> a
  g _ = head' xs
head' (x : _) = x
"#,
        r#"
head' :: [a] -> a
5:15-5:17: error: this has type `[a]`, but `[a1]` is expected
  here: has type `[a]`
  5:9: the first argument of `head'`
  4:9: `a1` stands for any type
  2:7: `a` stands for any type
  note: `a1` and `a` are different.
"#,
    );
}

#[test]
fn a_signature_can_be_less_general() {
    check(
        r#"
f :: Int -> Int
f x = x
g :: Ord a => a -> a -> Bool
g x y = x == y
"#,
        r#"

"#,
    );
}

#[test]
fn main_is_an_action() {
    check(
        r#"
main = 3
"#,
        r#"
main :: Integer
"#,
    );
}

#[test]
fn a_definition_without_parameters_has_one_equation() {
    check(
        r#"
a = 'a'
a = 'b'
f x = y where { y = x; y = x }
"#,
        r#"
a :: _
f :: _
3:1-3:8: error: a definition without parameters has several equations
  here: here again
  2:1: here first
  hint: Rename one of them, or remove one.
4:24-4:29: error: a definition without parameters has several equations
  here: here again
  4:17: here first
  hint: Rename one of them, or remove one.
"#,
    );
}

#[test]
fn main_is_of_io_if_nothing_says_otherwise() {
    check("main = return ()", "main :: IO ()");
    check("main = 3", "main :: Integer");
}
