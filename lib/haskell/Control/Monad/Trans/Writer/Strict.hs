-- | Computations with output.  This version takes pairs apart at once.
module Control.Monad.Trans.Writer.Strict
  ( Writer, writer, runWriter, execWriter, mapWriter
  , WriterT(..), execWriterT, mapWriterT
  , tell, listen, listens, pass, censor
  ) where

import Control.Applicative (Alternative(..), liftA2)
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..))
import Control.Monad.IO.Class (MonadIO(..))
import Control.Monad.Trans.Class (MonadTrans(..))
import Data.Functor.Identity (Identity(..))

newtype WriterT w m a = WriterT { runWriterT :: m (a, w) }

type Writer w = WriterT w Identity

writer :: Monad m => (a, w) -> WriterT w m a
writer both = WriterT (return both)

runWriter :: Writer w a -> (a, w)
runWriter m = runIdentity (runWriterT m)

execWriter :: Writer w a -> w
execWriter m = snd (runWriter m)

mapWriter :: ((a, w) -> (b, w')) -> Writer w a -> Writer w' b
mapWriter f m = WriterT (Identity (f (runWriter m)))

execWriterT :: Monad m => WriterT w m a -> m w
execWriterT m = runWriterT m >>= \(_, b) -> return b

mapWriterT :: (m (a, w) -> n (b, w')) -> WriterT w m a -> WriterT w' n b
mapWriterT f m = WriterT (f (runWriterT m))

-- | Change what comes out, given the result and the output.
changed :: Monad m => (a -> w -> (b, w)) -> WriterT w m a -> WriterT w m b
changed f m = WriterT (runWriterT m >>= \(a, b) -> return (f a b))

tell :: Monad m => w -> WriterT w m ()
tell w = WriterT (return ((), w))

listen :: Monad m => WriterT w m a -> WriterT w m (a, w)
listen m = listens id m

listens :: Monad m => (w -> b) -> WriterT w m a -> WriterT w m (a, b)
listens f m = changed (\x w -> ((x, f w), w)) m

pass :: Monad m => WriterT w m (a, w -> w) -> WriterT w m a
pass m = changed (\(x, f) w -> (x, f w)) m

censor :: Monad m => (w -> w) -> WriterT w m a -> WriterT w m a
censor f m = changed (\x w -> (x, f w)) m

instance Functor m => Functor (WriterT w m) where
  fmap f m = WriterT (fmap (\(a, b) -> (f a, b)) (runWriterT m))

instance Foldable f => Foldable (WriterT w f) where
  foldMap f m = foldMap (\r -> f (fst r)) (runWriterT m)

instance Traversable f => Traversable (WriterT w f) where
  traverse f m = fmap WriterT (traverse (\(x, w) -> fmap (\y -> (y, w)) (f x)) (runWriterT m))

instance (Monoid w, Applicative m) => Applicative (WriterT w m) where
  pure x    = WriterT (pure (x, mempty))
  mf <*> mx = WriterT (liftA2 (\(a, b) (c, d) -> (a c, b <> d)) (runWriterT mf) (runWriterT mx))

instance (Monoid w, Monad m) => Monad (WriterT w m) where
  m >>= k = WriterT (runWriterT m >>= \(a, b) -> runWriterT (before b (k a)))

-- | Output in front of what a computation writes.
before :: (Semigroup w, Monad m) => w -> WriterT w m a -> WriterT w m a
before w m = changed (\x v -> (x, w <> v)) m

instance (Monoid w, MonadFail m) => MonadFail (WriterT w m) where
  fail message = WriterT (fail message)

instance (Monoid w, Alternative m) => Alternative (WriterT w m) where
  empty   = WriterT empty
  m <|> n = WriterT (runWriterT m <|> runWriterT n)

instance (Monoid w, MonadPlus m) => MonadPlus (WriterT w m)

instance (Monoid w, MonadFix m) => MonadFix (WriterT w m) where
  mfix f = WriterT (mfix (\r -> runWriterT (f (fst r))))

instance Monoid w => MonadTrans (WriterT w) where
  lift m = WriterT (m >>= \x -> return (x, mempty))

instance (Monoid w, MonadIO m) => MonadIO (WriterT w m) where
  liftIO act = lift (liftIO act)
