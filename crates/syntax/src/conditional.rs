//! The conditionals of the C preprocessor, as far as Haskell programs use them to choose between systems.
//!
//! In a file with the extension `CPP`, the branches of `#if`, `#ifdef`, `#ifndef`, `#elif` and `#else` that are not taken
//! are made blank, and so are the directives; offsets do not change. Conditions know `defined`, numbers,
//! comparisons, `MIN_VERSION_…` and the macros of [`PREDEFINED`]: Gadfly takes the branch that a program has
//! for a recent GHC. `#define NAME` and `#define NAME number` count in conditions. Directives that would need
//! more (`#include`, macros that stand for code) stay in the text, and the lexer reports that they are not
//! supported.

use std::collections::HashMap;

/// The macros that are defined, and their values.
const PREDEFINED: [(&str, i64); 4] =
    [("__GLASGOW_HASKELL__", 900), ("linux_HOST_OS", 1), ("x86_64_HOST_ARCH", 1), ("WORD_SIZE_IN_BITS", 64)];

/// The versions that `MIN_VERSION_…` compares with; for other packages every such condition holds.
const VERSIONS: [(&str, [i64; 4]); 5] = [
    ("MIN_VERSION_base", [4, 15, 0, 0]),
    ("MIN_VERSION_containers", [0, 6, 4, 0]),
    ("MIN_VERSION_mtl", [2, 2, 2, 0]),
    ("MIN_VERSION_transformers", [0, 5, 6, 0]),
    ("MIN_VERSION_GLASGOW_HASKELL", [9, 0, 2, 0]),
];

/// Whether a file asks for the preprocessor, in a pragma before its module begins.
pub(crate) fn is_wanted(text: &str) -> bool {
    text.match_indices("{-#").any(|(at, _)| {
        let pragma = text[at + 3..].split("#-}").next().unwrap_or("");
        let mut words = pragma.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        words.next().is_some_and(|word| word.eq_ignore_ascii_case("LANGUAGE"))
            && words.any(|word| word == "CPP")
    })
}

/// A conditional that is open.
struct Open {
    /// Whether the branch around it is taken.
    around: bool,
    /// Whether one of its branches was taken already.
    taken: bool,
    /// Whether this branch is.
    now: bool,
}

/// The text with the branches that are not taken, and the directives that chose, replaced by spaces.
pub(crate) fn blank_branches(text: &str) -> String {
    let mut macros: HashMap<String, i64> =
        PREDEFINED.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let mut open: Vec<Open> = Vec::new();
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let taken = open.last().is_none_or(|branch| branch.now);
        let understood = match line.strip_prefix('#') {
            Some(directive) => follow(directive.trim(), taken, &mut open, &mut macros),
            None => false,
        };
        if understood || !taken {
            out.extend(line.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }));
        } else {
            out.extend_from_slice(line.as_bytes());
        }
    }
    String::from_utf8(out).expect("whole lines are kept or made blank")
}

/// Does what a directive says; `false` if that is not known here.
fn follow(directive: &str, taken: bool, open: &mut Vec<Open>, macros: &mut HashMap<String, i64>) -> bool {
    let (word, rest) = directive.split_once(|c: char| !c.is_ascii_alphabetic()).unwrap_or((directive, ""));
    // `#if(x)`: what separates the words is part of the condition.
    let rest = if rest.is_empty() { "" } else { &directive[word.len()..] };
    let rest = rest.split("/*").next().unwrap_or("").split("//").next().unwrap_or("").trim();
    let mut begin = |condition: Option<bool>| {
        let now = taken && condition.unwrap_or(false);
        open.push(Open { around: taken, taken: now, now });
        // A condition that cannot be parsed is an error, but only where its branch matters.
        condition.is_some() || !taken
    };
    match word {
        "if" => begin(evaluate(rest, macros)),
        "ifdef" => begin(Some(macros.contains_key(rest))),
        "ifndef" => begin(Some(!macros.contains_key(rest))),
        "elif" => match open.last_mut() {
            Some(branch) => {
                let condition = evaluate(rest, macros);
                branch.now = branch.around && !branch.taken && condition.unwrap_or(false);
                branch.taken |= branch.now;
                condition.is_some() || !branch.around
            }
            None => false,
        },
        "else" => match open.last_mut() {
            Some(branch) => {
                branch.now = branch.around && !branch.taken;
                branch.taken = true;
                true
            }
            None => false,
        },
        "endif" => open.pop().is_some(),
        "define" if taken => {
            let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, "1"));
            let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            match value.trim().parse() {
                Ok(value) if plain => {
                    macros.insert(name.to_owned(), value);
                    true
                }
                _ => false,
            }
        }
        "undef" if taken => {
            macros.remove(rest);
            true
        }
        "line" | "warning" | "" => true,
        _ => !taken,
    }
}

/// The value of a condition; `None` if it is not one.
fn evaluate(text: &str, macros: &HashMap<String, i64>) -> Option<bool> {
    let mut condition = Condition { rest: text, macros, depth: 0 };
    let value = condition.binary(0)?;
    condition.rest.trim().is_empty().then_some(value != 0)
}

