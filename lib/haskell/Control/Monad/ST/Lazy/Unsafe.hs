-- | Actions of any kind as those of lazy state threads.
module Control.Monad.ST.Lazy.Unsafe (unsafeInterleaveST, unsafeIOToST) where

import Control.Monad.ST.Lazy
import qualified Gadfly.ST as Strict

unsafeInterleaveST :: ST s a -> ST s a
unsafeInterleaveST m = strictToLazyST (Strict.unsafeInterleaveST (lazyToStrictST m))

unsafeIOToST :: IO a -> ST s a
unsafeIOToST act = strictToLazyST (Strict.unsafeIOToST act)
