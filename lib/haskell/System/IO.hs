{-# LANGUAGE NoImplicitPrelude #-}
-- | Input and output with handles.
module System.IO
  ( IO, fixIO, FilePath, Handle, stdin, stdout, stderr
  , withFile, openFile, IOMode(..), hClose
  , readFile, readFile', writeFile, appendFile
  , hFileSize, hIsEOF, isEOF
  , BufferMode(..), hSetBuffering, hGetBuffering, hFlush
  , hIsOpen, hIsClosed, hIsReadable, hIsWritable, hIsSeekable, hIsTerminalDevice
  , hSetEcho, hGetEcho, hShow, hWaitForInput, hReady
  , hGetChar, hGetLine, hLookAhead, hGetContents, hGetContents'
  , hPutChar, hPutStr, hPutStrLn, hPrint
  , interact, putChar, putStr, putStrLn, print
  , getChar, getLine, getContents, getContents', readIO, readLn
  , hSetBinaryMode, withBinaryFile, openBinaryFile
  , TextEncoding, hSetEncoding, hGetEncoding, latin1, utf8, utf8_bom, utf16, utf32, char8
  , localeEncoding, mkTextEncoding
  , Newline(..), NewlineMode(..), nativeNewline, noNewlineTranslation
  , universalNewlineMode, nativeNewlineMode, hSetNewlineMode
  ) where

import Gadfly.Base
import Control.Exception (bracket)
import Control.Monad.Fix (mfix)

data IOMode = ReadMode | WriteMode | AppendMode | ReadWriteMode
  deriving (Eq, Ord, Ix, Enum, Read, Show)

data BufferMode = NoBuffering | LineBuffering | BlockBuffering (Maybe Int)
  deriving (Eq, Ord, Read, Show)

fixIO :: (a -> IO a) -> IO a
fixIO = mfix

openFile, openBinaryFile :: FilePath -> IOMode -> IO Handle
openFile name mode = primHandleOpen (forceString name) (fromEnum mode)
openBinaryFile = openFile

withFile, withBinaryFile :: FilePath -> IOMode -> (Handle -> IO r) -> IO r
withFile name mode = bracket (openFile name mode) hClose
withBinaryFile = withFile

hClose :: Handle -> IO ()
hClose = primHandleClose

-- | The whole file at once.
readFile' :: FilePath -> IO String
readFile' name = openFile name ReadMode >>= hGetContents'

hGetContents' :: Handle -> IO String
hGetContents' h = do
  s <- hGetContents h
  length s `seq` return s

getContents' :: IO String
getContents' = hGetContents' stdin

hFileSize :: Handle -> IO Integer
hFileSize h = do
  s <- readFile (primHandleName h)
  return (toInteger (length s))

hIsEOF :: Handle -> IO Bool
hIsEOF h = reading h "hIsEOF" (fmap (< 0) (primHandlePeekChar h))

isEOF :: IO Bool
isEOF = hIsEOF stdin

hLookAhead :: Handle -> IO Char
hLookAhead h = reading h "hLookAhead" (do
  n <- primHandlePeekChar h
  if n < 0 then eofError h "hLookAhead" else return (primCharChr n))

hSetBuffering :: Handle -> BufferMode -> IO ()
hSetBuffering h m = primHandleSetBuffering h (case m of
  NoBuffering             -> 0
  LineBuffering           -> 1
  BlockBuffering Nothing  -> 2
  BlockBuffering (Just n) -> 2 + n)

hGetBuffering :: Handle -> IO BufferMode
hGetBuffering h = do
  n <- primHandleGetBuffering h
  return (case n of
    0 -> NoBuffering
    1 -> LineBuffering
    2 -> BlockBuffering Nothing
    k -> BlockBuffering (Just (k - 2)))

hFlush :: Handle -> IO ()
hFlush = primHandleFlush

hIsOpen, hIsClosed, hIsReadable, hIsWritable, hIsSeekable, hIsTerminalDevice, hGetEcho, hReady :: Handle -> IO Bool
hIsOpen h     = fmap (== 0) (primHandleState h)
hIsClosed h   = fmap (== 2) (primHandleState h)
hIsReadable h = return (h == stdin || (h /= stdout && h /= stderr))
hIsWritable h = return (h /= stdin)
hIsSeekable _ = return False
hIsTerminalDevice _ = return False
hGetEcho _    = return False
hReady h      = fmap not (hIsEOF h)

hSetEcho, hSetBinaryMode :: Handle -> Bool -> IO ()
hSetEcho _ _       = return ()
hSetBinaryMode _ _ = return ()

hWaitForInput :: Handle -> Int -> IO Bool
hWaitForInput h _ = hReady h

hShow :: Handle -> IO String
hShow h = return (show h)

hPutChar :: Handle -> Char -> IO ()
hPutChar = primHandlePutChar

hPutStrLn :: Handle -> String -> IO ()
hPutStrLn h s = hPutStr h s >> primHandlePutChar h '\n'

hPrint :: Show a => Handle -> a -> IO ()
hPrint h x = hPutStrLn h (show x)

-- | Text is always UTF-8 and lines end in a newline; the rest is accepted so
-- that programs which say so run.
newtype TextEncoding = TextEncoding String

instance Show TextEncoding where
  showsPrec _ (TextEncoding name) = showString name

latin1, utf8, utf8_bom, utf16, utf32, char8, localeEncoding :: TextEncoding
latin1         = TextEncoding "ISO-8859-1"
utf8           = TextEncoding "UTF-8"
utf8_bom       = TextEncoding "UTF-8BOM"
utf16          = TextEncoding "UTF-16"
utf32          = TextEncoding "UTF-32"
char8          = TextEncoding "binary"
localeEncoding = utf8

mkTextEncoding :: String -> IO TextEncoding
mkTextEncoding name = return (TextEncoding name)

hSetEncoding :: Handle -> TextEncoding -> IO ()
hSetEncoding _ _ = return ()

hGetEncoding :: Handle -> IO (Maybe TextEncoding)
hGetEncoding _ = return (Just utf8)

data Newline = LF | CRLF
  deriving (Eq, Ord, Read, Show)

data NewlineMode = NewlineMode { inputNL :: Newline, outputNL :: Newline }
  deriving (Eq, Ord, Read, Show)

nativeNewline :: Newline
nativeNewline = LF

noNewlineTranslation, universalNewlineMode, nativeNewlineMode :: NewlineMode
noNewlineTranslation = NewlineMode LF LF
universalNewlineMode = NewlineMode CRLF LF
nativeNewlineMode    = NewlineMode LF LF

hSetNewlineMode :: Handle -> NewlineMode -> IO ()
hSetNewlineMode _ _ = return ()
