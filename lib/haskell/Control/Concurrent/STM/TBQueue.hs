-- | Queues with a bound in transactions.
module Control.Concurrent.STM.TBQueue
  ( TBQueue, newTBQueue, newTBQueueIO, readTBQueue, tryReadTBQueue, flushTBQueue, peekTBQueue, tryPeekTBQueue
  , writeTBQueue, unGetTBQueue, isEmptyTBQueue, isFullTBQueue, lengthTBQueue
  ) where

import Numeric.Natural (Natural)
import Gadfly.STM

-- | What can be read, in order; what was written last, in reverse; the bound.
data TBQueue a = TBQueue (TVar [a]) (TVar [a]) Int

instance Eq (TBQueue a) where
  TBQueue a _ _ == TBQueue b _ _ = a == b

newTBQueue :: Natural -> STM (TBQueue a)
newTBQueue n = do
  front <- newTVar []
  back <- newTVar []
  return (TBQueue front back (fromIntegral n))

newTBQueueIO :: Natural -> IO (TBQueue a)
newTBQueueIO n = atomically (newTBQueue n)

-- | Everything in order.
contents :: TBQueue a -> STM [a]
contents (TBQueue front back _) = do
  xs <- readTVar front
  ys <- readTVar back
  return (xs ++ reverse ys)

writeTBQueue :: TBQueue a -> a -> STM ()
writeTBQueue queue@(TBQueue _ back _) x = do
  full <- isFullTBQueue queue
  if full then retry else return ()
  ys <- readTVar back
  writeTVar back (x : ys)

unGetTBQueue :: TBQueue a -> a -> STM ()
unGetTBQueue queue@(TBQueue front _ _) x = do
  full <- isFullTBQueue queue
  if full then retry else return ()
  xs <- readTVar front
  writeTVar front (x : xs)

tryReadTBQueue, tryPeekTBQueue :: TBQueue a -> STM (Maybe a)
tryReadTBQueue queue@(TBQueue front back _) = do
  xs <- readTVar front
  case xs of
    x : rest -> writeTVar front rest >> return (Just x)
    []       -> do
      all' <- contents queue
      case all' of
        []       -> return Nothing
        x : rest -> writeTVar front rest >> writeTVar back [] >> return (Just x)
tryPeekTBQueue queue = fmap (\xs -> case xs of { [] -> Nothing; x : _ -> Just x }) (contents queue)

readTBQueue, peekTBQueue :: TBQueue a -> STM a
readTBQueue queue = tryReadTBQueue queue >>= maybe retry return
peekTBQueue queue = tryPeekTBQueue queue >>= maybe retry return

flushTBQueue :: TBQueue a -> STM [a]
flushTBQueue queue@(TBQueue front back _) = do
  xs <- contents queue
  writeTVar front []
  writeTVar back []
  return xs

isEmptyTBQueue :: TBQueue a -> STM Bool
isEmptyTBQueue queue = fmap null (contents queue)

isFullTBQueue :: TBQueue a -> STM Bool
isFullTBQueue queue@(TBQueue _ _ n) = fmap (\xs -> length xs >= n) (contents queue)

lengthTBQueue :: TBQueue a -> STM Natural
lengthTBQueue queue = fmap (fromIntegral . length) (contents queue)
