//! What may be typed. What it means is decided by each command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use gadfly_engine::strategy::{Addends, Bias, StrategyName};
use gadfly_frontend::{Limits, OracleSpec, OracleSpecError, Run};
use std::path::PathBuf;

/// Finds the bug in a program by asking questions about its run.
#[derive(Debug, Parser)]
#[command(name = "gadfly", version, about, max_term_width = 100)]
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
    /// Verify a file
    Check(CheckArgs),
}

/// Which strategy, and what it is told.
#[derive(Debug, Args)]
pub(crate) struct StrategyArgs {
    /// How to choose the next question (usually `auto`); `gadfly debug --list-strategies` tells what there is
    #[arg(long, value_name = "NAME")]
    pub(crate) strategy: Option<StrategyName>,
    /// Ask about equal equations again
    #[arg(long)]
    pub(crate) no_memo: bool,
    /// Put up to N of many small siblings into one question; 0 asks everything one by one
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) batch: usize,
    /// Never ask about this function or module: `insert`, `Data.List`, `*sort*`; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) trust: Vec<String>,
    /// Weights by kind of node for `biased`, as in `routine=4,loop=2`
    #[arg(long, value_name = "WEIGHTS", default_value_t)]
    pub(crate) bias: Bias,
    /// How much each part of `combined` counts: optimizations, subterms, divide by YES, less YES first, Hirunkitti,
    /// heaviest first
    #[arg(long, value_name = "NUMBERS", default_value_t)]
    pub(crate) addends: Addends,
}

/// How much a program may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running the program")]
pub(crate) struct LimitArgs {
    /// Stop after so many calls
    #[arg(long, value_name = "NUMBER")]
    pub(crate) steps: Option<u64>,
    /// No more than so much heap: 500M, 2G (half of the memory unless told)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) heap: Option<u64>,
    /// No more than so much stack: 100M (1G unless told)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) stack: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,
}

/// How a program is run to be recorded.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running the program")]
pub(crate) struct ProgramArgs {
    /// Evaluate this instead of `main`, in the scope of the program
    #[arg(short, long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) expression: Option<String>,
    /// What the program reads as its standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Record this function or module of the library too: `foldr`, `Data.List`, `+`; may be given several times
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(crate) suspect: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// How much memory the recorder may take beside the program's own (Python; default 256M)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
    /// Record through `sys.monitoring`, for programs that notice that arguments live until a call returns: slower (Python 3.12 and later)
    #[arg(long)]
    pub(crate) monitoring: bool,
    /// What the program is called with
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
            monitoring: self.monitoring,
        }
    }

    /// The options that are given, by name.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let ProgramArgs { expression, input, suspect, limits, memory, monitoring, arguments } = self;
        let all = [
            ("-e", expression.is_some()),
            ("--input", input.is_some()),
            ("--suspect", !suspect.is_empty()),
            ("--memory", memory.is_some()),
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
    /// How functions as values are shown, and what hangs under what
    #[arg(long, value_enum, value_name = "VIEW")]
    pub(crate) view: Option<ViewName>,
    /// The order of a node's children
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(crate) order: Option<OrderName>,
    /// Which functions are nodes
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) granularity: Option<Granularity>,
    /// Make another tree of the same run; several with commas
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    pub(crate) transform: Vec<Transformation>,
    /// Where the trail of the run is kept (it is forgotten unless told)
    #[arg(long, value_name = "FILE")]
    pub(crate) keep_trail: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewName {
    /// Who made the application; functions as partial applications
    Edt,
    /// Who made the function; functions as finite maps
    Fdt,
    /// FDT where a question would show a function, else EDT
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderName {
    /// As the source has the calls, `f` before `g` in `f (g x)`
    Outermost,
    /// Arguments first, `g` before `f` in `f (g x)`
    Innermost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Granularity {
    /// Every function, and the rule that was used
    Rule,
    /// Top-level functions; then what is local to the one that was found
    TopLevel,
    /// Every function, and then the loops and lines of the one that was found (Python; the default there)
    Line,
}

/// Transformations of the tree (S3 §4.4). Loops are expanded by `--granularity line`, and values are always in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Transformation {
    /// Calls from a call of the same rule are asked about only inside of the one that was found
    Compress,
    /// Inside of a call, many rounds or statements are asked about in halves (Python; the default there)
    Balance,
    /// The tree as it is
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
    /// Begin with what printed this text, or the byte `@120`, or the place `3:7` (line and column)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) at_output: Option<String>,
    /// Who answers: person, reference:PROGRAM, answers:FILE, command:PROGRAM, knowledge[:FILE]; for Python also
    /// revision:REV, release:PACKAGE==VERSION, tests[:PATH], properties[:PATH], doctests, types, contracts; several in
    /// a row, the first that knows wins
    #[arg(long, value_name = "ORACLE", value_parser = oracle)]
    pub(crate) oracle: Vec<OracleSpec>,
    /// How long an answer may take: 60 seconds from a command, 10 from a reference program unless told
    #[arg(long, value_name = "SECONDS")]
    pub(crate) oracle_timeout: Option<u64>,
    /// Go on with the session that was left off
    #[arg(long)]
    pub(crate) resume: bool,
    /// Where the session's answers are kept
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = DebugFormat::Text)]
    pub(crate) format: DebugFormat,
    /// Tell what strategies there are
    #[arg(long)]
    pub(crate) list_strategies: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebugFormat {
    /// For people
    Text,
    /// One object, for programs
    Json,
    /// The dialogue's messages, one object a line, on stdin and stdout
    JsonLines,
}

#[derive(Debug, Args)]
pub(crate) struct TreeArgs {
    /// A program (.hs, .lhs, .curry, .py), a recorded run (.trail), or an interchange file (.jsonl, .jsonl.gz; - for stdin)
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How it is shown
    #[arg(long, value_enum, default_value_t = TreeFormat::Text)]
    pub(crate) format: TreeFormat,
    /// Leave out what is deeper
    #[arg(long, value_name = "LEVELS")]
    pub(crate) depth: Option<u32>,
    /// Begin at this node
    #[arg(long, value_name = "NUMBER")]
    pub(crate) node: Option<u64>,
    /// Colour by the session about this tree, or by the one in FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "answers")]
    pub(crate) session: Option<Option<PathBuf>>,
    /// Colour by a session with these answers
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) strategy: StrategyArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
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
    /// What the program is called with
    #[arg(value_name = "ARGS", last = true)]
    pub(crate) arguments: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Tell how often each function of the program was called
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
    /// Where the trail goes (unless told, to the program's name with .trail, in the current folder)
    #[arg(short, long, value_name = "TRAIL")]
    pub(crate) output: Option<PathBuf>,
    /// Do not record this function or module: `insert`, `Parser`, `*sort*`; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) trust: Vec<String>,
    /// Record what happens inside of calls too: loops and statements (Python)
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
    let number: f64 = text.parse().map_err(|_| "it must be a number of seconds".to_owned())?;
    let fits = std::time::Duration::try_from_secs_f64(number).is_ok();
    fits.then_some(number).ok_or_else(|| "that is no span of time".to_owned())
}

/// A size in bytes: `4096`, `64K`, `500M`, `2G`.
fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| "a size is a number with K, M or G after it".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "that is more than there is".to_owned())
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
    /// Print a program's kernel
    #[arg(long)]
    pub(crate) dump_core: bool,
    /// With the kernel, where each expression stands in the source
    #[arg(long, requires = "dump_core")]
    pub(crate) spans: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,
}
