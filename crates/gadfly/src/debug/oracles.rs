//! Who answers: the oracles that the command line names, and what the program's front-end knows beyond answers.

use crate::recording::Recording;
use crate::{front_ends, output, places};
use gadfly_dialogue::Worker;
use gadfly_dialogue::ask::Oracles;
use gadfly_engine::Oracle;
use gadfly_frontend::{Failure, Launch, OracleSpec, Program, Subject};
use gadfly_oracles::{Answers, CommandOracle, Knowledge, Project};
use std::path::Path;

/// The program that a session is about, as far as it is there.
pub(crate) struct Asked<'p> {
    pub(crate) program: Option<&'p mut (dyn Program + 'static)>,
    /// What it was launched with.
    pub(crate) launch: Launch,
    /// The name of the project that it belongs to, if the user gives one.
    pub(crate) project: Option<&'p str>,
    /// Whether the inside of calls is looked at, where the language can.
    pub(crate) enters: bool,
}

/// Who does the work of a session: oracles in a row, without any a person; the reviewer; what opens insides.
pub(crate) fn worker(
    specs: &[OracleSpec],
    recording: &Recording,
    asked: Option<Asked<'_>>,
) -> Result<Worker, Failure> {
    let subject = recording.subject();
    let mut oracles = Oracles::default();
    let mut asked = asked;
    for spec in specs {
        match spec {
            OracleSpec::Person => oracles.push_person(),
            spec => oracles.push(oracle(spec, &subject, recording, asked.as_mut())?),
        }
    }
    if specs.is_empty() {
        oracles.push_person();
    }
    let mut worker = Worker { oracles, ..Worker::default() };
    if let Some(Asked { program: Some(program), enters: true, .. }) = asked {
        worker.reviewer = program.reviewer(&subject);
        worker.inside = program.inside(&subject);
    }
    Ok(worker)
}

fn oracle(
    spec: &OracleSpec,
    subject: &Subject,
    recording: &Recording,
    asked: Option<&mut Asked<'_>>,
) -> Result<Box<dyn Oracle>, Failure> {
    let timeout = asked.as_ref().and_then(|asked| asked.launch.oracle_timeout);
    Ok(match spec {
        OracleSpec::Answers(path) => {
            Box::new(Answers::open(path).map_err(|error| Failure::input(&error).with_hint(error.hint()))?)
        }
        OracleSpec::Command(command) => {
            let timeout = timeout.unwrap_or(CommandOracle::TIME_OUT);
            let oracle = CommandOracle::new(command, recording.style(), timeout);
            Box::new(oracle.map_err(|error| Failure::usage(format!("--oracle {spec}: {error}")))?)
        }
        OracleSpec::Knowledge(path) => {
            let path = path.clone().or_else(places::knowledge).ok_or_else(|| {
                Failure::usage("there is no folder for the knowledge base")
                    .with_hint("name a file: `--oracle knowledge:FILE`")
            })?;
            let (file, name) = match &asked {
                Some(asked) => (asked.launch.file.as_path(), asked.project),
                None => (Path::new("-"), None),
            };
            let knowledge = Knowledge::new(path, recording.language(), Project::of(file, name));
            if let Some(notice) = knowledge.prepare() {
                output::error_line(&format!("warning: {notice}"));
            }
            Box::new(knowledge)
        }
        spec => return of_front_end(spec, subject, recording, asked),
    })
}

/// An oracle that a language offers: that of the recording, or, if it has no front-end, that of the reference.
fn of_front_end(
    spec: &OracleSpec,
    subject: &Subject,
    recording: &Recording,
    asked: Option<&mut Asked<'_>>,
) -> Result<Box<dyn Oracle>, Failure> {
    let kind = spec.kind();
    let Some(asked) = asked else {
        return Err(Failure::usage(format!("`{kind}` needs a program")).with_hint("name a script of answers"));
    };
    match (front_ends::of_language(recording.language()), asked.program.as_deref_mut()) {
        (Some(front_end), Some(program)) => {
            front_end.language().offers(std::slice::from_ref(spec))?;
            program.oracle(spec, subject)
        }
        _ => {
            let named = match spec {
                OracleSpec::Reference(path) => front_ends::of_file(Path::new(path)),
                _ => None,
            };
            let front_end = named.ok_or_else(|| {
                let language = recording.language();
                Failure::usage(format!("`{kind}` does not answer for programs in {language}"))
                    .with_hint("name a reference in a language that Gadfly runs, or a script of answers")
            })?;
            front_end.attach(asked.launch.clone())?.oracle(spec, subject)
        }
    }
}

/// Refuses files that are not there, before a program is run in vain.
pub(crate) fn exist(specs: &[OracleSpec]) -> Result<(), Failure> {
    for spec in specs {
        let (path, hint) = match spec {
            // Others may be a name that the language knows.
            OracleSpec::Reference(name)
                if name.contains('/') || front_ends::of_file(Path::new(name)).is_some() =>
            {
                (Path::new(name), "check the path after `reference:`")
            }
            OracleSpec::Answers(path) => (path.as_path(), "check the path after `answers:`"),
            _ => continue,
        };
        if !path.exists() {
            return Err(Failure::input(format!("{}: there is no such file", path.display())).with_hint(hint));
        }
    }
    Ok(())
}

/// Whether the oracles ask for a person: they do if there are none.
pub(crate) fn asks_person(specs: &[OracleSpec]) -> bool {
    specs.is_empty() || specs.contains(&OracleSpec::Person)
}
