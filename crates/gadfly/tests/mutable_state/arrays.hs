import Control.Monad
import Control.Monad.ST
import Data.Array
import Data.Array.IO
import Data.Array.ST
import Data.Array.Unboxed (UArray)
import qualified Data.Array.Unboxed as U
import Data.IORef

fill :: IOArray Int (IORef Int) -> IO ()
fill a = do
  (lo, hi) <- getBounds a
  forM_ [lo .. hi] $ \i -> do
    r <- readArray a i
    writeIORef r (i * i)

refs :: Int -> IO (IOArray Int (IORef Int))
refs n = do
  rs <- mapM newIORef [1 .. n]
  newListArray (1, n) rs

exchange :: IOArray Int a -> Int -> Int -> IO ()
exchange a i j = do
  x <- readArray a i
  readArray a j >>= writeArray a i
  writeArray a j x

grid :: Int -> Array (Int, Int) Char
grid n = runSTArray (do
  g <- newArray ((0, 0), (n, n)) '.'
  forM_ [0 .. n] $ \i -> plot g i i
  plot g 0 n
  return g)

plot :: STArray s (Int, Int) Char -> Int -> Int -> ST s ()
plot g x y = writeArray g (x, y) '#'

sieve :: Int -> UArray Int Bool
sieve n = runSTUArray (do
  a <- newArray (2, n) True
  forM_ [2 .. n] $ \i -> do
    p <- readArray a i
    when (p && i * i <= n) (cross a i n)
  return a)

cross :: STUArray s Int Bool -> Int -> Int -> ST s ()
cross a i n = forM_ [i * i, i * i + i .. n] $ \j -> writeArray a j False

letters :: String -> [(Char, Int)]
letters text = runST (do
  counts <- newArray ('a', 'e') 0 :: ST s (STUArray s Char Int)
  mapM_ (count counts) text
  getAssocs counts)

count :: STUArray s Char Int -> Char -> ST s ()
count counts c = readArray counts c >>= writeArray counts c . (+ 1)

single :: IO Int
single = do
  a <- newArray (0, 0) 5 :: IO (IOUArray Int Int)
  half a
  readArray a 0

half :: IOUArray Int Int -> IO ()
half a = readArray a 0 >>= \x -> writeArray a 0 (x `div` 2)

-- What was frozen is copied, and stays as it was.
frozen :: Int -> ([Int], [Int])
frozen n = runST (do
  a <- newListArray (0, n) [0 ..] :: ST s (STArray s Int Int)
  before <- snapshot a
  writeArray a 0 100
  after <- snapshot a
  return (elems before, elems after))

snapshot :: STArray s Int Int -> ST s (Array Int Int)
snapshot a = freeze a

main :: IO ()
main = do
  a <- refs 3
  fill a
  exchange a 1 3
  getElems a >>= mapM readIORef >>= print
  print (grid 2)
  print [i | (i, True) <- U.assocs (sieve 30)]
  print (letters "abacadae")
  single >>= print
  print (frozen 2)
