//! The hash of a function type that caller and callee exchange (`abi::call_token`). Two that pass the same registers
//! and stack may still differ in it; they then meet as strangers, which is slower but right.

use llvm::{Function, Instruction, Module, Type, TypeKind};

/// The hash a function checks its caller's against.
pub fn of_function(module: &Module, function: Function<'_>) -> u32 {
    let by_value = |i: u32| function.has_attribute(i + 1, "byval") || function.has_attribute(i + 1, "inreg");
    hash(module, function.function_type(), by_value)
}

/// The hash a call is made with.
pub fn of_call(module: &Module, call: Instruction<'_>) -> u32 {
    let by_value = |i: u32| call.has_call_attribute(i + 1, "byval") || call.has_call_attribute(i + 1, "inreg");
    hash(module, call.called_type(), by_value)
}

fn hash(module: &Module, ty: Type<'_>, by_value: impl Fn(u32) -> bool) -> u32 {
    let mut text = String::new();
    spell(module, ty.return_type(), &mut text);
    for (i, parameter) in ty.parameters().into_iter().enumerate() {
        text.push(if by_value(i as u32) { '*' } else { ',' });
        spell(module, parameter, &mut text);
    }
    if ty.is_variadic() {
        text.push('.');
    }
    // FNV-1a, folded to the 16 bits a token has room for.
    let hash = text.bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 16)) & 0xffff
}

/// Spells a type by its structure; names of structs differ between modules.
fn spell(module: &Module, ty: Type<'_>, out: &mut String) {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => {
            out.push('{');
            for (field, _) in ty.fields(module) {
                spell(module, field, out);
                out.push(',');
            }
            out.push('}');
        }
        TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
            let open = if ty.kind() == TypeKind::LLVMArrayTypeKind { '[' } else { '<' };
            out.push(open);
            if let Some((element, count)) = ty.elements() {
                out.push_str(&count.to_string());
                spell(module, element, out);
            }
        }
        TypeKind::LLVMIntegerTypeKind => {
            out.push('i');
            out.push_str(&ty.bits().to_string());
        }
        _ => out.push_str(&ty.print()),
    }
}
