//! Which vector registers the machine has: the runtime preserves them all.

use core::arch::naked_asm;
use core::sync::atomic::AtomicU8;

/// 0 not known yet, 1 xmm, 2 ymm.
pub static FOUND: AtomicU8 = AtomicU8::new(0);

/// Finds out, which takes long on a virtual machine: a server does it once for all of its children. In machine code, since no
/// vector register may be touched.
#[unsafe(naked)]
pub extern "C" fn find() {
    naked_asm!(
        "push rbx",
        "mov eax, 1",
        "xor ecx, ecx",
        "cpuid",
        "mov r8d, 1",
        // OSXSAVE and AVX: the machine has ymm registers; then ask whether the kernel keeps them.
        "and ecx, 0x18000000",
        "cmp ecx, 0x18000000",
        "jne 2f",
        "xor ecx, ecx",
        "xgetbv",
        "and eax, 6",
        "cmp eax, 6",
        "jne 2f",
        "mov r8d, 2",
        "2: mov byte ptr [rip + {found}], r8b",
        "pop rbx",
        "ret",
        found = sym FOUND,
    )
}
