-- | Parsers of strings that decide by the next token, under the names of older
-- programs.
module Text.ParserCombinators.Parsec
  ( Parser, GenParser, CharParser, runParser, parse, parseFromFile, parseTest
  , ParseError, errorPos
  , (<|>), (<?>), label, try, unexpected, many, skipMany, pzero
  , token, tokens, tokenPrim
  , getPosition, getInput, setPosition, setInput, getState, setState, updateState
  , module Text.Parsec.Char
  , module Text.Parsec.Combinator
  , SourcePos, SourceName, Line, Column, sourceName, sourceLine, sourceColumn
  , incSourceLine, incSourceColumn, setSourceLine, setSourceColumn, setSourceName
  ) where

import Text.Parsec.Char
import Text.Parsec.Combinator
import Text.Parsec.Error
import Text.Parsec.Pos
import Text.Parsec.Prim
import Text.Parsec.String

type CharParser u = GenParser Char u

pzero :: GenParser t u a
pzero = parserZero
