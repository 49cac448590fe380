//! The recording of a run: making it, reading it back, showing its raw form.
//!
//! In: a program and its arguments; or the file of an earlier recording. Out: that file; or the streams, modules and
//! functions in it.
//! Deliberately absent: interpretation. Only the program's IR determines what the bytes of a stream mean; see `replay`.
//!
//! [`format`] says how the file is built, [`contents`] what is in it; [`Writer`] and [`Recording`] stand side by side.
//! [`record`] runs a program and drains the memory it shares with us. [`folder`] makes the private folders that all commands
//! keep their recordings and copies in while they run.

pub mod contents;
pub mod format;
pub mod saved_ir;
pub mod plan;
pub mod standard;
mod directory;
mod writer;
mod reader;
pub mod dump;
pub mod record;
pub mod folder;

pub use contents::End;
pub use contents::{CaseRecord, Ending, Fault};
pub use directory::{FunctionEntry, ModuleEntry};
pub use reader::{ChunkEntry, Interruption, ReadError, Recording, Stream, StreamEnd};
pub use standard::{Capture, Captures, NoCapture, Standard};
pub use writer::Writer;
