//! Implicit dependences and the final set in sentences.

use std::collections::{BTreeSet, HashMap, HashSet};

use experiment::Change;
use findings::{Evidence, EvidenceKind, Finding, Location};
use replay::Step;
use source::named::Named;
use source::told::{Told, tell, value_in};

use super::deciding::Deciding;
use super::declared::Declared;
use super::expand::{Expanded, Proven};
use super::gap::{Gap, Sign};
use super::order::{Entry, Reason};
use super::stale::Stale;
use super::switched::{Righted, Shown};
use crate::telling::place::location;
use crate::telling::wording::{counted, happened, is_right, ordinal, would_be_right};
use crate::trying::edited::edited;
use crate::{Fineness, Omitted, Repair, Subject, Suspect, TechniqueError};

pub fn suspects(
    subject: &Subject<'_, '_>,
    expanded: &Expanded,
    entries: &[Entry<'_>],
) -> Result<Vec<Suspect>, TechniqueError> {
    let mut steps: BTreeSet<Step> = entries.iter().map(|entry| entry.step).collect();
    steps.extend(expanded.deciding.iter().map(|one| one.predicate.at));
    steps.extend(expanded.proven.iter().map(|proven| proven.predicate.at));
    steps.extend(expanded.stale.iter().map(|one| one.user));
    let told = tell(subject.run, subject.sources, &steps)?;
    let suspects = entries.iter().zip(1..).map(|(entry, rank)| suspect(subject, expanded, entry, rank, &told));
    suspects.filter_map(Result::transpose).collect()
}

fn suspect(
    subject: &Subject<'_, '_>,
    expanded: &Expanded,
    entry: &Entry<'_>,
    rank: u32,
    told: &HashMap<Step, Told>,
) -> Result<Option<Suspect>, TechniqueError> {
    let what = match &entry.began {
        Some(Declared { name, is_namesake: false, .. }) => format!("`{name}` still had what it began with"),
        Some(Declared { name, .. }) => {
            format!("another variable of the name `{name}` still had what it began with, which this one hides")
        }
        None => told.get(&entry.step).map_or_else(|| "this was executed".into(), happened),
    };
    let (message, evidence) = match &entry.reason {
        Reason::Kept(one) => {
            let all: Vec<&Proven> =
                expanded.proven.iter().filter(|other| site(other.predicate.at) == site(one.predicate.at)).collect();
            let mut evidence: Vec<Evidence> = all.iter().map(|one| shown(subject, one)).collect::<Result<_, _>>()?;
            // Several uses of one line are one to the reader.
            let mut known = HashSet::new();
            evidence.retain(|one| known.insert(one.text.clone()));
            evidence.truncate(MOST_EVIDENCE);
            (kept(subject, one, told.get(&one.predicate.at)), evidence)
        }
        Reason::Decided(one) => {
            let (was, other) = decided(told.get(&one.predicate.at));
            let (kind, would, is) = match one.effect.righted {
                Righted::All => {
                    let [would, is] = [would_be_right, is_right].map(|say| say(subject, Repair::All));
                    (EvidenceKind::Experiment, would, is)
                }
                _ => (
                    EvidenceKind::Dependence,
                    "what is wrong first would have been right".into(),
                    "what was wrong first is right".into(),
                ),
            };
            let shown = format!("{}, {is}", reversed(subject, one)?);
            (format!("{was}; {other}, {would}"), vec![Evidence { kind, text: shown }])
        }
        Reason::LeftAlone(one) => {
            let Some(condition) = condition_at(subject, one.at, &entry.location) else { return Ok(None) };
            let why = format!("this call left as it was what {condition} used");
            (why.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text: why }])
        }
        Reason::Beside(one) => {
            let Some(condition) = condition_at(subject, one.at, &entry.location) else { return Ok(None) };
            let why = format!("{what}, but never the part of it that {condition} used");
            (why.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text: why }])
        }
        Reason::Omitted(one) => {
            let Some(condition) = condition_at(subject, one.at, &entry.location) else { return Ok(None) };
            let text = format!("this did not run, because of {condition}");
            (text.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text }])
        }
        Reason::UsedBy(one, _) => {
            let Some(condition) = condition_at(subject, one.at, &entry.location) else { return Ok(None) };
            let uses = format!("{what}; {condition} uses it");
            let text = match one.proven {
                Some(proven) => format!("{uses}, which {}", effect(subject, proven)),
                None => uses,
            };
            let evidence =
                Evidence { kind: EvidenceKind::Dependence, text: format!("{condition} uses what was made here") };
            (text, vec![evidence])
        }
        Reason::Behind(one, _) => {
            let Some(condition) = condition_at(subject, one.at, &entry.location) else { return Ok(None) };
            let why = format!("it decided on what {condition} used");
            (format!("{what}; {why}"), vec![Evidence { kind: EvidenceKind::Dependence, text: why }])
        }
        Reason::Ran(one) => {
            let Some(condition) = condition_at(subject, one.at, &entry.location) else { return Ok(None) };
            let text = format!("this ran because of {condition}");
            (text.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text }])
        }
        Reason::Left(one) => {
            let is_condition = location(subject.run, one.at).is_some_and(|place| place.line == entry.location.line);
            let first = match condition_at(subject, one.at, &entry.location) {
                Some(condition) if !is_condition => format!("this ran because of {condition}"),
                _ => what,
            };
            let text = format!("{first}, and the loop was left before its end");
            (text.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text }])
        }
        Reason::NoCase(at) => {
            let line = location(subject.run, *at).map_or(0, |place| place.line);
            let value = match told.get(at) {
                Some(Told::Chooses { value, .. }) => format!(" for {value}"),
                _ => String::new(),
            };
            let text = format!("the switch at line {line} has no case{value}; this is the nearest it has");
            (text.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text }])
        }
        Reason::Novel(one) => {
            let is_condition = location(subject.run, one.at).is_some_and(|place| place.line == entry.location.line);
            let first = match condition_at(subject, one.at, &entry.location) {
                Some(condition) if !is_condition => format!("this ran because of {condition}, which came out so"),
                _ => format!("{what},"),
            };
            let text = format!("{first} for the first time, while something else should have been written");
            (text.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text }])
        }
        Reason::Missing(gap, stale) => missing(subject, gap, stale, &what, told),
        Reason::Defined(Named { name, value, .. }, line) => {
            let text = format!("`{name}` is {value} by this line, and is used at line {line}");
            (text.clone(), vec![Evidence { kind: EvidenceKind::Dependence, text }])
        }
        Reason::Failure(distance) => {
            let away = match distance {
                0 => "the failure shows here".to_owned(),
                1 => "the failure depends on it directly".to_owned(),
                distance => format!("the failure depends on it, {} away", counted((*distance).into(), "statement")),
            };
            (format!("{what}; {away}"), vec![Evidence { kind: EvidenceKind::Dependence, text: away }])
        }
    };
    let finding = Finding {
        rank,
        location: entry.location.clone(),
        score: 1.0 / f64::from(rank),
        techniques: vec!["omission".into()],
        message,
        evidence,
    };
    Ok(Some(Suspect { finding, steps: vec![entry.step], fineness: Fineness::Decided, tier: rank }))
}

