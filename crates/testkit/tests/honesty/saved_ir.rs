//! Saved IR that is damaged, or made to harm, is refused in a sentence.

use recording::saved_ir::Binary;
use testkit::fuzz::forged_ir;

use crate::bench::{Bench, says};

const PROGRAM: &str =
    "int main(int count, char **words) { int sum = 0; for (int i = 0; i < count + 3; i++) sum += i; return sum; }";

/// Where the record of a program's own module stands in its file, the bitcode's beginning and its length.
fn saved(binary: &[u8], path: &std::path::Path) -> (usize, usize) {
    let opened = Binary::open(path).expect("a program");
    let modules = opened.saved_ir().expect("saved IR");
    let record = modules[0].record;
    let at = binary.windows(record.len()).position(|bytes| bytes == record).expect("it is in the file");
    (at, record.len())
}

#[test]
fn flipped_bytes_never_reach_llvm() {
    let bench = Bench::new();
    let program = bench.compile("p", PROGRAM);
    let binary = std::fs::read(&program).expect("the program");
    let (at, length) = saved(&binary, &program);
    for part in 1..15 {
        let mut damaged = binary.clone();
        damaged[at + abi::IrHeader::SIZE + (length - abi::IrHeader::SIZE - 1) * part / 15] ^= 0x10;
        std::fs::write(&program, &damaged).expect("it can be written");
        bench.shell("FAULTLINE record -o r.flt -- ./p");
        let replay = bench.shell("FAULTLINE replay r.flt");
        says(&replay, 2, &["cannot be read"]);
    }
    let why = bench.shell("FAULTLINE why --expect-exit 0 -- ./p");
    says(&why, 2, &["cannot be read"]);
}

/// Bitcode whose hash is right and that LLVM's own reader may not survive.
#[test]
fn a_forged_hash_does_not_help() {
    let bench = Bench::new();
    let program = bench.compile("p", PROGRAM);
    let binary = std::fs::read(&program).expect("the program");
    let (at, length) = saved(&binary, &program);
    let record = &binary[at..at + length];
    let header = abi::IrHeader::decode(record).expect("a header");
    let stored = &record[abi::IrHeader::SIZE..];
    let bitcode = zstd::bulk::decompress(stored, header.raw_length as usize).expect("it is whole");
    assert!(program::lower_saved(&forged_ir(&bitcode)).is_ok(), "unchanged, it is as good as ours");
    let mut refused = 0;
    for part in 0..60 {
        let mut changed = bitcode.clone();
        let at = 100 + (changed.len() - 101) * part / 60;
        changed[at] ^= 1 << (part % 8);
        // Returning at all is what is promised.
        refused += usize::from(program::lower_saved(&forged_ir(&changed)).is_err());
    }
    assert!(refused > 0);
}
