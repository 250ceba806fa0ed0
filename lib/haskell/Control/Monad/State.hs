-- | The lazy version of the State monad.
module Control.Monad.State (module Control.Monad.State.Lazy) where

import Control.Monad.State.Lazy
