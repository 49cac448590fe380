//! Reading a recording whose bytes may be anything.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use recording::Recording;

fuzz_target!(|bytes: &[u8]| {
    let mut file = recording::format::encode_header().to_vec();
    file.extend(bytes);
    for bytes in [bytes.to_vec(), file] {
        if let Ok(recording) = Recording::from_bytes(Path::new("fuzzed.flt"), bytes) {
            let mut out = std::io::sink();
            recording::dump::summary(&recording, &mut out).unwrap();
            recording::dump::bytes(&recording, &mut out).unwrap();
        }
    }
});
