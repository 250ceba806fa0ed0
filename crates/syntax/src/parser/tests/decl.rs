//! Every production of declarations and modules.

use crate::check::check;

#[test]
fn equations() {
    check("x = 1", "(fun x ([] 1))");
    check("f x = y", "(fun f ([x] y))");
    check(
        "f 0 = 1
f n = n",
        "(fun f ([0] 1) ([n] n))",
    );
    check(
        "f 0 = 1
g = 2
f n = n",
        "(fun f ([0] 1))
(fun g ([] 2))
(fun f ([n] n))",
    );
    check("x <> y = z", "(fun <> ([x y] z))");
    check("(x <> y) z = w", "(fun <> ([x y z] w))");
    check("x `op` y = z", "(fun op ([x y] z))");
    check("(f . g) x = y", "(fun . ([f g x] y))");
    check("(+) a b = c", "(fun + ([a b] c))");
    check("x - y = z", "(fun - ([x y] z))");
    check("arr ! i = x", "(fun ! ([arr i] x))");
    check("f !x !y = z", "(fun f ([(! x) (! y)] z))");
    check("f a !x (Just !y) z = w", "(fun f ([a (! x) (paren (Just (! y))) z] w))");
    check("f x@(y:ys) ~z _ = 1", "(fun f ([(@ x (paren (infix y : ys))) (~ z) _] 1))");
    check("f x @(Just y) = 1", "(fun f ([(@ x (paren (Just y)))] 1))");
    check("f (x @(y:ys)) = 1", "(fun f ([(paren (@ x (paren (infix y : ys))))] 1))");
    check("f (-1) = 2", "(fun f ([(paren (neg 1))] 2))");
    check(r#"f "a" 'b' 1.5 = 2"#, r#"(fun f (["a" 'b' 1.5] 2))"#);
    check("f (C {x = 1, y, ..}) = x", "(fun f ([(paren (record C x 1 y · ..))] x))");
    check("x : xs +++ ys = zs", "(fun +++ ([(infix x : xs) ys] zs))");
}

#[test]
fn guards_and_where() {
    check(
        "f x | x > 0 = 1
    | otherwise = 2",
        "(fun f ([x] (| (infix x > 0) = 1) (| otherwise = 2)))",
    );
    check(
        "f x | Just y <- x, y = 1
  where z = 2
        w = 3",
        "(fun f ([x] (| (<- (Just y) x) y = 1) (where (fun z ([] 2)) (fun w ([] 3)))))",
    );
    check("f = x where { x = 1; y = 2 }", "(fun f ([] x (where (fun x ([] 1)) (fun y ([] 2)))))");
    check(
        "f = x where
g = y",
        "(fun f ([] x))
(fun g ([] y))",
    );
    check("f = a where a = b where b = 1", "(fun f ([] a (where (fun a ([] b (where (fun b ([] 1))))))))");
}

#[test]
fn pattern_bindings() {
    check("(x, y) = z", "(pat (, x y) z)");
    check("[a, b] = c", "(pat (list a b) c)");
    check("Just x = y", "(pat (Just x) y)");
    check("x : xs = ys", "(pat (infix x : xs) ys)");
    check("!x = y", "(pat (! x) y)");
    check("~(a, b) = c", "(pat (~ (, a b)) c)");
    check("(x) = y", "(pat (paren x) y)");
    check("x@(Just y) = z", "(pat (@ x (paren (Just y))) z)");
    check("C {a = b} = c", "(pat (record C a b) c)");
    check("_ = x", "(pat _ x)");
    check("x :: Int = 1", "(pat (:: x Int) 1)");
    check("(a, b) :: (Int, c) = d", "(pat (:: (, a b) (, Int c)) d)");
}

#[test]
fn signatures_and_fixities() {
    check("f :: Int", "(:: [f] Int)");
    check("f, g :: a -> b", "(:: [f g] (-> a b))");
    check("(+), (-) :: a", "(:: [+ -] a)");
    check("infixl 6 +, -", "(infixl 6 [+ -])");
    check("infixr `f`", "(infixr 9 [f])");
    check("infix 4 ==, `M`, :+", "(infix 4 [== M :+])");
    check("infixl 9 !", "(infixl 9 [!])");
    check("infixr 5 :", "(infixr 5 [:])");
}

#[test]
fn data_types() {
    check("data T", "(data T [])");
    check("data T = A | B", "(data T [] (A) (B))");
    check("data T a b = A a | B b Int [c]", "(data T [a b] (A a) (B b Int (list c)))");
    check("data T = C { x :: Int, y, z :: !Bool }", "(data T [] (C [x] Int [y z] (! Bool)))");
    check("data T = Int :+ Int | a `C` b", "(data T [] (:+ Int Int) (C a b))");
    check("data T = (:+) Int Int", "(data T [] (:+ Int Int))");
    check("data T = A !Int !(Maybe a)", "(data T [] (A (! Int) (! (paren (Maybe a)))))");
    check("data Eq a => T a = A a", "(data [(Eq a)] T [a] (A a))");
    check("data T = A deriving Show", "(data T [] (A) (deriving Show))");
    check("data T = A deriving (Eq, Ord, M.Show)", "(data T [] (A) (deriving Eq Ord M.Show))");
    check(
        "data T = A
  deriving Eq
  deriving stock (Show, Read)
  deriving newtype Num
  deriving anyclass C",
        "(data T [] (A) (deriving Eq stock Show stock Read newtype Num anyclass C))",
    );
    check(
        "newtype N a = N { unN :: a } deriving (Functor, MonadState s)",
        "(newtype N [a] (N [unN] a) (deriving Functor (MonadState s)))",
    );
    check(
        "data T = forall a. Show a => A a | forall b. B b",
        "(data T [] (A forall [a] [(Show a)] a) (B forall [b] b))",
    );
    check("data T = forall a. (Show a, Eq a) => a :+ a", "(data T [] (:+ forall [a] [(Show a) (Eq a)] a a))");
    check("data T (f :: * -> *) a = A (f a)", "(data T [(:: f (-> * *)) a] (A (paren (f a))))");
    check(
        "data T :: * -> * where
  A :: Int -> T Int
  B, C :: !a -> T a
  deriving Show",
        "(data T [] (-> * *) (A :: (-> Int (T Int))) (B :: (-> (! a) (T a))) (C :: (-> (! a) (T a))) (deriving Show))",
    );
    check("data a :+: b = L a | R b", "(data :+: [a b] (L a) (R b))");
    check(
        "data T = C {
  x :: Int
}",
        "(data T [] (C [x] Int))",
    );
}

