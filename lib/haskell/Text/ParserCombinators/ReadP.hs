{-# LANGUAGE NoImplicitPrelude #-}
-- | Parsers that follow all alternatives side by side.
module Text.ParserCombinators.ReadP
  ( ReadP, get, look, (+++), (<++), gather
  , pfail, eof, satisfy, char, string, munch, munch1, skipSpaces, choice
  , count, between, option, optional, many, many1, skipMany, skipMany1
  , sepBy, sepBy1, endBy, endBy1, chainr, chainl, chainl1, chainr1, manyTill
  , ReadS, readP_to_S, readS_to_P
  ) where

import Gadfly.Base hiding (many, skipSpaces)

infixr 5 +++, <++

get :: ReadP Char
get = ReadP (Get return)

-- | The rest of the input, not consumed.
look :: ReadP String
look = ReadP (Look return)

pfail :: ReadP a
pfail = ReadP Fail

(+++) :: ReadP a -> ReadP a -> ReadP a
(+++) = (<|>)

-- | The right parser only if the left one has no result at all.
(<++) :: ReadP a -> ReadP a -> ReadP a
ReadP f0 <++ q = do
  s <- look
  probe f0 s 0
  where
    probe (Get f)        (c:s) n = probe (f c) s (primIntAdd n 1)
    probe (Look f)       s     n = probe (f s) s n
    probe p@(Result _ _) _     n = discard n >> ReadP p
    probe (Final r)      _     _ = ReadP (Final r)
    probe _              _     _ = q
    discard :: Int -> ReadP ()
    discard n = if n == 0 then return () else get >> discard (n - 1)

-- | Also the characters that were consumed.
gather :: ReadP a -> ReadP (String, a)
gather (ReadP m) = ReadP (go id m)
  where
    go l (Get f)      = Get (\c -> go (\s -> l (c : s)) (f c))
    go _ Fail         = Fail
    go l (Look f)     = Look (\s -> go l (f s))
    go l (Result k p) = Result (l [], k) (go l p)
    go _ (Final _)    = errorWithoutStackTrace "do not use readS_to_P in gather!"

satisfy :: (Char -> Bool) -> ReadP Char
satisfy p = do
  c <- get
  if p c then return c else pfail

char :: Char -> ReadP Char
char c = satisfy (c ==)

eof :: ReadP ()
eof = do
  s <- look
  if null s then return () else pfail

string :: String -> ReadP String
string this = look >>= scan this
  where
    scan []     _               = return this
    scan (x:xs) (y:ys) | x == y = get >> scan xs ys
    scan _      _               = pfail

-- | As many characters as satisfy the condition.
munch :: (Char -> Bool) -> ReadP String
munch p = look >>= scan
  where
    scan (c:cs) | p c = do { _ <- get; s <- scan cs; return (c : s) }
    scan _            = return ""

munch1 :: (Char -> Bool) -> ReadP String
munch1 p = do
  c <- get
  if p c then do { s <- munch p; return (c : s) } else pfail

choice :: [ReadP a] -> ReadP a
choice []     = pfail
choice [p]    = p
choice (p:ps) = p +++ choice ps

skipSpaces :: ReadP ()
skipSpaces = look >>= skip
  where
    skip (c:s) | isSpace c = get >> skip s
    skip _                 = return ()

count :: Int -> ReadP a -> ReadP [a]
count n p = if n <= 0 then return [] else do { x <- p; xs <- count (n - 1) p; return (x : xs) }

between :: ReadP open -> ReadP close -> ReadP a -> ReadP a
between open close p = do { _ <- open; x <- p; _ <- close; return x }

option :: a -> ReadP a -> ReadP a
option x p = p +++ return x

optional :: ReadP a -> ReadP ()
optional p = (p >> return ()) +++ return ()

many, many1 :: ReadP a -> ReadP [a]
many p  = return [] +++ many1 p
many1 p = do { x <- p; xs <- many p; return (x : xs) }

skipMany, skipMany1 :: ReadP a -> ReadP ()
skipMany p  = many p >> return ()
skipMany1 p = p >> skipMany p

sepBy, sepBy1, endBy, endBy1 :: ReadP a -> ReadP sep -> ReadP [a]
sepBy p sep  = sepBy1 p sep +++ return []
sepBy1 p sep = do { x <- p; xs <- many (sep >> p); return (x : xs) }
endBy p sep  = many (do { x <- p; _ <- sep; return x })
endBy1 p sep = many1 (do { x <- p; _ <- sep; return x })

chainr, chainl :: ReadP a -> ReadP (a -> a -> a) -> a -> ReadP a
chainr p op x = chainr1 p op +++ return x
chainl p op x = chainl1 p op +++ return x

chainr1, chainl1 :: ReadP a -> ReadP (a -> a -> a) -> ReadP a
chainr1 p op = scan
  where
    scan   = p >>= rest
    rest x = (do { f <- op; y <- scan; return (f x y) }) +++ return x
chainl1 p op = p >>= rest
  where rest x = (do { f <- op; y <- p; rest (f x y) }) +++ return x

manyTill :: ReadP a -> ReadP end -> ReadP [a]
manyTill p end = scan
  where scan = (end >> return []) <++ (do { x <- p; xs <- scan; return (x : xs) })
