-- | "Debug.Profile" under its name in older Curry systems.
module Profile (module Debug.Profile) where

import Debug.Profile
