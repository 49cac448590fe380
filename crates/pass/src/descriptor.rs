//! The descriptors an instrumented object carries (`abi::ModuleDescriptor`, `abi::FunctionDescriptor`).

use std::collections::HashSet;
use std::ffi::{CStr, CString};

use abi::{FUNCTIONS_SECTION, MODULES_SECTION};
use llvm::{Function, LLVMLinkage, LLVMValueKind, Module, Type, Value};
use llvm_sys::comdat::{LLVMGetComdat, LLVMSetComdat};
use llvm_sys::core::*;

use crate::builder::Builder;
use crate::decide::{Decisions, FunctionDecision};

/// What goes into a module's table of addresses; taken before instrumentation adds values of its own.
pub fn addresses<'m>(module: &'m Module, decisions: &Decisions<'m>, builder: &Builder<'m>) -> Vec<Value<'m>> {
    let closed: HashSet<_> = decisions.functions.iter().filter(|d| !d.is_open).map(|d| d.function.value()).collect();
    module
        .global_values()
        .map(|value| {
            let unneeded = closed.contains(&value)
                || value.as_function().is_some_and(|f| f.is_intrinsic())
                || value.name().starts_with("llvm.")
                || value.is_thread_local()
                || !is_used_by_code(value);
            if unneeded { builder.i64_of(0) } else { address(value, builder) }
        })
        .collect()
}

/// The address of a global value, as a constant number.
fn address<'m>(value: Value<'m>, builder: &Builder<'m>) -> Value<'m> {
    assert!(value.is_constant() && value.ty() == builder.ptr, "no constant address");
    // SAFETY: a constant address becomes a constant integer.
    unsafe { Value::from_raw(LLVMConstPtrToInt(value.raw(), builder.i64.0)) }
}

/// A declaration nothing but a function's personality names need not exist when the program is linked without it.
fn is_used_by_code(value: Value<'_>) -> bool {
    !value.is_declaration() || value.users().into_iter().any(|u| u.kind() != LLVMValueKind::LLVMFunctionValueKind)
}

const PRIVATE: LLVMLinkage = LLVMLinkage::LLVMPrivateLinkage;

pub fn emit<'m>(
    module: &'m Module,
    decisions: &Decisions<'m>,
    builder: &Builder<'m>,
    id: [u8; 16],
    addresses: Vec<Value<'m>>,
) {
    let count = addresses.len() as u64;
    let table = add_global(module, c"__faultline_addresses", constant_array(builder.i64, &addresses), PRIVATE);
    // SAFETY: the global just made; the bytes of the id are copied into a constant of the module's context.
    let id = unsafe {
        LLVMSetGlobalConstant(table.raw(), 1);
        Value::from_raw(LLVMConstStringInContext2(module.context(), id.as_ptr().cast(), id.len(), 1))
    };
    let version = builder.int(builder.i32, abi::VERSION.into());
    let fields = [version, builder.int(builder.i32, count), id, table];
    let descriptor = add_global(module, c"__faultline_module", constant_struct(module, &fields), PRIVATE);
    set_section(descriptor, MODULES_SECTION);

    let mut used = vec![descriptor];
    let open = decisions.functions.iter().filter(|decision| decision.is_open);
    used.extend(open.map(|decision| function_descriptor(module, builder, decision, descriptor)));
    keep(module, builder, used);
}

fn function_descriptor<'m>(
    module: &'m Module,
    builder: &Builder<'m>,
    decision: &FunctionDecision<'m>,
    of_module: Value<'m>,
) -> Value<'m> {
    let fields = [
        address(own_address(module, decision.function), builder),
        of_module,
        builder.int(builder.i32, decision.id.into()),
        builder.int(builder.i32, decision.type_hash.into()),
    ];
    let descriptor = add_global(module, c"__faultline_function", constant_struct(module, &fields), PRIVATE);
    set_section(descriptor, FUNCTIONS_SECTION);
    let function = decision.function.raw();
    // The linker keeps or drops the descriptor with its function.
    let associated = module.metadata_kind("associated");
    // SAFETY: a function, and the global just made, which joins the function's comdat if it has one; metadata is made in the
    // module's context.
    unsafe {
        let comdat = LLVMGetComdat(function);
        if !comdat.is_null() {
            LLVMSetComdat(descriptor.raw(), comdat);
        }
        let mut operand = [LLVMValueAsMetadata(function)];
        let node = LLVMMDNodeInContext2(module.context(), operand.as_mut_ptr(), operand.len());
        LLVMGlobalSetMetadata(descriptor.raw(), associated, node);
    }
    descriptor
}

