//! The lines of the final set, in the order in which to look at them.
//!
//! A condition that only looks at a flag can hardly be wrong itself: what set the flag comes first. Any other condition
//! comes before what it was computed from. Then follow conditions further back that make the run right as well, then the rest
//! of what these were computed from and what decided on that, nearest first, and the rest of the set, nearest to the failure
//! first.

use std::collections::{HashMap, HashSet};

use findings::{Line, Location};
use program::{CallKind, ConstantOp, ICmp, Op, Operand};
use replay::Step;
use source::lines::Texts;
use source::named::{Named, named_on};

use super::deciding::Deciding;
use super::expand::Proven;
use super::instead::Instead;
use super::left_alone::LeftAlone;
use super::switched::Shown;
use crate::effect::Effect;
use crate::missing::places::{Place, Places, beside_switch, places};
use crate::missing::{Missing, Suspicion};
use crate::outcome::{Outcomes, arm};
use crate::pruning::{Declared, Pruned, Used};
use subject::Subject;
use subject::place::{is_outside_call, is_system_file, location, written_location};

/// Lines told, and where a condition is known that makes all right when reversed.
const MOST: usize = 50;
const MOST_EXPLAINED: usize = 32;

/// What is known in the end.
#[derive(Clone, Copy)]
pub struct Set<'a> {
    pub pruned: &'a Pruned,
    pub proven: &'a [Proven],
    pub deciding: &'a [Deciding],
    pub left_alone: &'a [LeftAlone],
    pub instead: &'a [Instead],
    pub missing: &'a Missing,
    pub outcomes: &'a Outcomes,
}

/// A condition that something is told of.
#[derive(Clone, Copy)]
pub struct Condition<'a> {
    pub at: Step,
    pub proven: Option<&'a Proven>,
}

