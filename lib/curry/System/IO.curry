-- | Files and the standard streams.
module System.IO
  ( Handle, IOMode(..), SeekMode(..), stdin, stdout, stderr
  , openFile, hClose, withFile, hFlush, hIsEOF, isEOF
  , hSeek, hWaitForInput, hWaitForInputs, hReady
  , hGetChar, hGetLine, hGetContents, getContents
  , hPutChar, hPutStr, hPutStrLn, hPrint
  , hIsReadable, hIsWritable, hIsTerminalDevice
  ) where

-- | An open file.
external data Handle

external data PrimInt

data IOMode = ReadMode | WriteMode | AppendMode

data SeekMode = AbsoluteSeek | RelativeSeek | SeekFromEnd

-- * Primitives

prim_intToInteger :: PrimInt -> Int
prim_intToInteger external

prim_integerToInt :: Int -> PrimInt
prim_integerToInt external

prim_charChr :: PrimInt -> Char
prim_charChr external

prim_stdin, prim_stdout, prim_stderr :: Handle
prim_stdin external
prim_stdout external
prim_stderr external

prim_handleOpen :: String -> PrimInt -> IO Handle
prim_handleOpen external

prim_handleClose, prim_handleFlush :: Handle -> IO ()
prim_handleClose external
prim_handleFlush external

prim_handlePutChar :: Handle -> Char -> IO ()
prim_handlePutChar external

prim_handleGetChar, prim_handlePeekChar :: Handle -> IO PrimInt
prim_handleGetChar external
prim_handlePeekChar external

prim_handleGetLine :: Handle -> IO String
prim_handleGetLine external

prim_handleSame :: Handle -> Handle -> Bool
prim_handleSame external

prim_handleName :: Handle -> String
prim_handleName external

-- * Handles

instance Eq Handle where
  (==) = prim_handleSame

instance Show Handle where
  show h = prim_handleName h

stdin :: Handle
stdin = prim_stdin

stdout :: Handle
stdout = prim_stdout

stderr :: Handle
stderr = prim_stderr

openFile :: String -> IOMode -> IO Handle
openFile name mode = prim_handleOpen (groundNormalForm name) (prim_integerToInt (case mode of
  ReadMode   -> 0
  WriteMode  -> 1
  AppendMode -> 2))

hClose :: Handle -> IO ()
hClose h = prim_handleClose h

-- | Opens a file for an action and closes it afterwards, come what may.
withFile :: FilePath -> IOMode -> (Handle -> IO a) -> IO a
withFile name mode act = do
  h <- openFile name mode
  x <- catch (act h) (\e -> hClose h >> ioError e)
  hClose h
  return x

hFlush :: Handle -> IO ()
hFlush h = prim_handleFlush h

-- | Whether there is nothing more to read.
hIsEOF :: Handle -> IO Bool
hIsEOF h = prim_handlePeekChar h >>= \code -> return (prim_intToInteger code < 0)

isEOF :: IO Bool
isEOF = hIsEOF stdin

-- | Not to be had: files are read and written from beginning to end.
hSeek :: Handle -> SeekMode -> Int -> IO ()
hSeek h _ _ = ioError (IOError (show h ++ ": hSeek: not supported"))

-- | Whether input comes in time: it does, since reading waits for it.
hWaitForInput :: Handle -> Int -> IO Bool
hWaitForInput h _ = hIsEOF h >>= \eof -> return (not eof)

-- | The position of the first handle that has input, -1 if none has.
hWaitForInputs :: [Handle] -> Int -> IO Int
hWaitForInputs handles timeout = try 0 handles
  where
    try _ []     = return (-1)
    try n (h:hs) = hWaitForInput h timeout >>= \ready -> if ready then return n else try (n + 1) hs

hReady :: Handle -> IO Bool
hReady h = hWaitForInput h 0

-- * Reading

hGetChar :: Handle -> IO Char
hGetChar h = prim_handleGetChar h >>= \code ->
  if prim_intToInteger code < 0 then endOfFile h "hGetChar" else return (prim_charChr code)

-- | A line without its end.
hGetLine :: Handle -> IO String
hGetLine h = prim_handleGetLine h >>= \s ->
  if null s then endOfFile h "hGetLine" else return (takeWhile (/= '\n') s)

endOfFile :: Handle -> String -> IO a
endOfFile h place = ioError (IOError (show h ++ ": " ++ place ++ ": end of file"))

-- | All that is left to read; then the handle is closed.
hGetContents :: Handle -> IO String
hGetContents h = collect []
  where
    collect ls = prim_handleGetLine h >>= \s ->
      if null s then hClose h >> return (concat (reverse ls)) else collect (s : ls)

getContents :: IO String
getContents = hGetContents stdin

-- * Writing

hPutChar :: Handle -> Char -> IO ()
hPutChar h c = prim_handlePutChar h c

hPutStr :: Handle -> String -> IO ()
hPutStr h s = case s of
  []   -> return ()
  c:cs -> hPutChar h c >> hPutStr h cs

hPutStrLn :: Handle -> String -> IO ()
hPutStrLn h s = hPutStr h s >> hPutChar h '\n'

hPrint :: Show a => Handle -> a -> IO ()
hPrint h x = hPutStrLn h (show x)

-- * Properties

hIsReadable :: Handle -> IO Bool
hIsReadable h = return (h /= stdout && h /= stderr)

hIsWritable :: Handle -> IO Bool
hIsWritable h = return (h /= stdin)

-- | No handle is taken for a terminal.
hIsTerminalDevice :: Handle -> IO Bool
hIsTerminalDevice _ = return False
