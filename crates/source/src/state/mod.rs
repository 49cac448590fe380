//! The state of a run at each of its steps: the functions on the stack with their locals, and what is known of memory.
//!
//! Kept by following the steps of a replay; the state is that *before* a step until [`State::apply`] is called with it.

mod memory;
mod follow;
mod watch;

use std::collections::HashMap;
use std::sync::Arc;

use abi::{FunctionId, InstructionId};
use program::{Function, Op, Operand};
use replay::ReplayError;

use crate::sources::Sources;

pub use memory::{Byte, Bytes, Initial, Memory};
pub use watch::{Watch, Watched};

pub struct State {
    pub memory: Memory,
    /// The innermost function last.
    pub frames: Vec<Frame>,
    /// Addresses of thread-local variables of this thread, by module and position of the global.
    pub thread_locals: HashMap<(usize, u32), u64>,
    layouts: HashMap<(usize, FunctionId), Arc<Layout>>,
    /// First words of the arguments of the call made last.
    arguments: Vec<u64>,
    /// Control is in a call that has not (yet) entered an instrumented function.
    is_outside: bool,
}

/// A function on the stack.
#[derive(Clone)]
pub struct Frame {
    /// Position in the image's list of modules.
    pub module: usize,
    pub function: FunctionId,
    /// The instruction executed last.
    pub at: InstructionId,
    homes: Vec<Home>,
    parameters: Vec<u64>,
    layout: Arc<Layout>,
    from_outside: bool,
}

/// Which of a function's instructions are allocas, numbered among themselves.
#[derive(Default)]
struct Layout {
    /// `NO_ALLOCA`, or the number.
    numbers: Vec<u32>,
    count: usize,
}

const NO_ALLOCA: u32 = u32::MAX;

/// What an alloca stands for now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// Not executed yet, or a register that was not assigned yet.
    Unset,
    Address(u64),
    /// A register-resident local, by its words.
    Register(Vec<u64>),
}

impl State {
    /// The state before the first step.
    pub fn new(sources: &Sources<'_, '_>) -> Result<State, ReplayError> {
        Ok(State {
            memory: Memory::new(Initial::of(sources)?),
            frames: Vec::new(),
            thread_locals: HashMap::new(),
            layouts: HashMap::new(),
            arguments: Vec::new(),
            is_outside: false,
        })
    }
}

impl Frame {
    /// A frame of which nothing is known but its function.
    pub fn blank(module: usize, function: FunctionId) -> Frame {
        Frame {
            module,
            function,
            at: InstructionId(0),
            homes: Vec::new(),
            parameters: Vec::new(),
            layout: Arc::default(),
            from_outside: false,
        }
    }

    /// Where what an operand of debug information names is kept.
    pub fn home(&self, holder: &Operand) -> Home {
        match holder {
            Operand::Result(id) => self.alloca(*id).cloned().unwrap_or(Home::Unset),
            Operand::Parameter(n) => {
                self.parameters.get(*n as usize).map_or(Home::Unset, |address| Home::Address(*address))
            }
            Operand::Constant(_) => Home::Unset,
        }
    }

    fn number(&self, id: InstructionId) -> Option<usize> {
        self.layout.numbers.get(id.index()).filter(|n| **n != NO_ALLOCA).map(|n| *n as usize)
    }

    fn alloca(&self, id: InstructionId) -> Option<&Home> {
        self.homes.get(self.number(id)?)
    }

    fn set_home(&mut self, id: InstructionId, home: Home) {
        if let Some(place) = self.number(id).and_then(|n| self.homes.get_mut(n)) {
            *place = home;
        }
    }

    /// The register-resident local, to be assigned without a new allocation.
    fn set_register(&mut self, id: InstructionId, words: &[u64]) {
        let Some(place) = self.number(id).and_then(|n| self.homes.get_mut(n)) else { return };
        match place {
            Home::Register(old) => {
                old.clear();
                old.extend_from_slice(words);
            }
            _ => *place = Home::Register(words.to_vec()),
        }
    }
}

impl Layout {
    fn of(function: &Function) -> Layout {
        let mut layout = Layout::default();
        for instruction in &function.instructions {
            let is_alloca = matches!(instruction.op, Op::Alloca { .. });
            layout.numbers.push(if is_alloca { layout.count as u32 } else { NO_ALLOCA });
            layout.count += usize::from(is_alloca);
        }
        layout
    }
}
