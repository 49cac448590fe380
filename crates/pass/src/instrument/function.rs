//! Walks a function's instructions and puts the instrumentation around them.
//!
//! An original block keeps its terminator, and with it its identity towards phis; everything before moves into new
//! blocks in front of it, the first of which (its head) takes over as the target of branches.

use std::collections::{HashMap, HashSet};

use abi::{Probe, TickKind};
use llvm::{Block, Instruction, LLVMOpcode, Module};
use llvm_sys::core::*;

use crate::builder::{B, Builder, V};
use crate::decide::{FunctionDecision, InstructionProbe};

use super::call;
use super::runtime::Runtime;
use super::sites::Sites;
use super::state::State;

pub struct Instrumenter<'a, 'm> {
    pub module: &'a Module,
    pub b: &'a Builder,
    pub runtime: &'a Runtime,
    pub sites: &'a Sites,
    pub decision: &'a FunctionDecision<'m>,
    pub state: State,
    /// Bytes that may be logged before the next check; `None`: check first.
    pub room: Option<u64>,
    /// The frame's alloca.
    pub frame: Option<V>,
    /// Alloca of a bool: entered from outside.
    pub from_outside: V,
    /// Alloca of two words the runtime keeps between entering and leaving.
    pub saved: V,
    /// Alloca of the signal level before a call that may return twice.
    pub level: V,
    /// Allocas that live in registers.
    unlogged: HashSet<V>,
    /// New blocks are placed before this one.
    place: B,
}

