//! In: an LLVM module as clang emits it at -O0. Out: the same module, numbered and instrumented, carrying its own
//! numbered IR in a section.
//! Deliberately absent: analysis of programs beyond what instrumentation needs; compiling and linking (that is `cc`).
//!
//! Three stages, each a folder or file: `prepare` gives undefined behaviour one meaning and removes what would stand
//! in the way; `decide` says what each instruction will do towards the log, and writes it down as metadata; the module
//! is saved as it then is; `instrument` carries the decisions out.

mod builder;
mod decide;
mod descriptor;
mod eligible;
mod instrument;
mod locals;
mod prepare;
mod save;
mod type_hash;

use llvm::{LlvmError, Module};

pub use abi::TWIN_PREFIX;

/// What joins the running hash that a replay checks itself against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Check {
    /// Outcomes of branches.
    #[default]
    Branches,
    /// Also every value stored and its address: slower, for testing faultline itself.
    Stores,
}

/// Whether calls of library functions go to their twins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Twins {
    #[default]
    Used,
    Unused,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub check: Check,
    pub twins: Twins,
}

#[derive(Debug, thiserror::Error)]
pub enum PassError {
    #[error("cannot read the module: {0}")]
    Unreadable(LlvmError),
    #[error("faultline made a module that LLVM refuses; this is a bug in faultline: {0}")]
    Invalid(LlvmError),
    #[error("cannot compress the saved IR: {0}")]
    Compress(#[from] std::io::Error),
    #[error("faultline instruments programs for x86-64 Linux; this module is for `{0}`")]
    OtherTarget(String),
}

/// Names of the library functions that have twins.
pub fn twins() -> impl Iterator<Item = &'static str> {
    prepare::TWINS.iter().map(|&(name, _)| name)
}

/// Instruments a module of bitcode.
pub fn instrument(bitcode: &[u8], options: &Options) -> Result<Vec<u8>, PassError> {
    let module = Module::parse(bitcode).map_err(PassError::Unreadable)?;
    let target = module.target();
    if !(target.starts_with("x86_64") && target.contains("linux")) || target.ends_with("x32") {
        return Err(PassError::OtherTarget(target));
    }
    prepare::prepare(&module, options);
    let decisions = decide::decide(&module, options);
    let saved = save::save(&module)?;
    instrument::instrument(&module, &decisions, &saved);
    module.verify().map_err(PassError::Invalid)?;
    Ok(module.to_bitcode())
}
