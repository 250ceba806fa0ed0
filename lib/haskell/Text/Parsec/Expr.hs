-- | Parsers of expressions with operators.
module Text.Parsec.Expr (Assoc(..), Operator(..), OperatorTable, buildExpressionParser) where

import Text.Parsec.Combinator
import Text.Parsec.Prim

data Assoc = AssocNone | AssocLeft | AssocRight

data Operator s u m a
  = Infix (ParsecT s u m (a -> a -> a)) Assoc
  | Prefix (ParsecT s u m (a -> a))
  | Postfix (ParsecT s u m (a -> a))

-- | Operators of one precedence together, those that bind tightest first.
type OperatorTable s u m a = [[Operator s u m a]]

buildExpressionParser :: Monad m => OperatorTable s u m a -> ParsecT s u m a -> ParsecT s u m a
buildExpressionParser table term = foldl level term table

-- | Expressions with the operators of one precedence, around tighter ones.
level :: Monad m => ParsecT s u m a -> [Operator s u m a] -> ParsecT s u m a
level term operators = operand >>= \x ->
  (rightFrom x <|> leftFrom x <|> noneFrom x <|> return x) <?> "operator"
  where
    rights    = choice [op | Infix op AssocRight <- operators]
    lefts     = choice [op | Infix op AssocLeft <- operators]
    nones     = choice [op | Infix op AssocNone <- operators]
    prefixes  = choice [op | Prefix op <- operators] <?> ""
    postfixes = choice [op | Postfix op <- operators] <?> ""

    operand = do
      before <- prefixes <|> return id
      x      <- term
      after  <- postfixes <|> return id
      return (after (before x))

    rightFrom x = (do { f <- rights; y <- operand >>= rightRest; return (f x y) })
                  <|> ambiguous "left" lefts <|> ambiguous "non" nones
    rightRest x = rightFrom x <|> return x

    leftFrom x = (do { f <- lefts; y <- operand; leftRest (f x y) })
                 <|> ambiguous "right" rights <|> ambiguous "non" nones
    leftRest x = leftFrom x <|> return x

    noneFrom x = do
      f <- nones
      y <- operand
      ambiguous "right" rights <|> ambiguous "left" lefts <|> ambiguous "non" nones <|> return (f x y)

    ambiguous side op = try (op >> fail ("ambiguous use of a " ++ side ++ " associative operator"))
