//! Whether an edit that prevents the failure leaves other runs as they are.
//!
//! Where only a crash tells right from wrong, many an edit prevents it that no programmer would make. Runs on other inputs that do
//! not crash are taken to be right; an edit by which they print something else, or end otherwise, is hardly the fault mended.

use std::collections::HashMap;
use std::ops::ControlFlow;

use abi::StreamId;
use execution::Run;
use execution::sites::executed_sites;
use experiment::{Change, Intervention, LabError, Ran, Trial};
use program::Site;
use recording::Recording;
use replay::{Image, ReplayError};
use subject::place::location;
use subject::{Passing, RepairingEdit, Subject, TechniqueError};

/// Runs on other inputs that are looked at.
const MOST_RUNS: usize = 12;

/// What the edits of a line do to runs on other inputs: the best of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spares {
    /// As many as execute the line, maybe none, do as before.
    All { of: u32 },
    /// So many of so many do not.
    Changes { changed: u32, of: u32 },
}

/// What was learned.
#[derive(Default)]
pub struct Spared {
    /// By file and line; empty if no run executes any of the places.
    pub by_line: HashMap<(String, u32), Spares>,
    /// Runs that were made for it.
    pub runs: u64,
    /// There was no time to try all of it, so nothing is said of any place.
    pub is_cut_short: bool,
}

/// Tries each edit on some of the runs.
pub fn spared(
    subject: &Subject<'_, '_>,
    edits: &[RepairingEdit],
    passing: &[Passing],
) -> Result<Spared, TechniqueError> {
    let mut spared = Spared::default();
    // Who knows what is right knows more of an edit than that other runs change by it.
    if edits.is_empty() || passing.is_empty() || subject.is_hard_to_satisfy() {
        return Ok(spared);
    }
    // Evenly spread: those made one after the other are much alike.
    let runs = passing.iter().step_by(passing.len().div_ceil(MOST_RUNS));
    let mut trials = Vec::new();
    let mut meant: Vec<(usize, &Ran)> = Vec::new();
    for run in runs {
        if subject.is_over() {
            spared.is_cut_short = true;
            return Ok(spared);
        }
        spared.runs += 1;
        let first = first_steps(subject, run)?;
        for (position, RepairingEdit { first: step, edit }) in edits.iter().enumerate() {
            // What is not executed cannot change anything.
            let Some(&clock) = first.get(&step.site) else { continue };
            let experiment = vec![Intervention { clock, change: Change::Edit(*edit) }];
            trials.push(Trial { input: run.input.clone(), experiment });
            meant.push((position, &run.ran));
        }
    }
    if trials.is_empty() {
        return Ok(spared);
    }
    let mut counts = vec![(0, 0); edits.len()];
    let tried = subject.lab.try_inputs(&trials, |trial, shown| {
        // Of a run that could not be made nothing is known.
        if let Some(ran) = shown.ran {
            let (position, before) = meant[trial];
            let (changed, of) = &mut counts[position];
            *of += 1;
            *changed += u32::from(ran.end != before.end || ran.output != before.output);
        }
        if subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    spared.runs += tried.runs as u64;
    spared.is_cut_short = tried.count < trials.len();
    if spared.is_cut_short {
        return Ok(spared);
    }
    for (RepairingEdit { first, .. }, (changed, of)) in edits.iter().zip(counts) {
        let Some(place) = location(subject.run, *first) else { continue };
        let spares = if changed == 0 { Spares::All { of } } else { Spares::Changes { changed, of } };
        let known = spared.by_line.entry((place.file, place.line)).or_insert(spares);
        *known = spares.min(*known);
    }
    Ok(spared)
}

/// When a run executed each place for the first time; nothing of one that cannot be recorded or replayed.
fn first_steps(subject: &Subject<'_, '_>, run: &Passing) -> Result<HashMap<Site, u64>, TechniqueError> {
    let path = match subject.lab.record_input(&run.input, &[]) {
        Err(LabError::Record(_)) => return Ok(HashMap::new()),
        other => other?.1,
    };
    let Ok(recording) = Recording::open(&path) else { return Ok(HashMap::new()) };
    // It is in memory as long as it is needed; where it cannot be removed, the lab removes it in the end.
    let _ = std::fs::remove_file(&path);
    let image = Image::within(&recording, subject.budget);
    let sites = match Run::new(&image, StreamId::MAIN).and_then(|run| executed_sites(&run)) {
        Err(ReplayError::Departed { .. }) => return Ok(HashMap::new()),
        other => other?,
    };
    Ok(sites.into_iter().map(|site| (site.first.site, site.first.clock)).collect())
}
