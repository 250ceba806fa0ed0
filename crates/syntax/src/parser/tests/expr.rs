//! Every production of expressions, patterns and types.

use crate::check::check_expr;

#[test]
fn atoms() {
    check_expr("x", "x");
    check_expr("x'", "x'");
    check_expr("M.x", "M.x");
    check_expr("Just", "Just");
    check_expr("Data.Map.Map", "Data.Map.Map");
    check_expr("()", "()");
    check_expr("[]", "[]");
    check_expr("(,)", "(,)");
    check_expr("(,,)", "(,,)");
    check_expr("(+)", "+");
    check_expr("(M.+)", "M.+");
    check_expr("(:)", ":");
    check_expr("(-)", "-");
    check_expr("(.)", ".");
    check_expr("(!)", "!");
    check_expr("(*)", "*");
    check_expr("1", "1");
    check_expr("0xFF", "255");
    check_expr("0b11", "3");
    check_expr("1_000", "1000");
    check_expr("1.5e3", "1.5e3");
    check_expr("'a'", "'a'");
    check_expr(r#""a\nb""#, r#""a\10b""#);
    check_expr("99999999999", "99999999999");
    check_expr("0xFFFFFFFFFF", "0xffffffffff");
}

#[test]
fn applications() {
    check_expr("f x y", "(f x y)");
    check_expr("f (g x) [y]", "(f (paren (g x)) (list y))");
    check_expr("f $ g x", "(infix f $ (g x))");
    check_expr("(f x) y", "((paren (f x)) y)");
    check_expr(r#"f 1 'c' "s""#, r#"(f 1 'c' "s")"#);
    check_expr("f @Int x", "((@ f Int) x)");
    check_expr("f @(Maybe a) @b", "(@ (@ f (paren (Maybe a))) b)");
}

#[test]
fn chains_stay_flat() {
    check_expr("a + b * c", "(infix a + b * c)");
    check_expr("a `op` b", "(infix a op b)");
    check_expr("a `M.op` b", "(infix a M.op b)");
    check_expr("x : y : zs", "(infix x : y : zs)");
    check_expr("a M.+ b", "(infix a M.+ b)");
    check_expr("a == b && c", "(infix a == b && c)");
    check_expr("x `Con` y", "(infix x Con y)");
    check_expr("a - b", "(infix a - b)");
    check_expr("a -b", "(infix a - b)");
    check_expr("- a", "(infix neg a)");
    check_expr("a + - b", "(infix a + neg b)");
    check_expr("-1", "(infix neg 1)");
    check_expr("f . g . h", "(infix f . g . h)");
    check_expr("a!b", "(infix a ! b)");
    check_expr("a ! b", "(infix a ! b)");
    check_expr("a !b", "(infix a ! b)");
}

#[test]
fn lambdas() {
    check_expr(r"\x -> x", r"(\ [x] x)");
    check_expr(r"\x (y, _) [z] -> x", r"(\ [x (, y _) (list z)] x)");
    check_expr(r"\ ~(a, b) -> a", r"(\ [(~ (, a b))] a)");
    check_expr(r"\ !a -> a", r"(\ [(! a)] a)");
    check_expr(r"\(x :: Int) -> x", r"(\ [(paren (:: x Int))] x)");
    check_expr(r"\_ -> \y -> y", r"(\ [_] (\ [y] y))");
    check_expr(r"\case { A -> 1; B -> 2 }", r"(\case (-> A 1) (-> B 2))");
    check_expr(
        r"\case
  A -> 1
  B -> 2",
        r"(\case (-> A 1) (-> B 2))",
    );
}

#[test]
fn lets() {
    check_expr("let x = 1 in x", "(let (fun x ([] 1)) x)");
    check_expr("let { x = 1; y = 2 } in x", "(let (fun x ([] 1)) (fun y ([] 2)) x)");
    check_expr("let x = 1; y = 2 in x + y", "(let (fun x ([] 1)) (fun y ([] 2)) (infix x + y))");
    check_expr(
        "let f 0 = 1
    f n = n
in f 2",
        "(let (fun f ([0] 1) ([n] n)) (f 2))",
    );
    check_expr("let in x", "(let x)");
    check_expr("let (a, b) = c in a", "(let (pat (, a b) c) a)");
    check_expr("let !x = 1 in x", "(let (pat (! x) 1) x)");
}

#[test]
fn conditionals() {
    check_expr("if a then b else c", "(if a b c)");
    check_expr("if a then b else if c then d else e", "(if a b c d e)");
    check_expr("if a then b; else c", "(if a b c)");
    check_expr("if | a -> 1 | b, c -> 2 | otherwise -> 3", "(if (| a = 1) (| b c = 2) (| otherwise = 3))");
    check_expr("if { | a -> 1 | b -> 2 }", "(if (| a = 1) (| b = 2))");
    check_expr("if a then b else if | c -> d", "(if a b (if (| c = d)))");
}

#[test]
fn cases() {
    check_expr("case x of { A -> 1; B y -> 2 }", "(case x (-> A 1) (-> (B y) 2))");
    check_expr(
        "case x of
  A -> 1
  B | c -> 2
    | otherwise -> 3
   where d = 4",
        "(case x (-> A 1) (-> B (| c = 2) (| otherwise = 3) (where (fun d ([] 4)))))",
    );
    check_expr("case x of {}", "(case x)");
    check_expr("(case x of A -> 1)", "(paren (case x (-> A 1)))");
    check_expr(
        "case x of { (a, b) -> a; [c] -> c; -1 -> d; 'x' -> e; C {..} -> f; _ -> g }",
        "(case x (-> (, a b) a) (-> (list c) c) (-> (neg 1) d) (-> 'x' e) (-> (record C ..) f) (-> _ g))",
    );
    check_expr(
        "case x of y | Just z <- y, let w = z, w > 1 -> w",
        "(case x (-> y (| (<- (Just z) y) (let (fun w ([] z))) (infix w > 1) = w)))",
    );
}

#[test]
fn do_blocks() {
    check_expr("do a", "(do a)");
    check_expr("do { a; b <- c; let { d = e }; f }", "(do a (<- b c) (let (fun d ([] e))) f)");
    check_expr("do a; b", "(do a b)");
    check_expr(
        "do
  x <- f
  let y = x
      z = 1
  g y",
        "(do (<- x f) (let (fun y ([] x)) (fun z ([] 1))) (g y))",
    );
    check_expr("do { ; a;; b; }", "(do a b)");
    check_expr("do { let x = 1 in a; b }", "(do (let (fun x ([] 1)) a) b)");
    check_expr("do (a, b) <- c; return a", "(do (<- (, a b) c) (return a))");
    check_expr("do { x :: Int <- c; d }", "(do (<- (:: x Int) c) d)");
    check_expr(
        "do if a then b else c
   d",
        "(do (if a b c) d)",
    );
    check_expr(
        "do
  if a
    then b
    else c
  d",
        "(do (if a b c) d)",
    );
    check_expr(
        "do
  if a
  then b
  else c
  d",
        "(do (if a b c) d)",
    );
}

#[test]
fn tuples_and_sections() {
    check_expr("(a)", "(paren a)");
    check_expr("(a, b)", "(, a b)");
    check_expr("(a, b, c)", "(, a b c)");
    check_expr("(, a)", "(, · a)");
    check_expr("(a, , b)", "(, a · b)");
    check_expr("(a +)", "(left a +)");
    check_expr("(+ a)", "(right + a)");
    check_expr("(`f` a)", "(right f a)");
    check_expr("(a `f`)", "(left a f)");
    check_expr("(a + b *)", "(left (infix a + b) *)");
    check_expr("(* a + b)", "(right * (infix a + b))");
    check_expr("(- a)", "(paren (infix neg a))");
    check_expr("(subtract 1)", "(paren (subtract 1))");
    check_expr("(. f)", "(right . f)");
    check_expr("(f .)", "(left f .)");
    check_expr("(! i)", "(right ! i)");
    check_expr("(!i)", "(right ! i)");
    check_expr("(a :)", "(left a :)");
    check_expr("(: b)", "(right : b)");
    check_expr("(M.+ a)", "(right M.+ a)");
    check_expr("((+ 1) . f)", "(paren (infix (right + 1) . f))");
}

#[test]
fn lists() {
    check_expr("[a]", "(list a)");
    check_expr("[a, b]", "(list a b)");
    check_expr("[a ..]", "(.. a · ·)");
    check_expr("[a .. b]", "(.. a · b)");
    check_expr("[a, b ..]", "(.. a b ·)");
    check_expr("[a, b .. c]", "(.. a b c)");
    check_expr("[a | b]", "(for a b)");
    check_expr(
        "[(a, b) | a <- c, Just b <- [d], let e = f, even a]",
        "(for (, a b) (<- a c) (<- (Just b) (list d)) (let (fun e ([] f))) (even a))",
    );
    check_expr("[[a | a <- b] | b <- c]", "(for (for a (<- a b)) (<- b c))");
    check_expr("[x | let y = 1, z]", "(for x (let (fun y ([] 1))) z)");
    check_expr("[False ..]", "(.. False · ·)");
    check_expr("[1,3..9]", "(.. 1 3 9)");
}

#[test]
fn records() {
    check_expr("C {}", "(record C)");
    check_expr("C { a = 1, b = 2 }", "(record C a 1 b 2)");
    check_expr("C { a, .. }", "(record C a · ..)");
    check_expr("C {..}", "(record C ..)");
    check_expr("C { (<+>) = 1, (M.-) = 2 }", "(record C <+> 1 M.- 2)");
    check_expr("r { a = 1 }", "(update r a 1)");
    check_expr("f r { a = 1 }", "(f (update r a 1))");
    check_expr("(f r) { M.a = 1 }", "(update (paren (f r)) M.a 1)");
    check_expr("C { a = 1 } { b = 2 }", "(update (record C a 1) b 2)");
    check_expr(r"M.C { a = \x -> x }", r"(record M.C a (\ [x] x))");
}

#[test]
fn annotations() {
    check_expr("a :: Int", "(:: a Int)");
    check_expr("a + b :: Int", "(:: (infix a + b) Int)");
    check_expr("f (a :: Int) b", "(f (paren (:: a Int)) b)");
    check_expr(r"\x -> x :: Int", r"(\ [x] (:: x Int))");
    check_expr("a :: Eq b => b", "(:: a (=> [(Eq b)] b))");
    check_expr("[] :: [Int]", "(:: [] (list Int))");
}

#[test]
fn types() {
    check_expr("a :: b", "(:: a b)");
    check_expr("a :: [b]", "(:: a (list b))");
    check_expr("a :: Maybe (b, c)", "(:: a (Maybe (, b c)))");
    check_expr("a :: b -> c -> d", "(:: a (-> b c d))");
    check_expr("a :: (b -> c) -> d", "(:: a (-> (paren (-> b c)) d))");
    check_expr("a :: ()", "(:: a ())");
    check_expr("a :: []", "(:: a [])");
    check_expr("a :: (->) b", "(:: a (-> b))");
    check_expr("a :: (,) b c", "(:: a ((,) b c))");
    check_expr("a :: forall b. b", "(:: a (forall [b] b))");
    check_expr(
        "a :: forall b c. (Eq b, Ord c) => b -> c",
        "(:: a (forall [b c] (=> [(Eq b) (Ord c)] (-> b c))))",
    );
    check_expr("a :: (forall b. b -> b) -> c", "(:: a (-> (paren (forall [b] (-> b b))) c))");
    check_expr("a :: M.Map k v", "(:: a (M.Map k v))");
    check_expr("a :: m (f :: * -> *)", "(:: a (m (:: f (-> * *))))");
    check_expr("a :: b :+: c", "(:: a (infix b :+: c))");
    check_expr("a :: (b ~ c) => c", "(:: a (=> [(infix b ~ c)] c))");
    check_expr("a :: _", "(:: a _)");
    check_expr("a :: Int -> forall b. b", "(:: a (-> Int (forall [b] b)))");
    check_expr("a :: Eq a => Show b => c", "(:: a (=> [(Eq a)] (=> [(Show b)] c)))");
    check_expr("a :: () => b", "(:: a (=> [] b))");
    check_expr("a :: b `T` c", "(:: a (infix b T c))");
}

#[test]
fn operators_as_patterns_of_their_own_kind() {
    check_expr(r"\(x:xs) -> x", r"(\ [(paren (infix x : xs))] x)");
    check_expr(r"\(a :+ b) -> a", r"(\ [(paren (infix a :+ b))] a)");
    check_expr(r"\(a `C` b) -> a", r"(\ [(paren (infix a C b))] a)");
    check_expr(r"\x@(y:_) -> x", r"(\ [(@ x (paren (infix y : _)))] x)");
    check_expr(r"\(f -> x) -> x", r"(\ [(paren (view f x))] x)");
    check_expr(r"\((,) a b) -> a", r"(\ [(paren ((,) a b))] a)");
    check_expr(r"\(f . g -> x, h 1 -> _) -> x", r"(\ [(, (view (infix f . g) x) (view (h 1) _))] x)");
}

#[test]
fn parallel_comprehensions() {
    check_expr(
        "[a | x <- b | y <- c]",
        "(for a (<- (, x y) (library.zip (for x (<- x b)) (for y (<- y c)))))",
    );
    check_expr(
        "[a | (x, y) <- b, let z = x | _ <- c, d | w <- e]",
        "(for a (<- (, (, x y z) (, _ w)) (library.zip (for (, x y z) (<- (, x y) b) (let (fun z ([] x)))) (library.zip (for () (<- _ c) d) (for w (<- w e))))))",
    );
}
