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
