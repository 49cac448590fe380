//! Arithmetic the machine defines and LLVM does not: division that traps, float to integer out of range.

use llvm::{Instruction, LLVMOpcode, Type, TypeKind, Value};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;

use super::function::Instrumenter;

impl<'m> Instrumenter<'_, 'm> {
    /// Divides only what the machine could divide; otherwise raises its error, used or not.
    pub fn guard_division(&mut self, division: Instruction<'m>) {
        let b = self.b;
        let (dividend, divisor) = (division.operand(0), division.operand(1));
        let ty = division.ty();
        if ty.kind() != TypeKind::LLVMIntegerTypeKind {
            return;
        }
        let signed = matches!(division.opcode(), LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMSRem);
        if ty.bits() <= 64
            && let Some(value) = signed_constant(divisor)
            && value != 0
            && !(signed && value == -1)
        {
            return;
        }
        let mut bad = b.icmp(LLVMIntPredicate::LLVMIntEQ, divisor, b.zero(ty));
        if signed {
            let minus_one = b.all_ones(ty);
            let least = b.shl(b.int(ty, 1), b.int(ty, u64::from(ty.bits()) - 1));
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

    /// Converts a float or double as the SSE instructions do, out of range included. Gives the value that replaces
    /// the conversion, or nothing if it is of another kind.
    pub fn convert(&mut self, conversion: Instruction<'m>) -> Option<Value<'m>> {
        let b = self.b;
        let value = conversion.operand(0);
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
            b.trunc(self.truncate(value, double, b.i32), to)
        } else if signed || bits <= 32 {
            b.trunc(self.truncate(value, double, b.i64), to)
        } else {
            let low = self.truncate(value, double, b.i64);
            // SAFETY: two floats or doubles are subtracted; built at the builder's position.
            let reduced = unsafe {
                let two_to_63 = LLVMConstReal(from.0, 9_223_372_036_854_775_808.0);
                Value::from_raw(LLVMBuildFSub(b.raw(), value.raw(), two_to_63, c"".as_ptr()))
            };
            let high = self.truncate(reduced, double, b.i64);
            let sign = b.binary(LLVMOpcode::LLVMAShr, low, b.i64_of(63));
            b.trunc(b.or(low, b.and(high, sign)), to)
        })
    }

    /// `cvttss2si` or `cvttsd2si`, 32 or 64 bits wide.
    fn truncate(&self, value: Value<'m>, double: bool, to: Type<'m>) -> Value<'m> {
        let b = self.b;
        let name = match (double, to == b.i32) {
            (true, true) => "llvm.x86.sse2.cvttsd2si",
            (true, false) => "llvm.x86.sse2.cvttsd2si64",
            (false, true) => "llvm.x86.sse.cvttss2si",
            (false, false) => "llvm.x86.sse.cvttss2si64",
        };
        // SAFETY: a vector of floats or doubles, which gets one of these; built at the builder's position. The intrinsics read its
        // first element.
        let filled = unsafe {
            let vector = Type::from_raw(LLVMVectorType(value.ty().0, if double { 2 } else { 4 }));
            let (empty, first) = (b.zero(vector), b.i64_of(0));
            Value::from_raw(LLVMBuildInsertElement(b.raw(), empty.raw(), value.raw(), first.raw(), c"".as_ptr()))
        };
        b.call(b.intrinsic(name, &[]), &[filled]).value()
    }
}

/// The number an integer constant of up to 64 bits is.
fn signed_constant(value: Value<'_>) -> Option<i64> {
    // SAFETY: the first may be asked of any value, and tells whether the second may.
    unsafe { (!LLVMIsAConstantInt(value.raw()).is_null()).then(|| LLVMConstIntGetSExtValue(value.raw())) }
}
