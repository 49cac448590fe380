//! The descriptors an instrumented object carries (`abi::ModuleDescriptor`, `abi::FunctionDescriptor`).

use std::collections::HashSet;
use std::ffi::CString;

use abi::{FUNCTIONS_SECTION, MODULES_SECTION};
use llvm::{Function, LLVMValueKind, Module, Value};
use llvm_sys::LLVMLinkage;
use llvm_sys::comdat::LLVMGetComdat;
use llvm_sys::core::*;

use crate::builder::{Builder, V};
use crate::decide::Decisions;

/// What goes into a module's table of addresses; taken before instrumentation adds values of its own.
pub fn addresses(module: &Module, decisions: &Decisions<'_>, builder: &Builder) -> Vec<V> {
    let closed: HashSet<_> = decisions.functions.iter().filter(|d| !d.is_open).map(|d| d.function.value()).collect();
    module
        .global_values()
        // SAFETY: constants of this module.
        .map(|value| unsafe {
            let unneeded = closed.contains(&value)
                || value.as_function().is_some_and(|f| f.is_intrinsic())
                || value.name().starts_with("llvm.")
                || is_thread_local(value)
                || !is_used_by_code(value);
            if unneeded { builder.i64_of(0) } else { LLVMConstPtrToInt(value.raw(), builder.i64) }
        })
        .collect()
}

fn is_thread_local(value: Value<'_>) -> bool {
    value.kind() == LLVMValueKind::LLVMGlobalVariableValueKind && value.is_thread_local()
}

/// A declaration nothing but a function's personality names need not exist when the program is linked without it.
fn is_used_by_code(value: Value<'_>) -> bool {
    !value.is_declaration() || value.users().into_iter().any(|u| u.kind() != LLVMValueKind::LLVMFunctionValueKind)
}

pub fn emit(module: &Module, decisions: &Decisions<'_>, builder: &Builder, id: [u8; 16], mut addresses: Vec<V>) {
    // SAFETY: all constants are made in the module's context; arrays outlive the calls that read them.
    unsafe {
        let context = module.context();
        let table_type = LLVMArrayType2(builder.i64, addresses.len() as u64);
        let table = LLVMAddGlobal(module.raw(), table_type, c"__faultline_addresses".as_ptr());
        LLVMSetInitializer(table, LLVMConstArray2(builder.i64, addresses.as_mut_ptr(), addresses.len() as u64));
        LLVMSetLinkage(table, LLVMLinkage::LLVMPrivateLinkage);
        LLVMSetGlobalConstant(table, 1);

        let id_bytes = LLVMConstStringInContext2(context, id.as_ptr().cast(), id.len(), 1);
        let mut fields = [
            builder.int(builder.i32, abi::VERSION.into()),
            builder.int(builder.i32, addresses.len() as u64),
            id_bytes,
            table,
        ];
        let value = LLVMConstStructInContext(context, fields.as_mut_ptr(), fields.len() as u32, 0);
        let descriptor = LLVMAddGlobal(module.raw(), LLVMTypeOf(value), c"__faultline_module".as_ptr());
        LLVMSetInitializer(descriptor, value);
        LLVMSetLinkage(descriptor, LLVMLinkage::LLVMPrivateLinkage);
        set_section(descriptor, MODULES_SECTION);
        let mut used = vec![descriptor];

        let associated = module.metadata_kind("associated");
        for decision in decisions.functions.iter().filter(|d| d.is_open) {
            let function = decision.function.raw();
            let mut fields = [
                LLVMConstPtrToInt(own_address(module, decision.function), builder.i64),
                descriptor,
                builder.int(builder.i32, decision.id.into()),
                builder.int(builder.i32, decision.type_hash.into()),
            ];
            let value = LLVMConstStructInContext(context, fields.as_mut_ptr(), fields.len() as u32, 0);
            let global = LLVMAddGlobal(module.raw(), LLVMTypeOf(value), c"__faultline_function".as_ptr());
            LLVMSetInitializer(global, value);
            LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            set_section(global, FUNCTIONS_SECTION);
            let comdat = LLVMGetComdat(function);
            if !comdat.is_null() {
                llvm_sys::comdat::LLVMSetComdat(global, comdat);
            }
            // The linker keeps or drops the descriptor with its function.
            let mut operand = [LLVMValueAsMetadata(function)];
            LLVMGlobalSetMetadata(global, associated, LLVMMDNodeInContext2(context, operand.as_mut_ptr(), 1));
            used.push(global);
        }
        keep(module, builder, &mut used);
    }
}

/// The address of the code that is in this very module. The function's name will not do unless no other module sees it:
/// it may come to stand for another module's function, or another object's that was loaded before.
pub fn own_address(module: &Module, function: Function<'_>) -> V {
    // SAFETY: an alias that no other module sees, of the function's own type.
    unsafe {
        let linkage = LLVMGetLinkage(function.raw());
        let is_unseen = matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage);
        let Ok(name) = CString::new(format!("__faultline_own.{}", function.name())) else { return function.raw() };
        if is_unseen {
            return function.raw();
        }
        let known = LLVMGetNamedGlobalAlias(module.raw(), name.as_ptr(), name.as_bytes().len());
        if !known.is_null() {
            return known;
        }
        let alias = LLVMAddAlias2(module.raw(), function.function_type().0, 0, function.raw(), name.as_ptr());
        LLVMSetLinkage(alias, LLVMLinkage::LLVMPrivateLinkage);
        alias
    }
}

unsafe fn set_section(global: V, section: &str) {
    let section = CString::new(section).unwrap_or_default();
    unsafe {
        LLVMSetSection(global, section.as_ptr());
        LLVMSetAlignment(global, 8);
    }
}

/// Adds to `llvm.compiler.used`: nothing refers to the descriptors but the linker's tables.
unsafe fn keep(module: &Module, builder: &Builder, values: &mut Vec<V>) {
    unsafe {
        let old = LLVMGetNamedGlobal(module.raw(), c"llvm.compiler.used".as_ptr());
        if !old.is_null() {
            let initializer = LLVMGetInitializer(old);
            for i in 0..LLVMGetNumOperands(initializer) {
                values.push(LLVMGetOperand(initializer, i as u32));
            }
            LLVMDeleteGlobal(old);
        }
        let ty = LLVMArrayType2(builder.ptr, values.len() as u64);
        let global = LLVMAddGlobal(module.raw(), ty, c"llvm.compiler.used".as_ptr());
        LLVMSetInitializer(global, LLVMConstArray2(builder.ptr, values.as_mut_ptr(), values.len() as u64));
        LLVMSetLinkage(global, LLVMLinkage::LLVMAppendingLinkage);
        LLVMSetSection(global, c"llvm.metadata".as_ptr());
    }
}
