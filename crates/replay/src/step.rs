//! What names one execution of a site.

use program::Site;

/// A step: one execution of a site. Clock, depth and site name it: every execution of a function and every turn of a loop
/// has a tick of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Step {
    pub clock: u64,
    /// How many functions are on the stack.
    pub depth: u32,
    pub site: Site,
}

impl Step {
    /// Whether it came before another. Between two ticks, the order of a function's instructions is that of its text.
    pub fn is_before(self, other: Step) -> bool {
        let is_beside = (self.depth, self.site.function) == (other.depth, other.site.function);
        let is_above = !is_beside || self.site.instruction < other.site.instruction;
        self.clock < other.clock || (self.clock == other.clock && is_above)
    }
}
