//! What is claimed of the path, as in the paper's figures 1, 11 and 12: what each step is given in the failing run, and what in the
//! reference.
//!
//! Executions of one statement are one link: a reader follows a loop once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use abi::InstructionId;
use comparison::{CauseId, Name, Side, Sides, executions};
use findings::{
    Claim, Compared, Deed, Difference, Doer, Evidence, EvidenceKind, Finding, Joint, Limit, Link, Location, Note,
    Tried, Value,
};
use program::FunctionKey;
use replay::Step;

use super::caller::{caller, caller_of};
use super::differences::Differences;
use super::gap::{Standing, gap};
use super::path::{How, Path, PathStep, SUBJECT};
use super::variable::{contents, declaration};
use subject::Passage;
use subject::place::location;
use subject::telling::deed::deeds;
use subject::telling::failure;
use subject::{Fineness, Found, Remedy, Subject, Suspect, TechniqueError};

/// Links told; of a longer path the middle is left out.
const MOST: usize = 12;

/// A path, stage by stage.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// From the head on, without the failure itself.
    pub stages: Vec<Stage>,
    /// Steps of the path, each execution counted.
    pub length: usize,
    pub experiments: u64,
    /// Every step was shown, by an experiment or by how it was made.
    pub is_shown: bool,
    pub is_cut_short: bool,
    /// Differences that were not examined, or nobody knows where from.
    pub limits: Vec<Limit>,
}

/// A statement on the path.
#[derive(Clone, Debug)]
pub struct Stage {
    pub location: Location,
    /// Its first execution on the path, in the failing run if that has it.
    pub step: Option<Step>,
    pub claim: Claim,
    /// Nothing stands behind it.
    pub is_head: bool,
    /// Executions on the path.
    pub count: u64,
}

/// What executions are told together by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Group {
    Statement(Side, FunctionKey, InstructionId),
    /// A global variable of the failing version.
    Variable((usize, u32)),
}

impl Stage {
    /// Only the reference executes it.
    fn is_alone(&self) -> bool {
        matches!(&self.claim, Claim::Differs(Difference { by: Doer::Other(_) | Doer::OtherElsewhere(_), .. }))
    }
}

/// Only the reference executes it; the failing version has it, or not.
fn alone(differences: &Differences<'_, '_>, standing: Standing) -> Doer {
    match standing {
        Standing::NotExecuted => Doer::Other(compared(differences)),
        Standing::Gap => Doer::OtherElsewhere(compared(differences)),
    }
}

impl Explanation {
    pub fn of(differences: &Differences<'_, '_>, path: &Path, experiments: u64) -> Result<Explanation, TechniqueError> {
        let did = Sides { left: did(differences, path, Side::Left)?, right: did(differences, path, Side::Right)? };
        let mut by_site: HashMap<Group, usize> = HashMap::new();
        let mut groups: Vec<Vec<&PathStep>> = Vec::new();
        for step in path.steps.iter().rev().filter(|step| step.id != SUBJECT) {
            let site = match (differences.step(step.id), differences.initial(step.id)) {
                (Some((side, at)), _) => Group::Statement(side, at.site.function, at.site.instruction),
                (None, Some(initial)) => Group::Variable(initial.variable.right),
                (None, None) => continue,
            };
            let group = *by_site.entry(site).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(step);
        }
        let mut stages = Vec::new();
        for group in &groups {
            let Some((location, doer)) = place(differences, group[0].id)? else { continue };
            stages.push(Stage {
                location,
                step: differences.execution(group[0].id, Side::Right),
                claim: claim(differences, &did, group, doer)?,
                is_head: group.iter().any(|step| step.sources.is_empty()),
                count: group.len() as u64,
            });
        }
        let mut stages = folded(stages);
        // The failing step itself is what the reference does not do.
        if groups.is_empty()
            && let Some(stage) = failure_itself(differences)?
        {
            stages.push(stage);
        }
        let is_explained =
            !stages.is_empty() && path.steps.first().is_some_and(|failure| failure.how != How::Dependence);
        Ok(Explanation {
            stages,
            length: path.steps.len().saturating_sub(1),
            experiments,
            is_shown: is_explained && path.is_shown(),
            is_cut_short: path.is_cut_short,
            limits: limits(differences),
        })
    }

    /// Whether it says the same with less: what is shown before what is not, the shorter before the longer.
    pub fn is_better_than(&self, other: &Explanation) -> bool {
        let weight = |one: &Explanation| (one.stages.is_empty(), !one.is_shown, one.stages.len(), one.length);
        weight(self) < weight(other)
    }
}

/// What the failing run is compared with: another version that somebody has named, or itself, repaired.
fn compared(differences: &Differences<'_, '_>) -> Compared {
    if differences.pair.map.is_some() { Compared::Reference } else { Compared::Repaired }
}

