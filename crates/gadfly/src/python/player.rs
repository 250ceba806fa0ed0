//! A program that is run again to look into single calls.
//!
//! The processes are the package's (`_play.py`): each stands at the beginning of a call and does what it is told through a socket.
//! This keeps the sockets, goes to a call from the nearest process that stands before it, and puts an end to all of them.

use super::Recipe;
use gadfly_trail::Trail;
use gadfly_trail::model::{NodeId, What};
use gadfly_tree::{Kind, Node, Tree};
use serde_json::{Value, json};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Why a call could not be looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The program went another way than when it was recorded.
    AnotherRun,
    /// Something else, as half a sentence.
    Because(String),
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Lost::AnotherRun => f.write_str("the program did something else when it was run again"),
            Lost::Because(why) => f.write_str(why),
        }
    }
}

/// A call that was made again.
pub(crate) struct Made {
    /// Where its results are.
    pub(crate) values: PathBuf,
    pub(crate) trail: Trail,
    /// What was said of it.
    pub(crate) answer: Value,
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
    pub(crate) how: Value,
}

impl Inside {
    pub(crate) fn new((call, another): (u64, bool), how: Value, tree: &Tree) -> Inside {
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

/// On which side of some code the correct version has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    Before,
    After,
}

fn because(why: impl ToString) -> Lost {
    Lost::Because(why.to_string())
}

/// A process at the beginning of a call.
struct Stand {
    /// The number of the call; 0 is before all.
    call: u64,
    /// Whether it has no threads but one: copies of it would lack them, and not run on as the program did.
    alone: bool,
    stream: BufReader<UnixStream>,
}

/// So many processes wait at calls.
const STANDS: usize = 24;
/// How long a program may take to be loaded.
const LOADING: Duration = Duration::from_secs(60);

/// A recorded program that can be run again.
pub(crate) struct Player {
    recipe: Recipe,
    trail: Arc<Trail>,
    /// The calls of the run, in order.
    calls: OnceCell<Vec<NodeId>>,
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
    stands: Vec<Stand>,
    process: Child,
    files: usize,
}

impl Drop for Running {
    fn drop(&mut self) {
        // Processes end when nobody talks to them any more.
        self.stands.clear();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A player that oracles, and what looks into calls, use in turns.
#[derive(Clone)]
pub(crate) struct SharedPlayer(Arc<Mutex<Player>>);

impl SharedPlayer {
    pub(crate) fn new(player: Player) -> SharedPlayer {
        SharedPlayer(Arc::new(Mutex::new(player)))
    }

    pub(crate) fn borrow(&self) -> MutexGuard<'_, Player> {
        self.0.lock().unwrap_or_else(|poison| poison.into_inner())
    }
}

impl Player {
    pub(crate) fn new(recipe: Recipe, trail: Arc<Trail>, seconds: u64) -> Player {
        let (calls, missing) = (OnceCell::new(), HashMap::new());
        Player { recipe, trail, calls, running: None, seconds, inside: None, missing }
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
        let calls = self.calls.get_or_init(|| {
            let functions = &self.trail.tables().functions;
            let is_call = |node: &NodeId| match self.trail.shape(*node).what {
                What::Call(function) => {
                    functions.get(function as usize).is_some_and(|function| !function.origin.is_inside())
                }
                _ => false,
            };
            (1..=self.trail.node_count()).map(NodeId).filter(is_call).collect()
        });
        calls.binary_search(&node).ok().map(|at| at as u64 + 1)
    }

    /// Makes a call as the program did, with what happens inside; gives the trail. `told` says how, as [`super::oracle::how`] does.
    pub(crate) fn detail(&mut self, call: u64, mut told: Value) -> Result<Trail, Lost> {
        let [trail, values] = self.files("detail")?;
        (told["record"], told["values"], told["detail"]) = (json!(trail), json!(values), true.into());
        self.ask(call, told)?;
        Trail::open(&trail).map_err(because)
    }

    /// Makes a call as the program did.
    pub(crate) fn make(&mut self, call: u64, mut told: Value) -> Result<Made, Lost> {
        let [trail, values] = self.files("call")?;
        (told["record"], told["values"]) = (json!(trail), json!(values));
        let answer = self.ask(call, told)?;
        let trail = Trail::open(&trail).map_err(because)?;
        Ok(Made { values, trail, answer })
    }

