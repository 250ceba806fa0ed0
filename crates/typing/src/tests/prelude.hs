{-# LANGUAGE NoImplicitPrelude #-}
module Prelude (module Gadfly.Base) where
import Gadfly.Base hiding (undefined, primPrint)
import Gadfly.Base (undefined)
