-- | The time of day, as much of it as measuring programs use.
module Data.Time (module Data.Time.Clock) where

import Data.Time.Clock
