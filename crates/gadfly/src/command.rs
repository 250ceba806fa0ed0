//! What may be typed. What it means is decided by each command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use gadfly_engine::strategy::{Addends, Bias, StrategyName};
use gadfly_frontend::{Limits, OracleSpec, OracleSpecError, Run};
use gadfly_interchange::Bounds;
use std::path::PathBuf;

/// Finds the bug in a program by asking questions about its run.
#[derive(Debug, Parser)]
#[command(name = "gadfly", bin_name = "gadfly", version, about, max_term_width = 100)]
pub(crate) struct Line {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a program
    Run(RunArgs),
    /// Run a program and keep the trail of the run
    Record(RecordArgs),
    /// Ask questions until the bug is found
    Debug(DebugArgs),
    /// Show the execution tree
    Tree(TreeArgs),
    /// Check a program's types, or verify a recorded file
    Check(CheckArgs),
}

/// The strategy and its settings.
#[derive(Debug, Args)]
pub(crate) struct StrategyArgs {
    /// Strategy that chooses the next question (default: `auto`); `gadfly debug --list-strategies` lists all
    #[arg(long, value_name = "NAME")]
    pub(crate) strategy: Option<StrategyName>,
    /// Ask again about equal equations
    #[arg(long)]
    pub(crate) no_memo: bool,
    /// Ask about up to N small siblings in one table; 0 asks about each alone
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) batch: usize,
    /// Never ask about this function or module: `insert`, `Data.List`, `*sort*`; repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) trust: Vec<String>,
    /// Weights by kind of node for `biased`, as in `routine=4,loop=2`
    #[arg(long, value_name = "WEIGHTS", default_value_t)]
    pub(crate) bias: Bias,
    /// Weights of the parts of `combined`: optimizations, subterms, divide by YES, less YES first, Hirunkitti,
    /// heaviest first
    #[arg(long, value_name = "NUMBERS", default_value_t)]
    pub(crate) addends: Addends,
}

/// How much a program may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running the program")]
pub(crate) struct LimitArgs {
    /// Stop after this many calls
    #[arg(long, value_name = "NUMBER")]
    pub(crate) steps: Option<u64>,
    /// Limit of the heap: 500M, 2G (default: half of the machine's memory)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) heap: Option<u64>,
    /// Limit of the stack: 100M (default: 1G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) stack: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
}

/// How a program is run to be recorded.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running the program")]
pub(crate) struct ProgramArgs {
    /// Evaluate this expression instead of `main`, in the scope of the program
    #[arg(short, long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    /// Give the program this file as its standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Also record this function or module of the library: `foldr`, `Data.List`, `+`; repeatable
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) suspect: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Memory for the recorder, in addition to the program's (Python; default: 256M)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
    /// Limit of the trail: 500M, 20G (default: until little of the disk is free)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) trail_limit: Option<u64>,
    /// Record through `sys.monitoring`: slower, but no argument lives longer than in a plain run (Python 3.12 and later)
    #[arg(long)]
    pub(crate) monitoring: bool,
    /// Arguments of the program
    #[arg(value_name = "ARGS", last = true)]
    pub(crate) arguments: Vec<String>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits { steps: self.steps, heap: self.heap, stack: self.stack, time: self.time }
    }

    /// Those that are given, by name.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let LimitArgs { steps, heap, stack, time } = self;
        let given = [steps.is_some(), heap.is_some(), stack.is_some(), time.is_some()];
        let named = ["--steps", "--heap", "--stack", "--time"].into_iter().zip(given);
        named.filter(|(_, given)| *given).map(|(name, _)| name)
    }
}

impl ProgramArgs {
    /// How a program is run.
    pub(crate) fn run(&self) -> Run {
        Run {
            expression: self.expression.clone(),
            arguments: self.arguments.clone(),
            input: self.input.clone(),
            suspect: self.suspect.clone(),
            limits: self.limits.limits(),
            memory: self.memory,
            trail_limit: self.trail_limit,
            monitoring: self.monitoring,
        }
    }

