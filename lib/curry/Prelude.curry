-- | The Prelude of Curry 3: what every Curry program sees without asking.
--
-- Names, types, classes and fixities are those of the Prelude that the Curry
-- systems share (package "base", version 3).  `Int` has no bounds, `Float` has
-- double precision.  Functions defined by rules are flexible, as everywhere in
-- Curry: they narrow an argument that is a free variable.  Primitives are rigid:
-- they wait for a value.  All of them are listed in PRIMITIVES.md.
--
-- Built in without a declaration are functions, lists, tuples and the unit
-- type.  Instances of `Data` for types declared with constructors are derived
-- by the compiler.
module Prelude
  ( -- * Basic types
    Char, Int, Float, Bool(..), Ordering(..), Maybe(..), Either(..)
    -- * Classes
  , Data(..), (/==), Eq(..), Ord(..)
  , Show(..), ShowS, shows, showChar, showString, showParen, showTuple
  , Read(..), ReadS, reads, readParen, read, lex
  , Bounded(..), Enum(..)
    -- ** Numbers
  , Num(..), Fractional(..), Real(..)
  , Integral(..), even, odd, fromIntegral, realToFrac, (^)
  , RealFrac(..), Floating(..), Monoid(..)
    -- ** Functors and monads
  , Functor(..), Applicative(..), Alternative(..), Monad(..), MonadFail(..)
  , (<$>), (=<<), ap, liftM2, sequence, sequence_, mapM, mapM_
    -- * Characters and strings
  , isUpper, isLower, isAlpha, isDigit, isAlphaNum
  , isBinDigit, isOctDigit, isHexDigit, isSpace, ord, chr
  , String, lines, unlines, words, unwords
    -- * Lists
  , head, tail, null, (++), length, (!!), map, foldl, foldl1, foldr, foldr1
  , filter, zip, zip3, zipWith, zipWith3, unzip, unzip3, concat, concatMap
  , iterate, repeat, replicate, take, drop, splitAt, takeWhile, dropWhile
  , span, break, reverse, and, or, any, all, elem, notElem, lookup
    -- * Evaluation
  , ($), ($!), ($!!), ($#), ($##), seq, ensureNotFree, ensureSpine
  , normalForm, groundNormalForm
    -- * Functions
  , (.), id, const, asTypeOf, curry, uncurry, flip, until
  , (&&), (||), not, otherwise, ifThenElse, maybe, either, fst, snd
  , failed, error
    -- * Input and output
  , IO, getChar, getLine, putChar, putStr, putStrLn, print
  , FilePath, readFile, writeFile, appendFile
  , IOError(..), userError, ioError, catch
    -- * Constraints
  , Success, success, solve, doSolve, (=:=), (=:<=), constrEq, (=:<<=), (&), (&>)
    -- * Non-determinism
  , (?), anyOf, unknown
    -- * What tools use
  , apply, cond, eqString, DET
  ) where

infixr 9 .
infixl 9 !!
infixl 7 *, /, `div`, `mod`, `quot`, `rem`
infixl 6 +, -
infixr 5 ++
infix  4 ==, /=, <, >, <=, >=
infix  4 ===, /==, =:=, =:<=, =:<<=
infix  4 `elem`, `notElem`
infixl 4 <$, <$>, <*>, <*, *>
infixl 3 <|>
infixr 3 &&
infixr 2 ||
infixl 1 >>, >>=
infixr 1 =<<
infixr 0 ?, $, $!, $!!, $#, $##, `seq`, &, &>

-- * Types

-- | Characters: all of Unicode.
external data Char

-- | Whole numbers without bounds.
external data Int

-- | Floating point numbers of double precision.
external data Float

-- | Actions on the world.
external data IO a

-- | The machine's own small numbers, as a few primitives take and give them.
external data PrimInt

-- | Files, as the primitives know them.
external data PrimHandle

data Bool = False | True
  deriving (Eq, Ord, Show, Read, Enum, Bounded)

data Ordering = LT | EQ | GT
  deriving (Eq, Ord, Show, Read, Enum, Bounded)

data Maybe a = Nothing | Just a
  deriving (Eq, Ord, Show, Read)

data Either a b = Left a | Right b
  deriving (Eq, Ord, Show, Read)

type String   = [Char]
type FilePath = String

-- * Primitives on numbers and characters

prim_integerAdd, prim_integerSub, prim_integerMul :: Int -> Int -> Int
prim_integerAdd external
prim_integerSub external
prim_integerMul external

prim_integerQuot, prim_integerRem, prim_integerDiv, prim_integerMod :: Int -> Int -> Int
prim_integerQuot external
prim_integerRem external
prim_integerDiv external
prim_integerMod external

prim_integerNegate :: Int -> Int
prim_integerNegate external

prim_integerEq, prim_integerLt, prim_integerLe :: Int -> Int -> Bool
prim_integerEq external
prim_integerLt external
prim_integerLe external

prim_integerCompare :: Int -> Int -> Ordering
prim_integerCompare external

prim_integerShow :: Int -> String
prim_integerShow external

prim_integerBitLength :: Int -> PrimInt
prim_integerBitLength external

prim_intToInteger :: PrimInt -> Int
prim_intToInteger external

prim_integerToInt :: Int -> PrimInt
prim_integerToInt external

prim_integerToDouble :: Int -> Float
prim_integerToDouble external

prim_doubleAdd, prim_doubleSub, prim_doubleMul, prim_doubleDiv, prim_doublePow :: Float -> Float -> Float
prim_doubleAdd external
prim_doubleSub external
prim_doubleMul external
prim_doubleDiv external
prim_doublePow external

prim_doubleEq, prim_doubleLt, prim_doubleLe :: Float -> Float -> Bool
prim_doubleEq external
prim_doubleLt external
prim_doubleLe external

prim_doubleNegate, prim_doubleExp, prim_doubleLog, prim_doubleSqrt :: Float -> Float
prim_doubleNegate external
prim_doubleExp external
prim_doubleLog external
prim_doubleSqrt external

prim_doubleSin, prim_doubleCos, prim_doubleTan, prim_doubleAsin, prim_doubleAcos, prim_doubleAtan :: Float -> Float
prim_doubleSin external
prim_doubleCos external
prim_doubleTan external
prim_doubleAsin external
prim_doubleAcos external
prim_doubleAtan external

prim_doubleSinh, prim_doubleCosh, prim_doubleTanh, prim_doubleAsinh, prim_doubleAcosh, prim_doubleAtanh
  :: Float -> Float
prim_doubleSinh external
prim_doubleCosh external
prim_doubleTanh external
prim_doubleAsinh external
prim_doubleAcosh external
prim_doubleAtanh external

prim_doubleTruncate :: Float -> Int
prim_doubleTruncate external

prim_doubleEncode :: Int -> PrimInt -> Float
prim_doubleEncode external

prim_doubleDigits :: Float -> ([PrimInt], PrimInt)
prim_doubleDigits external

prim_charOrd :: Char -> PrimInt
prim_charOrd external

prim_charChr :: PrimInt -> Char
prim_charChr external

prim_charEq, prim_charLt, prim_charLe :: Char -> Char -> Bool
prim_charEq external
prim_charLt external
prim_charLe external

prim_charCompare :: Char -> Char -> Ordering
prim_charCompare external

-- * Primitives of evaluation, of search, and of input and output

prim_seq :: a -> b -> b
prim_seq external

prim_normalForm :: a -> a
prim_normalForm external

prim_groundNormalForm :: a -> a
prim_groundNormalForm external

prim_ensureNotFree :: a -> a
prim_ensureNotFree external

prim_failed :: a
prim_failed external

prim_unify :: a -> a -> Bool
prim_unify external

prim_unifyPattern :: a -> a -> Bool
prim_unifyPattern external

prim_conjunction :: Bool -> Bool -> Bool
prim_conjunction external

prim_raise :: Exception -> a
prim_raise external

prim_catch :: IO a -> (Exception -> IO a) -> IO a
prim_catch external

prim_ioReturn :: a -> IO a
prim_ioReturn external

prim_ioBind :: IO a -> (a -> IO b) -> IO b
prim_ioBind external

prim_unsafePerformIO :: IO a -> a
prim_unsafePerformIO external

prim_stdin, prim_stdout, prim_stderr :: PrimHandle
prim_stdin external
prim_stdout external
prim_stderr external

prim_handleOpen :: String -> PrimInt -> IO PrimHandle
prim_handleOpen external

prim_handleClose, prim_handleFlush :: PrimHandle -> IO ()
prim_handleClose external
prim_handleFlush external

prim_handlePutChar :: PrimHandle -> Char -> IO ()
prim_handlePutChar external

prim_handleGetChar :: PrimHandle -> IO PrimInt
prim_handleGetChar external

prim_handleGetLine :: PrimHandle -> IO String
prim_handleGetLine external

prim_getProgName :: IO String
prim_getProgName external

prim_exit :: PrimInt -> IO a
prim_exit external

-- * Functions

id :: a -> a
id x = x

const :: a -> b -> a
const x _ = x

(.) :: (b -> c) -> (a -> b) -> a -> c
f . g = \x -> f (g x)

flip :: (a -> b -> c) -> b -> a -> c
flip f x y = f y x

curry :: ((a, b) -> c) -> a -> b -> c
curry f x y = f (x, y)

uncurry :: (a -> b -> c) -> (a, b) -> c
uncurry f (x, y) = f x y

-- | `const`, its arguments of one type.
asTypeOf :: a -> a -> a
asTypeOf = const

-- | Apply a function again and again until a predicate holds.
until :: (a -> Bool) -> (a -> a) -> a -> a
until p f x = if p x then x else until p f (f x)

fst :: (a, b) -> a
fst (x, _) = x

snd :: (a, b) -> b
snd (_, y) = y

($) :: (a -> b) -> a -> b
f $ x = f x

-- | Application as a function; flat programs use it.
apply :: (a -> b) -> a -> b
apply f x = f x

-- * Truth values

(&&) :: Bool -> Bool -> Bool
True  && x = x
False && _ = False

(||) :: Bool -> Bool -> Bool
True  || _ = True
False || x = x

not :: Bool -> Bool
not True  = False
not False = True

otherwise :: Bool
otherwise = True

-- | The conditional; it waits while the condition is a free variable.
ifThenElse :: Bool -> a -> a -> a
ifThenElse b t e = case b of
  True  -> t
  False -> e

maybe :: b -> (a -> b) -> Maybe a -> b
maybe n _ Nothing  = n
maybe _ f (Just x) = f x

either :: (a -> c) -> (b -> c) -> Either a b -> c
either f _ (Left x)  = f x
either _ g (Right y) = g y

-- * Evaluation

-- | Evaluate the first argument to head normal form, which may be a free
-- variable, then give the second.
seq :: a -> b -> b
seq x y = prim_seq x y

-- | Apply to the argument's head normal form.
($!) :: (a -> b) -> a -> b
f $! x = prim_seq x (f x)

-- | Apply to the argument's normal form.
($!!) :: (a -> b) -> a -> b
f $!! x = f $! prim_normalForm x

-- | Apply to the argument's head normal form once that is no free variable.
($#) :: (a -> b) -> a -> b
f $# x = f $! prim_ensureNotFree x

-- | Apply to the argument's normal form once that has no free variable.
($##) :: (a -> b) -> a -> b
f $## x = f $! prim_groundNormalForm x

-- | The argument, waited for while it is a free variable.
ensureNotFree :: a -> a
ensureNotFree x = prim_ensureNotFree x

-- | A list whose cells, but not its elements, have been waited for.
ensureSpine :: [a] -> [a]
ensureSpine l = case l of
  []   -> []
  x:xs -> x : ensureSpine xs

normalForm :: a -> a
normalForm x = prim_normalForm x

groundNormalForm :: a -> a
groundNormalForm x = prim_groundNormalForm x

-- * Non-determinism and constraints

-- | The choice: either of the two.
(?) :: a -> a -> a
x ? _ = x
_ ? y = y

-- | Any element of a list that is not empty.
anyOf :: [a] -> a
anyOf [x]            = x
anyOf (x : xs@(_:_)) = x ? anyOf xs

-- | A fresh free variable.
unknown :: Data a => a
unknown = let x free in x

-- | No value at all.
failed :: a
failed = prim_failed

-- | Both sides evaluate to the same data term, to which free variables are
-- bound as far as needed.  There is no context, as in half of the Curry systems:
-- a free variable has its `Data` from where it is declared.
(=:=) :: Data a => a -> a -> Bool
x =:= y = prim_unify x y

-- | `=:=` under the name that some compilers give it.
constrEq :: Data a => a -> a -> Bool
constrEq x y = prim_unify x y

-- | The right side matches a pattern to which the left side evaluates; it is
-- evaluated only as far as the pattern asks.  Functional patterns mean this.
(=:<=) :: Data a => a -> a -> Bool
x =:<= y = prim_unifyPattern x y

-- | `=:<=` for patterns in which no variable occurs twice.
(=:<<=) :: Data a => a -> a -> Bool
x =:<<= y = prim_unifyPattern x y

-- | Both constraints, evaluated in turns: when one waits for a variable, the
-- other goes on.
(&) :: Bool -> Bool -> Bool
x & y = prim_conjunction x y

-- | The second argument if the first one holds, no value otherwise.
(&>) :: Bool -> a -> a
True &> x = x

-- | A rule with a condition; flat programs use it.
cond :: Bool -> a -> a
cond True x = x

-- | What constraints had as their type before Curry 2.
type Success = Bool

success :: Success
success = True

-- | Give `True`, or no value.
solve :: Bool -> Bool
solve True = True

-- | Solve a constraint that has one solution.
doSolve :: Bool -> IO ()
doSolve c | c = return ()

-- | Marks operations that are to be taken as deterministic.
type DET a = a

-- * Data: strict equality and enumeration of values

-- | Types whose values are terms: equality means equal terms, and a free
-- variable may stand for any of them.  No program defines instances.
class Data a where
  (===)  :: a -> a -> Bool
  aValue :: a

(/==) :: Data a => a -> a -> Bool
x /== y = not (x === y)

instance Data Char where
  (===)  = prim_charEq
  aValue = anyOf [minBound .. maxBound]

instance Data Int where
  (===)  = prim_integerEq
  aValue = aNatural ? 0 ? negate aNatural

instance Data Float where
  (===)  = prim_doubleEq
  aValue = aPositiveFloat ? 0 ? negate aPositiveFloat

instance Data a => Data [a] where
  []     === []     = True
  []     === (_:_)  = False
  (_:_)  === []     = False
  (x:xs) === (y:ys) = x === y && xs === ys
  aValue = [] ? (aValue : aValue)

instance Data () where
  () === () = True
  aValue = ()

instance (Data a, Data b) => Data (a, b) where
  (a1, b1) === (a2, b2) = a1 === a2 && b1 === b2
  aValue = (aValue, aValue)

instance (Data a, Data b, Data c) => Data (a, b, c) where
  (a1, b1, c1) === (a2, b2, c2) = a1 === a2 && b1 === b2 && c1 === c2
  aValue = (aValue, aValue, aValue)

instance (Data a, Data b, Data c, Data d) => Data (a, b, c, d) where
  (a1, b1, c1, d1) === (a2, b2, c2, d2) = a1 === a2 && b1 === b2 && c1 === c2 && d1 === d2
  aValue = (aValue, aValue, aValue, aValue)

instance (Data a, Data b, Data c, Data d, Data e) => Data (a, b, c, d, e) where
  (a1, b1, c1, d1, e1) === (a2, b2, c2, d2, e2) = a1 === a2 && b1 === b2 && c1 === c2 && d1 === d2 &&
    e1 === e2
  aValue = (aValue, aValue, aValue, aValue, aValue)

instance (Data a, Data b, Data c, Data d, Data e, Data f) => Data (a, b, c, d, e, f) where
  (a1, b1, c1, d1, e1, f1) === (a2, b2, c2, d2, e2, f2) = a1 === a2 && b1 === b2 && c1 === c2 &&
    d1 === d2 && e1 === e2 && f1 === f2
  aValue = (aValue, aValue, aValue, aValue, aValue, aValue)

instance (Data a, Data b, Data c, Data d, Data e, Data f, Data g)
    => Data (a, b, c, d, e, f, g) where
  (a1, b1, c1, d1, e1, f1, g1) === (a2, b2, c2, d2, e2, f2, g2) = a1 === a2 && b1 === b2 &&
    c1 === c2 && d1 === d2 && e1 === e2 && f1 === f2 && g1 === g2
  aValue = (aValue, aValue, aValue, aValue, aValue, aValue, aValue)

-- | Any number from one on, small ones within few choices.
aNatural :: Int
aNatural = 1 ? (2 * aNatural) ? (2 * aNatural + 1)

-- | Any positive decimal fraction: one number is what stands before the point,
-- the other, read backwards, what stands behind it.
aPositiveFloat :: Float
aPositiveFloat = fromInt aNatural + behindPoint 0.1 aNatural

behindPoint :: Float -> Int -> Float
behindPoint unit n
  | n == 0    = 0
  | otherwise = unit * fromInt (n `mod` 10) + behindPoint (unit / 10) (n `div` 10)

-- * Equality

class Eq a where
  (==), (/=) :: a -> a -> Bool
  x == y = not (x /= y)
  x /= y = not (x == y)

instance Eq Char where
  (==) = prim_charEq

instance Eq Int where
  (==) = prim_integerEq

instance Eq Float where
  (==) = prim_doubleEq

instance Eq a => Eq [a] where
  []     == []     = True
  []     == (_:_)  = False
  (_:_)  == []     = False
  (x:xs) == (y:ys) = x == y && xs == ys

instance Eq () where
  () == () = True

instance (Eq a, Eq b) => Eq (a, b) where
  (a1, b1) == (a2, b2) = a1 == a2 && b1 == b2

instance (Eq a, Eq b, Eq c) => Eq (a, b, c) where
  (a1, b1, c1) == (a2, b2, c2) = a1 == a2 && b1 == b2 && c1 == c2

instance (Eq a, Eq b, Eq c, Eq d) => Eq (a, b, c, d) where
  (a1, b1, c1, d1) == (a2, b2, c2, d2) = a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2

instance (Eq a, Eq b, Eq c, Eq d, Eq e) => Eq (a, b, c, d, e) where
  (a1, b1, c1, d1, e1) == (a2, b2, c2, d2, e2) = a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 &&
    e1 == e2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f) => Eq (a, b, c, d, e, f) where
  (a1, b1, c1, d1, e1, f1) == (a2, b2, c2, d2, e2, f2) = a1 == a2 && b1 == b2 && c1 == c2 &&
    d1 == d2 && e1 == e2 && f1 == f2

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g) => Eq (a, b, c, d, e, f, g) where
  (a1, b1, c1, d1, e1, f1, g1) == (a2, b2, c2, d2, e2, f2, g2) = a1 == a2 && b1 == b2 && c1 == c2 &&
    d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2

eqString :: String -> String -> Bool
eqString []     []     = True
eqString []     (_:_)  = False
eqString (_:_)  []     = False
eqString (x:xs) (y:ys) = prim_charEq x y && eqString xs ys

-- * Order

-- | Total orders.  An instance defines `<=` or `compare`.
class Eq a => Ord a where
  compare              :: a -> a -> Ordering
  (<), (>), (<=), (>=) :: a -> a -> Bool
  min, max             :: a -> a -> a

  compare x y
    | x == y    = EQ
    | x <= y    = LT
    | otherwise = GT
  x < y   = x <= y && x /= y
  x > y   = not (x <= y)
  x <= y  = case compare x y of { LT -> True; EQ -> True; GT -> False }
  x >= y  = y <= x
  min x y = if x <= y then x else y
  max x y = if x >= y then x else y

instance Ord Char where
  compare = prim_charCompare
  (<)     = prim_charLt
  (<=)    = prim_charLe
  x > y   = prim_charLt y x
  x >= y  = prim_charLe y x

instance Ord Int where
  compare = prim_integerCompare
  (<)     = prim_integerLt
  (<=)    = prim_integerLe
  x > y   = prim_integerLt y x
  x >= y  = prim_integerLe y x

instance Ord Float where
  (<)    = prim_doubleLt
  (<=)   = prim_doubleLe
  x > y  = prim_doubleLt y x
  x >= y = prim_doubleLe y x

instance Ord a => Ord [a] where
  compare []     []     = EQ
  compare []     (_:_)  = LT
  compare (_:_)  []     = GT
  compare (x:xs) (y:ys) = compare x y `orElse` compare xs ys

instance Ord () where
  compare () () = EQ

instance (Ord a, Ord b) => Ord (a, b) where
  compare (a1, b1) (a2, b2) =
    compare a1 a2 `orElse` compare b1 b2

instance (Ord a, Ord b, Ord c) => Ord (a, b, c) where
  compare (a1, b1, c1) (a2, b2, c2) =
    compare a1 a2 `orElse` compare b1 b2 `orElse` compare c1 c2

instance (Ord a, Ord b, Ord c, Ord d) => Ord (a, b, c, d) where
  compare (a1, b1, c1, d1) (a2, b2, c2, d2) =
    compare a1 a2 `orElse` compare b1 b2 `orElse` compare c1 c2 `orElse` compare d1 d2

instance (Ord a, Ord b, Ord c, Ord d, Ord e) => Ord (a, b, c, d, e) where
  compare (a1, b1, c1, d1, e1) (a2, b2, c2, d2, e2) =
    compare a1 a2 `orElse` compare b1 b2 `orElse` compare c1 c2 `orElse` compare d1 d2 `orElse`
    compare e1 e2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f) => Ord (a, b, c, d, e, f) where
  compare (a1, b1, c1, d1, e1, f1) (a2, b2, c2, d2, e2, f2) =
    compare a1 a2 `orElse` compare b1 b2 `orElse` compare c1 c2 `orElse` compare d1 d2 `orElse`
    compare e1 e2 `orElse` compare f1 f2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g) => Ord (a, b, c, d, e, f, g) where
  compare (a1, b1, c1, d1, e1, f1, g1) (a2, b2, c2, d2, e2, f2, g2) =
    compare a1 a2 `orElse` compare b1 b2 `orElse` compare c1 c2 `orElse` compare d1 d2 `orElse`
    compare e1 e2 `orElse` compare f1 f2 `orElse` compare g1 g2

