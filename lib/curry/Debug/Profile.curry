-- | How long things take.  Sizes are not measured and are always 0.
module Debug.Profile
  ( ProcessInfo(..), getProcessInfos, showMemInfo, printMemInfo
  , garbageCollectorOff, garbageCollectorOn, garbageCollect
  , profileTime, profileTimeNF, profileSpace, profileSpaceNF
  , getTimings, getElapsedTimeNF, getTimingsNF
  ) where

import Data.List (intercalate)
import System.CPUTime (getCPUTime, getElapsedTime)

-- | Times are in milliseconds, sizes in bytes.
data ProcessInfo = RunTime | ElapsedTime | Memory | Code | Stack | Heap | Choices | GarbageCollections
  deriving (Eq, Show)

getProcessInfos :: IO [(ProcessInfo, Int)]
getProcessInfos = do
  run     <- getCPUTime
  elapsed <- getElapsedTime
  return ((RunTime, run) : (ElapsedTime, elapsed)
          : map (\i -> (i, 0)) [Memory, Code, Stack, Heap, Choices, GarbageCollections])

showMemInfo :: [(ProcessInfo, Int)] -> String
showMemInfo infos = intercalate ", " [show i ++ ": " ++ show n | i <- [Memory, Code, Stack, Choices, Heap]
                                                                , Just n <- [lookup i infos]]

printMemInfo :: IO ()
printMemInfo = getProcessInfos >>= \infos -> putStrLn (showMemInfo infos)

-- | These three change nothing: memory looks after itself.
garbageCollectorOff, garbageCollectorOn, garbageCollect :: IO ()
garbageCollectorOff = return ()
garbageCollectorOn  = return ()
garbageCollect      = return ()

-- | The result of an action, its run time, its elapsed time, and how often
-- memory was collected.
getTimings :: IO a -> IO (a, Int, Int, Int)
getTimings act = do
  run1     <- getCPUTime
  elapsed1 <- getElapsedTime
  x        <- act
  run2     <- getCPUTime
  elapsed2 <- getElapsedTime
  return (x, run2 - run1, elapsed2 - elapsed1, 0)

-- | The times it takes to evaluate a value to normal form.
getTimingsNF :: a -> IO (Int, Int, Int)
getTimingsNF x = getTimings (evaluate x) >>= \(_, run, elapsed, gc) -> return (run, elapsed, gc)

-- | The result of an action, in normal form, and the time that takes.
getElapsedTimeNF :: IO a -> IO (a, Int)
getElapsedTimeNF act =
  getTimings (act >>= \x -> return $!! x) >>= \(x, _, elapsed, _) -> return (x, elapsed)

-- | Does an action and prints the time it takes.
profileTime :: IO a -> IO a
profileTime act = do
  (x, run, elapsed, gc) <- getTimings act
  putStrLn ("Run time:            " ++ show run ++ " msec.")
  putStrLn ("Elapsed time:        " ++ show elapsed ++ " msec.")
  putStrLn ("Garbage collections: " ++ show gc)
  return x

profileTimeNF :: a -> IO ()
profileTimeNF x = profileTime (evaluate x)

profileSpace :: IO a -> IO a
profileSpace act = profileTime act

profileSpaceNF :: a -> IO ()
profileSpaceNF x = profileTime (evaluate x)

evaluate :: a -> IO ()
evaluate x = return () >>= \_ -> normalForm x `seq` return ()
