//! The oracles in a row: the first that knows wins.

use super::subject::Subject;
use crate::failure::Failure;
use crate::python::oracle::{Correct, Differing, Means, Outside, PythonOracle};
use crate::python::player::SharedPlayer;
use crate::python::seen::Seen;
use crate::{output, places};
use gadfly_engine::{Given, LeftOver, Oracle, OracleError, Question, Unwatched, Who};
use gadfly_lazy::{Reference, ReferenceError, ReferenceSettings};
use gadfly_oracles::{Answers, CommandOracle, Knowledge};
use gadfly_tree::Node;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One in the row.
pub(crate) enum Link {
    /// Whoever sits at the prompt.
    Person,
    Answers(Answers),
    Command(CommandOracle),
    Knowledge(Knowledge),
    Reference(Box<Reference>),
    /// A correct version of a Python program.
    Python(Box<PythonOracle>),
    /// What tests and examples of a Python program saw.
    Seen(Seen),
}

impl Link {
    fn oracle(&mut self) -> Option<&mut dyn Oracle> {
        match self {
            Link::Person => None,
            Link::Answers(oracle) => Some(oracle),
            Link::Command(oracle) => Some(oracle),
            Link::Knowledge(oracle) => Some(oracle),
            Link::Reference(oracle) => Some(&mut **oracle),
            Link::Python(oracle) => Some(&mut **oracle),
            Link::Seen(oracle) => Some(oracle),
        }
    }
}

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
    pub(crate) player: Option<SharedPlayer>,
}

/// The row of oracles.
#[derive(Default)]
pub(crate) struct Chain {
    links: Vec<Link>,
}

/// What the row says of a question.
pub(crate) enum Spoken {
    /// Everything that is needed: a wrong row, or all rows.
    Known(Vec<Given>),
    /// What the oracles before the person know; the other rows are for the person, and then for those after.
    Person(Vec<Given>),
}

impl Chain {
    /// Understands `--oracle`; without any there is a person.
    pub(crate) fn new(names: &[String], asking: &Asking, subject: &Subject<'_>) -> Result<Chain, Failure> {
        let mut links = Vec::new();
        for name in names {
            links.push(link(name, asking, subject)?);
        }
        if links.is_empty() {
            links.push(Link::Person);
        }
        Ok(Chain { links })
    }

    /// Whether a person is asked.
    pub(crate) fn has_person(&self) -> bool {
        self.links.iter().any(|link| matches!(link, Link::Person))
    }

