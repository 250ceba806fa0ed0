-- | What tools make of the properties of "Test.Prop".
module Test.Prop.Types where

-- | A property of an action.
data PropIO = PropIO (Bool -> String -> IO (Maybe String))

-- | A property: its tests.
data Prop = Prop [Test]

-- | A result, the arguments it is for, and labels.
data Test = Test Result [String] [String]

data Result = Undef | Ok | Falsified [String] | Ambigious [Bool] [String]
