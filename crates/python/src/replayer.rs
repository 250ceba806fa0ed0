//! A program that is run again to look into single calls.
//!
//! The processes are the package's (`replay/server.py`): each is paused at the beginning of a call and answers requests
//! ([`super::messages`]) through a socket. This keeps the sockets, goes to a call from the nearest process that is paused before it,
//! and puts an end to all of them.

use super::Recipe;
use super::job::{Given, Task};
pub(crate) use super::messages::Missing;
use super::messages::{Ask, CallShape, Failed, Failure, ReferencePlace, Reply, Request, VERSION};
use gadfly_trail::Trail;
use gadfly_trail::model::{Function, NodeId, Origin, What};
use gadfly_tree::{Kind, Node, Tree};
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Why a call could not be looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReplayError {
    /// The program went another way than when it was recorded.
    AnotherRun,
    /// The program's process says why.
    Failed(Failed),
    /// Something else, as half a sentence.
    Because(String),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::AnotherRun => f.write_str("the program did something else when it was run again"),
            ReplayError::Failed(failed) => failed.fmt(f),
            ReplayError::Because(why) => f.write_str(why),
        }
    }
}

/// A call that was made again.
pub(crate) struct ReplayedCall {
    /// Where its results are.
    pub(crate) values: PathBuf,
    pub(crate) trail: Trail,
    /// Whether it had only been too deep inside of others, and came to an end by itself.
    pub(crate) ended: bool,
}

/// A call that is looked into.
pub(crate) struct Inside {
    /// Its number in the run.
    pub(crate) call: u64,
    /// By node of its tree: the numbers of the first and of the last piece of code that it stands for, in the order in which
    /// they began.
    pub(crate) pieces: Vec<(u64, u64)>,
    /// Whether what is looked into is of another run: then nothing that it does can be done again as it was.
    pub(crate) another: bool,
    /// How it is made again.
    pub(crate) how: CallShape,
}

impl Inside {
    pub(crate) fn new((call, another): (u64, bool), how: CallShape, tree: &Tree) -> Inside {
        let mut begun = 0;
        let mut pieces = Vec::new();
        for node in (0..tree.len()).map(Node) {
            pieces.push((begun, begun));
            begun += u64::from(tree.kind(node) != Kind::Projection);
        }
        // One that stands over others begins with the first of them; the last one is looked for from the end.
        for node in (0..tree.len()).rev().map(Node) {
            if tree.kind(node) == Kind::Projection
                && let Some(last) = tree.children(node).last()
            {
                pieces[node.0 as usize].1 = pieces[last.0 as usize].1;
            }
        }
        Inside { call, another, pieces, how }
    }
}

fn because(why: impl ToString) -> ReplayError {
    ReplayError::Because(why.to_string())
}

/// A reply to something else than what was asked.
pub(crate) fn unexpected(reply: &Reply) -> ReplayError {
    let detail = format!("the program's process gave an unexpected reply: {reply:?}");
    ReplayError::Failed(Failed { failure: Failure::Crashed, detail })
}

/// A process at the beginning of a call.
struct PausedCall {
    /// The number of the call; 0 is before all.
    call: u64,
    /// Whether it has no threads but one: copies of it would lack them, and not run on as the program did.
    alone: bool,
    /// How many of the references it has read, or the process that it is a copy of.
    prepared: usize,
    /// Whether it is worth keeping, since others begin there.
    stays: bool,
    stream: BufReader<UnixStream>,
}

/// So many processes wait at calls.
const MOST_PAUSED: usize = 24;
/// How long a program may take to be loaded.
const LOADING_LIMIT: Duration = Duration::from_secs(60);

/// A recorded program that can be run again.
pub(crate) struct Replayer {
    recipe: Recipe,
    trail: Arc<Trail>,
    /// The calls of the run, in order.
    calls: OnceCell<Vec<NodeId>>,
    /// The calls that stand before a long way without imports: by the number of the first after which nothing is imported.
    after_imports: OnceCell<Vec<(u64, u64)>>,
    /// The references that answer.
    references: Vec<ReferencePlace>,
    running: Option<Running>,
    /// How long something may take.
    seconds: u64,
    /// The call that is looked into.
    pub(crate) inside: Option<Inside>,
    /// Beside which nodes of the call that is looked into code is missing.
    pub(crate) missing: HashMap<Node, Missing>,
}

struct Running {
    listener: UnixListener,
    folder: tempfile::TempDir,
    paused: Vec<PausedCall>,
    process: Child,
    files: usize,
    _job: Given,
}

