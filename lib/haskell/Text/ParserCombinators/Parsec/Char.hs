-- | The module of older programs for "Text.Parsec.Char".
module Text.ParserCombinators.Parsec.Char (module Text.Parsec.Char) where

import Text.Parsec.Char