-- | The second order where the first one makes no difference.
orElse :: Ordering -> Ordering -> Ordering
orElse LT _ = LT
orElse EQ o = o
orElse GT _ = GT

-- * Numbers: the classes

class Num a where
  (+), (-), (*)       :: a -> a -> a
  negate, abs, signum :: a -> a
  fromInt             :: Int -> a
  x - y    = x + negate y
  negate x = fromInt 0 - x

class Num a => Fractional a where
  (/)       :: a -> a -> a
  recip     :: a -> a
  fromFloat :: Float -> a
  recip x = fromInt 1 / x
  x / y   = x * recip y

class (Num a, Ord a) => Real a where
  toFloat :: a -> Float

-- | Division towards zero is `quot`, towards minus infinity is `div`.
class (Real a, Enum a) => Integral a where
  div, mod, quot, rem :: a -> a -> a
  divMod, quotRem     :: a -> a -> (a, a)
  toInt               :: a -> Int
  div x y  = fst (divMod x y)
  mod x y  = snd (divMod x y)
  quot x y = fst (quotRem x y)
  rem x y  = snd (quotRem x y)

class (Real a, Fractional a) => RealFrac a where
  properFraction                  :: Integral b => a -> (b, a)
  truncate, round, ceiling, floor :: Integral b => a -> b
  truncate x = fst (properFraction x)
  ceiling x  = case properFraction x of (n, r) -> if r > fromInt 0 then n + fromInt 1 else n
  floor x    = case properFraction x of (n, r) -> if r < fromInt 0 then n - fromInt 1 else n
  round x    = case properFraction x of
    (n, r) -> let away = if r < fromInt 0 then n - fromInt 1 else n + fromInt 1
              in case compare (abs r) (fromFloat 0.5) of
                   LT -> n
                   EQ -> if even n then n else away
                   GT -> away

