{-# LANGUAGE NoImplicitPrelude #-}
-- | Actions inside pure code.
module System.IO.Unsafe (unsafePerformIO, unsafeDupablePerformIO, unsafeInterleaveIO, unsafeFixIO) where

import Gadfly.Base
import System.IO (fixIO)

unsafePerformIO, unsafeDupablePerformIO :: IO a -> a
unsafePerformIO        = primUnsafePerformIO
unsafeDupablePerformIO = primUnsafePerformIO

unsafeFixIO :: (a -> IO a) -> IO a
unsafeFixIO = fixIO
