{-# LANGUAGE NoImplicitPrelude #-}
-- | The program's arguments and environment.
module System.Environment
  ( getArgs, getProgName, getExecutablePath, lookupEnv, getEnv, getEnvironment, withArgs
  ) where

import Gadfly.Base
import Control.Exception (finally)

-- | The arguments that 'withArgs' has put in place of the real ones.
argsRef :: IORef (Maybe [String])
argsRef = primUnsafePerformIO (primRefNew Nothing)

getArgs :: IO [String]
getArgs = primRefRead argsRef >>= maybe primGetArgs return

withArgs :: [String] -> IO a -> IO a
withArgs args act = do
  old <- primRefRead argsRef
  primRefWrite argsRef (Just args)
  act `finally` primRefWrite argsRef old

getProgName, getExecutablePath :: IO String
getProgName       = primGetProgName
getExecutablePath = primGetProgName

getEnvironment :: IO [(String, String)]
getEnvironment = primGetEnvironment

lookupEnv :: String -> IO (Maybe String)
lookupEnv name = fmap (lookup name) primGetEnvironment

getEnv :: String -> IO String
getEnv name = lookupEnv name >>= maybe missing return
  where missing = ioError (IOError Nothing NoSuchThing "getEnv" "no environment variable" (Just name))
