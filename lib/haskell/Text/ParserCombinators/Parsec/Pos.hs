-- | The module of older programs for "Text.Parsec.Pos".
module Text.ParserCombinators.Parsec.Pos (module Text.Parsec.Pos) where

import Text.Parsec.Pos
