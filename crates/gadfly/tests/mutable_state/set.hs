import Data.Array.ST
import Data.Array
import Control.Monad.ST

set :: STArray s Int Int -> Int -> Int -> ST s ()
set a i x = writeArray a i x

build :: Int -> Array Int Int
build n = runSTArray (do { a <- newArray (0,n) 0; set a 0 7; return a })

main :: IO ()
main = print (build 2)
