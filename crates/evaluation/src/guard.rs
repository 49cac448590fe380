//! A few faults that must stay found, as a test: by rank, not by time. `eval/guard.toml` says which.

use serde::Deserialize;
use testkit::{Tools, workspace};

use crate::session::{Telling, session};
use crate::subject::read_subjects;
use crate::technique::{chosen, techniques};

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
    let mut asked = 0;
    let mut lost = Vec::new();
    for subject in &mut read_subjects(&workspace().join("eval/subjects")).unwrap() {
        let name = subject.name.clone();
        let full = |fault: &str| format!("{name}/{fault}");
        subject.faults.retain(|fault| guards.guard.iter().any(|guard| guard.fault == full(&fault.name)));
        let of_subject = guards.guard.iter().filter(|guard| guard.fault.starts_with(&full("")));
        let named: Vec<String> = of_subject.clone().map(|guard| guard.technique.clone()).collect();
        if named.is_empty() {
            continue;
        }
        let rows = session(
            &tools,
            std::slice::from_ref(subject),
            &chosen(techniques(false), &named).unwrap(),
            Telling::Expected,
            BUDGET,
        )
        .unwrap();
        for guard in of_subject {
            let row = rows.iter().find(|row| row.name() == guard.fault && row.technique == guard.technique);
            let row = row.unwrap_or_else(|| panic!("there is no fault {}", guard.fault));
            asked += 1;
            if !row.is_within(guard.rank) {
                lost.push(format!(
                    "{} by {}: rank {:?}, at most {} is allowed; {:?}",
                    guard.fault, guard.technique, row.rank, guard.rank, row.trouble
                ));
            }
        }
    }
    assert_eq!(asked, guards.guard.len(), "there are faults of unknown subjects");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}
