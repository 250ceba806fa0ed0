//! Kinds, synonyms, data types, classes.

use super::check;

#[test]
fn kinds_are_inferred() {
    check(
        r#"
data Fix f = In (f (Fix f))
newtype Compose f g a = Compose (f (g a))
class Container c where { empty :: c a; insert :: a -> c a -> c a }
out (In x) = x
f x = insert x empty
g (Compose x) = fmap (fmap not) x
"#,
        r#"
out :: Fix a -> a (Fix a)
f :: Container f => a -> f a
g :: (Functor f, Functor f1) => Compose f f1 Bool -> f (f1 Bool)
"#,
    );
}

#[test]
fn kind_errors() {
    check(
        r#"
a :: Maybe
a = undefined
b :: Int Int
b = undefined
data T f = T (f Int) f
instance Functor Int where fmap = undefined
c :: Either Bool -> Int
c = undefined
d :: Num Maybe => Int
d = 1
"#,
        r#"
2:6-2:11: error: this type needs 1 argument more
  here: of kind `* -> *`, where `*` is needed
4:6-4:9: error: this type takes no arguments, but is applied to 1
6:22-6:23: error: this type needs 1 argument more
  here: of kind `* -> *`, where `*` is needed
7:18-7:21: error: this type has the wrong kind
  here: of kind `*`, where `* -> *` is needed
8:6-8:17: error: this type needs 1 argument more
  here: of kind `* -> *`, where `*` is needed
10:10-10:15: error: this type needs 1 argument more
  here: of kind `* -> *`, where `*` is needed
"#,
    );
}

#[test]
fn synonyms() {
    check(
        r#"
type Pair a = (a, a)
type Parser = Either String
type Fun a b = a -> b
swap :: Pair a -> Pair a
swap (a, b) = (b, a)
parse :: Fun String (Parser Int)
parse s = Right 1
a = swap
bad :: Maybe Pair
bad = Nothing
type A = B
type B = [A]
type R = Maybe R
"#,
        r#"
a :: (a, a) -> (a, a)
10:14-10:18: error: the type synonym `Pair` needs 1 argument here, but has 0
  hint: A synonym stands for a type only with all its arguments.
12:6-12:7: error: the type synonym `A` stands for itself
  13:6: by way of this one
  hint: Use `newtype` or `data` for a type that contains itself.
14:6-14:7: error: the type synonym `R` stands for itself
  hint: Use `newtype` or `data` for a type that contains itself.
"#,
    );
}

