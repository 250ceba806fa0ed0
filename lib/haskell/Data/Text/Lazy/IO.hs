-- | Input and output of lazy texts.
module Data.Text.Lazy.IO (module Data.Text.IO) where

import Prelude ()
import Data.Text.IO
