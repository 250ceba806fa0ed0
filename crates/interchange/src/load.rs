//! From the first line to the tree.

use super::behaviours::{FileBehaviours, read_at};
use super::error::{Fault, OpenError, Problem};
use super::grammar::Open;
use super::header::header;
use super::ids::{Ids, Mismatch};
use super::input::{Block, Input};
use super::language::words;
use super::node::{NodeFields, OutcomeText, node};
use super::places::{Files, places};
use super::rules::{Rules, rule};
use super::scan::{Scan, Scanner};
use gadfly_source::{Refusal, Shelf, Sources};
use gadfly_tree::{About, Behaviours, BuildError, Entry, NO_PARENT, Tree, TreeBuilder};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A recorded run.
#[derive(Debug)]
pub struct Recording {
    /// The execution tree; its handles are for `behaviours`.
    pub tree: Arc<Tree>,
    /// What the file says about itself.
    pub about: About,
    /// The source files it names, with their texts where these are to be had.
    pub sources: Sources,
    /// What the nodes say.
    pub behaviours: Arc<FileBehaviours>,
    /// The source files that were not opened, and why.
    pub refused: Vec<(Box<str>, Refusal)>,
    /// A hash of the file's content, the same whether it was compressed or not.
    pub fingerprint: u128,
}

/// What a file may do to whoever opens it.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Further folders of which source files are opened, besides the file's own and the current one.
    pub folders: Vec<PathBuf>,
    /// How many bytes are taken of what comes through a pipe or is compressed.
    pub copied: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { folders: Vec::new(), copied: 4 << 30 }
    }
}

/// Opens an interchange file; `-` is the standard input. Pipes and gzip are taken as they come.
pub fn open(path: &Path) -> Result<Recording, OpenError> {
    open_within(path, &Bounds::default())
}

/// The same within other bounds.
pub fn open_within(path: &Path, bounds: &Bounds) -> Result<Recording, OpenError> {
    let folder = path.parent().filter(|_| path != Path::new("-"));
    load(Input::open(path, bounds.copied)?, shelf(folder, bounds))
}

/// Reads an interchange file from anything; source files are looked for in `folder` first.
pub fn read(bytes: impl Read + 'static, folder: Option<&Path>) -> Result<Recording, OpenError> {
    let bounds = Bounds::default();
    load(Input::stream(Box::new(bytes), bounds.copied)?, shelf(folder, &bounds))
}

fn shelf(folder: Option<&Path>, bounds: &Bounds) -> Shelf {
    let chosen = folder.map(Path::to_owned).into_iter().chain([PathBuf::from(".")]);
    Shelf::new(chosen.chain(bounds.folders.iter().cloned()))
}

/// No node has this index: it says "no parent".
const NODE_LIMIT: usize = NO_PARENT as usize - 1;

fn load(mut input: Input, shelf: Shelf) -> Result<Recording, OpenError> {
    let mut loader = Loader::new(shelf);
    loop {
        let read = match input.block() {
            Ok(Some(block)) => loader.block(&block),
            Ok(None) => break,
            Err(error) => Err(error.or_line(loader.line + 1)),
        };
        if let Err(error) = read {
            // Damaged data is read as nonsense first and found to be damaged later: report the cause.
            return Err(input.damage().map_or(error, |damage| damage.or_line(loader.line)));
        }
    }
    let Some(about) = loader.about else {
        let message = "the file is empty";
        let hint = "an interchange file begins with a header line and has a line for every node";
        return Err(OpenError::at_line(Problem::MissingHeader, 0, message, hint));
    };
    drop((loader.rules, loader.open));
    let tree = match loader.ids.resolve() {
        Ok(parents) => tree(loader.builder, parents, &input)?,
        Err(mismatch) => return Err(mismatched(&mismatch, &input)),
    };
    let (file, fingerprint) = input.finish();
    let refused = std::mem::take(&mut loader.files.refused);
    let behaviours = FileBehaviours::new(file, words(&about), loader.files);
    let (tree, behaviours) = (Arc::new(tree), Arc::new(behaviours));
    Ok(Recording { tree, about, sources: loader.sources, behaviours, refused, fingerprint })
}

impl gadfly_tree::Recording for Recording {
    fn about(&self) -> &About {
        &self.about
    }