/// Why a line is in the set.
pub enum Reason<'a> {
    /// A condition that kept something from running.
    Kept(&'a Proven),
    /// A condition before such a one that makes the run right, too.
    Decided(&'a Deciding),
    /// What did not run because of such a condition.
    Omitted(Condition<'a>),
    /// Used by such a condition.
    UsedBy(Condition<'a>, u32),
    /// A call that could have changed what such a condition used.
    LeftAlone(Condition<'a>),
    /// It set another part of what such a condition used.
    Beside(Condition<'a>),
    /// It decided on what such a condition used.
    Behind(Condition<'a>, u32),
    /// It ran because of such a condition.
    Ran(Condition<'a>),
    /// A statement may be missing there.
    Missing(Suspicion<'a>),
    /// A constant is defined there that stands on such a line, the one of this number.
    Defined(Named, u32),
    /// The failure depends on it.
    Failure(u32),
}

impl Reason<'_> {
    /// Whether an experiment changed just this.
    fn is_shown(&self) -> bool {
        matches!(self, Reason::Kept(_) | Reason::Decided(_))
    }
}

pub struct Entry<'a> {
    pub step: Step,
    pub location: Location,
    pub reason: Reason<'a>,
    /// The variable, where the step used what that began with.
    pub began: Option<Declared>,
}

impl<'a> From<Place<'a>> for Entry<'a> {
    fn from(Place { step, location, suspicion }: Place<'a>) -> Entry<'a> {
        Entry { step, location, reason: Reason::Missing(suspicion), began: None }
    }
}

/// What is told.
pub struct Lines<'a> {
    /// One for each line, the likeliest fault first.
    pub entries: Vec<Entry<'a>>,
    /// How many steps stand behind them.
    pub steps: usize,
}

pub fn by_line<'a>(subject: &Subject<'_, '_>, set: Set<'a>) -> Lines<'a> {
    let (streams, spare) = streams(subject, set);
    let mut steps: HashMap<Line, HashSet<Step>> = HashMap::new();
    for entry in streams.iter().flat_map(|stream| &stream.entries).chain(&spare) {
        steps.entry(line(entry)).or_default().insert(entry.step);
    }
    let mut entries = with_definitions(merged(streams, spare));
    let is_explained = set.proven.iter().any(Proven::passes);
    entries.truncate(if is_explained { MOST_EXPLAINED } else { MOST });
    let steps = entries.iter().filter_map(|entry| steps.get(&line(entry))).map(HashSet::len).sum();
    Lines { entries, steps }
}

fn line(entry: &Entry<'_>) -> Line {
    Line { file: entry.location.file.clone(), line: entry.location.line }
}

/// Entries of one kind, the likeliest first, and how many of them are told before it is the next kind's turn.
struct Stream<'a> {
    entries: Vec<Entry<'a>>,
    share: usize,
}

/// All in turn, each line once. A line stands where it is first thought of, with what says most of it.
fn merged<'a>(streams: Vec<Stream<'a>>, spare: Vec<Entry<'a>>) -> Vec<Entry<'a>> {
    let mut positions: HashMap<Line, usize> = HashMap::new();
    let mut told: Vec<Entry<'_>> = Vec::new();
    let mut open: Vec<_> = streams.into_iter().map(|stream| (stream.share, stream.entries.into_iter())).collect();
    while !open.is_empty() {
        for (share, entries) in &mut open {
            let before = told.len();
            while told.len() < before + *share
                && let Some(entry) = entries.next()
            {
                match positions.get(&line(&entry)) {
                    Some(&first) if entry.reason.is_shown() && !told[first].reason.is_shown() => told[first] = entry,
                    Some(_) => {}
                    None => {
                        positions.insert(line(&entry), told.len());
                        told.push(entry);
                    }
                }
            }
        }
        open.retain(|(_, entries)| entries.len() > 0);
    }
    told.extend(spare.into_iter().filter(|entry| !positions.contains_key(&line(entry))));
    told
}

/// Definitions told.
const MOST_DEFINED: usize = 6;

/// Behind a line with constants that have names, where these are defined: what is wrong with the line may stand there.
fn with_definitions(entries: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    let mut texts = Texts::default();
    let mut known: HashSet<Line> = entries.iter().map(line).collect();
    let mut left = MOST_DEFINED;
    let mut all = Vec::with_capacity(entries.len());
    for entry in entries {
        let (place, step) = (line(&entry), entry.step);
        all.push(entry);
        // Where variables are declared, names are mostly sizes.
        let is_declaration = all.last().is_some_and(|entry: &Entry<'_>| entry.began.is_some());
        if is_declaration && texts.get(&place).is_none_or(|text| !text.contains('=')) {
            continue;
        }
        for one in named_on(&mut texts, &place) {
            if left > 0 && known.insert(one.defined.clone()) {
                left -= 1;
                let Line { file, line } = one.defined.clone();
                let location = Location { file, line, column: 0, function: String::new() };
                all.push(Entry { step, location, reason: Reason::Defined(one, place.line), began: None });
            }
        }
    }
    all
}

/// Steps near to the failure that have a turn of their own.
const MOST_NEAR: usize = 10;

/// All there is to say, by kind; and what is told in the end, if there is room.
fn streams<'a>(subject: &Subject<'_, '_>, set: Set<'a>) -> (Vec<Stream<'a>>, Vec<Entry<'a>>) {
    let mut proven: Vec<&Proven> = set.proven.iter().collect();
    let distance = |one: &Proven| {
        let user = set.pruned.flow.vertex(one.user);
        user.and_then(|user| set.pruned.distance.get(&user).copied()).unwrap_or(0)
    };
    let effect = |one: &Proven| if one.is_strong() { one.effect } else { Effect::NONE };
    proven.sort_by_key(|one| (effect(one), one.is_nested(), distance(one), std::cmp::Reverse(one.predicate.at)));
    let mut order = Order {
        subject,
        set,
        proven: &proven,
        entries: Vec::new(),
        beside: Vec::new(),
        later: Vec::new(),
        done: HashSet::new(),
    };
    for one in proven.iter().filter(|one| one.is_strong()) {
        order.add(one);
    }
    for one in set.deciding {
        order.add_deciding(one);
    }
    let is_shown = !order.entries.is_empty();
    for one in &proven {
        order.add(one);
    }
    let Order { mut entries, beside, mut later, .. } = order;
    later.sort_by_key(away);
    let Places { telling, others, left, novel, spare } = places(subject, set.missing, set.outcomes);
    let [telling, others, left, novel, spare] =
        [telling, others, left, novel, spare].map(|all| all.into_iter().map(Entry::from).collect::<Vec<_>>());
    let mut failure = before_failure(subject, set);
    let stream = |share, entries| Stream { entries, share };
    let signs = [(2, telling), (1, others), (1, left), (1, novel)];
    let (before, after) = match is_shown {
        true => {
            // What is right in part only may lead astray.
            let is_explained = set.proven.iter().any(Proven::passes);
            let near: Vec<_> = failure.drain(..failure.len().min(if is_explained { 0 } else { MOST_NEAR })).collect();
            later.extend(failure);
            (vec![(5, entries), (2, beside), (2, near)], (2, later))
        }
        // Nothing says more about conditions than about what the failure depends on anyway.
        false => {
            entries.extend(later);
            (vec![(3, entries), (3, failure)], (1, beside))
        }
    };
    let streams = before.into_iter().chain(signs).chain([after]).map(|(share, entries)| stream(share, entries));
    (streams.collect(), spare)
}

/// What the failure depends on, the nearest first. Where a condition makes all right when reversed, what was wrong came by
/// there: what lies elsewhere is left out.
fn before_failure<'a>(subject: &Subject<'_, '_>, set: Set<'a>) -> Vec<Entry<'a>> {
    let pruned = set.pruned;
    let passing: HashSet<Step> = set.proven.iter().filter(|one| one.passes()).map(|one| one.user).collect();
    let around = (!passing.is_empty()).then(|| pruned.around(&passing));
    let is_told = |step: Step| around.as_ref().is_none_or(|around| around.contains(&step));
    let mut entries = Vec::new();
    for (step, distance) in pruned.statements(subject) {
        if is_told(step) || distance == 0 {
            let entry = |location| Entry { step, location, reason: Reason::Failure(distance), began: None };
            entries.extend(written_location(subject.run, step).map(entry));
        }
    }
    for (step, distance, declared) in pruned.declarations() {
        if is_told(step) {
            let (location, began) = (declared.location.clone(), Some(declared.clone()));
            entries.push(Entry { step, location, reason: Reason::Failure(distance), began });
        }
    }
    entries.sort_by_key(away);
    entries
}

