//! One experiment: the run again with a predicate the other way, and what it shows of the uses that may depend on it
//! (the paper's `VerifyDep`).
//!
//! All uses that potentially depend on the predicate are looked at with the one run.

use std::collections::{HashMap, HashSet};

use abi::StreamId;
use execution::Run;
use execution::criterion::Criterion;
use execution::dependence::Wish;
use execution::noted::{Noted, note};
use execution::slice::SliceError;
use experiment::{Change, End, Intervention, Outcome, Ran};
use failure::output::{Outputs, Target};
use findings::Location;
use nesting::index::{Index, indices_of, partners_of};
use replay::{ReplayError, Step};

use super::ways::{From, ways};
use crate::effect::{Effect, effect};
use crate::outputs::{OutputPlace, writings};
use subject::place::location;
use subject::{Subject, TechniqueError};

/// What a switched run shows.
#[derive(Debug)]
pub struct Switched {
    pub effect: Effect,
    /// Each use that was asked about.
    pub uses: HashMap<Step, Shown>,
}

/// What became of a use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// It was not executed.
    Missing,
    /// What it found depends on the switched predicate.
    Redefined {
        /// What was executed because of the predicate and led to it.
        by: Option<Location>,
        /// What it found.
        value: Option<u64>,
        /// It was made there, not from what was made there.
        is_direct: bool,
    },
    /// What was wrong there is right, but it is not known how that came about.
    Righted,
    /// Nothing.
    Unaffected,
}

impl Shown {
    /// Whether this shows an implicit dependence (definition 2).
    pub fn is_dependence(&self) -> bool {
        *self != Shown::Unaffected
    }

    /// The same with an edge for the path, as the paper's algorithm has it.
    pub fn is_direct(&self) -> bool {
        match self {
            Shown::Missing | Shown::Righted => true,
            Shown::Redefined { is_direct, .. } => *is_direct,
            Shown::Unaffected => false,
        }
    }
}

/// What is asked of a switched run.
pub struct Inquiry<'a> {
    /// The first predicate that is switched; what it leads to is its region.
    pub predicate: Step,
    pub experiment: &'a [Intervention],
    /// Uses, by the indices they have in the failing run.
    pub uses: &'a HashMap<Step, Index>,
    /// One that is about a place in the output.
    pub place: Option<OutputPlace>,
}

impl Inquiry<'_> {
    fn from(&self) -> From {
        match self.experiment.first() {
            Some(Intervention { clock, change: Change::Edit(_) }) => {
                From::Since(Step { clock: *clock, ..self.predicate })
            }
            _ => From::Step(self.predicate),
        }
    }
}

/// What could be seen of a switched run.
#[derive(Debug)]
pub enum Seen<T> {
    Yes(T),
    /// It did not do as it was told.
    Disobeyed,
    /// Its recording does not replay: a program that is made to do anything may do what no recording can follow.
    Departed,
}

/// Makes the run, recorded, and looks.
pub fn verify(subject: &Subject<'_, '_>, inquiry: &Inquiry<'_>) -> Result<Seen<Switched>, TechniqueError> {
    with_switched(subject, inquiry.experiment, |run, ran| {
        let passes = subject.lab.judge(inquiry.experiment, ran)? == Outcome::Passes;
        let effect = if passes { Effect::ALL } else { effect(subject, ran) };
        Ok(Switched { effect, uses: look(subject, inquiry, run, ran, effect)? })
    })
}

