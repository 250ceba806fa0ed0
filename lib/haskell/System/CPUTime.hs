{-# LANGUAGE NoImplicitPrelude #-}
-- | Processor time.
module System.CPUTime (getCPUTime, cpuTimePrecision) where

import Gadfly.Base

-- | Picoseconds used so far.
getCPUTime :: IO Integer
getCPUTime = primCpuTime

cpuTimePrecision :: Integer
cpuTimePrecision = 1000000