#[test]
fn synonyms() {
    check("type T = Int", "(type T [] Int)");
    check("type T a b = Either a b", "(type T [a b] (Either a b))");
    check("type f ~> g = f -> g", "(type ~> [f g] (-> f g))");
    check("type T = forall a. a -> a", "(type T [] (forall [a] (-> a a)))");
    check("type T :: Type -> Type", "");
    check("type role T nominal _", "");
}

#[test]
fn classes() {
    check("class C a", "(class C [a])");
    check("class C a where", "(class C [a])");
    check(
        "class Eq a => C a where
  m :: a
  m = n
  infixl 6 +
  (+), (*) :: a -> a
  x + y = x",
        "(class [(Eq a)] C [a] (:: [m] a) (fun m ([] n)) (infixl 6 [+]) (:: [+ *] (-> a a)) (fun + ([x y] x)))",
    );
    check(
        "class (Eq a, Show (f a)) => C f a | f -> a, a -> f where { m :: f }",
        "(class [(Eq a) (Show (paren (f a)))] C [f a] (-> [f] [a]) (-> [a] [f]) (:: [m] f))",
    );
    check("class C (f :: * -> *) where m :: f a", "(class C [(:: f (-> * *))] (:: [m] (f a)))");
    check(
        "class Monad m => MonadState s m | m -> s where
  get :: m s",
        "(class [(Monad m)] MonadState [s m] (-> [m] [s]) (:: [get] (m s)))",
    );
}

#[test]
fn instances() {
    check("instance C Int", "(instance C Int)");
    check("instance C Int where", "(instance C Int)");
    check(
        "instance (Eq a, Eq b) => Eq (a, b) where
  (a, b) == (c, d) = a == c && b == d
  x /= y = not (x == y)",
        "(instance [(Eq a) (Eq b)] Eq (, a b) (fun == ([(, a b) (, c d)] (infix a == c && b == d))) (fun /= ([x y] (not (paren (infix x == y))))))",
    );
    check("instance C [a] where { m = n }", "(instance C (list a) (fun m ([] n)))");
    check(
        "instance C (a -> b) where m :: a
                          m = n",
        "(instance C (paren (-> a b)) (:: [m] a) (fun m ([] n)))",
    );
    check(
        "instance Monad (State s) where
  State f >>= g = h",
        "(instance Monad (paren (State s)) (fun >>= ([(State f) g] h)))",
    );
    check("deriving instance Show T", "(deriving Show T)");
    check("deriving stock instance Eq a => Eq (T a)", "(deriving stock [(Eq a)] Eq (paren (T a)))");
    check("instance forall a. C a => C (Maybe a)", "(instance [(C a)] C (paren (Maybe a)))");
    check("instance M.C T", "(instance M.C T)");
    check(
        "instance Num a => Num (V a) where
  negate (V x) = V (negate x)
  V x + V y = V (x + y)
  (*) = f",
        "(instance [(Num a)] Num (paren (V a)) (fun negate ([(paren (V x))] (V (paren (negate x))))) (fun + ([(V x) (V y)] (V (paren (infix x + y))))) (fun * ([] f)))",
    );
}

