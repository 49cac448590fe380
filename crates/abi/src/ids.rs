//! Newtyped ids and their spoken forms (`fn3`, `bb7`, `i42`).
//!
//! Ids are positions in the saved IR: the n-th function of a module, the n-th block of a function, the n-th
//! instruction of a function counted over all its blocks. They are per module; code compiled twice has two identities.

use core::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

id!(
    /// Position of a function (defined or declared) in its module.
    FunctionId, "fn"
);
id!(
    /// Position of a block in its function.
    BlockId, "bb"
);
id!(
    /// Position of an instruction in its function.
    InstructionId, "i"
);
id!(
    /// One sequence of log entries: a thread, or the handler of an asynchronous signal inside one.
    StreamId, "stream"
);

impl StreamId {
    /// The thread that the program begins in.
    pub const MAIN: StreamId = StreamId(1);
}

/// Hash of a module's saved IR: the same in the binary, in the running program and in the recording.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ModuleId(pub [u8; 16]);

impl fmt::Display for ModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in &self.0[..4] {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ModuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An address in the debugged program. Never dereferenced on our side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
