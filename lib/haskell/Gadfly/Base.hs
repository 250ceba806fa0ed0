{-# LANGUAGE NoImplicitPrelude #-}
-- | The home of every name the compiler and the machine know.
--
-- The compiler looks for the types, classes and functions that the language
-- needs among the exports of this module, wherever they are defined; the
-- machine calls the functions below.  "Prelude" and the other public modules
-- choose from here what a program may see.
--
-- The modules that it gathers, each made of those before it: "Gadfly.Primitives"
-- and "Gadfly.Ground", without any class; "Gadfly.Order", "Gadfly.Numbers" and
-- "Gadfly.Failing", the classes that literals and exceptions need;
-- "Gadfly.Characters" and "Gadfly.Lists"; the rest of the numbers; monoids,
-- monads and folds; showing, reading, indices; input and output.
--
-- Strictness is that of the Haskell 2010 report where the report is definite,
-- and that of GHC's base library elsewhere.
module Gadfly.Base
  ( module Gadfly.Base
  , module Gadfly.Primitives
  , module Gadfly.Ground
  , module Gadfly.Order
  , module Gadfly.Numbers
  , module Gadfly.Failing
  , module Gadfly.Characters
  , module Gadfly.Lists
  , module Gadfly.Strings
  , module Gadfly.Enumerations
  , module Gadfly.Integers
  , module Gadfly.Floating
  , module Gadfly.Ratios
  , module Gadfly.Monoids
  , module Gadfly.Monads
  , module Gadfly.Folding
  , module Gadfly.Showing
  , module Gadfly.Tuples
  , module Gadfly.Parsing
  , module Gadfly.Reading
  , module Gadfly.Indices
  , module Gadfly.Failures
  , module Gadfly.InputOutput
  ) where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Characters
import Gadfly.Lists
import Gadfly.Strings
import Gadfly.Enumerations
import Gadfly.Integers
import Gadfly.Floating
import Gadfly.Ratios
import Gadfly.Monoids
import Gadfly.Monads
import Gadfly.Folding
import Gadfly.Showing
import Gadfly.Tuples
import Gadfly.Parsing
import Gadfly.Reading
import Gadfly.Indices
import Gadfly.Failures
import Gadfly.InputOutput

-- * Where a program's own text gives no rule

-- What the compiler calls where a program's own text gives no rule.  The
-- argument says where, and which function.

patternMatchFail, recSelError, recConError, recUpdError, noMethodError :: String -> a
patternMatchFail msg = throw (PatternMatchFail msg)
recSelError msg      = throw (RecSelError ("No match in record selector " ++ msg))
recConError msg      = throw (RecConError msg)
recUpdError msg      = throw (RecUpdError msg)
noMethodError msg    = throw (NoMethodError msg)

-- * Failures of the machine, and the end of a program

-- | The exception for a failure inside the machine: what kind, where, why, and
-- the file it is about (empty if none).  The machine applies this function;
-- the kinds are listed in PRIMITIVES.md.
machineFailure :: Int -> String -> String -> String -> SomeException
machineFailure kind loc desc file = case kind of
  0  -> io NoSuchThing
  1  -> io AlreadyExists
  2  -> io PermissionDenied
  3  -> io ResourceBusy
  4  -> io ResourceExhausted
  5  -> io EOF
  6  -> io IllegalOperation
  7  -> io InvalidArgument
  8  -> io OtherError
  9  -> io ResourceVanished
  10 -> toException NonTermination
  11 -> toException StackOverflow
  12 -> toException HeapOverflow
  13 -> toException UserInterrupt
  14 -> toException DivideByZero
  15 -> toException Overflow
  16 -> toException (IndexOutOfBounds desc)
  _  -> toException (ErrorCall desc)
  where io ty = toException (IOError Nothing ty loc desc (if null file then Nothing else Just file))

-- | What to print for an exception that nothing caught, and the exit status.
-- The machine, or 'runMain', asks this at the end of a program. The machine knows by the
-- status that it was short of memory: 2 for the stack, 251 for the heap, as with GHC.
uncaught :: SomeException -> (String, Int)
uncaught e = case fromException e of
  Just ExitSuccess     -> ("", 0)
  Just (ExitFailure n) -> ("", n)
  Nothing              -> (displayException e, case fromException e of
    Just StackOverflow -> 2
    Just HeapOverflow  -> 251
    _                  -> 1)

-- | Run a program: its action, then the handling of what it did not catch.
runMain :: IO a -> IO ()
runMain act = primCatch (act >> primHandleFlush stdout) (\e -> do
  primHandleFlush stdout
  case uncaught e of
    (msg, status) -> do
      when (not (null msg)) (do
        name <- primGetProgName
        hPutStr stderr (name ++ ": " ++ msg ++ "\n"))
      primExit status)
