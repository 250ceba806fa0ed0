import Prelude hiding (id, odd)

data Tree a = Branch (Tree a) (Tree a) | Leaf a

allOdd :: Tree Int -> Bool
allOdd t = allOddC id t True

allOddC :: (Bool -> Bool) -> Tree Int -> Bool -> Bool
-- spec: allOddC c t b = b && c (allOdd t)
allOddC c (Leaf n) b = b && c (odd n)
allOddC c (Branch l r) b = allOddC (allOddC c r) l b

odd :: Int -> Bool
odd x = x `mod` 2 == 1

id :: a -> a
id x = x

main = allOdd (Branch (Leaf 7) (Leaf 5))

-- ../allodd.hs without its mistake.
