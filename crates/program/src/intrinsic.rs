//! Intrinsics of LLVM of which more must be known than how their calls are logged.

use abi::{COMPUTED, MemoryIntrinsic, THREAD_LOCAL_ADDRESS, longest, memory_intrinsic};

use crate::model::{Callee, Module};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    Memory(MemoryIntrinsic),
    /// Starts a list of variable arguments.
    StartList,
    CopyList,
    EndList,
    /// Its result is the address of a thread-local variable.
    ThreadLocalAddress,
    /// The replay computes it; the name without types.
    Computed(&'static str),
}

/// Lists of variable arguments.
const LISTS: &[&str] = &["va_start", "va_copy", "va_end"];

impl Module {
    /// Which intrinsic a call calls, if one of these, of whatever types.
    pub fn intrinsic(&self, callee: &Callee) -> Option<Intrinsic> {
        let Callee::Function(id) = callee else { return None };
        let name = &*self.function(*id).name;
        if let Some(memory) = memory_intrinsic(name) {
            return Some(Intrinsic::Memory(memory));
        }
        if name.strip_prefix(THREAD_LOCAL_ADDRESS).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
            return Some(Intrinsic::ThreadLocalAddress);
        }
        let rest = name.strip_prefix("llvm.")?;
        match longest(rest, LISTS) {
            Some("va_start") => Some(Intrinsic::StartList),
            Some("va_copy") => Some(Intrinsic::CopyList),
            Some(_) => Some(Intrinsic::EndList),
            None => longest(rest, COMPUTED).map(Intrinsic::Computed),
        }
    }
}
