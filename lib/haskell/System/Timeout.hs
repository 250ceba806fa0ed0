-- | Limits of time, which are never reached here: a run must not depend on the
-- clock.
module System.Timeout (timeout) where

timeout :: Int -> IO a -> IO (Maybe a)
timeout limit act
  | limit == 0 = return Nothing
  | otherwise  = fmap Just act
