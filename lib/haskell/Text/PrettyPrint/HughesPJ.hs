-- | Documents that choose their layout by the room there is.  (Hughes, The
-- design of a pretty-printing library, 1995.)
--
-- A document stands for a set of layouts.  It is laid out from the column where
-- it begins, and told what follows it, since what stands behind a choice on the
-- same line counts for the choice.  So a layout is a stream of 'Tokens' with the
-- choices still in it, and 'choose' follows it, taking the first branch of a
-- choice whose line has room.
module Text.PrettyPrint.HughesPJ
  ( Doc, TextDetails(..)
  , char, text, ptext, sizedText, zeroWidthText
  , int, integer, float, double, rational
  , semi, comma, colon, space, equals, lparen, rparen, lbrack, rbrack, lbrace, rbrace
  , parens, brackets, braces, quotes, doubleQuotes
  , maybeParens, maybeBrackets, maybeBraces, maybeQuotes, maybeDoubleQuotes
  , empty, (<>), (<+>), hcat, hsep, ($$), ($+$), vcat, sep, cat, fsep, fcat
  , nest, hang, punctuate
  , isEmpty, render
  , Style(..), style, renderStyle, Mode(..), fullRender, txtPrinter
  ) where

import Prelude hiding (Semigroup(..))
import Control.DeepSeq (NFData(..))
import qualified Data.Semigroup as Semigroup
import Data.String (IsString(..))

infixl 6 <>, <+>
infixl 5 $$, $+$

data Doc
  = Empty
  | Text Int String          -- ^ a text and the room it takes
  | Nest Int Doc
  | Beside Doc Bool Doc      -- ^ with a space between?
  | Above Doc Bool Doc       -- ^ on one line where the second is indented enough?
  | Sep Bool [Doc]           -- ^ all on one line, with spaces?, or all above each other
  | Fill Bool [Doc]          -- ^ as many on each line as there is room for

instance Semigroup.Semigroup Doc where
  p <> q = beside p False q

instance Monoid Doc where
  mempty = Empty

instance IsString Doc where
  fromString = text

instance Show Doc where
  showsPrec _ doc rest = fullRender (mode style) (lineLength style) (ribbonsPerLine style) txtPrinter rest doc

instance Eq Doc where
  p == q = render p == render q

instance NFData Doc where
  rnf doc = rnf (render doc)

-- * Texts

char :: Char -> Doc
char c = Text 1 [c]

text, ptext, zeroWidthText :: String -> Doc
text s          = Text (length s) s
ptext           = text
zeroWidthText s = Text 0 s

-- | A text that takes another room than its number of characters.
sizedText :: Int -> String -> Doc
sizedText = Text

int :: Int -> Doc
int n = text (show n)

integer :: Integer -> Doc
integer n = text (show n)

float :: Float -> Doc
float x = text (show x)

double :: Double -> Doc
double x = text (show x)

rational :: Rational -> Doc
rational q = text (show q)

semi, comma, colon, space, equals, lparen, rparen, lbrack, rbrack, lbrace, rbrace :: Doc
semi   = char ';'
comma  = char ','
colon  = char ':'
space  = char ' '
equals = char '='
lparen = char '('
rparen = char ')'
lbrack = char '['
rbrack = char ']'
lbrace = char '{'
rbrace = char '}'

parens, brackets, braces, quotes, doubleQuotes :: Doc -> Doc
parens p       = lparen <> p <> rparen
brackets p     = lbrack <> p <> rbrack
braces p       = lbrace <> p <> rbrace
quotes p       = char '\'' <> p <> char '\''
doubleQuotes p = char '"' <> p <> char '"'

maybeParens, maybeBrackets, maybeBraces, maybeQuotes, maybeDoubleQuotes :: Bool -> Doc -> Doc
maybeParens b       = if b then parens else id
maybeBrackets b     = if b then brackets else id
maybeBraces b       = if b then braces else id
maybeQuotes b       = if b then quotes else id
maybeDoubleQuotes b = if b then doubleQuotes else id

-- * Combination

empty :: Doc
empty = Empty

isEmpty :: Doc -> Bool
isEmpty Empty = True
isEmpty _     = False

beside, above :: Doc -> Bool -> Doc -> Doc
beside Empty _ q     = q
beside p     _ Empty = p
beside p     b q     = Beside p b q
above Empty _ q      = q
above p     _ Empty  = p
above p     b q      = Above p b q

