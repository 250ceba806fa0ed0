-- | Computations with a state.  This version takes pairs apart at once.
module Control.Monad.Trans.State.Strict
  ( State, state, runState, evalState, execState, mapState, withState
  , StateT(..), evalStateT, execStateT, mapStateT, withStateT
  , get, put, modify, modify', gets
  ) where

import Control.Applicative (Alternative(..))
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..))
import Control.Monad.IO.Class (MonadIO(..))
import Control.Monad.Trans.Class (MonadTrans(..))
import Data.Functor.Identity (Identity(..))

newtype StateT s m a = StateT { runStateT :: s -> m (a, s) }

type State s = StateT s Identity

state :: Monad m => (s -> (a, s)) -> StateT s m a
state f = StateT (\s -> return (f s))

runState :: State s a -> s -> (a, s)
runState m s = runIdentity (runStateT m s)

evalState :: State s a -> s -> a
evalState m s = fst (runState m s)

execState :: State s a -> s -> s
execState m s = snd (runState m s)

mapState :: ((a, s) -> (b, s)) -> State s a -> State s b
mapState f m = StateT (\s -> Identity (f (runState m s)))

withState :: (s -> s) -> State s a -> State s a
withState f m = withStateT f m

evalStateT :: Monad m => StateT s m a -> s -> m a
evalStateT m s = runStateT m s >>= \(a, _) -> return a

execStateT :: Monad m => StateT s m a -> s -> m s
execStateT m s = runStateT m s >>= \(_, b) -> return b

mapStateT :: (m (a, s) -> n (b, s)) -> StateT s m a -> StateT s n b
mapStateT f m = StateT (\s -> f (runStateT m s))

withStateT :: (s -> s) -> StateT s m a -> StateT s m a
withStateT f m = StateT (\s -> runStateT m (f s))

get :: Monad m => StateT s m s
get = StateT (\s -> return (s, s))

put :: Monad m => s -> StateT s m ()
put s = StateT (\_ -> return ((), s))

modify :: Monad m => (s -> s) -> StateT s m ()
modify f = StateT (\s -> return ((), f s))

-- | 'modify' that evaluates the new state.
modify' :: Monad m => (s -> s) -> StateT s m ()
modify' f = StateT (\s -> let t = f s in t `seq` return ((), t))

gets :: Monad m => (s -> a) -> StateT s m a
gets f = StateT (\s -> return (f s, s))

instance Functor m => Functor (StateT s m) where
  fmap f m = StateT (\s -> fmap (\(a, b) -> (f a, b)) (runStateT m s))

instance Monad m => Applicative (StateT s m) where
  pure x    = StateT (\s -> return (x, s))
  mf <*> mx = mf >>= \f -> fmapMonad f mx
  m *> k    = m >>= \_ -> k

-- | 'fmap' where there is a monad below.
fmapMonad :: Monad m => (a -> b) -> StateT s m a -> StateT s m b
fmapMonad f m = StateT (\s -> runStateT m s >>= \(a, b) -> return (f a, b))

instance Monad m => Monad (StateT s m) where
  m >>= k = StateT (\s -> runStateT m s >>= \(a, b) -> runStateT (k a) b)

instance MonadFail m => MonadFail (StateT s m) where
  fail message = StateT (\_ -> fail message)

instance MonadPlus m => Alternative (StateT s m) where
  empty   = StateT (\_ -> empty)
  m <|> n = StateT (\s -> runStateT m s <|> runStateT n s)

instance MonadPlus m => MonadPlus (StateT s m)

instance MonadFix m => MonadFix (StateT s m) where
  mfix f = StateT (\s -> mfix (\r -> runStateT (f (fst r)) s))

instance MonadTrans (StateT s) where
  lift m = StateT (\s -> m >>= \x -> return (x, s))

instance MonadIO m => MonadIO (StateT s m) where
  liftIO act = lift (liftIO act)
