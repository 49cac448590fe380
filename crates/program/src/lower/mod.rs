//! Saved IR to the model: the only part of this crate that knows LLVM.
//!
//! In: a module's bitcode, numbered and marked by `pass`. Out: a [`Module`].
//! Deliberately absent: repair. A module that contradicts the contract in `abi` is refused with the site's name: a
//! replay of misread code would be wrong in silence.

mod problem;
mod types;
mod constant;
mod function;
mod instruction;
mod call;
mod debug;
mod trial;
mod shared;

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::sync::Arc;

use crate::{Constant, Global, Linkage, Module, ModuleId, SourceFile, SourceLocation, Type};

pub use debug::{read_debug, read_debug_saved};
pub use problem::{LowerError, Problem};
pub use shared::{lower_shared, read_debug_shared};
pub use trial::keep_trials_in;

/// Lowers one record of the section of saved IR: an `abi::IrHeader` and the compressed bitcode behind it.
///
/// The record may be anything: LLVM gets to see only what has the hash it is named by, and what a child has survived.
pub fn lower_saved(record: &[u8]) -> Result<Module, LowerError> {
    let (id, bitcode) = saved_bitcode(record)?;
    trial::on_large_stack(|| trial::tried(&bitcode, trial::What::Code, |source| lower_parsed(id, source)))
}

/// Reads a record without a trial, if its hash is right: for who tries many himself, in children of his own, and wants to
/// know what LLVM does not survive.
pub fn read_unguarded(record: &[u8]) -> Option<Module> {
    let (id, bitcode) = saved_bitcode(record).ok()?;
    let module = lower_parsed(id, &trial::whole(&bitcode).ok()?).ok();
    let _ = debug::read_debug_parsed(&trial::whole(&bitcode).ok()?);
    module
}

/// No module is longer: LLVM writes offsets within one in 32 bits.
const MOST_BITCODE: u64 = 2 << 30;

fn saved_bitcode(record: &[u8]) -> Result<(ModuleId, Vec<u8>), LowerError> {
    let header = abi::IrHeader::decode(record).ok_or(LowerError::NotSavedIr)?;
    if header.version != abi::VERSION {
        return Err(LowerError::Version { found: header.version, expected: abi::VERSION });
    }
    let stored = usize::try_from(header.stored_length)
        .ok()
        .and_then(|length| record[abi::IrHeader::SIZE..].get(..length))
        .ok_or(LowerError::Truncated)?;
    if header.raw_length > MOST_BITCODE {
        return Err(LowerError::Damaged);
    }
    // Memory is taken as bytes come, not for the length that is claimed.
    let mut bitcode = Vec::new();
    let decoder = zstd::stream::Decoder::with_buffer(stored).map_err(LowerError::Compression)?;
    decoder.take(header.raw_length + 1).read_to_end(&mut bitcode).map_err(LowerError::Compression)?;
    if bitcode.len() as u64 != header.raw_length {
        return Err(LowerError::Truncated);
    }
    if blake3::hash(&bitcode).as_bytes()[..header.module.len()] != header.module {
        return Err(LowerError::Damaged);
    }
    Ok((ModuleId(header.module), bitcode))
}

/// Lowers the bitcode of one module, which must be as LLVM has written it.
pub fn lower(id: ModuleId, bitcode: &[u8]) -> Result<Module, LowerError> {
    let _reading = trial::reading();
    lower_parsed(id, &llvm::Module::parse(bitcode)?)
}

fn lower_parsed(id: ModuleId, source: &llvm::Module) -> Result<Module, LowerError> {
    let mut lowering = Lowering::new(source);
    let linkages = source.functions().map(function::linkage).collect::<Result<Vec<_>, _>>()?;
    lowering.linkages = linkages;
    let functions = source
        .functions()
        .enumerate()
        .map(|(position, f)| lowering.function(position as u32, f))
        .collect::<Result<Vec<_>, _>>()?;
    let referenced = referenced_by_initializers(source);
    let globals = source.global_values().map(|value| global(&mut lowering, value, &referenced)).collect();
    Ok(Module {
        id,
        source_file: source.source_file(),
        files: lowering.files,
        functions,
        globals,
        limits: source.named_strings(abi::LIMITS_METADATA),
    })
}

