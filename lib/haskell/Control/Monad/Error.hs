{-# LANGUAGE MultiParamTypeClasses, FunctionalDependencies, FlexibleInstances, UndecidableInstances #-}
-- | Monads with errors, as older programs know them.
module Control.Monad.Error
  ( MonadError(..), liftEither, Error(..), ErrorT(..), runErrorT, mapErrorT
  , module Control.Monad
  , module Control.Monad.Fix
  , module Control.Monad.Trans
  ) where

import Control.Monad
import Control.Monad.Error.Class
import Control.Monad.Fix
import Control.Monad.Reader.Class (MonadReader(..))
import Control.Monad.State.Class (MonadState(..))
import Control.Monad.Trans
import Control.Monad.Trans.Error
import Control.Monad.Writer.Class (MonadWriter(..))

instance Monad m => MonadError e (ErrorT e m) where
  throwError e   = ErrorT (return (Left e))
  catchError m h = ErrorT (runErrorT m >>= either (runErrorT . h) (return . Right))

instance MonadState s m => MonadState s (ErrorT e m) where
  get   = lift get
  put s = lift (put s)

instance MonadReader r m => MonadReader r (ErrorT e m) where
  ask       = lift ask
  local f m = mapErrorT (local f) m

instance MonadWriter w m => MonadWriter w (ErrorT e m) where
  tell w   = lift (tell w)
  listen m = ErrorT (listen (runErrorT m) >>= \(end, w) -> return (fmap (\x -> (x, w)) end))
  pass m   = ErrorT (pass (runErrorT m >>= \end -> return (case end of
    Left e       -> (Left e, id)
    Right (x, f) -> (Right x, f))))
