{-# LANGUAGE NoImplicitPrelude, StandaloneDeriving #-}
-- | Reading values from text as the language writes them: lexemes, numbers,
-- characters and strings, lists, tuples.
--
-- Instances are made of functions from a text to the list of ways to read a
-- value at its beginning, as the report describes them.
module Gadfly.Reading where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Lists
import Gadfly.Characters
import Gadfly.Enumerations
import Gadfly.Integers
import Gadfly.Floating
import Gadfly.Ratios
import Gadfly.Folding
import Gadfly.Showing
import Gadfly.Parsing

class Read a where
  readsPrec    :: Int -> ReadS a
  readList     :: ReadS [a]
  readPrec     :: ReadPrec a
  readListPrec :: ReadPrec [a]
  readsPrec    = readPrec_to_S readPrec
  readList     = readListWith reads
  readPrec     = readS_to_Prec readsPrec
  readListPrec = readS_to_Prec (\_ -> readList)

reads :: Read a => ReadS a
reads = readsPrec 0

read :: Read a => String -> a
read s = either errorWithoutStackTrace id (readEither s)

readEither :: Read a => String -> Either String a
readEither s = case [x | (x, t) <- reads s, all isSpace t] of
  [x] -> Right x
  []  -> Left "Prelude.read: no parse"
  _   -> Left "Prelude.read: ambiguous parse"

-- | Parentheses around, required or allowed.
readParen :: Bool -> ReadS a -> ReadS a
readParen needed g = if needed then mandatory else optional
  where
    optional r  = g r ++ mandatory r
    mandatory r = case skipSpaces r of
      '(' : s -> [(x, u) | (x, t) <- optional s, (")", u) <- lex t]
      _       -> []


readListWith :: ReadS a -> ReadS [a]
readListWith readx = readParen False (\r -> case skipSpaces r of
    '[' : s -> first s
    _       -> [])
  where
    first s = case skipSpaces s of
      ']' : t -> [([], t)]
      t       -> [(x : xs, v) | (x, u) <- readx t, (xs, v) <- rest u]
    rest s = case skipSpaces s of
      ']' : t -> [([], t)]
      ',' : t -> [(x : xs, v) | (x, u) <- readx t, (xs, v) <- rest u]
      _       -> []

-- | The next lexeme of Haskell and what follows it; the empty lexeme at the
-- end of the input, no result where none begins.
lex :: ReadS String
lex s = case skipSpaces s of
  []        -> [("", "")]
  c : rest
    | c == '"'             -> [('"' : str, t) | (str, t) <- lexString rest]
    | c == '\''            -> [('\'' : ch ++ "'", t) | (ch, '\'' : t) <- lexQuoted rest, ch /= "'"]
    | isSingle c           -> [([c], rest)]
    | isSymbolChar c       -> case span isSymbolChar rest of (sym, t) -> [(c : sym, t)]
    | isAlpha c || c == '_' -> case span isIdChar rest of (nam, t) -> [(c : nam, t)]
    | isDigit c            -> lexNumber c rest
    | otherwise            -> []
  where
    isSingle c = c `elem` ",;()[]{}`"
    isIdChar c = isAlphaNum c || c == '_' || c == '\''
    lexString r = case r of
      '"' : t       -> [("\"", t)]
      '\\' : '&' : t -> [('\\' : '&' : str, u) | (str, u) <- lexString t]
      '\\' : d : t | isSpace d -> case dropWhile isSpace t of
        '\\' : u -> [('\\' : '&' : str, v) | (str, v) <- lexString u]
        _        -> []
      _             -> [(ch ++ str, u) | (ch, t) <- lexQuoted r, (str, u) <- lexString t]
    -- One character or escape of a literal, as written.
    lexQuoted r = case r of
      '\\' : t -> [('\\' : esc, u) | (esc, u) <- lexEscape t]
      c : t    -> [([c], t)]
      []       -> []

-- | A numeric lexeme: in base 8 or 16, or decimal with fraction and exponent.
lexNumber :: Char -> ReadS String
lexNumber c rest = case (c, rest) of
  ('0', x : d : r) | isHexMark x && isHexDigit d -> case span isHexDigit (d : r) of (ds, t) -> [('0' : x : ds, t)]
                   | isOctMark x && isOctDigit d -> case span isOctDigit (d : r) of (ds, t) -> [('0' : x : ds, t)]
  _ -> case span isDigit rest of
    (ds, t) -> case fraction t of
      (fr, u) -> case expo u of
        (ex, v) -> [(c : ds ++ fr ++ ex, v)]
  where
    isHexMark x = x == 'x' || x == 'X'
    isOctMark x = x == 'o' || x == 'O'
    fraction t = case t of
      '.' : d : r | isDigit d -> case span isDigit r of (ds, u) -> ('.' : d : ds, u)
      _                       -> ("", t)
    expo t = case t of
      e : d : r     | isExp e && isDigit d             -> case span isDigit r of (ds, u) -> (e : d : ds, u)
      e : s : d : r | isExp e && isSign s && isDigit d -> case span isDigit r of (ds, u) -> (e : s : d : ds, u)
      _                                                -> ("", t)
    isExp e  = e == 'e' || e == 'E'
    isSign s = s == '+' || s == '-'


isSymbolChar :: Char -> Bool
isSymbolChar c
  | primCharLt c '\x80' = c `elem` "!@#$%&*+./<=>?\\^|:-~"
  | otherwise           = let k = primCharCategory c in k >= 11 && k <= 21

-- | An escape after its backslash, as written.
lexEscape :: ReadS String
lexEscape r = case readEscape r of
  Just (_, t) -> [(take (length r - length t) r, t)]
  Nothing     -> []

-- | The character an escape stands for, without its backslash.
readEscape :: String -> Maybe (Char, String)
readEscape [] = Nothing
readEscape s@(c : t) = case c of
  'a'  -> Just ('\a', t)
  'b'  -> Just ('\b', t)
  'f'  -> Just ('\f', t)
  'n'  -> Just ('\n', t)
  'r'  -> Just ('\r', t)
  't'  -> Just ('\t', t)
  'v'  -> Just ('\v', t)
  '\\' -> Just ('\\', t)
  '"'  -> Just ('"', t)
  '\'' -> Just ('\'', t)
  '^'  -> case t of
    d : u | primCharLe '@' d && primCharLe d '_' -> Just (primCharChr (primCharOrd d - 64), u)
    _ -> Nothing
  'x' | startsWith isHexDigit t -> code 16 isHexDigit t
  'o' | startsWith isOctDigit t -> code 8 isOctDigit t
  _ | isDigit c -> code 10 isDigit s
    | otherwise -> named
  where
    startsWith p u = case u of { d : _ -> p d; [] -> False }
    code base p u = case span p u of
      (ds, v) -> let n = digitsToInteger base ds
                 in if n <= 1114111 then Just (primCharChr (primIntegerToInt n), v) else Nothing
    -- Longer names first: SOH before SO.
    named = search (("SOH", '\SOH') : ("DEL", '\DEL') : zip (take 32 controlNames) (enumFrom '\NUL'))
    search [] = Nothing
    search ((nm, ch) : more) = case stripName nm s of
      Just u  -> Just (ch, u)
      Nothing -> search more
    stripName [] u = Just u
    stripName (x:xs) (y:ys) | x == y = stripName xs ys
    stripName _ _ = Nothing

-- | The value of a digit in bases up to sixteen.
digitToInt :: Char -> Int
digitToInt c
  | isDigit c                            = primCharOrd c - 48
  | primCharLe 'a' c && primCharLe c 'f' = primCharOrd c - 87
  | primCharLe 'A' c && primCharLe c 'F' = primCharOrd c - 55
  | otherwise = errorWithoutStackTrace ("Char.digitToInt: not a digit " ++ show c)

-- | The number written by a string of digits.  Digits are first gathered in
-- machine integers, and those combined by halves, which keeps long numbers
-- from costing the square of their length.
digitsToInteger :: Int -> String -> Integer
digitsToInteger base s0 = join (primIntToInteger base ^ chunk) (chunks s0)
  where
    chunk = 15 :: Int
    -- Most significant first; the last chunk is padded by scaling at the end.
    chunks s = let n = length s
                   k = n `rem` chunk
               in if k == 0 then groups s else value (take k s) : groups (drop k s)
    groups [] = []
    groups s  = value (take chunk s) : groups (drop chunk s)
    value ds = primIntToInteger (foldl' (\a d -> a * base + digitToInt d) 0 ds)
    join _ []  = 0
    join _ [n] = n
    join b ns  = join (b * b) (if even (length ns) then pairs b ns else head ns : pairs b (tail ns))
    pairs b (x:y:r) = (x * b + y) : pairs b r
    pairs _ r       = r

-- | Read a number with an optional sign, given how to understand its lexeme.
-- A sign needs no parentheses in any context, as in GHC.
readNumber :: Num a => (String -> [a]) -> Int -> ReadS a
readNumber convert _ = readParen False (\r -> case lex r of
  [("-", s)] -> [(negate n, t) | (tok, t) <- lex s, n <- convert tok]
  [(tok, t)] -> [(n, t) | n <- convert tok]
  _          -> [])

-- | The whole number a lexeme stands for.

-- | The same for whole numbers.  Decimal digits up to the size of 'Int' need
-- no lexeme made of them.
readWhole :: Num a => Int -> ReadS a
readWhole d r = case skipSpaces r of
  s@(c : cs)
    | isDigit c        -> short fromInt s
    | primCharEq c '-' -> case skipSpaces cs of
        t@(c' : _) | isDigit c' -> short (\n -> fromInt (primIntNegate n)) t
        _                       -> general
  _ -> general
  where
    general = readNumber (\tok -> map fromInteger (integerLexeme tok)) d r
    short made s = case decimal 0 0 s of
      (n, k, t)
        | primIntLe k 18 && endsNumber t -> [(made n, t)]
        | otherwise                      -> general
    endsNumber t = case t of
      []    -> True
      x : _ -> not (isAlpha x || primCharEq x '.')

-- | The value of the digits at the beginning, how many there are (more than
-- eighteen do not matter), and the rest.
decimal :: Int -> Int -> String -> (Int, Int, String)
decimal n k s = case s of
  c : cs | isDigit c && primIntLe k 18 ->
    let n' = primIntAdd (primIntMul n 10) (primIntSub (primCharOrd c) 48)
        k' = primIntAdd k 1
    in n' `seq` k' `seq` decimal n' k' cs
  _ -> (n, k, s)

-- | The whole number a lexeme stands for.
integerLexeme :: String -> [Integer]
integerLexeme tok = case tok of
  '0' : x : ds@(_:_) | x == 'x' || x == 'X' -> [digitsToInteger 16 ds]
                     | x == 'o' || x == 'O' -> [digitsToInteger 8 ds]
  _ : _ | all isDigit tok -> [digitsToInteger 10 tok]
  _ -> []

-- | The fraction a lexeme stands for, as a mantissa and a power of ten.
decimalLexeme :: String -> [(Integer, Integer)]
decimalLexeme tok = case integerPart of
  ("", _)  -> []
  (ds, t) -> case t of
    '.' : u -> case span isDigit u of
      (fs, v) -> [(digitsToInteger 10 (ds ++ fs), ex - primIntToInteger (length fs)) | ex <- expo v]
    u       -> [(digitsToInteger 10 ds, ex) | ex <- expo u]
  where
    integerPart = span isDigit tok
    expo []             = [0]
    expo (_ : '-' : ds) = [negate (digitsToInteger 10 ds)]
    expo (_ : '+' : ds) = [digitsToInteger 10 ds]
    expo (_ : ds)       = if all isDigit ds then [digitsToInteger 10 ds] else []

floatingLexeme :: RealFloat a => String -> [a]
floatingLexeme "NaN"      = [0 / 0]
floatingLexeme "Infinity" = [1 / 0]
floatingLexeme tok        = case tok of
  '0' : x : _ | x == 'x' || x == 'X' || x == 'o' || x == 'O' -> map fromInteger (integerLexeme tok)
  _ -> [scale m e | (m, e) <- decimalLexeme tok]
  where
    scale m e
      | m == 0           = 0
      | size + e > 400   = 1 / 0
      | size + e < -400  = 0
      | e >= 0           = fromRational ((m * 10 ^ e) :% 1)
      | otherwise        = fromRational (m % (10 ^ negate e))
      where size = (primIntToInteger (primIntegerBitLength m) * 3) `quot` 10

instance Read Int where
  readsPrec = readWhole

instance Read Integer where
  readsPrec = readWhole

instance Read Word where
  readsPrec = readWhole

instance Read Double where
  readsPrec = readNumber floatingLexeme

instance Read Float where
  readsPrec = readNumber floatingLexeme

instance Read Char where
  readsPrec _ = readParen False (\r -> case skipSpaces r of
    '\'' : s -> case s of
      '\\' : t -> case readEscape t of
        Just (c, '\'' : u) -> [(c, u)]
        _                  -> []
      c : '\'' : u | c /= '\'' -> [(c, u)]
      _ -> []
    _ -> [])
  readList r0 = readParen False string r0 ++ readListWith reads r0
    where
      string r = case skipSpaces r of
        '"' : s -> body s
        _       -> []
      body s = case s of
        '"' : t        -> [("", t)]
        '\\' : '&' : t -> body t
        '\\' : c : t | isSpace c -> case dropWhile isSpace t of
          '\\' : u -> body u
          _        -> []
        '\\' : t       -> case readEscape t of
          Just (c, u) -> [(c : cs, v) | (cs, v) <- body u]
          Nothing     -> []
        c : t          -> [(c : cs, v) | (cs, v) <- body t]
        []             -> []

instance Read a => Read [a] where
  readsPrec _ = readList

instance Read a => Read (NonEmpty a) where
  readsPrec d = readParen (d > 5)
    (\r -> [(a :| as, u) | (a, s) <- readsPrec 6 r, (":|", t) <- lex s, (as, u) <- readsPrec 6 t])

instance Read (Proxy t) where
  readsPrec _ = readParen False (\r -> [(Proxy, s) | ("Proxy", s) <- lex r])

instance Read () where
  readsPrec _ = readParen False (\r -> [((), t) | ("(", s) <- lex r, (")", t) <- lex s])

instance (Read a, Read b) => Read (a, b) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b), s2) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (")", s2) <- lex t1 ])