    /// Whether answers would be lost if they were not written down: a script gives them again.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        self.links.iter().any(|link| matches!(link, Link::Person | Link::Command(_)))
    }

    /// What the oracles before the person say.
    pub(crate) fn before_person(
        &mut self,
        subject: &Subject<'_>,
        question: &Question,
    ) -> Result<Spoken, Failure> {
        let person = self.links.iter().position(|link| matches!(link, Link::Person));
        let mut given = Vec::new();
        let end = person.unwrap_or(self.links.len());
        let done = self.consult(0..end, subject, question, &mut given)?;
        // A failed oracle has left the row, so the person may have moved up; whether there is one has not changed.
        Ok(if done || person.is_none() { Spoken::Known(given) } else { Spoken::Person(given) })
    }

    /// What the oracles after the person say of the rows that the person left open.
    pub(crate) fn after_person(
        &mut self,
        subject: &Subject<'_>,
        question: &Question,
        given: &mut Vec<Given>,
    ) -> Result<(), Failure> {
        let Some(person) = self.links.iter().position(|link| matches!(link, Link::Person)) else {
            return Ok(());
        };
        self.consult(person + 1..self.links.len(), subject, question, given)?;
        Ok(())
    }

    /// Asks the oracles in a part of the row about the rows that have no answer yet, in order. Says whether nothing is
    /// left to ask: a row is wrong, or all rows are answered.
    fn consult(
        &mut self,
        range: std::ops::Range<usize>,
        subject: &Subject<'_>,
        question: &Question,
        given: &mut Vec<Given>,
    ) -> Result<bool, Failure> {
        let mut failed = Vec::new();
        for index in range {
            let alone = self.links.len() - failed.len() == 1;
            let Some(oracle) = self.links[index].oracle() else { continue };
            match ask(oracle, subject, question, given) {
                Ok(()) => {}
                Err(error) if alone => return Err(stopped(oracle.who(), &error)),
                Err(error) => {
                    let hint =
                        error.hint.as_deref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
                    output::error_line(&format!(
                        "warning: {error}; the oracle `{}` is not asked any more{hint}",
                        oracle.who()
                    ));
                    failed.push(index);
                }
            }
            if is_enough(question, given) {
                break;
            }
        }
        for index in failed.into_iter().rev() {
            self.links.remove(index);
        }
        Ok(is_enough(question, given))
    }

    /// What a correct version has otherwise in the call that is looked into, if there is one to ask.
    pub(crate) fn differing(&self, handle: Option<u64>) -> Option<Differing> {
        self.links.iter().find_map(|link| match link {
            Link::Python(oracle) => oracle.differing(handle),
            _ => None,
        })
    }

    /// Whether a correct version has the function of a call just as it is.
    pub(crate) fn has_same(&self, subject: &Subject<'_>, node: Node) -> bool {
        let handle = subject.recording.tree().handle(node);
        self.links.iter().any(|link| matches!(link, Link::Python(oracle) if oracle.has_same(handle)))
    }

    /// Has correct versions be stricter from now on; says whether that makes a difference. It makes none with a person, who sees to that.
    pub(crate) fn be_strict(&mut self) -> bool {
        if self.has_person() {
            return false;
        }
        let mut changed = false;
        for link in &mut self.links {
            if let Link::Python(oracle) = link {
                changed |= oracle.be_strict();
            }
        }
        changed
    }

    /// What a correct version has otherwise outside of functions, or in them, if there is one to ask.
    pub(crate) fn constants(&self, test: Option<u64>, functions: bool) -> Option<Outside> {
        self.links.iter().find_map(|link| match link {
            Link::Python(oracle) => oracle.constants(test, functions),
            _ => None,
        })
    }

    /// Whether it is no matter for a test that a correct version has a function, by file and name, otherwise.
    pub(crate) fn is_harmless(&self, test: u64, function: (&str, &str)) -> bool {
        self.links.iter().any(|link| match link {
            Link::Python(oracle) => oracle.is_harmless(test, function).unwrap_or(false),
            _ => false,
        })
    }

    /// Of functions, by file and name: those that make a test pass if they are the correct version's.
    pub(crate) fn helping(&self, test: u64, functions: &[(&str, &str)]) -> Option<Vec<usize>> {
        self.links.iter().find_map(|link| match link {
            Link::Python(oracle) => oracle.helping(test, functions),
            _ => None,
        })
    }

    /// Lets every oracle learn from the answers that are in force at the end.
    pub(crate) fn learn(&mut self, subject: &Subject<'_>, number: usize, given: &Given) {
        if !self.links.iter().any(|link| matches!(link, Link::Knowledge(_))) {
            return;
        }
        let Ok(behaviour) = subject.behaviour(given.node, false) else { return };
        let text = subject.full_text(&behaviour.equation);
        let query = subject.query(number, given.node, &behaviour.equation, &text);
        for oracle in self.links.iter_mut().filter_map(Link::oracle) {
            if let Err(error) = oracle.learn(&query, given) {
                output::error_line(&format!("warning: {error}"));
            }
        }
    }

    /// Writes down what was learned. Where answers were missing, tells what the scripts have that was never asked: one of
    /// those lines may be misspelt.
    pub(crate) fn close(&mut self, answers_missing: bool) {
        for link in &mut self.links {
            match link {
                Link::Answers(answers) if answers_missing => {
                    for unused in answers.unused() {
                        let text: String = unused.text.chars().take(80).collect();
                        output::error_line(&format!(
                            "note: line {} of the answers was never asked: {text}",
                            unused.line
                        ));
                    }
                }
                Link::Knowledge(knowledge) => {
                    if let Err(error) = knowledge.flush() {
                        output::error_line(&format!("warning: {error}"));
                    }
                }
                Link::Reference(reference) if answers_missing => {
                    for left in reference.left_over() {
                        let LeftOver::Unanswered { reason, count } = left else { continue };
                        let plural = if count == 1 { "" } else { "s" };
                        output::error_line(&format!(
                            "note: the reference program did not know {count} answer{plural}: {reason}"
                        ));
                    }
                }
                Link::Python(oracle) if answers_missing => {
                    for (reason, count) in oracle.unknown() {
                        let plural = if *count == 1 { "" } else { "s" };
                        let who = oracle.who();
                        output::error_line(&format!(
                            "note: {who} did not know {count} answer{plural}: {reason}"
                        ));
                    }
                }
                Link::Answers(_)
                | Link::Person
                | Link::Command(_)
                | Link::Reference(_)
                | Link::Python(_)
                | Link::Seen(_) => {}
            }
        }
    }
}

