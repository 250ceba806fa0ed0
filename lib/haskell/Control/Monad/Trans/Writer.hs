-- | The lazy version of the Writer transformer.
module Control.Monad.Trans.Writer (module Control.Monad.Trans.Writer.Lazy) where

import Control.Monad.Trans.Writer.Lazy
