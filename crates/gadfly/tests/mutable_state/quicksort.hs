import Control.Monad
import Control.Monad.ST
import Data.Array.ST
import Data.Array.Unboxed

swap :: STUArray s Int Int -> Int -> Int -> ST s ()
swap arr i j = do
  x <- readArray arr i
  y <- readArray arr j
  writeArray arr i y
  writeArray arr j x

partition :: STUArray s Int Int -> Int -> Int -> ST s Int
partition arr lo hi = do
  pivot <- readArray arr hi
  let go i j
        | j >= hi = return i
        | otherwise = do
            x <- readArray arr j
            if x < pivot
              then swap arr i j >> go (i + 1) (j + 1)
              else go i (j + 1)
  i <- go lo lo
  swap arr i hi
  return i

quicksort :: STUArray s Int Int -> Int -> Int -> ST s ()
quicksort arr lo hi = when (lo < hi) $ do
  p <- partition arr lo hi
  quicksort arr lo (p - 1)
  quicksort arr (p + 1) hi

sortList :: [Int] -> [Int]
sortList xs = elems (runSTUArray (do
  arr <- newListArray (0, length xs - 1) xs
  quicksort arr 0 (length xs - 1)
  return arr))

main :: IO ()
main = print (sortList [3, 1, 4, 1, 5, 9, 2, 6])
