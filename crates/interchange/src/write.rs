//! Writing an interchange file.

use super::VERSION;
use super::language;
use gadfly_source::{Position, Region, Sources};
use gadfly_term::render::Style;
use gadfly_term::{Equation, Outcome, Shape, TermId, Terms};
use gadfly_tree::{About, Kind, Rule};
use std::io::{self, Write};

/// A node's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Id<'a> {
    /// A number: the cheaper way.
    Number(i64),
    /// A text.
    Text(&'a str),
}

/// A node to be written.
#[derive(Clone, Copy, Debug)]
pub struct NodeLine<'a> {
    /// Its id, unique in the file.
    pub id: Id<'a>,
    /// The parent's id; `None` for the root.
    pub parent: Option<Id<'a>>,
    /// Its kind.
    pub kind: Kind,
    /// The code it stands for. The equation's function is not written: it is this one's.
    pub rule: &'a Rule,
    /// What was computed. Names of arguments are written if all arguments have one.
    pub equation: &'a Equation,
    /// The pieces of code that ran, where that is known better than "the rule".
    pub code: &'a [Region],
}

/// Writes an interchange file: first the header, then the nodes in any order. Give it something buffered.
#[derive(Debug)]
pub struct Writer<'s, W: Write> {
    out: W,
    sources: &'s Sources,
    line: Vec<u8>,
}

impl<'s, W: Write> Writer<'s, W> {
    /// Begins a file; the sources are written with their texts.
    pub fn new(out: W, about: &About, sources: &'s Sources) -> io::Result<Self> {
        let mut writer = Writer { out, sources, line: Vec::new() };
        let line = &mut writer.line;
        line.extend_from_slice(format!("{{\"gadfly\": {VERSION}, \"language\": ").as_bytes());
        string(line, &about.language);
        if let Some(program) = &about.program {
            line.extend_from_slice(b", \"program\": ");
            string(line, program);
        }
        if about.style != language::style(&about.language) {
            line.extend_from_slice(match about.style {
                Style::Juxtaposed => b", \"style\": \"juxtaposed\"",
                Style::Called => b", \"style\": \"called\"",
            });
        }
        line.extend_from_slice(b", \"sources\": [");
        for (index, (_, file)) in sources.iter().enumerate() {
            line.extend_from_slice(if index > 0 { b", {\"file\": " } else { b"{\"file\": " });
            string(line, file.name());
            if let Some(text) = file.text() {
                line.extend_from_slice(b", \"text\": ");
                string(line, text);
            }
            line.push(b'}');
        }
        line.push(b']');
        writer.end_line()?;
        Ok(writer)
    }

    /// Writes a node.
    pub fn node(&mut self, node: &NodeLine<'_>) -> io::Result<()> {
        let line = &mut self.line;
        line.extend_from_slice(b"{\"id\": ");
        id(line, node.id);
        if let Some(parent) = node.parent {
            line.extend_from_slice(b", \"parent\": ");
            id(line, parent);
        }
        if node.kind != Kind::Routine {
            line.extend_from_slice(b", \"kind\": ");
            string(line, node.kind.name());
        }
        line.extend_from_slice(b", \"function\": ");
        string(line, &node.rule.function);
        if let Some(number) = node.rule.number {
            line.extend_from_slice(format!(", \"rule\": {number}").as_bytes());
        }
        if let Some(module) = &node.rule.module {
            line.extend_from_slice(b", \"module\": ");
            string(line, module);
        }
        if let Some(region) = node.rule.region {
            line.extend_from_slice(b", \"span\": ");
            place(line, self.sources, region);
        }
        equation(line, node.equation);
        if !node.code.is_empty() {
            line.extend_from_slice(b", \"code\": [");
            for (index, region) in node.code.iter().enumerate() {
                line.extend_from_slice(if index > 0 { b", " } else { b"" });
                place(line, self.sources, *region);
            }
            line.push(b']');
        }
        self.end_line()
    }

    /// Ends the file and gives back what it was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.extend_from_slice(b"}\n");
        self.out.write_all(&self.line)?;
        self.line.clear();
        Ok(())
    }
}

fn id(line: &mut Vec<u8>, id: Id<'_>) {
    match id {
        Id::Number(number) => line.extend_from_slice(number.to_string().as_bytes()),
        Id::Text(text) => string(line, text),
    }
}

fn place(line: &mut Vec<u8>, sources: &Sources, region: Region) {
    line.extend_from_slice(b"{\"file\": ");
    string(line, sources.file(region.file).name());
    let (Position { line: from, column }, end) = (region.start, region.end);
    let rest = format!(", \"start\": [{from},{column}], \"end\": [{},{}]}}", end.line, end.column);
    line.extend_from_slice(rest.as_bytes());
}

