//! Imports, exports, cycles.

use super::{check, check_files, run};

#[test]
fn imports() {
    check_files(
        &[
            (
                "Main.hs",
                r#"
import A
import qualified B
import qualified C as D (c)
import E hiding (e1)
a' = a
b' = B.b
c' = D.c
e' = e2
bad1 = b
bad2 = D.other
bad3 = e1
bad4 = B.nothing
bad5 = F.f
"#,
            ),
            (
                "A.hs",
                r#"module A where
a = 1"#,
            ),
            (
                "B.hs",
                r#"module B where
b = True"#,
            ),
            (
                "C.hs",
                r#"module C where
c = 'c'
other = 1"#,
            ),
            (
                "E.hs",
                r#"module E where
e1 = ()
e2 = ()"#,
            ),
        ],
        r#"
a' :: Integer
b' :: Bool
c' :: Char
e' :: ()
bad1 :: _
bad2 :: _
bad3 :: _
bad4 :: _
bad5 :: _
10:8-10:9: error: the name `b` is not known
  hint: Write `B.b`: the module is imported qualified.
11:8-11:15: error: the name `D.other` is not known
  hint: The module `C` exports `other`; it is not imported here.
12:8-12:10: error: the name `e1` is not known
  hint: The module `E` exports `e1`; it is not imported here.
13:8-13:17: error: the name `B.nothing` is not known
  hint: Define it, or import the module that does.
14:8-14:11: error: the name `F.f` is not known
  hint: No module is imported as `F`: add `import qualified F`.
"#,
    );
}

#[test]
fn exports() {
    check_files(
        &[
            (
                "Main.hs",
                r#"
import A
x = visible (Open 1)
y = hidden
z = Closed
w = field (make 1)
v = member 1
"#,
            ),
            (
                "A.hs",
                r#"
module A (visible, Open(..), Abstract, make, field, C(member), module B) where
import B
data Open = Open Int
data Abstract = Closed { field :: Int }
make = Closed
visible (Open x) = x
hidden = 1
class C a where { member :: a -> a; secret :: a }
instance C Integer where { member x = x; secret = 1 }
"#,
            ),
            (
                "B.hs",
                r#"module B where
b = True"#,
            ),
        ],
        r#"
x :: Int
y :: _
z :: _
w :: Int
v :: Integer
4:5-4:11: error: the name `hidden` is not known
  hint: Define it, or import the module that does.
5:5-5:11: error: the constructor `Closed` is not known
  hint: Define it, or import the module that does.
"#,
    );
}

#[test]
fn re_exports_keep_identity() {
    check_files(
        &[
            (
                "Main.hs",
                r#"
import A
import B
x = shared
y = map id [1 :: Int]
"#,
            ),
            (
                "A.hs",
                r#"module A (module A, shared) where
import B"#,
            ),
            (
                "B.hs",
                r#"module B where
shared = True"#,
            ),
        ],
        r#"
x :: Bool
y :: [Int]
"#,
    );
}

#[test]
fn ambiguous_names() {
    check_files(
        &[
            (
                "Main.hs",
                r#"
import A
import B
x = name
y = A.name && B.name
map f = f
z = map id
t :: T
t = undefined
"#,
            ),
            (
                "A.hs",
                r#"module A where
name = True
data T = A"#,
            ),
            (
                "B.hs",
                r#"module B where
name = False
data T = B"#,
            ),
        ],
        r#"
x :: _
y :: Bool
map :: a -> a
z :: _
4:5-4:9: error: `name` could mean several things: it is defined in `A` and in `B`
  here: used here
  2:1: the one of `A`
  2:1: the one of `B`
  hint: Write `A.name`, or hide one of them in its import.
7:5-7:8: error: `map` could mean several things: it is defined in `Main` and in `Prelude`
  here: used here
  6:1: the one of `Main`
  144:1: the one of `Prelude`
  hint: Write `Main.map`, or hide one of them in its import.
8:6-8:7: error: `T` could mean several things: it is defined in `A` and in `B`
  here: used here
  3:6: the one of `A`
  3:6: the one of `B`
  hint: Write `A.T`, or hide one of them in its import.
"#,
    );
}

