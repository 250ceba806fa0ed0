-- | Ways around the safety of state threads.
module Control.Monad.ST.Unsafe (unsafeInterleaveST, unsafeIOToST, unsafeSTToIO) where

import Gadfly.ST
