-- | Names of files, with slashes.
module System.FilePath
  ( FilePath, pathSeparator, pathSeparators, isPathSeparator, searchPathSeparator, isSearchPathSeparator
  , extSeparator, isExtSeparator, splitSearchPath
  , splitExtension, takeExtension, replaceExtension, (-<.>), dropExtension, addExtension, hasExtension, (<.>)
  , splitExtensions, dropExtensions, takeExtensions, isExtensionOf, stripExtension
  , splitFileName, takeFileName, replaceFileName, dropFileName, takeBaseName, replaceBaseName
  , takeDirectory, replaceDirectory, combine, (</>), splitPath, joinPath, splitDirectories
  , hasTrailingPathSeparator, addTrailingPathSeparator, dropTrailingPathSeparator
  , normalise, equalFilePath, isRelative, isAbsolute, makeRelative
  ) where

import Data.List (isPrefixOf, isSuffixOf, stripPrefix)

infixr 7 <.>, -<.>
infixr 5 </>

pathSeparator, searchPathSeparator, extSeparator :: Char
pathSeparator       = '/'
searchPathSeparator = ':'
extSeparator        = '.'

pathSeparators :: [Char]
pathSeparators = [pathSeparator]

isPathSeparator, isSearchPathSeparator, isExtSeparator :: Char -> Bool
isPathSeparator       = (== pathSeparator)
isSearchPathSeparator = (== searchPathSeparator)
isExtSeparator        = (== extSeparator)

-- | An empty part stands for the current directory.
splitSearchPath :: String -> [FilePath]
splitSearchPath s = case break isSearchPathSeparator s of
  (part, [])       -> [named part]
  (part, _ : rest) -> named part : splitSearchPath rest
  where named part = if null part then "." else part

-- * Extensions

-- | The name up to its last dot, and the rest.
splitExtension :: FilePath -> (String, String)
splitExtension path = case break isExtSeparator (reverse name) of
  (_, [])         -> (path, "")
  (ext, dot : front) -> (directory ++ reverse front, dot : reverse ext)
  where (directory, name) = lastPart path

takeExtension, dropExtension, takeExtensions, dropExtensions :: FilePath -> String
takeExtension  = snd . splitExtension
dropExtension  = fst . splitExtension
takeExtensions = snd . splitExtensions
dropExtensions = fst . splitExtensions

splitExtensions :: FilePath -> (FilePath, String)
splitExtensions path = case break isExtSeparator name of (front, exts) -> (directory ++ front, exts)
  where (directory, name) = lastPart path

replaceExtension, addExtension, (<.>), (-<.>) :: FilePath -> String -> FilePath
replaceExtension path ext = addExtension (dropExtension path) ext
addExtension path ""          = path
addExtension path ext@(c : _) = directory ++ (if isExtSeparator c then name ++ ext else name ++ extSeparator : ext)
  where (directory, name) = lastPart path
(<.>)  = addExtension
(-<.>) = replaceExtension

hasExtension :: FilePath -> Bool
hasExtension path = any isExtSeparator (takeFileName path)

isExtensionOf :: String -> FilePath -> Bool
isExtensionOf ext@('.' : _) path = ext `isSuffixOf` takeExtensions path
isExtensionOf ext           path = ('.' : ext) `isSuffixOf` takeExtensions path

stripExtension :: String -> FilePath -> Maybe FilePath
stripExtension ""  path = Just path
stripExtension ext path = fmap reverse (stripPrefix (reverse dotted) (reverse path))
  where dotted = if "." `isPrefixOf` ext then ext else '.' : ext

-- * Directories and names

-- | Everything up to the last slash, and the rest.
lastPart :: FilePath -> (String, String)
lastPart path = case break isPathSeparator (reverse path) of
  (name, directory) -> (reverse directory, reverse name)

splitFileName :: FilePath -> (String, String)
splitFileName path = case lastPart path of
  ("", name)        -> ("./", name)
  (directory, name) -> (directory, name)

takeFileName, dropFileName, takeBaseName, takeDirectory :: FilePath -> FilePath
takeFileName  = snd . lastPart
dropFileName  = fst . splitFileName
takeBaseName  = dropExtension . takeFileName
takeDirectory path = case lastPart path of
  ("", _)        -> "."
  (directory, _) -> dropTrailingPathSeparator directory

replaceFileName, replaceBaseName, replaceDirectory :: FilePath -> String -> FilePath
replaceFileName path name = fst (lastPart path) </> name
replaceBaseName path name = fst (lastPart path) `combineRaw` (name <.> takeExtension path)
replaceDirectory path directory = directory </> takeFileName path

combineRaw :: FilePath -> FilePath -> FilePath
combineRaw "" b = b
combineRaw a "" = a
combineRaw a  b
  | isPathSeparator (last a) = a ++ b
  | otherwise                = a ++ pathSeparator : b

combine, (</>) :: FilePath -> FilePath -> FilePath
combine a b
  | isAbsolute b = b
  | otherwise    = combineRaw a b
(</>) = combine

-- | Each part with the slashes behind it.
splitPath :: FilePath -> [FilePath]
splitPath ""   = []
splitPath path = (name ++ slashes) : splitPath rest
  where
    (name, more)    = break isPathSeparator path
    (slashes, rest) = span isPathSeparator more

splitDirectories :: FilePath -> [FilePath]
splitDirectories = map bare . splitPath

-- | A part without slashes, unless it is the root.
bare :: FilePath -> FilePath
bare part = dropTrailingPathSeparator part

joinPath :: [FilePath] -> FilePath
joinPath = foldr combine ""

hasTrailingPathSeparator :: FilePath -> Bool
hasTrailingPathSeparator ""   = False
hasTrailingPathSeparator path = isPathSeparator (last path)

addTrailingPathSeparator, dropTrailingPathSeparator :: FilePath -> FilePath
addTrailingPathSeparator path = if hasTrailingPathSeparator path then path else path ++ [pathSeparator]
dropTrailingPathSeparator path
  | hasTrailingPathSeparator path && path /= "/" =
      case reverse (dropWhile isPathSeparator (reverse path)) of { "" -> "/"; p -> p }
  | otherwise = path

-- | Without parts that say nothing.
normalise :: FilePath -> FilePath
normalise path
  | null joined = if isAbsolute path then "/" else "."
  | trailing    = joined ++ "/"
  | otherwise   = joined
  where
    parts    = filter (/= ".") (filter (/= "/") (map (takeWhile (not . isPathSeparator)) (splitPath path)))
    named    = filter (not . null) parts
    joined   = (if isAbsolute path then "/" else "") ++ slashed named
    trailing = not (null named) && (hasTrailingPathSeparator path || "/." `isSuffixOf` path)
    slashed ps = case ps of
      []     -> ""
      [p]    -> p
      p : qs -> p ++ '/' : slashed qs

equalFilePath :: FilePath -> FilePath -> Bool
equalFilePath a b = normalise a == normalise b

isRelative, isAbsolute :: FilePath -> Bool
isRelative = not . isAbsolute
isAbsolute path = "/" `isPrefixOf` path

-- | The second path as seen from the first, if it is below that.
makeRelative :: FilePath -> FilePath -> FilePath
makeRelative root path
  | equalFilePath root path = "."
  | otherwise               = strip (splitDirectories root) (splitPath path)
  where
    strip []       rest = concat rest
    strip (r : rs) (p : ps) | r == bare p = strip rs ps
    strip _        _    = path
