//! A function on the stack: what the machine keeps of it, and what an observer sees of it at a step of the innermost one.

use std::marker::PhantomData;

use abi::InstructionId;
use program::{Function, Module, Op, Operand, Site, Storage};

use crate::code::Code;

#[derive(Clone)]
pub(crate) struct Frame {
    pub code: *const Code,
    /// First word in the stack.
    pub base: usize,
    /// The instruction being executed, or the call waited for.
    pub pc: u32,
    /// Address of the native frame; 0 if it is not logged.
    pub address: u64,
    pub from_outside: bool,
}

impl Frame {
    /// The image that compiled the code outlives the machine.
    pub fn code<'a>(&self) -> &'a Code {
        // SAFETY: codes are kept by the image, which the machine borrows.
        unsafe { &*self.code }
    }

    pub fn site(&self) -> Site {
        let code = self.code();
        code.key().at(InstructionId(self.pc))
    }
}

/// A function on the stack while a step is observed.
pub struct Running<'s> {
    pub(crate) code: &'s Code,
    pub(crate) at: InstructionId,
    pub(crate) words: *const u64,
    /// Of the native frame; 0 if it is not logged.
    pub(crate) address: u64,
    pub(crate) step: PhantomData<&'s u64>,
}

impl<'s> Running<'s> {
    pub fn function(&self) -> &'s Function {
        self.code.function()
    }

    pub fn module(&self) -> &'s Module {
        &self.code.module
    }

    /// Which of the image's modules this is.
    pub fn module_position(&self) -> usize {
        self.code.module_position
    }

    /// The instruction being executed, or the call waited for.
    pub fn site(&self) -> Site {
        self.code.key().at(self.at)
    }

    /// Where an object begins that debug information names by this operand: an alloca in memory, or a parameter that is passed
    /// by value. `None` for what is in registers. Of an alloca whose address the log has, it must be known that it was executed.
    pub fn address_of(&self, holder: &Operand) -> Option<u64> {
        match holder {
            Operand::Result(id) => match self.function().instruction(*id).op {
                Op::Alloca { storage: Storage::Frame(offset), .. } => {
                    (self.address != 0).then(|| self.address.wrapping_add(offset))
                }
                Op::Alloca { storage: Storage::Dynamic, .. } => self.word(holder),
                _ => None,
            },
            Operand::Parameter(position) => {
                self.function().parameters.get(*position as usize).filter(|parameter| parameter.by_value)?;
                self.word(holder)
            }
            Operand::Constant(_) => None,
        }
    }

    /// Whether the native frame, and with it all it holds, lies above an address. Frames further out lie higher still.
    pub fn is_above(&self, address: u64) -> bool {
        self.address > address
    }

    /// The first word of an operand.
    pub fn word(&self, operand: &Operand) -> Option<u64> {
        self.code.operand_words(operand, self.words).first().copied()
    }
}
