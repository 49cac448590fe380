//! The evaluator against the machine, and its longest integers against its shorter ones.

mod native;
mod operands;
mod cases;
mod casts;
mod intrinsics;
mod values;
