//! Makes the trace of a window while it is replayed.

use std::sync::Arc;

use abi::{BlockId, InstructionId};
use program::{Call, Callee, Function, Module, Op};
use replay::{Leaving, Observer, Site, Step};

use super::{AreaKind, ArgumentArea, Event, FunctionKey, SURPRISE, Token, Trace};
use crate::functions::Functions;
use crate::uses::{Action, Uses};

struct Frame {
    key: FunctionKey,
    uses: Arc<Uses>,
    from_outside: bool,
    /// When it began; `None` if it was left before that, by a stack overflow.
    clock: Option<u64>,
}

pub struct Tracer<'f> {
    functions: &'f Functions<'f>,
    trace: Trace,
    frames: Vec<Frame>,
    /// Signal handlers that are running: what they do is outside.
    handlers: u32,
    /// Where `va_start` was told to put what, and for which frame.
    variable_arguments: Vec<(u64, usize)>,
}

impl<'f> Tracer<'f> {
    /// `stack`: the functions on the stack when the window begins, outermost first.
    pub fn new(functions: &'f Functions<'f>, stack: impl Iterator<Item = (Site, bool)>, clock: u64) -> Tracer<'f> {
        let frames = stack.filter_map(|(site, from_outside)| {
            let key = functions.key(site)?;
            Some(Frame { key, uses: functions.uses(key), from_outside, clock: Some(u64::MAX) })
        });
        let trace = Trace { clock, ..Trace::default() };
        Tracer { functions, trace, frames: frames.collect(), handlers: 0, variable_arguments: Vec::new() }
    }

    pub fn finish(mut self) -> Trace {
        self.trace.depth = self.frames.iter().filter(|frame| frame.clock.is_some()).count();
        self.trace
    }

    fn push(&mut self, event: Event) {
        self.trace.words.push(Token::new(event).0);
    }

    /// `va_start` wrote a structure at `address`; a load from it tells where the arguments are.
    fn find_area(&mut self, address: u64, value: u64) {
        let found =
            self.variable_arguments.iter().rev().find(|(list, _)| matches!(address.wrapping_sub(*list), 8 | 16));
        if let Some(&(list, frame)) = found
            && let Some(clock) = self.frames.get(frame).and_then(|owner| owner.clock)
        {
            let kind = if address - list == 16 { AreaKind::Registers } else { AreaKind::Stack };
            self.trace.areas.push(ArgumentArea { clock, depth: frame + 1, kind, address: value });
        }
    }

    fn call(&mut self, step: &Step<'_>, call: &Call) {
        for argument in &call.arguments {
            self.trace.words.push(step.operand(argument).first().copied().unwrap_or(0));
        }
        if let Callee::Pointer(pointer) = &call.callee {
            self.trace.words.push(step.operand(pointer).first().copied().unwrap_or(0));
        }
        self.push(Event::Called { at: step.id() });
    }
}

fn first_word(words: &[u64]) -> u64 {
    words.first().copied().unwrap_or(0)
}

/// Where a terminator sends control.
fn target(step: &Step<'_>) -> Option<BlockId> {
    match &step.instruction().op {
        Op::Jump { target } => Some(*target),
        Op::Branch { condition, then, otherwise } => {
            Some(if first_word(step.operand(condition)) != 0 { *then } else { *otherwise })
        }
        Op::Switch { value, default, cases, .. } => {
            let value = first_word(step.operand(value));
            Some(cases.iter().find(|case| case.0 == value).map_or(*default, |case| case.1))
        }
        Op::Invoke { normal, .. } => Some(*normal),
        _ => None,
    }
}

impl Observer for Tracer<'_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
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
                if step.is_surprise {
                    self.trace.words.push(address | SURPRISE);
                    if !self.variable_arguments.is_empty() {
                        self.find_area(address, first_word(step.result()));
                    }
                } else {
                    self.trace.words.push(address);
                }
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
            Action::VariableArguments => {
                let Op::Call(call) = &step.instruction().op else { return };
                let list = call.arguments.first().map_or(0, |a| first_word(step.operand(a)));
                let copied = call.arguments.get(1).map(|a| first_word(step.operand(a)));
                self.trace.words.push(list);
                let original = self.variable_arguments.iter().rev().find(|(other, _)| Some(*other) == copied);
                let owner = original.map_or(self.frames.len() - 1, |(_, owner)| *owner);
                self.variable_arguments.push((list, owner));
            }
            Action::Call | Action::Invoke => {
                let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
                self.call(step, call);
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
        if self.handlers > 0 {
            return;
        }
        let Some(key) = self.functions.key_of(module.id, function.id) else { return };
        self.frames.push(Frame { key, uses: self.functions.uses(key), from_outside, clock: None });
    }

    fn begun(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        frame.clock = Some(step.clock);
        self.trace.clock = step.clock;
        for &(position, _) in &frame.uses.by_value {
            let address = step.operand(&program::Operand::Parameter(position));
            self.trace.words.push(first_word(address));
        }
        let event = Event::Entered { function: frame.key, from_outside: frame.from_outside };
        self.push(event);
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        if self.handlers > 0 {
            return;
        }
        let Some(Frame { key: function, from_outside, clock: Some(_), .. }) = self.frames.pop() else { return };
        let depth = self.frames.len();
        self.variable_arguments.retain(|&(_, frame)| frame < depth);
        match leaving {
            Leaving::Returned => self.push(Event::Returned { function, from_outside }),
            Leaving::Unwound(at) => {
                self.trace.words.push(u64::from(at.0));
                self.push(Event::Unwound { function, from_outside });
            }
        }
    }

    fn returned(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let from = frame.uses.block_of[step.id().index()];
        self.trace.words.push(first_word(step.result()));
        self.push(Event::Came { at: step.id() });
        if let Op::Invoke { normal, .. } = &step.instruction().op {
            self.push(Event::Went { from, to: *normal });
        }
    }

    fn landed(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let from = frame.uses.block_of[step.id().index()];
        if let Op::Invoke { unwind, .. } = &step.instruction().op {
            self.push(Event::Landed { from, to: *unwind });
        }
    }

    fn jumped(&mut self, from: InstructionId, to: InstructionId) {
        if self.handlers > 0 {
            return;
        }
        self.trace.words.push(self.trace.clock);
        self.trace.words.push(u64::from(from.0));
        self.push(Event::Jumped { to });
    }

    fn interrupted(&mut self) {
        self.handlers += 1;
        self.trace.handlers += 1;
    }

    fn resumed(&mut self) {
        self.handlers -= 1;
    }
}
