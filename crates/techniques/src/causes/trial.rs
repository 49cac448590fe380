//! One experiment: the reference run again, with values of the failing run put in its place, and whether that brings about
//! what the failing run had later (the paper's rule *Induction*).
//!
//! A value is put where it is made: at the store or choice itself. What else the reference makes between there and the
//! later point must stay as it was, as if the value had been put there at the last moment; so those of the candidates that
//! are not given the failing run's value are held at the reference's.

use abi::StreamId;
use comparison::{CauseId, Difference, Ignored, Name, Order, Pair, Side, Sides, executions, survey};
use execution::Run;
use experiment::{Change, Intervention, Ran};
use replay::ReplayError;
use source::sources::Sources;

use super::again::Again;
use super::differences::Differences;
use subject::{Subject, TechniqueError};

/// Runs made for one experiment, at most: each that goes another way before a change shows where that change is then.
const MOST_RUNS: usize = 10;

/// What is made the same as in the failing run, and what is held as in the reference.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'s> {
    pub failing: &'s [CauseId],
    pub reference: &'s [CauseId],
}

/// Makes experiments, and counts them.
pub struct Trials<'a, 'r> {
    pub subject: &'a Subject<'a, 'r>,
    pub differences: &'a Differences<'a, 'r>,
    pub again: &'a Again<'a>,
    pub made: u64,
}

/// A change of a step, and when that was.
struct Planned {
    id: CauseId,
    clock: u64,
    change: Change,
    is_failing: bool,
}

/// What a run showed.
enum Shown {
    Induced,
    NotInduced,
    /// Not all changes were made, but the next one would have been where it was thought to be.
    Untold,
    /// This change came at the wrong time; its step was then, or not at all.
    Misplaced {
        position: usize,
        clock: Option<u64>,
    },
}

impl Trials<'_, '_> {
    /// Whether these values bring about the later one.
    pub fn induces(&mut self, setting: Setting<'_>, target: CauseId) -> Result<bool, TechniqueError> {
        let Some(mut plan) = self.plan(setting) else { return Ok(false) };
        // Up to the first change the run is the reference, so that one is where it was.
        let mut placed = 1;
        for _ in 0..MOST_RUNS {
            if self.subject.is_over() {
                return Ok(false);
            }
            let shown = match self.run(&plan, plan.len(), target) {
                // A change of the wrong step can be one that no step of that kind can have.
                Err(TechniqueError::Replay(ReplayError::Departed { .. })) if placed < plan.len() => {
                    placed += 1;
                    self.run(&plan, placed - 1, target)?
                }
                Err(TechniqueError::Replay(ReplayError::Departed { .. })) => return Ok(false),
                shown => shown?,
            };
            match shown {
                Shown::Induced => return Ok(true),
                Shown::NotInduced => return Ok(false),
                Shown::Untold => {}
                // What is not executed any more need not be held.
                Shown::Misplaced { position, clock: None } => _ = plan.remove(position),
                Shown::Misplaced { position, clock: Some(clock) } => {
                    // Those after it have most likely moved as far.
                    let before = plan[position].clock;
                    for planned in &mut plan[position..] {
                        planned.clock = planned.clock.wrapping_sub(before).wrapping_add(clock);
                    }
                }
            }
        }
        Ok(false)
    }

    /// The changes in the order of the reference run.
    fn plan(&self, setting: Setting<'_>) -> Option<Vec<Planned>> {
        let mut plan = Vec::new();
        for (ids, is_failing) in [(setting.failing, true), (setting.reference, false)] {
            for &id in ids {
                let clock = self.differences.execution(id, Side::Left)?.clock;
                let values = self.differences.values(id)?;
                let value = if is_failing { values.right } else { values.left };
                plan.push(Planned { id, clock, change: Change::Replace(value), is_failing });
            }
        }
        plan.sort_by_key(|planned| planned.clock);
        // What comes before all that is changed stays as it is by itself.
        let first = plan.iter().position(|planned| planned.is_failing).unwrap_or(plan.len());
        plan.drain(..first);
        Some(plan)
    }

    /// Makes the first so many changes.
    fn run(&mut self, plan: &[Planned], first: usize, target: CauseId) -> Result<Shown, TechniqueError> {
        self.made += 1;
        let mut changes: Vec<Intervention> =
            plan[..first].iter().map(|one| Intervention { clock: one.clock, change: one.change.clone() }).collect();
        if let Some(clock) = self.stop(plan, target) {
            changes.push(Intervention { clock, change: Change::Stop });
        }
        self.again.examine(&changes, &self.subject.run.image().budget, |ran, image| {
            self.look(&Run::new(image, StreamId::MAIN)?, ran, plan, first, target)
        })
    }

