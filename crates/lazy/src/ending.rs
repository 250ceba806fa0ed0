//! How a run ended, for people and for the exit status.

use crate::{Checked, Outcome, Ran};
use gadfly_frontend::{Ended, Failure, Launch};
use gadfly_machine::Resource;
use gadfly_source::Span;

/// Reports how a run ended; the error is a program that could not be run.
pub(crate) fn report(ran: &Ran, checked: &Checked, name: &str, launch: &Launch) -> Result<Ended, Failure> {
    let world = &launch.world;
    if let Some(text) = &ran.unwritten
        && !matches!(ran.outcome, Outcome::ClosedPipe)
    {
        world.tell(&format!("{name}: {text}"));
    }
    let exit = |status: i32| Ok(Ended::Exit(status as u8));
    let limits = &launch.run.limits;
    match &ran.outcome {
        Outcome::Exit(_) if ran.unwritten.is_some() => exit(1),
        Outcome::Exit(code) => exit(*code),
        Outcome::Uncaught { message, status, calls, exhausted } => {
            if !message.is_empty() {
                world.tell(&format!("{name}: {}", message.trim_end()));
                for line in trace(calls, checked) {
                    world.tell(&line);
                }
                match exhausted {
                    Some(Resource::Stack) => world.tell(
                        "hint: is there a recursion without end? If not: --stack sets how much it may take",
                    ),
                    Some(Resource::Heap) => world.tell("hint: --heap sets how much it may take"),
                    None => {}
                }
            }
            exit(*status)
        }
        Outcome::NoMain => {
            Err(Failure::input(format!("{}: there is no `main` to run", launch.file.display()))
                .with_hint("define `main`, and export it"))
        }
        Outcome::ClosedPipe => Ok(Ended::ClosedPipe),
        Outcome::Interrupted => Ok(Ended::Interrupted),
        Outcome::TimeLimit => Ok(Ended::Limit(format!(
            "{name}: stopped after {} s: the limit given by --time",
            limits.time.unwrap_or_default()
        ))),
        Outcome::StepLimit => Ok(Ended::Limit(format!(
            "{name}: stopped after {} calls: the limit given by --steps",
            limits.steps.unwrap_or_default()
        ))),
    }
}

/// No more than so many calls are shown from each end.
const SHOWN: usize = 8;

/// The calls that waited when something was raised.
fn trace(calls: &[(String, Span)], checked: &Checked) -> Vec<String> {
    let line = |(name, span): &(String, Span)| {
        let file = checked.sources.file(span.file);
        let start = file.position(span.start);
        format!("  in {name}, {}:{}:{}", file.name(), start.line, start.column)
    };
    let mut lines: Vec<String> = Vec::new();
    for call in calls {
        let line = line(call);
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    if lines.len() > 2 * SHOWN + 1 {
        let left_out = lines.len() - 2 * SHOWN;
        lines.splice(SHOWN..SHOWN + left_out, [format!("  … {left_out} more …")]);
    }
    lines
}
