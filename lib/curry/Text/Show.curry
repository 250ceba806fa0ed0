-- | Texts as functions that put them before others.
module Text.Show (ShowS, showString, showChar, showParen, shows) where