/// The step that fails, where nothing before it differs.
fn failure_itself(differences: &Differences<'_, '_>) -> Result<Option<Stage>, TechniqueError> {
    let run = differences.pair.runs.right;
    let Some(at) = differences.subject.criteria.right.as_ref().and_then(|criterion| criterion.step(run)) else {
        return Ok(None);
    };
    let call = match comparison::name(&differences.pair, &differences.order, Side::Right, at)? {
        Some(name) => caller_of(differences, Side::Right, name, at)?.map(|(_, call)| call),
        None => None,
    };
    let at = call.unwrap_or(at);
    let claim = Claim::OnlyThisDiffers { from: compared(differences) };
    Ok(location(run, at).filter(|_| !run.functions.is_twin(at.site.function)).map(|location| Stage {
        location,
        step: Some(at),
        claim,
        is_head: true,
        count: 1,
    }))
}

/// What the steps of a path did in one of the runs.
fn did(differences: &Differences<'_, '_>, path: &Path, side: Side) -> Result<HashMap<Step, Deed>, TechniqueError> {
    let steps: BTreeSet<Step> = path.steps.iter().filter_map(|step| differences.execution(step.id, side)).collect();
    Ok(deeds(differences.pair.runs.of(side), differences.pair.sources.of(side), &steps)?)
}

/// What the reference alone does in one place is one stage, by the last of it; and with what the failing run does there
/// instead.
fn folded(stages: Vec<Stage>) -> Vec<Stage> {
    let mut folded: Vec<Stage> = Vec::new();
    for stage in stages {
        let is_here = |last: &&mut Stage| {
            (&last.location.file, last.location.line) == (&stage.location.file, stage.location.line)
        };
        match folded.last_mut().filter(is_here) {
            Some(last) if last.is_alone() && stage.is_alone() => {
                *last = Stage { is_head: last.is_head || stage.is_head, count: last.count + stage.count, ..stage };
            }
            Some(last) if last.is_alone() => {
                let mut claim = stage.claim.clone();
                if let (Claim::Differs(here), Claim::Differs(there)) = (&mut claim, &last.claim) {
                    here.alone = Some(Box::new(there.clone()));
                }
                *last = Stage { claim, is_head: last.is_head || stage.is_head, ..stage };
            }
            _ => folded.push(stage),
        }
    }
    folded
}

/// Where a step is in the failing version.
fn place(differences: &Differences<'_, '_>, id: CauseId) -> Result<Option<(Location, Doer)>, TechniqueError> {
    if let Some(initial) = differences.initial(id) {
        if let Some(declared) = declaration(differences, initial) {
            return Ok(Some((declared, Doer::Failing)));
        }
        // Constants that arrays of a function are made from have no name.
        let reader = differences.reader(id).and_then(|reader| differences.execution(reader, Side::Right));
        let place = reader.and_then(|at| location(differences.pair.runs.right, at));
        return Ok(place.map(|place| (place, Doer::Failing)));
    }
    let Some(step) = differences.step(id) else { return Ok(None) };
    let (side, at) = caller(differences, id)?.unwrap_or(step);
    if side == Side::Right {
        return Ok(location(differences.pair.runs.right, at).map(|location| (location, Doer::Failing)));
    }
    if let Some((location, standing)) = gap(&differences.pair, at) {
        return Ok(Some((location, alone(differences, standing))));
    }
    // In a function that the failing version has not: where that was then.
    let Some(name) = differences.name(id) else { return Ok(None) };
    let (shared, ..) = differences.order.key(name);
    let around: Vec<Name> = [shared.checked_sub(1), Some(shared)].into_iter().flatten().map(Name::Shared).collect();
    let moments = executions(&differences.pair, &differences.order, &around)?;
    let near = around.iter().filter_map(|name| moments.get(name)).filter_map(|both| Some((both.left?, both.right?)));
    let near: Vec<(Step, Step)> = near.collect();
    let same = near.iter().find(|(left, _)| left.site.function == at.site.function).or(near.first());
    let near = same.and_then(|(_, right)| location(differences.pair.runs.right, *right));
    Ok(near.map(|location| (location, alone(differences, Standing::Gap))))
}

