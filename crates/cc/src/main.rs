//! `faultline-cc`, and `faultline-c++` when called by that name.

use std::process::ExitCode;

fn main() -> ExitCode {
    faultline_cc::main(std::env::args_os())
}
