-- | Computations that may end with an error: the type of older programs, which
-- "Control.Monad.Trans.Except" has replaced.
module Control.Monad.Trans.Error
  ( Error(..), ErrorList(..), ErrorT(..), runErrorT, mapErrorT, errorToExcept
  ) where

import Control.Applicative (Alternative(..))
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..))
import Control.Monad.IO.Class (MonadIO(..))
import Control.Monad.Trans.Class (MonadTrans(..))
import Control.Monad.Trans.Except (ExceptT(..))

-- | Errors that can be made from a message.
class Error a where
  noMsg  :: a
  strMsg :: String -> a
  noMsg    = strMsg ""
  strMsg _ = noMsg

-- | For strings as errors.
class ErrorList a where
  listMsg :: String -> [a]

instance ErrorList Char where
  listMsg s = s

instance ErrorList a => Error [a] where
  strMsg = listMsg

instance Error IOError where
  strMsg = userError

newtype ErrorT e m a = ErrorT (m (Either e a))

runErrorT :: ErrorT e m a -> m (Either e a)
runErrorT (ErrorT m) = m

mapErrorT :: (m (Either e a) -> n (Either e' b)) -> ErrorT e m a -> ErrorT e' n b
mapErrorT f m = ErrorT (f (runErrorT m))

errorToExcept :: ErrorT e m a -> ExceptT e m a
errorToExcept (ErrorT m) = ExceptT m

-- | Go on with an error in one way, with a result in the other.
onEnd :: Monad m => (e -> ErrorT e m b) -> (a -> ErrorT e m b) -> ErrorT e m a -> ErrorT e m b
onEnd failed done m = ErrorT (runErrorT m >>= \end -> case end of
  Left e  -> runErrorT (failed e)
  Right x -> runErrorT (done x))

left :: Monad m => e -> ErrorT e m a
left e = ErrorT (return (Left e))

instance Functor m => Functor (ErrorT e m) where
  fmap f m = ErrorT (fmap (fmap f) (runErrorT m))

instance Monad m => Applicative (ErrorT e m) where
  pure x    = ErrorT (return (Right x))
  mf <*> mx = onEnd left (\f -> onEnd left (\x -> pure (f x)) mx) mf

instance Monad m => Monad (ErrorT e m) where
  m >>= k = onEnd left k m

instance (Monad m, Error e) => MonadFail (ErrorT e m) where
  fail message = left (strMsg message)

instance (Monad m, Error e) => Alternative (ErrorT e m) where
  empty   = left noMsg
  m <|> n = onEnd (const n) pure m

instance (Monad m, Error e) => MonadPlus (ErrorT e m)

instance MonadFix m => MonadFix (ErrorT e m) where
  mfix f = ErrorT (mfix (\end -> runErrorT (f (either (const (error "mfix ErrorT: Left")) id end))))

instance MonadTrans (ErrorT e) where
  lift m = ErrorT (fmap Right m)

instance MonadIO m => MonadIO (ErrorT e m) where
  liftIO act = lift (liftIO act)