#[test]
fn defaults() {
    check("default (Int, Double)", "(default Int Double)");
    check("default ()", "(default)");
    check("default (Int)", "(default Int)");
    check(
        r#"foreign import prim "intAdd" primIntAdd :: Int -> Int"#,
        r#"(primitive "intAdd" primIntAdd (-> Int Int))"#,
    );
}

#[test]
fn headers() {
    check("module M where", "(module M)");
    check(
        "module A.B.C where
x = 1",
        "(module A.B.C)
(fun x ([] 1))",
    );
    check("module M () where", "(module M (export))");
    check(
        "module M (f, (+), T, T(..), C(m, (+), A), module N, M.g, (M.*), M.T(..),) where",
        "(module M (export f + (type T) (type T ..) (type C [m + A]) (module N) M.g M.* (type M.T ..)))",
    );
    check(
        "module M where { import A; x = 1; }",
        "(module M)
(import A)
(fun x ([] 1))",
    );
    check(
        "{ x = 1; y = 2 }",
        "(fun x ([] 1))
(fun y ([] 2))",
    );
    check("", "");
}

#[test]
fn imports() {
    check("import A", "(import A)");
    check("import A.B", "(import A.B)");
    check("import qualified A as B", "(import qualified A as B)");
    check("import A hiding (f, (+))", "(import A hiding [f +])");
    check(
        "import A (f, T, T(..), C(A, b), (:+)(..), (!))",
        "(import A [f (type T) (type T ..) (type C [A b]) (type :+ ..) !])",
    );
    check("import A ()", "(import A [])");
    check("import A qualified as B", "(import qualified A as B)");
    check("import safe A", "(import A)");
    check(r#"import "base" A"#, "(import A)");
    check("import A as B (f)", "(import A as B [f])");
    check("import A (f,)", "(import A [f])");
    check(
        "import A
import B
x = 1",
        "(import A)
(import B)
(fun x ([] 1))",
    );
    check(
        "as = qualified hiding forall
  where safe = family stock via",
        "(fun as ([] (qualified hiding forall) (where (fun safe ([] (family stock via))))))",
    );
}

#[test]
fn local_declarations_of_all_kinds() {
    check(
        "f = x
  where
    infixl 5 +++
    (+++) :: a
    a +++ b = c
    (p, q) = r
    g 0 = 1
    g n = 2",
        "(fun f ([] x (where (infixl 5 [+++]) (:: [+++] a) (fun +++ ([a b] c)) (pat (, p q) r) (fun g ([0] 1) ([n] 2)))))",
    );
}

#[test]
fn pragmas_are_accepted() {
    check(
        r#"{-# LANGUAGE BangPatterns, LambdaCase #-}
{-# OPTIONS_GHC -Wall -XTupleSections #-}
module M where
{-# INLINE f #-}
f = {-# SCC "x" #-} g"#,
        "(module M)
(fun f ([] g))",
    );
    check(
        "data T = A {-# UNPACK #-} !Int
instance {-# OVERLAPPING #-} C T",
        "(data T [] (A (! Int)))
(instance overlapping C T)",
    );
}

#[test]
fn how_instances_overlap() {
    check("instance {-# OVERLAPPING #-} C Int", "(instance overlapping C Int)");
    check("instance {-# overlappable #-} C a => D a", "(instance overlappable [(C a)] D a)");
    check("instance {-# OVERLAPS #-} C Int", "(instance overlapping overlappable C Int)");
    check("instance {-# INCOHERENT #-} C Int", "(instance overlapping overlappable incoherent C Int)");
    check("instance {-# OTHER #-} C Int", "(instance C Int)");
}

#[test]
fn deriving_via() {
    check(
        "newtype T = A Int deriving (C, D) via Int deriving E",
        "(newtype T [] (A Int) (deriving via Int C via Int D E))",
    );
    check("deriving via F a instance C (T a)", "(deriving via C (paren (T a)))");
}

#[test]
fn lazy_fields_and_records_by_their_types() {
    check("data T = A ~Int !Int", "(data T [] (A (~ Int) (! Int)))");
    check("data T where A :: { x, y :: Int } -> T", "(data T [] (A :: (-> Int Int T) [x y] Int))");
}

#[test]
fn constructors_in_types() {
    check("{-# LANGUAGE DataKinds #-}\nx :: V 'Z '[]", "(:: [x] (V 'Z '[]))");
    check("{-# LANGUAGE DataKinds #-}\nx = 'Z'", "(fun x ([] 'Z'))");
}
