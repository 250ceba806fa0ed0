import Control.Monad.ST.Lazy
import Data.STRef.Lazy

fibs :: [Integer]
fibs = runST (do
  a <- newSTRef 0
  b <- newSTRef 1
  endless a b)

endless :: STRef s Integer -> STRef s Integer -> ST s [Integer]
endless a b = do
  x <- advance a b
  xs <- endless a b
  return (x : xs)

advance :: STRef s Integer -> STRef s Integer -> ST s Integer
advance a b = do
  x <- readSTRef a
  y <- readSTRef b
  writeSTRef a y
  writeSTRef b (x + y)
  return x

main :: IO ()
main = print (take 8 fibs)
