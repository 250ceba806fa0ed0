{-# LANGUAGE BangPatterns, ViewPatterns, LambdaCase, MultiWayIf, TupleSections, NamedFieldPuns, RecordWildCards #-}
module Main where
import Data.List (sortBy)

data Color = Red | Green | Blue deriving (Eq, Ord, Show, Read, Enum, Bounded)
data T a = Leaf | Node (T a) a (T a) deriving (Eq, Ord, Show, Read)
data P = P { px :: Int, py :: Int } | Q { px :: Int, name :: String } deriving (Eq, Ord, Show, Read)
newtype N = N { unN :: Int } deriving (Eq, Ord, Show)
data S = S !Int Int
infixr 5 :+:
data E = Int :+: E | Nil | E `Plus` E | Neg { neg :: Int } | Int :*: Int deriving (Eq, Ord, Show, Read)

zip3' :: [a] -> [b] -> [c] -> [(a, b, c)]
zip3' (a:as) (b:bs) (c:cs) = (a, b, c) : zip3' as bs cs
zip3' _ _ _ = []

unwieldy :: [Int] -> [Int] -> String
unwieldy [] [] = "both"
unwieldy [] ys = "left " ++ show ys
unwieldy xs [] = "right " ++ show xs
unwieldy (1:_) (2:_) = "one two"
unwieldy (x:xs) (y:ys) | x == y = unwieldy xs ys
unwieldy [_] [_] = "single"
unwieldy _ _ = "other"

diag :: Bool -> Bool -> Bool -> Int
diag _ False True = 1
diag False True _ = 2
diag _ _ False = 3
diag _ _ True = 4

lazyPair :: (Int, Int) -> Int
lazyPair ~(a, b) = 5

strictPair :: (Int, Int) -> Int
strictPair (a, b) = 5

banged :: Int -> Int -> Int
banged !x y = y

nat :: (Eq a, Num a) => a -> String
nat 0 = "zero"
nat 1 = "one"
nat (-1) = "minus"
nat _ = "many"

str :: String -> Int
str "" = 0
str "abc" = 1
str "abd" = 2
str ('a':_) = 3
str _ = 4

view :: Int -> String
view (even -> True) = "even"
view (subtract 1 -> n) | n > 10 = "big"
view ((`mod` 3) -> 0) = "three"
view _ = "none"

as :: [Int] -> ([Int], Int)
as all'@(x:rest@(_:_)) = (all', length rest)
as w@[] = (w, 0)
as w = (w, -1)

guards :: Int -> Maybe Int -> String
guards n m
  | n < 0 = "neg"
  | Just k <- m, k > n, let d = k - n, even d = "even " ++ show d
  | Just k <- m = "just " ++ show k
guards 7 _ = "seven"
guards n Nothing | odd n = w | even n, n > 100 = w ++ "!"
  where w = "w" ++ show n
guards _ _ = "rest"

fact :: Integer -> Integer
fact 0 = 1
fact n = n * fact (n - 1)

collatz :: Int -> [Int]
collatz = go where
  go 1 = [1]
  go n | even n = n : go (n `div` 2)
       | otherwise = n : go (3 * n + 1)

upd :: P -> P
upd p = p { px = px p + 1 }

wild :: P -> Int
wild P{..} = px + py
wild Q{px, name = "x"} = px
wild Q{} = 0

mk :: Int -> P
mk px = let py = 2 in P{..}

insert :: Ord a => a -> T a -> T a
insert x Leaf = Node Leaf x Leaf
insert x t@(Node l y r) = case compare x y of
  LT -> Node (insert x l) y r
  GT -> Node l y (insert x r)
  EQ -> t

toL :: T a -> [a]
toL Leaf = []
toL (Node l x r) = toL l ++ x : toL r

class Shape a where
  area :: a -> Int
  area _ = 0
  describe :: a -> String
  describe x = "shape " ++ show (area x)
  both :: Show b => a -> b -> String
  both x y = describe x ++ show y
data Sq = Sq Int
data Un = Un
instance Shape Sq where area (Sq n) = n * n
instance Shape Un where describe _ = "unit"
instance Shape a => Shape [a] where
  area = sum . map area
  both x y = "list" ++ show y
instance (Shape a, Shape b) => Shape (a, b) where
  area (a, b) = area a + area b

poly :: (Show a, Num a) => Int -> a -> [String]
poly 0 _ = []
poly n x = show x : poly (n - 1) (x + 1)

nested :: Show a => Int -> a -> String
nested 0 x = show x
nested n x = nested (n - 1) (x, x)

evenOdd :: Int -> (Bool, Bool)
evenOdd k = (ev k, od k)
  where ev 0 = True
        ev n = od (n - 1)
        od 0 = False
        od n = ev (n - 1 + z)
        z = k - k

