-- | Computations that write as they go.
module Control.Monad.Trans.Writer
  ( WriterT(..), execWriterT, mapWriterT, Writer, runWriter, execWriter, writer, tell, listen
  ) where

import Control.Monad.IO.Class
import Control.Monad.Trans.Class
import Data.Functor.Identity

newtype WriterT w m a = WriterT { runWriterT :: m (a, w) }

instance Functor m => Functor (WriterT w m) where
  fmap f m = WriterT (fmap (\(x, w) -> (f x, w)) (runWriterT m))

instance (Applicative m, Monoid w) => Applicative (WriterT w m) where
  pure x  = WriterT (pure (x, mempty))
  f <*> m = WriterT (liftA2 (\(g, v) (x, w) -> (g x, mappend v w)) (runWriterT f) (runWriterT m))

instance (Alternative m, Monoid w) => Alternative (WriterT w m) where
  empty   = WriterT empty
  m <|> n = WriterT (runWriterT m <|> runWriterT n)

instance (Monad m, Monoid w) => Monad (WriterT w m) where
  m >>= f = WriterT (runWriterT m >>= \(x, v) -> runWriterT (f x) >>= \(y, w) -> return (y, mappend v w))

instance (MonadFail m, Monoid w) => MonadFail (WriterT w m) where
  fail s = WriterT (fail s)

instance Monoid w => MonadTrans (WriterT w) where
  lift m = WriterT (m >>= \x -> return (x, mempty))

instance (MonadIO m, Monoid w) => MonadIO (WriterT w m) where
  liftIO act = lift (liftIO act)

execWriterT :: Monad m => WriterT w m a -> m w
execWriterT m = runWriterT m >>= \(_, w) -> return w

mapWriterT :: (m (a, w) -> n (b, v)) -> WriterT w m a -> WriterT v n b
mapWriterT f m = WriterT (f (runWriterT m))

type Writer w = WriterT w Identity

runWriter :: Writer w a -> (a, w)
runWriter m = runIdentity (runWriterT m)

execWriter :: Writer w a -> w
execWriter m = snd (runWriter m)

writer :: Monad m => (a, w) -> WriterT w m a
writer p = WriterT (return p)

tell :: Monad m => w -> WriterT w m ()
tell w = writer ((), w)

-- | A computation together with what it writes.
listen :: Monad m => WriterT w m a -> WriterT w m (a, w)
listen m = WriterT (runWriterT m >>= \(x, w) -> return ((x, w), w))
