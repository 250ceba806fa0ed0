-- | Errors in monads, with the class of monads that have them.
module Control.Monad.Except
  ( MonadError(..), liftEither
  , ExceptT(ExceptT), Except, runExcept, mapExcept, withExcept
  , runExceptT, mapExceptT, withExceptT
  , module Control.Monad, module Control.Monad.Fix, module Control.Monad.Trans
  ) where

import Control.Monad.Error.Class
import Control.Monad.Trans.Except
  ( ExceptT(ExceptT), Except, runExcept, mapExcept, withExcept
  , runExceptT, mapExceptT, withExceptT )
import Control.Monad
import Control.Monad.Fix
import Control.Monad.Trans