/// A condition while it is read.
struct Condition<'a> {
    rest: &'a str,
    macros: &'a HashMap<String, i64>,
    depth: usize,
}

/// Operators with their precedence, the longer ones first.
const OPERATORS: [(&str, u8); 11] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<=", 4),
    (">=", 4),
    ("<", 4),
    (">", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
];

impl<'a> Condition<'a> {
    /// Parentheses and negations nest no deeper than this.
    const DEEPEST: usize = 200;

    fn binary(&mut self, least: u8) -> Option<i64> {
        let mut left = self.unary()?;
        loop {
            let rest = self.rest.trim_start();
            let Some((operator, precedence)) = OPERATORS.iter().find(|(text, _)| rest.starts_with(text))
            else {
                return Some(left);
            };
            if *precedence <= least {
                return Some(left);
            }
            self.rest = &rest[operator.len()..];
            let right = self.binary(*precedence)?;
            left = match *operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                _ => left.wrapping_mul(right),
            };
        }
    }

    fn unary(&mut self) -> Option<i64> {
        self.depth += 1;
        let value = if self.depth > Condition::DEEPEST { None } else { self.operand() };
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Option<i64> {
        if self.eat("!") {
            return self.unary().map(|value| i64::from(value == 0));
        }
        if self.eat("-") {
            return self.unary().map(i64::wrapping_neg);
        }
        if self.eat("(") {
            let value = self.binary(0)?;
            return self.eat(")").then_some(value);
        }
        let word = self.word();
        if word.is_empty() {
            return None;
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return word.trim_end_matches(['L', 'U', 'l', 'u']).parse().ok();
        }
        if word == "defined" {
            let parenthesis = self.eat("(");
            let name = self.word();
            return (!name.is_empty() && (!parenthesis || self.eat(")")))
                .then(|| i64::from(self.macros.contains_key(name)));
        }
        if word.starts_with("MIN_VERSION_") {
            return self.version(word);
        }
        Some(self.macros.get(word).copied().unwrap_or(0))
    }

    fn version(&mut self, name: &str) -> Option<i64> {
        let mut asked = [0; 4];
        for (place, number) in asked.iter_mut().enumerate() {
            if !self.eat(if place == 0 { "(" } else { "," }) {
                break;
            }
            *number = self.binary(0)?;
        }
        let version = VERSIONS.iter().find(|(package, _)| *package == name).map(|(_, version)| *version);
        self.eat(")").then(|| i64::from(version.is_none_or(|version| version >= asked)))
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.trim_start();
        // `!` is not the beginning of `!=`.
        let found = rest.starts_with(text) && !(text == "!" && rest.starts_with("!="));
        if found {
            self.rest = &rest[text.len()..];
        }
        found
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.rest = &rest[end..];
        &rest[..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kept: &str) {
        let blanked = blank_branches(text);
        assert_eq!(blanked.len(), text.len());
        let lines: Vec<&str> = blanked.lines().filter(|line| !line.trim().is_empty()).collect();
        assert_eq!(lines.join("|"), kept);
    }

    #[test]
    fn branches_are_chosen() {
        check("#ifdef __GLASGOW_HASKELL__\na\n#else\nb\n#endif\nc\n", "a|c");
        check("#ifndef __GLASGOW_HASKELL__\na\n#else\nb\n#endif\n", "b");
        check("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b");
        check("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c");
        check("#define X\n#if defined(X) && !defined Y\na\n#endif\n#undef X\n#ifdef X\nb\n#endif", "a");
        check("#define N 3\n#if N >= 2 + 1 && (N != 4 || 0)\na\n#endif", "a");
    }

    #[test]
    fn versions_are_compared() {
        check("#if MIN_VERSION_base(4,9,0)\na\n#endif", "a");
        check("#if MIN_VERSION_base(4,16,0)\na\n#else\nb\n#endif", "b");
        check("#if !MIN_VERSION_lens(4,16,0)\na\n#endif", "");
        check("#if __GLASGOW_HASKELL__ >= 710\na\n#endif", "a");
    }

    #[test]
    fn what_is_not_known_is_left_to_be_told() {
        check("#include \"x.h\"\na", "#include \"x.h\"|a");
        check("#define F(x) x\na", "#define F(x) x|a");
        check("#if 1 +\na\n#endif", "#if 1 +");
        check("#endif\na", "#endif|a");
        check("#if 0\n#include \"x.h\"\n#endif", "");
        let deep = format!("#if {}1\na\n#endif", "(".repeat(100_000));
        assert!(blank_branches(&deep).starts_with("#if"));
    }

    #[test]
    fn only_a_pragma_asks_for_it() {
        assert!(is_wanted("{-# LANGUAGE BangPatterns, CPP #-}\nmodule M where"));
        assert!(is_wanted("-- x\n{-# language CPP#-}"));
        assert!(!is_wanted("-- CPP\nmodule M where\nx = {-# SCC CPP #-} 1"));
    }
}
