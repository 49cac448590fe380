//! What instructions and constant expressions say beyond their operands: predicates, indices, masks, destinations.
//!
//! The methods on [`Value`] serve constant expressions as well as instructions; each names what it may be asked of.

use llvm_sys::core::*;
use llvm_sys::{LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

use crate::{Block, Instruction, Type, Value};

// Every call below reads a value that lives as long as the module, and that is of the kind its name asks for.
impl<'m> Value<'m> {
    /// The operation of a constant expression.
    pub fn expression_opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.raw()) }
    }

    /// The predicate of an integer or pointer comparison.
    pub fn icmp_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.raw()) }
    }

    /// The type a `getelementptr` steps over with its first index.
    pub fn element_pointer_source(self) -> Type<'m> {
        unsafe { Type::from_raw(LLVMGetGEPSourceElementType(self.raw())) }
    }

    /// The type of a global variable's or function's content (its own type is that of a pointer).
    pub fn global_value_type(self) -> Type<'m> {
        unsafe { Type::from_raw(LLVMGlobalGetValueType(self.raw())) }
    }

    /// The words of an integer constant, least significant first; bits beyond its width are zero.
    pub fn integer_words(self) -> Vec<u64> {
        let bits = self.ty().bits();
        if bits <= 64 {
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
        let integer = unsafe {
            let context = LLVMGetTypeContext(self.ty().0);
            Value::from_raw(LLVMConstBitCast(self.raw(), LLVMIntTypeInContext(context, bits)))
        };
        integer.integer_words()
    }

    /// An element of a constant struct, array or vector, in whatever way it is stored.
    pub fn constant_element(self, index: u32) -> Option<Value<'m>> {
        let element = unsafe { LLVMGetAggregateElement(self.raw(), index) };
        (!element.is_null()).then(|| Value::from_raw(element))
    }
}

impl<'m> Instruction<'m> {
    pub fn fcmp_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.raw()) }
    }

    pub fn rmw_operation(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.raw()) }
    }

    /// The path of an `extractvalue` or `insertvalue`.
    pub fn value_path(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.raw()) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count).to_vec()
        }
    }

    /// The mask of a `shufflevector`; `None` where an element is undefined.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw()))
                .map(|i| u32::try_from(LLVMGetMaskValue(self.raw(), i)).ok())
                .collect()
        }
    }

    /// Where an invoke goes on, and where it lands.
    pub fn invoke_destinations(self) -> (Block<'m>, Block<'m>) {
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
