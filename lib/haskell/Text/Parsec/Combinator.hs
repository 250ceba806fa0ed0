{-# LANGUAGE FlexibleContexts #-}
-- | Parsers made of others.
module Text.Parsec.Combinator
  ( choice, count, between, option, optionMaybe, optional, skipMany1, many1
  , sepBy, sepBy1, endBy, endBy1, sepEndBy, sepEndBy1, chainl, chainl1, chainr, chainr1
  , eof, notFollowedBy, manyTill, lookAhead, anyToken
  ) where

import Control.Monad (replicateM)
import Text.Parsec.Prim

choice :: Monad m => [ParsecT s u m a] -> ParsecT s u m a
choice = foldr (<|>) parserZero

option :: Monad m => a -> ParsecT s u m a -> ParsecT s u m a
option x p = p <|> return x

optionMaybe :: Monad m => ParsecT s u m a -> ParsecT s u m (Maybe a)
optionMaybe p = option Nothing (fmap Just p)

optional :: Monad m => ParsecT s u m a -> ParsecT s u m ()
optional p = (p >> return ()) <|> return ()

between :: Monad m => ParsecT s u m open -> ParsecT s u m close -> ParsecT s u m a -> ParsecT s u m a
between open close p = do
  _ <- open
  x <- p
  _ <- close
  return x

count :: Monad m => Int -> ParsecT s u m a -> ParsecT s u m [a]
count n p = replicateM n p

skipMany1 :: Monad m => ParsecT s u m a -> ParsecT s u m ()
skipMany1 p = p >> skipMany p

many1 :: Monad m => ParsecT s u m a -> ParsecT s u m [a]
many1 p = p `followedBy` many p

-- | One and then more.
followedBy :: Monad m => ParsecT s u m a -> ParsecT s u m [a] -> ParsecT s u m [a]
followedBy p ps = p >>= \x -> ps >>= \xs -> return (x : xs)

sepBy, sepBy1, endBy, endBy1, sepEndBy, sepEndBy1
  :: Monad m => ParsecT s u m a -> ParsecT s u m sep -> ParsecT s u m [a]
sepBy p sep     = sepBy1 p sep <|> return []
sepBy1 p sep    = p `followedBy` many (sep >> p)
endBy p sep     = many (p >>= \x -> sep >> return x)
endBy1 p sep    = many1 (p >>= \x -> sep >> return x)
sepEndBy p sep  = sepEndBy1 p sep <|> return []
sepEndBy1 p sep = p `followedBy` ((sep >> sepEndBy p sep) <|> return [])

chainl, chainr :: Monad m => ParsecT s u m a -> ParsecT s u m (a -> a -> a) -> a -> ParsecT s u m a
chainl p op x = chainl1 p op <|> return x
chainr p op x = chainr1 p op <|> return x

chainl1, chainr1 :: Monad m => ParsecT s u m a -> ParsecT s u m (a -> a -> a) -> ParsecT s u m a
chainl1 p op = p >>= further
  where further x = (op >>= \f -> p >>= \y -> further (f x y)) <|> return x
chainr1 p op = p >>= \x -> (op >>= \f -> chainr1 p op >>= \y -> return (f x y)) <|> return x

anyToken :: (Stream s m t, Show t) => ParsecT s u m t
anyToken = tokenPrim show (\pos _ _ -> pos) Just

eof :: (Stream s m t, Show t) => ParsecT s u m ()
eof = notFollowedBy anyToken <?> "end of input"

notFollowedBy :: (Monad m, Show a) => ParsecT s u m a -> ParsecT s u m ()
notFollowedBy p = try ((try p >>= \x -> unexpected (show x)) <|> return ())

manyTill :: Monad m => ParsecT s u m a -> ParsecT s u m end -> ParsecT s u m [a]
manyTill p end = (end >> return []) <|> (p `followedBy` manyTill p end)