class Fractional a => Floating a where
  pi                  :: a
  exp, log, sqrt      :: a -> a
  (**), logBase       :: a -> a -> a
  sin, cos, tan       :: a -> a
  asin, acos, atan    :: a -> a
  sinh, cosh, tanh    :: a -> a
  asinh, acosh, atanh :: a -> a
  sqrt x      = x ** fromFloat 0.5
  x ** y      = exp (log x * y)
  logBase b x = log x / log b
  tan x       = sin x / cos x
  tanh x      = sinh x / cosh x

-- * Numbers: the instances

instance Num Int where
  (+)      = prim_integerAdd
  (-)      = prim_integerSub
  (*)      = prim_integerMul
  negate   = prim_integerNegate
  abs x    = if prim_integerLt x 0 then prim_integerNegate x else x
  signum x = case prim_integerCompare x 0 of { LT -> -1; EQ -> 0; GT -> 1 }
  fromInt n = n

instance Real Int where
  toFloat = prim_integerToDouble

instance Integral Int where
  div         = prim_integerDiv
  mod         = prim_integerMod
  quot        = prim_integerQuot
  rem         = prim_integerRem
  divMod x y  = (prim_integerDiv x y, prim_integerMod x y)
  quotRem x y = (prim_integerQuot x y, prim_integerRem x y)
  toInt n     = n

