module Main where

data Nat = Z | S Nat

add :: Nat -> Nat -> Nat
add Z y = y
add (S n) y = S (add n y)

leq :: Nat -> Nat -> Bool
leq Z _ = True
leq (S _) Z = False
leq (S n) (S m) = leq n m

coin :: Int
coin = 0
coin = 1

double :: Int -> Int
double x = x + x

test :: Int
test = double coin + coin

insert :: a -> [a] -> [a]
insert x ys = x : ys
insert x (y:ys) = y : insert x ys

same :: Data a => a -> a -> Bool
same x x = True

last :: Data a => [a] -> a
last (_ ++ [x]) = x

choose :: Bool -> Bool -> Int
choose x y | x = 1
           | y = 2
choose True _ = 3

rigid :: Bool -> Int
rigid b = case b of { True -> 1; _ -> 2 }

flexible :: Bool -> Int
flexible b = fcase b of { True -> 1; _ -> 2 }

solve' :: Nat -> Nat
solve' n | add m (S Z) =:= n = m where m free

known :: Int -> Bool
known 1 = True
known 2 = True
known'default _ = False
