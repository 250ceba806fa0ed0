-- | What programs take from GHC's module of this name.
module GHC.Conc
  ( par, pseq, numCapabilities, getNumCapabilities, setNumCapabilities, getNumProcessors
  , ThreadId, myThreadId, forkIO, killThread, throwTo, yield, threadDelay
  , STM, atomically, retry, orElse, throwSTM, catchSTM
  , TVar, newTVar, newTVarIO, readTVar, readTVarIO, writeTVar
  ) where

import Control.Concurrent
import Control.Concurrent.STM.TVar
import Control.Monad.STM
import Control.Parallel (par, pseq)

numCapabilities :: Int
numCapabilities = 1

getNumProcessors :: IO Int
getNumProcessors = return 1
