//! Syntax that Curry has and Haskell does not.

use crate::check::{check, check_curry};

#[test]
fn rules_overlap() {
    check_curry(
        "coin = 0
coin = 1",
        "(fun coin ([] 0) ([] 1))",
    );
    check_curry(
        "f x _ = x
f _ y = y",
        "(fun f ([x _] x) ([_ y] y))",
    );
    check_curry(
        "insert x ys = x : ys
insert x (y:ys) = y : insert x ys",
        "(fun insert ([x ys] (infix x : ys)) ([x (paren (infix y : ys))] (infix y : (insert x ys))))",
    );
}

#[test]
fn free_variables() {
    check_curry("f = x where x free", "(fun f ([] x (where (free x))))");
    check_curry(
        "f x = y =:= x &> y where y, z free",
        "(fun f ([x] (infix y =:= x &> y) (where (free y z))))",
    );
    check_curry("f = let x, y free in x", "(fun f ([] (let (free x y) x)))");
    check_curry("f = let x free; g = 1 in x", "(fun f ([] (let (free x) (fun g ([] 1)) x)))");
    check_curry(
        "f = let x free
        y = 1
    in x & y",
        "(fun f ([] (let (free x) (fun y ([] 1)) (infix x & y))))",
    );
    check_curry(
        "f xs | ys ++ [x] =:= xs = x where ys, x free",
        "(fun f ([xs] (| (infix ys ++ (list x) =:= xs) = x) (where (free ys x))))",
    );
    check_curry(
        "f = do
  let x free
  g x",
        "(fun f ([] (do (let (free x)) (g x))))",
    );
}

#[test]
fn rigid_and_flexible_case() {
    check_curry("f x = case x of { A -> 1 }", "(fun f ([x] (case x (-> A 1))))");
    check_curry(
        "f x = fcase x of
  A -> 1
  B -> 2",
        "(fun f ([x] (fcase x (-> A 1) (-> B 2))))",
    );
}

#[test]
fn functional_patterns() {
    check_curry("last (xs ++ [x]) = x", "(fun last ([(paren (infix xs ++ (list x)))] x))");
    check_curry("f (g x) = x", "(fun f ([(paren (g x))] x))");
    check_curry("f (M.g x y) = x", "(fun f ([(paren (M.g x y))] x))");
    check_curry(
        "lengthUpToRepeat (p ++ [r] ++ q) = 1",
        "(fun lengthUpToRepeat ([(paren (infix p ++ (list r) ++ q))] 1))",
    );
    check_curry("f (x `op` y) = x", "(fun f ([(paren (infix x op y))] x))");
}

#[test]
fn patterns_need_not_be_linear() {
    check_curry("f x x = x", "(fun f ([x x] x))");
    check_curry("eq (x, x) = True", "(fun eq ([(, x x)] True))");
}

#[test]
fn default_rules() {
    check_curry(
        "lookup key (_ ++ [(key, v)] ++ _) = Just v
lookup'default _ _ = Nothing",
        "(fun lookup ([key (paren (infix _ ++ (list (, key v)) ++ _))] (Just v)))
(fun lookup'default default:lookup ([_ _] Nothing))",
    );
}

#[test]
fn externals() {
    check_curry(
        "f :: Int -> Int
f external",
        "(:: [f] (-> Int Int))
(external f)",
    );
    check_curry("f, g external", "(external f g)");
    check_curry("external data T a b", "(data external T [a b])");
    check_curry("(=:=) external", "(external =:=)");
    check_curry(
        "prim_f external
x = 1",
        "(external prim_f)
(fun x ([] 1))",
    );
}

#[test]
fn anonymous_free_variables() {
    check_curry("f = g _ 1", "(fun f ([] (g _ 1)))");
    check_curry("isPair = (_, _)", "(fun isPair ([] (, _ _)))");
}

#[test]
fn curry_operators() {
    check_curry(
        "f = a ? b =:= c & d &> e &&> g =:<= h",
        "(fun f ([] (infix a ? b =:= c & d &> e &&> g =:<= h)))",
    );
    check_curry(
        "infixr 0 ?
infix 4 =:=, =:<=, &
x ? _ = x
_ ? y = y",
        "(infixr 0 [?])
(infix 4 [=:= =:<= &])
(fun ? ([x _] x) ([_ y] y))",
    );
}

#[test]
fn haskell_words_are_names_and_curry_ones_are_not() {
    check_curry("foreign = 1", "(fun foreign ([] 1))");
    check("free = external fcase", "(fun free ([] (external fcase)))");
}

#[test]
fn classes_in_curry() {
    check_curry(
        "class Eq a => C a where
  m :: a -> Bool
  m _ = True
instance C a => C [a] where
  m xs = null xs",
        "(class [(Eq a)] C [a] (:: [m] (-> a Bool)) (fun m ([_] True)))
(instance [(C a)] C (list a) (fun m ([xs] (null xs))))",
    );
    check_curry(
        "data T a = A a | B { f :: Int } deriving (Eq, Show)
newtype N = N Int
type S = [Char]",
        "(data T [a] (A a) (B [f] Int) (deriving Eq Show))
(newtype N [] (N Int))
(type S [] (list Char))",
    );
    check_curry("f :: Data a => a -> a", "(:: [f] (=> [(Data a)] (-> a a)))");
}

#[test]
fn case_is_a_habit() {
    check_curry(
        "data Nat = o | s Nat
add (s m) n = s (add m n)
add o n = n",
        "(data Nat [] (o) (s Nat))
(fun add ([(paren (s m)) n] (s (paren (add m n)))) ([o n] n))",
    );
    check_curry("data D a = [a] # [a]", "(data D [a] (# (list a) (list a)))");
    check_curry(
        "PEVAL :: a -> a
PEVAL x = x",
        "(:: [PEVAL] (-> a a))
(fun PEVAL ([x] x))",
    );
    check_curry(
        "(:.) :: a
x :. y = x",
        "(:: [:.] a)
(fun :. ([x y] x))",
    );
    check_curry("data Const a _ = Const a", "(data Const [a _] (Const a))");
    check_curry(
        "module lower where
import other",
        "(module lower)
(import other)",
    );
}

#[test]
fn two_dashes_always_begin_a_comment() {
    check_curry(
        "x = 1 --> y
--| z
y = 2",
        "(fun x ([] 1))
(fun y ([] 2))",
    );
    check(
        "x = 1 --> y
-- | z
y = 2",
        "(fun x ([] (infix 1 --> y)))
(fun y ([] 2))",
    );
}
