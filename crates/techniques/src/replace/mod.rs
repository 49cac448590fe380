//! Value replacement.
//!
//! # What it finds
//! Assignments that stored a wrong value: had one of them stored another, once, the run would have been right.
//!
//! # How
//! Every assignment that the failure depends on is made with other values, each in a run of its own, and the oracle judges
//! the result. Of each assignment the execution nearest to the failure comes first. The values tried are the previous one
//! (as if the assignment were not there), its neighbours, zero and one, what the same assignment stored at other times, and
//! what the wrong and the expected output suggest. Of several assignments that repair the run, those that others depend on
//! come first: a wrong value makes later ones wrong.
//!
//! # Where it departs from the paper
//! Values come from the failing run and the expected output; no suite of tests is needed. Assignments are replaced, not all
//! operands of a statement. Many wrong values would prevent a crash or a hang, so nothing is tried there.
//!
//! # What it misses
//! Values that are wrong at several steps at once, and right values that nothing suggests. What is assigned from outside the
//! program is taken as given.
//!
//! # Reference
//! Jeffrey, Gupta and Gupta, *Fault Localization Using Value Replacement*.

mod explain;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use execution::assignments::{Assignment, assignments};
use execution::dependence::graph::VertexId;
use experiment::{Change, Intervention};
use findings::Tried;
use program::Op;
use replay::Step;

use subject::place::own_location;
use subject::trying::alternatives::{self, Reason, alternatives};
use subject::trying::explained::explained;
use subject::trying::hints::Hints;
use subject::trying::order::site_by_site;
use subject::trying::settling::Settling;
use subject::{Effort, Fineness, Found, Repair, Subject, TechniqueError};

/// Assignments looked at, at most: the latest.
const MOST_ASSIGNMENTS: usize = 20_000;
/// Experiments that are made even if none of them repairs the run, unless all are asked for.
const WORTHWHILE: usize = 3000;
/// Sites whose dependences on each other are looked at.
const MOST_SITES: usize = 200;

/// One assignment with another value.
struct Candidate {
    assignment: Assignment,
    value: u64,
    reason: Reason,
}

/// A candidate that made the run better.
struct Repairing {
    candidate: Candidate,
    repair: Repair,
}

/// An assignment of the source, and values that make the run right.
struct RepairingSite {
    /// The likeliest first.
    repairs: Vec<Repairing>,
    /// How many others depend on it.
    explains: usize,
}

/// How the experiments went.
struct Made {
    experiments: usize,
    assignments: usize,
    /// More would hardly have shown anything else.
    is_settled: bool,
    candidates: usize,
    runs: u64,
}

