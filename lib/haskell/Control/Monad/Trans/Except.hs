-- | Computations that may end with an error.
module Control.Monad.Trans.Except
  ( Except, except, runExcept, mapExcept, withExcept
  , ExceptT(..), runExceptT, mapExceptT, withExceptT
  , throwE, catchE, handleE, tryE, finallyE
  ) where

import Control.Applicative (Alternative(..))
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..))
import Control.Monad.IO.Class (MonadIO(..))
import Control.Monad.Trans.Class (MonadTrans(..))
import Data.Functor.Identity (Identity(..))

newtype ExceptT e m a = ExceptT (m (Either e a))

type Except e = ExceptT e Identity

except :: Monad m => Either e a -> ExceptT e m a
except m = ExceptT (return m)

runExcept :: Except e a -> Either e a
runExcept (ExceptT m) = runIdentity m

mapExcept :: (Either e a -> Either e' b) -> Except e a -> Except e' b
mapExcept f = mapExceptT (Identity . f . runIdentity)

withExcept :: (e -> e') -> Except e a -> Except e' a
withExcept = withExceptT

runExceptT :: ExceptT e m a -> m (Either e a)
runExceptT (ExceptT m) = m

mapExceptT :: (m (Either e a) -> n (Either e' b)) -> ExceptT e m a -> ExceptT e' n b
mapExceptT f m = ExceptT (f (runExceptT m))

withExceptT :: Functor m => (e -> e') -> ExceptT e m a -> ExceptT e' m a
withExceptT f (ExceptT m) = ExceptT (fmap (either (Left . f) Right) m)

throwE :: Monad m => e -> ExceptT e m a
throwE e = ExceptT (return (Left e))

-- | Go on with an error in one way, with a result in the other.
onEnd :: Monad m => (e -> ExceptT e' m b) -> (a -> ExceptT e' m b) -> ExceptT e m a -> ExceptT e' m b
onEnd failed done m = ExceptT (runExceptT m >>= \end -> case end of
  Left e  -> runExceptT (failed e)
  Right x -> runExceptT (done x))

catchE :: Monad m => ExceptT e m a -> (e -> ExceptT e' m a) -> ExceptT e' m a
catchE m handler = onEnd handler pure m

handleE :: Monad m => (e -> ExceptT e' m a) -> ExceptT e m a -> ExceptT e' m a
handleE handler m = catchE m handler

tryE :: Monad m => ExceptT e m a -> ExceptT e m (Either e a)
tryE m = ExceptT (fmap Right (runExceptT m))

-- | Run the second in any case; its error counts if it has one.
finallyE :: Monad m => ExceptT e m a -> ExceptT e m () -> ExceptT e m a
finallyE m closer = tryE m >>= \end -> closer >> ExceptT (return end)

instance Functor m => Functor (ExceptT e m) where
  fmap f m = ExceptT (fmap (fmap f) (runExceptT m))

instance Foldable f => Foldable (ExceptT e f) where
  foldMap f m = foldMap (foldMap f) (runExceptT m)

instance Traversable f => Traversable (ExceptT e f) where
  traverse f m = fmap ExceptT (traverse (traverse f) (runExceptT m))

instance Monad m => Applicative (ExceptT e m) where
  pure x    = ExceptT (return (Right x))
  mf <*> mx = mf >>= \f -> onEnd throwE (\x -> pure (f x)) mx
  m *> k    = m >>= \_ -> k

instance Monad m => Monad (ExceptT e m) where
  m >>= k = onEnd throwE k m

instance MonadFail m => MonadFail (ExceptT e m) where
  fail message = ExceptT (fail message)

instance (Monad m, Monoid e) => Alternative (ExceptT e m) where
  empty   = throwE mempty
  m <|> n = catchE m (\e -> withExceptT (e <>) n)

instance (Monad m, Monoid e) => MonadPlus (ExceptT e m)

instance MonadFix m => MonadFix (ExceptT e m) where
  mfix f = ExceptT (mfix (\end -> runExceptT (f (either (const noResult) id end))))
    where noResult = error "mfix (ExceptT): inner computation returned Left value"

instance MonadTrans (ExceptT e) where
  lift m = ExceptT (fmap Right m)

instance MonadIO m => MonadIO (ExceptT e m) where
  liftIO act = lift (liftIO act)
