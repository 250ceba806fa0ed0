-- | Floating point numbers, under the names of older Curry systems.
module Float
  ( pi, (+.), (-.), (*.), (/.), (^.), i2f, truncate, round, recip
  , sqrt, log, logBase, exp, sin, cos, tan, asin, acos, atan
  , sinh, cosh, tanh, asinh, acosh, atanh
  ) where

infixr 8 ^.
infixl 7 *., /.
infixl 6 +., -.

(+.) :: Float -> Float -> Float
x +. y = x + y

(-.) :: Float -> Float -> Float
x -. y = x - y

(*.) :: Float -> Float -> Float
x *. y = x * y

(/.) :: Float -> Float -> Float
x /. y = x / y

-- | A power with any whole exponent.
(^.) :: Float -> Int -> Float
x ^. n = if n < 0 then recip (x ^ negate n) else x ^ n

i2f :: Int -> Float
i2f n = fromInt n
