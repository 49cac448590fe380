//! The objects that are there at the end of a run, which an address should have been in.

use std::collections::BTreeMap;

use execution::{Action, Functions, Run, Window};
use program::library::{Effect, Known, Term as Word};
use program::{Function, Module, Op};
use replay::{Leaving, Observed, Observer, ReplayError};

/// Ranges of memory, each with its first byte and how many it has: those of the program's own making first.
pub(super) struct Objects {
    all: Vec<(u64, u64)>,
}

impl Objects {
    /// Replays the run once more.
    pub fn at_end(run: &Run<'_>) -> Result<Objects, ReplayError> {
        let survey =
            Survey { functions: &run.functions, frames: Vec::new(), blocks: BTreeMap::new(), called: Vec::new() };
        let (_, survey) = run.replay_from(Window(0), survey)?;
        let mut all: Vec<(u64, u64)> = survey.blocks.into_iter().collect();
        all.extend(survey.frames.into_iter().rev().flatten());
        all.extend(run.functions.variables());
        all.retain(|(_, length)| *length > 0);
        Ok(Objects { all })
    }

    /// The one that has this address.
    pub fn find(&self, address: u64) -> Option<(u64, u64)> {
        self.all.iter().copied().find(|(first, length)| address.wrapping_sub(*first) < *length)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.all.iter().copied()
    }
}

/// Follows what is allocated and freed.
struct Survey<'a, 'r> {
    functions: &'a Functions<'r>,
    /// Of each function on the stack, its locals in memory.
    frames: Vec<Vec<(u64, u64)>>,
    /// Blocks of the heap.
    blocks: BTreeMap<u64, u64>,
    /// Calls that have not come back: how many functions are on the stack, and the arguments.
    called: Vec<(usize, Vec<u64>)>,
}

impl Survey<'_, '_> {
    fn known(&self, step: &Observed<'_>) -> Option<&'static Known> {
        let uses = self.functions.uses(step.site().function);
        uses.library_calls.get(&step.id()).map(|call| call.known)
    }

    fn changes_blocks(known: &Known) -> bool {
        known.effects.iter().any(|effect| matches!(effect, Effect::Allocates(_) | Effect::Frees(_)))
    }
}

fn number(word: Word, arguments: &[u64], result: u64) -> Option<u64> {
    match word {
        Word::Arg(position) => arguments.get(usize::from(position)).copied(),
        Word::Result => Some(result),
        Word::Bytes(bytes) => Some(bytes),
        Word::Product(a, b) => number(*a, arguments, result)?.checked_mul(number(*b, arguments, result)?),
        Word::Least(a, b) => Some(number(*a, arguments, result)?.min(number(*b, arguments, result)?)),
        // A text is at least as long as its zero; how long, nobody has measured.
        _ => Some(1),
    }
}

impl Observer for Survey<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        match &step.instruction().op {
            Op::Alloca { size, count, .. } => {
                let is_local = matches!(
                    self.functions.uses(step.site().function).instructions[step.id().index()].action,
                    Action::Pure | Action::Nothing
                );
                let count = step.operand(count).first().copied().unwrap_or(1);
                if let (true, Some(&address), Some(frame)) = (is_local, step.result().first(), self.frames.last_mut()) {
                    frame.push((address, size.saturating_mul(count)));
                }
            }
            Op::Call(call) | Op::Invoke { call, .. } if self.known(step).is_some_and(Survey::changes_blocks) => {
                let words = call.arguments.iter().map(|a| step.operand(a).first().copied().unwrap_or(0)).collect();
                self.called.push((step.depth, words));
            }
            _ => {}
        }
    }

    fn entered(&mut self, _: &Function, _: &Module, _: bool) {
        self.frames.push(Vec::new());
    }

    fn left(&mut self, _: &Function, _: Leaving) {
        self.frames.pop();
        let depth = self.frames.len();
        self.called.retain(|(called, _)| *called <= depth);
    }

    fn returned(&mut self, step: &Observed<'_>) {
        let Some(known) = self.known(step).filter(|known| Survey::changes_blocks(known)) else { return };
        let Some((_, arguments)) = self.called.pop_if(|(depth, _)| *depth == step.depth) else { return };
        let result = step.result().first().copied().unwrap_or(0);
        for effect in known.effects {
            match *effect {
                Effect::Frees(word) => {
                    if let Some(address) = number(word, &arguments, result) {
                        self.blocks.remove(&address);
                    }
                }
                Effect::Allocates(word) if result != 0 && result != u64::MAX => {
                    if let Some(length) = number(word, &arguments, result) {
                        self.blocks.insert(result, length);
                    }
                }
                _ => {}
            }
        }
    }
}
