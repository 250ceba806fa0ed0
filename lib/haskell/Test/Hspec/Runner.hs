-- | Running specifications with settings.
module Test.Hspec.Runner (hspec, hspecWith, Config(..), defaultConfig) where

import Gadfly.Spec
import Test.Hspec (hspec)

-- | Both names for stopping at the first failure, older and newer.
data Config = Config { configFailFast :: Bool, configFastFail :: Bool }

defaultConfig :: Config
defaultConfig = Config { configFailFast = False, configFastFail = False }

hspecWith :: Config -> Spec -> IO ()
hspecWith config = runSpec (configFailFast config || configFastFail config)
