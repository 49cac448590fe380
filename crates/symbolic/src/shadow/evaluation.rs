//! Which evaluation of a condition it is: by the calls that led to it, and by how many times this execution of its function has
//! come there. Two runs that came as far in the same loop have evaluations of the same number, whatever came before.

use std::hash::{DefaultHasher, Hash, Hasher};

use abi::InstructionId;
use program::{FunctionKey, Site};
use smt::hash::Map;

use super::frames::Frame;

#[derive(Default)]
pub(super) struct Evaluations {
    frames: u32,
    counts: Map<(u32, InstructionId), u32>,
}

/// Evaluations that are told apart exactly; of later ones those between two powers of two are alike.
const EXACT: u32 = 128;

impl Evaluations {
    pub fn count(&mut self, frame: Option<&mut Frame>, site: Site) -> u64 {
        let Some(frame) = frame else { return 0 };
        let serial = *frame.serial.get_or_insert_with(|| {
            self.frames += 1;
            self.frames
        });
        let count = self.counts.entry((serial, site.instruction)).or_default();
        *count += 1;
        let count = if *count < EXACT { *count } else { EXACT + count.ilog2() };
        mixed(frame.context, (site.instruction, count))
    }
}

/// Of a function that is called.
pub(super) fn context(caller: Option<&Frame>, function: FunctionKey) -> u64 {
    /// Any odd number whose bits look like chance.
    const MIXING: u64 = 0x9e37_79b9_7f4a_7c15;
    let (before, call) = caller.map_or((0, 0), |caller| (caller.context, caller.call));
    let function = u64::from(function.module) << 32 | u64::from(function.function.0);
    let mixed = (before ^ u64::from(call)).wrapping_mul(MIXING).rotate_left(29) ^ function;
    mixed.wrapping_mul(MIXING).rotate_left(31)
}

pub(super) fn mixed(before: u64, with: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    (before, with).hash(&mut hasher);
    hasher.finish()
}
