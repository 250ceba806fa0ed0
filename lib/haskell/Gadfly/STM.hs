-- | Transactions for a single thread: actions that note how to undo what they
-- changed, and may give up.
module Gadfly.STM where

import Control.Applicative (Alternative(..))
import Control.Exception
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..))
import Data.IORef

-- | Given where to note what undoes its changes, it gives a result or none.
newtype STM a = STM (IORef (IO ()) -> IO (Maybe a))

runSTM :: STM a -> IORef (IO ()) -> IO (Maybe a)
runSTM (STM m) = m

-- | A variable of transactions.
newtype TVar a = TVar (IORef a)

instance Eq (TVar a) where
  TVar a == TVar b = a == b

instance Functor STM where
  fmap f m = m >>= \x -> return (f x)

instance Applicative STM where
  pure x    = STM (\_ -> return (Just x))
  mf <*> mx = mf >>= \f -> mx >>= \x -> return (f x)

instance Monad STM where
  m >>= k = STM (\undo -> runSTM m undo >>= \r -> case r of
    Just x  -> runSTM (k x) undo
    Nothing -> return Nothing)

instance Alternative STM where
  empty = retry
  (<|>) = orElse

instance MonadPlus STM

instance MonadFix STM where
  mfix f = STM (\undo -> mfix (\r -> runSTM (f (maybe (error "mfix: a transaction gave up") id r)) undo))

instance Semigroup a => Semigroup (STM a) where
  m <> n = (<>) <$> m <*> n

instance Monoid a => Monoid (STM a) where
  mempty = pure mempty

liftSTM :: IO a -> STM a
liftSTM act = STM (\_ -> fmap Just act)

-- | Run by itself; if it gives up or raises an exception, its changes are
-- undone, and the notes of the enclosing transaction keep them otherwise.
alone :: STM a -> IORef (IO ()) -> IO (Maybe a)
alone m outer = do
  undo <- newIORef (return ())
  r <- runSTM m undo `onException` (readIORef undo >>= id)
  own <- readIORef undo
  case r of
    Nothing -> own
    Just _  -> modifyIORef outer (own >>)
  return r

-- | Nobody will change what a transaction waits for.
atomically :: STM a -> IO a
atomically m = do
  outer <- newIORef (return ())
  r <- alone m outer
  maybe (throwIO BlockedIndefinitelyOnSTM) return r

retry :: STM a
retry = STM (\_ -> return Nothing)

orElse :: STM a -> STM a -> STM a
orElse m n = STM (\undo -> alone m undo >>= \r -> case r of
  Just x  -> return (Just x)
  Nothing -> runSTM n undo)

check :: Bool -> STM ()
check b = if b then return () else retry

throwSTM :: Exception e => e -> STM a
throwSTM e = liftSTM (throwIO e)

catchSTM :: Exception e => STM a -> (e -> STM a) -> STM a
catchSTM m handler = STM (\undo -> alone m undo `catch` \e -> runSTM (handler e) undo)

newTVar :: a -> STM (TVar a)
newTVar x = liftSTM (newTVarIO x)

newTVarIO :: a -> IO (TVar a)
newTVarIO x = newIORef x >>= \r -> return (TVar r)

readTVar :: TVar a -> STM a
readTVar v = liftSTM (readTVarIO v)

readTVarIO :: TVar a -> IO a
readTVarIO (TVar r) = readIORef r

writeTVar :: TVar a -> a -> STM ()
writeTVar (TVar r) x = STM (\undo -> do
  old <- readIORef r
  modifyIORef undo (writeIORef r old >>)
  writeIORef r x
  return (Just ()))
