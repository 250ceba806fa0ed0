-- | Terms as texts, under the names of older Curry systems.  Names of
-- constructors are not qualified.
module ReadShowTerm
  ( showTerm, showQTerm, readTerm, readQTerm, readsTerm, readsQTerm
  , readsUnqualifiedTerm, readUnqualifiedTerm
  , readQTermFile, readQTermListFile, writeQTermFile, writeQTermListFile
  ) where

showTerm :: Show a => a -> String
showTerm x = show x

showQTerm :: Show a => a -> String
showQTerm x = show x

readTerm :: Read a => String -> a
readTerm s = read s

readQTerm :: Read a => String -> a
readQTerm s = read s

readsTerm :: Read a => String -> [(a, String)]
readsTerm s = reads s

readsQTerm :: Read a => String -> [(a, String)]
readsQTerm s = reads s

-- | The modules that constructors may come from make no difference.
readsUnqualifiedTerm :: Read a => [String] -> String -> [(a, String)]
readsUnqualifiedTerm _ s = reads s

readUnqualifiedTerm :: Read a => [String] -> String -> a
readUnqualifiedTerm _ s = read s

readQTermFile :: Read a => String -> IO a
readQTermFile name = readFile name >>= \s -> return (read s)

-- | A file with a term on each line.
readQTermListFile :: Read a => String -> IO [a]
readQTermListFile name = readFile name >>= \s -> return (map read (lines s))

writeQTermFile :: Show a => String -> a -> IO ()
writeQTermFile name x = writeFile name (show x)

writeQTermListFile :: Show a => String -> [a] -> IO ()
writeQTermListFile name xs = writeFile name (unlines (map show xs))