instance Num Float where
  (+)    = prim_doubleAdd
  (-)    = prim_doubleSub
  (*)    = prim_doubleMul
  negate = prim_doubleNegate
  abs x  = if x < 0 then prim_doubleNegate x else x
  signum x
    | x > 0     = 1
    | x == 0    = 0
    | otherwise = -1
  fromInt = prim_integerToDouble

instance Fractional Float where
  (/)         = prim_doubleDiv
  fromFloat x = x

instance Real Float where
  toFloat x = x

instance RealFrac Float where
  properFraction x = let n = prim_doubleTruncate x
                     in (fromInt n, prim_doubleSub x (prim_integerToDouble n))
  truncate x = fromInt (prim_doubleTruncate x)

instance Floating Float where
  pi    = 3.141592653589793
  exp   = prim_doubleExp
  log   = prim_doubleLog
  sqrt  = prim_doubleSqrt
  (**)  = prim_doublePow
  sin   = prim_doubleSin
  cos   = prim_doubleCos
  tan   = prim_doubleTan
  asin  = prim_doubleAsin
  acos  = prim_doubleAcos
  atan  = prim_doubleAtan
  sinh  = prim_doubleSinh
  cosh  = prim_doubleCosh
  tanh  = prim_doubleTanh
  asinh = prim_doubleAsinh
  acosh = prim_doubleAcosh
  atanh = prim_doubleAtanh

-- * Numbers: functions

even :: Integral a => a -> Bool
even n = n `rem` fromInt 2 == fromInt 0

odd :: Integral a => a -> Bool
odd n = not (even n)

fromIntegral :: (Integral a, Num b) => a -> b
fromIntegral n = fromInt (toInt n)

realToFrac :: (Real a, Fractional b) => a -> b
realToFrac x = fromFloat (toFloat x)

-- | A power with a whole exponent that is not negative, by squaring.
(^) :: (Num a, Integral b) => a -> b -> a
x ^ n
  | n < fromInt 0  = error "Negative exponent"
  | n == fromInt 0 = fromInt 1
  | otherwise      = power x n

-- | `x ^ n` for a positive exponent.
power :: (Num a, Integral b) => a -> b -> a
power x n
  | n == fromInt 1 = x
  | even n         = power (x * x) (n `quot` fromInt 2)
  | otherwise      = powerTimes (x * x) (n `quot` fromInt 2) x

-- | `x ^ n * y` for a positive exponent.
powerTimes :: (Num a, Integral b) => a -> b -> a -> a
powerTimes x n y
  | n == fromInt 1 = x * y
  | even n         = powerTimes (x * x) (n `quot` fromInt 2) y
  | otherwise      = powerTimes (x * x) (n `quot` fromInt 2) (x * y)

-- * Bounds and enumerations

class Bounded a where
  minBound, maxBound :: a

instance Bounded Char where
  minBound = '\0'
  maxBound = '\x10FFFF'

instance Bounded () where
  minBound = ()
  maxBound = ()

instance (Bounded a, Bounded b) => Bounded (a, b) where
  minBound = (minBound, minBound)
  maxBound = (maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c) => Bounded (a, b, c) where
  minBound = (minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d) => Bounded (a, b, c, d) where
  minBound = (minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e) => Bounded (a, b, c, d, e) where
  minBound = (minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e, Bounded f)
    => Bounded (a, b, c, d, e, f) where
  minBound = (minBound, minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound, maxBound)

instance (Bounded a, Bounded b, Bounded c, Bounded d, Bounded e, Bounded f, Bounded g)
    => Bounded (a, b, c, d, e, f, g) where
  minBound = (minBound, minBound, minBound, minBound, minBound, minBound, minBound)
  maxBound = (maxBound, maxBound, maxBound, maxBound, maxBound, maxBound, maxBound)

-- | Types that can be listed one value after the other; `[a, b .. c]` means
-- these methods.
class Enum a where
  succ, pred     :: a -> a
  toEnum         :: Int -> a
  fromEnum       :: a -> Int
  enumFrom       :: a -> [a]
  enumFromThen   :: a -> a -> [a]
  enumFromTo     :: a -> a -> [a]
  enumFromThenTo :: a -> a -> a -> [a]
  succ x               = toEnum (fromEnum x + 1)
  pred x               = toEnum (fromEnum x - 1)
  enumFrom x           = map toEnum (enumFrom (fromEnum x))
  enumFromThen x y     = map toEnum (enumFromThen (fromEnum x) (fromEnum y))
  enumFromTo x y       = map toEnum (enumFromTo (fromEnum x) (fromEnum y))
  enumFromThenTo x y z = map toEnum (enumFromThenTo (fromEnum x) (fromEnum y) (fromEnum z))

instance Enum Int where
  succ n               = n + 1
  pred n               = n - 1
  toEnum n             = n
  fromEnum n           = n
  enumFrom n           = n : enumFrom (n + 1)
  enumFromThen n m     = iterate (+ (m - n)) n
  enumFromTo n m       = if n > m then [] else n : enumFromTo (n + 1) m
  enumFromThenTo n m l = if m >= n then upTo (m - n) n l else downTo (m - n) n l

-- | From a number by steps that are not negative, as far as a last number.
upTo :: Int -> Int -> Int -> [Int]
upTo step n l = if n > l then [] else n : upTo step (n + step) l

-- | The same with steps that are negative.
downTo :: Int -> Int -> Int -> [Int]
downTo step n l = if n < l then [] else n : downTo step (n + step) l

instance Enum Char where
  succ c | c < maxBound = chr (ord c + 1)
  pred c | c > minBound = chr (ord c - 1)
  toEnum             = chr
  fromEnum           = ord
  enumFrom c         = enumFromTo c maxBound
  enumFromThen c d   = enumFromThenTo c d (if d >= c then maxBound else minBound)

instance Enum () where
  succ _                   = failed
  pred _                   = failed
  toEnum n | n == 0        = ()
  fromEnum ()              = 0
  enumFrom ()              = [()]
  enumFromThen () ()       = repeat ()
  enumFromTo () ()         = [()]
  enumFromThenTo () () ()  = repeat ()

-- * Monoids

class Monoid a where
  mempty  :: a
  mappend :: a -> a -> a
  mconcat :: [a] -> a
  mconcat xs = foldr mappend mempty xs

instance Monoid [a] where
  mempty  = []
  mappend = (++)
  mconcat = concat

instance Monoid () where
  mempty      = ()
  mappend _ _ = ()
  mconcat _   = ()

instance Monoid Ordering where
  mempty  = EQ
  mappend = orElse

instance Monoid b => Monoid (a -> b) where
  mempty      = \_ -> mempty
  mappend f g = \x -> mappend (f x) (g x)

instance Monoid a => Monoid (Maybe a) where
  mempty = Nothing
  mappend Nothing  m        = m
  mappend (Just x) Nothing  = Just x
  mappend (Just x) (Just y) = Just (mappend x y)

instance Monoid a => Monoid (IO a) where
  mempty  = prim_ioReturn mempty
  mappend = liftM2 mappend

instance (Monoid a, Monoid b) => Monoid (a, b) where
  mempty = (mempty, mempty)
  mappend (a1, b1) (a2, b2) = (mappend a1 a2, mappend b1 b2)

instance (Monoid a, Monoid b, Monoid c) => Monoid (a, b, c) where
  mempty = (mempty, mempty, mempty)
  mappend (a1, b1, c1) (a2, b2, c2) = (mappend a1 a2, mappend b1 b2, mappend c1 c2)

instance (Monoid a, Monoid b, Monoid c, Monoid d) => Monoid (a, b, c, d) where
  mempty = (mempty, mempty, mempty, mempty)
  mappend (a1, b1, c1, d1) (a2, b2, c2, d2) =
    (mappend a1 a2, mappend b1 b2, mappend c1 c2, mappend d1 d2)

instance (Monoid a, Monoid b, Monoid c, Monoid d, Monoid e) => Monoid (a, b, c, d, e) where
  mempty = (mempty, mempty, mempty, mempty, mempty)
  mappend (a1, b1, c1, d1, e1) (a2, b2, c2, d2, e2) =
    (mappend a1 a2, mappend b1 b2, mappend c1 c2, mappend d1 d2,
     mappend e1 e2)

