//! Which steps lie in the region of a predicate: those that would not have been executed had it gone another way, and what
//! these have led to (definition 3 of Zhang et al.). Here a loop's later turns are in the region of its earlier ones, as in
//! the paper: control dependence is followed, not the index.

use std::collections::HashSet;

use abi::BlockId;
use replay::{ReplayError, Step};

use super::nesting::Nesting;
use super::observe::{Observe, Regions};
use super::parent::Parent;
use execution::{Run, Window};

/// Of these steps, those in the region of a predicate of the same run; the predicate itself is not.
pub fn within(run: &Run<'_>, predicate: Step, steps: &HashSet<Step>) -> Result<HashSet<Step>, ReplayError> {
    let last = steps.iter().map(|step| step.clock).max().unwrap_or(0);
    let visitor = Within {
        predicate,
        wanted: steps,
        found: HashSet::new(),
        is_begun: false,
        branches: HashSet::new(),
        pending: Vec::new(),
        calls: Vec::new(),
    };
    let mut regions = Regions::new(&run.functions, visitor);
    for window in (0..=run.window_at(last + 1).0).map(Window) {
        regions = run.replay(window, regions)?;
    }
    Ok(regions.visitor.found)
}

struct Within<'a> {
    predicate: Step,
    wanted: &'a HashSet<Step>,
    found: HashSet<Step>,
    is_begun: bool,
    /// Executions of branches that are in the region, and the predicate: depth, block, and the clock at the beginning of
    /// the block they led to, by which [`Parent`] names them.
    branches: HashSet<(usize, BlockId, u64)>,
    /// By depth: a branch that has been executed, of which the next step of the function will tell where it led, and
    /// whether it is in the region.
    pending: Vec<Option<(BlockId, bool)>>,
    /// By depth: whether the latest call is in the region.
    calls: Vec<bool>,
}

impl Observe for Within<'_> {
    const EVERY_STEP: bool = true;

    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        if nesting.is_of_handler() || !(self.is_begun || at == self.predicate) {
            return;
        }
        self.is_begun = true;
        let depth = nesting.depth();
        self.pending.resize(depth + 1, None);
        self.calls.resize(depth + 1, false);
        if let Some((block, true)) = self.pending[depth].take() {
            self.branches.insert((depth, block, at.clock));
        }
        let is_within = match nesting.parent() {
            Some(Parent::Branch { block, clock }) => self.branches.contains(&(depth, block, clock)),
            Some(Parent::Call) => depth > 0 && self.calls[depth - 1],
            // Where control came from by a jump, the region does not tell.
            Some(Parent::Resumption { .. }) | None => false,
        };
        if is_within && self.wanted.contains(&at) {
            self.found.insert(at);
        }
        let Some((_, outline)) = nesting.outline() else { return };
        let block = outline.shape.block_of(at.site.instruction);
        if outline.terminator(block) == at.site.instruction && outline.shape.cfg.branches(block) {
            self.pending[depth] = Some((block, is_within || at == self.predicate));
        }
        if outline.calls(at.site.instruction) {
            self.calls[depth] = is_within;
        }
    }
}
