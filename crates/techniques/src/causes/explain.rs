//! The path in sentences, as in the paper's figures 1, 11 and 12: what each step is given in the failing run, and what in the
//! reference.
//!
//! Executions of one statement are one link: a reader follows a loop once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use abi::InstructionId;
use comparison::{CauseId, Name, Side, Sides, executions};
use findings::{Evidence, EvidenceKind, Finding, Link, Location};
use program::FunctionKey;
use replay::Step;
use source::told::{Told, tell as tell_steps};

use super::caller::{caller, caller_of};
use super::differences::Differences;
use super::gap::{Standing, gap};
use super::path::{How, Path, PathStep, SUBJECT};
use super::variable::{contents, declaration};
use crate::found::Passage;
use crate::telling::failure;
use crate::telling::place::location;
use crate::telling::wording::counted;
use crate::{Fineness, Found, Remedy, Subject, Suspect, TechniqueError};

/// Links told; of a longer path the middle is left out.
const MOST: usize = 12;

/// What the failing run was compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    Version,
    Repaired,
}

/// A path, told.
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
    /// Differences that were not looked at, or nobody knows where from.
    pub limits: Vec<String>,
}

/// A statement on the path.
#[derive(Clone, Debug)]
pub struct Stage {
    pub location: Location,
    /// Its first execution on the path, in the failing run if that has it.
    pub step: Option<Step>,
    /// A sentence.
    pub text: String,
    pub doer: Doer,
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

/// Who executes a statement on the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doer {
    /// The failing run, and the reference as well or not.
    Failing,
    /// The reference alone.
    Reference(Standing),
}

impl Explanation {
    pub fn of(differences: &Differences<'_, '_>, path: &Path, experiments: u64) -> Result<Explanation, TechniqueError> {
        let told = Sides { left: told(differences, path, Side::Left)?, right: told(differences, path, Side::Right)? };
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
                text: sentence(differences, &told, group)?,
                doer,
                is_head: group.iter().any(|step| step.sources.is_empty()),
                count: group.len() as u64,
            });
        }
        let mut stages = folded(stages, other_run(differences));
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
fn other_run(differences: &Differences<'_, '_>) -> &'static str {
    if differences.pair.map.is_some() { "the reference" } else { "the repaired run" }
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
    let other = other_run(differences);
    let text = format!("nothing that this depends on differs from {other}: what is done here does");
    Ok(location(run, at).filter(|_| !run.functions.is_twin(at.site.function)).map(|location| Stage {
        location,
        step: Some(at),
        text,
        doer: Doer::Failing,
        is_head: true,
        count: 1,
    }))
}

/// What the steps of a path did in one of the runs.
fn told(differences: &Differences<'_, '_>, path: &Path, side: Side) -> Result<HashMap<Step, Told>, TechniqueError> {
    let steps: BTreeSet<Step> = path.steps.iter().filter_map(|step| differences.execution(step.id, side)).collect();
    Ok(tell_steps(differences.pair.runs.of(side), differences.pair.sources.of(side), &steps)?)
}

