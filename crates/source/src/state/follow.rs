//! How each event of a replay changes the state.

use std::sync::Arc;

use abi::MemoryIntrinsic;
use program::{Call, CallKind, Callee, ConstantOp, Intrinsic, OpEffect, Operand, RmwOp, Storage, Type};
use replay::Observed;

use super::{Frame, Home, Layout, State};

/// More than any object: a copy of that length did not succeed.
const LONGEST: u64 = 1 << 32;

impl State {
    /// An observer's `entered`.
    pub fn entered(&mut self, from_outside: bool) {
        if from_outside {
            self.memory.outside_ran();
        }
        self.is_outside = false;
        let mut frame = Frame::blank(usize::MAX, abi::FunctionId(0));
        frame.from_outside = from_outside;
        self.frames.push(frame);
    }

    /// An observer's `begun`.
    pub fn begun(&mut self, step: &Observed<'_>) {
        self.fill_in(step);
        let arguments = std::mem::take(&mut self.arguments);
        let Some(frame) = self.frames.last_mut() else { return };
        let parameters = &step.function().parameters;
        let word = |n: u32| step.operand(&Operand::Parameter(n)).first().copied().unwrap_or(0);
        frame.parameters = (0..parameters.len() as u32).map(word).collect();
        // The copy of an object passed by value is made by code that no IR shows.
        for (position, parameter) in parameters.iter().enumerate().filter(|(_, p)| p.by_value) {
            let to = frame.parameters[position];
            match arguments.get(position) {
                Some(&from) if !frame.from_outside => self.memory.copy(to, from, parameter.by_value_size),
                _ => self.memory.forget(to, parameter.by_value_size),
            }
        }
        self.arguments = arguments;
    }

    /// An observer's `left`.
    pub fn left(&mut self) {
        if self.frames.pop().is_some_and(|frame| frame.from_outside) {
            self.is_outside = true;
        }
    }

    /// An observer's `returned`.
    pub fn returned(&mut self) {
        if self.is_outside {
            self.outside_ran();
        }
    }

    /// Control was outside: a jump, an exception, a signal.
    pub fn outside_ran(&mut self) {
        self.is_outside = false;
        self.memory.outside_ran();
    }

