//! A few faults that must stay found, as a test: by rank, not by time. `eval/guard.toml` says which.

use serde::Deserialize;
use testkit::{Tools, workspace};

use super::session::session;
use super::subject::read_subjects;
use super::technique::{chosen, techniques};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guards {
    guard: Vec<Guard>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guard {
    /// SUBJECT/FAULT.
    fault: String,
    technique: String,
    /// The highest that is allowed.
    rank: usize,
}

/// Seconds for one answer: more than these faults need on a machine that does other things, too.
const BUDGET: u32 = 30;

#[test]
fn faults_that_were_found_stay_found() {
    let tools = Tools::find().unwrap();
    let text = std::fs::read_to_string(workspace().join("eval/guard.toml")).unwrap();
    let guards: Guards = toml::from_str(&text).unwrap();
    let mut lost = Vec::new();
    for guard in guards.guard {
        let (name, fault) = guard.fault.split_once('/').unwrap();
        let mut subjects = read_subjects(&workspace().join("eval/subjects")).unwrap();
        let subject = subjects.iter_mut().find(|subject| subject.name == name).unwrap();
        subject.faults.retain(|known| known.name == fault);
        let asked = chosen(techniques(false), std::slice::from_ref(&guard.technique)).unwrap();
        let rows = session(&tools, subject, &asked, BUDGET).unwrap();
        assert_eq!(rows.len(), 1, "there is no fault {}", guard.fault);
        if !rows[0].is_within(guard.rank) {
            lost.push(format!(
                "{} by {}: rank {:?}, at most {} is allowed; {:?}",
                guard.fault, guard.technique, rows[0].rank, guard.rank, rows[0].trouble
            ));
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}
