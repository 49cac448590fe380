//! A use depends on a switched predicate if a way of dependences leads from one to the other. The obvious twin: the predicate
//! is in the slice of the use.

use std::collections::{HashMap, HashSet};

use abi::StreamId;
use execution::Run;
use execution::criterion::Criterion;
use execution::dependence::{Follow, Wish};
use execution::predicates::predicates;
use execution::slice::Request;
use experiment::{Change, Intervention};
use nesting::index::{indices_of, partners_of};
use program::Op;
use recording::Recording;
use replay::{Image, Step};
use techniques::omission::{Inquiry, Seen, Shown, verify};
use testkit::workspace;

use crate::faulty::{all_steps, faulty, line};

/// Predicates of each program, and uses of each predicate.
const MOST_PREDICATES: usize = 40;
const MOST_USES: usize = 60;

#[test]
fn a_use_depends_on_what_is_in_its_slice() {
    let (mut with, mut without) = (0, 0);
    for name in
        ["table_not_cleared", "scan_left_early", "negative_discount", "blank_line", "original_name", "default_width"]
    {
        let folder = workspace().join("tests/locate/omission").join(name);
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
        let faulty = faulty(&read("program.c"), &read("input"), &read("expected"));
        faulty.look(|subject| {
            let loads: Vec<Step> = all_steps(subject)
                .into_iter()
                .filter(|at| {
                    let op = &subject.run.functions.instruction(at.site).op;
                    matches!(op, Op::Load { .. }) && line(subject, *at).is_some()
                })
                .collect();
            let all = predicates(subject.run, usize::MAX).expect("it replays").steps;
            for predicate in all.iter().rev().step_by(2).take(MOST_PREDICATES) {
                let after = loads.iter().copied().filter(|at| at.clock > predicate.at.clock).take(MOST_USES);
                let uses = indices_of(subject.run, &after.collect()).expect("it replays");
                let experiment = [Intervention { clock: predicate.at.clock, change: Change::Switch }];
                let inquiry = Inquiry { predicate: predicate.at, experiment: &experiment, uses: &uses, place: None };
                let Seen::Yes(found) = verify(subject, &inquiry).expect("it runs") else { continue };
                let slices = in_slices(subject, predicate.at, &experiment, &uses);
                for (user, is_in) in slices {
                    let shown = &found.uses[&user];
                    assert_eq!(
                        matches!(shown, Shown::Redefined { .. }),
                        is_in,
                        "{name}: {predicate:?} {user:?} {shown:?}"
                    );
                    if is_in { with += 1 } else { without += 1 }
                }
            }
        });
    }
    assert!(with > 20 && without > 100, "{with} {without}");
}

/// For each use that the switched run has: whether the predicate is in its slice.
fn in_slices(
    subject: &techniques::Subject<'_, '_>,
    predicate: Step,
    experiment: &[Intervention],
    uses: &HashMap<Step, nesting::index::Index>,
) -> HashMap<Step, bool> {
    let (_, path) = subject.lab.record(experiment).expect("it runs");
    let recording = Recording::open(&path).expect("it was recorded");
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN).expect("it replays");
    let partners = partners_of(&run, uses).expect("it replays");
    let mut found = HashMap::new();
    for (user, partner) in partners {
        let criterion = Criterion::of_step(partner, vec![Wish::Result]);
        let slice = Request::of(&criterion).slice(&run, Follow::DataAndControl, usize::MAX).expect("it replays");
        let steps: HashSet<Step> = slice.listed.into_iter().collect();
        found.insert(user, steps.contains(&predicate));
    }
    std::fs::remove_file(path).expect("it is there");
    found
}
