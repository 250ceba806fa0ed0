//! The exact messages for the commonest mistakes.

use crate::check::{check_curry_errors, check_errors};

#[test]
fn a_bracket_is_never_closed() {
    check_errors(
        "f = g (h x
k = 1",
        "1:7-1:8: error: this `(` is never closed
  2:1: expected `)` before this
  hint: Add `)`, or indent the lines that belong to it further.",
    );
    check_errors(
        "f = [1, 2
g = 3",
        "1:5-1:6: error: this `[` is never closed
  2:1: expected `]` before this
  hint: Add `]`, or indent the lines that belong to it further.",
    );
    check_errors(
        "f = do
  a (b
  c",
        "2:5-2:6: error: this `(` is never closed
  3:3: expected `)` before this
  hint: Add `)`, or indent the lines that belong to it further.",
    );
    check_errors(
        "x = (1, 2",
        "1:5-1:6: error: this `(` is never closed
  1:10: expected `)` before this
  hint: Add `)`, or indent the lines that belong to it further.",
    );
    check_errors(
        "f = R { a = 1
",
        "1:7-1:8: error: this `{` is never closed
  2:1: expected `}` before this
  hint: Add `}`, or indent the lines that belong to it further.",
    );
    check_errors(
        "f = (a]",
        "1:7-1:8: error: expected `)`, found `]`
  1:5: to close this `(`",
    );
    check_errors(
        "f = case x of {
  A -> 1
",
        "1:15-1:16: error: this `{` is never closed
  3:1: expected `}` before this
  hint: Add `}`, or indent the lines that belong to it further.",
    );
}

#[test]
fn a_bracket_too_many() {
    check_errors(
        "f = a)
g = b",
        "1:6-1:7: error: this `)` closes nothing
  hint: Remove it, or look for what should have been opened before it.",
    );
    check_errors(
        "f = [a]]",
        "1:8-1:9: error: this `]` closes nothing
  hint: Remove it, or look for what should have been opened before it.",
    );
    check_errors(
        "f = do
  a)
  b",
        "2:4-2:5: error: this `)` closes nothing
  hint: Remove it, or look for what should have been opened before it.",
    );
}

#[test]
fn an_expression_is_missing() {
    check_errors(
        "f =
g = 1",
        "2:1-2:2: error: expected an expression, found a new declaration
  hint: If this line goes on with the one before, indent it further.",
    );
    check_errors(
        "f = a +
g = 1",
        "2:1-2:2: error: expected an expression, found a new declaration
  hint: If this line goes on with the one before, indent it further.",
    );
    check_errors("f = if then b else c", "1:8-1:12: error: expected an expression, found `then`");
    check_errors("f = (a +", "1:9-1:9: error: expected an expression, found the end of the file");
    check_errors(
        "f = a + * b",
        "1:9-1:10: error: expected an expression, found the operator `*`
  hint: An operator that stands for itself is written in parentheses: `(+)`.",
    );
    check_errors(
        "x = 1
-->y = 2",
        "2:1-2:4: error: expected an expression, found the operator `-->`
  hint: An operator that stands for itself is written in parentheses: `(+)`.",
    );
    check_errors(
        r"f = \x ->
g = 1",
        "2:1-2:2: error: expected an expression, found a new declaration
  hint: If this line goes on with the one before, indent it further.",
    );
    check_errors(
        "f = * 2",
        "1:5-1:6: error: expected an expression, found the operator `*`
  hint: An operator that stands for itself is written in parentheses: `(+)`.",
    );
}

#[test]
fn if_without_else() {
    check_errors(
        "f = if a then b
g = 1",
        "2:1-2:2: error: expected `else`, found a new declaration
  1:5: of this `if`
  hint: An `if` is an expression: it needs both `then` and `else`.",
    );
    check_errors(
        "f = if a = b then c else d",
        "1:10-1:11: error: expected `then`, found `=`
  1:5: of this `if`
  hint: To compare, write `==`; `=` defines.",
    );
    check_errors(
        "f = if a b else c",
        "1:12-1:16: error: expected `then`, found `else`
  1:5: of this `if`",
    );
}

#[test]
fn let_without_in() {
    check_errors(
        "f = let x = 1
g = 2",
        "2:1-2:2: error: expected `in`, found a new declaration
  1:5: this `let` needs an `in`
  hint: Only in a `do` block, a guard or a comprehension may a `let` stand without `in`.",
    );
    check_errors(
        "f x = let y = x",
        "1:16-1:16: error: expected `in`, found the end of the file
  1:7: this `let` needs an `in`
  hint: Only in a `do` block, a guard or a comprehension may a `let` stand without `in`.",
    );
}

