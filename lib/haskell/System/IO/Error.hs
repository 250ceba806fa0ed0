{-# LANGUAGE NoImplicitPrelude #-}
-- | Errors of input and output.
module System.IO.Error
  ( IOError, userError, mkIOError, annotateIOError
  , isAlreadyExistsError, isDoesNotExistError, isAlreadyInUseError, isFullError, isEOFError
  , isIllegalOperation, isPermissionError, isUserError
  , ioeGetErrorType, ioeGetLocation, ioeGetErrorString, ioeGetHandle, ioeGetFileName
  , ioeSetErrorType, ioeSetErrorString, ioeSetLocation, ioeSetHandle, ioeSetFileName
  , IOErrorType
  , alreadyExistsErrorType, doesNotExistErrorType, alreadyInUseErrorType, fullErrorType, eofErrorType
  , illegalOperationErrorType, permissionErrorType, userErrorType
  , isAlreadyExistsErrorType, isDoesNotExistErrorType, isAlreadyInUseErrorType, isFullErrorType
  , isEOFErrorType, isIllegalOperationErrorType, isPermissionErrorType, isUserErrorType
  , ioError, catchIOError, tryIOError, modifyIOError
  ) where

import Gadfly.Base

mkIOError :: IOErrorType -> String -> Maybe Handle -> Maybe FilePath -> IOError
mkIOError t loc h path = IOError h t loc "" path

annotateIOError :: IOError -> String -> Maybe Handle -> Maybe FilePath -> IOError
annotateIOError e loc h path =
  e { ioe_handle = ioe_handle e <|> h, ioe_location = loc, ioe_filename = ioe_filename e <|> path }

alreadyExistsErrorType, doesNotExistErrorType, alreadyInUseErrorType, fullErrorType, eofErrorType,
  illegalOperationErrorType, permissionErrorType, userErrorType :: IOErrorType
alreadyExistsErrorType    = AlreadyExists
doesNotExistErrorType     = NoSuchThing
alreadyInUseErrorType     = ResourceBusy
fullErrorType             = ResourceExhausted
eofErrorType              = EOF
illegalOperationErrorType = IllegalOperation
permissionErrorType       = PermissionDenied
userErrorType             = UserError

isAlreadyExistsErrorType, isDoesNotExistErrorType, isAlreadyInUseErrorType, isFullErrorType, isEOFErrorType,
  isIllegalOperationErrorType, isPermissionErrorType, isUserErrorType :: IOErrorType -> Bool
isAlreadyExistsErrorType    = (== AlreadyExists)
isDoesNotExistErrorType     = (== NoSuchThing)
isAlreadyInUseErrorType     = (== ResourceBusy)
isFullErrorType             = (== ResourceExhausted)
isEOFErrorType              = (== EOF)
isIllegalOperationErrorType = (== IllegalOperation)
isPermissionErrorType       = (== PermissionDenied)
isUserErrorType             = (== UserError)

isAlreadyExistsError, isDoesNotExistError, isAlreadyInUseError, isFullError, isEOFError,
  isIllegalOperation, isPermissionError, isUserError :: IOError -> Bool
isAlreadyExistsError = isAlreadyExistsErrorType . ioe_type
isDoesNotExistError  = isDoesNotExistErrorType . ioe_type
isAlreadyInUseError  = isAlreadyInUseErrorType . ioe_type
isFullError          = isFullErrorType . ioe_type
isEOFError           = isEOFErrorType . ioe_type
isIllegalOperation   = isIllegalOperationErrorType . ioe_type
isPermissionError    = isPermissionErrorType . ioe_type
isUserError          = isUserErrorType . ioe_type

ioeGetErrorType :: IOError -> IOErrorType
ioeGetErrorType = ioe_type

ioeGetErrorString, ioeGetLocation :: IOError -> String
ioeGetErrorString e
  | isUserError e = ioe_description e
  | otherwise     = show (ioe_type e)
ioeGetLocation = ioe_location

ioeGetHandle :: IOError -> Maybe Handle
ioeGetHandle = ioe_handle

ioeGetFileName :: IOError -> Maybe FilePath
ioeGetFileName = ioe_filename

ioeSetErrorType :: IOError -> IOErrorType -> IOError
ioeSetErrorType e t = e { ioe_type = t }

ioeSetErrorString, ioeSetLocation, ioeSetFileName :: IOError -> String -> IOError
ioeSetErrorString e s = e { ioe_description = s }
ioeSetLocation e s    = e { ioe_location = s }
ioeSetFileName e s    = e { ioe_filename = Just s }

ioeSetHandle :: IOError -> Handle -> IOError
ioeSetHandle e h = e { ioe_handle = Just h }

catchIOError :: IO a -> (IOError -> IO a) -> IO a
catchIOError = catchException

tryIOError :: IO a -> IO (Either IOError a)
tryIOError a = catchException (fmap Right a) (\e -> return (Left e))

modifyIOError :: (IOError -> IOError) -> IO a -> IO a
modifyIOError f a = catchException a (\e -> ioError (f e))
