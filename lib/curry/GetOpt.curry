-- | "System.Console.GetOpt" under its name in older Curry systems.
module GetOpt (module System.Console.GetOpt) where

import System.Console.GetOpt
