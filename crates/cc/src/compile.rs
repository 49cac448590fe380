//! One source: front end, instrumentation, code generation.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, Result};

use crate::cc1;
use crate::job::Job;

/// Compiles to object or assembly. The status is that of the first clang that failed, or of the last.
pub fn compile(job: &Job, options: &pass::Options, scratch: &Path) -> Result<ExitStatus> {
    let instrumented = scratch.join("instrumented.bc");
    let status = instrument(job, options, scratch, &instrumented)?;
    if !status.success() {
        return Ok(status);
    }
    job.run_with(&cc1::code_generation(job, &instrumented))
}

/// Compiles to instrumented bitcode, at the place the job names.
pub fn compile_to_bitcode(job: &Job, options: &pass::Options, scratch: &Path) -> Result<ExitStatus> {
    let output = PathBuf::from(job.output().context("a job without output")?);
    instrument(job, options, scratch, &output)
}

/// Runs the code generator on bitcode that [`compile_to_bitcode`] made.
pub fn generate_code(job: &Job) -> Result<ExitStatus> {
    let bitcode = PathBuf::from(cc1::input(job).context("a job without input")?);
    job.run_with(&cc1::code_generation(job, &bitcode))
}

fn instrument(job: &Job, options: &pass::Options, scratch: &Path, output: &Path) -> Result<ExitStatus> {
    // A file and not standard output: some options make clang print there.
    let plain = scratch.join("plain.bc");
    let status = job.run_with(&cc1::front_end(job, &plain))?;
    if status.success() {
        let source = || cc1::input(job).unwrap_or_default().to_string_lossy().into_owned();
        let bitcode = std::fs::read(&plain).with_context(|| format!("{}: clang left no bitcode", source()))?;
        let instrumented = pass::instrument(&bitcode, options).with_context(source)?;
        std::fs::write(output, instrumented).with_context(|| format!("cannot write {}", output.display()))?;
    }
    Ok(status)
}