test1 = zip3' [1,2,3::Int] "ab" [True,False,True]
test2 = map (uncurry unwieldy) [([],[]), ([],[1]), ([1],[]), ([1],[2]), ([3,1],[3,2,0]), ([4],[5]), ([4,4],[5])]
test3 = [diag a b c | a <- [False,True], b <- [False,True], c <- [False,True]]
test4 = (lazyPair undefined, banged 1 2)
test6 = (map nat [0, 1, -1, 7 :: Int], map nat [0, 1, -1, 2.5 :: Double])
test7 = map str ["", "abc", "abd", "axx", "ab", "b", "abcd"]
test8 = map view [4, 13, 9, 7]
test9 = map as [[], [1], [1,2], [1,2,3]]
test10 = [guards (-1) Nothing, guards 3 (Just 5), guards 3 (Just 4), guards 7 Nothing, guards 9 Nothing, guards 102 Nothing, guards 4 Nothing]
test11 = (fact 20, length (collatz 27))
test12 = (upd (P 1 2), upd (Q { px = 5, name = "q" }), unN (N 3), wild (mk 1), wild (Q 4 "x"), wild (Q 4 "y"))
test13 = toL (foldr insert Leaf [3,1,4,1,5,9,2,6 :: Int])
test14 = (describe (Sq 3), describe Un, area [Sq 1, Sq 2], describe [Sq 2], both Un 'c', both [Un] "s", area ([Sq 2], Sq 1))
test15 = poly 3 (1 :: Int) ++ poly 2 (0.5 :: Double)
test16 = nested 2 'x'
test17 = map evenOdd [0, 1, 6, 7]
test18 = (\case { 0 -> "z"; n | n > 5 -> "b" | otherwise -> "s" }) 7 ++ (if | False -> "a" | 1 > (0 :: Int) -> "c" | otherwise -> "d")
test19 = (map (,True) [1::Int], map (subtract 1) [5::Int], map (`div` 2) [9::Int], map (10 -) [1::Int], (,,) 1 2 3 :: (Int,Int,Int))
test20 = [show (Node Leaf (-3 :: Int) Leaf), show (P 1 (-2)), show (1 :+: 2 :+: Nil), show (Nil `Plus` Nil), show (Neg (-1)), show [Just (3 :*: (-4))], show (N 7), show (Just (N 7)), showsPrec 6 (1 :+: Nil) ""]
test21 = (read "[Red,Green , (Blue)]" :: [Color], read " Node (Leaf) (-3) Leaf" :: T Int, read "P {px = 1, py = -2}" :: P, read "1 :+: (2 :+: Nil)" :: E, (reads "Purple" :: [(Color,String)]))
test22 = ([minBound .. maxBound :: Color], succ Red, pred Blue, fromEnum Green, toEnum 2 :: Color, [Red ..], [Blue, Green ..], [Red, Blue ..], [Red .. Green])
test23 = (compare Red Blue, Red == Red, Red < Green, maximum [Red, Blue, Green], Leaf < Node Leaf 1 Leaf, compare (P 1 2) (Q 0 ""), compare (P 1 2) (P 1 3), Nil == Nil, (1 :+: Nil) == (2 :+: Nil), compare (Neg 1) (1 :*: 2), compare (Neg 1) (1 :+: Nil))
test24 = do { x <- [1,2,3]; y <- "ab"; if x == 2 then [] else return (x, y) } :: [(Int, Char)]
test25 = do { Just x <- [Just 1, Nothing, Just 3]; let { y = x * 2 }; return (y :: Int) }
test26 = [ (i, j) | i <- [1 .. 4 :: Int], let { k = i * i }, odd k, j <- [k .. k + 1], (j, True) <- [(j, even i || j > 1)] ]
test27 = let { xs@(~(y : _)) = [1, 2, 3 :: Int]; f 0 = y; f n = n + f (n - 1) } in (xs, f 3)
test28 = let !x = 3 :: Int; !(a, b) = (x, x + 1) in a + b
test29 = (sum [1, 3 .. 9 :: Int], [10, 8 .. 1 :: Int], take 3 [5 :: Integer ..], ['a' .. 'e'], [1.0, 1.5 .. 3.0 :: Double])
test30 = sortBy (\a b -> compare (snd a) (snd b)) (zip [1 :: Int ..] "hello")
test31 = (show 3 ++ show (-3 :: Int), showsPrec 7 (-5 :: Int) "", show (Just (-2.5 :: Double)))
test32 = foldr (\x k acc -> k (acc + x)) id [1 .. 10 :: Int] 0
test33 = case (S 1 undefined) of S a _ -> a
test34 = words "a bc  d" ++ lines "x\ny\n"
test35 = either show (map succ) (Right "abc" :: Either Int String)
test36 = mapM (\x -> if x > 0 then Just (x * 2) else Nothing) [1, 2, 3 :: Int]
test37 = sequence_ [Just 1, Nothing]
test38 = (minimum "hello", concatMap show [1 :: Int, 2], and [], or [True, undefined], all even [2 :: Int], replicate 2 'x', lookup 2 [(1, "a"), (2, "b")])
test39 = (fromIntegral (3 :: Int) / 2 :: Double, 7 `divMod` (-2) :: (Int, Int), (-7) `quotRem` 2 :: (Int, Int), 2 ^ (10 :: Int) :: Integer, gcd 12 18 :: Int)
main = do
  print test1; print test2; print test3; print test4; print test6; print test7; print test8; print test9; print test10; print test11
  print test12; print test13; print test14; print test15; print test16; print test17; print test18; print test19; print test20; print test21
  print test22; print test23; print test24; print test25; print test26; print test27; print test28; print test29; print test30; print test31
  print test32; print test33; print test34; print test35; print test36; print test37; print test38; print test39
