//! Lets instrumented code call the twins of library functions: copies of ours, written in C and instrumented like the
//! program (`twins/` in the repository).
//!
//! Only direct calls of a function that is declared here as the library declares it go to its twin; its address stays
//! the library's. A module that defines such a function itself gives it the twin's name too, so that the whole program
//! calls it as it would without twins.

use std::collections::HashMap;
use std::ffi::CString;

use abi::TWIN_PREFIX;
use llvm::{Function, LLVMLinkage, LLVMOpcode, Module, Type, TypeKind, Value};
use llvm_sys::LLVMVisibility;
use llvm_sys::core::*;

use crate::builder::set_operand;

/// The twins there are: name and type, as [`spell`] has it.
#[rustfmt::skip]
pub const TWINS: &[(&str, &str)] = &[
    // <string.h>, <strings.h>
    ("bcmp", "i(ppl)"), ("bcopy", "v(ppl)"), ("bzero", "v(pl)"), ("index", "p(pi)"), ("memccpy", "p(ppil)"),
    ("memchr", "p(pil)"), ("memcmp", "i(ppl)"), ("memcpy", "p(ppl)"), ("memmove", "p(ppl)"), ("mempcpy", "p(ppl)"),
    ("memmem", "p(plpl)"), ("memrchr", "p(pil)"), ("memset", "p(pil)"), ("rawmemchr", "p(pi)"), ("rindex", "p(pi)"),
    ("stpcpy", "p(pp)"), ("stpncpy", "p(ppl)"), ("strcasecmp", "i(pp)"), ("strcasestr", "p(pp)"), ("strcat", "p(pp)"),
    ("strchr", "p(pi)"), ("strchrnul", "p(pi)"), ("strcmp", "i(pp)"), ("strcoll", "i(pp)"), ("strcpy", "p(pp)"), ("strcspn", "l(pp)"), ("strdup", "p(p)"), ("strlen", "l(p)"), ("strncasecmp", "i(ppl)"),
    ("strncat", "p(ppl)"), ("strncmp", "i(ppl)"), ("strncpy", "p(ppl)"), ("strndup", "p(pl)"), ("strnlen", "l(pl)"),
    ("strpbrk", "p(pp)"), ("strrchr", "p(pi)"), ("strsep", "p(pp)"), ("strspn", "l(pp)"), ("strstr", "p(pp)"),
    ("strtok", "p(pp)"), ("strtok_r", "p(ppp)"), ("swab", "v(ppl)"),
    // <ctype.h>, and what its macros are made of
    ("__ctype_b_loc", "p()"), ("__ctype_tolower_loc", "p()"), ("__ctype_toupper_loc", "p()"),
    ("isalnum", "i(i)"), ("isalpha", "i(i)"), ("isblank", "i(i)"), ("iscntrl", "i(i)"), ("isdigit", "i(i)"),
    ("isgraph", "i(i)"), ("islower", "i(i)"), ("isprint", "i(i)"), ("ispunct", "i(i)"), ("isspace", "i(i)"),
    ("isupper", "i(i)"), ("isxdigit", "i(i)"), ("tolower", "i(i)"), ("toupper", "i(i)"),
    // <stdlib.h>, <inttypes.h>, <search.h>
    ("abs", "i(i)"), ("atoi", "i(p)"), ("atol", "l(p)"), ("atoll", "l(p)"), ("bsearch", "p(ppllp)"), ("div", "l(ii)"),
    ("labs", "l(l)"), ("lfind", "p(ppplp)"), ("llabs", "l(l)"), ("lsearch", "p(ppplp)"), ("qsort", "v(pllp)"),
    ("strtoimax", "l(ppi)"), ("strtol", "l(ppi)"), ("strtoll", "l(ppi)"), ("strtoul", "l(ppi)"), ("strtoull", "l(ppi)"),
    ("strtoumax", "l(ppi)"),
    ("__isoc23_strtoimax", "l(ppi)"), ("__isoc23_strtol", "l(ppi)"), ("__isoc23_strtoll", "l(ppi)"),
    ("__isoc23_strtoul", "l(ppi)"), ("__isoc23_strtoull", "l(ppi)"), ("__isoc23_strtoumax", "l(ppi)"),
    // <stdio.h>
    ("asprintf", "i(pp.)"), ("dprintf", "i(ip.)"), ("fprintf", "i(pp.)"), ("fputs", "i(pp)"), ("printf", "i(p.)"),
    ("puts", "i(p)"), ("snprintf", "i(plp.)"), ("sprintf", "i(pp.)"), ("vasprintf", "i(ppp)"), ("vdprintf", "i(ipp)"),
    ("vfprintf", "i(ppp)"), ("vprintf", "i(pp)"), ("vsnprintf", "i(plpp)"), ("vsprintf", "i(ppp)"),
    ("fscanf", "i(pp.)"), ("scanf", "i(p.)"), ("sscanf", "i(pp.)"), ("vfscanf", "i(ppp)"), ("vscanf", "i(pp)"),
    ("vsscanf", "i(ppp)"),
    ("__isoc99_fscanf", "i(pp.)"), ("__isoc99_scanf", "i(p.)"), ("__isoc99_sscanf", "i(pp.)"),
    ("__isoc99_vfscanf", "i(ppp)"), ("__isoc99_vscanf", "i(pp)"), ("__isoc99_vsscanf", "i(ppp)"),
    // What _FORTIFY_SOURCE, defined in a source, makes of some of these.
    ("__memcpy_chk", "p(ppll)"), ("__memmove_chk", "p(ppll)"), ("__mempcpy_chk", "p(ppll)"), ("__memset_chk", "p(pill)"),
    ("__stpcpy_chk", "p(ppl)"), ("__stpncpy_chk", "p(ppll)"), ("__strcat_chk", "p(ppl)"), ("__strcpy_chk", "p(ppl)"),
    ("__strncat_chk", "p(ppll)"), ("__strncpy_chk", "p(ppll)"),
    ("__asprintf_chk", "i(pip.)"), ("__dprintf_chk", "i(iip.)"), ("__fprintf_chk", "i(pip.)"), ("__printf_chk", "i(ip.)"),
    ("__snprintf_chk", "i(plilp.)"), ("__sprintf_chk", "i(pilp.)"), ("__vasprintf_chk", "i(pipp)"),
    ("__vdprintf_chk", "i(iipp)"), ("__vfprintf_chk", "i(pipp)"), ("__vprintf_chk", "i(ipp)"),
    ("__vsnprintf_chk", "i(plilpp)"), ("__vsprintf_chk", "i(pilpp)"),
    // Memory and stacks of the program's own, see `twins/outside`.
    ("mmap", "p(pliiil)"), ("mmap64", "p(pliiil)"), ("mremap", "p(plli.)"),
    ("makecontext", "v(ppi.)"), ("setcontext", "i(p)"), ("swapcontext", "i(pp)"),
    // Not the same from run to run, unless these see to it; see `twins/outside`.
    ("clock", "l()"), ("clock_gettime", "i(ip)"), ("getentropy", "i(pl)"), ("getpid", "i()"), ("getrandom", "l(pli)"),
    ("gettimeofday", "i(pp)"), ("kill", "i(ii)"), ("time", "l(p)"),
];

