-- | "Data.Maybe" under its name in older Curry systems.
module Maybe (module Data.Maybe, (>>-), sequenceMaybe, mapMMaybe, mplus) where

import Data.Maybe

infixl 1 >>-

(>>-) :: Maybe a -> (a -> Maybe b) -> Maybe b
m >>- f = m >>= f

sequenceMaybe :: [Maybe a] -> Maybe [a]
sequenceMaybe ms = sequence ms

mapMMaybe :: (a -> Maybe b) -> [a] -> Maybe [b]
mapMMaybe f xs = mapM f xs

mplus :: Maybe a -> Maybe a -> Maybe a
mplus m n = m <|> n