fn equation(line: &mut Vec<u8>, equation: &Equation) {
    let terms = &equation.terms;
    if !equation.arguments.is_empty() {
        line.extend_from_slice(b", \"args\": ");
        let named = equation.arguments.iter().all(|argument| argument.name.is_some());
        line.push(if named { b'{' } else { b'[' });
        for (index, argument) in equation.arguments.iter().enumerate() {
            line.extend_from_slice(if index > 0 { b", " } else { b"" });
            if let Some(name) = argument.name.as_deref().filter(|_| named) {
                string(line, name);
                line.extend_from_slice(b": ");
            }
            term(line, terms, argument.value);
        }
        line.push(if named { b'}' } else { b']' });
    }
    match equation.outcome {
        Outcome::Value(value) => {
            line.extend_from_slice(b", \"result\": ");
            term(line, terms, value);
        }
        Outcome::Exception(value) => {
            line.extend_from_slice(b", \"exception\": ");
            term(line, terms, value);
        }
        Outcome::Nothing => {}
        Outcome::Unfinished => line.extend_from_slice(b", \"unfinished\": true"),
    }
    for (field, bindings) in [("before", &equation.before), ("after", &equation.after)] {
        if bindings.is_empty() {
            continue;
        }
        line.extend_from_slice(format!(", \"{field}\": {{").as_bytes());
        for (index, binding) in bindings.iter().enumerate() {
            line.extend_from_slice(if index > 0 { b", " } else { b"" });
            string(line, &binding.name);
            line.extend_from_slice(b": ");
            term(line, terms, binding.value);
        }
        line.push(b'}');
    }
}

/// What is still to be written of a term.
enum Rest {
    Term(TermId),
    Text(&'static str),
}

fn term(line: &mut Vec<u8>, terms: &Terms, id: TermId) {
    let mut rest = vec![Rest::Term(id)];
    while let Some(next) = rest.pop() {
        let id = match next {
            Rest::Text(text) => {
                line.extend_from_slice(text.as_bytes());
                continue;
            }
            Rest::Term(id) => id,
        };
        let mut parts = |parts: &[TermId], close| {
            rest.push(Rest::Text(close));
            for (index, part) in parts.iter().enumerate().rev() {
                rest.push(Rest::Term(*part));
                rest.push(Rest::Text(if index > 0 { "," } else { "" }));
            }
        };
        match terms.shape(id) {
            Shape::Con(name, args) => named(line, "con", name, "args", '[', args, "]}", &mut parts),
            Shape::Function(name, args) => named(line, "fun", name, "args", '[', args, "]}", &mut parts),
            Shape::Record(name, fields) => {
                named(line, "record", name, "fields", '{', fields, "}}", &mut parts)
            }
            Shape::Object(name, fields) => {
                named(line, "object", name, "fields", '{', fields, "}}", &mut parts)
            }
            Shape::Tuple(elements) => {
                line.extend_from_slice(b"{\"tuple\":[");
                parts(elements, "]}");
            }
            Shape::List(elements) => {
                line.push(b'[');
                parts(elements, "]");
            }
            Shape::FiniteMap(entries) => {
                line.extend_from_slice(b"{\"map\":[");
                parts(entries, "]}");
            }
            Shape::Entry(..) => {
                line.push(b'[');
                parts(terms.children(id), "]");
            }
            Shape::Field(name, value) => {
                string(line, name);
                line.push(b':');
                parts(&[value], "");
            }
            Shape::Str(text, more) => {
                if more == 0 {
                    string(line, text);
                } else {
                    text_form(line, "str", text);
                    line.pop();
                    line.extend_from_slice(format!(",\"more\":{more}}}").as_bytes());
                }
            }
            Shape::Char(text) => text_form(line, "char", text),
            Shape::Number(text) if is_json_number(text) => line.extend_from_slice(text.as_bytes()),
            Shape::Number(text) => text_form(line, "num", text),
            Shape::Opaque(text) => text_form(line, "opaque", text),
            Shape::Unevaluated => line.extend_from_slice(b"{\"unevaluated\":true}"),
            Shape::Omitted(0) => line.extend_from_slice(b"{\"omitted\":true}"),
            Shape::Omitted(count) => line.extend_from_slice(format!("{{\"omitted\":{count}}}").as_bytes()),
        }
    }
}

/// A form of a name and parts.
#[allow(clippy::too_many_arguments, reason = "each is another part of the form")]
fn named<'p>(
    line: &mut Vec<u8>,
    form: &str,
    name: &str,
    field: &str,
    open: char,
    children: &'p [TermId],
    close: &'static str,
    parts: &mut impl FnMut(&'p [TermId], &'static str),
) {
    text_form(line, form, name);
    if !children.is_empty() {
        line.pop();
        line.extend_from_slice(format!(",\"{field}\":{open}").as_bytes());
        parts(children, close);
    }
}

/// `{"form":"text"}`.
fn text_form(line: &mut Vec<u8>, form: &str, text: &str) {
    line.extend_from_slice(format!("{{\"{form}\":").as_bytes());
    string(line, text);
    line.push(b'}');
}

fn is_json_number(text: &str) -> bool {
    let mut scanner = super::scan::Scanner::new(text.as_bytes());
    scanner.number().is_ok_and(|number| number.len() == text.len())
}

/// A JSON string.
fn string(line: &mut Vec<u8>, text: &str) {
    line.push(b'"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !matches!(byte, b'"' | b'\\' | 0..0x20) {
            continue;
        }
        line.extend_from_slice(&text.as_bytes()[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => line.extend_from_slice(b"\\\""),
            b'\\' => line.extend_from_slice(b"\\\\"),
            b'\n' => line.extend_from_slice(b"\\n"),
            b'\t' => line.extend_from_slice(b"\\t"),
            b'\r' => line.extend_from_slice(b"\\r"),
            _ => line.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
    }
    line.extend_from_slice(&text.as_bytes()[plain..]);
    line.push(b'"');
}
