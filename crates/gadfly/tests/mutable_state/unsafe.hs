import Control.Monad.ST
import Data.Array
import Data.Array.ST
import Data.Array.Unsafe (unsafeFreeze)

prefix :: [Int] -> Array Int Int
prefix xs = runST (do
  a <- newListArray (0, length xs) (0 : xs)
  go a 1 (length xs)
  unsafeFreeze a)

go :: STArray s Int Int -> Int -> Int -> ST s ()
go a i n
  | i > n = return ()
  | otherwise = do
      x <- readArray a (i - 1)
      y <- readArray a i
      writeArray a i $! x + y
      go a (i + 1) n

range' :: Array Int Int -> Int -> Int -> Int
range' p i j = p ! j - p ! i

main :: IO ()
main = do
  let p = prefix [3, 1, 4, 1, 5]
  print (range' p 1 4)
  print (elems p)
