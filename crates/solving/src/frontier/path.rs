//! One path through the program with symbols for the values of a combination: what it hinged on, and the goal in terms of the
//! symbols.

use abi::StreamId;
use execution::{Run, Window};
use experiment::{End, Intervention, Ran};
use failure::{FailureError, Question, by_itself, wrong_output};
use replay::{ReplayError, Step};
use smt::Term;
use symbolic::{Expected, Property, Shadow, Shadowed, Stated};

use super::goal::{Decisions, Goal};
use subject::{Subject, TechniqueError};

pub struct Path {
    pub shadowed: Shadowed,
    /// The goal; none if it does not depend on the symbols but by the path, or nothing is known of it.
    pub stated: Option<Stated>,
    /// The run comes to where it can be judged whether the goal holds.
    pub is_judged: bool,
}

const LIMITS: symbolic::Limits = symbolic::Limits { terms: 1 << 28, conditions: 1 << 14, bytes: 0, entries: 1024 };

/// The failing run with symbols for the values of these steps.
pub fn of_failing(
    subject: &Subject<'_, '_>,
    property: Option<&Property>,
    goal: &Goal,
    fresh: &[Step],
) -> Result<Path, TechniqueError> {
    let first = fresh.iter().map(|step| step.clock).min().unwrap_or(0);
    let here = |step: &Step| Some(*step);
    follow(subject.run, subject.run.window_at(first), property, goal, fresh, here)
}

/// A changed run, recorded; none if it cannot be followed.
pub fn of_changed(
    subject: &Subject<'_, '_>,
    goal: &Goal,
    experiment: &[Intervention],
    fresh: &[Step],
) -> Result<Option<Path>, TechniqueError> {
    let followed = subject.examine(experiment, |ran, image| {
        if (ran.obeyed as usize) < experiment.len() || ran.was_refused {
            return Ok(None);
        }
        let run = Run::new(image, StreamId::MAIN)?;
        let question = question(subject, &run, ran)?;
        let property = match &question {
            Some(question) => property(subject, &run, question, ran)?,
            None => None,
        };
        let partners = match goal {
            Goal::Decisions(decisions) => decisions.partners(&run)?,
            Goal::Failure => Default::default(),
        };
        let partner = |step: &Step| partners.get(step).copied();
        Ok(Some(follow(&run, Window(0), property.as_ref(), goal, fresh, partner)?))
    });
    match followed {
        // A program that is made to do anything may do what no recording can follow.
        Err(TechniqueError::Replay(ReplayError::Departed { .. })) => Ok(None),
        other => other,
    }
}

/// What would have been right of a run that fails; none if that is not known.
pub fn property(
    subject: &Subject<'_, '_>,
    run: &Run<'_>,
    question: &Question,
    ran: &Ran,
) -> Result<Option<Property>, TechniqueError> {
    let oracle = subject.lab.oracle();
    let (output, status) = (oracle.output.as_deref(), oracle.status.unwrap_or(0));
    match Property::of(run, question, Expected { found: &ran.output, output, status }) {
        Ok(property) => Ok(Some(property)),
        Err(FailureError::Replay(error)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// How a changed run fails; none if it does not, or nobody can say.
fn question(subject: &Subject<'_, '_>, run: &Run<'_>, ran: &Ran) -> Result<Option<Question>, TechniqueError> {
    let question = match (&subject.lab.oracle().output, ran.end) {
        (Some(expected), End::Exited(_)) => wrong_output(run, &ran.output, expected),
        _ => by_itself(run),
    };
    match question {
        Ok(question) => Ok(Some(question)),
        Err(FailureError::Replay(error)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

fn follow<'f>(
    run: &'f Run<'f>,
    from: Window,
    property: Option<&Property>,
    goal: &Goal,
    fresh: &[Step],
    partner: impl Fn(&Step) -> Option<Step>,
) -> Result<Path, TechniqueError> {
    let mut shadow = Shadow::from_window(run, from, LIMITS);
    shadow.make_all_fresh(fresh.iter().copied());
    match goal {
        Goal::Failure => property.iter().for_each(|property| property.watch(&mut shadow)),
        Goal::Decisions(decisions) => {
            decisions.ways.iter().flatten().filter_map(&partner).for_each(|step| shadow.ask(step));
        }
    }
    let (_, shadow) = run.replay_from(from, shadow)?;
    let shadowed = shadow.finish();
    let (stated, is_judged) = match goal {
        Goal::Failure => (property.and_then(|property| property.stated(&shadowed).ok()), property.is_some()),
        Goal::Decisions(decisions) => {
            let is_judged = decisions.ways.iter().flatten().any(|step| partner(step).is_some());
            (reversed(decisions, &shadowed, partner), is_judged)
        }
    };
    Ok(Path { shadowed, stated, is_judged })
}

/// That one of the combinations of decisions comes out otherwise.
fn reversed(decisions: &Decisions, shadowed: &Shadowed, partner: impl Fn(&Step) -> Option<Step>) -> Option<Stated> {
    let (mut any, mut before) = (None, 0);
    for way in &decisions.ways {
        let mut all: Option<Term> = None;
        let mut is_possible = true;
        for step in way {
            let Some(chosen) = partner(step).and_then(|at| shadowed.chosen.get(&at)) else {
                is_possible = false;
                break;
            };
            before = before.max(chosen.before);
            all = Some(shadowed.domain.with(|terms| {
                let other = chosen.others.iter().fold(terms.constant(1, 0), |any, other| terms.or(any, other.holds));
                all.map_or(other, |all| terms.and(all, other))
            }));
        }
        if let (true, Some(all)) = (is_possible, all) {
            any = Some(shadowed.domain.with(|terms| any.map_or(all, |any| terms.or(any, all))));
        }
    }
    any.map(|holds| Stated { holds, before, unsaid: 0 })
}