#[test]
fn polymorphic_synonyms() {
    check(
        r#"
{-# LANGUAGE RankNTypes #-}
type Lens s a = forall f. Functor f => (a -> f a) -> s -> f s
first :: Lens (a, b) a
first f (a, b) = fmap (\c -> (c, b)) (f a)
newtype Const a b = Const { getConst :: a }
newtype Identity a = Identity { runIdentity :: a }
instance Functor (Const a) where fmap _ (Const a) = Const a
instance Functor Identity where fmap f (Identity a) = Identity (f a)
view :: Lens s a -> s -> a
view l s = getConst (l Const s)
over :: Lens s a -> (a -> a) -> s -> s
over l f s = runIdentity (l (Identity . f) s)
a = view first ('c', True)
b = over first not
"#,
        r#"
a :: Char
b :: (Bool, a) -> (Bool, a)
"#,
    );
}

#[test]
fn unknown_and_misplaced_types() {
    check(
        r#"
a :: Foo -> Show
a = undefined
b :: Int => Int
b = 1
data T a = T b
c :: Maybee Int
c = Nothing
d :: _ -> Int
d = undefined
"#,
        r#"
2:6-2:9: error: the type or class `Foo` is not known
  hint: Declare it, or import the module that does.
2:13-2:17: error: `Show` is a class, not a type
  hint: A class stands left of `=>`: `C a => ...`.
4:6-4:9: error: `Int` is a type, not a class
6:14-6:15: error: the type variable `b` is not known here
  hint: Declare it on the left side, or quantify it with `forall`.
7:6-7:12: error: the type or class `Maybee` is not known
  hint: Perhaps `Maybe` is meant.
9:6-9:7: error: a signature cannot leave parts of a type open
  here: `_` stands for no type
  hint: Write the type, or leave the whole signature out.
"#,
    );
}

#[test]
fn type_operators_and_functions() {
    check(
        r#"
{-# LANGUAGE TypeOperators #-}
data a :+: b = L a | R b
infixr 5 :+:
f :: a :+: b :+: c -> Int
f (L _) = 1
f (R (L _)) = 2
g = L
h :: (->) a a
h x = x
"#,
        r#"
g :: a -> a :+: b
"#,
    );
}

#[test]
fn newtypes_have_one_field() {
    check(
        r#"
newtype A = A Int Int
newtype B = B Int | C
newtype D = D Int
"#,
        r#"
2:9-2:10: error: a newtype has one constructor with one field
  here: its constructor has 2 fields
  hint: Use `data` instead of `newtype`.
3:9-3:10: error: a newtype has one constructor with one field
  here: it has 2 constructors
  hint: Use `data` instead of `newtype`.
"#,
    );
}

#[test]
fn duplicates() {
    check(
        r#"
data A = X | X
data A = Y
f = 1
g = 2
f = 3
f :: Int
f :: Int
h a a = a
data R a a = R
"#,
        r#"
g :: Integer
f :: _
h :: a -> a -> a
2:14-2:15: error: `X` is defined twice
  here: here again
  2:10: here first
  hint: Rename one of them, or put the equations together.
3:6-3:7: error: `A` is declared twice
  here: here again
  2:6: here first
  hint: Remove or rename one of them.
6:1-6:2: error: `f` is defined twice
  here: here again
  4:1: here first
  hint: Rename one of them, or put the equations together.
8:1-8:2: error: `f` is declared twice
  here: here again
  7:6: here first
  hint: Remove or rename one of them.
9:5-9:6: error: the variable `a` stands twice in one pattern
  here: here again
  9:3: here first
  hint: Rename one of them and compare the two with `==` in a guard.
10:10-10:11: error: `a` is a parameter twice
  here: here again
  10:8: here first
  hint: Rename one of them.
"#,
    );
}

#[test]
fn datatype_contexts() {
    check(
        r#"
data Eq a => Set a = Nil | Cons a (Set a) deriving Show
newtype (Show a, Eq a) => Box a = Box { content :: a }
single x = Cons x Nil
first Nil = Nothing
first (Cons x _) = Just x
nil = Nil
inside = content
change b x = b { content = x }
shown x = show (single x)
f :: a -> Set a
f x = Cons x Nil
g = Cons id Nil
"#,
        r#"
single :: Eq a => a -> Set a
first :: Eq a => Set a -> Maybe a
nil :: Set a
inside :: Box a0 -> a0
change :: (Show b, Eq b) => Box a -> b -> Box b
shown :: (Eq a, Show a) => a -> String
g :: _
8:10-8:17: error: it is not known which type is meant in `Show a0`
  here: needed by the use of `content`
  hint: Say which type is meant, with a type signature or where it is used: `(... :: T)`.
12:7-12:11: error: `Eq a` is not known here
  here: needed by the use of `Cons`
  11:6: the type of `f` does not say so
  hint: Add `Eq a` to the context of the type of `f`.
13:5-13:9: error: there is no instance `Eq (a0 -> a0)`
  here: needed by the use of `Cons`
  hint: A function is no such value; perhaps an argument is missing.
"#,
    );
}

#[test]
fn fields_of_existential_types() {
    check(
        r#"
data Obj = forall a. Show a => Obj { inside :: a, label :: String }
f o = inside o
g (Obj { inside = x }) = show x
h o = o { label = "new" }
k = Obj { inside = 'c', label = "" }
"#,
        r#"
f :: _
g :: Obj -> String
h :: Obj -> Obj
k :: Obj
3:7-3:13: error: the field `inside` cannot be used as a function
  here: its type would be known only inside
  2:38: the field has a type variable of the constructor's own
  hint: Match it: `case e of Obj { inside = x } -> ...`.
"#,
    );
}

#[test]
fn fixities_belong_to_definitions() {
    check(
        r#"
infixl 5 +++
infixr 4 +++
a +++ b = a
infix 3 ***
f = x where { infix 2 %%; x = 1 }
"#,
        r#"
+++ :: a -> b -> a
f :: Integer
3:10-3:13: error: the operator `+++` has two fixities
  here: here again
  2:10: here first
  hint: Keep the declaration that is meant; an operator binds in one way only.
5:9-5:12: error: `***` has a fixity declaration, but no definition
  hint: Define it in the same block, or remove the declaration.
6:23-6:25: error: `%%` has a fixity declaration, but no definition
  hint: Define it in the same block, or remove the declaration.
"#,
    );
}

#[test]
fn constructors_as_types() {
    check(
        r#"
{-# LANGUAGE DataKinds, GADTs #-}
data Nat = Zero | Succ Nat
data Vec (n :: Nat) a where
  Nil :: Vec 'Zero a
  Cons :: a -> Vec n a -> Vec ('Succ n) a
first :: Vec (Succ n) a -> a
first (Cons x _) = x
two = Cons 'a' (Cons 'Z' Nil)
f = first Nil
"#,
        r#"
two :: Vec (Succ (Succ Zero)) Char
f :: _
10:11-10:14: error: this has type `Vec Zero a0`, but `Vec (Succ b0) c0` is expected
  here: has type `Vec Zero a0`
  10:5: the first argument of `first :: Vec (Succ n) a -> a`
  note: `Succ b0` and `Zero` are different.
"#,
    );
}
