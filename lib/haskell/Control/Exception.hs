{-# LANGUAGE NoImplicitPrelude, ExistentialQuantification #-}
-- | Exceptions.  There is one thread and nothing arrives from outside, so
-- masking does nothing.
module Control.Exception
  ( SomeException(..), Exception(..)
  , IOException, ArithException(..), ArrayException(..), AssertionFailed(..)
  , NoMethodError(..), PatternMatchFail(..), RecConError(..), RecSelError(..), RecUpdError(..)
  , ErrorCall(..), NonTermination(..), BlockedIndefinitelyOnMVar(..), AsyncException(..)
  , SomeAsyncException(..), TypeError(..), Deadlock(..), NestedAtomically(..), BlockedIndefinitelyOnSTM(..)
  , AllocationLimitExceeded(..), asyncExceptionToException, asyncExceptionFromException
  , throw, throwIO, ioError
  , catch, catches, Handler(..), catchJust, handle, handleJust, try, tryJust
  , evaluate, mapException
  , mask, mask_, uninterruptibleMask, uninterruptibleMask_, interruptible
  , allowInterrupt, MaskingState(..), getMaskingState
  , assert, bracket, bracket_, bracketOnError, finally, onException
  ) where

import Gadfly.Base

-- | Never thrown here; programs name it in handlers.
data SomeAsyncException = forall e. Exception e => SomeAsyncException e

instance Show SomeAsyncException where
  showsPrec p (SomeAsyncException e) = showsPrec p e

instance Exception SomeAsyncException

asyncExceptionToException :: Exception e => e -> SomeException
asyncExceptionToException e = toException (SomeAsyncException e)

asyncExceptionFromException :: Exception e => SomeException -> Maybe e
asyncExceptionFromException e = case fromException e of
  Just (SomeAsyncException inner) -> fromException (toException inner)
  Nothing                         -> Nothing

-- These are never thrown either.

data Deadlock = Deadlock

instance Show Deadlock where
  showsPrec _ Deadlock = showString "<<deadlock>>"

instance Exception Deadlock

data NestedAtomically = NestedAtomically

instance Show NestedAtomically where
  showsPrec _ NestedAtomically = showString "Control.Concurrent.STM.atomically was nested"

instance Exception NestedAtomically

data AllocationLimitExceeded = AllocationLimitExceeded

instance Show AllocationLimitExceeded where
  showsPrec _ AllocationLimitExceeded = showString "allocation limit exceeded"

instance Exception AllocationLimitExceeded

-- | A transaction that waits where nobody else is.
data BlockedIndefinitelyOnSTM = BlockedIndefinitelyOnSTM

instance Show BlockedIndefinitelyOnSTM where
  showsPrec _ BlockedIndefinitelyOnSTM = showString "thread blocked indefinitely in an STM transaction"

instance Exception BlockedIndefinitelyOnSTM

newtype TypeError = TypeError String

instance Show TypeError where
  showsPrec _ (TypeError msg) = showString msg

instance Exception TypeError

catch :: Exception e => IO a -> (e -> IO a) -> IO a
catch = catchException

-- | One of several handlers.
data Handler a = forall e. Exception e => Handler (e -> IO a)

instance Functor Handler where
  fmap f (Handler h) = Handler (\e -> fmap f (h e))

catches :: IO a -> [Handler a] -> IO a
catches act handlers = primCatch act (\e -> search e handlers)
  where
    search e []                 = primRaiseIO e
    search e (Handler h : rest) = case fromException e of
      Just e' -> h e'
      Nothing -> search e rest

catchJust :: Exception e => (e -> Maybe b) -> IO a -> (b -> IO a) -> IO a
catchJust p a handler = catch a (\e -> case p e of
  Nothing -> throwIO e
  Just b  -> handler b)

handle :: Exception e => (e -> IO a) -> IO a -> IO a
handle h a = catch a h

handleJust :: Exception e => (e -> Maybe b) -> (b -> IO a) -> IO a -> IO a
handleJust p h a = catchJust p a h

try :: Exception e => IO a -> IO (Either e a)
try a = catch (fmap Right a) (\e -> return (Left e))

tryJust :: Exception e => (e -> Maybe b) -> IO a -> IO (Either b a)
tryJust p a = try a >>= \r -> case r of
  Right v -> return (Right v)
  Left e  -> case p e of
    Nothing -> throwIO e
    Just b  -> return (Left b)

-- | Evaluate to weak head normal form, when executed.
evaluate :: a -> IO a
evaluate x = primIoBind (primIoReturn ()) (\_ -> x `seq` primIoReturn x)

mapException :: (Exception e1, Exception e2) => (e1 -> e2) -> a -> a
mapException f v = primUnsafePerformIO (catch (evaluate v) (\x -> throwIO (f x)))

data MaskingState = Unmasked | MaskedInterruptible | MaskedUninterruptible
  deriving (Eq, Show)

getMaskingState :: IO MaskingState
getMaskingState = return Unmasked

allowInterrupt :: IO ()
allowInterrupt = return ()

interruptible :: IO a -> IO a
interruptible a = a

-- The action's argument would have a polymorphic type under GHC; here it is
-- usable at one type, which is what almost every program needs.
mask, uninterruptibleMask :: ((IO a -> IO a) -> IO b) -> IO b
mask act = act id
uninterruptibleMask act = act id

mask_, uninterruptibleMask_ :: IO a -> IO a
mask_ a = a
uninterruptibleMask_ a = a

-- | Fails with 'AssertionFailed' if the condition is false.
assert :: Bool -> a -> a
assert True  x = x
assert False _ = throw (AssertionFailed "Assertion failed")

bracket :: IO a -> (a -> IO b) -> (a -> IO c) -> IO c
bracket before after thing = do
  a <- before
  r <- thing a `onException` after a
  _ <- after a
  return r

bracket_ :: IO a -> IO b -> IO c -> IO c
bracket_ before after thing = bracket before (const after) (const thing)

bracketOnError :: IO a -> (a -> IO b) -> (a -> IO c) -> IO c
bracketOnError before after thing = do
  a <- before
  thing a `onException` after a

finally :: IO a -> IO b -> IO a
finally a sequel = do
  r <- a `onException` sequel
  _ <- sequel
  return r

onException :: IO a -> IO b -> IO a
onException io what = primCatch io (\e -> what >> primRaiseIO e)
