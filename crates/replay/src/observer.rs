//! Observers, which watch a replay. The interpreter is written once, generic over this; with `()` it costs nothing.

use abi::{Edit, InstructionId};
use program::{Function, Instruction, Module, Operand, Site};

use crate::code::Code;
use crate::edited::{at_hand, tested};
use crate::memory::Memory;
use crate::running::{Frame, Running};
use crate::step::Step;

/// One executed instruction, seen after it took effect (calls and terminators: before control moves on).
pub struct Observed<'a> {
    pub(crate) code: &'a Code,
    pub(crate) id: InstructionId,
    pub(crate) frame: *const u64,
    /// Of the functions on the stack, `depth` in number, the outermost first.
    pub(crate) frames: *const Frame,
    pub(crate) memory: *const Memory,
    pub clock: u64,
    /// How many functions are on the stack.
    pub depth: usize,
    /// A load that met what instrumented code of this thread had not put there.
    pub is_surprise: bool,
    /// What the plan of the run put in place of the value that is stored, branched on or switched on at this clock.
    pub(crate) changed: Option<u64>,
}

/// How a function was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaving {
    Returned,
    /// By `longjmp` or an exception, while at this instruction: a call it waited for, or (when a signal handler
    /// jumped) the next one it would have executed.
    Unwound(InstructionId),
}

impl<'a> Observed<'a> {
    pub fn module(&self) -> &'a Module {
        &self.code.module
    }

    pub fn function(&self) -> &'a Function {
        self.code.function()
    }

    /// Which of the image's modules this is.
    pub fn module_position(&self) -> usize {
        self.code.module_position
    }

    pub fn id(&self) -> InstructionId {
        self.id
    }

    pub fn site(&self) -> Site {
        self.code.key().at(self.id)
    }

    /// What names it.
    pub fn step(&self) -> Step {
        Step { clock: self.clock, depth: self.depth as u32, site: self.site() }
    }

    pub fn instruction(&self) -> &'a Instruction {
        self.function().instruction(self.id)
    }

    /// The words of an operand as it is now.
    pub fn operand(&self, operand: &Operand) -> &'a [u64] {
        self.code.operand_words(operand, self.frame)
    }

    /// The words of what is stored, branched on or switched on, as the step went on with them: in an experiment they may
    /// not be what was computed.
    pub fn went_on_with(&self, operand: &Operand) -> &[u64] {
        match &self.changed {
            Some(value) => std::slice::from_ref(value),
            None => self.operand(operand),
        }
    }

    /// Whether, at a step that stores, branches or switches, an edit of its place would have changed anything. Of leaving an
    /// assignment out nothing is known: it has taken effect.
    pub fn would_differ(&self, edit: Edit) -> bool {
        let tested = tested(self.function(), self.id).and_then(|tested| self.went_on_with(tested).first().copied());
        tested.is_some_and(|value| edit.apply(at_hand(value, self.code, self.id, self.frame)) != value)
    }

    /// What instrumented code last stored to or loaded from an address; zero where it never did.
    pub fn byte(&self, address: u64) -> u8 {
        // SAFETY: a step exists only while its machine, which owns the memory, tells an observer of it.
        unsafe { (*self.memory).byte(address) }
    }

    /// The functions on the stack, the innermost first.
    pub fn running(&self) -> impl Iterator<Item = Running<'_>> {
        // SAFETY: a step exists only while its machine, which owns the frames, tells an observer of it.
        let frames = unsafe { std::slice::from_raw_parts(self.frames, self.depth) };
        let top = frames.last().map_or(0, |frame| frame.base);
        frames.iter().rev().enumerate().map(move |(outwards, frame)| {
            // SAFETY: all frames are parts of one stack of words, each below those of the functions that it called.
            let words = unsafe { self.frame.sub(top - frame.base) };
            let at = if outwards == 0 { self.id } else { InstructionId(frame.pc) };
            Running { code: frame.code(), at, words, address: frame.address, step: std::marker::PhantomData }
        })
    }

    /// The words of the result; empty if there is none (yet).
    pub fn result(&self) -> &'a [u64] {
        self.code.result_words(self.id, self.frame)
    }
}

pub trait Observer {
    /// False: `step` is never called, and the code for calling it is not there.
    const STEPS: bool = true;

    /// True: it is told of what happens in signal handlers, too.
    const IN_HANDLERS: bool = false;

    /// The same, asked of an observer whose type is not known.
    fn is_told_of_handlers(&self) -> bool {
        Self::IN_HANDLERS
    }

    /// Whether `step` is to be called for this instruction of the topmost function at this clock: cheaper to say than to be shown.
    #[inline(always)]
    fn concerns(&mut self, _id: InstructionId, _clock: u64) -> bool {
        true
    }

    fn step(&mut self, _step: &Observed<'_>) {}

    /// A function was entered; its parameters are not there yet.
    fn entered(&mut self, _function: &Function, _module: &Module, _from_outside: bool) {}

    /// The function entered last begins: its parameters are in place, `step` is its first instruction, not executed.
    fn begun(&mut self, _step: &Observed<'_>) {}

    /// The topmost function is gone.
    fn left(&mut self, _function: &Function, _leaving: Leaving) {}

    /// A call returned, its result is in place. A call that returns twice does so at any time after it was passed.
    fn returned(&mut self, _step: &Observed<'_>) {}

    /// An exception goes on at the landing pad of this invoke.
    fn landed(&mut self, _step: &Observed<'_>) {}

    /// `setjmp` is about to return again: the topmost function, which was at `from`, goes on at the call `to`.
    fn jumped(&mut self, _from: InstructionId, _to: InstructionId) {}

    /// An asynchronous signal handler begins.
    fn interrupted(&mut self) {}

    /// The latest signal handler has ended.
    fn resumed(&mut self) {}
}

impl Observer for () {
    const STEPS: bool = false;
}
