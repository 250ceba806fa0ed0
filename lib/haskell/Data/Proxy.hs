{-# LANGUAGE NoImplicitPrelude #-}
-- | A value that only stands for a type.
module Data.Proxy (Proxy(..), asProxyTypeOf) where

import Gadfly.Base

asProxyTypeOf :: a -> proxy a -> a
asProxyTypeOf = const
