//! Suspects of all techniques, one for each line, in the order of the evidence for them.
//!
//! Evidence of different kinds is never added up. What an experiment has shown comes first, then what the failure depends
//! on, then what was merely executed. Among places of the same kind, those come first that tests tell apart (if there are
//! tests), and then the order is that of the technique with the strongest evidence.

use std::cmp::Reverse;
use std::collections::HashMap;

use findings::{Claim, Evidence, EvidenceKind, Location};

use super::folded::folded;
use super::spared::Spares;
use super::upstream::{Support, Upstream, upstream};
use subject::place::is_of_system;
use subject::{Fineness, Found, Subject, Suspect, TechniqueError};

/// Findings told.
const MOST: usize = 50;

/// All that is known of one line.
struct Place {
    /// The strongest evidence first.
    known: Vec<Known>,
    support: Option<Support>,
    right_lines: u32,
    /// What edits there that prevent the failure do to other runs, if there are such edits.
    spares: Option<Spares>,
    /// It is known of some place what its edits do to other runs.
    is_tested: bool,
}

/// What a technique says of a place.
struct Known {
    suspect: Suspect,
    /// Which of the techniques it was, in the order in which they were used.
    order: usize,
}

/// What places are ordered by; the lowest first.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Weight {
    /// In a header of the system: whatever can be done there, the fault is in what uses it.
    is_foreign: bool,
    kind: EvidenceKind,
    /// As tests tell places apart; the same for all that they do not know.
    by_tests: u32,
    by_changes: (Reverse<u32>, u32),
    /// A condition has one other way to go, a value many that could be right by accident.
    fineness: Fineness,
    /// What was tried first comes first; other values are as good as each other, whoever put them there.
    order: usize,
    /// Of what experiments have shown: right lines of the output that depend on it.
    right_lines: u32,
    /// As the technique with the strongest evidence has it.
    tier: u32,
}

pub fn weigh(
    subject: &Subject<'_, '_>,
    all: Vec<Found>,
    spared: &HashMap<(String, u32), Spares>,
) -> Result<Vec<Suspect>, TechniqueError> {
    let suspects = all
        .into_iter()
        .enumerate()
        .flat_map(|(order, found)| found.suspects.into_iter().map(move |suspect| Known { suspect, order }));
    let mut places = by_line(suspects);
    let mut shown: Vec<&Suspect> = places.iter().map(Place::best).filter(|best| is_shown(best)).collect();
    shown.sort_by_key(|suspect| suspect.tier);
    let changed: Vec<_> = shown.iter().filter_map(|suspect| suspect.steps.first().copied()).collect();
    let upstream = if changed.is_empty() { Upstream::default() } else { or_nothing(upstream(subject, &changed))? };
    let right_lines = or_nothing(subject.right_lines())?;
    for place in &mut places {
        let Location { file, line, .. } = place.best().finding.location.clone();
        place.support = upstream.of(&file, line);
        place.right_lines = right_lines.depending_on(&file, line);
        place.spares = spared.get(&(file, line)).copied();
        place.is_tested = !spared.is_empty();
    }
    places.sort_by_key(Place::weight);
    let ranked = places.into_iter().take(MOST).zip(1..);
    Ok(ranked.map(|(place, rank)| place.merged(rank, upstream.places)).collect())
}

/// Without time to find out more, the order is that of the evidence alone.
fn or_nothing<T: Default>(known: Result<T, TechniqueError>) -> Result<T, TechniqueError> {
    match known {
        Err(error) if error.spent().is_some() => Ok(T::default()),
        other => other,
    }
}

fn is_shown(suspect: &Suspect) -> bool {
    suspect.kind() == EvidenceKind::Experiment
}

/// Of what an experiment has shown; a change that proves nothing is as good as any other.
fn fineness(suspect: &Suspect) -> Fineness {
    if is_shown(suspect) { suspect.fineness } else { Fineness::Crude }
}

