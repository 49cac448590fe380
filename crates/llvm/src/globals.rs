//! What a module defines and declares: functions, variables, aliases, ifuncs.

use llvm_sys::core::*;

use crate::module::Module;
use crate::value::{Function, Value, chain};

impl Module {
    /// Functions, defined and declared, in module order: the n-th is `fn{n}`.
    pub fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        // SAFETY: the module's own list, whose members are functions.
        unsafe { chain(LLVMGetFirstFunction(self.raw()), LLVMGetNextFunction).map(|f| Function::from_value(f)) }
    }

    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module's own list.
        unsafe { chain(LLVMGetFirstGlobal(self.raw()), LLVMGetNextGlobal) }
    }

    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module's own list.
        unsafe { chain(LLVMGetFirstGlobalAlias(self.raw()), LLVMGetNextGlobalAlias) }
    }

    pub fn ifuncs(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module's own list.
        unsafe { chain(LLVMGetFirstGlobalIFunc(self.raw()), LLVMGetNextGlobalIFunc) }
    }

    /// All global values in the order of a module descriptor's addresses: functions, variables, aliases, ifuncs.
    pub fn global_values(&self) -> impl Iterator<Item = Value<'_>> {
        self.functions().map(Function::value).chain(self.globals()).chain(self.aliases()).chain(self.ifuncs())
    }
}
