//! Classes, instances, multi-parameter classes, functional dependencies.

use super::check;

#[test]
fn methods_and_defaults() {
    check(
        r#"
class Shape s where
  area :: s -> Double
  name :: s -> String
  name _ = "shape"
data Square = Square Double
instance Shape Square where area (Square a) = a * a
describe s = name s ++ show (area s)
a = describe (Square 2)
"#,
        r#"
describe :: Shape a => a -> String
a :: String
"#,
    );
}

#[test]
fn methods_with_their_own_context() {
    check(
        r#"
class Coll c where
  cmap :: (a -> b) -> c a -> c b
  cshow :: Show a => c a -> String
instance Coll [] where
  cmap f xs = map f xs
  cshow xs = show xs
instance Coll Maybe where
  cmap = fmap
  cshow (Just x) = show x
  cshow Nothing = ""
f x = cshow (cmap not x)
"#,
        r#"
f :: Coll f => f Bool -> String
"#,
    );
}

#[test]
fn instance_signatures() {
    check(
        r#"
{-# LANGUAGE InstanceSigs, ScopedTypeVariables #-}
newtype State s a = State { run :: s -> (a, s) }
instance Functor (State s) where
  fmap :: forall a b. (a -> b) -> State s a -> State s b
  fmap f (State g) = State h where
    h :: s -> (b, s)
    h s = let (a, s') = g s in (f a, s')
instance Eq (State s a) where
  (==) :: State s a -> Int -> Bool
  _ == _ = True
"#,
        r#"
10:11-10:35: error: this has type `State s a -> Int -> Bool`, but `State s a -> State s a -> Bool` is expected
  here: has type `State s a -> Int -> Bool`
  note: The class declares the type of `==`.
  note: `State s a` and `Int` are different.
"#,
    );
}

#[test]
fn missing_and_foreign_methods() {
    check(
        r#"
data A = A
instance Show A where
  show A = ""
  shwo A = ""
instance Num A where
  A + A = A
"#,
        r#"
3:10-3:16: warning: the instance `Show A` does not define the method `showsPrec`
  note: There is no default; using it would be an error.
5:3-5:7: error: `shwo` is not a method of the class `Show`
  hint: Perhaps `show` is meant.
6:10-6:15: warning: the instance `Num A` does not define the methods `-`, `*`, `fromInteger`, `negate`
  note: There is no default; using it would be an error.
"#,
    );
}

#[test]
fn missing_superclass_instance() {
    check(
        r#"
data A = A
instance Ord A where compare _ _ = EQ
data B a = B a
instance Eq (B a) where B a == B b = a == b
"#,
        r#"
3:10-3:15: error: there is no instance `Eq A`
  here: needed by this instance: a superclass of `Ord`
  hint: Add `deriving Eq` to the declaration of `A`.
3:10-3:15: warning: the instance `Ord A` does not define the methods `<`, `<=`, `>`, `>=`
  note: There is no default; using it would be an error.
5:40-5:42: error: `Eq a` is not known here
  here: needed by the use of `==`
  5:10: the context of this instance does not say so
  hint: Add `Eq a` to the context of the instance.
"#,
    );
}

#[test]
fn missing_instances() {
    check(
        r#"
data Colour = Red
a = show Red
b = Red == Red
c = [1] + [2]
d = show not
e :: a -> String
e x = show x
f x = fmap x (3 :: Int)
"#,
        r#"
a :: _
b :: _
c :: _
d :: _
f :: _
3:5-3:9: error: there is no instance `Show Colour`
  here: needed by the use of `show`
  hint: Add `deriving Show` to the declaration of `Colour`.
4:9-4:11: error: there is no instance `Eq Colour`
  here: needed by the use of `==`
  hint: Add `deriving Eq` to the declaration of `Colour`.
5:9-5:10: error: there is no instance `Num [a0]`
  here: needed by the use of `+`
  hint: A list is no number; `++` joins lists, `read` turns a string into a number.
6:5-6:9: error: there is no instance `Show (Bool -> Bool)`
  here: needed by the use of `show`
  hint: A function is no such value; perhaps an argument is missing.
8:7-8:11: error: `Show a` is not known here
  here: needed by the use of `show`
  7:6: the type of `e` does not say so
  hint: Add `Show a` to the context of the type of `e`.
9:15-9:23: error: this has type `Int`, but `a0 b0` is expected
  here: has type `Int`
  9:7: the second argument of `fmap :: Functor f => (a -> b) -> f a -> f b`
"#,
    );
}

#[test]
fn duplicate_instances() {
    check(
        r#"
data A = A
instance Show A where show _ = ""
instance Show A where show _ = ""
instance Show [b] where show _ = ""
"#,
        r#"
3:10-3:16: warning: the instance `Show A` does not define the method `showsPrec`
  note: There is no default; using it would be an error.
4:10-4:16: error: there are two instances `Show A`
  here: the second
  3:10: the first
  hint: Remove one of them; a `newtype` can have an instance of its own.
5:10-5:18: error: there are two instances `Show [b]`
  here: the second
  103:20: the first
  hint: Remove one of them; a `newtype` can have an instance of its own.
"#,
    );
}

#[test]
fn flexible_instances_choose_the_most_special() {
    check(
        r#"
{-# LANGUAGE FlexibleInstances #-}
class Pretty a where pretty :: a -> String
instance Pretty a => Pretty [a] where pretty _ = ""
instance {-# OVERLAPPING #-} Pretty [Char] where pretty s = s
instance Pretty Int where pretty _ = ""
a = pretty "x" ++ pretty [1 :: Int]
f x = pretty [x]
"#,
        r#"
a :: String
f :: Pretty [a] => a -> String
"#,
    );
}

#[test]
fn several_parameters() {
    check(
        r#"
{-# LANGUAGE MultiParamTypeClasses, FlexibleContexts #-}
class Convert a b where convert :: a -> b
instance Convert Int String where convert = show
instance Convert Bool Int where convert _ = 1
a = (convert (1 :: Int) :: String)
f x = convert x ++ "!"
b = convert True + (1 :: Int)
"#,
        r#"
a :: String
f :: Convert a String => a -> String
b :: Int
"#,
    );
}

#[test]
fn functional_dependencies() {
    check(
        r#"
{-# LANGUAGE MultiParamTypeClasses, FunctionalDependencies, FlexibleInstances, UndecidableInstances #-}
newtype StateT s m a = StateT (s -> m (a, s))
instance Functor (StateT s m) where fmap = undefined
instance Applicative (StateT s m) where { pure = undefined; (<*>) = undefined }
instance Monad m => Monad (StateT s m) where (>>=) = undefined
class Monad m => MonadState s m | m -> s where
  get :: m s
  put :: s -> m ()
instance Monad m => MonadState s (StateT s m) where { get = undefined; put = undefined }
tick = do { n <- get; put (n + 1); return n }
run :: StateT Int Maybe String
run = do { n <- get; put (n + 1); return (show n) }
bad :: StateT Int Maybe ()
bad = put 'c'
"#,
        r#"
tick :: a0 Integer
6:21-6:39: warning: the instance `Monad (StateT s m)` does not define the methods `>>`, `return`
  note: There is no default; using it would be an error.
11:8-11:46: error: it is not known which type is meant in `Monad a0`
  here: needed by this block
  11:18: `MonadState Integer a0` is needed by the use of `get`
  hint: Say which type is meant, with a type signature or where it is used: `(... :: T)`.
15:7-15:10: error: there is no instance `MonadState Char (StateT Int Maybe)`
  here: needed by the use of `put`
  10:21: `MonadState s (StateT s m)` is known
  note: The class has the dependency `m -> s`, so there is no other.
"#,
    );
}

#[test]
fn ambiguous_types() {
    check(
        r#"
a = show (read "1")
b :: Show x => Int
b = 1
class C a where { m :: Int; n :: a -> Int }
f x = n x
"#,
        r#"
a :: String
f :: C a => a -> Int
2:5-2:9: error: it is not known which type is meant in `Show a0`
  here: needed by the use of `show`
  2:11: `Read a0` is needed by the use of `read`
  hint: Say which type is meant, with a type signature or where it is used: `(... :: T)`.
3:6-3:19: error: no use could say which type `x` is in `Show x`
  here: `x` stands only in the context
  hint: Use the variable in the type, or leave the constraint out.
5:19-5:20: error: no use could say which type `a` is in `C a`
  here: `a` stands only in the context
  hint: Use the variable in the type, or leave the constraint out.
"#,
    );
}

#[test]
fn endless_instances() {
    check(
        r#"
{-# LANGUAGE FlexibleInstances, UndecidableInstances, FlexibleContexts #-}
class C a where c :: a -> Int
instance C [[a]] => C [a] where c _ = 1
a = c "x"
"#,
        r#"
a :: _
5:5-5:6: error: instances lead to instances without end
  here: needed by the use of `c`
  note: It was not decided whether there is an instance `C [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]`.
  hint: The context of an instance should be smaller than its head.
"#,
    );
}

#[test]
fn a_class_that_is_its_own_superclass() {
    check(
        r#"
class B a => A a
class A a => B a
f :: A a => a -> a
f x = x
"#,
        r#"
2:14-2:15: error: the class `A` is its own superclass
  3:14: by way of this one
"#,
    );
}

#[test]
fn constructor_classes() {
    check(
        r#"
mapM' f [] = return []
mapM' f (x : xs) = do { y <- f x; ys <- mapM' f xs; return (y : ys) }
when' c a = if c then a else pure ()
inside = fmap . fmap
reader = fmap not fst
"#,
        r#"
mapM' :: Monad m => (a -> m b) -> [a] -> m [b]
when' :: Applicative f => Bool -> f () -> f ()
inside :: (a -> b) -> c0 (d0 a) -> c0 (d0 b)
reader :: (Bool, a) -> Bool
5:10-5:14: error: it is not known which type is meant in `Functor a0`
  here: needed by the use of `fmap`
  hint: Say which type is meant, with a type signature or where it is used: `(... :: T)`.
5:17-5:21: error: it is not known which type is meant in `Functor a0`
  here: needed by the use of `fmap`
  hint: Say which type is meant, with a type signature or where it is used: `(... :: T)`.
"#,
    );
}

#[test]
fn superclasses_are_used() {
    check(
        r#"
f :: Integral a => a -> a -> String -> Bool
f x y s = x == y && x < y + 1
g :: (Monad m) => m Int -> m Int
g m = fmap (+ 1) m
"#,
        r#"

"#,
    );
}

#[test]
fn missing_contexts_are_told_once() {
    check(
        r#"
f :: a -> a -> String
f x y = show x ++ show y ++ show [x]
"#,
        r#"
3:9-3:13: error: `Show a` is not known here
  here: needed by the use of `show`
  2:6: the type of `f` does not say so
  hint: Add `Show a` to the context of the type of `f`.
"#,
    );
}

#[test]
fn an_instance_signature_may_say_more() {
    check(
        r#"
{-# LANGUAGE InstanceSigs #-}
data T a = T a
instance Functor T where
  fmap :: (a -> b) -> f a -> f b
  fmap f (T a) = T (f a)
data U a = U
instance Functor U where
  fmap :: c -> U a -> U b
  fmap _ U = U
"#,
        r#"
6:11-6:14: error: this pattern has type `T a0`, but a `f a` is matched
  here: has type `T a0`
  5:23: `f` stands for any type
  note: In this instance, `fmap` has the type `(a -> b) -> f a -> f b`.
  note: `f` and `T` are different.
"#,
    );
}

#[test]
fn recursive_dictionaries() {
    check(
        r#"
{-# LANGUAGE StandaloneDeriving, FlexibleContexts, UndecidableInstances #-}
newtype Fix f = In (f (Fix f))
deriving instance Show (f (Fix f)) => Show (Fix f)
a = show (In (Just (In Nothing)))
"#,
        r#"
a :: String
"#,
    );
}

#[test]
fn instances_that_overlap() {
    check(
        r#"
class C a where c :: a -> Int
instance C [a] where c _ = 1
instance C [Char] where c _ = 2
f = c "x"
g = c [True]
class D a where d :: a -> Int
instance D [a] where d _ = 1
instance {-# OVERLAPPING #-} D [Char] where d _ = 2
h = d "x"
class E a where e :: a -> Int
instance {-# OVERLAPPABLE #-} E a where e _ = 1
instance E Int where e _ = 2
i = e (1 :: Int) + e 'c'
class F a b where k :: a -> b -> Int
instance {-# OVERLAPS #-} F a Int where k _ _ = 1
instance {-# OVERLAPS #-} F Int b where k _ _ = 2
j = k (1 :: Int) (2 :: Int)
class G a b where l :: a -> b -> Int
instance {-# INCOHERENT #-} G a Int where l _ _ = 1
instance G Int b where l _ _ = 2
m = l (1 :: Int) (2 :: Int)
"#,
        r#"
f :: _
g :: Int
h :: Int
i :: Int
j :: _
m :: Int
5:5-5:6: error: several instances match `C String`
  here: needed by the use of `c`
  3:10: `C [a]`
  4:10: `C String`
  hint: If the more special one is meant, say so: `instance {-# OVERLAPPING #-} ...`.
18:5-18:6: error: several instances match `F Int Int`
  here: needed by the use of `k`
  16:27: `F a Int`
  17:27: `F Int b`
  hint: If the more special one is meant, say so: `instance {-# OVERLAPPING #-} ...`.
"#,
    );
}

#[test]
fn instances_that_break_a_dependency() {
    check(
        r#"
class C a b | a -> b where c :: a -> b
instance C Bool Int where c _ = 1
instance C Bool Char where c _ = 'c'
class D a b | a -> b, b -> a
instance D a [a]
instance D Int [Int]
instance D (Maybe a) Bool
instance D (Maybe Int) Char
"#,
        r#"
4:10-4:21: error: the instances `C Bool Int` and `C Bool Char` break the dependency `a -> b`
  here: another `b` here
  3:10: than here, for the same `a`
  hint: Remove one of them, or the dependency from the class `C`.
8:10-8:26: error: the instances `D a [a]` and `D (Maybe a) Bool` break the dependency `a -> b`
  here: another `b` here
  6:10: than here, for the same `a`
  hint: Remove one of them, or the dependency from the class `D`.
9:10-9:28: error: the instances `D a [a]` and `D (Maybe Int) Char` break the dependency `a -> b`
  here: another `b` here
  6:10: than here, for the same `a`
  hint: Remove one of them, or the dependency from the class `D`.
"#,
    );
}

#[test]
fn classes_that_are_operators() {
    check(
        r#"
class f :<: g where inject :: f a -> g a
instance f :<: f where inject x = x
data (f :+: g) a = L (f a) | R (g a)
instance {-# OVERLAPPING #-} f :<: (f :+: g) where inject = L
instance {-# OVERLAPPABLE #-} f :<: g => f :<: (h :+: g) where inject = R . inject
up :: (f :<: g) => f a -> g a
up = inject
"#,
        "",
    );
}

#[test]
fn synonyms_for_constraints() {
    check(
        r#"
type Number a = (Show a, Num a)
type Both a b = (Number a, Number b)
next :: Number a => a -> String
next n = show (n + 1)
sums :: Both a b => a -> b -> String
sums a b = next a ++ next b
f :: Number a b => a
f = f
g :: Number a -> Int
g = g
"#,
        r#"
8:6-8:12: error: the synonym `Number` takes 1 argument, not 2
10:6-10:12: error: `Number` stands for class constraints, not for a type
  hint: Constraints stand left of `=>`: `C a => ...`.
"#,
    );
}
