//! Opening a file: finding its blocks, verifying them, and deciding how much of it is sound.
//!
//! A trail is sound as a prefix: rows refer to what came before them, so the first block that is damaged or missing ends
//! what can be read; everything behind it is left out, the run's end included. What comes before it is right, because every byte
//! of it has been compared with a checksum. A reference to a node behind the end is unknown.
//!
//! The whole file is looked at once, by several threads, one block after the other; with the file in the cache that takes
//! a tenth of a second for half a gigabyte, and no reader meets a bad block later.

use super::block::Block;
use super::coding::Input;
use super::error::{OpenError, OpenErrorKind, Problem, ProblemKind};
use super::layout::{
    self, BLOCK_HEADER, FILE_HEADER, FOOTER, Header, Kind, MAGIC, VERSION, bytes_at, checksum, u32_at, u64_at,
};
use super::model::{RunEnd, Shape, Tables};
use super::tables;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What was found in a file.
pub(super) struct Opened {
    pub(super) version: u32,
    pub(super) tables: Tables,
    pub(super) shapes: Vec<Shape>,
    pub(super) blocks: Vec<Block>,
    pub(super) node_count: u64,
    pub(super) end: Option<RunEnd>,
    pub(super) problems: Vec<Problem>,
}

/// A block that was found, not yet verified.
#[derive(Clone, Copy)]
struct Found {
    offset: u64,
    header: Header,
}

impl Found {
    fn payload<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let begin = self.offset as usize + BLOCK_HEADER;
        &bytes[begin..begin + self.header.length as usize]
    }

    /// Whether the block is as it was written.
    fn is_intact(&self, bytes: &[u8]) -> bool {
        let begin = self.offset as usize;
        bytes[begin..begin + BLOCK_HEADER] == self.header.encode()
            && checksum(self.payload(bytes)) == self.header.payload
    }

    fn end(&self) -> u64 {
        self.offset + BLOCK_HEADER as u64 + self.header.length
    }
}

/// How many threads work on opening.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, |count| count.get().min(8))
}

/// Finds, verifies and reads everything but the rows themselves.
pub(super) fn open(bytes: &[u8]) -> Result<Opened, OpenError> {
    let version = begin(bytes)?;
    let mut problems = Vec::new();
    let found = match by_index(bytes) {
        Some(found) => found,
        None => by_walking(bytes, &mut problems),
    };
    let tables = read_tables(bytes, version, found.first(), &problems)?;
    let mut sound = Prefix { bytes, version, tables, shapes: Vec::new(), end: None };
    let rows = sound.read_small(&found, &mut problems);
    let (blocks, node_count) = sound.read_rows(&rows, &mut problems);
    let (tables, shapes, end) = sound.finish(&blocks, node_count, &mut problems);
    if end.is_none() && problems.is_empty() {
        let message = "the recording has no end: it was killed, or the disk was full";
        problems.push(Problem::new(ProblemKind::NoEnd, bytes.len() as u64, message));
    }
    Ok(Opened { version, tables, shapes, blocks, node_count, end, problems })
}

/// How many nodes a complete file says that it has: only its end is looked at, however large it is.
pub(super) fn count(bytes: &[u8]) -> Option<u64> {
    begin(bytes).ok()?;
    let found = by_index(bytes)?;
    let end = found.last().filter(|last| last.is_intact(bytes))?;
    let payload = end.payload(bytes);
    (payload.len() >= 24).then(|| u64_at(payload, 0))
}

/// The file's header: its version.
fn begin(bytes: &[u8]) -> Result<u32, OpenError> {
    let known = bytes.len().min(MAGIC.len());
    if bytes.is_empty() {
        let hint = "record the run again";
        return Err(OpenError::new(OpenErrorKind::Empty, "the file is empty", hint));
    }
    if bytes[..known] != MAGIC[..known] {
        let message = format!("it is not a trail; it looks like {}", looks_like(bytes));
        let hint = "give a file that `gadfly record` has written";
        return Err(OpenError::new(OpenErrorKind::NotATrail, message, hint));
    }
    if bytes.len() < FILE_HEADER {
        return Err(OpenError::damaged("the file ends inside its header"));
    }
    if checksum(&bytes[..24]) != u64_at(bytes, 24) || bytes[12..24] != [0; 12] {
        return Err(OpenError::damaged("the file's header is damaged"));
    }
    let version = u32_at(bytes, 8);
    if !(1..=VERSION).contains(&version) {
        let message =
            format!("it has version {version} of the format; this program reads versions up to {VERSION}");
        let hint = "use the Gadfly that wrote it, or a newer one";
        return Err(OpenError::new(OpenErrorKind::NewerVersion, message, hint));
    }
    Ok(version)
}

/// What a file that is no trail may be.
fn looks_like(bytes: &[u8]) -> &'static str {
    let start = &bytes[..bytes.len().min(1024)];
    let text = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && start.len() == 1024,
    };
    match start {
        [0x1F, 0x8B, ..] => "a file compressed with gzip",
        [b'{', ..] if text => "JSON, perhaps an interchange file",
        [0x89, b'G', ..] => "a trail that was transferred as text",
        _ if start.iter().all(|byte| *byte == 0) => "nothing but zeros",
        _ if text && !start.contains(&0) => "text",
        _ => "another kind of file",
    }
}

