//! Messages about types that do not fit, and about names.

use super::{check, check_files};

#[test]
fn an_argument_of_the_wrong_type() {
    check(
        r#"
f :: Int -> Bool -> Int
f n b = n
a = f True True
b = f 1 'c'
c = map not "abc"
"#,
        r#"
a :: _
b :: _
c :: _
4:7-4:11: error: this has type `Bool`, but `Int` is expected
  here: has type `Bool`
  4:5: the first argument of `f :: Int -> Bool -> Int`
5:9-5:12: error: this literal has type `Char`, but `Bool` is expected
  here: has type `Char`
  5:5: the second argument of `f :: Int -> Bool -> Int`
6:13-6:18: error: this literal has type `String`, but `[Bool]` is expected
  here: has type `String`
  6:5: the second argument of `map :: (a -> b) -> [a] -> [b]`
  note: `Bool` and `Char` are different.
"#,
    );
}

#[test]
fn too_many_arguments() {
    check(
        r#"
a = not True False
b = 'c' 1
f x y = x
c :: Int
c = f 1 2 3
"#,
        r#"
a :: _
b :: _
f :: a -> b -> a
2:5-2:8: error: `not` is applied to 2 arguments, but it takes 1
  here: has type `Bool -> Bool`
  hint: Remove an argument, or put parentheses around what belongs together.
3:5-3:8: error: this is not a function, but it is applied to 1 argument
  here: has type `Char`
  hint: Remove an argument, or put parentheses around what belongs together.
6:7-6:8: error: there is no instance `Num (a0 -> Int)`
  here: needed by this number
  hint: A number stands where a function is expected; perhaps there is an argument too many.
"#,
    );
}

#[test]
fn too_few_arguments() {
    check(
        r#"
f :: Int -> Int -> Int
f a b = a + b
g :: Int
g = f 1
"#,
        r#"
5:5-5:8: error: this has type `Int -> Int`, but `Int` is expected
  here: has type `Int -> Int`
  4:6: the type is declared here
  hint: Perhaps an argument is missing.
"#,
    );
}

#[test]
fn equations_with_different_numbers_of_parameters() {
    check(
        r#"
f 1 = 1
f 1 2 = 3
g :: Int -> Int
g a b = a
"#,
        r#"
f :: _
3:1-3:10: error: the equations of one function have different numbers of parameters
  here: 2 parameters here
  2:1: 1 parameter here
  hint: Add the missing parameters; `_` matches anything.
5:1-5:10: error: this has 2 parameters, but its type `Int -> Int` has only 1
  4:6: the type is declared here
  hint: Remove a parameter, or add one to the type.
"#,
    );
}

#[test]
fn branches_of_different_types() {
    check(
        r#"
a x = if x then 'c' else "c"
b x = case x of { True -> 'c'; False -> () }
c = [True, 'c']
d 1 = True
d 2 = 'c'
"#,
        r#"
a :: _
b :: _
c :: _
d :: _
2:26-2:29: error: this literal has type `String`, but `Char` is expected
  here: has type `String`
  2:17: this has type `Char`, and all must be alike
  hint: One character stands in single quotes.
3:41-3:43: error: this has type `()`, but `Char` is expected
  here: has type `()`
  3:19: this has type `Char`, and all must be alike
4:12-4:15: error: this literal has type `Char`, but `Bool` is expected
  here: has type `Char`
  4:6: this has type `Bool`, and all must be alike
6:7-6:10: error: this literal has type `Char`, but `Bool` is expected
  here: has type `Char`
  5:1: an equation before this one
"#,
    );
}

#[test]
fn conditions_and_guards() {
    check(
        r#"
a = if 'c' then 1 else 2
b x | x = 1
    | "no" = 2
"#,
        r#"
a :: _
b :: _
2:8-2:11: error: this literal has type `Char`, but `Bool` is expected
  here: has type `Char`
  note: The condition of `if` is a `Bool`.
4:7-4:11: error: this literal has type `String`, but `Bool` is expected
  here: has type `String`
  note: A guard is a `Bool`.
"#,
    );
}

#[test]
fn a_type_that_contains_itself() {
    check(
        r#"
f x = x x
g x = [x, [x]]
"#,
        r#"
f :: _
g :: _
2:9-2:10: error: the type of this would contain itself
  here: has type `a0 -> b0`
  2:7: the first argument of `x :: a0 -> b0`
  note: found:    a0 -> b0
        expected: a0
  note: `a0` would have to be the same as `a0 -> b0`.
3:12-3:13: error: the type of this would contain itself
  here: has type `[a0]`
  3:8: this has type `a0`, and all must be alike
  note: found:    [a0]
        expected: a0
  note: `a0` would have to be the same as `[a0]`.
"#,
    );
}

#[test]
fn rigid_type_variables() {
    check(
        r#"
f :: a -> b -> a
f x y = y
g :: a -> Int
g x = x
h :: [a] -> a
h xs = xs
"#,
        r#"
3:9-3:10: error: this has type `b`, but `a` is expected
  here: has type `b`
  2:6: the type is declared here
  2:6: `a` stands for any type
  2:11: `b` stands for any type
5:7-5:8: error: this has type `a`, but `Int` is expected
  here: has type `a`
  4:6: the type is declared here
  4:6: `a` stands for any type
7:8-7:10: error: this has type `[a]`, but `a` is expected
  here: has type `[a]`
  6:6: the type is declared here
  6:7: `a` stands for any type
"#,
    );
}

