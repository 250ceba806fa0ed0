-- | Monad transformers.
module Control.Monad.Trans.Class (MonadTrans(..)) where

class MonadTrans t where
  -- | An action of the inner monad, as one of the transformed monad.
  lift :: Monad m => m a -> t m a
