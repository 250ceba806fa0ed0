-- | Command line options in the manner of GNU getopt.
module System.Console.GetOpt
  ( getOpt, getOpt', usageInfo, ArgOrder(..), OptDescr(..), ArgDescr(..)
  ) where

import Data.List (intercalate, isPrefixOf, maximum)

-- | What happens to options behind other arguments: they are arguments, they are
-- options, or the other arguments become options.
data ArgOrder a
  = RequireOrder
  | Permute
  | ReturnInOrder (String -> a)

-- | Short names, long names, what follows, and an explanation.
data OptDescr a = Option [Char] [String] (ArgDescr a) String

-- | Whether something follows an option, and what it is called.
data ArgDescr a
  = NoArg a
  | ReqArg (String -> a) String
  | OptArg (Maybe String -> a) String

-- | What is found on a command line.
data Found a
  = Opt a
  | Unknown String
  | Argument String
  | Rest [String]
  | Wrong String

-- | The values of the options, the other arguments, and messages on errors.
getOpt :: ArgOrder a -> [OptDescr a] -> [String] -> ([a], [String], [String])
getOpt order descrs args = (opts, others, errors ++ map unrecognized unknown)
  where
    (opts, others, unknown, errors) = getOpt' order descrs args
    unrecognized o = "unrecognized option `" ++ o ++ "'\n"

-- | The same with the options that are not known.
getOpt' :: ArgOrder a -> [OptDescr a] -> [String] -> ([a], [String], [String], [String])
getOpt' order descrs args = foldr sort ([], [], [], []) (scan order descrs args)
  where
    sort f (os, xs, us, es) = case f of
      Opt o      -> (o : os, xs, us, es)
      Unknown u  -> (os, xs, u : us, es)
      Argument x -> (os, x : xs, us, es)
      Rest ys    -> (os, ys ++ xs, us, es)
      Wrong e    -> (os, xs, us, e : es)

scan :: ArgOrder a -> [OptDescr a] -> [String] -> [Found a]
scan _     _      []         = []
scan order descrs (arg:args) = case arg of
  "--"        -> case order of
    ReturnInOrder f -> map (Opt . f) args
    _               -> [Rest args]
  '-':'-':s   -> let (f, rest) = longOption s args descrs in f : scan order descrs rest
  '-':c:s     -> let (f, rest) = shortOption c s args descrs in f : scan order descrs rest
  _           -> case order of
    RequireOrder    -> [Rest (arg : args)]
    Permute         -> Argument arg : scan order descrs args
    ReturnInOrder f -> Opt (f arg) : scan order descrs args

-- | A long option, which may be shortened while it is clear what is meant.
longOption :: String -> [String] -> [OptDescr a] -> (Found a, [String])
longOption s args descrs = case (chosen, value) of
    ([], _)                            -> (Unknown ("--" ++ s), args)
    (_:_:_, _)                         -> (Wrong (ambiguous chosen ("--" ++ s)), args)
    ([Option _ _ (NoArg x) _], [])     -> (Opt x, args)
    ([Option _ _ (NoArg _) _], _:_)    -> (Wrong ("option `--" ++ name ++ "' doesn't allow an argument\n"), args)
    ([Option _ _ (ReqArg f _) _], _:v) -> (Opt (f v), args)
    ([Option _ _ (ReqArg f d) _], [])  -> required f d ("--" ++ name) args
    ([Option _ _ (OptArg f _) _], _:v) -> (Opt (f (Just v)), args)
    ([Option _ _ (OptArg f _) _], [])  -> (Opt (f Nothing), args)
  where
    (name, value) = break (== '=') s
    with p        = [o | o@(Option _ names _ _) <- descrs, any p names]
    exact         = with (== name)
    chosen        = if null exact then with (name `isPrefixOf`) else exact

-- | A short option; others, or what it needs, may stand right behind it.
shortOption :: Char -> String -> [String] -> [OptDescr a] -> (Found a, [String])
shortOption c s args descrs = case [o | o@(Option names _ _ _) <- descrs, c `elem` names] of
    []                         -> (Unknown name, again)
    os@(_:_:_)                 -> (Wrong (ambiguous os name), args)
    [Option _ _ (NoArg x) _]   -> (Opt x, again)
    [Option _ _ (ReqArg f d) _]
      | null s                 -> required f d name args
      | otherwise              -> (Opt (f s), args)
    [Option _ _ (OptArg f _) _]
      | null s                 -> (Opt (f Nothing), args)
      | otherwise              -> (Opt (f (Just s)), args)
  where
    name  = ['-', c]
    again = if null s then args else ('-' : s) : args

required :: (String -> a) -> String -> String -> [String] -> (Found a, [String])
required f d name args = case args of
  []     -> (Wrong ("option `" ++ name ++ "' requires an argument " ++ d ++ "\n"), [])
  v:rest -> (Opt (f v), rest)

ambiguous :: [OptDescr a] -> String -> String
ambiguous os name = usageInfo ("option `" ++ name ++ "' is ambiguous; could be one of:") os

-- | A table of options under a headline.
usageInfo :: String -> [OptDescr a] -> String
usageInfo header descrs = unlines (header : map row rows)
  where
    rows                   = concatMap describe descrs
    row (short, long, text) = "  " ++ pad shortWidth short ++ "  " ++ pad longWidth long ++ "  " ++ text
    shortWidth             = maximum (0 : [length short | (short, _, _) <- rows])
    longWidth              = maximum (0 : [length long | (_, long, _) <- rows])
    pad n t                = t ++ replicate (n - length t) ' '

-- | The lines of the table for one option.
describe :: OptDescr a -> [(String, String, String)]
describe (Option shorts longs arg text) = zip3 (shortNames : blanks) (longNames : blanks) (first : rest)
  where
    shortNames = intercalate ", " (map (\c -> '-' : c : shortArg) shorts)
    longNames  = intercalate ", " (map (\n -> "--" ++ n ++ longArg) longs)
    blanks     = repeat ""
    (first, rest) = case lines text of
      []   -> ("", [])
      l:ls -> (l, ls)
    (shortArg, longArg) = case arg of
      NoArg _    -> ("", "")
      ReqArg _ d -> (' ' : d, '=' : d)
      OptArg _ d -> ("[" ++ d ++ "]", "[=" ++ d ++ "]")
