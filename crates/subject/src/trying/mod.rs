//! What techniques that make experiments share: what to try, in which order, and what came of it.

pub mod order;
pub mod hints;
pub mod alternatives;
pub mod constants;
pub mod other_ways;
pub mod switches;
pub mod edited;
pub mod explained;
pub mod settling;
pub mod still;
pub mod tested;
