import Control.Monad
import Control.Monad.ST
import Data.STRef

sumST :: [Int] -> Int
sumST xs = runST (do
  total <- newSTRef 0
  forM_ xs (\x -> modifySTRef' total (+ x))
  readSTRef total)

-- A run inside of a run, and a reference that holds a reference.
rows :: [[Int]] -> (Int, Int)
rows xss = runST (do
  best <- newSTRef 0
  count <- newSTRef 0
  holder <- newSTRef best
  forM_ xss $ \xs -> do
    let s = sumST xs
    inner <- readSTRef holder
    old <- readSTRef inner
    when (s > old) (writeSTRef inner s)
    bump count
  b <- readSTRef best
  c <- readSTRef count
  return (b, c))

bump :: STRef s Int -> ST s ()
bump r = do
  n <- readSTRef r
  writeSTRef r $! n + 1

-- The holder is turned to another reference.
turn :: STRef s (STRef s a) -> STRef s a -> ST s (STRef s a)
turn holder new = do
  old <- readSTRef holder
  writeSTRef holder new
  return old

turned :: Int -> (Int, Int)
turned n = runST (do
  a <- newSTRef n
  b <- newSTRef (n * 10)
  h <- newSTRef a
  old <- turn h b
  writeSTRef old 1
  now <- readSTRef h
  bump now
  (,) <$> readSTRef a <*> readSTRef b)

same :: STRef s Int -> STRef s Int -> ST s ()
same a b = do
  x <- readSTRef a
  writeSTRef b (x + 1)
  y <- readSTRef a
  writeSTRef b (y + 1)

aliased :: Int -> Int
aliased n = runST (do
  r <- newSTRef n
  same r r
  readSTRef r)

main :: IO ()
main = do
  print (rows [[1, 2, 3], [10, 20], [4]])
  print (turned 5)
  print (aliased 3)
