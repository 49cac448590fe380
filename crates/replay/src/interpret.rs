//! The interpreter's loop: runs the top frame's code until control leaves it, a read meets an edge, or the end.

use abi::{Address, InstructionId, hash_step};
use program::{BinaryOp, FloatKind, ICmp};
use semantics::Reading::{Signed, Unsigned};
use semantics::{Domain, Made, Scalar, Word, wide};

use crate::code::*;
use crate::departure::{Departure, ReplayError};
use crate::evaluate::evaluate;
use crate::machine::{Ending, Flow, Machine, MaySwitch};
use crate::observer::{Leaving, Observed, Observer};
use crate::running::Frame;

/// A copy of more bytes than any program has memory for did not succeed.
const LARGEST_COPY: u64 = 1 << 36;

/// Sets the phis of an edge: all values are read before any phi is written.
///
/// # Safety
/// `frame` is a live frame of the code the edge belongs to, `constants` are that code's.
pub(crate) unsafe fn set_phis(edge: &EdgeSide, frame: *mut u64, constants: &[u64], scratch: &mut Vec<u64>) {
    // SAFETY: `compile` gives every operand a place within the frame or the constants of its code; the caller vouches for both.
    let source = |r: Ref| unsafe {
        if r.0 & Ref::CONSTANT != 0 {
            constants.as_ptr().add((r.0 & !Ref::CONSTANT) as usize)
        } else {
            frame.add(r.0 as usize).cast_const()
        }
    };
    // SAFETY: as above, for as many words as the copies say. What is read goes to `scratch` before anything is written.
    unsafe {
        if let [(dst, value, 1)] = edge.copies[..] {
            *frame.add(dst as usize) = *source(value);
            return;
        }
        scratch.clear();
        for &(_, value, words) in &edge.copies {
            scratch.extend_from_slice(std::slice::from_raw_parts(source(value), words as usize));
        }
        let mut from = 0;
        for &(dst, _, words) in &edge.copies {
            std::ptr::copy_nonoverlapping(scratch.as_ptr().add(from), frame.add(dst as usize), words as usize);
            from += words as usize;
        }
    }
}

fn divide(op: BinaryOp, bits: u8, a: u64, b: u64) -> Made<Word> {
    semantics::binary(&Word, op, Scalar::Int(bits.into()), &a, &b)
}

