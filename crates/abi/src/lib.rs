//! What the separately built halves of faultline agree on, byte for byte: the compiler side (`pass`, `cc`), the
//! runtime inside the debugged program, and the analysing side (`program`, `recording`, `replay`).
//!
//! In: nothing. Out: constants, `repr(C)` layouts, and encoder and decoder of each small format side by side.
//! Deliberately absent: dependencies, `std`, behaviour beyond what two halves must compute alike.

#![no_std]

mod descriptor;
mod directory;
mod ids;
mod intrinsic;
mod log;
mod watch;
mod probe;
mod plan;
mod edit;
mod mailbox;
mod shared;
mod runtime;

pub use descriptor::*;
pub use directory::*;
pub use edit::*;
pub use ids::*;
pub use intrinsic::*;
pub use log::*;
pub use mailbox::*;
pub use plan::*;
pub use probe::*;
pub use runtime::*;
pub use shared::*;
pub use watch::*;

/// Raise this whenever anything in this crate changes meaning: a layout, a tag, a probe, the order in which ids are
/// given. Instrumented objects, the runtime, recordings and the tools refuse each other across versions.
pub const VERSION: u32 = 7;
