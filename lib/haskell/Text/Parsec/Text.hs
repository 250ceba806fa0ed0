-- | Parsers of packed texts.
module Text.Parsec.Text (Parser, GenParser, parseFromFile) where

import Data.Text (Text)
import qualified Data.Text.IO as T
import Text.Parsec.Error (ParseError)
import Text.Parsec.Prim

type Parser       = Parsec Text ()
type GenParser st = Parsec Text st

parseFromFile :: Parser a -> FilePath -> IO (Either ParseError a)
parseFromFile p name = do
  input <- T.readFile name
  return (parse p name input)
