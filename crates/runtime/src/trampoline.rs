//! What stable Rust cannot say: where a thread's pointer to its slot is, and functions that preserve every register.
//!
//! Instrumented code calls `room`, `tick`, `thread`, `surprise` and `moved` with LLVM's `preserve_all` convention: every general register
//! except `r11` and the result's, and every vector register, comes back as it was. A caller compiled for AVX expects
//! that of the whole `ymm` registers; the body calls C library functions, which clear their upper halves. So we save
//! what the machine has. The upper parts of `zmm` registers, `zmm16` and above, mask and x87 registers are the
//! caller's to save, also under `preserve_all`.
//!
//! All that instrumented code calls runs on a stack of the runtime's own.

use core::arch::{asm, global_asm};

use abi::{RUNTIME_STACK, SLOT_PLACE, Slot};

use crate::mapped::Mapped;

// SAFETY: defined below; it takes nothing, preserves what C wants preserved and writes one byte of its own.
unsafe extern "C" {
    #[link_name = "faultline_find_vectors"]
    safe fn find_vectors();
}

/// Finds out what the machine has, which takes long on a virtual one: a server does it once for all of its children.
pub fn know_machine() {
    find_vectors();
}

/// This thread's slot; none if it has none yet.
pub fn current_slot() -> Option<Mapped<Slot>> {
    let slot: *mut Slot;
    // SAFETY: every thread has that word.
    unsafe {
        asm!(
            "mov {slot}, qword ptr fs:[{place}]",
            slot = out(reg) slot,
            place = const SLOT_PLACE,
            options(nostack, readonly, preserves_flags),
        );
    }
    // SAFETY: what is there `set_current_slot` has put there.
    (!slot.is_null()).then(|| unsafe { Mapped::at(slot) })
}

pub fn set_current_slot(slot: Option<Mapped<Slot>>) {
    let slot = slot.map_or(core::ptr::null_mut(), Mapped::place);
    // SAFETY: every thread has that word, and nobody else uses it.
    unsafe {
        asm!(
            "mov qword ptr fs:[{place}], {slot}",
            place = const SLOT_PLACE,
            slot = in(reg) slot,
            options(nostack, preserves_flags),
        );
    }
}

/// What the door of `__faultline_tick` asks about an edit.
pub mod edited {
    use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

    use crate::once::of_process;

    of_process! {
        /// The place that is edited.
        pub(super) static SITE: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
        /// The clock at which something else is due. Zero, as long as there is no edit: nobody is sent back.
        pub(super) static DUE: AtomicU64 = AtomicU64::new(0);
    }

    pub fn set_site(site: *const u8) {
        SITE.store(site.cast_mut(), Ordering::Relaxed);
    }

    pub fn is_at(site: *const u8) -> bool {
        !site.is_null() && SITE.load(Ordering::Relaxed).cast_const() == site
    }

    pub fn due() -> u64 {
        DUE.load(Ordering::Relaxed)
    }

    pub fn set_due(clock: u64) {
        DUE.store(clock, Ordering::Relaxed);
    }
}

/// Bytes of the stack for what happens before there is a slot.
const APART: usize = 128 * 1024;

