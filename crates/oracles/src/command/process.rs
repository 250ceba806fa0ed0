//! A running program that is asked line by line, and never waited for longer than agreed.
//!
//! Both pipes have a thread of their own, because a program may neither read nor write: a question may be many
//! megabytes, and a pipe holds few kilobytes. The threads end when the program does or closes its pipes.
//!
//! The program has a process group of its own, and what is left of the group at the end is killed: what the program has started
//! must not outlive the session. The group's number is its own as long as the program has not been waited for, so that is done last.

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that is taken for an answer.
pub(super) const MAX_LINE: usize = 1 << 20;

/// How long a program may take to end, or to say its last words.
const GRACE: Duration = Duration::from_millis(200);

/// How often a program that says nothing is looked after.
const LOOK: Duration = Duration::from_millis(50);

/// How many lines are read before they are wanted; then a program that says too much has to wait.
const AHEAD: usize = 4;

/// The groups of all programs that are running.
static GROUPS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn groups() -> MutexGuard<'static, Vec<Pid>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all programs that answer, and what they have started: for a process that ends at once.
pub fn end_commands() {
    for group in groups().drain(..) {
        // An error means that there is nothing left of it.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Option<Pid>,
    /// How it ended, once it was waited for.
    status: Option<ExitStatus>,
    /// Lines to be written; `None` once the program's input is to be closed.
    questions: Option<Sender<Vec<u8>>>,
    events: Receiver<Event>,
}

#[derive(Debug)]
enum Event {
    Line(Vec<u8>),
    TooLong(Vec<u8>),
    OutputClosed,
    InputClosed,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    Ended(ExitStatus),
    ClosedOutput,
    ClosedInput,
    TimedOut,
    /// The beginning of a line that has no end.
    TooLong(Vec<u8>),
    /// A line without a question.
    Unasked(Vec<u8>),
}

impl Process {
    pub(super) fn start(words: &[String]) -> io::Result<Process> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (told, events) = sync_channel(AHEAD);
        let (questions, to_write) = channel();
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        groups().extend(group);
        let process = Process { child, group, status: None, questions: Some(questions), events };
        if let (Some(stdin), Some(stdout)) = (stdin, stdout) {
            let told_too = told.clone();
            thread::Builder::new().spawn(move || read_lines(stdout, &told_too))?;
            thread::Builder::new().spawn(move || write_lines(stdin, &to_write, &told))?;
        }
        Ok(process)
    }

    /// Writes a line and waits for the line that answers it.
    pub(super) fn ask(&mut self, line: Vec<u8>, time_out: Duration) -> Result<Vec<u8>, Failure> {
        // So many years that the end of time is not in sight.
        let time_out = time_out.min(Duration::from_secs(u64::from(u32::MAX)));
        let mut deadline = Instant::now() + time_out;
        let soon = |deadline: Instant| deadline.min(Instant::now() + GRACE);
        let mut deaf = false;
        // What comes while this looks may go on for ever.
        for event in self.events.try_iter().take(2 * AHEAD) {
            match event {
                Event::Line(line) if is_blank(&line) => {}
                Event::Line(line) => return Err(Failure::Unasked(line)),
                Event::TooLong(line) => return Err(Failure::TooLong(line)),
                Event::InputClosed => deaf = true,
                Event::OutputClosed => return Err(self.closed()),
            }
        }
        deaf |= self.questions.as_ref().is_none_or(|questions| questions.send(line).is_err());
        if deaf {
            deadline = soon(deadline);
        }
        let mut ended = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(LOOK)) {
                Ok(Event::Line(line)) if is_blank(&line) => {
                    if left.is_zero() {
                        return Err(Failure::TimedOut);
                    }
                }
                Ok(Event::Line(line)) => return Ok(line),
                Ok(Event::TooLong(line)) => return Err(Failure::TooLong(line)),
                Ok(Event::OutputClosed) | Err(RecvTimeoutError::Disconnected) => return Err(self.closed()),
                Ok(Event::InputClosed) => {
                    // It may have answered without reading all of the question.
                    deaf = true;
                    deadline = soon(deadline);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let status = if ended { self.kill() } else { None };
                    return Err(match status {
                        Some(status) => Failure::Ended(status),
                        None if deaf => Failure::ClosedInput,
                        None => Failure::TimedOut,
                    });
                }
                Err(RecvTimeoutError::Timeout) if !ended => {
                    // Something that it started may hold its output open.
                    ended = self.has_ended();
                    if ended {
                        deadline = soon(deadline);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends the program at once, and all that it has started; how it ended.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if let Some(group) = self.group.take() {
            groups().retain(|other| *other != group);
            // An error means that there is nothing left of it.
            let _ = kill_process_group(group, Signal::KILL);
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
        self.status
    }

    /// Whether it has ended; it is not waited for, so that its number stays its own.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.group.is_none_or(|id| !matches!(waitid(WaitId::Pid(id), options), Ok(None)))
    }

    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    fn closed(&mut self) -> Failure {
        let status = if self.ends(GRACE) { self.kill() } else { None };
        status.map_or(Failure::ClosedOutput, Failure::Ended)
    }

    /// Waits for the program to end, but not for longer than that.
    fn ends(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
        true
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.questions = None;
        self.ends(GRACE);
        self.kill();
    }
}

fn read_lines(stdout: ChildStdout, told: &SyncSender<Event>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let event = match reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::OutputClosed,
            Ok(_) if line.len() > MAX_LINE => Event::TooLong(line),
            Ok(_) => Event::Line(line),
        };
        let last = !matches!(event, Event::Line(_));
        if told.send(event).is_err() || last {
            return;
        }
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<Vec<u8>>, told: &SyncSender<Event>) {
    for line in lines {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            // The receiver may have gone.
            let _ = told.send(Event::InputClosed);
            return;
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