impl<'i, O: Observer> Machine<'i, '_, O> {
    /// `ATTENTIVE`: the end is near, and every access is compared with the address of the fault; or values may have been
    /// replaced by a plan.
    pub(crate) fn interpret<const ATTENTIVE: bool>(&mut self) -> Result<Flow, ReplayError> {
        let Some(top) = self.frames.last() else {
            return Err(self.departed(Departure::Impossible("code runs, but no function does")));
        };
        let mut code: &'i Code = top.code();
        let mut pc = top.pc as usize;
        // First instruction since the last transfer of control: executed ones are counted by the straight line.
        let mut line = pc;
        // SAFETY: `push_frame` made the stack large enough for the frame.
        let mut frame: *mut u64 = unsafe { self.stack.as_mut_ptr().add(top.base) };
        let mut ops: *const Op = code.ops.as_ptr();
        let mut constants: *const u64 = code.constants.as_ptr();
        let mut is_surprise = false;

        // SAFETY of these macros: `compile` gives every operand a place within the frame or the constants of its
        // code; `push_frame` makes the stack large enough for the frame; both pointers are renewed whenever the top
        // frame or the stack changes; the last operation of a block is a transfer, so `pc` stays within `ops`.
        macro_rules! place {
            ($r:expr) => {{
                let r: Ref = $r;
                let base = if r.0 & Ref::CONSTANT != 0 { constants } else { frame.cast_const() };
                base.wrapping_add((r.0 & !Ref::CONSTANT) as usize)
            }};
        }
        macro_rules! get {
            ($r:expr) => {
                // SAFETY: see above.
                unsafe { *place!($r) }
            };
        }
        macro_rules! set {
            ($dst:expr, $value:expr) => {{
                let value: u64 = $value;
                // SAFETY: see above.
                unsafe { *frame.add($dst as usize) = value }
            }};
        }
        macro_rules! words {
            ($r:expr, $count:expr) => {
                // SAFETY: see above; `compile` gave the operand so many words.
                unsafe { std::slice::from_raw_parts(place!($r), $count as usize) }
            };
        }
        macro_rules! save {
            () => {
                if let Some(top) = self.frames.last_mut() {
                    top.pc = pc as u32;
                }
            };
        }
        macro_rules! count {
            () => {
                self.instructions += (pc - line + 1) as u64;
            };
        }
        // Leaves the loop without having executed the operation at `pc`.
        macro_rules! stop {
            ($flow:expr) => {{
                self.instructions += (pc - line) as u64;
                save!();
                return Ok($flow);
            }};
        }
        macro_rules! observe {
            () => {
                if O::STEPS {
                    let is_surprise = std::mem::take(&mut is_surprise);
                    let id = InstructionId(pc as u32);
                    if !self.is_unwatched && self.observer.concerns(id, self.clock) {
                        let step = Observed {
                            code,
                            id,
                            frame: frame.cast_const(),
                            frames: self.frames.as_ptr(),
                            memory: &self.memory,
                            clock: self.clock,
                            depth: self.frames.len(),
                            is_surprise,
                            changed: if ATTENTIVE { self.changed_now() } else { None },
                        };
                        self.observer.step(&step);
                    }
                }
            };
        }
        macro_rules! go {
            ($target:expr) => {{
                count!();
                let target: Target = $target;
                if target.0 & Target::EDGE == 0 {
                    pc = target.0 as usize;
                } else {
                    let edge = &code.edges[(target.0 & !Target::EDGE) as usize];
                    // SAFETY: as above.
                    unsafe { set_phis(edge, frame, &code.constants, &mut self.scratch) };
                    if O::STEPS {
                        self.observe_phis(code, edge, frame.cast_const());
                    }
                    pc = edge.target as usize;
                }
                line = pc;
                continue;
            }};
        }
        // The end of a block: nothing may be passed that the recorded run did not pass.
        macro_rules! block_end {
            () => {
                if self.clock >= self.attention {
                    save!();
                    if let Some(flow) = self.attend()? {
                        stop!(flow);
                    }
                }
            };
        }
        // A call or a return: a handler that came before it must run before it.
        macro_rules! transfer {
            () => {
                if self.clock >= self.attention {
                    save!();
                    if let Some(flow) = self.attend_transfer()? {
                        stop!(flow);
                    }
                }
            };
        }
        // The machine raised an error here: a handler of the program's runs, or the program has ended.
        macro_rules! trap {
            () => {{
                save!();
                let flow = self.trapped()?;
                stop!(flow);
            }};
        }
        macro_rules! load {
            ($dst:expr, $integer:ty) => {{
                let value = loop {
                    if let Some(bytes) = self.log.take::<{ size_of::<$integer>() }>() {
                        break <$integer>::from_le_bytes(bytes);
                    }
                    save!();
                    if let Some(flow) = self.at_edge(size_of::<$integer>(), MaySwitch::Yes)? {
                        stop!(flow);
                    }
                };
                set!($dst, u64::from(value));
            }};
        }
        // In the last stretch of a run that ended in a fault: is it this access that did not succeed?
        macro_rules! fault {
            ($address:expr, $size:expr) => {
                if ATTENTIVE && self.is_careful() && self.faults($address, u64::from($size)) {
                    stop!(Flow::End(Ending::Inside));
                }
            };
        }
        // The value a step goes on with: the plan of the run may have replaced it.
        macro_rules! planned {
            ($value:expr) => {
                if ATTENTIVE { self.planned($value, code, pc, frame.cast_const()) } else { $value }
            };
        }
        macro_rules! watch {
            ($dst:expr, $address:expr, $key:expr, $integer:ty) => {{
                let address = get!($address);
                fault!(address, size_of::<$integer>() as u32);
                let mut value = u64::from(<$integer>::from_le_bytes(self.memory.load(address)));
                if self.clock == self.surprises.clock && $key == self.surprises.key {
                    save!();
                    value = self.surprise(size_of::<$integer>())?;
                    self.memory.store(address, (value as $integer).to_le_bytes());
                    is_surprise = true;
                }
                set!($dst, value);
            }};
        }
        macro_rules! store {
            ($a:expr, $address:expr, $integer:ty) => {{
                self.clock += 1;
                let address = get!($address);
                fault!(address, size_of::<$integer>() as u32);
                let value = planned!(get!($a));
                self.memory.store(address, (value as $integer).to_le_bytes());
            }};
        }
        macro_rules! compare {
            ($dst:expr, $op:expr, $bits:expr, $a:expr, $b:expr) => {
                set!($dst, u64::from(semantics::compare(&Word, $op, $bits, &get!($a), &get!($b))))
            };
        }
        macro_rules! renew {
            () => {{
                let top: &Frame = match self.frames.last() {
                    Some(top) => top,
                    None => return Ok(Flow::Outside),
                };
                code = top.code();
                pc = top.pc as usize;
                line = pc;
                // SAFETY: as above.
                frame = unsafe { self.stack.as_mut_ptr().add(top.base) };
                ops = code.ops.as_ptr();
                constants = code.constants.as_ptr();
            }};
        }

        loop {
            // SAFETY: as above.
            let op = unsafe { *ops.add(pc) };
            match op {
                Op::Nothing => {}
                Op::Move { dst, a } => set!(dst, get!(a)),
                Op::Mask { dst, a, bits } => set!(dst, Word.cut(64, bits.into(), &get!(a))),
                Op::SignExtend { dst, a, from, to } => {
                    set!(dst, Word.widen(Signed, from.into(), to.into(), &get!(a)));
                }
                Op::Add32 { dst, a, b } => set!(dst, Word.add(32, &get!(a), &get!(b))),
                Op::Add64 { dst, a, b } => set!(dst, Word.add(64, &get!(a), &get!(b))),
                Op::Sub32 { dst, a, b } => set!(dst, Word.subtract(32, &get!(a), &get!(b))),
                Op::Sub64 { dst, a, b } => set!(dst, Word.subtract(64, &get!(a), &get!(b))),
                Op::Mul32 { dst, a, b } => set!(dst, Word.multiply(32, &get!(a), &get!(b))),
                Op::Mul64 { dst, a, b } => set!(dst, Word.multiply(64, &get!(a), &get!(b))),
                Op::And { dst, a, b } => set!(dst, Word.and(64, &get!(a), &get!(b))),
                Op::Or { dst, a, b } => set!(dst, Word.or(64, &get!(a), &get!(b))),
                Op::Xor { dst, a, b } => set!(dst, Word.exclusive_or(64, &get!(a), &get!(b))),
                Op::Narrow { dst, a, b, op, bits } => {
                    let (bits, a, b) = (bits.into(), get!(a), get!(b));
                    let value = match op {
                        BinaryOp::Add => Word.add(bits, &a, &b),
                        BinaryOp::Sub => Word.subtract(bits, &a, &b),
                        BinaryOp::Mul => Word.multiply(bits, &a, &b),
                        _ => Word.shift_left(bits, &a, &b),
                    };
                    set!(dst, value);
                }
                Op::ShiftRight { dst, a, b } => set!(dst, Word.shift_right(Unsigned, 64, &get!(a), &get!(b))),
                Op::ShiftRightSigned { dst, a, b, bits } => {
                    set!(dst, Word.shift_right(Signed, bits.into(), &get!(a), &get!(b)));
                }
                Op::Divide { dst, a, b, op, bits } => {
                    let made = divide(op, bits, get!(a), get!(b));
                    if made.traps {
                        trap!();
                    }
                    set!(dst, made.value);
                }
                Op::Float64 { dst, a, b, op } => {
                    set!(dst, Word.float_binary(op, FloatKind::Double, &get!(a), &get!(b)));
                }
                Op::Float32 { dst, a, b, op } => {
                    set!(dst, Word.float_binary(op, FloatKind::Single, &get!(a), &get!(b)));
                }
                Op::Negate64 { dst, a } => set!(dst, semantics::negate(&Word, FloatKind::Double, &get!(a))),
                Op::Negate32 { dst, a } => set!(dst, semantics::negate(&Word, FloatKind::Single, &get!(a))),
                Op::Equal { dst, a, b } => compare!(dst, ICmp::Eq, 64, a, b),
                Op::NotEqual { dst, a, b } => compare!(dst, ICmp::Ne, 64, a, b),
                Op::Above { dst, a, b } => compare!(dst, ICmp::Ugt, 64, a, b),
                Op::AboveEqual { dst, a, b } => compare!(dst, ICmp::Uge, 64, a, b),
                Op::Greater32 { dst, a, b } => compare!(dst, ICmp::Sgt, 32, a, b),
                Op::GreaterEqual32 { dst, a, b } => compare!(dst, ICmp::Sge, 32, a, b),
                Op::Greater64 { dst, a, b } => compare!(dst, ICmp::Sgt, 64, a, b),
                Op::GreaterEqual64 { dst, a, b } => compare!(dst, ICmp::Sge, 64, a, b),
                Op::Greater { dst, a, b, bits } => compare!(dst, ICmp::Sgt, bits.into(), a, b),
                Op::GreaterEqual { dst, a, b, bits } => compare!(dst, ICmp::Sge, bits.into(), a, b),
                Op::Compare64 { dst, a, b, op } => {
                    let holds = semantics::compare_floats(&Word, op, FloatKind::Double, &get!(a), &get!(b));
                    set!(dst, u64::from(holds));
                }
                Op::Compare32 { dst, a, b, op } => {
                    let holds = semantics::compare_floats(&Word, op, FloatKind::Single, &get!(a), &get!(b));
                    set!(dst, u64::from(holds));
                }
                Op::CastFloat { dst, a, op, from, to } => {
                    set!(dst, semantics::cast(&Word, op, from.into(), to.into(), &get!(a)));
                }
                Op::Select { dst, condition, side } => {
                    // SAFETY: `compile` made the operation together with its entry of the table.
                    let select = unsafe { code.selects.get_unchecked(side as usize) };
                    set!(dst, if get!(condition) != 0 { get!(select.then) } else { get!(select.otherwise) });
                }
                Op::Element { dst, base, index, side } => {
                    // SAFETY: `compile` made the operation together with its entry of the table.
                    let element = unsafe { code.elements.get_unchecked(side as usize) };
                    let scaled = |i: u64, bits: u32, stride: u64| Word.widen(Signed, bits, 64, &i).wrapping_mul(stride);
                    let mut address = get!(base).wrapping_add(element.offset).wrapping_add(scaled(
                        get!(index),
                        element.bits,
                        element.stride,
                    ));
                    for &(index, bits, stride) in &element.more {
                        address = address.wrapping_add(scaled(get!(index), bits, stride));
                    }
                    set!(dst, address);
                }
                Op::Load8 { dst } => load!(dst, u8),
                Op::Load16 { dst } => load!(dst, u16),
                Op::Load32 { dst } => load!(dst, u32),
                Op::Load64 { dst } => load!(dst, u64),
                Op::LoadBytes { dst, bytes, words } => {
                    save!();
                    let first = self.top_base() + dst as usize;
                    if let Some(flow) = self.read_words(first, words as usize, bytes as usize, MaySwitch::Yes)? {
                        stop!(flow);
                    }
                }
                Op::Watch8 { dst, address, key } => watch!(dst, address, key, u8),
                Op::Watch16 { dst, address, key } => watch!(dst, address, key, u16),
                Op::Watch32 { dst, address, key } => watch!(dst, address, key, u32),
                Op::Watch64 { dst, address, key } => watch!(dst, address, key, u64),
                Op::Store8 { a, address } => store!(a, address, u8),
                Op::Store16 { a, address } => store!(a, address, u16),
                Op::Store32 { a, address } => store!(a, address, u32),
                Op::Store64 { a, address } => store!(a, address, u64),
                Op::StoreBytes { a, address, bytes } => {
                    self.clock += 1;
                    let address = get!(address);
                    fault!(address, bytes);
                    if ATTENTIVE && bytes <= 8 {
                        let value = planned!(get!(a));
                        self.write_words(address, &[value], bytes as usize);
                    } else {
                        self.write_words(address, words!(a, bytes.div_ceil(8)), bytes as usize);
                    }
                }
                Op::StoreUnseen { a, address } => {
                    self.clock += 1;
                    fault!(get!(address), 1_u32);
                    let _ = planned!(get!(a));
                }
                Op::Copy { to, from, length } => {
                    self.clock += 1;
                    let (to, from, length) = (get!(to), get!(from), get!(length));
                    if length > LARGEST_COPY {
                        stop!(Flow::End(Ending::Inside));
                    }
                    fault!(to, length);
                    fault!(from, length);
                    self.memory.copy(to, from, length);
                }
                Op::Fill { to, byte, length } => {
                    self.clock += 1;
                    let (to, length) = (get!(to), get!(length));
                    if length > LARGEST_COPY {
                        stop!(Flow::End(Ending::Inside));
                    }
                    fault!(to, length);
                    self.memory.fill(to, get!(byte) as u8, length);
                }
                Op::Assign { dst, a } => {
                    self.clock += 1;
                    set!(dst, planned!(get!(a)));
                }
                Op::AssignWide { dst, a, words } => {
                    self.clock += 1;
                    // SAFETY: both within frame or constants; a local is never its own source.
                    unsafe { std::ptr::copy(place!(a), frame.add(dst as usize), words as usize) };
                }
                Op::StoreHashed { a, address, side } => {
                    self.clock += 1;
                    let value = planned!(get!(a));
                    match code.stores[side as usize] {
                        StoreSide::Local(dst) => {
                            self.hash = hash_step(self.hash, value);
                            set!(dst, value);
                        }
                        side => {
                            let address = get!(address);
                            self.hash = hash_step(self.hash, value ^ address);
                            fault!(address, 1_u32);
                            if let StoreSide::Shadowed(bytes) = side {
                                self.write_words(address, &[value], bytes as usize);
                            }
                        }
                    }
                }
                Op::MoveWide { dst, a, words } => {
                    // SAFETY: as above.
                    unsafe { std::ptr::copy(place!(a), frame.add(dst as usize), words as usize) };
                }
                Op::FrameAddress { dst, offset } => {
                    let address = self.frames.last().map_or(0, |f| f.address);
                    set!(dst, address.wrapping_add(u64::from(offset)));
                }
                Op::TickLoad { dst, bytes, words } => {
                    self.clock += 1;
                    save!();
                    let first = self.top_base() + dst as usize;
                    // The tick is done: a handler that came between it and the entry runs after the instruction.
                    if let Some(flow) = self.read_words(first, words as usize, bytes as usize, MaySwitch::No)? {
                        stop!(flow);
                    }
                    self.set_attention();
                }
                Op::Jump { target } => {
                    observe!();
                    go!(target);
                }
                Op::JumpTick { target } => {
                    block_end!();
                    self.clock += 1;
                    observe!();
                    go!(target);
                }
                Op::Branch { condition, then, otherwise } => {
                    block_end!();
                    self.clock += 1;
                    let outcome = planned!(get!(condition)) & 1;
                    self.hash = hash_step(self.hash, outcome);
                    observe!();
                    go!(if outcome != 0 { then } else { otherwise });
                }
                Op::Switch { value, side } => {
                    block_end!();
                    self.clock += 1;
                    // SAFETY: `compile` made the operation together with its entry of the table.
                    let switch = unsafe { code.switches.get_unchecked(side as usize) };
                    let value = planned!(get!(value));
                    if switch.hashes {
                        self.hash = hash_step(self.hash, value);
                    }
                    observe!();
                    go!(match switch.cases.binary_search_by_key(&value, |c| c.0) {
                        Ok(found) => switch.cases[found].1,
                        Err(_) => switch.default,
                    });
                }
                Op::Wide { side } => {
                    let wide_side = &code.wides[side as usize];
                    let operands: Vec<&[u64]> = wide_side.operands.iter().map(|&(r, n)| words!(r, n)).collect();
                    let index = get!(wide_side.index);
                    self.scratch.clear();
                    self.scratch.resize(wide_side.words as usize, 0);
                    let instruction = code.function().instruction(InstructionId(pc as u32));
                    match evaluate(&code.module, instruction, &operands, index, &mut self.scratch) {
                        // SAFETY: the result's words are within the frame.
                        Ok(()) => unsafe {
                            std::ptr::copy_nonoverlapping(
                                self.scratch.as_ptr(),
                                frame.add(wide_side.dst as usize),
                                wide_side.words as usize,
                            );
                        },
                        Err(wide::Trap::DivideError) => trap!(),
                    }
                }
                Op::Call { side } => {
                    transfer!();
                    // SAFETY: `compile` made the operation together with its entry of the table.
                    let call = unsafe { code.calls.get_unchecked(side as usize) };
                    if self.last.is_some_and(|last| self.clock > last.clock) {
                        stop!(Flow::End(Ending::Inside));
                    }
                    observe!();
                    count!();
                    save!();
                    let callee = match call.target {
                        CallTarget::Inside { module, function } => Some(&**self.image.code(module, function)?),
                        CallTarget::Outside => None,
                        CallTarget::Pointer(pointer) => match self.image.entry(Address(get!(pointer))) {
                            Some(entry) if entry.type_hash == call.type_hash => {
                                Some(&**self.image.code(entry.module, entry.function)?)
                            }
                            _ => None,
                        },
                    };
                    let Some(callee) = callee else { return Ok(Flow::Outside) };
                    let from = self.top_base();
                    self.push_frame(callee, false);
                    // SAFETY: the caller's frame lies below the callee's in the same stack.
                    unsafe {
                        let stack = self.stack.as_mut_ptr();
                        let (caller, target) = (stack.add(from), stack.add(self.top_base()));
                        for (&(r, count), parameter) in call.arguments.iter().zip(&callee.parameters) {
                            let source = if r.0 & Ref::CONSTANT != 0 {
                                constants.add((r.0 & !Ref::CONSTANT) as usize)
                            } else {
                                caller.add(r.0 as usize).cast_const()
                            };
                            let count = count.min(parameter.words) as usize;
                            std::ptr::copy_nonoverlapping(source, target.add(parameter.first as usize), count);
                        }
                    }
                    if let Some(flow) = self.read_entry(callee)? {
                        return Ok(flow);
                    }
                    self.observe_begin();
                    renew!();
                    continue;
                }
                Op::Return { value, words } => {
                    transfer!();
                    if self.last.is_some_and(|last| self.clock > last.clock) {
                        stop!(Flow::End(Ending::Inside));
                    }
                    observe!();
                    count!();
                    save!();
                    let source = place!(value);
                    let Some(left) = self.pop_frame(Leaving::Returned) else { return Ok(Flow::Outside) };
                    if left.from_outside {
                        return Ok(Flow::Outside);
                    }
                    let Some((caller, side)) = self.pending_call() else {
                        return Err(self.departed(Departure::Impossible("a function returned to no call")));
                    };
                    let call = &caller.calls[side];
                    let base = self.top_base();
                    let count = words.min(call.words) as usize;
                    // SAFETY: the callee's frame is still in the stack above the caller's.
                    unsafe {
                        std::ptr::copy_nonoverlapping(
                            source,
                            self.stack.as_mut_ptr().add(base + call.dst as usize),
                            count,
                        );
                    }
                    if O::STEPS && !self.is_unwatched {
                        let step = self.step_at_top(caller);
                        self.observer.returned(&step);
                    }
                    match call.normal {
                        Some(target) => self.go(caller, target),
                        None => {
                            if let Some(top) = self.frames.last_mut() {
                                top.pc += 1;
                            }
                        }
                    }
                    renew!();
                    continue;
                }
                Op::Resume => {
                    observe!();
                    count!();
                    save!();
                    return Ok(Flow::Outside);
                }
                Op::Trap => trap!(),
            }
            observe!();
            pc += 1;
        }
    }
}
