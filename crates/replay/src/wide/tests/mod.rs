//! The evaluator against the machine, and its longest integers against its shorter ones.

mod native;
mod cases;
mod operands;
mod values;
