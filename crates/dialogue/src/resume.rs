//! What a journal says of the session it belongs to, and sessions that are played from one.
//!
//! The header holds what decides which questions are asked, so that a resumed session asks as the first one did. The actions
//! of the program's level are played when the dialogue is made; those inside a call when it is entered again, for its inside
//! must be recorded first.

use crate::dialogue::fingerprint;
use crate::journal::{About, Header, Journal, JournalError, Resumed};
use crate::saved::{SavedLevel, levels};
use gadfly_engine::{ActionError, Session, Settings};
use gadfly_term::render;
use gadfly_tree::{Node, Recording, RuleId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a journal says of the session it belongs to.
pub fn header(recording: &dyn Recording, settings: &Settings) -> Header {
    let mut table = BTreeMap::new();
    let mut set = |name: &str, value: String| table.insert(name.to_owned(), value);
    set("strategy", settings.strategy.name().to_owned());
    set("memo", settings.memo.to_string());
    set("rows", settings.rows.to_string());
    set("bias", settings.bias.to_string());
    set("addends", settings.addends.to_string());
    if !settings.aside.is_empty() {
        set("granularity", "top-level".to_owned());
    }
    if settings.compress {
        set("transform", "compress".to_owned());
    }
    if !settings.symptoms.is_empty() {
        let numbers: Vec<String> = settings.symptoms.iter().map(|node| node.number().to_string()).collect();
        set("symptom", numbers.join(" "));
    }
    if settings.whole_is_wrong {
        set("whole", "wrong".to_owned());
    }
    for (number, name) in (1..).zip(&settings.trusted) {
        set(&format!("trust {number:06}"), name.clone());
    }
    Header { tree: fingerprint(recording), settings: table }
}

/// The settings that a journal's session was begun with; what it does not say stays as in `settings`. `local` are the rules
/// of local functions.
pub fn settings(about: &About, settings: &Settings, recording: &dyn Recording, local: &[RuleId]) -> Settings {
    fn read<T: std::str::FromStr>(header: &Header, name: &str, place: &mut T) {
        if let Some(value) = header.settings.get(name).and_then(|text| text.parse().ok()) {
            *place = value;
        }
    }
    let About::Session(header) = about else { return settings.clone() };
    let is = |name: &str, value: &str| header.settings.get(name).is_some_and(|known| known == value);
    let mut settings = settings.clone();
    read(header, "strategy", &mut settings.strategy);
    read(header, "memo", &mut settings.memo);
    read(header, "rows", &mut settings.rows);
    read(header, "bias", &mut settings.bias);
    read(header, "addends", &mut settings.addends);
    settings.aside = if is("granularity", "top-level") { local.to_vec() } else { Vec::new() };
    settings.compress = is("transform", "compress");
    let symptoms = header.settings.get("symptom").map_or("", String::as_str).split(' ');
    let symptoms = symptoms.filter_map(|number| Node::from_number(number.parse().ok()?));
    settings.symptoms = symptoms.filter(|node| recording.tree().contains(*node)).collect();
    settings.whole_is_wrong = is("whole", "wrong");
    let trusted = header.settings.iter().filter(|(name, _)| name.starts_with("trust "));
    settings.trusted = trusted.map(|(_, name)| name.clone()).collect();
    settings
}

/// Whether a journal's session is about this tree.
pub fn is_about(about: &About, recording: &dyn Recording) -> bool {
    let (tree, behaviours) = (recording.tree(), recording.behaviours());
    let says = |node: Node, text: &str| {
        let behaviour = tree.contains(node).then(|| behaviours.behaviour(tree, node, false).ok()).flatten();
        behaviour.is_some_and(|behaviour| {
            let shown = render::equation_line(&behaviour.equation, recording.about().style, usize::MAX).text;
            text.strip_suffix('…').map_or(shown == text, |cut| shown.starts_with(cut))
        })
    };
    match about {
        About::Session(header) => header.tree == fingerprint(recording),
        About::Answered(equations) => {
            !equations.is_empty() && equations.iter().all(|(node, text)| says(*node, text))
        }
    }
}

/// A journal that is continued, level by level.
pub struct Continued {
    /// The journal, and what the user should know about it.
    pub resumed: Resumed,
    /// What is still in force.
    pub saved: Vec<SavedLevel>,
}

/// Opens a journal to continue its session. Journals of version 1 have the inside of a call in a file of their own.
pub fn resume(path: &Path) -> Result<Continued, JournalError> {
    let resumed = Journal::resume(path)?;
    let mut saved = levels(&resumed.entries);
    if let Some(top) = saved.last_mut() {
        top.decided = resumed.ended.is_some();
    }
    let mut inside = path.as_os_str().to_owned();
    inside.push(".inside");
    if saved.len() == 1
        && let Ok(recorded) = Journal::read(&PathBuf::from(inside))
        && let About::Session(header) = recorded.about
    {
        let actions = levels(&recorded.entries).into_iter().next().map(|level| level.actions);
        let entered = Some((Node::ROOT, header.tree));
        let actions = actions.unwrap_or_default();
        saved.push(SavedLevel { entered, actions, elsewhere: true, ..SavedLevel::default() });
    }
    Ok(Continued { resumed, saved })
}

/// The session about the program itself that a journal holds, as it stands.
pub fn play(
    recording: &dyn Recording,
    settings: Settings,
    saved: Vec<SavedLevel>,
) -> Result<Session, (usize, ActionError)> {
    let mut session = Session::new(Arc::clone(recording.tree()), recording.behaviours(), settings);
    let actions = saved.into_iter().next().map(|level| level.actions).unwrap_or_default();
    for (index, action) in actions.into_iter().enumerate() {
        session.apply(action).map_err(|error| (index + 1, error))?;
    }
    Ok(session)
}
