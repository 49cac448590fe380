//! What outside code does, as the records of the log describe it: return, call back, jump, land an exception.

use abi::{Address, InstructionId, Tag, check_byte};

use crate::code::{Code, Op, Ref, Target};
use crate::departure::{Departure, ReplayError};
use crate::machine::{Ending, Flow, Machine, MaySwitch};
use crate::observer::Observer;

impl<'i, O: Observer> Machine<'i, '_, O> {
    /// Reads the next record and acts on it.
    pub(crate) fn outside(&mut self) -> Result<Flow, ReplayError> {
        let [tag, check] = loop {
            if let Some(bytes) = self.log.take::<2>() {
                break bytes;
            }
            match self.at_edge(2, MaySwitch::Yes)? {
                None => {}
                Some(Flow::End(_)) => {
                    if self.frames.len() == self.bottom()
                        && let Some(flow) = self.end_handler(false)
                    {
                        return Ok(flow);
                    }
                    let ending = if self.frames.is_empty() { Ending::Finished } else { Ending::Outside };
                    return Ok(Flow::End(ending));
                }
                Some(flow) => return Ok(flow),
            }
        };
        let tag = Tag::decode(tag).ok_or_else(|| self.departed(Departure::Tag { found: tag }))?;
        if check != check_byte(self.hash) {
            return Err(self.departed(Departure::Check { recorded: check, replayed: check_byte(self.hash) }));
        }
        match tag {
            Tag::Returned => self.call_returned(),
            Tag::Crossed => self.call_crossed(),
            Tag::Entered => self.entered(),
            Tag::Setjmp => self.setjmp_returned(),
            Tag::Landed => self.landed(),
            Tag::Left => match self.end_handler(true) {
                Some(flow) => Ok(flow),
                None => Err(self.unexpected("left", "no signal handler is running")),
            },
        }
    }

    fn unexpected(&self, record: &'static str, because: &'static str) -> ReplayError {
        self.departed(Departure::Unexpected { record, because })
    }

    fn call_returned(&mut self) -> Result<Flow, ReplayError> {
        let Some((code, side)) = self.pending_call().filter(|_| self.frames.len() > self.bottom()) else {
            return Err(self.unexpected("returned", "no call is pending"));
        };
        let call = &code.calls[side];
        if call.may_return_twice {
            return Err(self.unexpected("returned", "the call may return twice"));
        }
        self.finish_call(code, side)
    }

    /// An exception was caught outside: the functions it flew over are gone.
    fn call_crossed(&mut self) -> Result<Flow, ReplayError> {
        let token = match self.read_u64()? {
            Ok(token) => token,
            Err(flow) => return Ok(flow),
        };
        loop {
            // Outside code had called back what is gone.
            while let Some(frame) = self.unwind_frame() {
                if frame.from_outside {
                    break;
                }
            }
            if self.frames.len() <= self.bottom() {
                return Err(self.unexpected("crossed", "no call was made with that token"));
            }
            if let Some((code, side)) = self.pending_call()
                && self.token_of(code, side) == Some(token)
            {
                return self.finish_call(code, side);
            }
        }
    }

    /// The token a pending call was made with.
    fn token_of(&self, code: &'i Code, side: usize) -> Option<u64> {
        let call = &code.calls[side];
        if call.type_hash == abi::NO_TYPE {
            return Some(1);
        }
        let callee = match call.callee_address {
            Ok(address) => address,
            Err(r) => {
                let frame = self.frames.last()?;
                match r.0 & Ref::CONSTANT {
                    0 => self.stack[frame.base + r.0 as usize],
                    _ => code.constants[(r.0 & !Ref::CONSTANT) as usize],
                }
            }
        };
        Some(abi::call_token(callee, call.type_hash))
    }

    /// The result of the pending call follows in the log; goes on after it.
    fn finish_call(&mut self, code: &'i Code, side: usize) -> Result<Flow, ReplayError> {
        let call = &code.calls[side];
        let base = self.top_base();
        let first = base + call.dst as usize;
        if let Some(flow) = self.read_words(first, call.words as usize, call.bytes as usize, MaySwitch::No)? {
            return Ok(flow);
        }
        if O::STEPS && !self.is_unwatched {
            let step = self.step_at_top(code);
            self.observer.returned(&step);
        }
        match call.normal {
            Some(target) => self.go(code, target),
            None => self.next(),
        }
        Ok(Flow::Run)
    }

    pub(crate) fn top_base(&self) -> usize {
        self.frames.last().map_or(0, |f| f.base)
    }

    fn next(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.pc += 1;
        }
    }

    /// Moves the top frame to a target, setting phis on the way.
    pub(crate) fn go(&mut self, code: &'i Code, target: Target) {
        let pc = if target.0 & Target::EDGE == 0 {
            target.0
        } else {
            let edge = &code.edges[(target.0 & !Target::EDGE) as usize];
            let base = self.top_base();
            // SAFETY: a live frame of this code.
            unsafe {
                let frame = self.stack.as_mut_ptr().add(base);
                crate::interpret::set_phis(edge, frame, &code.constants, &mut self.scratch);
                if O::STEPS {
                    self.observe_phis(code, edge, frame);
                }
            }
            edge.target
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.pc = pc;
        }
    }

    fn entered(&mut self) -> Result<Flow, ReplayError> {
        let entry = match self.read_u64()? {
            Ok(entry) => Address(entry),
            Err(flow) => return Ok(flow),
        };
        let Some(code) = self.code_at(entry)? else {
            return Err(self.departed(Departure::UnknownEntry { entry }));
        };
        self.push_frame(code, true);
        let base = self.top_base();
        for parameter in &code.parameters {
            let first = base + parameter.first as usize;
            let (words, bytes) = (parameter.words as usize, parameter.bytes as usize);
            if let Some(flow) = self.read_words(first, words, bytes, MaySwitch::No)? {
                return Ok(flow);
            }
        }
        if let Some(flow) = self.read_entry(code)? {
            return Ok(flow);
        }
        self.observe_begin();
        Ok(Flow::Run)
    }

    /// Frame address and instruction; unwinds to that frame.
    fn unwind(&mut self, record: &'static str) -> Result<Result<u32, Flow>, ReplayError> {
        let address = match self.read_u64()? {
            Ok(address) => address,
            Err(flow) => return Ok(Err(flow)),
        };
        let instruction = match self.log.take::<4>() {
            Some(bytes) => u32::from_le_bytes(bytes),
            None => return Err(self.departed(Departure::ShortEntry { wanted: 4, left: 0 })),
        };
        while let Some(frame) = self.frames.last() {
            if self.frames.len() <= self.bottom() {
                break;
            }
            let function = frame.code().function();
            if function.logs_frame && frame.address == address && (instruction as usize) < function.instructions.len() {
                return Ok(Ok(instruction));
            }
            self.unwind_frame();
        }
        Err(self.unexpected(record, "no function on the stack has that frame"))
    }

    fn setjmp_returned(&mut self) -> Result<Flow, ReplayError> {
        let instruction = match self.unwind("setjmp")? {
            Ok(instruction) => instruction,
            Err(flow) => return Ok(flow),
        };
        if let Some(frame) = self.frames.last_mut() {
            let before = std::mem::replace(&mut frame.pc, instruction);
            if before != instruction && !self.is_unwatched {
                self.observer.jumped(InstructionId(before), InstructionId(instruction));
            }
        }
        match self.pending_call() {
            Some((code, side)) if code.calls[side].may_return_twice => self.finish_call(code, side),
            _ => Err(self.unexpected("setjmp", "its instruction is not such a call")),
        }
    }

    fn landed(&mut self) -> Result<Flow, ReplayError> {
        let instruction = match self.unwind("landed")? {
            Ok(instruction) => instruction,
            Err(flow) => return Ok(flow),
        };
        let Some((code, side)) = self.pending_call() else {
            return Err(self.unexpected("landed", "the function was not in a call"));
        };
        let Some(target) = code.calls[side].unwind else {
            return Err(self.unexpected("landed", "the call cannot land an exception"));
        };
        if O::STEPS && !self.is_unwatched {
            let step = self.step_at_top(code);
            self.observer.landed(&step);
        }
        self.go(code, target);
        let at = self.frames.last().map_or(0, |f| f.pc);
        if at != instruction || !matches!(code.ops.get(at as usize), Some(Op::Nothing)) {
            return Err(self.unexpected("landed", "the call lands exceptions elsewhere"));
        }
        let (first, words) = code.results[instruction as usize];
        let bytes = code.function().instructions[instruction as usize].ty.store_size() as usize;
        let first = self.top_base() + first as usize;
        if let Some(flow) = self.read_words(first, words as usize, bytes, MaySwitch::No)? {
            return Ok(flow);
        }
        if O::STEPS && !self.is_unwatched {
            let step = self.step_at_top(code);
            self.observer.step(&step);
        }
        self.next();
        Ok(Flow::Run)
    }
}
