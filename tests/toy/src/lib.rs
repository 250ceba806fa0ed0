//! A tiny imperative language, as the smallest front-end that Gadfly can have: read it before you write your own.
//!
//! ```text
//! # Programs are functions of integers; `main` is run.
//! fn sum(n) {
//!   total = 0
//!   while n > 0 { total = total + n  n = n - 1 }
//!   return total
//! }
//! fn main() { print sum(3) }
//! ```
//!
//! | file | what it does |
//! | --- | --- |
//! | `syntax` | what a program is made of |
//! | `parse` | reads and checks it |
//! | `interpret` | runs it |
//! | `record` | writes what happens as a trail |
//! | `reference` | an oracle: another program, in which the same call is made |
//! | `inside` | the inside of a call, as a tree of its own |
//!
//! What Gadfly asks of a language is here: [`FrontEnd`] for the language, and [`Program`] for one program in it.

mod inside;
mod interpret;
mod parse;
mod record;
mod reference;
mod syntax;

use gadfly_engine::{Inside, Oracle};
use gadfly_frontend::{
    Afterwards, Ended, Failure, FrontEnd, Language, Launch, OracleSpec, Program, RecordRequest, Recorded,
    Subject, World,
};
use gadfly_source::{FileId, NamePattern};
use gadfly_trail::model::RunEnd;
use gadfly_trail::stream::Stream;
use gadfly_trail::write::Writer;
use inside::{Entered, ToyInside};
use interpret::{Fault, Interpreter, Limits, Observer};
use record::{FAULTS, Recorder};
use reference::ToyReference;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use syntax::Code;

/// The toy language.
pub struct Toy;

const LANGUAGE: Language = Language {
    name: "toy",
    programs: "toy programs",
    suffixes: &[".toy"],
    options: &["--time"],
    oracles: &["reference"],
};

impl FrontEnd for Toy {
    fn language(&self) -> &'static Language {
        &LANGUAGE
    }

    fn launch(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        let code = read(&launch.file, &*launch.world)?;
        Ok(Box::new(ToyProgram::new(launch, Some(code))))
    }

    fn attach(&self, launch: Launch) -> Result<Box<dyn Program>, Failure> {
        Ok(Box::new(ToyProgram::new(launch, None)))
    }
}

/// Reads a program, and says what is wrong with it.
fn read(path: &Path, world: &dyn World) -> Result<Code, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::input(format!("{name}: {error}")).with_hint("name a file that can be read")
    })?;
    parse::parse(&name, &text).map_err(|mistake| {
        world.diagnose(&[mistake.0], &mistake.1);
        Failure::input(format!("{name}: 1 error"))
    })
}

/// How long an answer may take by default, and a call that is made again.
const TIME: Duration = Duration::from_secs(10);

/// A program, or only its recording.
struct ToyProgram {
    launch: Launch,
    name: String,
    code: Option<Code>,
    entered: Entered,
}

impl ToyProgram {
    fn new(launch: Launch, code: Option<Code>) -> ToyProgram {
        let name = launch.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        ToyProgram { launch, name, code, entered: Entered::default() }
    }

    fn code(&self) -> Result<&Code, Failure> {
        self.code.as_ref().ok_or_else(|| {
            Failure::usage(format!("{}: only the program itself can be run", self.launch.file.display()))
                .with_hint("name the program instead of its trail")
        })
    }

    /// The program as it was recorded: a recording has its sources.
    fn recorded(subject: &Subject) -> Option<Code> {
        let (_, file) = subject.recording.sources().iter().find(|(id, _)| *id == FileId(0))?;
        parse::parse(file.name(), file.text()?).ok()
    }

