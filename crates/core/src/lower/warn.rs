//! Warnings about patterns: cases that are missing, and equations that are never reached.
//!
//! Both are questions about usefulness (Maranget 2007): whether there is a value that a row of patterns fits and the
//! rows before it do not. A row of wildcards after all others finds the missing cases, and the value found is
//! the example. Guards count as if they might fail. The question is NP-complete, so the work is bounded:
//! beyond the bound no warning is given.

use gadfly_source::{Diagnostic, Span};
use gadfly_syntax::tree::{Alternative, PatId, Rhs, Rule};
use gadfly_typing::interface::ConstructorId;
use rustc_hash::FxHashSet;

use super::Lowering;
use super::pattern::{Layer, PatRef};
use crate::kernel::{Literal, Name};

/// How many rows may be looked at for one function.
const EFFORT: usize = 400_000;
/// How deep a value may be.
const DEPTH: usize = 2_000;

/// An equation or alternative to check.
struct Judged {
    patterns: Vec<PatRef>,
    /// Whether it may fall through although its patterns fit.
    falls: bool,
    span: Span,
}

/// What a pattern looks at first.
#[derive(Clone, PartialEq)]
enum Head {
    Any,
    Constructor(ConstructorId, Vec<PatRef>),
    Literal(Literal),
    /// A pattern that the check cannot analyse, such as a view pattern: it may fit any value or none.
    Opaque,
}

/// A value that no row fits.
#[derive(Clone, Debug)]
enum Missing {
    Any,
    /// A literal, as text.
    Literal(String),
    Constructor(ConstructorId, Vec<Missing>),
}

/// The bound was reached.
struct TooHard;

