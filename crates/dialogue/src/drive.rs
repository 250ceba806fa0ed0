//! Drives a dialogue: the only place with threads.
//!
//! A [`Driver`] owns the dialogue, its journal and an inbox. One worker thread does the jobs, one at a time; what it reports,
//! and what clients say, arrives in the inbox. Every job that was started ends there, done or cancelled, even if the worker
//! panics: whoever waits is not left waiting. [`inline`] does the jobs where they start: for tests, and where nobody waits.

use crate::dialogue::{Dialogue, JournalLine, Output, Stimulus};
use crate::job::{Done, Job, Worker};
use crate::journal::Journal;
use crate::protocol::{Event, Input, JobId, Message};
use gadfly_engine::{Unwatched, Watch};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

/// A dialogue with everything around it.
pub struct Driver {
    dialogue: Dialogue,
    journal: Option<Journal>,
    inbox: Receiver<Stimulus>,
    address: Sender<Stimulus>,
    jobs: Option<Sender<Order>>,
    worker: Option<JoinHandle<Worker>>,
    running: HashMap<JobId, Arc<Flag>>,
    /// All stimuli and what came of them, if they are kept.
    log: Option<Vec<(Stimulus, Vec<Output>)>>,
}

/// Watches a job of the worker.
struct Flag {
    cancelled: AtomicBool,
    job: JobId,
    address: Sender<Stimulus>,
}

impl Watch for Flag {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn progress(&self, done: u64, of: Option<u64>) {
        // A dialogue that is gone wants no progress.
        let _ = self.address.send(Stimulus::Progress { job: self.job, done, of });
    }
}

/// A job for the worker. If it is lost, because the worker panics or is gone, whoever waits for it hears that it was cancelled.
struct Order {
    job: JobId,
    /// Taken when the work begins.
    work: Option<Job>,
    flag: Arc<Flag>,
    answered: bool,
}

impl Order {
    /// Does the work and reports; says whether anybody listens.
    fn fill(mut self, worker: &mut Worker) -> bool {
        let result = self.work.take().map_or(Done::Cancelled, |work| worker.work(work, &*self.flag));
        self.answered = true;
        self.flag.address.send(Stimulus::Done { job: self.job, result }).is_ok()
    }
}

impl Drop for Order {
    fn drop(&mut self) {
        if !self.answered {
            let _ = self.flag.address.send(Stimulus::Done { job: self.job, result: Done::Cancelled });
        }
    }
}

impl Driver {
    /// Starts the worker.
    pub fn new(dialogue: Dialogue, mut worker: Worker, journal: Option<Journal>) -> Driver {
        let (address, inbox) = mpsc::channel();
        let (jobs, orders) = mpsc::channel::<Order>();
        let worker = thread::spawn(move || {
            for order in orders {
                if !order.fill(&mut worker) {
                    break;
                }
            }
            worker
        });
        let (jobs, worker) = (Some(jobs), Some(worker));
        Driver { dialogue, journal, inbox, address, jobs, worker, running: HashMap::new(), log: None }
    }

    /// Keeps all stimuli from now on, with the outputs. Another dialogue that hears them gives the same outputs: how a session
    /// goes depends on nothing else, least of all on when work was done.
    pub fn keep_log(&mut self) {
        self.log = Some(Vec::new());
    }

    /// What was kept.
    pub fn log(&self) -> &[(Stimulus, Vec<Output>)] {
        self.log.as_deref().unwrap_or_default()
    }

    /// The dialogue.
    pub fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// Where clients in other threads send their inputs.
    pub fn address(&self) -> Sender<Stimulus> {
        self.address.clone()
    }

    /// Says something to the dialogue, as one who has seen all of it; gives what is to be heard.
    pub fn say(&mut self, input: Input) -> Vec<Message<Event>> {
        let seen = self.dialogue.seen();
        self.take(Stimulus::Input(Message { request: None, seen, body: input }))
    }

    /// Waits for what comes next: a client's input, or how work goes on. `None` if nothing can come.
    pub fn wait(&mut self) -> Option<Vec<Message<Event>>> {
        let stimulus = self.inbox.recv().ok()?;
        Some(self.take(stimulus))
    }

    /// Whether work is going on.
    pub fn is_working(&self) -> bool {
        !self.running.is_empty()
    }

    /// Cancels all work.
    pub fn cancel(&self) {
        self.running.values().for_each(|flag| flag.cancelled.store(true, Ordering::Relaxed));
    }

    /// Lets the dialogue have a stimulus, and does what it wants done, in order.
    pub fn take(&mut self, stimulus: Stimulus) -> Vec<Message<Event>> {
        let mut events = Vec::new();
        let mut waiting = VecDeque::from([stimulus]);
        while let Some(stimulus) = waiting.pop_front() {
            if let Stimulus::Done { job, .. } = &stimulus {
                self.running.remove(job);
            }
            let logged = self.log.is_some().then(|| stimulus.clone());
            let outputs = self.dialogue.handle(stimulus);
            if let (Some(log), Some(stimulus)) = (&mut self.log, logged) {
                log.push((stimulus, outputs.clone()));
            }
            for output in outputs {
                match output {
                    Output::Event(event) => events.push(event),
                    Output::Write(line) => {
                        if let Err(message) = write(&mut self.journal, &line) {
                            waiting.push_back(Stimulus::JournalLost(message));
                        }
                    }
                    Output::Start(job, work) => self.start(job, work),
                    Output::Stop(job) => {
                        if let Some(flag) = self.running.get(&job) {
                            flag.cancelled.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        }
        events
    }

    fn start(&mut self, job: JobId, work: Job) {
        let flag = Arc::new(Flag { cancelled: AtomicBool::new(false), job, address: self.address.clone() });
        self.running.insert(job, Arc::clone(&flag));
        let order = Order { job, work: Some(work), flag, answered: false };
        if let Some(jobs) = &self.jobs {
            // An order that cannot be sent is lost, and says so.
            let _ = jobs.send(order);
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.cancel();
        self.jobs = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

/// Writes a line of the journal; the error is what happened, and the journal is given up.
fn write(journal: &mut Option<Journal>, line: &JournalLine) -> Result<(), String> {
    let Some(open) = journal else { return Ok(()) };
    let written = match line {
        JournalLine::Entry(entry, equations) => {
            let equations: Vec<&str> = equations.iter().map(String::as_str).collect();
            open.append(entry, &equations)
        }
        JournalLine::End(status) => open.end(status),
    };
    let Err(error) = written else { return Ok(()) };
    let message = format!("{}: {error}", open.path().display());
    *journal = None;
    Err(message)
}

/// Lets a dialogue have a stimulus and does the work where it starts; gives all outputs in order.
pub fn inline(dialogue: &mut Dialogue, worker: &mut Worker, stimulus: Stimulus) -> Vec<Output> {
    let mut outputs = Vec::new();
    let mut waiting = VecDeque::from([stimulus]);
    while let Some(stimulus) = waiting.pop_front() {
        for output in dialogue.handle(stimulus) {
            if let Output::Start(job, work) = &output {
                let result = worker.work(work.clone(), &Unwatched);
                waiting.push_back(Stimulus::Done { job: *job, result });
            }
            outputs.push(output);
        }
    }
    outputs
}
