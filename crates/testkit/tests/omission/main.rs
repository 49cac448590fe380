//! Code that did not run: what is added to the slice of a failure and what is not, exactly as the paper's figures and tables
//! have it (Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution Omission Errors*); what is found beyond them; and that
//! every dependence told is shown by the experiment told for it.

mod faulty;
mod figures;
mod further;
mod old_values;
mod signs;
mod ways;
mod asked;

use std::collections::HashSet;
use std::time::Duration;

use budget::Budget;
use nesting::index::indices_of;
use techniques::omission::{Effect, Inquiry, Seen, expand, verify};
use techniques::{Means, Notebook, with_subject};
use tempfile::TempDir;
use testkit::workspace;

use faulty::open;

/// What was not shown is not told, and what is told is shown again by the experiment that is told.
#[test]
fn every_dependence_is_shown_by_its_experiment() {
    let mut count = 0;
    let folder = workspace().join("tests/locate/omission");
    let mut cases: Vec<_> = std::fs::read_dir(folder).expect("cases").flatten().map(|entry| entry.path()).collect();
    cases.sort();
    for case in cases {
        let read = |name: &str| std::fs::read(case.join(name)).expect("it is there");
        let built = TempDir::new().expect("a folder");
        let lab = open(&case.join("program.c"), read("input"), read("expected"), built.path());
        let (budget, notebook) = (Budget::of(Duration::from_secs(30)), Notebook::default());
        let means = Means::within(&budget, &notebook);
        let shown = with_subject(&lab, means, |subject| {
            let expanded = expand(subject, None)?.expect("the failure is there");
            for one in &expanded.proven {
                let uses = indices_of(subject.run, &HashSet::from([one.user]))?;
                let inquiry =
                    Inquiry { predicate: one.predicate.at, experiment: &one.experiment, uses: &uses, place: one.place };
                let Seen::Yes(again) = verify(subject, &inquiry)? else { panic!("it does as told") };
                assert_eq!(again.uses.get(&one.user), Some(&one.shown), "{one:?}");
                assert_eq!(again.effect, one.effect, "{one:?}");
                let ran = lab.run(&one.experiment)?;
                let passes = lab.judge(&one.experiment, &ran)? == experiment::Outcome::Passes;
                assert_eq!(passes, one.passes(), "{one:?}");
            }
            for one in &expanded.deciding {
                let ran = lab.run(&one.experiment)?;
                let passes = lab.judge(&one.experiment, &ran)? == experiment::Outcome::Passes;
                assert_eq!(passes, one.effect == Effect::ALL, "{one:?}");
            }
            Ok(expanded.proven.len())
        });
        let shown = shown.expect("it can be looked at");
        assert!(shown > 0, "{} has none", case.display());
        count += shown;
    }
    assert!(count >= 6, "{count} dependences");
}
