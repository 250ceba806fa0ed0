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
import qualified Data.IntMap as IntMap
import qualified Data.IntSet as IntSet
import Data.List (sortBy)
import qualified Data.Map as Map
import Data.Maybe (mapMaybe)
import Data.Tree (Tree(..), Forest)
import Data.Tuple (swap)

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
flattenSCC component = foldr (:) [] component

flattenSCCs :: [SCC a] -> [a]
flattenSCCs components = components >>= flattenSCC

stronglyConnComp :: Ord key => [(node, key, [key])] -> [SCC node]
stronglyConnComp = map (fmap (\(n, _, _) -> n)) . stronglyConnCompR

-- | Components in reverse topological order.
stronglyConnCompR :: Ord key => [(node, key, [key])] -> [SCC (node, key, [key])]
stronglyConnCompR []      = []
stronglyConnCompR triples = [fmap triple (component tree) | tree <- scc graph]
  where
    (graph, triple, _) = graphFromEdges triples
    component tree = case preorder tree [] of
      [v] | v `notElem` (graph ! v) -> AcyclicSCC v
      vs                            -> CyclicSCC vs

vertices :: Graph -> [Vertex]
vertices = indices

edges :: Graph -> [Edge]
edges g = [(v, w) | (v, ws) <- assocs g, w <- ws]

buildG :: Bounds -> [Edge] -> Graph
buildG bnds = accumArray (\ws w -> w : ws) [] bnds

transposeG :: Graph -> Graph
transposeG g = buildG (bounds g) (map swap (edges g))

outdegree, indegree :: Graph -> Array Vertex Int
outdegree g = fmap length g
indegree g  = accumArray (+) 0 (bounds g) [(w, 1) | ws <- elems g, w <- ws]

graphFromEdges' :: Ord key => [(node, key, [key])] -> (Graph, Vertex -> (node, key, [key]))
graphFromEdges' triples = case graphFromEdges triples of (g, triple, _) -> (g, triple)

-- | Vertices are numbered in the order of their keys.
graphFromEdges :: Ord key => [(node, key, [key])]
               -> (Graph, Vertex -> (node, key, [key]), key -> Maybe Vertex)
graphFromEdges triples = (fmap (\(_, _, ks) -> mapMaybe vertex ks) table, (table !), vertex)
  where
    sorted   = sortBy (\(_, k, _) (_, l, _) -> compare k l) triples
    table    = listArray (0, length triples - 1) sorted
    numbers  = Map.fromDistinctAscList (unique (zip (map (\(_, k, _) -> k) sorted) (enumFrom 0)))
    vertex k = Map.lookup k numbers
    -- A key that occurs again stands for its first vertex.
    unique (a : rest) = a : unique (dropWhile (\b -> fst b == fst a) rest)
    unique []         = []

dff :: Graph -> [Tree Vertex]
dff g = dfs g (vertices g)

-- | The spanning forest of what is reachable from the given vertices, in
-- depth-first order.
dfs :: Graph -> [Vertex] -> [Tree Vertex]
dfs g roots = fst (explore g IntSet.empty roots)

-- | The trees from these vertices without those seen; and all seen then.
explore :: Graph -> IntSet.IntSet -> [Vertex] -> ([Tree Vertex], IntSet.IntSet)
explore _ seen [] = ([], seen)
explore g seen (v : vs)
  | IntSet.member v seen || not (inRange (bounds g) v) = explore g seen vs
  | otherwise =
      let (below, seen')   = explore g (IntSet.insert v seen) (g ! v)
          (beside, seen'') = explore g seen' vs
      in (Node v below : beside, seen'')

-- | A tree's vertices in front of others, each before or after what is below
-- it.
preorder, postorder :: Tree a -> [a] -> [a]
preorder (Node v ts) rest  = v : foldr preorder rest ts
postorder (Node v ts) rest = foldr postorder (v : rest) ts

topSort, reverseTopSort :: Graph -> [Vertex]
topSort g        = reverse (reverseTopSort g)
reverseTopSort g = foldr postorder [] (dff g)

-- | The forest of the graph with every edge both ways.
components :: Graph -> [Tree Vertex]
components g = dff (buildG (bounds g) (there ++ map swap there))
  where there = edges g

scc :: Graph -> [Tree Vertex]
scc g = dfs g (topSort (transposeG g))

reachable :: Graph -> Vertex -> [Vertex]
reachable g v = foldr preorder [] (dfs g [v])

path :: Graph -> Vertex -> Vertex -> Bool
path g v w = w `elem` reachable g v

-- | Biconnected components, as trees in which neighbours share a cut vertex;
-- the graph must be undirected.
bcc :: Graph -> [Tree [Vertex]]
bcc g = [block v t | Node v ts <- forest, t <- ts]
  where
    forest = dff g
    number = IntMap.fromList (zip (foldr preorder [] forest) (enumFrom (0 :: Int)))
    order v = IntMap.findWithDefault (-1) v number

    -- The block of the edge from a vertex down to a tree.
    block v t = case below t of (_, vs, bs) -> Node (v : vs) bs

    -- Of a tree: the first vertex in order that an edge from it reaches, the
    -- vertices that share a block with the edge to its root, and the blocks
    -- beyond those.
    below (Node v ts) = (first, v : concat [vs | (_, (_, vs, _)) <- inside], concat blocks)
      where
        children = [(t, below t) | t <- ts]
        inside   = filter goesAbove children
        goesAbove (_, (l, _, _)) = l < order v
        first    = minimum (order v : map order (g ! v) ++ [l | (_, (l, _, _)) <- children])
        blocks   = [ if goesAbove child then bs else [Node (v : vs) bs]
                   | child@(_, (_, vs, bs)) <- children ]
