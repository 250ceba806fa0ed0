-- | Channels in transactions.
module Control.Concurrent.STM.TChan
  ( TChan, newTChan, newTChanIO, newBroadcastTChan, newBroadcastTChanIO, dupTChan, cloneTChan
  , readTChan, tryReadTChan, peekTChan, tryPeekTChan, writeTChan, unGetTChan, isEmptyTChan
  ) where

import Gadfly.STM

-- | Where to read next and where to write next, in a list whose end is empty.
data TChan a = TChan (TVar (Stream a)) (TVar (Stream a))

type Stream a = TVar (Items a)

data Items a = Nil | Item a (Stream a)

instance Eq (TChan a) where
  TChan a _ == TChan b _ = a == b

newTChan, newBroadcastTChan :: STM (TChan a)
newTChan = do
  end <- newTVar Nil
  TChan <$> newTVar end <*> newTVar end
newBroadcastTChan = newTChan

newTChanIO, newBroadcastTChanIO :: IO (TChan a)
newTChanIO = atomically newTChan
newBroadcastTChanIO = newTChanIO

writeTChan :: TChan a -> a -> STM ()
writeTChan (TChan _ back) x = do
  end <- newTVar Nil
  old <- readTVar back
  writeTVar old (Item x end)
  writeTVar back end

tryReadTChan, tryPeekTChan :: TChan a -> STM (Maybe a)
tryReadTChan (TChan front _) = do
  items <- readTVar front >>= readTVar
  case items of
    Nil         -> return Nothing
    Item x rest -> writeTVar front rest >> return (Just x)
tryPeekTChan (TChan front _) = do
  items <- readTVar front >>= readTVar
  case items of
    Nil      -> return Nothing
    Item x _ -> return (Just x)

readTChan, peekTChan :: TChan a -> STM a
readTChan c = tryReadTChan c >>= maybe retry return
peekTChan c = tryPeekTChan c >>= maybe retry return

unGetTChan :: TChan a -> a -> STM ()
unGetTChan (TChan front _) x = do
  rest <- readTVar front
  new <- newTVar (Item x rest)
  writeTVar front new

isEmptyTChan :: TChan a -> STM Bool
isEmptyTChan c = fmap (maybe True (const False)) (tryPeekTChan c)

-- | Gets what is written from now on; or also what has not been read yet.
dupTChan, cloneTChan :: TChan a -> STM (TChan a)
dupTChan (TChan _ back) = do
  front <- readTVar back >>= newTVar
  return (TChan front back)
cloneTChan (TChan front back) = do
  front' <- readTVar front >>= newTVar
  return (TChan front' back)
