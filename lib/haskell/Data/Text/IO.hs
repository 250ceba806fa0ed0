-- | Input and output of texts.
module Data.Text.IO
  ( readFile, writeFile, appendFile, hGetContents, hGetLine, hGetChunk, hPutStr, hPutStrLn
  , interact, getContents, getLine, putStr, putStrLn
  ) where

import Prelude hiding (appendFile, getContents, getLine, interact, putStr, putStrLn, readFile, writeFile)
import Gadfly.Text
import System.IO (Handle, stdin, stdout)
import qualified System.IO as IO

readFile :: FilePath -> IO Text
readFile name = IO.readFile name >>= packed

-- | The whole of what is read, now.
packed :: String -> IO Text
packed s = let t = pack s in t `seq` return t

writeFile, appendFile :: FilePath -> Text -> IO ()
writeFile name t  = IO.writeFile name (unpack t)
appendFile name t = IO.appendFile name (unpack t)

hGetContents, hGetLine, hGetChunk :: Handle -> IO Text
hGetContents h = IO.hGetContents h >>= packed
hGetLine h     = IO.hGetLine h >>= packed
hGetChunk      = hGetContents

hPutStr, hPutStrLn :: Handle -> Text -> IO ()
hPutStr h t   = IO.hPutStr h (unpack t)
hPutStrLn h t = IO.hPutStrLn h (unpack t)

interact :: (Text -> Text) -> IO ()
interact f = getContents >>= \t -> putStr (f t)

getContents, getLine :: IO Text
getContents = hGetContents stdin
getLine     = hGetLine stdin

putStr, putStrLn :: Text -> IO ()
putStr   = hPutStr stdout
putStrLn = hPutStrLn stdout
