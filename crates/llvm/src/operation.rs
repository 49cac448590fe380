//! What instructions and constant expressions say beyond their operands: predicates, indices, masks, destinations.
//!
//! The methods on [`Value`] serve constant expressions as well as instructions; each names what it may be asked of.

use llvm_sys::core::*;
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMValueKind};

use crate::{Block, Instruction, Type, Value};

impl<'m> Value<'m> {
    /// The operation of a constant expression.
    pub fn expression_opcode(self) -> LLVMOpcode {
        assert!(self.kind() == LLVMValueKind::LLVMConstantExprValueKind, "no constant expression");
        // SAFETY: a constant expression.
        unsafe { LLVMGetConstOpcode(self.raw()) }
    }

    /// LLVM does not check what a value is that it is asked about, and reads whatever is there.
    fn expect_operation(self, opcode: LLVMOpcode) {
        let is = self.as_instruction().map_or_else(|| self.expression_opcode(), Instruction::opcode);
        assert!(is == opcode, "this cannot be asked of an operation of this kind");
    }

    /// The predicate of an integer or pointer comparison.
    pub fn icmp_predicate(self) -> LLVMIntPredicate {
        self.expect_operation(LLVMOpcode::LLVMICmp);
        // SAFETY: a comparison, whose predicate is one of the enumeration.
        unsafe { LLVMGetICmpPredicate(self.raw()) }
    }

    /// The type a `getelementptr` steps over with its first index.
    pub fn element_pointer_source(self) -> Type<'m> {
        self.expect_operation(LLVMOpcode::LLVMGetElementPtr);
        // SAFETY: a `getelementptr`, be it an instruction or an expression.
        unsafe { Type::from_raw(LLVMGetGEPSourceElementType(self.raw())) }
    }

    /// The type of a global variable's or function's content (its own type is that of a pointer).
    pub fn global_value_type(self) -> Type<'m> {
        // SAFETY: asked of global values only.
        unsafe {
            assert!(!LLVMIsAGlobalValue(self.raw()).is_null(), "no global value");
            Type::from_raw(LLVMGlobalGetValueType(self.raw()))
        }
    }

    /// The words of an integer constant, least significant first; bits beyond its width are zero.
    pub fn integer_words(self) -> Vec<u64> {
        assert!(self.kind() == LLVMValueKind::LLVMConstantIntValueKind, "no integer constant");
        let bits = self.ty().bits();
        if bits <= 64 {
            // SAFETY: an integer constant that fits.
            return vec![unsafe { LLVMConstIntGetZExtValue(self.raw()) }];
        }
        // LLVM-C gives no more than the lowest word, but prints them all: `i128 -170141183460469231731687303715884105728`.
        let text = self.print();
        decimal_words(text.rsplit(' ').next().unwrap_or_default(), bits)
    }

    /// The encoding of a floating-point constant, least significant word first: exact also for NaNs, which
    /// LLVM-C's conversion to double is not.
    pub fn float_words(self) -> Vec<u64> {
        use crate::TypeKind::*;
        let bits = match self.ty().kind() {
            LLVMHalfTypeKind | LLVMBFloatTypeKind => 16,
            LLVMFloatTypeKind => 32,
            LLVMDoubleTypeKind => 64,
            LLVMX86_FP80TypeKind => 80,
            _ => 128,
        };
        assert!(self.kind() == LLVMValueKind::LLVMConstantFPValueKind, "no floating-point constant");
        // SAFETY: a scalar constant is cast to an integer of as many bits, of its own context; that is never null.
        let integer = unsafe {
            let context = LLVMGetTypeContext(self.ty().0);
            Value::from_raw(LLVMConstBitCast(self.raw(), LLVMIntTypeInContext(context, bits)))
        };
        integer.integer_words()
    }

    /// An element of a constant struct, array or vector, in whatever way it is stored.
    pub fn constant_element(self, index: u32) -> Option<Value<'m>> {
        assert!(self.is_constant(), "no constant");
        // SAFETY: a constant; LLVM gives null where it has no such element.
        unsafe { Value::if_any(LLVMGetAggregateElement(self.raw(), index)) }
    }
}

impl<'m> Instruction<'m> {
    pub fn fcmp_predicate(self) -> LLVMRealPredicate {
        self.expect(&[LLVMOpcode::LLVMFCmp]);
        // SAFETY: a comparison, whose predicate is one of the enumeration.
        unsafe { LLVMGetFCmpPredicate(self.raw()) }
    }

    pub fn rmw_operation(self) -> LLVMAtomicRMWBinOp {
        self.expect(&[LLVMOpcode::LLVMAtomicRMW]);
        // SAFETY: an `atomicrmw`, whose operation is one of the enumeration: both are of LLVM 19.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw()) }
    }

    /// The path of an `extractvalue` or `insertvalue`.
    pub fn value_path(self) -> Vec<u32> {
        self.expect(&[LLVMOpcode::LLVMExtractValue, LLVMOpcode::LLVMInsertValue]);
        // SAFETY: these have indices, at least one, that stand in the instruction.
        unsafe {
            let count = LLVMGetNumIndices(self.raw()) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count).to_vec()
        }
    }

    /// The mask of a `shufflevector`; `None` where an element is undefined.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        self.expect(&[LLVMOpcode::LLVMShuffleVector]);
        // SAFETY: a `shufflevector`, asked for as many elements as its mask has.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw()))
                .map(|i| u32::try_from(LLVMGetMaskValue(self.raw(), i)).ok())
                .collect()
        }
    }

    /// Where an invoke goes on, and where it lands.
    pub fn invoke_destinations(self) -> (Block<'m>, Block<'m>) {
        self.expect(&[LLVMOpcode::LLVMInvoke]);
        // SAFETY: an invoke has both.
        unsafe { (Block::from_raw(LLVMGetNormalDest(self.raw())), Block::from_raw(LLVMGetUnwindDest(self.raw()))) }
    }
}

/// A decimal number, perhaps negative, as the words of a two's complement integer of this width.
fn decimal_words(text: &str, bits: u32) -> Vec<u64> {
    let (digits, is_negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let mut words = vec![0u64; bits.div_ceil(64) as usize];
    for digit in digits.bytes() {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            carry += u128::from(*word) * 10;
            *word = carry as u64;
            carry >>= 64;
        }
    }
    if is_negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(carry.into());
        }
    }
    if !bits.is_multiple_of(64)
        && let Some(last) = words.last_mut()
    {
        *last &= (1 << (bits % 64)) - 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::decimal_words;

    #[test]
    fn wide_decimals() {
        assert_eq!(decimal_words("18446744073709551616", 128), [0, 1]);
        assert_eq!(decimal_words("-1", 80), [u64::MAX, 0xffff]);
        assert_eq!(decimal_words("-170141183460469231731687303715884105728", 128), [0, 1 << 63]);
    }
}
