-- | State threads: actions of IO that stay inside a pure computation.
module Gadfly.ST where

import Control.Monad.Fix (MonadFix(..))
import Gadfly.Base (primUnsafePerformIO, primIoReturn, primIoBind, unsafeInterleaveIO)

newtype ST s a = ST (IO a)

-- | The state thread that is the real world's.
data RealWorld

unST :: ST s a -> IO a
unST (ST m) = m

-- | Run a thread and keep only its result.  Under GHC the argument's type is
-- quantified over @s@, so that no reference can leave; this type accepts every
-- program that one accepts, also through @($)@ and @(.)@.
runST :: ST s a -> a
runST (ST m) = primUnsafePerformIO m

stToIO :: ST RealWorld a -> IO a
stToIO (ST m) = m

fixST :: (a -> ST s a) -> ST s a
fixST = mfix

unsafeInterleaveST :: ST s a -> ST s a
unsafeInterleaveST (ST m) = ST (unsafeInterleaveIO m)

unsafeIOToST :: IO a -> ST s a
unsafeIOToST = ST

unsafeSTToIO :: ST s a -> IO a
unsafeSTToIO = unST

instance Functor (ST s) where
  fmap f (ST m) = ST (primIoBind m (\x -> primIoReturn (f x)))

instance Applicative (ST s) where
  pure x          = ST (primIoReturn x)
  ST mf <*> ST mx = ST (primIoBind mf (\f -> primIoBind mx (\x -> primIoReturn (f x))))
  ST a *> ST b    = ST (primIoBind a (\_ -> b))

instance Monad (ST s) where
  ST m >>= k = ST (primIoBind m (\x -> unST (k x)))
  (>>)       = (*>)

instance MonadFix (ST s) where
  mfix f = ST (mfix (\x -> unST (f x)))

instance Semigroup a => Semigroup (ST s a) where
  a <> b = (<>) <$> a <*> b

instance Monoid a => Monoid (ST s a) where
  mempty = pure mempty

instance Show (ST s a) where
  showsPrec _ _ = showString "<<ST action>>"
