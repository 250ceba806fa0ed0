{-# LANGUAGE BangPatterns, MultiParamTypeClasses, FlexibleInstances, FlexibleContexts #-}
-- | Arrays of all kinds: the types, the classes over them, and the work.
-- The modules around this one export selections.
--
-- Unboxed arrays are boxed here too, but evaluate what is put in, as unboxed
-- ones must.
module Data.Array.Base where

import qualified Data.Foldable as F
import Control.DeepSeq (NFData(..))
import Data.Int (Int8, Int16, Int32, Int64)
import Data.Word (Word8, Word16, Word32, Word64)
import Gadfly.Base
  ( Ix(..), PrimArray, primArrayNew, primArrayRead, primArrayWrite, primArrayIndex
  , primArrayCopy, primArraySame, primUnsafePerformIO, primIntAdd, primIntEq, primIntLe, primIntLt )
import Gadfly.ST (ST(..))

infixl 9 !, //

-- * Immutable boxed arrays

-- | Bounds, number of elements, elements.
data Array i e = Array !i !i !Int !(PrimArray e)

undefinedElement :: a
undefinedElement = errorWithoutStackTrace "(Array.!): undefined array element"

-- | The number of elements between bounds.
sizeOf :: Ix i => (i, i) -> Int
sizeOf b = let n = rangeSize b in if n < 0 then errorWithoutStackTrace "Negative range size" else n

-- | The offset of an index, checked.
offset :: Ix i => (i, i) -> Int -> i -> Int
offset b n i
  | primIntLe 0 k && primIntLt k n = k
  | otherwise                      = errorWithoutStackTrace
      ("Error in array index; " ++ show k ++ " not in range [0.." ++ show n ++ ")")
  where !k = index b i

-- | Make an array by filling a fresh one.
build :: Ix i => (i, i) -> e -> (Int -> PrimArray e -> IO ()) -> Array i e
build b@(l, u) initial fill = primUnsafePerformIO (do
  let !n = sizeOf b
  p <- primArrayNew n initial
  fill n p
  return (Array l u n p))

array :: Ix i => (i, i) -> [(i, e)] -> Array i e
array = arrayOver undefinedElement

listArray :: Ix i => (i, i) -> [e] -> Array i e
listArray = listArrayOver undefinedElement

-- | An array with the given element wherever the list says nothing.
arrayOver :: Ix i => e -> (i, i) -> [(i, e)] -> Array i e
arrayOver gap b ies = build b gap (\n p ->
  let go []            = return ()
      go ((i, e) : r) = primArrayWrite p (offset b n i) e >> go r
  in go ies)

listArrayOver :: Ix i => e -> (i, i) -> [e] -> Array i e
listArrayOver gap b es = build b gap (\n p ->
  let go !k xs
        | k == n    = return ()
        | otherwise = case xs of
            []     -> return ()
            x : r  -> primArrayWrite p k x >> go (k + 1) r
  in go 0 es)

-- | Strict in the results of the accumulating function.
accumArray :: Ix i => (e -> a -> e) -> e -> (i, i) -> [(i, a)] -> Array i e
accumArray f initial b ies = build b initial (\n p -> accumInto f b n p ies)

accumInto :: Ix i => (e -> a -> e) -> (i, i) -> Int -> PrimArray e -> [(i, a)] -> IO ()
accumInto f b n p = go
  where
    go [] = return ()
    go ((i, a) : r) = do
      let !k = offset b n i
      old <- primArrayRead p k
      let !new = f old a
      primArrayWrite p k new
      go r

(!) :: Ix i => Array i e -> i -> e
(!) (Array l u n p) i = primArrayIndex p (offset (l, u) n i)

elementAt :: Array i e -> Int -> e
elementAt (Array _ _ _ p) k = primArrayIndex p k

bounds :: Array i e -> (i, i)
bounds (Array l u _ _) = (l, u)

numElements :: Array i e -> Int
numElements (Array _ _ n _) = n

indices :: Ix i => Array i e -> [i]
indices a = range (bounds a)

elems :: Array i e -> [e]
elems (Array _ _ n p) = elementsFrom p 0 n

elementsFrom :: PrimArray e -> Int -> Int -> [e]
elementsFrom p k n
  | primIntEq k n = []
  | otherwise     = primArrayIndex p k : elementsFrom p (primIntAdd k 1) n

assocs :: Ix i => Array i e -> [(i, e)]
assocs a = zip (indices a) (elems a)

(//) :: Ix i => Array i e -> [(i, e)] -> Array i e
Array l u n p // ies = primUnsafePerformIO (do
  q <- primArrayCopy p
  let go []            = return ()
      go ((i, e) : r) = primArrayWrite q (offset (l, u) n i) e >> go r
  go ies
  return (Array l u n q))

accum :: Ix i => (e -> a -> e) -> Array i e -> [(i, a)] -> Array i e
accum f (Array l u n p) ies = primUnsafePerformIO (do
  q <- primArrayCopy p
  accumInto f (l, u) n q ies
  return (Array l u n q))

ixmap :: (Ix i, Ix j) => (i, i) -> (i -> j) -> Array j e -> Array i e
ixmap b f a = array b [(i, a ! f i) | i <- range b]

instance Functor (Array i) where
  fmap f a@(Array l u n _) = primUnsafePerformIO (do
    q <- primArrayNew n undefinedElement
    let go k | k == n    = return ()
             | otherwise = primArrayWrite q k (f (elementAt a k)) >> go (k + 1)
    go 0
    return (Array l u n q))

instance (Ix i, Eq e) => Eq (Array i e) where
  a == b
    | numElements a == 0 = numElements b == 0
    | otherwise          = bounds a == bounds b && elems a == elems b

instance (Ix i, Ord e) => Ord (Array i e) where
  compare a b = compare (assocs a) (assocs b)

instance (Ix i, Show i, Show e) => Show (Array i e) where
  showsPrec d a = showParen (d > 10)
    (showString "array " . showsPrec 11 (bounds a) . showChar ' ' . showsPrec 11 (assocs a))

instance (Ix i, Read i, Read e) => Read (Array i e) where
  readsPrec d = readParen (d > 10)
    (\r -> [(array b as, u) | ("array", s) <- lex r, (b, t) <- readsPrec 11 s, (as, u) <- readsPrec 11 t])

instance Foldable (Array i) where
  foldr f z a = F.foldr f z (elems a)
  length      = numElements
  toList      = elems
  null a      = numElements a == 0

instance Ix i => Traversable (Array i) where
  traverse f a = fmap (listArray (bounds a)) (traverse f (elems a))

instance (NFData i, NFData e) => NFData (Array i e) where
  rnf a = rnf (bounds a) `seq` rnf (elems a)

-- * Immutable arrays of any kind

-- | What can be an element of an unboxed array, and what it is at first.
class Unboxed e where
  zeroElement :: e

instance Unboxed Bool   where { zeroElement = False }
instance Unboxed Char   where { zeroElement = '\0' }
instance Unboxed Int    where { zeroElement = 0 }
instance Unboxed Word   where { zeroElement = 0 }
instance Unboxed Double where { zeroElement = 0 }
instance Unboxed Float  where { zeroElement = 0 }
instance Unboxed Int8   where { zeroElement = 0 }
instance Unboxed Int16  where { zeroElement = 0 }
instance Unboxed Int32  where { zeroElement = 0 }
instance Unboxed Int64  where { zeroElement = 0 }
instance Unboxed Word8  where { zeroElement = 0 }
instance Unboxed Word16 where { zeroElement = 0 }
instance Unboxed Word32 where { zeroElement = 0 }
instance Unboxed Word64 where { zeroElement = 0 }

-- | An array whose elements are all evaluated.
newtype UArray i e = UArray (Array i e)

-- | Kinds of immutable arrays.
class IArray a e where
  fromBoxed :: Array i e -> a i e
  toBoxed   :: a i e -> Array i e
  -- | What stands where nothing was put.
  missing   :: a i e -> e

-- | The element at an offset, without looking whether that is one.
unsafeAt :: (IArray a e, Ix i) => a i e -> Int -> e
unsafeAt a k = elementAt (toBoxed a) k

instance IArray Array e where
  fromBoxed a = a
  toBoxed a   = a
  missing _   = undefinedElement

instance Unboxed e => IArray UArray e where
  fromBoxed a        = F.foldl' (\u e -> e `seq` u) (UArray a) (elems a)
  toBoxed (UArray a) = a
  missing _          = zeroElement

instance (Ix i, Eq e) => Eq (UArray i e) where
  UArray a == UArray b = a == b

instance (Ix i, Ord e) => Ord (UArray i e) where
  compare (UArray a) (UArray b) = compare a b

instance (Ix i, Show i, Show e) => Show (UArray i e) where
  showsPrec d (UArray a) = showsPrec d a

instance NFData (UArray i e) where
  rnf a = a `seq` ()

-- * Mutable arrays

-- | A mutable array of elements as they come, or evaluated.
data MutableArray i e = MutableArray !i !i !Int !(PrimArray e)

newtype IOArray i e    = IOArray (MutableArray i e)
newtype IOUArray i e   = IOUArray (MutableArray i e)
newtype STArray s i e  = STArray (MutableArray i e)
newtype STUArray s i e = STUArray (MutableArray i e)

sameArray :: MutableArray i e -> MutableArray i e -> Bool
sameArray (MutableArray _ _ _ p) (MutableArray _ _ _ q) = primArraySame p q

instance Eq (IOArray i e) where
  IOArray a == IOArray b = sameArray a b

instance Eq (IOUArray i e) where
  IOUArray a == IOUArray b = sameArray a b

instance Eq (STArray s i e) where
  STArray a == STArray b = sameArray a b

instance Eq (STUArray s i e) where
  STUArray a == STUArray b = sameArray a b

newMutable :: Ix i => (i, i) -> e -> IO (MutableArray i e)
newMutable b@(l, u) e = do
  let !n = sizeOf b
  p <- primArrayNew n e
  return (MutableArray l u n p)

readMutable :: MutableArray i e -> Int -> IO e
readMutable (MutableArray _ _ _ p) k = primArrayRead p k

writeMutable :: MutableArray i e -> Int -> e -> IO ()
writeMutable (MutableArray _ _ _ p) k e = primArrayWrite p k e

readAt :: Ix i => MutableArray i e -> i -> IO e
readAt (MutableArray l u n p) i = primArrayRead p (offset (l, u) n i)

writeAt :: Ix i => MutableArray i e -> i -> e -> IO ()
writeAt (MutableArray l u n p) i e = primArrayWrite p (offset (l, u) n i) e

-- | The same storage as an immutable array.
unsafeSnapshot :: MutableArray i e -> Array i e
unsafeSnapshot (MutableArray l u n p) = Array l u n p

mutableBounds :: MutableArray i e -> (i, i)
mutableBounds (MutableArray l u _ _) = (l, u)

mutableSize :: MutableArray i e -> Int
mutableSize (MutableArray _ _ n _) = n

-- | Kinds of mutable arrays, and the monads they live in.
class Monad m => MArray a e m where
  getBounds      :: Ix i => a i e -> m (i, i)
  getNumElements :: Ix i => a i e -> m Int
  newArray       :: Ix i => (i, i) -> e -> m (a i e)
  newArray_      :: Ix i => (i, i) -> m (a i e)
  unsafeRead     :: Ix i => a i e -> Int -> m e
  unsafeWrite    :: Ix i => a i e -> Int -> e -> m ()
  readArray      :: Ix i => a i e -> i -> m e
  writeArray     :: Ix i => a i e -> i -> e -> m ()
  -- | Do something with what is inside, and make an array of such.
  inside         :: a i e -> (MutableArray i e -> IO b) -> m b
  around         :: proxy (a i e) -> IO (MutableArray i e) -> m (a i e)

instance MArray IOArray e IO where
  getBounds (IOArray a)       = return (mutableBounds a)
  getNumElements (IOArray a)  = return (mutableSize a)
  newArray b e                = newMutable b e >>= \a -> return (IOArray a)
  newArray_ b                 = newMutable b undefinedElement >>= \a -> return (IOArray a)
  unsafeRead (IOArray a) k    = readMutable a k
  unsafeWrite (IOArray a) k e = writeMutable a k e
  readArray (IOArray a) i     = readAt a i
  writeArray (IOArray a) i e  = writeAt a i e
  inside (IOArray a) use  = use a
  around _ make        = make >>= \a -> return (IOArray a)

instance Unboxed e => MArray IOUArray e IO where
  getBounds (IOUArray a)       = return (mutableBounds a)
  getNumElements (IOUArray a)  = return (mutableSize a)
  newArray b e                 = e `seq` (newMutable b e >>= \a -> return (IOUArray a))
  newArray_ b                  = newMutable b zeroElement >>= \a -> return (IOUArray a)
  unsafeRead (IOUArray a) k    = readMutable a k
  unsafeWrite (IOUArray a) k e = e `seq` writeMutable a k e
  readArray (IOUArray a) i     = readAt a i
  writeArray (IOUArray a) i e  = e `seq` writeAt a i e
  inside (IOUArray a) use = use a
  around _ make        = make >>= \a -> return (IOUArray a)

instance MArray (STArray s) e (ST s) where
  getBounds (STArray a)       = return (mutableBounds a)
  getNumElements (STArray a)  = return (mutableSize a)
  newArray b e                = ST (newMutable b e >>= \a -> return (STArray a))
  newArray_ b                 = ST (newMutable b undefinedElement >>= \a -> return (STArray a))
  unsafeRead (STArray a) k    = ST (readMutable a k)
  unsafeWrite (STArray a) k e = ST (writeMutable a k e)
  readArray (STArray a) i     = ST (readAt a i)
  writeArray (STArray a) i e  = ST (writeAt a i e)
  inside (STArray a) use  = ST (use a)
  around _ make        = ST (make >>= \a -> return (STArray a))

instance Unboxed e => MArray (STUArray s) e (ST s) where
  getBounds (STUArray a)       = return (mutableBounds a)
  getNumElements (STUArray a)  = return (mutableSize a)
  newArray b e                 = e `seq` ST (newMutable b e >>= \a -> return (STUArray a))
  newArray_ b                  = ST (newMutable b zeroElement >>= \a -> return (STUArray a))
  unsafeRead (STUArray a) k    = ST (readMutable a k)
  unsafeWrite (STUArray a) k e = e `seq` ST (writeMutable a k e)
  readArray (STUArray a) i     = ST (readAt a i)
  writeArray (STUArray a) i e  = e `seq` ST (writeAt a i e)
  inside (STUArray a) use = ST (use a)
  around _ make        = ST (make >>= \a -> return (STUArray a))

newListArray :: (MArray a e m, Ix i) => (i, i) -> [e] -> m (a i e)
newListArray b es = do
  a <- newArray_ b
  let !n = sizeOf b
      go !k xs
        | k == n    = return ()
        | otherwise = case xs of
            []    -> return ()
            x : r -> unsafeWrite a k x >> go (k + 1) r
  go 0 es
  return a

newGenArray :: (MArray a e m, Ix i) => (i, i) -> (i -> m e) -> m (a i e)
newGenArray b f = do
  a <- newArray_ b
  let go _  []       = return ()
      go !k (i : is) = f i >>= unsafeWrite a k >> go (k + 1) is
  go 0 (range b)
  return a

modifyArray, modifyArray' :: (MArray a e m, Ix i) => a i e -> i -> (e -> e) -> m ()
modifyArray a i f = do
  e <- readArray a i
  writeArray a i (f e)
modifyArray' a i f = do
  e <- readArray a i
  let !e' = f e
  writeArray a i e'

getElems :: (MArray a e m, Ix i) => a i e -> m [e]
getElems a = do
  n <- getNumElements a
  mapM (unsafeRead a) (enumFromTo 0 (n - 1))

getAssocs :: (MArray a e m, Ix i) => a i e -> m [(i, e)]
getAssocs a = do
  b  <- getBounds a
  es <- getElems a
  return (zip (range b) es)

mapArray :: (MArray a e' m, MArray a e m, Ix i) => (e' -> e) -> a i e' -> m (a i e)
mapArray f a = do
  b  <- getBounds a
  es <- getElems a
  newListArray b (map f es)

mapIndices :: (MArray a e m, Ix i, Ix j) => (i, i) -> (i -> j) -> a j e -> m (a i e)
mapIndices b f a = do
  es <- mapM (\i -> readArray a (f i)) (range b)
  newListArray b es

-- | The arrays of 'unsafeFreeze' and 'unsafeThaw' share their storage with what
-- they are made from, and nothing keeps a program from seeing it.
freeze, unsafeFreeze :: (Ix i, MArray a e m, IArray b e) => a i e -> m (b i e)
freeze a       = inside a (\m -> fmap (\c -> fromBoxed (unsafeSnapshot c)) (copyMutable m))
unsafeFreeze a = inside a (\m -> return (fromBoxed (unsafeSnapshot m)))

copyMutable :: MutableArray i e -> IO (MutableArray i e)
copyMutable (MutableArray l u n p) = primArrayCopy p >>= \q -> return (MutableArray l u n q)

thaw, unsafeThaw :: (Ix i, IArray a e, MArray b e m) => a i e -> m (b i e)
thaw a       = thawBy copyMutable a
unsafeThaw a = thawBy return a

-- | An array made unboxed has its elements evaluated.
thawBy :: (IArray a e, MArray b e m) => (MutableArray i e -> IO (MutableArray i e)) -> a i e -> m (b i e)
thawBy copied a = case toBoxed a of
  Array l u n p -> around Nothing (copied (MutableArray l u n p))

-- | Elements that nobody has written are undefined under GHC.
unsafeNewArray_ :: (MArray a e m, Ix i) => (i, i) -> m (a i e)
unsafeNewArray_ = newArray_

-- | As 'array', '(//)', 'accumArray' and 'accum', but with offsets for indices.
unsafeArray :: Ix i => (i, i) -> [(Int, e)] -> Array i e
unsafeArray b ies = build b undefinedElement (\_ p -> mapM_ (\(k, e) -> primArrayWrite p k e) ies)

unsafeReplace :: Array i e -> [(Int, e)] -> Array i e
unsafeReplace (Array l u n p) ies = primUnsafePerformIO (do
  q <- primArrayCopy p
  mapM_ (\(k, e) -> primArrayWrite q k e) ies
  return (Array l u n q))

unsafeAccumArray :: Ix i => (e -> a -> e) -> e -> (i, i) -> [(Int, a)] -> Array i e
unsafeAccumArray f initial b ies = build b initial (\_ p -> mapM_ (accumAt f p) ies)

unsafeAccum :: (e -> a -> e) -> Array i e -> [(Int, a)] -> Array i e
unsafeAccum f (Array l u n p) ies = primUnsafePerformIO (do
  q <- primArrayCopy p
  mapM_ (accumAt f q) ies
  return (Array l u n q))

accumAt :: (e -> a -> e) -> PrimArray e -> (Int, a) -> IO ()
accumAt f p (k, a) = do
  old <- primArrayRead p k
  let !new = f old a
  primArrayWrite p k new

amap :: (a -> b) -> Array i a -> Array i b
amap = fmap

runSTArray :: ST s (STArray s i e) -> Array i e
runSTArray (ST m) = primUnsafePerformIO (fmap (\(STArray a) -> unsafeSnapshot a) m)

runSTUArray :: ST s (STUArray s i e) -> UArray i e
runSTUArray (ST m) = primUnsafePerformIO (fmap (\(STUArray a) -> UArray (unsafeSnapshot a)) m)
