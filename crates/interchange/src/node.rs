//! The fields of a node's line: where each stands, all of them checked.

use super::error::Fault;
use super::grammar::{Check, Open, term};
use super::rules::Runs;
use super::scan::{Scan, Scanner, decode};
use gadfly_tree::{Kind, RuleId};
use std::ops::Range;

/// An id as it stands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IdText {
    /// A whole number.
    Whole(i64),
    /// A whole number of more digits.
    Big(Range<usize>),
    /// A string, without its quotes.
    Text(Range<usize>),
}

/// What a line says the call came to, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OutcomeText {
    Value(Range<usize>),
    Exception(Range<usize>),
    Nothing,
    Unfinished,
}

/// The fields of a line. A range that is empty says that the field is not there; strings are without their quotes.
#[derive(Clone, Debug)]
pub(crate) struct NodeFields {
    pub id: IdText,
    pub parent: Option<IdText>,
    pub kind: Kind,
    pub function: Range<usize>,
    pub rule: Range<usize>,
    pub module: Range<usize>,
    pub span: Range<usize>,
    pub args: Range<usize>,
    pub outcome: OutcomeText,
    pub before: Range<usize>,
    pub after: Range<usize>,
    pub code: Range<usize>,
    /// The rule, if it was recognised by its bytes; its fields are then not looked at, and their ranges are empty.
    pub known: Option<RuleId>,
    /// The fields that follow the function without a gap and say which rule it is, and where they end.
    pub run_fields: u16,
    pub run_end: usize,
    seen: u16,
}

impl NodeFields {
    /// The fields of the line that say which rule it is.
    pub(crate) fn rule_fields(&self) -> u16 {
        self.seen & RULE_FIELDS
    }
}

const RULE_FIELDS: u16 = Field::Rule.bit() | Field::Module.bit() | Field::Span.bit();

/// The fields a line may have, in the order of their bits.
#[derive(Clone, Copy)]
enum Field {
    Id,
    Parent,
    Kind,
    Function,
    Rule,
    Module,
    Span,
    Args,
    Result,
    Exception,
    Unfinished,
    Before,
    After,
    Code,
}

impl Field {
    const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// Reads a key and its colon; `None` for a key that means nothing here.
    #[inline]
    fn read(scanner: &mut Scanner<'_>) -> Scan<Option<Field>> {
        scanner.peek();
        // The closing quote is compared too, so a known key need not be looked through for its end.
        let rest = &scanner.line()[scanner.at()..];
        let known = |field: Field, key: &str| rest.starts_with(key.as_bytes()).then_some((field, key.len()));
        let found = match rest.get(1) {
            Some(b'i') => known(Field::Id, "\"id\""),
            Some(b'p') => known(Field::Parent, "\"parent\""),
            Some(b'k') => known(Field::Kind, "\"kind\""),
            Some(b'f') => known(Field::Function, "\"function\""),
            Some(b'r') => known(Field::Result, "\"result\"").or_else(|| known(Field::Rule, "\"rule\"")),
            Some(b'm') => known(Field::Module, "\"module\""),
            Some(b's') => known(Field::Span, "\"span\""),
            Some(b'a') => known(Field::Args, "\"args\"").or_else(|| known(Field::After, "\"after\"")),
            Some(b'e') => known(Field::Exception, "\"exception\""),
            Some(b'u') => known(Field::Unfinished, "\"unfinished\""),
            Some(b'b') => known(Field::Before, "\"before\""),
            Some(b'c') => known(Field::Code, "\"code\""),
            _ => None,
        };
        let Some((field, length)) = found else {
            return Ok(Field::by_name(&scanner.name()?));
        };
        scanner.advance(length);
        scanner.expect(b':')?;
        Ok(Some(field))
    }

