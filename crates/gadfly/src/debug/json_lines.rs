//! `--format json-lines`: the dialogue's own messages, one a line, on stdin and stdout.

use crate::output;
use gadfly_dialogue::Stimulus;
use gadfly_dialogue::drive::Driver;
use gadfly_dialogue::protocol::{Ending, Event, Input, LONGEST, Message};
use gadfly_frontend::Failure;
use gadfly_source::Notation;
use std::io::{self, BufRead, Read as _};
use std::sync::mpsc::Sender;
use std::thread;

/// Speaks the protocol until the dialogue is over.
pub(crate) fn talk(driver: &mut Driver) -> Result<(), Failure> {
    let address = driver.address();
    // The thread ends with the process, or when the input does.
    thread::spawn(move || read(&address));
    let mut out = output::stdout(Notation::Json);
    while !driver.dialogue().is_ended() {
        let Some(events) = driver.wait() else { break };
        let mut failed = None;
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

/// Passes what comes on stdin to the dialogue; the end of the input quits.
fn read(address: &Sender<Stimulus>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while next_line(&mut input, &mut line).is_ok_and(|length| length > 0) {
        if !line.trim_ascii().is_empty() && address.send(Stimulus::line(&line)).is_err() {
            return;
        }
        line.clear();
    }
    let _ = address.send(Stimulus::Input(Message { request: None, seen: 0, body: Input::Quit }));
}

/// Reads a line, or the beginning of one that is too long.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let length = input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', line)?;
    if length > LONGEST && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(length)
}
