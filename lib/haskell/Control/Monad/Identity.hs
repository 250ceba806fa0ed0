-- | The identity monad.
module Control.Monad.Identity
  ( module Data.Functor.Identity, module Control.Monad.Trans.Identity
  , module Control.Monad, module Control.Monad.Fix
  ) where

import Data.Functor.Identity
import Control.Monad.Trans.Identity
import Control.Monad
import Control.Monad.Fix
