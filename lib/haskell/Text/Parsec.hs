-- | Parsers that decide by the next token.
module Text.Parsec
  ( ParsecT, Parsec, Stream(..), State(..)
  , runParserT, runParser, parse, parseTest, runPT, runP
  , getPosition, getInput, setPosition, setInput, getParserState, setParserState, updateParserState
  , getState, putState, modifyState, setState, updateState
  , (<|>), (<?>), label, labels, try, unexpected, many, skipMany, parserFail, parserZero
  , token, tokenPrim, tokenPrimEx, tokens
  , module Text.Parsec.Char
  , module Text.Parsec.Combinator
  , ParseError, errorPos
  , SourcePos, SourceName, Line, Column, sourceName, sourceLine, sourceColumn
  , incSourceLine, incSourceColumn, setSourceLine, setSourceColumn, setSourceName
  ) where

import Text.Parsec.Char
import Text.Parsec.Combinator
import Text.Parsec.Error
import Text.Parsec.Pos
import Text.Parsec.Prim
