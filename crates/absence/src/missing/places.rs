//! Lines at which a statement may be missing, by what suggests it.

use execution::predicates::Predicate;
use findings::{Line, Location};
use replay::Step;
use source::lines::Texts;

use super::Missing;
use super::gap::Gap;
use super::stale::Stale;
use crate::outcome::{Outcomes, arm, cases_beside};
use subject::Subject;
use subject::place::written_location;

/// What suggests that a statement is missing at a line.
#[derive(Clone, Copy)]
pub enum Suspicion<'a> {
    /// A value may not have been set anew there.
    NotSet(&'a Gap, &'a Stale),
    /// A loop was left because of this condition, in its middle.
    LeftLoop(&'a Predicate),
    /// It is beside the case that this switch does not have.
    NoCase(Step),
    /// A condition, or what ran because of it, that had this outcome for the first time.
    FirstTime(&'a Predicate),
}

pub struct Place<'a> {
    pub step: Step,
    pub location: Location,
    pub suspicion: Suspicion<'a>,
}

/// By kind, the likeliest first.
pub struct Places<'a> {
    /// Where a value may not have been set anew, for a reason that says more than that the line was executed in between.
    pub telling: Vec<Place<'a>>,
    /// For other reasons.
    pub others: Vec<Place<'a>>,
    pub left: Vec<Place<'a>>,
    pub novel: Vec<Place<'a>>,
    /// More of the first two kinds, if there is room.
    pub spare: Vec<Place<'a>>,
}

pub fn places<'a>(subject: &Subject<'_, '_>, missing: &'a Missing, outcomes: &'a Outcomes) -> Places<'a> {
    let of_gap = |gap: &'a Gap| {
        let suspicion = Suspicion::NotSet(gap, missing.stale.get(gap.of)?);
        let place = Place { step: gap.step, location: gap.location.clone(), suspicion };
        written_location(subject.run, gap.step).is_some().then_some((gap, place))
    };
    let (spare, gaps): (Vec<_>, Vec<_>) = missing.gaps.iter().filter_map(of_gap).partition(|(gap, _)| gap.is_spare);
    let (telling, others): (Vec<_>, Vec<_>) = gaps.into_iter().partition(|(gap, _)| gap.sign.is_telling());
    let [telling, others, spare] =
        [telling, others, spare].map(|all| all.into_iter().map(|(_, place)| place).collect::<Vec<_>>());
    let (left, novel) = (left(subject, outcomes), novel(subject, missing, outcomes));
    Places { telling, others, left, novel, spare }
}

/// Conditions that had an outcome for the first time that are reported.
const MOST_NOVEL: usize = 8;

/// Conditions that had an outcome for the first time, each with what ran because of it.
fn novel<'a>(subject: &Subject<'_, '_>, missing: &'a Missing, outcomes: &'a Outcomes) -> Vec<Place<'a>> {
    let mut found = Vec::new();
    let written = missing.novel.iter().filter(|one| written_location(subject.run, one.at).is_some());
    for one in written.take(MOST_NOVEL) {
        found.extend(with_arm(subject, outcomes, one, Suspicion::FirstTime(one)));
        found.extend(beside_switch(subject, one));
    }
    found
}

/// Loops left in their middle that are reported.
const MOST_LEFT: usize = 4;

/// Conditions that ended loops, each with what ran because of it.
fn left<'a>(subject: &Subject<'_, '_>, outcomes: &'a Outcomes) -> Vec<Place<'a>> {
    let Some(failure) = subject.question.criterion.step(subject.run) else { return Vec::new() };
    let found = outcomes.breaks(subject.run, failure);
    let written = found.into_iter().filter(|one| written_location(subject.run, one.at).is_some()).take(MOST_LEFT);
    written.flat_map(|one| with_arm(subject, outcomes, one, Suspicion::LeftLoop(one))).collect()
}

/// A condition, and what ran because of it.
fn with_arm<'a>(
    subject: &Subject<'_, '_>,
    outcomes: &Outcomes,
    one: &Predicate,
    suspicion: Suspicion<'a>,
) -> Vec<Place<'a>> {
    let locations = written_location(subject.run, one.at).into_iter().chain(arm(subject.run, outcomes, one));
    locations.map(|location| Place { step: one.at, location, suspicion }).collect()
}

/// Where a switch may have too few cases.
pub fn beside_switch<'a>(subject: &Subject<'_, '_>, predicate: &Predicate) -> Vec<Place<'a>> {
    let mut texts = Texts::default();
    let of = |location| Place { step: predicate.at, location, suspicion: Suspicion::NoCase(predicate.at) };
    let mut found = Vec::new();
    for case in cases_beside(subject.run, predicate) {
        found.extend(label(&mut texts, &case).map(of));
        found.push(of(case));
    }
    found
}

/// The label just before the first statement of a case; debug information does not have it.
fn label(texts: &mut Texts, case: &Location) -> Option<Location> {
    let before = Line { file: case.file.clone(), line: case.line.checked_sub(1)? };
    let is_label =
        texts.get(&before)?.trim_start().strip_prefix("case").is_some_and(|rest| rest.starts_with([' ', '\'']));
    is_label.then(|| Location { line: before.line, column: 0, ..case.clone() })
}
