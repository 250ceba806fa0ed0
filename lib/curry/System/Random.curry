-- | Streams of numbers that look random: the same for the same seed.
module System.Random
  ( nextInt, nextIntRange, nextBoolean, getRandomSeed, shuffle
  ) where

prim_wallTime :: IO Int
prim_wallTime external

-- | Numbers of 32 bits, negative ones too.
nextInt :: Int -> [Int]
nextInt seed = map (\n -> let k = n `div` 65536 in if k < 2147483648 then k else k - 4294967296) (states seed)

-- | Numbers from 0 up to, but without, a limit.
nextIntRange :: Int -> Int -> [Int]
nextIntRange seed limit | limit > 0 = map (`mod` limit) (nextInt seed)

nextBoolean :: Int -> [Bool]
nextBoolean seed = map (>= 0) (nextInt seed)

-- | A linear congruential generator of 48 bits.
states :: Int -> [Int]
states seed = drop 1 (iterate next (seed `mod` modulus))
  where
    next n  = (n * 25214903917 + 11) `mod` modulus
    modulus = 281474976710656

getRandomSeed :: IO Int
getRandomSeed = prim_wallTime >>= \t -> return (t `div` 1000000)

-- | A permutation that a seed determines.
shuffle :: Int -> [a] -> [a]
shuffle seed xs = pick (nextInt seed) (length xs) xs
  where
    pick rs n ys
      | n <= 0    = []
      | otherwise = case splitAt (head rs `mod` n) ys of
          (before, y:behind) -> y : pick (tail rs) (n - 1) (before ++ behind)
