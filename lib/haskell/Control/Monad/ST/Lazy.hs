-- | State threads whose actions are done only when a result needs them.
module Control.Monad.ST.Lazy
  ( ST, runST, fixST, strictToLazyST, lazyToStrictST, RealWorld, stToIO
  ) where

import Control.Monad.Fix (MonadFix(..))
import Gadfly.Base (primUnsafePerformIO)
import qualified Gadfly.ST as Strict
import Gadfly.ST (RealWorld)

-- | What has been done so far; to evaluate it is to do it.
data Done = Done

newtype ST s a = ST (Done -> (a, Done))

after :: ST s a -> Done -> (a, Done)
after (ST m) = m

instance Functor (ST s) where
  fmap f m = ST (\done -> let r = after m done in (f (fst r), snd r))

instance Applicative (ST s) where
  pure x    = ST (\done -> (x, done))
  mf <*> mx = mf >>= \f -> fmap f mx

instance Monad (ST s) where
  m >>= k = ST (\done -> let r = after m done in after (k (fst r)) (snd r))

instance MonadFix (ST s) where
  mfix f = ST (\done -> let r = after (f (fst r)) done in r)

runST :: ST s a -> a
runST m = fst (after m Done)

fixST :: (a -> ST s a) -> ST s a
fixST = mfix

-- | The result of an action that was done, not evaluated.
data Result a = Result a

strictToLazyST :: Strict.ST s a -> ST s a
strictToLazyST m = ST (\done ->
  let r = done `seq` primUnsafePerformIO (fmap Result (Strict.unST m))
  in (case r of Result x -> x, r `seq` Done))

lazyToStrictST :: ST s a -> Strict.ST s a
lazyToStrictST m = Strict.ST (return () >>= \_ -> case after m Done of
  (x, done) -> done `seq` return x)

stToIO :: ST RealWorld a -> IO a
stToIO m = Strict.stToIO (lazyToStrictST m)
