-- | The options on a command line.
module System.Console.GetOpt
  ( getOpt, getOpt', usageInfo, ArgOrder(..), OptDescr(..), ArgDescr(..)
  ) where

import Data.List (intercalate, isPrefixOf)

-- | What to do with arguments that are no options.
data ArgOrder a
  = RequireOrder                  -- ^ no options after the first of them
  | Permute                       -- ^ they may stand anywhere
  | ReturnInOrder (String -> a)   -- ^ they are made options

-- | Letters, long names, argument, explanation.
data OptDescr a = Option [Char] [String] (ArgDescr a) String

data ArgDescr a
  = NoArg a
  | ReqArg (String -> a) String
  | OptArg (Maybe String -> a) String

instance Functor ArgOrder where
  fmap _ RequireOrder      = RequireOrder
  fmap _ Permute           = Permute
  fmap f (ReturnInOrder g) = ReturnInOrder (f . g)

instance Functor OptDescr where
  fmap f (Option letters names arg help) = Option letters names (fmap f arg) help

instance Functor ArgDescr where
  fmap f (NoArg x)       = NoArg (f x)
  fmap f (ReqArg g name) = ReqArg (f . g) name
  fmap f (OptArg g name) = OptArg (f . g) name

-- | A header and a table of the options: letters, long names, explanations.
usageInfo :: String -> [OptDescr a] -> String
usageInfo header options = unlines (header : map line rows)
  where
    rows = concatMap table options
    line (a, b, c) = "  " ++ fill widthA a ++ "  " ++ fill widthB b ++ "  " ++ c
    widthA = maximum (0 : [length a | (a, _, _) <- rows])
    widthB = maximum (0 : [length b | (_, b, _) <- rows])
    fill n s = take n (s ++ repeat ' ')

-- | An option's rows: the explanation may have several lines.
table :: OptDescr a -> [(String, String, String)]
table (Option letters names arg help) = case lines help of
  []       -> [(short, long, "")]
  l : rest -> (short, long, l) : [("", "", l') | l' <- rest]
  where
    short = intercalate ", " [('-' : c : "") ++ shortArg | c <- letters]
    long  = intercalate ", " [("--" ++ name) ++ longArg | name <- names]
    shortArg = case arg of
      NoArg _       -> ""
      ReqArg _ name -> ' ' : name
      OptArg _ name -> "[" ++ name ++ "]"
    longArg = case arg of
      NoArg _       -> ""
      ReqArg _ name -> '=' : name
      OptArg _ name -> "[=" ++ name ++ "]"

-- | Options, other arguments, errors.
getOpt :: ArgOrder a -> [OptDescr a] -> [String] -> ([a], [String], [String])
getOpt order options args = case getOpt' order options args of
  (found, others, unknown, errors) ->
    (found, others, errors ++ ["unrecognized option `" ++ u ++ "'\n" | u <- unknown])

-- | What one or two arguments turn out to be.
data Found a = Opt a | Other String | Unknown String | Wrong String

-- | Options, other arguments, options that are not known, errors.
getOpt' :: ArgOrder a -> [OptDescr a] -> [String] -> ([a], [String], [String], [String])
getOpt' _ _ [] = ([], [], [], [])
getOpt' order options ("--" : rest) = case order of
  ReturnInOrder f -> (map f rest, [], [], [])
  _               -> ([], rest, [], [])
getOpt' order options (arg : rest) = case argument of
  Opt x     -> (x : os, xs, us, es)
  Unknown u -> (os, xs, u : us, es)
  Wrong e   -> (os, xs, us, e : es)
  Other x   -> case order of
    RequireOrder    -> ([], x : rest, [], [])
    Permute         -> (os, x : xs, us, es)
    ReturnInOrder f -> (f x : os, xs, us, es)
  where
    (argument, rest')  = understand options arg rest
    (os, xs, us, es)   = getOpt' order options rest'

-- | An argument, with what follows it and what is left of that.
understand :: [OptDescr a] -> String -> [String] -> (Found a, [String])
understand options arg rest = case arg of
  '-' : '-' : long -> longOption options long rest
  '-' : c : more   -> shortOption options c more rest
  _                -> (Other arg, rest)

-- | A long name may be shortened as long as it is clear.
longOption :: [OptDescr a] -> String -> [String] -> (Found a, [String])
longOption options long rest = case chosen of
  []                    -> (Unknown ("--" ++ long), rest)
  [Option _ _ arg _]    -> case (arg, value) of
    (NoArg x, "")            -> (Opt x, rest)
    (NoArg _, _)             -> (Wrong ("option `" ++ written ++ "' doesn't allow an argument\n"), rest)
    (ReqArg f _, '=' : v)    -> (Opt (f v), rest)
    (ReqArg f d, _)          -> needed f d written rest
    (OptArg f _, '=' : v)    -> (Opt (f (Just v)), rest)
    (OptArg f _, _)          -> (Opt (f Nothing), rest)
  _                     ->
    (Wrong (usageInfo ("option `" ++ written ++ "' is ambiguous; could be one of:") chosen), rest)
  where
    (name, value) = break (== '=') long
    written = "--" ++ name
    exact   = [o | o@(Option _ names _ _) <- options, name `elem` names]
    begun   = [o | o@(Option _ names _ _) <- options, any (name `isPrefixOf`) names]
    chosen  = if null exact then begun else exact

-- | A letter, with what stands right behind it: its argument, or more letters.
shortOption :: [OptDescr a] -> Char -> String -> [String] -> (Found a, [String])
shortOption options c more rest = case [o | o@(Option letters _ _ _) <- options, c `elem` letters] of
  []                 -> (Unknown written, others)
  [Option _ _ arg _] -> case arg of
    NoArg x                   -> (Opt x, others)
    ReqArg f d | null more    -> needed f d written rest
               | otherwise    -> (Opt (f more), rest)
    OptArg f _ | null more    -> (Opt (f Nothing), rest)
               | otherwise    -> (Opt (f (Just more)), rest)
  several            ->
    (Wrong (usageInfo ("option `" ++ written ++ "' is ambiguous; could be one of:") several), rest)
  where
    written = ['-', c]
    others  = if null more then rest else ('-' : more) : rest

needed :: (String -> a) -> String -> String -> [String] -> (Found a, [String])
needed f description written rest = case rest of
  v : rest' -> (Opt (f v), rest')
  []        -> (Wrong ("option `" ++ written ++ "' requires an argument " ++ description ++ "\n"), [])