#[test]
fn wrong_import_and_export_lists() {
    check_files(
        &[
            (
                "Main.hs",
                r#"
module Main (nothing, T(..), U(X), module Q) where
import A (missing, a, T(Z))
data U = Y
"#,
            ),
            (
                "A.hs",
                r#"module A where
a = True
data T = T"#,
            ),
        ],
        r#"
2:14-2:21: error: the name `nothing` is not known
  hint: Define it, or import the module that does.
2:32-2:33: error: `U` has no member `X`
  hint: A type's members are its constructors and fields, a class's are its methods.
2:43-2:44: error: `module Q` is exported, but not imported
  hint: Add `import Q`; it exports what that import brings.
3:11-3:18: error: the module `A` does not export `missing`
  here: imported here
3:25-3:26: error: `T` has no member `Z`
  hint: A type's members are its constructors and fields, a class's are its methods.
"#,
    );
}

#[test]
fn a_missing_module() {
    check(
        r#"
import Data.Mapp
import qualified Other as O
x = insert 1 O.y
z :: Thing -> Int
z _ = 'c'
"#,
        r#"
x :: _
2:8-2:17: error: there is no module `Data.Mapp`
  here: imported here
  hint: It is neither `Data/Mapp.hs`, beside the main module, nor one of the library's.
3:18-3:23: error: there is no module `Other`
  here: imported here
  hint: It is neither `Other.hs`, beside the main module, nor one of the library's.
6:7-6:10: error: this literal has type `Char`, but `Int` is expected
  here: has type `Char`
  5:6: the type is declared here
"#,
    );
}

#[test]
fn a_cycle() {
    check_files(
        &[
            (
                "Main.hs",
                r#"import A
main = print a"#,
            ),
            (
                "A.hs",
                r#"module A where
import B
a = b"#,
            ),
            (
                "B.hs",
                r#"module B where
import C
b = c"#,
            ),
            (
                "C.hs",
                r#"module C where
import A
c = 1"#,
            ),
        ],
        r#"
main :: IO ()
2:8-2:9: error: the imports form a cycle: A → B → C → A
  here: `B` is imported here
  2:8: `C` is imported here
  2:8: `A` is imported here
  hint: Move what both need into a third module that imports neither.
"#,
    );
}

#[test]
fn a_file_with_another_module() {
    check_files(
        &[
            (
                "Main.hs",
                r#"import A
x = a"#,
            ),
            (
                "A.hs",
                r#"module B where
a = True"#,
            ),
        ],
        r#"
x :: Bool
1:8-1:9: error: this file should hold the module `A`
  here: but it holds `B`
  hint: Begin the file with `module A where`, or import it under its own name.
"#,
    );
}

#[test]
fn fixities_are_imported() {
    check_files(
        &[
            (
                "Main.hs",
                r#"import A
x a b c = a <+> b <+> c"#,
            ),
            (
                "A.hs",
                r#"module A where
infixr 5 <+>
(<+>) :: a -> [a] -> [a]
(<+>) = (:)"#,
            ),
        ],
        r#"
x :: a -> a -> [a] -> [a]
"#,
    );
}

#[test]
fn no_implicit_prelude() {
    check(
        r#"
{-# LANGUAGE NoImplicitPrelude #-}
import Prelude (Int, (+))
f :: Int -> Int
f x = x + 1
g = map f
"#,
        r#"
g :: _
6:5-6:8: error: the name `map` is not known
  hint: Define it, or import the module that does.
"#,
    );
}

#[test]
fn instances_are_global() {
    check_files(
        &[
            (
                "Main.hs",
                r#"import A ()
import B
x = show (b ())"#,
            ),
            (
                "A.hs",
                r#"module A where
import B
instance Show T where show _ = "T""#,
            ),
            (
                "B.hs",
                r#"module B where
data T = T
b () = T"#,
            ),
        ],
        r#"
x :: String
3:10-3:16: warning: the instance `Show T` does not define the method `showsPrec`
  note: There is no default; using it would be an error.
"#,
    );
}

#[test]
fn a_main_that_cannot_be_run() {
    for (text, expected) in [
        ("f x = x", "1:1-1:2: warning: this program cannot be run: it has no `main`"),
        ("module Main where\nf x = x", "1:8-1:12: warning: this program cannot be run: it has no `main`"),
        (
            "module Main (f) where\nf x = x\nmain = f",
            "1:8-1:12: warning: this program cannot be run: `main` is not exported",
        ),
        ("module Other where\nf x = x", ""),
    ] {
        let (sources, _, program) = run(&[("Main.hs", text)]);
        let told = program.diagnostics.iter().filter(|told| told.message.contains("cannot be run"));
        let told: Vec<String> = told.map(|told| told.plain_lines(&sources)).collect();
        assert_eq!(told.join("").lines().next().unwrap_or(""), expected);
    }
}