    /// When a run need not go on: it has had twice the time of either run to come to the target.
    fn stop(&self, plan: &[Planned], target: CauseId) -> Option<u64> {
        let first = plan.first()?;
        let distance = |side: Side| {
            let (from, to) = (self.differences.execution(first.id, side)?, self.differences.execution(target, side)?);
            Some(to.clock.saturating_sub(from.clock))
        };
        let longest = distance(Side::Left)?.max(distance(Side::Right)?);
        Some(first.clock + longest.saturating_mul(2) + SLACK)
    }

    fn look(
        &self,
        run: &Run<'_>,
        ran: &Ran,
        plan: &[Planned],
        first: usize,
        target: CauseId,
    ) -> Result<Shown, TechniqueError> {
        let sources = Sources::new(run.image())?;
        let with_failing = Pair {
            runs: Sides { left: run, right: self.differences.pair.runs.right },
            sources: Sides { left: &sources, right: self.differences.pair.sources.right },
            map: self.differences.pair.map,
        };
        let order = survey(&with_failing, &Sides::<Ignored>::default())?.order;
        let known = plan.len().min(first + 1);
        if let Some(misplaced) = self.misplaced(&with_failing, &order, &plan[..known])? {
            return Ok(misplaced);
        }
        if first < plan.len() {
            return Ok(Shown::Untold);
        }
        let is_obeyed = ran.obeyed as usize >= self.again.own_changes() + plan.len() && !ran.was_refused;
        let is_set = |one: &Planned| self.is_as_failing(&order, one.id);
        let is_done = is_obeyed && plan.iter().filter(|one| one.is_failing).all(is_set);
        let is_induced = match self.differences.name(target) {
            Some(_) => self.is_as_failing(&order, target),
            None => self.fails_alike(ran),
        };
        Ok(if is_done && is_induced { Shown::Induced } else { Shown::NotInduced })
    }

    /// The first change whose step is not where it was thought to be.
    fn misplaced(&self, pair: &Pair<'_, '_>, order: &Order, plan: &[Planned]) -> Result<Option<Shown>, TechniqueError> {
        let names: Vec<Option<Name>> = plan.iter().map(|one| self.name_beside_failing(order, one.id)).collect();
        let wanted: Vec<Name> = names.iter().flatten().copied().collect();
        let moments = executions(pair, order, &wanted)?;
        for (position, (one, name)) in plan.iter().zip(&names).enumerate() {
            let at = name.and_then(|name| moments.get(&name)).and_then(|moment| moment.left);
            match at {
                Some(at) if at.clock == one.clock => {}
                Some(at) => return Ok(Some(Shown::Misplaced { position, clock: Some(at.clock) })),
                // What is not executed cannot be given anything.
                None if one.is_failing => return Ok(Some(Shown::NotInduced)),
                None => return Ok(Some(Shown::Misplaced { position, clock: None })),
            }
        }
        Ok(None)
    }

    /// What a statement of the failing run is called when that is beside another run.
    fn name_beside_failing(&self, order: &Order, id: CauseId) -> Option<Name> {
        let ordinal = self.differences.order.ordinal(Side::Right, self.differences.name(id)?)?;
        match order.name(Side::Right, ordinal) {
            name @ Name::Shared(_) => Some(name),
            Name::Alone(..) => None,
        }
    }

    fn is_as_failing(&self, order: &Order, id: CauseId) -> bool {
        self.name_beside_failing(order, id).is_some_and(|name| !order.is_different(name))
    }

    /// Whether a run shows the failure, as far as that is explained: the first byte that is wrong, the end.
    fn fails_alike(&self, ran: &Ran) -> bool {
        let failing = &self.subject.lab.baseline().ran;
        match &self.differences.subject.difference {
            Difference::Failure { .. } | Difference::Status(_) => ran.end == failing.end,
            Difference::Output { byte, bytes } => {
                let end = *byte as usize;
                match bytes.right {
                    Some(_) => ran.output.get(..=end) == failing.output.get(..=end),
                    None => ran.output == failing.output,
                }
            }
        }
    }
}

/// Ticks a run may take beyond what it should.
const SLACK: u64 = 10_000;