global_asm!(
    // Which vector registers there are: 0 not known yet, 1 xmm, 2 ymm.
    ".local faultline_vectors",
    ".comm faultline_vectors,1,1",
    ".local faultline_apart_stack",
    ".comm faultline_apart_stack,{apart_size},64",
    ".local faultline_apart_taken",
    ".comm faultline_apart_taken,4,4",
    ".text",
    ".p2align 4",
    ".type faultline_find_vectors,@function",
    "faultline_find_vectors:",
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
    "2: mov byte ptr [rip + faultline_vectors], r8b",
    "pop rbx",
    "ret",
    ".size faultline_find_vectors, . - faultline_find_vectors",
    // Room for sixteen ymm registers lies at rsp; rbp is the frame.
    ".macro faultline_save_here",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "faultline_push",
    ".endm",
    // Goes over to the runtime's stack, unless this is it; rdi has the slot. The program's stack pointer lies above rbp.
    ".macro faultline_go_over",
    "mov r11, qword ptr [rdi + {stack}]",
    "sub r11, rsp",
    "cmp r11, {stack_size}",
    "mov r11, rsp",
    "jbe 7f",
    "mov rsp, qword ptr [rdi + {stack}]",
    "7: push r11",
    "push rbp",
    "mov rbp, rsp",
    // Where the frame is: eight bytes above the stack pointer that lies above rbp; where rbp was: there.
    ".cfi_escape 0x0f, 0x05, 0x76, 0x08, 0x06, 0x23, 0x08",
    ".cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00",
    ".endm",
    ".macro faultline_go_back",
    "pop rbp",
    "pop rsp",
    ".cfi_def_cfa rsp, 8",
    ".cfi_restore rbp",
    "ret",
    ".endm",
    ".macro faultline_save",
    "faultline_go_over",
    "faultline_push",
    ".endm",
    ".macro faultline_push",
    "push rax",
    "push rcx",
    "push rdx",
    "push rsi",
    "push rdi",
    "push r8",
    "push r9",
    "push r10",
    "push r11",
    "and rsp, -64",
    "sub rsp, 512",
    "cmp byte ptr [rip + faultline_vectors], 0",
    "jne 3f",
    "call faultline_find_vectors",
    // The arguments again.
    "mov rcx, qword ptr [rbp - 16]",
    "mov rdx, qword ptr [rbp - 24]",
    "mov rsi, qword ptr [rbp - 32]",
    "mov rdi, qword ptr [rbp - 40]",
    "mov r8, qword ptr [rbp - 48]",
    "mov r9, qword ptr [rbp - 56]",
    "3: cmp byte ptr [rip + faultline_vectors], 2",
    "je 4f",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    "movaps xmmword ptr [rsp + \\n * 32], xmm\\n",
    ".endr",
    "jmp 5f",
    "4:",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    "vmovaps ymmword ptr [rsp + \\n * 32], ymm\\n",
    ".endr",
    "vzeroupper",
    "5:",
    ".endm",
    ".macro faultline_restore",
    "cmp byte ptr [rip + faultline_vectors], 2",
    "je 4f",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    "movaps xmm\\n, xmmword ptr [rsp + \\n * 32]",
    ".endr",
    "jmp 5f",
    "4:",
    ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    "vmovaps ymm\\n, ymmword ptr [rsp + \\n * 32]",
    ".endr",
    "5:",
    "lea rsp, [rbp - 72]",
    "pop r11",
    "pop r10",
    "pop r9",
    "pop r8",
    "pop rdi",
    "pop rsi",
    "pop rdx",
    "pop rcx",
    ".endm",
    // Calls r10 on a stack of its own, with up to four arguments: on the one there always is, on a new one where that is
    // taken, and here where there is none to be had. rbx: zero, the new stack, an error.
    ".p2align 4",
    ".type faultline_call_apart,@function",
    "faultline_call_apart:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "push rbx",
    "push rdi",
    "push rsi",
    "push rdx",
    "push rcx",
    "push r10",
    "push r10",
    "xor ebx, ebx",
    "mov eax, 1",
    "xchg dword ptr [rip + faultline_apart_taken], eax",
    "test eax, eax",
    "lea rax, [rip + faultline_apart_stack]",
    "jz 7f",
    "mov eax, {map}",
    "xor edi, edi",
    "mov esi, {apart_size}",
    "mov edx, {read_write}",
    "mov r10d, {private}",
    "mov r8, -1",
    "xor r9d, r9d",
    "syscall",
    "mov rbx, rax",
    "mov r10, qword ptr [rbp - 48]",
    "mov rcx, qword ptr [rbp - 40]",
    "mov rdx, qword ptr [rbp - 32]",
    "mov rsi, qword ptr [rbp - 24]",
    "mov rdi, qword ptr [rbp - 16]",
    "cmp rbx, -4095",
    "jae 8f",
    "7: lea rsp, [rax + {apart_size}]",
    "8: and rsp, -16",
    "call r10",
    "lea rsp, [rbp - 56]",
    "cmp rbx, -4095",
    "jae 9f",
    "test rbx, rbx",
    "jnz 6f",
    "mov dword ptr [rip + faultline_apart_taken], 0",
    "jmp 9f",
    "6:",
    "mov qword ptr [rbp - 16], rax",
    "mov eax, {unmap}",
    "mov rdi, rbx",
    "mov esi, {apart_size}",
    "syscall",
    "mov rax, qword ptr [rbp - 16]",
    "9: mov rbx, qword ptr [rbp - 8]",
    "mov rsp, rbp",
    "pop rbp",
    ".cfi_def_cfa rsp, 8",
    "ret",
    ".cfi_endproc",
    ".size faultline_call_apart, . - faultline_call_apart",
    ".globl __faultline_register",
    ".type __faultline_register,@function",
    ".p2align 4",
    "__faultline_register:",
    "lea r10, [rip + {register}]",
    "jmp faultline_call_apart",
    ".size __faultline_register, . - __faultline_register",
    // Functions that are called as C calls them, on the runtime's stack.
    ".macro faultline_apart name, body",
    ".globl \\name",
    ".type \\name,@function",
    ".p2align 4",
    "\\name:",
    ".cfi_startproc",
    "faultline_go_over",
    "and rsp, -16",
    "call \\body",
    "mov rsp, rbp",
    "faultline_go_back",
    ".cfi_endproc",
    ".size \\name, . - \\name",
    ".endm",
    "faultline_apart __faultline_enter, {enter}",
    "faultline_apart __faultline_leave, {leave}",
    "faultline_apart __faultline_setjmp, {setjmp}",
    "faultline_apart __faultline_landed, {landed}",
    // A function without a result, which preserves rax too.
    ".globl __faultline_room",
    ".type __faultline_room,@function",
    ".p2align 4",
    "__faultline_room:",
    ".cfi_startproc",
    "faultline_save",
    "call {room}",
    "faultline_restore",
    "pop rax",
    "faultline_go_back",
    ".cfi_endproc",
    ".size __faultline_room, . - __faultline_room",
    ".globl __faultline_tick",
    ".type __faultline_tick,@function",
    ".p2align 4",
    "__faultline_tick:",
    ".cfi_startproc",
    // Under an edit every tick comes here. One of another place, before anything else is due, goes back as it came.
    "mov rax, qword ptr [rip + {distance}]",
    "lea r11, [rip + {edited}]",
    "cmp rdx, qword ptr [rax + r11]",
    "je 6f",
    "lea r11, [rip + {due}]",
    "mov r11, qword ptr [rax + r11]",
    "mov rax, qword ptr [rdi + {deadline}]",
    "sub rax, qword ptr [rdi + {remaining}]",
    "cmp rax, r11",
    "jae 6f",
    "mov rax, rsi",
    "ret",
    "6:",
    "faultline_save",
    "call {tick}",
    "faultline_restore",
    "mov rsp, rbp",
    "faultline_go_back",
    ".cfi_endproc",
    ".size __faultline_tick, . - __faultline_tick",
    ".globl __faultline_thread",
    ".type __faultline_thread,@function",
    ".p2align 4",
    "__faultline_thread:",
    ".cfi_startproc",
    "faultline_save_here",
    "lea r10, [rip + {thread}]",
    "call faultline_call_apart",
    "faultline_restore",
    "mov rsp, rbp",
    "pop rbp",
    ".cfi_def_cfa rsp, 8",
    "ret",
    ".cfi_endproc",
    ".size __faultline_thread, . - __faultline_thread",
    ".globl __faultline_surprise",
    ".type __faultline_surprise,@function",
    ".p2align 4",
    "__faultline_surprise:",
    ".cfi_startproc",
    "faultline_save",
    "call {surprise}",
    "faultline_restore",
    "pop rax",
    "faultline_go_back",
    ".cfi_endproc",
    ".size __faultline_surprise, . - __faultline_surprise",
    ".globl __faultline_moved",
    ".type __faultline_moved,@function",
    ".p2align 4",
    "__faultline_moved:",
    ".cfi_startproc",
    "faultline_save",
    "call {moved}",
    "faultline_restore",
    "pop rax",
    "faultline_go_back",
    ".cfi_endproc",
    ".size __faultline_moved, . - __faultline_moved",
    ".purgem faultline_apart",
    ".purgem faultline_go_over",
    ".purgem faultline_go_back",
    ".purgem faultline_push",
    ".purgem faultline_save_here",
    ".purgem faultline_save",
    ".purgem faultline_restore",
    distance = sym crate::once::DISTANCE,
    edited = sym edited::SITE,
    due = sym edited::DUE,
    deadline = const core::mem::offset_of!(Slot, deadline),
    remaining = const core::mem::offset_of!(Slot, remaining),
    stack = const core::mem::offset_of!(Slot, stack),
    stack_size = const RUNTIME_STACK,
    apart_size = const APART,
    map = const libc::SYS_mmap,
    unmap = const libc::SYS_munmap,
    read_write = const libc::PROT_READ | libc::PROT_WRITE,
    private = const libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
    register = sym crate::directory::register,
    enter = sym crate::enter::enter,
    leave = sym crate::enter::leave,
    setjmp = sym crate::jump::setjmp,
    landed = sym crate::jump::landed,
    room = sym crate::chunk::room,
    tick = sym crate::tick::tick,
    thread = sym crate::slot::thread,
    surprise = sym crate::surprise::surprise,
    moved = sym crate::surprise::moved,
);

// The machine's own divide error: a handler of the program sees SIGFPE with FPE_INTDIV, as after a real division.
global_asm!(
    ".globl __faultline_divide_error",
    ".type __faultline_divide_error,@function",
    ".p2align 4",
    "__faultline_divide_error:",
    ".cfi_startproc",
    "xor edx, edx",
    "xor ecx, ecx",
    "mov eax, 1",
    "div ecx",
    "ret",
    ".cfi_endproc",
    ".size __faultline_divide_error, . - __faultline_divide_error",
);
