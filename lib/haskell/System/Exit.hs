{-# LANGUAGE NoImplicitPrelude #-}
-- | Ending the program.
module System.Exit (ExitCode(..), exitWith, exitFailure, exitSuccess, die) where

import Gadfly.Base

exitWith :: ExitCode -> IO a
exitWith (ExitFailure n)
  | n == 0  = ioError (IOError Nothing InvalidArgument "exitWith" "invalid argument" Nothing)
exitWith code = throwIO code

exitFailure, exitSuccess :: IO a
exitFailure = exitWith (ExitFailure 1)
exitSuccess = exitWith ExitSuccess

-- | Print a message on the standard error and fail.
die :: String -> IO a
die msg = hPutStr stderr (msg ++ "\n") >> exitFailure
