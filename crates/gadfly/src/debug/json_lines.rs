//! `--format json-lines`: the dialogue's own messages, one a line, on stdin and stdout.

use crate::output;
use gadfly_dialogue::Stimulus;
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::protocol::{Ending, Event, Input, Message, Refusal};
use gadfly_frontend::Failure;
use std::io::{self, BufRead as _};
use std::sync::mpsc::Sender;
use std::thread;

/// Speaks the protocol until the dialogue is over.
pub(crate) fn talk(driver: &mut Driver) -> Result<(), Failure> {
    let address = driver.address();
    let (refused, refusals) = std::sync::mpsc::channel();
    // The thread ends with the process, or when the input does.
    thread::spawn(move || read(&address, &refused));
    let mut out = output::stdout();
    while !driver.dialogue().is_ended() {
        let Some(events) = driver.wait() else { break };
        let mut failed = None;
        for why in refusals.try_iter() {
            let body = Event::Refused { why };
            write(&mut out, &Message { request: None, seen: driver.dialogue().seen(), body })?;
        }
        for event in events {
            write(&mut out, &event)?;
            if let Event::Ended { how: Ending::Failed { message, hint } } = event.body {
                failed = Some((message, hint));
            }
        }
        if let Some((message, hint)) = failed {
            return Err(Failure::Input { message, hint });
        }
    }
    Ok(())
}

fn write(out: &mut impl io::Write, message: &Message<Event>) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, message).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// Passes what comes on stdin to the dialogue; a line that is no message is refused, and the end of the input quits.
fn read(address: &Sender<Stimulus>, refused: &Sender<Refusal>) {
    let say = |body, seen, request| address.send(Stimulus::Input(Message { request, seen, body })).is_ok();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Message<Input>>(&line) {
            Ok(Message { request, seen, body }) => {
                if !say(body, seen, request) {
                    return;
                }
            }
            Err(error) => {
                let _ = refused.send(Refusal::Nonsense { message: error.to_string() });
                // The dialogue is woken, so that the refusal is written.
                let wake = Stimulus::Progress { job: gadfly_dialogue::protocol::JobId(0), done: 0, of: None };
                if address.send(wake).is_err() {
                    return;
                }
            }
        }
    }
    say(Input::Quit, 0, None);
}