    fn files(&mut self, name: &str) -> Result<[PathBuf; 2], Lost> {
        let running = self.running()?;
        running.files += 1;
        let file = |end: &str| running.folder.path().join(format!("{name}-{}.{end}", running.files));
        Ok([file("trail"), file("values")])
    }

    /// Has something done at the beginning of a call, in the time that it says itself or that everything has.
    pub(crate) fn ask(&mut self, call: u64, mut told: Value) -> Result<Value, Lost> {
        let seconds = self.seconds;
        let mine = told["seconds"].as_u64().unwrap_or(seconds);
        told["seconds"] = mine.into();
        let running = self.running()?;
        let at = running.go(call, seconds)?;
        let answer = running.stands[at].ask(&told, mine);
        if answer.is_err() {
            running.stands.remove(at);
        }
        let answer = answer.map_err(because)?;
        match answer.get("unknown").and_then(Value::as_str) {
            Some(why) => Err(because(why)),
            None => Ok(answer),
        }
    }

    fn running(&mut self) -> Result<&mut Running, Lost> {
        if self.running.is_none() {
            self.running = Some(Running::start(&self.recipe)?);
        }
        self.running.as_mut().ok_or_else(|| because("the program cannot be run again"))
    }
}

impl Stand {
    fn of(stream: UnixStream, call: u64) -> Stand {
        Stand { call, alone: true, stream: BufReader::new(stream) }
    }

    /// Tells a process something.
    fn tell(&mut self, told: &Value) -> io::Result<()> {
        let stream = self.stream.get_mut();
        stream.write_all(format!("{told}\n").as_bytes())?;
        stream.flush()
    }

    /// What a process says; it has so many seconds to say it, and some to come to an end if that is too long.
    fn hear(&mut self, seconds: u64) -> io::Result<Value> {
        self.stream.get_ref().set_read_timeout(Some(Duration::from_secs(seconds + 5)))?;
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::Error::other("the program came to an unexpected end when it was run again"));
        }
        serde_json::from_str(&line).map_err(io::Error::other)
    }

    fn ask(&mut self, told: &Value, seconds: u64) -> io::Result<Value> {
        self.tell(told)?;
        self.hear(seconds)
    }
}

impl Running {
    fn start(recipe: &Recipe) -> Result<Running, Lost> {
        let folder = tempfile::Builder::new().prefix("gadfly-").tempdir().map_err(because)?;
        let place = folder.path().join("socket");
        let listener = UnixListener::bind(&place).map_err(because)?;
        let mut command = recipe.again().map_err(|_| because("its input cannot be read any more"))?;
        let process = command.env("GADFLY_PLAY", &place).spawn().map_err(because)?;
        let mut running = Running { listener, folder, stands: Vec::new(), process, files: 0 };
        let mut first = Stand::of(running.accept(LOADING)?, 0);
        first.hear(LOADING.as_secs()).map_err(because)?;
        running.stands.push(first);
        Ok(running)
    }

    /// A process that wants to be told something.
    fn accept(&mut self, patience: Duration) -> Result<UnixStream, Lost> {
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
            let ended = self.stands.is_empty() && matches!(self.process.try_wait(), Ok(Some(_)));
            if ended || begun.elapsed() > patience {
                return Err(because("the program could not be run again"));
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// A process at the beginning of a call: its index.
    fn go(&mut self, call: u64, seconds: u64) -> Result<usize, Lost> {
        if let Some(at) = self.stands.iter().position(|stand| stand.call == call) {
            return Ok(at);
        }
        let before = self.stands.iter_mut().filter(|stand| stand.alone && stand.call < call);
        let nearest = before.max_by_key(|stand| stand.call).ok_or(Lost::AnotherRun)?;
        let told = json!({"go": call, "seconds": seconds});
        nearest.tell(&told).map_err(because)?;
        let mut stand = Stand::of(self.accept(LOADING)?, call);
        stand.hear(seconds).map_err(because)?;
        let heard = stand.hear(seconds).map_err(because)?;
        if heard.get("at").is_none() {
            return Err(Lost::AnotherRun);
        }
        stand.alone = heard["alone"] != false;
        if self.stands.len() >= STANDS {
            self.stands.remove(1);
        }
        self.stands.push(stand);
        Ok(self.stands.len() - 1)
    }
}
