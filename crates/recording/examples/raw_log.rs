//! Writes the decompressed log of a recording's first stream to standard output: for trying compressors on it.

use std::io::Write;

fn main() {
    let path = std::env::args().nth(1).expect("usage: raw_log RECORDING");
    let recording = recording::Recording::open(path.as_ref()).expect("a recording");
    let stream = &recording.streams()[0];
    let mut out = std::io::stdout().lock();
    for index in 0..stream.chunks.len() {
        out.write_all(&recording.chunk(stream.id, index).expect("a chunk")).expect("standard output");
    }
}