    fn name(self) -> &'static str {
        Field::ALL[self as usize].1
    }

    fn by_name(name: &[u8]) -> Option<Field> {
        Field::ALL.iter().find(|(_, known)| known.as_bytes() == name).map(|(field, _)| *field)
    }

    const ALL: [(Field, &str); 14] = [
        (Field::Id, "id"),
        (Field::Parent, "parent"),
        (Field::Kind, "kind"),
        (Field::Function, "function"),
        (Field::Rule, "rule"),
        (Field::Module, "module"),
        (Field::Span, "span"),
        (Field::Args, "args"),
        (Field::Result, "result"),
        (Field::Exception, "exception"),
        (Field::Unfinished, "unfinished"),
        (Field::Before, "before"),
        (Field::After, "after"),
        (Field::Code, "code"),
    ];
}

/// Reads a node's line. `open` is scratch space; `runs` are the rules that are known by their bytes.
pub(crate) fn node(line: &[u8], open: &mut Vec<Open>, runs: Option<&Runs>) -> Scan<NodeFields> {
    let mut scanner = Scanner::new(line);
    if !scanner.accept(b'{') {
        return Err(scanner.unexpected("an object"));
    }
    let mut fields = NodeFields {
        id: IdText::Whole(0),
        parent: None,
        kind: Kind::Routine,
        function: 0..0,
        rule: 0..0,
        module: 0..0,
        span: 0..0,
        args: 0..0,
        outcome: OutcomeText::Nothing,
        before: 0..0,
        after: 0..0,
        code: 0..0,
        known: None,
        run_fields: 0,
        run_end: 0,
        seen: 0,
    };
    let mut running = false;
    let mut more = !scanner.accept(b'}');
    while more {
        let at = scanner.at();
        match Field::read(&mut scanner)? {
            Some(field) => {
                if fields.seen & field.bit() != 0 {
                    let hint = "write every field once";
                    return Err(Fault::field(at, "this field occurs twice", hint).within(field.name()));
                }
                if fields.known.is_some() && field.bit() & RULE_FIELDS != 0 {
                    // The run was not all that this line says about its rule.
                    return node(line, open, None);
                }
                fields.seen |= field.bit();
                take(field, &mut fields, &mut scanner, open).map_err(|fault| fault.within(field.name()))?;
                if field.bit() & RULE_FIELDS != 0 && running {
                    fields.run_fields |= field.bit();
                    fields.run_end = scanner.at();
                } else {
                    running = false;
                }
                if let Field::Function = field {
                    running = true;
                    fields.run_end = scanner.at();
                    if fields.rule_fields() == 0
                        && let Some((run, end)) = runs.and_then(|runs| runs.find(line, &fields.function))
                    {
                        fields.known = Some(run.rule);
                        fields.seen |= run.fields;
                        scanner.advance(end - scanner.at());
                    }
                }
            }
            None => {
                running = false;
                scanner.skip()?;
            }
        }
        more = scanner.more(b'}')?;
    }
    scanner.end()?;
    for field in [Field::Id, Field::Function] {
        if fields.seen & field.bit() == 0 {
            let message = format!("the node has no `{}`", field.name());
            return Err(
                Fault::field(0, message, "every node has an `id` and a `function`").within(field.name())
            );
        }
    }
    Ok(fields)
}

