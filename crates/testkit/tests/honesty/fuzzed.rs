//! A little of what `./x fuzz` does at length.

use testkit::fuzz::{Target, fuzz};

#[track_caller]
fn is_harmless(target: Target, inputs: u64) {
    const SEED: u64 = 1;
    let report = fuzz(target, SEED, 0, inputs, &mut |_| {}).expect("inputs can be made");
    assert!(report.is_clean(), "{report:?}");
}

#[test]
fn recordings() {
    is_harmless(Target::Recording, 3000);
}

#[test]
fn plans() {
    is_harmless(Target::Plan, 100_000);
}

#[test]
fn saved_ir() {
    is_harmless(Target::SavedIr, 300);
}

#[test]
fn suites() {
    is_harmless(Target::Suite, 10_000);
}
