//! A thin view of LLVM's C interface: modules, functions, blocks, instructions, types, constants, debug locations and metadata.
//!
//! In: bitcode. Out: cheap, copyable references into an LLVM module, and bitcode again.
//! Deliberately absent: any knowledge of faultline; building of instructions (that is `pass`'s own).
//!
//! Why not inkwell or llvm-ir: see ARCHITECTURE.md, "Libraries".

mod text;
mod module;
mod types;
mod value;
mod globals;
mod operation;
mod debug;
mod metadata;

pub use debug::{DebugFile, Location, Position};
pub use metadata::{Metadata, MetadataKind};
pub use module::{LlvmError, Module};
pub use types::{Type, TypeKind};
pub use value::{Block, Function, Instruction, Value, attribute_kind};

pub use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMValueKind};
