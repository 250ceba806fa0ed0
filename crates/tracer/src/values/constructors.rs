//! The words that Python values are made of in a trail: constructors with fixed numbers, and those for classes, which are
//! added when the first of their objects is met. How their values are written, their forms say.

use gadfly_trail::model::{Constructor, Evaluation, Form, Style, Tables};

macro_rules! words {
    ($($name:ident = $text:literal, $of:literal, $form:ident;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub(crate) enum Word { $($name),* }

        const WORDS: &[(&str, &str, Form)] = &[$(($text, $of, Form::$form)),*];
    };
}

words! {
    None = "None", "constant", Nothing;
    True = "True", "constant", Plain;
    False = "False", "constant", Plain;
    Ellipsis = "Ellipsis", "constant", Plain;
    NotImplemented = "NotImplemented", "constant", Plain;
    Missing = "missing", "missing", Missing;
    Omitted = "omitted", "omitted", Omitted;
    Str = "str", "str", Text;
    Bytes = "bytes", "bytes", Bytes;
    List = "list", "list", List;
    Tuple = "tuple", "tuple", Tuple;
    Dict = "dict", "dict", Map;
    Set = "set", "set", Set;
    FrozenSet = "frozenset", "set", Set;
    Function = "function", "function", Function;
    Class = "class", "function", Function;
    Method = "method", "method", Plain;
    Opaque = "opaque", "opaque", Opaque;
    Complex = "complex", "number", Plain;
    Return = "return", "control", Plain;
    Break = "break", "control", Plain;
    Continue = "continue", "control", Plain;
    Written = "written", "written", Written;
}

/// The tables that every trail begins with.
pub(crate) fn tables(command: String) -> Tables {
    Tables {
        language: "python".to_owned(),
        command,
        evaluation: Evaluation::Strict,
        style: Style::Called,
        constructors: constructors(),
        ..Tables::default()
    }
}

fn constructors() -> Vec<Constructor> {
    let words = WORDS.iter();
    words
        .map(|(name, of, form)| constructor(name, &format!("python.{of}"), Vec::new(), form.clone()))
        .collect()
}

/// A constructor; how many parts a value has, its shape says.
pub(crate) fn constructor(name: &str, of: &str, fields: Vec<String>, form: Form) -> Constructor {
    Constructor {
        name: name.to_owned(),
        of: of.to_owned(),
        arity: fields.len() as u32,
        dictionaries: 0,
        fields,
        infix: None,
        form,
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
