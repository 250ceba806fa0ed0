//! `gadfly run`: runs a program.

use crate::command::RunArgs;
use crate::failure::Failure;
use crate::interrupt::{self, Afterwards};
use crate::{output, program};
use gadfly_lazy::{Run, Settings};

pub(crate) fn run(args: &RunArgs) -> Result<u8, Failure> {
    let program = program::read(&args.file, None)?;
    let how = Run {
        world: Settings::of_process(program.name.clone(), args.arguments.clone()),
        limits: program::limits(&args.limits),
        steps: args.limits.steps.or(args.count.then_some(u64::MAX)),
    };
    let watch = program::watch(args.limits.time, Afterwards::End);
    let ran = program.checked.run(&program.lowered, how, watch);
    interrupt::end();
    let ran = ran?;
    if args.count {
        for (name, count) in &ran.counts {
            output::error_line(&format!("{count:>10}  {name}"));
        }
    }
    program::report(&ran, &program, &args.file, &args.limits)
}
