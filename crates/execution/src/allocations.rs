//! The blocks of the heap that a run allocated: where each lay, which call made it, and which one freed it.
//!
//! Only returns of calls are looked at, so they are noted in passing while a run is replayed for the first time. What libraries
//! allocate for themselves is not known, nor what other threads do.

use std::collections::HashMap;

use program::library::{Known, known};
use program::{Callee, Op, Site};
use replay::{Leaving, Observed, Observer};

/// Blocks remembered; of later pointers it is not known where they point.
const MOST: usize = 1 << 18;
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
}

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

impl Block {
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
        if self.ends.is_some_and(|ends| ends <= clock) {
            return None;
        }
        let until = self.blocks.partition_point(|block| block.made <= clock);
        let holds = |block: &Block| address.checked_sub(block.address).is_some_and(|offset| offset <= block.size);
        self.blocks[..until].iter().rposition(holds)
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
