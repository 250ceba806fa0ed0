//! Who answers: the oracles that the command line names, and what a front-end knows beyond answers.

use super::subject::Subject;
use crate::failure::Failure;
use crate::places;
use crate::python::inside::PythonInside;
use crate::python::messages::SelfCheck;
use crate::python::oracle::{Judge, PythonOracle};
use crate::python::passing_calls::PassingCalls;
use crate::python::reference_code::ReferenceCode;
use crate::python::replayer::SharedReplayer;
use crate::python::review::PythonReviewer;
use crate::python::versions::ReferenceVersion;
use crate::recording::Recording;
use gadfly_dialogue::Worker;
use gadfly_dialogue::ask::Oracles;
use gadfly_engine::{Oracle, Who};
use gadfly_frontend::OracleSpec;
use gadfly_lazy::{Reference, ReferenceError, ReferenceSettings};
use gadfly_oracles::{Answers, CommandOracle, Knowledge};
use gadfly_tree::Node;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What oracles are told besides the questions.
#[derive(Clone, Default)]
pub(crate) struct Asking {
    /// How long an answer may take, if that was said.
    pub(crate) timeout: Option<Duration>,
    /// What the program was called with.
    pub(crate) arguments: Vec<String>,
    /// What it read, if that is known.
    pub(crate) input: Option<Vec<u8>>,
    /// A Python program that can be run again.
    pub(crate) replayer: Option<SharedReplayer>,
}

/// How the inside of calls is looked at, if it is.
pub(crate) struct Zoom {
    /// The node of a test.
    pub(crate) test: Option<Node>,
    /// Whether new nodes stand over many rounds or statements.
    pub(crate) balanced: bool,
}

/// Who does the work of a session: oracles in a row, without any a person; the reviewer; what opens insides.
pub(crate) fn worker(
    specs: &[OracleSpec],
    asking: &Asking,
    recording: &Recording,
    zoom: Option<Zoom>,
) -> Result<Worker, Failure> {
    let subject = Subject::new(recording);
    let mut oracles = Oracles::default();
    let mut references = Vec::new();
    for spec in specs {
        match spec {
            OracleSpec::Person => oracles.push_person(),
            spec => oracles.push(oracle(spec, asking, &subject, &mut references)?),
        }
    }
    if specs.is_empty() {
        oracles.push_person();
    }
    let mut worker = Worker { oracles, ..Worker::default() };
    if let (Some(Zoom { test, balanced }), Some(run)) = (zoom, recording.run()) {
        let replayer = asking.replayer.clone();
        worker.reviewer = Some(Box::new(PythonReviewer { references, replayer: replayer.clone(), test }));
        let trail = Arc::clone(run.trail());
        worker.inside = Some(Box::new(PythonInside { trail, replayer, balanced, test }));
    }
    Ok(worker)
}

fn oracle(
    spec: &OracleSpec,
    asking: &Asking,
    subject: &Subject<'_>,
    references: &mut Vec<ReferenceCode>,
) -> Result<Box<dyn Oracle>, Failure> {
    let is_python = subject.recording.language() == "python";
    Ok(match spec {
        OracleSpec::Person => return Err(Failure::usage("`--oracle person` is given twice")),
        OracleSpec::Answers(path) => {
            Box::new(Answers::open(path).map_err(|error| Failure::input(&error).with_hint(error.hint()))?)
        }
        OracleSpec::Command(command) => {
            let style = subject.recording.style();
            let oracle =
                CommandOracle::new(command, style, asking.timeout.unwrap_or(CommandOracle::TIME_OUT));
            Box::new(oracle.map_err(|error| Failure::usage(format!("--oracle {spec}: {error}")))?)
        }
        OracleSpec::Knowledge(path) => {
            let path = path.clone().or_else(places::knowledge).ok_or_else(|| {
                Failure::usage("there is no folder for the knowledge base")
                    .with_hint("name a file: `--oracle knowledge:FILE`")
            })?;
            Box::new(Knowledge::new(path, subject.recording.language()))
        }
        OracleSpec::Reference(path) if !is_python => Box::new(reference(Path::new(path), asking, subject)?),
        spec if !is_python => {
            return Err(Failure::usage(format!("`{}` answers for Python programs only", spec.kind()))
                .with_hint("name a reference: `--oracle reference:PROGRAM`"));
        }
        spec => {
            let replayer = asking.replayer.clone().ok_or_else(|| {
                Failure::usage(format!("`{}` needs the program itself, not only its trail", spec.kind()))
                    .with_hint("name the program instead of its trail")
            })?;
            python(spec, replayer, subject, references)?
        }
    })
}

