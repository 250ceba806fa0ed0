-- | The Haskell 98 module of the program's surroundings.
module System (ExitCode(..), getArgs, getProgName, getEnv, exitWith, exitFailure) where

import System.Environment
import System.Exit
