-- | Queues in transactions.
module Control.Concurrent.STM.TQueue
  ( TQueue, newTQueue, newTQueueIO, readTQueue, tryReadTQueue, flushTQueue, peekTQueue, tryPeekTQueue
  , writeTQueue, unGetTQueue, isEmptyTQueue
  ) where

import Gadfly.STM

-- | What can be read, in order; what was written last, in reverse.
data TQueue a = TQueue (TVar [a]) (TVar [a])

instance Eq (TQueue a) where
  TQueue a _ == TQueue b _ = a == b

newTQueue :: STM (TQueue a)
newTQueue = do
  front <- newTVar []
  back <- newTVar []
  return (TQueue front back)

newTQueueIO :: IO (TQueue a)
newTQueueIO = atomically newTQueue

-- | Everything in order.
contents :: TQueue a -> STM [a]
contents (TQueue front back) = do
  xs <- readTVar front
  ys <- readTVar back
  return (xs ++ reverse ys)

writeTQueue :: TQueue a -> a -> STM ()
writeTQueue (TQueue _ back) x = do
  ys <- readTVar back
  writeTVar back (x : ys)

unGetTQueue :: TQueue a -> a -> STM ()
unGetTQueue (TQueue front _) x = do
  xs <- readTVar front
  writeTVar front (x : xs)

tryReadTQueue, tryPeekTQueue :: TQueue a -> STM (Maybe a)
tryReadTQueue queue@(TQueue front back) = do
  xs <- readTVar front
  case xs of
    x : rest -> writeTVar front rest >> return (Just x)
    []       -> do
      all' <- contents queue
      case all' of
        []       -> return Nothing
        x : rest -> writeTVar front rest >> writeTVar back [] >> return (Just x)
tryPeekTQueue queue = fmap (\xs -> case xs of { [] -> Nothing; x : _ -> Just x }) (contents queue)

readTQueue, peekTQueue :: TQueue a -> STM a
readTQueue queue = tryReadTQueue queue >>= maybe retry return
peekTQueue queue = tryPeekTQueue queue >>= maybe retry return

flushTQueue :: TQueue a -> STM [a]
flushTQueue queue@(TQueue front back) = do
  xs <- contents queue
  writeTVar front []
  writeTVar back []
  return xs

isEmptyTQueue :: TQueue a -> STM Bool
isEmptyTQueue queue = fmap null (contents queue)
