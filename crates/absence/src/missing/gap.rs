//! Where a value that was old could have been set anew: places that were executed since it was made, and before it was
//! used, with a reason to think of them; and declarations, where it was there from the beginning.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

use execution::predicates::Predicate;
use execution::{Run, Window};
use findings::Location;
use program::{CallKind, FunctionKey, Op, Operand, Site, Type};
use replay::{Observed, Observer, Step};
use source::lines::shown_path;

use super::stale::Stale;
use crate::outcome::{ByStep, Candidate, is_end_of_loop};
use crate::outputs::Writing;
use subject::place::{is_outside_call, own_location};
use subject::{Subject, TechniqueError};

/// A place, and why it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Position of the value.
    pub of: usize,
    pub step: Step,
    pub location: Location,
    pub sign: Sign,
    /// There are enough others of this sign.
    pub is_spare: bool,
}

/// Why something may be missing at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// The value was there from the beginning; this is where that is written.
    Began,
    /// A constant is put there into another part of the same structure, or into a variable that is declared with this one.
    Begins,
    /// Something else is put there into another part of the same structure.
    Sets,
    /// Its condition was decided this way as often as the value is too small.
    Counts { times: u64 },
    /// It wrote to the output as often as the value is too small.
    Wrote { times: u64 },
    /// Had this condition been decided otherwise, the value could have been set; not to what is right, or not only.
    Guards,
    /// A function was given what the value is a part of.
    Given,
    /// The variable keeps its value from one execution of its function to the next; this is where it is declared.
    Lasts,
    /// The same of a variable of all functions.
    Keeps,
    /// The function that set the value ended there.
    Ends,
    /// The function that used it began there.
    Enters,
}

impl Sign {
    /// The most telling first.
    fn rank(self) -> u32 {
        match self {
            Sign::Began => 0,
            Sign::Lasts => 1,
            Sign::Begins => 2,
            Sign::Wrote { .. } => 3,
            Sign::Counts { .. } => 4,
            Sign::Guards => 5,
            Sign::Sets => 6,
            Sign::Given => 7,
            Sign::Keeps => 8,
            Sign::Ends => 9,
            Sign::Enters => 10,
        }
    }

    /// Whether it says more than that a place was executed in between.
    pub fn is_telling(self) -> bool {
        match self {
            Sign::Began | Sign::Lasts | Sign::Begins | Sign::Wrote { .. } | Sign::Guards => true,
            // Much is done once.
            Sign::Counts { times } => times > 1,
            Sign::Sets | Sign::Given | Sign::Keeps | Sign::Ends | Sign::Enters => false,
        }
    }

    /// Lines told before it is the turn of weaker signs.
    fn most(self) -> usize {
        match self {
            Sign::Ends | Sign::Enters => 8,
            _ => 3,
        }
    }
}

/// More than this is no count of anything.
const MOST_TIMES: u64 = 1000;

/// What is known of the failing run.
#[derive(Clone, Copy)]
pub struct Executed<'a> {
    pub predicates: &'a ByStep,
    /// Calls that wrote to the output.
    pub written: &'a [Writing],
    /// Conditions that uses potentially depend on.
    pub open: &'a [Candidate],
}

/// Places for all of these values, those of the most telling signs first, each line once.
pub fn gaps(subject: &Subject<'_, '_>, executed: Executed<'_>, stale: &[Stale]) -> Result<Vec<Gap>, TechniqueError> {
    let mut found: Vec<Gap> = Vec::new();
    if stale.is_empty() {
        return Ok(found);
    }
    for (of, (one, seen)) in stale.iter().zip(between(subject, stale)?).enumerate() {
        let mut add = |sign: Sign, steps: Vec<Step>| {
            let places = steps.into_iter().filter_map(|step| Some((step, own_location(subject.run, step)?)));
            found.extend(places.map(|(step, location)| Gap { of, step, location, sign, is_spare: false }));
        };
        add(Sign::Begins, latest_first(seen.begins.into_values()));
        if let Some(times) = too_small_by(one) {
            add(Sign::Wrote { times }, written(executed.written, one, times));
            add(Sign::Counts { times }, counted(subject.run, executed.predicates, one, times));
        }
        let guards = executed.open.iter().filter(|candidate| candidate.users.contains(&one.user));
        add(Sign::Guards, latest_first(guards.map(|candidate| candidate.predicate.at)));
        add(Sign::Sets, latest_first(seen.sets.into_values()));
        add(Sign::Given, latest_first(seen.given.into_values().chain(seen.entered.into_values())));
        add(Sign::Ends, latest_first(seen.ends.into_iter()));
        add(Sign::Enters, seen.enters.into_iter().collect());
        found.extend(declaration(subject, one).map(|(sign, location)| Gap {
            of,
            step: one.user,
            location,
            sign,
            is_spare: false,
        }));
    }
    found.sort_by_key(|gap| gap.sign.rank());
    let mut lines: HashSet<(String, u32)> = HashSet::new();
    let mut counts: HashMap<Discriminant<Sign>, usize> = HashMap::new();
    for gap in &mut found {
        let count = counts.entry(discriminant(&gap.sign)).or_default();
        let is_told = *count < gap.sign.most() && lines.insert((gap.location.file.clone(), gap.location.line));
        gap.is_spare = !is_told;
        *count += usize::from(is_told);
    }
    found.retain(|gap| !gap.is_spare || lines.insert((gap.location.file.clone(), gap.location.line)));
    Ok(found)
}

