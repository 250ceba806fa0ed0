-- | The Haskell 98 module of input and output.  Its exceptions are only those
-- of input and output.
module IO
  ( IOMode(..), BufferMode(..), Handle, stdin, stdout, stderr
  , openFile, hClose, hFileSize, hIsEOF, isEOF, hSetBuffering, hGetBuffering, hFlush
  , hIsOpen, hIsClosed, hIsReadable, hIsWritable, hIsSeekable, hReady, hGetChar, hLookAhead, hGetLine
  , hGetContents, hPutChar, hPutStr, hPutStrLn, hPrint
  , isAlreadyExistsError, isDoesNotExistError, isAlreadyInUseError, isFullError, isEOFError
  , isIllegalOperation, isPermissionError, isUserError
  , ioeGetErrorString, ioeGetHandle, ioeGetFileName
  , try, catch, bracket, bracket_
  , IO, IOError, ioError, userError, interact, putChar, putStr, putStrLn, print
  , getChar, getLine, getContents, readFile, writeFile, appendFile, readIO, readLn
  ) where

import System.IO
import System.IO.Error

try :: IO a -> IO (Either IOError a)
try = tryIOError

catch :: IO a -> (IOError -> IO a) -> IO a
catch = catchIOError

bracket :: IO a -> (a -> IO b) -> (a -> IO c) -> IO c
bracket before after m = do
  x  <- before
  rs <- try (m x)
  _  <- after x
  either ioError return rs

bracket_ :: IO a -> (a -> IO b) -> IO c -> IO c
bracket_ before after m = bracket before after (const m)
