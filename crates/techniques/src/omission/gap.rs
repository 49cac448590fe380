//! Where a value that was old could have been set anew: places that were executed since it was made, and before it was
//! used, with a reason to think of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use abi::InstructionId;
use execution::dependence::Moment;
use execution::predicates::Predicate;
use execution::{FunctionKey, Run, Window};
use findings::Location;
use program::{CallKind, Op, Operand, Type};
use replay::{Observer, Step};

use super::candidates::ByStep;
use super::left_alone::is_before;
use super::stale::Stale;
use crate::place::own_location;
use crate::{Subject, TechniqueError};

/// A place, and why it is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Position of the value.
    pub of: usize,
    pub step: Moment,
    pub sign: Sign,
}

/// Why something may be missing at a place; the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// A constant is put there into another part of the same structure.
    Begins,
    /// Its condition was decided this way as often as the value is too small.
    Counts { times: u64 },
    /// The function that set the value ended there.
    Ends,
    /// The function that used it began there.
    Enters,
}

impl Sign {
    /// Whether it says more than that a place was executed in between.
    pub fn is_telling(self) -> bool {
        match self {
            Sign::Begins => true,
            // Much is done once.
            Sign::Counts { times } => times > 1,
            Sign::Ends | Sign::Enters => false,
        }
    }
}

/// Lines told for each kind of sign.
const MOST_OF_SIGN: usize = 3;
/// At the end, or the beginning, of a function.
const MOST_OF_FUNCTION: usize = 3;
/// More than this is no count of anything.
const MOST_TIMES: u64 = 1000;

/// Places for all of these values, those of the most telling signs first, each line once.
pub fn gaps(subject: &Subject<'_, '_>, predicates: &ByStep, stale: &[Stale]) -> Result<Vec<Gap>, TechniqueError> {
    let mut found = Vec::new();
    if !stale.is_empty() {
        let seen = between(subject, stale)?;
        for (of, (one, seen)) in stale.iter().zip(seen).enumerate() {
            let gap = |sign: Sign| move |step: Moment| Gap { of, step, sign };
            let mut begins: Vec<Moment> = seen.begins.into_values().collect();
            begins.sort_unstable();
            found.extend(begins.into_iter().rev().map(gap(Sign::Begins)));
            found.extend(counted(subject.run, predicates, one).into_iter().map(|(step, sign)| Gap { of, step, sign }));
            let ends = own_lines(subject, seen.ends.into_iter().rev());
            found.extend(ends.into_iter().take(MOST_OF_FUNCTION).map(gap(Sign::Ends)));
            let enters = own_lines(subject, seen.enters.into_iter());
            found.extend(enters.into_iter().take(MOST_OF_FUNCTION).map(gap(Sign::Enters)));
        }
    }
    found.sort_by_key(|gap| match gap.sign {
        Sign::Begins => 0,
        Sign::Counts { .. } => 1,
        Sign::Ends => 2,
        Sign::Enters => 3,
    });
    let mut lines: HashSet<(String, u32)> = HashSet::new();
    let mut counts: HashMap<std::mem::Discriminant<Sign>, usize> = HashMap::new();
    found.retain(|gap| {
        let count = counts.entry(std::mem::discriminant(&gap.sign)).or_default();
        let is_new = |place: Location| lines.insert((place.file, place.line));
        let is_told = *count < MOST_OF_SIGN && own_location(subject.run, gap.step).is_some_and(is_new);
        *count += usize::from(is_told);
        is_told
    });
    Ok(found)
}

/// The first step of each line, in order.
fn own_lines(subject: &Subject<'_, '_>, steps: impl Iterator<Item = Moment>) -> Vec<Moment> {
    let mut lines = HashSet::new();
    let mut is_new = |at: &Moment| {
        let place = own_location(subject.run, *at);
        place.is_some_and(|place| lines.insert((place.file, place.line)))
    };
    steps.filter(|at| is_new(at)).collect()
}

