import Data.IORef

data Stack = Stack (IORef [Int]) (IORef Int)

newStack :: IO Stack
newStack = do
  items <- newIORef []
  size <- newIORef 0
  return (Stack items size)

push :: Stack -> Int -> IO ()
push (Stack items size) x = do
  modifyIORef items (x :)
  modifyIORef size (+ 1)

pop :: Stack -> IO (Maybe Int)
pop (Stack items size) = do
  xs <- readIORef items
  case xs of
    [] -> return Nothing
    (y : ys) -> do
      writeIORef items ys
      modifyIORef size (subtract 1)
      return (Just y)

binary :: Stack -> (Int -> Int -> Int) -> IO ()
binary s f = do
  Just a <- pop s
  Just b <- pop s
  push s (f b a)

step :: Stack -> String -> IO ()
step s "+" = binary s (+)
step s "-" = binary s (-)
step s "*" = binary s (*)
step s word = push s (read word)

rpn :: String -> IO (Maybe Int)
rpn text = do
  s <- newStack
  mapM_ (step s) (words text)
  pop s

main :: IO ()
main = rpn "10 2 3 + -" >>= print
