//! What follows from a language's name: a file says hardly more of its program than that.

use super::values::Words;
use gadfly_term::render::Style;
use gadfly_tree::About;

/// Languages that write applications without parentheses.
const JUXTAPOSED: [&str; 19] = [
    "haskell",
    "curry",
    "ml",
    "sml",
    "standard ml",
    "ocaml",
    "caml",
    "elm",
    "purescript",
    "miranda",
    "clean",
    "agda",
    "idris",
    "lean",
    "coq",
    "fsharp",
    "f#",
    "gofer",
    "hugs",
];

/// The style of a language, by its name in any case; an unknown language is [`Style::Called`].
pub(crate) fn style(language: &str) -> Style {
    let juxtaposed = JUXTAPOSED.iter().any(|name| name.eq_ignore_ascii_case(language.trim()));
    if juxtaposed { Style::Juxtaposed } else { Style::Called }
}

/// How the language names JSON's three words.
pub(crate) fn words(about: &About) -> Words {
    if about.language.eq_ignore_ascii_case("python") {
        return Words { yes: "True", no: "False", nothing: "None" };
    }
    match about.style {
        Style::Juxtaposed => Words { yes: "True", no: "False", nothing: "null" },
        Style::Called => Words { yes: "true", no: "false", nothing: "null" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_a_style() {
        for name in ["haskell", "Curry", "OCaml", "PureScript", "fsharp"] {
            assert_eq!(style(name), Style::Juxtaposed, "{name}");
        }
        for name in ["python", "rust", "", "brainfuck"] {
            assert_eq!(style(name), Style::Called, "{name}");
        }
    }
}
