{-# LANGUAGE BangPatterns, LambdaCase, MultiWayIf, RecordWildCards, TupleSections, ViewPatterns #-}
module Main where

data R = R { p :: Int, q :: !Bool } | S { p :: Int }
newtype N a = N { unN :: Maybe a }
data X = forall a. Show a => X a

listsum :: [Int] -> Int
listsum [] = 0
listsum (x:xs) = x + listsum xs

zip' :: [a] -> [b] -> [(a, b)]
zip' [] _ = []
zip' _ [] = []
zip' (x:xs) (y:ys) = (x, y) : zip' xs ys

mixed :: Int -> Int -> Char
mixed 0 _ = 'a'
mixed _ 0 = 'b'
mixed 1 1 = 'c'
mixed n m | n > m, let k = n - m, Just c <- lookup k table = c
          | n == m = 'e'
          | otherwise = 'f'
  where table = [(1, 'o')]

lazy ~(a, b) x@(Just !y) = (a, x, y)

qsort :: Ord a => [a] -> [a]
qsort [] = []
qsort (x:xs) = qsort smaller ++ [x] ++ qsort (filter (>= x) xs)
  where smaller = go xs
        go [] = []
        go (y:ys) | y < x = y : rest
                  | otherwise = rest
          where rest = go ys

comprehension :: [Maybe Int] -> [(Int, Int)]
comprehension xs = [(x, y) | Just x <- xs, odd x, let y = x * x]

sections :: Int -> ([Int], Int -> (Int, Bool), Int -> Int)
sections n = (map (subtract n) [n ..], (, True), (n -))

update :: R -> R
update r = r { p = 1 }

record :: Int -> Bool -> R
record p q = R {..}

fields :: R -> Int
fields R { p = n, q = True } = n
fields S {..} = p
fields _ = 0

wrap :: N Int -> N Int
wrap (N (Just n)) = N (Just (n + 1))
wrap n = n

shown :: X -> String
shown (X a) = show a

view :: Int -> Int
view (subtract 1 -> 0) = 1
view n = if | even n -> n | otherwise -> (\case { 1 -> 2; m -> m }) n

action :: IO ()
action = do
  line <- getLine
  let n = length line
  if n > 3 then putStrLn line else return ()
  print n
