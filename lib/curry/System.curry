-- | What a program knows of its process, under the names of older Curry systems.
module System
  ( getCPUTime, getElapsedTime, getArgs, getEnviron, getHostname, getProgName
  , getPID, system, exitWith, sleep, isWindows
  ) where

import System.CPUTime (getCPUTime, getElapsedTime)
import System.Environment (getArgs, getEnv, getHostname, getProgName, isWindows)
import System.Process (exitWith, getPID, sleep, system)

-- | The value of an environment variable, empty if it is not set.
getEnviron :: String -> IO String
getEnviron name = getEnv name
