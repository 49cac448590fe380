//! Values that were old: what a use found was made, or was there from the beginning, and nothing has set it anew since.
//!
//! Where the statement that should have done so is not there at all, no condition brings it back. So the value is put there in
//! a run of its own, just before it is used. If that makes right what was wrong, something between where the value was made
//! and where it was used may be missing; `gap` tells where.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

use execution::assignments::{Assignment, assignments};
use execution::dependence::Kind;
use execution::dependence::graph::VertexId;
use experiment::{Change, Intervention, Outcome};
use program::{CallKind, Op, Operand, Type};
use replay::Step;

use crate::effect::{Effect, Righted, effect};
use crate::pruning::Pruned;
use subject::place::own_location;
use subject::trying::alternatives::alternatives;
use subject::trying::constants::Constants;
use subject::trying::hints::Hints;
use subject::trying::order::site_by_site;
use subject::{Subject, TechniqueError};

/// A value that should have been another one where it was used, as an experiment has shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stale {
    pub user: Step,
    /// `None`: in a variable that has no address.
    pub address: Option<u64>,
    pub ty: Type,
    /// What belongs with the value, by first addresses and those one past the last: the structure that it is a part of, or
    /// variables that are declared with its own.
    pub beside: Vec<(u64, u64)>,
    /// The store that made it; `None` if it was there from the beginning.
    pub maker: Option<Step>,
    pub value: u64,
    pub right: u64,
    pub experiment: Vec<Intervention>,
    pub effect: Effect,
}

/// Uses looked at, the likeliest.
const MOST_USES: usize = 300;
/// Values tried for each.
const MOST_VALUES: usize = 12;
/// Experiments made.
const MOST_EXPERIMENTS: usize = 3000;
/// Runs of which it is looked at how much of their output is right.
const MOST_UNCLEAR: usize = 300;
/// Variables that are declared so many lines from each other belong together.
const LINES_BESIDE: u32 = 2;
/// Values told.
const MOST_TOLD: usize = 16;

/// What came of setting values anew.
#[derive(Default)]
pub struct Old {
    pub values: Vec<Stale>,
    pub runs: u64,
    /// Not all places were looked at.
    pub is_cut: bool,
}

