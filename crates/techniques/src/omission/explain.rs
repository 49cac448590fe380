//! Implicit dependences and the final set in sentences, in the order in which to look at them.
//!
//! A condition that only looks at a flag can hardly be wrong itself: what set the flag comes first. Any other condition
//! comes before what it was computed from. Then follow the rest of what it was computed from, nearest first, and the rest
//! of the set, nearest to the failure first.

use std::collections::{BTreeSet, HashMap, HashSet};

use execution::dependence::Moment;
use execution::told::{Told, tell};
use experiment::Change;
use findings::{Evidence, EvidenceKind, Finding, Location};
use program::{ConstantOp, ICmp, Op, Operand};

use super::expand::{Expanded, Proven};
use super::pruned::Used;
use super::switched::Shown;
use crate::place::{is_common_end, is_outside_call, location, own_location};
use crate::wording::{counted, happened, is_right, ordinal, would_be_right};
use crate::{Fineness, Repair, Subject, Suspect, TechniqueError};

/// Findings shown.
const MOST: usize = 50;

/// Why a line is in the set.
enum Reason<'a> {
    /// A condition that kept something from running.
    Kept(&'a Proven),
    /// Used by such a condition.
    UsedBy(&'a Proven, u32),
    /// The failure depends on it.
    Failure(u32),
}

struct Entry<'a> {
    step: Moment,
    location: Location,
    reason: Reason<'a>,
}

pub fn suspects(subject: &Subject<'_, '_>, expanded: &Expanded) -> Result<Vec<Suspect>, TechniqueError> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut known: HashSet<(String, u32)> = HashSet::new();
    for entry in ordered(subject, expanded) {
        if known.insert((entry.location.file.clone(), entry.location.line)) {
            entries.push(entry);
        }
    }
    entries.truncate(MOST);
    let mut steps: BTreeSet<Moment> = entries.iter().map(|entry| entry.step).collect();
    steps.extend(expanded.proven.iter().map(|proven| proven.predicate.at));
    let told = tell(subject.run, subject.sources, &steps)?;
    Ok(entries.iter().zip(1..).filter_map(|(entry, rank)| suspect(subject, expanded, entry, rank, &told)).collect())
}

/// All there is to say, the likeliest fault first; of one line, its first entry counts.
fn ordered<'a>(subject: &Subject<'_, '_>, expanded: &'a Expanded) -> Vec<Entry<'a>> {
    let mut proven: Vec<&Proven> = expanded.proven.iter().collect();
    let distance = |one: &Proven| {
        let user = expanded.pruned.flow.vertex(one.user);
        user.and_then(|user| expanded.pruned.distance.get(&user).copied()).unwrap_or(0)
    };
    proven.sort_by_key(|one| {
        (!one.passes, !one.is_strong, one.is_nested(), distance(one), std::cmp::Reverse(one.predicate.at))
    });
    let mut order =
        Order { subject, expanded, proven: &proven, entries: Vec::new(), later: Vec::new(), done: HashSet::new() };
    for one in &proven {
        order.add(one);
    }
    let Order { mut entries, mut later, .. } = order;
    later.sort_by_key(away);
    entries.extend(later);
    for (step, distance) in expanded.pruned.statements(subject) {
        let entry = |location| Entry { step, location, reason: Reason::Failure(distance) };
        entries.extend(place(subject, step).map(entry));
    }
    entries
}

/// Conditions and what they were computed from, put in order one by one.
struct Order<'o, 'a, 's, 'r> {
    subject: &'o Subject<'s, 'r>,
    expanded: &'a Expanded,
    proven: &'o [&'a Proven],
    entries: Vec<Entry<'a>>,
    later: Vec<Entry<'a>>,
    done: HashSet<Moment>,
}

impl<'a> Order<'_, 'a, '_, '_> {
    fn add(&mut self, one: &'a Proven) {
        let (subject, at) = (self.subject, one.predicate.at);
        if !self.done.insert(at) {
            return;
        }
        let found = self.expanded.pruned.by_values(subject, at);
        let used: Vec<Used> =
            found.statements.into_iter().filter(|used| !is_outside_call(subject.run, used.step)).collect();
        let nearest = used.iter().filter(|used| !used.passes_on).map(|used| used.away).min();
        let (near, far): (Vec<Used>, Vec<Used>) =
            used.into_iter().partition(|used| Some(used.away) == nearest && !used.passes_on);
        let entries_of = |used: Vec<Used>| {
            let of = |used: Used| {
                let location = place(subject, used.step)?;
                Some(Entry { step: used.step, location, reason: Reason::UsedBy(one, used.away) })
            };
            used.into_iter().filter_map(of).collect::<Vec<_>>()
        };
        let condition =
            location(subject.run, at).map(|location| Entry { step: at, location, reason: Reason::Kept(one) });
        if looks_at_a_flag(subject, at) {
            // What kept the flag from being set decided it as well.
            let deciding = self.proven.iter().copied().filter(|other| found.steps.contains(&other.user));
            for other in deciding.collect::<Vec<_>>() {
                self.add(other);
            }
            self.entries.extend(entries_of(near));
            self.entries.extend(condition);
        } else {
            self.entries.extend(condition);
            self.entries.extend(entries_of(near));
        }
        self.later.extend(entries_of(far));
    }
}

fn away(entry: &Entry<'_>) -> u32 {
    match entry.reason {
        Reason::Kept(_) => 0,
        Reason::UsedBy(_, away) | Reason::Failure(away) => away,
    }
}

/// Where a step is, if it is one that somebody wrote.
fn place(subject: &Subject<'_, '_>, step: Moment) -> Option<Location> {
    let is_seen = !subject.run.functions.is_twin(step.function) && !is_common_end(subject.run, step);
    own_location(subject.run, step).filter(|_| is_seen)
}

