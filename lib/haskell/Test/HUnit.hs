{-# LANGUAGE FlexibleInstances #-}
-- | Tests of expected results.
module Test.HUnit
  ( Assertion, assertFailure, assertString, assertBool, assertEqual, HUnitFailure(..)
  , Assertable(..), ListAssertable(..), AssertionPredicate, AssertionPredicable(..), (@?), (@=?), (@?=)
  , Test(..), Node(..), Path, Testable(..), (~?), (~=?), (~?=), (~:), testCaseCount, testCasePaths
  , Counts(..), State(..), runTestTT, runTestTTAndExit, showCounts, showPath
  ) where

import Control.Exception hiding (assert)
import Control.Monad (unless, when)
import System.Exit (exitFailure, exitSuccess)
import System.IO (hPutStrLn, stderr)

infix  1 @?, @=?, @?=
infix  1 ~?, ~=?, ~?=
infixr 0 ~:

-- * Assertions

type Assertion          = IO ()
type AssertionPredicate = IO Bool

newtype HUnitFailure = HUnitFailure String
  deriving (Eq)

instance Show HUnitFailure where
  showsPrec d (HUnitFailure s) = showParen (d > 10) (showString "HUnitFailure " . showsPrec 11 s)

instance Exception HUnitFailure

assertFailure :: String -> IO a
assertFailure message = throwIO (HUnitFailure message)

assertString :: String -> Assertion
assertString s = unless (null s) (assertFailure s)

assertBool :: String -> Bool -> Assertion
assertBool message ok = unless ok (assertFailure message)

-- | What is expected comes before what there is.
assertEqual :: (Eq a, Show a) => String -> a -> a -> Assertion
assertEqual preface expected actual = unless (actual == expected) (assertFailure
  ((if null preface then "" else preface ++ "\n") ++ "expected: " ++ show expected ++ "\n but got: " ++ show actual))

class Assertable t where
  assert :: t -> Assertion

instance Assertable () where
  assert = return

instance Assertable Bool where
  assert = assertBool ""

instance ListAssertable t => Assertable [t] where
  assert = listAssert

instance Assertable t => Assertable (IO t) where
  assert act = act >>= assert

class ListAssertable t where
  listAssert :: [t] -> Assertion

instance ListAssertable Char where
  listAssert = assertString

class AssertionPredicable t where
  assertionPredicate :: t -> AssertionPredicate

instance AssertionPredicable Bool where
  assertionPredicate = return

instance AssertionPredicable t => AssertionPredicable (IO t) where
  assertionPredicate act = act >>= assertionPredicate

(@?) :: AssertionPredicable t => t -> String -> Assertion
p @? message = assertionPredicate p >>= assertBool message

(@=?), (@?=) :: (Eq a, Show a) => a -> a -> Assertion
expected @=? actual = assertEqual "" expected actual
actual @?= expected = assertEqual "" expected actual

-- * Tests

data Test = TestCase Assertion | TestList [Test] | TestLabel String Test

instance Show Test where
  showsPrec d t = showParen (d > 10) (case t of
    TestCase _    -> showString "TestCase _"
    TestList ts   -> showString "TestList " . showList ts
    TestLabel l u -> showString "TestLabel " . showString l . showChar ' ' . showsPrec 11 u)

class Testable t where
  test :: t -> Test

instance Testable Test where
  test t = t

instance Assertable t => Testable (IO t) where
  test act = TestCase (assert act)

instance Testable t => Testable [t] where
  test ts = TestList (map test ts)

(~?) :: AssertionPredicable t => t -> String -> Test
p ~? message = TestCase (p @? message)

(~=?), (~?=) :: (Eq a, Show a) => a -> a -> Test
expected ~=? actual = TestCase (expected @=? actual)
actual ~?= expected = TestCase (actual @?= expected)

(~:) :: Testable t => String -> t -> Test
label ~: t = TestLabel label (test t)

-- | The way to a test, the innermost first.
data Node = ListItem Int | Label String
  deriving (Eq, Show, Read)

type Path = [Node]

testCaseCount :: Test -> Int
testCaseCount = length . testCases

testCasePaths :: Test -> [Path]
testCasePaths = map fst . testCases

testCases :: Test -> [(Path, Assertion)]
testCases = walk []
  where
    walk path (TestCase a)    = [(path, a)]
    walk path (TestList ts)   = concat (zipWith (\n t -> walk (ListItem n : path) t) (enumFrom 0) ts)
    walk path (TestLabel l t) = walk (Label l : path) t

-- * Running

data Counts = Counts { cases, tried, errors, failures :: Int }
  deriving (Eq, Show, Read)

data State = State { path :: Path, counts :: Counts }
  deriving (Eq, Show, Read)

-- | How a case ended: well, with a failed assertion, or with another exception.
data Ending = Well | Failed String | Raised String

ending :: Assertion -> IO Ending
ending act = (act >> return Well) `catches`
  [ Handler (\(HUnitFailure s) -> return (Failed s))
  , Handler (\e -> return (Raised (displayException (e :: SomeException)))) ]

-- | Runs all cases, telling each that does not end well.
performTest :: (String -> IO ()) -> Test -> IO Counts
performTest tell t = go (Counts total 0 0 0) (testCases t)
  where
    total = testCaseCount t
    go c []                  = return c
    go c ((where', act) : rest) = do
      end <- ending act
      let c' = c { tried = tried c + 1 }
      case end of
        Well      -> go c' rest
        Failed s  -> report "Failure" where' s >> go c' { failures = failures c + 1 } rest
        Raised s  -> report "Error" where' s >> go c' { errors = errors c + 1 } rest
    report kind where' s = tell ("### " ++ kind ++ " in: " ++ showPath where' ++ "\n" ++ s)

showPath :: Path -> String
showPath [] = ""
showPath ns = foldl1 (\b a -> a ++ ":" ++ b) (map shown ns)
  where
    shown (ListItem n) = show n
    shown (Label l)    = if any (== ':') l then show l else l

-- | Tells the results on standard error.
runTestTT :: Test -> IO Counts
runTestTT t = do
  c <- performTest (hPutStrLn stderr) t
  hPutStrLn stderr (showCounts c)
  return c

showCounts :: Counts -> String
showCounts c = "Cases: " ++ show (cases c) ++ "  Tried: " ++ show (tried c)
  ++ "  Errors: " ++ show (errors c) ++ "  Failures: " ++ show (failures c)

runTestTTAndExit :: Test -> IO ()
runTestTTAndExit t = do
  c <- runTestTT t
  when (errors c + failures c > 0) exitFailure
  exitSuccess
