//! The model of a program, read from the numbered IR its binary carries.
//!
//! In: saved IR. Out: modules of functions, blocks and instructions as plain data, with source positions.
//! Deliberately absent: LLVM beyond `lower`; anything about a particular run.

mod model;
mod types;
mod constant;
mod lower;
mod print;
pub mod library;

pub use constant::{Constant, ConstantOp};
pub use lower::{LowerError, Problem, lower, lower_saved};
pub use model::*;
pub use print::Text;
pub use types::{FloatKind, Type};
