module Main where

import Data.List (intercalate, sum)

-- Records, newtypes, classes with superclasses and defaults.
data Person = Person { name :: String, age :: Int } | Robot { name :: String }
  deriving (Eq, Ord, Show)

newtype Box a = Box { unbox :: a } deriving (Eq, Show)

data Shape = Circle Int | Rect Int Int deriving (Eq, Show)
data Chain = Int :> Chain | End deriving (Eq, Show)
infixr 5 :>

class Show a => Entity a where
  label :: a -> String
  label x = "<" ++ show x ++ ">"
  size :: a -> Int

instance Entity Shape where
  size (Circle r) = 3 * r * r
  size (Rect a b) = a * b

instance Entity a => Entity [a] where
  label xs = intercalate "," (map label xs)
  size = sum . map size

-- Overlapping rules with guards, and a default rule with a guard.
sign :: Int -> String
sign n | n > 0 = "positive"
sign n | n < 10 = "small"

half :: Int -> Maybe Int
half n | even n = Just (n `div` 2)
half'default n | n > 100 = Nothing
               | otherwise = half (n + 1)

-- Functional patterns: nested, with as, with literals, with a variable twice.
around :: Data a => [a] -> (a, [a])
around (x : _ ++ rest@[_, x]) = (x, rest)

inc :: Int -> Int
inc n = n + 1

number :: Data a => [(String, a)] -> a
number (_ ++ [("key", v)] ++ _) = v

-- Local functions with rules of their own, a local free variable, mutual recursion.
parity :: Int -> String
parity n = ev n
  where
    ev 0 = "even"
    ev k | k > 0 = od (k - 1)
    od 0 = "odd"
    od k | k > 0 = ev (k - 1)

split :: Data a => [a] -> ([a], [a])
split xs | ys ++ zs =:= xs = (ys, zs)
  where
    ys, zs free

choose :: Int -> Int
choose n = pick [1 .. n]
  where
    pick (x : _) = x
    pick (_ : xs) = pick xs

-- Cases that are tried in order, and cases that are not.
kind :: [Int] -> String
kind xs = case xs of
  [] -> "none"
  [x] | x > 5 -> "large"
      | x < 0 -> "negative"
  (1 : _) -> "one"
  _ -> "other"

both :: Maybe Bool -> String
both m = fcase m of
  Nothing -> "nothing"
  Just b -> flag b
  where
    flag True = "yes"
    flag False = "no"

swap :: (a, b) -> (b, a)
swap ~(a, b) = (b, a)

test1 = (name (Person "Ada" 36), age (Person { age = 7, name = "x" }), (Robot "R2") { name = "D2" }) -- ("Ada",7,Robot "D2")
test2 = (label (Circle 2), size [Circle 1, Rect 2 3], label [Rect 1 1, Circle 1]) -- ("<Circle 2>",9,"<Rect 1 1>,<Circle 1>")
test3 = (unbox (Box 'b'), Box 1 == Box 1, show (1 :> 2 :> End), Robot "a" < Person "a" 1) -- ('b',True,"1 :> (2 :> End)",False)
test4 = sign 5 -- "positive"; "small"
test5 = map half [4, 7, 103] -- [Just 2,Just 4,Nothing]
test6 = around "abca" -- ('a',"ca")
test7 = number [("a", 1), ("key", 2), ("key", 3)] :: Int -- 2; 3
test8 = (parity 4, parity 7) -- ("even","odd")
test9 = split "ab" -- ([],"ab"); ("a","b"); ("ab",[])
test10 = choose 3 -- 1; 2; 3
test11 = map kind [[], [9], [-1], [1], [1, 2], [3]] -- ["none","large","negative","one","one","other"]
test12 = let m free in (m, both m) -- (Nothing,"nothing"); (Just True,"yes"); (Just False,"no")
test30 = let b free in (if b then 1 else 2) :: Int -- suspended
test13 = fst (swap (failed, 1)) :: Int -- 1
test14 = do { x <- Just 3; y <- if x > 2 then Just 1 else Nothing; return (x + y) } :: Maybe Int -- Just 4
test15 = [(x, y) | x <- [1, 2], let z = x * x, y <- [z, z + 1], odd (x + y)] :: [(Int, Int)] -- [(1,2),(2,5)]
test16 = map (\x -> x ? 0) [1, 2] :: [Int] -- [1,2]; [1,0]; [0,2]; [0,0]
test17 = let x = 1 ? 2; y = x in (x, y, x + y) :: (Int, Int, Int) -- (1,1,2); (2,2,4)
test18 = let x, y free in (x =:= (y : "b") & y =:= 'a') &> x -- "ab"
test19 = let f = (+ 1) ? (* 2) in (f 5, f 7) :: (Int, Int) -- (6,8); (10,14)
test20 = (head [1, failed] :: Int, null (tail [failed :: Int])) -- (1,True)
test21 = let xs free in (xs ++ [True]) =:= [False, True] &> xs -- [False]
test22 = [Circle 1, Rect 2 3] =:= [Circle unknown, unknown] -- True
test23 = zip "ab" [1 ..] :: [(Char, Int)] -- [('a',1),('b',2)]
test24 = let { a = 1 : b; b = 2 : a } in take 3 a :: [Int] -- [1,2,1]
test25 = (if coin == 0 then 'a' else 'b') : "c" where coin = 0 ? 1 -- "ac"; "bc"
test26 = compare (Person "a" 1) (Person "a" 2) -- LT
test27 = ((+ 1) 3, (`div` 2) 9, (2 -) 5, negate 3, -2 + 7) :: (Int, Int, Int, Int, Int) -- (4,4,-3,-3,5)
test28 = let { (Just x, [y, _]) = (Just 'p', "qr") } in [x, y] -- "pq"
test29 = inc (3 ? 4) + inc 0 -- 5; 6
main = test1
