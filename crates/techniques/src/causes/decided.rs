//! Choices that a step hinges on in one version only.
//!
//! What only one run executes has a reason: a choice that went another way. If both versions have it, it differs, and stands
//! behind the step. But if somebody took a condition away, or put one around a statement, nothing that both versions have
//! differs there: the reason is a choice of the other run, made where the step would have been.

use std::collections::{BTreeMap, HashMap, HashSet};

use abi::BlockId;
use comparison::{Behind, Cause, CauseId, Causes, Name, Order, Pair, Side, Sides, Subject, executions};
use execution::criterion::Criterion;
use execution::dependence::Kind;
use program::{Op, Shape};
use replay::Step;

use super::edits::Edits;
use super::path::SUBJECT;
use subject::TechniqueError;

/// Statements of the other run that are looked at between two that both have, and in all such stretches.
const MOST: u64 = 2000;
const MOST_OF_ALL: usize = 400_000;

/// Puts such choices behind the steps they decided; and what is to be explained behind itself, where only one version has
/// that.
pub fn add_reasons(
    pair: &Pair<'_, '_>,
    order: &Order,
    subject: &Subject,
    edits: &Edits,
    causes: &mut Causes,
) -> Result<(), TechniqueError> {
    if pair.map.is_none() {
        return Ok(());
    }
    let has_reason: HashSet<CauseId> =
        causes.edges.iter().filter(|edge| edge.kind == Kind::Control).map(|edge| edge.to).collect();
    // By the stretch they are in: the number of statements of both before it.
    let mut alone: BTreeMap<(Side, u64), Vec<(CauseId, Step)>> = BTreeMap::new();
    for (position, cause) in (0..).map(CauseId).zip(&causes.all) {
        if let Cause::Statement(name @ Name::Alone(side, _)) = *cause
            && !has_reason.contains(&position)
            && let Some(at) = *causes.executions[position.0 as usize].of(side)
        {
            alone.entry((side, order.key(name).0)).or_default().push((position, at));
        }
    }
    let mut growing = Growing::of(causes);
    // What is to be explained may be one itself.
    for side in [Side::Left, Side::Right] {
        if let Some(Criterion::Step { at, .. }) = subject.criteria.of(side)
            && let Some(name @ Name::Alone(..)) = comparison::name(pair, order, side, *at)?
        {
            if edits.is_of_one_version(side, *at) {
                growing.add(name, side, *at, SUBJECT);
            } else if !has_reason.contains(&SUBJECT) {
                alone.entry((side, order.key(name).0)).or_default().push((SUBJECT, *at));
            }
        }
    }
    let mut names = Vec::new();
    for &(side, stretch) in alone.keys() {
        names.extend(others(order, side.other(), stretch));
        if names.len() > MOST_OF_ALL {
            break;
        }
    }
    let moments = executions(pair, order, &names)?;
    for ((side, stretch), steps) in alone {
        let choices: Vec<(Name, Step)> = others(order, side.other(), stretch)
            .filter_map(|name| Some((name, (*moments.get(&name)?.of(side.other()))?)))
            .filter(|(_, at)| chooses(pair, side.other(), *at))
            .collect();
        for (id, at) in steps {
            // The last of them: those before it let control come so far.
            let Some(&(name, decided)) = choices.iter().rev().find(|(_, choice)| hinges(pair, side, at, *choice))
            else {
                continue;
            };
            growing.add(name, side.other(), decided, id);
        }
    }
    Ok(())
}

/// Causes that get more.
struct Growing<'c> {
    causes: &'c mut Causes,
    known: HashMap<Name, CauseId>,
}

impl Growing<'_> {
    fn of(causes: &mut Causes) -> Growing<'_> {
        let mut known = HashMap::new();
        for (position, cause) in (0..).map(CauseId).zip(&causes.all) {
            if let Cause::Statement(name) = *cause {
                known.insert(name, position);
            }
        }
        Growing { causes, known }
    }

    /// A step of one run, as the reason for another difference.
    fn add(&mut self, name: Name, side: Side, at: Step, to: CauseId) {
        let causes = &mut *self.causes;
        let from = *self.known.entry(name).or_insert_with(|| {
            causes.all.push(Cause::Statement(name));
            causes.executions.push(Sides::default());
            CauseId(causes.all.len() as u32 - 1)
        });
        *causes.executions[from.0 as usize].of_mut(side) = Some(at);
        causes.edges.push(Behind { from, to, kind: Kind::Control });
    }
}

/// The statements that only this run executed between two of both.
fn others(order: &Order, side: Side, stretch: u64) -> impl Iterator<Item = Name> {
    let before = stretch.checked_sub(1).and_then(|last| order.ordinal(side, Name::Shared(last)));
    let first = before.map_or(0, |ordinal| ordinal + 1);
    let names = (first..order.count(side).min(first + MOST)).map(move |ordinal| order.name(side, ordinal));
    names.take_while(|name| matches!(name, Name::Alone(..)))
}

fn chooses(pair: &Pair<'_, '_>, side: Side, at: Step) -> bool {
    let op = &pair.runs.of(side).functions.instruction(at.site).op;
    matches!(op, Op::Branch { .. } | Op::Switch { .. })
}

/// Whether the partner of a step hinges on a choice of the other run.
fn hinges(pair: &Pair<'_, '_>, side: Side, step: Step, choice: Step) -> bool {
    let Some(partner) = pair.site(side, step.site) else { return false };
    let shape = pair.runs.of(side.other()).functions.shape(partner.function);
    partner.function == choice.site.function
        && depends_on(&shape, shape.block_of(partner.instruction), shape.block_of(choice.site.instruction))
}

/// Whether a block is executed or not by the choice at the end of another, directly or not.
fn depends_on(shape: &Shape, block: BlockId, choice: BlockId) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![block];
    while let Some(block) = open.pop() {
        for edge in shape.control.parents(block) {
            if edge.from == choice {
                return true;
            }
            if seen.insert(edge.from) {
                open.push(edge.from);
            }
        }
    }
    false
}
