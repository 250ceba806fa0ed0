//! Calls that were seen where everything was right, as an oracle: in tests that pass, in examples of documentation that hold.
//!
//! A call of the same function with the same arguments is right if it does the same, and wrong if it does something else, unless
//! it did so in one of those runs already.

use super::job::{Job, Task};
use crate::Recipe;
use gadfly_engine::{Answer, Judgement, Oracle, OracleError, Query, Watch, Who};
use gadfly_frontend::{Failure, World};
use gadfly_term::{Equation, Outcome};
use gadfly_trail::Trail;
use gadfly_tree::{Behaviours as _, Node};
use gadfly_views::{self as views, Options};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// So many calls of one run are looked at.
const CALLS: u32 = 200_000;

/// What calls did, by the text of the function and the call; nothing if they did not always do the same.
pub(crate) struct PassingCalls {
    name: Who,
    calls: HashMap<(String, String), Option<String>>,
}

impl PassingCalls {
    /// Has a command run, which leaves the trails of what was right in a folder, and reads them.
    fn run(
        name: Who,
        recipe: &Recipe,
        arguments: &[&str],
        world: &dyn World,
    ) -> Result<Box<dyn Oracle>, Failure> {
        let python = recipe.python();
        let mut command = Command::new(python);
        command.current_dir(recipe.folder()).args(arguments);
        let folder = tempfile::Builder::new().prefix("gadfly-").tempdir()?;
        let _job = Job::new(Task::Collect { folder: folder.path().to_owned() }).give_to(&mut command)?;
        let status = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .map_err(|error| super::cannot_run(python, &error))?;
        let mut seen = PassingCalls { name, calls: HashMap::new() };
        let mut runs = 0;
        for entry in std::fs::read_dir(folder.path())?.flatten() {
            runs += u32::from(seen.read(&entry.path()));
        }
        if runs == 0 {
            return Err(Failure::input(format!("`{name}`: there was nothing that passed ({status})"))
                .with_hint(
                    "leave this oracle out, or see why with `python -m pytest` or `python -m doctest`",
                ));
        }
        let passing = if name == Who::Tests { "passing tests" } else { "examples that hold" };
        world.tell(&format!("note: learned {} calls from {runs} {passing}", seen.calls.len()));
        Ok(Box::new(seen))
    }

    /// The calls of tests that pass.
    pub(crate) fn of_tests(
        recipe: &Recipe,
        paths: &[&str],
        world: &dyn World,
    ) -> Result<Box<dyn Oracle>, Failure> {
        let mut arguments = vec!["-m", "gadfly.pytest_plugin", "-q", "-p", "no:cacheprovider"];
        arguments.extend(paths);
        PassingCalls::run(Who::Tests, recipe, &arguments, world)
    }

    /// The calls in examples of the documentation that hold.
    pub(crate) fn of_doctests(
        recipe: &Recipe,
        files: &[&str],
        world: &dyn World,
    ) -> Result<Box<dyn Oracle>, Failure> {
        let mut arguments = vec!["-m", "gadfly.oracles.doctests"];
        arguments.extend(files);
        PassingCalls::run(Who::Doctests, recipe, &arguments, world)
    }

    fn read(&mut self, path: &Path) -> bool {
        let Ok(trail) = Trail::open(path) else { return false };
        let Ok(viewed) = views::view(Arc::new(trail), &Options::default()) else { return false };
        for node in (0..viewed.tree.len().min(CALLS)).map(Node) {
            let Ok(behaviour) = viewed.behaviours.behaviour(&viewed.tree, node, true) else { continue };
            let rule = viewed.tree.rules().get(viewed.tree.rule_id(node));
            let Some((call, did)) = split(&behaviour.equation) else { continue };
            // A module may have another name when it is the program.
            let text = rule.region.and_then(|region| viewed.sources.text(viewed.sources.span(region)?));
            let Some(text) = text else { continue };
            self.calls
                .entry((text.to_owned(), call))
                .and_modify(|known| {
                    if known.as_ref() != Some(&did) {
                        *known = None;
                    }
                })
                .or_insert(Some(did));
        }
        true
    }
}

/// A call with what was before, and with what was afterwards; none if not all of it is known.
fn split(equation: &Equation) -> Option<(String, String)> {
    if !equation.terms.is_complete() || equation.outcome == Outcome::Unfinished {
        return None;
    }
    let begun =
        Equation { outcome: Outcome::Nothing, before: Vec::new(), after: Vec::new(), ..equation.clone() };
    Some((begun.canonical(), equation.canonical()))
}

impl Oracle for PassingCalls {
    fn who(&self) -> Who {
        self.name
    }

    fn wants_whole(&self) -> bool {
        true
    }

    fn judge(&mut self, query: &Query<'_>, _watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        let Some((call, did)) = split(query.equation) else { return Ok(None) };
        let Some(text) = query.rule_text else { return Ok(None) };
        let known = self.calls.get(&(text.to_owned(), call)).and_then(Option::as_ref);
        Ok(known
            .map(|known| Answer::plain(if *known == did { Judgement::Correct } else { Judgement::Wrong })))
    }
}
