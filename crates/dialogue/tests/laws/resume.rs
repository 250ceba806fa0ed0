//! A journal, wherever it ends, brings a session back to where it stood.

use super::scene::{Deed, Gate, Scene, Standing, Wanted, deed, scene, settle, standing};
use crate::stage::hello;
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::journal::Journal;
use gadfly_dialogue::protocol::Event;
use gadfly_dialogue::resume;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::Arc;

const STEADY: Wanted = Wanted { moody: false, person: true };

/// Where equations are equal, it depends on the order of the questions which of them was asked.
fn different() -> impl Strategy<Value = Scene> {
    scene(STEADY).prop_map(|scene| Scene { equal: 100, ..scene })
}

/// A session with its journal, and what was true after each deed: how long the journal was, and where the session stood.
struct Kept {
    driver: Driver,
    gate: Arc<Gate>,
    stood: Vec<(usize, Standing)>,
}

fn lines(path: &Path) -> usize {
    let text = fs::read(path).expect("a journal");
    text.iter().filter(|byte| **byte == b'\n').count()
}

fn kept(scene: &Scene, deeds: &[Deed], path: &Path) -> Kept {
    let gate = Arc::new(Gate::default());
    let worker = scene.worker(&gate);
    let dialogue = scene.dialogue(&worker, Vec::new(), 0);
    let header = resume::header(&*scene.recording(), &scene.settings());
    let journal = Journal::create(path, &header).expect("a journal").journal;
    let mut driver = Driver::new(dialogue, worker, Some(journal));
    driver.take(hello());
    settle(&mut driver, &gate);
    let mut stood = vec![(lines(path), standing(&mut driver))];
    for (request, deed) in (1..).zip(deeds) {
        let stimulus = deed.stimulus(driver.dialogue(), request);
        driver.take(stimulus);
        settle(&mut driver, &gate);
        stood.push((lines(path), standing(&mut driver)));
    }
    Kept { driver, gate, stood }
}

/// A session that is resumed from a journal; none if the journal does not even say what it is about.
fn resumed(scene: &Scene, path: &Path) -> Option<(Driver, Arc<Gate>)> {
    let continued = resume::resume(path).ok()?;
    assert!(continued.resumed.notices.len() <= 1);
    let gate = Arc::new(Gate::default());
    let worker = scene.worker(&gate);
    let length = continued.resumed.entries.len() as u64;
    let dialogue = scene.dialogue(&worker, continued.saved, length);
    let mut driver = Driver::new(dialogue, worker, Some(continued.resumed.journal));
    driver.take(hello());
    settle(&mut driver, &gate);
    Some((driver, gate))
}

/// How many whole lines there are before a cut; the last may lack its line break.
fn whole_lines(text: &[u8], cut: usize) -> usize {
    let before = text[..cut].iter().filter(|byte| **byte == b'\n').count();
    before + usize::from(text.get(cut) == Some(&b'\n'))
}

/// Cuts a copy of a journal and resumes it: it stands where the session stood after the last whole line, and has written
/// what the session wrote.
fn check_cut(
    scene: &Scene,
    stood: &[(usize, Standing)],
    text: &[u8],
    cut: usize,
    copy: &Path,
) -> Result<(), TestCaseError> {
    fs::write(copy, &text[..cut]).expect("a copy");
    let whole = whole_lines(text, cut);
    let Some((mut driver, _)) = resumed(scene, copy) else {
        prop_assert_eq!(whole, 0, "cut at {}", cut);
        return Ok(());
    };
    let (length, expected) = stood.iter().find(|(length, _)| *length >= whole).expect("a moment");
    prop_assert_eq!(&standing(&mut driver), expected, "cut at {} in line {}", cut, whole + 1);
    drop(driver);
    let end = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(length - 1).expect("a line").0;
    let written = fs::read(copy).expect("a copy");
    prop_assert_eq!(
        String::from_utf8_lossy(&written),
        String::from_utf8_lossy(&text[..=end]),
        "cut at {}",
        cut
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_journal_cut_anywhere_resumes_after_its_last_whole_line(
        scene in different(),
        deeds in prop::collection::vec(deed(), 0..16),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, copy) = (folder.path().join("journal"), folder.path().join("copy"));
        let Kept { driver, stood, .. } = kept(&scene, &deeds, &path);
        drop(driver);
        let text = fs::read(&path).expect("a journal");
        for cut in cuts {
            check_cut(&scene, &stood, &text, cut.index(text.len() + 1), &copy)?;
        }
        // At the end of every line.
        for (at, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            check_cut(&scene, &stood, &text, at + 1, &copy)?;
        }
    }

    /// A session that is resumed goes on as the one that was never interrupted: undo reaches back, and so does all else.
    #[test]
    fn a_resumed_session_goes_on_as_if_nothing_had_happened(
        scene in different(),
        before in prop::collection::vec(deed(), 0..14),
        after in prop::collection::vec(deed(), 1..10),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, copy) = (folder.path().join("journal"), folder.path().join("copy"));
        let Kept { mut driver, gate, .. } = kept(&scene, &before, &path);
        if driver.dialogue().is_ended() {
            return Ok(());
        }
        fs::copy(&path, &copy).expect("a copy");
        let (mut other, its_gate) = resumed(&scene, &copy).expect("a session");
        for (request, deed) in (1000..).zip(&after) {
            let went = go_on(&mut driver, &gate, deed, request);
            let its = go_on(&mut other, &its_gate, deed, request);
            prop_assert_eq!(its, went, "after {:?}", deed);
            prop_assert_eq!(standing(&mut other), standing(&mut driver), "after {:?}", deed);
        }
    }
}

/// What is heard after a deed, but for numbers that count from where a session was opened.
fn go_on(driver: &mut Driver, gate: &Gate, deed: &Deed, request: u64) -> Vec<Event> {
    let stimulus = deed.stimulus(driver.dialogue(), request);
    let mut events = super::scene::bodies(driver.take(stimulus));
    events.extend(settle(driver, gate));
    let is_counted = |event: &Event| matches!(event, Event::Working { .. } | Event::Refused { .. });
    events.retain(|event| !is_counted(event));
    events
}

#[test]
fn a_short_journal_can_be_cut_at_every_byte() {
    use gadfly_engine::Judgement::{Correct, Wrong};
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..2 {
        use proptest::strategy::{Strategy as _, ValueTree as _};
        let scene = different().new_tree(&mut runner).expect("a scene").current();
        let deeds = [Deed::Answer(vec![Correct]), Deed::Undo(1), Deed::Enter(2), Deed::Answer(vec![Wrong])];
        let (path, copy) = (folder.path().join(format!("{round}")), folder.path().join("copy"));
        let Kept { driver, stood, .. } = kept(&scene, &deeds, &path);
        drop(driver);
        let text = fs::read(&path).expect("a journal");
        for cut in 0..=text.len() {
            check_cut(&scene, &stood, &text, cut, &copy).expect("it resumes");
        }
    }
}