#[test]
fn case_mistakes() {
    check_errors(
        "f x = case x of
  A = 1
  B = 2",
        "2:5-2:6: error: expected `->`, found `=`
  hint: The alternatives of a `case` use `->`; `=` is for definitions.
3:5-3:6: error: expected `->`, found `=`
  hint: The alternatives of a `case` use `->`; `=` is for definitions.",
    );
    check_errors(
        "f x = case x
  A -> 1",
        "2:5-2:7: error: expected `of`, found `->`
  1:7: of this `case`",
    );
    check_errors(
        "f = case x of
  f y -> 1",
        "2:3-2:4: error: `f` is not a constructor
  hint: Only constructors, which begin with a capital letter or `:`, are applied in patterns.",
    );
    check_errors(
        "f = case x of
  a + b -> 1",
        "2:5-2:6: error: the operator `+` is not allowed in a pattern
  hint: Haskell 2010 has no patterns such as `n + 1`: match `n` and use `n - 1`.",
    );
}

#[test]
fn do_mistakes() {
    check_errors(
        "f = do
  x <- a",
        "2:3-2:9: error: the last statement of a `do` block must be an expression
  hint: Add what the block results in, such as `return ()`.",
    );
    check_errors(
        "f = do
  let x = 1",
        "2:3-2:12: error: the last statement of a `do` block must be an expression
  hint: Add what the block results in, such as `return ()`.",
    );
    check_errors(
        "f = do
g = 1",
        "1:5-1:7: error: this `do` block is empty
  hint: Indent its statements further than the block around it.",
    );
    check_errors(
        "f = do
  x = 1
  a",
        "2:5-2:6: error: `=` needs a `let` before it in a `do` block
  hint: Write `let x = …` to define, `x <- …` to take the result of an action.",
    );
}

