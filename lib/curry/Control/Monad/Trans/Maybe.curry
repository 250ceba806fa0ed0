-- | Computations that may give nothing.
module Control.Monad.Trans.Maybe (MaybeT(..), mapMaybeT) where

import Control.Monad.IO.Class
import Control.Monad.Trans.Class

newtype MaybeT m a = MaybeT { runMaybeT :: m (Maybe a) }

instance Monad m => Functor (MaybeT m) where
  fmap f m = MaybeT (runMaybeT m >>= \r -> return (fmap f r))

instance Monad m => Applicative (MaybeT m) where
  pure x  = MaybeT (return (Just x))
  f <*> m = f >>= \g -> m >>= \x -> MaybeT (return (Just (g x)))

instance Monad m => Alternative (MaybeT m) where
  empty   = MaybeT (return Nothing)
  m <|> n = MaybeT (runMaybeT m >>= maybe (runMaybeT n) (\x -> return (Just x)))

instance Monad m => Monad (MaybeT m) where
  m >>= f = MaybeT (runMaybeT m >>= maybe (return Nothing) (\x -> runMaybeT (f x)))

instance Monad m => MonadFail (MaybeT m) where
  fail _ = MaybeT (return Nothing)

instance MonadTrans MaybeT where
  lift m = MaybeT (m >>= \x -> return (Just x))

instance MonadIO m => MonadIO (MaybeT m) where
  liftIO act = lift (liftIO act)

mapMaybeT :: (m (Maybe a) -> n (Maybe b)) -> MaybeT m a -> MaybeT n b
mapMaybeT f m = MaybeT (f (runMaybeT m))
