//! Python as a front-end.

use crate::inside::PythonInside;
use crate::job::DebugTest;
use crate::messages::SelfCheck;
use crate::oracle::{Judge, PythonOracle};
use crate::passing_calls::PassingCalls;
use crate::reference_code::ReferenceCode;
use crate::replayer::{Replayer, SharedReplayer};
use crate::review::PythonReviewer;
use crate::versions::ReferenceVersion;
use crate::{Recipe, exit_code, killed, recipe, record};
use gadfly_engine::{Inside, Oracle, Reviewer, Who};
use gadfly_frontend::{
    Beginning, Ended, Failure, FrontEnd, Language, Launch, OracleSpec, Program, RecordRequest, Recorded,
    Subject,
};
use gadfly_tree::Node;
use std::path::Path;
use std::sync::Arc;

/// Python.
pub struct Python;

impl FrontEnd for Python {
    fn language(&self) -> &'static Language {
        &Language {
            name: "python",
            programs: "Python programs",
            suffixes: &[".py", ".pyw"],
            options: &[
                "-e",
                "--input",
                "--suspect",
                "--time",
                "--memory",
                "--trail-limit",
                "--monitoring",
                "--",
            ],
            oracles: &[
                "reference",
                "revision",
                "release",
                "tests",
                "properties",
                "doctests",
                "types",
                "contracts",
            ],
        }
    }

    fn launch(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        let recipe = recipe(&launch)?;
        Ok(Box::new(PythonProgram::new(launch, Some(recipe), false)))
    }

    fn attach(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        Ok(Box::new(PythonProgram::new(launch, None, false)))
    }

    /// As Python reads it; in another encoding than UTF-8 it is not compared.
    fn source_text(&self, bytes: Vec<u8>) -> Option<String> {
        let text = String::from_utf8(bytes).ok()?;
        Some(text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n"))
    }
}

/// The program of a test that failed, as the pytest plugin describes it: only its recording is there, but it can be run
/// again.
pub fn of_test(launch: Launch, test: &DebugTest) -> Result<Box<dyn Program>, Failure> {
    let recipe = Recipe::of_test(test)?;
    Ok(Box::new(PythonProgram::new(launch, Some(recipe), true)))
}

/// A Python program, or only its recording.
struct PythonProgram {
    launch: Launch,
    name: String,
    /// How it is run; none if only its recording is there.
    recipe: Option<Recipe>,
    /// Whether it is the run of a test.
    is_test: bool,
    replayer: Option<SharedReplayer>,
    references: Vec<ReferenceCode>,
}

/// How long the program may take to be run again up to a call, by default, in seconds.
const REPLAY_SECONDS: u64 = 60;

impl PythonProgram {
    fn new(launch: Launch, recipe: Option<Recipe>, is_test: bool) -> PythonProgram {
        let name = launch.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        PythonProgram { launch, name, recipe, is_test, replayer: None, references: Vec::new() }
    }

    /// What runs the program again, if that can be done.
    fn replayer(&mut self, subject: &Subject) -> Option<SharedReplayer> {
        if self.replayer.is_none() {
            let trail = Arc::clone(subject.viewed.as_ref()?.trail());
            let seconds = self.launch.oracle_timeout.map_or(REPLAY_SECONDS, |timeout| timeout.as_secs());
            self.replayer = Some(SharedReplayer::new(Replayer::new(self.recipe.clone()?, trail, seconds)));
        }
        self.replayer.clone()
    }

    /// The node of the test that was recorded: the whole, unless something of the program was called to set the test up, or
    /// after it.
    fn test_node(&self, subject: &Subject) -> Option<Node> {
        let viewed = subject.viewed.as_ref().filter(|_| self.is_test)?;
        let command = &viewed.trail().tables().command;
        let name = command.split('[').next().and_then(|test| test.rsplit("::").next());
        let tree = subject.recording.tree();
        let is_test = |node: &Node| {
            let rule = tree.rules().get(tree.rule_id(*node));
            rule.function.rsplit('.').next() == name
        };
        let mut nodes = std::iter::once(Node::ROOT).chain(tree.children(Node::ROOT));
        Some(nodes.find(is_test).unwrap_or(Node::ROOT))
    }
}

