//! The suite that was generated, as files: for `--tests`, `rank`, and any other runner of tests.

use std::io;
use std::path::Path;

use experiment::{End, Expectation, Lab, OnOtherInputs, ReferenceError, WrittenTest, run_reference, write_suite};

use super::{Generated, Test, Verdict};

/// The list of tests that fail in the same way or pass.
const SUITE: &str = "suite.toml";
/// The list of tests that fail otherwise: for the fault that is asked about they count as passing, so they are apart.
const OTHERS: &str = "other-failures.toml";

/// What was written.
#[derive(Default, Debug)]
pub struct Written {
    pub tests: usize,
    pub others: usize,
    /// Tests that a list cannot express.
    pub left_out: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Reference(#[from] ReferenceError),
}

/// Writes the suite into a folder, which is made if it is not there.
pub fn write(generated: &Generated, lab: &Lab, folder: &Path) -> Result<Written, WriteError> {
    std::fs::create_dir_all(folder)?;
    let mut written = Written::default();
    for (list, is_wanted) in [
        (SUITE, (|verdict| matches!(verdict, Verdict::Passes | Verdict::Fails)) as fn(Verdict) -> bool),
        (OTHERS, |verdict| verdict == Verdict::FailsOtherwise),
    ] {
        let mut tests = Vec::new();
        for (position, test) in generated.tests.iter().enumerate().filter(|(_, test)| is_wanted(test.verdict)) {
            let expectation = expectation(lab, position, test)?;
            tests.push(WrittenTest { name: Generated::name(position), input: &test.input, expectation });
        }
        let count = if list == SUITE { &mut written.tests } else { &mut written.others };
        *count = tests.len();
        if list == SUITE || !tests.is_empty() {
            let left_out = write_suite(folder, list, lab.case(), &tests)?;
            *count -= left_out.len();
            written.left_out.extend(left_out);
        }
    }
    Ok(written)
}

fn expectation(lab: &Lab, position: usize, test: &Test) -> Result<Expectation, WriteError> {
    let oracle = lab.oracle();
    let status = |end: End| if let End::Exited(status) = end { Some(status) } else { None };
    let own = || Expectation {
        output: Some(test.ran.output.clone()),
        status: status(test.ran.end),
        ..Expectation::default()
    };
    Ok(match oracle.on_other_inputs() {
        OnOtherInputs::Reference if test.verdict == Verdict::Passes => own(),
        OnOtherInputs::Reference => {
            let (case, _folder) = test.input.as_case(lab.case())?;
            match &oracle.reference {
                Some(reference) => {
                    let right = run_reference(reference, &case, lab.patience())?;
                    Expectation { output: Some(right.output), status: status(right.end), ..Expectation::default() }
                }
                None => Expectation::default(),
            }
        }
        OnOtherInputs::Check => {
            let check = oracle.check.as_ref().map(|check| check.to_string_lossy());
            // A check runs in the suite's folder, and was written for ours.
            let here = std::env::current_dir()?;
            let here = here.to_string_lossy().replace('\'', "'\\''");
            let check = check.map(|check| format!("cd '{here}' && {{ {check}\n}}"));
            Expectation { check, status: oracle.status, ..Expectation::default() }
        }
        OnOtherInputs::Status => Expectation { status: oracle.status, ..Expectation::default() },
        OnOtherInputs::Ending => Expectation::default(),
        OnOtherInputs::WrongEnding if position == 0 => {
            Expectation { output: oracle.output.clone(), status: oracle.status, ..Expectation::default() }
        }
        OnOtherInputs::WrongEnding if test.verdict == Verdict::Passes => own(),
        // Somebody has said that it is wrong; nobody has said what would be right.
        OnOtherInputs::WrongEnding => Expectation { never: Some(test.ran.output.clone()), ..Expectation::default() },
    })
}
