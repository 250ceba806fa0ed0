import Data.IORef
import Control.Monad
import qualified Data.Map as Map

data Account = Account { owner :: String, balance :: IORef Int, history :: IORef [String] }

data Bank = Bank (Map.Map String Account)

open :: String -> Int -> IO Account
open name amount = do
  b <- newIORef amount
  h <- newIORef []
  return (Account name b h)

bank :: [(String, Int)] -> IO Bank
bank entries = do
  accounts <- mapM (uncurry open) entries
  return (Bank (Map.fromList (zip (map fst entries) accounts)))

deposit :: Account -> Int -> IO ()
deposit account amount = do
  modifyIORef' (balance account) (+ amount)
  note account ("+" ++ show amount)

note :: Account -> String -> IO ()
note account line = modifyIORef (history account) (line :)

withdraw :: Account -> Int -> IO Bool
withdraw account amount = do
  b <- readIORef (balance account)
  if b < amount
    then return False
    else do
      writeIORef (balance account) (b - amount)
      note account ("-" ++ show amount)
      return True

transfer :: Bank -> String -> String -> Int -> IO Bool
transfer (Bank accounts) from to amount =
  case (Map.lookup from accounts, Map.lookup to accounts) of
    (Just a, Just b) -> do
      ok <- withdraw a amount
      when ok (deposit b amount)
      return ok
    _ -> return False

report :: Bank -> IO [(String, Int, [String])]
report (Bank accounts) = forM (Map.toList accounts) $ \(name, account) -> do
  b <- readIORef (balance account)
  h <- readIORef (history account)
  return (name, b, reverse h)

-- A list whose links can be changed.
data Node = Nil | Node Int (IORef Node)

fromList :: [Int] -> IO Node
fromList [] = return Nil
fromList (x : xs) = do
  rest <- fromList xs
  r <- newIORef rest
  return (Node x r)

append :: Node -> Node -> IO Node
append Nil other = return other
append first@(Node _ r) other = do
  rest <- readIORef r
  joined <- append rest other
  writeIORef r joined
  return first

takeNode :: Int -> Node -> IO [Int]
takeNode 0 _ = return []
takeNode _ Nil = return []
takeNode n (Node x r) = do
  rest <- readIORef r
  (x :) <$> takeNode (n - 1) rest

main :: IO ()
main = do
  b <- bank [("ann", 10), ("bob", 0)]
  ok <- transfer b "ann" "bob" 7
  no <- transfer b "ann" "bob" 7
  none <- transfer b "ann" "eve" 1
  print (ok, no, none)
  report b >>= print
  xs <- fromList [1, 2]
  ys <- fromList [3]
  zs <- append xs ys
  takeNode 10 zs >>= print
  round <- append zs zs
  takeNode 7 round >>= print
