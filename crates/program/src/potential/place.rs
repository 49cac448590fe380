//! Places: parts of memory that can be named without a run.

use crate::FunctionKey;

use crate::InstructionId;

/// A global variable of the program; one for each name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

/// A struct type of the program; one for each layout.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContainerId(pub u32);

/// What a place is part of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// A variable of a function, by its alloca.
    Local(FunctionKey, InstructionId),
    /// The copy a function has of a parameter passed by value in memory.
    Copy(FunctionKey, u32),
    Global(VariableId),
    /// What the function was given a pointer to.
    Parameter(FunctionKey, u32),
    /// Whatever some pointer points to.
    Unknown,
}

/// Bytes from `begin` up to, not including, `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bytes {
    pub begin: i64,
    pub end: i64,
}

/// Part of a struct, wherever it lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Field {
    pub container: ContainerId,
    pub bytes: Bytes,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub base: Base,
    /// Counted from the base; none: any.
    pub bytes: Option<Bytes>,
    /// The part of a struct it is, where the access says so.
    pub field: Option<Field>,
}

impl Place {
    pub const UNKNOWN: Place = Place { base: Base::Unknown, bytes: None, field: None };
}

impl Base {
    /// A named variable, as opposed to what a pointer points to.
    pub fn is_variable(&self) -> bool {
        match self {
            Base::Local(..) | Base::Copy(..) | Base::Global(_) => true,
            Base::Parameter(..) | Base::Unknown => false,
        }
    }

    /// Whether it lives and dies with a call of this function.
    pub(super) fn is_own_of(&self, function: FunctionKey) -> bool {
        match self {
            Base::Local(owner, _) | Base::Copy(owner, _) => *owner == function,
            Base::Global(_) | Base::Parameter(..) | Base::Unknown => false,
        }
    }
}

impl Bytes {
    pub fn meets(self, other: Bytes) -> bool {
        self.begin < other.end && other.begin < self.end
    }

    pub fn covers(self, other: Bytes) -> bool {
        self.begin <= other.begin && other.end <= self.end
    }
}
