//! Lines of a slice in sentences.

use std::collections::{BTreeSet, HashMap};

use execution::nearness::Nearness;
use findings::{Evidence, EvidenceKind, Finding};
use source::told::tell;

use super::SliceLine;
use crate::right_lines::RightLines;
use crate::telling::wording::{counted, happened};
use crate::{Fineness, Subject, Suspect, TechniqueError};

/// Lines told; each may take the replay of a window.
const MOST: usize = 200;

pub fn suspects(
    subject: &Subject<'_, '_>,
    lines: &[SliceLine],
    right: &RightLines,
) -> Result<Vec<Suspect>, TechniqueError> {
    let shown = &lines[..lines.len().min(MOST)];
    let nearest: BTreeSet<_> = shown.iter().filter_map(|line| line.steps.first().copied()).collect();
    let told = tell(subject.run, subject.sources, &nearest)?;
    // Lines that nothing tells apart are as good as each other.
    let mut tiers = HashMap::new();
    let suspects = shown.iter().zip(1..).map(|(line, rank)| {
        let what = line.steps.first().and_then(|step| told.get(step));
        let what = what.map_or_else(|| "this was executed".into(), happened);
        let away = match line.distance {
            0 => "the failure shows here".into(),
            1 => "the failure depends on it directly".into(),
            distance => format!("the failure depends on it, {} away", counted(distance.into(), "statement")),
        };
        let mut evidence = vec![Evidence { kind: EvidenceKind::Dependence, text: away.clone() }];
        let depending = right.depending_on(&line.location.file, line.location.line);
        if right.looked_at > 0 {
            let text = match depending {
                0 => "no right line of the output depends on it".into(),
                some => format!(
                    "{some} of {} of the output depend on it, too",
                    counted(right.looked_at.into(), "right line")
                ),
            };
            evidence.push(Evidence { kind: EvidenceKind::Dependence, text });
        }
        let tier = *tiers.entry((depending, line.distance)).or_insert(rank);
        let finding = Finding {
            rank,
            location: line.location.clone(),
            score: 1.0 / f64::from(rank),
            techniques: vec!["slice".into()],
            message: format!("{what}; {away}"),
            evidence,
        };
        Suspect { finding, steps: line.steps.clone(), fineness: Fineness::Crude, tier }
    });
    Ok(suspects.collect())
}

pub fn tried(nearness: &Nearness, lines: &[SliceLine]) -> String {
    let (steps, lines) = (nearness.graph.steps.len() as u64, lines.len() as u64);
    format!("followed {} back from the failure, on {}", counted(steps, "step"), counted(lines, "line"))
}

pub fn limits(nearness: &Nearness) -> Vec<String> {
    let mut limits: Vec<String> = nearness
        .graph
        .unknown
        .keys()
        .map(|name| format!("the effects of `{name}` are unknown; it was assumed to read only its arguments"))
        .collect();
    limits.sort();
    if nearness.graph.is_cut {
        let steps = nearness.graph.steps.len();
        limits.push(format!("of what the failure depends on, only the latest {steps} steps were looked at"));
    }
    limits
}
