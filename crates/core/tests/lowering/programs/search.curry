module Main where

data Nat = Zero | Succ Nat
  deriving (Eq, Show)
data Color = Red | Green | Blue deriving (Eq, Ord, Show, Enum, Bounded, Read)

add :: Nat -> Nat -> Nat
add Zero y = y
add (Succ n) y = Succ (add n y)

leq :: Nat -> Nat -> Bool
leq Zero _ = True
leq (Succ _) Zero = False
leq (Succ n) (Succ m) = leq n m

coin :: Int
coin = 0
coin = 1

insert :: a -> [a] -> [a]
insert x ys = x : ys
insert x (y:ys) = y : insert x ys

perm :: [a] -> [a]
perm [] = []
perm (x:xs) = insert x (perm xs)

last1 :: Data a => [a] -> a
last1 xs | ys ++ [x] =:= xs = x where ys, x free

last2 :: Data a => [a] -> a
last2 (_ ++ [x]) = x

same :: Data a => a -> a -> Bool
same x x = True

lookup' :: (Data k, Data v) => k -> [(k, v)] -> Maybe v
lookup' key (_ ++ [(key, v)] ++ _) = Just v
lookup''default _ _ = Nothing

por :: Bool -> Bool -> Bool
por True _ = True
por _ True = True
por False False = False

rigid :: Bool -> Int
rigid b = case b of
  True -> 1
  False -> 2

flexi :: Bool -> Int
flexi b = fcase b of
  True -> 1
  False -> 2

firstMatch :: Int -> String
firstMatch n = case n of
  1 -> "one"
  _ -> "other"

overlap :: Int -> String
overlap 1 = "one"
overlap _ = "any"

grd :: Int -> String
grd n | n > 5 = "big"
      | n > 2 = "mid"
grd 3 = "three"

test1 = add (Succ Zero) (Succ (Succ Zero)) -- Succ (Succ (Succ Zero))
test2 = let x free in (x, leq x (Succ Zero)) -- (Zero,True); (Succ Zero,True); (Succ (Succ _),False)
test3 = coin + coin -- 0; 1; 1; 2
test4 = let c = coin in c + c -- 0; 2
test5 :: [Int]
test5 = perm [1, 2, 3] -- [1,2,3]; [1,3,2]; [2,1,3]; [2,3,1]; [3,1,2]; [3,2,1]
test6 :: Int
test6 = last1 [1, 2, 3] -- 3
test7 = last2 [True, False] -- False
test8 = (same 1 1, same 'a' 'a') -- (True,True)
test9 = lookup' 2 [(1, 'a'), (2, 'b'), (2, 'c')] -- Just 'b'; Just 'c'
test10 = lookup' 5 [(1, 'a')] -- Nothing
test11 = let x, y free in (x, y, por x y) -- (True,_,True); (False,False,False); (_,True,True)
test12 = let b free in (b, flexi b) -- (True,1); (False,2)
test13 = let b free in rigid b -- suspended
test14 = (overlap 1, firstMatch 1, firstMatch 2) -- ("one","one","other"); ("any","one","other")
test15 = map grd [3, 7] -- ["mid","big"]; ["three","big"]
test16 = let n free in (add n (Succ Zero) =:= Succ (Succ Zero)) &> n -- Succ Zero
test17 :: Int
test17 = (1 ? 2) * (3 ? 4) -- 3; 4; 6; 8
test18 = ([Red ..], succ Red, show (Just Blue), compare Red Blue, maxBound :: Color, fromEnum Green, read "Blue" :: Color) -- ([Red,Green,Blue],Green,"Just Blue",LT,Blue,1,Blue)
test19 = [x | x <- [1 .. 5], odd x] :: [Int] -- [1,3,5]
test20 = (1.5 + 2 :: Float, show 3, 2 ^ 10 :: Int, length "abc") -- (3.5,"3",1024,3)
test21 = let f 0 = 'z'; f 1 = 'o'; x free in (f x, x) -- ('z',0); ('o',1)
test22 :: Int
test22 = (\(x, Just y) -> x + y) (1, Just 2) -- 3
test23 :: Int
test23 = let (a, b) = (b + 1, 10) in a -- 11
test24 = if (let x free in x =:= 3 &> x > 2) then "yes" else "no" -- "yes"
main = test1

class Gen a where
  gen :: a
instance Gen Bool where
  gen = True
  gen = False
instance (Gen a, Gen b) => Gen (a, b) where
  gen = (gen, gen)
pairOf :: Gen a => (a, a)
pairOf = (gen, gen)
test25 = pairOf :: (Bool, Bool) -- (True,True); (True,False); (False,True); (False,False)
test26 = (gen, gen) :: (Bool, Bool) -- (True,True); (True,False); (False,True); (False,False)
test27 = aValue :: (Color, Bool) -- (Red,False); (Red,True); (Green,False); (Green,True); (Blue,False); (Blue,True)
test28 = let x free in (x, x =:= (Just Red ? Nothing)) -- (Just Red,True); (Nothing,True)
