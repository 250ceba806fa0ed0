{-# LANGUAGE NoImplicitPrelude #-}
-- | Parsers that follow all ways to read a text at once.
--
-- A parser is run on a text and says what becomes of it step by step: one step
-- for each character that is passed, with the results that end there.  Two
-- alternatives are the merge of their steps.  So both are always at the same
-- character, no text is kept longer than the slowest needs it, and results
-- come in the order of the text they consume.
--
-- Parsers take what follows them as an argument, for then a long sequence costs
-- no more than its parts.  The type of the final answer does not concern them.
-- The language has no types of that kind, so 'Answer' stands for it, and 'run'
-- alone, which chooses it, sees it.
module Gadfly.Parsing where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Lists
import Gadfly.Numbers
import Gadfly.Monads

type ReadS a = String -> [(a, String)]

-- | What a parse yields, in the order of the text.
data Steps r
  = Stop                        -- ^ nothing more
  | Ends r String (Steps r)     -- ^ a result here, and what text is left
  | Next (Steps r)              -- ^ over one character
  | Jump (Steps r)              -- ^ from here on, characters are passed uncounted

merge :: Steps r -> Steps r -> Steps r
merge Stop         b            = b
merge a            Stop         = a
merge (Ends x t a) b            = Ends x t (merge a b)
merge a            (Ends x t b) = Ends x t (merge a b)
merge (Jump a)     b            = Jump (merge a b)
merge a            (Jump b)     = Jump (merge a b)
merge (Next a)     (Next b)     = Next (merge a b)

-- | Any type at all.
data Answer

newtype ReadP a = ReadP ((a -> String -> Steps Answer) -> String -> Steps Answer)

-- | Parse with what follows.
followed :: ReadP a -> (a -> String -> Steps Answer) -> String -> Steps Answer
followed (ReadP p) = p

-- | Parse with nothing to follow.
run :: ReadP a -> String -> Steps a
run (ReadP p) s = primUnsafeCoerce (p (\x t -> Ends (primUnsafeCoerce x) t Stop) s)

-- | Go on from the results of a parse that was run by itself.
continue :: Steps a -> (a -> String -> Steps r) -> Steps r
continue Stop         _ = Stop
continue (Ends x t a) k = merge (k x t) (continue a k)
continue (Next a)     k = Next (continue a k)
continue (Jump a)     k = Jump (continue a k)

-- | Over as many characters as the list has elements.
passing :: [b] -> Steps r -> Steps r
passing []       a = a
passing (_ : xs) a = Next (passing xs a)

instance Functor ReadP where
  fmap f (ReadP p) = ReadP (\k -> p (\x -> k (f x)))

instance Applicative ReadP where
  pure x = ReadP (\k -> k x)
  ReadP p <*> q = ReadP (\k -> p (\f -> followed q (\x -> k (f x))))

instance Monad ReadP where
  ReadP p >>= f = ReadP (\k -> p (\x -> followed (f x) k))

instance MonadFail ReadP where
  fail _ = ReadP (\_ _ -> Stop)

instance Alternative ReadP where
  empty = ReadP (\_ _ -> Stop)
  ReadP p <|> q = ReadP (\k s -> merge (p k s) (followed q k s))

instance MonadPlus ReadP

readP_to_S :: ReadP a -> ReadS a
readP_to_S p s = results (run p s)

results :: Steps a -> [(a, String)]
results Stop         = []
results (Ends x t a) = (x, t) : results a
results (Next a)     = results a
results (Jump a)     = results a

readS_to_P :: ReadS a -> ReadP a
readS_to_P r = ReadP (\k s -> case r s of
  [] -> Stop
  xs -> Jump (foldrList (\(x, t) a -> merge (k x t) a) Stop xs))

-- * Parsers that are told the precedence of their context

newtype ReadPrec a = ReadPrec (Int -> ReadP a)

instance Functor ReadPrec where
  fmap f (ReadPrec r) = ReadPrec (\n -> fmap f (r n))

instance Applicative ReadPrec where
  pure x = ReadPrec (\_ -> pure x)
  (<*>)  = ap

instance Monad ReadPrec where
  ReadPrec r >>= k = ReadPrec (\n -> r n >>= \x -> case k x of ReadPrec r' -> r' n)

instance MonadFail ReadPrec where
  fail _ = empty

instance Alternative ReadPrec where
  empty = ReadPrec (\_ -> empty)
  ReadPrec f <|> ReadPrec g = ReadPrec (\n -> f n <|> g n)

instance MonadPlus ReadPrec

readPrec_to_P :: ReadPrec a -> Int -> ReadP a
readPrec_to_P (ReadPrec r) = r

readPrec_to_S :: ReadPrec a -> Int -> ReadS a
readPrec_to_S (ReadPrec r) n = readP_to_S (r n)

readS_to_Prec :: (Int -> ReadS a) -> ReadPrec a
readS_to_Prec r = ReadPrec (\n -> readS_to_P (r n))
