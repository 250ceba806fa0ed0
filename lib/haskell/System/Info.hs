-- | About the system that programs run on: they may take it for a usual one.
module System.Info (os, arch, compilerName, compilerVersion) where

import Data.Version (Version(..))

os, arch, compilerName :: String
os           = "linux"
arch         = "x86_64"
compilerName = "gadfly"

compilerVersion :: Version
compilerVersion = Version [0, 1] []
