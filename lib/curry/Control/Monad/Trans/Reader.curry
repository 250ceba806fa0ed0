-- | Computations that see an environment.
module Control.Monad.Trans.Reader
  ( ReaderT(..), mapReaderT, withReaderT, Reader, runReader, ask, asks, reader, local
  ) where

import Control.Monad.IO.Class
import Control.Monad.Trans.Class
import Data.Functor.Identity

newtype ReaderT r m a = ReaderT { runReaderT :: r -> m a }

instance Functor m => Functor (ReaderT r m) where
  fmap f m = ReaderT (\r -> fmap f (runReaderT m r))

instance Applicative m => Applicative (ReaderT r m) where
  pure x  = ReaderT (\_ -> pure x)
  f <*> m = ReaderT (\r -> runReaderT f r <*> runReaderT m r)

instance Alternative m => Alternative (ReaderT r m) where
  empty   = ReaderT (\_ -> empty)
  m <|> n = ReaderT (\r -> runReaderT m r <|> runReaderT n r)

instance Monad m => Monad (ReaderT r m) where
  m >>= f = ReaderT (\r -> runReaderT m r >>= \x -> runReaderT (f x) r)

instance MonadFail m => MonadFail (ReaderT r m) where
  fail s = ReaderT (\_ -> fail s)

instance MonadTrans (ReaderT r) where
  lift m = ReaderT (\_ -> m)

instance MonadIO m => MonadIO (ReaderT r m) where
  liftIO act = lift (liftIO act)

mapReaderT :: (m a -> n b) -> ReaderT r m a -> ReaderT r n b
mapReaderT f m = ReaderT (\r -> f (runReaderT m r))

withReaderT :: (s -> r) -> ReaderT r m a -> ReaderT s m a
withReaderT f m = ReaderT (\s -> runReaderT m (f s))

type Reader r = ReaderT r Identity

runReader :: Reader r a -> r -> a
runReader m r = runIdentity (runReaderT m r)

ask :: Monad m => ReaderT r m r
ask = ReaderT return

asks :: Monad m => (r -> a) -> ReaderT r m a
asks f = ReaderT (\r -> return (f r))

reader :: Monad m => (r -> a) -> ReaderT r m a
reader f = asks f

-- | A computation in a changed environment.
local :: (r -> r) -> ReaderT r m a -> ReaderT r m a
local f m = withReaderT f m
