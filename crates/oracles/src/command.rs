//! An external program that answers: `--oracle command:PROG ARGS…`.
//!
//! The program is started at the first question and lives until the session ends. It reads questions from its standard
//! input and writes answers to its standard output, each one line of JSON; what it writes to standard error goes where
//! ours goes. No shell takes part: the command is split at white space, and quotes and backslashes work as in a shell.
//!
//! A question, here on two lines:
//!
//! ```text
//! {"type":"question","number":1,"node":7,"function":"comput2","module":null,"rule":1,"source":"comput2 x = …",
//!  "arguments":["3"],"result":"9","equation":"comput2 3 = 9"}
//! ```
//!
//! | field | what it is |
//! | --- | --- |
//! | `type` | `"question"`; a program ignores a line of a type, and a field, that it does not know |
//! | `number` | the question's number in the session, from 1; the equations of a table come one by one and share it |
//! | `node` | the node's number in the tree, from 1 |
//! | `function`, `module`, `rule` | the rule it stands for; module and rule number may be `null` |
//! | `source` | the rule's source text; missing where it is not known |
//! | `arguments` | their values, in full, as the language writes them |
//! | `parameters` | the arguments' names or `null`; missing where none is known |
//! | `result` | the value; `null` if there was none |
//! | `exception` | what was raised instead; missing if nothing was |
//! | `before`, `after` | the variables as `{"name": "x", "value": "1"}`; missing where there are none |
//! | `equation` | all of this as a person reads it |
//!
//! An answer:
//!
//! ```text
//! {"answer":"wrong","marks":[{"path":"@result.2","kind":"wrong"}],"expected":"[6,3]","because":"3 * 2 / 2 is 3"}
//! ```
//!
//! `answer` is `correct`, `wrong`, `inadmissible`, `don't know`, `trust function` or `trust module`; or `null`, and then
//! the next oracle is asked. The other fields may be missing; `"mark":"@result.2"` is short for one mark. `number` and
//! `node` may repeat the question's, and then must be the same: a program that has lost count is noticed. Blank lines are
//! ignored. A line has at most 1 MiB, and must be flushed. When the session is over the program's input is closed, and it
//! should end.
//!
//! Anything else that the program does is an error. Gadfly then ends it and does not ask it again. What the program has started
//! ends with it: it has a process group of its own, which is killed at the end.

mod process;
mod words;

pub use process::end_commands;
pub use words::CommandLineError;

use crate::quoted::beginning;
use gadfly_engine::{Answer, Oracle, OracleError, Query, Watch, Who};
use gadfly_term::render::{self, Room, Style};
use gadfly_term::{Binding, Outcome, TermId};
use process::{Failure, MAX_LINE, Process};
use serde::Serialize;
use serde_json::{Map, Value};
use std::time::Duration;

/// An external program that answers.
#[derive(Debug)]
pub struct CommandOracle {
    words: Vec<String>,
    style: Style,
    time_out: Duration,
    process: Option<Process>,
    /// Why it is not asked any more.
    failed: Option<OracleError>,
}

impl CommandOracle {
    /// How long a program may take for one answer, by default.
    pub const TIME_OUT: Duration = Duration::from_secs(60);

    /// Takes a command line apart; the program is started at the first question. Values are written in `style`.
    pub fn new(command: &str, style: Style, time_out: Duration) -> Result<CommandOracle, CommandLineError> {
        let words = words::split(command)?;
        Ok(CommandOracle { words, style, time_out, process: None, failed: None })
    }

    fn ask(&mut self, query: &Query<'_>) -> Result<Option<Answer>, OracleError> {
        let process = match &mut self.process {
            Some(process) => process,
            None => {
                let started = Process::start(&self.words).map_err(|error| self.cannot_start(&error))?;
                self.process.insert(started)
            }
        };
        let line = process.ask(question(query, self.style), self.time_out);
        let line = line.map_err(|failure| self.describe(failure, query.number))?;
        read_answer(&line, query).map_err(|why| self.nonsense(&why, &line, query.number))
    }

    /// What the program is called in messages.
    fn program(&self) -> String {
        beginning(self.words.first().map_or("", String::as_str))
    }

    fn cannot_start(&self, error: &std::io::Error) -> OracleError {
        OracleError {
            message: format!("cannot start the oracle {}: {error}", self.program()),
            hint: Some(
                "check the command; Gadfly starts no shell, so write `sh -c '…'` for pipes and variables"
                    .to_owned(),
            ),
        }
    }