/// The blocks as the index at the end has them: none if there is no such index.
fn by_index(bytes: &[u8]) -> Option<Vec<Found>> {
    let footer = bytes.len().checked_sub(FOOTER)?;
    let offset = layout::read_footer(&bytes_at(bytes, footer))?;
    let room = (footer as u64).checked_sub(offset)?.checked_sub(BLOCK_HEADER as u64)?;
    let header = Header::decode(&bytes_at(bytes, offset as usize))?;
    let index = Found { offset, header };
    if header.kind != Kind::Index || header.length != room || !index.is_intact(bytes) {
        return None;
    }
    let headers = index.payload(bytes);
    if header.serial != u64::from(header.count) || headers.len() != header.count as usize * BLOCK_HEADER {
        return None;
    }
    let mut next = FILE_HEADER as u64;
    let mut found = Vec::with_capacity(header.count as usize);
    for (serial, bytes) in headers.chunks_exact(BLOCK_HEADER).enumerate() {
        let header = Header::decode(&bytes_at(bytes, 0))?;
        let block = Found { offset: next, header };
        let end = next.checked_add(BLOCK_HEADER as u64)?.checked_add(header.length)?;
        if header.serial != serial as u64 || header.kind == Kind::Index || end > offset {
            return None;
        }
        next = end;
        found.push(block);
    }
    let ends = found.last().is_some_and(|last| last.header.kind == Kind::End);
    (next == offset && ends).then_some(found)
}

/// The blocks as they follow each other, up to the first that is not whole.
fn by_walking(bytes: &[u8], problems: &mut Vec<Problem>) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    let mut next = FILE_HEADER as u64;
    loop {
        let rest = &bytes[next as usize..];
        let ended = found.last().is_some_and(|last| last.header.kind == Kind::End);
        if ended {
            // Nothing of the run is missing. What is behind its end is not what it should be, else we would not be here.
            let message = "the index at the end is missing or damaged; nothing of the run is lost";
            problems.push(Problem::new(ProblemKind::Index, next, message));
            return found;
        }
        if rest.is_empty() {
            return found;
        }
        if rest.len() < BLOCK_HEADER {
            problems.push(cut(next, rest.len()));
            return found;
        }
        let header = Header::decode(&bytes_at(rest, 0));
        let header =
            header.filter(|header| header.serial == found.len() as u64 && header.kind != Kind::Index);
        let Some(header) = header else {
            let message = "the header of a block is damaged; what comes from there on is left out";
            problems.push(Problem::new(ProblemKind::Damaged, next, message));
            return found;
        };
        if header.length > (rest.len() - BLOCK_HEADER) as u64 {
            problems.push(cut(next, rest.len()));
            return found;
        }
        let block = Found { offset: next, header };
        next = block.end();
        found.push(block);
    }
}

fn cut(offset: u64, length: usize) -> Problem {
    let message = format!("the file ends inside a block: its last {length} bytes are left out");
    Problem::new(ProblemKind::Cut, offset, message)
}

/// The program's tables, without which nothing means anything.
fn read_tables(
    bytes: &[u8],
    version: u32,
    first: Option<&Found>,
    problems: &[Problem],
) -> Result<Tables, OpenError> {
    let Some(first) = first else {
        return Err(match problems.first().map(|problem| problem.kind) {
            Some(ProblemKind::Damaged) => OpenError::damaged("the program's tables are damaged"),
            _ => OpenError::damaged("the file ends before the program's tables do"),
        });
    };
    if first.header.kind != Kind::Tables || !first.is_intact(bytes) {
        return Err(OpenError::damaged("the program's tables are damaged"));
    }
    let tables = tables::decode(first.payload(bytes), version, None);
    let tables = tables.ok_or_else(|| OpenError::damaged("the program's tables cannot be read"))?;
    match tables::verify(&tables) {
        Ok(()) => Ok(tables),
        Err(what) => Err(OpenError::damaged(format!("the program's tables are not sound: {what}"))),
    }
}

/// How far the file has been found sound.
struct Prefix<'a> {
    bytes: &'a [u8],
    version: u32,
    tables: Tables,
    shapes: Vec<Shape>,
    /// The end, what it says of the rows before it, and where it stands.
    end: Option<(RunEnd, [u64; 3], u64)>,
}

