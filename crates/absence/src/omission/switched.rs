//! One experiment: the run again with a predicate the other way, and what it shows of the uses that may depend on it
//! (the paper's `VerifyDep`).
//!
//! All uses that potentially depend on the predicate are looked at with the one run.

use std::cmp::Reverse;
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

use super::outputs::writings;
use super::ways::{From, ways};
use subject::place::location;
use subject::{Subject, TechniqueError};

/// What a switched run shows.
#[derive(Debug)]
pub struct Switched {
    pub effect: Effect,
    /// Each use that was asked about.
    pub uses: HashMap<Step, Shown>,
}

/// How much is right that was wrong in the failing run; the most first. If anything is, a dependence is strong (definition 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Righted {
    /// The run satisfies the oracle.
    All,
    /// The output, through the word in which it went wrong.
    Word,
    /// Only the first wrong byte, or a few.
    Byte,
    /// Something else is wrong there.
    Changed,
    Nothing,
}

impl Righted {
    pub fn is_strong(self) -> bool {
        self <= Righted::Byte
    }
}

/// What an experiment did to the failure; the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Effect {
    pub righted: Righted,
    /// So many bytes of the output are right before the first wrong one.
    pub bytes: Reverse<u64>,
}

impl Effect {
    pub const NONE: Effect = Effect { righted: Righted::Nothing, bytes: Reverse(0) };
    pub const ALL: Effect = Effect { righted: Righted::All, bytes: Reverse(u64::MAX) };
    /// The word is right, and nothing behind it.
    pub const LEAST_WORD: Effect = Effect { righted: Righted::Word, bytes: Reverse(0) };

    pub fn is_strong(self) -> bool {
        self.righted.is_strong()
    }
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

/// The place in the output where it went wrong. Whatever writes before it moves it, so it depends on that like on a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputPlace {
    /// Where this call wrote.
    Of(Step),
    /// The end, where something is missing; this step stands for it.
    End(Step),
}

impl OutputPlace {
    /// The use that stands for it.
    pub fn user(self) -> Step {
        match self {
            OutputPlace::Of(at) | OutputPlace::End(at) => at,
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

/// How much of the output of a run that does not pass is right, beyond what is right in the failing run.
pub fn effect(subject: &Subject<'_, '_>, ran: &Ran) -> Effect {
    let Some(expected) = &subject.lab.oracle().output else { return Effect::NONE };
    let shown = ran.shown();
    let righted = right_through(&subject.lab.baseline().ran.shown(), expected, &shown);
    let right = shown.iter().zip(expected).take_while(|(a, b)| a == b).count();
    Effect { righted, bytes: Reverse(right as u64) }
}

fn right_through(failing: &[u8], expected: &[u8], output: &[u8]) -> Righted {
    let wrong = failing.iter().zip(expected).take_while(|(a, b)| a == b).count();
    let end = expected[wrong..].iter().position(u8::is_ascii_whitespace).map_or(expected.len(), |at| wrong + at + 1);
    match expected.get(wrong..end).filter(|word| !word.is_empty()) {
        Some(_) if output.starts_with(&expected[..end]) => Righted::Word,
        Some(_) if output.starts_with(&expected[..=wrong]) => Righted::Byte,
        // The failing run wrote too much.
        None if output == expected => Righted::Word,
        _ if output.starts_with(&expected[..wrong]) && word(output, wrong) != word(failing, wrong) => Righted::Changed,
        _ => Righted::Nothing,
    }
}

/// The word that begins here, or goes on.
fn word(text: &[u8], from: usize) -> &[u8] {
    text[from..].split(u8::is_ascii_whitespace).next().unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::{Righted, right_through};

    #[test]
    fn the_word_that_was_wrong_must_be_right() {
        let of = |output: &str| right_through(b"a 17 b\n", b"a 12 c\n", output.as_bytes());
        assert_eq!(["a 12 c\n", "a 12 b\n"].map(of), [Righted::Word; 2]);
        assert_eq!(["a 17 c\n", "b 12 c\n", "a 17"].map(of), [Righted::Nothing; 3]);
        assert_eq!(["a 18 b\n", "a 1", "a\n"].map(of), [Righted::Changed, Righted::Changed, Righted::Nothing]);
        assert_eq!(of("a 121 c\n"), Righted::Byte);
        // What is missing, and what is too much.
        assert_eq!(right_through(b"a\n", b"a\nb\n", b"a\nb\nc"), Righted::Word);
        assert_eq!(right_through(b"a\n", b"a\nb\n", b"a\n"), Righted::Nothing);
        assert_eq!(right_through(b"a\nb\n", b"a\n", b"a\n"), Righted::Word);
        assert_eq!(right_through(b"a\nb\n", b"a\n", b"a\nc"), Righted::Changed);
    }
}
