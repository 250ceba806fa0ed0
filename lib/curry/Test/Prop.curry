-- | The language of properties: programs state them, the tool CurryCheck tests
-- them.  As in all Curry systems, they mean nothing when a program evaluates them.
module Test.Prop
  ( PropIO, returns, sameReturns, toError, toIOError
  , Prop, (==>), for, forAll
  , is, isAlways, isEventually, uniquely, always, eventually
  , failing, successful, deterministic, (-=-), (<~>), (~>), (<~), (<~~>)
  , (#), (#<), (#>), (<=>), solutionOf
  , label, trivial, classify, collect, collectAs, valuesOf
  ) where

import Test.Prop.Types

infix  1 `is`, `isAlways`, `isEventually`
infix  1 -=-, <~>, ~>, <~, <~~>, `trivial`, #, #<, #>, <=>
infix  1 `returns`, `sameReturns`
infixr 0 ==>

-- * Properties of actions

-- | An action gives a value.
returns :: (Eq a, Show a) => IO a -> a -> PropIO
returns _ _ = onlyTested "returns"

-- | Two actions give the same.
sameReturns :: (Eq a, Show a) => IO a -> IO a -> PropIO
sameReturns _ _ = onlyTested "sameReturns"

-- | Evaluation ends in an error.
toError :: a -> PropIO
toError _ = onlyTested "toError"

-- | An action ends in an error.
toIOError :: IO a -> PropIO
toIOError _ = onlyTested "toIOError"

-- * Properties of values

-- | Both sides have one value, and it is the same.
(-=-) :: (Eq a, Show a) => a -> a -> Prop
_ -=- _ = onlyTested "-=-"

-- | Both sides have the same set of values.
(<~>) :: (Eq a, Show a) => a -> a -> Prop
_ <~> _ = onlyTested "<~>"

-- | The left side has all values of the right one.
(~>) :: (Eq a, Show a) => a -> a -> Prop
_ ~> _ = onlyTested "~>"

-- | The right side has all values of the left one.
(<~) :: (Eq a, Show a) => a -> a -> Prop
_ <~ _ = onlyTested "<~"

-- | Both sides have the same values, each as often.
(<~~>) :: (Eq a, Show a) => a -> a -> Prop
_ <~~> _ = onlyTested "<~~>"

-- | A property under a condition.
(==>) :: Bool -> Prop -> Prop
_ ==> _ = onlyTested "==>"

-- | There is one value, and it satisfies a predicate.
is :: Show a => a -> (a -> Bool) -> Prop
is _ _ = onlyTested "is"

-- | All values satisfy a predicate.
isAlways :: Show a => a -> (a -> Bool) -> Prop
isAlways _ _ = onlyTested "isAlways"

-- | Some value satisfies a predicate.
isEventually :: Show a => a -> (a -> Bool) -> Prop
isEventually _ _ = onlyTested "isEventually"

-- | There is one value, and it is `True`.
uniquely :: Bool -> Prop
uniquely _ = onlyTested "uniquely"

-- | All values are `True`.
always :: Bool -> Prop
always _ = onlyTested "always"

-- | Some value is `True`.
eventually :: Bool -> Prop
eventually _ = onlyTested "eventually"

-- | There is no value.
failing :: Show a => a -> Prop
failing _ = onlyTested "failing"

-- | There is a value.
successful :: Show a => a -> Prop
successful _ = onlyTested "successful"

-- | There is just one value.
deterministic :: Show a => a -> Prop
deterministic _ = onlyTested "deterministic"

-- | There are so many different values.
(#) :: (Eq a, Show a) => a -> Int -> Prop
_ # _ = onlyTested "#"

-- | There are fewer different values.
(#<) :: (Eq a, Show a) => a -> Int -> Prop
_ #< _ = onlyTested "#<"

-- | There are more different values.
(#>) :: (Eq a, Show a) => a -> Int -> Prop
_ #> _ = onlyTested "#>"

-- | All values have a property.
for :: Show a => a -> (a -> Prop) -> Prop
for _ _ = onlyTested "for"

-- | All elements have a property.
forAll :: Show a => [a] -> (a -> Prop) -> Prop
forAll _ _ = onlyTested "forAll"

-- | Two operations are equivalent.
(<=>) :: a -> a -> Prop
_ <=> _ = onlyTested "<=>"

-- * Notes on tests

label :: String -> Prop -> Prop
label _ _ = onlyTested "label"

classify :: Bool -> String -> Prop -> Prop
classify _ _ _ = onlyTested "classify"

trivial :: Bool -> Prop -> Prop
trivial _ _ = onlyTested "trivial"

collect :: Show a => a -> Prop -> Prop
collect _ _ = onlyTested "collect"

collectAs :: Show a => String -> a -> Prop -> Prop
collectAs _ _ _ = onlyTested "collectAs"

-- | Any value that satisfies a predicate.
solutionOf :: Data a => (a -> Bool) -> a
solutionOf p = p x &> x
  where x free

-- | All values of an expression.
valuesOf :: a -> [a]
valuesOf _ = onlyTested "valuesOf"

onlyTested :: String -> a
onlyTested name = error ("Test.Prop." ++ name ++ " cannot be evaluated: properties are for CurryCheck")