fn latest_first(steps: impl Iterator<Item = Step>) -> Vec<Step> {
    let mut steps: Vec<Step> = steps.collect();
    steps.sort_unstable_by(|a, b| b.cmp(a));
    steps
}

/// Where the variable that holds a value is declared.
fn declaration(subject: &Subject<'_, '_>, stale: &Stale) -> Option<(Sign, Location)> {
    let symbol = subject.sources.symbol(stale.address?)?;
    let line = symbol.declared?;
    let location = Location { file: shown_path(&line.file), line: line.line, column: 0, function: String::new() };
    let sign = match stale.maker {
        None => Sign::Began,
        Some(maker) if is_within(subject, maker, &location) && is_within(subject, stale.user, &location) => Sign::Lasts,
        Some(_) => Sign::Keeps,
    };
    Some((sign, location))
}

/// Whether a line is one of the function of a step, before it.
fn is_within(subject: &Subject<'_, '_>, at: Step, place: &Location) -> bool {
    let begin = subject.run.functions.function(at.site.function).location.map_or(u32::MAX, |begin| begin.line);
    let own = own_location(subject.run, at);
    own.is_some_and(|own| own.file == place.file && (begin..=own.line).contains(&place.line))
}

/// What should have been counted, as often as this.
fn too_small_by(stale: &Stale) -> Option<u64> {
    let times = stale.right.wrapping_sub(stale.value);
    (matches!(stale.ty, Type::Int(_)) && (1..=MOST_TIMES).contains(&times)).then_some(times)
}

/// Calls that wrote as often as that: what is told to the user is often counted, too. The latest first.
fn written(all: &[Writing], stale: &Stale, times: u64) -> Vec<Step> {
    let mut by_place: BTreeMap<Site, Vec<Step>> = BTreeMap::new();
    for at in all.iter().map(|one| one.at).filter(|at| at.is_before(stale.user)) {
        by_place.entry(at.site).or_default().push(at);
    }
    let as_often = by_place.into_values().filter(|calls| calls.len() as u64 == times);
    latest_first(as_often.filter_map(|calls| calls.into_iter().max()))
}

/// Conditions with an outcome that came as often as that.
fn counted(run: &Run<'_>, predicates: &ByStep, stale: &Stale, times: u64) -> Vec<Step> {
    let mut outcomes: BTreeMap<Site, [Vec<&Predicate>; 2]> = BTreeMap::new();
    for predicate in predicates.values().filter(|one| one.at.clock < stale.user.clock) {
        let at = predicate.at;
        let op = &run.functions.instruction(at.site).op;
        if matches!(op, Op::Branch { .. }) {
            let of_site = outcomes.entry(at.site).or_default();
            of_site[usize::from(predicate.value != 0)].push(predicate);
        }
    }
    let mut found = Vec::new();
    for of_site in outcomes.into_values() {
        for (these, others) in [(&of_site[0], &of_site[1]), (&of_site[1], &of_site[0])] {
            let Some(last) = these.iter().max_by_key(|one| one.at) else { continue };
            if these.len() as u64 == times && !is_end_of_loop(run, last) {
                found.push((others.len(), last.at));
            }
        }
    }
    // An outcome that is rare among many says more.
    found.sort_by_key(|(others, at)| (std::cmp::Reverse(*others), *at));
    found.into_iter().map(|(_, at)| at).collect()
}

