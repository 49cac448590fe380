//! The differences that led to a difference, for a reader: statements in the order of execution, each with those behind it.
//!
//! Executions of one statement are one link. What happens inside twins of library functions is passed through, and so are
//! copies, the ways of a function's result, and outside calls that only pass on what differed before. Of what only one
//! run executed, those steps are links that something of both runs depends on, or the subject itself: the way from the
//! choice that led there is the run's own, and `origin` and `slice` show it.

use std::collections::{BTreeSet, HashMap, HashSet};

use abi::InstructionId;
use program::library::{Effect, known};
use program::{CallKind, Callee, Function, Op, Operand, Site};
use replay::Step;

use super::causes::{Cause, CauseId, Causes};
use super::order::{Name, Order};
use super::pair::Pair;
use super::side::{Side, Sides};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Standing {
    /// Both executed it, with different values.
    Differs,
    /// Only this run executed it.
    Alone(Side),
    /// Both made this outside call alike, but it may have brought different bytes.
    Brings,
    /// What was asked about.
    Subject,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    pub standing: Standing,
    /// The first execution; `None` for the subject.
    pub name: Option<Name>,
    /// How many executions there are.
    pub count: u64,
    /// The links whose differences are behind this one's, by position.
    pub behind: Vec<usize>,
}

type Statement = (Side, Site);

/// Links in the order of execution; the subject is the last.
pub fn chain(pair: &Pair<'_, '_>, order: &Order, causes: &Causes) -> Vec<Link> {
    let behind = causes.behind();
    let facts: Vec<Option<(Statement, Standing)>> =
        (0..causes.all.len()).map(|position| fact(pair, order, causes, position)).collect();
    let mut used_by_both = vec![false; causes.all.len()];
    for edge in &causes.edges {
        used_by_both[edge.from.0 as usize] |=
            !matches!(causes.all[edge.to.0 as usize], Cause::Statement(Name::Alone(..)));
    }
    let is_shown = |id: &CauseId| {
        let position = id.0 as usize;
        match facts[position] {
            None => position == 0,
            Some((_, Standing::Alone(_))) => used_by_both[position],
            Some((site, Standing::Brings)) => {
                used_by_both[position] && behind[position].is_empty() && brings(pair, site)
            }
            Some((_, Standing::Differs | Standing::Subject)) => true,
        }
    };
    // Executions of each statement.
    let mut groups: Vec<(Standing, Vec<CauseId>)> = Vec::new();
    let mut by_site: HashMap<(Statement, Standing), usize> = HashMap::new();
    let mut group_of: HashMap<CauseId, usize> = HashMap::new();
    for id in (0..causes.all.len() as u32).map(CauseId).filter(is_shown) {
        let group = match facts[id.0 as usize] {
            None => groups.len(),
            Some(fact) => *by_site.entry(fact).or_insert(groups.len()),
        };
        if group == groups.len() {
            groups.push((facts[id.0 as usize].map_or(Standing::Subject, |(_, standing)| standing), Vec::new()));
        }
        groups[group].1.push(id);
        group_of.insert(id, group);
    }
    let key = |id: &CauseId| match causes.all[id.0 as usize] {
        Cause::Subject => (u64::MAX, u8::MAX, u64::MAX),
        Cause::Initial(_) => (0, 0, 0),
        Cause::Statement(name) => order.key(name),
    };
    let mut sorted: Vec<(usize, CauseId)> = groups
        .iter()
        .enumerate()
        .filter_map(|(at, (_, members))| Some((at, *members.iter().min_by_key(|id| key(id))?)))
        .collect();
    sorted.sort_by_key(|(_, first)| key(first));
    let mut position = vec![0; groups.len()];
    sorted.iter().enumerate().for_each(|(to, (group, _))| position[*group] = to);
    let link = |&(group, first): &(usize, CauseId)| {
        let (standing, members) = &groups[group];
        let found = shown_behind(members, &behind, &group_of);
        Link {
            standing: *standing,
            name: match causes.all[first.0 as usize] {
                Cause::Subject | Cause::Initial(_) => None,
                Cause::Statement(name) => Some(name),
            },
            count: members.len() as u64,
            behind: found
                .into_iter()
                .map(|other| position[other])
                .filter(|p| *p != position[group])
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
        }
    };
    sorted.iter().map(link).collect()
}

/// The groups behind these causes, through those that are not shown.
fn shown_behind(members: &[CauseId], behind: &[Vec<CauseId>], group_of: &HashMap<CauseId, usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut seen = HashSet::new();
    let mut open: Vec<CauseId> = members.iter().flat_map(|id| &behind[id.0 as usize]).copied().collect();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match group_of.get(&id) {
            Some(group) => _ = found.insert(*group),
            None => open.extend(&behind[id.0 as usize]),
        }
    }
    found
}

/// What a cause is to people: a statement (of the right program, if both have it); `None` if it is passed through.
fn fact(pair: &Pair<'_, '_>, order: &Order, causes: &Causes, position: usize) -> Option<(Statement, Standing)> {
    let Cause::Statement(name) = causes.all[position] else { return None };
    let executions = causes.executions[position];
    let (side, at): (Side, Step) = match executions {
        Sides { right: Some(at), .. } => (Side::Right, at),
        Sides { left: Some(at), .. } => (Side::Left, at),
        _ => return None,
    };
    let run = pair.runs.of(side);
    let function = run.functions.function(at.site.function);
    if run.functions.is_twin(at.site.function) || is_passing(function, at.site.instruction) {
        return None;
    }
    let standing = match name {
        Name::Alone(side, _) => Standing::Alone(side),
        Name::Shared(_) if order.is_different(name) => Standing::Differs,
        Name::Shared(_) => Standing::Brings,
    };
    let statement = match (name, side) {
        (Name::Shared(_), Side::Left) => pair.site(side, at.site).map_or((side, at.site), |site| (Side::Right, site)),
        _ => (side, at.site),
    };
    Some((statement, standing))
}

/// Whether a call may bring bytes from outside the program: it reads something, or nothing is known of it.
fn brings(pair: &Pair<'_, '_>, (side, site): Statement) -> bool {
    let functions = &pair.runs.of(side).functions;
    let name = match (&functions.instruction(site).op, functions.module(site.function)) {
        (Op::Call(call) | Op::Invoke { call, .. }, Ok(module)) => match &call.callee {
            Callee::Function(id) => &module.function(*id).name,
            Callee::Symbol(_) | Callee::Pointer(_) | Callee::Assembly => return true,
        },
        _ => return false,
    };
    known(name).is_none_or(|known| {
        known.effects.iter().any(|effect| {
            matches!(
                effect,
                Effect::Input(..) | Effect::InputCharacter(_) | Effect::InputFormatted(..) | Effect::From(_)
            )
        })
    })
}

/// Copies, and returns of what was already assigned to the function's result.
fn is_passing(function: &Function, id: InstructionId) -> bool {
    match &function.instruction(id).op {
        Op::Call(call) => call.kind == CallKind::Memory,
        Op::Return { value: Some(Operand::Result(loaded)) } => match &function.instruction(*loaded).op {
            Op::Load { address: Operand::Result(from), .. } => function.is_result_slot(*from),
            _ => false,
        },
        _ => false,
    }
}
