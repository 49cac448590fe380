//! Makes the trace of a window while it is replayed.

use std::sync::Arc;

use abi::{BlockId, InstructionId};
use program::{Call, Callee, Function, Module, Op, Site};
use replay::{Leaving, Observed, Observer};

use super::{Event, FunctionKey, SURPRISE, Token, Trace};
use crate::functions::Functions;
use crate::uses::{Action, Uses};

struct Frame {
    key: FunctionKey,
    uses: Arc<Uses>,
    from_outside: bool,
    /// False if it is left before that, by a stack overflow.
    has_begun: bool,
}

pub struct Tracer<'f> {
    functions: &'f Functions<'f>,
    trace: Trace,
    frames: Vec<Frame>,
}

impl<'f> Tracer<'f> {
    /// `stack`: the functions on the stack when the window begins, outermost first.
    pub fn new(functions: &'f Functions<'f>, stack: impl Iterator<Item = (Site, bool)>, clock: u64) -> Tracer<'f> {
        let frames = stack.map(|(site, from_outside)| {
            let key = site.function;
            Frame { key, uses: functions.uses(key), from_outside, has_begun: true }
        });
        let trace = Trace { clock, ..Trace::default() };
        Tracer { functions, trace, frames: frames.collect() }
    }

    pub fn finish(mut self) -> Trace {
        self.trace.depth = self.frames.iter().filter(|frame| frame.has_begun).count();
        self.trace
    }

    fn push(&mut self, event: Event) {
        self.trace.words.push(Token::new(event).0);
    }

    fn call(&mut self, step: &Observed<'_>, call: &Call, uses: &Uses) {
        let first = self.trace.words.len();
        self.trace.words.extend(call.arguments.iter().map(|argument| first_word(step.operand(argument))));
        if let Callee::Pointer(pointer) = &call.callee {
            self.trace.words.push(first_word(step.operand(pointer)));
        }
        if let Some(known) = uses.library_calls.get(&step.id()) {
            for measure in &known.measures {
                let arguments = &self.trace.words[first..first + call.arguments.len()];
                let word = measure.take(arguments, |address| self.functions.byte(step, address));
                self.trace.words.push(word);
            }
        }
        self.push(Event::Called { at: step.id() });
    }
}

fn first_word(words: &[u64]) -> u64 {
    words.first().copied().unwrap_or(0)
}

/// Where a terminator sends control.
fn target(step: &Observed<'_>) -> Option<BlockId> {
    match &step.instruction().op {
        Op::Jump { target } => Some(*target),
        Op::Branch { condition, then, otherwise } => {
            Some(if first_word(step.went_on_with(condition)) != 0 { *then } else { *otherwise })
        }
        Op::Switch { value, default, cases, .. } => {
            let value = first_word(step.went_on_with(value));
            Some(cases.iter().find(|case| case.0 == value).map_or(*default, |case| case.1))
        }
        Op::Invoke { normal, .. } => Some(*normal),
        _ => None,
    }
}

impl Observer for Tracer<'_> {
    #[inline]
    fn step(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last() else { return };
        self.trace.clock = step.clock;
        let position = step.id().index();
        let action = frame.uses.instructions[position].action;
        match action {
            Action::Nothing
            | Action::Pure
            | Action::Phi
            | Action::LoadLocal { .. }
            | Action::StoreLocal { .. }
            // The tokens of leaving say it.
            => {}
            Action::Load { .. } => {
                let Op::Load { address, .. } = &step.instruction().op else { return };
                let address = first_word(step.operand(address));
                self.trace.words.push(if step.is_surprise { address | SURPRISE } else { address });
            }
            Action::LoadArea { .. } => {
                let Op::Load { address, .. } = &step.instruction().op else { return };
                let address = first_word(step.operand(address));
                self.trace.words.push(first_word(step.result()));
                self.trace.words.push(if step.is_surprise { address | SURPRISE } else { address });
            }
            Action::Store { .. } => {
                let Op::Store { address, .. } = &step.instruction().op else { return };
                self.trace.words.push(first_word(step.operand(address)));
            }
            Action::Atomic { .. } => {
                let (Op::ReadModifyWrite { address, .. } | Op::CompareExchange { address, .. }) = &step.instruction().op
                else {
                    return;
                };
                self.trace.words.push(first_word(step.operand(address)));
            }
            Action::Copy | Action::Fill => {
                let Op::Call(call) = &step.instruction().op else { return };
                // Target, source (or byte), length.
                for argument in call.arguments.iter().take(3) {
                    self.trace.words.push(first_word(step.operand(argument)));
                }
            }
            Action::StartList => {
                let Op::Call(call) = &step.instruction().op else { return };
                self.trace.words.extend(call.arguments.iter().take(1).map(|a| first_word(step.operand(a))));
            }
            Action::CopyList => {
                let Op::Call(call) = &step.instruction().op else { return };
                // Target, source.
                self.trace.words.extend(call.arguments.iter().take(2).map(|a| first_word(step.operand(a))));
            }
            Action::Call | Action::Invoke => {
                let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
                let uses = frame.uses.clone();
                self.call(step, call, &uses);
            }
            Action::Jump | Action::Branch => {
                let from = frame.uses.block_of[position];
                if let Some(to) = target(step) {
                    self.push(Event::Went { from, to });
                }
            }
            Action::Return | Action::Leave => {
                let from = frame.uses.block_of[position];
                self.push(Event::Ended { from });
            }
        }
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        let Some(key) = self.functions.key_of(module.id, function.id) else { return };
        self.frames.push(Frame { key, uses: self.functions.uses(key), from_outside, has_begun: false });
    }

    fn begun(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.has_begun = true;
        self.trace.clock = step.clock;
        for &(position, _) in &frame.uses.by_value {
            let address = step.operand(&program::Operand::Parameter(position));
            self.trace.words.push(first_word(address));
        }
        let event = Event::Entered { function: frame.key, from_outside: frame.from_outside };
        self.push(event);
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        let Some(Frame { key: function, from_outside, has_begun: true, .. }) = self.frames.pop() else { return };
        match leaving {
            Leaving::Returned => self.push(Event::Returned { function, from_outside }),
            Leaving::Unwound(at) => {
                self.trace.words.push(u64::from(at.0));
                self.push(Event::Unwound { function, from_outside });
            }
        }
    }

    fn returned(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last() else { return };
        let from = frame.uses.block_of[step.id().index()];
        self.trace.words.push(first_word(step.result()));
        self.push(Event::Came { at: step.id() });
        if let Op::Invoke { normal, .. } = &step.instruction().op {
            self.push(Event::Went { from, to: *normal });
        }
    }

    fn landed(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last() else { return };
        let from = frame.uses.block_of[step.id().index()];
        if let Op::Invoke { unwind, .. } = &step.instruction().op {
            self.push(Event::Landed { from, to: *unwind });
        }
    }

    fn jumped(&mut self, from: InstructionId, to: InstructionId) {
        self.trace.words.push(self.trace.clock);
        self.trace.words.push(u64::from(from.0));
        self.push(Event::Jumped { to });
    }

    fn interrupted(&mut self) {
        self.trace.handlers += 1;
    }
}
