//! Arithmetic the machine defines and LLVM does not: division that traps, float to integer out of range.

use llvm::{Instruction, LLVMOpcode, TypeKind};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;

use crate::builder::{T, V};

use super::function::Instrumenter;

impl Instrumenter<'_, '_> {
    /// Divides only what the machine could divide; otherwise raises its error, used or not.
    pub fn guard_division(&mut self, division: Instruction<'_>) {
        let b = self.b;
        let (dividend, divisor) = (division.operand(0).raw(), division.operand(1).raw());
        let ty = division.ty();
        if ty.kind() != TypeKind::LLVMIntegerTypeKind {
            return;
        }
        let signed = matches!(division.opcode(), LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMSRem);
        // SAFETY: integers of one type.
        unsafe {
            if !LLVMIsAConstantInt(divisor).is_null() && ty.bits() <= 64 {
                let value = LLVMConstIntGetSExtValue(divisor);
                if value != 0 && !(signed && value == -1) {
                    return;
                }
            }
            let mut bad = b.icmp(LLVMIntPredicate::LLVMIntEQ, divisor, LLVMConstNull(ty.0));
            if signed {
                let minus_one = LLVMConstAllOnes(ty.0);
                let least = b.shl(LLVMConstInt(ty.0, 1, 0), LLVMConstInt(ty.0, u64::from(ty.bits()) - 1, 0));
                let overflow = b.and(
                    b.icmp(LLVMIntPredicate::LLVMIntEQ, divisor, minus_one),
                    b.icmp(LLVMIntPredicate::LLVMIntEQ, dividend, least),
                );
                bad = b.or(bad, overflow);
            }
            let (error, fine) = (self.new_block("divide.error"), self.new_block("divide"));
            b.branch_unlikely(bad, error, fine);
            b.at_end(error);
            self.write_back();
            b.call_runtime(self.runtime.divide_error, &[]);
            b.unreachable();
            b.at_end(fine);
        }
    }

    /// Converts a float or double as the SSE instructions do, out of range included. Gives the value that replaces
    /// the conversion, or nothing if it is of another kind.
    pub fn convert(&mut self, conversion: Instruction<'_>) -> Option<V> {
        let b = self.b;
        let value = conversion.operand(0).raw();
        let (from, to) = (conversion.operand(0).ty(), conversion.ty());
        if to.kind() != TypeKind::LLVMIntegerTypeKind || to.bits() > 64 {
            return None;
        }
        let double = match from.kind() {
            TypeKind::LLVMDoubleTypeKind => true,
            TypeKind::LLVMFloatTypeKind => false,
            _ => return None,
        };
        let signed = conversion.opcode() == LLVMOpcode::LLVMFPToSI;
        let bits = to.bits();
        Some(if (signed && bits <= 32) || bits <= 16 {
            b.trunc(self.truncate(value, double, b.i32), to.0)
        } else if signed || bits <= 32 {
            b.trunc(self.truncate(value, double, b.i64), to.0)
        } else {
            // SAFETY: constants and instructions of matching types.
            unsafe {
                let low = self.truncate(value, double, b.i64);
                let two_to_63 = LLVMConstReal(from.0, 9_223_372_036_854_775_808.0);
                let reduced = LLVMBuildFSub(b.raw(), value, two_to_63, c"".as_ptr());
                let high = self.truncate(reduced, double, b.i64);
                let sign = LLVMBuildAShr(b.raw(), low, b.i64_of(63), c"".as_ptr());
                b.trunc(b.or(low, b.and(high, sign)), to.0)
            }
        })
    }

    /// `cvttss2si` or `cvttsd2si`, 32 or 64 bits wide.
    fn truncate(&self, value: V, double: bool, to: T) -> V {
        let b = self.b;
        let name = match (double, to == b.i32) {
            (true, true) => c"llvm.x86.sse2.cvttsd2si",
            (true, false) => c"llvm.x86.sse2.cvttsd2si64",
            (false, true) => c"llvm.x86.sse.cvttss2si",
            (false, false) => c"llvm.x86.sse.cvttss2si64",
        };
        // SAFETY: the intrinsics take a vector of which they read the first element.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr(), name.to_bytes().len());
            let intrinsic = LLVMGetIntrinsicDeclaration(self.module.raw(), id, std::ptr::null_mut(), 0);
            let vector = LLVMVectorType(LLVMTypeOf(value), if double { 2 } else { 4 });
            let filled = LLVMBuildInsertElement(b.raw(), LLVMConstNull(vector), value, b.i64_of(0), c"".as_ptr());
            b.call(LLVMGlobalGetValueType(intrinsic), intrinsic, &[filled])
        }
    }
}