    /// The options that are given, by name.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let ProgramArgs { expression, input, suspect, limits, memory, trail_limit, monitoring, arguments } =
            self;
        let all = [
            ("-e", expression.is_some()),
            ("--input", input.is_some()),
            ("--suspect", !suspect.is_empty()),
            ("--memory", memory.is_some()),
            ("--trail-limit", trail_limit.is_some()),
            ("--monitoring", *monitoring),
            ("--", !arguments.is_empty()),
        ];
        let named = all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name);
        named.chain(limits.given()).collect()
    }
}

/// How a recorded run is looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Looking at a run")]
pub(crate) struct ViewArgs {
    /// Tree view: which call is a child of which, and how function values are shown
    #[arg(long, value_enum, value_name = "VIEW")]
    pub(crate) view: Option<ViewName>,
    /// Order of a node's children
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(crate) order: Option<OrderName>,
    /// Which code the nodes of the tree stand for
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) granularity: Option<Granularity>,
    /// Transform the tree; separate several names with commas
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    pub(crate) transform: Vec<Transformation>,
    /// Keep the trail in FILE (default: discarded)
    #[arg(long, value_name = "FILE")]
    pub(crate) keep_trail: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewName {
    /// A call is a child of the function that applied it; function values are partial applications
    Edt,
    /// A call is a child of the function that named it; function values are finite maps
    Fdt,
    /// `fdt` if a question would show a function, otherwise `edt` (default)
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderName {
    /// In the order of the source: `f` before `g` in `f (g x)` (default)
    Outermost,
    /// Arguments first: `g` before `f` in `f (g x)`
    Innermost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Granularity {
    /// Every function
    Rule,
    /// Top-level functions, then the local functions of the wrong one
    TopLevel,
    /// Every function, then the loops and lines of the wrong one (Python; default there)
    Line,
}

/// Transformations of the tree (S3 §4.4). Loops are expanded by `--granularity line`, and values are always in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Transformation {
    /// Ask once about a recursion, and about its inner calls only if it is wrong
    Compress,
    /// Ask about many iterations or statements inside a call in halves (Python; default there)
    Balance,
    /// Leave the tree unchanged
    None,
}

impl ViewArgs {
    /// Whether calls from a call of the same rule are seen through.
    pub(crate) fn compresses(&self) -> bool {
        self.transform.contains(&Transformation::Compress)
    }

    /// Whether the inside of a call is balanced.
    pub(crate) fn balances(&self) -> bool {
        self.transform.is_empty() || self.transform.contains(&Transformation::Balance)
    }
}

/// What a recording may have Gadfly read.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Opening a recording")]
pub(crate) struct OpenArgs {
    /// Also read source files in FOLDER (default: in the recording's folder and the current one); repeatable
    #[arg(long, value_name = "FOLDER")]
    pub(crate) sources: Vec<PathBuf>,
    /// Limit for an interchange file that is compressed or comes through a pipe: 20G (default: 4G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) unpack_limit: Option<u64>,
}

impl OpenArgs {
    /// The bounds of an interchange file.
    pub(crate) fn bounds(&self) -> Bounds {
        let bounds = Bounds::default();
        Bounds { folders: self.sources.clone(), copied: self.unpack_limit.unwrap_or(bounds.copied) }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DebugArgs {
    /// A program (.hs, .lhs, .curry, .py), a recorded run (.trail), or an interchange file (.jsonl, .jsonl.gz; - for stdin)
    #[arg(required_unless_present = "list_strategies", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) strategy: StrategyArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) opening: OpenArgs,
    /// Start at the call that printed this text, the byte `@120`, or the position `3:7` (line and column)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) at_output: Option<String>,
    /// Who answers: person, reference:PROGRAM, answers:FILE, command:PROGRAM, knowledge[:FILE]; for Python also
    /// revision:REV, release:PACKAGE==VERSION, tests[:PATH], properties[:PATH], doctests, types, contracts;
    /// repeatable, the first oracle with an answer wins
    #[arg(long, value_name = "ORACLE", value_parser = oracle)]
    pub(crate) oracle: Vec<OracleSpec>,
    /// Name of the project that `knowledge` is about (default: its root folder)
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
    /// Time limit for an answer (default: 60 seconds for a command, 10 for a reference)
    #[arg(long, value_name = "SECONDS")]
    pub(crate) oracle_timeout: Option<u64>,
    /// Continue the last session about this program
    #[arg(long)]
    pub(crate) resume: bool,
    /// Keep the session's answers in FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = DebugFormat::Text)]
    pub(crate) format: DebugFormat,
    /// List the strategies
    #[arg(long)]
    pub(crate) list_strategies: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebugFormat {
    /// For people
    Text,
    /// One object, for programs
    Json,
    /// The session's messages, one object per line, on stdin and stdout
    JsonLines,
}

#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// A program (.hs, .lhs, .curry, .py), a recorded run (.trail), or an interchange file (.jsonl, .jsonl.gz; - for stdin)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Format of the tree
    #[arg(long, value_enum, default_value_t = TreeFormat::Text)]
    pub(crate) format: TreeFormat,
    /// Show only this many levels
    #[arg(long, value_name = "LEVELS")]
    pub(crate) depth: Option<u32>,
    /// Show only this node and its descendants
    #[arg(long, value_name = "NUMBER")]
    pub(crate) node: Option<u64>,
    /// Colour the nodes by the answers of the last session, or of the journal FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "answers")]
    pub(crate) session: Option<Option<PathBuf>>,
    /// Colour the nodes by a session with the answers script FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) strategy: StrategyArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
    #[command(flatten)]
    pub(crate) opening: OpenArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// Indented lines
    Text,
    /// One object with a list of nodes
    Json,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The program (.hs, .lhs, .curry)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Arguments of the program
    #[arg(value_name = "ARGS", last = true)]
    pub(crate) arguments: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print how often each function of the program was called
    #[arg(long)]
    pub(crate) count: bool,
}

impl RunArgs {
    /// The options that are given, by name.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let arguments = (!self.arguments.is_empty()).then_some("--");
        self.limits.given().chain(arguments).collect()
    }
}

#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// The program (.hs, .lhs, .curry, .py)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Write the trail to TRAIL (default: the program's name with .trail, in the current folder)
    #[arg(short, long, value_name = "TRAIL")]
    pub(crate) output: Option<PathBuf>,
    /// Do not record this function or module: `insert`, `Parser`, `*sort*`; repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) trust: Vec<String>,
    /// Also record the inside of calls: loops and statements (Python)
    #[arg(long)]
    pub(crate) detail: bool,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
}

/// An oracle.
fn oracle(text: &str) -> Result<OracleSpec, String> {
    text.parse().map_err(|error: OracleSpecError| format!("{error}\nhint: {}", OracleSpecError::HINT))
}

/// A number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    let fits = std::time::Duration::try_from_secs_f64(number).is_ok();
    fits.then_some(number).ok_or_else(|| "not a valid duration".to_owned())
}

/// A size in bytes: `4096`, `64K`, `500M`, `2G`.
fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a size such as 4096, 64K or 2G".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "size too large".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    Text,
    /// One object, for programs
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// A program (.hs, .lhs, .curry, .py), a recorded run (.trail), or an interchange file (.jsonl, .jsonl.gz; - for stdin)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print the types of a program's values
    #[arg(long)]
    pub(crate) types: bool,
    /// Print the program in the kernel language
    #[arg(long)]
    pub(crate) dump_core: bool,
    /// Add the source position of each kernel expression
    #[arg(long, requires = "dump_core")]
    pub(crate) spans: bool,
    #[command(flatten)]
    pub(crate) opening: OpenArgs,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
}