    fn view(&self) -> &'static str {
        "tree"
    }

    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    fn behaviours(&self) -> Arc<dyn Behaviours> {
        Arc::clone(&self.behaviours) as Arc<dyn Behaviours>
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// What has been read so far.
struct Loader {
    /// How many lines.
    line: u64,
    shelf: Shelf,
    about: Option<About>,
    sources: Sources,
    files: Files,
    rules: Rules,
    ids: Ids,
    builder: TreeBuilder,
    open: Vec<Open>,
}

impl Loader {
    fn new(shelf: Shelf) -> Loader {
        Loader {
            line: 0,
            shelf,
            about: None,
            sources: Sources::new(),
            files: Files::default(),
            rules: Rules::new(),
            ids: Ids::default(),
            builder: TreeBuilder::new(),
            open: Vec::new(),
        }
    }

    fn block(&mut self, block: &Block<'_>) -> Result<(), OpenError> {
        let valid = match std::str::from_utf8(block.bytes) {
            Ok(_) => block.bytes.len(),
            Err(error) => error.valid_up_to(),
        };
        let mut start = 0;
        while start < block.bytes.len() {
            let rest = &block.bytes[start..];
            let end = start + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.line += 1;
            if end > valid {
                return Err(self.not_text(&block.bytes[start..valid]));
            }
            self.line(&block.bytes[start..end], block.offset + start as u64)?;
            start = end + 1;
        }
        Ok(())
    }

    #[cold]
    fn not_text(&self, before: &[u8]) -> OpenError {
        let fault = Fault {
            problem: Problem::InvalidUtf8,
            at: before.len(),
            field: None,
            message: "the line is not UTF-8".into(),
            hint: "write the file as UTF-8; a value with other bytes can be written as {\"opaque\": \"…\"}",
        };
        OpenError::in_line(fault, self.line, before)
    }

    #[inline]
    fn line(&mut self, line: &[u8], offset: u64) -> Result<(), OpenError> {
        let read = match &self.about {
            Some(_) => self.node(line, offset),
            None => self.first(line),
        };
        read.map_err(|fault| OpenError::in_line(*fault, self.line, line))
    }

    fn first(&mut self, line: &[u8]) -> Scan<()> {
        // Some editors and shells begin a file with a byte order mark.
        let mark = self.line == 1 && line.starts_with(b"\xEF\xBB\xBF");
        let line = if mark { &line[3..] } else { line };
        if is_blank(line) {
            return Ok(());
        }
        let (about, listed) = header(line)?;
        self.files = Files::new(listed, &self.shelf, &mut self.sources);
        self.about = Some(about);
        Ok(())
    }

    #[inline]
    fn node(&mut self, line: &[u8], offset: u64) -> Scan<()> {
        if is_blank(line) {
            return Ok(());
        }
        if self.builder.len() >= NODE_LIMIT {
            return Err(Box::new(Fault {
                problem: Problem::TooManyNodes,
                at: 0,
                field: None,
                message: format!("there are more than {NODE_LIMIT} nodes"),
                hint: "record a smaller run, or omit trusted functions while recording",
            }));
        }
        let fields = node(line, &mut self.open, Some(&self.rules.runs))?;
        let (files, shelf, sources) = (&mut self.files, &self.shelf, &mut self.sources);
        let rule = self
            .rules
            .find(line, &fields, self.builder.rules(), || rule(line, &fields, files, shelf, sources))?;
        if !fields.code.is_empty() {
            self.code(line, &fields).map_err(|fault| fault.within("code"))?;
        }
        self.ids.push(line, &fields.id, fields.parent.as_ref());
        let raised = matches!(fields.outcome, OutcomeText::Exception(_));
        self.builder.push(Entry { rule, kind: fields.kind, raised, handle: offset });
        Ok(())
    }

    /// Checks the pieces of code, and gets to know their files.
    fn code(&mut self, line: &[u8], fields: &NodeFields) -> Scan<()> {
        places(&mut Scanner::over(line, &fields.code), |place| {
            self.files.settle(&place, &self.shelf, &mut self.sources).map(drop)
        })
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

fn tree(builder: TreeBuilder, parents: Vec<u32>, input: &Input) -> Result<Tree, OpenError> {
    if !parents.is_empty() && !parents.contains(&NO_PARENT) {
        let message = "every node has a parent, so there is no root";
        let hint = "leave out `parent` for the node of the whole run";
        return Err(OpenError::at_line(Problem::NoRoot, line_of(0, input), message, hint).field("parent"));
    }
    builder.finish(parents).map_err(|error| match error {
        BuildError::Empty => {
            let message = "there are no nodes";
            let hint = "after the header comes a line for every node";
            OpenError::at_line(Problem::NoRoot, 0, message, hint)
        }
        BuildError::TwoRoots(first, second) => {
            let message = format!(
                "this node has no parent, and neither has the node on line {}",
                line_of(first, input)
            );
            let hint = "put both under one node that stands for the whole run (threads too)";
            OpenError::at_line(Problem::TwoRoots, line_of(second, input), message, hint).field("parent")
        }
        BuildError::Cycle(node) => {
            let message = "this node is its own ancestor";
            let hint = "follow the parents from this line: they come back to it";
            OpenError::at_line(Problem::Cycle, line_of(node, input), message, hint).field("parent")
        }
    })
}

fn mismatched(mismatch: &Mismatch, input: &Input) -> OpenError {
    match *mismatch {
        Mismatch::Duplicate { first, second } => {
            let message = format!("this id already occurs on line {}", line_of(first, input));
            let hint = "give every node an id of its own";
            OpenError::at_line(Problem::DuplicateId, line_of(second, input), message, hint).field("id")
        }
        Mismatch::UnknownParent { child } => {
            let message = "the parent of this node does not exist";
            let hint = "write a line for the parent, before or after this one; 1 and \"1\" are different ids";
            OpenError::at_line(Problem::UnknownParent, line_of(child, input), message, hint).field("parent")
        }
    }
}

/// The line of a node, by its place among the nodes. Lines are not kept, so the file is read again: this is only for
/// the way out. 0 if that is not known.
fn line_of(node: u32, input: &Input) -> u64 {
    let mut lines_with_something = 0u64;
    let (mut line, mut offset, mut blank) = (1, 0, true);
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = read_at(input.file(), &mut buffer, offset) {
        let mut bytes = &buffer[..count];
        // A byte order mark at the beginning is not a line.
        bytes = if offset == 0 { bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes) } else { bytes };
        for byte in bytes {
            match byte {
                b'\n' => {
                    line += 1;
                    blank = true;
                }
                b' ' | b'\t' | b'\r' => {}
                _ if blank => {
                    blank = false;
                    lines_with_something += 1;
                    // The first of them is the header.
                    if lines_with_something == u64::from(node) + 2 {
                        return line;
                    }
                }
                _ => {}
            }
        }
        offset += count as u64;
    }
    0
}
