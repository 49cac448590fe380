//! Which locals need no log: those nobody else can see and that are surely assigned before they are read.

use std::collections::{HashMap, HashSet};

use llvm::{Function, Instruction, LLVMOpcode, TypeKind};

/// The allocas of a function that can live in registers.
pub fn unlogged<'m>(function: Function<'m>) -> HashSet<Instruction<'m>> {
    let Some(entry) = function.blocks().first().copied() else { return HashSet::new() };
    let candidates: Vec<Instruction<'m>> =
        entry.instructions().filter(|i| i.opcode() == LLVMOpcode::LLVMAlloca && is_private(*i)).collect();
    let maybe_unassigned = read_before_assigned(function, &candidates);
    candidates.into_iter().filter(|c| !maybe_unassigned.contains(c)).collect()
}

/// Only ever loaded and stored, whole, by its own type, not volatile.
fn is_private(alloca: Instruction<'_>) -> bool {
    let ty = alloca.alloca_type();
    let scalar = matches!(
        ty.kind(),
        TypeKind::LLVMIntegerTypeKind
            | TypeKind::LLVMPointerTypeKind
            | TypeKind::LLVMFloatTypeKind
            | TypeKind::LLVMDoubleTypeKind
            | TypeKind::LLVMX86_FP80TypeKind
            | TypeKind::LLVMVectorTypeKind
    );
    scalar
        && alloca.operand(0).as_integer() == Some(1)
        && alloca.value().users().into_iter().all(|user| {
            let Some(user) = user.as_instruction() else { return false };
            match user.opcode() {
                LLVMOpcode::LLVMLoad => user.ty() == ty && user.is_plain_access(),
                LLVMOpcode::LLVMStore => {
                    user.operand(1) == alloca.value()
                        && user.operand(0) != alloca.value()
                        && user.operand(0).ty() == ty
                        && user.is_plain_access()
                }
                _ => false,
            }
        })
}

/// Those that some path reads before any store: a forward must-analysis over bit sets, to a fixed point.
fn read_before_assigned<'m>(function: Function<'m>, candidates: &[Instruction<'m>]) -> HashSet<Instruction<'m>> {
    let number: HashMap<_, usize> = candidates.iter().enumerate().map(|(i, c)| (c.value(), i)).collect();
    let words = candidates.len().div_ceil(64);
    let blocks = function.blocks();
    let position: HashMap<_, usize> = blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let stored: Vec<Vec<u64>> = blocks
        .iter()
        .map(|block| {
            let mut set = vec![0; words];
            for instruction in block.instructions().filter(|i| i.opcode() == LLVMOpcode::LLVMStore) {
                if let Some(&n) = number.get(&instruction.operand(1)) {
                    set[n / 64] |= 1 << (n % 64);
                }
            }
            set
        })
        .collect();
    // Assigned on every path to the block's start; all ones until a path is known.
    let mut at_start: Vec<Vec<u64>> = vec![vec![u64::MAX; words]; blocks.len()];
    at_start[0] = vec![0; words];
    let mut work = vec![0];
    let mut reached = vec![false; blocks.len()];
    while let Some(block) = work.pop() {
        reached[block] = true;
        let out: Vec<u64> = at_start[block].iter().zip(&stored[block]).map(|(a, s)| a | s).collect();
        for successor in blocks[block].terminator().successors() {
            let Some(&next) = position.get(&successor) else { continue };
            let mut changed = !reached[next];
            for (have, new) in at_start[next].iter_mut().zip(&out) {
                changed |= *have & new != *have;
                *have &= new;
            }
            if changed && !work.contains(&next) {
                work.push(next);
            }
        }
    }
    let mut unassigned = HashSet::new();
    for (block, mut assigned) in blocks.iter().zip(at_start) {
        for instruction in block.instructions() {
            match instruction.opcode() {
                LLVMOpcode::LLVMStore => {
                    if let Some(&n) = number.get(&instruction.operand(1)) {
                        assigned[n / 64] |= 1 << (n % 64);
                    }
                }
                LLVMOpcode::LLVMLoad => {
                    if let Some(&n) = number.get(&instruction.operand(0))
                        && assigned[n / 64] & (1 << (n % 64)) == 0
                    {
                        unassigned.insert(candidates[n]);
                    }
                }
                _ => {}
            }
        }
    }
    unassigned
}
