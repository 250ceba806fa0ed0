{-# LANGUAGE FlexibleInstances, UndecidableInstances #-}
-- | Monads that can capture their continuation.
module Control.Monad.Cont.Class (MonadCont(..)) where

import Control.Monad.Trans.Cont (ContT)
import qualified Control.Monad.Trans.Cont as Cont
import Control.Monad.Trans.Except (ExceptT(..), runExceptT)
import Control.Monad.Trans.Identity (IdentityT(..))
import Control.Monad.Trans.Maybe (MaybeT(..))
import Control.Monad.Trans.Reader (ReaderT(..))
import qualified Control.Monad.Trans.State.Lazy as Lazy
import qualified Control.Monad.Trans.State.Strict as Strict
import qualified Control.Monad.Trans.Writer.Lazy as LazyWriter
import qualified Control.Monad.Trans.Writer.Strict as StrictWriter

class Monad m => MonadCont m where
  callCC :: ((a -> m b) -> m a) -> m a

instance MonadCont (ContT r m) where
  callCC = Cont.callCC

instance MonadCont m => MonadCont (IdentityT m) where
  callCC f = IdentityT (callCC (\c -> runIdentityT (f (\a -> IdentityT (c a)))))

instance MonadCont m => MonadCont (MaybeT m) where
  callCC f = MaybeT (callCC (\c -> runMaybeT (f (\a -> MaybeT (c (Just a))))))

instance MonadCont m => MonadCont (ExceptT e m) where
  callCC f = ExceptT (callCC (\c -> runExceptT (f (\a -> ExceptT (c (Right a))))))

instance MonadCont m => MonadCont (ReaderT r m) where
  callCC f = ReaderT (\r -> callCC (\c -> runReaderT (f (\a -> ReaderT (\_ -> c a))) r))

-- The state at the time of the call of the continuation is kept.
instance MonadCont m => MonadCont (Lazy.StateT s m) where
  callCC f = Lazy.StateT (\s ->
    callCC (\c -> Lazy.runStateT (f (\a -> Lazy.StateT (\s' -> c (a, s')))) s))

instance MonadCont m => MonadCont (Strict.StateT s m) where
  callCC f = Strict.StateT (\s ->
    callCC (\c -> Strict.runStateT (f (\a -> Strict.StateT (\s' -> c (a, s')))) s))

instance (Monoid w, MonadCont m) => MonadCont (LazyWriter.WriterT w m) where
  callCC f = LazyWriter.WriterT
    (callCC (\c -> LazyWriter.runWriterT (f (\a -> LazyWriter.WriterT (c (a, mempty))))))

instance (Monoid w, MonadCont m) => MonadCont (StrictWriter.WriterT w m) where
  callCC f = StrictWriter.WriterT
    (callCC (\c -> StrictWriter.runWriterT (f (\a -> StrictWriter.WriterT (c (a, mempty))))))
