-- | Properties as examples.
module Test.Hspec.QuickCheck (prop, modifyMaxSuccess, modifyMaxSize) where

import Gadfly.Spec
import Test.QuickCheck (Testable, property)

prop :: Testable p => String -> p -> Spec
prop name p = it name (property p)

-- | The numbers are not changed.
modifyMaxSuccess, modifyMaxSize :: (Int -> Int) -> SpecWith a -> SpecWith a
modifyMaxSuccess _ m = m
modifyMaxSize _ m    = m
