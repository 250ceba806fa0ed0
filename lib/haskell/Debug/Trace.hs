{-# LANGUAGE NoImplicitPrelude #-}
-- | Messages on the standard error from inside pure code.
module Debug.Trace
  ( trace, traceShow, traceShowId, traceId, traceM, traceShowM, traceIO, traceStack
  , traceEvent, traceEventIO, traceMarker, traceMarkerIO
  ) where

import Gadfly.Base

traceIO :: String -> IO ()
traceIO msg = hPutStr stderr msg >> hPutStr stderr "\n"

trace :: String -> a -> a
trace msg x = primUnsafePerformIO (traceIO msg) `seq` x

traceId :: String -> String
traceId a = trace a a

traceShow :: Show a => a -> b -> b
traceShow x = trace (show x)

traceShowId :: Show a => a -> a
traceShowId a = trace (show a) a

traceM :: Applicative f => String -> f ()
traceM msg = trace msg (pure ())

traceShowM :: (Show a, Applicative f) => a -> f ()
traceShowM x = traceM (show x)

traceStack, traceEvent, traceMarker :: String -> a -> a
traceStack      = trace
traceEvent _ x  = x
traceMarker _ x = x

traceEventIO, traceMarkerIO :: String -> IO ()
traceEventIO _  = return ()
traceMarkerIO _ = return ()
