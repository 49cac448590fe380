//! Calls and invokes: what the probe and the callee together say about them.

use std::sync::Arc;

use abi::{FunctionId, IntrinsicClass, Probe};
use llvm::{LLVMValueKind, TypeKind};

use super::Problem;
use super::function::{Body, Mark};
use crate::{Call, CallKind, Callee, Constant, ConstantOp, Linkage, Operand, Type};

/// The index under which LLVM keeps the attributes of a function or call as a whole.
const FUNCTION_INDEX: u32 = u32::MAX;

impl<'m> Body<'_, 'm> {
    pub(super) fn call(&mut self, source: llvm::Instruction<'m>, mark: Mark) -> Result<Call, Problem> {
        let target = source.callee();
        let kind = self.call_kind(source, mark)?;
        let callee = match target.kind() {
            LLVMValueKind::LLVMFunctionValueKind => Callee::Function(FunctionId(self.position(target)?)),
            LLVMValueKind::LLVMGlobalAliasValueKind | LLVMValueKind::LLVMGlobalIFuncValueKind => {
                Callee::Symbol(self.position(target)?)
            }
            LLVMValueKind::LLVMInlineAsmValueKind => Callee::Assembly,
            _ => Callee::Pointer(self.operand(target)?),
        };
        let mut arguments = Vec::new();
        let mut argument_types = Vec::new();
        let mut by_value = Vec::new();
        for (argument, position) in source.arguments().zip(0..) {
            let (operand, ty) = self.argument(argument)?;
            if let Some(copied) = source.call_attribute_type(position + 1, "byval") {
                by_value.push((position, copied.alloc_size(self.lowering.source)));
            }
            arguments.push(operand);
            argument_types.push(ty);
        }
        Ok(Call {
            kind,
            callee,
            arguments,
            argument_types,
            by_value,
            type_hash: u32::try_from(mark.argument)
                .map_err(|_| Problem::MalformedProbe(vec![mark.probe as u64, mark.argument]))?,
            never_returns: source.has_call_attribute(FUNCTION_INDEX, "noreturn"),
        })
    }

    fn position(&self, target: llvm::Value<'m>) -> Result<u32, Problem> {
        self.lowering.positions.get(&target).copied().ok_or(Problem::UnknownValue)
    }

    /// Metadata (register names, rounding modes) is an argument of intrinsics only and has no value: void stands for it.
    fn argument(&mut self, argument: llvm::Value<'m>) -> Result<(Operand, Type), Problem> {
        if argument.ty().kind() == TypeKind::LLVMMetadataTypeKind {
            let nothing = Constant { ty: Type::Void, op: ConstantOp::Zero };
            return Ok((Operand::Constant(Arc::new(nothing)), Type::Void));
        }
        Ok((self.operand(argument)?, self.ty(argument.ty())?))
    }

    fn call_kind(&self, source: llvm::Instruction<'m>, mark: Mark) -> Result<CallKind, Problem> {
        let function = source.callee().as_function();
        let is_assembly = source.callee().kind() == LLVMValueKind::LLVMInlineAsmValueKind;
        let enters_nothing = is_assembly || function.is_some_and(llvm::Function::is_intrinsic);
        let wrong = |on| Err(Problem::WrongProbe { probe: mark.probe, on });
        match mark.probe {
            Probe::Open | Probe::Closed | Probe::Setjmp if enters_nothing => {
                wrong("a call of an intrinsic or of inline assembly")
            }
            Probe::Open => Ok(CallKind::Open),
            Probe::Setjmp => Ok(CallKind::Setjmp),
            Probe::Closed => {
                let Some(function) = function else { return wrong("a call that names no function") };
                match self.lowering.linkages[self.position(function.value())? as usize] {
                    Linkage::Open | Linkage::Closed => Ok(CallKind::Closed),
                    Linkage::Outside => wrong("a call of a function that is not instrumented"),
                }
            }
            Probe::Logged => Ok(CallKind::Logged),
            Probe::Plain => {
                let class = match function {
                    Some(function) if enters_nothing => abi::classify(&function.name()),
                    _ if is_assembly => IntrinsicClass::Logged,
                    _ => return Err(Problem::MissingProbe("a call")),
                };
                match class {
                    IntrinsicClass::Computed => Ok(CallKind::Computed),
                    IntrinsicClass::Ignored => Ok(CallKind::Ignored),
                    IntrinsicClass::Memory => Ok(CallKind::Memory),
                    // Without a result there is nothing to log, so the probe may be missing.
                    IntrinsicClass::Logged if source.ty().kind() == TypeKind::LLVMVoidTypeKind => Ok(CallKind::Logged),
                    IntrinsicClass::Logged => {
                        Err(Problem::MissingProbe("a call of an intrinsic or of inline assembly"))
                    }
                }
            }
            Probe::Local | Probe::Frame | Probe::Dynamic | Probe::Landing | Probe::Watched => wrong("a call"),
        }
    }
}