impl Program for PythonProgram {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, _count: bool) -> Result<u8, Failure> {
        Err(Failure::usage(format!("{}: Python runs Python programs", self.launch.file.display()))
            .with_hint("`gadfly record` and `gadfly debug` take .py files"))
    }

    fn record(&mut self, request: RecordRequest<'_>) -> Result<Recorded, Failure> {
        let Some(recipe) = &self.recipe else {
            return Err(Failure::usage("only the program itself can be run")
                .with_hint("name the program instead of its trail"));
        };
        let status = record(recipe, request, &*self.launch.world)?;
        let code = exit_code(status);
        let ended = match killed(status) {
            Some(killed) => Ended::Killed(killed, code),
            None => Ended::Exit(code),
        };
        Ok(Recorded { ended, nodes: None, is_reported: false })
    }

    fn beginning(&self, subject: &Subject) -> Option<Beginning> {
        /// Of a test that calls many things one after the other, so many are asked about from the end: they divide nothing,
        /// and what it called long before it failed is seldom why.
        const LAST_CALLS: usize = 20;
        let test = self.test_node(subject)?;
        let called: Vec<Node> = subject.recording.tree().children(test).collect();
        let symptoms = called.into_iter().rev().take(LAST_CALLS).collect();
        Some(Beginning { symptoms, whole_is_wrong: true })
    }

    fn oracle(&mut self, spec: &OracleSpec, subject: &Subject) -> Result<Box<dyn Oracle>, Failure> {
        let replayer = self.replayer(subject).ok_or_else(|| {
            Failure::usage(format!("`{}` needs the program itself, not only its trail", spec.kind()))
                .with_hint("name the program instead of its trail")
        })?;
        let recipe = replayer.borrow().recipe().clone();
        let python = recipe.python().to_owned();
        let (who, version) = match spec {
            OracleSpec::Reference(name) => (Who::Reference, ReferenceVersion::reference(name)?),
            OracleSpec::Revision(name) => {
                (Who::Revision, ReferenceVersion::revision(name, &recipe.folder())?)
            }
            OracleSpec::Release(name) => (Who::Release, ReferenceVersion::release(name, &python)?),
            OracleSpec::Tests(path) => {
                let arguments: Vec<&str> = path.as_deref().into_iter().collect();
                return PassingCalls::of_tests(&recipe, &arguments, &*self.launch.world);
            }
            OracleSpec::Doctests => {
                let tables = subject.viewed.as_ref().map(|viewed| viewed.trail().tables());
                let files = tables.map_or(&[][..], |tables| &tables.files);
                let files: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
                return PassingCalls::of_doctests(&recipe, &files, &*self.launch.world);
            }
            OracleSpec::Properties(path) => {
                let place = match path {
                    None => String::new(),
                    Some(path) if !Path::new(path).exists() => {
                        return Err(Failure::input(format!("{path}: there is no such file or folder"))
                            .with_hint("name the tests: `--oracle properties:tests`"));
                    }
                    Some(path) => std::path::absolute(path)?.to_string_lossy().into_owned(),
                };
                return Ok(check(Who::Properties, SelfCheck::Properties, place, replayer));
            }
            OracleSpec::Types => return Ok(check(Who::Types, SelfCheck::Types, String::new(), replayer)),
            OracleSpec::Contracts => {
                return Ok(check(Who::Contracts, SelfCheck::Contracts, String::new(), replayer));
            }
            OracleSpec::Person
            | OracleSpec::Answers(_)
            | OracleSpec::Command(_)
            | OracleSpec::Knowledge(_) => {
                return Err(Failure::usage(format!("`{}` is not an oracle of this language", spec.kind())));
            }
        };
        let reference = ReferenceCode::new(replayer.clone(), version);
        self.references.push(reference.clone());
        Ok(Box::new(PythonOracle::new(who, replayer, Judge::Reference(reference))))
    }

    fn reviewer(&mut self, subject: &Subject) -> Option<Box<dyn Reviewer>> {
        let (replayer, test) = (self.replayer(subject), self.test_node(subject));
        Some(Box::new(PythonReviewer { references: self.references.clone(), replayer, test }))
    }

    fn inside(&mut self, subject: &Subject) -> Option<Box<dyn Inside>> {
        let trail = Arc::clone(subject.viewed.as_ref()?.trail());
        let (replayer, test) = (self.replayer(subject), self.test_node(subject));
        let balanced = self.launch.balanced;
        let world = Arc::clone(&self.launch.world);
        Some(Box::new(PythonInside { trail, replayer, balanced, test, world }))
    }
}

fn check(who: Who, check: SelfCheck, place: String, replayer: SharedReplayer) -> Box<dyn Oracle> {
    Box::new(PythonOracle::new(who, replayer, Judge::Check(check, place)))
}