instance (Monoid a, Monoid b, Monoid c, Monoid d, Monoid e, Monoid f)
    => Monoid (a, b, c, d, e, f) where
  mempty = (mempty, mempty, mempty, mempty, mempty, mempty)
  mappend (a1, b1, c1, d1, e1, f1) (a2, b2, c2, d2, e2, f2) =
    (mappend a1 a2, mappend b1 b2, mappend c1 c2, mappend d1 d2,
     mappend e1 e2, mappend f1 f2)

instance (Monoid a, Monoid b, Monoid c, Monoid d, Monoid e, Monoid f, Monoid g)
    => Monoid (a, b, c, d, e, f, g) where
  mempty = (mempty, mempty, mempty, mempty, mempty, mempty, mempty)
  mappend (a1, b1, c1, d1, e1, f1, g1) (a2, b2, c2, d2, e2, f2, g2) =
    (mappend a1 a2, mappend b1 b2, mappend c1 c2, mappend d1 d2,
     mappend e1 e2, mappend f1 f2, mappend g1 g2)

-- * Functors and monads

class Functor f where
  fmap :: (a -> b) -> f a -> f b
  (<$) :: a -> f b -> f a
  x <$ m = fmap (const x) m

-- | An instance defines `pure` and one of `<*>` and `liftA2`.
class Functor f => Applicative f where
  pure   :: a -> f a
  (<*>)  :: f (a -> b) -> f a -> f b
  (*>)   :: f a -> f b -> f b
  (<*)   :: f a -> f b -> f a
  liftA2 :: (a -> b -> c) -> f a -> f b -> f c
  f <*> m      = liftA2 id f m
  m *> n       = (id <$ m) <*> n
  m <* n       = liftA2 const m n
  liftA2 f m n = fmap f m <*> n

-- | `some` is one or more times, `many` is any number of times.
class Applicative f => Alternative f where
  empty      :: f a
  (<|>)      :: f a -> f a -> f a
  some, many :: f a -> f [a]
  some v = liftA2 (:) v (many v)
  many v = some v <|> pure []

class Applicative m => Monad m where
  (>>=)  :: m a -> (a -> m b) -> m b
  (>>)   :: m a -> m b -> m b
  return :: a -> m a
  m >> n = m >>= \_ -> n
  return = pure

class Monad m => MonadFail m where
  fail :: String -> m a

instance Functor [] where
  fmap = map

instance Applicative [] where
  pure x         = [x]
  fs <*> xs      = concatMap (\f -> map f xs) fs
  xs *> ys       = concatMap (const ys) xs
  liftA2 f xs ys = concatMap (\x -> map (f x) ys) xs

instance Alternative [] where
  empty = []
  (<|>) = (++)

instance Monad [] where
  xs >>= f = concatMap f xs
  (>>)     = (*>)

instance MonadFail [] where
  fail _ = []

instance Functor Maybe where
  fmap _ Nothing  = Nothing
  fmap f (Just x) = Just (f x)

instance Applicative Maybe where
  pure = Just
  Nothing <*> _ = Nothing
  Just f  <*> m = fmap f m
  Nothing *> _ = Nothing
  Just _  *> m = m
  liftA2 _ Nothing  _ = Nothing
  liftA2 f (Just x) m = fmap (f x) m

instance Alternative Maybe where
  empty = Nothing
  Nothing <|> m = m
  Just x  <|> _ = Just x

instance Monad Maybe where
  Nothing >>= _ = Nothing
  Just x  >>= f = f x
  (>>) = (*>)

instance MonadFail Maybe where
  fail _ = Nothing

instance Functor (Either e) where
  fmap _ (Left e)  = Left e
  fmap f (Right x) = Right (f x)

instance Applicative (Either e) where
  pure = Right
  Left e  <*> _ = Left e
  Right f <*> m = fmap f m

instance Monad (Either e) where
  Left e  >>= _ = Left e
  Right x >>= f = f x

instance Functor ((->) r) where
  fmap = (.)

instance Applicative ((->) r) where
  pure         = const
  f <*> g      = \r -> f r (g r)
  liftA2 h f g = \r -> h (f r) (g r)

instance Monad ((->) r) where
  f >>= g = \r -> g (f r) r

instance Functor IO where
  fmap f m = prim_ioBind m (\x -> prim_ioReturn (f x))

instance Applicative IO where
  pure   = prim_ioReturn
  (<*>)  = ap
  m *> n = prim_ioBind m (\_ -> n)
  liftA2 = liftM2

instance Alternative IO where
  empty   = fail "mzero"
  m <|> n = catch m (\_ -> n)

instance Monad IO where
  (>>=) = prim_ioBind
  (>>)  = (*>)

instance MonadFail IO where
  fail s = ioError (userError s)

(<$>) :: Functor f => (a -> b) -> f a -> f b
f <$> m = fmap f m

(=<<) :: Monad m => (a -> m b) -> m a -> m b
f =<< m = m >>= f

ap :: Monad m => m (a -> b) -> m a -> m b
ap mf mx = mf >>= \f -> mx >>= \x -> return (f x)

liftM2 :: Monad m => (a -> b -> c) -> m a -> m b -> m c
liftM2 f mx my = mx >>= \x -> my >>= \y -> return (f x y)

sequence :: Monad m => [m a] -> m [a]
sequence []     = return []
sequence (m:ms) = m >>= \x -> sequence ms >>= \xs -> return (x : xs)

sequence_ :: Monad m => [m a] -> m ()
sequence_ []     = return ()
sequence_ (m:ms) = m >> sequence_ ms

mapM :: Monad m => (a -> m b) -> [a] -> m [b]
mapM f xs = sequence (map f xs)

mapM_ :: Monad m => (a -> m b) -> [a] -> m ()
mapM_ f xs = sequence_ (map f xs)

-- * Lists

head :: [a] -> a
head (x:_) = x

tail :: [a] -> [a]
tail (_:xs) = xs

null :: [a] -> Bool
null []    = True
null (_:_) = False

-- | One list after the other; flexible, so it also takes lists apart.
(++) :: [a] -> [a] -> [a]
[]     ++ ys = ys
(x:xs) ++ ys = x : (xs ++ ys)

length :: [a] -> Int
length []     = 0
length (_:xs) = 1 + length xs

-- | An element by its position, from 0.
(!!) :: [a] -> Int -> a
(x:xs) !! n
  | n == 0 = x
  | n > 0  = xs !! (n - 1)

map :: (a -> b) -> [a] -> [b]
map _ []     = []
map f (x:xs) = f x : map f xs

foldl :: (b -> a -> b) -> b -> [a] -> b
foldl _ z []     = z
foldl f z (x:xs) = foldl f (f z x) xs

foldl1 :: (a -> a -> a) -> [a] -> a
foldl1 f (x:xs) = foldl f x xs

foldr :: (a -> b -> b) -> b -> [a] -> b
foldr _ z []     = z
foldr f z (x:xs) = f x (foldr f z xs)

foldr1 :: (a -> a -> a) -> [a] -> a
foldr1 _ [x]            = x
foldr1 f (x : xs@(_:_)) = f x (foldr1 f xs)

filter :: (a -> Bool) -> [a] -> [a]
filter _ []     = []
filter p (x:xs) = if p x then x : filter p xs else filter p xs

zip :: [a] -> [b] -> [(a, b)]
zip xs ys = zipWith (,) xs ys

zip3 :: [a] -> [b] -> [c] -> [(a, b, c)]
zip3 xs ys zs = zipWith3 (,,) xs ys zs

zipWith :: (a -> b -> c) -> [a] -> [b] -> [c]
zipWith _ []     _      = []
zipWith _ (_:_)  []     = []
zipWith f (x:xs) (y:ys) = f x y : zipWith f xs ys

zipWith3 :: (a -> b -> c -> d) -> [a] -> [b] -> [c] -> [d]
zipWith3 _ []     _      _      = []
zipWith3 _ (_:_)  []     _      = []
zipWith3 _ (_:_)  (_:_)  []     = []
zipWith3 f (x:xs) (y:ys) (z:zs) = f x y z : zipWith3 f xs ys zs

unzip :: [(a, b)] -> ([a], [b])
unzip []          = ([], [])
unzip ((x, y):ps) = let (xs, ys) = unzip ps in (x : xs, y : ys)

unzip3 :: [(a, b, c)] -> ([a], [b], [c])
unzip3 []             = ([], [], [])
unzip3 ((x, y, z):ts) = let (xs, ys, zs) = unzip3 ts in (x : xs, y : ys, z : zs)

concat :: [[a]] -> [a]
concat []       = []
concat (xs:xss) = xs ++ concat xss

concatMap :: (a -> [b]) -> [a] -> [b]
concatMap f xs = concat (map f xs)

iterate :: (a -> a) -> a -> [a]
iterate f x = x : iterate f (f x)

