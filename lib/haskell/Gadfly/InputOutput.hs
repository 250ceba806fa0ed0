{-# LANGUAGE NoImplicitPrelude, BangPatterns #-}
-- | The Prelude's input and output.
module Gadfly.InputOutput where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Lists
import Gadfly.Monads
import Gadfly.Folding
import Gadfly.Reading
import Gadfly.Failures

instance MonadFail IO where
  fail msg = ioError (userError msg)

instance Alternative IO where
  empty   = ioError (userError "mzero")
  a <|> b = primCatch a (\e -> case fromException e of
                                 Just io -> const b (io :: IOException)
                                 Nothing -> primRaiseIO e)

instance MonadPlus IO

instance Eq (IORef a) where
  (==) = primRefSame

-- * Writing

-- | Write a string; what precedes an undefined part is written.  A line, or a
-- part of a long one, is evaluated first and then handed over as a whole; but
-- without buffering each character appears as soon as it is there.
hPutStr :: Handle -> String -> IO ()
hPutStr h s = primIoBind (primHandleGetBuffering h) (\mode ->
  if primIntEq mode 0 then putCharacters h s else putLines h s)

putLines :: Handle -> String -> IO ()
putLines _ [] = primIoReturn ()
putLines h s  = primIoBind (primHandlePutReady h s) (\rest -> case rest of
  [] -> primIoReturn ()
  _  -> primIoBind (primCatch (evaluated rest) (partly rest)) (\_ -> putLines h rest))
  where
    evaluated rest = primIoBind (primIoReturn ()) (\_ -> evaluateLine 1000 rest `seq` primIoReturn ())
    partly rest e  = primIoBind (primHandlePutReady h rest) (\_ -> primRaiseIO e)

-- | Evaluate up to the end of a line, but no more than so many characters.
evaluateLine :: Int -> String -> ()
evaluateLine n s = case s of
  [] -> ()
  c : cs
    | primCharEq c '\n' -> ()
    | primIntEq n 0     -> ()
    | otherwise         -> let !m = primIntSub n 1 in evaluateLine m cs

putCharacters :: Handle -> String -> IO ()
putCharacters _ []       = primIoReturn ()
putCharacters h (c : cs) = primIoBind (primHandlePutChar h c) (\_ -> putCharacters h cs)

putChar :: Char -> IO ()
putChar c = primHandlePutChar stdout c

putStr :: String -> IO ()
putStr = hPutStr stdout

putStrLn :: String -> IO ()
putStrLn s = primIoBind (putStr s) (\_ -> primHandlePutChar stdout '\n')

print :: Show a => a -> IO ()
print x = putStrLn (show x)

-- | Evaluate the whole of a string, as primitives want their strings.
forceString :: String -> String
forceString s = go s
  where go []     = s
        go (c:cs) = c `seq` go cs

-- * Reading

eofError :: Handle -> String -> IO a
eofError h loc = ioError (IOError (Just h) EOF loc "" Nothing)

-- | Read from a handle that has neither been closed nor promised to
-- 'hGetContents'.
reading :: Handle -> String -> IO a -> IO a
reading h loc act = do
  st <- primHandleState h
  case st of
    0 -> act
    1 -> illegal "handle is semi-closed"
    _ -> illegal "handle is closed"
  where illegal why = ioError (IOError (Just h) IllegalOperation loc why Nothing)

hGetChar :: Handle -> IO Char
hGetChar h = reading h "hGetChar" (do
  n <- primHandleGetChar h
  if primIntLt n 0 then eofError h "hGetChar" else return (primCharChr n))

-- | A line without its end.
hGetLine :: Handle -> IO String
hGetLine h = reading h "hGetLine" (do
  s <- primHandleGetLine h
  if null s then eofError h "hGetLine" else return (takeWhile (\c -> primCharNe c '\n') s))

-- | The rest of the input, read as it is needed; the handle is half closed.
hGetContents :: Handle -> IO String
hGetContents h = reading h "hGetContents" (primHandleSetState h 1 >> lazily)
  where
    lazily = unsafeInterleaveIO (do
      s <- primHandleGetLine h
      if null s then primHandleClose h >> return [] else do
        rest <- lazily
        return (s ++ rest))

getChar :: IO Char
getChar = hGetChar stdin

getLine :: IO String
getLine = hGetLine stdin

getContents :: IO String
getContents = hGetContents stdin

interact :: (String -> String) -> IO ()
interact f = getContents >>= \s -> putStr (f s)

readFile :: FilePath -> IO String
readFile name = primHandleOpen (forceString name) 0 >>= hGetContents

writeFile :: FilePath -> String -> IO ()
writeFile name s = writeAndClose name 1 s

appendFile :: FilePath -> String -> IO ()
appendFile name s = writeAndClose name 2 s

writeAndClose :: FilePath -> Int -> String -> IO ()
writeAndClose name mode s = do
  h <- primHandleOpen (forceString name) mode
  primCatch (hPutStr h s) (\e -> primHandleClose h >> primRaiseIO e)
  primHandleClose h

readIO :: Read a => String -> IO a
readIO s = case readEither s of
  Right x -> return x
  Left m  -> ioError (userError (if m == "Prelude.read: no parse" then "Prelude.readIO: no parse"
                                 else "Prelude.readIO: ambiguous parse"))

readLn :: Read a => IO a
readLn = getLine >>= readIO

-- | Put off an action until its result is needed.  The suspension must be a new
-- one each time the action is executed, hence the function.
unsafeInterleaveIO :: IO a -> IO a
unsafeInterleaveIO m = primIoBind (primIoReturn ()) (\_ -> primIoReturn (primUnsafePerformIO m))
