//! Why saved IR is refused.

use abi::{InstructionId, Probe};

#[derive(Debug, thiserror::Error)]
pub enum LowerError {
    #[error("this is not IR saved by faultline-cc")]
    NotSavedIr,
    #[error(
        "the IR in this binary has version {found}, but this faultline reads version {expected}: \
         rebuild the program with the faultline-cc that belongs to this faultline"
    )]
    Version { found: u32, expected: u32 },
    #[error("the saved IR is truncated")]
    Truncated,
    #[error("it is damaged (its contents do not match its hash); rebuild the program with faultline-cc")]
    Damaged,
    #[error("it is damaged or malicious: {0}; rebuild the program with faultline-cc")]
    Harmful(String),
    #[error("cannot decompress the saved IR: {0}")]
    Compression(std::io::Error),
    #[error("LLVM cannot read the saved IR: {0}")]
    Llvm(#[from] llvm::LlvmError),
    #[error("in function `{function}`: {problem}")]
    Function { function: String, problem: Problem },
    #[error("in function `{function}` at {site}: {problem}")]
    Site { function: String, site: InstructionId, problem: Problem },
}

/// What is wrong at a site or with a function.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("values of type `{0}` are not supported")]
    Type(String),
    #[error("the constant `{0}` is not supported")]
    Constant(String),
    #[error("the instruction {0} is not supported")]
    Opcode(String),
    #[error("`{0}` is not supported")]
    Shape(&'static str),
    #[error("the probe is malformed: {0:?}")]
    MalformedProbe(Vec<u64>),
    #[error("a probe is missing on {0}")]
    MissingProbe(&'static str),
    #[error("the probe {probe:?} contradicts {on}")]
    WrongProbe { probe: Probe, on: &'static str },
    #[error("the attribute `{name}` is missing or malformed: {found:?}")]
    Attribute { name: &'static str, found: Option<String> },
    #[error("it is marked as instrumented but has no body")]
    NoBody,
    #[error("the function uses a value that it does not define")]
    UnknownValue,
}
