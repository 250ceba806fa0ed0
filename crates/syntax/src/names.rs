//! Interned names.
//!
//! A [`Symbol`] is a number for a string; the caller owns the [`Interner`] and hands the same one to every file of a
//! program, so equal names are equal numbers everywhere. The keywords are interned first: the lexer recognises them
//! by their number.

use std::num::NonZeroU32;

/// A string of an [`Interner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(NonZeroU32);

impl Symbol {
    /// The place of this symbol in its interner, from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    pub(crate) const fn from_index(index: u32) -> Symbol {
        match NonZeroU32::new(index + 1) {
            Some(number) => Symbol(number),
            None => panic!("more symbols than numbers"),
        }
    }
}

/// A name as it was written: `sort`, or `List.sort` with its qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QName {
    /// The module name before the last dot, such as `Data.List`.
    pub qualifier: Option<Symbol>,
    /// The name itself.
    pub name: Symbol,
}

impl QName {
    /// A name without a qualifier.
    pub fn plain(name: Symbol) -> QName {
        QName { qualifier: None, name }
    }

    /// The name as it was written.
    pub fn text(self, interner: &Interner) -> String {
        match self.qualifier {
            Some(qualifier) => format!("{}.{}", interner.text(qualifier), interner.text(self.name)),
            None => interner.text(self.name).to_owned(),
        }
    }
}

/// Strings, each stored once, numbered in the order in which they came.
///
/// The text of all strings is one buffer; the hash table holds only symbol numbers.
#[derive(Clone, Debug)]
pub struct Interner {
    buffer: String,
    /// Where each string ends in the buffer.
    ends: Vec<u32>,
    /// Open addressing; 0 is an empty place, any other entry a symbol's number.
    table: Vec<u32>,
}

impl Interner {
    /// An interner that knows the names of [`known`].
    pub fn new() -> Self {
        let mut interner = Interner { buffer: String::new(), ends: Vec::new(), table: vec![0; 1024] };
        for text in known::ALL {
            interner.intern(text);
        }
        interner
    }

    /// The symbol of a string.
    ///
    /// # Panics
    /// If the strings together have more than 4 GiB.
    pub fn intern(&mut self, text: &str) -> Symbol {
        let mask = self.table.len() - 1;
        let mut slot = hash(text) as usize & mask;
        while let Some(number) = NonZeroU32::new(self.table[slot]) {
            if self.text(Symbol(number)) == text {
                return Symbol(number);
            }
            slot = (slot + 1) & mask;
        }
        self.buffer.push_str(text);
        self.ends.push(u32::try_from(self.buffer.len()).expect("names of less than 4 GiB"));
        let symbol = Symbol::from_index(self.ends.len() as u32 - 1);
        self.table[slot] = symbol.0.get();
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        symbol
    }

