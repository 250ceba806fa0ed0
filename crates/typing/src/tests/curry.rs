//! The Curry dialect.

use super::check_curry;

#[test]
fn rules_and_free_variables() {
    check_curry(
        r#"
coin = 0 ? 1
last xs | ys ++ [y] =:= xs = y where ys, y free
perm [] = []
perm (x : xs) = insert x (perm xs)
insert x ys = x : ys
insert x (y : ys) = y : insert x ys
"#,
        r#"
coin :: Num a => a
last :: Data a => [a] -> a
perm :: [a] -> [a]
insert :: a -> [a] -> [a]
"#,
    );
}

#[test]
fn functional_patterns_and_non_linear_patterns() {
    check_curry(
        r#"
lastOf (_ ++ [x]) = x
same x x = True
five (id 5) = True
"#,
        r#"
lastOf :: Data a => [a] -> a
same :: Data a => a -> a -> Bool
five :: (Data a, Num a) => a -> Bool
"#,
    );
}

#[test]
fn functional_patterns_stand_in_rules_only() {
    check_curry(
        r#"
f xs = case xs of { _ ++ [y] -> y }
g = \(id x) -> x
h x y = \x x -> x
k :: [a] -> a
k (_ ++ [x]) = x
"#,
        r#"
f :: Data a => [a] -> a
g :: Data a => a -> a
h :: Data c => a -> b -> c -> c -> c
2:23-2:25: error: a functional pattern stands only on the left side of a rule
  here: `++` is a function, not a constructor
  hint: Define a function with this pattern, or solve an equation with `=:=` in a guard.
3:7-3:9: error: a functional pattern stands only on the left side of a rule
  here: `id` is a function, not a constructor
  hint: Define a function with this pattern, or solve an equation with `=:=` in a guard.
4:12-4:13: error: the variable `x` stands twice in one pattern
  here: here again
  4:10: here first
  hint: Only in the rules of functions that means equal values; here rename one of them.
6:4-6:12: error: `Data a` is not known here
  here: needed by this functional pattern
  5:6: the type of `k` does not say so
  hint: Add `Data a` to the context of the type of `k`.
"#,
    );
}

#[test]
fn functional_patterns_do_not_depend_on_their_function() {
    check_curry(
        r#"
f (f x) = x
g (h x) = x
h x = k x
k x = g x
l (id x) = l x
"#,
        r#"
f :: Data a => a -> a
g :: Data a => a -> a
h :: Data a => a -> a
k :: Data a => a -> a
l :: Data a => a -> b
2:4-2:5: error: this functional pattern depends on the function it belongs to
  here: `f` is being defined here
  hint: What a pattern matches must be known first: use another function in it.
3:4-3:5: error: this functional pattern depends on the function it belongs to
  here: `h` uses `g`, which is being defined here
  hint: What a pattern matches must be known first: use another function in it.
"#,
    );
}

#[test]
fn default_rules() {
    check_curry(
        r#"
lookup' k ((k', v) : _) | k == k' = Just v
lookup' k (_ : rest) = lookup' k rest
lookup''default _ _ = Nothing
"#,
        r#"
lookup' :: Eq a => a -> [(a, b)] -> Maybe b
"#,
    );
}

#[test]
fn anonymous_variables_and_cases() {
    check_curry(
        r#"
f x = case x of { 1 -> 'a'; _ -> 'b' }
g x = fcase x of { True -> _ ; False -> [] }
"#,
        r#"
f :: Int -> Char
g :: Data a => Bool -> [a]
"#,
    );
}

#[test]
fn data_is_derived_for_every_type() {
    check_curry(
        r#"
data T a = T a [T a]
data F = F (Int -> Int)
f :: Data a => a -> T a -> Bool
f x y = let z free in T x [z] =:= y
g :: F -> Bool
g x = x =:= x
h :: a -> Bool
h x = x =:= x
"#,
        r#"
7:9-7:12: error: there is no instance `Data F`
  here: needed by the use of `=:=`
  hint: Values of this type cannot be compared: there are functions or actions inside.
9:9-9:12: error: `Data a` is not known here
  here: needed by the use of `=:=`
  8:6: the type of `h` does not say so
  hint: Add `Data a` to the context of the type of `h`.
"#,
    );
}

#[test]
fn there_is_no_monomorphism_restriction() {
    check_curry(
        r#"
eq = (==)
f = let g = (==) in (g 1 2, g 'a' 'b')
h = let x = id [] in ('a' : x, 1 : x)
"#,
        r#"
eq :: Eq a => a -> a -> Bool
f :: (Bool, Bool)
h :: _
4:32-4:33: error: there is no instance `Num Char`
  here: needed by this number
  hint: A number stands where a `Char` is expected.
"#,
    );
}

#[test]
fn constructors_may_be_spelled_like_variables() {
    check_curry(
        r#"
data T = t | U
f t = 1
f U = 2
"#,
        r#"
f :: Num a => T -> a
"#,
    );
}

#[test]
fn external_functions() {
    check_curry(
        r#"
prim :: Int -> Int
prim external
other external
f = prim 1
"#,
        r#"
other :: _
f :: Int
4:1-4:6: error: `other` is external, but its type is not declared
  hint: Add a type signature.
"#,
    );
}

#[test]
fn numbers_in_patterns_are_ints() {
    check_curry(
        r#"
f 0 = 1
f n = n + 1
g 0.5 = 1
"#,
        r#"
f :: Int -> Int
g :: Num a => Float -> a
"#,
    );
}
