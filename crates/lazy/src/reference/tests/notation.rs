//! Equations as people write them, for tests: `f [1,2] {3 ↦ 4} = Just _ where x = 5`.
//!
//! Names that begin with a small letter, and names in backquotes, are functions. The result may be `⊥ "message"` or
//! `unfinished`; what an action gave and printed is `IO () "text"`.

use gadfly_term::{Argument, Binding, Equation, Outcome, TermId, Terms};

pub(super) fn equation(text: &str) -> Equation {
    let mut reader = Reader { text, terms: Terms::new() };
    let function = reader.name();
    let mut arguments = Vec::new();
    while !reader.eat("=") {
        arguments.push(Argument { name: None, value: reader.atom() });
    }
    let outcome = if reader.eat("unfinished") {
        Outcome::Unfinished
    } else if reader.eat("⊥") {
        Outcome::Exception(if reader.rest().is_empty() { reader.terms.unevaluated() } else { reader.atom() })
    } else {
        Outcome::Value(reader.term())
    };
    let mut before = Vec::new();
    if reader.eat("where") {
        loop {
            let name = reader.name();
            assert!(reader.eat("="), "{text}");
            before.push(Binding { name: name.into(), value: reader.term() });
            if !reader.eat(",") {
                break;
            }
        }
    }
    assert_eq!(reader.rest(), "", "{text}");
    Equation {
        terms: reader.terms,
        function: function.into(),
        instances: Vec::new(),
        inside: false,
        arguments,
        outcome,
        before,
        after: Vec::new(),
    }
}

struct Reader<'t> {
    text: &'t str,
    terms: Terms,
}

impl<'t> Reader<'t> {
    fn rest(&mut self) -> &'t str {
        self.text = self.text.trim_start();
        self.text
    }

    fn eat(&mut self, word: &str) -> bool {
        let rest = self.rest().strip_prefix(word);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    /// A name, or anything in backquotes.
    fn name(&mut self) -> &'t str {
        let rest = self.rest();
        if let Some(quoted) = rest.strip_prefix('`') {
            let (name, rest) = quoted.split_once('`').unwrap();
            self.text = rest;
            return name;
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && !"_'".contains(c)).unwrap_or(rest.len());
        self.text = &rest[end..];
        &rest[..end]
    }

    /// A constructor or function with arguments, or an atom. `x : xs` is to the right.
    fn term(&mut self) -> TermId {
        let first = match self.rest().chars().next() {
            Some('`') => true,
            Some(c) => c.is_alphabetic(),
            None => false,
        };
        let term = if first {
            let quoted = self.rest().starts_with('`');
            let name = self.name();
            if self.eat("{") {
                return self.record(name);
            }
            let mut parts = Vec::new();
            while self.begins_atom() {
                parts.push(self.atom());
            }
            let function = quoted && !name.starts_with(':')
                || name.starts_with(char::is_lowercase) && !["fromList", "array"].contains(&name);
            match function {
                true => self.terms.function(name, &parts),
                false => self.terms.con(name, &parts),
            }
        } else {
            self.atom()
        };
        if self.eat(":") {
            let rest = self.term();
            return self.terms.con(":", &[term, rest]);
        }
        if self.eat("%") {
            let rest = self.term();
            return self.terms.con("%", &[term, rest]);
        }
        term
    }

    fn begins_atom(&mut self) -> bool {
        let rest = self.rest();
        !rest.starts_with("where")
            && rest.starts_with(|c: char| c.is_alphanumeric() || "`\"'[({_…<⊥-".contains(c))
    }

    fn record(&mut self, name: &str) -> TermId {
        let mut fields = Vec::new();
        while !self.eat("}") {
            let field = self.name();
            assert!(self.eat("="));
            let value = self.term();
            fields.push(self.terms.field(field, value));
            self.eat(",");
        }
        self.terms.record(name, &fields)
    }

    fn many(&mut self, end: &str) -> Vec<TermId> {
        let mut parts = Vec::new();
        while !self.eat(end) {
            parts.push(self.term());
            self.eat(",");
        }
        parts
    }

    fn atom(&mut self) -> TermId {
        let rest = self.rest();
        match rest.chars().next().unwrap() {
            '[' => {
                self.eat("[");
                let parts = self.many("]");
                self.terms.list(&parts)
            }
            '(' => {
                self.eat("(");
                let parts = self.many(")");
                if let [one] = parts[..] { one } else { self.terms.tuple(&parts) }
            }
            '{' => {
                self.eat("{");
                let mut entries = Vec::new();
                while !self.eat("}") {
                    let mut arguments = Vec::new();
                    while !self.eat("↦") {
                        arguments.push(self.atom());
                    }
                    let result = self.term();
                    entries.push(self.terms.entry(&arguments, result));
                    self.eat(",");
                }
                self.terms.finite_map(&entries)
            }
            '"' => {
                let (text, rest) = rest[1..].split_once('"').unwrap();
                self.text = rest;
                let text = text.replace("\\n", "\n");
                if self.eat("…") { self.terms.str(&text, 1) } else { self.terms.str(&text, 0) }
            }
            '\'' if rest.chars().nth(2) == Some('\'') => {
                let char: String = rest.chars().skip(1).take(1).collect();
                self.text = &rest[2 + char.len()..];
                self.terms.char(&char)
            }
            '_' => {
                self.eat("_");
                self.terms.unevaluated()
            }
            '…' => {
                self.eat("…");
                self.terms.omitted(0)
            }
            '<' => {
                let (text, rest) = rest[1..].split_once('>').unwrap();
                self.text = rest;
                if text.starts_with("printing") {
                    return self.terms.opaque(text);
                }
                self.terms.opaque(&format!("<{text}>"))
            }
            '⊥' => {
                self.eat("⊥");
                self.terms.opaque("⊥")
            }
            c if c.is_ascii_digit() || c == '-' => {
                let end = rest[1..].find(|c: char| !c.is_ascii_alphanumeric() && !".-".contains(c));
                let (number, rest) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
                self.text = rest;
                self.terms.number(number)
            }
            _ => {
                let quoted = rest.starts_with('`');
                let name = self.name();
                match quoted || name.starts_with(char::is_lowercase) {
                    true => self.terms.function(name, &[]),
                    false => self.terms.con(name, &[]),
                }
            }
        }
    }
}
