-- | "Data.Char" under its name in older Curry systems.
module Char (module Data.Char) where

import Data.Char
