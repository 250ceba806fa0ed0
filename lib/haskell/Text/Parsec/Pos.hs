-- | Places in a source text.
module Text.Parsec.Pos
  ( SourceName, Line, Column, SourcePos, sourceLine, sourceColumn, sourceName
  , incSourceLine, incSourceColumn, setSourceLine, setSourceColumn, setSourceName
  , newPos, initialPos, updatePosChar, updatePosString
  ) where

type SourceName = String
type Line       = Int
type Column     = Int

data SourcePos = SourcePos SourceName !Int !Int
  deriving (Eq, Ord)

instance Show SourcePos where
  showsPrec _ (SourcePos name line column) =
    (if null name then id else showChar '"' . showString name . showString "\" ")
    . showString "(line " . shows line . showString ", column " . shows column . showChar ')'

newPos :: SourceName -> Line -> Column -> SourcePos
newPos = SourcePos

initialPos :: SourceName -> SourcePos
initialPos name = SourcePos name 1 1

sourceName :: SourcePos -> SourceName
sourceName (SourcePos name _ _) = name

sourceLine, sourceColumn :: SourcePos -> Int
sourceLine (SourcePos _ line _)     = line
sourceColumn (SourcePos _ _ column) = column

incSourceLine, incSourceColumn, setSourceLine, setSourceColumn :: SourcePos -> Int -> SourcePos
incSourceLine (SourcePos name l c) n   = SourcePos name (l + n) c
incSourceColumn (SourcePos name l c) n = SourcePos name l (c + n)
setSourceLine (SourcePos name _ c) n   = SourcePos name n c
setSourceColumn (SourcePos name l _) n = SourcePos name l n

setSourceName :: SourcePos -> SourceName -> SourcePos
setSourceName (SourcePos _ l c) name = SourcePos name l c

updatePosString :: SourcePos -> String -> SourcePos
updatePosString = foldl updatePosChar

-- | After a character; tabs go to every eighth column.
updatePosChar :: SourcePos -> Char -> SourcePos
updatePosChar (SourcePos name l c) ch = case ch of
  '\n' -> SourcePos name (l + 1) 1
  '\t' -> SourcePos name l (c + 8 - (c - 1) `mod` 8)
  _    -> SourcePos name l (c + 1)
