//! What faultline did not look at, it says; what it could not find, it does not pretend to have found; and bad surroundings
//! (damaged files, low limits, nobody who reads) are told in sentences.

mod bench;
mod unassigned;
mod unexamined;
mod incomplete;
mod surroundings;
mod saved_ir;
mod folders;
mod fuzzed;
