//! The blocks of the heap that a run allocated: where each lay, which call made it, and which one freed it.
//!
//! Only returns of calls are looked at, so they are noted in passing while a run is replayed for the first time. What libraries
//! allocate for themselves is not known, nor what other threads do.

use std::collections::HashMap;
use std::sync::OnceLock;

use program::library::{Known, known};
use program::{Callee, Op, Site};
use replay::{Leaving, Observed, Observer};

/// Blocks remembered; of later pointers it is not known where they point.
pub const MOST: usize = 1 << 18;
/// Functions on the stack remembered of a call, the innermost ones: what a library of templates or the program itself wraps
/// around it is shown by whoever called that.
const DEEPEST: usize = 16;

#[derive(Default, Debug)]
pub struct Allocations {
    /// In the order in which they were made.
    blocks: Vec<Block>,
    stacks: Vec<Vec<Site>>,
    /// The clock from which on not all are known.
    ends: Option<u64>,
    /// Made when something is looked up for the first time.
    near: OnceLock<Near>,
}

/// Positions of blocks, in their order, by where they lie: a program may have hundred thousands.
#[derive(Default, Debug)]
struct Near {
    by_page: HashMap<u64, Vec<u32>>,
    /// Those of many pages.
    large: Vec<u32>,
}

const PAGE: u64 = 4096;
/// A block of more pages than this is large.
const MOST_PAGES: u64 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    pub address: u64,
    pub size: u64,
    /// The clock.
    made: u64,
    freed: Option<Freed>,
    pub stack: StackId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Freed {
    clock: u64,
    stack: StackId,
}

/// The functions that were on the stack at a call; many calls have the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StackId(u32);

impl StackId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Near {
    fn of(blocks: &[Block]) -> Near {
        let mut near = Near::default();
        for (block, position) in blocks.iter().zip(0..) {
            let pages = block.address / PAGE..=block.address.saturating_add(block.size) / PAGE;
            if pages.end() - pages.start() >= MOST_PAGES {
                near.large.push(position);
                continue;
            }
            for page in pages {
                near.by_page.entry(page).or_default().push(position);
            }
        }
        near
    }
}

impl Block {
    /// Whether an address points into it, or right behind it.
    fn holds(&self, address: u64) -> bool {
        address.checked_sub(self.address).is_some_and(|offset| offset <= self.size)
    }

    /// Where it was freed, if that was surely before: at this very clock it may have been after.
    pub fn freed_before(&self, clock: u64) -> Option<StackId> {
        self.freed.filter(|freed| freed.clock < clock).map(|freed| freed.stack)
    }
}

impl Allocations {
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The block that an address points into, or right behind, as it was at a clock, by its position among all; of blocks that
    /// lay there one after the other, the latest.
    pub fn at(&self, address: u64, clock: u64) -> Option<usize> {
        if self.is_incomplete_at(clock) {
            return None;
        }
        let until = self.blocks.partition_point(|block| block.made <= clock);
        let near = self.near.get_or_init(|| Near::of(&self.blocks));
        let latest = |positions: &[u32]| {
            let before = positions.partition_point(|position| (*position as usize) < until);
            let holds = |position: &&u32| self.blocks[**position as usize].holds(address);
            positions[..before].iter().rev().find(holds).copied()
        };
        let on_page = near.by_page.get(&(address / PAGE)).and_then(|positions| latest(positions));
        on_page.max(latest(&near.large)).map(|position| position as usize)
    }

    /// Whether there were more blocks at a clock than are remembered.
    pub fn is_incomplete_at(&self, clock: u64) -> bool {
        self.ends.is_some_and(|ends| ends <= clock)
    }

    /// The stacks of calls by their ids: where each function was, the innermost first.
    pub fn stacks(&self) -> &[Vec<Site>] {
        &self.stacks
    }
}

/// Notes what is allocated and freed.
#[derive(Default)]
pub struct Noting {
    found: Allocations,
    numbers: HashMap<Vec<Site>, StackId>,
    /// By their addresses: positions of blocks that were not freed yet.
    live: HashMap<u64, usize>,
    /// By module and function: what is known of it, if it allocates or frees.
    known: Vec<Vec<Asked>>,
    /// A function of the program's has just been left: it is what returns.
    is_own: bool,
}

