{-# LANGUAGE NoImplicitPrelude, ExistentialQuantification #-}
-- | Failing: exceptions, and the class 'Show' because every exception can be
-- shown.  Here are those that the functions on lists and numbers raise; the
-- others are in "Gadfly.Failures", the instances of 'Show' in
-- "Gadfly.Showing".
module Gadfly.Failing where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers

-- * The class of what can be shown

class Show a where
  showsPrec :: Int -> a -> ShowS
  show      :: a -> String
  showList  :: [a] -> ShowS
  showsPrec _ x s = show x ++ s
  show x          = showsPrec 0 x ""
  showList xs s   = showListWith (showsPrec 0) xs s

shows :: Show a => a -> ShowS
shows = showsPrec 0

showChar :: Char -> ShowS
showChar = (:)

showString :: String -> ShowS
showString = (++)

showParen :: Bool -> ShowS -> ShowS
showParen b p = if b then showChar '(' . p . showChar ')' else p

-- | A list in brackets, its elements shown by the given function.
showListWith :: (a -> ShowS) -> [a] -> ShowS
showListWith _     []       s = '[' : ']' : s
showListWith shown (x : xs) s = '[' : shown x (showRest shown xs s)

showRest :: (a -> ShowS) -> [a] -> ShowS
showRest _     []       s = ']' : s
showRest shown (x : xs) s = ',' : shown x (showRest shown xs s)

-- Whole numbers are in the messages of exceptions.

instance Show Int where
  showsPrec d n r
    | primIntLt n 0 && primIntLt 6 d = '(' : (primIntShow n ++ (')' : r))
    | otherwise                      = primIntShow n ++ r
  show n = primIntShow n

instance Show Integer where
  showsPrec d n r
    | primIntLt 6 d && primIntegerLt n 0 = '(' : (primIntegerShow n ++ (')' : r))
    | otherwise                          = primIntegerShow n ++ r
  show n = primIntegerShow n

instance Show Word where
  showsPrec _ n r = primIntegerShow (primWordToInteger n) ++ r

-- * Exceptions

foreign import prim "raise"        primRaise        :: SomeException -> a
foreign import prim "catch"        primCatch        :: IO a -> (SomeException -> IO a) -> IO a
foreign import prim "sameInstance" primSameInstance :: (Exception a, Exception b) => Proxy a -> Proxy b -> Bool

-- | Any exception, together with what its type can do.  The machine passes
-- values of this type around; nothing else is ever raised.
data SomeException = forall e. Exception e => SomeException e

-- | Types that can be thrown.  Instances are usually empty: the defaults tell
-- exception types apart by the identity of their instances.
class Show e => Exception e where
  toException      :: e -> SomeException
  fromException    :: SomeException -> Maybe e
  displayException :: e -> String
  toException        = SomeException
  fromException      = castException Proxy
  displayException e = show e

castException :: Exception e => Proxy e -> SomeException -> Maybe e
castException wanted (SomeException e)
  | primSameInstance (proxyOf e) wanted = Just (primUnsafeCoerce e)
  | otherwise                           = Nothing

proxyOf :: a -> Proxy a
proxyOf _ = Proxy

instance Show SomeException where
  showsPrec p (SomeException e) = showsPrec p e

instance Exception SomeException where
  toException e      = e
  fromException e    = Just e
  displayException (SomeException e) = displayException e

throw :: Exception e => e -> a
throw e = primRaise (toException e)

-- | Raise when executed, not when evaluated.
primRaiseIO :: SomeException -> IO a
primRaiseIO e = primIoBind (primIoReturn ()) (\_ -> primRaise e)

throwIO :: Exception e => e -> IO a
throwIO e = primRaiseIO (toException e)

catchException :: Exception e => IO a -> (e -> IO a) -> IO a
catchException act handler = primCatch act (\e -> case fromException e of
  Just e' -> handler e'
  Nothing -> primRaiseIO e)

newtype ErrorCall = ErrorCall String
  deriving (Eq, Ord)

instance Show ErrorCall where
  showsPrec _ (ErrorCall msg) = showString msg

instance Exception ErrorCall

error :: String -> a
error msg = throw (ErrorCall msg)

errorWithoutStackTrace :: String -> a
errorWithoutStackTrace msg = throw (ErrorCall msg)

undefined :: a
undefined = error "Prelude.undefined"

data ArithException
  = Overflow | Underflow | LossOfPrecision | DivideByZero | Denormal | RatioZeroDenominator
  deriving (Eq, Ord)

instance Show ArithException where
  showsPrec _ e = showString (case e of
    Overflow             -> "arithmetic overflow"
    Underflow            -> "arithmetic underflow"
    LossOfPrecision      -> "loss of precision"
    DivideByZero         -> "divide by zero"
    Denormal             -> "denormal"
    RatioZeroDenominator -> "Ratio has zero denominator")

instance Exception ArithException

divZeroError, overflowError :: a
divZeroError  = throw DivideByZero
overflowError = throw Overflow
