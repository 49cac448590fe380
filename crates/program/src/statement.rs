//! Statements: what a person reads as one thing, out of the instructions it takes.
//!
//! An instruction with an effect (a store, a call, a choice, a return) and the pure instructions that only serve it are one
//! statement, named by the effect, its *root*. A pure instruction that serves several belongs to the first of them in the
//! order of instructions. A value that is computed and dropped is a statement of its own. Jumps, `unreachable`, the allocas
//! of variables and markers without result belong to no statement: nothing of the source corresponds to them.

use crate::{CallKind, Function, InstructionId, Op, Operand, SourceLocation, Storage, Type};

/// What an instruction is to the statements of its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Changes memory, calls, chooses where control goes, or leaves.
    Effect,
    /// Only computes or loads a value.
    Pure,
    /// Belongs to no statement.
    Silent,
}

/// The statements of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statements {
    /// By instruction.
    root: Vec<Option<InstructionId>>,
    /// Sorted by root; the members of each in the order of instructions, the root among them.
    statements: Vec<(InstructionId, Vec<InstructionId>)>,
}

impl Statements {
    pub fn of(function: &Function) -> Statements {
        let root = roots(function);
        let mut members = vec![Vec::new(); root.len()];
        for (position, root) in root.iter().enumerate() {
            if let Some(root) = root {
                members[root.index()].push(InstructionId(position as u32));
            }
        }
        let named = members.into_iter().enumerate().filter(|(_, members)| !members.is_empty());
        let statements = named.map(|(root, members)| (InstructionId(root as u32), members)).collect();
        Statements { root, statements }
    }

    /// The root of the statement this instruction belongs to.
    pub fn root(&self, instruction: InstructionId) -> Option<InstructionId> {
        self.root[instruction.index()]
    }

    pub fn is_root(&self, instruction: InstructionId) -> bool {
        self.root(instruction) == Some(instruction)
    }

    /// All roots, in the order of instructions.
    pub fn roots(&self) -> impl Iterator<Item = InstructionId> + '_ {
        self.statements.iter().map(|&(root, _)| root)
    }

    /// The instructions of the statement with this root, in their order; empty if it is none.
    pub fn members(&self, root: InstructionId) -> &[InstructionId] {
        match self.statements.binary_search_by_key(&root, |&(root, _)| root) {
            Ok(at) => &self.statements[at].1,
            Err(_) => &[],
        }
    }

    /// Where the statement stands in the source: its root's place, or the first of a member that has one (what the
    /// compiler adds, like the return of a function's value, may have none or line 0).
    pub fn location(&self, function: &Function, root: InstructionId) -> Option<SourceLocation> {
        let place = |id: InstructionId| function.instruction(id).location.filter(|location| location.line != 0);
        place(root).or_else(|| self.members(root).iter().find_map(|&member| place(member)))
    }
}

/// What an instruction is to the statements of its function.
pub fn role(op: &Op, ty: &Type) -> Role {
    match op {
        Op::Store { .. }
        | Op::ReadModifyWrite { .. }
        | Op::CompareExchange { .. }
        | Op::Fence
        | Op::Invoke { .. }
        | Op::LandingPad
        | Op::Branch { .. }
        | Op::Switch { .. }
        | Op::Return { .. }
        | Op::Resume { .. } => Role::Effect,
        Op::Call(call) => match call.kind {
            CallKind::Open | CallKind::Closed | CallKind::Logged | CallKind::Setjmp | CallKind::Memory => Role::Effect,
            CallKind::Computed | CallKind::Ignored if *ty == Type::Void => Role::Silent,
            CallKind::Computed | CallKind::Ignored => Role::Pure,
        },
        Op::Alloca { storage, .. } => match storage {
            Storage::Local | Storage::Frame(_) => Role::Silent,
            Storage::Dynamic => Role::Effect,
        },
        Op::Jump { .. } | Op::Unreachable => Role::Silent,
        Op::Binary { .. }
        | Op::FNeg { .. }
        | Op::ICmp { .. }
        | Op::FCmp { .. }
        | Op::Cast { .. }
        | Op::Select { .. }
        | Op::Freeze { .. }
        | Op::Phi { .. }
        | Op::Load { .. }
        | Op::ElementPointer { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::ExtractElement { .. }
        | Op::InsertElement { .. }
        | Op::Shuffle { .. } => Role::Pure,
    }
}

/// The root of each instruction. One pass from the end finds nearly all; only a phi can be used by what stands before
/// it, so passes are repeated until nothing changes (each lowers some root, so this ends).
fn roots(function: &Function) -> Vec<Option<InstructionId>> {
    let roles: Vec<Role> = function.instructions.iter().map(|i| role(&i.op, &i.ty)).collect();
    let mut users = vec![0u32; roles.len()];
    let each = |op: &Op, visit: &mut dyn FnMut(usize)| {
        op.for_each_operand(|operand| match operand {
            Operand::Result(used) => visit(used.index()),
            Operand::Parameter(_) | Operand::Constant(_) => {}
        });
    };
    for instruction in &function.instructions {
        each(&instruction.op, &mut |used| users[used] += 1);
    }
    let mut root: Vec<Option<InstructionId>> = vec![None; roles.len()];
    for (position, role) in roles.iter().enumerate() {
        if *role == Role::Effect || (*role == Role::Pure && users[position] == 0) {
            root[position] = Some(InstructionId(position as u32));
        }
    }
    loop {
        let before = root.clone();
        for (position, instruction) in function.instructions.iter().enumerate().rev() {
            let Some(mine) = root[position] else { continue };
            each(&instruction.op, &mut |used| {
                if roles[used] == Role::Pure {
                    root[used] = Some(root[used].map_or(mine, |theirs| theirs.min(mine)));
                }
            });
        }
        if root == before {
            return root;
        }
    }
}

#[cfg(test)]
mod tests;
