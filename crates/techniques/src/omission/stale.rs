//! Values that were old: what a use found was made, or was there from the beginning, and nothing has set it anew since.
//!
//! Where the statement that should have done so is not there at all, no condition brings it back. So the value is put there in
//! a run of its own, just before it is used. If that makes right what was wrong, something between where the value was made
//! and where it was used may be missing; `gap` tells where.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use execution::assignments::{Assignment, assignments};
use execution::dependence::graph::VertexId;
use execution::dependence::{Kind, Moment};
use experiment::{Change, Intervention, Outcome};
use program::{CallKind, Op, Type};

use super::pruned::Pruned;
use super::switched::{Effect, Righted, effect};
use crate::alternatives::alternatives;
use crate::hints::Hints;
use crate::order::site_by_site;
use crate::place::own_location;
use crate::{Subject, TechniqueError};

/// A value that should have been another one where it was used, as an experiment has shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stale {
    pub user: Moment,
    /// `None`: in a variable that has no address.
    pub address: Option<u64>,
    pub ty: Type,
    /// What belongs with the value, by first addresses and those one past the last: the structure that it is a part of, or
    /// variables that are declared with its own.
    pub beside: Vec<(u64, u64)>,
    /// The store that made it; `None` if it was there from the beginning.
    pub maker: Option<Moment>,
    pub value: u64,
    pub right: u64,
    pub experiment: Vec<Intervention>,
    pub effect: Effect,
}

/// Uses looked at, the likeliest.
const MOST_USES: usize = 300;
/// Values tried for each.
const MOST_VALUES: usize = 8;
/// Experiments made.
const MOST_EXPERIMENTS: usize = 2000;
/// Runs of which it is looked at how much of their output is right.
const MOST_UNCLEAR: usize = 300;
/// Variables that are declared so many lines from each other belong together.
const LINES_BESIDE: u32 = 2;
/// Values told.
const MOST_TOLD: usize = 16;

/// Each place that uses such a value once for each that made it, those first that make most right. Runs are counted.
pub fn stale(subject: &Subject<'_, '_>, set: &Pruned, runs: &mut u64) -> Result<Vec<Stale>, TechniqueError> {
    if !subject.is_hard_to_satisfy() {
        return Ok(Vec::new());
    }
    let tried = candidates(subject, set)?;
    let experiments: Vec<Vec<Intervention>> = tried.iter().map(|one| one.experiment.clone()).collect();
    let (mut found, mut unclear, mut done) = (Vec::new(), Vec::new(), 0);
    let made = subject.lab.try_all(&experiments, |position, outcome| {
        done += 1;
        subject.progress.tried("old values set anew", done, experiments.len());
        match outcome {
            Outcome::Passes => found.push((position, Effect::ALL)),
            Outcome::FailsLater | Outcome::FailsOtherwise => unclear.push(position),
            _ => {}
        }
        if subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    *runs += made.runs as u64;
    unclear.sort_unstable();
    for position in unclear.into_iter().take(MOST_UNCLEAR) {
        if subject.is_over() {
            break;
        }
        *runs += 1;
        let effect = effect(subject, &subject.lab.run(&experiments[position])?);
        if effect.righted <= Righted::Word {
            found.push((position, effect));
        }
    }
    found.sort_by_key(|&(position, effect)| (effect, position));
    let mut places = BTreeSet::new();
    let told = found.into_iter().map(|(position, effect)| Stale { effect, ..tried[position].clone() });
    let site = |at: Moment| (at.function, at.instruction);
    Ok(told.filter(|one| places.insert((site(one.user), one.maker.map(site)))).take(MOST_TOLD).collect())
}

/// What is tried: uses of memory and of variables, those of each place in turn, the likeliest first, each with other values.
fn candidates(subject: &Subject<'_, '_>, set: &Pruned) -> Result<Vec<Stale>, TechniqueError> {
    let functions = &subject.run.functions;
    let is_looked_at = |user: &Moment| {
        let is_load = matches!(functions.function(user.function).instruction(user.instruction).op, Op::Load { .. });
        is_load && !functions.is_twin(user.function) && own_location(subject.run, *user).is_some()
    };
    let uses: Vec<Moment> = set.uses(subject).into_iter().filter(is_looked_at).collect();
    let mut uses = site_by_site(uses, |user| *user);
    uses.truncate(MOST_USES);
    let makers: HashMap<Moment, Option<Moment>> = uses.iter().map(|user| (*user, maker(subject, set, *user))).collect();
    let stores: BTreeSet<Moment> = makers.values().flatten().copied().collect();
    let stored: HashMap<Moment, Assignment> =
        assignments(subject.run, &stores)?.into_iter().map(|one| (one.at, one)).collect();
    let hints = Hints::of_failure(subject);
    let mut found = Vec::new();
    for user in uses {
        let maker = makers.get(&user).copied().flatten();
        let instruction = functions.function(user.function).instruction(user.instruction);
        let (Op::Load { local, .. }, Some(noted)) = (&instruction.op, set.notes.get(&user)) else { continue };
        let (Some(value), ty) = (noted.result, &instruction.ty) else { continue };
        let address = noted.operands.first().copied().filter(|_| local.is_none());
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
        for (right, _) in alternatives(&assignment, &[], &hints).into_iter().take(MOST_VALUES) {
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
    found.truncate(MOST_EXPERIMENTS);
    Ok(found)
}

/// The store that made what a use found.
fn maker(subject: &Subject<'_, '_>, set: &Pruned, user: Moment) -> Option<Moment> {
    let vertex = set.flow.vertex(user)?;
    let makers = set.by_user()[vertex.0 as usize].iter().filter(|edge| edge.kind == Kind::Data);
    let stores = makers.map(|edge| set.flow.step(edge.from)).filter(|at| {
        let op = &subject.run.functions.function(at.function).instruction(at.instruction).op;
        matches!(op, Op::Store { .. }) || op.call().is_some_and(|call| call.kind == CallKind::Memory)
    });
    stores.max()
}

/// What sets a value anew just before it is used. A variable without an address is given the value where it was made.
fn set_anew(user: Moment, maker: Option<Moment>, address: Option<u64>, size: u64, right: u64) -> Option<Intervention> {
    Some(match address {
        Some(address) => {
            let bytes = right.to_le_bytes()[..(size as usize).min(8)].to_vec();
            Intervention { clock: user.clock, change: Change::Write { address, bytes } }
        }
        None => Intervention { clock: maker?.clock, change: Change::Replace(right) },
    })
}

/// The structure that a use reads a part of: as the program computed the address, or the variable there.
fn structure(subject: &Subject<'_, '_>, set: &Pruned, user: Moment, address: u64) -> Option<(u64, u64)> {
    let within = |vertex: VertexId| {
        let at = set.flow.step(vertex);
        let op = &subject.run.functions.function(at.function).instruction(at.instruction).op;
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
