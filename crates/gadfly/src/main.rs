//! The `gadfly` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(gadfly::main(std::env::args_os()))
}
