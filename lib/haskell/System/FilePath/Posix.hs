-- | Names of files, with slashes.
module System.FilePath.Posix (module System.FilePath) where

import System.FilePath