/// Complains about `--oracle` before anything is run.
pub(crate) fn check_names(names: &[String]) -> Result<(), Failure> {
    for name in names {
        let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
        let known = match kind {
            "person" => rest.is_empty(),
            "answers" | "reference" | "revision" | "release" => !rest.is_empty(),
            "command" | "knowledge" | "tests" | "properties" => true,
            "doctests" | "types" | "contracts" => rest.is_empty(),
            _ => false,
        };
        if !known {
            return Err(unknown(name));
        }
    }
    match names.iter().filter(|name| *name == "person").count() > 1 {
        true => Err(Failure::usage("`--oracle person` is given twice")),
        false => Ok(()),
    }
}

fn unknown(name: &str) -> Failure {
    Failure::usage(format!("`{name}` is not an oracle")).with_hint(
        "oracles are: person, reference:PROGRAM, answers:FILE, command:PROGRAM, knowledge, knowledge:FILE; \
         for Python programs also revision:REV, release:PACKAGE==VERSION, tests, tests:PATH, properties, properties:PATH, doctests, types, contracts",
    )
}

/// Whether `--oracle` asks for a person: it does if it says nothing.
pub(crate) fn asks_person(names: &[String]) -> bool {
    names.is_empty() || names.iter().any(|name| name == "person")
}

/// Whether `--oracle` names another program.
pub(crate) fn asks_reference(names: &[String]) -> bool {
    names.iter().any(|name| name.starts_with("reference:"))
}

/// The Python files that `--oracle` names as references.
pub(crate) fn reference_files(names: &[String]) -> Vec<&Path> {
    let files = names.iter().filter_map(|name| name.strip_prefix("reference:")).map(Path::new);
    files.filter(|path| crate::python::is_program(path)).collect()
}

/// Whether a question is answered: its first wrong row is known, or all of its rows are.
pub(crate) fn is_enough(question: &Question, given: &[Given]) -> bool {
    let wrong = given.iter().any(|given| given.answer.judgement == gadfly_engine::Judgement::Wrong);
    wrong || question.rows.iter().all(|row| given.iter().any(|given| given.node == row.node))
}

fn ask(
    oracle: &mut dyn Oracle,
    subject: &Subject<'_>,
    question: &Question,
    given: &mut Vec<Given>,
) -> Result<(), OracleError> {
    for row in &question.rows {
        if given.iter().any(|given| given.node == row.node) {
            continue;
        }
        let whole = oracle.wants_whole().then(|| subject.behaviour(row.node, true).ok()).flatten();
        let equation = &whole.as_ref().unwrap_or(&row.behaviour).equation;
        let text = subject.full_text(&row.behaviour.equation);
        let query = subject.query(question.number, row.node, equation, &text);
        if let Some(answer) = oracle.judge(&query, &Unwatched)? {
            let wrong = answer.judgement == gadfly_engine::Judgement::Wrong;
            given.push(Given { node: row.node, answer, by: oracle.who() });
            if wrong {
                break;
            }
        }
    }
    Ok(())
}

fn stopped(name: Who, error: &OracleError) -> Failure {
    let failure = Failure::input(format!("the oracle `{name}` cannot go on: {error}"));
    let kept = "the answers so far are kept: `--resume` goes on with them";
    match &error.hint {
        Some(hint) => failure.with_hint(format!("{hint}; {kept}")),
        None => failure.with_hint(kept),
    }
}

