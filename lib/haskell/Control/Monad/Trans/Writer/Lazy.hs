-- | Computations with output.  This version takes pairs apart only on demand.
module Control.Monad.Trans.Writer.Lazy
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
execWriterT m = runWriterT m >>= \r -> return (snd r)

mapWriterT :: (m (a, w) -> n (b, w')) -> WriterT w m a -> WriterT w' n b
mapWriterT f m = WriterT (f (runWriterT m))

-- | Change what comes out, given the result and the output.
changed :: Monad m => (a -> w -> (b, w)) -> WriterT w m a -> WriterT w m b
changed f m = WriterT (runWriterT m >>= \r -> return (f (fst r) (snd r)))

tell :: Monad m => w -> WriterT w m ()
tell w = WriterT (return ((), w))

listen :: Monad m => WriterT w m a -> WriterT w m (a, w)
listen m = listens id m

listens :: Monad m => (w -> b) -> WriterT w m a -> WriterT w m (a, b)
listens f m = changed (\x w -> ((x, f w), w)) m

pass :: Monad m => WriterT w m (a, w -> w) -> WriterT w m a
pass m = changed (\xf w -> (fst xf, snd xf w)) m

censor :: Monad m => (w -> w) -> WriterT w m a -> WriterT w m a
censor f m = changed (\x w -> (x, f w)) m

instance Functor m => Functor (WriterT w m) where
  fmap f m = WriterT (fmap (\r -> (f (fst r), snd r)) (runWriterT m))

instance Foldable f => Foldable (WriterT w f) where
  foldMap f m = foldMap (\r -> f (fst r)) (runWriterT m)

instance Traversable f => Traversable (WriterT w f) where
  traverse f m = fmap WriterT (traverse (\(x, w) -> fmap (\y -> (y, w)) (f x)) (runWriterT m))

instance (Monoid w, Applicative m) => Applicative (WriterT w m) where
  pure x    = WriterT (pure (x, mempty))
  mf <*> mx = WriterT (liftA2 (\r t -> ((fst r) (fst t), snd r <> snd t)) (runWriterT mf) (runWriterT mx))

instance (Monoid w, Monad m) => Monad (WriterT w m) where
  m >>= k = WriterT (runWriterT m >>= \r -> runWriterT (before (snd r) (k (fst r))))

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
