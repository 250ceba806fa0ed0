//! What is asked, and what looking does.

use super::scene::{Deed, Doubts, Gate, Scene, Wanted, bodies, deed, look, place, scene, settle, standing};
use crate::stage::hello;
use gadfly_dialogue::Output;
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::protocol::{Event, Input};
use gadfly_engine::Judgement;
use proptest::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

const STEADY: Wanted = Wanted { moody: false, person: true };

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// A node is asked about once; once more if nobody knew. Only the user goes back.
    #[test]
    fn nothing_is_asked_twice(
        scene in scene(Wanted { person: false, ..STEADY }),
        deeds in prop::collection::vec(deed().prop_filter("forward", |deed| !deed.goes_back()), 0..40),
    ) {
        // A review goes back, too.
        let scene = Scene { doubts: Doubts::None, ..scene };
        let gate = Arc::new(Gate::default());
        let worker = scene.worker(&gate);
        let dialogue = scene.dialogue(&worker, Vec::new(), 0);
        let mut driver = Driver::new(dialogue, worker, None);
        let mut events = bodies(driver.take(hello()));
        events.extend(settle(&mut driver, &gate));
        for (request, deed) in (1..).zip(&deeds) {
            let stimulus = deed.stimulus(driver.dialogue(), request);
            events.extend(bodies(driver.take(stimulus)));
            events.extend(settle(&mut driver, &gate));
        }
        let mut answers: HashMap<(u16, u32), Vec<Judgement>> = HashMap::new();
        for event in events {
            let Event::Answered(answered) = event else { continue };
            for given in answered.rows {
                let at = place(given.said.at.level, given.said.at.node);
                answers.entry(at).or_default().push(given.answer.judgement);
            }
        }
        for (node, given) in answers {
            let once = given.len() == 1;
            let again = given.len() == 2 && given[0] == Judgement::DontKnow && scene.person;
            prop_assert!(once || again, "{:?} was answered {:?}", node, given);
        }
    }

    /// A look at anything leaves everything as it is, and writes nothing.
    #[test]
    fn looking_changes_nothing(
        scene in scene(STEADY),
        deeds in prop::collection::vec(deed(), 0..12),
        looks in prop::collection::vec(look(), 1..12),
    ) {
        let gate = Arc::new(Gate::default());
        let worker = scene.worker(&gate);
        let dialogue = scene.dialogue(&worker, Vec::new(), 0);
        let mut driver = Driver::new(dialogue, worker, None);
        driver.take(hello());
        settle(&mut driver, &gate);
        for (request, deed) in (1..).zip(&deeds) {
            let stimulus = deed.stimulus(driver.dialogue(), request);
            driver.take(stimulus);
            settle(&mut driver, &gate);
        }
        if driver.dialogue().is_ended() {
            return Ok(());
        }
        let (before, seen) = (standing(&mut driver), driver.dialogue().seen());
        driver.keep_log();
        for at in looks {
            driver.say(Input::Look { at });
            settle(&mut driver, &gate);
        }
        let outputs = driver.log().iter().flat_map(|(_, outputs)| outputs);
        for output in outputs {
            let looked = match output {
                Output::Event(event) => matches!(
                    event.body,
                    Event::Looked { .. } | Event::Refused { .. } | Event::Working { .. }
                ),
                Output::Start(_, job) => job.doing() == gadfly_dialogue::protocol::Doing::Estimating,
                Output::Stop(_) | Output::Write(_) => false,
            };
            prop_assert!(looked, "{:?}", output);
        }
        prop_assert_eq!(standing(&mut driver), before);
        prop_assert_eq!(driver.dialogue().seen(), seen);
    }

    /// An answer to one question leaves the others as they are: what was undone is asked again.
    #[test]
    fn undo_goes_back_to_where_the_session_stood(
        scene in scene(STEADY).prop_map(|scene| Scene {
            before: None,
            equal: 100,
            doubts: Doubts::None,
            ..scene
        }),
        deeds in prop::collection::vec(deed().prop_filter("forward", |deed| !deed.goes_back()), 0..10),
        last in prop::collection::vec(prop_oneof![Just(Judgement::Correct), Just(Judgement::Wrong)], 1..2),
    ) {
        let gate = Arc::new(Gate::default());
        let worker = scene.worker(&gate);
        let dialogue = scene.dialogue(&worker, Vec::new(), 0);
        let mut driver = Driver::new(dialogue, worker, None);
        driver.take(hello());
        settle(&mut driver, &gate);
        for (request, deed) in (1..).zip(&deeds) {
            let stimulus = deed.stimulus(driver.dialogue(), request);
            driver.take(stimulus);
            settle(&mut driver, &gate);
        }
        if driver.dialogue().open_question().is_none() {
            return Ok(());
        }
        let before = standing(&mut driver);
        let stimulus = Deed::Answer(last).stimulus(driver.dialogue(), 1000);
        let (seen, level) = (driver.dialogue().seen(), driver.dialogue().level());
        driver.take(stimulus);
        settle(&mut driver, &gate);
        if driver.dialogue().seen() == seen || driver.dialogue().level() < level {
            // It was refused, or the last one inside a call that was left for it: that call's answers are gone.
            return Ok(());
        }
        driver.say(Input::Undo { steps: 1 });
        settle(&mut driver, &gate);
        prop_assert_eq!(standing(&mut driver), before);
    }
}