pub fn use_twins(module: &Module) {
    let types: HashMap<&str, &str> = TWINS.iter().copied().collect();
    let named: Vec<_> = module.functions().filter(|f| types.contains_key(f.name().as_str())).collect();
    for function in named {
        let name = function.name();
        if is_of_this_module(function) {
            lend_name(module, function, &name);
        } else if spell(function.function_type()) == types[name.as_str()] {
            redirect(module, function, &name);
        }
    }
}

/// Whether the function has a body here that calls of it reach; a body kept only for inlining is none.
fn is_of_this_module(function: Function<'_>) -> bool {
    !function.is_declaration() && function.linkage() != LLVMLinkage::LLVMAvailableExternallyLinkage
}

/// The program's own function stands for the twin, in this module and in those that only declare it.
fn lend_name(module: &Module, function: Function<'_>, name: &str) {
    // One that other modules cannot see concerns only this one, which calls it already.
    if function.is_private() {
        return;
    }
    let Ok(twin) = CString::new(format!("{TWIN_PREFIX}{name}")) else { return };
    let is_strong = function.linkage() == LLVMLinkage::LLVMExternalLinkage;
    let linkage = if is_strong { LLVMLinkage::LLVMExternalLinkage } else { LLVMLinkage::LLVMWeakAnyLinkage };
    // SAFETY: an alias of the function's own type; the name is copied.
    unsafe {
        let alias = LLVMAddAlias2(module.raw(), function.function_type().0, 0, function.raw(), twin.as_ptr());
        LLVMSetLinkage(alias, linkage);
        LLVMSetVisibility(alias, LLVMVisibility::LLVMHiddenVisibility);
    }
}

fn redirect<'m>(module: &'m Module, function: Function<'m>, name: &str) {
    let calls: Vec<_> = function
        .value()
        .users()
        .into_iter()
        .filter_map(|user| user.as_instruction())
        .filter(|user| {
            matches!(user.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke)
                && user.callee() == function.value()
                && user.called_type() == function.function_type()
        })
        .collect();
    let Ok(twin_name) = CString::new(format!("{TWIN_PREFIX}{name}")) else { return };
    if calls.is_empty() {
        return;
    }
    // SAFETY: a function of the type of the one it is a twin of; the name is copied.
    let twin = unsafe {
        let twin = LLVMAddFunction(module.raw(), twin_name.as_ptr(), function.function_type().0);
        LLVMSetVisibility(twin, LLVMVisibility::LLVMHiddenVisibility);
        Value::from_raw(twin)
    };
    for call in calls {
        // The callee is the last operand of a call or invoke.
        set_operand(call, call.operand_count() - 1, twin);
    }
    if function.value().users().is_empty() && function.is_declaration() {
        // SAFETY: nobody uses it, and `use_twins` goes on with other functions.
        unsafe { LLVMDeleteFunction(function.raw()) };
    }
}

/// A function type in short: the result, and the parameters in brackets. `?` is what no twin has.
fn spell(ty: Type<'_>) -> String {
    let letter = |ty: Type<'_>| match ty.kind() {
        TypeKind::LLVMPointerTypeKind => 'p',
        TypeKind::LLVMVoidTypeKind => 'v',
        TypeKind::LLVMIntegerTypeKind if ty.bits() == 32 => 'i',
        TypeKind::LLVMIntegerTypeKind if ty.bits() == 64 => 'l',
        _ => '?',
    };
    let parameters: String = ty.parameters().into_iter().map(letter).collect();
    let rest = if ty.is_variadic() { "." } else { "" };
    format!("{}({parameters}{rest})", letter(ty.return_type()))
}
