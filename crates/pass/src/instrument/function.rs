//! Walks a function's instructions and puts the instrumentation around them.
//!
//! An original block keeps its terminator, and with it its identity towards phis; everything before moves into new
//! blocks in front of it, the first of which (its head) takes over as the target of branches.

use std::collections::{HashMap, HashSet};

use abi::{Probe, TickKind};
use llvm::{Block, Instruction, LLVMOpcode, Module, Value};
use llvm_sys::core::*;

use crate::builder::{Builder, erase, replace_uses, set_operand};
use crate::decide::{FunctionDecision, InstructionProbe};

use super::call;
use super::runtime::Runtime;
use super::sites::Sites;
use super::state::State;

pub struct Instrumenter<'a, 'm> {
    pub module: &'m Module,
    pub b: &'a Builder<'m>,
    pub runtime: &'a Runtime<'m>,
    pub sites: &'a Sites<'m>,
    pub decision: &'a FunctionDecision<'m>,
    pub state: State<'m>,
    /// Bytes that may be logged before the next check; `None`: check first.
    pub room: Option<u64>,
    /// The frame's alloca.
    pub frame: Option<Value<'m>>,
    /// Alloca of a bool: entered from outside.
    pub from_outside: Value<'m>,
    /// Alloca of two words the runtime keeps between entering and leaving.
    pub saved: Value<'m>,
    /// Alloca of the signal level before a call that may return twice.
    pub level: Value<'m>,
    /// Allocas that live in registers.
    unlogged: HashSet<Value<'m>>,
    /// New blocks are placed before this one.
    place: Block<'m>,
}

pub fn instrument<'m>(
    module: &'m Module,
    b: &Builder<'m>,
    runtime: &Runtime<'m>,
    sites: &Sites<'m>,
    decision: &FunctionDecision<'m>,
) {
    let function = decision.function;
    let blocks = function.blocks();
    let instructions: Vec<Vec<Instruction<'_>>> = blocks.iter().map(|x| x.instructions().collect()).collect();
    let Some(first) = blocks.first().copied() else { return };

    let entry = b.new_block_before(first, "faultline.entry");
    b.at_end(entry);
    b.locate_nowhere();
    let state = State {
        slot: b.alloca(b.ptr, "faultline.slot"),
        cursor: b.alloca(b.ptr, "faultline.cursor"),
        remaining: b.alloca(b.i64, "faultline.remaining"),
        hash: b.alloca(b.i64, "faultline.hash"),
        shadow: b.alloca(b.i64, "faultline.shadow"),
    };
    let mut this = Instrumenter {
        module,
        b,
        runtime,
        sites,
        decision,
        state,
        room: None,
        frame: None,
        from_outside: b.alloca(b.i1, "faultline.from_outside"),
        saved: b.alloca(b.array_of(b.i64, 2), "faultline.saved"),
        level: b.alloca(b.i32, "faultline.level"),
        unlogged: HashSet::new(),
        place: first,
    };
    let all = instructions.concat();
    this.place_allocas(&all);
    // Each invoke has a normal destination of its own: there goes what comes after the call.
    let returned: HashMap<Block<'_>, (Instruction<'_>, Probe, u64)> = all
        .iter()
        .zip(&decision.probes)
        .filter(|(i, _)| i.opcode() == LLVMOpcode::LLVMInvoke)
        .map(|(i, probe)| (i.invoke_destinations().0, (*i, probe.probe, probe.argument)))
        .collect();
    b.locate_nowhere();
    this.enter();
    this.entry_tick();
    let after_entry = b.block();

    let mut heads: HashMap<Block<'_>, Block<'_>> = HashMap::new();
    let mut position = 0;
    for (block, members) in blocks.iter().zip(&instructions) {
        this.place = *block;
        let head = b.new_block_before(*block, &format!("{}.head", block.name()));
        heads.insert(*block, head);
        b.at_end(head);
        this.forget_room();
        match returned.get(block) {
            Some((invoke, Probe::Open, type_hash)) => {
                let made_with = this.token_of(invoke.callee(), *type_hash);
                this.after_open_call(made_with, call::result(*invoke));
            }
            Some(_) => this.reload(),
            None => {}
        }
        for &instruction in members {
            this.instruction(instruction, decision.probes[position], position);
            position += 1;
        }
    }
    b.at_end(after_entry);
    b.locate_nowhere();
    b.jump(heads[&first]);
    for block in &blocks {
        retarget(block.terminator(), &heads);
    }
}

