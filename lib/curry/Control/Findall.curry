-- | "Findall" under its later name.
module Control.Findall (module Findall) where

import Findall