pub fn instrument(module: &Module, b: &Builder, runtime: &Runtime, sites: &Sites, decision: &FunctionDecision<'_>) {
    let function = decision.function;
    let blocks = function.blocks();
    let instructions: Vec<Vec<Instruction<'_>>> = blocks.iter().map(|x| x.instructions().collect()).collect();
    let Some(first) = blocks.first().copied() else { return };

    let entry = b.new_block_before(first.raw(), "faultline.entry");
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
        // SAFETY: types of this context.
        saved: b.alloca(unsafe { LLVMArrayType2(b.i64, 2) }, "faultline.saved"),
        level: b.alloca(b.i32, "faultline.level"),
        unlogged: HashSet::new(),
        place: first.raw(),
    };
    let all = instructions.concat();
    this.place_allocas(&all);
    // Each invoke has a normal destination of its own: there goes what comes after the call.
    let returned: HashMap<B, (Instruction<'_>, Probe, u64)> = all
        .iter()
        .zip(&decision.probes)
        .filter(|(i, _)| i.opcode() == LLVMOpcode::LLVMInvoke)
        // SAFETY: reads the invoke.
        .map(|(i, probe)| (unsafe { LLVMGetNormalDest(i.raw()) }, (*i, probe.probe, probe.argument)))
        .collect();
    b.locate_nowhere();
    this.enter();
    this.entry_tick();
    let after_entry = b.block();

    let mut heads: HashMap<B, B> = HashMap::new();
    let mut position = 0;
    for (block, members) in blocks.iter().zip(&instructions) {
        this.place = block.raw();
        let head = b.new_block_before(block.raw(), &format!("{}.head", block.name()));
        heads.insert(block.raw(), head);
        b.at_end(head);
        this.forget_room();
        match returned.get(&block.raw()) {
            Some((invoke, Probe::Open, type_hash)) => {
                let made_with = this.token_of(invoke.callee().raw(), *type_hash);
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
    b.jump(heads[&first.raw()]);
    for block in &blocks {
        retarget(block.terminator(), &heads);
    }
}

/// Lets a terminator go to the heads of its targets.
fn retarget(terminator: Instruction<'_>, heads: &HashMap<B, B>) {
    // SAFETY: heads are blocks of the same function.
    unsafe {
        if terminator.opcode() == LLVMOpcode::LLVMInvoke {
            let normal = LLVMGetNormalDest(terminator.raw());
            LLVMSetNormalDest(terminator.raw(), heads[&normal]);
            let unwind = LLVMGetUnwindDest(terminator.raw());
            LLVMSetUnwindDest(terminator.raw(), heads[&unwind]);
            return;
        }
        for (i, target) in terminator.successors().into_iter().enumerate() {
            LLVMSetSuccessor(terminator.raw(), i as u32, heads[&target.raw()]);
        }
    }
}

impl Instrumenter<'_, '_> {
    pub fn new_block(&self, name: &str) -> B {
        self.b.new_block_before(self.place, name)
    }

    /// Moves locals into the new entry block; those in memory become parts of one frame.
    fn place_allocas(&mut self, instructions: &[Instruction<'_>]) {
        let b = self.b;
        // SAFETY: allocas of this function; replaced ones are erased once.
        unsafe {
            if let Some((size, alignment)) = self.decision.frame {
                let frame = b.alloca(LLVMArrayType2(b.i8, size), "faultline.frame");
                LLVMSetAlignment(frame, alignment as u32);
                self.frame = Some(frame);
            }
            for (instruction, probe) in instructions.iter().zip(&self.decision.probes) {
                match (probe.probe, self.frame) {
                    (Probe::Local, _) => {
                        b.move_here(instruction.raw());
                        self.unlogged.insert(instruction.raw());
                    }
                    (Probe::Frame, Some(frame)) => {
                        let address = b.offset(frame, probe.argument);
                        LLVMReplaceAllUsesWith(instruction.raw(), address);
                    }
                    _ => {}
                }
            }
        }
    }

    fn instruction(&mut self, instruction: Instruction<'_>, probe: InstructionProbe, position: usize) {
        use LLVMOpcode::*;
        let b = self.b;
        let raw = instruction.raw();
        b.locate_as(raw);
        // SAFETY: each operation is applied to the opcode it is made for; values belong to this module.
        unsafe {
            match instruction.opcode() {
                LLVMAlloca => match probe.probe {
                    Probe::Local => {}
                    Probe::Frame => LLVMInstructionEraseFromParent(raw),
                    _ => {
                        b.move_here(raw);
                        let address = b.ptr_to_int(raw);
                        self.log(address);
                        self.fill_dynamic(instruction);
                    }
                },
                LLVMLoad => {
                    if probe.probe != Probe::Plain {
                        LLVMSetVolatile(raw, 1);
                    }
                    b.move_here(raw);
                    match probe.probe {
                        Probe::Logged => self.log(raw),
                        Probe::Watched => self.watch(instruction, probe.argument),
                        _ => {}
                    }
                }
                LLVMStore => {
                    let address = LLVMGetOperand(raw, 1);
                    let variable = Some(address).filter(|address| self.unlogged.contains(address));
                    let value = self.tick(LLVMGetOperand(raw, 0), TickKind::Store, variable);
                    LLVMSetOperand(raw, 0, value);
                    if probe.hashes()
                        && let Some(wide) = b.widen(value)
                    {
                        let joined =
                            if self.unlogged.contains(&address) { wide } else { b.xor(wide, b.ptr_to_int(address)) };
                        self.hash(joined);
                    }
                    if !self.unlogged.contains(&address) {
                        LLVMSetVolatile(raw, 1);
                    }
                    b.move_here(raw);
                    // What may be written just once leaves its shadow behind; the next load will tell.
                    if probe.shadows() {
                        self.store_shadow(value, address, LLVMGetAlignment(raw));
                    }
                }
                LLVMAtomicRMW | LLVMAtomicCmpXchg => {
                    self.tick_without_value();
                    LLVMSetVolatile(raw, 1);
                    b.move_here(raw);
                    self.log(raw);
                }
                LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem => {
                    self.guard_division(instruction);
                    b.move_here(raw);
                }
                LLVMFPToSI | LLVMFPToUI => match self.convert(instruction) {
                    Some(value) => {
                        LLVMReplaceAllUsesWith(raw, value);
                        LLVMInstructionEraseFromParent(raw);
                    }
                    None => b.move_here(raw),
                },
                LLVMLandingPad => {
                    b.move_here(raw);
                    self.after_landing(position, raw);
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
                _ => b.move_here(raw),
            }
        }
    }

    fn call(&mut self, instruction: Instruction<'_>, probe: InstructionProbe, position: usize) {
        let b = self.b;
        let result = call::result(instruction);
        match probe.probe {
            Probe::Open => {
                let made_with = self.before_open_call(instruction, probe.argument);
                b.move_here(instruction.raw());
                self.after_open_call(made_with, result);
            }
            Probe::Closed => {
                self.write_back();
                b.move_here(instruction.raw());
                self.reload();
            }
            Probe::Setjmp => {
                self.before_setjmp(instruction, probe.argument);
                b.move_here(instruction.raw());
                self.after_setjmp(position, result);
            }
            Probe::Logged => {
                b.move_here(instruction.raw());
                if let Some(result) = result {
                    self.log(result);
                }
            }
            _ => {
                if probe.ticks() {
                    self.tick_without_value();
                    call::make_volatile(b, instruction);
                }
                b.move_here(instruction.raw());
                if probe.ticks() {
                    self.memory_shadow(instruction);
                }
            }
        }
    }

    fn invoke(&mut self, instruction: Instruction<'_>, probe: InstructionProbe) {
        if probe.probe == Probe::Open {
            _ = self.before_open_call(instruction, probe.argument);
        } else {
            self.write_back();
        }
        self.finish(instruction.block());
    }

    fn branch(&mut self, instruction: Instruction<'_>, probe: InstructionProbe) {
        let b = self.b;
        if probe.ticks() {
            // SAFETY: a branch with a condition, or a switch.
            unsafe {
                if instruction.operand_count() > 1 {
                    let is_switch = instruction.opcode() == LLVMOpcode::LLVMSwitch;
                    let kind = if is_switch { TickKind::Switch } else { TickKind::Branch };
                    let condition = self.tick(LLVMGetOperand(instruction.raw(), 0), kind, None);
                    LLVMSetOperand(instruction.raw(), 0, condition);
                    if probe.hashes()
                        && let Some(wide) = b.widen(condition)
                    {
                        self.hash(wide);
                    }
                } else {
                    self.tick_without_value();
                }
            }
            self.write_back();
        }
        self.finish(instruction.block());
    }

    /// Ends the head of a block: what is left in it is the terminator.
    fn finish(&mut self, block: Block<'_>) {
        self.b.jump(block.raw());
    }
}