impl Prefix<'_> {
    /// Reads the blocks that hold no rows; gives those that do, up to the first block that is not as it should be.
    fn read_small(&mut self, found: &[Found], problems: &mut Vec<Problem>) -> Vec<(Found, usize)> {
        let mut rows = Vec::new();
        for block in found.iter().skip(1) {
            let read = match block.header.kind {
                // Nothing comes after the end.
                _ if self.end.is_some() => None,
                Kind::Rows => {
                    rows.push((*block, self.shapes.len()));
                    Some(())
                }
                Kind::Shapes => self.read_shapes(block),
                Kind::End => self.read_end(block),
                Kind::Tables => self.read_more(block),
                Kind::Index => None,
            };
            if read.is_none() {
                problems.retain(|problem| problem.offset < block.offset);
                problems.push(damaged(block.offset, "the block is not as it was written"));
                self.end = None;
                break;
            }
        }
        rows
    }

    /// What was found of the program while it ran.
    fn read_more(&mut self, block: &Found) -> Option<()> {
        let intact = block.is_intact(self.bytes).then(|| block.payload(self.bytes));
        let more = tables::decode(intact?, self.version, Some(&self.tables.language))?;
        let mut all = self.tables.clone();
        tables::append(&mut all, more);
        tables::verify(&all).ok()?;
        self.tables = all;
        Some(())
    }

    fn read_shapes(&mut self, block: &Found) -> Option<()> {
        let payload = block.payload(self.bytes);
        let count = block.header.count as usize;
        let sound = block.is_intact(self.bytes)
            && block.header.first == self.shapes.len() as u64
            && payload.len() == count * tables::SHAPE;
        if !sound {
            return None;
        }
        for shape in payload.chunks_exact(tables::SHAPE) {
            self.shapes.push(tables::decode_shape(&bytes_at(shape, 0), &self.tables)?);
        }
        Some(())
    }

    fn read_end(&mut self, block: &Found) -> Option<()> {
        let payload = block.payload(self.bytes);
        if !block.is_intact(self.bytes) || payload.len() < 24 {
            return None;
        }
        let totals = [u64_at(payload, 0), u64_at(payload, 8), u64_at(payload, 16)];
        let input = &mut Input::new(&payload[24..]);
        let end = tables::decode_end(input)?;
        self.end = input.at_end().then_some((end, totals, block.offset));
        self.end.as_ref().map(|_| ())
    }

    /// Verifies the blocks of rows, as many as are good one after the other; gives these and how many nodes they have.
    fn read_rows(&mut self, rows: &[(Found, usize)], problems: &mut Vec<Problem>) -> (Vec<Block>, u64) {
        let verified = verify_all(self.bytes, rows, &self.shapes);
        let mut blocks: Vec<Block> = Vec::with_capacity(rows.len());
        let (mut next, mut tellings) = (1u64, 0u64);
        for ((found, _), block) in rows.iter().zip(verified) {
            let what = match block {
                Ok(block) if found.header.first == next => {
                    next += block.nodes() as u64;
                    let told = block.tellings() as u64;
                    blocks.push(Block { tellings_before: tellings, ..block });
                    tellings += told;
                    continue;
                }
                Ok(_) => "nodes are missing before it",
                Err(what) => what,
            };
            problems.retain(|problem| problem.offset < found.offset);
            problems.push(damaged(found.offset, what));
            self.end = None;
            break;
        }
        (blocks, next - 1)
    }

    /// Keeps the shapes that are of use, and the end if it is the end of these rows.
    fn finish(
        self,
        blocks: &[Block],
        node_count: u64,
        problems: &mut Vec<Problem>,
    ) -> (Tables, Vec<Shape>, Option<RunEnd>) {
        let tellings = blocks.last().map_or(0, |block| block.tellings_before + block.tellings() as u64);
        let found = [node_count, tellings, self.shapes.len() as u64];
        let end = match self.end {
            Some((end, totals, _)) if totals == found => Some(end),
            Some((_, _, offset)) => {
                problems.push(damaged(offset, "the end is not that of this run"));
                None
            }
            None => None,
        };
        (self.tables, self.shapes, end)
    }
}

fn damaged(offset: u64, what: &str) -> Problem {
    let message = format!("a block is damaged ({what}); what comes from there on is left out");
    Problem::new(ProblemKind::Damaged, offset, message)
}

/// Verifies blocks of rows, each with the shapes that were known before it.
fn verify_all(bytes: &[u8], rows: &[(Found, usize)], shapes: &[Shape]) -> Vec<Result<Block, &'static str>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((found, known)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((found.header.serial, verify(bytes, found, &shapes[..*known])));
        }
        done
    };
    let mut all: Vec<_> = thread::scope(|scope| {
        // A block is half a megabyte: for few of them a thread is not worth it.
        let others: Vec<_> = (1..threads().min(rows.len() / 4)).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            // Nothing in there panics. If something did, its blocks would be missing and the rows would end there.
            all.extend(other.join().unwrap_or_default());
        }
        all
    });
    all.sort_by_key(|(serial, _)| *serial);
    all.into_iter().map(|(_, block)| block).collect()
}

fn verify(bytes: &[u8], found: &Found, shapes: &[Shape]) -> Result<Block, &'static str> {
    if !found.is_intact(bytes) {
        return Err("its checksum is wrong");
    }
    Block::verify(found.header, found.offset as usize + BLOCK_HEADER, found.payload(bytes), shapes)
}
