-- | "System.IO.Unsafe" under its name in older Curry systems.
module Unsafe (module System.IO.Unsafe) where

import System.IO.Unsafe
