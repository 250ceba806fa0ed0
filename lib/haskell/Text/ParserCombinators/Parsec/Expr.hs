-- | Parsers of expressions with operators, for strings.
module Text.ParserCombinators.Parsec.Expr (Assoc(..), Operator(..), OperatorTable, buildExpressionParser) where

import Data.Functor.Identity (Identity)
import Text.Parsec.Expr (Assoc(..))
import qualified Text.Parsec.Expr as E
import Text.Parsec.String (GenParser)

data Operator t u a
  = Infix (GenParser t u (a -> a -> a)) Assoc
  | Prefix (GenParser t u (a -> a))
  | Postfix (GenParser t u (a -> a))

type OperatorTable t u a = [[Operator t u a]]

buildExpressionParser :: OperatorTable t u a -> GenParser t u a -> GenParser t u a
buildExpressionParser table = E.buildExpressionParser (map (map general) table)

general :: Operator t u a -> E.Operator [t] u Identity a
general (Infix p assoc) = E.Infix p assoc
general (Prefix p)      = E.Prefix p
general (Postfix p)     = E.Postfix p
