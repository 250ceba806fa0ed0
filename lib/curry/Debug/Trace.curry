-- | Messages on the standard error from within expressions.
module Debug.Trace
  ( trace, traceId, traceShow, traceShowId, traceIO, assert, assertIO
  ) where

import System.IO (hPutStrLn, stderr)
import System.IO.Unsafe (unsafePerformIO)

-- | The second argument; when it is needed, the first is written.
trace :: String -> a -> a
trace s x = unsafePerformIO (traceIO s >> return x)

traceId :: String -> String
traceId s = trace s s

traceShow :: Show a => a -> b -> b
traceShow x y = trace (show x) y

traceShowId :: Show a => a -> a
traceShowId x = trace (show x) x

traceIO :: String -> IO ()
traceIO s = hPutStrLn stderr s

-- | A value, or an error if a condition does not hold.
assert :: Bool -> String -> a -> a
assert holds s x = if holds then x else error s

assertIO :: Bool -> String -> IO ()
assertIO holds s = if holds then return () else error s
