-- | Transactions.  There is one thread, so none is ever disturbed; what has to
-- be undone when one is given up is noted as it goes.
module Control.Monad.STM (STM, atomically, retry, orElse, check, throwSTM, catchSTM) where

import Gadfly.STM
