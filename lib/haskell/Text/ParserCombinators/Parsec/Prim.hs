-- | The module of older programs for "Text.Parsec.Prim".
module Text.ParserCombinators.Parsec.Prim (module Text.Parsec.Prim) where

import Text.Parsec.Prim