repeat :: a -> [a]
repeat x = let xs = x : xs in xs

replicate :: Int -> a -> [a]
replicate n x = if n <= 0 then [] else x : replicate (n - 1) x

take :: Int -> [a] -> [a]
take n xs = if n <= 0 then [] else takeSome n xs

takeSome :: Int -> [a] -> [a]
takeSome _ []     = []
takeSome n (x:xs) = x : take (n - 1) xs

drop :: Int -> [a] -> [a]
drop n xs = if n <= 0 then xs else dropSome n xs

dropSome :: Int -> [a] -> [a]
dropSome _ []     = []
dropSome n (_:xs) = drop (n - 1) xs

splitAt :: Int -> [a] -> ([a], [a])
splitAt n xs = if n <= 0 then ([], xs) else splitSome n xs

splitSome :: Int -> [a] -> ([a], [a])
splitSome _ []     = ([], [])
splitSome n (x:xs) = let (ys, zs) = splitAt (n - 1) xs in (x : ys, zs)

takeWhile :: (a -> Bool) -> [a] -> [a]
takeWhile _ []     = []
takeWhile p (x:xs) = if p x then x : takeWhile p xs else []

dropWhile :: (a -> Bool) -> [a] -> [a]
dropWhile _ []     = []
dropWhile p (x:xs) = if p x then dropWhile p xs else x : xs

span :: (a -> Bool) -> [a] -> ([a], [a])
span _ []     = ([], [])
span p (x:xs) = if p x then (let (ys, zs) = span p xs in (x : ys, zs)) else ([], x : xs)

break :: (a -> Bool) -> [a] -> ([a], [a])
break p xs = span (not . p) xs

reverse :: [a] -> [a]
reverse xs = reverseOnto [] xs

-- | A list backwards, before another one.
reverseOnto :: [a] -> [a] -> [a]
reverseOnto ys []     = ys
reverseOnto ys (x:xs) = reverseOnto (x : ys) xs

and :: [Bool] -> Bool
and []     = True
and (b:bs) = b && and bs

or :: [Bool] -> Bool
or []     = False
or (b:bs) = b || or bs

any :: (a -> Bool) -> [a] -> Bool
any p xs = or (map p xs)

all :: (a -> Bool) -> [a] -> Bool
all p xs = and (map p xs)

elem :: Eq a => a -> [a] -> Bool
elem x ys = any (x ==) ys

notElem :: Eq a => a -> [a] -> Bool
notElem x ys = all (x /=) ys

lookup :: Eq a => a -> [(a, b)] -> Maybe b
lookup _ []          = Nothing
lookup k ((x, y):ps) = if k == x then Just y else lookup k ps

-- * Characters and strings

ord :: Char -> Int
ord c = prim_intToInteger (prim_charOrd c)

-- | The character with a code; the first or the last one if there is none.
chr :: Int -> Char
chr n
  | n < 0       = minBound
  | n > 1114111 = maxBound
  | otherwise   = prim_charChr (prim_integerToInt n)

-- Letters and digits are those of ASCII, as in all Curry systems.

isUpper :: Char -> Bool
isUpper c = 'A' <= c && c <= 'Z'

isLower :: Char -> Bool
isLower c = 'a' <= c && c <= 'z'

isAlpha :: Char -> Bool
isAlpha c = isUpper c || isLower c

isDigit :: Char -> Bool
isDigit c = '0' <= c && c <= '9'

isAlphaNum :: Char -> Bool
isAlphaNum c = isAlpha c || isDigit c

isBinDigit :: Char -> Bool
isBinDigit c = c == '0' || c == '1'

isOctDigit :: Char -> Bool
isOctDigit c = '0' <= c && c <= '7'

isHexDigit :: Char -> Bool
isHexDigit c = isDigit c || 'A' <= c && c <= 'F' || 'a' <= c && c <= 'f'

isSpace :: Char -> Bool
isSpace c = c == ' ' || '\t' <= c && c <= '\r' || c == '\xa0'
  || c > '\xff' && ord c `elem` [0x1680, 0x180e, 0x2000, 0x202f, 0x205f, 0x3000]

-- | The lines of a text, without their ends.
lines :: String -> [String]
lines []       = []
lines s@(_:_)  = let (l, rest) = break (== '\n') s in l : lines (drop 1 rest)

unlines :: [String] -> String
unlines ls = concatMap (++ "\n") ls

words :: String -> [String]
words s = case dropWhile isSpace s of
  []       -> []
  t@(_:_)  -> let (w, rest) = break isSpace t in w : words rest

unwords :: [String] -> String
unwords []             = ""
unwords [w]            = w
unwords (w : ws@(_:_)) = w ++ ' ' : unwords ws

-- * Showing

-- | A text, as a function that puts it before another one.
type ShowS = String -> String

class Show a where
  show      :: a -> String
  showsPrec :: Int -> a -> ShowS
  showList  :: [a] -> ShowS
  show x          = showsPrec 0 x ""
  showsPrec _ x s = show x ++ s
  showList xs     = showElements xs

shows :: Show a => a -> ShowS
shows x = showsPrec 0 x

showChar :: Char -> ShowS
showChar c s = c : s

showString :: String -> ShowS
showString t s = t ++ s

-- | In parentheses if the condition holds.
showParen :: Bool -> ShowS -> ShowS
showParen b f = if b then showChar '(' . f . showChar ')' else f

showTuple :: [ShowS] -> ShowS
showTuple fs = showChar '(' . foldr1 (\f g -> f . showChar ',' . g) fs . showChar ')'

showElements :: Show a => [a] -> ShowS
showElements []     = showString "[]"
showElements (x:xs) = showChar '[' . shows x . foldr (\y f -> showChar ',' . shows y . f) (showChar ']') xs

instance Show Int where
  show n = prim_integerShow n
  showsPrec d n = showParen (d > 6 && n < 0) (showString (prim_integerShow n))

instance Show Float where
  showsPrec d x
    | x < 0     = showParen (d > 6) (showChar '-' . showString (showFloat (prim_doubleNegate x)))
    | otherwise = showString (showFloat x)

-- | A number that is not negative: plain from 0.1 up to ten million, with an
-- exponent otherwise.
showFloat :: Float -> String
showFloat x
  | x == 0    = "0.0"
  | x /= x    = "NaN"
  | x == 2 * x = "Infinity"
  | otherwise = case prim_doubleDigits x of
      (ds, e) -> placePoint (map (\d -> chr (ord '0' + prim_intToInteger d)) ds) (prim_intToInteger e)

-- | The digits of `0.ddd * 10^e` with their point.
placePoint :: String -> Int -> String
placePoint ds e
  | e < 0 || e > 7 = take 1 ds ++ '.' : orZero (drop 1 ds) ++ 'e' : show (e - 1)
  | e == 0         = "0." ++ ds
  | otherwise      = take e (ds ++ repeat '0') ++ '.' : orZero (drop e ds)
  where orZero s = if null s then "0" else s

instance Show Char where
  showsPrec _ c = showChar '\'' . showString (if c == '\'' then "\\'" else charLiteral c) . showChar '\''
  showList cs   = showChar '"' . showString (stringLiteral cs) . showChar '"'

instance Show a => Show [a] where
  showsPrec _ xs = showList xs

instance Show () where
  showsPrec _ () = showString "()"

instance (Show a, Show b) => Show (a, b) where
  showsPrec _ (a, b) = showTuple [shows a, shows b]

instance (Show a, Show b, Show c) => Show (a, b, c) where
  showsPrec _ (a, b, c) = showTuple [shows a, shows b, shows c]

instance (Show a, Show b, Show c, Show d) => Show (a, b, c, d) where
  showsPrec _ (a, b, c, d) = showTuple [shows a, shows b, shows c, shows d]

instance (Show a, Show b, Show c, Show d, Show e) => Show (a, b, c, d, e) where
  showsPrec _ (a, b, c, d, e) = showTuple [shows a, shows b, shows c, shows d, shows e]

instance (Show a, Show b, Show c, Show d, Show e, Show f) => Show (a, b, c, d, e, f) where
  showsPrec _ (a, b, c, d, e, f) = showTuple [shows a, shows b, shows c, shows d, shows e, shows f]

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g)
    => Show (a, b, c, d, e, f, g) where
  showsPrec _ (a, b, c, d, e, f, g) = showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g]

-- | A character as in the source, without quotes around it.
charLiteral :: Char -> String
charLiteral c
  | c == '\\'  = "\\\\"
  | c == '\DEL' = "\\DEL"
  | c > '\DEL' = '\\' : show (ord c)
  | c >= ' '   = [c]
  | otherwise  = '\\' : (["NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r"]
                         ++ drop 14 controlNames) !! ord c