/// Conditions with an outcome that came as often as the value is too small: each time, it should have been counted.
fn counted(run: &Run<'_>, predicates: &ByStep, stale: &Stale) -> Vec<(Moment, Sign)> {
    let times = stale.right.wrapping_sub(stale.value);
    if !matches!(stale.ty, Type::Int(_)) || !(1..=MOST_TIMES).contains(&times) {
        return Vec::new();
    }
    let mut outcomes: BTreeMap<(FunctionKey, InstructionId), [Vec<&Predicate>; 2]> = BTreeMap::new();
    for predicate in predicates.values().filter(|one| one.at.clock < stale.user.clock) {
        let at = predicate.at;
        let of_site = outcomes.entry((at.function, at.instruction)).or_default();
        of_site[usize::from(predicate.value != 0)].push(predicate);
    }
    let mut found = Vec::new();
    for ((key, site), of_site) in outcomes {
        let Op::Branch { then, otherwise, .. } = run.functions.function(key).instruction(site).op else { continue };
        let shape = run.functions.shape(key);
        let block = shape.block_of(site);
        for (outcome, to) in [(false, otherwise), (true, then)] {
            let (these, others) = (&of_site[usize::from(outcome)], &of_site[usize::from(!outcome)]);
            // The end of a loop comes once for each time it is begun.
            let is_end = shape.loops.innermost(block).is_some_and(|inner| !shape.loops.contains(inner, to));
            if these.len() as u64 == times && !others.is_empty() && !is_end {
                let last = these.iter().map(|one| one.at).max();
                found.extend(last.map(|at| (others.len(), at, Sign::Counts { times })));
            }
        }
    }
    // An outcome that is rare among many says more.
    found.sort_by_key(|(others, at, _)| (std::cmp::Reverse(*others), *at));
    found.into_iter().map(|(_, at, sign)| (at, sign)).collect()
}

/// What was executed between where a value was made and where it was used.
#[derive(Clone, Default)]
struct Between {
    /// The last store of a constant to each other part of the structure, by address.
    begins: BTreeMap<u64, Moment>,
    /// The rest of the execution of the function that made it.
    ends: BTreeSet<Moment>,
    has_ended: bool,
    /// The execution of the function that used it.
    enters: BTreeSet<Moment>,
}

fn between(subject: &Subject<'_, '_>, stale: &[Stale]) -> Result<Vec<Between>, TechniqueError> {
    let made = |one: &Stale| one.maker.map_or(0, |maker| maker.clock);
    let first = stale.iter().map(made).min().unwrap_or(0);
    let last = stale.iter().map(|one| one.user.clock).max().unwrap_or(0);
    let mut watch = Watch { subject, stale, seen: vec![Between::default(); stale.len()], handlers: 0 };
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
    handlers: u32,
}

impl Watch<'_, '_, '_> {
    fn note(&mut self, at: Moment, step: &Step<'_>) {
        let op = &step.instruction().op;
        let set = constant_set(step);
        let is_statement =
            matches!(op, Op::Store { .. } | Op::Branch { .. } | Op::Switch { .. }) || op.call().is_some();
        let is_return = matches!(op, Op::Return { .. });
        for (one, seen) in self.stale.iter().zip(&mut self.seen) {
            if one.maker.is_some_and(|maker| !is_before(maker, at)) || !is_before(at, one.user) {
                continue;
            }
            if let (Some((begin, end)), Some((address, size))) = (one.structure, set) {
                let is_own = one.address.is_some_and(|own| address < own + one.ty.store_size() && own < address + size);
                if (begin..end).contains(&address) && !is_own {
                    seen.begins.insert(address, at);
                }
            }
            if let Some(maker) = one.maker
                && (maker.function, maker.depth) == (at.function, at.depth)
                && !seen.has_ended
            {
                seen.has_ended = is_return;
                seen.ends.extend(is_statement.then_some(at));
            }
            if (one.user.function, one.user.depth) == (at.function, at.depth) {
                if is_return {
                    seen.enters.clear();
                } else if is_statement && seen.enters.len() < MOST_KEPT {
                    seen.enters.insert(at);
                }
            }
        }
    }
}

/// Steps kept of the execution of a function.
const MOST_KEPT: usize = 200;

/// Where a step puts a constant, and how many bytes.
fn constant_set(step: &Step<'_>) -> Option<(u64, u64)> {
    match &step.instruction().op {
        Op::Store { value: Operand::Constant(_), value_type, address, local: None, .. } => {
            Some((*step.operand(address).first()?, value_type.store_size()))
        }
        op => {
            let call = op.call().filter(|call| call.kind == CallKind::Memory)?;
            let [to, value, length, ..] = &call.arguments[..] else { return None };
            matches!(value, Operand::Constant(_)).then_some(())?;
            Some((*step.operand(to).first()?, *step.operand(length).first()?))
        }
    }
}

impl Observer for Watch<'_, '_, '_> {
    fn step(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
        let op = &step.instruction().op;
        let is_noted = matches!(op, Op::Store { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Return { .. });
        if !is_noted && op.call().is_none() {
            return;
        }
        let Some(at) = self.subject.run.functions.moment(step) else { return };
        if !self.subject.run.functions.is_twin(at.function) {
            self.note(at, step);
        }
    }

    fn interrupted(&mut self) {
        self.handlers += 1;
    }

    fn resumed(&mut self) {
        self.handlers -= 1;
    }
}
