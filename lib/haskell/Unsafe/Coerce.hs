-- | A value of one type as one of another.
module Unsafe.Coerce (unsafeCoerce) where

import Gadfly.Base (primUnsafeCoerce)

unsafeCoerce :: a -> b
unsafeCoerce x = primUnsafeCoerce x
