-- | Graph algorithms by depth-first search (King and Launchbury, Structuring
-- depth-first search algorithms in Haskell, 1995).
module Data.Graph
  ( Graph, Bounds, Edge, Vertex, Table
  , graphFromEdges, graphFromEdges', buildG
  , vertices, edges, outdegree, indegree, path, reachable, transposeG
  , dfs, dff, topSort, reverseTopSort, components, scc, bcc
  , SCC(..), stronglyConnComp, stronglyConnCompR, flattenSCC, flattenSCCs
  , module Data.Tree
  ) where

import Control.DeepSeq (NFData(..))
import Data.Array
import qualified Data.IntSet as IntSet
import Data.List (sortBy)
import Data.Maybe (mapMaybe)
import Data.Tree (Tree(..), Forest)

type Vertex  = Int
type Table a = Array Vertex a
type Graph   = Array Vertex [Vertex]
type Bounds  = (Vertex, Vertex)
type Edge    = (Vertex, Vertex)

-- | A strongly connected component: one vertex on no cycle, or a cycle.
data SCC vertex = AcyclicSCC vertex | CyclicSCC [vertex]
  deriving (Eq, Show, Read)

instance Functor SCC where
  fmap f (AcyclicSCC v) = AcyclicSCC (f v)
  fmap f (CyclicSCC vs) = CyclicSCC (map f vs)

instance Foldable SCC where
  foldr c n (AcyclicSCC v) = c v n
  foldr c n (CyclicSCC vs) = foldr c n vs

instance Traversable SCC where
  traverse f (AcyclicSCC v) = AcyclicSCC <$> f v
  traverse f (CyclicSCC vs) = CyclicSCC <$> traverse f vs

instance NFData a => NFData (SCC a) where
  rnf (AcyclicSCC v) = rnf v
  rnf (CyclicSCC vs) = rnf vs

flattenSCC :: SCC vertex -> [vertex]
flattenSCC (AcyclicSCC v) = [v]
flattenSCC (CyclicSCC vs) = vs

flattenSCCs :: [SCC a] -> [a]
flattenSCCs = concatMap flattenSCC

stronglyConnComp :: Ord key => [(node, key, [key])] -> [SCC node]
stronglyConnComp = map node . stronglyConnCompR
  where
    node (AcyclicSCC (n, _, _)) = AcyclicSCC n
    node (CyclicSCC triples)    = CyclicSCC [n | (n, _, _) <- triples]

-- | Components in reverse topological order.
stronglyConnCompR :: Ord key => [(node, key, [key])] -> [SCC (node, key, [key])]
stronglyConnCompR [] = []
stronglyConnCompR es = map decode forest
  where
    (graph, vertexFn, _) = graphFromEdges es
    forest = scc graph
    decode (Node v [])
      | v `elem` (graph ! v) = CyclicSCC [vertexFn v]
      | otherwise            = AcyclicSCC (vertexFn v)
    decode other = CyclicSCC (dec other [])
    dec (Node v ts) vs = vertexFn v : foldr dec vs ts

vertices :: Graph -> [Vertex]
vertices = indices

edges :: Graph -> [Edge]
edges g = [(v, w) | v <- vertices g, w <- g ! v]

buildG :: Bounds -> [Edge] -> Graph
buildG bnds es = accumArray (flip (:)) [] bnds es

transposeG :: Graph -> Graph
transposeG g = buildG (bounds g) [(w, v) | (v, w) <- edges g]

outdegree, indegree :: Graph -> Array Vertex Int
outdegree = fmap length
indegree g = accumArray (+) 0 (bounds g) [(v, 1) | (_, outs) <- assocs g, v <- outs]

graphFromEdges' :: Ord key => [(node, key, [key])] -> (Graph, Vertex -> (node, key, [key]))
graphFromEdges' x = (a, b)
  where (a, b, _) = graphFromEdges x

graphFromEdges :: Ord key => [(node, key, [key])]
               -> (Graph, Vertex -> (node, key, [key]), key -> Maybe Vertex)
graphFromEdges es0 = (graph, \v -> vertexMap ! v, keyVertex)
  where
    maxV      = length es0 - 1
    bounds0   = (0, maxV) :: (Vertex, Vertex)
    sorted    = sortBy (\(_, k1, _) (_, k2, _) -> compare k1 k2) es0
    numbered  = zip (enumFrom 0) sorted
    graph     = array bounds0 [(v, mapMaybe keyVertex ks) | (v, (_, _, ks)) <- numbered]
    keyMap    = array bounds0 [(v, k) | (v, (_, k, _)) <- numbered]
    vertexMap = array bounds0 numbered
    keyVertex k = search 0 maxV
      where
        search a b
          | a > b     = Nothing
          | otherwise = case compare k (keyMap ! mid) of
              LT -> search a (mid - 1)
              EQ -> Just mid
              GT -> search (mid + 1) b
          where mid = a + (b - a) `div` 2

dff :: Graph -> [Tree Vertex]
dff g = dfs g (vertices g)

-- | The spanning forest of what is reachable from the given vertices, in
-- depth-first order.
dfs :: Graph -> [Vertex] -> [Tree Vertex]
dfs g vs0 = fst (go IntSet.empty vs0)
  where
    bnds = bounds g
    go done [] = ([], done)
    go done (v : vs)
      | not (inRange bnds v) || IntSet.member v done = go done vs
      | otherwise =
          let (as, done1) = go (IntSet.insert v done) (g ! v)
              (bs, done2) = go done1 vs
          in (Node v as : bs, done2)

postorder :: Tree a -> [a] -> [a]
postorder (Node a ts) = postorderF ts . (a :)

postorderF :: [Tree a] -> [a] -> [a]
postorderF ts = foldr (.) id (map postorder ts)

postOrd :: Graph -> [Vertex]
postOrd g = postorderF (dff g) []

topSort, reverseTopSort :: Graph -> [Vertex]
topSort        = reverse . postOrd
reverseTopSort = postOrd

components :: Graph -> [Tree Vertex]
components = dff . undirected

undirected :: Graph -> Graph
undirected g = buildG (bounds g) (edges g ++ [(w, v) | (v, w) <- edges g])

scc :: Graph -> [Tree Vertex]
scc g = dfs g (reverse (postOrd (transposeG g)))

reachable :: Graph -> Vertex -> [Vertex]
reachable g v = preorderF (dfs g [v])

path :: Graph -> Vertex -> Vertex -> Bool
path g v w = w `elem` reachable g v

preorderF :: [Tree a] -> [a]
preorderF ts = concatMap (foldr (:) []) ts

-- | Biconnected components; the graph must be undirected.
bcc :: Graph -> [Tree [Vertex]]
bcc g = concatMap bicomps forest
  where
    forest = dff g
    dnum   = array (bounds g) ([(v, -1) | v <- vertices g]) // zip (preorderF forest) (enumFrom (0 :: Int))
    bicomps (Node v ts) = [Node (v : vs) us | (_, Node vs us) <- map collect ts]
    collect (Node v ts) = (low, Node (v : vs) cs)
      where
        dv        = dnum ! v
        collected = map collect ts
        low       = minimum (dv : [dnum ! w | w <- g ! v] ++ [lw | (lw, _) <- collected])
        vs        = concat [ws | (lw, Node ws _) <- collected, lw < dv]
        cs        = concat [if lw < dv then us else [Node (v : ws) us] | (lw, Node ws us) <- collected]