/// What was executed between where a value was made and where it was used.
#[derive(Clone, Default)]
struct Between {
    /// The last store of a constant to each address of what belongs with the value.
    begins: BTreeMap<u64, Step>,
    /// The same of something else.
    sets: BTreeMap<u64, Step>,
    /// The last call of each place that was given such an address.
    given: BTreeMap<Site, Step>,
    /// The first step of the last such execution of each function.
    entered: BTreeMap<FunctionKey, Step>,
    is_entering: bool,
    /// The rest of the execution of the function that made it.
    ends: BTreeSet<Step>,
    has_ended: bool,
    /// The execution of the function that used it.
    enters: BTreeSet<Step>,
}

fn between(subject: &Subject<'_, '_>, stale: &[Stale]) -> Result<Vec<Between>, TechniqueError> {
    let made = |one: &Stale| one.maker.map_or(0, |maker| maker.clock);
    let first = stale.iter().map(made).min().unwrap_or(0);
    let last = stale.iter().map(|one| one.user.clock).max().unwrap_or(0);
    let mut watch = Watch { subject, stale, seen: vec![Between::default(); stale.len()] };
    for window in (subject.run.window_at(first).0..=subject.run.window_at(last + 1).0).map(Window) {
        if subject.is_over() {
            break;
        }
        watch = subject.run.replay(window, watch)?;
    }
    Ok(watch.seen)
}

struct Watch<'a, 's, 'r> {
    subject: &'a Subject<'s, 'r>,
    stale: &'a [Stale],
    seen: Vec<Between>,
}

/// Steps kept of the execution of a function.
const MOST_KEPT: usize = 200;

impl Watch<'_, '_, '_> {
    fn note(&mut self, at: Step, step: &Observed<'_>) {
        let op = &step.instruction().op;
        let set = what_is_set(step);
        let call = op.call().filter(|_| !is_outside_call(self.subject.run, at));
        let arguments = call.into_iter().flat_map(|call| &call.arguments);
        let given: Vec<u64> = arguments.filter_map(|argument| step.operand(argument).first().copied()).collect();
        let is_return = matches!(op, Op::Return { .. });
        let is_written = step.instruction().location.is_some_and(|own| own.line > 0);
        for (one, seen) in self.stale.iter().zip(&mut self.seen) {
            if one.maker.is_some_and(|maker| !maker.is_before(at)) || !at.is_before(one.user) {
                continue;
            }
            let belongs = |address: &u64| one.beside.iter().any(|(begin, end)| (*begin..*end).contains(address));
            if let Some(set) = set.filter(|set| belongs(&set.address)) {
                let (begin, end) = (set.address, set.address + set.size);
                let is_own = one.address.is_some_and(|own| begin < own + one.ty.store_size() && own < end);
                match (is_own, set.is_constant) {
                    (true, _) => {}
                    (false, true) => drop(seen.begins.insert(begin, at)),
                    (false, false) => drop(seen.sets.insert(begin, at)),
                }
            }
            // What puts parameters in their places is written nowhere.
            if seen.is_entering && is_written {
                seen.is_entering = false;
                seen.entered.insert(at.site.function, at);
            }
            if given.iter().any(belongs) {
                seen.given.insert(at.site, at);
                seen.is_entering = true;
            }
            if let Some(maker) = one.maker
                && (maker.site.function, maker.depth) == (at.site.function, at.depth)
                && !seen.has_ended
            {
                seen.has_ended = is_return;
                seen.ends.extend((!is_return).then_some(at));
            }
            if (one.user.site.function, one.user.depth) == (at.site.function, at.depth) {
                if is_return {
                    seen.enters.clear();
                } else if seen.enters.len() < MOST_KEPT {
                    seen.enters.insert(at);
                }
            }
        }
    }
}

/// Where a step puts something.
#[derive(Clone, Copy)]
struct SetHere {
    address: u64,
    size: u64,
    is_constant: bool,
}

fn what_is_set(step: &Observed<'_>) -> Option<SetHere> {
    let (to, size, value) = match &step.instruction().op {
        Op::Store { value, value_type, address, local: None, .. } => (address, value_type.store_size(), value),
        op => {
            let call = op.call().filter(|call| call.kind == CallKind::Memory)?;
            let [to, value, length, ..] = &call.arguments[..] else { return None };
            (to, *step.operand(length).first()?, value)
        }
    };
    let address = *step.operand(to).first()?;
    Some(SetHere { address, size, is_constant: matches!(value, Operand::Constant(_)) })
}

impl Observer for Watch<'_, '_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        let op = &step.instruction().op;
        let is_noted = matches!(op, Op::Store { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Return { .. });
        if !is_noted && op.call().is_none() {
            return;
        }
        let at = step.step();
        if !self.subject.run.functions.is_twin(at.site.function) {
            self.note(at, step);
        }
    }
}
