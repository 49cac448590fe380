//! Calls, walked over backwards: what the callee wanted, the caller must have.

use abi::InstructionId;
use program::library::{Effect, Known, Term, known};
use program::{Call, Callee, Module, Op, Type};

use super::frame::{At, Pending, VariablePlace};
use super::walk::{Walk, WalkError, merge};
use super::{Demand, Mark};
use crate::uses::register;

/// How far a text is looked for whose length nobody noted.
const LONGEST_TEXT: u64 = 4096;

/// A range of memory an outside function deals with.
struct Range {
    address: u64,
    length: u64,
    /// The length is a bound: where the text in it ends is not known.
    is_bound: bool,
}

impl<D: Demand> Walk<'_, D> {
    /// The beginning of a call: its arguments are there.
    pub(super) fn called(&mut self, at: InstructionId, words: &mut &[u64]) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        if self.frames[top].at != At::Call(at) {
            return Err(self.wrong("the call the function is in"));
        }
        let function = self.frames[top].function;
        let (Op::Call(call) | Op::Invoke { call, .. }) = &function.instruction(at).op else {
            return Err(self.wrong("a call"));
        };
        let count = call.arguments.len() + usize::from(matches!(call.callee, Callee::Pointer(_)));
        let Some((rest, arguments)) = words.split_at_checked(words.len().wrapping_sub(count)) else {
            return Err(self.wrong("the arguments of a call"));
        };
        *words = rest;
        let pending = std::mem::take(&mut self.frames[top].pending);
        if pending.is_inside {
            self.inside(top, at, call, arguments, pending);
        } else {
            self.outside(top, at, call, arguments, &pending);
        }
        self.roots_at(top, at);
        if function.instruction(at).ticks {
            self.clock -= 1;
        }
        self.frames[top].at = At::Before(at);
        Ok(())
    }

    /// A call of a function of the program's: parameters come straight from arguments.
    fn inside(&mut self, frame: usize, at: InstructionId, call: &Call, words: &[u64], pending: Pending) {
        let registers = self.frames[frame].function.instructions.len() as u32;
        for (argument, &mark) in call.arguments.iter().zip(&pending.parameters) {
            if let Some(register) = register(registers, argument) {
                self.want_register(frame, register, mark);
            }
        }
        for (position, bytes) in pending.copies {
            let Some(&source) = words.get(position as usize) else { continue };
            for (offset, mark) in bytes {
                self.want_memory(source.wrapping_add(offset), 1, mark);
            }
        }
        for (place, mark) in pending.variable {
            if let Some(position) = variable_argument(call, place)
                && let Some(register) = register(registers, &call.arguments[position])
            {
                self.want_register(frame, register, mark);
            }
        }
        // A jump out of a function is told by the call that jumped, which lies deeper.
        if !pending.control.is_nobody() {
            let users = self.meet(frame, at, Mark::NOBODY, pending.control);
            if let Callee::Pointer(pointer) = &call.callee
                && let Some(register) = register(registers, pointer)
            {
                self.want_register(frame, register, users);
            }
        }
    }

    fn outside(&mut self, frame: usize, at: InstructionId, call: &Call, words: &[u64], pending: &Pending) {
        let Ok(module) = self.functions.module(self.frames[frame].key) else { return };
        let name = name(module, call);
        let known = name.and_then(known);
        let jump = std::mem::take(&mut self.jump);
        let mut data = self.merge(pending.result, pending.given);
        data = self.merge(data, jump);
        let result = pending.came;
        let mut copied = Vec::new();
        if pending.called_back && known.is_some_and(|known| !known.leaves_memory_alone()) {
            let mark = self.take_outside(|_| true);
            data = self.merge(data, mark);
        }
        match known {
            Some(known) => {
                for effect in known.effects {
                    match *effect {
                        Effect::Writes(address, length) | Effect::Input(_, address, length) => {
                            for range in ranges(address, length, words, result) {
                                let mark = self.take_written(range);
                                data = self.merge(data, mark);
                            }
                        }
                        Effect::InputFormatted(_, format) => {
                            for range in ranges(Term::Rest(format + 1), Term::Unknown, words, result) {
                                let mark = self.take_written(range);
                                data = self.merge(data, mark);
                            }
                        }
                        Effect::Borrows(length) => {
                            for range in ranges(Term::Result, length, words, result) {
                                let mark = self.take_written(Range { is_bound: true, ..range });
                                data = self.merge(data, mark);
                            }
                        }
                        Effect::Copies(to, from, length) => {
                            let (to, from) = (ranges(to, length, words, result), ranges(from, length, words, result));
                            if let ([to], [from]) = (&to[..], &from[..]) {
                                let source = from.address;
                                let mut marks = Vec::new();
                                if !to.is_bound {
                                    self.memory.take(to.address, to.length, |offset, mark| marks.push((offset, mark)));
                                }
                                let first = to.address;
                                let within = |a: u64| a.wrapping_sub(first) < to.length;
                                let inside: Vec<_> = self.memory.outside().extract_if(|&a, _| within(a)).collect();
                                marks.extend(inside.into_iter().map(|(a, mark)| (a - first, mark)));
                                for (offset, mark) in marks {
                                    data = self.merge(data, mark);
                                    copied.push(source.wrapping_add(offset));
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
            None => {
                let mark = self.take_outside(|_| true);
                data = self.merge(data, mark);
            }
        }
        if data.is_nobody() {
            return;
        }
        let here = self.moment(frame, at);
        if known.is_none() {
            self.demand.unknown(here, name.unwrap_or("a function called by its address"));
        }
        let users = self.meet(frame, at, data, Mark::NOBODY);
        for address in copied {
            self.want_memory(address, 1, users);
        }
        let uses = self.frames[frame].uses.clone();
        self.want_operands(frame, &uses.instructions[at.index()], users);
        if let Some(known) = known {
            self.want_read(known, words, result, users);
        }
    }

    /// A function that outside code had called comes to its end. What is wanted from outside at this time, the outside
    /// function wrote after that.
    pub(super) fn called_back(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let At::Call(at) = frame.at else { return };
        let (Op::Call(call) | Op::Invoke { call, .. }) = &frame.function.instruction(at).op else { return };
        let Ok(module) = self.functions.module(frame.key) else { return };
        let leaves_memory_alone = name(module, call).and_then(known).is_some_and(Known::leaves_memory_alone);
        let mark = if leaves_memory_alone { Mark::NOBODY } else { self.take_outside(|_| true) };
        if let Some(frame) = self.frames.last_mut() {
            frame.pending.called_back = true;
            frame.pending.given = merge(&mut self.demand, frame.pending.given, mark);
        }
    }

    /// What a known function read to make what is wanted of it.
    fn want_read(&mut self, known: &Known, words: &[u64], result: Option<u64>, users: Mark) {
        for effect in known.effects {
            if let Effect::Reads(address, length) = *effect {
                for range in ranges(address, length, words, result) {
                    if !range.is_bound {
                        self.want_memory(range.address, range.length, users);
                    }
                }
            }
        }
    }

    /// Who wants what was written to a range.
    fn take_written(&mut self, range: Range) -> Mark {
        let Range { address, length, is_bound } = range;
        let mut all = self.take_outside(|a| a.wrapping_sub(address) < length);
        if !is_bound {
            let mark = self.take_memory(address, length);
            all = self.merge(all, mark);
        }
        all
    }

    /// Who wants what came from outside, of these addresses.
    fn take_outside(&mut self, is_meant: impl Fn(u64) -> bool) -> Mark {
        if self.memory.outside().is_empty() {
            return Mark::NOBODY;
        }
        let taken: Vec<Mark> =
            self.memory.outside().extract_if(|&address, _| is_meant(address)).map(|(_, mark)| mark).collect();
        taken.into_iter().fold(Mark::NOBODY, |all, mark| self.merge(all, mark))
    }
}

fn name<'m>(module: &'m Module, call: &Call) -> Option<&'m str> {
    match &call.callee {
        Callee::Function(id) => Some(&module.function(*id).name),
        Callee::Symbol(position) => module.globals.get(*position as usize).map(|g| g.name.as_str()),
        Callee::Pointer(_) | Callee::Assembly => None,
    }
}

/// The ranges an effect names in a particular call.
fn ranges(address: Term, length: Term, words: &[u64], result: Option<u64>) -> Vec<Range> {
    let everywhere = || vec![Range { address: 0, length: u64::MAX, is_bound: true }];
    let addresses: Vec<u64> = match address {
        Term::Rest(first) => words.get(usize::from(first)..).unwrap_or(&[]).to_vec(),
        // Where that points is not in the trace.
        Term::At(_) | Term::Unknown => return everywhere(),
        other => match number(other, words, result) {
            Some(address) => vec![address],
            None => return everywhere(),
        },
    };
    let (length, is_bound) = match length {
        Term::Text | Term::WideText | Term::Unknown => (LONGEST_TEXT, true),
        Term::TextWithin(bound) => (number(*bound, words, result).unwrap_or(LONGEST_TEXT), true),
        other => match number(other, words, result) {
            // A negative result is an error: nothing was written.
            Some(length) if (length as i64) < 0 => (0, false),
            Some(length) => (length, false),
            None => (LONGEST_TEXT, true),
        },
    };
    addresses.into_iter().filter(|&a| a != 0).map(|address| Range { address, length, is_bound }).collect()
}

fn number(term: Term, words: &[u64], result: Option<u64>) -> Option<u64> {
    match term {
        Term::Arg(position) => words.get(usize::from(position)).copied(),
        Term::Result => result,
        Term::Bytes(bytes) => Some(bytes),
        Term::Product(a, b) => number(*a, words, result)?.checked_mul(number(*b, words, result)?),
        Term::Least(a, b) => Some(number(*a, words, result)?.min(number(*b, words, result)?)),
        Term::Rest(_) | Term::At(_) | Term::Text | Term::TextWithin(_) | Term::WideText | Term::Unknown => None,
    }
}

/// The argument of a call that the System V ABI for x86-64 puts there.
fn variable_argument(call: &Call, place: VariablePlace) -> Option<usize> {
    let (mut integers, mut vectors, mut stack) = (0, 0, 0);
    for (position, ty) in call.argument_types.iter().enumerate() {
        let here = match ty {
            Type::Float(kind) if !matches!(kind, program::FloatKind::X87) && vectors < 8 => {
                vectors += 1;
                VariablePlace::Vector(vectors - 1)
            }
            Type::Vector { .. } if vectors < 8 => {
                vectors += 1;
                VariablePlace::Vector(vectors - 1)
            }
            Type::Int(_) | Type::Pointer if integers < 6 => {
                integers += 1;
                VariablePlace::Integer(integers - 1)
            }
            other => {
                let words = other.store_size().div_ceil(8).max(1) as u32;
                let first =
                    if matches!(other, Type::Float(program::FloatKind::X87)) { stack + (stack & 1) } else { stack };
                stack = first + if matches!(other, Type::Float(program::FloatKind::X87)) { 2 } else { words };
                if let VariablePlace::Stack(at) = place
                    && (first..stack).contains(&at)
                {
                    return Some(position);
                }
                continue;
            }
        };
        if here == place {
            return Some(position);
        }
    }
    None
}
