//! Suspects of all techniques, one for each line, in the order of the evidence for them.
//!
//! Evidence of different kinds is never added up. What an experiment has shown comes first, then what the failure depends
//! on, then what was merely executed. Among places of the same kind, those come first that tests tell apart (if there are
//! tests), and then the order is that of the technique with the strongest evidence.

use std::cmp::Reverse;
use std::collections::HashMap;

use findings::{Evidence, EvidenceKind, Location};

use super::upstream::{Support, Upstream, upstream};
use crate::wording::counted;
use crate::{Found, Subject, Suspect, TechniqueError};

/// Findings told.
const MOST: usize = 50;

/// All that is known of one line.
struct Place {
    /// The strongest evidence first.
    suspects: Vec<Suspect>,
    support: Option<Support>,
}

/// What places are ordered by; the lowest first.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Weight {
    kind: EvidenceKind,
    /// As tests tell places apart; the same for all that they do not know.
    by_tests: u32,
    by_conditions: (Reverse<u32>, u32),
    /// As the technique with the strongest evidence has it.
    tier: u32,
}

pub fn weigh(subject: &Subject<'_, '_>, all: Vec<Found>) -> Result<Vec<Suspect>, TechniqueError> {
    let suspects = all.into_iter().flat_map(|found| found.suspects);
    let mut places = by_line(suspects);
    let mut shown: Vec<&Suspect> = places.iter().map(Place::best).filter(|best| is_shown(best)).collect();
    shown.sort_by_key(|suspect| suspect.tier);
    let conditions: Vec<_> = shown.iter().filter_map(|suspect| suspect.steps.first().copied()).collect();
    let upstream = if conditions.is_empty() { Upstream::default() } else { upstream(subject, &conditions)? };
    for place in &mut places {
        let Location { file, line, .. } = &place.best().finding.location;
        place.support = upstream.of(file, *line);
    }
    places.sort_by_key(Place::weight);
    let ranked = places.into_iter().take(MOST).zip(1..);
    Ok(ranked.map(|(place, rank)| place.merged(rank, upstream.conditions)).collect())
}

fn is_shown(suspect: &Suspect) -> bool {
    suspect.kind() == EvidenceKind::Experiment
}

/// Groups by line: what several techniques say of a line, or one of two conditions in it, is about one fault. The order is
/// that of first mention.
fn by_line(suspects: impl Iterator<Item = Suspect>) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut known: HashMap<(String, u32), usize> = HashMap::new();
    for suspect in suspects {
        let key = (suspect.finding.location.file.clone(), suspect.finding.location.line);
        let position = *known.entry(key).or_insert(places.len());
        match places.get_mut(position) {
            Some(place) => place.suspects.push(suspect),
            None => places.push(Place { suspects: vec![suspect], support: None }),
        }
    }
    for place in &mut places {
        place.suspects.sort_by_key(|suspect| (suspect.kind(), suspect.tier));
    }
    places
}

impl Place {
    fn best(&self) -> &Suspect {
        // A place is made for a suspect.
        &self.suspects[0]
    }

    fn weight(&self) -> Weight {
        let best = self.best();
        let by_tests = self.suspects.iter().filter(|suspect| suspect.kind() == EvidenceKind::Execution);
        let by_conditions = match self.support.filter(|_| !is_shown(best)) {
            Some(support) => (Reverse(support.conditions), support.nearest),
            None => (Reverse(0), 0),
        };
        Weight {
            kind: best.kind(),
            by_tests: by_tests.map(|suspect| suspect.tier).min().unwrap_or(u32::MAX),
            by_conditions,
            tier: best.tier,
        }
    }

    /// One finding with all the evidence.
    fn merged(self, rank: u32, conditions: u32) -> Suspect {
        let mut suspects = self.suspects.into_iter();
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
            let of = counted(conditions.into(), "condition");
            let text = match (support.conditions, conditions) {
                (1, 1) => "the condition that makes the run right when reversed uses what was made here".into(),
                (some, all) if some == all => {
                    format!("all {of} that make the run right when reversed use what was made here")
                }
                (some, _) => format!("{some} of {of} that make the run right when reversed use what was made here"),
            };
            best.finding.message = format!("{}; {text}", best.finding.message);
            best.finding.evidence.push(Evidence { kind: EvidenceKind::Dependence, text });
        }
        best.finding.evidence.sort_by_key(|evidence| evidence.kind);
        // What another sentence says with more words need not be said.
        let texts: Vec<String> = best.finding.evidence.iter().map(|evidence| evidence.text.clone()).collect();
        let is_said = |text: &String| texts.iter().any(|other| other != text && other.starts_with(text.as_str()));
        best.finding.evidence.retain(|evidence| !is_said(&evidence.text));
        best
    }
}
