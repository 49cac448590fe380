//! Reading saved IR whose bytes may be anything, under a hash that is wrong and under the right one.

#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::fuzz::{forged_ir, read_saved_ir};

fuzz_target!(|bytes: &[u8]| {
    read_saved_ir(bytes);
    read_saved_ir(&forged_ir(bytes));
});
