//! The layout rule in its corners.

use crate::check::{check, check_literate};

#[test]
fn a_block_ends_where_the_indentation_does() {
    check(
        "f = do
  a
  b
g = c",
        "(fun f ([] (do a b)))
(fun g ([] c))",
    );
    check(
        "f = do a
       b
         c
g = d",
        "(fun f ([] (do a (b c))))
(fun g ([] d))",
    );
    check(
        "f = case x of
      A -> 1
      B -> 2
  where y = 3",
        "(fun f ([] (case x (-> A 1) (-> B 2)) (where (fun y ([] 3)))))",
    );
}

#[test]
fn a_block_ends_where_the_next_token_would_be_an_error() {
    check("f = (case x of A -> 1, 2)", "(fun f ([] (, (case x (-> A 1)) 2)))");
    check("f = [do a, b]", "(fun f ([] (list (do a) b)))");
    check("f = let x = 1; y = 2 in z", "(fun f ([] (let (fun x ([] 1)) (fun y ([] 2)) z)))");
    check("f = if a then do b else c", "(fun f ([] (if a (do b) c)))");
    check("f = (do a; b) c", "(fun f ([] ((paren (do a b)) c)))");
    check(r"f = let g = \x -> x in g", r"(fun f ([] (let (fun g ([] (\ [x] x))) g)))");
    check("f = [y | let y = 1; z = 2, w]", "(fun f ([] (for y (let (fun y ([] 1)) (fun z ([] 2))) w)))");
    check(
        "f x = case x of A -> 1; B -> 2 where y = 3",
        "(fun f ([x] (case x (-> A 1) (-> B 2 (where (fun y ([] 3)))))))",
    );
    check(
        "f = do a
  <|> b",
        "(fun f ([] (infix (do a) <|> b)))",
    );
    check(
        "f =
  do a
     b
     <|> c",
        "(fun f ([] (infix (do a b) <|> c)))",
    );
}

#[test]
fn where_closes_blocks_inside() {
    check(
        "f = do
  a
  where b = c",
        "(fun f ([] (do a) (where (fun b ([] c)))))",
    );
    check(
        "f x = case x of
  A -> do
    a
  where b = c",
        "(fun f ([x] (case x (-> A (do a))) (where (fun b ([] c)))))",
    );
}

#[test]
fn blocks_may_be_empty() {
    check(
        "f = a where
g = b",
        "(fun f ([] a))
(fun g ([] b))",
    );
    check(
        "class C a where
instance C a where
x = 1",
        "(class C [a])
(instance C a)
(fun x ([] 1))",
    );
    check(
        "f = case x of
g = 1",
        "(fun f ([] (case x)))
(fun g ([] 1))",
    );
}

#[test]
fn braces_switch_the_layout_off() {
    check(
        "f = do {
a;
  b
;c }
g = 1",
        "(fun f ([] (do a b c)))
(fun g ([] 1))",
    );
    check(
        "f = R {
a = 1,
 b = 2
}
g = 1",
        "(fun f ([] (record R a 1 b 2)))
(fun g ([] 1))",
    );
    check(
        "data T = T {
  x :: Int
}
f = case a of {
B -> do
  c
  d }",
        "(data T [] (T [x] Int))
(fun f ([] (case a (-> B (do c d)))))",
    );
}

#[test]
fn blocks_inside_blocks() {
    check(
        "f = do
  x <- do
    a
    b
  let g y = do
        c
        d
      h = 1
  case x of
    A -> do
      e
      i
    B -> j
  k",
        "(fun f ([] (do (<- x (do a b)) (let (fun g ([y] (do c d))) (fun h ([] 1))) (case x (-> A (do e i)) (-> B j)) k)))",
    );
}

#[test]
fn a_do_block_may_begin_in_the_column_around_it() {
    check(
        "f = do
  a $ do
  b
  c",
        "(fun f ([] (do (infix a $ (do b c)))))",
    );
    check(
        "f = x where
  g = do
  a
  b",
        "(fun f ([] x (where (fun g ([] (do a b))))))",
    );
}

