{-# LANGUAGE NoImplicitPrelude #-}
-- | The kinds of exceptions: what the language raises by itself, what input and
-- output raise, how a program ends.
module Gadfly.Failures where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Numbers
import Gadfly.Failing
import Gadfly.Lists
import Gadfly.Folding
import Gadfly.Showing
import Gadfly.Reading

-- | Raised where no rule, alternative or guard applies.
newtype PatternMatchFail = PatternMatchFail String

instance Show PatternMatchFail where
  showsPrec _ (PatternMatchFail msg) = showString msg

instance Exception PatternMatchFail

newtype RecSelError = RecSelError String

instance Show RecSelError where
  showsPrec _ (RecSelError msg) = showString msg

instance Exception RecSelError

newtype RecConError = RecConError String

instance Show RecConError where
  showsPrec _ (RecConError msg) = showString msg

instance Exception RecConError

newtype RecUpdError = RecUpdError String

instance Show RecUpdError where
  showsPrec _ (RecUpdError msg) = showString msg

instance Exception RecUpdError

newtype NoMethodError = NoMethodError String

instance Show NoMethodError where
  showsPrec _ (NoMethodError msg) = showString msg

instance Exception NoMethodError

newtype AssertionFailed = AssertionFailed String

instance Show AssertionFailed where
  showsPrec _ (AssertionFailed msg) = showString msg

instance Exception AssertionFailed

data NonTermination = NonTermination

instance Show NonTermination where
  showsPrec _ NonTermination = showString "<<loop>>"

instance Exception NonTermination

data BlockedIndefinitelyOnMVar = BlockedIndefinitelyOnMVar

instance Show BlockedIndefinitelyOnMVar where
  showsPrec _ BlockedIndefinitelyOnMVar = showString "thread blocked indefinitely in an MVar operation"

instance Exception BlockedIndefinitelyOnMVar

data AsyncException = StackOverflow | HeapOverflow | ThreadKilled | UserInterrupt
  deriving (Eq, Ord)

instance Show AsyncException where
  showsPrec _ e = showString (case e of
    StackOverflow -> "stack overflow"
    HeapOverflow  -> "heap overflow"
    ThreadKilled  -> "thread killed"
    UserInterrupt -> "user interrupt")

instance Exception AsyncException

data ArrayException = IndexOutOfBounds String | UndefinedElement String
  deriving (Eq, Ord)

instance Show ArrayException where
  showsPrec _ e = case e of
    IndexOutOfBounds s -> showString "array index out of range" . explain s
    UndefinedElement s -> showString "undefined array element" . explain s
    where explain s = if null s then id else showString ": " . showString s

instance Exception ArrayException

-- | How a program ends; thrown by the functions of "System.Exit".
data ExitCode = ExitSuccess | ExitFailure Int
  deriving (Eq, Ord, Show, Read)

instance Exception ExitCode

-- * Errors of input and output

data IOErrorType
  = AlreadyExists | NoSuchThing | ResourceBusy | ResourceExhausted | EOF | IllegalOperation
  | PermissionDenied | UserError | InvalidArgument | OtherError | ResourceVanished
  deriving (Eq, Ord)

instance Show IOErrorType where
  showsPrec _ e = showString (case e of
    AlreadyExists     -> "already exists"
    NoSuchThing       -> "does not exist"
    ResourceBusy      -> "resource busy"
    ResourceExhausted -> "resource exhausted"
    EOF               -> "end of file"
    IllegalOperation  -> "illegal operation"
    PermissionDenied  -> "permission denied"
    UserError         -> "user error"
    InvalidArgument   -> "invalid argument"
    OtherError        -> "failed"
    ResourceVanished  -> "resource vanished")

data IOException = IOError
  { ioe_handle      :: Maybe Handle
  , ioe_type        :: IOErrorType
  , ioe_location    :: String
  , ioe_description :: String
  , ioe_filename    :: Maybe FilePath
  }

type IOError = IOException

instance Eq IOException where
  IOError h k l d f == IOError h' k' l' d' f' = h == h' && k == k' && l == l' && d == d' && f == f'

instance Show IOException where
  showsPrec _ (IOError hdl kind loc desc file) =
    (case file of
       Just name -> showString name . showString ": "
       Nothing   -> case hdl of
         Just h  -> showsPrec 0 h . showString ": "
         Nothing -> id) .
    (if null loc then id else showString loc . showString ": ") .
    showsPrec 0 kind .
    (if null desc then id else showString " (" . showString desc . showString ")")

instance Exception IOException

instance Eq Handle where
  (==) = primHandleSame

instance Show Handle where
  showsPrec _ h = case primHandleName h of
    "<stdin>"  -> showString "<stdin>"
    "<stdout>" -> showString "<stdout>"
    "<stderr>" -> showString "<stderr>"
    name       -> showString "{handle: " . showString name . showString "}"

userError :: String -> IOError
userError msg = IOError Nothing UserError "" msg Nothing

ioError :: IOError -> IO a
ioError = throwIO