    /// The symbol of a string that was interned before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        let mask = self.table.len() - 1;
        let mut slot = hash(text) as usize & mask;
        while let Some(number) = NonZeroU32::new(self.table[slot]) {
            if self.text(Symbol(number)) == text {
                return Some(Symbol(number));
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The string of a symbol.
    ///
    /// # Panics
    /// If the symbol is another interner's.
    pub fn text(&self, symbol: Symbol) -> &str {
        let index = symbol.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.buffer[start..self.ends[index] as usize]
    }

    /// The name of the tuple constructor with `arity` components: `(,)` for 2.
    pub fn tuple(&mut self, arity: usize) -> Symbol {
        match arity {
            0 => known::UNIT,
            2 => known::PAIR,
            _ => self.intern(&format!("({})", ",".repeat(arity - 1))),
        }
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let mut table = vec![0; size];
        for index in 0..self.ends.len() as u32 {
            let symbol = Symbol::from_index(index);
            let mut slot = hash(self.text(symbol)) as usize & (size - 1);
            while table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = symbol.0.get();
        }
        self.table = table;
    }
}

impl Default for Interner {
    fn default() -> Self {
        Interner::new()
    }
}

fn hash(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Symbols that every interner has, at fixed numbers.
pub mod known {
    use super::Symbol;

    macro_rules! known {
        ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
            #[allow(clippy::upper_case_acronyms, non_camel_case_types, reason = "they number constants")]
            enum Number { $($name,)* }
            $($(#[$doc])* pub const $name: Symbol = Symbol::from_index(Number::$name as u32);)*
            pub(super) const ALL: &[&str] = &[$($text,)*];
        };
    }

    known! {
        #[doc(hidden)] CASE = "case",
        #[doc(hidden)] CLASS = "class",
        #[doc(hidden)] DATA = "data",
        #[doc(hidden)] DEFAULT = "default",
        #[doc(hidden)] DERIVING = "deriving",
        #[doc(hidden)] DO = "do",
        #[doc(hidden)] ELSE = "else",
        #[doc(hidden)] IF = "if",
        #[doc(hidden)] IMPORT = "import",
        #[doc(hidden)] IN = "in",
        #[doc(hidden)] INFIX = "infix",
        #[doc(hidden)] INFIXL = "infixl",
        #[doc(hidden)] INFIXR = "infixr",
        #[doc(hidden)] INSTANCE = "instance",
        #[doc(hidden)] LET = "let",
        #[doc(hidden)] MODULE = "module",
        #[doc(hidden)] NEWTYPE = "newtype",
        #[doc(hidden)] OF = "of",
        #[doc(hidden)] THEN = "then",
        #[doc(hidden)] TYPE = "type",
        #[doc(hidden)] WHERE = "where",
        #[doc(hidden)] UNDERSCORE = "_",
        // Reserved in Haskell only.
        #[doc(hidden)] FOREIGN = "foreign",
        // Reserved in Curry only.
        #[doc(hidden)] EXTERNAL = "external",
        #[doc(hidden)] FCASE = "fcase",
        #[doc(hidden)] FREE = "free",
        // Words with a meaning in some places only.
        #[doc(hidden)] AS = "as",
        #[doc(hidden)] QUALIFIED = "qualified",
        #[doc(hidden)] HIDING = "hiding",
        #[doc(hidden)] SAFE = "safe",
        #[doc(hidden)] FORALL = "forall",
        #[doc(hidden)] FAMILY = "family",
        #[doc(hidden)] STOCK = "stock",
        #[doc(hidden)] ANYCLASS = "anyclass",
        #[doc(hidden)] VIA = "via",
        #[doc(hidden)] PATTERN = "pattern",
        #[doc(hidden)] ROLE = "role",
        #[doc(hidden)] PRIM = "prim",
        /// `()`, the unit type and its value.
        UNIT = "()",
        /// `(,)`, pairs.
        PAIR = "(,)",
        /// `[]`, the list type and the empty list.
        LIST = "[]",
        /// `:`, the list constructor.
        CONS = ":",
        /// `->`, the function type.
        ARROW = "->",
        /// `-`, subtraction and negation.
        MINUS = "-",
        /// `!`, an operator, and what makes a pattern or a field strict.
        BANG = "!",
        /// `.`, an operator, and the end of a `forall`'s variables.
        DOT = ".",
        /// `*`, an operator, and the kind of types.
        STAR = "*",
        /// `~`, type equality.
        TILDE = "~",
        /// `main`.
        MAIN = "main",
        /// `Main`, the module of a file without a header.
        MAIN_MODULE = "Main",
        /// The qualifier of names that are the library's, whatever is imported; no program can write it.
        LIBRARY = "library",
        #[doc(hidden)] ZIP = "zip",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_are_equal_symbols() {
        let mut interner = Interner::new();
        let symbols: Vec<Symbol> = (0..5000).map(|n| interner.intern(&format!("name{n}"))).collect();
        for (n, symbol) in symbols.iter().enumerate() {
            assert_eq!(interner.text(*symbol), format!("name{n}"));
            assert_eq!(interner.intern(&format!("name{n}")), *symbol);
        }
        assert_eq!(interner.get("main"), Some(known::MAIN));
        assert_eq!(interner.get("nowhere"), None);
    }

    #[test]
    fn tuples_are_named_by_their_commas() {
        let mut interner = Interner::new();
        let triple = interner.tuple(3);
        assert_eq!(interner.text(triple), "(,,)");
        assert_eq!(interner.tuple(2), known::PAIR);
    }
}
