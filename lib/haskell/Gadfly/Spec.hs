-- | Specifications by examples: the work behind "Test.Hspec".
module Gadfly.Spec where

import Control.Exception
import Control.Monad (when)
import Control.Monad.IO.Class (MonadIO(..))
import Data.List (isInfixOf, isPrefixOf, isSuffixOf, (\\))
import System.Exit (exitFailure)
import Test.HUnit (HUnitFailure(..), assertFailure)
import Test.QuickCheck (Args(..), Property, Result(..), quickCheckWithResult, stdArgs)

-- | A group of others, or an example.
data SpecTree = Group String [SpecTree] | Item String (IO ())

-- | Examples one after the other.  Its first argument is what examples are
-- given by the package @hspec@; here they are given nothing.
newtype SpecM a r = SpecM (IO (r, [SpecTree]))

type SpecWith a = SpecM a ()
type Spec       = SpecWith ()

runSpecM :: SpecM a r -> IO (r, [SpecTree])
runSpecM (SpecM m) = m

instance Functor (SpecM a) where
  fmap f m = m >>= \x -> return (f x)

instance Applicative (SpecM a) where
  pure x    = SpecM (return (x, []))
  mf <*> mx = mf >>= \f -> mx >>= \x -> return (f x)

instance Monad (SpecM a) where
  m >>= k = SpecM (do
    (x, ts) <- runSpecM m
    (y, us) <- runSpecM (k x)
    return (y, ts ++ us))

instance MonadIO (SpecM a) where
  liftIO act = SpecM (act >>= \x -> return (x, []))

instance Semigroup r => Semigroup (SpecM a r) where
  m <> n = m >>= \x -> n >>= \y -> return (x <> y)

instance Monoid r => Monoid (SpecM a r) where
  mempty = return mempty

-- | Change the actions of all examples.
mapActions :: (IO () -> IO ()) -> SpecM a r -> SpecM a r
mapActions f m = SpecM (runSpecM m >>= \(x, ts) -> return (x, map change ts))
  where
    change (Group name ts) = Group name (map change ts)
    change (Item name act) = Item name (f act)

describe, context, xdescribe, xcontext :: String -> SpecWith a -> SpecWith a
describe name m  = SpecM (runSpecM m >>= \(x, ts) -> return (x, [Group name ts]))
context          = describe
xdescribe name m = describe name (mapActions (const pending) m)
xcontext         = xdescribe

it, specify, xit, xspecify :: Example e => String -> e -> SpecWith a
it name e  = SpecM (return ((), [Item name (example e)]))
specify    = it
xit name e = mapActions (const pending) (it name e)
xspecify   = xit

-- | What can be an example.
class Example e where
  example :: e -> Expectation

instance Example Bool where
  example b = if b then return () else expectationFailure "it does not hold"

instance Example (IO a) where
  example act = act >> return ()

instance Example Property where
  example p = do
    r <- quickCheckWithResult stdArgs { chatty = False } p
    case r of
      Success _ _ -> return ()
      _           -> expectationFailure (output r)

-- * Expectations

infix 1 `shouldBe`, `shouldNotBe`, `shouldSatisfy`, `shouldNotSatisfy`, `shouldStartWith`, `shouldEndWith`
infix 1 `shouldContain`, `shouldNotContain`, `shouldMatchList`, `shouldReturn`, `shouldNotReturn`, `shouldThrow`

type Expectation = IO ()

expectationFailure :: String -> Expectation
expectationFailure = assertFailure

expect :: Bool -> String -> Expectation
expect ok message = if ok then return () else expectationFailure message

shouldBe, shouldNotBe :: (Show a, Eq a) => a -> a -> Expectation
shouldBe actual expected    = expect (actual == expected)
  ("expected: " ++ show expected ++ "\n but got: " ++ show actual)
shouldNotBe actual unwanted = expect (actual /= unwanted) ("not expected: " ++ show actual)

shouldSatisfy, shouldNotSatisfy :: Show a => a -> (a -> Bool) -> Expectation
shouldSatisfy x p    = expect (p x) ("predicate failed on: " ++ show x)
shouldNotSatisfy x p = expect (not (p x)) ("predicate succeeded on: " ++ show x)

shouldStartWith, shouldEndWith, shouldContain, shouldNotContain, shouldMatchList
  :: (Show a, Eq a) => [a] -> [a] -> Expectation