-- | The first of these is not the operator of semigroups, because it has to go
-- with the second.
(<>), (<+>), ($$), ($+$) :: Doc -> Doc -> Doc
p <> q  = beside p False q
p <+> q = beside p True q
p $$ q  = above p True q
p $+$ q = above p False q

hcat, hsep, vcat, sep, cat, fsep, fcat :: [Doc] -> Doc
hcat = foldr (<>) Empty
hsep = foldr (<+>) Empty
vcat = foldr ($$) Empty
sep  = several (Sep True)
cat  = several (Sep False)
fsep = several (Fill True)
fcat = several (Fill False)

-- | Of no documents, one, or more; empty ones do not count.
several :: ([Doc] -> Doc) -> [Doc] -> Doc
several make docs = case filter (not . isEmpty) docs of
  []  -> Empty
  [p] -> p
  ps  -> make ps

nest :: Int -> Doc -> Doc
nest _ Empty = Empty
nest k p     = Nest k p

-- | The second document behind the first, or below and indented.
hang :: Doc -> Int -> Doc -> Doc
hang p k q = sep [p, nest k q]

-- | The first document behind each of the others but the last.
punctuate :: Doc -> [Doc] -> [Doc]
punctuate _ []       = []
punctuate _ [q]      = [q]
punctuate p (q : qs) = (q <> p) : punctuate p qs

-- * Layout

data Tokens
  = End
  | Word Int String Tokens
  | Line Int Tokens          -- ^ a new line that begins at a column
  | Either Tokens Tokens
  | Never                    -- ^ no layout: what had to be one line is not

-- | How far the first line of a document is nested.
indentation :: Doc -> Int
indentation doc = case doc of
  Empty        -> 0
  Text _ _     -> 0
  Nest k p     -> k + indentation p
  Beside p _ _ -> indentation p
  Above p _ _  -> indentation p
  Sep _ ps     -> indentation (head ps)
  Fill _ ps    -> indentation (head ps)

-- | The layouts of a document, on one line if the flag says so, whose lines are
-- nested from a margin.  Its first line begins at the margin and its
-- 'indentation'.  What follows is told the column that it ends at.
layouts :: Bool -> Doc -> Int -> (Int -> Tokens) -> Tokens
layouts flat doc margin next = case doc of
  Empty             -> next margin
  Text n s          -> Word n s (next (margin + n))
  Nest k p          -> layouts flat p (margin + k) next
  Beside p spaced q -> layouts flat p margin (\end -> besideAt flat spaced q end next)
  Above p join q    -> layouts flat p margin (\end -> belowAt flat join q margin end next)
  Sep spaced ps
    | flat          -> together
    | otherwise     -> Either together (layouts False (vcat ps) margin next)
    where together = layouts True (if spaced then hsep ps else hcat ps) margin next
  Fill spaced ps    -> filled flat flat spaced ps margin margin next

-- | A document that begins at a column: the margin is where its first line's
-- nesting goes back to.
layoutsAt :: Bool -> Doc -> Int -> (Int -> Tokens) -> Tokens
layoutsAt flat doc column next = layouts flat doc (column - indentation doc) next

besideAt :: Bool -> Bool -> Doc -> Int -> (Int -> Tokens) -> Tokens
besideAt flat spaced doc end next
  | spaced    = Word 1 " " (layoutsAt flat doc (end + 1) next)
  | otherwise = layoutsAt flat doc end next

belowAt :: Bool -> Bool -> Doc -> Int -> Int -> (Int -> Tokens) -> Tokens
belowAt flat join doc margin end next = newLine flat join (margin + indentation doc) end (layouts flat doc margin next)

-- | Go to a column of the next line; or of this one, if that may be and it is
-- further on.
newLine :: Bool -> Bool -> Int -> Int -> Tokens -> Tokens
newLine flat join column end rest
  | join && column > end = Word (column - end) (replicate (column - end) ' ') rest
  | flat                 = Never
  | otherwise            = Line column rest

