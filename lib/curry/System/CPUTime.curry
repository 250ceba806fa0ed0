-- | How long a program has been running.
module System.CPUTime (getCPUTime, getElapsedTime) where

prim_cpuTime, prim_wallTime :: IO Int
prim_cpuTime external
prim_wallTime external

-- | The processor time used so far, in milliseconds.
getCPUTime :: IO Int
getCPUTime = prim_cpuTime >>= \t -> return (t `div` 1000000000)

-- | The time on the clock, in milliseconds; only differences mean something.
getElapsedTime :: IO Int
getElapsedTime = prim_wallTime >>= \t -> return (t `div` 1000000000)