shouldStartWith xs ys  = expect (ys `isPrefixOf` xs) (show xs ++ " does not start with " ++ show ys)
shouldEndWith xs ys    = expect (ys `isSuffixOf` xs) (show xs ++ " does not end with " ++ show ys)
shouldContain xs ys    = expect (ys `isInfixOf` xs) (show xs ++ " does not contain " ++ show ys)
shouldNotContain xs ys = expect (not (ys `isInfixOf` xs)) (show xs ++ " does contain " ++ show ys)
shouldMatchList xs ys  = expect (null (xs \\ ys) && null (ys \\ xs))
  ("Actual list is not a permutation of expected list!\n  expected: " ++ show ys ++ "\n  but got:  " ++ show xs)

shouldReturn, shouldNotReturn :: (Show a, Eq a) => IO a -> a -> Expectation
shouldReturn act x    = act >>= \y -> y `shouldBe` x
shouldNotReturn act x = act >>= \y -> y `shouldNotBe` x

type Selector e = e -> Bool

shouldThrow :: Exception e => IO a -> Selector e -> Expectation
shouldThrow act p = do
  r <- try act
  case r of
    Right _ -> expectationFailure "did not get expected exception"
    Left e  -> expect (p e) ("predicate failed on expected exception: " ++ show e)

anyException :: Selector SomeException
anyException _ = True

anyErrorCall :: Selector ErrorCall
anyErrorCall _ = True

anyIOException :: Selector IOException
anyIOException _ = True

anyArithException :: Selector ArithException
anyArithException _ = True

errorCall :: String -> Selector ErrorCall
errorCall message (ErrorCall s) = s == message

-- * Pending examples

newtype Pending = Pending String

instance Show Pending where
  showsPrec _ (Pending why) = showString ("# PENDING: " ++ why)

instance Exception Pending

pending :: Expectation
pending = pendingWith "No reason given"

pendingWith :: String -> Expectation
pendingWith why = throwIO (Pending why)

-- * Hooks

runIO :: IO r -> SpecM a r
runIO = liftIO

before_, after_ :: IO () -> SpecWith a -> SpecWith a
before_ act = mapActions (act >>)
after_ act  = mapActions (\e -> e `finally` act)

around_ :: (IO () -> IO ()) -> SpecWith a -> SpecWith a
around_ = mapActions

parallel, sequential, focus :: SpecWith a -> SpecWith a
parallel m   = m
sequential m = m
focus m      = m

-- * Running

-- | How an example ended.
data Ending = Passed | Waits String | Fails String

ending :: IO () -> IO Ending
ending act = (act >> return Passed) `catches`
  [ Handler (\(HUnitFailure s) -> return (Fails s))
  , Handler (\(Pending why) -> return (Waits why))
  , Handler (\e -> return (Fails ("uncaught exception: " ++ displayException (e :: SomeException)))) ]

-- | Runs everything, tells it as it goes, and gives the number of examples, of
-- failures and of examples left out.
runTrees :: Bool -> [SpecTree] -> IO (Int, Int, Int)
runTrees failFast trees = do
  (n, fs, p) <- walk 0 [] trees (0, [], 0)
  when (not (null fs)) (putStrLn "\nFailures:\n")
  mapM_ putStrLn (zipWith report (enumFrom (1 :: Int)) (reverse fs))
  putStrLn ("\n" ++ counted n "example" ++ ", " ++ counted (length fs) "failure"
    ++ (if p > 0 then ", " ++ show p ++ " pending" else ""))
  return (n, length fs, p)
  where
    walk _ _ [] done = return done
    walk d path (t : ts) done@(n, fs, p)
      | failFast && not (null fs) = return done
      | otherwise = case t of
          Group name us -> do
            putStrLn (replicate (2 * d) ' ' ++ name)
            walk (d + 1) (name : path) us done >>= walk d path ts
          Item name act -> do
            end <- ending act
            let line mark = putStrLn (replicate (2 * d) ' ' ++ name ++ mark)
            case end of
              Passed    -> line "" >> walk d path ts (n + 1, fs, p)
              Waits why -> line (" PENDING: " ++ why) >> walk d path ts (n + 1, fs, p + 1)
              Fails s   -> line (" FAILED [" ++ show (length fs + 1) ++ "]")
                           >> walk d path ts (n + 1, (reverse (name : path), s) : fs, p)
    report k (names, s) = "  " ++ show k ++ ") " ++ unwords names ++ "\n" ++ unlines (map ("       " ++) (lines s))
    counted k what = show k ++ " " ++ what ++ (if k == 1 then "" else "s")

runSpec :: Bool -> Spec -> IO ()
runSpec failFast m = do
  (_, ts) <- runSpecM m
  (_, failed, _) <- runTrees failFast ts
  when (failed > 0) exitFailure
