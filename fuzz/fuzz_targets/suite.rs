//! Reading a list of tests whose text may be anything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::fuzz::{Target, read_one};

fuzz_target!(|bytes: &[u8]| read_one(Target::Suite, bytes).unwrap());