/// Names are looked up once.
#[derive(Clone, Copy, Default)]
enum Asked {
    #[default]
    Never,
    Known(Option<&'static Known>),
}

impl Noting {
    pub fn finish(self) -> Allocations {
        self.found
    }

    fn known(&mut self, step: &Observed<'_>, callee: abi::FunctionId) -> Option<&'static Known> {
        let position = step.module_position();
        if self.known.len() <= position {
            self.known.resize_with(position + 1, Vec::new);
        }
        let of_module = &mut self.known[position];
        if of_module.is_empty() {
            of_module.resize(step.module().functions.len(), Asked::Never);
        }
        match of_module[callee.index()] {
            Asked::Known(known) => known,
            Asked::Never => {
                let matters = |known: &&Known| known.allocates(&[]).is_some() || known.frees().is_some();
                let found = known(&step.module().function(callee).name).filter(matters);
                of_module[callee.index()] = Asked::Known(found);
                found
            }
        }
    }

    fn stack(&mut self, step: &Observed<'_>) -> StackId {
        let stack: Vec<Site> = step.running().take(DEEPEST).map(|running| running.site()).collect();
        if let Some(known) = self.numbers.get(&stack) {
            return *known;
        }
        let id = StackId(self.found.stacks.len() as u32);
        self.found.stacks.push(stack.clone());
        self.numbers.insert(stack, id);
        id
    }

    fn note(&mut self, step: &Observed<'_>, known: &Known, arguments: &[u64]) {
        let result = step.result().first().copied();
        let size = known.allocates(arguments);
        let has_failed = size.is_some() && result.is_none_or(|address| address == 0 || address == u64::MAX);
        if has_failed {
            return;
        }
        if let Some(freed) = known.frees().and_then(|position| arguments.get(usize::from(position)))
            && let Some(block) = self.live.remove(freed)
        {
            self.found.blocks[block].freed = Some(Freed { clock: step.clock, stack: self.stack(step) });
        }
        let (Some(address), Some(size)) = (result, size) else { return };
        if self.found.blocks.len() == MOST {
            self.found.ends.get_or_insert(step.clock);
            return;
        }
        let block = Block { address, size, made: step.clock, freed: None, stack: self.stack(step) };
        self.live.insert(address, self.found.blocks.len());
        self.found.blocks.push(block);
    }
}

impl Observer for Noting {
    #[inline(always)]
    fn concerns(&mut self, _: abi::InstructionId, _: u64) -> bool {
        false
    }

    fn left(&mut self, _: &program::Function, _: Leaving) {
        self.is_own = true;
    }

    fn returned(&mut self, step: &Observed<'_>) {
        if std::mem::take(&mut self.is_own) || self.found.ends.is_some() {
            return;
        }
        let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
        let Callee::Function(callee) = call.callee else { return };
        let Some(known) = self.known(step, callee) else { return };
        let arguments: Vec<u64> =
            call.arguments.iter().map(|argument| step.operand(argument).first().copied().unwrap_or(0)).collect();
        self.note(step, known, &arguments);
    }

    fn landed(&mut self, _: &Observed<'_>) {
        self.is_own = false;
    }

    fn jumped(&mut self, _: abi::InstructionId, _: abi::InstructionId) {
        self.is_own = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_looked_up_by_pages_is_what_a_search_of_all_finds(
            made in prop::collection::vec((0_u64..40_000, prop_oneof![0_u64..200, 0_u64..500_000]), 0..60),
            asked in prop::collection::vec((0_u64..600_000, 0_u64..70), 1..80),
        ) {
            let stack = StackId(0);
            let block = |((address, size), made)| Block { address, size, made, freed: None, stack };
            let blocks: Vec<Block> = made.into_iter().zip(0_u64..).map(block).collect();
            let allocations = Allocations { blocks, ..Allocations::default() };
            for (address, clock) in asked {
                let is_there = |block: &Block| block.made <= clock && block.holds(address);
                prop_assert_eq!(allocations.at(address, clock), allocations.blocks.iter().rposition(is_there));
            }
        }
    }
}
