import Control.Concurrent.MVar
import Control.Concurrent.STM
import Control.Monad

update :: MVar Int -> (Int -> Int) -> IO Int
update v f = modifyMVar v (\x -> return (f x, x))

move :: TVar Int -> TVar Int -> Int -> STM Bool
move from to n = do
  x <- readTVar from
  if x < n
    then return False
    else do
      writeTVar from (x - n)
      modifyTVar to (+ n)
      return True

ticks :: MVar Int -> Int -> IO [Int]
ticks v n = replicateM n (update v (+ 1))

main :: IO ()
main = do
  v <- newMVar 10
  update v (* 2) >>= print
  ticks v 3 >>= print
  readMVar v >>= print
  a <- newTVarIO 5
  b <- newTVarIO 0
  ok <- atomically (move a b 3)
  no <- atomically (move a b 3)
  x <- readTVarIO a
  y <- readTVarIO b
  print (ok, no, x, y)
