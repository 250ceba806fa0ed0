-- | A number of units that can be taken and given back.  To wait for more than
-- there are would be to wait forever, and is an error at once.
module Control.Concurrent.QSemN (QSemN, newQSemN, waitQSemN, signalQSemN) where

import Control.Concurrent.MVar
import Control.Exception (BlockedIndefinitelyOnMVar(..), throwIO)

newtype QSemN = QSemN (MVar Int)

newQSemN :: Int -> IO QSemN
newQSemN units
  | units < 0 = ioError (userError "newQSemN: Initial quantity must be non-negative")
  | otherwise = fmap QSemN (newMVar units)

waitQSemN, signalQSemN :: QSemN -> Int -> IO ()
waitQSemN (QSemN v) n = modifyMVar_ v (\units ->
  if units >= n then return (units - n) else throwIO BlockedIndefinitelyOnMVar)
signalQSemN (QSemN v) n = modifyMVar_ v (\units -> return (units + n))