#[test]
fn definition_mistakes() {
    check_errors(
        "let x = 1
y = 2",
        "1:1-1:4: error: a declaration does not begin with `let`
  hint: Remove the `let`; it belongs into expressions, `do` blocks and GHCi.",
    );
    check_errors("f x y", "1:1-1:6: error: this is neither a definition nor a type signature
  hint: A definition has `=`, a type signature `::`; a line that goes on with the one before is indented further.");
    check_errors("f x y
g = 1", "1:1-1:6: error: this is neither a definition nor a type signature
  hint: A definition has `=`, a type signature `::`; a line that goes on with the one before is indented further.");
    check_errors("f x -> y", "1:5-1:7: error: expected `=`, `|` or `::`, found `->`");
    check_errors("1 + 2 = 3", "");
    check_errors(
        "f (x + y) = z",
        "1:6-1:7: error: the operator `+` is not allowed in a pattern
  hint: Haskell 2010 has no patterns such as `n + 1`: match `n` and use `n - 1`.",
    );
    check_errors(
        "f (g x) = z",
        "1:4-1:5: error: `g` is not a constructor
  hint: Only constructors, which begin with a capital letter or `:`, are applied in patterns.",
    );
    check_errors(
        "f (n+1) = n",
        "1:5-1:6: error: the operator `+` is not allowed in a pattern
  hint: Haskell 2010 has no patterns such as `n + 1`: match `n` and use `n - 1`.",
    );
    check_errors(
        "a + b + c = d",
        "1:7-1:8: error: a definition has only one operator of its own
  here: a second one
  1:3: the first one
  hint: Put the operands that are patterns in parentheses.",
    );
    check_errors(
        "M.f x = y",
        "1:1-1:4: error: a definition names its function without qualifier
  hint: Remove the qualifier.",
    );
    check_errors("f x = y :: ", "1:12-1:12: error: expected a type, found the end of the file");
    check_errors("f :: = x", "1:6-1:7: error: expected a type, found `=`");
    check_errors("main = foo where
  bar baz", "2:3-2:10: error: this is neither a definition nor a type signature
  hint: A definition has `=`, a type signature `::`; a line that goes on with the one before is indented further.");
    check_errors(
        "x y :: Int",
        "1:1-1:4: error: only the type of a name can be declared
  hint: A declaration begins with a name, or several with `,` between them.",
    );
}

#[test]
fn data_mistakes() {
    check_errors(
        "data t = A",
        "1:6-1:7: error: expected the name that is declared here
  hint: It begins with a capital letter and is followed by type variables: `data Tree a = …`.",
    );
    check_errors(
        "data T = a | B",
        "1:10-1:11: error: expected a constructor
  hint: The name of a constructor begins with a capital letter; an operator with `:`.",
    );
    check_errors("data T = A | ", "1:14-1:14: error: expected a constructor, found the end of the file");
    check_errors(
        "data T = A { x Int }",
        "1:16-1:19: error: expected `::` and the type of the field, found `Int`",
    );
    check_errors(
        "data Maybe Int = A",
        "1:12-1:15: error: a parameter here must be a type variable
  hint: Type variables begin with a small letter.",
    );
    check_errors("newtype = N", "1:9-1:10: error: expected a type, found `=`");
    check_errors(
        "type T Int = Int",
        "1:8-1:11: error: a parameter here must be a type variable
  hint: Type variables begin with a small letter.",
    );
    check_errors("class where", "1:7-1:12: error: expected a type, found `where`");
    check_errors("instance where", "1:10-1:15: error: expected a type, found `where`");
}

#[test]
fn module_mistakes() {
    check_errors(
        "module m where",
        "1:8-1:9: error: expected the name of a module, found `m`
  hint: The name of a module begins with a capital letter.",
    );
    check_errors(
        "module M
x = 1",
        "2:1-2:2: error: expected `where` after the module's name and exports, found `x`",
    );
    check_errors(
        "module M (f where
x = 1",
        "1:13-1:18: error: expected `)`, found `where`
  1:10: to close this `(`",
    );
    check_errors(
        "import a",
        "1:8-1:9: error: expected the name of a module, found `a`
  hint: The name of a module begins with a capital letter.",
    );
    check_errors(
        "x = 1
import A",
        "2:1-2:7: error: imports stand before all declarations
  hint: Move it to the top of the module.",
    );
    check_errors(
        "import A hiding",
        "1:16-1:16: error: expected `(` and the names to hide, found the end of the file",
    );
    check_errors("module M (f,, g) where", "1:13-1:14: error: expected a name to export, found `,`");
    check_errors(
        "module M (f
,,g) where",
        "2:2-2:3: error: expected a name to export, found `,`",
    );
    check_errors(
        "  x = 1
y = 2",
        "2:1-2:2: error: `y` does not belong to the declarations before it
  hint: All declarations of a module begin in the same column.",
    );
    check_errors(
        "where x = 1",
        "1:1-1:6: error: this `where` belongs to nothing
  hint: Indent it further than the definition it belongs to.",
    );
}

#[test]
fn pattern_syntax_in_expressions() {
    check_errors(
        "f = x@y",
        "1:5-1:8: error: `@` is only allowed in patterns
  hint: `x@p` names what a pattern matches; a type argument needs a space: `f @Int`.",
    );
    check_errors(
        "f = ~x",
        "1:5-1:7: error: `~` is only allowed in patterns
  hint: `~p` makes a pattern lazy; there is no such expression.",
    );
    check_errors(
        "f = _",
        "1:5-1:6: error: `_` is only allowed in patterns
  hint: Put an expression in its place.",
    );
    check_errors(
        "f = g (a -> b)",
        r"1:8-1:14: error: `->` is only allowed in patterns
  hint: A function is written `\x -> e`.",
    );
    check_errors(
        "f = (!x, y)",
        "1:6-1:8: error: a prefix `!` is only allowed in patterns
  hint: `!p` makes a pattern strict; as an operator, `!` needs a left operand.",
    );
    check_curry_errors(
        "f = x@y",
        "1:5-1:8: error: `@` is only allowed in patterns
  hint: `x@p` names what a pattern matches; a type argument needs a space: `f @Int`.",
    );
}

#[test]
fn literals() {
    check_errors(
        r#"f = "abc
g = 1"#,
        r#"1:5-1:9: error: this string is never closed
  hint: Close it with `"` on the same line, or end the line and begin the next one with `\`."#,
    );
    check_errors(
        "f = 'ab'",
        r#"1:5-1:9: error: a character literal holds exactly one character
  hint: Strings stand in double quotes: "like this"."#,
    );
    check_errors(
        "f = ''",
        r#"1:5-1:7: error: a character literal holds exactly one character
  hint: Strings stand in double quotes: "like this"."#,
    );
    check_errors(
        r#"f = "\q""#,
        r"1:6-1:8: error: `\q` is not an escape
  hint: A backslash itself is written `\\`.",
    );
    check_errors(
        r"f = '\1114112'",
        r"1:6-1:14: error: this escape is beyond the last character
  hint: The last character is `\1114111`, `\x10FFFF`.",
    );
    check_errors(
        r#"f = "a\
  b""#,
        r"1:7-1:8: error: this gap in a string is never closed
  here: begins here
  hint: A string that goes on in the next line has `\` at the end of this line and before its rest.",
    );
    check_errors(
        "f = {- a {- b -}
",
        "1:5-1:7: error: this comment is never closed
  here: begins here
  hint: Close it with `-}`; comments may stand inside comments, so count them.",
    );
    check_errors(
        "f = “a”",
        r#"1:5-1:6: error: the character “ has no meaning here
  hint: Use the plain quotes `'` and `"`.
1:7-1:8: error: the character ” has no meaning here
  hint: Use the plain quotes `'` and `"`."#,
    );
    check_errors(
        "f = 1  2",
        r"1:7-1:8: error: the character \u{7} has no meaning here
  hint: Remove it; it may be invisible in your editor.",
    );
}

#[test]
fn several_errors_in_one_file() {
    check_errors(
        "f = (1
g = if a then b
h = 1
k = [1,
l = 2",
        "1:5-1:6: error: this `(` is never closed
  2:1: expected `)` before this
  hint: Add `)`, or indent the lines that belong to it further.
3:1-3:2: error: expected `else`, found a new declaration
  2:5: of this `if`
  hint: An `if` is an expression: it needs both `then` and `else`.
5:1-5:2: error: expected an expression, found a new declaration
  hint: If this line goes on with the one before, indent it further.",
    );
}

#[test]
fn unsupported() {
    check_errors(
        r#"foreign import ccall "sin" c_sin :: Double -> Double
x = 1"#,
        "1:16-1:21: error: foreign declarations are not supported
  hint: Define the function in this language.",
    );
    check_errors(
        "type family F a",
        "1:6-1:12: error: type families are not supported
  hint: Use a class with a functional dependency.",
    );
    check_errors(
        "data family F a",
        "1:6-1:12: error: data families are not supported
  hint: Declare one `data` type for every case.",
    );
    check_errors(
        "class C a where
  type F a",
        "2:3-2:7: error: associated types are not supported
  hint: Make the type a parameter of the class.",
    );
    check_errors(
        "class C a where
  default m :: a",
        "2:3-2:10: error: default signatures are not supported
  hint: Give the method a default without one.",
    );
    check_errors(
        "{-# LANGUAGE Arrows #-}\nf = proc x -> id -< x",
        "1:14-1:20: warning: the extension `Arrows` is not supported
  here: ignored
  hint: What needs it may be rejected below; the guide lists the extensions that are supported.
2:5-2:9: error: arrow expressions (`proc`) are not supported
  hint: Use the functions of `Control.Arrow`.",
    );
    check_errors(
        "f = [| 1 |]",
        "1:6-1:7: error: quotations (Template Haskell) are not supported
  hint: Write the program that is meant.",
    );
    check_errors(
        "#if 1
x = 1
#endif",
        "1:1-1:6: error: this file needs the C preprocessor, which is not supported
  here: a line for the preprocessor
  hint: Run the preprocessor first (`ghc -E`, `cpp -traditional`) and give its output.",
    );
}

#[test]
fn extensions() {
    check_errors(
        "{-# LANGUAGE TemplateHaskell, LambdaCase, NoSuchThing #-}
{-# OPTIONS_GHC -XArrows #-}
x = 1",
        "1:14-1:29: warning: the extension `TemplateHaskell` is not supported
  here: ignored
  hint: What needs it may be rejected below; the guide lists the extensions that are supported.
1:43-1:54: warning: the extension `NoSuchThing` is not supported
  here: ignored
  hint: What needs it may be rejected below; the guide lists the extensions that are supported.
2:19-2:25: warning: the extension `Arrows` is not supported
  here: ignored
  hint: What needs it may be rejected below; the guide lists the extensions that are supported.",
    );
}

#[test]
fn fixity_mistakes() {
    check_errors(
        "infixl 10 +",
        "1:8-1:10: error: a precedence is a number from 0 to 9
  hint: The default is 9.",
    );
    check_errors("infixl 6", "1:9-1:9: error: expected an operator, found the end of the file");
    check_errors("infix x y", "1:7-1:8: error: expected an operator, found `x`");
}

#[test]
fn curry_mistakes() {
    check_curry_errors(
        "f = x where x, y",
        "1:17-1:17: error: expected `::`, `free` or `external`, found the end of the file",
    );
    check_curry_errors("f 1 = ", "1:7-1:7: error: expected an expression, found the end of the file");
    check_curry_errors(
        "f = let x free",
        "1:15-1:15: error: expected `in`, found the end of the file
  1:5: this `let` needs an `in`
  hint: Only in a `do` block, a guard or a comprehension may a `let` stand without `in`.",
    );
    check_curry_errors("f x | = 1", "1:7-1:8: error: expected an expression, found `=`");
}

#[test]
fn operators() {
    check_errors("f = a `b c", "1:10-1:11: error: expected a closing backquote, found `c`");
    check_errors("f = a `1` c", "1:8-1:9: error: expected a name between the backquotes, found `1`");
    check_errors(
        "f = (a `b)",
        "1:10-1:11: error: expected a closing backquote, found `)`
  hint: Something is missing before it, or it is too much.",
    );
}
