{-# LANGUAGE NoImplicitPrelude #-}
-- | Reading values from text.
module Text.Read
  ( Read(..), ReadS, reads, read, readParen, lex
  , Lexeme(..), lexP, parens, readListDefault, readListPrecDefault
  , readMaybe, readEither
  , module Text.ParserCombinators.ReadPrec
  ) where

import Gadfly.Base hiding (EOF)
import Text.ParserCombinators.ReadPrec
  ( ReadPrec, Prec, minPrec, lift, prec, step, reset, get, look, (+++), (<++), pfail, choice
  , readPrec_to_P, readP_to_Prec, readPrec_to_S, readS_to_Prec )

readMaybe :: Read a => String -> Maybe a
readMaybe s = case readEither s of
  Left _  -> Nothing
  Right a -> Just a

-- | A token of Haskell.  Numbers are kept as they are written.
data Lexeme = Char Char | String String | Punc String | Ident String | Symbol String | Number String | EOF
  deriving (Eq, Show)

-- | The next token.
lexP :: ReadPrec Lexeme
lexP = readS_to_Prec (\_ s -> [(classify tok, t) | (tok, t) <- lex s])

classify :: String -> Lexeme
classify tok = case tok of
  ""       -> EOF
  '\'' : _ -> Char (read tok)
  '"' : _  -> String (read tok)
  c : _
    | c `elem` ",;()[]{}`"  -> Punc tok
    | isDigit c             -> Number tok
    | isAlpha c || c == '_' -> Ident tok
    | tok `elem` ["..", "::", "=", "\\", "|", "<-", "->", "@", "~", "=>"] -> Punc tok
    | otherwise             -> Symbol tok

expectP :: Lexeme -> ReadPrec ()
expectP lexeme = do
  thing <- lexP
  if thing == lexeme then return () else pfail

-- | With or without parentheses around.
parens :: ReadPrec a -> ReadPrec a
parens p = optional
  where
    optional  = p +++ mandatory
    mandatory = do
      expectP (Punc "(")
      x <- reset optional
      expectP (Punc ")")
      return x

readListDefault :: Read a => ReadS [a]
readListDefault = readPrec_to_S readListPrec 0

readListPrecDefault :: Read a => ReadPrec [a]
readListPrecDefault = readS_to_Prec (\_ -> readListWith (readPrec_to_S readPrec 0))
