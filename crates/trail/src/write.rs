//! Writing a recorded run: a thread that makes blocks of the rows and appends them to a file.
//!
//! The program's run must not notice: the machine gives full chunks away and gets empty ones back; it waits only when the
//! thread is [`CHUNKS`] behind, which bounds the memory. When writing fails (the disk is full), the run goes on, what
//! it records is dropped, and [`Outcome`] says so afterwards; the file then has no end, which is reported when it is opened.
//!
//! A file that reaches its [`Bounds`] gets its end at once, and the run goes on likewise.
//!
//! Blocks are written as soon as they are full, and once a second with what is in the chunk that the machine still has
//! ([`super::progress`]), so that a recording that is killed loses little; a program that is about to die can request it at once
//! ([`super::urgent`]). Nothing that was written is touched again. [`PrivateFile`] makes sure that it goes into the trail and nowhere else.

use super::bounds::{Bounds, Full};
use super::coding::Output;
use super::layout::{self, BLOCK_HEADER, Header, Kind};
use super::model::{RunEnd, Shape, Tables};
use super::pack::{Malformed, Packer};
use super::private_file::PrivateFile;
use super::progress::Progress;
use super::read::Trail;
use super::stream::{CHUNK, Sink, Stream};
use super::tables;
use super::urgent::{Requests, Urgent};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The name of the thread that writes: whoever looks at the threads of a process knows it by that.
pub const THREAD: &str = "recorder";

/// Chunks that are on their way at most: with a block that is being filled they are the recorder's memory.
const CHUNKS: usize = 16;
/// How long a block that is not full may wait.
const PATIENCE: Duration = Duration::from_secs(1);

/// Why a recording is not complete.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// The file could not be written.
    #[error("the trail could not be written: {0}")]
    Writing(String),
    /// The rows are not what rows can be: a defect of the machine.
    #[error("the recorded rows are malformed: {0}")]
    Malformed(String),
    /// The recorder's thread came to an end by itself: a defect.
    #[error("the recorder stopped")]
    Stopped,
}

/// Why a recording could not begin.
#[derive(Debug, Error)]
pub enum CreateError {
    /// The file could not be made.
    #[error("the trail cannot be created: {0}")]
    File(#[from] io::Error),
    /// The program's tables contradict themselves: a defect of the front-end.
    #[error("the program's tables are not sound: {0}")]
    Tables(&'static str),
}

/// What came of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Bytes of the file.
    pub bytes: u64,
    /// Nodes in it.
    pub nodes: u64,
    /// Whether the run's end is in it.
    pub complete: bool,
    /// Why it is not.
    pub failure: Option<Failure>,
    /// The bound that it has reached: then its end is not that of the run.
    pub full: Option<Full>,
}

/// Says what came of a recording, once it has ended.
#[derive(Clone, Debug, Default)]
pub struct Outcome(Arc<Mutex<Written>>);

impl Outcome {
    /// What has been written by now.
    pub fn written(&self) -> Written {
        lock(&self.0).clone()
    }
}

/// Hears that a file has reached a bound, at once, from the thread that writes.
pub type OnFull = Box<dyn FnOnce(Full) + Send>;

/// Writes a file from a thread of its own.
pub struct Writer {
    messages: Option<SyncSender<Message>>,
    empty: Receiver<Vec<u64>>,
    chunks: usize,
    news: Arc<Mutex<News>>,
    requests: Arc<Requests>,
    thread: Option<JoinHandle<()>>,
    outcome: Outcome,
}

enum Message {
    /// There is a chunk to look at.
    Watch(Arc<Progress>),
    Rows(Vec<u64>),
    End(Vec<u64>, RunEnd),
}

/// What rows may use from now on.
#[derive(Debug, Default)]
struct News {
    tables: Vec<Tables>,
    shapes: Vec<Shape>,
}

impl Writer {
    /// Creates a file. One that was there goes away, but who has it open keeps it.
    pub fn create(path: &Path, tables: &Tables) -> Result<(Writer, Outcome), CreateError> {
        Writer::create_within(path, tables, Bounds::of(path, None), Box::new(drop))
    }

