-- | The lazy version of the RWS transformer.
module Control.Monad.Trans.RWS (module Control.Monad.Trans.RWS.Lazy) where

import Control.Monad.Trans.RWS.Lazy