    fn describe(&self, failure: Failure, number: usize) -> OracleError {
        let program = self.program();
        let by_hand =
            "try it by hand: it must read a question as one line of JSON and answer with one line of JSON";
        let (message, hint) = match failure {
            Failure::Ended(status) => (
                format!("the oracle {program} ended ({status}) before it answered question {number}"),
                by_hand,
            ),
            Failure::ClosedOutput => (
                format!("the oracle {program} closed its output before it answered question {number}"),
                by_hand,
            ),
            Failure::ClosedInput => (
                format!("the oracle {program} closed its input before it answered question {number}"),
                by_hand,
            ),
            Failure::TimedOut => (
                format!(
                    "the oracle {program} did not answer question {number} within {} s and was stopped",
                    self.time_out.as_secs_f64()
                ),
                "give it more time with `--oracle-timeout SECONDS`, and check that it flushes its output after every line",
            ),
            Failure::TooLong(line) => {
                return self.nonsense(&format!("the line is longer than {MAX_LINE} bytes"), &line, number);
            }
            Failure::Unasked(line) => (
                format!(
                    "the oracle {program} wrote a line before question {number} was asked: {}",
                    beginning(&String::from_utf8_lossy(&line))
                ),
                "it must write one line for every question, and nothing else, to its standard output",
            ),
        };
        OracleError { message, hint: Some(hint.to_owned()) }
    }

    fn nonsense(&self, why: &str, line: &[u8], number: usize) -> OracleError {
        OracleError {
            message: format!(
                "the oracle {} gave an invalid answer to question {number}: {why}: {}",
                self.program(),
                beginning(&String::from_utf8_lossy(line))
            ),
            hint: Some(
                r#"an answer is one line such as {"answer":"correct"} or {"answer":"wrong","mark":"@result.2"}"#
                    .to_owned(),
            ),
        }
    }
}

impl Oracle for CommandOracle {
    fn who(&self) -> Who {
        Who::Command
    }

    fn judge(&mut self, query: &Query<'_>, _watch: &dyn Watch) -> Result<Option<Answer>, OracleError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let answer = self.ask(query);
        if let Err(error) = &answer {
            self.failed = Some(error.clone());
            if let Some(mut process) = self.process.take() {
                process.kill();
            }
        }
        answer
    }
}

#[derive(Serialize)]
struct Question<'a> {
    r#type: &'static str,
    number: usize,
    node: u64,
    function: &'a str,
    module: Option<&'a str>,
    rule: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    arguments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Vec<Option<&'a str>>>,
    result: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exception: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<Variable<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<Variable<'a>>,
    equation: &'a str,
}

#[derive(Serialize)]
struct Variable<'a> {
    name: &'a str,
    value: String,
}

/// A question as a line of JSON.
fn question<'a>(query: &Query<'a>, style: Style) -> Vec<u8> {
    let equation = query.equation;
    let text = |id: TermId| render::term(&equation.terms, id, style, Room::UNBOUNDED).text;
    let variables = |bindings: &'a [Binding]| -> Vec<Variable<'a>> {
        bindings.iter().map(|one| Variable { name: &one.name, value: text(one.value) }).collect()
    };
    let names = || equation.arguments.iter().map(|argument| argument.name.as_deref());
    let (result, exception) = match equation.outcome {
        Outcome::Value(id) => (Some(text(id)), None),
        Outcome::Exception(id) => (None, Some(text(id))),
        Outcome::Nothing | Outcome::Unfinished => (None, None),
    };
    let question = Question {
        r#type: "question",
        number: query.number,
        node: query.shown_number,
        function: &query.rule.function,
        module: query.rule.module.as_deref(),
        rule: query.rule.number,
        source: query.rule_text,
        arguments: equation.arguments.iter().map(|argument| text(argument.value)).collect(),
        parameters: names().any(|name| name.is_some()).then(|| names().collect()),
        result,
        exception,
        before: variables(&equation.before),
        after: variables(&equation.after),
        equation: query.text,
    };
    // Strings and numbers in a struct always serialise.
    let mut line = serde_json::to_vec(&question).unwrap_or_default();
    line.push(b'\n');
    line
}

/// The answer in a line, or what is wrong with the line.
fn read_answer(line: &[u8], query: &Query<'_>) -> Result<Option<Answer>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8 text".to_owned())?;
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            "the line is not a JSON object".to_owned()
        } else {
            "the line is not JSON".to_owned()
        }
    })?;
    for (name, asked) in [("number", query.number as u64), ("node", query.shown_number)] {
        if let Some(said) = fields.get(name).filter(|said| **said != asked) {
            return Err(format!("`{name}` is {}, not {asked}", beginning(&said.to_string())));
        }
    }
    match fields.get("answer") {
        Some(Value::Null) => return Ok(None),
        Some(Value::String(_)) => {}
        Some(_) => return Err("`answer` is not a string".to_owned()),
        None => return Err("the field `answer` is missing".to_owned()),
    }
    let answer: Answer = serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
    match answer.marks.iter().find(|mark| !query.equation.has(&mark.path)) {
        Some(mark) => Err(format!("the equation has no part `{}`", mark.path)),
        None => Ok(Some(answer)),
    }
}

#[cfg(test)]
mod tests;
