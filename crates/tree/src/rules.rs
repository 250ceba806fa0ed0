//! Rules: the pieces of source that nodes stand for.

use gadfly_source::Region;
use std::collections::HashMap;

/// A rule of a [`RuleTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

/// A piece of source: an equation of a function, a function, a loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The function it belongs to.
    pub function: Box<str>,
    /// Which of the function's equations it is, from 1, where a function has several.
    pub number: Option<u32>,
    /// The module, where there is one.
    pub module: Option<Box<str>>,
    /// The function's way from the top of its module, itself last; empty if its name says it all. A lambda is `\1`, `\2`,
    /// … in the order of the text inside of the function around it, a section `(1)`, `(2)`, …; the method of an instance
    /// stands in `instance Show Tree`, the default of a class's method in `class Show`.
    pub path: Box<[Box<str>]>,
    /// Where it stands.
    pub region: Option<Region>,
}

impl Rule {
    /// A rule of which nothing is known but its function.
    pub fn named(function: &str) -> Rule {
        Rule { function: function.into(), number: None, module: None, path: Box::default(), region: None }
    }

    /// `Data.List.insert` or `insert`: what a person says to mean the function.
    pub fn qualified(&self) -> String {
        match &self.module {
            Some(module) => format!("{module}.{}", self.function),
            None => self.function.to_string(),
        }
    }

    /// Whether both are rules of the same function.
    pub fn same_function(&self, other: &Rule) -> bool {
        self.function == other.function && self.module == other.module && self.path == other.path
    }

    /// Whether it is a rule of a function that is local to another one's.
    pub fn is_local_to(&self, outer: &Rule) -> bool {
        if self.module != outer.module {
            return false;
        }
        if !self.path.is_empty() {
            let way = match outer.path.is_empty() {
                true => std::slice::from_ref(&outer.function),
                false => &outer.path,
            };
            return self.path.len() > way.len() && self.path.starts_with(way);
        }
        // Without a way, the name has it: `outer.inner`; an operator may have a dot, too.
        let name = self.function.strip_prefix(&*outer.function).and_then(|rest| rest.strip_prefix('.'));
        name.is_some_and(|name| name.starts_with(|first: char| first.is_alphabetic() || "_<".contains(first)))
    }
}

/// All rules of a tree, each once.
#[derive(Clone, Debug, Default)]
pub struct RuleTable {
    rules: Vec<Rule>,
    ids: HashMap<Rule, RuleId>,
}

impl RuleTable {
    /// The id of a rule, which is added if it is new.
    pub fn intern(&mut self, rule: Rule) -> RuleId {
        if let Some(id) = self.ids.get(&rule) {
            return *id;
        }
        let id = RuleId(self.rules.len() as u32);
        self.rules.push(rule.clone());
        self.ids.insert(rule, id);
        id
    }

    /// The rule with this id.
    ///
    /// # Panics
    /// If the id is another table's.
    pub fn get(&self, id: RuleId) -> &Rule {
        &self.rules[id.0 as usize]
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// All rules with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (RuleId, &Rule)> {
        self.rules.iter().enumerate().map(|(index, rule)| (RuleId(index as u32), rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inner: &str, inner_path: &[&str], outer: &str, outer_path: &[&str], expect: bool) {
        let rule = |name: &str, path: &[&str]| Rule {
            path: path.iter().map(|part| (*part).into()).collect(),
            ..Rule::named(name)
        };
        assert_eq!(
            rule(inner, inner_path).is_local_to(&rule(outer, outer_path)),
            expect,
            "{inner} in {outer}"
        );
    }

    #[test]
    fn what_is_local_to_a_function() {
        check("go", &["isort", "go"], "isort", &[], true);
        check("\\", &["isort", "go", "\\1"], "go", &["isort", "go"], true);
        check("go", &["msort", "go"], "isort", &[], false);
        check("outer.inner", &[], "outer", &[], true);
        check("outer.<lambda>", &[], "outer", &[], true);
        check("outer", &[], "outer", &[], false);
        check("outermost", &[], "outer", &[], false);
        check("..", &[], ".", &[], false);
    }
}
