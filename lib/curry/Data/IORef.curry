-- | References to values that actions change.
module Data.IORef (IORef, newIORef, readIORef, writeIORef, modifyIORef) where

external data IORef a

prim_refNew :: a -> IO (IORef a)
prim_refNew external

prim_refRead :: IORef a -> IO a
prim_refRead external

prim_refWrite :: IORef a -> a -> IO ()
prim_refWrite external

prim_refSame :: IORef a -> IORef a -> Bool
prim_refSame external

instance Eq (IORef a) where
  (==) = prim_refSame

newIORef :: a -> IO (IORef a)
newIORef x = prim_refNew x

readIORef :: IORef a -> IO a
readIORef ref = prim_refRead ref

writeIORef :: IORef a -> a -> IO ()
writeIORef ref x = prim_refWrite ref x

modifyIORef :: IORef a -> (a -> a) -> IO ()
modifyIORef ref f = readIORef ref >>= \x -> writeIORef ref (f x)
