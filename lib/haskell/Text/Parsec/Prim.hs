{-# LANGUAGE MultiParamTypeClasses, FunctionalDependencies, FlexibleInstances, FlexibleContexts #-}
{-# LANGUAGE UndecidableInstances #-}
-- | Parsers that decide by the next token: an alternative is tried only if the
-- one before it failed without consuming anything, unless 'try' takes that
-- back.  (Leijen and Meijer, Parsec: direct style monadic parser combinators for
-- the real world, 2001.)
module Text.Parsec.Prim
  ( ParsecT, Parsec, Stream(..), State(..), Consumed(..), Reply(..)
  , parserReturn, parserBind, parserFail, parserZero, parserPlus
  , (<?>), (<|>), label, labels, unexpected, lookAhead, try
  , token, tokenPrim, tokenPrimEx, tokens, many, skipMany, manyAccum
  , runPT, runP, runParserT, runParser, parse, parseTest
  , getPosition, getInput, setPosition, setInput, getParserState, setParserState, updateParserState
  , getState, putState, modifyState, setState, updateState
  , sysUnExpectError, unknownError
  ) where

import qualified Control.Applicative as A
import Control.Applicative (Alternative)
import Control.Monad (MonadPlus(..))
import Control.Monad.IO.Class (MonadIO(..))
import Control.Monad.Reader.Class (MonadReader(..))
import Control.Monad.State.Class (MonadState)
import qualified Control.Monad.State.Class as S
import Control.Monad.Trans.Class (MonadTrans(..))
import Data.Functor.Identity (Identity(..))
import Gadfly.Text (Text(..))
import Text.Parsec.Error
import Text.Parsec.Pos

infix  0 <?>
infixr 1 <|>

-- | Inputs, the monads they can be read in, and their tokens.
class Monad m => Stream s m t | s -> t where
  uncons :: s -> m (Maybe (t, s))

instance Monad m => Stream [t] m t where
  uncons []       = return Nothing
  uncons (t : ts) = return (Just (t, ts))

instance Monad m => Stream Text m Char where
  uncons (Text [])      = return Nothing
  uncons (Text (c : s)) = return (Just (c, Text s))

data State s u = State { stateInput :: s, statePos :: !SourcePos, stateUser :: !u }

data Consumed a = Consumed a | Empty !a

-- | A result with the state after it, or none; the error is what would have
-- been possible where it ended.
data Reply s u a = Ok a !(State s u) ParseError | Error ParseError

newtype ParsecT s u m a = ParsecT (State s u -> m (Consumed (Reply s u a)))

type Parsec s u = ParsecT s u Identity

reply :: ParsecT s u m a -> State s u -> m (Consumed (Reply s u a))
reply (ParsecT p) = p

instance Functor (Reply s u) where
  fmap f (Ok x s e) = Ok (f x) s e
  fmap _ (Error e)  = Error e

instance Monad m => Functor (ParsecT s u m) where
  fmap f p = parserBind p (\x -> parserReturn (f x))

instance Monad m => Applicative (ParsecT s u m) where
  pure      = parserReturn
  pf <*> px = parserBind pf (\f -> parserBind px (\x -> parserReturn (f x)))

instance Monad m => Monad (ParsecT s u m) where
  (>>=) = parserBind

instance Monad m => MonadFail (ParsecT s u m) where
  fail = parserFail

instance Monad m => Alternative (ParsecT s u m) where
  empty  = parserZero
  (<|>)  = parserPlus
  many p = many p
  some p = p >>= \x -> many p >>= \xs -> return (x : xs)

instance Monad m => MonadPlus (ParsecT s u m)

instance MonadTrans (ParsecT s u) where
  lift m = ParsecT (\s -> m >>= \x -> return (Empty (Ok x s (unknownError s))))

instance MonadIO m => MonadIO (ParsecT s u m) where
  liftIO act = lift (liftIO act)

instance MonadState st m => MonadState st (ParsecT s u m) where
  get   = lift S.get
  put x = lift (S.put x)

instance MonadReader r m => MonadReader r (ParsecT s u m) where
  ask       = lift ask
  local f p = ParsecT (\s -> local f (reply p s))

instance (Monad m, Semigroup a) => Semigroup (ParsecT s u m a) where
  p <> q = p >>= \x -> q >>= \y -> return (x <> y)

instance (Monad m, Monoid a) => Monoid (ParsecT s u m a) where
  mempty = return mempty

unknownError :: State s u -> ParseError
unknownError s = newErrorUnknown (statePos s)

sysUnExpectError :: String -> SourcePos -> Reply s u a
sysUnExpectError message pos = Error (newErrorMessage (SysUnExpect message) pos)

-- * Sequence and choice

parserReturn :: Monad m => a -> ParsecT s u m a
parserReturn x = ParsecT (\s -> return (Empty (Ok x s (unknownError s))))

parserBind :: Monad m => ParsecT s u m a -> (a -> ParsecT s u m b) -> ParsecT s u m b
parserBind p k = ParsecT (\s -> reply p s >>= \r -> case r of
  Empty (Ok x s' e)    -> fmap (heeding e) (reply (k x) s')
  Empty (Error e)      -> return (Empty (Error e))
  Consumed (Ok x s' e) -> reply (k x) s' >>= \r' -> return (Consumed (case heeding e r' of
    Empty a    -> a
    Consumed a -> a))
  Consumed (Error e)   -> return (Consumed (Error e)))

-- | What was possible before still is, if nothing has been consumed.
heeding :: ParseError -> Consumed (Reply s u a) -> Consumed (Reply s u a)
heeding e r = case r of
  Empty (Ok x s e') -> Empty (Ok x s (mergeError e e'))
  Empty (Error e')  -> Empty (Error (mergeError e e'))
  _                 -> r