/// A Python program answers: another version of it, or what it says of itself.
fn python(
    spec: &OracleSpec,
    replayer: SharedReplayer,
    subject: &Subject<'_>,
    references: &mut Vec<ReferenceCode>,
) -> Result<Box<dyn Oracle>, Failure> {
    let recipe = replayer.borrow().recipe().clone();
    let python = recipe.python().to_owned();
    let mut command = std::process::Command::new(&python);
    command.current_dir(recipe.folder());
    let (who, version) = match spec {
        OracleSpec::Reference(name) => (Who::Reference, ReferenceVersion::reference(name)?),
        OracleSpec::Revision(name) => (Who::Revision, ReferenceVersion::revision(name, &recipe.folder())?),
        OracleSpec::Release(name) => (Who::Release, ReferenceVersion::release(name, &python)?),
        OracleSpec::Tests(path) => {
            command.args(["-m", "gadfly.pytest_plugin", "-q", "-p", "no:cacheprovider"]).args(path);
            return Ok(Box::new(PassingCalls::run(Who::Tests, command, &python)?));
        }
        OracleSpec::Doctests => {
            let tables = subject.recording.run().map(|viewed| viewed.trail().tables());
            let files = tables.map_or(&[][..], |tables| &tables.files);
            command.args(["-m", "gadfly.oracles.doctests"]).args(files.iter().map(|file| &file.path));
            return Ok(Box::new(PassingCalls::run(Who::Doctests, command, &python)?));
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
        _ => return Ok(check(Who::Contracts, SelfCheck::Contracts, String::new(), replayer)),
    };
    let reference = ReferenceCode::new(replayer.clone(), version);
    references.push(reference.clone());
    Ok(Box::new(PythonOracle::new(who, replayer, Judge::Reference(reference))))
}

fn check(who: Who, check: SelfCheck, place: String, replayer: SharedReplayer) -> Box<dyn Oracle> {
    Box::new(PythonOracle::new(who, replayer, Judge::Check(check, place)))
}

/// How long a reference program may take; most answers take it a millisecond.
const REFERENCE: Duration = Duration::from_secs(10);

fn reference(path: &Path, asking: &Asking, subject: &Subject<'_>) -> Result<Reference, Failure> {
    let settings = ReferenceSettings {
        expression: expression(subject),
        arguments: asking.arguments.clone(),
        input: asking.input.clone(),
        time: asking.timeout.unwrap_or(REFERENCE),
        ..ReferenceSettings::default()
    };
    let name = path.display();
    Reference::open(path, settings).map_err(|error| match error {
        ReferenceError::Unreadable(error) => Failure::input(format!("{name}: {error}"))
            .with_hint("name the reference: `--oracle reference:GOOD.hs`"),
        ReferenceError::Language => Failure::usage(format!("{name}: not a program that can be asked"))
            .with_hint("a reference program is in Haskell; its name ends in .hs or .lhs"),
        ReferenceError::Errors(checked) => {
            let (mut errors, sources) = checked.told();
            errors.retain(|said| said.severity == gadfly_source::Severity::Error);
            crate::check::tell(&errors, &sources);
            let plural = if errors.len() == 1 { "" } else { "s" };
            Failure::input(format!("{name}: {} error{plural}", errors.len()))
        }
    })
}

/// What was evaluated instead of `main`, if something was.
fn expression(subject: &Subject<'_>) -> Option<String> {
    let tables = subject.recording.run()?.trail().tables();
    let typed = tables.files.iter().find(|file| file.path == gadfly_lazy::EXPRESSION_FILE)?;
    Some(typed.text.clone())
}

/// Whether the oracles ask for a person: they do if there are none.
pub(crate) fn asks_person(specs: &[OracleSpec]) -> bool {
    specs.is_empty() || specs.contains(&OracleSpec::Person)
}

/// Whether a reference program is among the oracles.
pub(crate) fn asks_reference(specs: &[OracleSpec]) -> bool {
    specs.iter().any(|spec| matches!(spec, OracleSpec::Reference(_)))
}

/// The Python files that are references.
pub(crate) fn reference_files(specs: &[OracleSpec]) -> Vec<&Path> {
    let files = specs.iter().filter_map(|spec| match spec {
        OracleSpec::Reference(name) => Some(Path::new(name)),
        _ => None,
    });
    files.filter(|path| crate::python::is_program(path)).collect()
}