    /// Creates a file that stays within its bounds.
    pub fn create_within(
        path: &Path,
        tables: &Tables,
        bounds: Bounds,
        on_full: OnFull,
    ) -> Result<(Writer, Outcome), CreateError> {
        tables::verify(tables).map_err(CreateError::Tables)?;
        if fs::symlink_metadata(path).is_ok_and(|data| data.is_file()) {
            fs::remove_file(path)?;
        }
        Writer::within(PrivateFile::create(path)?, tables, bounds, on_full)
    }

    /// Writes to whatever can be written to.
    pub fn to(out: impl Write + Send + 'static, tables: &Tables) -> Result<(Writer, Outcome), CreateError> {
        Writer::within(out, tables, Bounds::none(), Box::new(drop))
    }

    fn within(
        out: impl Write + Send + 'static,
        tables: &Tables,
        bounds: Bounds,
        on_full: OnFull,
    ) -> Result<(Writer, Outcome), CreateError> {
        tables::verify(tables).map_err(CreateError::Tables)?;
        let tables = tables::encode(tables);
        let outcome = Outcome::default();
        let (messages, inbox) = sync_channel(CHUNKS);
        let (back, empty) = sync_channel(CHUNKS);
        let news = Arc::<Mutex<News>>::default();
        let requests = Arc::<Requests>::default();
        // Now, so that even of a program that is killed at once there is a trail, with nothing in it.
        let mut blocks = Blocks::new(out, bounds);
        let done = blocks.begin(&tables);
        let service = Service {
            blocks,
            done,
            inbox,
            back,
            outcome: outcome.clone(),
            news: Arc::clone(&news),
            requests: Arc::clone(&requests),
            progress: None,
            on_full: Some(on_full),
            seen: 0,
            sealed: Instant::now(),
        };
        let thread = thread::Builder::new().name(THREAD.into()).spawn(move || service.serve())?;
        let writer = Writer {
            messages: Some(messages),
            empty,
            chunks: 1,
            news,
            requests,
            thread: Some(thread),
            outcome: outcome.clone(),
        };
        Ok((writer, outcome))
    }

    /// Requests that everything be written at once.
    pub fn urgent(&self) -> Option<Urgent> {
        self.thread.as_ref().map(|thread| Urgent::new(Arc::clone(&self.requests), thread))
    }

    /// Sends something to the thread, and has it look. What cannot be sent is given back: then the thread is gone, and
    /// `finish` says so.
    fn send(&self, message: Message) -> Result<(), Message> {
        if let Some(messages) = &self.messages {
            messages.send(message).map_err(|unsent| unsent.0)?;
        }
        self.wake();
        Ok(())
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }

    /// Waits for the thread.
    fn finish(&mut self) {
        self.messages = None;
        self.wake();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            lock(&self.outcome.0).failure.get_or_insert(Failure::Stopped);
        }
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("chunks", &self.chunks).finish_non_exhaustive()
    }
}

impl Sink for Writer {
    fn watch(&mut self, progress: Arc<Progress>) {
        let _ = self.send(Message::Watch(progress));
    }

    fn more(&mut self, tables: Tables) {
        lock(&self.news).tables.push(tables);
    }

    fn shape(&mut self, shape: Shape) {
        lock(&self.news).shapes.push(shape);
    }

    fn take(&mut self, chunk: Vec<u64>) -> Vec<u64> {
        if let Err(Message::Rows(chunk)) = self.send(Message::Rows(chunk)) {
            return chunk;
        }
        match self.empty.try_recv() {
            Ok(chunk) => chunk,
            Err(TryRecvError::Empty) if self.chunks >= CHUNKS => self.empty.recv().unwrap_or_default(),
            Err(_) => {
                self.chunks += 1;
                Vec::with_capacity(CHUNK)
            }
        }
    }