-- | The characters of a string as in the source.  `\&` keeps a code apart from
-- a digit, and `\SO` from an `H`.
stringLiteral :: String -> String
stringLiteral []     = ""
stringLiteral (c:cs)
  | c == '"'                             = "\\\"" ++ stringLiteral cs
  | c > '\DEL' && startsWith isDigit cs  = charLiteral c ++ "\\&" ++ stringLiteral cs
  | c == '\SO' && startsWith (== 'H') cs = "\\SO\\&" ++ stringLiteral cs
  | otherwise                            = charLiteral c ++ stringLiteral cs

startsWith :: (a -> Bool) -> [a] -> Bool
startsWith _ []    = False
startsWith p (x:_) = p x

-- | The names of the control characters, from 0.
controlNames :: [String]
controlNames =
  [ "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI"
  , "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US" ]

-- * Reading

-- | All ways to read a value from the beginning of a text, each with the rest.
type ReadS a = String -> [(a, String)]

class Read a where
  readsPrec :: Int -> ReadS a
  readList  :: ReadS [a]
  readList s = readElements s

reads :: Read a => ReadS a
reads s = readsPrec 0 s

-- | The value that a whole text stands for; no value if there is not just one.
read :: Read a => String -> a
read s = case [x | (x, rest) <- reads s, all isSpace rest] of
  [x] -> x

-- | What a reader reads, in parentheses or, unless these must be there, without.
readParen :: Bool -> ReadS a -> ReadS a
readParen must reader = if must then within else either'
  where
    either' s = reader s ++ within s
    within s  = [(x, s3) | ("(", s1) <- lex s, (x, s2) <- either' s1, (")", s3) <- lex s2]

readElements :: Read a => ReadS [a]
readElements = readParen False (\s -> [result | ("[", s1) <- lex s, result <- first s1])
  where
    first s = [([], s1) | ("]", s1) <- lex s]
           ++ [(x : xs, s2) | (x, s1) <- reads s, (xs, s2) <- next s1]
    next s  = [([], s1) | ("]", s1) <- lex s]
           ++ [(x : xs, s3) | (",", s1) <- lex s, (x, s2) <- reads s1, (xs, s3) <- next s2]

instance Read Int where
  readsPrec _ = readSigned (\t -> if all isDigit t then [digitsToInt 10 t] else [])

instance Read Float where
  readsPrec _ = readSigned (\t -> [floatOfLexeme t])

-- | A number from a lexeme that begins with a digit, perhaps after a minus.
readSigned :: Num a => (String -> [a]) -> ReadS a
readSigned value = readParen False (\s -> positive s ++ [(negate x, s2) | ("-", s1) <- lex s, (x, s2) <- positive s1])
  where positive s = [(x, s1) | (t, s1) <- lex s, startsWith isDigit t, x <- value t]

digitsToInt :: Int -> String -> Int
digitsToInt base ds = foldl (\n d -> base * n + digitValue d) 0 ds

digitValue :: Char -> Int
digitValue c
  | isDigit c = ord c - ord '0'
  | isUpper c = ord c - ord 'A' + 10
  | otherwise = ord c - ord 'a' + 10

-- | The number that `12`, `1.5` or `1.5e-3` stands for.
floatOfLexeme :: String -> Float
floatOfLexeme t = scaled (digitsToInt 10 (whole ++ decimals)) (exponent - length decimals)
  where
    (whole, rest)    = span isDigit t
    (decimals, rest') = case rest of
      '.':s -> span isDigit s
      _     -> ("", rest)
    exponent = case rest' of
      _:'-':ds -> negate (digitsToInt 10 ds)
      _:'+':ds -> digitsToInt 10 ds
      _:ds     -> digitsToInt 10 ds
      []       -> 0
    scaled n e
      | n == 0    = 0
      | e >= 0    = prim_integerToDouble (n * 10 ^ e)
      | otherwise = nearestFloat n (10 ^ negate e)

-- | The floating point number nearest to a positive fraction: its first 53 bits
-- by whole division, fewer below the smallest normal number.
nearestFloat :: Int -> Int -> Float
nearestFloat n d = fit (max (-1074) (bits n - bits d - 53))
  where
    bits m = prim_intToInteger (prim_integerBitLength m)
    fit e
      | bits q > 53 = fit (e + 1)
      | otherwise   = prim_doubleEncode (rounded (compare (2 * r) below)) (prim_integerToInt e)
      where
        above = if e < 0 then n * 2 ^ negate e else n
        below = if e > 0 then d * 2 ^ e else d
        q     = above `quot` below
        r     = above `rem` below
        rounded o = case o of
          LT -> q
          EQ -> if even q then q else q + 1
          GT -> q + 1

instance Read Char where
  readsPrec _ = readParen False (\s -> [(c, s1) | ('\'':t, s1) <- lex s, (_, Just c, "'") <- charItem t])
  readList s  = readParen False (\r -> [(cs, r1) | ('"':t, r1) <- lex r, cs <- stringOfLexeme t]) s ++ readElements s

instance Read a => Read [a] where
  readsPrec _ = readList

instance Read () where
  readsPrec _ = readParen False (\s -> [((), s2) | ("(", s1) <- lex s, (")", s2) <- lex s1])

instance (Read a, Read b) => Read (a, b) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b), r5)
    | ("(", r1) <- lex r, (a, r2) <- reads r1, (",", r3) <- lex r2
    , (b, r4) <- reads r3, (")", r5) <- lex r4 ])

instance (Read a, Read b, Read c) => Read (a, b, c) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c), r7)
    | ("(", r1) <- lex r, (a, r2) <- reads r1, (",", r3) <- lex r2
    , (b, r4) <- reads r3, (",", r5) <- lex r4, (c, r6) <- reads r5
    , (")", r7) <- lex r6 ])

instance (Read a, Read b, Read c, Read d) => Read (a, b, c, d) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d), r9)
    | ("(", r1) <- lex r, (a, r2) <- reads r1, (",", r3) <- lex r2
    , (b, r4) <- reads r3, (",", r5) <- lex r4, (c, r6) <- reads r5
    , (",", r7) <- lex r6, (d, r8) <- reads r7, (")", r9) <- lex r8 ])

instance (Read a, Read b, Read c, Read d, Read e) => Read (a, b, c, d, e) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e), r11)
    | ("(", r1) <- lex r, (a, r2) <- reads r1, (",", r3) <- lex r2
    , (b, r4) <- reads r3, (",", r5) <- lex r4, (c, r6) <- reads r5
    , (",", r7) <- lex r6, (d, r8) <- reads r7, (",", r9) <- lex r8
    , (e, r10) <- reads r9, (")", r11) <- lex r10 ])

instance (Read a, Read b, Read c, Read d, Read e, Read f) => Read (a, b, c, d, e, f) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e, f), r13)
    | ("(", r1) <- lex r, (a, r2) <- reads r1, (",", r3) <- lex r2
    , (b, r4) <- reads r3, (",", r5) <- lex r4, (c, r6) <- reads r5
    , (",", r7) <- lex r6, (d, r8) <- reads r7, (",", r9) <- lex r8
    , (e, r10) <- reads r9, (",", r11) <- lex r10, (f, r12) <- reads r11
    , (")", r13) <- lex r12 ])

instance (Read a, Read b, Read c, Read d, Read e, Read f, Read g)
    => Read (a, b, c, d, e, f, g) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e, f, g), r15)
    | ("(", r1) <- lex r, (a, r2) <- reads r1, (",", r3) <- lex r2
    , (b, r4) <- reads r3, (",", r5) <- lex r4, (c, r6) <- reads r5
    , (",", r7) <- lex r6, (d, r8) <- reads r7, (",", r9) <- lex r8
    , (e, r10) <- reads r9, (",", r11) <- lex r10, (f, r12) <- reads r11
    , (",", r13) <- lex r12, (g, r14) <- reads r13, (")", r15) <- lex r14 ])

-- | The string that stands before the closing quote.
stringOfLexeme :: String -> [String]
stringOfLexeme s = case s of
  "\"" -> [""]
  _    -> [maybe cs (: cs) item | (_, item, s1) <- charItem s, cs <- stringOfLexeme s1]

-- | One character as in the source: its text, what it stands for, and the rest.
-- The `\&` and the gaps of strings stand for nothing.
charItem :: String -> [(String, Maybe Char, String)]
charItem s = case s of
  []     -> []
  '\\':t -> [('\\' : text, meaning, rest) | (text, meaning, rest) <- escape t]
  c:t    -> [([c], Just c, t)]