/// Whether a condition is the truth of a variable, or that of its negation: nothing is computed in it.
fn looks_at_a_flag(subject: &Subject<'_, '_>, at: Moment) -> bool {
    let function = subject.run.functions.function(at.function);
    let Op::Branch { condition, .. } = &function.instruction(at.instruction).op else { return false };
    let mut operand = condition;
    loop {
        let Operand::Result(id) = operand else { return false };
        operand = match &function.instruction(*id).op {
            Op::Load { .. } => return true,
            Op::Cast { value, .. } => value,
            Op::ICmp { op: ICmp::Ne | ICmp::Eq, lhs, rhs: Operand::Constant(zero), .. }
                if matches!(zero.op, ConstantOp::Zero | ConstantOp::Scalar(0)) =>
            {
                lhs
            }
            _ => return false,
        };
    }
}

fn suspect(
    subject: &Subject<'_, '_>,
    expanded: &Expanded,
    entry: &Entry<'_>,
    rank: u32,
    told: &HashMap<Moment, Told>,
) -> Option<Suspect> {
    let what = told.get(&entry.step).map_or_else(|| "this was executed".into(), happened);
    let (message, evidence) = match &entry.reason {
        Reason::Kept(one) => {
            let all: Vec<&Proven> =
                expanded.proven.iter().filter(|other| site(other.predicate.at) == site(one.predicate.at)).collect();
            let mut evidence: Vec<Evidence> = all.iter().map(|one| shown(subject, one)).collect();
            // Several uses of one line are one to the reader.
            let mut known = HashSet::new();
            evidence.retain(|one| known.insert(one.text.clone()));
            evidence.truncate(MOST_EVIDENCE);
            (kept(subject, one, told.get(&one.predicate.at)), evidence)
        }
        Reason::UsedBy(one, _) => {
            let condition = location(subject.run, one.predicate.at)?;
            let text =
                format!("{what}; the condition at line {} uses it, which {}", condition.line, effect(subject, one));
            let evidence = Evidence {
                kind: EvidenceKind::Dependence,
                text: format!("the condition at line {} uses what was made here", condition.line),
            };
            (text, vec![evidence])
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
    Some(Suspect { finding, steps: vec![entry.step], fineness: Fineness::Decided, tier: rank })
}

/// Pieces of evidence for a condition.
const MOST_EVIDENCE: usize = 5;

fn site(at: Moment) -> (execution::FunctionKey, abi::InstructionId) {
    (at.function, at.instruction)
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
        Shown::Unaffected => "had no effect".into(),
    }
}

fn user(subject: &Subject<'_, '_>, one: &Proven) -> Option<Location> {
    location(subject.run, one.user).filter(|_| !subject.run.functions.is_twin(one.user.function))
}

fn kept(subject: &Subject<'_, '_>, one: &Proven, told: Option<&Told>) -> String {
    let (was, other) = match told {
        Some(Told::Decides { condition, outcome }) => {
            (format!("`{condition}` was {outcome} here"), format!("had it been {}", !outcome))
        }
        Some(Told::Chooses { of, value }) => {
            (format!("the switch on `{of}` went by {value} here"), "had it gone another way".into())
        }
        _ => ("this condition was decided here".into(), "had it gone the other way".into()),
    };
    let then = match &one.shown {
        Shown::Redefined { by: Some(by), .. } => format!("so line {} did not run", by.line),
        Shown::Redefined { by: None, .. } => "so something did not run".into(),
        Shown::Missing => match user(subject, one) {
            Some(user) => format!("so line {} ran", user.line),
            None => "so something ran".into(),
        },
        Shown::Unaffected => String::new(),
    };
    let and = if one.is_nested() { ", together with a condition inside it" } else { "" };
    match (one.passes, one.is_strong) {
        (true, _) => format!("{was}, {then}; {other}{and}, {}", would_be_right(subject, Repair::All)),
        (false, true) => format!("{was}, {then}; {other}{and}, what is wrong first would have been right"),
        (false, false) => format!("{was}, {then}, which the failure depends on"),
    }
}

/// The experiment, and what it showed.
fn shown(subject: &Subject<'_, '_>, one: &Proven) -> Evidence {
    let how = match (one.experiment.first().map(|first| &first.change), one.predicate.value) {
        (Some(Change::Replace(value)), _) => format!("by {value}"),
        (_, 0) => "true".into(),
        _ => "false".into(),
    };
    let which = ordinal(one.predicate.occurrence);
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
        (Shown::Missing | Shown::Unaffected, _) => "the failure does not come about".into(),
    };
    let right = match (one.passes, one.is_strong) {
        (true, _) => format!(", and {}", is_right(subject, Repair::All)),
        (false, true) => ", and what was wrong first is right".into(),
        (false, false) => String::new(),
    };
    // What makes only the first wrong output right is a sign, not yet an answer.
    let kind = if one.passes { EvidenceKind::Experiment } else { EvidenceKind::Dependence };
    Evidence { kind, text: format!("with this condition {how} on its {which} evaluation{and}, {finds}{right}") }
}

/// What was tried.
pub fn tried(expanded: &Expanded) -> String {
    let Expanded { explicit: (whole, unsure), candidates, proven, left, said, .. } = expanded;
    let conditions: HashSet<Moment> = proven.iter().map(|one| one.predicate.at).collect();
    let shown = match (conditions.len() as u64, proven.iter().any(|one| one.is_strong)) {
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
    if expanded.is_over {
        limits.push("time was up before all omissions were looked for; a longer --budget allows more".into());
    }
    limits
}
