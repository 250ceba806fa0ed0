-- | Applicative functors.
module Control.Applicative
  ( Applicative(..), Alternative(..), liftA, liftA3, when, sequenceA, sequenceA_
  ) where

liftA :: Applicative f => (a -> b) -> f a -> f b
liftA f m = pure f <*> m

liftA3 :: Applicative f => (a -> b -> c -> d) -> f a -> f b -> f c -> f d
liftA3 f k m n = liftA2 f k m <*> n

when :: Applicative f => Bool -> f () -> f ()
when b m = if b then m else pure ()

sequenceA :: Applicative f => [f a] -> f [a]
sequenceA []     = pure []
sequenceA (m:ms) = liftA2 (:) m (sequenceA ms)

sequenceA_ :: Applicative f => [f a] -> f ()
sequenceA_ []     = pure ()
sequenceA_ (m:ms) = m *> sequenceA_ ms
