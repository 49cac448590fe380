//! `eval --check`: what the subjects promise, held to.

use std::collections::BTreeSet;

use anyhow::Result;
use testkit::{Ending, Tools, Verdict, parallel};

use crate::folder::folder;
use crate::subject::{Fault, Subject};
use crate::verdicts::{Behaviour, behaviour};
use crate::version::{Compiler, build};

const LEAST_TESTS: usize = 30;
const LEAST_FAULTS: usize = 10;
pub const LEAST_FAILING: usize = 1;
pub const LEAST_PASSING: usize = 10;

/// How a fault shows.
#[derive(Default)]
struct Shows {
    failing: usize,
    crashes: usize,
    hangs: usize,
}

pub fn check(subjects: &[Subject]) -> Result<Verdict> {
    let tools = Tools::find()?;
    let mut verdict = Verdict::Holds;
    println!(
        "{:<14} {:>5} {:>6} {:>7} {:>10} {:>15} {:>8} {:>6}",
        "subject", "lines", "tests", "faults", "omissions", "failing (mean)", "crashes", "hangs"
    );
    let rights = parallel::map(subjects, |subject| right_version(&tools, subject));
    let (mut all_tests, mut all_faults, mut all_omissions) = (0, 0, 0);
    for (subject, right) in subjects.iter().zip(rights) {
        let (right, mut complaints) = right?;
        complaints.extend(poverty(subject));
        let faults: Vec<&Fault> = subject.all_faults().collect();
        let shown = parallel::map(&faults, |fault| {
            Ok::<_, anyhow::Error>((shows(&tools, subject, fault, &right)?, lines_differ(fault)))
        });
        let mut total = Shows::default();
        for (fault, shown) in faults.iter().zip(shown) {
            let name = format!("{}/{}", subject.name, fault.name);
            let (shows, lines) = shown?;
            complaints.extend(lines.map(|what| format!("{name}: {what}")));
            let passing = subject.tests.len() - shows.failing;
            if shows.failing < LEAST_FAILING || passing < LEAST_PASSING {
                complaints.push(format!("{name}: {} tests fail and {passing} pass", shows.failing));
            }
            total.failing += shows.failing;
            total.crashes += usize::from(shows.crashes > 0);
            total.hangs += usize::from(shows.hangs > 0);
        }
        println!(
            "{:<14} {:>5} {:>6} {:>7} {:>10} {:>15.1} {:>8} {:>6}",
            subject.name,
            subject.source.lines().count(),
            subject.tests.len(),
            subject.faults.len(),
            subject.omissions.len(),
            total.failing as f64 / faults.len().max(1) as f64,
            total.crashes,
            total.hangs
        );
        all_tests += subject.tests.len();
        all_faults += subject.faults.len();
        all_omissions += subject.omissions.len();
        for complaint in complaints {
            println!("{complaint}");
            verdict = Verdict::DoesNotHold;
        }
    }
    println!("{} subjects, {all_tests} tests, {all_faults} faults, {all_omissions} omissions", subjects.len());
    Ok(verdict)
}

/// What the right version does in each test, and what is wrong with it.
fn right_version(tools: &Tools, subject: &Subject) -> Result<(Vec<Behaviour>, Vec<String>)> {
    let program = build(tools, Compiler::Clang, subject, &subject.source, &folder().join(&subject.name).join("right"))?;
    let mut complaints = Vec::new();
    let mut behaviours = Vec::new();
    for test in &subject.tests {
        let [first, second] = [behaviour(&program, test)?, behaviour(&program, test)?];
        let name = format!("{}, test {}", subject.name, test.name);
        if first != second {
            complaints.push(format!("{name}: two runs of the right version differ"));
        }
        if first.ending != Ending::Exit(0) {
            complaints.push(format!("{name}: the right version: {}", first.ending));
        }
        behaviours.push(first);
    }
    Ok((behaviours, complaints))
}

/// Too little of something, or a name twice.
fn poverty(subject: &Subject) -> Vec<String> {
    let mut complaints = Vec::new();
    if subject.tests.len() < LEAST_TESTS {
        complaints.push(format!("{}: fewer than {LEAST_TESTS} tests", subject.name));
    }
    if subject.faults.len() < LEAST_FAULTS {
        complaints.push(format!("{}: fewer than {LEAST_FAULTS} faults", subject.name));
    }
    let tests: Vec<&String> = subject.tests.iter().map(|test| &test.name).collect();
    let faults: Vec<&String> = subject.all_faults().map(|fault| &fault.name).collect();
    for names in [tests, faults] {
        if names.iter().collect::<BTreeSet<_>>().len() < names.len() {
            complaints.push(format!("{}: a name occurs twice", subject.name));
        }
    }
    complaints
}

fn shows(tools: &Tools, subject: &Subject, fault: &Fault, right: &[Behaviour]) -> Result<Shows> {
    let place = folder().join(&subject.name).join("faulty").join(&fault.name);
    let program = build(tools, Compiler::Clang, subject, &fault.change.text, &place)?;
    let mut shows = Shows::default();
    for (test, right) in subject.tests.iter().zip(right) {
        let found = behaviour(&program, test)?;
        if found != *right {
            shows.failing += 1;
            shows.crashes += usize::from(matches!(found.ending, Ending::Signal(_)));
            shows.hangs += usize::from(found.ending == Ending::TimedOut);
        }
    }
    Ok(shows)
}

/// The lines named are lines the patch touches, and each place it touches has one.
fn lines_differ(fault: &Fault) -> Option<String> {
    let touched: Vec<u32> = fault.change.places.iter().flat_map(|place| place.lines()).copied().collect();
    let strange: Vec<&u32> = fault.lines.iter().filter(|line| !touched.contains(line)).collect();
    if !strange.is_empty() {
        return Some(format!("lines {strange:?} are none of the patch's, which are {touched:?}"));
    }
    let silent = fault.change.places.iter().find(|place| !place.lines().iter().any(|line| fault.lines.contains(line)));
    silent.map(|place| format!("no line is named of {:?}", place.lines()))
}

#[cfg(test)]
mod tests {
    use testkit::workspace;

    use super::*;
    use crate::subject::read_subjects;

    /// What can be known without running anything.
    #[test]
    fn patches_apply_and_lines_are_theirs() {
        let mut complaints = Vec::new();
        for subject in read_subjects(&workspace().join("eval/subjects")).unwrap() {
            complaints.extend(poverty(&subject));
            for fault in subject.all_faults() {
                complaints.extend(lines_differ(fault).map(|what| format!("{}/{}: {what}", subject.name, fault.name)));
            }
        }
        assert_eq!(complaints, Vec::<String>::new());
    }
}
