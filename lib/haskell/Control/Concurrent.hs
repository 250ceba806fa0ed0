-- | Threads, of which there is one: what is forked runs to its end at once,
-- before 'forkIO' returns.  A thread that would have to wait for another gets
-- 'Control.Exception.BlockedIndefinitelyOnMVar'; in a forked one that is told
-- on standard error, as every exception there is.
module Control.Concurrent
  ( ThreadId, myThreadId, forkIO, forkFinally, forkIOWithUnmask, forkOS, forkOn, killThread, throwTo
  , yield, threadDelay
  , getNumCapabilities, setNumCapabilities, threadCapability
  , rtsSupportsBoundThreads, isCurrentThreadBound, runInBoundThread, runInUnboundThread
  , module Control.Concurrent.MVar
  , module Control.Concurrent.Chan
  , module Control.Concurrent.QSem
  , module Control.Concurrent.QSemN
  ) where

import Control.Concurrent.Chan
import Control.Concurrent.MVar
import Control.Concurrent.QSem
import Control.Concurrent.QSemN
import Control.Exception (AsyncException(..), Exception(..), SomeException, catch, throwIO, try)
import Data.IORef
import System.IO (hFlush, hPutStrLn, stderr, stdout)
import System.IO.Unsafe (unsafePerformIO)

newtype ThreadId = ThreadId Int
  deriving (Eq, Ord)

instance Show ThreadId where
  showsPrec d (ThreadId n) = showString "ThreadId " . showsPrec d n

-- | The thread that runs, and the number of the latest one.
threads :: IORef (Int, Int)
threads = unsafePerformIO (newIORef (1, 1))

myThreadId :: IO ThreadId
myThreadId = fmap (ThreadId . fst) (readIORef threads)

forkIO :: IO () -> IO ThreadId
forkIO act = do
  (parent, latest) <- readIORef threads
  let child = latest + 1
  writeIORef threads (child, child)
  act `catch` report
  modifyIORef threads (\(_, n) -> (parent, n))
  return (ThreadId child)

-- | What GHC does with an exception that ends a thread.
report :: SomeException -> IO ()
report e = case fromException e of
  Just ThreadKilled -> return ()
  _                 -> do
    hFlush stdout
    hPutStrLn stderr (displayException e)

forkFinally :: IO a -> (Either SomeException a -> IO ()) -> IO ThreadId
forkFinally act end = forkIO (try act >>= end)

-- | The action is given the identity: nothing is ever masked.
forkIOWithUnmask :: ((IO a -> IO a) -> IO ()) -> IO ThreadId
forkIOWithUnmask act = forkIO (act id)

forkOS :: IO () -> IO ThreadId
forkOS = forkIO

forkOn :: Int -> IO () -> IO ThreadId
forkOn _ = forkIO

-- | Nothing, unless it is the thread itself: others have ended.
killThread :: ThreadId -> IO ()
killThread t = throwTo t ThreadKilled

throwTo :: Exception e => ThreadId -> e -> IO ()
throwTo t e = do
  self <- myThreadId
  if t == self then throwIO e else return ()

yield :: IO ()
yield = return ()

-- | Time does not pass for a thread that is alone.
threadDelay :: Int -> IO ()
threadDelay _ = return ()

getNumCapabilities :: IO Int
getNumCapabilities = return 1

setNumCapabilities :: Int -> IO ()
setNumCapabilities _ = return ()

threadCapability :: ThreadId -> IO (Int, Bool)
threadCapability _ = return (0, False)

rtsSupportsBoundThreads :: Bool
rtsSupportsBoundThreads = False

isCurrentThreadBound :: IO Bool
isCurrentThreadBound = return True

runInBoundThread, runInUnboundThread :: IO a -> IO a
runInBoundThread act   = act
runInUnboundThread act = act
