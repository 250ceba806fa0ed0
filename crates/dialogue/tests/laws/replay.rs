//! How a session goes depends on its stimuli alone, whenever work is done.

use super::scene::{Deed, Gate, Scene, Wanted, deed, scene, settle};
use crate::stage::hello;
use gadfly_dialogue::drive::{self, Driver};
use gadfly_dialogue::protocol::{Event, Input};
use gadfly_dialogue::{Output, Stimulus};
use proptest::prelude::*;
use std::sync::Arc;

const MOODY: Wanted = Wanted { moody: true, person: false };

fn unruly_deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        20 => deed(),
        4 => (0..6u64).prop_map(Deed::Cancel),
        12 => Just(Deed::Settle),
        1 => Just(Deed::Garbled),
        1 => Just(Deed::Quit),
    ]
}

/// A whole session with threads: late work is done when the gate is opened, or too late.
fn driven(scene: &Scene, deeds: &[Deed]) -> Driver {
    let gate = Arc::new(Gate::default());
    let worker = scene.worker(&gate);
    let dialogue = scene.dialogue(&worker, Vec::new(), 0);
    let mut driver = Driver::new(dialogue, worker, None);
    driver.keep_log();
    driver.take(hello());
    for (request, deed) in (1..).zip(deeds) {
        match deed {
            Deed::Settle => drop(settle(&mut driver, &gate)),
            deed => {
                let stimulus = deed.stimulus(driver.dialogue(), request);
                driver.take(stimulus);
            }
        }
    }
    gate.set(true);
    driver.say(Input::Quit);
    while !driver.dialogue().is_ended() {
        driver.wait();
    }
    driver
}

/// The same session with the work done where it starts.
fn inline(scene: &Scene, deeds: &[Deed]) -> Vec<Output> {
    let gate = Arc::new(Gate::default());
    gate.set(true);
    let mut worker = scene.worker(&gate);
    let mut dialogue = scene.dialogue(&worker, Vec::new(), 0);
    let mut outputs = drive::inline(&mut dialogue, &mut worker, hello());
    for (request, deed) in (1..).zip(deeds) {
        let stimulus = deed.stimulus(&dialogue, request);
        outputs.extend(drive::inline(&mut dialogue, &mut worker, stimulus));
    }
    outputs
}

fn is_progress(output: &Output) -> bool {
    matches!(output, Output::Event(event) if matches!(event.body, Event::Working { .. }))
}

fn texts(outputs: &[Output]) -> Vec<String> {
    outputs.iter().filter(|output| !is_progress(output)).map(|output| format!("{output:?}")).collect()
}

/// Whether a line of the journal stands before the events that follow from it, and every question after all lines.
fn is_in_order(stimulus: &Stimulus, outputs: &[Output]) -> Result<(), String> {
    let is_hello =
        matches!(stimulus, Stimulus::Input(message) if matches!(message.body, Input::Hello { .. }));
    let (mut written, mut seen) = (false, None);
    for output in outputs {
        match output {
            Output::Write(_) => written = true,
            Output::Event(message) => {
                let follows = matches!(
                    message.body,
                    Event::Answered(_) | Event::Entered { .. } | Event::Left { .. } | Event::Verdict(_)
                );
                if follows && !written && !is_hello {
                    return Err(format!("nothing was written before {:?}", message.body));
                }
                if seen.is_some_and(|seen| message.seen < seen) {
                    return Err(format!("`seen` falls at {:?}", message.body));
                }
                seen = Some(message.seen);
            }
            Output::Start(..) | Output::Stop(_) => {}
        }
    }
    let last_write = outputs.iter().rposition(|output| matches!(output, Output::Write(_)));
    let asked = outputs.iter().position(
        |output| matches!(output, Output::Event(event) if matches!(event.body, Event::Question(_))),
    );
    match (asked, last_write) {
        (Some(asked), Some(written)) if written > asked => Err("a line stands after a question".to_owned()),
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// What the driver logged, whenever work was done, cancelled or came too late, another dialogue does alike.
    #[test]
    fn a_logged_session_can_be_replayed(
        scene in scene(MOODY),
        deeds in prop::collection::vec(unruly_deed(), 0..30),
    ) {
        let driver = driven(&scene, &deeds);
        let worker = scene.worker(&Arc::new(Gate::default()));
        let mut again = scene.dialogue(&worker, Vec::new(), 0);
        for (stimulus, outputs) in driver.log() {
            let given = again.handle(stimulus.clone());
            prop_assert_eq!(format!("{:?}", given), format!("{:?}", outputs), "after {:?}", stimulus);
            if let Err(why) = is_in_order(stimulus, outputs) {
                return Err(TestCaseError::fail(format!("{why}\nafter {stimulus:?}:\n{outputs:#?}")));
            }
        }
        prop_assert!(again.is_ended());
    }

    /// Where work is waited for, threads make no difference.
    #[test]
    fn threads_make_no_difference(
        scene in scene(MOODY),
        deeds in prop::collection::vec(deed(), 0..20),
    ) {
        let settled: Vec<Deed> =
            deeds.iter().flat_map(|deed| [Deed::Settle, deed.clone()]).chain([Deed::Settle]).collect();
        let driver = driven(&scene, &settled);
        let driven: Vec<Output> = driver.log().iter().flat_map(|(_, outputs)| outputs.clone()).collect();
        // The numbers of requests count what settles, too.
        let numbered = |texts: Vec<String>| -> Vec<String> {
            texts.into_iter().map(|text| without_request(&text)).collect()
        };
        let inline = numbered(texts(&inline(&scene, &deeds)));
        let driven = numbered(texts(&driven));
        prop_assert!(driven.len() >= inline.len());
        prop_assert_eq!(&driven[..inline.len()], &inline[..]);
    }
}

fn without_request(text: &str) -> String {
    match text.split_once("request: ") {
        Some((before, after)) => match after.split_once(", seen") {
            Some((_, rest)) => format!("{before}{rest}"),
            None => text.to_owned(),
        },
        None => text.to_owned(),
    }
}