/// All executions of one statement, by the first and the last of them.
fn claim(
    differences: &Differences<'_, '_>,
    did: &Sides<HashMap<Step, Deed>>,
    group: &[&PathStep],
    by: Doer,
) -> Result<Claim, TechniqueError> {
    let more = group.len() as u64 - 1;
    if let Some(initial) = differences.initial(group[0].id) {
        return Ok(contents(differences, initial, more));
    }
    let of = |step: &PathStep, side: Side| {
        differences.execution(step.id, side).and_then(|at| did.of(side).get(&at)).cloned()
    };
    let last = match group {
        [_, .., last] => values(of(last, Side::Right), of(last, Side::Left)),
        _ => None,
    };
    let note = if differences.is_changed(group[0].id)? {
        Some(Note::Reworded)
    } else if differences.is_edited(group[0].id) {
        Some(Note::Changed)
    } else if group.iter().any(|step| step.how == How::Dependence) {
        Some(Note::ByDependence)
    } else {
        None
    };
    let (failing, other) = (of(group[0], Side::Right), of(group[0], Side::Left));
    Ok(Claim::Differs(Difference { by, failing, other, more, last, note, alone: None }))
}

/// The value in the failing run, and in the other if that is another one.
fn values(failing: Option<Deed>, other: Option<Deed>) -> Option<(Value, Option<Value>)> {
    let is = failing.as_ref().and_then(Deed::value)?;
    let other = other.as_ref().and_then(Deed::value).filter(|other| *other != is);
    Some((is, other))
}

fn limits(differences: &Differences<'_, '_>) -> Vec<Limit> {
    let causes = &differences.causes;
    let mut limits: Vec<Limit> =
        differences.subject.limits.iter().map(|text| Limit::Stated { text: text.clone() }).collect();
    if causes.is_cut || causes.is_unfinished {
        limits.push(Limit::MoreDifferences);
    }
    let unknown: BTreeMap<&String, &u64> = causes.unknown.iter().collect();
    limits.extend(unknown.into_keys().map(|name| Limit::UnknownDifferences { function: name.as_str().into() }));
    limits
}

/// Makes findings of an explanation, the head of the path first.
pub fn tell(
    subject: &Subject<'_, '_>,
    explanation: &Explanation,
    by: Compared,
    found: &mut Found,
) -> Result<(), TechniqueError> {
    found.limits.extend(explanation.limits.iter().cloned());
    if explanation.is_cut_short {
        found.limits.push(Limit::WayCutShort);
    }
    found.way = way(subject, explanation)?;
    found.tried.push(Tried::Compared {
        with: by,
        steps: explanation.length as u64,
        is_shown: explanation.is_shown,
        experiments: explanation.experiments,
    });
    let (mut heads, others): (Vec<&Stage>, Vec<&Stage>) = explanation.stages.iter().partition(|stage| stage.is_head);
    // What the failing version has is at fault rather than what it lacks.
    heads.sort_by_key(|stage| stage.step.is_none());
    let mut seen: BTreeSet<(String, u32)> = BTreeSet::new();
    for (position, stage) in heads.iter().chain(&others).enumerate() {
        if !seen.insert((stage.location.file.clone(), stage.location.line)) {
            continue;
        }
        // A version that works shows by its run what should have been done. A repaired run differs from where it was
        // repaired on: that shows how the failure came, not yet why.
        let is_shown = stage.is_head && by == Compared::Reference;
        let kind = if is_shown { EvidenceKind::Experiment } else { EvidenceKind::Dependence };
        let claim = if stage.is_head { Claim::BeginsToDiffer { from: by } } else { Claim::LeadsToFailure };
        let rank = seen.len() as u32;
        let finding = Finding {
            rank,
            location: stage.location.clone(),
            score: 1.0 / f64::from(rank),
            techniques: vec!["causes".into()],
            claims: vec![stage.claim.clone()],
            evidence: vec![Evidence { kind, claim }],
        };
        let steps = stage.step.into_iter().collect();
        found.suspects.push(Suspect { finding, steps, fineness: Fineness::Written, tier: position as u32 });
    }
    Ok(())
}

/// The links of the chain, the failure last.
fn way(subject: &Subject<'_, '_>, explanation: &Explanation) -> Result<Vec<Passage>, TechniqueError> {
    let Some(last) = failure::link(subject)? else { return Ok(Vec::new()) };
    let mut passages: Vec<Passage> = Vec::new();
    for stage in &explanation.stages {
        let (location, claim) = (stage.location.clone(), stage.claim.clone());
        let link = Link { location, joint: Joint::None, claim, rounds: 0 };
        passages.push(Passage { link, step: stage.step.unwrap_or(last.step), by: None });
    }
    if passages.len() > MOST - 1 {
        let count = passages.len() - (MOST - 1);
        let from = (MOST - 1) / 2;
        passages.drain(from..from + count);
        passages[from].link.joint = Joint::LeftOut { steps: count as u64 };
    }
    if !passages.is_empty() {
        passages.push(last);
    }
    Ok(passages)
}

pub fn no_reference(remedies: &[Remedy]) -> Limit {
    if remedies.is_empty() { Limit::NoRepairToCompare } else { Limit::RepairsNotComparable }
}
