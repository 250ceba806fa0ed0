-- | Variables of transactions.
module Control.Concurrent.STM.TVar
  ( TVar, newTVar, newTVarIO, readTVar, readTVarIO, writeTVar
  , modifyTVar, modifyTVar', stateTVar, swapTVar
  ) where

import Gadfly.STM

modifyTVar, modifyTVar' :: TVar a -> (a -> a) -> STM ()
modifyTVar v f  = readTVar v >>= \x -> writeTVar v (f x)
modifyTVar' v f = readTVar v >>= \x -> writeTVar v $! f x

stateTVar :: TVar s -> (s -> (a, s)) -> STM a
stateTVar v f = do
  s <- readTVar v
  let (x, s') = f s
  writeTVar v s'
  return x

swapTVar :: TVar a -> a -> STM a
swapTVar v new = do
  old <- readTVar v
  writeTVar v new
  return old