impl Lowering<'_> {
    fn warns(&self) -> bool {
        !self.library[self.module.index()] && !self.is_curry()
    }

    pub(super) fn warn_equations(&mut self, name: Name, rules: &[Rule], span: Span) {
        if !self.warns() || rules.first().is_none_or(|rule| rule.patterns.is_empty()) {
            return;
        }
        let tree = self.tree();
        let judged: Vec<Judged> = rules
            .iter()
            .map(|rule| Judged {
                patterns: tree.list(rule.patterns).iter().map(|&pattern| PatRef::Pat(pattern)).collect(),
                falls: self.may_fall(rule.rhs),
                span: tree.span_of(rule.place),
            })
            .collect();
        let text = self.out.text(name).to_owned();
        let place = rules.first().map_or(span, |rule| tree.span_of(rule.name));
        let what = format!("the equations of `{text}` do not cover all arguments");
        self.warn_missing(&judged, &what, place, true, |missing| {
            let operator = !text.starts_with(|first: char| first.is_alphabetic() || first == '_');
            match (operator, missing) {
                (true, [left, right]) => format!("{left} {text} {right}"),
                (true, _) => format!("({text}) {}", missing.join(" ")),
                (false, _) => format!("{text} {}", missing.join(" ")),
            }
        });
        self.warn_unreached(&judged, "equation");
    }

    pub(super) fn warn_alternatives(&mut self, alternatives: &[Alternative], span: Span) {
        if !self.warns() || alternatives.is_empty() {
            return;
        }
        let tree = self.tree();
        let judged: Vec<Judged> = alternatives
            .iter()
            .map(|one| Judged {
                patterns: vec![PatRef::Pat(one.pattern)],
                falls: self.may_fall(one.rhs),
                span: tree.span_of(one.place),
            })
            .collect();
        let place = Span::new(span.file, span.start, judged.first().map_or(span.end, |one| one.span.start));
        self.warn_missing(&judged, "these alternatives do not cover all values", place, false, |missing| {
            missing.join(" ")
        });
        self.warn_unreached(&judged, "alternative");
    }

    pub(super) fn warn_lambda(&mut self, patterns: &[PatId], span: Span) {
        if !self.warns() {
            return;
        }
        let among = patterns.len() > 1;
        let patterns = patterns.iter().map(|&pattern| PatRef::Pat(pattern)).collect();
        let judged = [Judged { patterns, falls: false, span }];
        self.warn_missing(
            &judged,
            "the patterns of this lambda do not fit all arguments",
            span,
            among,
            |missing| missing.join(" "),
        );
    }

    fn may_fall(&self, rhs: Rhs) -> bool {
        !self.is_total(rhs)
    }

    fn warn_missing(
        &mut self,
        judged: &[Judged],
        what: &str,
        place: Span,
        among: bool,
        show: impl FnOnce(&[String]) -> String,
    ) {
        let columns = judged.first().map_or(0, |one| one.patterns.len());
        let sure =
            |one: &&Judged| !one.falls && one.patterns.iter().all(|&pattern| !self.has_opaque(pattern));
        let rows: Vec<Vec<PatRef>> = judged.iter().filter(sure).map(|one| one.patterns.clone()).collect();
        let Ok(Some(missing)) = self.missing(rows, columns) else { return };
        let all: Vec<Vec<PatRef>> = judged.iter().map(|one| one.patterns.clone()).collect();
        let by_guards = matches!(self.missing(all, columns), Ok(None));
        let texts: Vec<String> = missing.iter().map(|one| self.missing_text(one, among)).collect();
        let example = show(&texts);
        let label = match by_guards {
            true => format!("for example `{example}`, if none of the guards holds"),
            false => format!("for example `{example}`"),
        };
        self.diagnostics.push(Diagnostic::warning(what).at(place, label));
    }

    fn warn_unreached(&mut self, judged: &[Judged], what: &str) {
        let mut before: Vec<Vec<PatRef>> = Vec::new();
        let mut effort = EFFORT;
        for one in judged {
            let row = one.patterns.clone();
            let opaque = row.iter().any(|&pattern| self.has_opaque(pattern));
            if !opaque && matches!(self.useful(&before, row.clone(), &mut effort), Ok(false)) {
                let warning = Diagnostic::warning(format!("this {what} is never reached"))
                    .at(one.span, format!("those before it fit everything that this {what} fits"));
                self.diagnostics.push(warning);
            }
            if !one.falls && !opaque {
                before.push(row);
            }
        }
    }

    fn pattern_head(&self, pattern: PatRef) -> Head {
        let mut pattern = pattern;
        loop {
            match self.layer(pattern) {
                Layer::Wildcard | Layer::Local(_) | Layer::Value(_) | Layer::Lazy(_) | Layer::Missing => {
                    return Head::Any;
                }
                Layer::As(_, _, inner) | Layer::Bang(inner) => pattern = inner,
                Layer::Constructor(constructor, _, arguments) => {
                    return Head::Constructor(constructor, arguments);
                }
                Layer::Literal(literal) => return Head::Literal(literal),
                Layer::Overloaded { pattern, .. } => {
                    use gadfly_syntax::tree::{Literal as Syntax, Pat};
                    let Pat::Literal { literal, negative } = *self.tree().get(pattern) else {
                        return Head::Opaque;
                    };
                    let digits = match literal {
                        Syntax::Integer(value) => value.to_string(),
                        Syntax::LargeInteger(symbol) | Syntax::Fractional(symbol) => {
                            self.text(symbol).to_owned()
                        }
                        Syntax::Char(_) | Syntax::String(_) => return Head::Opaque,
                    };
                    let sign = if negative { "-" } else { "" };
                    return Head::Literal(Literal::Integer(format!("{sign}{digits}").into()));
                }
                Layer::View(..) | Layer::Functional(_) => return Head::Opaque,
            }
        }
    }

    /// Whether a pattern contains one that the check cannot analyse.
    fn has_opaque(&self, root: PatRef) -> bool {
        let mut stack = vec![root];
        let mut count = 0;
        while let Some(pattern) = stack.pop() {
            count += 1;
            match self.pattern_head(pattern) {
                Head::Opaque => return true,
                Head::Constructor(_, arguments) => stack.extend(arguments),
                Head::Any | Head::Literal(_) => {}
            }
            if count > EFFORT {
                return true;
            }
        }
        false
    }

    /// The rows that are left when the first value has a constructor or literal, with its parts in front.
    fn specialise(&self, rows: &[Vec<PatRef>], head: &Head) -> Vec<Vec<PatRef>> {
        let mut left = Vec::new();
        for row in rows {
            let Some((&first, rest)) = row.split_first() else { continue };
            let arguments = match (self.pattern_head(first), head) {
                (Head::Any | Head::Opaque, Head::Constructor(_, arguments)) => {
                    vec![PatRef::Wildcard; arguments.len()]
                }
                (Head::Any | Head::Opaque, _) => Vec::new(),
                (Head::Constructor(own, arguments), Head::Constructor(wanted, _)) if own == *wanted => {
                    arguments
                }
                (Head::Literal(own), Head::Literal(wanted)) if own == *wanted => Vec::new(),
                _ => continue,
            };
            left.push(arguments.into_iter().chain(rest.iter().copied()).collect());
        }
        left
    }

    /// The rows that are left when the first value is none that they name.
    fn default_rows(&self, rows: &[Vec<PatRef>]) -> Vec<Vec<PatRef>> {
        let any = |row: &&Vec<PatRef>| {
            row.first().is_some_and(|&first| matches!(self.pattern_head(first), Head::Any | Head::Opaque))
        };
        rows.iter().filter(any).map(|row| row[1..].to_vec()).collect()
    }

    /// The constructors that the first patterns name, and all that there are; none if they name none.
    fn signature(&self, rows: &[Vec<PatRef>]) -> (Vec<ConstructorId>, Vec<ConstructorId>) {
        let mut named = Vec::new();
        let mut seen = FxHashSet::default();
        for row in rows {
            if let Some(&first) = row.first()
                && let Head::Constructor(constructor, _) = self.pattern_head(first)
                && seen.insert(constructor)
            {
                named.push(constructor);
            }
        }
        let all = named.first().map_or_else(Vec::new, |&constructor| {
            let of = self.typed.constructors[constructor].of;
            // A constructor with a special result type may be impossible here: only the types would tell.
            let all = self.typed.type_constructors[of].constructors().iter().copied();
            all.filter(|one| !self.typed.constructors[*one].refines || named.contains(one)).collect()
        });
        (named, all)
    }

    fn arguments(&self, constructor: ConstructorId) -> Head {
        Head::Constructor(constructor, vec![PatRef::Wildcard; self.typed.constructors[constructor].arity()])
    }

    /// Values that none of the rows fits.
    fn missing(&self, rows: Vec<Vec<PatRef>>, columns: usize) -> Result<Option<Vec<Missing>>, TooHard> {
        let mut effort = EFFORT;
        self.missing_in(rows, columns, &mut effort, 0)
    }

    fn missing_in(
        &self,
        rows: Vec<Vec<PatRef>>,
        columns: usize,
        effort: &mut usize,
        depth: usize,
    ) -> Result<Option<Vec<Missing>>, TooHard> {
        *effort = effort.checked_sub(rows.len() + 1).ok_or(TooHard)?;
        if depth > DEPTH {
            return Err(TooHard);
        }
        if columns == 0 {
            return Ok(rows.is_empty().then(Vec::new));
        }
        let (named, all) = self.signature(&rows);
        if !all.is_empty() && named.len() == all.len() {
            *effort = effort.checked_sub(all.len() * rows.len()).ok_or(TooHard)?;
            for constructor in all {
                let arity = self.typed.constructors[constructor].arity();
                let left = self.specialise(&rows, &self.arguments(constructor));
                let Some(mut found) = self.missing_in(left, arity + columns - 1, effort, depth + 1)? else {
                    continue;
                };
                let rest = found.split_off(arity);
                let mut missing = vec![Missing::Constructor(constructor, found)];
                missing.extend(rest);
                return Ok(Some(missing));
            }
            return Ok(None);
        }
        let Some(rest) = self.missing_in(self.default_rows(&rows), columns - 1, effort, depth + 1)? else {
            return Ok(None);
        };
        let first = match all.iter().find(|constructor| !named.contains(constructor)) {
            Some(&constructor) => {
                let arity = self.typed.constructors[constructor].arity();
                Missing::Constructor(constructor, vec![Missing::Any; arity])
            }
            None => self.other_literal(&rows),
        };
        Ok(Some([vec![first], rest].concat()))
    }

    /// A literal that differs from all first patterns; any value if they have no literals.
    fn other_literal(&self, rows: &[Vec<PatRef>]) -> Missing {
        let mut literals = FxHashSet::default();
        let mut first_literal = None;
        for row in rows {
            if let Some(&first) = row.first()
                && let Head::Literal(literal) = self.pattern_head(first)
            {
                first_literal.get_or_insert_with(|| literal.clone());
                literals.insert(literal);
            }
        }
        let number = |make: fn(u32) -> Literal| {
            (0..=literals.len() as u32).find(|&value| !literals.contains(&make(value)))
        };
        let found = match first_literal {
            Some(Literal::Int(_)) => number(|value| Literal::Int(value.into())),
            Some(Literal::Word(_)) => number(|value| Literal::Word(value.into())),
            Some(Literal::Integer(_)) => number(|value| Literal::Integer(value.to_string().into())),
            Some(Literal::Char(_)) => {
                let free = ('a'..='z').find(|&char| !literals.contains(&Literal::Char(char.into())));
                return free.map_or(Missing::Any, |char| Missing::Literal(format!("{char:?}")));
            }
            _ => None,
        };
        found.map_or(Missing::Any, |value| Missing::Literal(value.to_string()))
    }

    /// Whether there are values that a row fits and none of the rows before it does.
    fn useful(&self, rows: &[Vec<PatRef>], row: Vec<PatRef>, effort: &mut usize) -> Result<bool, TooHard> {
        *effort = effort.checked_sub(rows.len()).ok_or(TooHard)?;
        let mut work = vec![(rows.to_vec(), row)];
        while let Some((rows, row)) = work.pop() {
            *effort = effort.checked_sub(rows.len() + 1).ok_or(TooHard)?;
            let Some((&first, rest)) = row.split_first() else {
                match rows.is_empty() {
                    true => return Ok(true),
                    false => continue,
                }
            };
            match self.pattern_head(first) {
                head @ (Head::Constructor(..) | Head::Literal(_)) => {
                    let mut row = match &head {
                        Head::Constructor(_, arguments) => arguments.clone(),
                        _ => Vec::new(),
                    };
                    row.extend(rest);
                    work.push((self.specialise(&rows, &head), row));
                }
                Head::Any | Head::Opaque => {
                    let (named, all) = self.signature(&rows);
                    if all.is_empty() || named.len() < all.len() {
                        work.push((self.default_rows(&rows), rest.to_vec()));
                        continue;
                    }
                    *effort = effort.checked_sub(all.len() * rows.len()).ok_or(TooHard)?;
                    for constructor in all {
                        let head = self.arguments(constructor);
                        let arity = self.typed.constructors[constructor].arity();
                        let mut row = vec![PatRef::Wildcard; arity];
                        row.extend(rest);
                        work.push((self.specialise(&rows, &head), row));
                    }
                }
            }
        }
        Ok(false)
    }

    /// A missing value as a pattern, in parentheses if it stands among others and needs them.
    fn missing_text(&self, missing: &Missing, inside: bool) -> String {
        let (constructor, parts) = match missing {
            Missing::Any => return "_".to_owned(),
            Missing::Literal(text) => return text.clone(),
            Missing::Constructor(constructor, parts) => (constructor, parts),
        };
        let name = self.text(self.typed.constructors[*constructor].name);
        if parts.is_empty() {
            return name.to_owned();
        }
        if name.starts_with("(,") {
            let parts: Vec<String> = parts.iter().map(|part| self.missing_text(part, false)).collect();
            return format!("({})", parts.join(", "));
        }
        let texts: Vec<String> = parts.iter().map(|part| self.missing_text(part, true)).collect();
        let text = match texts.as_slice() {
            [left, right] if name.starts_with(':') => format!("{left} {name} {right}"),
            _ if name.starts_with(':') => format!("({name}) {}", texts.join(" ")),
            _ => format!("{name} {}", texts.join(" ")),
        };
        if inside { format!("({text})") } else { text }
    }
}