/// The address of the code that is in this very module. The function's name will not do unless no other module sees it:
/// it may come to stand for another module's function, or another object's that was loaded before.
pub fn own_address<'m>(module: &'m Module, function: Function<'m>) -> Value<'m> {
    let Ok(name) = CString::new(format!("__faultline_own.{}", function.name())) else { return function.value() };
    if function.is_private() {
        return function.value();
    }
    // SAFETY: an alias of the module that no other sees, of the function's own type; names are copied.
    unsafe {
        let mut alias = LLVMGetNamedGlobalAlias(module.raw(), name.as_ptr(), name.as_bytes().len());
        if alias.is_null() {
            alias = LLVMAddAlias2(module.raw(), function.function_type().0, 0, function.raw(), name.as_ptr());
            LLVMSetLinkage(alias, PRIVATE);
        }
        Value::from_raw(alias)
    }
}

/// A new global variable that holds this constant.
fn add_global<'m>(module: &'m Module, name: &CStr, value: Value<'m>, linkage: LLVMLinkage) -> Value<'m> {
    assert!(value.is_constant(), "a global variable begins with a constant");
    // SAFETY: a global of the constant's type; the name is copied.
    unsafe {
        let global = LLVMAddGlobal(module.raw(), value.ty().0, name.as_ptr());
        LLVMSetInitializer(global, value.raw());
        LLVMSetLinkage(global, linkage);
        Value::from_raw(global)
    }
}

fn constant_array<'m>(element: Type<'m>, values: &[Value<'m>]) -> Value<'m> {
    assert!(values.iter().all(|value| value.is_constant() && value.ty() == element), "no constants of one type");
    let mut values: Vec<_> = values.iter().map(|value| value.raw()).collect();
    // SAFETY: constants of the element type, which LLVM copies.
    unsafe { Value::from_raw(LLVMConstArray2(element.0, values.as_mut_ptr(), values.len() as u64)) }
}

fn constant_struct<'m>(module: &'m Module, fields: &[Value<'m>]) -> Value<'m> {
    assert!(fields.iter().all(|field| field.is_constant()), "a field that is not constant");
    let mut fields: Vec<_> = fields.iter().map(|field| field.raw()).collect();
    // SAFETY: constants of the module's context, which LLVM copies.
    unsafe {
        let value = LLVMConstStructInContext(module.context(), fields.as_mut_ptr(), fields.len() as u32, 0);
        Value::from_raw(value)
    }
}

fn set_section(global: Value<'_>, section: &str) {
    assert!(global.is_global_variable(), "no global variable");
    let section = CString::new(section).unwrap_or_default();
    // SAFETY: a global variable; the name is copied.
    unsafe {
        LLVMSetSection(global.raw(), section.as_ptr());
        LLVMSetAlignment(global.raw(), 8);
    }
}

/// Adds to `llvm.compiler.used`: nothing refers to the descriptors but the linker's tables.
fn keep<'m>(module: &'m Module, builder: &Builder<'m>, mut values: Vec<Value<'m>>) {
    let name = c"llvm.compiler.used";
    // SAFETY: what the list is called LLVM reserves, so it is a global of the module with an array; nothing refers to it when it
    // is deleted, and what it holds stays.
    unsafe {
        let old = LLVMGetNamedGlobal(module.raw(), name.as_ptr());
        if !old.is_null() {
            values.extend(Value::from_raw(old).initialiser().into_iter().flat_map(Value::operands));
            LLVMDeleteGlobal(old);
        }
    }
    let list = add_global(module, name, constant_array(builder.ptr, &values), LLVMLinkage::LLVMAppendingLinkage);
    // SAFETY: the global just made; the name is copied.
    unsafe { LLVMSetSection(list.raw(), c"llvm.metadata".as_ptr()) };
}