-- | Documents in lines, the first one from some margin and later lines from
-- another.  The first flag wants the first document on one line, the second
-- everything.
filled :: Bool -> Bool -> Bool -> [Doc] -> Int -> Int -> (Int -> Tokens) -> Tokens
filled first flat spaced docs start margin next = case docs of
  []         -> next start
  [p]        -> layouts first p start next
  p : q : qs -> Either beside' below
    where
      beside' = layouts True p start (\end ->
        if spaced then Word 1 " " (goOn (end + 1)) else goOn end)
      goOn column = filled True flat spaced (q : qs) (column - indentation q) margin next
      below   = layouts first p start (\end ->
        newLine flat True (margin + indentation q) end (filled flat flat spaced (q : qs) margin margin next))

-- * Rendering

data TextDetails = Chr Char | Str String | PStr String
  deriving (Eq, Show)

data Style = Style { mode :: Mode, lineLength :: Int, ribbonsPerLine :: Float }
  deriving (Eq, Show)

data Mode = PageMode | ZigZagMode | LeftMode | OneLineMode
  deriving (Eq, Show)

-- | A hundred columns, of which two thirds may be text.
style :: Style
style = Style { mode = PageMode, lineLength = 100, ribbonsPerLine = 1.5 }

render :: Doc -> String
render doc = renderStyle style doc

renderStyle :: Style -> Doc -> String
renderStyle s doc = fullRender (mode s) (lineLength s) (ribbonsPerLine s) txtPrinter "" doc

txtPrinter :: TextDetails -> String -> String
txtPrinter (Chr c)  rest = c : rest
txtPrinter (Str s)  rest = s ++ rest
txtPrinter (PStr s) rest = s ++ rest

-- | Zigzag mode is page mode here.
fullRender :: Mode -> Int -> Float -> (TextDetails -> a -> a) -> a -> Doc -> a
fullRender how width ribbons txt end doc = case how of
  OneLineMode -> foldr txt end (map joined (anyhow False start))
  LeftMode    -> foldr txt end (concatMap flush (anyhow True start))
  _           -> foldr txt end (choose width ribbon first 0 start)
  where
    first  = indentation doc
    start  = Line first (layouts False doc 0 (\_ -> End))
    ribbon = round (fromIntegral width / ribbons)
    joined t = case t of { Nothing -> Chr ' '; Just s -> Str s }
    flush t  = case t of { Nothing -> [Chr '\n']; Just s -> [Str s] }
    -- Drop the line that starts everything, and choose without measuring.
    anyhow left (Line _ rest) = pieces left rest
    anyhow left rest          = pieces left rest

-- | Texts, with nothing for the ends of lines: the first possible branch of
-- every choice, or the second one.
pieces :: Bool -> Tokens -> [Maybe String]
pieces left tokens = case tokens of
  End          -> []
  Never        -> []
  Word _ s t   -> Just s : pieces left t
  Line _ t     -> Nothing : pieces left t
  Either t u
    | left && possible t -> pieces left t
    | otherwise          -> pieces left u

-- | Whether the line goes on to its end in some way.
possible :: Tokens -> Bool
possible Never        = False
possible (Word _ _ t) = possible t
possible (Either t u) = possible t || possible u
possible _            = True

-- | The best layout, given the width, the ribbon, where the line begins and how
-- much text is on it.  The very first line is given without its end.
choose :: Int -> Int -> Int -> Int -> Tokens -> [TextDetails]
choose width ribbon column0 used0 tokens0 = case tokens0 of
  Line column rest | used0 == 0 && column == column0 -> indented column (go column 0 rest)
  _ -> go column0 used0 tokens0
  where
    go column used tokens = case tokens of
      End           -> []
      Never         -> []
      Word n s t    -> Str s : go column (used + n) t
      Line column' t -> Chr '\n' : indented column' (go column' 0 t)
      Either t u
        | fits (min (width - column) ribbon - used) t -> go column used t
        | otherwise                                    -> go column used u

-- | A line's blanks, if it has any text.
indented :: Int -> [TextDetails] -> [TextDetails]
indented column rest
  | column > 0 = Str (replicate column ' ') : rest
  | otherwise  = rest

-- | Whether the rest of a line has room.
fits :: Int -> Tokens -> Bool
fits room tokens
  | room < 0  = False
  | otherwise = case tokens of
      End        -> True
      Line _ _   -> True
      Never      -> False
      Word n _ t -> fits (room - n) t
      Either t u -> fits room t || fits room u
