//! A function of a shared library that others may see may be stood in for by another object's. Compiled with optimisation,
//! clang takes the one at hand for granted, and may use its result while calling another; -O0 does not, nor the replay.

use llvm::Module;
use llvm_sys::LLVMModuleFlagBehavior;
use llvm_sys::core::*;

const FLAG: &std::ffi::CStr = c"SemanticInterposition";

pub fn expect_stand_ins(module: &Module) {
    // SAFETY: adds a flag to the module, unless it is there.
    unsafe {
        let length = FLAG.to_bytes().len();
        if LLVMGetModuleFlag(module.raw(), FLAG.as_ptr(), length).is_null() {
            let yes = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(module.context()), 1, 0));
            let behaviour = LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorWarning;
            LLVMAddModuleFlag(module.raw(), behaviour, FLAG.as_ptr(), length, yes);
        }
    }
}
