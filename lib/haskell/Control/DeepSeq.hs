{-# LANGUAGE NoImplicitPrelude #-}
-- | Evaluation of whole data structures.
module Control.DeepSeq (NFData(..), deepseq, force, ($!!), (<$!!>), rwhnf) where

import Gadfly.Base
import Data.Complex (Complex(..))
import Data.Functor.Const (Const(..))
import Data.Functor.Identity (Identity(..))
import Data.Int (Int8, Int16, Int32, Int64)
import Data.Monoid (Sum(..), Product(..), First(..), Last(..), All(..), Any(..), Dual(..))
import Data.Ord (Down(..))
import Data.Word (Word8, Word16, Word32, Word64)

infixr 0 $!!, `deepseq`
infixl 4 <$!!>

class NFData a where
  -- | Evaluate completely.  Without a definition: to weak head normal form.
  rnf :: a -> ()
  rnf a = a `seq` ()

deepseq :: NFData a => a -> b -> b
deepseq a b = rnf a `seq` b

force :: NFData a => a -> a
force x = x `deepseq` x

($!!) :: NFData a => (a -> b) -> a -> b
f $!! x = x `deepseq` f x

(<$!!>) :: (Monad m, NFData b) => (a -> b) -> m a -> m b
f <$!!> m = m >>= \x -> return $!! f x

rwhnf :: a -> ()
rwhnf a = a `seq` ()

instance NFData Int
instance NFData Word
instance NFData Integer
instance NFData Char
instance NFData Double
instance NFData Float
instance NFData Bool
instance NFData Ordering
instance NFData ()
instance NFData Int8
instance NFData Int16
instance NFData Int32
instance NFData Int64
instance NFData Word8
instance NFData Word16
instance NFData Word32
instance NFData Word64
instance NFData (a -> b)
instance NFData (IORef a)
instance NFData (Proxy a)
instance NFData All
instance NFData Any

instance NFData a => NFData (Ratio a) where
  rnf (n :% d) = rnf n `seq` rnf d

instance NFData a => NFData (Complex a) where
  rnf (x :+ y) = rnf x `seq` rnf y

instance NFData a => NFData [a] where
  rnf []     = ()
  rnf (x:xs) = rnf x `seq` rnf xs

instance NFData a => NFData (NonEmpty a) where
  rnf (x :| xs) = rnf x `seq` rnf xs

instance NFData a => NFData (Maybe a) where
  rnf Nothing  = ()
  rnf (Just x) = rnf x

instance (NFData a, NFData b) => NFData (Either a b) where
  rnf (Left x)  = rnf x
  rnf (Right y) = rnf y

instance NFData a => NFData (Identity a) where
  rnf (Identity a) = rnf a

instance NFData a => NFData (Const a b) where
  rnf (Const a) = rnf a

instance NFData a => NFData (Sum a) where
  rnf (Sum a) = rnf a

instance NFData a => NFData (Product a) where
  rnf (Product a) = rnf a

instance NFData a => NFData (First a) where
  rnf (First a) = rnf a

instance NFData a => NFData (Last a) where
  rnf (Last a) = rnf a

instance NFData a => NFData (Dual a) where
  rnf (Dual a) = rnf a

instance NFData a => NFData (Down a) where
  rnf (Down a) = rnf a

instance (NFData a, NFData b) => NFData (a, b) where
  rnf (a, b) = rnf a `seq` rnf b

instance (NFData a, NFData b, NFData c) => NFData (a, b, c) where
  rnf (a, b, c) = rnf a `seq` rnf b `seq` rnf c

instance (NFData a, NFData b, NFData c, NFData d) => NFData (a, b, c, d) where
  rnf (a, b, c, d) = rnf a `seq` rnf b `seq` rnf c `seq` rnf d

instance (NFData a, NFData b, NFData c, NFData d, NFData e) => NFData (a, b, c, d, e) where
  rnf (a, b, c, d, e) = rnf a `seq` rnf b `seq` rnf c `seq` rnf d `seq` rnf e
