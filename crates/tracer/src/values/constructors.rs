//! The words that Python values are made of in a trail: constructors with fixed numbers, and those for classes, which are
//! added when the first of their objects is met. Readers find them by their names and `of`.

use gadfly_trail::run::model::Constructor;

macro_rules! words {
    ($($name:ident = $text:literal, $of:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub(crate) enum Word { $($name),* }

        const TEXTS: &[(&str, &str)] = &[$(($text, $of)),*];
    };
}

words! {
    None = "None", "constant";
    True = "True", "constant";
    False = "False", "constant";
    Ellipsis = "Ellipsis", "constant";
    NotImplemented = "NotImplemented", "constant";
    Missing = "missing", "missing";
    Omitted = "omitted", "omitted";
    Str = "str", "str";
    Bytes = "bytes", "bytes";
    List = "list", "list";
    Tuple = "tuple", "tuple";
    Dict = "dict", "dict";
    Set = "set", "set";
    FrozenSet = "frozenset", "set";
    Function = "function", "function";
    Class = "class", "function";
    Method = "method", "method";
    Opaque = "opaque", "opaque";
    Complex = "complex", "number";
    Return = "return", "control";
    Break = "break", "control";
    Continue = "continue", "control";
    Written = "written", "written";
}

/// The constructors that every trail begins with.
pub(crate) fn constructors() -> Vec<Constructor> {
    TEXTS.iter().map(|(name, of)| constructor(name, &format!("python.{of}"), Vec::new())).collect()
}

/// A constructor; how many parts a value has, its shape says.
pub(crate) fn constructor(name: &str, of: &str, fields: Vec<String>) -> Constructor {
    Constructor {
        name: name.to_owned(),
        of: of.to_owned(),
        arity: fields.len() as u32,
        dictionaries: 0,
        fields,
        infix: None,
        hidden: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_the_number_of_its_constructor() {
        let all = constructors();
        for (word, name, of) in [
            (Word::None, "None", "python.constant"),
            (Word::FrozenSet, "frozenset", "python.set"),
            (Word::Written, "written", "python.written"),
        ] {
            let constructor = &all[word as usize];
            assert_eq!((constructor.name.as_str(), constructor.of.as_str()), (name, of));
        }
        assert_eq!(all.len(), Word::Written as usize + 1);
    }
}
