//! `gadfly run`: runs a program.

use crate::command::RunArgs;
use crate::interrupt::Terminal;
use crate::{front_ends, record};
use gadfly_frontend::{Failure, Launch, Run};
use std::sync::Arc;

pub(crate) fn run(args: &RunArgs) -> Result<u8, Failure> {
    let front_end = front_ends::of_file(&args.file).ok_or_else(|| record::not_a_program(&args.file))?;
    front_end.language().takes(&args.given())?;
    let run = Run { arguments: args.arguments.clone(), limits: args.limits.limits(), ..Run::default() };
    let launch = Launch {
        file: args.file.clone(),
        run,
        trust: Vec::new(),
        oracles: Vec::new(),
        oracle_timeout: None,
        person: false,
        balanced: false,
        world: Arc::new(Terminal),
    };
    front_end.launch(launch)?.run(args.count)
}
