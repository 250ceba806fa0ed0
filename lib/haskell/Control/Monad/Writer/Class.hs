{-# LANGUAGE MultiParamTypeClasses, FunctionalDependencies, FlexibleInstances, UndecidableInstances #-}
-- | Monads with output.
module Control.Monad.Writer.Class (MonadWriter(..), listens, censor) where

import Control.Monad.Trans.Class (lift)
import Control.Monad.Trans.Except (ExceptT, mapExceptT)
import Control.Monad.Trans.Identity (IdentityT, mapIdentityT)
import Control.Monad.Trans.Maybe (MaybeT(..), mapMaybeT)
import Control.Monad.Trans.Reader (ReaderT, mapReaderT)
import qualified Control.Monad.Trans.RWS.Lazy as LazyRWS
import qualified Control.Monad.Trans.RWS.Strict as StrictRWS
import qualified Control.Monad.Trans.State.Lazy as Lazy
import qualified Control.Monad.Trans.State.Strict as Strict
import qualified Control.Monad.Trans.Writer.Lazy as LazyWriter
import qualified Control.Monad.Trans.Writer.Strict as StrictWriter

class (Monoid w, Monad m) => MonadWriter w m | m -> w where
  writer :: (a, w) -> m a
  tell   :: w -> m ()
  listen :: m a -> m (a, w)
  pass   :: m (a, w -> w) -> m a
  writer ~(a, w) = do
    tell w
    return a
  tell w = writer ((), w)

listens :: MonadWriter w m => (w -> b) -> m a -> m (a, b)
listens f m = do
  ~(a, w) <- listen m
  return (a, f w)

censor :: MonadWriter w m => (w -> w) -> m a -> m a
censor f m = pass (do
  a <- m
  return (a, f))

instance Monoid w => MonadWriter w ((,) w) where
  writer ~(a, w)        = (w, a)
  tell w                = (w, ())
  listen ~(w, a)        = (w, (a, w))
  pass ~(w, (a, f))     = (f w, a)

instance (Monoid w, Monad m) => MonadWriter w (LazyWriter.WriterT w m) where
  writer = LazyWriter.writer
  tell   = LazyWriter.tell
  listen = LazyWriter.listen
  pass   = LazyWriter.pass

instance (Monoid w, Monad m) => MonadWriter w (StrictWriter.WriterT w m) where
  writer = StrictWriter.writer
  tell   = StrictWriter.tell
  listen = StrictWriter.listen
  pass   = StrictWriter.pass

instance (Monoid w, Monad m) => MonadWriter w (LazyRWS.RWST r w s m) where
  writer = LazyRWS.writer
  tell   = LazyRWS.tell
  listen = LazyRWS.listen
  pass   = LazyRWS.pass

instance (Monoid w, Monad m) => MonadWriter w (StrictRWS.RWST r w s m) where
  writer = StrictRWS.writer
  tell   = StrictRWS.tell
  listen = StrictRWS.listen
  pass   = StrictRWS.pass

instance MonadWriter w m => MonadWriter w (IdentityT m) where
  writer aw = lift (writer aw)
  tell w    = lift (tell w)
  listen    = mapIdentityT listen
  pass      = mapIdentityT pass

instance MonadWriter w m => MonadWriter w (ReaderT r m) where
  writer aw = lift (writer aw)
  tell w    = lift (tell w)
  listen    = mapReaderT listen
  pass      = mapReaderT pass

instance MonadWriter w m => MonadWriter w (MaybeT m) where
  writer aw = lift (writer aw)
  tell w    = lift (tell w)
  listen    = mapMaybeT (\m -> do
    (a, w) <- listen m
    return (fmap (\r -> (r, w)) a))
  pass      = mapMaybeT (\m -> pass (do
    a <- m
    return (case a of
      Nothing     -> (Nothing, id)
      Just (v, f) -> (Just v, f))))

instance MonadWriter w m => MonadWriter w (ExceptT e m) where
  writer aw = lift (writer aw)
  tell w    = lift (tell w)
  listen    = mapExceptT (\m -> do
    (a, w) <- listen m
    return (fmap (\r -> (r, w)) a))
  pass      = mapExceptT (\m -> pass (do
    a <- m
    return (case a of
      Left l       -> (Left l, id)
      Right (r, f) -> (Right r, f))))

instance MonadWriter w m => MonadWriter w (Lazy.StateT s m) where
  writer aw = lift (writer aw)
  tell w    = lift (tell w)
  listen m  = Lazy.StateT (\s -> do
    ~((a, s'), w) <- listen (Lazy.runStateT m s)
    return ((a, w), s'))
  pass m    = Lazy.StateT (\s -> pass (do
    ~((a, f), s') <- Lazy.runStateT m s
    return ((a, s'), f)))

instance MonadWriter w m => MonadWriter w (Strict.StateT s m) where
  writer aw = lift (writer aw)
  tell w    = lift (tell w)
  listen m  = Strict.StateT (\s -> do
    ((a, s'), w) <- listen (Strict.runStateT m s)
    return ((a, w), s'))
  pass m    = Strict.StateT (\s -> pass (do
    ((a, f), s') <- Strict.runStateT m s
    return ((a, s'), f)))
