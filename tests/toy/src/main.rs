//! Gadfly with the toy language beside its own: what the conformance suite runs.

use gadfly::{FRONT_ENDS, FrontEnds};
use gadfly_toy::Toy;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut all = FRONT_ENDS.to_vec();
    all.push(&Toy);
    let all: FrontEnds = all.leak();
    ExitCode::from(gadfly::main_with(all, std::env::args_os()))
}
