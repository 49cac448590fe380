//! What is claimed of lines of a slice.

use std::collections::{BTreeSet, HashMap};

use execution::nearness::Nearness;
use findings::{Claim, Evidence, EvidenceKind, Finding, Limit, Tried};

use super::SliceLine;
use subject::right_lines::RightLines;
use subject::telling::deed::{deeds, did};
use subject::{Fineness, Subject, Suspect, TechniqueError};

/// Lines shown; each may take the replay of a window.
const MOST: usize = 200;

pub fn suspects(
    subject: &Subject<'_, '_>,
    lines: &[SliceLine],
    right: &RightLines,
) -> Result<Vec<Suspect>, TechniqueError> {
    let shown = &lines[..lines.len().min(MOST)];
    let nearest: BTreeSet<_> = shown.iter().filter_map(|line| line.steps.first().copied()).collect();
    let known = deeds(subject.run, subject.sources, &nearest)?;
    // Lines that nothing tells apart are as good as each other.
    let mut tiers = HashMap::new();
    let suspects = shown.iter().zip(1..).map(|(line, rank)| {
        let what = line.steps.first().and_then(|step| known.get(step));
        let depends = Claim::FailureDepends { distance: Some(line.distance) };
        let mut evidence = vec![Evidence { kind: EvidenceKind::Dependence, claim: depends.clone() }];
        let depending = right.depending_on(&line.location.file, line.location.line);
        if right.looked_at > 0 {
            let claim = Claim::RightLinesDepend { depending, examined: right.looked_at };
            evidence.push(Evidence { kind: EvidenceKind::Dependence, claim });
        }
        let tier = *tiers.entry((depending, line.distance)).or_insert(rank);
        let finding = Finding {
            rank,
            location: line.location.clone(),
            score: 1.0 / f64::from(rank),
            techniques: vec!["slice".into()],
            claims: vec![did(what), depends],
            evidence,
        };
        Suspect { finding, steps: line.steps.clone(), fineness: Fineness::Crude, tier }
    });
    Ok(suspects.collect())
}

pub fn tried(nearness: &Nearness, lines: &[SliceLine]) -> Tried {
    Tried::Followed { steps: nearness.graph.steps.len() as u64, lines: lines.len() as u64 }
}

pub fn limits(nearness: &Nearness) -> Vec<Limit> {
    let mut unknown: Vec<&str> = nearness.graph.unknown.keys().map(|name| name.as_str()).collect();
    unknown.sort_unstable();
    let mut limits: Vec<Limit> =
        unknown.into_iter().map(|name| Limit::UnknownEffects { function: name.into() }).collect();
    if nearness.graph.is_cut {
        limits.push(Limit::LatestSteps { steps: nearness.graph.steps.len() as u64 });
    }
    limits
}
