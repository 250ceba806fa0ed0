//! The `gadfly` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    gadfly::report_panics();
    ExitCode::from(gadfly::main(std::env::args_os()))
}
