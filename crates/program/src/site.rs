//! Places of a program that has several modules: which function, and which instruction of it.

use abi::{FunctionId, InstructionId};

/// A function: the position of its module among the program's, and its id there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionKey {
    pub module: u32,
    pub function: FunctionId,
}

/// A place in the program: an instruction of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Site {
    pub function: FunctionKey,
    pub instruction: InstructionId,
}

impl FunctionKey {
    pub fn at(self, instruction: InstructionId) -> Site {
        Site { function: self, instruction }
    }
}