/// Why a value may not have been set anew at a place, and what shows that it should have been.
fn missing(
    subject: &Subject<'_, '_>,
    gap: &Gap,
    stale: &Stale,
    what: &str,
    told: &HashMap<Step, Told>,
) -> (String, Vec<Evidence>) {
    let name = match told.get(&stale.user) {
        Some(Told::Has { expression, .. }) => format!("`{expression}`"),
        _ => "a value".to_owned(),
    };
    let line = location(subject.run, stale.user).map_or(0, |place| place.line);
    let sign = match gap.sign {
        Sign::Began => format!("{name} has its value from here, and has it still at line {line}"),
        Sign::Begins | Sign::Sets => {
            format!("this sets what belongs with {name}, which is used at line {line} and is not set with it")
        }
        Sign::Wrote { times: 1 } => format!("{what}, only this time; {name} is too small by one at line {line}"),
        Sign::Wrote { times } => {
            format!("{what}, {times} times in all: as often as {name} is too small at line {line}")
        }
        Sign::Guards => format!("{what}; else {name} could have been set, which is used at line {line}"),
        Sign::Given => format!("{what}, and left {name} as it was, which is used at line {line}"),
        Sign::Lasts => format!(
            "this is kept from one execution of the function to the next, and {name} has an old value at line {line}"
        ),
        Sign::Keeps => format!("{name} keeps its value, and has an old one at line {line}"),
        Sign::Counts { times: 1 } => format!("{what}, only this time; {name} is too small by one at line {line}"),
        Sign::Counts { times } => {
            format!("{what}, {times} times in all: as often as {name} is too small at line {line}")
        }
        Sign::Ends => {
            format!("after this the function ended that had set {name}, which was still the same at line {line}")
        }
        Sign::Enters => format!("here the function began that uses {name} at line {line}, which nobody had set anew"),
    };
    let [right, value] = [stale.right, stale.value].map(|value| value_in(subject.sources, &stale.ty, &[value]));
    let how = match stale.address {
        Some(_) => format!("with {right} in {name} at line {line} instead of {value}"),
        None => format!("with {right} stored in {name} instead of {value}"),
    };
    let is = match stale.effect.righted {
        Righted::All => is_right(subject, Repair::All),
        _ => "what was wrong first is right".into(),
    };
    // It shows that the value is wrong, not that this is the place to set it.
    let shown = Evidence { kind: EvidenceKind::Dependence, text: format!("{how}, {is}") };
    (sign.clone(), vec![shown, Evidence { kind: EvidenceKind::Dependence, text: sign }])
}

