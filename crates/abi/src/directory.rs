//! The directory: the stream ([`DIRECTORY_STREAM`]) in which the runtime says where modules and functions are.
//!
//! Records, little endian, back to back, never split across chunks:
//!
//! | tag (1 byte) | then |
//! |---|---|
//! | [`DIRECTORY_FILE`] | length (2), path of the executable or shared library the following records belong to |
//! | [`DIRECTORY_MODULE`] | module id (16), index of the first address (4), count (4), addresses (8 each) |
//! | [`DIRECTORY_FUNCTION`] | entry (8), module id (16), function id (4), type hash (4) |
//!
//! A module with many addresses has several records.

use crate::StreamId;

pub const DIRECTORY_STREAM: StreamId = StreamId(0);
pub const DIRECTORY_FILE: u8 = 1;
pub const DIRECTORY_MODULE: u8 = 2;
pub const DIRECTORY_FUNCTION: u8 = 3;