#[test]
fn patterns_of_the_wrong_type() {
    check(
        r#"
f :: Maybe Int -> Int
f (Left x) = x
f (Just x y) = x
f 'c' = 1
g (x : xs) = x
g (a, b) = a
"#,
        r#"
g :: _
3:4-3:10: error: this pattern has type `Either a0 b0`, but a `Maybe Int` is matched
  here: has type `Either a0 b0`
  2:6: the type is declared here
4:4-4:12: error: the constructor `Just` has 1 field, but 2 here
  here: `Just :: a -> Maybe a`
  24:26: declared here
5:3-5:6: error: this pattern has type `Char`, but a `Maybe Int` is matched
  here: has type `Char`
  2:6: the type is declared here
7:3-7:9: error: this pattern has type `(a0, b0)`, but a `[c0]` is matched
  here: has type `(a0, b0)`
  6:1: an equation before this one
"#,
    );
}

#[test]
fn blocks_with_different_monads() {
    check(
        r#"
a = do { x <- Just 1; putStrLn "x" }
b :: IO Int
b = do { putStrLn "x"; return 'c' }
"#,
        r#"
a :: _
2:23-2:35: error: this has type `IO ()`, but `Maybe a0` is expected
  here: has type `IO ()`
  2:5: all statements of a block have the same monad
4:31-4:34: error: this literal has type `Char`, but `Int` is expected
  here: has type `Char`
  4:24: the first argument of `return :: Monad m => a -> m a`
"#,
    );
}

#[test]
fn unknown_names() {
    check(
        r#"
f x = lenght x + y
g = Nil
h = Data.Map.insert 1
k = foo 1 + foo 2
"#,
        r#"
f :: _ -> _
g :: _
h :: _
k :: _
2:7-2:13: error: the name `lenght` is not known
  hint: Perhaps `length` is meant.
2:18-2:19: error: the name `y` is not known
  hint: Define it, or import the module that does.
3:5-3:8: error: the constructor `Nil` is not known
  hint: Define it, or import the module that does.
4:5-4:20: error: the name `Data.Map.insert` is not known
  hint: No module is imported as `Data.Map`: add `import qualified Data.Map`.
5:5-5:8: error: the name `foo` is not known
  hint: Define it, or import the module that does.
"#,
    );
}

#[test]
fn an_error_does_not_spread() {
    check(
        r#"
f x = not 'c'
g y = f y + 1
h = g 2 ++ "x"
ok = True
"#,
        r#"
f :: _
g :: _ -> _
h :: String
ok :: Bool
2:11-2:14: error: this literal has type `Char`, but `Bool` is expected
  here: has type `Char`
  2:7: the first argument of `not :: Bool -> Bool`
"#,
    );
}

#[test]
fn operators_and_sections() {
    check(
        r#"
a = 1 + 'c'
b = True && 1
c = (++ 1)
d x = (x `not`)
"#,
        r#"
a :: _
b :: _
c :: _
d :: Bool -> Bool
2:7-2:8: error: there is no instance `Num Char`
  here: needed by the use of `+`
  hint: A character is no number; `ord` gives its code.
3:13-3:14: error: there is no instance `Num Bool`
  here: needed by this number
  hint: A number stands where a `Bool` is expected.
4:9-4:10: error: there is no instance `Num [a0]`
  here: needed by this number
  hint: A number stands where a `[a0]` is expected.
"#,
    );
}

#[test]
fn record_errors() {
    check(
        r#"
data R = R { a :: Int, b :: !Bool } | S { c :: Int }
f = R { a = 1 }
g = R { a = 'c', b = True, c = 2 }
h r = r { a = 1, c = 2 }
k = R { a = 1, a = 2, b = True }
l = S {}
"#,
        r#"
f :: _
g :: _
h :: _
k :: _
l :: R
3:5-3:16: error: `R` is built without its field `b`
  here: a strict field must have a value
  hint: Set it too: `field = ...`.
4:13-4:16: error: this literal has type `Char`, but `Int` is expected
  here: has type `Char`
  4:9: the field `a`
4:28-4:29: error: the constructor `R` has no field `c`
  hint: Its fields are `a`, `b`.
5:7-5:25: error: no constructor of `R` has the fields `a` and `c`
  hint: Update fields of one constructor only; match the others apart.
6:16-6:17: error: the field `a` is set twice
  here: here again
  hint: Keep the value that is meant.
7:5-7:9: warning: `S` is built without its field `c`
  note: Using it would be an error.
"#,
    );
}

#[test]
fn types_of_the_same_name_are_qualified() {
    check_files(
        &[
            (
                "Main.hs",
                r#"
import A
data T = T
f :: Main.T -> Int
f _ = 1
x = f a
"#,
            ),
            (
                "A.hs",
                r#"
module A where
data T = U
a = U
"#,
            ),
        ],
        r#"
x :: _
6:7-6:8: error: this has type `A.T`, but `T` is expected
  here: has type `A.T`
  6:5: the first argument of `f :: T -> Int`
"#,
    );
}

#[test]
fn wildcards_need_named_fields() {
    check(
        r#"
data P = P Int Char
data E = E
f P {..} = 1
g E {..} = 1
h = P {..}
"#,
        r#"
f :: Num a => P -> a
g :: Num a => E -> a
h :: a
4:3-4:4: error: `..` stands for named fields, but those of `P` have no names
  2:10: declared without names
  hint: Write its fields in order: `P _ _`.
6:5-6:6: error: `..` stands for named fields, but those of `P` have no names
  2:10: declared without names
  hint: Write its fields in order: `P _ _`.
"#,
    );
}