parserFail :: Monad m => String -> ParsecT s u m a
parserFail message = ParsecT (\s -> return (Empty (Error (newErrorMessage (Message message) (statePos s)))))

parserZero :: Monad m => ParsecT s u m a
parserZero = ParsecT (\s -> return (Empty (Error (unknownError s))))

parserPlus, (<|>) :: Monad m => ParsecT s u m a -> ParsecT s u m a -> ParsecT s u m a
parserPlus p q = ParsecT (\s -> reply p s >>= \r -> case r of
  Empty (Error e) -> fmap (heeding e) (reply q s)
  _               -> return r)
(<|>) = parserPlus

(<?>), label :: Monad m => ParsecT s u m a -> String -> ParsecT s u m a
p <?> name   = labels p [name]
label p name = labels p [name]

-- | Names for what is expected, if the parser fails at once.
labels :: Monad m => ParsecT s u m a -> [String] -> ParsecT s u m a
labels p names = ParsecT (\s -> fmap named (reply p s))
  where
    named r = case r of
      Empty (Ok x s e) -> Empty (Ok x s (if errorIsUnknown e then e else expecting e))
      Empty (Error e)  -> Empty (Error (expecting e))
      _                -> r
    expecting e = case names of
      []         -> setErrorMessage (Expect "") e
      name : more -> foldr (addErrorMessage . Expect) (setErrorMessage (Expect name) e) more

unexpected :: Monad m => String -> ParsecT s u m a
unexpected message = ParsecT (\s -> return (Empty (Error (newErrorMessage (UnExpect message) (statePos s)))))

-- | If it fails, as if nothing had been consumed.
try :: Monad m => ParsecT s u m a -> ParsecT s u m a
try p = ParsecT (\s -> fmap back (reply p s))
  where
    back (Consumed (Error e)) = Empty (Error e)
    back r                    = r

-- | If it succeeds, as if nothing had been consumed.
lookAhead :: Monad m => ParsecT s u m a -> ParsecT s u m a
lookAhead p = ParsecT (\s -> fmap (back s) (reply p s))
  where
    back s r = case r of
      Consumed (Ok x _ _) -> Empty (Ok x s (unknownError s))
      Empty (Ok x _ _)    -> Empty (Ok x s (unknownError s))
      _                   -> r

-- * Tokens

token :: Stream s Identity t => (t -> String) -> (t -> SourcePos) -> (t -> Maybe a) -> Parsec s u a
token shown position test = ParsecT (\s ->
  let following _ ts = case runIdentity (uncons ts) of
        Nothing     -> statePos s
        Just (t, _) -> position t
  in reply (tokenPrim shown (\_ t ts -> following t ts) test) s)

tokenPrim :: Stream s m t => (t -> String) -> (SourcePos -> t -> s -> SourcePos) -> (t -> Maybe a) -> ParsecT s u m a
tokenPrim shown next test = tokenPrimEx shown next Nothing test

tokenPrimEx :: Stream s m t => (t -> String) -> (SourcePos -> t -> s -> SourcePos)
            -> Maybe (SourcePos -> t -> s -> u -> u) -> (t -> Maybe a) -> ParsecT s u m a
