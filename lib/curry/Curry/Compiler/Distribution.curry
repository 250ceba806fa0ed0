-- | Which Curry system runs the program.
module Curry.Compiler.Distribution
  ( curryCompiler, curryCompilerMajorVersion, curryCompilerMinorVersion
  , curryCompilerRevisionVersion, curryRuntime, curryRuntimeMajorVersion
  , curryRuntimeMinorVersion, baseVersion, installDir
  ) where

curryCompiler :: String
curryCompiler = "gadfly"

curryCompilerMajorVersion :: Int
curryCompilerMajorVersion = 0

curryCompilerMinorVersion :: Int
curryCompilerMinorVersion = 1

curryCompilerRevisionVersion :: Int
curryCompilerRevisionVersion = 0

curryRuntime :: String
curryRuntime = "gadfly"

curryRuntimeMajorVersion :: Int
curryRuntimeMajorVersion = 0

curryRuntimeMinorVersion :: Int
curryRuntimeMinorVersion = 1

-- | The version of the package "base" whose names the library has.
baseVersion :: String
baseVersion = "3.4.0"

-- | There is none: the library is part of the program.
installDir :: FilePath
installDir = ""
