//! Reading a recording whose bytes may be anything.

#![no_main]

use libfuzzer_sys::fuzz_target;
use testkit::fuzz::read_recording;

fuzz_target!(|bytes: &[u8]| {
    let mut file = recording::format::encode_header().to_vec();
    file.extend(bytes);
    read_recording(bytes);
    read_recording(&file);
});