tokenPrimEx shown next change test = ParsecT (\(State input pos user) -> uncons input >>= \r -> return (case r of
  Nothing        -> Empty (sysUnExpectError "" pos)
  Just (t, rest) -> case test t of
    Nothing -> Empty (sysUnExpectError (shown t) pos)
    Just x  ->
      let pos' = next pos t rest
          s'   = State rest pos' (maybe user (\f -> f pos t rest user) change)
      in pos' `seq` Consumed (Ok x s' (newErrorUnknown pos'))))

-- | Several tokens; the first one decides.
tokens :: (Stream s m t, Eq t) => ([t] -> String) -> (SourcePos -> [t] -> SourcePos) -> [t] -> ParsecT s u m [t]
tokens _     _    []       = ParsecT (\s -> return (Empty (Ok [] s (unknownError s))))
tokens shown next wanted = ParsecT (\(State input pos user) ->
  let failed found = Error (setErrorMessage (Expect (shown wanted)) (newErrorMessage (SysUnExpect found) pos))
      walk _ [] rest = return (Consumed
        (let pos' = next pos wanted in Ok wanted (State rest pos' user) (newErrorUnknown pos')))
      walk how (t : ts) rest = uncons rest >>= \r -> case r of
        Nothing         -> return (how (failed ""))
        Just (x, rest')
          | x == t      -> walk Consumed ts rest'
          | otherwise   -> return (how (failed (shown [x])))
  in walk Empty wanted input)

-- * Repetition

many :: Monad m => ParsecT s u m a -> ParsecT s u m [a]
many p = fmap reverse (manyAccum (:) p)

skipMany :: Monad m => ParsecT s u m a -> ParsecT s u m ()
skipMany p = fmap (const ()) (manyAccum (\_ _ -> []) p)

manyAccum :: Monad m => (a -> [a] -> [a]) -> ParsecT s u m a -> ParsecT s u m [a]
manyAccum add p = ParsecT (\s -> reply p s >>= \r -> case r of
  Empty (Error e)       -> return (Empty (Ok [] s e))
  Empty (Ok _ _ _)      -> endless
  Consumed (Error e)    -> return (Consumed (Error e))
  Consumed (Ok x s' _)  -> fmap Consumed (more (add x []) s'))
  where
    more xs s = xs `seq` (reply p s >>= \r -> case r of
      Empty (Error e)      -> return (Ok xs s e)
      Empty (Ok _ _ _)     -> endless
      Consumed (Error e)   -> return (Error e)
      Consumed (Ok x s' _) -> more (add x xs) s')
    endless = errorWithoutStackTrace
      "Text.ParserCombinators.Parsec.Prim.many: combinator 'many' is applied to a parser that accepts an empty string."

-- * Running

runPT, runParserT :: Monad m => ParsecT s u m a -> u -> SourceName -> s -> m (Either ParseError a)
runPT p user name input = reply p (State input (initialPos name) user) >>= \r -> return (case r of
  Consumed a -> result a
  Empty a    -> result a)
  where
    result (Ok x _ _) = Right x
    result (Error e)  = Left e
runParserT = runPT

runP, runParser :: Parsec s u a -> u -> SourceName -> s -> Either ParseError a
runP p user name input = runIdentity (runPT p user name input)
runParser = runP

parse :: Parsec s () a -> SourceName -> s -> Either ParseError a
parse p name input = runP p () name input

parseTest :: Show a => Parsec s () a -> s -> IO ()
parseTest p input = case parse p "" input of
  Left e  -> putStr "parse error at " >> print e
  Right x -> print x

-- * The state

getParserState :: Monad m => ParsecT s u m (State s u)
getParserState = updateParserState id

setParserState :: Monad m => State s u -> ParsecT s u m (State s u)
setParserState s = updateParserState (const s)

updateParserState :: Monad m => (State s u -> State s u) -> ParsecT s u m (State s u)
updateParserState f = ParsecT (\s -> let s' = f s in return (Empty (Ok s' s' (unknownError s'))))

getPosition :: Monad m => ParsecT s u m SourcePos
getPosition = fmap statePos getParserState

getInput :: Monad m => ParsecT s u m s
getInput = fmap stateInput getParserState

setPosition :: Monad m => SourcePos -> ParsecT s u m ()
setPosition pos = fmap (const ()) (updateParserState (\(State input _ user) -> State input pos user))

setInput :: Monad m => s -> ParsecT s u m ()
setInput input = fmap (const ()) (updateParserState (\(State _ pos user) -> State input pos user))

getState :: Monad m => ParsecT s u m u
getState = fmap stateUser getParserState

putState, setState :: Monad m => u -> ParsecT s u m ()
putState user = modifyState (const user)
setState = putState

modifyState, updateState :: Monad m => (u -> u) -> ParsecT s u m ()
modifyState f = fmap (const ()) (updateParserState (\(State input pos user) -> State input pos (f user)))
updateState = modifyState
