//! How calls end, and how the run as a whole did, beside how the reference ends.
//!
//! A run that ended in an exception, or with a status that says so, is right only if that of the reference ends so too,
//! whatever it did before: what `main` gave and printed by then does not count.

use super::build::Stage;
use super::infer::Doubt;
use super::meet::Met;
use gadfly_machine::{Found, Recorder, Resource};
use gadfly_trail::model::RunEnd;

/// Whether a run ended in a way that is right only if the reference ends so too.
pub(super) fn is_bad(ended: &RunEnd) -> bool {
    match ended {
        RunEnd::Exit(status) => *status != 0,
        RunEnd::Uncaught(..) => true,
        RunEnd::Interrupted | RunEnd::Limit(_) | RunEnd::Unrecorded => false,
    }
}

/// Whether the reference ends as the run did; its call is held last.
pub(super) fn ends_alike<R: Recorder<0>>(
    stage: &mut Stage<'_, '_, '_, R>,
    ended: &RunEnd,
    action: bool,
) -> Met {
    let exception = match come_to_an_end(stage, action) {
        Ok(()) => return Met::Different,
        Err(Met::Raised(exception)) => exception,
        Err(other) => return other,
    };
    stage.machine.hold(exception);
    let (found, exhausted) = stage.machine.described(exception);
    let held = stage.machine.held() - 1;
    let exception = stage.machine.held_at(held);
    let status = stage.machine.status(exception);
    let exception = stage.machine.held_at(held);
    stage.machine.release(held);
    if let Some(resource) = exhausted {
        return short_of(resource);
    }
    let same = match ended {
        RunEnd::Exit(known) => status == *known && found.is_empty(),
        RunEnd::Uncaught(said, known) => status == *known && without_place(said) == without_place(&found),
        RunEnd::Interrupted | RunEnd::Limit(_) | RunEnd::Unrecorded => true,
    };
    if same { Met::Same } else { Met::Raised(exception) }
}

/// Evaluates the call that is held last; an action is executed too.
pub(super) fn come_to_an_end<R: Recorder<0>>(
    stage: &mut Stage<'_, '_, '_, R>,
    action: bool,
) -> Result<(), Met> {
    let value = stage.evaluate(false)?;
    // Where the type is not known, the value knows it.
    if action || matches!(stage.machine.look(stage.asking, value), Found::Action) {
        stage.machine.hold(value);
        stage.evaluate(true)?;
    }
    Ok(())
}

/// An exception that says nothing of the program but that it needs more memory.
pub(super) fn short_of(resource: Resource) -> Met {
    let what = match resource {
        Resource::Stack => "stack overflow",
        Resource::Heap => "heap exhausted",
    };
    Met::Unclear(Doubt(format!("the reference program ended with: {what}")))
}

/// A message without the place that it begins with: `Main.hs:3:1-20: Non-exhaustive patterns…`.
pub(super) fn without_place(message: &str) -> &str {
    let message = message.trim();
    match message.split_once(": ") {
        Some((place, rest))
            if place.contains(':') && place.ends_with(|c: char| c.is_ascii_digit() || c == ')') =>
        {
            rest.trim()
        }
        _ => message,
    }
}
