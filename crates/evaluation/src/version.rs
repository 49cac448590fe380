//! Programs made of a subject: the right version and the faulty ones, by clang and by `faultline-cc`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use testkit::Tools;

use crate::subject::Subject;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compiler {
    Clang,
    Faultline,
}

/// Compiles a text of the subject in a folder of its own, where its source is kept, too.
pub fn build(tools: &Tools, compiler: Compiler, subject: &Subject, text: &str, folder: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let source = folder.join(&subject.source_name);
    std::fs::write(&source, text)?;
    let program = folder.join(match compiler {
        Compiler::Clang => "plain",
        Compiler::Faultline => "instrumented",
    });
    let mut command = match (compiler, subject.is_cpp()) {
        (Compiler::Clang, false) => Command::new(&tools.clang),
        (Compiler::Clang, true) => Command::new(tools.clang.with_file_name("clang++")),
        (Compiler::Faultline, false) => Command::new(&tools.cc),
        (Compiler::Faultline, true) => Command::new(&tools.cpp),
    };
    command.arg(if subject.is_cpp() { "-std=c++20" } else { "-std=c11" });
    command.args(["-O0", "-g"]).arg(&source).arg("-o").arg(&program).arg("-lm");
    let output = command.output().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{} does not compile:\n{said}", source.display());
    Ok(program)
}
