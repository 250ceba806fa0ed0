-- | Only so that programs may name and derive these classes: nothing here is
-- generic in their way.
module GHC.Generics (Generic, Generic1) where

class Generic a

class Generic1 f