/// Lets a terminator go to the heads of its targets.
fn retarget<'m>(terminator: Instruction<'m>, heads: &HashMap<Block<'m>, Block<'m>>) {
    if terminator.opcode() == LLVMOpcode::LLVMInvoke {
        let (normal, unwind) = terminator.invoke_destinations();
        // SAFETY: an invoke; heads are blocks of the same function.
        unsafe {
            LLVMSetNormalDest(terminator.raw(), heads[&normal].raw());
            LLVMSetUnwindDest(terminator.raw(), heads[&unwind].raw());
        }
        return;
    }
    for (i, target) in terminator.successors().into_iter().enumerate() {
        // SAFETY: a successor that is there; heads are blocks of the same function.
        unsafe { LLVMSetSuccessor(terminator.raw(), i as u32, heads[&target].raw()) };
    }
}

impl<'m> Instrumenter<'_, 'm> {
    pub fn new_block(&self, name: &str) -> Block<'m> {
        self.b.new_block_before(self.place, name)
    }

    /// Moves locals into the new entry block; those in memory become parts of one frame.
    fn place_allocas(&mut self, instructions: &[Instruction<'m>]) {
        let b = self.b;
        if let Some((size, alignment)) = self.decision.frame {
            let frame = b.alloca(b.array_of(b.i8, size), "faultline.frame");
            // SAFETY: the alloca just built; the alignment is a power of two, being the largest of some allocas'.
            unsafe { LLVMSetAlignment(frame.raw(), alignment as u32) };
            self.frame = Some(frame);
        }
        for (instruction, probe) in instructions.iter().zip(&self.decision.probes) {
            match (probe.probe, self.frame) {
                (Probe::Local, _) => {
                    b.move_here(*instruction);
                    self.unlogged.insert(instruction.value());
                }
                (Probe::Frame, Some(frame)) => replace_uses(instruction.value(), b.offset(frame, probe.argument)),
                _ => {}
            }
        }
    }

    /// The instruction goes on into the new block, with what belongs before and behind it.
    fn instruction(&mut self, instruction: Instruction<'m>, probe: InstructionProbe, position: usize) {
        use LLVMOpcode::*;
        let b = self.b;
        b.locate_as(instruction);
        match instruction.opcode() {
            LLVMAlloca => self.alloca(instruction, probe),
            LLVMLoad => self.load(instruction, probe),
            LLVMStore => self.store(instruction, probe),
            LLVMAtomicRMW | LLVMAtomicCmpXchg => {
                self.tick_without_value();
                make_volatile(instruction);
                b.move_here(instruction);
                self.log(instruction.value());
            }
            LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem => {
                self.guard_division(instruction);
                b.move_here(instruction);
            }
            LLVMFPToSI | LLVMFPToUI => match self.convert(instruction) {
                Some(value) => {
                    replace_uses(instruction.value(), value);
                    // SAFETY: nobody comes back to an instruction that has been instrumented.
                    unsafe { erase(instruction) };
                }
                None => b.move_here(instruction),
            },
            LLVMLandingPad => {
                b.move_here(instruction);
                self.after_landing(position, instruction.value());
            }
            LLVMCall => self.call(instruction, probe, position),
            LLVMInvoke => self.invoke(instruction, probe),
            LLVMBr | LLVMSwitch => self.branch(instruction, probe),
            LLVMRet => {
                self.leave();
                self.finish(instruction.block());
            }
            LLVMResume => {
                self.before_resume();
                self.finish(instruction.block());
            }
            LLVMUnreachable => self.finish(instruction.block()),
            _ => b.move_here(instruction),
        }
    }

    fn alloca(&mut self, alloca: Instruction<'m>, probe: InstructionProbe) {
        match probe.probe {
            Probe::Local => {}
            // SAFETY: its uses were replaced when it became part of the frame, and nobody comes back to it.
            Probe::Frame => unsafe { erase(alloca) },
            _ => {
                self.b.move_here(alloca);
                let address = self.b.ptr_to_int(alloca.value());
                self.log(address);
                self.fill_dynamic(alloca);
            }
        }
    }

    fn load(&mut self, load: Instruction<'m>, probe: InstructionProbe) {
        if probe.probe != Probe::Plain {
            make_volatile(load);
        }
        self.b.move_here(load);
        match probe.probe {
            Probe::Logged => self.log(load.value()),
            Probe::Watched => self.watch(load, probe.argument),
            _ => {}
        }
    }

    fn store(&mut self, store: Instruction<'m>, probe: InstructionProbe) {
        let b = self.b;
        let address = store.operand(1);
        let is_unlogged = self.unlogged.contains(&address);
        let value = self.tick(store.operand(0), TickKind::Store, is_unlogged.then_some(address));
        set_operand(store, 0, value);
        if probe.hashes()
            && let Some(wide) = b.widen(value)
        {
            self.hash(if is_unlogged { wide } else { b.xor(wide, b.ptr_to_int(address)) });
        }
        if !is_unlogged {
            make_volatile(store);
        }
        b.move_here(store);
        // What may be written just once leaves its shadow behind; the next load will tell.
        if probe.shadows() {
            self.store_shadow(value, address, store.alignment());
        }
    }

    fn call(&mut self, instruction: Instruction<'m>, probe: InstructionProbe, position: usize) {
        let b = self.b;
        let result = call::result(instruction);
        match probe.probe {
            Probe::Open => {
                let made_with = self.before_open_call(instruction, probe.argument);
                b.move_here(instruction);
                self.after_open_call(made_with, result);
            }
            Probe::Closed => {
                self.write_back();
                b.move_here(instruction);
                self.reload();
            }
            Probe::Setjmp => {
                self.before_setjmp(instruction, probe.argument);
                b.move_here(instruction);
                self.after_setjmp(position, result);
            }
            Probe::Logged => {
                b.move_here(instruction);
                if let Some(result) = result {
                    self.log(result);
                }
            }
            _ => {
                if probe.ticks() {
                    self.tick_without_value();
                    call::make_volatile(b, instruction);
                }
                b.move_here(instruction);
                if probe.ticks() {
                    self.memory_shadow(instruction);
                }
            }
        }
    }

    fn invoke(&mut self, instruction: Instruction<'m>, probe: InstructionProbe) {
        if probe.probe == Probe::Open {
            _ = self.before_open_call(instruction, probe.argument);
        } else {
            self.write_back();
        }
        self.finish(instruction.block());
    }

    fn branch(&mut self, instruction: Instruction<'m>, probe: InstructionProbe) {
        let b = self.b;
        if probe.ticks() {
            if instruction.operand_count() > 1 {
                let is_switch = instruction.opcode() == LLVMOpcode::LLVMSwitch;
                let kind = if is_switch { TickKind::Switch } else { TickKind::Branch };
                let condition = self.tick(instruction.operand(0), kind, None);
                set_operand(instruction, 0, condition);
                if probe.hashes()
                    && let Some(wide) = b.widen(condition)
                {
                    self.hash(wide);
                }
            } else {
                self.tick_without_value();
            }
            self.write_back();
        }
        self.finish(instruction.block());
    }

    /// Ends the head of a block: what is left in it is the terminator.
    fn finish(&mut self, block: Block<'m>) {
        self.b.jump(block);
    }
}

/// The optimiser neither drops nor moves the access.
fn make_volatile(access: Instruction<'_>) {
    use LLVMOpcode::*;
    assert!(matches!(access.opcode(), LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg), "no access of memory");
    // SAFETY: an access of memory.
    unsafe { LLVMSetVolatile(access.raw(), 1) }
}