    /// Runs `main`, and tells how it ended.
    fn main(&self, code: &Code, observer: &mut dyn Observer, afterwards: Afterwards) -> (Ended, RunEnd) {
        let seconds = self.launch.run.limits.time;
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = || stopped.load(Ordering::Relaxed);
        let until = time.and_then(|time| Instant::now().checked_add(time));
        let mut interpreter = Interpreter::new(code, observer, Limits { until, stop: &stop });
        let flag = Arc::clone(&stopped);
        self.launch.world.begun(Some(Box::new(move || flag.store(true, Ordering::Relaxed))), afterwards);
        let result = interpreter.call(code.main, &[]);
        let at = code.sources.region(interpreter.at).start.line;
        self.launch.world.ended();
        let name = &self.name;
        match result {
            Ok(_) => (Ended::Exit(0), RunEnd::Exit(0)),
            Err(Fault::Interrupted) => (Ended::Interrupted, RunEnd::Interrupted),
            Err(Fault::ClosedPipe) => (Ended::ClosedPipe, RunEnd::Exit(0)),
            Err(Fault::TimeLimit) => {
                let seconds = seconds.unwrap_or_default();
                let message = format!("{name}: stopped after {seconds} s: the limit given by --time");
                (Ended::Limit(message), RunEnd::Limit("time".to_owned()))
            }
            Err(fault) => {
                let known = FAULTS.iter().find(|(known, _)| *known == fault);
                let message = format!("{} in line {at}", known.map_or("", |(_, name)| name));
                self.launch.world.tell(&format!("{name}: {message}"));
                (Ended::Exit(1), RunEnd::Uncaught(message, 1))
            }
        }
    }
}

/// Prints what the program prints, and counts calls.
struct Plain {
    counts: Vec<u64>,
}

impl Observer for Plain {
    fn call(&mut self, function: usize, _arguments: &[i64]) {
        self.counts[function] += 1;
    }

    fn print(&mut self, line: &str) -> io::Result<()> {
        io::stdout().write_all(line.as_bytes())
    }
}

impl Program for ToyProgram {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, count: bool) -> Result<u8, Failure> {
        let code = self.code()?;
        let mut plain = Plain { counts: vec![0; code.functions.len()] };
        let (ended, _) = self.main(code, &mut plain, Afterwards::End);
        for (function, times) in code.functions.iter().zip(plain.counts).filter(|_| count) {
            self.launch.world.tell(&format!("{times:>10}  {}", function.name));
        }
        match ended {
            Ended::Exit(status) | Ended::Killed(_, status) => Ok(status),
            Ended::Interrupted => Err(Failure::Interrupted),
            Ended::ClosedPipe => Err(Failure::ClosedPipe),
            Ended::Limit(message) => Err(Failure::input(message)),
        }
    }

    fn record(&mut self, request: RecordRequest<'_>) -> Result<Recorded, Failure> {
        let code = self.code()?;
        let trusted: Vec<NamePattern> = self.launch.trust.iter().map(|name| NamePattern::new(name)).collect();
        let command = self.launch.file.display().to_string();
        let tables = record::tables(code, LANGUAGE.name, &command, &trusted);
        let (writer, outcome) = Writer::create(request.trail, &tables).map_err(|error| {
            Failure::input(format!("{}: {error}", request.trail.display()))
                .with_hint("name a file that can be written, with -o or --keep-trail")
        })?;
        let detail = if request.detail { usize::MAX } else { 0 };
        let out: Box<dyn Write> =
            if request.output_to_stderr { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
        let mut recorder = Recorder::new(code, &tables, Stream::new(Box::new(writer)), detail, out);
        let (ended, end) = self.main(code, &mut recorder, Afterwards::GoOn);
        recorder.finish(&end);
        let written = outcome.written();
        if let Some(failure) = &written.failure {
            self.launch.world.tell(&format!("warning: {}: {failure}", request.trail.display()));
        }
        Ok(Recorded { ended, nodes: Some(written.nodes), is_reported: true })
    }

    fn oracle(&mut self, spec: &OracleSpec, subject: &Subject) -> Result<Box<dyn Oracle>, Failure> {
        let OracleSpec::Reference(path) = spec else {
            return Err(Failure::usage(format!("`{}` is not an oracle of this language", spec.kind())));
        };
        Ok(Box::new(ToyReference {
            reference: read(Path::new(path), &*self.launch.world)?,
            recorded: ToyProgram::recorded(subject),
            time: self.launch.oracle_timeout.unwrap_or(TIME),
            entered: Arc::clone(&self.entered),
        }))
    }

    fn inside(&mut self, subject: &Subject) -> Option<Box<dyn Inside>> {
        Some(Box::new(ToyInside {
            code: ToyProgram::recorded(subject)?,
            trail: Arc::clone(subject.viewed.as_ref()?.trail()),
            time: self.launch.oracle_timeout.unwrap_or(TIME),
            balanced: self.launch.balanced,
            entered: Arc::clone(&self.entered),
        }))
    }
}