escape :: String -> [(String, Maybe Char, String)]
escape s = case s of
  []      -> []
  '&':t   -> [("&", Nothing, t)]
  '^':c:t -> [(['^', c], Just (chr (ord c - 64)), t) | '@' <= c && c <= '_']
  'o':t   -> code "o" 8 (span isOctDigit t)
  'x':t   -> code "x" 16 (span isHexDigit t)
  c:t
    | isSpace c -> [("&", Nothing, rest) | '\\':rest <- [dropWhile isSpace t]]
    | isDigit c -> code "" 10 (span isDigit s)
    | isUpper c -> take 1 [(name, Just x, rest) | (name, x) <- namedChars
                                                , let (begin, rest) = splitAt (length name) s, begin == name]
    | otherwise -> case lookup c simpleEscapes of
        Just x  -> [([c], Just x, t)]
        Nothing -> []
  where
    code prefix base (ds, rest) = [(prefix ++ ds, Just (chr (digitsToInt base ds)), rest) | not (null ds)]

simpleEscapes :: [(Char, Char)]
simpleEscapes = zip "abtnvfr\\\"'" "\a\b\t\n\v\f\r\\\"'"

-- | `SOH` comes before `SO`, with which it begins.
namedChars :: [(String, Char)]
namedChars = ("SOH", '\SOH') : ("DEL", '\DEL') : zip controlNames ['\0' ..]

-- | The first lexeme of a text and the rest: an empty one at its end, none if
-- the text begins with no lexeme of Curry.
lex :: ReadS String
lex s = case dropWhile isSpace s of
  []     -> [("", "")]
  '\'':t -> [('\'' : item ++ "'", t2) | (item, _, '\'':t2) <- charItem t, item /= "'"]
  '"':t  -> [('"' : items, t1) | (items, t1) <- lexItems t]
  c:t
    | c `elem` ",;()[]{}_`" -> [([c], t)]
    | isSymbol c            -> [spanAfter c isSymbol t]
    | isAlpha c             -> [spanAfter c isNameChar t]
    | isDigit c             -> [(c : ds ++ frac ++ ex, t3) | let (ds, t1) = span isDigit t
                                                           , (frac, t2) <- [lexFraction t1]
                                                           , (ex, t3) <- [lexExponent t2]]
    | otherwise             -> []
  where
    isSymbol c      = c `elem` "!@#$%&*+./<=>?\\^|:-~"
    isNameChar c    = isAlphaNum c || c == '_' || c == '\''
    spanAfter c p t = let (cs, rest) = span p t in (c : cs, rest)

-- | The part of a number from its point on, if it has one.
lexFraction :: String -> (String, String)
lexFraction s = case s of
  '.':c:t | isDigit c -> let (ds, rest) = span isDigit t in ('.' : c : ds, rest)
  _                   -> ("", s)

-- | The exponent of a number, if it has one.
lexExponent :: String -> (String, String)
lexExponent s = case s of
  e:c:d:t | isE e && (c == '+' || c == '-') && isDigit d -> let (ds, rest) = span isDigit t in (e : c : d : ds, rest)
  e:d:t   | isE e && isDigit d                           -> let (ds, rest) = span isDigit t in (e : d : ds, rest)
  _                                                      -> ("", s)
  where isE c = c == 'e' || c == 'E'

-- | The text of a string as in the source, with the closing quote.
lexItems :: ReadS String
lexItems s = case s of
  '"':t -> [("\"", t)]
  _     -> [(item ++ items, s2) | (item, _, s1) <- charItem s, (items, s2) <- lexItems s1]

-- * Errors

-- | Why an action can fail: the system, the program, a computation without a
-- value, or one with several.
data IOError
  = IOError String
  | UserError String
  | FailError String
  | NondetError String
  deriving Eq

instance Show IOError where
  show (IOError s)     = "i/o error: " ++ s
  show (UserError s)   = "user error: " ++ s
  show (FailError s)   = "fail error: " ++ s
  show (NondetError s) = "nondet error: " ++ s

-- | What is raised: calls of `error` keep apart from errors of actions until
-- something catches them.
data Exception = ErrorCall String | Raised IOError

-- | End the program with a message.
error :: String -> a
error s = prim_raise (ErrorCall (evaluated s))

-- | A string of which everything is evaluated.
evaluated :: String -> String
evaluated s = allOf s
  where
    allOf []       = s
    allOf (c : cs) = seq c (allOf cs)

userError :: String -> IOError
userError s = UserError s

ioError :: IOError -> IO a
ioError e = prim_ioBind (prim_ioReturn ()) (\_ -> prim_raise (Raised e))

-- | Do an action and, if it ends in an error or a failure, what handles that.
catch :: IO a -> (IOError -> IO a) -> IO a
catch act handler = prim_catch act (\e -> handler (errorOf e))

errorOf :: Exception -> IOError
errorOf (ErrorCall s) = UserError s
errorOf (Raised e)    = e

-- | The exception for a failure inside the machine: what kind, where, why, and
-- the file it is about, empty if none.  The machine applies this function; the
-- kinds are listed in PRIMITIVES.md.
machineFailure :: PrimInt -> String -> String -> String -> Exception
machineFailure kind place why file
  | k == 20   = Raised (FailError why)
  | k == 21   = Raised (NondetError why)
  | k < 10    = Raised (IOError (concatMap (\s -> if null s then "" else s ++ ": ") [file, place] ++ why))
  | k == 10   = ErrorCall "<<loop>>"
  | k == 11   = ErrorCall "stack overflow"
  | k == 12   = ErrorCall "heap overflow"
  | k == 13   = ErrorCall "user interrupt"
  | k == 14   = ErrorCall "divide by zero"
  | otherwise = ErrorCall why
  where k = prim_intToInteger kind

-- | What to print for an exception that nothing caught, and the exit status.
uncaught :: Exception -> (String, PrimInt)
uncaught (ErrorCall s) = (s, prim_integerToInt 1)
uncaught (Raised e)    = (show e, prim_integerToInt 1)

-- | Run a program: its action, then the report of what it did not catch.
runMain :: IO a -> IO ()
runMain act = prim_catch (act >> prim_handleFlush prim_stdout) (\e ->
  prim_handleFlush prim_stdout >> prim_getProgName >>= \name ->
  putString prim_stderr (name ++ ": " ++ fst (uncaught e) ++ "\n") >> prim_exit (prim_integerToInt 1))

-- * Input and output

getChar :: IO Char
getChar = prim_handleGetChar prim_stdin >>= \code ->
  if prim_intToInteger code < 0 then endOfFile "getChar" else return (prim_charChr code)

-- | A line of the standard input without its end.
getLine :: IO String
getLine = prim_handleGetLine prim_stdin >>= \s ->
  if null s then endOfFile "getLine" else return (takeWhile (/= '\n') s)

endOfFile :: String -> IO a
endOfFile place = ioError (IOError ("<stdin>: " ++ place ++ ": end of file"))

putChar :: Char -> IO ()
putChar c = prim_handlePutChar prim_stdout c

putStr :: String -> IO ()
putStr s = putString prim_stdout s

putStrLn :: String -> IO ()
putStrLn s = putString prim_stdout s >> putChar '\n'

-- | Write a string; what precedes an undefined part is written.
putString :: PrimHandle -> String -> IO ()
putString h s = case s of
  []   -> return ()
  c:cs -> prim_handlePutChar h c >> putString h cs

print :: Show a => a -> IO ()
print x = putStrLn (show x)

-- | The text of a file, read as it is needed.
readFile :: FilePath -> IO String
readFile name = openPrim name 0 >>= contentsLater

contentsLater :: PrimHandle -> IO String
contentsLater h = return (prim_unsafePerformIO (prim_handleGetLine h >>= \s ->
  if null s then prim_handleClose h >> return "" else contentsLater h >>= \rest -> return (s ++ rest)))

writeFile :: FilePath -> String -> IO ()
writeFile name s = openPrim name 1 >>= putAndClose s

appendFile :: FilePath -> String -> IO ()
appendFile name s = openPrim name 2 >>= putAndClose s

openPrim :: FilePath -> Int -> IO PrimHandle
openPrim name mode = prim_handleOpen (evaluated name) (prim_integerToInt mode)

putAndClose :: String -> PrimHandle -> IO ()
putAndClose s h =
  prim_catch (putString h s) (\e -> prim_handleClose h >> prim_raise e) >> prim_handleClose h