/// A condition, by its line, and by its file where that is not the one that is spoken of.
fn condition_at(subject: &Subject<'_, '_>, at: Step, beside: &Location) -> Option<String> {
    let Location { file, line, .. } = location(subject.run, at)?;
    Some(match file == beside.file {
        true => format!("the condition at line {line}"),
        false => format!("the condition at {file}:{line}"),
    })
}

/// Pieces of evidence for a condition.
const MOST_EVIDENCE: usize = 5;

fn site(at: Step) -> program::Site {
    at.site
}

/// What a condition did, as a relative clause.
fn effect(subject: &Subject<'_, '_>, one: &Proven) -> String {
    match &one.shown {
        Shown::Redefined { by: Some(by), .. } => format!("kept line {} from running", by.line),
        Shown::Redefined { by: None, .. } => "kept something from running".into(),
        Shown::Missing => match user(subject, one) {
            Some(user) => format!("let line {} run", user.line),
            None => "let something run".into(),
        },
        Shown::Righted => "brought the failure about".into(),
        Shown::Unaffected => "had no effect".into(),
    }
}

fn user(subject: &Subject<'_, '_>, one: &Proven) -> Option<Location> {
    location(subject.run, one.user).filter(|_| !subject.run.functions.is_twin(one.user.site.function))
}

/// What a condition did, and had it gone another way.
fn decided(told: Option<&Told>) -> (String, String) {
    match told {
        Some(Told::Decides { condition, outcome }) => {
            (format!("`{condition}` was {outcome} here"), format!("had it been {}", !outcome))
        }
        Some(Told::Chooses { of, value }) => {
            (format!("the switch on `{of}` went by {value} here"), "had it gone another way".into())
        }
        _ => ("this condition was decided here".into(), "had it gone the other way".into()),
    }
}

fn kept(subject: &Subject<'_, '_>, one: &Proven, told: Option<&Told>) -> String {
    let (was, other) = decided(told);
    let then = match &one.shown {
        Shown::Redefined { by: Some(by), .. } => format!("so line {} did not run", by.line),
        Shown::Redefined { by: None, .. } => "so something did not run".into(),
        Shown::Missing => match user(subject, one) {
            Some(user) => format!("so line {} ran", user.line),
            None => "so something ran".into(),
        },
        Shown::Righted => "so the failure came about".into(),
        Shown::Unaffected => String::new(),
    };
    let and = match (one.is_nested(), one.is_throughout()) {
        (true, _) => ", together with a condition inside it",
        (_, true) => " whenever that was decided",
        _ => "",
    };
    match (one.passes(), one.is_strong()) {
        (true, _) => format!("{was}, {then}; {other}{and}, {}", would_be_right(subject, Repair::All)),
        (false, true) => format!("{was}, {then}; {other}{and}, what is wrong first would have been right"),
        (false, false) => format!("{was}, {then}, which the failure depends on"),
    }
}

/// An experiment, as the beginning of a sentence.
fn reversed(subject: &Subject<'_, '_>, one: &Deciding) -> Result<String, TechniqueError> {
    let which = ordinal(one.predicate.occurrence);
    Ok(match (one.experiment.first().map(|first| &first.change), one.predicate.value) {
        (Some(Change::Edit(edit)), _) => edited(subject, one.predicate.at, *edit)?,
        (Some(Change::Replace(value)), _) => format!("with this condition by {value} on its {which} evaluation"),
        (_, 0) => format!("with this condition true on its {which} evaluation"),
        _ => format!("with this condition false on its {which} evaluation"),
    })
}

