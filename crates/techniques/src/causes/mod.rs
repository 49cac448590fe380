//! Causal path.
//!
//! # What it finds
//! The chain from the cause to the failure: steps that have other values than in a correct run. Each step is
//! caused by those before it, and the last one causes the failure. Its head is where the runs begin to differ in a way
//! that matters: the fault, if the reference is a version without it.
//!
//! # How
//! Two runs on the same input are compared: the failing one and a reference. The reference is a version that worked, or the
//! failing program itself, repaired by a switched predicate or by what other techniques found. The runs are aligned by execution
//! index. From the failure backwards, the *relevant set* holds the differences that led to it. Each is replaced by the smallest
//! set of earlier ones whose values, put from the failing run into the reference, bring it about there. Where both runs computed
//! a value from the same single variable, that is known without an experiment.
//!
//! # Where it departs from the paper
//! Points where nothing relevant is defined are not visited: dependences of both runs lead from one that matters to the
//! next. A value is put into the reference where it is made, not where it is used, since a variable may be in a register;
//! all other candidates keep the
//! reference's value meanwhile, which has the same effect. Pointers are compared
//! by the objects they point into, and put as they are, so nothing has to be copied. The rule *Definition* is used only
//! where one single variable differs: with two of them, one may not matter. Of several repaired runs, the one
//! with the shortest path is reported.
//!
//! # Measured
//! All 336 faults of `eval/`, in 17 programs. With the right version as reference the fault is the head of the path for 304 of
//! them; of the 262 that are not missing code, for 243 (93 %; the paper's table 1: 118 of 146, 80 %). The median path takes
//! 2 experiments and 0.3 seconds on one core. Without a reference, with switched predicates only, the fault is the head for
//! 69 of 336: most failing runs have no switch that repairs them, and where one does, the fault lies before it. With everything
//! that `why` finds to repair the run, it is the head for 122.
//!
//! # What it misses
//! Differences outside of the program (files, the state of the system) are seen only where the program reads them. With a
//! repaired run the path begins at the switched predicate, though the fault may lie in what that was computed from. Values
//! wider than a word cannot be put into a run; what depends on them is reported as a dependence. Tables that exist from
//! the beginning have no step that could be a head, and what goes through a string stream of C++ is not followed.
//!
//! # Reference
//! Sumner, Zhang and Jagannathan, *Comparison-based Computation of Causal Paths for Software Failures*. Dependences of
//! differences: Johnson et al., *Differential Slicing*.

mod edits;
mod definition;
mod decided;
mod differences;
mod caller;
mod again;
mod trial;
mod path;
mod reference;
mod gap;
mod variable;
mod explain;

use std::time::Duration;

use subject::{Effort, Found, Subject, TechniqueError};

pub use again::Again;
pub use differences::{Differences, Sources};
pub use explain::Explanation;
pub use path::{FastPasses, How, Path, PathStep, SUBJECT, path};
pub use reference::{Compared, Repairs, repairs, with_repaired, with_version};
pub use trial::{Setting, Trials};

/// Repaired runs that are compared with the failing one.
fn most_repaired(effort: Effort) -> usize {
    match effort {
        Effort::Everything => 4,
        Effort::UntilSettled => 1,
    }
}

/// How long that may take where other techniques wait, at least; and the part of a longer budget that it may take.
const PATIENCE: Duration = Duration::from_secs(3);
const SHARE: u32 = 20;

/// Experiments for one path.
const MOST_EXPERIMENTS: u64 = 400;

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    let mut found = Found::default();
    if let Some(program) = subject.lab.oracle().reference.clone() {
        let explained = with_version(subject, &program, |differences, again| explained(subject, differences, again))?;
        match explained {
            Compared::Done(explanation) => {
                found.experiments += explanation.experiments;
                explain::tell(subject, &explanation, findings::Compared::Reference, &mut found)?;
                return Ok(found);
            }
            Compared::Limit(limit) => found.limits.push(limit),
        }
    }
    let hurried = subject.budget.part(PATIENCE.max(subject.budget.left() / SHARE));
    let hurried = subject.within(&hurried);
    let subject = if subject.effort == Effort::UntilSettled { &hurried } else { subject };
    let most = most_repaired(subject.effort);
    let remedies = match subject.remedies {
        Some(known) => known.iter().take(most).cloned().collect(),
        None => {
            let repairs = repairs(subject, most)?;
            found.experiments += repairs.runs;
            repairs.all
        }
    };
    let mut best: Option<Explanation> = None;
    for by in &remedies {
        if best.is_some() && subject.is_over() {
            break;
        }
        match with_repaired(subject, by, |differences, again| explained(subject, differences, again))? {
            Compared::Done(explanation) => {
                found.experiments += explanation.experiments;
                if best.as_ref().is_none_or(|best| explanation.is_better_than(best)) {
                    best = Some(explanation);
                }
            }
            Compared::Limit(limit) if !found.limits.contains(&limit) => found.limits.push(limit),
            Compared::Limit(_) => {}
        }
    }
    match best {
        Some(explanation) => explain::tell(subject, &explanation, findings::Compared::Repaired, &mut found)?,
        None => found.limits.push(explain::no_reference(&remedies)),
    }
    Ok(found)
}

/// The path between two runs, told.
pub fn explained(
    subject: &Subject<'_, '_>,
    differences: &Differences<'_, '_>,
    again: &Again<'_>,
) -> Result<Explanation, TechniqueError> {
    let mut trials = Trials { subject, differences, again, made: 0 };
    let path = path(&mut trials, FastPasses::Taken, MOST_EXPERIMENTS)?;
    Explanation::of(differences, &path, trials.made)
}
