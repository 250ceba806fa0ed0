-- | Computations that may end in an error.
module Control.Monad.Trans.Except
  ( ExceptT(..), mapExceptT, withExceptT
  , Except, except, runExcept, mapExcept, withExcept, throwE, catchE
  ) where

import Control.Monad.IO.Class
import Control.Monad.Trans.Class
import Data.Functor.Identity

newtype ExceptT e m a = ExceptT { runExceptT :: m (Either e a) }

instance Monad m => Functor (ExceptT e m) where
  fmap f m = ExceptT (runExceptT m >>= \r -> return (fmap f r))

instance Monad m => Applicative (ExceptT e m) where
  pure x  = ExceptT (return (Right x))
  f <*> m = f >>= \g -> m >>= \x -> ExceptT (return (Right (g x)))

instance (Monad m, Monoid e) => Alternative (ExceptT e m) where
  empty   = throwE mempty
  m <|> n = catchE m (\e -> catchE n (\f -> throwE (mappend e f)))

instance Monad m => Monad (ExceptT e m) where
  m >>= f = ExceptT (runExceptT m >>= either (\e -> return (Left e)) (\x -> runExceptT (f x)))

instance MonadFail m => MonadFail (ExceptT e m) where
  fail s = ExceptT (fail s)

instance MonadTrans (ExceptT e) where
  lift m = ExceptT (m >>= \x -> return (Right x))

instance MonadIO m => MonadIO (ExceptT e m) where
  liftIO act = lift (liftIO act)

mapExceptT :: (m (Either e a) -> n (Either f b)) -> ExceptT e m a -> ExceptT f n b
mapExceptT f m = ExceptT (f (runExceptT m))

withExceptT :: Monad m => (e -> f) -> ExceptT e m a -> ExceptT f m a
withExceptT f m = ExceptT (runExceptT m >>= \r -> return (either (Left . f) Right r))

type Except e = ExceptT e Identity

except :: Monad m => Either e a -> ExceptT e m a
except r = ExceptT (return r)

runExcept :: Except e a -> Either e a
runExcept m = runIdentity (runExceptT m)

mapExcept :: (Either e a -> Either f b) -> Except e a -> Except f b
mapExcept f m = mapExceptT (\r -> Identity (f (runIdentity r))) m

withExcept :: (e -> f) -> Except e a -> Except f a
withExcept f m = withExceptT f m

throwE :: Monad m => e -> ExceptT e m a
throwE e = ExceptT (return (Left e))

catchE :: Monad m => ExceptT e m a -> (e -> ExceptT f m a) -> ExceptT f m a
catchE m h = ExceptT (runExceptT m >>= either (\e -> runExceptT (h e)) (\x -> return (Right x)))
