-- | Names of files, in the manner of Unix.
module System.FilePath
  ( FilePath, pathSeparator, pathSeparators, isPathSeparator
  , searchPathSeparator, isSearchPathSeparator, extSeparator, isExtSeparator
  , splitSearchPath
  , splitExtension, takeExtension, replaceExtension, dropExtension, addExtension, hasExtension
  , (<.>), splitExtensions, dropExtensions, takeExtensions
  , splitFileName, takeFileName, replaceFileName, dropFileName
  , takeBaseName, replaceBaseName, takeDirectory, replaceDirectory
  , combine, (</>), splitPath, joinPath, splitDirectories
  , hasTrailingPathSeparator, addTrailingPathSeparator, dropTrailingPathSeparator
  , normalise, equalFilePath, isRelative, isAbsolute
  ) where

import Data.List (init, last, split)

infixr 7 <.>
infixr 5 </>

pathSeparator :: Char
pathSeparator = '/'

pathSeparators :: [Char]
pathSeparators = "/"

isPathSeparator :: Char -> Bool
isPathSeparator c = c == '/'

searchPathSeparator :: Char
searchPathSeparator = ':'

isSearchPathSeparator :: Char -> Bool
isSearchPathSeparator c = c == ':'

extSeparator :: Char
extSeparator = '.'

isExtSeparator :: Char -> Bool
isExtSeparator c = c == '.'

-- | The folders of a search path; an empty one is the current folder.
splitSearchPath :: String -> [FilePath]
splitSearchPath s = map (\d -> if null d then "." else d) (split isSearchPathSeparator s)

-- * Extensions

-- | A name up to the last dot behind the last slash, and the extension with it.
splitExtension :: FilePath -> (String, String)
splitExtension path = case break isExtSeparator (reverse name) of
    (_, [])        -> (path, "")
    (ext, _:begin) -> (folder ++ reverse begin, '.' : reverse ext)
  where (folder, name) = cutName path

takeExtension :: FilePath -> String
takeExtension path = snd (splitExtension path)

dropExtension :: FilePath -> FilePath
dropExtension path = fst (splitExtension path)

replaceExtension :: FilePath -> String -> FilePath
replaceExtension path ext = dropExtension path <.> ext

(<.>) :: FilePath -> String -> FilePath
path <.> ext = addExtension path ext

addExtension :: FilePath -> String -> FilePath
addExtension path []          = path
addExtension path ext@(c:_) = if isExtSeparator c then path ++ ext else path ++ '.' : ext

hasExtension :: FilePath -> Bool
hasExtension path = any isExtSeparator (takeFileName path)

-- | The same as `splitExtension`, but at the first dot.
splitExtensions :: FilePath -> (FilePath, String)
splitExtensions path = (folder ++ begin, exts)
  where
    (folder, name) = cutName path
    (begin, exts)  = break isExtSeparator name

dropExtensions :: FilePath -> FilePath
dropExtensions path = fst (splitExtensions path)

takeExtensions :: FilePath -> String
takeExtensions path = snd (splitExtensions path)

-- * Folders and names

-- | What stands up to the last slash, and what stands behind it.
cutName :: FilePath -> (String, String)
cutName path = case break isPathSeparator (reverse path) of
  (name, folder) -> (reverse folder, reverse name)

splitFileName :: FilePath -> (String, String)
splitFileName path = let (folder, name) = cutName path in (if null folder then "./" else folder, name)

takeFileName :: FilePath -> FilePath
takeFileName path = snd (cutName path)

dropFileName :: FilePath -> FilePath
dropFileName path = fst (splitFileName path)

replaceFileName :: FilePath -> String -> FilePath
replaceFileName path name = fst (cutName path) </> name

takeBaseName :: FilePath -> String
takeBaseName path = dropExtension (takeFileName path)

replaceBaseName :: FilePath -> String -> FilePath
replaceBaseName path name = fst (cutName path) </> (name ++ takeExtension path)

takeDirectory :: FilePath -> FilePath
takeDirectory path
  | null folder = "."
  | null bare   = "/"
  | otherwise   = bare
  where
    folder = fst (cutName path)
    bare   = reverse (dropWhile isPathSeparator (reverse folder))

replaceDirectory :: FilePath -> String -> FilePath
replaceDirectory path folder = folder </> takeFileName path

combine :: FilePath -> FilePath -> FilePath
combine folder name
  | null folder || isAbsolute name = name
  | null name                      = folder
  | otherwise                      = addTrailingPathSeparator folder ++ name

(</>) :: FilePath -> FilePath -> FilePath
folder </> name = combine folder name

-- | The parts of a path, with their slashes.
splitPath :: FilePath -> [FilePath]
splitPath []         = []
splitPath path@(_:_) = (name ++ slashes) : splitPath rest
  where
    (name, behind)  = break isPathSeparator path
    (slashes, rest) = span isPathSeparator behind

-- | The parts of a path, without their slashes.
splitDirectories :: FilePath -> [FilePath]
splitDirectories path = map bare (splitPath path)
  where bare part = let name = takeWhile (not . isPathSeparator) part in if null name then part else name

joinPath :: [FilePath] -> FilePath
joinPath parts = foldr combine "" parts

-- * Slashes at the end

hasTrailingPathSeparator :: FilePath -> Bool
hasTrailingPathSeparator path = not (null path) && isPathSeparator (last path)

addTrailingPathSeparator :: FilePath -> FilePath
addTrailingPathSeparator path = if hasTrailingPathSeparator path then path else path ++ "/"

dropTrailingPathSeparator :: FilePath -> FilePath
dropTrailingPathSeparator path =
  if hasTrailingPathSeparator path && path /= "/" then dropTrailingPathSeparator (init path) else path

-- * Comparing

-- | A path without slashes and dots that mean nothing.
normalise :: FilePath -> FilePath
normalise path = case parts of
    [] -> if absolute then "/" else if null path then "" else "."
    _  -> (if absolute then "/" else "") ++ joinPath parts ++ (if hasTrailingPathSeparator path then "/" else "")
  where
    absolute = isAbsolute path
    parts    = filter (\p -> p /= "." && not (all isPathSeparator p)) (splitDirectories path)

equalFilePath :: FilePath -> FilePath -> Bool
equalFilePath p q = dropTrailingPathSeparator (normalise p) == dropTrailingPathSeparator (normalise q)

isAbsolute :: FilePath -> Bool
isAbsolute []    = False
isAbsolute (c:_) = isPathSeparator c

isRelative :: FilePath -> Bool
isRelative path = not (isAbsolute path)
