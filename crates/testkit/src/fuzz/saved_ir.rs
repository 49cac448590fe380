//! Saved IR with bytes changed: some of it as it is, which the hash tells; most of it under the hash that it then has, as
//! somebody would do who wants to harm.

use abi::IrHeader;
use anyhow::Result;
use recording::saved_ir::Binary;

use super::{Chance, Subject};
use crate::tools::Tools;

/// A little of everything that is saved: types, constants, debug information, calls, loops.
const PROGRAM: &str = r#"
#include <stdio.h>
struct pair { int key; double value; const char *name; struct pair *next; };
static const struct pair first = {1, 2.5, "first", 0};
static int table[] = {1, 2, 3};
union word { long number; char bytes[8]; };
static int (*chosen)(int);
static int twice(int x) { return x << 1; }
static long sum(const struct pair *list, int limit) {
    long total = 0;
    for (int i = 0; i < limit; i++)
        switch (list->key + table[i % 3]) {
            case 2: total += (long)list->value; break;
            case 3: total -= chosen(i); break;
            default: total ^= list->name[0];
        }
    return total;
}
int main(int count, char **words) {
    union word word = {.number = sum(&first, count)};
    chosen = twice;
    printf("%d %s\n", word.bytes[0], words[0]);
    return count > 1;
}
"#;

pub struct Modules(Vec<Vec<u8>>);

/// Bytes of bitcode; longer modules only take longer.
const LONGEST: usize = 16 << 10;

impl Modules {
    pub fn new(tools: &Tools) -> Result<Modules> {
        let folder = tempfile::tempdir()?;
        let program = super::build(tools, folder.path(), PROGRAM)?;
        let mut modules = Vec::new();
        for module in Binary::open(&program)?.saved_ir()? {
            read(module.record);
            modules.extend(bitcode(module.record).filter(|bitcode| bitcode.len() < LONGEST));
        }
        anyhow::ensure!(!modules.is_empty(), "the program has no module that is short enough");
        Ok(Modules(modules))
    }
}

fn bitcode(record: &[u8]) -> Option<Vec<u8>> {
    let header = IrHeader::decode(record)?;
    zstd::bulk::decompress(record.get(IrHeader::SIZE..)?, header.raw_length as usize).ok()
}

/// A record of this bitcode, under its hash.
pub fn forged(bitcode: &[u8]) -> Vec<u8> {
    let stored = zstd::bulk::compress(bitcode, 1).unwrap_or_default();
    let mut module = [0; 16];
    module.copy_from_slice(&blake3::hash(bitcode).as_bytes()[..16]);
    let header = IrHeader {
        version: abi::VERSION,
        module,
        raw_length: bitcode.len() as u64,
        stored_length: stored.len() as u64,
    };
    [&header.encode()[..], &stored].concat()
}

impl Subject for Modules {
    fn input(&self, chance: &mut Chance) -> Vec<u8> {
        let mut bitcode = chance.of(&self.0).clone();
        if chance.one_in(4) {
            let mut record = forged(&bitcode);
            chance.change(&mut record);
            return record;
        }
        if chance.one_in(4) {
            chance.change(&mut bitcode);
        } else {
            // Bitcode is a stream of bits: where one is put in, all that follows is something else.
            for _ in 0..1 + chance.below(4) {
                let at = chance.below(bitcode.len());
                bitcode[at] ^= 1 << chance.below(8);
            }
        }
        forged(&bitcode)
    }

    fn read(&self, input: &[u8]) {
        read(input);
    }

    fn read_unguarded(&self, input: &[u8]) -> Option<()> {
        if let Some(module) = program::read_unguarded(input) {
            look_at(&module);
        }
        Some(())
    }
}

/// Reads a record as the tools do.
pub fn read(input: &[u8]) {
    if let Ok(module) = program::lower_saved(input) {
        look_at(&module);
    }
    let _ = program::read_debug_saved(input);
}

/// What is found out of a module's text before anything of it is replayed.
fn look_at(module: &program::Module) {
    for function in &module.functions {
        let _ = program::Shape::of(function);
        let _ = module.function_text(function.id).to_string();
    }
    let _ = program::potential::Potential::of(&[module], &budget::Budget::unlimited());
}
