//! Which tests a version passes.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use testkit::{Ending, run};

use crate::subject::Test;

/// A test that takes longer fails.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// What a run of a test came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behaviour {
    pub ending: Ending,
    pub output: Vec<u8>,
}

pub fn behaviour(program: &Path, test: &Test) -> Result<Behaviour> {
    let input = match &test.stdin {
        Some(path) => std::fs::read(path).with_context(|| format!("test {}: {}", test.name, path.display()))?,
        None => Vec::new(),
    };
    let ran = run(Command::new(program).args(&test.args), &input, PATIENCE)?;
    Ok(Behaviour { ending: ran.ending, output: ran.stdout })
}