impl Drop for Running {
    fn drop(&mut self) {
        // Processes end when their sockets are closed.
        self.paused.clear();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A replayer that oracles, and what looks into calls, use in turns.
#[derive(Clone)]
pub(crate) struct SharedReplayer(Arc<Mutex<Replayer>>);

impl SharedReplayer {
    pub(crate) fn new(replayer: Replayer) -> SharedReplayer {
        SharedReplayer(Arc::new(Mutex::new(replayer)))
    }

    pub(crate) fn borrow(&self) -> MutexGuard<'_, Replayer> {
        self.0.lock().unwrap_or_else(|poison| poison.into_inner())
    }
}

impl Replayer {
    pub(crate) fn new(recipe: Recipe, trail: Arc<Trail>, seconds: u64) -> Replayer {
        Replayer {
            recipe,
            trail,
            calls: OnceCell::new(),
            after_imports: OnceCell::new(),
            references: Vec::new(),
            running: None,
            seconds,
            inside: None,
            missing: HashMap::new(),
        }
    }

    /// A reference is going to answer.
    pub(crate) fn add_reference(&mut self, place: ReferencePlace) {
        self.references.push(place);
    }

    pub(crate) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// How long an answer may take.
    pub(crate) fn seconds(&self) -> u64 {
        self.seconds
    }

    /// The number of a call among all calls of the run, from 1.
    pub(crate) fn number(&self, node: NodeId) -> Option<u64> {
        self.calls().binary_search(&node).ok().map(|at| at as u64 + 1)
    }

    fn calls(&self) -> &[NodeId] {
        self.calls.get_or_init(|| {
            let is_call = |node: &NodeId| self.function(*node).is_some_and(|one| !one.origin.is_inside());
            (1..=self.trail.node_count()).map(NodeId).filter(is_call).collect()
        })
    }

    fn function(&self, node: NodeId) -> Option<&Function> {
        match self.trail.shape(node).what {
            What::Call(function) => self.trail.tables().functions.get(function as usize),
            _ => None,
        }
    }

    /// The first call of those up to a call, all of which are made while no module is being imported: a process that is paused there
    /// need not import anything again.
    fn after_imports(&self, call: u64) -> Option<u64> {
        let spans = self.after_imports.get_or_init(|| {
            let (mut spans, mut imports) = (Vec::<(u64, u64)>::new(), HashSet::new());
            let mut last = 0;
            for (number, node) in (1..).zip(self.calls()) {
                let is_module = self.function(*node).is_some_and(|one| one.origin == Origin::Module);
                // The first is the program itself.
                if number > 1 && (is_module || imports.contains(&self.trail.parent(*node))) {
                    imports.insert(*node);
                } else if number > 1 {
                    match spans.last_mut() {
                        Some((_, end)) if last + 1 == number => *end = number,
                        _ => spans.push((number, number)),
                    }
                    last = number;
                }
            }
            spans
        });
        let at = spans.partition_point(|(_, end)| *end < call);
        spans.get(at).filter(|(first, _)| *first <= call).map(|(first, _)| *first)
    }

    /// Makes a call as the program did, with what happens inside; gives the trail.
    pub(crate) fn detail(&mut self, call: u64, shape: CallShape) -> Result<Trail, ReplayError> {
        let [trail, _] = self.files("detail")?;
        match self.ask(call, Ask::RecordInside { shape, trail: trail.clone() })? {
            Reply::Recorded { .. } => Trail::open(&trail).map_err(because),
            other => Err(unexpected(&other)),
        }
    }

    /// Makes a call as the program did, in so many seconds.
    pub(crate) fn make(
        &mut self,
        call: u64,
        shape: CallShape,
        limit_seconds: u64,
    ) -> Result<ReplayedCall, ReplayError> {
        let [trail, values] = self.files("call")?;
        let ask = Ask::Record { shape, trail: trail.clone(), values: values.clone() };
        match self.ask_within(call, ask, limit_seconds)? {
            Reply::Recorded { ended } => {
                let trail = Trail::open(&trail).map_err(because)?;
                Ok(ReplayedCall { values, trail, ended })
            }
            other => Err(unexpected(&other)),
        }
    }

    fn files(&mut self, name: &str) -> Result<[PathBuf; 2], ReplayError> {
        let running = self.running()?;
        running.files += 1;
        let file = |end: &str| running.folder.path().join(format!("{name}-{}.{end}", running.files));
        Ok([file("trail"), file("values")])
    }

    /// Asks the process that is paused at the beginning of a call, in the time that everything has.
    pub(crate) fn ask(&mut self, call: u64, ask: Ask) -> Result<Reply, ReplayError> {
        self.ask_within(call, ask, self.seconds)
    }

    /// Asks the process that is paused at the beginning of a call.
    pub(crate) fn ask_within(
        &mut self,
        call: u64,
        ask: Ask,
        limit_seconds: u64,
    ) -> Result<Reply, ReplayError> {
        let (seconds, references) = (self.seconds, self.references.clone());
        let after_imports = self.after_imports(call);
        let running = self.running()?;
        if let Some(at) = after_imports.and_then(|first| running.go(first, seconds).ok()) {
            running.paused[at].stays = true;
            running.paused[at].prepare(&references).map_err(because)?;
        }
        let at = running.go(call, seconds)?;
        if ask.swaps_code() {
            running.paused[at].prepare(&references).map_err(because)?;
        }
        let reply = running.paused[at].ask(&Request { limit_seconds, ask });
        if reply.is_err() {
            running.paused.remove(at);
        }
        match reply.map_err(because)? {
            Reply::Failed(failed) => Err(ReplayError::Failed(failed)),
            reply => Ok(reply),
        }
    }

