-- | "Control.Search.SearchTree" under its name in older Curry systems.
module SearchTree (module Control.Search.SearchTree) where

import Control.Search.SearchTree
