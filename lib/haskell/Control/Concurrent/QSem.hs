-- | A number of units that can be taken and given back.  To wait for more than
-- there are would be to wait forever, and is an error at once.
module Control.Concurrent.QSem (QSem, newQSem, waitQSem, signalQSem) where

import Control.Concurrent.MVar
import Control.Exception (BlockedIndefinitelyOnMVar(..), throwIO)

newtype QSem = QSem (MVar Int)

newQSem :: Int -> IO QSem
newQSem units
  | units < 0 = ioError (userError "newQSem: Initial quantity must be non-negative")
  | otherwise = fmap QSem (newMVar units)

waitQSem, signalQSem :: QSem -> IO ()
waitQSem (QSem v) = modifyMVar_ v (\units ->
  if units >= 1 then return (units - 1) else throwIO BlockedIndefinitelyOnMVar)
signalQSem (QSem v) = modifyMVar_ v (\units -> return (units + 1))
