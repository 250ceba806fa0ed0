{-# LANGUAGE NoImplicitPrelude #-}
-- | Parsers that follow all alternatives side by side.  How they are made is
-- told in "Gadfly.Parsing".
module Text.ParserCombinators.ReadP
  ( ReadP, get, look, (+++), (<++), gather
  , pfail, eof, satisfy, char, string, munch, munch1, skipSpaces, choice
  , count, between, option, optional, many, many1, skipMany, skipMany1
  , sepBy, sepBy1, endBy, endBy1, chainr, chainl, chainl1, chainr1, manyTill
  , ReadS, readP_to_S, readS_to_P
  ) where

import Gadfly.Base hiding (many, skipSpaces)

infixr 5 +++, <++

-- * The parsers that see the text

get :: ReadP Char
get = satisfy (\_ -> True)

satisfy :: (Char -> Bool) -> ReadP Char
satisfy p = ReadP (\k s -> case s of
  c : t | p c -> Next (k c t)
  _           -> Stop)

char :: Char -> ReadP Char
char c = satisfy (primCharEq c)

-- | The rest of the input, not consumed.
look :: ReadP String
look = ReadP (\k s -> k s s)

eof :: ReadP ()
eof = ReadP (\k s -> if null s then k () s else Stop)

string :: String -> ReadP String
string this = ReadP (\k s -> match this s (\t -> passing this (k this t)))

-- | Go on with the text after a beginning, if it has that.
match :: String -> String -> (String -> Steps r) -> Steps r
match []       s        k = k s
match (x : xs) (c : cs) k | primCharEq x c = match xs cs k
match _        _        _ = Stop

-- | As many characters as satisfy the condition.
munch, munch1 :: (Char -> Bool) -> ReadP String
munch p  = ReadP (\k s -> case span p s of (word, t) -> passing word (k word t))
munch1 p = ReadP (\k s -> case span p s of
  ([], _)   -> Stop
  (word, t) -> passing word (k word t))

skipSpaces :: ReadP ()
skipSpaces = ReadP (\k s -> case span isSpace s of (spaces, t) -> passing spaces (k () t))

-- * Choice

pfail :: ReadP a
pfail = empty

(+++) :: ReadP a -> ReadP a -> ReadP a
(+++) = (<|>)

-- | The right parser only if the left one has no result at all.
(<++) :: ReadP a -> ReadP a -> ReadP a
p <++ q = ReadP (\k s ->
  let steps = run p s
  in if hasResult steps then continue steps k else followed q k s)

hasResult :: Steps a -> Bool
hasResult Stop         = False
hasResult (Ends _ _ _) = True
hasResult (Next a)     = hasResult a
hasResult (Jump a)     = hasResult a

-- | Also the characters that were consumed.
gather :: ReadP a -> ReadP (String, a)
gather p = ReadP (\k s -> gathered k s 0 (run p s))

-- | Go on from results that lie so many characters after the beginning.
gathered :: ((String, a) -> String -> Steps r) -> String -> Int -> Steps a -> Steps r
gathered _ _ _ Stop         = Stop
gathered k s n (Ends x t a) = merge (k (take n s, x) t) (gathered k s n a)
gathered k s n (Next a)     = Next (gathered k s (primIntAdd n 1) a)
gathered _ _ _ (Jump _)     = errorWithoutStackTrace "do not use readS_to_P in gather!"

choice :: [ReadP a] -> ReadP a
choice []       = pfail
choice [p]      = p
choice (p : ps) = p +++ choice ps

option :: a -> ReadP a -> ReadP a
option x p = p +++ pure x

optional :: ReadP a -> ReadP ()
optional p = (() <$ p) +++ pure ()

-- * Repetition

count :: Int -> ReadP a -> ReadP [a]
count n p
  | primIntLe n 0 = pure []
  | otherwise     = liftA2 (:) p (count (primIntSub n 1) p)

between :: ReadP open -> ReadP close -> ReadP a -> ReadP a
between open close p = open *> p <* close

many, many1 :: ReadP a -> ReadP [a]
many p  = pure [] +++ many1 p
many1 p = liftA2 (:) p (many p)

skipMany, skipMany1 :: ReadP a -> ReadP ()
skipMany p  = () <$ many p
skipMany1 p = p *> skipMany p

sepBy, sepBy1, endBy, endBy1 :: ReadP a -> ReadP sep -> ReadP [a]
sepBy p sep  = sepBy1 p sep +++ pure []
sepBy1 p sep = liftA2 (:) p (many (sep *> p))
endBy p sep  = many (p <* sep)
endBy1 p sep = many1 (p <* sep)

chainr, chainl :: ReadP a -> ReadP (a -> a -> a) -> a -> ReadP a
chainr p op x = chainr1 p op +++ pure x
chainl p op x = chainl1 p op +++ pure x

chainr1, chainl1 :: ReadP a -> ReadP (a -> a -> a) -> ReadP a
chainr1 p op = p >>= \x -> pure x +++ liftA2 (\f y -> f x y) op (chainr1 p op)
chainl1 p op = p >>= further
  where further x = pure x +++ (op >>= \f -> p >>= \y -> further (f x y))

manyTill :: ReadP a -> ReadP end -> ReadP [a]
manyTill p end = ([] <$ end) <++ liftA2 (:) p (manyTill p end)