instance (Read a, Read b, Read c) => Read (a, b, c) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c), s3) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (")", s3) <- lex t2 ])

instance (Read a, Read b, Read c, Read d) => Read (a, b, c, d) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d), s4) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (")", s4) <- lex t3 ])

instance (Read a, Read b, Read c, Read d, Read e) => Read (a, b, c, d, e) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e), s5) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (",", s4) <- lex t3,
        (e, t4) <- reads s4, (")", s5) <- lex t4 ])

instance (Read a, Read b, Read c, Read d, Read e, Read f) => Read (a, b, c, d, e, f) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e, f), s6) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (",", s4) <- lex t3,
        (e, t4) <- reads s4, (",", s5) <- lex t4, (f, t5) <- reads s5,
        (")", s6) <- lex t5 ])

instance (Read a, Read b, Read c, Read d, Read e, Read f, Read g) => Read (a, b, c, d, e, f, g) where
  readsPrec _ = readParen False (\r ->
    [ ((a, b, c, d, e, f, g), s7) |
        ("(", s0) <- lex r, (a, t0) <- reads s0, (",", s1) <- lex t0,
        (b, t1) <- reads s1, (",", s2) <- lex t1, (c, t2) <- reads s2,
        (",", s3) <- lex t2, (d, t3) <- reads s3, (",", s4) <- lex t3,
        (e, t4) <- reads s4, (",", s5) <- lex t4, (f, t5) <- reads s5,
        (",", s6) <- lex t5, (g, t6) <- reads s6, (")", s7) <- lex t6 ])

deriving instance Read Bool
deriving instance Read Ordering
deriving instance Read a => Read (Maybe a)
deriving instance (Read a, Read b) => Read (Either a b)

instance (Integral a, Read a) => Read (Ratio a) where
  readsPrec p = readParen (p > 7)
    (\r -> [(x % y, u) | (x, s) <- readsPrec 8 r, ("%", t) <- lex s, (y, u) <- readsPrec 8 t])
