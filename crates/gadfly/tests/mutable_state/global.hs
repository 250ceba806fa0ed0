import Data.IORef
import System.IO.Unsafe

{-# NOINLINE supply #-}
supply :: IORef Int
supply = unsafePerformIO (newIORef 0)

fresh :: IO Int
fresh = do
  n <- readIORef supply
  writeIORef supply (n + 1)
  return n

names :: Int -> IO [String]
names k = mapM (const (fmap name fresh)) [1 .. k]

name :: Int -> String
name n = "x" ++ show n

peek :: () -> Int
peek () = unsafePerformIO (readIORef supply)

lazily :: IORef Int -> IO Int
lazily r = do
  x <- unsafeInterleaveIO (readIORef r)
  writeIORef r 50
  return x

main :: IO ()
main = do
  xs <- names 3
  print xs
  n <- fresh
  print n
  print (peek ())
  r <- newIORef 1
  lazily r >>= print
