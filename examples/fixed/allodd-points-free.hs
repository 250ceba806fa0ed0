import Prelude hiding (id, odd)

data Tree a = Branch (Tree a) (Tree a) | Leaf a

allOdd :: Tree Int -> Bool
allOdd t = allOddC id t True

allOddC :: (Bool -> Bool) -> Tree Int -> Bool -> Bool
allOddC c (Leaf n) = flip (&&) (c (odd n))
allOddC c (Branch l r) = allOddC (allOddC c r) l

odd :: Int -> Bool
odd x = x `mod` 2 == 1

id :: a -> a
id x = x

main = allOdd (Branch (Leaf 7) (Leaf 5))

-- ../allodd-points-free.hs without its mistake.
