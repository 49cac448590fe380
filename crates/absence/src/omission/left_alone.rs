//! What could have changed a value that a condition used, and did not: calls that were given its address and left it as it
//! was, and statements that set the rest of a structure of which it is a part that nobody ever set.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use execution::dependence::Kind;
use program::debug::TypeShape;
use program::{CallKind, Op};
use replay::{Observed, Observer, Step};
use source::sources::TypeRef;

use super::deciding::Deciding;
use super::expand::Proven;
use crate::pruning::Pruned;
use subject::place::is_outside_call;
use subject::{Subject, TechniqueError};

/// A step that a condition's value could have come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftAlone {
    pub condition: Step,
    pub step: Step,
    /// A call that was given the address; else it sets another part of the same structure.
    pub is_call: bool,
}

/// Conditions whose values are looked at.
const MOST_CONDITIONS: usize = 4;
/// Values of each, the nearest.
const MOST_VALUES: usize = 32;
/// Steps told for each value.
const MOST_TOLD: usize = 4;

/// A value that a condition used.
struct Value {
    condition: Step,
    user: Step,
    address: u64,
    /// When it was made; 0 if it never was.
    made: u64,
    /// The variable it is in.
    variable: (u64, u64),
    /// The structure it is a part of, if nobody ever set it.
    structure: Option<(u64, u64)>,
}

/// Of conditions that make right what was wrong when reversed.
pub fn left_alone(
    subject: &Subject<'_, '_>,
    set: &Pruned,
    proven: &[Proven],
    deciding: &[Deciding],
) -> Result<Vec<LeftAlone>, TechniqueError> {
    let strong = proven.iter().filter(|one| one.is_strong()).map(|one| (one.effect, Reverse(one.predicate.at)));
    let further = deciding.iter().map(|one| (one.effect, Reverse(one.predicate.at)));
    let mut conditions: Vec<_> = strong.chain(further).collect();
    conditions.sort_unstable();
    conditions.dedup();
    let mut values = Vec::new();
    for (_, Reverse(at)) in conditions.into_iter().take(MOST_CONDITIONS) {
        values.extend(values_of(subject, set, at).into_iter().take(MOST_VALUES));
    }
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let last = values.iter().map(|value| value.user.clock).max().unwrap_or(0);
    let (mut calls, mut parts) = (vec![Vec::new(); values.len()], vec![BTreeMap::new(); values.len()]);
    for window in (0..=subject.run.window_at(last + 1).0).map(execution::Window) {
        if subject.is_over() {
            break;
        }
        let watch = subject.run.replay(window, Watch { subject, values: &values, calls, parts })?;
        (calls, parts) = (watch.calls, watch.parts);
    }
    let mut found = Vec::new();
    for (value, (calls, parts)) in values.iter().zip(calls.into_iter().zip(parts)) {
        let told = |step: Step, is_call| LeftAlone { condition: value.condition, step, is_call };
        found.extend(calls.into_iter().rev().take(MOST_TOLD).map(|step| told(step, true)));
        let mut first: Vec<Step> = parts.into_values().collect();
        first.sort_unstable();
        found.extend(first.into_iter().rev().take(MOST_TOLD).map(|step| told(step, false)));
    }
    Ok(found)
}

/// The loads that a condition used values of, the nearest first.
fn values_of(subject: &Subject<'_, '_>, set: &Pruned, condition: Step) -> Vec<Value> {
    let by_user = set.by_user();
    let mut found = Vec::new();
    for user in set.near(condition) {
        let at = set.flow.step(user);
        let function = subject.run.functions.function(at.site.function);
        let Op::Load { .. } = &function.instruction(at.site.instruction).op else { continue };
        let address = set.notes.get(&at).and_then(|noted| noted.operands.first());
        // What has no address cannot be given to anybody.
        let Some(&address) = address.filter(|address| **address != 0) else { continue };
        let makers = by_user[user.0 as usize].iter().filter(|edge| edge.kind == Kind::Data).map(|edge| edge.from);
        let stores = makers.map(|maker| set.flow.step(maker)).filter(|maker| {
            let op = &subject.run.functions.instruction(maker.site).op;
            matches!(op, Op::Store { .. }) || op.call().is_some_and(|call| call.kind == CallKind::Memory)
        });
        let made = stores.map(|maker| maker.clock).max().unwrap_or(0);
        let is_initial = set.began.iter().any(|(vertex, _)| *vertex == user);
        let (variable, structure) = around(subject, address);
        let structure = structure.filter(|_| is_initial);
        found.push(Value { condition, user: at, address, made, variable, structure });
    }
    found
}

/// The global variable that an address lies in, or itself; and the structure in that.
fn around(subject: &Subject<'_, '_>, address: u64) -> ((u64, u64), Option<(u64, u64)>) {
    let itself = (address, address + 1);
    let Some(symbol) = subject.sources.symbol(address) else { return (itself, None) };
    let Some(ty) = symbol.ty.map(|ty| subject.sources.bare(ty)) else { return (itself, None) };
    let begin = address - symbol.offset;
    let Some(size) = subject.sources.size(ty) else { return (itself, None) };
    let structure = match subject.sources.shape(ty) {
        TypeShape::Record { .. } => Some((begin, begin + size)),
        TypeShape::Array { element, .. } => {
            let element = subject.sources.bare(TypeRef { module: ty.module, ty: *element });
            let is_record = matches!(subject.sources.shape(element), TypeShape::Record { .. });
            let size = subject.sources.size(element).filter(|size| is_record && *size > 0);
            size.map(|size| {
                let first = begin + symbol.offset / size * size;
                (first, first + size)
            })
        }
        _ => None,
    };
    ((begin, begin + size.max(1)), structure)
}

/// Sees calls that are given addresses, and stores into structures.
struct Watch<'a, 's, 'r> {
    subject: &'a Subject<'s, 'r>,
    values: &'a [Value],
    /// By value, in the order of execution, each place once.
    calls: Vec<Vec<Step>>,
    /// By value: the first store to each address.
    parts: Vec<BTreeMap<u64, Step>>,
}

impl Observer for Watch<'_, '_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        let op = &step.instruction().op;
        let is_store = matches!(op, Op::Store { .. });
        if !(is_store || op.call().is_some()) {
            return;
        }
        let at = step.step();
        if self.subject.run.functions.is_twin(at.site.function) {
            return;
        }
        if let Op::Store { address, .. } = op {
            let Some(address) = step.operand(address).first().copied() else { return };
            for (value, parts) in self.values.iter().zip(&mut self.parts) {
                let is_part = value.structure.is_some_and(|(begin, end)| (begin..end).contains(&address));
                if is_part && at.clock < value.user.clock {
                    parts.entry(address).or_insert(at);
                }
            }
            return;
        }
        let Some(call) = op.call().filter(|_| is_outside_call(self.subject.run, at) || is_memory(op)) else { return };
        let given: HashSet<u64> =
            call.arguments.iter().filter_map(|argument| step.operand(argument).first().copied()).collect();
        for (value, calls) in self.values.iter().zip(&mut self.calls) {
            let is_between = value.made <= at.clock && at.is_before(value.user);
            let (begin, end) = value.variable;
            let is_given = given.contains(&value.address) || given.iter().any(|word| (begin..end).contains(word));
            if is_between && is_given && calls.iter().all(|known: &Step| known.site.instruction != at.site.instruction)
            {
                calls.push(at);
            }
        }
    }
}

fn is_memory(op: &Op) -> bool {
    op.call().is_some_and(|call| call.kind == CallKind::Memory)
}
