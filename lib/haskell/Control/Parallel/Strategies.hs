-- | Evaluation strategies; here everything is sequential.
module Control.Parallel.Strategies
  ( Strategy, using, withStrategy, usingIO, withStrategyIO, dot
  , r0, rseq, rdeepseq, rpar, rparWith
  , evalSeq, evalTraversable, parTraversable, evalList, parList, evalListN, parListN
  , evalListNth, parListNth, evalListSplitAt, parListSplitAt, parListChunk, parMap
  , evalBuffer, parBuffer
  , evalTuple2, evalTuple3, evalTuple4, parTuple2, parTuple3, parTuple4
  , Eval, parEval, runEval, runEvalIO
  , ($|), ($||), (.|), (.||), (-|), (-||), SeqStrategy, NFData
  ) where

import Control.DeepSeq (NFData(..), rnf)

infixl 0 `using`, `usingIO`
infixl 9 `dot`
infixr 9 .|, .||, -|, -||
infixr 0 $|, $||

-- | The monad of evaluation: a step is done before the next one begins.
data Eval a = Eval a

type Strategy a    = a -> Eval a
type SeqStrategy a = a -> ()

runEval :: Eval a -> a
runEval (Eval x) = x

runEvalIO :: Eval a -> IO a
runEvalIO (Eval x) = return x

instance Functor Eval where
  fmap f (Eval x) = Eval (f x)

instance Applicative Eval where
  pure = Eval
  Eval f <*> Eval x = Eval (f x)

instance Monad Eval where
  Eval x >>= k = k x

using :: a -> Strategy a -> a
x `using` strat = runEval (strat x)

withStrategy :: Strategy a -> a -> a
withStrategy = flip using

usingIO :: a -> Strategy a -> IO a
x `usingIO` strat = runEvalIO (strat x)

withStrategyIO :: Strategy a -> a -> IO a
withStrategyIO = flip usingIO

dot :: Strategy a -> Strategy a -> Strategy a
strat2 `dot` strat1 = strat2 . runEval . strat1

r0, rseq, rpar :: Strategy a
r0 x   = Eval x
rseq x = x `seq` Eval x
rpar x = Eval x

rdeepseq :: NFData a => Strategy a
rdeepseq x = rnf x `seq` Eval x

rparWith :: Strategy a -> Strategy a
rparWith s a = Eval (runEval (s a))

parEval :: Eval a -> Eval a
parEval m = m

evalSeq :: SeqStrategy a -> Strategy a
evalSeq strat x = strat x `seq` Eval x

evalTraversable, parTraversable :: Traversable t => Strategy a -> Strategy (t a)
evalTraversable = traverse
parTraversable strat = traverse (rparWith strat)

evalList, parList :: Strategy a -> Strategy [a]
evalList = evalTraversable
parList  = parTraversable

evalListSplitAt, parListSplitAt :: Int -> Strategy [a] -> Strategy [a] -> Strategy [a]
evalListSplitAt n s1 s2 xs = do
  ys' <- s1 ys
  zs' <- s2 zs
  return (ys' ++ zs')
  where (ys, zs) = splitAt n xs
parListSplitAt n s1 s2 = evalListSplitAt n (rparWith s1) (rparWith s2)

evalListN, parListN, evalListNth, parListNth :: Int -> Strategy a -> Strategy [a]
evalListN n strat = evalListSplitAt n (evalList strat) r0
parListN n strat  = evalListN n (rparWith strat)
evalListNth n strat = evalListSplitAt n r0 (evalListSplitAt 1 (evalList strat) r0)
parListNth n strat  = evalListNth n (rparWith strat)

parListChunk :: Int -> Strategy a -> Strategy [a]
parListChunk n strat xs
  | n <= 1    = parList strat xs
  | otherwise = fmap concat (parList (evalList strat) (chunks xs))
  where chunks [] = []
        chunks ys = let (as, bs) = splitAt n ys in as : chunks bs

evalBuffer, parBuffer :: Int -> Strategy a -> Strategy [a]
evalBuffer _ strat xs = return (map (withStrategy strat) xs)
parBuffer = evalBuffer

parMap :: Strategy b -> (a -> b) -> [a] -> [b]
parMap strat f xs = map f xs `using` parList strat

evalTuple2, parTuple2 :: Strategy a -> Strategy b -> Strategy (a, b)
evalTuple2 s1 s2 (a, b) = (,) <$> s1 a <*> s2 b
parTuple2 s1 s2 = evalTuple2 (rparWith s1) (rparWith s2)

evalTuple3, parTuple3 :: Strategy a -> Strategy b -> Strategy c -> Strategy (a, b, c)
evalTuple3 s1 s2 s3 (a, b, c) = (,,) <$> s1 a <*> s2 b <*> s3 c
parTuple3 s1 s2 s3 = evalTuple3 (rparWith s1) (rparWith s2) (rparWith s3)

evalTuple4, parTuple4 :: Strategy a -> Strategy b -> Strategy c -> Strategy d -> Strategy (a, b, c, d)
evalTuple4 s1 s2 s3 s4 (a, b, c, d) = (,,,) <$> s1 a <*> s2 b <*> s3 c <*> s4 d
parTuple4 s1 s2 s3 s4 = evalTuple4 (rparWith s1) (rparWith s2) (rparWith s3) (rparWith s4)

($|), ($||) :: (a -> b) -> Strategy a -> a -> b
(f $| s) x = f (x `using` s)
($||) = ($|)

(.|), (.||) :: (b -> c) -> Strategy b -> (a -> b) -> a -> c
(.|) f s g = f . withStrategy s . g
(.||) = (.|)

(-|), (-||) :: (a -> b) -> Strategy b -> (b -> c) -> a -> c
(-|) f s g = g . withStrategy s . f
(-||) = (-|)
