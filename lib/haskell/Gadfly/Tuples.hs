{-# LANGUAGE NoImplicitPrelude #-}
-- | Equality, order and showing of tuples with eight to fifteen components, as
-- the report asks for.
module Gadfly.Tuples where

import Gadfly.Primitives
import Gadfly.Ground
import Gadfly.Order
import Gadfly.Failing
import Gadfly.Showing

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h) => Eq (a, b, c, d, e, f, g, h) where
  (a1, b1, c1, d1, e1, f1, g1, h1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h)
      => Ord (a, b, c, d, e, f, g, h) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1)
          (a2, b2, c2, d2, e2, f2, g2, h2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h)
      => Show (a, b, c, d, e, f, g, h) where
  showsPrec _ (a, b, c, d, e, f, g, h) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h]

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i)
      => Eq (a, b, c, d, e, f, g, h, i) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i)
      => Ord (a, b, c, d, e, f, g, h, i) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2 `andThen` compare i1 i2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i)
      => Show (a, b, c, d, e, f, g, h, i) where
  showsPrec _ (a, b, c, d, e, f, g, h, i) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i]

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j)
      => Eq (a, b, c, d, e, f, g, h, i, j) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j)
      => Ord (a, b, c, d, e, f, g, h, i, j) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2 `andThen` compare i1 i2 `andThen` compare j1 j2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j)
      => Show (a, b, c, d, e, f, g, h, i, j) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j]

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k)
      => Eq (a, b, c, d, e, f, g, h, i, j, k) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k)
      => Ord (a, b, c, d, e, f, g, h, i, j, k) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2 `andThen` compare i1 i2 `andThen` compare j1 j2
      `andThen` compare k1 k2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k)
      => Show (a, b, c, d, e, f, g, h, i, j, k) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k]

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2 `andThen` compare i1 i2 `andThen` compare j1 j2
      `andThen` compare k1 k2 `andThen` compare l1 l2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k,
          Show l)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l]

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l, Eq m)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l, m) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2 && m1 == m2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l, Ord m)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l, m) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2 `andThen` compare i1 i2 `andThen` compare j1 j2
      `andThen` compare k1 k2 `andThen` compare l1 l2 `andThen` compare m1 m2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k,
          Show l, Show m)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l, m) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l, m) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l, shows m]

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l, Eq m, Eq n)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l, m, n) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2 && m1 == m2 && n1 == n2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l,
          Ord m, Ord n)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l, m, n) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2 `andThen` compare i1 i2 `andThen` compare j1 j2
      `andThen` compare k1 k2 `andThen` compare l1 l2 `andThen` compare m1 m2
      `andThen` compare n1 n2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k,
          Show l, Show m, Show n)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l, m, n) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l, m, n) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l, shows m, shows n]

instance (Eq a, Eq b, Eq c, Eq d, Eq e, Eq f, Eq g, Eq h, Eq i, Eq j, Eq k, Eq l, Eq m, Eq n, Eq o)
      => Eq (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) where
  (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1, o1) ==
    (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2, o2) =
    a1 == a2 && b1 == b2 && c1 == c2 && d1 == d2 && e1 == e2 && f1 == f2 && g1 == g2 && h1 == h2
      && i1 == i2 && j1 == j2 && k1 == k2 && l1 == l2 && m1 == m2 && n1 == n2 && o1 == o2

instance (Ord a, Ord b, Ord c, Ord d, Ord e, Ord f, Ord g, Ord h, Ord i, Ord j, Ord k, Ord l,
          Ord m, Ord n, Ord o)
      => Ord (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) where
  compare (a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1, o1)
          (a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2, m2, n2, o2) =
    compare a1 a2 `andThen` compare b1 b2 `andThen` compare c1 c2 `andThen` compare d1 d2
      `andThen` compare e1 e2 `andThen` compare f1 f2 `andThen` compare g1 g2
      `andThen` compare h1 h2 `andThen` compare i1 i2 `andThen` compare j1 j2
      `andThen` compare k1 k2 `andThen` compare l1 l2 `andThen` compare m1 m2
      `andThen` compare n1 n2 `andThen` compare o1 o2

instance (Show a, Show b, Show c, Show d, Show e, Show f, Show g, Show h, Show i, Show j, Show k,
          Show l, Show m, Show n, Show o)
      => Show (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) where
  showsPrec _ (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o) =
    showTuple [shows a, shows b, shows c, shows d, shows e, shows f, shows g, shows h, shows i
      , shows j, shows k, shows l, shows m, shows n, shows o]
