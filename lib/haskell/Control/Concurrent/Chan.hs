-- | Channels without bounds.  To read from an empty one would be to wait
-- forever, and is an error at once.
module Control.Concurrent.Chan
  ( Chan, newChan, writeChan, readChan, dupChan, getChanContents, writeList2Chan
  ) where

import Control.Concurrent.MVar
import System.IO.Unsafe (unsafeInterleaveIO)

-- | Where to read next and where to write next, in a list whose end is empty.
data Chan a = Chan (MVar (Stream a)) (MVar (Stream a))

type Stream a = MVar (Item a)

data Item a = Item a (Stream a)

instance Eq (Chan a) where
  Chan a _ == Chan b _ = a == b

newChan :: IO (Chan a)
newChan = do
  end <- newEmptyMVar
  front <- newMVar end
  back <- newMVar end
  return (Chan front back)

writeChan :: Chan a -> a -> IO ()
writeChan (Chan _ back) x = do
  end <- newEmptyMVar
  old <- swapMVar back end
  putMVar old (Item x end)

readChan :: Chan a -> IO a
readChan (Chan front _) = modifyMVar front (\s -> do
  Item x rest <- readMVar s
  return (rest, x))

-- | Gets what is written to the channel from now on.
dupChan :: Chan a -> IO (Chan a)
dupChan (Chan _ back) = do
  end <- readMVar back
  front <- newMVar end
  return (Chan front back)

-- | All that will be in the channel, read as it is needed.
getChanContents :: Chan a -> IO [a]
getChanContents c = unsafeInterleaveIO (do
  x <- readChan c
  xs <- getChanContents c
  return (x : xs))

writeList2Chan :: Chan a -> [a] -> IO ()
writeList2Chan c = mapM_ (writeChan c)
