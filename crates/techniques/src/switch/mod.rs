//! Predicate switching.
//!
//! # What it finds
//! Conditions that went the wrong way: had one of them gone the other way, once, the run would have been right.
//!
//! # How
//! Every predicate step of the failing run is reversed in a run of its own, and the oracle judges the result. Those that
//! the failure depends on come first, and of each condition the evaluation nearest to the failure. If no single switch repairs
//! the run, pairs are tried: for the nearest predicates, the switched run is recorded and its later predicates are switched, too.
//! Of several critical predicates, those that others depend on come first: a wrong choice makes later ones wrong.
//!
//! # Where it departs from the paper
//! All predicates are tried, not only until the first success; switches choose among all their targets; pairs.
//!
//! # What it misses
//! Faults in values that no condition depends on. A critical condition is evidence, not a verdict: what it was computed
//! from may be wrong instead.
//!
//! # Reference
//! Zhang, Gupta and Gupta, *Locating Faults Through Automated Predicate Switching*; used by Zhang, Tallam, Gupta and Gupta,
//! *Towards Locating Execution Omission Errors*.

mod pairs;
mod rank;
mod explain;

use std::collections::HashSet;
use std::ops::ControlFlow;

use execution::criterion::Criterion;
use execution::predicates::{Predicate, predicates, predicates_since};
use execution::slice::Request;
use execution::steps;
use experiment::{Change, Intervention};
use failure::Failure;
use findings::Limit;
use replay::Step;

use subject::notebook::spent;
use subject::trying::settling::Settling;
use subject::trying::still::Looks;
use subject::trying::switches::{Candidate, candidates};
use subject::{Effort, Fineness, Found, Remedy, Repair, Subject, TechniqueError};

/// Predicates looked at, at most; the latest of a long run.
const MOST_PREDICATES: usize = 1_000_000;
/// Steps of the slice that are remembered one by one.
const MOST_STEPS: usize = 4_000_000;

/// Predicates from the beginning of a loop that does not end.
const MOST_FIRST_TURNS: usize = 5000;

/// What came of switching.
#[derive(Debug)]
pub struct Switched {
    /// Predicates of the failing run.
    pub total: u64,
    /// Candidates whose run was right, or right for longer, with the steps the failure depends on first.
    pub critical: Vec<Critical>,
    /// Candidates that were tried, of how many.
    pub tried: usize,
    pub candidates: usize,
    /// How many evaluations these were of.
    pub evaluations: usize,
    pub runs: u64,
    pub pairs_tried: usize,
    /// More would hardly have shown anything else.
    pub is_settled: bool,
    pub limits: Vec<Limit>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Critical {
    pub predicate: Predicate,
    pub change: Change,
    pub is_in_slice: bool,
    pub repair: Repair,
    /// Only together with this one, which comes later in the switched run.
    pub with: Option<Predicate>,
}

impl Critical {
    fn of(candidate: &Candidate, repair: Repair, with: Option<Predicate>) -> Critical {
        let Candidate { predicate, change, is_in_slice } = candidate.clone();
        Critical { predicate, change, is_in_slice, repair, with }
    }

    /// The switch, if it makes the run right by itself.
    fn remedy(&self) -> Option<Remedy> {
        let is_enough = self.repair == Repair::All && self.with.is_none();
        is_enough.then(|| Remedy { changes: vec![self.intervention()], edited: None })
    }

    fn intervention(&self) -> Intervention {
        Intervention { clock: self.predicate.at.clock, change: self.change.clone() }
    }
}

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    let switched = switch_all(subject)?;
    let mut looks = Looks::default();
    let ranked = rank::rank(subject, &switched.critical, &mut looks)?;
    let suspects = explain::suspects(subject, &ranked)?;
    let mut limits = switched.limits.clone();
    limits.extend(explain::limits(&switched));
    limits.extend(looks.limits());
    let remedies = Some(ranked.iter().filter_map(|site| site.critical.first()?.remedy()).collect());
    Ok(Found {
        suspects,
        limits,
        tried: vec![explain::tried(&switched, &ranked)],
        experiments: switched.runs + looks.runs,
        remedies,
        ..Found::default()
    })
}

/// Tries all single switches, then pairs if none repairs.
pub fn switch_all(subject: &Subject<'_, '_>) -> Result<Switched, TechniqueError> {
    let found = predicates(subject.run, MOST_PREDICATES)?;
    // Faults that kept code from running are found only by what could have been.
    let (question, budget) = (subject.question, subject.preparation());
    let follow = subject.follow()?;
    let depended = Request::of(&question.criterion).within(question.reach()).budget(&budget);
    let depended = depended.slice(subject.run, follow, MOST_STEPS)?;
    let in_slice: HashSet<Step> = depended.listed.iter().copied().collect();
    let mut early = first_turns(subject)?;
    early.retain(|predicate| depended.contains(predicate.at.site.function, predicate.at.site.instruction));
    let all = candidates(subject.run, &found.steps, &in_slice, &early);
    let experiments: Vec<_> = all.iter().map(Candidate::experiment).collect();
    let mut switched = Switched {
        total: found.total,
        critical: Vec::new(),
        tried: 0,
        candidates: all.len(),
        evaluations: 0,
        runs: 0,
        pairs_tried: 0,
        is_settled: false,
        limits: Vec::new(),
    };
    if depended.cut.is_some() && budget.is_over() {
        switched.limits.push(Limit::TriedLate { spent: spent(subject.budget) });
    }
    if found.total > found.steps.len() as u64 {
        let considered = found.steps.len() as u64;
        switched.limits.push(Limit::LastEvaluations { of: found.total, considered });
    }
    let mut critical = Vec::new();
    let in_slice = all.iter().filter(|one| one.is_in_slice).count();
    let mut settling = Settling::new(in_slice);
    let mut evaluations = HashSet::new();
    let tried = subject.lab.try_all(&experiments, |position, outcome| {
        settling.done += 1;
        evaluations.insert(all[position].predicate.at);
        subject.progress.tried("conditions reversed", settling.done, experiments.len());
        let repair = Repair::of(outcome);
        subject.note("switch", all[position].predicate.at, repair, Fineness::Decided);
        if let Some(repair) = repair {
            critical.push((position, repair));
            if repair == Repair::All {
                settling.repaired(all[position].predicate.at);
            }
        }
        switched.is_settled = subject.effort == Effort::UntilSettled && settling.is_settled();
        let is_enough = switched.is_settled || subject.is_over();
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    switched.tried = tried.count;
    switched.evaluations = evaluations.len();
    switched.runs += tried.runs as u64;
    critical.sort_unstable();
    switched.critical.extend(critical.into_iter().map(|(at, repair)| Critical::of(&all[at], repair, None)));
    let is_repaired = switched.critical.iter().any(|one| one.repair == Repair::All);
    if !is_repaired && !subject.is_over() {
        pairs::switch_pairs(subject, &all, &mut switched)?;
    }
    Ok(switched)
}

/// The first predicates of the function whose loop does not end, if that is the failure.
fn first_turns(subject: &Subject<'_, '_>) -> Result<Vec<Predicate>, TechniqueError> {
    let (Failure::Hang, Criterion::Step { at, .. }) = (&subject.question.failure, &subject.question.criterion) else {
        return Ok(Vec::new());
    };
    // Since then it has not returned.
    let before = steps::last(subject.run, |step| step.depth < at.depth as usize)?;
    let begun = before.map_or(0, |step| step.clock);
    Ok(predicates_since(subject.run, begun, MOST_FIRST_TURNS)?.steps)
}
