{-# LANGUAGE NoImplicitPrelude #-}
-- | Monads in which a pattern of a do block may fail to match.
module Control.Monad.Fail (MonadFail(..)) where

import Gadfly.Base
