//! What is claimed of edits that make the run right.

use execution::first_difference::first_differences;
use findings::{Change, Claim, Count, Evidence, Experiments, Finding, Limit, Tried};

use super::{Candidate, Made, RepairingSite};
use subject::place::location;
use subject::telling::outcome::{outcome, reaches_failure, success};
use subject::trying::edited::edited;
use subject::{Repair, Subject, Suspect, TechniqueError};

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
        let repairs = |one: &Candidate, repair: Repair| -> Result<Claim, TechniqueError> {
            let edit = edited(subject, one.site.first, one.edit)?;
            let change =
                Change::Edit { edit, executions: Some(one.site.executions).filter(|count| *count > 1), also: None };
            Ok(Claim::Repairs { change, outcome: outcome(subject, repair) })
        };
        let mut evidence = Vec::new();
        for (one, repair) in site.repairs.iter().take(MOST_EVIDENCE) {
            evidence.push(Evidence { kind: repair.evidence(), claim: repairs(one, *repair)? });
        }
        evidence.extend(site.comes_back.then(|| reaches_failure(subject)));
        let finding = Finding {
            rank,
            location,
            score: 1.0 / f64::from(rank),
            techniques: vec!["edit".into()],
            claims: vec![repairs(best, *repair)?],
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

pub fn tried(tried: &Made, sites: &[RepairingSite]) -> Tried {
    let repairs =
        |repair| sites.iter().flat_map(|site| &site.repairs).filter(|(_, made)| *made == repair).count() as u64;
    let places = |repair| sites.iter().filter(|site| site.repairs[0].1 == repair).count() as u64;
    let (edits, of) = (tried.experiments as u64, tried.sites as u64);
    match tried.avoided {
        None => Tried::Edited { edits, places: of, success: success(repairs, places) },
        Some(avoided) => {
            let changes = sites.iter().map(|site| site.repairs.len() as u64).sum();
            let again = Count { changes, places: sites.len() as u64 };
            Tried::EditedToAvoid { edits, places: of, avoided, again }
        }
    }
}

pub fn limits(tried: &Made) -> Vec<Limit> {
    let mut limits = tried.looks.limits();
    if tried.experiments < tried.candidates && !tried.is_settled {
        let (tried, of) = (tried.experiments as u64, tried.candidates as u64);
        limits.push(Limit::NotAllTried { kind: Experiments::Edits, tried, of });
    }
    limits
}