/// Opens the recording of a switched run.
pub fn with_switched<T>(
    subject: &Subject<'_, '_>,
    experiment: &[Intervention],
    look: impl FnOnce(&Run<'_>, &Ran) -> Result<T, TechniqueError>,
) -> Result<Seen<T>, TechniqueError> {
    let found = subject.examine(experiment, |ran, image| {
        if (ran.obeyed as usize) < experiment.len() || ran.was_refused {
            return Ok(Seen::Disobeyed);
        }
        Ok(Seen::Yes(look(&Run::new(image, StreamId::MAIN)?, ran)?))
    });
    match found {
        Err(TechniqueError::Replay(ReplayError::Departed { .. })) => Ok(Seen::Departed),
        Err(TechniqueError::Slice(SliceError::Replay(ReplayError::Departed { .. }))) => Ok(Seen::Departed),
        other => other,
    }
}

fn look(
    subject: &Subject<'_, '_>,
    inquiry: &Inquiry<'_>,
    run: &Run<'_>,
    ran: &Ran,
    effect: Effect,
) -> Result<HashMap<Step, Shown>, TechniqueError> {
    let partners = partners_of(run, inquiry.uses)?;
    // Of a run that was cut short nobody knows what would have come.
    let absent = if matches!(ran.end, End::Exited(_)) { Shown::Missing } else { Shown::Unaffected };
    let of = |user: &Step| if partners.contains_key(user) { Shown::Unaffected } else { absent.clone() };
    let mut shown: HashMap<Step, Shown> = inquiry.uses.keys().map(|user| (*user, of(user))).collect();
    let values = note(run, &partners.values().copied().collect())?;
    // What stands for each use in this run, and what is wanted of it.
    let mut stands: Vec<(Step, Step)> = Vec::new();
    let mut wanted: HashMap<Step, Vec<Wish>> = HashMap::new();
    let place = inquiry.place.map(OutputPlace::user);
    let end = subject.question.criterion.step(subject.run);
    for (&user, &partner) in partners.iter().filter(|(user, _)| Some(**user) != place || Some(**user) == end) {
        wanted.entry(partner).or_default().extend(wishes(subject, run, user, partner, values.get(&partner)));
        stands.push((user, partner));
    }
    if let Some((user, before)) = place.zip(written_before_place(inquiry, run, &partners)?) {
        wanted.entry(before).or_default().push(Wish::Execution);
        // What is written there comes before what the call that follows does.
        stands.push((user, before));
    }
    let ways = ways(run, inquiry.from(), &wanted)?;
    let by: HashSet<Step> = ways.values().map(|way| way.by).chain(stands.iter().map(|(_, stand)| *stand)).collect();
    let omitted = omitted(subject, run, &by)?;
    for (user, stand) in stands {
        let Some(way) = ways.get(&stand) else { continue };
        let is_written = Some(user) == place && partners.get(&user) != Some(&stand);
        let by = if is_written && way.is_direct { stand } else { way.by };
        let by = seen(run, by).filter(|by| omitted.contains(by)).and_then(|by| location(run, by));
        let value = values.get(&stand).and_then(|noted| noted.result).filter(|_| !is_written);
        shown.insert(user, Shown::Redefined { by, value, is_direct: way.is_direct });
    }
    // Where ways lead through code that nobody looked into, what came of it must do.
    if let Some(failure) = end.and_then(|end| shown.get_mut(&end))
        && *failure == Shown::Unaffected
        && effect.is_strong()
    {
        *failure = Shown::Righted;
    }
    Ok(shown)
}

/// Those of these steps of a switched run that the failing run has not.
pub fn omitted(
    subject: &Subject<'_, '_>,
    run: &Run<'_>,
    steps: &HashSet<Step>,
) -> Result<HashSet<Step>, TechniqueError> {
    let partners = partners_of(subject.run, &indices_of(run, steps)?)?;
    Ok(steps.iter().copied().filter(|step| !partners.contains_key(step)).collect())
}

/// What is wanted of a use: what a load found, what a copy copied, or what is asked of the failure.
fn wishes(subject: &Subject<'_, '_>, run: &Run<'_>, user: Step, partner: Step, noted: Option<&Noted>) -> Vec<Wish> {
    match (&subject.question.criterion, noted.map(|noted| &noted.operands[..])) {
        (Criterion::Step { at, wishes, .. }, _) if *at == user => return wishes.clone(),
        (_, Some(&[_, address, length, ..])) => {
            let op = &run.functions.instruction(partner.site).op;
            if op.call().is_some() {
                return vec![Wish::Memory { address, length }];
            }
        }
        _ => {}
    }
    vec![Wish::Result]
}

/// The call that wrote last before the place in the output.
fn written_before_place(
    inquiry: &Inquiry<'_>,
    run: &Run<'_>,
    partners: &HashMap<Step, Step>,
) -> Result<Option<Step>, TechniqueError> {
    match inquiry.place {
        Some(OutputPlace::Of(writer)) => match partners.get(&writer) {
            Some(partner) => written_before(run, partner.clock),
            None => Ok(None),
        },
        Some(OutputPlace::End(_)) => written_before(run, u64::MAX),
        None => Ok(None),
    }
}

/// What to show of a step; nothing where people do not want to look.
fn seen(run: &Run<'_>, at: Step) -> Option<Step> {
    (!run.functions.is_twin(at.site.function)).then_some(at)
}

/// The call that wrote to standard output last before this clock.
fn written_before(run: &Run<'_>, clock: u64) -> Result<Option<Step>, TechniqueError> {
    let outputs = Outputs::of(run)?;
    let calls = outputs.calls().iter().filter(|call| call.target == Target::Output && call.length > 0);
    let Some(last) = calls.take_while(|call| call.at.clock < clock).last() else { return Ok(None) };
    // As the program called it, if that is known.
    let seen = writings(run, &outputs)?;
    let own = seen.iter().find(|one| (one.first..one.first + one.length).contains(&last.first));
    Ok(Some(own.map_or(last.at, |own| own.at)))
}