    /// The step has been executed.
    pub fn apply(&mut self, step: &Observed<'_>) {
        if self.frames.len() < step.depth {
            self.frames.resize_with(step.depth, || Frame::blank(usize::MAX, abi::FunctionId(0)));
        }
        // A replay that began in the middle shows frames it did not see begin.
        if self.frames.last().is_some_and(|frame| frame.module == usize::MAX) {
            self.fill_in(step);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.at = step.id();
        }
        let instruction = step.instruction();
        match instruction.op.effect() {
            OpEffect::Allocates { storage, size, count } => {
                let address = step.result().first().copied();
                if let (Storage::Frame(_) | Storage::Dynamic, Some(address)) = (storage, address) {
                    let count = step.operand(count).first().copied().unwrap_or(1);
                    // What a former function left there is nobody's value.
                    self.memory.forget(address, size.saturating_mul(count).min(LONGEST));
                    self.set_home(step, Home::Address(address));
                }
            }
            OpEffect::Loads { address, local: None } => self.learn(step, address, step.result(), &instruction.ty),
            OpEffect::Stores { value, local: Some(local), .. } => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.set_register(local, step.went_on_with(value));
                }
            }
            OpEffect::Stores { value, value_type, address, local: None } => {
                self.learn(step, address, step.went_on_with(value), value_type);
            }
            OpEffect::Modifies { op, address, value, value_type } => {
                self.modify(step, op, address, value, value_type);
            }
            OpEffect::Exchanges { address, expected, replacement, value_type } => {
                let (old, expected) = (step.result(), step.operand(expected));
                let words = expected.len();
                let size = value_type.store_size() as usize;
                let is_same = bytes_of(old, size) == bytes_of(expected, size);
                let now = if is_same { step.operand(replacement) } else { &old[..words.min(old.len())] };
                self.learn(step, address, now, value_type);
            }
            OpEffect::Calls(call) => self.call(step, call),
            OpEffect::Nothing | OpEffect::Loads { local: Some(_), .. } => {}
        }
    }

    /// Names the function of the topmost frame.
    fn fill_in(&mut self, step: &Observed<'_>) {
        let key = (step.module_position(), step.function().id);
        let layout = self.layouts.entry(key).or_insert_with(|| Arc::new(Layout::of(step.function()))).clone();
        let Some(frame) = self.frames.last_mut() else { return };
        (frame.module, frame.function, frame.at) = (key.0, key.1, step.id());
        frame.homes = vec![Home::Unset; layout.count];
        frame.layout = layout;
    }

    fn set_home(&mut self, step: &Observed<'_>, home: Home) {
        if let Some(frame) = self.frames.last_mut() {
            frame.set_home(step.id(), home);
        }
    }

    fn learn(&mut self, step: &Observed<'_>, address: &Operand, words: &[u64], ty: &Type) {
        let Some(&address) = step.operand(address).first() else { return };
        let size = ty.store_size() as usize;
        match words {
            [word] => self.memory.learn(address, &word.to_le_bytes()[..size.min(8)]),
            _ => self.memory.learn(address, &bytes_of(words, size)),
        }
    }

    fn modify(&mut self, step: &Observed<'_>, op: RmwOp, address: &Operand, value: &Operand, ty: &Type) {
        let Some(&at) = step.operand(address).first() else { return };
        let (&[old], &[new], &Type::Int(bits)) = (step.result(), step.operand(value), ty) else {
            if op == RmwOp::Exchange {
                return self.learn(step, address, step.operand(value), ty);
            }
            return self.memory.forget(at, ty.store_size());
        };
        let unused = 64 - bits.min(64);
        let signed = |word: u64| (word << unused) as i64 >> unused;
        let result = match op {
            RmwOp::Exchange => new,
            RmwOp::Add => old.wrapping_add(new),
            RmwOp::Sub => old.wrapping_sub(new),
            RmwOp::And => old & new,
            RmwOp::Nand => !(old & new),
            RmwOp::Or => old | new,
            RmwOp::Xor => old ^ new,
            RmwOp::Max => std::cmp::max_by_key(old, new, |w| signed(*w)),
            RmwOp::Min => std::cmp::min_by_key(old, new, |w| signed(*w)),
            RmwOp::UMax => old.max(new),
            RmwOp::UMin => old.min(new),
            RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin | RmwOp::Other => {
                return self.memory.forget(at, ty.store_size());
            }
        };
        self.learn(step, address, &[result], ty);
    }

    fn call(&mut self, step: &Observed<'_>, call: &Call) {
        match call.kind {
            CallKind::Memory => self.memory_call(step, call),
            CallKind::Open | CallKind::Closed | CallKind::Setjmp => {
                self.is_outside = true;
                self.arguments.clear();
                self.arguments.extend(call.arguments.iter().map(|a| step.operand(a).first().copied().unwrap_or(0)));
            }
            // Inline assembly may write what it likes.
            CallKind::Logged if call.callee == Callee::Assembly => self.memory.outside_ran(),
            CallKind::Logged => self.asked_for_thread_local(step, call),
            CallKind::Computed | CallKind::Ignored => {}
        }
    }

    fn memory_call(&mut self, step: &Observed<'_>, call: &Call) {
        let word = |n: usize| call.arguments.get(n).and_then(|a| step.operand(a).first().copied());
        let (Some(to), Some(second), Some(length)) = (word(0), word(1), word(2)) else { return };
        let is_fill = step.module().intrinsic(&call.callee) == Some(Intrinsic::Memory(MemoryIntrinsic::Fill));
        match length {
            LONGEST.. => {}
            _ if is_fill => self.memory.fill(to, second as u8, length),
            _ => self.memory.copy(to, second, length),
        }
    }

    /// The address of a thread-local variable is the result of a question.
    fn asked_for_thread_local(&mut self, step: &Observed<'_>, call: &Call) {
        if step.module().intrinsic(&call.callee) != Some(Intrinsic::ThreadLocalAddress) {
            return;
        }
        if let (Some(Operand::Constant(constant)), Some(&address)) = (call.arguments.first(), step.result().first())
            && let ConstantOp::Address(position) = constant.op
        {
            self.thread_locals.insert((step.module_position(), position), address);
        }
    }
}

fn bytes_of(words: &[u64], size: usize) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).take(size).collect()
}