    fn end(&mut self, last: Vec<u64>, end: &RunEnd) {
        let _ = self.send(Message::End(last, end.clone()));
        self.finish();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The thread: takes rows until there are no more, whatever happens to the file.
struct Service<W: Write> {
    blocks: Blocks<W>,
    done: Result<(), Failure>,
    inbox: Receiver<Message>,
    back: SyncSender<Vec<u64>>,
    outcome: Outcome,
    news: Arc<Mutex<News>>,
    requests: Arc<Requests>,
    progress: Option<Arc<Progress>>,
    on_full: Option<OnFull>,
    /// Words of the next chunk that were taken while it was being filled.
    seen: usize,
    /// When all that there was had been written.
    sealed: Instant,
}

impl<W: Write> Service<W> {
    fn serve(mut self) {
        loop {
            self.tell();
            match self.inbox.try_recv() {
                Ok(message) => self.hear(message),
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => self.idle(),
            }
        }
        self.seal();
        self.tell();
    }

    fn tell(&mut self) {
        lock(&self.outcome.0).clone_from(&self.blocks.written(&self.done));
        if let Some(full) = self.blocks.full
            && let Some(on_full) = self.on_full.take()
        {
            on_full(full);
        }
    }

    fn hear(&mut self, message: Message) {
        let (mut rows, end) = match message {
            Message::Watch(progress) => {
                self.progress = Some(progress);
                return;
            }
            Message::Rows(rows) => (rows, None),
            Message::End(rows, end) => (rows, Some(end)),
        };
        let new = std::mem::take(&mut self.seen);
        self.take(rows.get(new..).unwrap_or_default());
        if self.sealed.elapsed() >= PATIENCE {
            self.seal();
        }
        // It keeps its words, so that they need not be zeroed again.
        rows.truncate(CHUNK);
        rows.shrink_to(2 * CHUNK);
        // The stream may be gone.
        let _ = self.back.try_send(rows);
        if let Some(end) = end {
            self.done = self.done.clone().and_then(|()| self.blocks.end(&end));
        }
    }

    /// Nothing was sent: waits, or writes what is not sent yet.
    fn idle(&mut self) {
        let pending = self.requests.pending();
        let left = PATIENCE.saturating_sub(self.sealed.elapsed());
        if pending.is_none() && !left.is_zero() {
            // Sending something wakes this thread.
            thread::park_timeout(left);
            return;
        }
        if let Some(message) = self.look() {
            return self.hear(message);
        }
        self.seal();
        if let Some(number) = pending {
            self.requests.done(number);
        }
    }

    /// Takes what is new in the chunk that is being filled, unless something was sent before it.
    fn look(&mut self) -> Option<Message> {
        let progress = Arc::clone(self.progress.as_ref()?);
        let look = progress.look()?;
        // The chunks before this one have been sent by now, and this one cannot be.
        if let Ok(message) = self.inbox.try_recv() {
            return Some(message);
        }
        let rows = look.rows();
        self.take(rows.get(self.seen..).unwrap_or_default());
        self.seen = rows.len();
        None
    }

    /// Takes rows, and before them what was told before they were written.
    fn take(&mut self, rows: &[u64]) {
        let news = std::mem::take(&mut *lock(&self.news));
        self.done = self.done.clone().and_then(|()| self.blocks.take(news, rows));
    }

    fn seal(&mut self) {
        self.done = self.done.clone().and_then(|()| self.blocks.seal());
        self.sealed = Instant::now();
    }
}

impl<W: Write> Drop for Service<W> {
    fn drop(&mut self) {
        self.requests.gone();
    }
}

/// Blocks, one after the other, into something that can be written to.
#[derive(Debug)]
struct Blocks<W> {
    out: W,
    packer: Packer,
    /// Tables and shapes that no block has yet, and how many shapes have one.
    tables: Vec<Tables>,
    shapes: Vec<Shape>,
    known: u64,
    tellings: u64,
    /// The headers of all blocks.
    index: Vec<[u8; BLOCK_HEADER]>,
    offset: u64,
    /// Nodes in complete blocks.
    nodes: u64,
    ended: bool,
    bounds: Bounds,
    full: Option<Full>,
    buffer: Vec<u8>,
}

impl<W: Write> Blocks<W> {
    fn new(out: W, bounds: Bounds) -> Blocks<W> {
        Blocks {
            out,
            packer: Packer::new(),
            tables: Vec::new(),
            shapes: Vec::new(),
            known: 0,
            tellings: 0,
            index: Vec::new(),
            offset: 0,
            nodes: 0,
            ended: false,
            bounds,
            full: None,
            buffer: Vec::new(),
        }
    }

    /// What has been written by now.
    fn written(&self, done: &Result<(), Failure>) -> Written {
        Written {
            bytes: self.offset,
            nodes: self.nodes,
            complete: self.ended,
            failure: done.as_ref().err().cloned(),
            full: self.full,
        }
    }

    /// The file's header and the program's tables.
    fn begin(&mut self, tables: &[u8]) -> Result<(), Failure> {
        self.write(&layout::file_header())?;
        self.plain(Kind::Tables, 0, 0, tables)
    }

    /// Tables and shapes, and rows that may use them.
    fn take(&mut self, news: News, rows: &[u64]) -> Result<(), Failure> {
        /// More than most rows take in a file, and the fewest rows that make a block.
        const BYTES: u64 = 64;
        const ROWS: u64 = 64;
        if self.full.is_some() {
            return Ok(());
        }
        self.tables.extend(news.tables);
        for shape in news.shapes {
            self.packer.shape(&shape)?;
            self.shapes.push(shape);
        }
        let mut at = 0;
        while at < rows.len() {
            // Towards a limit blocks become smaller, so that little is lost with the one for which there is no room.
            self.packer.limit_rows((self.bounds.left(self.offset) / BYTES).max(ROWS));
            at = self.packer.take(rows, at)?;
            if self.packer.is_full() {
                self.seal()?;
            }
            if self.full.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Writes the block that is being filled, if there is anything in it, and before it the new tables and shapes; unless there
    /// is no room for them: then the trail ends here.
    fn seal(&mut self) -> Result<(), Failure> {
        if self.ended {
            return Ok(());
        }
        let mut all = Tables::default();
        let has_tables = !self.tables.is_empty();
        self.tables.drain(..).for_each(|tables| tables::append(&mut all, tables));
        let tables = if has_tables { tables::encode(&all) } else { Vec::new() };
        let shapes: Vec<u8> = self.shapes.iter().flat_map(tables::encode_shape).collect();
        let has_rows = !self.packer.is_empty();
        let tellings = self.packer.tellings() as u64;
        let mut rows = std::mem::take(&mut self.buffer);
        rows.clear();
        if has_rows {
            let serial = self.index.len() + usize::from(has_tables) + usize::from(!shapes.is_empty());
            self.packer.seal(serial as u64, &mut rows)?;
        }
        let done = match self.has_room(tables.len() + shapes.len() + rows.len()) {
            true => self.write_blocks(has_tables.then_some(&tables), &shapes, has_rows.then_some(&rows)),
            false => self.close(&RunEnd::Unrecorded),
        };
        self.buffer = rows;
        done?;
        if has_rows && self.full.is_none() {
            self.tellings += tellings;
            self.nodes = self.packer.next() - 1;
        }
        Ok(())
    }

    fn write_blocks(
        &mut self,
        tables: Option<&Vec<u8>>,
        shapes: &[u8],
        rows: Option<&Vec<u8>>,
    ) -> Result<(), Failure> {
        if let Some(tables) = tables {
            self.plain(Kind::Tables, 0, 0, tables)?;
        }
        if !shapes.is_empty() {
            let count = self.shapes.len() as u32;
            self.plain(Kind::Shapes, self.known, count, shapes)?;
            self.known += u64::from(count);
            self.shapes.clear();
        }
        rows.map_or(Ok(()), |rows| self.block(rows))
    }

    /// Whether there is room for so many bytes, and for the end behind them.
    fn has_room(&mut self, bytes: usize) -> bool {
        // The end, the index and the footer are blocks too; so are the tables and the shapes before the rows.
        const BLOCKS: usize = 8;
        let behind = (self.index.len() + BLOCKS) * BLOCK_HEADER;
        self.full = self.bounds.reached(self.offset, self.offset + (bytes + behind) as u64);
        self.full.is_none()
    }

    /// How the run ended, the index and the footer; unless they are there already.
    fn end(&mut self, end: &RunEnd) -> Result<(), Failure> {
        self.seal()?;
        if self.ended { Ok(()) } else { self.close(end) }
    }

    fn close(&mut self, end: &RunEnd) -> Result<(), Failure> {
        let mut out = Output::default();
        for total in [self.nodes, self.tellings, self.known] {
            out.bytes.extend(total.to_le_bytes());
        }
        tables::encode_end(end, &mut out);
        self.plain(Kind::End, 0, 0, &out.bytes)?;
        let offset = self.offset;
        let payload = self.index.concat();
        self.plain(Kind::Index, 0, self.index.len() as u32, &payload)?;
        self.write(&layout::footer(offset))?;
        self.out.flush()?;
        self.ended = true;
        Ok(())
    }

    /// A block that has no columns. Its payload is filled up to a multiple of eight bytes.
    fn plain(&mut self, kind: Kind, first: u64, count: u32, payload: &[u8]) -> Result<(), Failure> {
        let mut bytes = vec![0; BLOCK_HEADER];
        bytes.extend_from_slice(payload);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        let header = Header::new(kind, self.index.len() as u64, &bytes[BLOCK_HEADER..]);
        let header = Header { first, count, ..header }.encode();
        bytes[..BLOCK_HEADER].copy_from_slice(&header);
        self.block(&bytes)
    }

    fn block(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write(bytes)?;
        self.index.push(layout::bytes_at(bytes, 0));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes)?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Writing(error.to_string())
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Failure {
        Failure::Malformed(malformed.0)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while it is held, and a value that was replaced as a whole is good anyway.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A trail that is written into memory, without a thread and without a clock: the same rows give the same bytes.
#[derive(Clone, Debug)]
pub struct Memory(Arc<Mutex<InMemory>>);

#[derive(Debug)]
struct InMemory {
    blocks: Blocks<Vec<u8>>,
    news: News,
    done: Result<(), Failure>,
}

impl Memory {
    /// A stream into memory, and the handle to what was written.
    pub fn stream(tables: Tables) -> (Stream, Memory) {
        let mut blocks = Blocks::new(Vec::new(), Bounds::none());
        let sound = tables::verify(&tables).map_err(|what| Failure::Malformed(what.into()));
        let done = sound.and_then(|()| blocks.begin(&tables::encode(&tables)));
        let memory = Memory(Arc::new(Mutex::new(InMemory { blocks, news: News::default(), done })));
        (Stream::new(Box::new(memory.clone())), memory)
    }

    /// Ends the block that is being filled, as a second that passes does in a file.
    pub fn seal(&self) {
        let inside = &mut *lock(&self.0);
        if inside.done.is_ok() {
            inside.done = inside.blocks.take(std::mem::take(&mut inside.news), &[]);
            inside.done = inside.done.clone().and_then(|()| inside.blocks.seal());
        }
    }

    /// The bytes of the file, as far as it is written.
    pub fn bytes(&self) -> Vec<u8> {
        lock(&self.0).blocks.out.clone()
    }

    /// What was written.
    pub fn written(&self) -> Written {
        let inside = lock(&self.0);
        inside.blocks.written(&inside.done)
    }

    /// The trail, as far as it is written.
    ///
    /// # Panics
    ///
    /// If the tables or the rows are not sound: a defect of the recorder.
    #[track_caller]
    pub fn trail(&self) -> Trail {
        let written = self.written();
        assert_eq!(written.failure, None, "the trail was not written");
        Trail::from_bytes(self.bytes()).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Sink for Memory {
    fn more(&mut self, tables: Tables) {
        lock(&self.0).news.tables.push(tables);
    }

    fn shape(&mut self, shape: Shape) {
        lock(&self.0).news.shapes.push(shape);
    }

    fn take(&mut self, chunk: Vec<u64>) -> Vec<u64> {
        let inside = &mut *lock(&self.0);
        let news = std::mem::take(&mut inside.news);
        if inside.done.is_ok() {
            inside.done = inside.blocks.take(news, &chunk);
        }
        chunk
    }

    fn end(&mut self, last: Vec<u64>, end: &RunEnd) {
        self.take(last);
        let inside = &mut *lock(&self.0);
        if inside.done.is_ok() {
            inside.done = inside.blocks.end(end);
        }
    }
}
