//! Reading a plan whose bytes may be anything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::fuzz::read_plan;

fuzz_target!(|bytes: &[u8]| read_plan(bytes));
