-- | The continuation monad, with the class of monads that can capture theirs.
module Control.Monad.Cont
  ( MonadCont(..)
  , Cont, cont, runCont, mapCont, withCont
  , ContT(ContT), runContT, mapContT, withContT
  , module Control.Monad, module Control.Monad.Trans
  ) where

import Control.Monad.Cont.Class
import Control.Monad.Trans.Cont
  ( Cont, cont, runCont, mapCont, withCont
  , ContT(ContT), runContT, mapContT, withContT )
import Control.Monad
import Control.Monad.Trans
