{-# LANGUAGE FlexibleInstances #-}
-- | Tests of properties on random values.  (Claessen and Hughes, QuickCheck: a
-- lightweight tool for random testing of Haskell programs, 2000.)
--
-- The random numbers are always the same, and a counterexample is made smaller
-- as the type's 'shrink' says.  The texts are those of the package @QuickCheck@
-- in the simple cases.
module Test.QuickCheck
  ( -- * Checking
    quickCheck, quickCheckResult, quickCheckWith, quickCheckWithResult, verboseCheck, verboseCheckWith
  , Args(..), stdArgs, Result(..), isSuccess
    -- * Generators
  , Gen, choose, chooseInt, oneof, frequency, elements, sublistOf, shuffle, suchThat, suchThatMaybe
  , sized, getSize, resize, scale, variant, listOf, listOf1, vectorOf, vector, infiniteListOf, growingElements
  , orderedList, sample, sample', generate
  , Arbitrary(..), CoArbitrary(..), shrinkNothing, shrinkList, shrinkIntegral
  , arbitraryBoundedEnum, arbitrarySizedIntegral
    -- * Properties
  , Testable(..), Property, forAll, forAllShrink, (==>), (===), (=/=), (.&&.), (.||.), conjoin, disjoin
  , label, collect, classify, cover, counterexample, printTestCase, withMaxSuccess, once, expectFailure, whenFail
  , within, verbose
    -- * Kinds of values
  , Positive(..), NonNegative(..), NonZero(..), Negative(..), NonEmptyList(..), OrderedList(..), Small(..)
  , Fixed(..), Blind(..)
  ) where

import Control.Exception (SomeException, evaluate, try)
import Control.Monad (replicateM)
import Data.Char (chr, ord)
import Data.Complex (Complex(..))
import Data.Int (Int8, Int16, Int32, Int64)
import Data.List (nub, sort, sortBy)
import qualified Data.Map as Map
import Data.Ord (comparing)
import Data.Ratio (Ratio, (%))
import qualified Data.Set as Set
import Data.Word (Word8, Word16, Word32, Word64)
import System.Random

infixr 0 ==>
infix  4 ===, =/=
infixr 1 .&&., .||.

-- * Generators

-- | Given randomness and a size.
newtype Gen a = Gen (StdGen -> Int -> a)

runGen :: Gen a -> StdGen -> Int -> a
runGen (Gen g) = g

instance Functor Gen where
  fmap f (Gen g) = Gen (\r n -> f (g r n))

instance Applicative Gen where
  pure x    = Gen (\_ _ -> x)
  gf <*> gx = gf >>= \f -> fmap f gx

instance Monad Gen where
  Gen g >>= k = Gen (\r n -> case split r of (r1, r2) -> runGen (k (g r1 n)) r2 n)

choose :: Random a => (a, a) -> Gen a
choose range = Gen (\r _ -> fst (randomR range r))

chooseInt :: (Int, Int) -> Gen Int
chooseInt = choose

sized :: (Int -> Gen a) -> Gen a
sized f = Gen (\r n -> runGen (f n) r n)

getSize :: Gen Int
getSize = sized return

resize :: Int -> Gen a -> Gen a
resize n (Gen g) = Gen (\r _ -> g r n)

scale :: (Int -> Int) -> Gen a -> Gen a
scale f g = sized (\n -> resize (f n) g)

-- | Another stream of random numbers for each number.
variant :: Integral n => n -> Gen a -> Gen a
variant k (Gen g) = Gen (\r n -> g (go (toInteger k) r) n)
  where
    go i r
      | i == 0    = r
      | i < 0     = go (negate i) (snd (split r))
      | otherwise = case split r of
          (a, b) -> go (i `div` 2) (if even i then fst (split a) else snd (split b))

oneof :: [Gen a] -> Gen a
oneof [] = error "QuickCheck.oneof used with empty list"
oneof gs = choose (0, length gs - 1) >>= (gs !!)

elements :: [a] -> Gen a
elements [] = error "QuickCheck.elements used with empty list"
elements xs = fmap (xs !!) (choose (0, length xs - 1))

growingElements :: [a] -> Gen a
growingElements xs = sized (\n -> elements (take (max 1 (n * length xs `div` 100)) xs))

frequency :: [(Int, Gen a)] -> Gen a
frequency choices = choose (1, sum (map fst choices)) >>= pick choices
  where
    pick ((k, g) : more) n
      | n <= k    = g
      | otherwise = pick more (n - k)
    pick [] _ = error "QuickCheck.frequency used with empty list"

suchThat :: Gen a -> (a -> Bool) -> Gen a
suchThat g p = g >>= \x -> if p x then return x else sized (\n -> resize (n + 1) (suchThat g p))

suchThatMaybe :: Gen a -> (a -> Bool) -> Gen (Maybe a)
suchThatMaybe g p = sized (\n -> attempt n (2 * n))
  where attempt m n
          | m > n     = return Nothing
          | otherwise = resize m g >>= \x -> if p x then return (Just x) else attempt (m + 1) n

listOf, listOf1, infiniteListOf :: Gen a -> Gen [a]
listOf g         = sized (\n -> choose (0, n) >>= \k -> vectorOf k g)
listOf1 g        = sized (\n -> choose (1, max 1 n) >>= \k -> vectorOf k g)
infiniteListOf g = Gen (\r n -> let go s = case split s of (a, b) -> runGen g a n : go b in go r)

vectorOf :: Int -> Gen a -> Gen [a]
vectorOf = replicateM

vector :: Arbitrary a => Int -> Gen [a]
vector n = vectorOf n arbitrary

orderedList :: (Ord a, Arbitrary a) => Gen [a]
orderedList = fmap sort arbitrary

sublistOf :: [a] -> Gen [a]
sublistOf []       = return []
sublistOf (x : xs) = choose (False, True) >>= \keep -> fmap (if keep then (x :) else id) (sublistOf xs)

shuffle :: [a] -> Gen [a]
shuffle xs = do
  ks <- vectorOf (length xs) (choose (minBound, maxBound :: Int))
  return (map snd (sortBy (comparing fst) (zip ks xs)))

generate :: Gen a -> IO a
generate g = newStdGen >>= \r -> return (runGen g r 30)

sample' :: Gen a -> IO [a]
sample' g = mapM (\n -> newStdGen >>= \r -> return (runGen g r n)) (enumFromThenTo 0 2 20)

sample :: Show a => Gen a -> IO ()
sample g = sample' g >>= mapM_ print

-- * Arbitrary values

class Arbitrary a where
  arbitrary :: Gen a
  shrink    :: a -> [a]
  shrink _ = []

shrinkNothing :: a -> [a]
shrinkNothing _ = []

-- | A number of about the size.
arbitrarySizedIntegral :: Integral a => Gen a
arbitrarySizedIntegral = sized (\n -> fmap fromIntegral (choose (negate n, n)))

sizedNatural :: Integral a => Gen a
sizedNatural = sized (\n -> fmap fromIntegral (choose (0, n)))

arbitraryBoundedEnum :: (Bounded a, Enum a) => Gen a
arbitraryBoundedEnum = elements (enumFromTo minBound maxBound)

-- | Nearer to zero: zero itself, without the sign, and half the way each.
shrinkIntegral :: Integral a => a -> [a]
shrinkIntegral x = nub ([negate x | x < 0] ++ [x - y | y <- takeWhile (/= 0) (iterate (`quot` 2) x)])

instance Arbitrary ()      where { arbitrary = return () }
instance Arbitrary Int     where { arbitrary = arbitrarySizedIntegral; shrink = shrinkIntegral }
instance Arbitrary Integer where { arbitrary = arbitrarySizedIntegral; shrink = shrinkIntegral }
instance Arbitrary Int8    where { arbitrary = arbitrarySizedIntegral; shrink = shrinkIntegral }
instance Arbitrary Int16   where { arbitrary = arbitrarySizedIntegral; shrink = shrinkIntegral }
instance Arbitrary Int32   where { arbitrary = arbitrarySizedIntegral; shrink = shrinkIntegral }
instance Arbitrary Int64   where { arbitrary = arbitrarySizedIntegral; shrink = shrinkIntegral }
instance Arbitrary Word    where { arbitrary = sizedNatural; shrink = shrinkIntegral }
instance Arbitrary Word8   where { arbitrary = sizedNatural; shrink = shrinkIntegral }
instance Arbitrary Word16  where { arbitrary = sizedNatural; shrink = shrinkIntegral }
instance Arbitrary Word32  where { arbitrary = sizedNatural; shrink = shrinkIntegral }
instance Arbitrary Word64  where { arbitrary = sizedNatural; shrink = shrinkIntegral }

instance Arbitrary Bool where
  arbitrary    = choose (False, True)
  shrink True  = [False]
  shrink False = []

instance Arbitrary Ordering where
  arbitrary = elements [LT, EQ, GT]

instance Arbitrary Char where
  arbitrary = frequency [(3, choose (' ', '~')), (1, fmap chr (choose (0, 255)))]
  shrink c  = [d | d <- "abcABC123 \n", ord d < ord c]

instance Arbitrary Double where
  arbitrary = sized (\n -> fmap (\(a, b) -> fromIntegral (a :: Int) / fromIntegral (b :: Int))
    ((,) <$> choose (negate n * 1000, n * 1000) <*> choose (1, 1000)))
  shrink x = [fromInteger n | n <- truncate x : shrinkIntegral (truncate x), abs (fromInteger n) < abs x]

instance Arbitrary Float where
  arbitrary = fmap realToFrac (arbitrary :: Gen Double)

instance Integral a => Arbitrary (Ratio a) where
  arbitrary = sized (\n -> do
    a <- choose (negate n, n)
    b <- choose (1, max 1 n)
    return (fromIntegral a % fromIntegral b))

instance Arbitrary a => Arbitrary (Complex a) where
  arbitrary = (:+) <$> arbitrary <*> arbitrary

instance Arbitrary a => Arbitrary [a] where
  arbitrary = listOf arbitrary
  shrink    = shrinkList shrink

-- | Without some elements, then with smaller ones.
shrinkList :: (a -> [a]) -> [a] -> [[a]]
shrinkList smaller xs = concatMap (\k -> without k n xs) (takeWhile (> 0) (iterate (`div` 2) n)) ++ each xs
  where
    n = length xs
    without k m ys
      | k > m     = []
      | null rest = [[]]
      | otherwise = rest : map (taken ++) (without k (m - k) rest)
      where (taken, rest) = splitAt k ys
    each []       = []
    each (y : ys) = [y' : ys | y' <- smaller y] ++ [y : ys' | ys' <- each ys]

instance Arbitrary a => Arbitrary (Maybe a) where
  arbitrary = frequency [(1, return Nothing), (3, fmap Just arbitrary)]
  shrink (Just x) = Nothing : map Just (shrink x)
  shrink Nothing  = []

instance (Arbitrary a, Arbitrary b) => Arbitrary (Either a b) where
  arbitrary        = oneof [fmap Left arbitrary, fmap Right arbitrary]
  shrink (Left x)  = map Left (shrink x)
  shrink (Right y) = map Right (shrink y)

instance (Arbitrary a, Arbitrary b) => Arbitrary (a, b) where
  arbitrary     = (,) <$> arbitrary <*> arbitrary
  shrink (a, b) = [(a', b) | a' <- shrink a] ++ [(a, b') | b' <- shrink b]

instance (Arbitrary a, Arbitrary b, Arbitrary c) => Arbitrary (a, b, c) where
  arbitrary = (,,) <$> arbitrary <*> arbitrary <*> arbitrary
  shrink (a, b, c) = [(a', b, c) | a' <- shrink a] ++ [(a, b', c) | b' <- shrink b] ++ [(a, b, c') | c' <- shrink c]

instance (Arbitrary a, Arbitrary b, Arbitrary c, Arbitrary d) => Arbitrary (a, b, c, d) where
  arbitrary = (,,,) <$> arbitrary <*> arbitrary <*> arbitrary <*> arbitrary

instance (Ord k, Arbitrary k, Arbitrary v) => Arbitrary (Map.Map k v) where
  arbitrary = fmap Map.fromList arbitrary
  shrink m  = map Map.fromList (shrink (Map.toList m))

instance (Ord a, Arbitrary a) => Arbitrary (Set.Set a) where
  arbitrary = fmap Set.fromList arbitrary
  shrink s  = map Set.fromList (shrink (Set.toList s))

instance (CoArbitrary a, Arbitrary b) => Arbitrary (a -> b) where
  arbitrary = Gen (\r n x -> runGen (coarbitrary x arbitrary) r n)

class CoArbitrary a where
  coarbitrary :: a -> Gen b -> Gen b

instance CoArbitrary ()      where { coarbitrary _ = id }
instance CoArbitrary Int     where { coarbitrary = variant }
instance CoArbitrary Integer where { coarbitrary = variant }
instance CoArbitrary Word    where { coarbitrary = variant }
instance CoArbitrary Char    where { coarbitrary c = variant (ord c) }
instance CoArbitrary Bool    where { coarbitrary b = variant (fromEnum b) }
instance CoArbitrary Double  where { coarbitrary x = variant (truncate (x * 1000) :: Integer) }

instance CoArbitrary a => CoArbitrary [a] where
  coarbitrary []       = variant (0 :: Int)
  coarbitrary (x : xs) = variant (1 :: Int) . coarbitrary x . coarbitrary xs

instance CoArbitrary a => CoArbitrary (Maybe a) where
  coarbitrary Nothing  = variant (0 :: Int)
  coarbitrary (Just x) = variant (1 :: Int) . coarbitrary x

instance (CoArbitrary a, CoArbitrary b) => CoArbitrary (a, b) where
  coarbitrary (a, b) = coarbitrary a . coarbitrary b

instance (CoArbitrary a, CoArbitrary b) => CoArbitrary (Either a b) where
  coarbitrary (Left a)  = variant (0 :: Int) . coarbitrary a
  coarbitrary (Right b) = variant (1 :: Int) . coarbitrary b

-- * Kinds of values

newtype Positive a     = Positive { getPositive :: a }       deriving (Eq, Ord, Show, Read)
newtype NonNegative a  = NonNegative { getNonNegative :: a } deriving (Eq, Ord, Show, Read)
newtype NonZero a      = NonZero { getNonZero :: a }         deriving (Eq, Ord, Show, Read)
newtype Negative a     = Negative { getNegative :: a }       deriving (Eq, Ord, Show, Read)
newtype NonEmptyList a = NonEmpty { getNonEmpty :: [a] }     deriving (Eq, Ord, Show, Read)
newtype OrderedList a  = Ordered { getOrdered :: [a] }       deriving (Eq, Ord, Show, Read)
newtype Small a        = Small { getSmall :: a }             deriving (Eq, Ord, Show, Read)
newtype Fixed a        = Fixed { getFixed :: a }             deriving (Eq, Ord, Show, Read)
newtype Blind a        = Blind { getBlind :: a }             deriving (Eq, Ord)

instance Show (Blind a) where
  showsPrec _ _ = showString "(*)"

instance (Num a, Ord a, Arbitrary a) => Arbitrary (Positive a) where
  arbitrary           = fmap Positive (fmap abs arbitrary `suchThat` (> 0))
  shrink (Positive x) = [Positive y | y <- shrink x, y > 0]

instance (Num a, Ord a, Arbitrary a) => Arbitrary (NonNegative a) where
  arbitrary              = fmap (NonNegative . abs) arbitrary
  shrink (NonNegative x) = [NonNegative y | y <- shrink x, y >= 0]

instance (Num a, Ord a, Arbitrary a) => Arbitrary (Negative a) where
  arbitrary = fmap (Negative . negate) (fmap abs arbitrary `suchThat` (> 0))

instance (Num a, Eq a, Arbitrary a) => Arbitrary (NonZero a) where
  arbitrary          = fmap NonZero (arbitrary `suchThat` (/= 0))
  shrink (NonZero x) = [NonZero y | y <- shrink x, y /= 0]

instance Arbitrary a => Arbitrary (NonEmptyList a) where
  arbitrary            = fmap NonEmpty (arbitrary `suchThat` (not . null))
  shrink (NonEmpty xs) = [NonEmpty ys | ys <- shrink xs, not (null ys)]

instance (Ord a, Arbitrary a) => Arbitrary (OrderedList a) where
  arbitrary           = fmap Ordered orderedList
  shrink (Ordered xs) = [Ordered ys | ys <- shrink xs, and (zipWith (<=) ys (drop 1 ys))]

instance Arbitrary a => Arbitrary (Small a) where
  arbitrary = fmap Small (scale (`div` 5) arbitrary)

instance Arbitrary a => Arbitrary (Fixed a) where
  arbitrary = fmap Fixed arbitrary

instance Arbitrary a => Arbitrary (Blind a) where
  arbitrary = fmap Blind arbitrary

-- * Properties

-- | What one test says: whether it holds ('Nothing' if it does not count), what
-- it was about, and how it is to be counted.
data Outcome = Outcome
  { holds :: Maybe Bool, about :: [String], marks :: [String], raised :: Maybe String, after :: IO () }

-- | An outcome, and those of smaller tests in its place.
data Tried = Tried Outcome [Tried]

-- | What is asked of the run of a property.
data Options = Options { wanted :: Maybe Int, mustFail :: Bool, talk :: Bool }

data Property = Property Options (Gen Tried)

plain :: Options
plain = Options Nothing False False

triedOf :: Property -> Gen Tried
triedOf (Property _ g) = g

decided :: Maybe Bool -> Tried
decided b = Tried (Outcome b [] [] Nothing (return ())) []

mapTried :: (Outcome -> Outcome) -> Tried -> Tried
mapTried f (Tried o smaller) = Tried (f o) (map (mapTried f) smaller)

mapProperty :: Testable p => (Outcome -> Outcome) -> p -> Property
mapProperty f p = case property p of Property o g -> Property o (fmap (mapTried f) g)

class Testable p where
  property :: p -> Property

instance Testable Property where
  property p = p

instance Testable Bool where
  property b = Property plain (return (decided (Just b)))

instance Testable () where
  property () = property True

instance Testable p => Testable (Maybe p) where
  property = maybe (Property plain (return (decided Nothing))) property

instance Testable p => Testable (Gen p) where
  property g = Property plain (g >>= \p -> triedOf (property p))

instance (Arbitrary a, Show a, Testable p) => Testable (a -> p) where
  property f = forAllShrink arbitrary shrink f

forAll :: (Show a, Testable p) => Gen a -> (a -> p) -> Property
forAll g f = forAllShrink g (const []) f

forAllShrink :: (Show a, Testable p) => Gen a -> (a -> [a]) -> (a -> p) -> Property
forAllShrink g smaller f = Property plain (do
  x <- g
  Gen (\r n -> let at y = case runGen (triedOf (property (f y))) r n of
                     Tried o inner -> Tried (named y o) (map at (smaller y) ++ map (mapTried (named y)) inner)
               in at x))
  where named y o = o { about = show y : about o }

(==>) :: Testable p => Bool -> p -> Property
True  ==> p = property p
False ==> _ = Property plain (return (decided Nothing))

(===), (=/=) :: (Eq a, Show a) => a -> a -> Property
x === y = counterexample (show x ++ (if x == y then " == " else " /= ") ++ show y) (x == y)
x =/= y = counterexample (show x ++ (if x /= y then " /= " else " == ") ++ show y) (x /= y)

(.&&.), (.||.) :: (Testable p, Testable q) => p -> q -> Property
p .&&. q = conjoin [property p, property q]
p .||. q = disjoin [property p, property q]

conjoin, disjoin :: Testable p => [p] -> Property
conjoin ps = Property plain (fmap join (mapM (triedOf . property) ps))
  where
    join ts = case [t | t@(Tried o _) <- ts, not (well o)] of
      t : _ -> t
      []    -> case ts of
        [] -> decided (Just True)
        _  -> last ts
    well o = holds o == Just True && maybe True (const False) (raised o)
disjoin ps = Property plain (fmap join (mapM (triedOf . property) ps))
  where
    join ts = case [t | t@(Tried o _) <- ts, holds o == Just True] of
      t : _ -> t
      []    -> case ts of
        [] -> decided (Just False)
        _  -> last ts

counterexample, printTestCase, label :: Testable p => String -> p -> Property
counterexample s p = mapProperty (\o -> o { about = s : about o }) p
printTestCase      = counterexample
label s p          = mapProperty (\o -> o { marks = s : marks o }) p

collect :: (Show a, Testable p) => a -> p -> Property
collect x p = label (show x) p

classify :: Testable p => Bool -> String -> p -> Property
classify b s p = if b then label s p else property p

cover :: Testable p => Double -> Bool -> String -> p -> Property
cover _ = classify

whenFail :: Testable p => IO () -> p -> Property
whenFail act p = mapProperty (\o -> o { after = act >> after o }) p

withMaxSuccess :: Testable p => Int -> p -> Property
withMaxSuccess n p = case property p of Property o g -> Property o { wanted = Just n } g

once, expectFailure, verbose :: Testable p => p -> Property
once            = withMaxSuccess 1
expectFailure p = case property p of Property o g -> Property o { mustFail = True } g
verbose p       = case property p of Property o g -> Property o { talk = True } g

within :: Testable p => Int -> p -> Property
within _ = property

-- * Checking

data Args = Args { maxSuccess :: Int, maxDiscardRatio :: Int, maxSize :: Int, maxShrinks :: Int, chatty :: Bool }
  deriving (Show, Read)

stdArgs :: Args
stdArgs = Args { maxSuccess = 100, maxDiscardRatio = 10, maxSize = 100, maxShrinks = maxBound, chatty = True }

data Result
  = Success { numTests :: Int, output :: String }
  | GaveUp { numTests :: Int, output :: String }
  | Failure { numTests :: Int, numShrinks :: Int, failingTestCase :: [String], output :: String }
  | NoExpectedFailure { numTests :: Int, output :: String }
  deriving (Show)

isSuccess :: Result -> Bool
isSuccess r = case r of { Success _ _ -> True; _ -> False }

quickCheck, verboseCheck :: Testable p => p -> IO ()
quickCheck   = quickCheckWith stdArgs
verboseCheck = verboseCheckWith stdArgs

quickCheckWith, verboseCheckWith :: Testable p => Args -> p -> IO ()
quickCheckWith args p   = quickCheckWithResult args p >> return ()
verboseCheckWith args p = quickCheckWith args (verbose p)

quickCheckResult :: Testable p => p -> IO Result
quickCheckResult = quickCheckWithResult stdArgs

quickCheckWithResult :: Testable p => Args -> p -> IO Result
quickCheckWithResult args p = case property p of
  Property options g -> newStdGen >>= go 0 0 [] options g
  where
    go done discarded seen options g r
      | done >= goal = finish
          (if mustFail options then NoExpectedFailure done else Success done)
          (if mustFail options then "*** Failed! Passed " ++ tests done ++ " (expected failure).\n"
           else "+++ OK, passed " ++ tests done ++ distribution done seen)
      | discarded >= maxDiscardRatio args * goal = finish (GaveUp done)
          ("*** Gave up! Passed only " ++ tests done ++ "; " ++ show discarded ++ " discarded tests.\n")
      | otherwise = case split r of
          (r1, r2) -> do
            let size = if goal <= maxSize args then done * maxSize args `div` max 1 goal else done `mod` maxSize args
            t <- settled (runGen g r1 (size + discarded `div` 10))
            let Tried o _ = t
            if talk options
              then putStr ((if bad o then "Failed:\n" else "Passed:\n") ++ unlines (about o) ++ "\n")
              else return ()
            if bad o then failed (done + 1) options t
              else case holds o of
                Nothing -> go done (discarded + 1) seen options g r2
                _       -> go (done + 1) discarded (marks o : seen) options g r2
      where goal = maybe (maxSuccess args) id (wanted options)

    failed n options t = do
      (Tried o _, shrinks) <- smallest (0 :: Int) t
      let how = maybe "Falsified" (\e -> "Exception: '" ++ e ++ "'") (raised o)
          times
            | shrinks == 0 = ""
            | otherwise    = " and " ++ show shrinks ++ (if shrinks == 1 then " shrink" else " shrinks")
          counted = " (after " ++ show n ++ (if n == 1 then " test" else " tests") ++ times ++ "):\n"
      if mustFail options
        then finish (Success n) ("+++ OK, failed as expected. " ++ how ++ counted ++ unlines (about o))
        else do
          result <- finish (Failure n shrinks (about o)) ("*** Failed! " ++ how ++ counted ++ unlines (about o))
          after o
          return result

    -- The first smaller test that fails too, again and again.
    smallest n t@(Tried _ smaller)
      | n >= maxShrinks args = return (t, n)
      | otherwise            = search smaller
      where
        search [] = return (t, n)
        search (u : us) = do
          u' <- settled u
          let Tried o _ = u'
          if bad o then smallest (n + 1) u' else search us

    finish make text = do
      if chatty args then putStr text else return ()
      return (make text)

tests :: Int -> String
tests n = show n ++ (if n == 1 then " test" else " tests")

bad :: Outcome -> Bool
bad o = holds o == Just False

-- | With an exception taken for failure.
settled :: Tried -> IO Tried
settled t = do
  made <- try (evaluate t)
  case made of
    Left e  -> return (Tried (Outcome (Just False) [] [] (Just (shown e)) (return ())) [])
    Right (Tried o smaller) -> do
      r <- try (evaluate (maybe True id (holds o)))
      return (case r of
        Right _ -> t
        Left e  -> Tried o { holds = Just False, raised = Just (shown e) } smaller)
  where shown e = show (e :: SomeException)

-- | How many tests had which marks.
distribution :: Int -> [[String]] -> String
distribution n seen = case [(length g, head g) | g <- grouped (sort (concat [nub ms | ms <- seen]))] of
  []        -> ".\n"
  [(k, s)]  -> " (" ++ show (k * 100 `div` n) ++ "% " ++ s ++ ").\n"
  counted   -> ":\n" ++ unlines [show (k * 100 `div` n) ++ "% " ++ s | (k, s) <- reverse (sort counted)]
  where
    grouped []         = []
    grouped xs@(x : _) = case span (== x) xs of (a, b) -> a : grouped b
