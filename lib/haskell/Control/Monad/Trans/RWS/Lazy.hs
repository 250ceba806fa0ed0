-- | Reader, writer and state in one.  This version takes triples apart only on demand.
module Control.Monad.Trans.RWS.Lazy
  ( RWS, rws, runRWS, evalRWS, execRWS, mapRWS, withRWS
  , RWST(..), evalRWST, execRWST, mapRWST, withRWST
  , reader, ask, local, asks
  , writer, tell, listen, listens, pass, censor
  , state, get, put, modify, gets
  ) where

import Control.Applicative (Alternative(..))
import Control.Monad (MonadPlus)
import Control.Monad.Fix (MonadFix(..))
import Control.Monad.IO.Class (MonadIO(..))
import Control.Monad.Trans.Class (MonadTrans(..))
import Data.Functor.Identity (Identity(..))

newtype RWST r w s m a = RWST { runRWST :: r -> s -> m (a, s, w) }

type RWS r w s = RWST r w s Identity

rws :: Monoid w => (r -> s -> (a, s, w)) -> RWS r w s a
rws f = RWST (\r s -> Identity (f r s))

runRWS :: RWS r w s a -> r -> s -> (a, s, w)
runRWS m r s = runIdentity (runRWST m r s)

evalRWS :: RWS r w s a -> r -> s -> (a, w)
evalRWS m r s = runIdentity (evalRWST m r s)

execRWS :: RWS r w s a -> r -> s -> (s, w)
execRWS m r s = runIdentity (execRWST m r s)

mapRWS :: ((a, s, w) -> (b, s, w')) -> RWS r w s a -> RWS r w' s b
mapRWS f m = RWST (\r s -> Identity (f (runRWS m r s)))

withRWS :: (r' -> s -> (r, s)) -> RWS r w s a -> RWS r' w s a
withRWS f m = withRWST f m

evalRWST :: Monad m => RWST r w s m a -> r -> s -> m (a, w)
evalRWST m r s = runRWST m r s >>= \ ~(x, t, w) -> return (x, w)

execRWST :: Monad m => RWST r w s m a -> r -> s -> m (s, w)
execRWST m r s = runRWST m r s >>= \ ~(x, t, w) -> return (t, w)

mapRWST :: (m (a, s, w) -> n (b, s, w')) -> RWST r w s m a -> RWST r w' s n b
mapRWST f m = RWST (\r s -> f (runRWST m r s))

withRWST :: (r' -> s -> (r, s)) -> RWST r w s m a -> RWST r' w s m a
withRWST f m = RWST (\r s -> let start = f r s in runRWST m (fst start) (snd start))

-- * Reading

reader :: (Monoid w, Monad m) => (r -> a) -> RWST r w s m a
reader f = asks f

ask :: (Monoid w, Monad m) => RWST r w s m r
ask = asks id

asks :: (Monoid w, Monad m) => (r -> a) -> RWST r w s m a
asks f = RWST (\r s -> return (f r, s, mempty))

local :: (r -> r) -> RWST r w s m a -> RWST r w s m a
local f m = RWST (\r s -> runRWST m (f r) s)

-- * Writing

writer :: Monad m => (a, w) -> RWST r w s m a
writer (x, w) = RWST (\_ s -> return (x, s, w))

tell :: Monad m => w -> RWST r w s m ()
tell w = writer ((), w)

-- | Change what comes out, given the result and the output.
changed :: Monad m => (a -> w -> (b, w)) -> RWST r w s m a -> RWST r w s m b
changed f m = RWST (\r s -> runRWST m r s >>= \ ~(x, t, w) -> let y = f x w in return (fst y, t, snd y))

listen :: Monad m => RWST r w s m a -> RWST r w s m (a, w)
listen m = listens id m

listens :: Monad m => (w -> b) -> RWST r w s m a -> RWST r w s m (a, b)
listens f m = changed (\x w -> ((x, f w), w)) m

pass :: Monad m => RWST r w s m (a, w -> w) -> RWST r w s m a
pass m = changed (\xf w -> (fst xf, snd xf w)) m

censor :: Monad m => (w -> w) -> RWST r w s m a -> RWST r w s m a
censor f m = changed (\x w -> (x, f w)) m

-- * State

state :: (Monoid w, Monad m) => (s -> (a, s)) -> RWST r w s m a
state f = RWST (\_ s -> let y = f s in return (fst y, snd y, mempty))

get :: (Monoid w, Monad m) => RWST r w s m s
get = gets id

gets :: (Monoid w, Monad m) => (s -> a) -> RWST r w s m a
gets f = RWST (\_ s -> return (f s, s, mempty))

put :: (Monoid w, Monad m) => s -> RWST r w s m ()
put s = modify (\_ -> s)

modify :: (Monoid w, Monad m) => (s -> s) -> RWST r w s m ()
modify f = RWST (\_ s -> return ((), f s, mempty))

-- * Instances

instance Functor m => Functor (RWST r w s m) where
  fmap f m = RWST (\r s -> fmap (\ ~(x, t, w) -> (f x, t, w)) (runRWST m r s))

instance (Monoid w, Monad m) => Applicative (RWST r w s m) where
  pure x    = RWST (\_ s -> return (x, s, mempty))
  mf <*> mx = mf >>= \f -> mx >>= \x -> pure' (f x)
    where pure' y = RWST (\_ s -> return (y, s, mempty))

instance (Monoid w, Monad m) => Monad (RWST r w s m) where
  m >>= k = RWST (\r s -> runRWST m r s >>= \ ~(x, t, w) ->
    runRWST (changed (\y v -> (y, w <> v)) (k x)) r t)

instance (Monoid w, MonadFail m) => MonadFail (RWST r w s m) where
  fail message = RWST (\_ _ -> fail message)

instance (Monoid w, MonadPlus m) => Alternative (RWST r w s m) where
  empty   = RWST (\_ _ -> empty)
  m <|> n = RWST (\r s -> runRWST m r s <|> runRWST n r s)

instance (Monoid w, MonadPlus m) => MonadPlus (RWST r w s m)

instance (Monoid w, MonadFix m) => MonadFix (RWST r w s m) where
  mfix f = RWST (\r s -> mfix (\ ~(x, _, _) -> runRWST (f x) r s))

instance Monoid w => MonadTrans (RWST r w s) where
  lift m = RWST (\_ s -> m >>= \x -> return (x, s, mempty))

instance (Monoid w, MonadIO m) => MonadIO (RWST r w s m) where
  liftIO act = lift (liftIO act)