#[test]
fn if_in_do_with_or_without_semicolons() {
    check(
        "f = do
  if a
  then b
  else c
  d",
        "(fun f ([] (do (if a b c) d)))",
    );
    check("f = do { if a then b; else c; d }", "(fun f ([] (do (if a b c) d)))");
    check(
        "f = do
  if a then do
    b
  else do
    c
  d",
        "(fun f ([] (do (if a (do b) (do c)) d)))",
    );
    check("f = do if a; then b; else c", "(fun f ([] (do (if a b c))))");
}

#[test]
fn multi_way_ifs_nest_by_column() {
    check(
        "f = if | a -> if | b -> 1
                 | c -> 2
       | d -> 3",
        "(fun f ([] (if (| a = (if (| b = 1) (| c = 2))) (| d = 3))))",
    );
    check(
        "f = do
  if | a -> b
     | c -> d
  e",
        "(fun f ([] (do (if (| a = b) (| c = d)) e)))",
    );
}

#[test]
fn lambda_case_has_a_block() {
    check(
        r"f = \case
  A -> 1
  B -> 2
g = map (\case A -> 1; B -> 2) xs",
        r"(fun f ([] (\case (-> A 1) (-> B 2))))
(fun g ([] (map (paren (\case (-> A 1) (-> B 2))) xs)))",
    );
}

#[test]
fn tabs_go_to_the_next_multiple_of_eight() {
    check(
        "f = do
	a
        b
",
        "(fun f ([] (do a b)))",
    );
    check(
        "f = x
  where	a = 1
	b = 2",
        "(fun f ([] x (where (fun a ([] 1)) (fun b ([] 2)))))",
    );
}

#[test]
fn comments_and_blank_lines_do_not_matter() {
    check(
        "f = do
  a
-- comment

  b
 {- c
-}
  c",
        "(fun f ([] (do a b c)))",
    );
    check(
        "{- x -} f = a
{- y
 -}      b",
        "(fun f ([] (a b)))",
    );
}

#[test]
fn let_in_do() {
    check(
        "f = do
  let a = 1
      b = 2
  c",
        "(fun f ([] (do (let (fun a ([] 1)) (fun b ([] 2))) c)))",
    );
    check(
        "f = do
  let { a = 1 }
  c",
        "(fun f ([] (do (let (fun a ([] 1))) c)))",
    );
    check(
        "f = do
  let a = 1 in b
  c",
        "(fun f ([] (do (let (fun a ([] 1)) b) c)))",
    );
    check(
        "f = do
  let x | a = 1
        | b = 2
  c",
        "(fun f ([] (do (let (fun x ([] (| a = 1) (| b = 2)))) c)))",
    );
    check(
        "f = do let a = 1; b = 2
       c",
        "(fun f ([] (do (let (fun a ([] 1)) (fun b ([] 2))) c)))",
    );
}

#[test]
fn operators_at_the_start_of_a_line_go_on() {
    check(
        "f = a
  + b
  + c",
        "(fun f ([] (infix a + b + c)))",
    );
    check(
        "f = a $
  do b
   `catch` c",
        "(fun f ([] (infix a $ (do b) catch c)))",
    );
    check(
        "f = foo
  { a = 1
  , b = 2 }",
        "(fun f ([] (update foo a 1 b 2)))",
    );
}

#[test]
fn the_first_declaration_sets_the_column() {
    check(
        "  x = 1
  y = 2",
        "(fun x ([] 1))
(fun y ([] 2))",
    );
    check(
        "module M where
  x = 1
  y = 2",
        "(module M)
(fun x ([] 1))
(fun y ([] 2))",
    );
}

#[test]
fn literate_programs() {
    check_literate(
        "Text

> f = do
>   a
>   b

more

> g = 1
",
        "(fun f ([] (do a b)))
(fun g ([] 1))",
    );
    check_literate(
        r#"\begin{code}
f = 1
\end{code}
Text ( ' "
\begin{code}
g = 2
\end{code}
"#,
        "(fun f ([] 1))
(fun g ([] 2))",
    );
}
