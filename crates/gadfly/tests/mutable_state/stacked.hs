import Control.Monad.Reader
import Control.Monad.ST
import Control.Monad.State
import Data.IORef
import Data.STRef

data Env = Env { depth :: Int, trace :: IORef [String] }

type App = ReaderT Env IO

say :: String -> App ()
say text = do
  env <- ask
  liftIO (modifyIORef (trace env) ((replicate (depth env) ' ' ++ text) :))

inside :: App a -> App a
inside act = local (\env -> env { depth = depth env + 1 }) act

walk :: Int -> App Int
walk 0 = say "leaf" >> return 1
walk n = do
  say ("node " ++ show n)
  a <- inside (walk (n - 1))
  b <- inside (walk (max 0 (n - 2)))
  return (a + b)

label :: IORef Int -> State [Int] Int -> StateT [Int] IO ()
label r act = do
  s <- get
  let (x, s') = runState act s
  lift (modifyIORef' r (+ x))
  put s'

popState :: State [Int] Int
popState = do
  xs <- get
  case xs of
    [] -> return 0
    (y : ys) -> put ys >> return y

counted :: StateT Int (ST s) () -> ST s Int
counted act = execStateT act 0

visit :: STRef s [Int] -> Int -> StateT Int (ST s) ()
visit r x = do
  lift (modifySTRef r (x :))
  modify (+ 1)

main :: IO ()
main = do
  r <- newIORef []
  n <- runReaderT (walk 2) (Env 0 r)
  print n
  readIORef r >>= mapM_ putStrLn . reverse
  s <- newIORef 0
  rest <- execStateT (label s popState >> label s popState) [3, 4, 5]
  print rest
  readIORef s >>= print
  print (runST (do
    seen <- newSTRef []
    k <- counted (mapM_ (visit seen) [1, 2, 3])
    xs <- readSTRef seen
    return (k, xs)))
