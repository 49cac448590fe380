//! How each LLVM intrinsic is treated: `pass` logs what `replay` will not compute, so both read this one table.

/// What an intrinsic means to recording and replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntrinsicClass {
    /// Computed by the replay from its operands.
    Computed,
    /// Has no effect a replay could see: debug and lifetime markers, hints, `va_start`, `stackrestore`.
    Ignored,
    /// Writes memory only: `memcpy` and relatives. Ticks; nothing is logged.
    Memory,
    /// Its result is logged (if it has one).
    Logged,
}

/// Intrinsics the replay computes, by the part of their name between `llvm.` and the type suffix.
/// Only scalar integers of up to 64 bits and doubles and floats; on other types they are logged.
pub const COMPUTED: &[&str] = &[
    "abs",
    "bitreverse",
    "bswap",
    "ctlz",
    "ctpop",
    "cttz",
    "fshl",
    "fshr",
    "smax",
    "smin",
    "umax",
    "umin",
    "sadd.with.overflow",
    "uadd.with.overflow",
    "ssub.with.overflow",
    "usub.with.overflow",
    "smul.with.overflow",
    "umul.with.overflow",
    "sadd.sat",
    "uadd.sat",
    "ssub.sat",
    "usub.sat",
    "fabs",
    "copysign",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "sqrt",
    "fma",
    "expect",
    "expect.with.probability",
    "launder.invariant.group",
    "strip.invariant.group",
    "ptrmask",
];

pub const IGNORED: &[&str] = &[
    "dbg",
    "lifetime",
    "invariant",
    "assume",
    "donothing",
    "prefetch",
    "var.annotation",
    "ptr.annotation",
    "experimental.noalias.scope.decl",
    "stackrestore",
    "va_start",
    "va_end",
    "va_copy",
    "pseudoprobe",
    "sideeffect",
    "eh.begincatch",
    "eh.endcatch",
    "codeview.annotation",
];

pub const MEMORY: &[&str] = &["memcpy", "memmove", "memset", "memcpy.inline", "memset.inline"];

/// Gives the address of a thread-local variable in the thread that asks.
pub const THREAD_LOCAL_ADDRESS: &str = "llvm.threadlocal.address";

/// What an intrinsic does to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryIntrinsic {
    /// Copies bytes to where none of them lies.
    Copy,
    /// Copies bytes to where some of them may lie.
    Move,
    /// Sets bytes to one value.
    Fill,
}

/// What the intrinsic with this full name does, if it is of [`IntrinsicClass::Memory`].
pub fn memory_intrinsic(name: &str) -> Option<MemoryIntrinsic> {
    match longest(name.strip_prefix("llvm.")?, MEMORY)? {
        "memcpy" | "memcpy.inline" => Some(MemoryIntrinsic::Copy),
        "memmove" => Some(MemoryIntrinsic::Move),
        _ => Some(MemoryIntrinsic::Fill),
    }
}

/// The class of the intrinsic with this full name (`llvm.ctpop.i32`), by name alone. `pass` additionally treats
/// as logged what is `Computed` by name but works on types the replay does not compute.
pub fn classify(name: &str) -> IntrinsicClass {
    let Some(rest) = name.strip_prefix("llvm.") else { return IntrinsicClass::Logged };
    if longest(rest, MEMORY).is_some() {
        IntrinsicClass::Memory
    } else if longest(rest, IGNORED).is_some() {
        IntrinsicClass::Ignored
    } else if longest(rest, COMPUTED).is_some() {
        IntrinsicClass::Computed
    } else {
        IntrinsicClass::Logged
    }
}

/// The entry of `table` that `rest` is or begins with before a dot; the longest where several do.
pub fn longest(rest: &str, table: &[&'static str]) -> Option<&'static str> {
    let mut best: Option<&'static str> = None;
    for &entry in table {
        let fits = rest.strip_prefix(entry).is_some_and(|tail| tail.is_empty() || tail.starts_with('.'));
        if fits && best.is_none_or(|b| b.len() < entry.len()) {
            best = Some(entry);
        }
    }
    best
}
