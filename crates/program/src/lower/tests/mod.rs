//! Lowering of written IR, where each rule has its line, and of what clang makes of C and C++.

mod mark;
mod fixtures;
mod sources;

use std::process::{Command, Stdio};

use crate::debug::Debug;
use crate::{LowerError, Module, ModuleId, lower, read_debug};

/// Pipes `input` through a tool and gives what it writes.
fn through(tool: &str, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut child = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{tool}: {error}"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // Written from a thread of its own, since the tool may write before it has read everything.
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the tool ends");
    writer.join().expect("the writer does not panic").expect("the tool reads its input");
    assert!(output.status.success(), "{tool} failed");
    output.stdout
}

fn lower_text(ir: &str) -> Result<Module, LowerError> {
    lower(ModuleId([0xab; 16]), &through("llvm-as-19", &["-o", "-"], ir.as_bytes()))
}

/// What clang makes of a source at -O0, marked.
pub(crate) fn compile(language: &str, source: &str) -> Module {
    compile_with_debug(language, source).0
}

/// The same, and what its debug information says.
pub(crate) fn compile_with_debug(language: &str, source: &str) -> (Module, Debug) {
    let flags = [
        "-x",
        language,
        "-O0",
        "-Xclang",
        "-disable-O0-optnone",
        "-g",
        "-fno-discard-value-names",
        "-emit-llvm",
        "-c",
        "-Wno-everything",
        "-o",
        "-",
        "-",
    ];
    let bitcode = through("clang-19", &flags, source.as_bytes());
    let marked = mark::mark(&bitcode);
    let module = lower(ModuleId([1; 16]), &marked).unwrap_or_else(|error| panic!("{error}"));
    (module, read_debug(&marked).unwrap_or_else(|error| panic!("{error}")))
}
