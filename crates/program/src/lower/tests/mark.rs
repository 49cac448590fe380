//! Marks a module as an instrumentation that logs everything would: each function open, each alloca in the frame.

use abi::{IntrinsicClass, Probe};
use llvm::{Instruction, LLVMOpcode, LLVMValueKind, Module, TypeKind};
use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::*;

pub fn mark(bitcode: &[u8]) -> Vec<u8> {
    let module = Module::parse(bitcode).expect("clang writes bitcode");
    for function in module.functions().filter(|f| !f.is_declaration()) {
        add_attribute(&module, function, abi::FUNCTION_ATTRIBUTE, "open");
        add_attribute(&module, function, abi::TYPE_ATTRIBUTE, "7");
        add_attribute(&module, function, abi::FRAME_ATTRIBUTE, "");
        let mut frame = 0;
        for instruction in function.instructions() {
            let (probe, argument) = match instruction.opcode() {
                LLVMOpcode::LLVMAlloca => {
                    let offset = frame;
                    frame += instruction.alloca_type().alloc_size(&module).next_multiple_of(16);
                    (Probe::Frame, offset)
                }
                LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => (Probe::Logged, 0),
                LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => call_probe(instruction),
                LLVMOpcode::LLVMLandingPad => (Probe::Landing, 0),
                _ => (Probe::Plain, 0),
            };
            let flags = match instruction.opcode() {
                LLVMOpcode::LLVMStore => abi::TICKS,
                LLVMOpcode::LLVMSwitch => abi::TICKS | abi::HASHES,
                LLVMOpcode::LLVMBr if instruction.successors().len() == 2 => abi::TICKS | abi::HASHES,
                _ => 0,
            };
            if (probe, flags) != (Probe::Plain, 0) {
                attach(&module, instruction, probe.code(flags), argument);
            }
        }
    }
    module.verify().expect("marks keep a module well-formed");
    module.to_bitcode()
}

fn call_probe(call: Instruction<'_>) -> (Probe, u64) {
    let callee = call.callee();
    if callee.kind() == LLVMValueKind::LLVMInlineAsmValueKind {
        return (Probe::Logged, 0);
    }
    match callee.as_function().filter(|f| f.is_intrinsic()) {
        None => (Probe::Open, 7),
        Some(intrinsic) => match abi::classify(&intrinsic.name()) {
            IntrinsicClass::Logged if call.ty().kind() != TypeKind::LLVMVoidTypeKind => (Probe::Logged, 0),
            _ => (Probe::Plain, 0),
        },
    }
}

fn add_attribute(module: &Module, function: llvm::Function<'_>, name: &str, value: &str) {
    // SAFETY: both strings are copied into the context.
    unsafe {
        let attribute = LLVMCreateStringAttribute(
            module.context(),
            name.as_ptr().cast(),
            name.len() as u32,
            value.as_ptr().cast(),
            value.len() as u32,
        );
        LLVMAddAttributeAtIndex(function.raw(), LLVMAttributeFunctionIndex, attribute);
    }
}

fn attach(module: &Module, instruction: Instruction<'_>, code: u32, argument: u64) {
    // SAFETY: constants and node belong to the module's context.
    unsafe {
        let word = LLVMInt64TypeInContext(module.context());
        let mut operands = [code.into(), argument].map(|n| LLVMValueAsMetadata(LLVMConstInt(word, n, 0)));
        let node = LLVMMDNodeInContext2(module.context(), operands.as_mut_ptr(), operands.len());
        let kind = module.metadata_kind(abi::PROBE_METADATA);
        LLVMSetMetadata(instruction.raw(), kind, LLVMMetadataAsValue(module.context(), node));
    }
}
