-- | Parsers of strings.
module Text.Parsec.String (Parser, GenParser, parseFromFile) where

import Text.Parsec.Error (ParseError)
import Text.Parsec.Prim

type Parser        = Parsec String ()
type GenParser t u = Parsec [t] u

parseFromFile :: Parser a -> FilePath -> IO (Either ParseError a)
parseFromFile p name = do
  input <- readFile name
  return (parse p name input)