/// Conditions and what they were computed from, put in order one by one.
struct Order<'o, 'a, 's, 'r> {
    subject: &'o Subject<'s, 'r>,
    set: Set<'a>,
    proven: &'o [&'a Proven],
    entries: Vec<Entry<'a>>,
    /// What ran because of them, and what did not.
    beside: Vec<Entry<'a>>,
    later: Vec<Entry<'a>>,
    done: HashSet<Step>,
}

impl<'a> Order<'_, 'a, '_, '_> {
    fn add(&mut self, one: &'a Proven) {
        let (subject, at) = (self.subject, one.predicate.at);
        let omitted = match &one.shown {
            Shown::Redefined { by: Some(by), .. } if one.is_strong() => Some(by.clone()),
            _ => None,
        };
        let condition = location(subject.run, at).filter(|place| !is_system_file(place));
        let condition = condition.map(|location| Entry { step: at, location, reason: Reason::Kept(one), began: None });
        let arm = if one.is_strong() { arm(subject.run, self.set.outcomes, &one.predicate) } else { Vec::new() };
        self.add_condition(Condition { at, proven: Some(one) }, condition, arm, omitted);
    }

    fn add_deciding(&mut self, one: &'a Deciding) {
        let at = one.predicate.at;
        let condition = location(self.subject.run, at);
        let entry = |location| Entry { step: at, location, reason: Reason::Decided(one), began: None };
        let arm = arm(self.subject.run, self.set.outcomes, &one.predicate);
        self.add_condition(Condition { at, proven: None }, condition.map(entry), arm, None);
    }

    fn add_condition(
        &mut self,
        one: Condition<'a>,
        condition: Option<Entry<'a>>,
        arm: Vec<Location>,
        omitted: Option<Location>,
    ) {
        let (subject, pruned) = (self.subject, self.set.pruned);
        let is_right = pruned.flow.vertex(one.at).is_some_and(|vertex| pruned.is_right(vertex));
        if is_right || !self.done.insert(one.at) {
            return;
        }
        let found = pruned.by_values(subject, one.at);
        let is_program = |used: &Used| is_memory(subject, used.step) || !is_outside_call(subject.run, used.step);
        let used: Vec<Used> = found.statements.into_iter().filter(is_program).collect();
        let nearest = used.iter().filter(|used| !used.passes_on).map(|used| used.away).min();
        let (near, far): (Vec<Used>, Vec<Used>) =
            used.into_iter().partition(|used| Some(used.away) == nearest && !used.passes_on);
        let entries_of = |used: Vec<Used>| {
            let of = |used: Used| {
                let (location, began) = match used.declared {
                    Some(declared) => (declared.location.clone(), Some(declared)),
                    None => (written_location(subject.run, used.step)?, None),
                };
                Some(Entry { step: used.step, location, reason: Reason::UsedBy(one, used.away), began })
            };
            used.into_iter().filter_map(of).collect::<Vec<_>>()
        };
        if looks_at_a_flag(subject, one.at) {
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
        if let Some(predicate) = self.set.outcomes.get(one.at) {
            self.beside.extend(beside_switch(subject, predicate).into_iter().map(Entry::from));
        }
        let ran = |location| Entry { step: one.at, location, reason: Reason::Ran(one), began: None };
        self.beside.extend(arm.into_iter().map(ran));
        let instead = self.set.instead.iter().filter(|line| line.condition == one.at);
        let omitted = omitted.into_iter().chain(instead.map(|line| line.location.clone()));
        let reason = || Reason::Omitted(one);
        self.beside.extend(omitted.map(|location| Entry { step: one.at, location, reason: reason(), began: None }));
        for left in self.set.left_alone.iter().filter(|left| left.condition == one.at) {
            let reason = if left.is_call { Reason::LeftAlone(one) } else { Reason::Beside(one) };
            let entry = |location| Entry { step: left.step, location, reason, began: None };
            self.beside.extend(written_location(subject.run, left.step).map(entry));
        }
        self.later.extend(entries_of(far));
        let behind = pruned.upstream(subject, one.at).into_iter().filter(|(step, _)| !found.steps.contains(step));
        self.later.extend(behind.filter_map(|(step, away)| {
            let entry = |location| Entry { step, location, reason: Reason::Behind(one, away), began: None };
            Some(entry(written_location(subject.run, step)?))
        }));
    }
}

/// Whether a step sets or copies memory as a whole.
fn is_memory(subject: &Subject<'_, '_>, at: Step) -> bool {
    let op = &subject.run.functions.instruction(at.site).op;
    op.call().is_some_and(|call| call.kind == CallKind::Memory)
}

fn away(entry: &Entry<'_>) -> u32 {
    match entry.reason {
        Reason::Kept(_) | Reason::Omitted(_) | Reason::Decided(_) | Reason::LeftAlone(_) => 0,
        Reason::Beside(_) | Reason::Missing(_) | Reason::Ran(_) | Reason::Defined(..) => 0,
        Reason::UsedBy(_, away) | Reason::Behind(_, away) | Reason::Failure(away) => away,
    }
}

/// Whether a condition is the truth of a variable, or that of its negation: nothing is computed in it.
fn looks_at_a_flag(subject: &Subject<'_, '_>, at: Step) -> bool {
    let function = subject.run.functions.function(at.site.function);
    let Op::Branch { condition, .. } = &function.instruction(at.site.instruction).op else { return false };
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