/// Each place that uses such a value once for each that made it, those first that make most right.
pub fn stale(subject: &Subject<'_, '_>, set: &Pruned) -> Result<Old, TechniqueError> {
    if !subject.is_hard_to_satisfy() {
        return Ok(Old::default());
    }
    let (tried, is_cut) = candidates(subject, set)?;
    let experiments: Vec<Vec<Intervention>> = tried.iter().map(|one| one.experiment.clone()).collect();
    let (mut found, mut unclear, mut done) = (Vec::new(), Vec::new(), 0);
    let made = subject.lab.try_all(&experiments, |position, outcome| {
        done += 1;
        subject.progress.tried("old values replaced", done, experiments.len());
        match outcome {
            Outcome::Passes => found.push((position, Effect::ALL)),
            Outcome::FailsLater | Outcome::FailsOtherwise => unclear.push(position),
            _ => {}
        }
        if subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let mut runs = made.runs as u64;
    unclear.sort_unstable();
    for position in unclear.into_iter().take(MOST_UNCLEAR) {
        if subject.is_over() {
            break;
        }
        runs += 1;
        let effect = effect(subject, &subject.lab.run(&experiments[position])?);
        if effect.righted <= Righted::Word {
            found.push((position, effect));
        }
    }
    found.sort_by_key(|&(position, effect)| (effect, position));
    let site = |at: Step| at.site;
    let mut told: Vec<Stale> = Vec::new();
    let mut places: HashMap<_, usize> = HashMap::new();
    for (position, effect) in found {
        let one = Stale { effect, ..tried[position].clone() };
        match places.entry((site(one.user), one.maker.map(site))) {
            Entry::Vacant(free) if told.len() < MOST_TOLD => {
                free.insert(told.len());
                told.push(one);
            }
            Entry::Vacant(_) => {}
            // Before the last use for which it is not too late yet, most could be missing.
            Entry::Occupied(known) => {
                let known = &mut told[*known.get()];
                if known.effect == effect && known.user < one.user {
                    *known = one;
                }
            }
        }
    }
    // What was old where it was copied from is not to be looked for behind the copy.
    let is_copied: Vec<bool> = told.iter().map(|one| told.iter().any(|other| comes_by(set, one, other))).collect();
    let (copied, own): (Vec<_>, Vec<_>) = told.into_iter().zip(is_copied).partition(|(_, is_copied)| *is_copied);
    Ok(Old { values: own.into_iter().chain(copied).map(|(one, _)| one).collect(), runs, is_cut })
}

/// Whether what made a value did so with what another use found.
fn comes_by(set: &Pruned, one: &Stale, other: &Stale) -> bool {
    let Some(maker) = one.maker.filter(|_| other.effect <= one.effect) else { return false };
    let mut open: Vec<VertexId> = set.flow.vertex(maker).into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(vertex) = open.pop() {
        if set.flow.step(vertex) == other.user {
            return true;
        }
        let is_statement = set.flow.is_statement[vertex.0 as usize] && set.flow.step(vertex) != maker;
        if !is_statement && seen.insert(vertex) {
            let makers = set.by_user()[vertex.0 as usize].iter().filter(|edge| edge.kind == Kind::Data);
            open.extend(makers.map(|edge| edge.from));
        }
    }
    false
}

/// A value where it is used: read, or copied from one place to another.
#[derive(Clone, Copy)]
struct Use {
    user: Step,
    /// The load that the value came to.
    load: Step,
    /// `None`: in a variable that has no address.
    address: Option<u64>,
    maker: Option<Step>,
    value: u64,
}

/// What is tried: uses of memory and of variables, those of each place in turn, the likeliest first, each with other values;
/// and whether these are not all.
fn candidates(subject: &Subject<'_, '_>, set: &Pruned) -> Result<(Vec<Stale>, bool), TechniqueError> {
    let functions = &subject.run.functions;
    let is_looked_at = |user: &Step| {
        let is_load = matches!(functions.instruction(user.site).op, Op::Load { .. });
        is_load && !functions.is_twin(user.site.function) && own_location(subject.run, *user).is_some()
    };
    let loads: Vec<Step> = set.uses(subject).into_iter().filter(is_looked_at).collect();
    let site = |at: Step| at.site;
    // Each place has its turn before any has a second.
    let mut is_cut = loads.iter().map(|load| site(*load)).collect::<HashSet<_>>().len() > MOST_USES;
    let mut uses: Vec<Use> = Vec::new();
    let mut known = HashSet::new();
    for load in site_by_site(loads, |user| *user).into_iter().take(MOST_USES) {
        let fresh = uses_behind(subject, set, load).into_iter().filter(|one| known.insert((one.user, one.address)));
        uses.extend(fresh);
    }
    let stores: BTreeSet<Step> = uses.iter().filter_map(|one| one.maker).collect();
    let stored: HashMap<Step, Assignment> =
        assignments(subject.run, &stores)?.into_iter().map(|one| (one.at, one)).collect();
    let (hints, constants) = (Hints::of_failure(subject), Constants::of(subject.run)?);
    let mut found = Vec::new();
    for Use { user, load, address, maker, value } in uses {
        let ty = &functions.instruction(load.site).ty;
        // Between a value that was just made and its use there is nothing to miss.
        if !matches!(ty, Type::Int(_) | Type::Float(_) | Type::Pointer)
            || maker.is_some_and(|at| at.clock == user.clock)
        {
            continue;
        }
        let before = maker.and_then(|maker| stored.get(&maker)?.before);
        let size = ty.store_size();
        let assignment = Assignment { at: maker.unwrap_or(user), ty: ty.clone(), value, before };
        let structure = address.and_then(|address| structure(subject, set, user, address));
        let declared = |address| subject.sources.declared_beside(address, LINES_BESIDE);
        let beside = match (structure, address) {
            (Some(structure), _) => vec![structure],
            (None, Some(address)) => declared(address),
            (None, None) => Vec::new(),
        };
        let held = constants.of_load(subject.run, load.site.function, load.site.instruction);
        for (right, _) in alternatives(&assignment, &held, &hints).into_iter().take(MOST_VALUES) {
            let Some(intervention) = set_anew(user, maker, address, size, right) else { continue };
            let (experiment, effect) = (vec![intervention], Effect::NONE);
            found.push(Stale {
                user,
                address,
                ty: ty.clone(),
                beside: beside.clone(),
                maker,
                value,
                right,
                experiment,
                effect,
            });
        }
    }
    let left_out = found.split_off(found.len().min(MOST_EXPERIMENTS));
    let tried: HashSet<_> = found.iter().map(|one| site(one.user)).collect();
    is_cut |= left_out.iter().any(|one| !tried.contains(&site(one.user)));
    Ok((found, is_cut))
}

/// Copies that a value is followed through.
const MOST_COPIES: usize = 3;

/// What a load read, and the copies by which that came there.
fn uses_behind(subject: &Subject<'_, '_>, set: &Pruned, load: Step) -> Vec<Use> {
    let instruction = subject.run.functions.instruction(load.site);
    let (Op::Load { local, .. }, Some(noted)) = (&instruction.op, set.notes.get(&load)) else { return Vec::new() };
    let Some(value) = noted.result else { return Vec::new() };
    let address = noted.operands.first().copied().filter(|_| local.is_none());
    let mut found = vec![Use { user: load, load, address, maker: maker(subject, set, load, address), value }];
    for _ in 0..MOST_COPIES {
        let Some(last) = found.last() else { break };
        let Some((copy, address)) = last.maker.zip(last.address).and_then(|(copy, at)| copied(subject, set, copy, at))
        else {
            break;
        };
        let maker = maker(subject, set, copy, Some(address));
        found.push(Use { user: copy, load, address: Some(address), maker, value });
    }
    found
}

/// Where a copy had from what it put at this address.
fn copied(subject: &Subject<'_, '_>, set: &Pruned, copy: Step, address: u64) -> Option<(Step, u64)> {
    let function = subject.run.functions.function(copy.site.function);
    let call = function.instruction(copy.site.instruction).op.call().filter(|call| call.kind == CallKind::Memory)?;
    // What fills memory has a byte there.
    let source = match call.arguments.get(1)? {
        Operand::Parameter(position) => &function.parameters.get(*position as usize)?.ty,
        Operand::Result(id) => &function.instruction(*id).ty,
        Operand::Constant(constant) => &constant.ty,
    };
    matches!(source, Type::Pointer).then_some(())?;
    let [to, from, length, ..] = set.notes.get(&copy)?.operands[..] else { return None };
    let offset = address.checked_sub(to).filter(|offset| *offset < length)?;
    Some((copy, from.checked_add(offset)?))
}

/// The step that made what a use found at an address.
fn maker(subject: &Subject<'_, '_>, set: &Pruned, user: Step, address: Option<u64>) -> Option<Step> {
    let vertex = set.flow.vertex(user)?;
    let makers = set.by_user()[vertex.0 as usize].iter().filter(|edge| edge.kind == Kind::Data);
    let stores = makers.map(|edge| set.flow.step(edge.from)).filter(|at| {
        let op = &subject.run.functions.instruction(at.site).op;
        match (op, set.notes.get(at).map(|noted| &noted.operands[..]), address) {
            (Op::Store { local: None, value_type, .. }, Some(&[_, to]), Some(address)) => {
                (to..to + value_type.store_size()).contains(&address)
            }
            (Op::Store { .. }, ..) => true,
            _ => op.call().is_some_and(|call| call.kind == CallKind::Memory),
        }
    });
    stores.max()
}

/// What sets a value anew just before it is used. A variable without an address is given the value where it was made.
fn set_anew(user: Step, maker: Option<Step>, address: Option<u64>, size: u64, right: u64) -> Option<Intervention> {
    Some(match address {
        Some(address) => {
            let bytes = right.to_le_bytes()[..(size as usize).min(8)].to_vec();
            Intervention { clock: user.clock, change: Change::Write { address, bytes } }
        }
        None => Intervention { clock: maker?.clock, change: Change::Replace(right) },
    })
}

/// The structure that a use reads a part of: as the program computed the address, or the variable there.
fn structure(subject: &Subject<'_, '_>, set: &Pruned, user: Step, address: u64) -> Option<(u64, u64)> {
    let within = |vertex: VertexId| {
        let at = set.flow.step(vertex);
        let op = &subject.run.functions.instruction(at.site).op;
        let Op::ElementPointer { stepped: Type::Struct { size, .. }, .. } = op else { return None };
        let base = *set.notes.get(&at)?.operands.first()?;
        let end = base.checked_add(*size)?;
        (base..end).contains(&address).then_some((base, end))
    };
    let makers = set.flow.vertex(user).map(|vertex| &set.by_user()[vertex.0 as usize]);
    let of_pointer = makers.into_iter().flatten().find_map(|edge| within(edge.from));
    of_pointer.or_else(|| {
        let symbol = subject.sources.symbol(address)?;
        let begin = address - symbol.offset;
        let size = subject.sources.size(subject.sources.bare(symbol.ty?))?;
        (symbol.offset > 0 || size > 8).then_some((begin, begin + size))
    })
}
