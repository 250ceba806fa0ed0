-- | Computations that may end without a result.
module Control.Monad.Trans.Maybe
  ( MaybeT(..), mapMaybeT, hoistMaybe, maybeToExceptT, exceptToMaybeT
  ) where

import Control.Applicative (Alternative(..))
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..))
import Control.Monad.IO.Class (MonadIO(..))
import Control.Monad.Trans.Class (MonadTrans(..))
import Control.Monad.Trans.Except (ExceptT(..))

newtype MaybeT m a = MaybeT { runMaybeT :: m (Maybe a) }

mapMaybeT :: (m (Maybe a) -> n (Maybe b)) -> MaybeT m a -> MaybeT n b
mapMaybeT f m = MaybeT (f (runMaybeT m))

hoistMaybe :: Applicative m => Maybe a -> MaybeT m a
hoistMaybe r = MaybeT (pure r)

maybeToExceptT :: Functor m => e -> MaybeT m a -> ExceptT e m a
maybeToExceptT e (MaybeT m) = ExceptT (fmap (maybe (Left e) Right) m)

exceptToMaybeT :: Functor m => ExceptT e m a -> MaybeT m a
exceptToMaybeT (ExceptT m) = MaybeT (fmap (either (const Nothing) Just) m)

-- | Go on without a result in one way, with one in the other.
onEnd :: Monad m => MaybeT m b -> (a -> MaybeT m b) -> MaybeT m a -> MaybeT m b
onEnd none some m = MaybeT (runMaybeT m >>= \end -> case end of
  Nothing -> runMaybeT none
  Just x  -> runMaybeT (some x))

instance Functor m => Functor (MaybeT m) where
  fmap f m = MaybeT (fmap (fmap f) (runMaybeT m))

instance Foldable f => Foldable (MaybeT f) where
  foldMap f m = foldMap (foldMap f) (runMaybeT m)

instance Traversable f => Traversable (MaybeT f) where
  traverse f m = fmap MaybeT (traverse (traverse f) (runMaybeT m))

instance Monad m => Applicative (MaybeT m) where
  pure x    = MaybeT (return (Just x))
  mf <*> mx = mf >>= \f -> onEnd empty (\x -> pure (f x)) mx
  m *> k    = m >>= \_ -> k

instance Monad m => Monad (MaybeT m) where
  m >>= k = onEnd empty k m

instance Monad m => MonadFail (MaybeT m) where
  fail _ = empty

instance Monad m => Alternative (MaybeT m) where
  empty   = MaybeT (return Nothing)
  m <|> n = onEnd n pure m

instance Monad m => MonadPlus (MaybeT m)

instance MonadFix m => MonadFix (MaybeT m) where
  mfix f = MaybeT (mfix (\end -> runMaybeT (f (maybe noResult id end))))
    where noResult = error "mfix (MaybeT): inner computation returned Nothing"

instance MonadTrans MaybeT where
  lift m = MaybeT (fmap Just m)

instance MonadIO m => MonadIO (MaybeT m) where
  liftIO act = lift (liftIO act)
