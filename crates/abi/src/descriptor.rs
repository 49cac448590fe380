//! What an instrumented object carries: descriptors the linker gathers into tables, and the saved IR.

/// Non-allocated section of saved IR: records of [`IrHeader`] followed by zstd-compressed bitcode, one per module.
/// Each record is padded with zeros to a multiple of eight bytes.
pub const IR_SECTION: &str = ".faultline.ir";
/// Section of [`ModuleDescriptor`]s. A C identifier, so that the linker provides `__start_` and `__stop_` symbols.
pub const MODULES_SECTION: &str = "faultline_modules";
/// Section of [`FunctionDescriptor`]s, likewise.
pub const FUNCTIONS_SECTION: &str = "faultline_functions";

pub const IR_MAGIC: [u8; 8] = *b"FLTL-IR\0";

/// Precedes each module's compressed bitcode in [`IR_SECTION`]. Little endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IrHeader {
    pub version: u32,
    pub module: [u8; 16],
    /// Bytes of bitcode once decompressed.
    pub raw_length: u64,
    /// Bytes of compressed bitcode that follow this header.
    pub stored_length: u64,
}

impl IrHeader {
    pub const SIZE: usize = 8 + 4 + 4 + 16 + 8 + 8;

    pub fn encode(&self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        out[0..8].copy_from_slice(&IR_MAGIC);
        out[8..12].copy_from_slice(&self.version.to_le_bytes());
        out[16..32].copy_from_slice(&self.module);
        out[32..40].copy_from_slice(&self.raw_length.to_le_bytes());
        out[40..48].copy_from_slice(&self.stored_length.to_le_bytes());
        out
    }

    /// `None` when the magic is missing or the bytes are too few. The version is the caller's to judge.
    pub fn decode(bytes: &[u8]) -> Option<IrHeader> {
        let bytes = bytes.get(..Self::SIZE)?;
        if bytes[0..8] != IR_MAGIC {
            return None;
        }
        Some(IrHeader {
            version: u32::from_le_bytes(bytes[8..12].try_into().ok()?),
            module: bytes[16..32].try_into().ok()?,
            raw_length: u64::from_le_bytes(bytes[32..40].try_into().ok()?),
            stored_length: u64::from_le_bytes(bytes[40..48].try_into().ok()?),
        })
    }
}

/// One per instrumented module, in [`MODULES_SECTION`].
#[repr(C)]
pub struct ModuleDescriptor {
    pub version: u32,
    pub address_count: u32,
    pub id: [u8; 16],
    /// Addresses of the module's global values as the linker and loader resolved them: first every function, then
    /// every global variable, then every alias, then every ifunc, each in module order. Zero where none is needed:
    /// intrinsics, closed functions, thread-local variables.
    pub addresses: *const u64,
}

/// One per function that outside code can reach, in [`FUNCTIONS_SECTION`]. Lives in the function's COMDAT, so of
/// code compiled many times just the copy that was linked has one.
#[repr(C)]
pub struct FunctionDescriptor {
    pub entry: u64,
    pub module: *const ModuleDescriptor,
    pub function: u32,
    /// See [`call_token`].
    pub type_hash: u32,
}

/// What a caller leaves in its slot for the callee: the address it calls, and in the upper 16 bits a hash of the
/// function type it believes in. A callee that finds its own token knows its caller is instrumented and agrees on the
/// type; any other value, and it was entered from outside.
pub const fn call_token(entry: u64, type_hash: u32) -> u64 {
    (entry & ADDRESS_MASK) | ((type_hash as u64 & 0xffff) << 48)
}

/// Symbols of the twins of library functions begin with this; the name of the library's function follows.
pub const TWIN_PREFIX: &str = "__faultline_twin_";

/// The type hash of calls whose callee has no one address: nobody's token agrees with it.
pub const NO_TYPE: u32 = 0x1_0000;

pub const ADDRESS_MASK: u64 = (1 << 48) - 1;
