//! Conditions and their outcomes: what a condition led to, whether that ended a loop, and which other outcome is tried.

use std::collections::{HashMap, HashSet};

use abi::InstructionId;
use execution::Run;
use execution::predicates::Predicate;
use experiment::{Change, Intervention};
use findings::Location;
use program::{BlockId, Op, Site};
use replay::Step;

use subject::place::site_location;

/// The predicates of the failing run.
pub type ByStep = HashMap<Step, Predicate>;

/// A predicate, another way it could have gone, and the uses that may depend on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub predicate: Predicate,
    pub change: Change,
    /// The likeliest to be wrong first.
    pub users: Vec<Step>,
    /// Where the place is changed throughout: those of its executions that uses potentially depend on, the likeliest first.
    pub executions: Vec<Step>,
}

impl Candidate {
    pub fn experiment(&self) -> Vec<Intervention> {
        vec![Intervention { clock: self.predicate.at.clock, change: self.change.clone() }]
    }
}

/// The block that a predicate went on with.
pub fn taken(run: &Run<'_>, predicate: &Predicate) -> Option<BlockId> {
    Some(match &run.functions.instruction(predicate.at.site).op {
        Op::Branch { then, otherwise, .. } => {
            if predicate.value != 0 {
                *then
            } else {
                *otherwise
            }
        }
        Op::Switch { default, cases, .. } => {
            cases.iter().find(|(value, _)| *value == predicate.value).map_or(*default, |(_, to)| *to)
        }
        _ => return None,
    })
}

/// Whether a predicate is the condition of a loop, and ended it. What leaves a loop in its middle is another matter.
pub fn is_end_of_loop(run: &Run<'_>, predicate: &Predicate) -> bool {
    let shape = run.functions.shape(predicate.at.site.function);
    let block = shape.block_of(predicate.at.site.instruction);
    let inner = shape.loops.innermost(block);
    inner.zip(taken(run, predicate)).is_some_and(|(inner, to)| {
        let header = shape.loops.header(inner);
        let is_condition = block == header || shape.cfg.successors(block).contains(&header);
        is_condition && !shape.loops.contains(inner, to)
    })
}

/// Of a switch that has no case for its value, the cases of the nearest values below and above: one may be missing beside them.
pub fn cases_beside(run: &Run<'_>, predicate: &Predicate) -> Vec<Location> {
    let key = predicate.at.site.function;
    let function = run.functions.function(key);
    let Op::Switch { default, cases, .. } = &function.instruction(predicate.at.site.instruction).op else {
        return Vec::new();
    };
    if cases.iter().any(|(value, _)| *value == predicate.value) {
        return Vec::new();
    }
    let others = || cases.iter().filter(|(_, to)| to != default);
    let below = others().filter(|(value, _)| *value < predicate.value).max_by_key(|(value, _)| *value);
    let above = others().filter(|(value, _)| *value > predicate.value).min_by_key(|(value, _)| *value);
    let first = |(_, to): &(u64, BlockId)| {
        let block = &function.blocks[to.0 as usize];
        let mut ids = (block.first.0..block.end.0).map(InstructionId);
        let own = ids.find(|id| function.instruction(*id).location.is_some_and(|own| own.line > 0))?;
        site_location(run, key, own)
    };
    below.into_iter().chain(above).filter_map(first).collect()
}

/// The predicates of a run by where they are, in the order of execution.
pub struct Outcomes {
    by_site: HashMap<Site, Vec<Predicate>>,
}

impl Outcomes {
    pub fn of(predicates: &ByStep) -> Outcomes {
        let mut by_site: HashMap<_, Vec<Predicate>> = HashMap::new();
        for predicate in predicates.values() {
            by_site.entry(predicate.at.site).or_default().push(*predicate);
        }
        for of_site in by_site.values_mut() {
            of_site.sort_by_key(|one| one.at);
        }
        Outcomes { by_site }
    }

    /// Loops that were left in their middle, the last time at each place, the latest first.
    pub fn breaks(&self, run: &Run<'_>, before: Step) -> Vec<&Predicate> {
        let mut found: Vec<&Predicate> = Vec::new();
        for of_site in self.by_site.values() {
            let before = &of_site[..of_site.partition_point(|one| one.at < before)];
            let mut values = HashSet::new();
            let last_of_each = before.iter().rev().filter(|one| values.insert(one.value != 0)).take(2);
            found.extend(last_of_each.filter(|one| self.is_break(run, one)));
        }
        found.sort_by_key(|one| std::cmp::Reverse(one.at));
        found
    }

