//! The evaluator against the machine.

mod native;
pub mod operands;
mod cases;
mod casts;
mod intrinsics;
mod values;
