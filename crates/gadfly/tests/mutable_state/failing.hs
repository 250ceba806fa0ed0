import Control.Exception
import Control.Monad
import Data.IORef

drain :: IORef [Int] -> IORef Int -> IO Int
drain queue seen = do
  xs <- readIORef queue
  case xs of
    [] -> throwIO (userError "empty")
    (x : rest) -> do
      writeIORef queue rest
      modifyIORef' seen (+ 1)
      when (x == 0) (throwIO (ErrorCall "zero"))
      return (100 `div` x)

attempt :: IORef [Int] -> IORef Int -> IO (Either String Int)
attempt queue seen = fmap Right (drain queue seen) `catch` \e ->
  return (Left (show (e :: SomeException)))

restoring :: IORef Int -> IO a -> IO a
restoring r act = do
  old <- readIORef r
  act `onException` writeIORef r old

risky :: IORef Int -> Int -> IO Int
risky r n = restoring r (do
  writeIORef r n
  when (n > 5) (throwIO (ErrorCall "too big"))
  readIORef r)

safely :: IO Int -> IO Int
safely act = act `catch` \e -> const (return (-1)) (e :: ErrorCall)

main :: IO ()
main = do
  queue <- newIORef [5, 0, 7]
  seen <- newIORef 0
  replicateM 4 (attempt queue seen) >>= print
  readIORef seen >>= print
  r <- newIORef 1
  safely (risky r 3) >>= print
  safely (risky r 9) >>= print
  readIORef r >>= print
