//! Faults as regressions: the faulty version, the right one, and the first test that fails.

use std::path::PathBuf;

use anyhow::Result;
use testkit::{Tools, workspace};

use crate::selection::thin_out;
use crate::session::{Telling, failing, prepare};
use crate::subject::{Test, read_subjects};

pub struct Regression {
    /// SUBJECT/FAULT.
    pub name: String,
    /// Both are instrumented.
    pub faulty: PathBuf,
    pub right: PathBuf,
    pub test: Test,
    /// What the test should print.
    pub expected: Vec<u8>,
}

/// Every so many-th fault of the subjects.
pub fn regressions(tools: &Tools, every: usize) -> Result<Vec<Regression>> {
    let mut subjects = read_subjects(&workspace().join("eval/subjects"))?;
    thin_out(&mut subjects, every);
    let mut all = Vec::new();
    for subject in &subjects {
        let prepared = prepare(tools, subject)?;
        for fault in &subject.faults {
            let (faulty, test) = failing(tools, subject, fault, &prepared, Telling::Expected)?;
            let tests = subject.tests.iter().zip(&prepared.behaviours);
            let expected = tests.filter(|(known, _)| known.name == test.name).map(|(_, right)| right.output.clone());
            all.push(Regression {
                name: format!("{}/{}", subject.name, fault.name),
                faulty,
                right: prepared.right.clone(),
                test: test.clone(),
                expected: expected.flatten().collect(),
            });
        }
    }
    Ok(all)
}
