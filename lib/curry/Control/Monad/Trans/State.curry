-- | Computations that read and change a state.
module Control.Monad.Trans.State
  ( StateT(..), evalStateT, execStateT, mapStateT, withStateT
  , State, runState, evalState, execState, mapState, withState
  , get, put, state, modify, modifyM, gets
  ) where

import Control.Monad.IO.Class
import Control.Monad.Trans.Class
import Data.Functor.Identity

newtype StateT s m a = StateT { runStateT :: s -> m (a, s) }

instance Monad m => Functor (StateT s m) where
  fmap f m = StateT (\s -> runStateT m s >>= \(x, t) -> return (f x, t))

instance Monad m => Applicative (StateT s m) where
  pure x  = StateT (\s -> return (x, s))
  f <*> m = StateT (\s -> runStateT f s >>= \(g, t) -> runStateT m t >>= \(x, u) -> return (g x, u))
  m *> n  = m >>= \_ -> n

instance Monad m => Monad (StateT s m) where
  m >>= f = StateT (\s -> runStateT m s >>= \(x, t) -> runStateT (f x) t)

instance MonadFail m => MonadFail (StateT s m) where
  fail s = StateT (\_ -> fail s)

instance MonadTrans (StateT s) where
  lift m = StateT (\s -> m >>= \x -> return (x, s))

instance MonadIO m => MonadIO (StateT s m) where
  liftIO act = lift (liftIO act)

evalStateT :: Monad m => StateT s m a -> s -> m a
evalStateT m s = runStateT m s >>= \(x, _) -> return x

execStateT :: Monad m => StateT s m a -> s -> m s
execStateT m s = runStateT m s >>= \(_, t) -> return t

mapStateT :: (m (a, s) -> n (b, s)) -> StateT s m a -> StateT s n b
mapStateT f m = StateT (\s -> f (runStateT m s))

withStateT :: (s -> s) -> StateT s m a -> StateT s m a
withStateT f m = StateT (\s -> runStateT m (f s))

type State s = StateT s Identity

runState :: State s a -> s -> (a, s)
runState m s = runIdentity (runStateT m s)

evalState :: State s a -> s -> a
evalState m s = fst (runState m s)

execState :: State s a -> s -> s
execState m s = snd (runState m s)

mapState :: ((a, s) -> (b, s)) -> State s a -> State s b
mapState f m = mapStateT (\r -> Identity (f (runIdentity r))) m

withState :: (s -> s) -> State s a -> State s a
withState f m = withStateT f m

get :: Monad m => StateT s m s
get = StateT (\s -> return (s, s))

put :: Monad m => s -> StateT s m ()
put s = StateT (\_ -> return ((), s))

state :: Monad m => (s -> (a, s)) -> StateT s m a
state f = StateT (\s -> return (f s))

modify :: Monad m => (s -> s) -> StateT s m ()
modify f = StateT (\s -> return ((), f s))

modifyM :: Monad m => (s -> m s) -> StateT s m ()
modifyM f = StateT (\s -> f s >>= \t -> return ((), t))

gets :: Monad m => (s -> a) -> StateT s m a
gets f = StateT (\s -> return (f s, s))
