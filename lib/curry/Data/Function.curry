-- | Functions on functions.
module Data.Function (fix, on) where

-- | The least fixed point.
fix :: (a -> a) -> a
fix f = let x = f x in x

-- | An operation on what a function makes of two values.
on :: (b -> b -> c) -> (a -> b) -> a -> a -> c
on op f x y = op (f x) (f y)
