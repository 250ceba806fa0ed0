//! Derived instances.

use super::check;

#[test]
fn contexts_are_inferred() {
    check(
        r#"
data T a b = L | T a (T b a) [b] deriving (Eq, Show)
data P f = P Int deriving Eq
f x = show (T x L [])
g = P 1 == P 2
h = T not L [] == L
"#,
        r#"
f :: Show a => a -> String
g :: Bool
h :: _
4:7-4:11: error: it is not known which type is meant in `Show a0`
  here: needed by the use of `show`
  hint: Say which type is meant, with a type signature or where it is used: `(... :: T)`.
6:16-6:18: error: there is no instance `Eq (Bool -> Bool)`
  here: needed by the use of `==`
  hint: A function is no such value; perhaps an argument is missing.
"#,
    );
}

#[test]
fn a_type_inside_without_an_instance() {
    check(
        r#"
data A = A (Int -> Int) deriving Eq
"#,
        r#"
2:34-2:36: error: there is no instance `Eq (Int -> Int)`
  here: needed by a field, to derive `Eq`
  hint: A function is no such value; perhaps an argument is missing.
"#,
    );
}

#[test]
fn a_context_on_an_applied_variable() {
    check(
        r#"
{-# LANGUAGE StandaloneDeriving, FlexibleContexts, UndecidableInstances #-}
newtype Fix f = In (f (Fix f))
deriving instance Show (f (Fix f)) => Show (Fix f)
a = show (In Nothing)
"#,
        r#"
a :: String
"#,
    );
}

#[test]
fn functor_foldable_traversable() {
    check(
        r#"
{-# LANGUAGE DeriveTraversable #-}
data Rose a = Rose a [Rose a] deriving (Functor, Foldable, Traversable)
newtype Wrap f a = Wrap (f (Maybe a)) deriving Functor
data F a = F (Int -> a) (a, Bool) deriving Functor
data Bad a = Bad (a -> Int) deriving Foldable
a = fmap not (Rose True [])
b w = fmap not (Wrap w)
"#,
        r#"
a :: Rose Bool
b :: Functor f => f (Maybe Bool) -> Wrap f Bool
6:38-6:46: error: `Foldable` cannot be derived for `Bad`
  here: the last parameter stands inside a function
  hint: Write an instance: `instance Foldable ...`.
"#,
    );
}

#[test]
fn newtype_deriving() {
    check(
        r#"
{-# LANGUAGE GeneralizedNewtypeDeriving #-}
newtype Age = Age Int deriving (Eq, Ord, Show, Num, Enum)
newtype App a = App (Maybe a) deriving (Functor, Applicative, Monad)
a = Age 1 + 2
b = do { x <- App Nothing; return (not x) }
newtype Bad = Bad (Int -> Int) deriving Num
"#,
        r#"
a :: Age
b :: App Bool
7:41-7:44: error: there is no instance `Num (Int -> Int)`
  here: needed by a field, to derive `Num`
  hint: A function is no such value; perhaps an argument is missing.
"#,
    );
}

#[test]
fn what_cannot_be_derived() {
    check(
        r#"
data A = A Int deriving (Enum, Num, Bounded)
data B = B | C Int deriving Bounded
data D = D deriving (Foo, Maybe)
data E = forall a. E a deriving Show
"#,
        r#"
2:26-2:30: error: `Enum` cannot be derived for `A`
  here: its constructors must have no fields
  hint: Write an instance: `instance Enum ...`.
2:32-2:35: error: `Num` cannot be derived for `A`
  here: this class cannot be derived
  hint: Write an instance: `instance Num ...`.
2:37-2:44: error: there is no instance `Bounded Int`
  here: needed by a field, to derive `Bounded`
3:29-3:36: error: `Bounded` cannot be derived for `B`
  here: it must have one constructor, or constructors without fields
  hint: Write an instance: `instance Bounded ...`.
4:22-4:25: error: the type or class `Foo` is not known
  hint: Declare it, or import the module that does.
4:27-4:32: error: `Maybe` is a type, not a class
5:33-5:37: error: `Show` cannot be derived for `E`
  here: a constructor has a type variable of its own
  hint: Write an instance: `instance Show ...`.
"#,
    );
}

#[test]
fn functor_along_functions() {
    check(
        r#"
newtype Cont r a = Cont ((a -> r) -> r) deriving Functor
data T a = T (Int -> [a]) (((a -> Bool) -> Int) -> a) deriving Functor
newtype P a = P (a -> Bool) deriving Functor
newtype Q a = Q (((a -> Bool) -> Bool) -> Bool) deriving Functor
f g (Cont c) = fmap g (Cont c)
"#,
        r#"
f :: (a -> b) -> Cont c a -> Cont c b
3:64-3:71: error: `Functor` cannot be derived for `T`
  here: the last parameter is an argument of a function
  hint: Write an instance: `instance Functor ...`.
4:38-4:45: error: `Functor` cannot be derived for `P`
  here: the last parameter is an argument of a function
  hint: Write an instance: `instance Functor ...`.
5:58-5:65: error: `Functor` cannot be derived for `Q`
  here: the last parameter is an argument of a function
  hint: Write an instance: `instance Functor ...`.
"#,
    );
}

#[test]
fn deriving_via_another_type() {
    check(
        r#"
class Count a where { count :: a -> Int; one :: a }
newtype Plain = Plain Int
instance Count Plain where { count (Plain n) = n; one = Plain 1 }
newtype Score = Score Int deriving Count via Plain
newtype Wrong = Wrong Int deriving Count via Bool
deriving via Plain instance Count Int
f = count (Score 3) + count (2 :: Int)
"#,
        r#"
f :: Int
6:36-6:41: error: there is no instance `Count Bool`
  here: needed to derive `Count` by way of another type
"#,
    );
}