    fn running(&mut self) -> Result<&mut Running, ReplayError> {
        if self.running.is_none() {
            self.running = Some(Running::start(&self.recipe)?);
        }
        self.running.as_mut().ok_or_else(|| because("the program cannot be run again"))
    }
}

impl PausedCall {
    fn of(stream: UnixStream, call: u64) -> PausedCall {
        PausedCall { call, alone: true, prepared: 0, stays: false, stream: BufReader::new(stream) }
    }

    fn send(&mut self, request: &Request) -> io::Result<()> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        let stream = self.stream.get_mut();
        stream.write_all(&line)?;
        stream.flush()
    }

    /// What a process says; it has so many seconds to say it, and some to prepare for that and to come to an end if it takes too long.
    fn hear(&mut self, seconds: u64) -> io::Result<Reply> {
        let patience = Duration::from_secs(seconds) + LOADING_LIMIT + Duration::from_secs(5);
        self.stream.get_ref().set_read_timeout(Some(patience))?;
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::Error::other("the program ended unexpectedly when it was run again"));
        }
        serde_json::from_str(&line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// The first message of a process: both ends have to be of one version.
    fn hear_version(&mut self, seconds: u64) -> io::Result<()> {
        match self.hear(seconds) {
            Ok(Reply::Hello { version: VERSION }) => Ok(()),
            Err(error) if error.kind() != io::ErrorKind::InvalidData => Err(error),
            _ => Err(io::Error::other(
                "the installed package gadfly does not fit this version of gadfly; install both from the same release",
            )),
        }
    }

    /// Has it read the references that it has not read yet.
    fn prepare(&mut self, references: &[ReferencePlace]) -> io::Result<()> {
        for reference in references.iter().skip(self.prepared) {
            let ask = Ask::Prepare { reference: reference.clone() };
            self.ask(&Request { limit_seconds: LOADING_LIMIT.as_secs(), ask })?;
            self.prepared += 1;
        }
        Ok(())
    }

    fn ask(&mut self, request: &Request) -> io::Result<Reply> {
        self.send(request)?;
        self.hear(request.limit_seconds)
    }
}

impl Running {
    fn start(recipe: &Recipe) -> Result<Running, ReplayError> {
        let folder = tempfile::Builder::new().prefix("gadfly-").tempdir().map_err(because)?;
        let place = folder.path().join("socket");
        let listener = UnixListener::bind(&place).map_err(because)?;
        let task = Task::Replay { socket: place };
        let (mut command, job) =
            recipe.again(task).map_err(|_| because("its input cannot be read any more"))?;
        let process = command.spawn().map_err(because)?;
        let mut running = Running { listener, folder, paused: Vec::new(), process, files: 0, _job: job };
        let mut first = PausedCall::of(running.accept(LOADING_LIMIT)?, 0);
        first.hear_version(LOADING_LIMIT.as_secs()).map_err(because)?;
        running.paused.push(first);
        Ok(running)
    }

    /// A process that wants to be told something.
    fn accept(&mut self, patience: Duration) -> Result<UnixStream, ReplayError> {
        self.listener.set_nonblocking(true).map_err(because)?;
        let begun = Instant::now();
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).map_err(because)?;
                    return Ok(stream);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(because(error)),
            }
            let ended = self.paused.is_empty() && matches!(self.process.try_wait(), Ok(Some(_)));
            if ended || begun.elapsed() > patience {
                return Err(because("the program could not be run again"));
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// A process at the beginning of a call: its index.
    fn go(&mut self, call: u64, seconds: u64) -> Result<usize, ReplayError> {
        if let Some(at) = self.paused.iter().position(|paused| paused.call == call) {
            return Ok(at);
        }
        let before = self.paused.iter_mut().filter(|paused| paused.alone && paused.call < call);
        let nearest = before.max_by_key(|paused| paused.call).ok_or(ReplayError::AnotherRun)?;
        let request = Request { limit_seconds: seconds, ask: Ask::GoTo { call } };
        nearest.send(&request).map_err(because)?;
        let prepared = nearest.prepared;
        let mut paused = PausedCall::of(self.accept(LOADING_LIMIT)?, call);
        paused.prepared = prepared;
        paused.hear_version(seconds).map_err(because)?;
        match paused.hear(seconds).map_err(because)? {
            Reply::Paused { alone } => paused.alone = alone,
            _ => return Err(ReplayError::AnotherRun),
        }
        if self.paused.len() >= MOST_PAUSED {
            let other = self.paused.iter().skip(1).position(|paused| !paused.stays).unwrap_or(0);
            self.paused.remove(1 + other);
        }
        self.paused.push(paused);
        Ok(self.paused.len() - 1)
    }
}
