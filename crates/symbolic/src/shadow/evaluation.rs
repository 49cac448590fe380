//! Which evaluation of a condition it is: by the calls that led to it, and by how often this execution of its function has come
//! there.

use std::hash::{DefaultHasher, Hash, Hasher};

use abi::InstructionId;
use program::{FunctionKey, Site};
use smt::hash::Map;

use super::frames::Frame;
use crate::path::{Evaluation, Way};

#[derive(Default)]
pub(super) struct Evaluations {
    frames: u32,
    seen: Map<(u32, InstructionId), (u32, Way, u32)>,
}

/// Calls that are told apart exactly; of later ones those between two powers of two are alike.
const EXACT: u32 = 128;

impl Evaluations {
    /// A condition goes this way.
    pub fn count(&mut self, frame: Option<&mut Frame>, site: Site, went: Way) -> Evaluation {
        let Some(frame) = frame else { return Evaluation { place: 0, count: 0, before: None } };
        let serial = *frame.serial.get_or_insert_with(|| {
            self.frames += 1;
            self.frames
        });
        let place = mixed(frame.context, site.instruction);
        let known = self.seen.get(&(serial, site.instruction)).copied();
        let before = known.map(|(_, way, times)| (way, times));
        let evaluation = Evaluation { place, count: known.map_or(1, |(count, ..)| count + 1), before };
        self.seen.insert((serial, site.instruction), (evaluation.count, went, evaluation.in_a_row(went)));
        evaluation
    }
}

fn rounded(count: u32) -> u32 {
    if count < EXACT { count } else { EXACT + count.ilog2() }
}

/// The last calls of a function on the stack: which instruction calls, and how many times it has called before. Of a loop with
/// more calls than there are places here, some are counted from the beginning again.
#[derive(Default)]
pub(super) struct Calls {
    counts: [(u32, u32); 4],
    pub last: u32,
}

impl Calls {
    #[inline]
    pub fn add(&mut self, call: InstructionId) {
        self.last = call.0;
        let (known, count) = &mut self.counts[call.index() % 4];
        (*known, *count) = if *known == call.0 { (call.0, *count + 1) } else { (call.0, 1) };
    }

    fn number(&self) -> u64 {
        let (_, count) = self.counts[self.last as usize % 4];
        u64::from(rounded(count)) << 32 | u64::from(self.last)
    }
}

/// Of a function that is called.
pub(super) fn context(caller: Option<&Frame>, function: FunctionKey) -> u64 {
    /// Any odd number whose bits look like chance.
    const MIXING: u64 = 0x9e37_79b9_7f4a_7c15;
    let (before, call) = caller.map_or((0, 0), |caller| (caller.context, caller.call.number()));
    let function = u64::from(function.module) << 32 | u64::from(function.function.0);
    let mixed = (before ^ call).wrapping_mul(MIXING).rotate_left(29) ^ function;
    mixed.wrapping_mul(MIXING).rotate_left(31)
}

pub(super) fn mixed(before: u64, with: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (before, with).hash(&mut hasher);
    hasher.finish()
}
