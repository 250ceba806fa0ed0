//! An equation: a call with its values, as a question shows it.

use crate::{Path, Root, TermId, Terms};
use std::fmt::Write as _;

/// A value passed to a call, with its parameter's name where the language has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The parameter's name.
    pub name: Option<Box<str>>,
    /// The value.
    pub value: TermId,
}

/// A variable with its value, before or after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The variable's name: `x`, `self.balance`, a global.
    pub name: Box<str>,
    /// Its value.
    pub value: TermId,
}

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A result.
    Value(TermId),
    /// An exception.
    Exception(TermId),
    /// Nothing: a loop, a block, or a procedure; what it did is in the environment after.
    Nothing,
    /// It never ended.
    Unfinished,
}

/// A behaviour as a person reads it: `listsum [6,2] = 8`.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The values below.
    pub terms: Terms,
    /// What was called, or what the code is named.
    pub function: Box<str>,
    /// The instances of classes that an overloaded function was used at, in the order of its constraints: constructors with
    /// the instances that they need, or `…` for one that is not known. They are not shown.
    pub instances: Vec<TermId>,
    /// Whether it is code inside of a function, which is not called: its arguments are variables that it uses.
    pub inside: bool,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// What it came to.
    pub outcome: Outcome,
    /// The variables before, for languages with state.
    pub before: Vec<Binding>,
    /// The variables after.
    pub after: Vec<Binding>,
}

impl Equation {
    /// The term a path leads to; `None` if there is no such part. `@function` leads to no term, and is valid.
    pub fn part(&self, path: &Path) -> Option<TermId> {
        let start = match &path.root {
            Root::Function => return None,
            Root::Result => match self.outcome {
                Outcome::Value(id) | Outcome::Exception(id) => id,
                Outcome::Nothing | Outcome::Unfinished => return None,
            },
            Root::Argument(index) => self.arguments.get((*index as usize).checked_sub(1)?)?.value,
            Root::Before(name) => self.before.iter().find(|b| *b.name == **name)?.value,
            Root::After(name) => self.after.iter().find(|b| *b.name == **name)?.value,
        };
        path.descend(&self.terms, start)
    }

    /// Whether a mark makes sense for this equation.
    pub fn has(&self, path: &Path) -> bool {
        match path.root {
            Root::Function => path.parts.is_empty(),
            _ => self.part(path).is_some(),
        }
    }

    /// A text that two equations share exactly when they are equal.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        let _ = write!(out, "{}:{}({}|", self.function.len(), self.function, self.arguments.len());
        for argument in &self.arguments {
            self.terms.canonical(argument.value, &mut out);
        }
        // The same values at other instances are another equation.
        for instance in &self.instances {
            out.push('@');
            self.terms.canonical(*instance, &mut out);
        }
        match self.outcome {
            Outcome::Value(id) => {
                out.push('=');
                self.terms.canonical(id, &mut out);
            }
            Outcome::Exception(id) => {
                out.push('!');
                self.terms.canonical(id, &mut out);
            }
            Outcome::Nothing => out.push('-'),
            Outcome::Unfinished => out.push('~'),
        }
        for (mark, bindings) in [('<', &self.before), ('>', &self.after)] {
            let _ = write!(out, "{mark}{}", bindings.len());
            for binding in bindings {
                let _ = write!(out, ";{}:{}", binding.name.len(), binding.name);
                self.terms.canonical(binding.value, &mut out);
            }
        }
        out
    }
}
