//! Who watches a replay. The interpreter is written once, generic over this; with `()` it costs nothing.

use abi::InstructionId;
use program::{Function, Instruction, Module, Operand};

use crate::code::Code;

/// One executed instruction, seen after it took effect (calls and terminators: before control moves on).
pub struct Step<'a> {
    pub(crate) code: &'a Code,
    pub(crate) id: InstructionId,
    pub(crate) frame: *const u64,
    pub clock: u64,
    /// How many functions are on the stack.
    pub depth: usize,
}

impl<'a> Step<'a> {
    pub fn module(&self) -> &'a Module {
        &self.code.module
    }

    pub fn function(&self) -> &'a Function {
        self.code.function()
    }

    pub fn id(&self) -> InstructionId {
        self.id
    }

    pub fn instruction(&self) -> &'a Instruction {
        self.function().instruction(self.id)
    }

    /// The words of an operand as it is now.
    pub fn operand(&self, operand: &Operand) -> &'a [u64] {
        self.code.operand_words(operand, self.frame)
    }

    /// The words of the result; empty if there is none (yet).
    pub fn result(&self) -> &'a [u64] {
        self.code.result_words(self.id, self.frame)
    }
}

pub trait Observer {
    /// False: `step` is never called, and the code for calling it is not there.
    const STEPS: bool = true;

    fn step(&mut self, _step: &Step<'_>) {}

    /// A function was entered.
    fn entered(&mut self, _function: &Function, _module: &Module, _from_outside: bool) {}

    /// The topmost function returned or was unwound.
    fn left(&mut self, _function: &Function) {}

    /// An outside call returned its result, at this step.
    fn returned(&mut self, _step: &Step<'_>) {}

    /// An asynchronous signal handler begins; it ends when as many functions have left as were entered.
    fn interrupted(&mut self) {}
}

impl Observer for () {
    const STEPS: bool = false;
}