/// The experiment, and what it showed.
fn shown(subject: &Subject<'_, '_>, one: &Proven) -> Result<Evidence, TechniqueError> {
    let deciding = Deciding { predicate: one.predicate, experiment: one.experiment.clone(), effect: one.effect };
    let how = reversed(subject, &deciding)?;
    let and = if one.is_nested() { ", and a condition inside it reversed" } else { "" };
    let finds = match (&one.shown, user(subject, one)) {
        (Shown::Redefined { by: Some(by), .. }, Some(user)) => {
            format!("line {} runs and line {} comes to depend on it", by.line, user.line)
        }
        (Shown::Redefined { by: Some(by), .. }, None) => {
            format!("line {} runs and the failure comes to depend on it", by.line)
        }
        (Shown::Redefined { by: None, .. }, Some(user)) => {
            format!("line {} comes to depend on what runs then", user.line)
        }
        (Shown::Redefined { by: None, .. }, None) => "the failure comes to depend on what runs then".into(),
        (Shown::Missing, Some(user)) => format!("line {} does not run", user.line),
        (Shown::Missing | Shown::Righted | Shown::Unaffected, _) => "the failure does not come about".into(),
    };
    let right = match (one.passes(), one.is_strong()) {
        (true, _) => format!(", and {}", is_right(subject, Repair::All)),
        (false, true) => ", and what was wrong first is right".into(),
        (false, false) => String::new(),
    };
    // What makes only the first wrong output right is a sign, not yet an answer.
    let kind = if one.passes() { EvidenceKind::Experiment } else { EvidenceKind::Dependence };
    Ok(Evidence { kind, text: format!("{how}{and}, {finds}{right}") })
}

/// Code that did not run, by the conditions that kept it from running.
pub fn omitted(subject: &Subject<'_, '_>, entries: &[Entry<'_>]) -> Vec<Omitted> {
    let of = |entry: &Entry<'_>| match entry.reason {
        Reason::Omitted(one) => {
            let condition = location(subject.run, one.at)?.line;
            Some(Omitted { location: entry.location.clone(), condition })
        }
        _ => None,
    };
    entries.iter().filter_map(of).collect()
}

/// What was tried, with what is left to look at.
pub fn tried(expanded: &Expanded, left: usize) -> String {
    let Expanded { explicit: (whole, unsure), candidates, proven, said, .. } = expanded;
    let conditions: HashSet<Step> = proven.iter().map(|one| one.predicate.at).collect();
    let shown = match (conditions.len() as u64, proven.iter().any(Proven::is_strong)) {
        (0, _) => "none of them did, as far as runs show".to_owned(),
        (1, false) => "1 did".to_owned(),
        (count, false) => format!("{count} did"),
        (1, true) => "1 did that makes right what was wrong when reversed".to_owned(),
        (count, true) => format!("{count} did that make right what was wrong when reversed"),
    };
    let said = match said {
        (0, 0) => String::new(),
        (right, wrong) => format!("; {} called right, {wrong} wrong", was_or_were(*right)),
    };
    format!(
        "of {} the failure depends on, {unsure} are not surely right; {} could have kept something from running, {shown}; \
         {} left to look at{said}",
        counted(*whole as u64, "step"),
        counted(*candidates as u64, "condition"),
        match left {
            1 => "1 step is".to_owned(),
            _ => format!("{left} steps are"),
        },
    )
}

fn was_or_were(count: usize) -> String {
    format!("{count} {}", if count == 1 { "was" } else { "were" })
}

pub fn limits(expanded: &Expanded) -> Vec<String> {
    let mut limits = Vec::new();
    if expanded.pruned.flow.is_cut {
        let steps = expanded.pruned.flow.steps.len();
        limits.push(format!(
            "of what the failure depends on, only the latest {steps} instructions were looked at for omissions"
        ));
    }
    if expanded.departed > 0 {
        let runs = counted(expanded.departed, "changed run");
        limits.push(format!("{runs} could not be replayed, so what they show of omissions is not known"));
    }
    if expanded.are_uses_cut {
        limits.push(
            "not all places that the failure depends on were looked at for old values, only the likeliest".into(),
        );
    }
    if expanded.is_over {
        limits.push("time was up before all omissions were looked for; a longer --budget allows more".into());
    }
    limits
}
