//! Saves the prepared, annotated module: compressed bitcode in a section the program never loads.

use std::fmt::Write;

use abi::IrHeader;
use llvm::Module;
use llvm_sys::core::LLVMAppendModuleInlineAsm;

pub struct Saved {
    pub module: [u8; 16],
    /// Header and compressed bitcode, padded to a multiple of eight bytes.
    pub record: Vec<u8>,
}

pub fn save(module: &Module) -> Result<Saved, std::io::Error> {
    let bitcode = module.to_bitcode();
    let hash = blake3::hash(&bitcode);
    let mut id = [0; 16];
    id.copy_from_slice(&hash.as_bytes()[..16]);
    let stored = zstd::bulk::compress(&bitcode, 3)?;
    let header = IrHeader {
        version: abi::VERSION,
        module: id,
        raw_length: bitcode.len() as u64,
        stored_length: stored.len() as u64,
    };
    let mut record = header.encode().to_vec();
    record.extend_from_slice(&stored);
    record.resize(record.len().next_multiple_of(8), 0);
    Ok(Saved { module: id, record })
}

/// Puts the record into the module's object file. Assembly rather than a global variable: a section that is not
/// loaded costs the running program nothing and survives `strip`.
pub fn embed(module: &Module, saved: &Saved) {
    let mut text = format!(".pushsection {},\"\",@progbits\n", abi::IR_SECTION);
    for line in saved.record.chunks(64) {
        text.push_str(".ascii \"");
        for &byte in line {
            match byte {
                b'"' | b'\\' => {
                    text.push('\\');
                    text.push(byte.into());
                }
                b' '..=b'~' => text.push(byte.into()),
                // Always three digits, so that a digit that follows is not taken in.
                _ => _ = write!(text, "\\{byte:03o}"),
            }
        }
        text.push_str("\"\n");
    }
    text.push_str(".popsection\n");
    // SAFETY: the text is copied.
    unsafe { LLVMAppendModuleInlineAsm(module.raw(), text.as_ptr().cast(), text.len()) }
}
