-- | What a parser says when it fails: what was there and what could have been.
module Text.Parsec.Error
  ( Message(..), messageString, ParseError, errorPos, errorMessages, errorIsUnknown
  , showErrorMessages, newErrorMessage, newErrorUnknown, addErrorMessage, setErrorPos, setErrorMessage, mergeError
  ) where

import Data.List (intercalate, nub, sort)
import Text.Parsec.Pos

-- | Two kinds of unexpected input: found by the parsers themselves, and told by
-- the program.
data Message = SysUnExpect String | UnExpect String | Expect String | Message String

instance Enum Message where
  fromEnum (SysUnExpect _) = 0
  fromEnum (UnExpect _)    = 1
  fromEnum (Expect _)      = 2
  fromEnum (Message _)     = 3
  toEnum _                 = errorWithoutStackTrace "toEnum is undefined for Message"

instance Eq Message where
  m == n = fromEnum m == fromEnum n

instance Ord Message where
  compare m n = compare (fromEnum m) (fromEnum n)

messageString :: Message -> String
messageString (SysUnExpect s) = s
messageString (UnExpect s)    = s
messageString (Expect s)      = s
messageString (Message s)     = s

data ParseError = ParseError !SourcePos [Message]

errorPos :: ParseError -> SourcePos
errorPos (ParseError pos _) = pos

errorMessages :: ParseError -> [Message]
errorMessages (ParseError _ messages) = sort messages

errorIsUnknown :: ParseError -> Bool
errorIsUnknown (ParseError _ messages) = null messages

newErrorUnknown :: SourcePos -> ParseError
newErrorUnknown pos = ParseError pos []

newErrorMessage :: Message -> SourcePos -> ParseError
newErrorMessage message pos = ParseError pos [message]

addErrorMessage, setErrorMessage :: Message -> ParseError -> ParseError
addErrorMessage message (ParseError pos messages) = ParseError pos (message : messages)
-- In place of those of its kind.
setErrorMessage message (ParseError pos messages) = ParseError pos (message : filter (message /=) messages)

setErrorPos :: SourcePos -> ParseError -> ParseError
setErrorPos pos (ParseError _ messages) = ParseError pos messages

-- | The error further on in the text counts; at one place both do.
mergeError :: ParseError -> ParseError -> ParseError
mergeError e@(ParseError pos messages) f@(ParseError pos' messages')
  | null messages' && not (null messages) = e
  | null messages && not (null messages') = f
  | otherwise = case compare pos pos' of
      EQ -> ParseError pos (messages ++ messages')
      GT -> e
      LT -> f

instance Show ParseError where
  showsPrec _ e = shows (errorPos e) . showChar ':'
    . showString (showErrorMessages "or" "unknown parse error" "expecting" "unexpected" "end of input"
                                    (errorMessages e))

instance Eq ParseError where
  e == f = errorPos e == errorPos f && texts e == texts f
    where texts = map messageString . errorMessages

-- | Each kind of message on a line of its own.
showErrorMessages :: String -> String -> String -> String -> String -> [Message] -> String
showErrorMessages or' unknown expecting unexpected end messages
  | null messages = unknown
  | otherwise     = concatMap ('\n' :) (nub (filter (not . null) [found, told, expected, others]))
  where
    texts pick = [s | m <- messages, Just s <- [pick m]]
    system   = texts (\m -> case m of { SysUnExpect s -> Just s; _ -> Nothing })
    said     = texts (\m -> case m of { UnExpect s -> Just s; _ -> Nothing })
    wanted   = texts (\m -> case m of { Expect s -> Just s; _ -> Nothing })
    rest     = texts (\m -> case m of { Message s -> Just s; _ -> Nothing })
    found    = case system of
      s : _ | null said -> unexpected ++ " " ++ (if null s then end else s)
      _                 -> ""
    told     = several unexpected said
    expected = several expecting wanted
    others   = several "" rest
    several prefix ss = case clean ss of
      []  -> ""
      ss' -> if null prefix then listed ss' else prefix ++ " " ++ listed ss'
    listed ss = case ss of
      [s] -> s
      _   -> intercalate ", " (init ss) ++ " " ++ or' ++ " " ++ last ss
    clean = nub . filter (not . null)
