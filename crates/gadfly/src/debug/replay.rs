//! Sessions that nobody sits at: played from a journal, or from a script.

use super::begin;
use super::chain::{Asking, Chain, Spoken};
use super::subject::Subject;
use crate::failure::Failure;
use crate::{output, places};
use gadfly_engine::strategy::StrategyName;
use gadfly_engine::{Action, Answer, Given, Judgement, Question, Session, Settings, Step, Who};
use gadfly_oracles::{Header, Journal, Resumed};
use gadfly_tree::Node;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The journal that the user means: the one named, or the usual one for this tree.
pub(crate) fn journal_path(input: &Path, named: Option<&Path>, subject: &Subject<'_>) -> Option<PathBuf> {
    match named {
        Some(path) => Some(path.to_owned()),
        None => places::journal(input, &fingerprint(subject)),
    }
}

/// What a journal says of the session it belongs to.
pub(crate) fn header(subject: &Subject<'_>, settings: &Settings) -> Header {
    let mut table = BTreeMap::new();
    table.insert("strategy".to_owned(), settings.strategy.name().to_owned());
    table.insert("memo".to_owned(), settings.memo.to_string());
    table.insert("rows".to_owned(), settings.rows.to_string());
    table.insert("bias".to_owned(), settings.bias.to_string());
    table.insert("addends".to_owned(), settings.addends.to_string());
    if !settings.aside.is_empty() {
        table.insert("granularity".to_owned(), "top-level".to_owned());
    }
    if settings.compress {
        table.insert("transform".to_owned(), "compress".to_owned());
    }
    if !settings.symptoms.is_empty() {
        let numbers: Vec<String> = settings.symptoms.iter().map(|node| node.number().to_string()).collect();
        table.insert("symptom".to_owned(), numbers.join(" "));
    }
    if settings.whole_is_wrong {
        table.insert("whole".to_owned(), "wrong".to_owned());
    }
    for (number, name) in (1..).zip(&settings.trusted) {
        table.insert(format!("trust {number:06}"), name.clone());
    }
    Header { tree: fingerprint(subject), settings: table }
}

/// The settings that a journal's session was begun with; what it does not tell stays as in `settings`.
pub(crate) fn settings_of(header: &Header, settings: &Settings, subject: &Subject<'_>) -> Settings {
    fn read<T: std::str::FromStr>(header: &Header, name: &str, place: &mut T) {
        if let Some(value) = header.settings.get(name).and_then(|text| text.parse().ok()) {
            *place = value;
        }
    }
    let mut settings = settings.clone();
    let mut strategy: StrategyName = settings.strategy;
    read(header, "strategy", &mut strategy);
    settings.strategy = strategy;
    read(header, "memo", &mut settings.memo);
    read(header, "rows", &mut settings.rows);
    read(header, "bias", &mut settings.bias);
    read(header, "addends", &mut settings.addends);
    let aside = header.settings.get("granularity").is_some_and(|which| which == "top-level");
    settings.aside = if aside { begin::local_rules(subject) } else { Vec::new() };
    settings.compress = header.settings.get("transform").is_some_and(|which| which == "compress");
    let symptoms = header.settings.get("symptom").map_or("", String::as_str).split(' ');
    let symptoms = symptoms.filter_map(|number| Node::from_number(number.parse().ok()?));
    settings.symptoms = symptoms.filter(|node| subject.recording.tree().contains(*node)).collect();
    settings.whole_is_wrong = header.settings.get("whole").is_some_and(|whole| whole == "wrong");
    let trusted = header.settings.iter().filter(|(name, _)| name.starts_with("trust "));
    settings.trusted = trusted.map(|(_, name)| name.clone()).collect();
    settings
}

/// Opens a journal to go on with it, and checks that it is about this tree.
pub(crate) fn resume(path: &Path, subject: &Subject<'_>) -> Result<Resumed, Failure> {
    let resumed = Journal::resume(path).map_err(|error| Failure::input(&error).with_hint(error.hint()))?;
    for notice in &resumed.notices {
        output::error_line(&format!("warning: {}: {notice}", path.display()));
    }
    is_about_this_tree(path, &resumed.header, subject)?;
    Ok(resumed)
}

/// Plays the actions of a journal.
pub(crate) fn play(session: &mut Session, actions: Vec<Action>) -> Result<(), Failure> {
    for (index, action) in actions.into_iter().enumerate() {
        session.apply(action).map_err(|error| {
            Failure::input(format!("action {} of the journal makes no sense here: {error}", index + 1))
        })?;
    }
    Ok(())
}

/// The session of a journal, as it stands.
pub(crate) fn journal<'a>(
    input: &Path,
    named: Option<&Path>,
    subject: &Subject<'a>,
    settings: Settings,
) -> Result<Session, Failure> {
    let path = journal_path(input, named, subject).ok_or_else(|| {
        Failure::usage("there is no folder for sessions").with_hint("name a file: `--session=FILE`")
    })?;
    let recorded = Journal::read(&path).map_err(|error| Failure::input(&error).with_hint(error.hint()))?;
    is_about_this_tree(&path, &recorded.header, subject)?;
    let settings = settings_of(&recorded.header, &settings, subject);
    let mut session =
        Session::new(Arc::clone(subject.recording.tree()), subject.recording.behaviours(), settings);
    play(&mut session, recorded.actions)?;
    Ok(session)
}

fn is_about_this_tree(path: &Path, header: &Header, subject: &Subject<'_>) -> Result<(), Failure> {
    match header.tree == fingerprint(subject) {
        true => Ok(()),
        false => Err(Failure::input(format!("{}: this session is about another tree", path.display()))
            .with_hint("the tree was recorded again or changed; begin without --resume")),
    }
}

/// A session with the answers of a script; what the script does not know is "don't know".
pub(crate) fn script<'a>(
    script: &Path,
    subject: &Subject<'a>,
    settings: Settings,
) -> Result<Session, Failure> {
    let mut chain = Chain::new(&[format!("answers:{}", script.display())], &Asking::default(), subject)?;
    let settings = Settings { ask_again: false, ..settings };
    let mut session =
        Session::new(Arc::clone(subject.recording.tree()), subject.recording.behaviours(), settings);
    loop {
        let question = match session.step().map_err(Failure::input)? {
            Step::Done(_) => return Ok(session),
            Step::Ask(question) => question.clone(),
        };
        let (Spoken::Known(mut given) | Spoken::Person(mut given)) =
            chain.before_person(subject, &question)?;
        fill(&question, &mut given);
        session.apply(Action::Answer(given)).map_err(Failure::input)?;
    }
}

/// What nobody knows is "don't know"; the answers stand in the order of the rows.
pub(crate) fn fill(question: &Question, given: &mut Vec<Given>) {
    if !given.iter().any(|given| given.answer.judgement == Judgement::Wrong) {
        for row in &question.rows {
            if !given.iter().any(|given| given.node == row.node) {
                let answer = Answer::plain(Judgement::DontKnow);
                given.push(Given { node: row.node, answer, by: Who::Nobody });
            }
        }
    }
    given.sort_by_key(|given| given.node);
}

fn fingerprint(subject: &Subject<'_>) -> String {
    format!("{:032x}", subject.recording.fingerprint())
}
