{-# LANGUAGE NoImplicitPrelude #-}
-- | Monadic fixed points.
module Control.Monad.Fix (MonadFix(..), fix) where

import Gadfly.Base

-- | The least fixed point of a function.
fix :: (a -> a) -> a
fix f = x
  where x = f x

class Monad m => MonadFix m where
  mfix :: (a -> m a) -> m a

instance MonadFix Maybe where
  mfix f = a
    where
      a = f (unJust a)
      unJust (Just x) = x
      unJust Nothing  = errorWithoutStackTrace "mfix Maybe: Nothing"

instance MonadFix [] where
  mfix f = case fix (f . head) of
    []    -> []
    (x:_) -> x : mfix (tail . f)

instance MonadFix NonEmpty where
  mfix f = case fix (f . neHead) of
    x :| _ -> x :| mfix (neTail . f)
    where
      neHead (a :| _)  = a
      neTail (_ :| as) = as

instance MonadFix IO where
  mfix f = do
    ref <- primRefNew (throw FixIOException)
    ans <- unsafeInterleaveIO (primRefRead ref)
    res <- f ans
    primRefWrite ref res
    return res

data FixIOException = FixIOException

instance Show FixIOException where
  showsPrec _ FixIOException = showString "cyclic evaluation in fixIO"

instance Exception FixIOException

instance MonadFix ((->) r) where
  mfix f = \r -> let a = f a r in a

instance MonadFix (Either e) where
  mfix f = a
    where
      a = f (unRight a)
      unRight (Right x) = x
      unRight _         = errorWithoutStackTrace "mfix Either: Left"