    /// Whether a predicate ended a loop in its middle, to go on behind it: by `break`, mostly.
    fn is_break(&self, run: &Run<'_>, predicate: &Predicate) -> bool {
        let key = predicate.at.site.function;
        let (function, shape) = (run.functions.function(key), run.functions.shape(key));
        let block = shape.block_of(predicate.at.site.instruction);
        let Some((inner, first)) = shape.loops.innermost(block).zip(taken(run, predicate)) else { return false };
        if is_end_of_loop(run, predicate) {
            return false;
        }
        let header = shape.loops.header(inner);
        // Where the loop's own condition leads to.
        let is_exit = |to: BlockId| {
            let is_way = |from: &BlockId| {
                let ways = shape.cfg.successors(*from);
                ways.contains(&to) && ways.iter().any(|way| shape.loops.contains(inner, *way))
            };
            is_way(&header) || shape.cfg.predecessors(header).iter().any(is_way)
        };
        let (mut to, mut from) = (first, predicate.at);
        for _ in 0..MOST_BLOCKS {
            let is_left = !shape.loops.contains(inner, to);
            let last = InstructionId(function.blocks[to.0 as usize].end.0 - 1);
            let next = match &function.instruction(last).op {
                Op::Jump { target: next } | Op::Invoke { normal: next, .. } => Some(*next),
                // What leaves a block may have to clean up first, and then chooses where to go on.
                Op::Switch { .. } => self.next(from, last).and_then(|decided| {
                    from = decided.at;
                    taken(run, decided)
                }),
                _ => None,
            };
            match next.filter(|next| *next != header) {
                _ if is_left && is_exit(to) => return true,
                Some(next) => to = next,
                None => return false,
            }
        }
        false
    }

    pub fn get(&self, at: Step) -> Option<&Predicate> {
        let of_site = self.by_site.get(&at.site)?;
        of_site.get(of_site.partition_point(|one| one.at < at)).filter(|one| one.at == at)
    }

    /// How the same execution of a function decided at this place next.
    fn next(&self, after: Step, site: InstructionId) -> Option<&Predicate> {
        let of_site = self.by_site.get(&after.site.function.at(site))?;
        let later = &of_site[of_site.partition_point(|one| one.at <= after)..];
        later.iter().find(|one| one.at.depth <= after.depth).filter(|one| one.at.depth == after.depth)
    }
}

/// Blocks that a jump out of a loop is followed through.
const MOST_BLOCKS: usize = 8;

/// Lines of what ran because of a predicate that are told: the first, and the last, to which conditions inside it led.
const MOST_LINES: usize = 4;

/// Lines that ran because of a predicate, and for no other reason: a `break` is one, though it is no step.
pub fn arm(run: &Run<'_>, outcomes: &Outcomes, predicate: &Predicate) -> Vec<Location> {
    let key = predicate.at.site.function;
    let (function, shape) = (run.functions.function(key), run.functions.shape(key));
    let Some(condition) = site_location(run, key, predicate.at.site.instruction) else { return Vec::new() };
    // Parts of one condition may lead to the same.
    let is_part = |from: &BlockId| {
        let last = InstructionId(function.blocks[from.0 as usize].end.0 - 1);
        site_location(run, key, last).is_some_and(|part| (part.line, &part.file) == (condition.line, &condition.file))
    };
    let to = taken(run, predicate).filter(|to| shape.cfg.predecessors(*to).iter().all(is_part));
    let Some(first) = to else { return Vec::new() };
    let mut lines = HashSet::from([condition.line]);
    let mut found = Vec::new();
    let (mut next, mut seen, mut from) = (Some(first), HashSet::new(), predicate.at);
    // What it did not lead to alone comes also by other ways, from outside.
    while let Some(to) = next.filter(|to| shape.dominators.dominates(first, *to) && seen.insert(*to)) {
        let block = &function.blocks[to.0 as usize];
        let ids = (block.first.0..block.end.0).map(InstructionId);
        let own = ids.filter(|id| function.instruction(*id).location.is_some_and(|own| own.line > 0));
        let places = own.filter_map(|id| site_location(run, key, id));
        found.extend(places.filter(|place| place.file == condition.file && lines.insert(place.line)));
        let last = InstructionId(block.end.0 - 1);
        next = match &function.instruction(last).op {
            Op::Jump { target: to } | Op::Invoke { normal: to, .. } => Some(*to),
            Op::Branch { .. } | Op::Switch { .. } => outcomes.next(from, last).and_then(|decided| {
                from = decided.at;
                taken(run, decided)
            }),
            _ => None,
        };
    }
    if found.len() > MOST_LINES {
        found.drain(1..found.len() - (MOST_LINES - 1));
    }
    found
}
