//! The model of a program, read from the numbered IR its binary carries.
//!
//! In: saved IR. Out: modules of functions, blocks and instructions as plain data, with source positions; types and
//! variables of the source; what follows from them alone: control flow, dominators both ways, control dependence, loops,
//! statements, and what could be defined where.
//! Deliberately absent: LLVM beyond `lower`; anything about a particular run. Source files are read only to show characters
//! as they are written (`debug`).

mod types;
mod operator;
mod constant;
mod model;
mod site;
pub mod debug;
mod lower;
mod print;
mod cfg;
mod dominators;
mod control;
mod loops;
mod repeats;
mod shape;
pub mod library;
mod operands;
mod intrinsic;
mod effect;
mod statement;
mod making;
mod assigned;
pub mod potential;

pub use assigned::assigned_before;
pub use cfg::{Cfg, ENTRY, Edge};
pub use constant::{Constant, ConstantOp};
pub use control::ControlDependence;
pub use dominators::{Dominators, PostDominators, RegionEnd};
pub use effect::OpEffect;
pub use intrinsic::Intrinsic;
pub use loops::{LoopId, Loops};
pub use lower::{
    LowerError, Problem, keep_trials_in, lower, lower_saved, lower_shared, read_debug, read_debug_saved,
    read_debug_shared, read_unguarded,
};
pub use making::{Making, making, scalar_bits};
pub use model::*;
pub use operator::{BinaryOp, CastOp, FCmp, ICmp, RmwOp};
pub use print::Text;
pub use repeats::{RepeatId, Repeats};
pub use shape::Shape;
pub use site::{FunctionKey, Site};
pub use statement::{Role, Statements, role};
pub use types::{FloatKind, Type};