/// What is shared by all functions of a module while it is lowered. Types, constants and files repeat a lot, so each
/// is made once.
struct Lowering<'m> {
    source: &'m llvm::Module,
    probe_kind: u32,
    /// Position of each global value in the module descriptor's table; a function's is its id.
    positions: HashMap<llvm::Value<'m>, u32>,
    /// By position of the function.
    linkages: Vec<Linkage>,
    types: HashMap<llvm::Type<'m>, Type>,
    constants: HashMap<llvm::Value<'m>, Arc<Constant>>,
    files: Vec<Arc<SourceFile>>,
    /// LLVM may hold several entries for the same file, so the text decides.
    files_by_text: HashMap<Arc<SourceFile>, u32>,
    files_by_entry: HashMap<llvm::DebugFile<'m>, u32>,
}

impl<'m> Lowering<'m> {
    fn new(source: &'m llvm::Module) -> Lowering<'m> {
        Lowering {
            source,
            probe_kind: source.metadata_kind(abi::PROBE_METADATA),
            positions: source.global_values().zip(0..).collect(),
            linkages: Vec::new(),
            types: HashMap::new(),
            constants: HashMap::new(),
            files: Vec::new(),
            files_by_text: HashMap::new(),
            files_by_entry: HashMap::new(),
        }
    }

    fn location(&mut self, position: llvm::Position<'m>) -> SourceLocation {
        let entry = position.file;
        let file = *self.files_by_entry.entry(entry).or_insert_with(|| {
            let file = Arc::new(SourceFile { directory: entry.directory(), name: entry.name() });
            *self.files_by_text.entry(file.clone()).or_insert_with(|| {
                self.files.push(file);
                self.files.len() as u32 - 1
            })
        });
        SourceLocation { file, line: position.line, column: position.column }
    }
}

/// Bytes of a constant whose initial value is kept: a larger one is a table that no index is looked up in.
const MOST_INITIAL: u64 = 1 << 14;

fn global<'m>(lowering: &mut Lowering<'m>, value: llvm::Value<'m>, referenced: &HashSet<llvm::Value<'m>>) -> Global {
    let source = lowering.source;
    let size = match value.kind() {
        llvm::LLVMValueKind::LLVMGlobalVariableValueKind => {
            let ty = value.global_value_type();
            if ty.is_sized() { ty.alloc_size(source) } else { 0 }
        }
        _ => 0,
    };
    let is_variable = value.kind() == llvm::LLVMValueKind::LLVMGlobalVariableValueKind;
    let initialiser = if is_variable { value.initialiser() } else { None };
    let text = initialiser.map_or_else(Vec::new, llvm::Value::constant_bytes);
    let is_constant = is_variable && value.is_constant_global();
    let is_table = is_constant && text.is_empty() && size <= MOST_INITIAL;
    Global {
        name: value.name(),
        size,
        is_constant,
        address_in_initializer: referenced.contains(&value),
        // What cannot be read is a value that nobody knows.
        initial: initialiser.filter(|_| is_table).and_then(|value| lowering.constant(value).ok()),
        text,
    }
}

/// The constants that initial values of variables, and aliases, are made of.
fn referenced_by_initializers(source: &llvm::Module) -> HashSet<llvm::Value<'_>> {
    let initialized = |value: &llvm::Value<'_>| value.as_function().is_none();
    let mut open: Vec<_> = source.global_values().filter(initialized).flat_map(|value| value.operands()).collect();
    let mut referenced = HashSet::new();
    while let Some(value) = open.pop() {
        // What a global value refers to is its own initial value, which is looked at anyway.
        if referenced.insert(value) && !is_global(value) {
            open.extend(value.operands());
        }
    }
    referenced
}

fn is_global(value: llvm::Value<'_>) -> bool {
    use llvm::LLVMValueKind::*;
    matches!(
        value.kind(),
        LLVMFunctionValueKind | LLVMGlobalVariableValueKind | LLVMGlobalAliasValueKind | LLVMGlobalIFuncValueKind
    )
}

#[cfg(test)]
pub(crate) mod tests;
