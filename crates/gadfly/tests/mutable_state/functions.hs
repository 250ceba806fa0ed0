import Data.IORef
import Control.Monad

-- A reference that holds a function, and functions that hold references.
compose :: IORef (Int -> Int) -> (Int -> Int) -> IO ()
compose r f = modifyIORef r (f .)

apply :: IORef (Int -> Int) -> Int -> IO Int
apply r x = do
  f <- readIORef r
  return (f x)

counter :: Int -> IO (IO Int)
counter start = do
  r <- newIORef start
  return (next r)

next :: IORef Int -> IO Int
next r = do
  n <- readIORef r
  writeIORef r (n + 1)
  return n

twice :: IO Int -> IO (Int, Int)
twice act = do
  a <- act
  b <- act
  return (a, b)

each :: (Int -> IO ()) -> [Int] -> IO ()
each f = mapM_ f

within :: IORef Int -> IO () -> IO Int
within r act = do
  act
  readIORef r

handlers :: [(String, IORef Int -> IO ())]
handlers = [("up", \r -> modifyIORef' r (+ 1)), ("double", \r -> modifyIORef' r (* 2))]

run :: IORef Int -> String -> IO ()
run r name = case lookup name handlers of
  Just f -> f r
  Nothing -> writeIORef r 0

main :: IO ()
main = do
  r <- newIORef id
  compose r (+ 1)
  compose r (* 2)
  apply r 5 >>= print
  c <- counter 10
  p <- twice c
  q <- twice c
  print (p, q)
  s <- newIORef 0
  each (\x -> modifyIORef s (+ x)) [1, 2, 3]
  readIORef s >>= print
  v <- within s (modifyIORef s (* 10))
  print v
  mapM_ (run s) ["up", "double", "none", "up"]
  readIORef s >>= print
