{-# LANGUAGE NoImplicitPrelude #-}
-- | The names that programs import in order to derive or mention 'Typeable'.
-- There is no run-time type information behind them.
module Data.Typeable (Typeable, Proxy(..)) where

import Gadfly.Base