/// What the reference alone does in one place is told once, by the last of it; and with what the failing run does there
/// instead.
fn folded(stages: Vec<Stage>, other: &str) -> Vec<Stage> {
    let mut folded: Vec<Stage> = Vec::new();
    for stage in stages {
        let is_here = |last: &&mut Stage| {
            (&last.location.file, last.location.line) == (&stage.location.file, stage.location.line)
        };
        match (folded.last_mut().filter(is_here), stage.doer) {
            (Some(last), Doer::Reference(_)) if last.doer != Doer::Failing => {
                *last = Stage { is_head: last.is_head || stage.is_head, count: last.count + stage.count, ..stage };
            }
            (Some(last), Doer::Failing) if last.doer != Doer::Failing => {
                let text = format!("{}; in {other}, {}", stage.text, last.text);
                *last = Stage { text, is_head: last.is_head || stage.is_head, ..stage };
            }
            _ => folded.push(stage),
        }
    }
    for stage in &mut folded {
        let begin = match stage.doer {
            Doer::Failing => continue,
            Doer::Reference(Standing::NotExecuted) => format!("only {other} does this: "),
            Doer::Reference(Standing::Gap) => format!("here {other} goes on otherwise: "),
        };
        stage.text.insert_str(0, &begin);
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
        return Ok(Some((location, Doer::Reference(standing))));
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
    Ok(near.map(|location| (location, Doer::Reference(Standing::Gap))))
}

/// All executions of one statement, by the first and the last of them.
fn sentence(
    differences: &Differences<'_, '_>,
    told: &Sides<HashMap<Step, Told>>,
    group: &[&PathStep],
) -> Result<String, TechniqueError> {
    if let Some(initial) = differences.initial(group[0].id) {
        let more = match group.len() as u64 - 1 {
            0 => String::new(),
            more => format!(", and so {}", counted(more, "more place")),
        };
        return Ok(format!("{}{more}", contents(differences, initial)));
    }
    let of = |step: &PathStep, side: Side| differences.execution(step.id, side).and_then(|at| told.of(side).get(&at));
    let said = |step: &PathStep| given(of(step, Side::Right), of(step, Side::Left));
    let mut text = said(group[0]);
    if let [_, .., last] = group {
        let times = counted(group.len() as u64 - 1, "more time");
        let values = value_of(of(last, Side::Right), of(last, Side::Left));
        text = format!("{text}, and so {times}{}", values.map_or_else(String::new, |v| format!(", at last {v}")));
    }
    if differences.is_changed(group[0].id)? {
        text.push_str("; the reference has this statement in other words");
    } else if differences.is_edited(group[0].id) {
        text.push_str("; the change is made here");
    } else if group.iter().any(|step| step.how == How::Dependence) {
        text.push_str(" (by dependence: no experiment shows it)");
    }
    Ok(text)
}

/// What a step did in the failing run, and in the reference.
fn given(failing: Option<&Told>, reference: Option<&Told>) -> String {
    let Some(failing) = failing else {
        return reference.map_or_else(|| "the runs differ".into(), alone);
    };
    let other = reference.and_then(value).filter(|other| Some(other) != value(failing).as_ref());
    let instead = other.map_or_else(String::new, |other| format!(" instead of {other}"));
    format!("{}{instead}", alone(failing))
}

fn alone(told: &Told) -> String {
    match told {
        Told::Assigns { place, value } if place == "(return value)" => format!("{value} is returned"),
        Told::Assigns { place, value } => format!("`{place}` is given {value}"),
        Told::Decides { condition, outcome } => format!("`{condition}` is {outcome}"),
        Told::Chooses { value, of } => format!("the switch on `{of}` goes by {value}"),
        Told::Calls { name, arguments } => format!("`{name}({})` is called", arguments.join(", ")),
        Told::Returns { function, value: Some(value) } => format!("`{function}` returns {value}"),
        Told::Returns { function, value: None } => format!("`{function}` returns"),
        Told::Has { expression, value } => format!("`{expression}` is {value}"),
    }
}

fn value(told: &Told) -> Option<String> {
    match told {
        Told::Assigns { value, .. } | Told::Chooses { value, .. } | Told::Has { value, .. } => Some(value.clone()),
        Told::Decides { outcome, .. } => Some(outcome.to_string()),
        Told::Returns { value, .. } => value.clone(),
        Told::Calls { .. } => None,
    }
}

/// The values alone.
fn value_of(failing: Option<&Told>, reference: Option<&Told>) -> Option<String> {
    let is = failing.and_then(value)?;
    let other = reference.and_then(value).filter(|other| *other != is);
    Some(other.map_or_else(|| is.clone(), |other| format!("{is} instead of {other}")))
}

fn limits(differences: &Differences<'_, '_>) -> Vec<String> {
    let causes = &differences.causes;
    let mut limits = differences.subject.limits.clone();
    if causes.is_cut || causes.is_unfinished {
        limits.push("there are more differences between the runs than were looked at; the latest were".into());
    }
    let unknown: BTreeMap<&String, &u64> = causes.unknown.iter().collect();
    limits.extend(
        unknown.into_keys().map(|name| format!("what `{name}` does is not known; differences may come through it")),
    );
    limits
}

/// Tells an explanation as findings, the head of the path first.
pub fn tell(
    subject: &Subject<'_, '_>,
    explanation: &Explanation,
    by: Reference,
    found: &mut Found,
) -> Result<(), TechniqueError> {
    found.limits.extend(explanation.limits.iter().cloned());
    if explanation.is_cut_short {
        found
            .limits
            .push("not all experiments on the way to the failure were made; a longer --budget allows them".into());
    }
    found.way = way(subject, explanation)?;
    let with = match by {
        Reference::Version => "the reference",
        Reference::Repaired => "the run that a change makes right",
    };
    let length = counted(explanation.length as u64, "step");
    let shown = if explanation.is_shown { "all shown" } else { "not all shown by experiments" };
    let experiments = counted(explanation.experiments, "experiment");
    found.tried.push(format!("compared with {with}: the way to the failure has {length}, {shown}; {experiments}"));
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
        let is_shown = stage.is_head && by == Reference::Version;
        let kind = if is_shown { EvidenceKind::Experiment } else { EvidenceKind::Dependence };
        let text = match stage.is_head {
            true => format!("here the failing run and {with} begin to differ in what leads to the failure"),
            false => "this is on the way from there to the failure".into(),
        };
        let rank = seen.len() as u32;
        let finding = Finding {
            rank,
            location: stage.location.clone(),
            score: 1.0 / f64::from(rank),
            techniques: vec!["causes".into()],
            message: stage.text.clone(),
            evidence: vec![Evidence { kind, text }],
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
        let link = Link { location: stage.location.clone(), text: stage.text.clone() };
        passages.push(Passage { link, step: stage.step.unwrap_or(last.step), by: None });
    }
    if passages.len() > MOST - 1 {
        let count = passages.len() - (MOST - 1);
        let from = (MOST - 1) / 2;
        passages.drain(from..from + count);
        passages[from].link.text = format!("{} more steps on, {}", count, passages[from].link.text);
    }
    if !passages.is_empty() {
        passages.push(last);
    }
    Ok(passages)
}

pub fn no_reference(remedies: &[Remedy]) -> String {
    if remedies.is_empty() {
        "there is no run to compare with: no change makes the run right; --reference PROG names a version that does"
            .into()
    } else {
        "no repaired run could be compared with the failing one".into()
    }
}