/// Groups by line: what several techniques say of a line, or one of two conditions in it, is about one fault. The order is
/// that of first mention.
fn by_line(suspects: impl Iterator<Item = Known>) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut positions: HashMap<(String, u32), usize> = HashMap::new();
    for known in suspects {
        let Location { file, line, .. } = &known.suspect.finding.location;
        let position = *positions.entry((file.clone(), *line)).or_insert(places.len());
        match places.get_mut(position) {
            Some(place) => place.known.push(known),
            None => {
                places.push(Place { known: vec![known], support: None, right_lines: 0, spares: None, is_tested: false })
            }
        }
    }
    for place in &mut places {
        place.known.sort_by_key(|known| {
            let suspect = &known.suspect;
            (suspect.kind(), fineness(suspect), known.order, suspect.tier)
        });
    }
    places
}

/// What a place is ordered by.
struct Counted<'a> {
    suspect: &'a Suspect,
    kind: EvidenceKind,
    tier: u32,
}

impl Place {
    fn best(&self) -> &Suspect {
        // A place is made for a suspect.
        &self.known[0].suspect
    }

    /// What the place is ordered by: what other runs speak against, or cannot speak for, shows no more than that the failure
    /// depends on it.
    fn counted(&self) -> Counted<'_> {
        let best = self.best();
        let is_convincing = match self.spares {
            Some(Spares::All { .. }) => true,
            Some(Spares::Changes { .. }) => false,
            None => !self.is_tested,
        };
        if !is_shown(best) || is_convincing {
            return Counted { suspect: best, kind: best.kind(), tier: best.tier };
        }
        let others = self.known.iter().map(|known| &known.suspect);
        match others.clone().find(|other| other.kind() == EvidenceKind::Dependence) {
            Some(other) => Counted { suspect: other, kind: other.kind(), tier: other.tier },
            None => Counted { suspect: best, kind: EvidenceKind::Dependence, tier: u32::MAX },
        }
    }

    fn weight(&self) -> Weight {
        let Counted { suspect: best, kind, tier } = self.counted();
        let is_shown = kind == EvidenceKind::Experiment;
        let suspects = self.known.iter().map(|known| &known.suspect);
        let by_tests = suspects.filter(|suspect| suspect.kind() == EvidenceKind::Execution);
        let by_tests = by_tests.map(|suspect| suspect.tier).min().unwrap_or(u32::MAX);
        let by_changes = match self.support.filter(|_| !is_shown) {
            Some(support) => (Reverse(support.places), support.nearest),
            None => (Reverse(0), 0),
        };
        Weight {
            is_foreign: is_of_system(&best.finding.location.file),
            kind,
            by_tests,
            by_changes,
            fineness: if is_shown { best.fineness } else { Fineness::Crude },
            order: if is_shown && best.fineness != Fineness::Crude { self.known[0].order } else { 0 },
            right_lines: if is_shown { self.right_lines } else { 0 },
            tier,
        }
    }

    /// One finding with all the evidence.
    fn merged(self, rank: u32, places: u32) -> Suspect {
        let mut suspects = self.known.into_iter().map(|known| known.suspect);
        // A place is made for a suspect.
        let Some(mut best) = suspects.next() else { unreachable!("a place without a suspect") };
        best.finding.rank = rank;
        best.finding.score = 1.0 / f64::from(rank);
        for other in suspects {
            for technique in other.finding.techniques {
                if !best.finding.techniques.contains(&technique) {
                    best.finding.techniques.push(technique);
                }
            }
            for evidence in other.finding.evidence {
                if !best.finding.evidence.contains(&evidence) {
                    best.finding.evidence.push(evidence);
                }
            }
        }
        if let Some(support) = self.support.filter(|_| !is_shown(&best)) {
            let claim = Claim::RepairsUse { places: support.places, of: places };
            best.finding.claims.push(claim.clone());
            best.finding.evidence.push(Evidence { kind: EvidenceKind::Dependence, claim });
        }
        if let (Some(spares), true) = (self.spares, is_shown(&best)) {
            let (changed, of) = match spares {
                Spares::All { of } => (0, of),
                Spares::Changes { changed, of } => (changed, of),
            };
            if of > 0 {
                best.finding
                    .evidence
                    .push(Evidence { kind: EvidenceKind::Experiment, claim: Claim::OtherRuns { changed, of } });
            }
        }
        best.finding.evidence.sort_by_key(|evidence| evidence.kind);
        best.finding.evidence = folded(std::mem::take(&mut best.finding.evidence));
        best
    }
}
