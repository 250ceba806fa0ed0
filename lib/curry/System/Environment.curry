-- | What a program learns from where it was started.
module System.Environment
  ( getArgs, getEnv, setEnv, unsetEnv, getProgName, getHostname, isPosix, isWindows
  ) where

prim_getArgs :: IO [String]
prim_getArgs external

prim_getProgName :: IO String
prim_getProgName external

prim_getEnvironment :: IO [(String, String)]
prim_getEnvironment external

getArgs :: IO [String]
getArgs = prim_getArgs

getProgName :: IO String
getProgName = prim_getProgName

-- | The value of an environment variable, empty if it is not set.
getEnv :: String -> IO String
getEnv name = prim_getEnvironment >>= \vars -> return (maybe "" id (lookup name vars))

-- | Not to be had: a program here starts no other programs.
setEnv :: String -> String -> IO ()
setEnv _ _ = ioError (IOError "setEnv: not supported")

unsetEnv :: String -> IO ()
unsetEnv _ = ioError (IOError "unsetEnv: not supported")

getHostname :: IO String
getHostname = getEnv "HOSTNAME"

isPosix :: Bool
isPosix = True

isWindows :: Bool
isWindows = False