fn link(text: &str, asking: &Asking, subject: &Subject<'_>) -> Result<Link, Failure> {
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    match kind {
        "person" if rest.is_empty() => Ok(Link::Person),
        "answers" if !rest.is_empty() => Answers::open(Path::new(rest))
            .map(Link::Answers)
            .map_err(|error| Failure::input(&error).with_hint(error.hint())),
        "command" => CommandOracle::new(rest, subject.style(), asking.timeout.unwrap_or(COMMAND))
            .map(Link::Command)
            .map_err(|error| Failure::usage(format!("--oracle {text}: {error}"))),
        "reference" | "revision" | "release"
            if !rest.is_empty() && subject.recording.language() == "python" =>
        {
            python(kind, rest, asking).map(|oracle| Link::Python(Box::new(oracle)))
        }
        "tests" | "properties" | "doctests" | "types" | "contracts"
            if subject.recording.language() == "python" =>
        {
            own(kind, rest, asking, subject)
        }
        "revision" | "release" | "tests" | "properties" | "doctests" | "types" | "contracts" => {
            Err(Failure::usage(format!("`{kind}:` answers for Python programs only"))
                .with_hint("name the correct version of the program: `--oracle reference:PROGRAM`"))
        }
        "reference" if !rest.is_empty() => {
            reference(Path::new(rest), asking, subject).map(|oracle| Link::Reference(Box::new(oracle)))
        }
        "knowledge" => {
            let path = match rest {
                "" => places::knowledge().ok_or_else(|| {
                    Failure::usage("there is no folder for the knowledge base")
                        .with_hint("name a file: `--oracle knowledge:FILE`")
                })?,
                file => PathBuf::from(file),
            };
            Ok(Link::Knowledge(Knowledge::new(path, subject.recording.language())))
        }
        _ => Err(unknown(text)),
    }
}

/// How long a command may take for an answer, unless told.
const COMMAND: Duration = Duration::from_secs(60);
/// How long a reference program may take; most answers take it a millisecond.
const REFERENCE: Duration = Duration::from_secs(10);

/// What a Python program says of itself: by its tests, its properties, its documentation, its hints, its contracts.
fn own(kind: &str, rest: &str, asking: &Asking, subject: &Subject<'_>) -> Result<Link, Failure> {
    let player = asking.player.clone().ok_or_else(|| {
        Failure::usage(format!("`{kind}` has to run the program again, and a trail does not say how"))
            .with_hint("name the program instead of its trail")
    })?;
    let recipe = player.borrow().recipe().clone();
    let python = recipe.python().to_owned();
    let mut command = std::process::Command::new(&python);
    command.current_dir(recipe.folder());
    match kind {
        "tests" => {
            command.args(["-m", "gadfly.pytest_plugin", "-q", "-p", "no:cacheprovider"]);
            command.args(Some(rest).filter(|rest| !rest.is_empty()));
            Ok(Link::Seen(Seen::run(Who::Tests, command, &python)?))
        }
        "doctests" => {
            let tables = subject.recording.run().map(|viewed| viewed.trail().tables());
            let files = tables.map_or(&[][..], |tables| &tables.files);
            command.args(["-m", "gadfly.oracles.doctests"]).args(files.iter().map(|file| &file.path));
            Ok(Link::Seen(Seen::run(Who::Doctests, command, &python)?))
        }
        _ => {
            let (who, name) = match kind {
                "types" => (Who::Types, "types"),
                "properties" => (Who::Properties, "properties"),
                _ => (Who::Contracts, "contracts"),
            };
            if !rest.is_empty() && !Path::new(rest).exists() {
                return Err(Failure::input(format!("{rest}: there is no such file or folder"))
                    .with_hint("name the tests: `--oracle properties:tests`"));
            }
            let place = match rest.is_empty() {
                true => String::new(),
                false => std::path::absolute(rest)?.to_string_lossy().into_owned(),
            };
            Ok(Link::Python(Box::new(PythonOracle::new(who, player, Means::Check(name, place)))))
        }
    }
}

/// A correct version of a Python program.
fn python(kind: &str, name: &str, asking: &Asking) -> Result<PythonOracle, Failure> {
    let player = asking.player.clone().ok_or_else(|| {
        Failure::usage(format!("`{kind}:` has to run the program again, and a trail does not say how"))
            .with_hint("name the program instead of its trail")
    })?;
    let recipe = player.borrow().recipe().clone();
    let (name, correct) = match kind {
        "revision" => (Who::Revision, Correct::revision(name, &recipe.folder())?),
        "release" => (Who::Release, Correct::release(name, recipe.python())?),
        _ => (Who::Reference, Correct::reference(name)?),
    };
    Ok(PythonOracle::new(name, player, Means::Correct(correct)))
}

fn reference(path: &Path, asking: &Asking, subject: &Subject<'_>) -> Result<Reference, Failure> {
    let settings = ReferenceSettings {
        expression: subject.expression(),
        arguments: asking.arguments.clone(),
        input: asking.input.clone(),
        time: asking.timeout.unwrap_or(REFERENCE),
        ..ReferenceSettings::default()
    };
    let name = path.display();
    Reference::open(path, settings).map_err(|error| match error {
        ReferenceError::Unreadable(error) => Failure::input(format!("{name}: {error}"))
            .with_hint("name the good program: `--oracle reference:GOOD.hs`"),
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