/// Reads the value of a field.
#[inline]
fn take(field: Field, fields: &mut NodeFields, scanner: &mut Scanner<'_>, open: &mut Vec<Open>) -> Scan<()> {
    let first = scanner.peek();
    let start = scanner.at();
    let optional = !matches!(field, Field::Id | Field::Function | Field::Result | Field::Exception);
    if optional && first == b'n' {
        return scanner.word("null");
    }
    match field {
        Field::Id => fields.id = id(scanner)?,
        Field::Parent => fields.parent = Some(id(scanner)?),
        Field::Kind => fields.kind = kind(scanner)?,
        Field::Function => fields.function = quoted(scanner)?,
        Field::Module => fields.module = quoted(scanner)?,
        Field::Rule => {
            scanner.number()?;
            fields.rule = start..scanner.at();
        }
        Field::Span => {
            scanner.skip()?;
            fields.span = start..scanner.at();
        }
        Field::Code => {
            scanner.skip()?;
            fields.code = start..scanner.at();
        }
        Field::Args => {
            match first {
                b'[' => terms(scanner, open)?,
                b'{' => named_terms(scanner, open)?,
                _ => return Err(scanner.wanted("an array or an object of values")),
            }
            fields.args = start..scanner.at();
        }
        Field::Before => {
            named_terms(scanner, open)?;
            fields.before = start..scanner.at();
        }
        Field::After => {
            named_terms(scanner, open)?;
            fields.after = start..scanner.at();
        }
        Field::Result => {
            term(scanner, open, &mut Check)?;
            outcome(fields, start, OutcomeText::Value(start..scanner.at()))?;
        }
        Field::Exception => {
            term(scanner, open, &mut Check)?;
            outcome(fields, start, OutcomeText::Exception(start..scanner.at()))?;
        }
        Field::Unfinished => {
            if scanner.boolean()? {
                outcome(fields, start, OutcomeText::Unfinished)?;
            }
        }
    }
    Ok(())
}

fn outcome(fields: &mut NodeFields, at: usize, outcome: OutcomeText) -> Scan<()> {
    if fields.outcome != OutcomeText::Nothing {
        let message = "a node has only one of `result`, `exception` and `unfinished`";
        return Err(Fault::field(at, message, "remove those that do not apply"));
    }
    fields.outcome = outcome;
    Ok(())
}

fn quoted(scanner: &mut Scanner<'_>) -> Scan<Range<usize>> {
    let text = scanner.string()?;
    let end = scanner.at() - 1;
    Ok(end - text.len()..end)
}

#[inline]
fn id(scanner: &mut Scanner<'_>) -> Scan<IdText> {
    if scanner.peek() == b'"' {
        return Ok(IdText::Text(quoted(scanner)?));
    }
    let start = scanner.at();
    if let Some(number) = scanner.small_whole() {
        return Ok(IdText::Whole(number));
    }
    let text = match scanner.number() {
        Ok(text) => text,
        Err(fault) if fault.problem == super::Problem::BadJson => return Err(fault),
        Err(_) => return Err(scanner.wanted("a whole number or a string")),
    };
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        let message = "an id must be a whole number or a string";
        return Err(Fault::field(start, message, "write it without a fraction or an exponent, or in quotes"));
    }
    if digits.len() > 18 {
        return Ok(IdText::Big(start..scanner.at()));
    }
    let number = digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    Ok(IdText::Whole(if negative { -number } else { number }))
}

fn kind(scanner: &mut Scanner<'_>) -> Scan<Kind> {
    let at = scanner.at();
    let name = scanner.string()?;
    if name == b"routine" {
        return Ok(Kind::Routine);
    }
    Kind::from_name(&decode(name)).ok_or_else(|| {
        let hint = "kinds are routine, loop, iteration, block, projection and collapse";
        Fault::field(at, "unknown kind of node", hint)
    })
}

/// An array of terms.
#[inline]
fn terms(scanner: &mut Scanner<'_>, open: &mut Vec<Open>) -> Scan<()> {
    scanner.expect(b'[')?;
    let mut more = !scanner.accept(b']');
    while more {
        term(scanner, open, &mut Check)?;
        more = scanner.more(b']')?;
    }
    Ok(())
}

/// An object of terms.
fn named_terms(scanner: &mut Scanner<'_>, open: &mut Vec<Open>) -> Scan<()> {
    if !scanner.accept(b'{') {
        return Err(scanner.wanted("an object of names and values"));
    }
    let mut more = !scanner.accept(b'}');
    while more {
        scanner.key()?;
        term(scanner, open, &mut Check)?;
        more = scanner.more(b'}')?;
    }
    Ok(())
}