impl Candidate {
    fn intervention(&self) -> Intervention {
        Intervention { clock: self.assignment.at.clock, change: Change::Replace(self.value) }
    }
}

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    if !subject.is_hard_to_satisfy() {
        return Ok(Found { tried: vec![Tried::NoOtherValues], ..Found::default() });
    }
    let all = candidates(subject)?;
    let experiments: Vec<_> = all.iter().map(|one| vec![one.intervention()]).collect();
    let worthwhile = if subject.effort == Effort::Everything { all.len() } else { WORTHWHILE.min(all.len()) };
    let mut settling = Settling::new(worthwhile);
    let (mut repairing, mut is_settled) = (Vec::new(), false);
    let done = subject.lab.try_all(&experiments, |position, outcome| {
        settling.done += 1;
        subject.progress.tried("assignments with other values", settling.done, experiments.len());
        let repair = Repair::of(outcome);
        subject.note("replace", all[position].assignment.at, repair, Fineness::Crude);
        if let Some(repair) = repair {
            repairing.push((position, repair));
            if repair == Repair::All {
                settling.repaired(all[position].assignment.at);
            }
        }
        is_settled = subject.effort == Effort::UntilSettled && settling.is_settled();
        if is_settled || subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    repairing.sort_unstable();
    let steps: BTreeSet<Step> = all.iter().map(|one| one.assignment.at).collect();
    let tried = Made {
        experiments: done.count,
        assignments: steps.len(),
        is_settled,
        candidates: all.len(),
        runs: done.runs as u64,
    };
    let sites = rank(subject, chosen(all, &repairing))?;
    let suspects = explain::suspects(subject, &sites)?;
    let (said, limits) = (vec![explain::tried(&tried, &sites)], explain::limits(&tried));
    Ok(Found { suspects, limits, tried: said, experiments: tried.runs, ..Found::default() })
}

fn chosen(all: Vec<Candidate>, positions: &[(usize, Repair)]) -> Vec<Repairing> {
    let mut positions = positions.iter().peekable();
    let is_chosen = |(at, candidate): (usize, Candidate)| {
        let (_, repair) = positions.next_if(|(next, _)| *next == at)?;
        Some(Repairing { candidate, repair: *repair })
    };
    all.into_iter().enumerate().filter_map(is_chosen).collect()
}

/// What is tried, in this order.
fn candidates(subject: &Subject<'_, '_>) -> Result<Vec<Candidate>, TechniqueError> {
    let nearness = subject.nearness()?;
    let is_looked_at = |&(position, step): &(u32, &Step)| {
        let is_store = matches!(subject.run.functions.instruction(step.site).op, Op::Store { .. });
        // The arrival of a parameter is nobody's assignment.
        is_store && !nearness.is_twin(VertexId(position)) && own_location(subject.run, *step).is_some()
    };
    // Steps of the graph are numbered from the latest on.
    let steps = (0..).zip(&nearness.graph.steps).filter(is_looked_at);
    let steps: BTreeSet<Step> = steps.map(|(_, step)| *step).take(MOST_ASSIGNMENTS).collect();
    let mut all = assignments(subject.run, &steps)?;
    let mut seen: HashMap<_, Vec<u64>> = HashMap::new();
    for one in &all {
        let values = seen.entry(one.at.site).or_default();
        if !values.contains(&one.value) && values.len() < alternatives::MOST_SEEN {
            values.push(one.value);
        }
    }
    all.reverse();
    let hints = Hints::of_failure(subject);
    Ok(site_by_site(all, |assignment| assignment.at)
        .into_iter()
        .flat_map(|assignment| {
            let values = &seen[&assignment.at.site];
            let other = alternatives(&assignment, values, &hints);
            other.into_iter().map(move |(value, reason)| Candidate { assignment: assignment.clone(), value, reason })
        })
        .collect())
}

/// The likeliest first.
fn rank(subject: &Subject<'_, '_>, repairs: Vec<Repairing>) -> Result<Vec<RepairingSite>, TechniqueError> {
    let mut order = Vec::new();
    let mut by_site: HashMap<_, Vec<Repairing>> = HashMap::new();
    for one in repairs {
        let at = one.candidate.assignment.at;
        let key = at.site;
        let known = by_site.entry(key).or_default();
        if known.is_empty() {
            order.push(key);
        }
        known.push(one);
    }
    let mut sites = Vec::new();
    for key in order {
        let mut repairs = by_site.remove(&key).unwrap_or_default();
        repairs.sort_by_key(|one| (one.repair, one.candidate.reason, Reverse(one.candidate.assignment.at.clock)));
        sites.push(RepairingSite { repairs, explains: 0 });
    }
    sites.sort_by_key(|site| Reverse(site.repairs[0].candidate.assignment.at.clock));
    let steps: Vec<Step> = sites.iter().take(MOST_SITES).map(|site| site.repairs[0].candidate.assignment.at).collect();
    for (site, explains) in sites.iter_mut().zip(explained(subject, &steps)?) {
        site.explains = explains;
    }
    sites.sort_by_key(|site| {
        let best = &site.repairs[0];
        (best.repair, best.candidate.reason == Reason::Fitting, Reverse(site.explains))
    });
    Ok(sites)
}
