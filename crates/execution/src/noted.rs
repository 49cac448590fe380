//! The values of chosen steps of a run, or of chosen places.

use std::collections::{BTreeSet, HashMap, HashSet};

use program::{FunctionKey, Op, Site};
use replay::{Observed, Observer, ReplayError, Step};

use crate::run::Run;

/// What a step made, and from what.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Noted {
    /// The first word of its result; of a store, a choice or a return, of what is stored, chosen by or returned.
    pub result: Option<u64>,
    /// The first word of each operand, in the order of `Op::for_each_operand`.
    pub operands: Vec<u64>,
}

/// Notes these steps, those of them that the run has. Several windows at a time.
pub fn note(run: &Run<'_>, steps: &HashSet<Step>) -> Result<HashMap<Step, Noted>, ReplayError> {
    let mut sites: HashMap<FunctionKey, Vec<bool>> = HashMap::new();
    for step in steps {
        let count = run.functions.function(step.site.function).instructions.len();
        sites.entry(step.site.function).or_insert_with(|| vec![false; count])[step.site.instruction.index()] = true;
    }
    let sites = &sites;
    let notes = run.forwards(|_, _| Noting { steps, sites, found: HashMap::new() })?;
    Ok(notes.into_iter().flat_map(|noting| noting.found).collect())
}

/// The values that these places have in a run, so many of each.
pub fn values_at(
    run: &Run<'_>,
    sites: &HashSet<Site>,
    most: usize,
) -> Result<HashMap<Site, BTreeSet<u64>>, ReplayError> {
    let windows = run.forwards(|_, _| Seeing { sites, most, found: HashMap::new() })?;
    let mut found: HashMap<Site, BTreeSet<u64>> = HashMap::new();
    for (site, values) in windows.into_iter().flat_map(|seeing| seeing.found) {
        let known = found.entry(site).or_default();
        known.extend(values.into_iter().take(most - known.len().min(most)));
    }
    Ok(found)
}

struct Seeing<'a> {
    sites: &'a HashSet<Site>,
    most: usize,
    found: HashMap<Site, BTreeSet<u64>>,
}

impl Observer for Seeing<'_> {
    fn step(&mut self, step: &Observed<'_>) {
        let at = step.step();
        let site = at.site;
        if let (true, Some(value)) = (self.sites.contains(&site), result(step)) {
            let known = self.found.entry(site).or_default();
            if known.len() < self.most {
                known.insert(value);
            }
        }
    }
}

/// The first word of what a step made; nothing where that is not there yet.
fn result(step: &Observed<'_>) -> Option<u64> {
    match &step.instruction().op {
        Op::Store { value, .. } | Op::Branch { condition: value, .. } | Op::Switch { value, .. } => {
            step.went_on_with(value).first().copied()
        }
        Op::Return { value } => value.as_ref().and_then(|value| step.operand(value).first().copied()),
        Op::Call(_) | Op::Invoke { .. } => None,
        _ => step.result().first().copied(),
    }
}

struct Noting<'a> {
    steps: &'a HashSet<Step>,
    sites: &'a HashMap<FunctionKey, Vec<bool>>,
    found: HashMap<Step, Noted>,
}

impl Observer for Noting<'_> {
    fn step(&mut self, step: &Observed<'_>) {
        let at = step.step();
        let is_site = self.sites.get(&at.site.function).is_some_and(|sites| sites[at.site.instruction.index()]);
        if !is_site || !self.steps.contains(&at) {
            return;
        }
        let op = &step.instruction().op;
        let mut operands = Vec::new();
        // Only the value that was taken is there.
        if !matches!(op, Op::Phi { .. }) {
            op.for_each_operand(|operand| operands.push(step.operand(operand).first().copied().unwrap_or(0)));
        }
        self.found.insert(at, Noted { result: result(step), operands });
    }
}
