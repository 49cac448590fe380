//! Edits that make the run right, in sentences.

use execution::first_difference::first_differences;
use findings::{Evidence, Finding};

use super::{Candidate, RepairingSite, Tried};
use crate::telling::place::location;
use crate::telling::wording::{comes_back, counted, is_right, success, would_be_right};
use crate::trying::edited::edited;
use crate::{Subject, Suspect, TechniqueError};

/// Findings shown.
const MOST: usize = 50;
/// Pieces of evidence for each.
const MOST_EVIDENCE: usize = 3;

pub fn suspects(subject: &Subject<'_, '_>, sites: &[RepairingSite]) -> Result<Vec<Suspect>, TechniqueError> {
    let mut suspects = Vec::new();
    let shown = &sites[..sites.len().min(MOST)];
    let edits: Vec<_> = shown.iter().map(|site| site.repairs[0].0.edit_of()).collect();
    let begins = first_differences(subject.run, &edits)?;
    for (site, begins) in shown.iter().zip(begins) {
        let Some((best, repair)) = site.repairs.first() else { continue };
        let Some(location) = location(subject.run, best.site.first) else { continue };
        let rank = suspects.len() as u32 + 1;
        let message = format!("{}, {}", edited(subject, best.site.first, best.edit)?, would_be_right(subject, *repair));
        let mut evidence = Vec::new();
        for (one, repair) in site.repairs.iter().take(MOST_EVIDENCE) {
            let text =
                format!("{}{}, {}", edited(subject, one.site.first, one.edit)?, often(one), is_right(subject, *repair));
            evidence.push(Evidence { kind: repair.evidence(), text });
        }
        evidence.extend(site.comes_back.then(|| comes_back(subject)));
        let finding = Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["edit".into()],
            message,
            evidence,
        };
        suspects.push(Suspect {
            finding,
            steps: begins.into_iter().chain([best.nearest]).collect(),
            fineness: best.fineness,
            tier: rank,
        });
    }
    Ok(suspects)
}

fn often(candidate: &Candidate) -> String {
    match candidate.site.executions {
        1 => String::new(),
        count => format!(" all {count} times"),
    }
}

pub fn tried(tried: &Tried, sites: &[RepairingSite]) -> String {
    let repairs =
        |repair| sites.iter().flat_map(|site| &site.repairs).filter(|(_, made)| *made == repair).count() as u64;
    let places = |repair| sites.iter().filter(|site| site.repairs[0].1 == repair).count() as u64;
    let edits = counted(tried.experiments as u64, "small edit");
    let success = match tried.avoided {
        None => success(repairs, places),
        Some(0) => "none kept the program from failing".into(),
        Some(avoided) => {
            let again = counted(sites.iter().map(|site| site.repairs.len() as u64).sum(), "edit");
            let at = counted(sites.len() as u64, "place");
            format!(
                "{avoided} kept the program from failing; with {again}, at {at}, it came to the same place again and went on"
            )
        }
    };
    format!("tried {edits} of {}: {success}", counted(tried.sites as u64, "place"))
}

pub fn limits(tried: &Tried) -> Vec<String> {
    let mut limits = tried.looks.limits();
    if tried.experiments < tried.candidates && !tried.is_settled {
        let (done, of) = (tried.experiments, tried.candidates);
        limits.push(format!("time was up after {done} of {of} small edits; a longer --budget allows more"));
    }
    limits
}
